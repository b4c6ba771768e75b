"""A frame painted in another program changes its shot: real training in a child process, a few CPU steps."""

from __future__ import annotations

import dataclasses
import hashlib
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.jobs.still import encoded
from framebrush.media.video import Position
from framebrush.models.style import PaintedShot
from framebrush.painted.extract import extract
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles.reference_pictures import decode
from framebrush.window.painted import painted_frames
from framebrush.window.painted.learner import ShotLearner
from framebrush.window.painted.painted_frames import PaintedFrames, Scanner
from framebrush.window.transport.painted_strip import PaintedStrip
from tests.app.painted.films import SHOT_FRAMES, folder_with_network, paint_over, two_shots
from tests.app.window.conftest import CLIPS, Desk, process_of, speaking
from tests.app.window.hand import Hand, pixels_of
from tests.app.window.painted.test_learner import Teacher
from tests.app.window.styles.test_own_pictures import drag, picture
from tests.app.window.test_layout import SMALLEST, check_room
from tests.replaced import replace_alike

pytestmark = [pytest.mark.media, pytest.mark.timeout(600)]

CTRL = Qt.KeyboardModifier.ControlModifier
FEW_STEPS = Path(__file__).parents[3] / "few_steps.py"
LONG = 100_000  # steps that no test waits for the end of


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Return the list of files opened in the person's programs."""
    found: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: found.append(Path(url.toLocalFile())) or True)
    return found


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return two_shots(tmp_path / "film.mp4")


@pytest.fixture
def folder(film: Path) -> PaintedFolder:
    return PaintedFolder.beside(film)


@pytest.fixture
def steps(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], None]]:
    """Sets how many steps a shot is learnt; the process ends with the test."""
    if sys.platform == "win32":  # where a script is no program
        pytest.importorskip("torch")
        yield lambda count: None
    else:
        python = tmp_path / "python-of-few-steps"
        python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{FEW_STEPS}" "$@"\n')
        python.chmod(0o755)
        desk.settings.set_path("python", str(python))
        monkeypatch.setenv("FEW_STEPS", "2")
        yield lambda count: monkeypatch.setenv("FEW_STEPS", str(count))
    ended(desk)


def ended(desk: Desk) -> None:
    learner(desk).end()
    wait(desk, lambda: learner(desk).is_idle, "the end of the process")


def wait(desk: Desk, until: Callable[[], bool], what: str) -> None:
    """As `Desk.wait`, for what takes the processor long."""
    with suppress(AssertionError):
        desk.wait(until, what)
    desk.wait(until, what)


def learner(desk: Desk) -> ShotLearner:
    return desk.window.painting.learner


def keys_of(desk: Desk) -> PaintedFrames:
    return desk.window.painting.keys


def strip_of(desk: Desk) -> PaintedStrip:
    return desk.window.transport.painted


def go(desk: Desk, number: int) -> None:
    desk.window.player.seek(Position(Fraction(number), "frame"))
    desk.wait(lambda: desk.window.session.shown_at.number == number, f"frame {number}")
    desk.settle()


def replace(picture: Path, content: bytes) -> None:
    """Save a file as many programs do: another one takes its place."""
    other = picture.with_name("being-saved.tmp")
    other.write_bytes(content)
    other.replace(picture)


def negative(picture: Path) -> bytes:
    return encoded(255 - decode(str(picture), None).rgb, "png", "rgb24")


def paint(desk: Desk, opened: list[Path]) -> Path:
    """Press the key, and wait for the frame to be open in the person's program; its file."""
    opened.clear()
    desk.key("p", CTRL)
    desk.wait(lambda: bool(opened), "the frame")
    return opened[0]


def wait_learnt(desk: Desk, folder: PaintedFolder) -> None:
    """Wait until the saved frame is learnt, and the film is painted with it."""
    wait(desk, lambda: desk.window.session.choice.style.name == str(folder.path), "the style")
    wait(desk, lambda: not learner(desk).learning, "the end of learning")
    desk.wait_style(str(folder.path))


def with_keys(film: Path, *numbers: int) -> PaintedFolder:
    """A folder in which frames are painted."""
    folder = PaintedFolder.beside(film)
    extract(film, folder, [Position(Fraction(number), "frame") for number in numbers])
    for number in numbers:
        paint_over(folder.picture(number))
    return folder


def in_one_shot(film: Path, *numbers: int) -> PaintedFolder:
    """A folder in which frames are painted, and the film is said to be one shot."""
    folder = with_keys(film, *numbers)
    manifest = folder.read()
    folder.write(dataclasses.replace(manifest, shots=manifest.shots[:1]))
    return folder


def open_with_keys(desk: Desk, film: Path, *numbers: int) -> PaintedFolder:
    folder = with_keys(film, *numbers)
    desk.open(film)
    desk.wait(lambda: sorted(keys_of(desk).keys) == sorted(numbers), "the painted frames")
    desk.rest(0.1)
    return folder


def test_a_painting_that_replaced_another_is_seen(film: Path) -> None:
    folder = with_keys(film, 3)
    scanner, (path,) = Scanner(folder, None), folder.pictures()[3]
    (former,) = scanner.scan().keys.values()
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    replace_alike(path, bytes(content))
    (latter,) = scanner.scan().keys.values()
    assert former.sha256 != latter.sha256 == hashlib.sha256(content).hexdigest()


@pytest.mark.slow
def test_the_frame_that_is_painted_is_where_the_picture_stops(desk: Desk, film: Path, opened: list[Path]) -> None:
    """Not the one on the screen when the key was pressed, as playback goes on until the player knows."""
    desk.open(film)
    window, session = desk.window, desk.window.session
    window.actions_["loop"].trigger()
    desk.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.actions_["play"].isChecked() and session.shown_at.number > 0, "playing")
    pressed_at = session.shown_at
    window.player.commands.post(lambda: window.player.engine.step(5))  # as if five more were shown by then
    window.player.commands.post(lambda: window.player.engine.play(True))
    path = paint(desk, opened)
    desk.wait(lambda: not window.actions_["play"].isChecked(), "the pause")
    desk.settle()
    assert session.shown_at != pressed_at
    assert path == keys_of(desk).folder.picture(session.shown_at.number)
    learner(desk).end()
    desk.wait(lambda: learner(desk).is_idle, "the end of the process")


@pytest.mark.slow
@pytest.mark.usefixtures("steps")
def test_what_is_saved_is_learnt_and_seen(desk: Desk, film: Path, folder: PaintedFolder, opened: list[Path]) -> None:
    pytest.importorskip("torch")
    window, strip = desk.window, strip_of(desk)
    assert not window.actions_["paint-frame"].isEnabled()
    desk.open(film)
    assert not strip.places
    go(desk, 3)
    before = desk.wait_still()
    picture = paint(desk, opened)
    assert picture == folder.picture(3)
    with_shots = film.with_name("same.mp4")
    with_shots.write_bytes(film.read_bytes())
    (same,) = extract(with_shots, PaintedFolder.beside(with_shots), [Position(Fraction(3), "frame")])
    assert np.array_equal(decode(str(picture), None).rgb, decode(str(same), None).rgb)
    assert strip.places
    assert strip.words_of(3) == "Waits to be painted and saved"
    assert "frame-000003.png" in window.messages.text
    assert window.session.choice.style.name == "none"
    replace(picture, negative(picture))
    wait_learnt(desk, folder)
    assert np.abs(desk.wait_still().astype(int) - before).mean() > 10
    assert strip.words_of(3) == "Painted frame"
    assert sorted(path.name for path in folder.path.glob("shot-*.npz")) == ["shot-000000.npz"]
    assert [shot.first for shot in folder.read().shots] == [0, SHOT_FRAMES]
    former = folder.network.stat().st_mtime_ns
    swapped = np.ascontiguousarray(decode(str(picture), None).rgb[..., [2, 0, 1]])
    picture.write_bytes(encoded(swapped, "png", "rgb24"))  # written into, as other programs do
    wait(desk, lambda: folder.network.stat().st_mtime_ns != former, "what was saved again")
    wait_learnt(desk, folder)


@pytest.mark.slow
def test_another_shot_is_learnt_alone_and_another_style_stays(
    desk: Desk, film: Path, opened: list[Path], steps: Callable[[int], None]
) -> None:
    pytest.importorskip("torch")
    folder = open_with_keys(desk, film, 2)
    go(desk, SHOT_FRAMES + 2)
    picture = paint(desk, opened)
    replace(picture, negative(picture))
    wait_learnt(desk, folder)
    assert sorted(path.name for path in folder.path.glob("shot-*.npz")) == [f"shot-{SHOT_FRAMES:06}.npz"]
    ended(desk)
    steps(LONG)
    seen: list[str] = []
    learner(desk).learnt.connect(seen.append)
    QTest.mouseClick(desk.window.transport.learn, Qt.MouseButton.LeftButton)
    wait(desk, lambda: len(seen) > 0, "what is learnt on")
    desk.window.session.use_style("ink")
    count = len(seen)
    wait(desk, lambda: len(seen) > count, "more")
    desk.wait_style("ink")
    assert desk.window.transport.learn.accessibleName() == "Stop learning"
    QTest.mouseClick(desk.window.transport.learn, Qt.MouseButton.LeftButton)
    wait(desk, lambda: not learner(desk).learning, "the stop")
    assert desk.window.transport.learn.text() == "Learn on"
    assert desk.window.session.choice.style.name == "ink"


@pytest.mark.slow
def test_a_window_that_closes_in_the_middle_loses_nothing(
    desk: Desk, film: Path, folder: PaintedFolder, opened: list[Path], steps: Callable[[int], None], tmp_path: Path
) -> None:
    pytest.importorskip("torch")
    steps(LONG)
    desk.open(film)
    picture = paint(desk, opened)
    painted = negative(picture)
    replace(picture, painted)
    wait(desk, lambda: learner(desk).share is not None, "a step")
    runner = learner(desk)
    desk.close()
    wait(desk, lambda: runner.is_idle, "the end of the process")
    assert picture.read_bytes() == painted
    assert folder.network.is_file()
    assert (folder.path / "shot-000000.npz").is_file()
    again = Desk(tmp_path)
    again.open(film)
    again.wait(lambda: keys_of(again).painted == [0], "the painted frame")
    assert not learner(again).learning
    seen: list[str] = []
    learner(again).learnt.connect(seen.append)
    again.key("l", CTRL)
    wait(again, lambda: bool(seen), "what is learnt on")
    process_of(learner(again)).kill()
    wait(again, lambda: learner(again).is_idle, "its death")
    assert "Learning from the painted frames failed" in again.window.messages.text
    assert not learner(again).learning
    again.key("l", CTRL)
    count = len(seen)
    wait(again, lambda: len(seen) > count, "what is learnt after it")
    learner(again).stop()
    wait(again, lambda: not learner(again).learning, "the stop")
    ended(again)
    again.close()


@pytest.mark.slow
def test_without_pytorch_it_says_what_to_install(
    desk: Desk, film: Path, opened: list[Path], steps: Callable[[int], None]
) -> None:
    steps(0)
    desk.open(film)
    picture = paint(desk, opened)
    desk.wait(lambda: 'pip install "framebrush[train]"' in desk.window.messages.text, "what to install")
    assert picture.is_file()
    replace(picture, negative(picture))
    desk.wait(lambda: keys_of(desk).painted == [0], "the painting, which is kept")
    desk.wait(lambda: not learner(desk).learning and learner(desk).is_idle, "the end")
    assert desk.window.transport.learn.isVisible()
    desk.wait(lambda: len(strip_of(desk).line) == SHOT_FRAMES, "how sure it would be, of the shot")
    assert [shot.first for shot in PaintedFolder.beside(film).read().shots] == [0, SHOT_FRAMES]


@pytest.mark.slow
def test_a_line_of_no_confidence_is_seen_whole(desk: Desk) -> None:
    desk.open("cfr.mp4")
    strip = strip_of(desk)
    strip.show()
    desk.rest(0.1)
    before = pixels_of(strip).astype(int)
    strip.line = ((0, 9.0), (29, 9.0))
    drawn = np.abs(pixels_of(strip) - before).max(axis=(1, 2))
    assert len(drawn[drawn > 20]) == 2  # at the lower edge, as wide as a pen


@pytest.mark.slow
@pytest.mark.usefixtures("steps")
def test_a_desktop_without_a_program_says_where_the_frame_lies(
    desk: Desk, film: Path, folder: PaintedFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: asked.append(Path(url.toLocalFile())))
    desk.open(film)
    desk.key("p", CTRL)
    desk.wait(lambda: str(folder.picture(0)) in desk.window.messages.text, "where it is")
    assert desk.window.messages.open.text() == "Show in folder"
    QTest.mouseClick(desk.window.messages.open, Qt.MouseButton.LeftButton)
    assert asked == [folder.picture(0), folder.path]


@pytest.mark.slow
@pytest.mark.usefixtures("opened")
def test_a_key_that_is_on_its_way_has_no_menu_yet(
    desk: Desk, film: Path, steps: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[object] = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: failed.append(error))
    steps(0)
    open_with_keys(desk, film, 3)
    strip = strip_of(desk)
    desk.wait(lambda: bool(strip.places), "the strip")
    strip.setFocus()
    QTest.keyClick(strip, Qt.Key.Key_Right, CTRL)
    QTest.keyClick(strip, Qt.Key.Key_Return)
    assert failed == []
    desk.wait(lambda: keys_of(desk).painted == [4], "its new place")


@pytest.mark.slow
def test_keys_are_moved_taken_away_begun_again_and_undone(
    desk: Desk, film: Path, opened: list[Path], steps: Callable[[int], None]
) -> None:
    steps(0)  # a style that is learnt after all would be a step of undo, at its own time
    folder = open_with_keys(desk, film, 1, 5)
    window, strip, hand = desk.window, strip_of(desk), Hand(desk)
    contents = {number: folder.picture(number).read_bytes() for number in (1, 5)}

    def there() -> dict[int, bytes]:
        return {number: path.read_bytes() for number, path in folder.painted(folder.read()).items()}

    def step(expected: dict[int, bytes]) -> None:
        desk.wait(lambda: keys_of(desk).painted == sorted(expected) and there() == expected, f"{sorted(expected)}")
        desk.wait(lambda: not window.history.debounce.isActive(), "a step of undo")

    step(contents)
    assert not window.actions_["undo"].isEnabled()
    middle = strip.height() // 2
    hand.drag(strip, QPoint(round(strip.x_of(5)), middle), QPoint(round(strip.x_of(3)), middle))
    moved = {1: contents[1], 3: contents[5]}
    step(moved)
    desk.wait(lambda: window.session.shown_at.number == 3, "the frame it was moved to")
    assert strip.hasFocus()
    hand.key(Qt.Key.Key_Left)
    desk.wait(lambda: window.session.shown_at.number == 1, "the other one")
    hand.key(Qt.Key.Key_Right, CTRL)
    moved_on = {2: contents[1], 3: contents[5]}
    step(moved_on)
    hand.key(Qt.Key.Key_Delete)
    step({3: contents[5]})
    for expected in (moved_on, moved, contents):
        desk.key("z", CTRL)
        step(expected)
    desk.key("y", CTRL)
    step(moved)
    opened.clear()
    menu = strip.menu(3)
    (anew,) = [action for action in menu.actions() if "Begin again" in action.text()]
    anew.trigger()
    menu.close()
    desk.wait(lambda: opened == [folder.picture(3)], "the film's frame")
    step({1: contents[1]})
    assert strip.words_of(3) == "Waits to be painted and saved"
    desk.key("z", CTRL)
    step(moved)
    made = len(window.history.steps)
    desk.open("cfr.mp4")
    assert not strip.places
    desk.open(film)
    step(moved)
    assert len(window.history.steps) == made


@pytest.mark.slow
@pytest.mark.usefixtures("steps")
def test_another_frame_s_picture_is_taken_only_if_the_person_insists(
    desk: Desk, film: Path, folder: PaintedFolder, opened: list[Path]
) -> None:
    pytest.importorskip("torch")
    desk.open(film)
    picture = paint(desk, opened)
    dice = np.random.default_rng(0)
    coarse = dice.integers(0, 255, (9, 16, 3), np.uint8)
    height, width = decode(str(picture), None).rgb.shape[:2]
    stranger = np.kron(coarse, np.ones((height // 9 + 1, width // 16 + 1, 1), np.uint8))[:height, :width]
    replace(picture, encoded(np.ascontiguousarray(stranger), "png", "rgb24"))
    wait(desk, lambda: "does not look like it" in desk.window.messages.text, "the refusal")
    strip = strip_of(desk)
    assert strip.words_of(0) == "Does not look like a painting of this frame"
    assert not folder.network.exists()
    menu = strip.menu(0)
    (insist,) = [action for action in menu.actions() if action.text() == "Take it anyway"]
    insist.trigger()
    menu.close()
    wait_learnt(desk, folder)
    assert "does not look like it" not in desk.window.messages.text
    assert strip.words_of(0) == "Painted frame"
    desk.open("cfr.mp4")
    desk.open(film)
    desk.wait(lambda: keys_of(desk).painted == [0], "the painted frame")
    desk.key("l", CTRL)
    wait(desk, lambda: learner(desk).share is not None, "a step, as it is still taken")
    wait(desk, lambda: not learner(desk).learning, "the end of learning")
    assert strip.words_of(0) == "Painted frame"
    other = np.kron(coarse[::-1], np.ones((height // 9 + 1, width // 16 + 1, 1), np.uint8))[:height, :width]
    replace(picture, encoded(np.ascontiguousarray(other), "png", "rgb24"))
    wait(desk, lambda: strip.words_of(0) == "Does not look like a painting of this frame", "another refusal")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a script is no program there")
def test_the_window_follows_what_the_process_tells(
    desk: Desk, film: Path, opened: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without PyTorch: a script is the process."""
    monkeypatch.setattr(painted_frames, "AGAIN_MS", 50)
    style = folder_with_network(PaintedFolder.beside(film).path, film, [PaintedShot(0, "negative")])
    folder, teacher = open_with_keys(desk, film, 3), Teacher(tmp_path, learner(desk))
    window, strip, said = desk.window, strip_of(desk), desk.window.messages
    desk.settings.set_path("python", str(teacher.python))

    def choose(entry: str) -> None:
        menu = strip.menu(3)
        next(action for action in menu.actions() if action.text() == entry).trigger()
        menu.close()

    desk.key("l", CTRL)
    teacher.listen()
    teacher.say(style=str(style))
    desk.wait_style(str(style))
    window.session.use_style("ink")
    teacher.say(style=str(style))  # a later preview
    teacher.say(step=1, shot=0, done=0.5, shots=1)
    desk.wait(lambda: "50%" in window.transport.learn.text(), "the progress")
    assert window.session.choice.style.name == "ink"
    choose("Paint the film with it")
    assert window.session.choice.style.name == str(style)
    teacher.say(unrelated=3)
    desk.wait(lambda: "frame 3 does not look like it" in said.text, "the refusal")
    assert strip.words_of(3) == "Does not look like a painting of this frame"
    choose("Take it anyway")
    desk.wait(lambda: strip.words_of(3) == "Painted frame", "its end")
    assert "does not look like it" not in said.text
    assert folder.read().insisted == (hashlib.sha256(folder.picture(3).read_bytes()).hexdigest(),)
    desk.key("l", CTRL)
    given: list[dict[str, object]] = [{"learn": None}, {"learn": [3]}, {"stop": True}]
    orders = [{"film": str(film)}, *({"order": number, **order} for number, order in enumerate(given, 1))]
    desk.wait(lambda: teacher.orders() == orders, "what was ordered")
    teacher.say(over=len(given))
    desk.wait(lambda: not learner(desk).learning, "the end of learning")
    choose("Show in folder")
    assert opened == [style]
    path = paint(desk, opened)
    desk.wait(lambda: sorted(keys_of(desk).keys) == [0, 3], "the extracted frame")
    strip.moved.emit(0, 1)
    desk.wait(lambda: sorted(keys_of(desk).keys) == [1, 3] and not path.exists(), "its new place")
    strip.removed.emit(1)
    desk.wait(lambda: sorted(keys_of(desk).keys) == [3] and not folder.picture(1).exists(), "its end")
    told, looks = list[object](), list[bool]()
    keys_of(desk).notified.connect(told.append)
    folder.picture(3).write_bytes(b"broken")
    desk.wait(lambda: "frame-000003.png cannot be read as a picture: save it again" in said.text, "what is wrong")
    assert strip.words_of(3) == "Cannot be read as a picture"
    keys_of(desk).changed.connect(lambda: looks.append(True))
    keys_of(desk).look()
    desk.wait(lambda: bool(looks), "another look")
    assert len(told) == 1
    teacher.leave()


@pytest.mark.slow
@pytest.mark.usefixtures("steps")
def test_a_picture_that_is_half_written_waits(desk: Desk, film: Path, opened: list[Path]) -> None:
    pytest.importorskip("torch")
    folder = open_with_keys(desk, film, 5)
    picture = paint(desk, opened)
    content = negative(picture)
    learnt: list[bool] = []
    learner(desk).changed.connect(lambda: learnt.append(learner(desk).learning))
    picture.write_bytes(content[: len(content) // 2])
    wait(desk, lambda: "cannot be read as a picture: save it again" in desk.window.messages.text, "what is wrong")
    assert keys_of(desk).painted == [5]
    assert not any(learnt)
    picture.write_bytes(content)
    wait_learnt(desk, folder)


@pytest.mark.slow
@pytest.mark.usefixtures("steps")
def test_another_one_is_painted_where_the_network_is_least_sure(
    application: QApplication, tmp_path: Path, film: Path, opened: list[Path]
) -> None:
    """The second half of the shot shows other things; decoded in the reading process."""
    folder = in_one_shot(film, 0)
    desk = Desk(tmp_path / "other", reading=ReadingProcess())
    desk.settings.set_path("python", str(tmp_path / "none"))
    desk.open(film)
    strip = strip_of(desk)
    desk.wait(lambda: len(strip.line) == 2 * SHOT_FRAMES, "the line")
    distances = dict(strip.line)
    assert distances[0] == 0
    assert max(distances[n] for n in range(SHOT_FRAMES)) < min(distances[n + SHOT_FRAMES] for n in range(SHOT_FRAMES))
    assert strip.worst is not None
    assert strip.worst >= SHOT_FRAMES
    assert strip.another.isVisible()
    assert "least sure" in strip.another.accessibleDescription()
    Hand(desk).click(strip.another)
    desk.wait(lambda: bool(opened), "the frame")
    assert opened == [folder.picture(strip.worst)]
    desk.wait(lambda: desk.window.session.shown_at.number == strip.worst, "the place")
    assert strip.another.isHidden()
    ended(desk)
    desk.close()


@pytest.mark.slow
@pytest.mark.parametrize("onto", ["picture", "gallery"])
def test_a_folder_that_is_dropped_is_the_style(desk: Desk, film: Path, tmp_path: Path, onto: str) -> None:
    folder = folder_with_network(tmp_path / "other.keys", film, [PaintedShot(0, "negative")])
    desk.open(film)
    before = desk.wait_still()
    photo = picture(tmp_path / "photo.png")
    assert drag(desk.window.view if onto == "picture" else desk.window.inspector.gallery, [folder, photo])
    desk.wait_style(str(folder))
    assert np.abs(desk.wait_still().astype(int) - before).mean() > 10
    assert not desk.window.messages.text


def marked(desk: Desk) -> str:
    """The name of the tile with the frame; "" if there is none."""
    gallery = desk.window.inspector.gallery
    rows = [gallery.tiles.row(item) for item in gallery.tiles.selectedItems()]
    return gallery.names[rows[0]] if rows else ""


@pytest.mark.slow
def test_a_painted_style_has_a_tile_and_stays_with_its_film(
    application: QApplication, film: Path, tmp_path: Path
) -> None:
    """Another film, and the next start without that film, have the style that was chosen before."""
    keys = folder_with_network(film.with_suffix(".keys"), film, [PaintedShot(0, "negative")])
    other, style = CLIPS / "vfr.mkv", str(keys)
    desk = Desk(tmp_path, style="")
    window, gallery = desk.window, desk.window.inspector.gallery
    desk.wait(lambda: len(gallery.names) > 5, "the gallery")
    window.session.use_style("ink")
    desk.wait_style("ink")
    assert style not in gallery.names
    desk.open(film)
    desk.wait(lambda: style in gallery.names, "its tile")
    assert marked(desk) == "ink"
    row = gallery.names.index(style)
    assert gallery.tiles.item(row).text() == "Painted frames"
    gallery.tiles.scrollToItem(gallery.tiles.item(row))
    Hand(desk).click(gallery.tiles.viewport(), gallery.tiles.visualItemRect(gallery.tiles.item(row)).center())
    desk.wait_style(style)
    assert marked(desk) == style
    assert gallery.tiles.viewport().rect().contains(gallery.tiles.visualItemRect(gallery.tiles.item(row)))
    desk.wait(lambda: not window.history.debounce.isActive(), "a step of undo")
    recipe = window.session.choice.recipe
    window.session.use_recipe(dataclasses.replace(recipe, look=dataclasses.replace(recipe.look, strength=0.5)))
    desk.wait(lambda: not window.history.debounce.isActive(), "another one, of the painted style")
    desk.open(other)
    desk.wait_style("ink")
    desk.wait(lambda: style not in gallery.names, "the end of its tile")
    assert marked(desk) == "ink"
    desk.wait(lambda: not window.history.debounce.isActive(), "a step of undo")
    while window.actions_["undo"].isEnabled():
        desk.key("z", CTRL)
        desk.settle()
        assert window.session.choice.style.name != style
    window.session.use_style("ink")
    desk.open(film)
    desk.wait_style(style)
    assert marked(desk) == style
    desk.close()

    desk = Desk(tmp_path, style="")
    desk.wait_style("ink")
    desk.open(other)
    desk.rest(0.2)
    assert desk.window.session.choice.style.name == "ink"
    desk.open(film)
    desk.wait_style(style)
    desk.wait(lambda: marked(desk) == style, "its tile")
    desk.window.session.use_style("scream")  # another one for this film
    desk.wait_style("scream")
    desk.close()

    desk = Desk(tmp_path, style="")
    desk.open(film)
    desk.wait(lambda: style in desk.window.inspector.gallery.names, "its tile")
    desk.settle()
    assert desk.window.session.choice.style.name == "scream"
    desk.close()


@pytest.mark.slow
def test_a_folder_of_another_film_has_a_tile_while_it_is_chosen(desk: Desk, film: Path, tmp_path: Path) -> None:
    folder = folder_with_network(tmp_path / "a,b.keys", film, [PaintedShot(0, "negative")])
    gallery = desk.window.inspector.gallery
    desk.wait(lambda: len(gallery.names) > 5, "the gallery")
    desk.open(film)
    assert drag(gallery, [folder])
    desk.wait_style(str(folder))
    assert marked(desk) == str(folder)
    assert gallery.tiles.item(gallery.names.index(marked(desk))).text() == "a,b.keys"
    desk.window.session.use_style("ink")
    desk.wait(lambda: str(folder) not in gallery.names, "the end of its tile")
    desk.wait_style("ink")
    assert marked(desk) == "ink"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en_GB", "de_DE"])
def test_there_is_room_for_it_and_tab_reaches_it(
    application: QApplication, desk: Desk, film: Path, language: str
) -> None:
    in_one_shot(film, 2)
    desk.open(film)
    with speaking(application, language):
        window, strip = desk.window, strip_of(desk)
        desk.wait(lambda: len(strip.line) == 2 * SHOT_FRAMES and strip.another.isVisible(), "the line")
        for size in (SMALLEST, QSize(1366, 768)):
            window.resize(size)
            desk.rest(0.2)
            assert window.size() == size
            check_room(desk, window)
            assert strip.rect().contains(strip.another.geometry())
        wanted = {strip, strip.another, window.transport.learn}
        for _ in range(150):
            QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
            wanted.discard(QApplication.focusWidget())  # type: ignore[arg-type]
        assert not wanted
