"""The export list: files and folders, targets, order, finished entries, and a trial."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QDesktopServices, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from assets.make_clips import Clip, make, x264
from framebrush.base.text import data_size
from framebrush.gpu.device import DeviceInfo, open_device
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.jobs.workers.run import run_job
from framebrush.media.output_file import OutputFile, part_of
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.playback import events
from framebrush.styles.specs import StyleSpec
from framebrush.window.exports import export_runner
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_list import CARD
from framebrush.window.exports.export_queue import ExportQueue, State
from framebrush.window.exports.format_controls import sizes_for
from framebrush.window.exports.targets import free_name
from framebrush.window.exports.trial_export import Trial
from framebrush.window.picture.notes import Note
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.exports.test_exports import job
from tests.app.window.hand import Hand, farthest, pixels_of

pytestmark = pytest.mark.media


def test_files_and_folders_go_to_the_folder_for_results(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.exports.stop()  # nothing is started: this is about the list
    folder, results = tmp_path / "films", tmp_path / "results"
    folder.mkdir()
    results.mkdir()
    for name in ("b.mp4", "a.MKV", "notes.txt"):
        (folder / name).write_bytes(b"x")
    (folder / "c.mp4").mkdir()
    chosen = iter([str(results), str(folder)])
    monkeypatch.setattr(file_dialogs.QFileDialog, "getExistingDirectory", lambda *_: next(chosen))
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileNames", lambda *_: ([str(folder / "b.mp4")], ""))
    desk.window.exporting.choose_folder()
    assert str(results) in desk.window.export_panel.folder_line.text()
    desk.window.exporting.add_folder()
    desk.wait(lambda: len(desk.exports.queue.jobs) == 2, "the videos of the folder")
    desk.window.exporting.add_files()
    desk.wait(lambda: len(desk.exports.queue.jobs) == 3, "the video")
    names = [Path(made.spec.target) for made in desk.exports.queue]
    assert names == [results / "a-painted.mkv", results / "b-painted.mp4", results / "b-painted2.mp4"]
    desk.window.exporting.beside_the_videos()
    desk.window.exporting.add([folder / "b.mp4"])
    desk.wait(lambda: len(desk.exports.queue.jobs) == 4, "the video")
    assert Path(desk.exports.queue.jobs[-1].spec.target) == folder / "b-painted.mp4"


def test_the_order_is_dragged_and_kept(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()
    panel = desk.window.export_panel
    desk.window.side.setCurrentWidget(panel)
    jobs = [job(tmp_path, target=f"{number}.mp4") for number in range(3)]
    for made in jobs:
        desk.exports.add(made)
    desk.rest(0.1)
    data = QMimeData()
    data.setData(CARD, jobs[2].name.encode())
    first = panel.cards[jobs[0].name]
    where = first.mapTo(panel.viewport(), first.rect().topLeft())
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    panel.dropEvent(QDropEvent(QPointF(where), Qt.DropAction.MoveAction, data, left, none))
    desk.rest(0.1)
    assert [made.spec.target[-5] for made in desk.exports.queue] == ["2", "0", "1"]
    tops = [panel.cards[made.name].y() for made in desk.exports.queue]
    assert tops == sorted(tops)
    desk.exports.queue.flush()
    assert [made.spec.target[-5] for made in ExportQueue(tmp_path / "exports.json")] == ["2", "0", "1"]
    desk.exports.move(jobs[2], None)
    assert [made.spec.target[-5] for made in desk.exports.queue] == ["0", "1", "2"]


def test_the_order_is_changed_by_a_menu(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()
    jobs = [job(tmp_path, target=f"{number}.mp4") for number in range(3)]
    for made in jobs:
        desk.exports.add(made)
    desk.rest(0.1)

    def choose(number: int, text: str) -> list[bool]:
        card = desk.window.export_panel.cards[jobs[number].name]
        card.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), QPoint(1, 1)))
        menu = card.findChildren(QMenu)[-1]
        assert menu.accessibleName() == card.accessibleName() != ""
        enabled = [action.isEnabled() for action in menu.actions()]
        next(action for action in menu.actions() if action.text() == text).trigger()
        menu.close()
        return enabled

    for number, text, enabled, order in (
        (0, "Move down", [False, True], "102"),
        (0, "Move down", [True, True], "120"),
        (0, "Move up", [True, False], "102"),
        (0, "Move up", [True, True], "012"),
        (0, "Move up", [False, True], "012"),
    ):
        assert choose(number, text) == enabled
        assert "".join(made.spec.target[-5] for made in desk.exports.queue) == order


def test_an_export_is_spread_over_all_cards_of_the_kind_in_use(desk: Desk) -> None:
    cards = [DeviceInfo(number, "d3d12", f"Card {number}") for number in (0, 2)]
    others = [
        DeviceInfo(1, "d3d12", "Adapter", software=True),
        DeviceInfo(3, "cuda", "Card 0"),
        DeviceInfo(4, "cpu", "c"),
    ]
    menus = desk.window.menus
    menus.show_devices((*cards, *others))
    menus.mark_device(others[2])
    assert not menus.all_cards.isVisible()
    menus.mark_device(cards[1])
    assert menus.all_cards.isVisible()
    assert desk.window.exporting.spec("a.mp4", "b.mp4").device == "cpu"
    menus.all_cards.trigger()
    assert desk.settings.all_cards
    assert desk.window.exporting.spec("a.mp4", "b.mp4").devices == ("0", "2")
    menus.mark_device(others[1])
    assert not menus.all_cards.isVisible()
    assert desk.window.exporting.spec("a.mp4", "b.mp4").device == "cpu"


def test_what_is_finished_is_cleared_and_nothing_that_can_go_on(desk: Desk, tmp_path: Path) -> None:
    """Clearing keeps an interrupted export, which may have hours of work."""
    desk.exports.stop()
    for state in State:
        made = job(tmp_path, target=f"{state}.mp4")
        made.state = state
        desk.exports.queue.jobs.append(made)
        desk.exports.changed.emit(made)
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    QTest.mouseClick(desk.window.export_panel.clear_button, Qt.MouseButton.LeftButton)
    assert {made.state for made in desk.exports.queue} == set(State) - {State.DONE, State.CANCELLED}
    assert len(desk.window.export_panel.cards) == 5
    assert not desk.window.export_panel.clear_button.isVisible()
    desk.exports.queue.jobs.clear()


@pytest.mark.parametrize("state", [State.INTERRUPTED, State.FAILED])
def test_the_name_and_the_style_of_an_export_that_can_go_on_are_kept(desk: Desk, tmp_path: Path, state: State) -> None:
    clip = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "film.mp4"))
    style = desk.window.inspector.own_styles.folder.path / "mine.onnx"
    desk.exports.stop()
    made = job(tmp_path, clip, target="film-painted.mp4")
    made.spec, made.state = replace(made.spec, recipe=replace(made.spec.recipe, style=StyleSpec(str(style)))), state
    if state is State.FAILED:
        folder_of(Path(made.spec.target)).mkdir()  # and has kept some of it
    desk.exports.queue.jobs.append(made)
    desk.exports.changed.emit(made)
    desk.window.exporting.add([clip])
    desk.wait(lambda: len(desk.exports.queue.jobs) == 2, "the other export")
    assert Path(desk.exports.queue.jobs[1].spec.target).name == "film-painted2.mp4"
    desk.window.inspector.own_styles.ask_remove(style)
    assert "An unfinished export uses mine" in desk.window.messages.text
    other, theirs = ExportQueue(tmp_path / "exports-2.json"), style.with_name("theirs.onnx")
    other.add(replace(made, spec=replace(made.spec, recipe=replace(made.spec.recipe, style=StyleSpec(str(theirs))))))
    other.flush()
    desk.window.inspector.own_styles.ask_name(theirs)
    assert "An unfinished export uses theirs" in desk.window.messages.text
    desk.exports.queue.jobs.clear()


def test_a_failed_export_that_has_kept_nothing_leaves_its_name(desk: Desk, tmp_path: Path) -> None:
    clip = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / "film.mp4"))
    desk.exports.stop()
    made = job(tmp_path, clip, target="film-painted.mp4")
    made.state = State.FAILED
    desk.exports.queue.jobs.append(made)
    desk.exports.changed.emit(made)
    desk.window.exporting.add([clip])
    desk.wait(lambda: len(desk.exports.queue.jobs) == 2, "the other export")
    assert Path(desk.exports.queue.jobs[1].spec.target).name == "film-painted.mp4"
    desk.exports.queue.jobs.clear()


def test_every_added_export_comes_into_view(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()
    panel = desk.window.export_panel
    desk.window.side.setCurrentWidget(panel)
    for number in range(12):  # more than there is room for
        made = job(tmp_path, target=f"{number}.mp4")
        desk.exports.queue.jobs.append(made)
        desk.exports.changed.emit(made)
        desk.wait(lambda card=panel.cards[made.name]: not card.visibleRegion().isEmpty(), f"card {number}")
    desk.exports.queue.jobs.clear()


def test_a_file_has_one_name_by_whatever_path_and_in_whichever_window(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()
    folder = tmp_path / "films"
    folder.mkdir()
    other_path = folder / ".." / "films"
    for number, taken in enumerate((job(folder, target="film-painted.mp4"), job(folder, target="film-painted2.mp4"))):
        queue = desk.exports.queue if number == 0 else ExportQueue(tmp_path / "exports-2.json")
        queue.add(taken)
        queue.flush()
    assert free_name(other_path / "film.mp4", desk.exports.queue.targets()) == other_path / "film-painted3.mp4"
    folder_of(folder / "film-painted3.mp4").mkdir()
    part_of(folder / "film-painted4.mp4").touch()  # of a process that was killed
    with OutputFile(folder / "film-painted4.mp4"):
        assert free_name(other_path / "film.mp4", desk.exports.queue.targets()) == other_path / "film-painted5.mp4"
    assert free_name(other_path / "film.mp4", desk.exports.queue.targets()) == other_path / "film-painted4.mp4"
    part_of(folder / "film-painted4.mp4").touch()
    if sys.platform != "win32":  # where it is not known at once to be nobody's
        assert free_name(other_path / "film.mp4", desk.exports.queue.targets()) == other_path / "film-painted4.mp4"
    desk.exports.queue.jobs.clear()


@pytest.mark.slow
def test_a_finished_export_is_told_and_opened(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()) or True)
    made = job(tmp_path)
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the export")
    assert "out.mp4 is finished" in desk.window.notes.text
    (note,) = desk.window.notes.findChildren(Note)
    QTest.mouseClick(note.open, Qt.MouseButton.LeftButton)
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    card = desk.window.export_panel.cards[made.name]
    size = data_size((tmp_path / "out.mp4").stat().st_size)
    assert re.fullmatch(rf"Done: {re.escape(size)}, in 0:\d\d", card.state_line.text())
    desk.exports.queue.flush()
    (found,) = ExportQueue(tmp_path / "exports.json")
    assert (found.size_bytes, found.took_s) == (made.size_bytes, made.took_s)
    QTest.mouseClick(card.open_button, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card.show_button, Qt.MouseButton.LeftButton)
    assert opened == [str(tmp_path / "out.mp4")] * 2 + [str(tmp_path)]
    desk.window.messages.show_notification(events.Notification("Other news."))
    assert not desk.window.notes.findChildren(Note)[-1].open.isVisible()


@pytest.mark.slow
def test_a_trial_gives_size_and_time_and_leaves_nothing(desk: Desk, tmp_path: Path) -> None:
    clip = Path(shutil.copy(CLIPS / "landscape.mp4", tmp_path))
    desk.open(clip)
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    trial = dialog.trial
    trial.length.setCurrentIndex(0)
    dialog.controls.size_box.setCurrentIndex(dialog.controls.size_box.count() - 1)
    assert dialog.spec.sizes.size == sizes_for(desk.window.session.opened.info.format)[-1]  # type: ignore[union-attr]
    QTest.mouseClick(trial.button, Qt.MouseButton.LeftButton)
    desk.wait(trial.play.isVisible, "the trial")
    desk.wait(lambda: "about" in trial.estimate.text(), "the estimate")
    with Reader(trial.target) as reader:
        info, count = reader.info, len(list(reader))
    assert f"{info.format.width}x{info.format.height}" == dialog.spec.sizes.size
    assert info.rate is not None
    assert count == round(2 * info.rate)
    folder = trial.folder
    assert folder.exists()
    dialog.reject()
    desk.wait(lambda: not folder.exists(), "the end of its files")
    assert [path.name for path in tmp_path.iterdir() if "painted" in path.name] == []
    assert list(desk.exports.queue) == []


@pytest.mark.slow
def test_a_trial_of_a_film_that_is_shorter_than_a_frame_begins_with_it(desk: Desk) -> None:
    desk.open("landscape.mp4")
    info = desk.window.session.opened.info  # type: ignore[union-attr]
    trial = Trial(replace(info, frame_count=None, duration_s=0.01))
    trial.runner.stop()  # nothing is started: this is about the job
    trial.run(desk.window.exporting.spec(info.source, "out.mp4"), 0)
    (made,) = trial.runner.queue
    assert (made.spec.range.start, made.spec.range.frames) == (Position(Fraction(0), "frame"), 1)
    trial.end()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("marked", "at_frame", "tried"),
    [
        ((10, 31), 0, (10, 31, 21)),  # shorter than the trial
        ((10, 31), 25, (10, 31, 21)),
        ((10, 260), 40, (40, 260, 50)),
        ((10, 260), 250, (210, 260, 50)),
    ],
)
def test_a_trial_stays_within_its_range_and_has_its_share_of_the_size(
    desk: Desk, marked: tuple[int, int], at_frame: int, tried: tuple[int, int, int]
) -> None:
    desk.open("landscape.mp4")
    info = desk.window.session.opened.info  # type: ignore[union-attr]
    first, last = (Position(Fraction(number), "frame") for number in marked)
    spec = desk.window.exporting.spec(info.source, "out.mp4")
    spec = replace(
        spec, range=TimeRange(first, last), output=OutputOptions(target_bytes=1000 * (marked[1] - marked[0]))
    )
    trial = Trial(replace(info, rate=Fraction(25), frame_count=None, duration_s=None))
    trial.runner.stop()  # nothing is started: this is about the job
    trial.length.setCurrentIndex(0)
    trial.run(spec, at_frame)
    (made,) = trial.runner.queue
    span = made.spec.range
    assert span.start is not None
    assert span.end is not None
    assert (span.start.value, span.end.value, span.frames) == tried
    assert made.spec.output.target_bytes == 1000 * tried[2]
    trial.run(replace(spec, output=OutputOptions(target_bytes=1)), at_frame)
    assert trial.runner.queue.jobs[-1].spec.output.target_bytes == 1
    trial.end()


@pytest.mark.slow
def test_a_trial_of_other_settings_ends_and_is_not_shown(desk: Desk) -> None:
    desk.open("landscape.mp4")
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    trial = dialog.trial
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("av1"))
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    trial.length.setCurrentIndex(2)
    QTest.mouseClick(trial.button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: trial.runner.queue.jobs[-1].state is State.RUNNING, "its process")  # it may soon be whole
    part = trial.target
    dialog.target.name_field.setText(str(part.with_name("renamed.mp4")))  # which is none of a trial's
    assert trial.result.text().startswith("Trying")
    QTest.mouseClick(dialog.purposes.buttons["small"], Qt.MouseButton.LeftButton)
    desk.wait(trial.button.isVisible, "its end")
    assert (trial.result.text(), trial.play.isVisible(), part.exists()) == ("", False, False)
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    trial.length.setCurrentIndex(0)
    QTest.mouseClick(trial.button, Qt.MouseButton.LeftButton)
    desk.wait(trial.play.isVisible, "a whole one")
    desk.wait(lambda: "about" in trial.estimate.text(), "the estimate")
    dialog.quality.slider.slider.setValue(dialog.quality.slider.slider.minimum())
    assert (trial.result.text(), trial.play.isVisible()) == ("", False)
    assert "about" not in trial.estimate.text()
    dialog.controls.file_size.problem = "The length of this video is unknown, so its file size cannot be set."
    QTest.mouseClick(trial.button, Qt.MouseButton.LeftButton)
    assert (trial.result.text(), trial.bar.isVisible()) == (dialog.controls.file_size.problem, False)
    dialog.reject()


@pytest.mark.slow
def test_a_trial_is_what_the_export_will_be_and_is_played(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the frame on the screen, with everything as the dialog has it: the same frames to the bit, in a file that
    the system's player is given and that is gone with the dialog."""
    film = Clip("film.mp4", times=tuple(range(20)), time_base=Fraction(1, 5), codec_options=x264())
    desk.open(make(film, tmp_path))
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    desk.window.player.seek(Position(Fraction(7), "frame"))
    desk.wait(lambda: desk.window.session.shown_at.number == 7, "the frame")
    desk.window.exporting.ask()
    desk.wait(lambda: desk.window.findChild(ExportDialog) is not None, "the dialog")
    dialog = desk.window.findChild(ExportDialog)
    trial = dialog.trial
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("hevc"))
    dialog.controls.pixels_box.setCurrentIndex(dialog.controls.pixels_box.findData("yuv444p10le"))
    dialog.controls.size_box.setCurrentIndex(dialog.controls.size_box.count() - 1)
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    dialog.quality.slider.slider.setValue(-30)
    trial.length.setCurrentIndex(0)
    opened: list[Path] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(Path(url.toLocalFile())) or True)
    QTest.mouseClick(trial.button, Qt.MouseButton.LeftButton)
    desk.wait(trial.play.isVisible, "the trial")
    QTest.mouseClick(trial.play, Qt.MouseButton.LeftButton)
    assert opened == [trial.target]
    spec = dialog.spec
    assert (spec.output.crf, spec.output.codec, spec.style.name) == (30, "hevc", "ink")
    count = round(2 * desk.window.session.opened.info.rate)  # type: ignore[union-attr, operator]
    span = TimeRange(Position(Fraction(7), "frame"), frames=count)
    with open_device("cpu") as device:
        run_job(replace(spec, range=span, target=str(tmp_path / f"same{trial.target.suffix}"), segments="off"), device)
    assert packets(opened[0]) == packets(tmp_path / f"same{trial.target.suffix}")
    dialog.reject()
    desk.wait(lambda: not opened[0].parent.exists(), "the end of its files")


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as container:
        return [bytes(packet) for packet in container.demux(video=0) if packet.size]


@pytest.mark.slow
def test_a_trial_says_how_far_it_is_and_is_stopped(desk: Desk) -> None:
    desk.open("landscape.mp4")
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    trial, hand = dialog.trial, Hand(desk)
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("vp9"))
    trial.length.setCurrentIndex(2)
    desk.rest(0.1)
    trial.button.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(Qt.Key.Key_Space)
    desk.wait(trial.stop.isVisible, "the encoder")
    assert (trial.button.isVisible(), trial.bar.isVisible()) == (False, True)
    desk.wait(lambda: 0 < trial.bar.value() < trial.bar.maximum(), "its progress")
    desk.wait(
        lambda: re.fullmatch(r"Trying…   \d+:\d\d left", trial.result.text()) is not None, "the time that is left"
    )
    assert farthest(pixels_of(trial.bar)[0], pixels_of(trial.bar)[0, -1:]) > 40  # it is filled at its left
    part = trial.target
    assert trial.stop.hasFocus()
    hand.key(Qt.Key.Key_Space)
    desk.wait(trial.button.isVisible, "its end")
    assert (trial.stop.isVisible(), trial.bar.isVisible(), trial.play.isVisible()) == (False, False, False)
    assert trial.result.text() == ""
    assert trial.button.hasFocus()
    assert list(part.parent.glob("*.webm")) + list(part.parent.glob("*.mp4")) == []
    dialog.reject()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot hold a process")
def test_a_cancelled_export_that_does_not_listen_is_cancelled_and_leaves_nothing(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_runner, "GRACE_S", 0.1)
    made = job(tmp_path, CLIPS / "landscape.mp4")
    desk.exports.add(made)
    desk.wait(lambda: any(tmp_path.glob("*out*")), "its first traces")
    process = desk.exports.process_id
    assert process is not None
    os.kill(process, signal.SIGSTOP)
    desk.exports.cancel(made)
    desk.wait(lambda: made.is_over, "its end")
    assert (made.state, made.message) == (State.CANCELLED, "")
    assert desk.window.messages.text == ""
    assert [path.name for path in tmp_path.glob("*out*")] == []


@pytest.mark.slow
def test_a_trial_that_is_left_ends(desk: Desk) -> None:
    desk.open("landscape.mp4")
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("av1"))
    trial, runner = dialog.trial, dialog.trial.runner
    QTest.mouseClick(trial.button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: runner.process_id is not None, "its process")
    folder = trial.folder
    dialog.reject()
    desk.wait(lambda: not folder.exists(), "its end")
