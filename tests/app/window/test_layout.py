"""Room for everything on a small screen: 1024x640, less a frame and a bar of the desktop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QScrollArea,
    QScrollBar,
    QStyle,
    QToolButton,
    QWidget,
)

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, write_look
from framebrush.jobs.segments.job_folder import KeptWork
from framebrush.playback import events
from framebrush.styles.specs import StyleSpec
from framebrush.window.exports.export_queue import State
from framebrush.window.layout import PANEL_WIDTH
from framebrush.window.widgets.controls import FileName
from framebrush.window.widgets.keyframe_button import KeyframeButton
from tests.app.window.conftest import Desk, speaking
from tests.app.window.exports.test_exports import job

pytestmark = pytest.mark.media

SMALL = QSize(960, 600)
SMALLEST = QSize(667, 296)
"""Of 1366x768 at 200 %, what a task bar and a frame with its title leave."""
BORDER_PX, MARGIN = 3, QStyle.PixelMetric.PM_FocusFrameHMargin  # of a tile, on either side of its name
CONTROLS = (QAbstractButton, QAbstractSlider, QComboBox, QAbstractItemView)


@pytest.fixture(params=["en_GB", "de_DE"], autouse=True)
def language(request: pytest.FixtureRequest, application: QApplication) -> Iterator[None]:
    """German needs more room than English."""
    with speaking(application, request.param):
        yield


def small(desk: Desk) -> None:
    desk.window.resize(SMALL)
    desk.rest(0.2)
    assert desk.window.size() == SMALL


def test_picture_and_panel_lie_side_by_side(desk: Desk) -> None:
    """A swap chain would cover the panel's edge and its drag handle."""
    columns, view = desk.window.columns, desk.window.view
    handle, left = columns.handle(1).geometry(), view.mapTo(columns, view.rect().bottomRight()).x()
    assert left < handle.left() <= handle.right() < desk.window.side.x()
    assert handle.width() >= 4


def cut(top: QWidget) -> list[str]:
    """Return the texts of a window that are cut off."""
    found = []
    for widget in top.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not top.window():
            continue
        if isinstance(widget, FileName):
            text, flexible = widget.text(), True
        elif isinstance(widget, QLabel):
            text, flexible = widget.text(), widget.wordWrap()
        elif isinstance(widget, QToolButton):
            text, flexible = widget.text(), not widget.icon().isNull()
        elif isinstance(widget, QAbstractButton):
            text, flexible = widget.text(), False
        elif isinstance(widget, QComboBox):
            text, flexible = widget.currentText(), False
        else:
            continue
        needed = widget.minimumSizeHint() if flexible else widget.sizeHint()
        if text and (widget.width() < needed.width() or widget.height() < widget.minimumSizeHint().height()):
            found.append(f"{text!r} has {widget.size()} of {needed}")
    for area in top.findChildren(QScrollArea):
        inside = area.widget()
        if inside is not None and area.isVisible() and inside.minimumSizeHint().width() > area.viewport().width():
            found.append(f"a panel of {inside.minimumSizeHint()} in {area.viewport().size()}")
    return found


def check_room(desk: Desk, top: QWidget) -> None:
    """All of a window's words have room, once its layout has settled."""
    with suppress(AssertionError):  # which would not say what is cut
        desk.wait(lambda: not cut(top))
    assert cut(top) == []


def fits(size: QSize) -> bool:
    return size.width() <= SMALL.width() and size.height() <= SMALL.height()


@pytest.mark.slow
def test_a_small_screen_is_enough(desk: Desk) -> None:
    assert fits(desk.window.minimumSizeHint())
    small(desk)
    check_room(desk, desk.window)
    desk.window.inspector.panel.subject.title.setChecked(False)  # the widest section
    desk.open("pq.mp4")  # HDR: the panel has a row more
    desk.window.messages.show_notification(
        events.Notification("Long news of the player, which wants more than one line. " * 4, "x", "problem")
    )
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.window.actions_["statistics"].trigger()
    desk.key("1")
    desk.window.inspector.gallery.blend.button.setChecked(True)
    desk.wait(
        lambda: bool(desk.window.inspector.gallery.blend.sliders) and desk.window.inspector.gallery.blend.isVisible(),
        "the blend",
    )
    desk.rest(0.2)
    for width in (desk.window.side.width(), 0):
        desk.window.columns.setSizes([SMALL.width() - width, width])
        desk.rest(0.1)
        assert fits(desk.window.minimumSizeHint())
        assert desk.window.side.width() == width or (not width and desk.window.side.width() < 300)
        check_room(desk, desk.window)


@pytest.mark.slow
def test_the_smallest_screen_is_enough(desk: Desk, tmp_path: Path) -> None:
    """Whatever is open, and whatever the panel shows, the window can be made so small that it fits."""
    window = desk.window
    desk.exports.stop()  # none is started: this is about their cards
    for state in State:
        made = job(tmp_path, target=f"{state}.mp4")
        made.state, made.kept = state, KeptWork(made.name, 300_000, 359_999.0)
        desk.exports.queue.jobs.append(made)
        desk.exports.changed.emit(made)
    desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")

    def least() -> QSize:
        desk.rest(0.2)
        return window.minimumSizeHint()

    desk.key("1")
    window.inspector.gallery.blend.button.setChecked(True)
    desk.wait(lambda: window.inspector.gallery.blend.isVisible(), "the blend")
    for source in ("", "pq.mp4", "live:testsrc2=size=96x64:rate=25"):
        if source.endswith("mp4"):
            desk.open(source)
        elif source:
            window.opening.open(source)
            desk.wait(lambda: window.transport.live.isVisible(), "the live source")
        for tab in range(window.side.count()):
            window.side.setCurrentIndex(tab)
            assert least().expandedTo(SMALLEST) == SMALLEST, (source, tab, least())
    window.resize(SMALLEST)
    desk.rest(0.2)
    assert window.size() == SMALLEST
    check_room(desk, window)
    desk.exports.queue.jobs.clear()


@pytest.mark.slow
def test_exports_have_room(desk: Desk, tmp_path: Path) -> None:
    small(desk)
    desk.window.side.setCurrentWidget(desk.window.export_panel)
    desk.window.columns.setSizes([SMALL.width(), 0])
    desk.rest(0.1)
    check_room(desk, desk.window)
    desk.exports.stop()  # none is started: this is about their cards
    for state in State:
        made = job(tmp_path, target=f"a-name-that-is-much-too-long-for-a-card-{state}.mp4")
        made.state, made.message = state, "a long reason that says what became of it" * 2
        made.size_bytes, made.took_s = 999_999_999_999, 359_999.0
        made.kept = KeptWork(made.name, 300_000, 359_999.0)
        desk.exports.queue.jobs.append(made)
        desk.exports.changed.emit(made)
        if state is State.RUNNING:
            line = {"frame": 123456, "frames": 234567, "fps": 123.4, "left_s": 36000.0}
            desk.exports.progressed.emit(made, line)
    cards = [desk.window.export_panel.cards[made.name] for made in desk.exports.queue]
    assert sum(not card.start_over.isHidden() for card in cards) == 3
    desk.rest(0.2)
    check_room(desk, desk.window)
    desk.exports.queue.jobs.clear()


@pytest.mark.slow
def test_dialogs_fit_and_say_all(desk: Desk) -> None:
    small(desk)
    desk.open("cfr.mp4")
    desk.window.actions_["help"].trigger()
    desk.window.exporting.ask()
    desk.window.messages.show_notification(events.Notification("The message.", "Its details.", "problem"))
    desk.window.messages.show_details()
    desk.rest(0.3)
    dialogs = [dialog for dialog in desk.window.findChildren(QDialog) if dialog.isVisible()]
    assert len(dialogs) == 3
    for dialog in dialogs:
        assert fits(dialog.size()), f"{dialog.windowTitle()} takes {dialog.size()}"
        check_room(desk, dialog)
        dialog.reject()


@pytest.mark.slow
def test_the_field_for_a_place_says_all(desk: Desk) -> None:
    small(desk)
    desk.open("cfr.mp4")
    for text in ("0:00:00.000", "nowhere"):
        desk.window.ask_place()
        popup = desk.window.transport.go_to
        popup.field.setText(text)
        desk.rest(0.1)
        assert popup.isVisible()
        assert popup.understood.text()
        check_room(desk, popup)
        popup.hide()


LAPTOPS = (SMALL, QSize(1280, 800), QSize(1366, 768))


@pytest.mark.slow
def test_looks_beside_each_other_have_room(desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    for name in ("a name that is much too long for a box below a picture", "b", "c"):
        write_look(Recipe(StyleSpec("none")), window.inspector.looks.folder.path / f"{name}.json")
    desk.open("cfr.mp4")
    window.actions_["compare-looks"].trigger()
    for size in LAPTOPS:
        window.resize(size)
        desk.rest(0.2)
        assert window.size() == size
        assert fits(window.minimumSizeHint())
        check_room(desk, window)
        page = window.overlays.comparison.page
        for pane in page.panes:
            assert page.rect().contains(pane.geometry().translated(pane.parentWidget().pos()))
            assert pane.height() > 0.3 * page.height()


@pytest.mark.slow
def test_the_videos_opened_last_have_room(desk: Desk) -> None:
    """As many as fit, and none where the invitation itself needs all."""
    window, invitation = desk.window, desk.window.view.invitation
    name = "a name that is much too long for a tile.mp4"
    invitation.show_recent([(Path(f"/{number} {name}"), QImage()) for number in range(6)])
    shown = []
    for size in (*LAPTOPS, QSize(960, 420)):
        window.resize(size)
        desk.rest(0.2)
        check_room(desk, window)
        tiles = [tile for tile in invitation.recent if tile.isVisible()]
        assert all(
            invitation.rect().contains(tile.rect().translated(tile.mapTo(invitation, QPoint()))) for tile in tiles
        )
        shown.append(len(tiles))
    assert shown[0] >= 3
    assert shown[2] == 6
    assert shown[3] == 0


def test_tab_goes_from_a_value_to_its_keyframe_button(desk: Desk) -> None:
    buttons = desk.window.findChildren(KeyframeButton)
    assert len(buttons) > 10
    for button in buttons:
        before = button.previousInFocusChain()
        while not before.focusPolicy() & Qt.FocusPolicy.TabFocus:
            before = before.previousInFocusChain()
        assert before.parentWidget() == button.parentWidget(), button.accessibleName()


@pytest.mark.slow
@pytest.mark.parametrize("tab", [0, 1])
def test_tab_reaches_every_control(desk: Desk, tab: int) -> None:
    """By pressing it, forwards, in a small window."""
    small(desk)
    desk.open("pq.mp4")
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.key("1")
    desk.window.inspector.gallery.blend.button.setChecked(True)
    desk.wait(
        lambda: bool(desk.window.inspector.gallery.blend.sliders) and desk.window.inspector.gallery.blend.isVisible(),
        "the blend",
    )
    desk.rest(0.2)
    desk.window.side.setCurrentIndex(tab)
    desk.window.messages.show_notification(events.Notification("News.", "x", "problem"))
    desk.rest(0.2)
    wanted = {
        widget
        for kind in CONTROLS
        for widget in desk.window.findChildren(kind)
        if widget.isVisible() and widget.isEnabled() and not isinstance(widget, QScrollBar)
        if "ScrollButton" not in widget.objectName() and not widget.objectName().startswith("qt_")
    }
    assert len(wanted) > 12
    reached: set[QWidget] = set()
    desk.window.activateWindow()
    desk.wait(desk.window.isActiveWindow, "the window")
    for _ in range(2 * len(wanted) + 20):
        QTest.keyClick(QApplication.focusWidget() or desk.window, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is not None:
            reached.add(focused)
    groups = {widget.group() for widget in reached if isinstance(widget, QAbstractButton)} - {None}
    missed = [
        widget.accessibleName() or type(widget).__name__
        for widget in wanted - reached
        if not (isinstance(widget, QAbstractButton) and widget.group() in groups)  # which arrow keys reach
    ]
    assert missed == []


@pytest.mark.slow
def test_the_panel_is_widened_hidden_and_remembered(desk: Desk, tmp_path: Path) -> None:
    small(desk)
    side, columns = desk.window.side, desk.window.columns
    before = side.width()
    columns.setSizes([SMALL.width() - before - 60, before + 60])
    wide = side.width()
    assert wide > before
    desk.key("p")
    desk.wait(lambda: not side.isVisible(), "the panel to go")
    desk.wait(lambda: desk.window.view.width() == SMALL.width(), "the room of the panel")
    desk.key("p")
    desk.wait(side.isVisible, "the panel")
    desk.close()
    again = Desk(tmp_path)
    again.window.resize(SMALL)
    again.rest(0.1)
    assert again.window.side.width() == wide
    again.close()


def test_the_names_of_the_paintings_are_whole(desk: Desk) -> None:
    """The panel has its usual width; a narrower one elides the longest names."""
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.window.resize(1280, 800)
    desk.window.columns.setSizes([1280 - PANEL_WIDTH, PANEL_WIDTH])
    desk.rest(0.1)
    tiles = desk.window.inspector.gallery.tiles
    for row in range(tiles.count()):
        text = tiles.item(row).text()
        needed = tiles.fontMetrics().horizontalAdvance(text) + 2 * (BORDER_PX + tiles.style().pixelMetric(MARGIN))
        room = tiles.visualItemRect(tiles.item(row)).width()
        assert needed <= room <= tiles.gridSize().width(), f"{text!r} needs {needed} px of {room}"
