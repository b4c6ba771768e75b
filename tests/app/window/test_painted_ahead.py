"""The render cache on the seek bar, in the status line, and in the picture."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.media.writing.output_plan import OutputOptions
from framebrush.playback.ahead import renderer
from framebrush.playback.ahead.ahead_process import PaintingProcess
from framebrush.playback.ahead.store import CHECKSUM_BYTES
from framebrush.playback.events import LookAnswered, Tried
from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.transport.seekbar import READY
from tests.app.playback.ahead.lending import LentProcess
from tests.app.window.conftest import CLIPS, Desk

pytestmark = [pytest.mark.media, pytest.mark.slow]

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(autouse=True)
def nothing_is_painted_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it is."""
    monkeypatch.setattr(renderer, "PaintingProcess", LentProcess)


@pytest.fixture
def desk(application: QApplication, tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path, style="ink")
    yield made
    made.close()


def green(desk: Desk) -> float:
    """The share of the seek bar's length over which it says that frames are ready."""
    image = desk.window.transport.bar.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)
    wanted = READY.blue(), READY.green(), READY.red()
    found = np.all(pixels[..., :3] == wanted, axis=2).any(axis=0)
    return float(found.sum() / (image.width() - 16 * image.devicePixelRatio()))


def test_a_pause_paints_ahead_and_a_change_begins_anew(desk: Desk) -> None:
    window, seen = desk.window, desk.window.status.seen
    assert green(desk) == 0.0
    desk.open("cfr.mp4")
    desk.wait(lambda: seen.text() == "As exported", "the frame of an export")
    desk.wait(lambda: green(desk) > 0.97, "all frames")
    assert window.transport.bar.accessibleDescription() == "0:00:00.000, 100% painted ahead"
    painted = desk.wait_still()
    strength = window.inspector.panel.sliders["strength"].slider
    strength.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(strength, Qt.Key.Key_Home)
    desk.wait(lambda: seen.text() == "Preview at full size", "another look at once")
    desk.wait(lambda: green(desk) < 0.5, "nothing of it is ready")
    desk.wait(lambda: green(desk) > 0.97, "all frames in the other look")
    assert np.any(desk.wait_still() != painted)
    desk.key("z", CTRL)
    desk.wait(lambda: np.array_equal(desk.picture(), painted), "the former look, as it was painted")
    desk.wait(lambda: seen.text() == "As exported" and green(desk) > 0.97, "all of its frames")


def test_a_film_that_is_opened_again_is_told_as_before(desk: Desk) -> None:
    """The second film has the first one's sizes, and its own message about them."""
    window = desk.window
    window.session.choose(
        replace(
            window.session.choice,
            recipe=replace(window.session.choice.recipe, sizes=replace(window.session.choice.sizes, size="2x")),
        )
    )
    window.session.tell_sizes()
    for _ in range(2):
        desk.open("cfr.mp4")
        desk.wait(lambda: window.status.seen.text() == "As exported", "the frame of an export")
        assert window.session.opened is not None
        assert window.view.lines == 2 * window.session.opened.info.format.height
        window.player.close_video()
        desk.wait(lambda: window.session.opened is None, "closing")
        assert window.status.seen.text() == ""


def test_a_style_that_is_loaded_is_not_what_the_old_painting_is_exported_in(desk: Desk) -> None:
    seen = desk.window.status.seen
    desk.open("cfr.mp4")
    desk.wait(lambda: seen.text() == "As exported", "the frame of an export")
    with desk.held():
        desk.key("0")
        assert seen.text() == ""
        desk.window.session.use_style("ink")
    desk.wait(lambda: seen.text() == "As exported", "the style that is in use")


def test_what_is_chosen_and_not_painted_yet_is_not_as_exported(desk: Desk) -> None:
    window, seen = desk.window, desk.window.status.seen
    desk.open("cfr.mp4")
    desk.wait(lambda: green(desk) > 0.97, "all frames")
    desk.wait(lambda: seen.text() == "As exported", "the frame of an export")
    slider = window.inspector.panel.sliders["strength"].slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    for key in (Qt.Key.Key_Home, Qt.Key.Key_End):
        with desk.held():
            QTest.keyClick(slider, key)
            assert seen.text() != "As exported"
        desk.wait(lambda: seen.text() == "As exported", "the look that is chosen")
    few, key = window.actions_["few-strokes"].trigger, window.inspector.panel.keys.toggle
    for choose in (few, lambda: key("strength", lambda: 0.5)):
        with desk.held():
            choose()
            assert seen.text() != "As exported"
        desk.wait(lambda: seen.text() == "As exported", "what is chosen")


def test_what_is_chosen_while_it_plays_is_as_exported_with_the_next_frame(desk: Desk) -> None:
    window, seen = desk.window, desk.window.status.seen
    desk.open("cfr.mp4")
    desk.wait(lambda: green(desk) > 0.97, "all frames")
    window.actions_["loop"].trigger()
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.session.shown_at.number >= 2, "playing")
    told: list[tuple[LookAnswered, str]] = []
    window.bridge.event_posted.connect(
        lambda event: told.append((event, seen.text())) if isinstance(event, LookAnswered) else None
    )
    slider = window.inspector.panel.sliders["strength"].slider
    slider.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(slider, Qt.Key.Key_Home)
    assert seen.text() != "As exported"
    desk.wait(lambda: bool(told), "the player")
    (answer, said), *_ = told
    assert answer.playing
    assert said != "As exported"  # the frame on the screen is that of before
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: seen.text() == "As exported", "the look that is chosen")


def test_what_is_pointed_at_is_seen_in_place_of_what_is_ready(desk: Desk) -> None:
    window, tiles, answers = desk.window, desk.window.inspector.gallery.tiles, list[str | None]()
    window.bridge.event_posted.connect(lambda event: answers.append(event.name) if isinstance(event, Tried) else None)
    desk.open("cfr.mp4")
    desk.wait(lambda: window.status.seen.text() == "As exported", "the frame of an export")
    painted = desk.wait_still()
    row = window.inspector.gallery.names.index("none")
    tiles.scrollToItem(tiles.item(row))
    QTest.mouseMove(tiles.viewport(), tiles.visualItemRect(tiles.item(row)).center())
    desk.wait(lambda: answers[-1:] == ["none"], "the style that is pointed at")
    assert np.any(desk.wait_still() != painted)
    QTest.mouseMove(window.view, QPoint(9, 9))
    desk.wait(lambda: answers[-1] is None, "the style in use")
    desk.wait(lambda: np.array_equal(desk.picture(), painted), "what was there before")
    assert window.status.seen.text() == "As exported"


def test_what_is_ready_plays_as_exported(desk: Desk) -> None:
    window = desk.window
    window.preferences.use("preview", "quarter")
    desk.open("landscape.mp4")
    desk.wait(lambda: green(desk) > 0.12, "some frames")
    seen = set()
    window.bridge.event_posted.connect(lambda event: seen.add(getattr(event, "exported", True)))
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.session.shown_at.number >= 6, "playing")
    desk.key(Qt.Key.Key_Space)
    assert seen == {True}
    assert window.status.seen.text() == "As exported"


def test_frames_are_forgotten_on_request(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.wait(lambda: green(desk) > 0.97, "all frames")
    counts = []
    bar = desk.window.transport.bar
    real = bar.set_ready
    bar.set_ready = lambda spans: (counts.append(len(spans)), real(spans))[1]  # type: ignore[method-assign]
    desk.window.actions_["clear-renders"].trigger()
    desk.wait(lambda: 0 in counts, "none")
    desk.wait(lambda: green(desk) > 0.97, "all frames again")


def test_painting_ahead_can_be_turned_off(desk: Desk, tmp_path: Path) -> None:
    desk.open("cfr.mp4")
    desk.wait(lambda: green(desk) > 0.97, "all frames")
    action = desk.window.actions_["paint-ahead"]
    assert action.isChecked()
    action.trigger()
    assert not desk.settings.paint_ahead
    desk.window.inspector.panel.sliders["strength"].moved.emit(0.5)
    desk.wait(lambda: green(desk) == 0.0, "another look, of which nothing is painted")
    desk.rest(1.5)
    assert green(desk) == 0.0
    assert desk.window.status.seen.text() != "As exported"
    desk.close()
    later = Desk(tmp_path, style="ink")
    assert not later.window.actions_["paint-ahead"].isChecked()
    later.open("cfr.mp4")
    later.rest(1.5)
    assert green(later) == 0.0
    later.window.actions_["paint-ahead"].trigger()
    later.wait(lambda: green(later) > 0.97, "all frames")
    later.close()


def test_the_divider_shows_the_preview(desk: Desk) -> None:
    seen = desk.window.status.seen
    desk.open("cfr.mp4")
    desk.wait(lambda: seen.text() == "As exported", "the frame of an export")
    desk.key("d")
    desk.wait(lambda: seen.text() == "Preview at full size", "the preview, which has the source with it")
    desk.key("d")
    desk.wait(lambda: seen.text() == "As exported", "the frame of an export")


def test_without_a_style_there_is_nothing_to_say(desk: Desk) -> None:
    seen = desk.window.status.seen
    desk.open("cfr.mp4")
    desk.wait(lambda: seen.text() == "As exported", "the frame of an export")
    desk.key("0")
    desk.window.actions_["no-style"].trigger()
    desk.wait(lambda: seen.text() == "", "the source")
    desk.wait(lambda: green(desk) == 0.0, "nothing is painted")
    bar = desk.window.transport.bar
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=QPoint(bar.width() // 2, bar.height() // 2))
    desk.wait_number(desk.window.session.shown_at.number)
    assert seen.text() == ""


def test_the_next_window_has_them_and_the_budget_is_remembered(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer, "WORTH_SHARE", 0.0)  # every frame is worth the disk
    first = Desk(tmp_path, style="ink")
    first.open("cfr.mp4")
    first.wait(lambda: green(first) > 0.97, "all frames")
    first.close()
    files = list((tmp_path / "data" / "renders").rglob("*.frame"))
    assert len(files) == 30
    with monkeypatch.context() as context:
        context.delattr(PaintingProcess, "open")  # nothing needs to be painted
        second = Desk(tmp_path, style="ink")
        second.open("cfr.mp4")
        second.wait(lambda: second.window.status.seen.text() == "As exported", "the frame from the disk")
        second.wait(lambda: green(second) > 0.97, "all frames")
    menus = {action.text(): action for action in second.window.findChildren(QAction)}
    assert menus["Keep up to 5 GB on disk"].isChecked()
    menus["Keep none on disk"].trigger()
    second.wait(lambda: not any(path.exists() for path in files), "an empty disk")
    second.close()
    third = Desk(tmp_path, style="ink")
    assert third.settings.renders_gb == 0
    third.open("cfr.mp4")
    third.wait(lambda: green(third) > 0.97, "all frames in memory")
    assert not list((tmp_path / "data" / "renders").rglob("*.frame"))
    third.close()


def test_an_export_takes_what_is_painted(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the disk, by the process of the export: half of the frames are grey there, which nothing would paint."""
    monkeypatch.setattr(renderer, "WORTH_SHARE", 0.0)  # every frame is worth the disk
    desk.open("cfr.mp4")
    desk.wait(lambda: green(desk) > 0.97, "all frames")
    desk.wait(lambda: len(stored(tmp_path)) == 30, "all of them on the disk")
    kept = stored(tmp_path)
    for number in range(0, 30, 2):
        samples = b"\x80" * (kept[number].stat().st_size - CHECKSUM_BYTES)
        kept[number].write_bytes(samples + zlib.crc32(samples).to_bytes(CHECKSUM_BYTES, "little"))
    spec = desk.window.exporting.spec(str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mkv"))
    made = ExportJob(replace(spec, output=OutputOptions("libx264", crf=0), device="cpu"))
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the export")
    assert made.state is State.DONE, made.message
    with av.open(str(tmp_path / "out.mkv")) as result:
        grey = [bool((frame.to_ndarray() == 0x80).all()) for frame in result.decode(video=0)]
    assert grey == [number % 2 == 0 for number in range(30)]


def stored(folder: Path) -> dict[int, Path]:
    """The frames on the disk, by their numbers."""
    return {int(path.name.partition("_")[0]): path for path in (folder / "data" / "renders").rglob("*.frame")}
