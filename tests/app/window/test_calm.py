"""Details that need no attention: focus, drops, messages, full screen, window size."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QRect, QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.playback import events
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import State
from framebrush.window.layout import first_corner, first_size
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.exports.test_exports import job

pytestmark = pytest.mark.media

COPY, MOVE = Qt.DropAction.CopyAction, Qt.DropAction.MoveAction


def drop(data: QMimeData, actions: Qt.DropAction) -> QDropEvent:
    return QDropEvent(QPointF(9, 9), actions, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)


def test_space_plays_whatever_had_the_focus(desk: Desk) -> None:
    button = desk.window.view.invitation.button
    button.setFocus(Qt.FocusReason.TabFocusReason)
    desk.open("cfr.mp4")
    QTest.keyClick(QApplication.focusWidget() or desk.window, Qt.Key.Key_Space)
    desk.wait(lambda: desk.window.actions_["play"].isChecked(), "playing")
    assert not desk.window.actions_["loop"].isChecked()


@pytest.mark.slow
def test_space_toggles_nothing_while_the_film_is_being_opened(application: object, tmp_path: Path) -> None:
    desk = Desk(tmp_path, source=str(CLIPS / "cfr.mp4"))
    for _ in range(5):
        QTest.keyClick(QApplication.focusWidget() or desk.window, Qt.Key.Key_Space)
        desk.rest(0.05)
    desk.settle()
    assert not desk.window.actions_["loop"].isChecked()
    desk.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_of_the_start_page_that_has_the_focus(desk: Desk, key: Qt.Key) -> None:
    sample = desk.window.view.invitation.sample
    sample.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(sample, key)
    desk.wait(lambda: desk.window.session.opened is not None, "the sample")


@pytest.mark.slow
def test_dropped_files_are_copied_never_moved(desk: Desk, tmp_path: Path) -> None:
    clip = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path))
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(clip))])
    for widget in (desk.window.view, desk.window.export_panel):
        event = drop(data, COPY | MOVE)
        event.setDropAction(MOVE)
        widget.dropEvent(event)
        assert event.dropAction() is COPY
        assert event.isAccepted()
        refused = drop(data, MOVE)
        refused.ignore()
        widget.dropEvent(refused)
        assert not refused.isAccepted()
    desk.wait(lambda: [made.is_over for made in desk.exports.queue] == [True], "the export")


@pytest.mark.slow
def test_messages_lie_over_the_picture_and_do_not_move_it(desk: Desk) -> None:
    desk.open("cfr.mp4")
    before = desk.window.view.geometry(), desk.window.transport.geometry()
    desk.window.messages.show_notification(events.Notification("Something long. " * 20, "x", "problem"))
    desk.rest(0.1)
    assert (desk.window.view.geometry(), desk.window.transport.geometry()) == before
    bar = desk.window.messages
    assert desk.window.view.rect().contains(bar.geometry())
    desk.window.resize(700, 500)
    desk.rest(0.1)
    assert desk.window.view.rect().contains(bar.geometry())


def test_the_note_of_unfinished_exports_outlives_the_launch_with_a_file(application: object, tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    unfinished = job(tmp_path)
    unfinished.state = State.INTERRUPTED
    desk.exports.queue.jobs.append(unfinished)
    desk.exports.begin()
    desk.open("cfr.mp4")
    assert "did not finish" in desk.window.notes.text
    desk.close()


def test_the_panel_can_be_shown_in_full_screen_and_is_there_afterwards(desk: Desk) -> None:
    desk.open("cfr.mp4")
    desk.key("f")
    desk.wait(lambda: not desk.window.side.isVisible(), "full screen")
    desk.key("p")
    desk.wait(desk.window.side.isVisible, "the panel")
    desk.key("p")
    desk.wait(lambda: not desk.window.side.isVisible(), "the picture alone")
    desk.key(Qt.Key.Key_Escape)
    desk.wait(desk.window.side.isVisible, "the panel of before")
    desk.key("p")
    desk.key("f")
    desk.key(Qt.Key.Key_Escape)
    desk.wait(lambda: not desk.window.isFullScreen(), "the window")
    assert not desk.window.side.isVisible()


@pytest.mark.slow
def test_a_refused_style_is_not_kept_and_an_own_one_can_be_removed(desk: Desk, tmp_path: Path) -> None:
    from framebrush.models.library import bundled

    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    bad, good = tmp_path / "bad.onnx", tmp_path / "good.onnx"
    bad.write_bytes(b"no network")
    shutil.copy(bundled()["ink"], good)
    desk.window.session.use_style(str(bad))
    desk.wait(lambda: "cannot be used" in desk.window.messages.text, "the refusal")
    assert list(desk.window.inspector.own_styles.folder) == []
    desk.window.session.use_style(str(good))
    own = str(desk.window.inspector.own_styles.folder.path / "good.onnx")
    desk.wait(lambda: own in desk.window.inspector.gallery.names, "its tile")
    desk.wait_style(own)
    desk.window.session.use_style(str(bad))
    desk.wait(lambda: "bad.onnx" in desk.window.messages.text, "the refusal")
    desk.wait(lambda: not desk.window.session.awaits_style, "the answer")
    assert desk.window.inspector.gallery.tiles.currentRow() == desk.window.inspector.gallery.names.index(own)
    desk.window.inspector.own_styles.remove(Path(own))
    desk.wait(lambda: own not in desk.window.inspector.gallery.names, "its end")
    desk.wait_style("none")
    assert good.exists()


def test_a_desktop_without_a_file_manager_is_told(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _: False)
    desk.exports.open_file(tmp_path)
    assert str(tmp_path) in desk.window.notes.text


def test_a_long_name_does_not_widen_the_export_dialog(desk: Desk, tmp_path: Path) -> None:
    clip = Path(shutil.copy(CLIPS / "cfr.mp4", tmp_path / f"{'a very long name ' * 12}.mp4"))
    desk.open(clip)
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    desk.rest(0.1)
    assert dialog.width() <= 600
    dialog.reject()


def test_videos_are_looked_for_in_their_folder(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    movies, other = tmp_path / "movies", tmp_path / "other"
    movies.mkdir()
    other.mkdir()
    begun: list[str] = []

    def ask(*arguments: str) -> tuple[list[str], str]:
        begun.append(arguments[2])
        return [str(other / "x.mp4")], ""

    monkeypatch.setattr(file_dialogs.QStandardPaths, "writableLocation", lambda _: str(movies))
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileNames", ask)
    assert desk.window.files.videos("Open") == [other / "x.mp4"]
    desk.window.files.videos("Open")
    assert begun == [str(movies), str(other)]


def test_a_paused_export_keeps_its_figures(desk: Desk, tmp_path: Path) -> None:
    desk.exports.stop()
    made = job(tmp_path)
    desk.exports.queue.jobs.append(made)
    made.state = State.RUNNING
    desk.exports.changed.emit(made)
    desk.exports.progressed.emit(made, {"frame": 12, "frames": 34, "fps": 5.0, "left_s": 6.0})
    card = desk.window.export_panel.cards[made.name]
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    desk.rest(0.1)
    height = card.height()
    made.state, made.message = State.PAUSED, "video: H.264 with libx264, crf 18"
    desk.exports.changed.emit(made)
    desk.rest(0.1)
    assert "12 / 34" in card.state_line.text()
    assert "libx264" not in card.state_line.text()
    assert card.height() == height
    assert card.bar.value() == 12
    desk.exports.queue.jobs.clear()


def test_the_size_of_a_first_window() -> None:
    assert first_size(QSize(2560, 1400)) == QSize(1280, 800)
    assert first_size(QSize(1366, 728)) == QSize(1280, 680)
    assert first_corner(QRect(1920, 40, 2560, 1400)) == QPoint(1920 + 632, 40 + 276)
    assert first_corner(QRect(0, 0, 1366, 728)) == QPoint(35, 0)


def test_the_text_of_an_error_is_a_sentence(desk: Desk) -> None:
    desk.window.session.notified.emit(events.Notification("there is no camera 'x'; found: none", severity="problem"))
    assert desk.window.messages.text == "There is no camera 'x'; found: none"


def test_a_note_does_not_replace_a_problem(desk: Desk) -> None:
    messages, notes = desk.window.messages, desk.window.notes
    messages.show_notification(events.Notification("It broke.", severity="problem"))
    messages.show_notification(events.Notification("News."))
    assert (messages.text, notes.text) == ("It broke.", "News.")


@pytest.mark.slow
def test_the_first_video_comes_with_a_hint_once(application: object, tmp_path: Path) -> None:
    desk = Desk(tmp_path, hints=True)
    desk.open("cfr.mp4")
    assert "F1" in desk.window.messages.text
    desk.window.messages.show_notification(events.Notification("It broke.", severity="problem"))
    assert desk.window.messages.text == "It broke."
    desk.window.messages.hide()
    desk.open("bframes.mp4")
    assert desk.window.messages.text == ""
    assert desk.settings.hinted
    desk.close()


@pytest.mark.slow
def test_the_hint_and_the_word_of_what_is_loaded_lie_apart(application: object, tmp_path: Path) -> None:
    desk = Desk(tmp_path, hints=True)
    desk.open("cfr.mp4")
    notes, messages = desk.window.notes, desk.window.messages
    with desk.held():
        for _ in range(2):
            desk.window.session.events.dispatch(events.Busy("style"))
            desk.wait(lambda: notes.busy != "", "the word")
            assert messages.isVisible()
            assert not notes.geometry().intersects(messages.geometry())
            messages.hide()
            assert notes.geometry().bottom() > messages.geometry().top()
            messages.show_notification(events.Notification("A problem of more words. " * 40, severity="problem"))
            assert not notes.geometry().intersects(messages.geometry())
            desk.window.session.events.dispatch(events.Busy(""))
    desk.close()


@pytest.mark.slow
def test_the_hint_goes_when_it_was_followed(application: object, tmp_path: Path) -> None:
    desk = Desk(tmp_path, hints=True)
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.open("cfr.mp4")
    assert "F1" in desk.window.messages.text
    desk.key("d")
    assert "F1" in desk.window.messages.text
    desk.key("1")
    assert desk.window.messages.text == ""
    desk.window.messages.show_notification(events.Notification("It broke.", severity="problem"))
    desk.key("2")
    assert desk.window.messages.text == "It broke."
    desk.close()


@pytest.mark.slow
def test_a_change_of_theme_is_whole(application: object, tmp_path: Path) -> None:
    """The window looks as one that begins with the theme. How long it takes: benchmarks/window.py."""
    fresh = Desk(tmp_path, style="starry-night")
    fresh.settings.theme = "light"
    fresh.window.preferences.apply_theme()
    fresh.wait(lambda: bool(fresh.window.inspector.gallery.names), "the gallery")
    fresh.wait_style("starry-night")
    fresh.window.view.invitation.moving.timer.stop()

    def changes_whole() -> bool:
        """Return whether tiles and first frame change only by themselves, and everything else once.

        Pictures stay behind as evidence of a failure.
        """
        fresh.rest(0.05)  # the height of the gallery settles in later turns
        before = fresh.window.grab().toImage()
        seen = []
        for name in ("dark", "light"):
            fresh.window.preferences.use("theme", name)  # type: ignore[arg-type]
            QApplication.processEvents()
            after = fresh.window.grab().toImage()
            seen.append(after == before)
        if not (whole := seen == [False, True]):
            before.save(str(tmp_path / "before.png"))
            after.save(str(tmp_path / "after.png"))
        return whole

    for _ in range(2):
        fresh.wait(changes_whole, "a change that is whole")
    fresh.close()
