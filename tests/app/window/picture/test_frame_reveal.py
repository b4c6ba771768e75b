"""The time-lapse of the frame on the screen: seen over the picture, ended, and exported."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import cycle, pairwise
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
import shiboken6
from PIL import Image
from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from framebrush.gpu.device import open_device
from framebrush.gpu.look import Look
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.reveal import CANVAS
from framebrush.jobs.saved_look import LookFolder, write_look
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import paint_still
from framebrush.jobs.transcode import ignore
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange
from framebrush.playback.events import Notification
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.exports import exporting
from framebrush.window.exports.export_queue import State
from framebrush.window.picture import reveal_painter
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.composing import Composed, compose
from framebrush.window.picture.reveal_painter import RevealPainter
from framebrush.window.picture.reveal_worker import opened_reveal
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand, pixels_of
from tests.gpu.webgpu.harness import needs_vulkan

pytestmark = [pytest.mark.media, pytest.mark.slow]

PEOPLE = Path(__file__).parents[2] / "subject" / "people.mp4"
PAINTED = Look(brush=1.0, relief=0.6)
BARE = 255 * np.array(CANVAS)

Pixels = npt.NDArray[np.uint8]


def pixels(image: QImage) -> Pixels:
    """(H, W, 3) uint8 R'G'B'."""
    image = image.convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()


@pytest.fixture(autouse=True)
def it_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reveal_painter, "SECONDS", 0.2)
    monkeypatch.setattr(reveal_painter, "FEWEST", 8)
    monkeypatch.setattr(exporting, "SECONDS", 1)


def opened(desk: Desk, clip: Path, number: int, look: Look = PAINTED, **sizes: object) -> Hand:
    """Open a film with strokes, at a frame."""
    desk.open(clip)
    session = desk.window.session
    session.use_recipe(replace(session.choice.recipe, look=look, sizes=replace(SizeSpec(), **sizes)))
    hand = Hand(desk)
    for _ in range(number):
        hand.key(".")
    desk.settle()
    desk.wait(lambda: session.shown_at.number == number, "the frame")
    desk.wait_still()
    return hand


@pytest.fixture
def film(desk: Desk) -> Callable[..., Hand]:
    return partial(opened, desk)


def watch(hand: Hand) -> list[tuple[float, Composed]]:
    """Begin by the key, and return all pictures with their shares of the time."""
    window, seen = hand.desk.window, list[tuple[float, Composed]]()

    def look() -> bool:
        picture, bar = window.overlays.watching.overlay.picture, window.overlays.watching.bar.progress
        if picture is not None and (not seen or picture is not seen[-1][1]):
            seen.append((bar.value() / bar.maximum(), picture))
        return bool(seen) and seen[-1][0] == 1

    hand.key("t")
    hand.desk.wait(look, "the end of the time-lapse")
    return seen


def painted_still(desk: Desk, folder: Path, device_name: str = "cpu") -> Pixels:
    """The frame on the screen as `framebrush frame` paints it: (H, W, 4) RGBA, upright."""
    session, target = desk.window.session, folder / f"{device_name}.png"
    assert session.opened is not None
    number = session.shown_at.number
    spec = session.job(session.opened.info.source, str(target))
    spec = replace(spec, range=TimeRange(Position(Fraction(number), "frame"), frames=1))
    with open_device(device_name) as device:
        paint_still(spec, open_job_style(spec, ignore), device, ignore)
    with Image.open(target) as image:
        return np.asarray(image.convert("RGBA"))


def composed(desk: Desk, picture: Pixels) -> Pixels:
    """Return a picture as the view shows it."""
    session, box = desk.window.session, desk.window.bridge.box
    assert session.opened is not None
    return pixels(compose(picture, session.opened.info, box.size_px, box.viewport).image)


def test_it_begins_with_the_canvas_and_ends_with_the_painted_frame_bit_for_bit(
    film: Callable[..., Hand], tmp_path: Path
) -> None:
    mask = np.zeros((90, 160), np.uint8)
    mask[:, :80] = 255
    Image.fromarray(mask).save(tmp_path / "mask.png")
    look = Look(brush=1.0, relief=0.0, film_inside=0.8, faces=0.5)
    hand = film(PEOPLE, 3, look, size="320x240", mask=str(tmp_path / "mask.png"))
    desk = hand.desk
    before = desk.picture()
    seen = watch(hand)
    shares = [share for share, _ in seen]
    assert shares == sorted(shares)
    assert len(seen) >= 3
    assert np.abs(pixels(seen[0][1].image) - BARE).max() <= 2
    last = composed(desk, painted_still(desk, tmp_path))
    assert np.array_equal(pixels(seen[-1][1].image), last)
    apart = [np.abs(pixels(picture.image).astype(float) - last).mean() for _, picture in seen]
    assert apart == sorted(apart, reverse=True)
    hand.desk.window.overlays.watching.bar.hide()
    desk.rest(0.1)
    place = desk.window.view.painted.place
    assert place is not None
    on_screen = pixels_of(desk.window.view)[round(place.y) :][:, round(place.x) :][: last.shape[0], : last.shape[1]]
    assert np.array_equal(on_screen, last)
    hand.key(Qt.Key.Key_Escape)
    desk.rest(0.1)
    assert np.array_equal(desk.picture(), before)


@needs_vulkan
def test_it_ends_with_the_frame_of_the_device_in_use(tmp_path: Path, application: QApplication) -> None:
    desk = Desk(tmp_path, device="webgpu")
    hand = opened(desk, CLIPS / "cfr.mp4", 3)
    before = desk.picture()
    seen = watch(hand)
    ours, theirs = (composed(desk, painted_still(desk, tmp_path, device)) for device in ("webgpu", "cpu"))
    assert not np.array_equal(ours, theirs)
    assert np.array_equal(pixels(seen[-1][1].image), ours)
    hand.key(Qt.Key.Key_Escape)
    desk.rest(0.1)
    assert np.array_equal(desk.picture(), before), "the player's device goes on"
    hand.key(".")
    desk.wait(lambda: desk.window.session.shown_at.number == 4, "the next frame")
    assert desk.window.player.engine.presenter.device.info.kind == "webgpu"
    desk.close()


def test_a_device_that_fails_leaves_the_pictures_to_the_processor() -> None:
    recipe = Recipe(StyleSpec("none"), PAINTED)
    pictures = []
    for name in ("no such card", "cpu"):
        with ExitStack() as stack:
            reveal = opened_reveal(JobSpec(str(CLIPS / "cfr.mp4"), "screen", recipe, device=name), stack)
            pictures.append(reveal.paint(0.5, reveal.painted.host.format.allocate()).planes[0])
    np.testing.assert_array_equal(*pictures)


ENDS: dict[str, Callable[[Hand], object]] = {
    "Esc": lambda hand: hand.key(Qt.Key.Key_Escape),
    "its key": lambda hand: hand.key("t"),
    "its button": lambda hand: hand.click(hand.desk.window.overlays.watching.bar.stop),
    "a step": lambda hand: hand.key("."),
    "a seek": lambda hand: hand.key(Qt.Key.Key_End),
    "play": lambda hand: hand.key(Qt.Key.Key_Space),
    "another look": lambda hand: hand.desk.window.session.use(brush=0.5),
    "closing the film": lambda hand: hand.key("w", Qt.KeyboardModifier.ControlModifier),
}


@pytest.mark.parametrize(("end", "is_painted"), [*zip(ENDS, cycle([False, True]), strict=False), ("Esc", True)])
def test_it_ends(film: Callable[..., Hand], end: str, is_painted: bool) -> None:
    hand = film(CLIPS / "cfr.mp4", 1)
    desk, watching = hand.desk, hand.desk.window.overlays.watching
    if is_painted:
        watch(hand)
    else:
        hand.key("t")
        desk.settle()
    [thread] = [each for each in threading.enumerate() if each.name == "time-lapse"]
    assert watching.bar.isVisible()
    ENDS[end](hand)
    desk.wait(lambda: not watching.is_on, "the end")
    assert not watching.bar.isVisible()
    assert not watching.overlay.isVisible()
    desk.wait(lambda: not thread.is_alive(), "the end of the thread")
    desk.rest(0.2)
    assert not watching.overlay.isVisible()


def test_the_window_goes_on_while_the_frame_is_painted(film: Callable[..., Hand]) -> None:
    hand = film(CLIPS / "cfr.mp4", 1)
    ticks, timer, window = list[bool](), QTimer(), hand.desk.window
    timer.timeout.connect(lambda: ticks.append(window.overlays.watching.overlay.isVisible()))
    timer.start(10)
    watch(hand)
    timer.stop()
    assert ticks.count(False) > 5, "until the first picture"


def test_playback_pauses_first(film: Callable[..., Hand]) -> None:
    hand = film(CLIPS / "cfr.mp4", 0)
    desk, window = hand.desk, hand.desk.window
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.actions_["play"].isChecked() and window.session.shown_at.number > 2, "playback")
    watch(hand)
    assert window.overlays.watching.is_on
    assert not window.actions_["play"].isChecked()


def test_it_is_as_sharp_when_it_is_enlarged(film: Callable[..., Hand], tmp_path: Path) -> None:
    hand = film(CLIPS / "cfr.mp4", 1)
    desk, overlay = hand.desk, hand.desk.window.overlays.watching.overlay
    [*_, (_, former)] = watch(hand)
    hand.key("z")
    desk.wait(lambda: overlay.picture is not former, "the picture of the other view")
    assert overlay.picture is not None
    assert np.array_equal(pixels(overlay.picture.image), composed(desk, painted_still(desk, tmp_path)))


def test_it_is_on_the_side_of_the_painting(film: Callable[..., Hand]) -> None:
    hand = film(CLIPS / "cfr.mp4", 1)
    desk, view = hand.desk, hand.desk.window.view
    hand.key("d", Qt.KeyboardModifier.ShiftModifier)
    desk.wait(lambda: view.painted.pane is not None, "both sides")
    before = desk.wait_still()
    hand.key("t")
    desk.wait(desk.window.overlays.watching.overlay.isVisible, "the time-lapse")
    desk.window.overlays.watching.bar.hide()
    seen = view.grab().toImage()
    place, pane = view.painted.place, view.painted.pane
    assert place is not None
    assert pane is not None
    assert np.array_equal(desk.picture(), before), "the source, in the left half"
    right = seen.pixelColor(QPoint(round(pane + place.x + place.width / 2), round(place.y + place.height - 3)))
    assert np.abs(np.array(right.toTuple()[:3]) - BARE).max() < 16


def test_a_look_without_strokes_is_refused(film: Callable[..., Hand]) -> None:
    hand = film(CLIPS / "cfr.mp4", 0, Look(brush=0.0))
    window = hand.desk.window
    hand.key("t")
    hand.desk.wait(lambda: "no strokes" in window.messages.text, "the reason")
    assert "Raise Brush" in window.messages.text, "no option of the command line"
    assert not window.overlays.watching.is_on
    assert not window.overlays.watching.bar.isVisible()


def test_it_and_compared_looks_do_not_meet(film: Callable[..., Hand], tmp_path: Path) -> None:
    hand = film(CLIPS / "cfr.mp4", 0)
    window = hand.desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    write_look(window.inspector.looks.current(), tmp_path / "looks" / "mine.json")
    watch(hand)
    hand.key("d", Qt.KeyboardModifier.ControlModifier)
    assert window.overlays.comparison.is_on
    assert not window.overlays.watching.is_on
    hand.key("t")
    assert not window.overlays.comparison.is_on
    assert window.overlays.watching.is_on


def test_its_button_exports_it(film: Callable[..., Hand], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hand = film(PEOPLE, 2, size="320x240")
    desk, window, target = hand.desk, hand.desk.window, tmp_path / "mine.mkv"
    names = list[str]()

    def chosen(_: object, title: str, start: str, patterns: str) -> tuple[str, str]:
        names.append(Path(start).name)
        return str(target), patterns

    monkeypatch.setattr(file_dialogs.QFileDialog, "getSaveFileName", chosen)
    target.write_text("replaced, as the dialog has asked")
    watch(hand)
    hand.click(window.overlays.watching.bar.save)
    assert names == ["people-2.mp4"]
    [job] = desk.exports.queue
    desk.wait(lambda: job.is_over, "the export")
    assert (job.state, job.message) == (State.DONE, "")
    assert window.overlays.watching.is_on
    with av.open(str(target)) as container:
        assert len(container.streams) == 1
        rate = container.streams.video[0].average_rate
        shown = [frame.to_ndarray(format="rgb24").astype(float) for frame in container.decode(video=0)]
    assert rate is not None
    assert len(shown) == round(rate) + 1
    assert np.abs(shown[0] - BARE).mean() < 4
    assert np.abs(shown[-1] - painted_still(desk, tmp_path)[..., :3]).mean() < 4


def test_the_window_closes_while_a_frame_is_painted(film: Callable[..., Hand], application: QApplication) -> None:
    hand = film(CLIPS / "cfr.mp4", 1)
    hand.key("t")
    hand.desk.settle()
    hand.desk.close()


def test_its_bar_makes_room_for_a_problem(film: Callable[..., Hand]) -> None:
    hand = film(CLIPS / "cfr.mp4", 0)
    window = hand.desk.window
    watch(hand)
    bar, messages = window.overlays.watching.bar, window.messages
    low = bar.y()
    window.session.notified.emit(Notification("It broke.", severity="problem"))
    hand.desk.wait(messages.isVisible, "the problem")
    assert bar.y() < low
    assert not bar.geometry().intersects(messages.geometry())
    messages.clear_problem()
    assert bar.y() == low


def test_each_picture_is_a_small_step_further_and_comes_again_for_another_view(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """However slow the device is, and no faster than it can be seen."""
    for name, value in (("SECONDS", 1e-3), ("FEWEST", 2.5), ("RATE", 5)):
        monkeypatch.setattr(reveal_painter, name, value)
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = reader.info
    recipe = Recipe(StyleSpec("none"), PAINTED)
    spec = JobSpec(str(CLIPS / "cfr.mp4"), "a.png", recipe, TimeRange(Position.of_frame(3), frames=1))
    owner, shown, problems = QObject(), queue.Queue[tuple[float, float, Composed]](), list[Exception]()
    box = PictureBox(owner)
    box.size_px = (1, 1)
    painter = RevealPainter(
        replace(spec, device="cpu"),
        info,
        box,
        lambda picture, share: shown.put((share, time.monotonic(), picture)),
        problems.append,
    )
    seen = [shown.get(timeout=60) for _ in range(4)]
    assert [share for share, _, _ in seen] == [0.0, 0.4, 0.8, 1.0]
    # the first picture is painted, the others come at once
    assert all(later - earlier >= 0.1 for (_, earlier, _), (_, later, _) in pairwise(seen[1:]))
    assert shown.empty()
    box.size_px = (0, 9)  # no room
    painter.compose_again()
    box.size_px = (320, 192)
    time.sleep(0.05)
    painter.compose_again()
    while (last := shown.get(timeout=60))[2].image.width() == 1:
        pass
    assert (last[0], last[2].image.height()) == (1.0, 192)
    painter.close()
    assert painter.join(60)
    painter.compose_again()
    assert shown.empty()
    assert problems == []
    broken = RevealPainter(replace(spec, source="none.mp4"), info, box, lambda *_: None, problems.append)
    assert broken.join(60)
    assert len(problems) == 1
    broken.close()
    shiboken6.delete(owner)
