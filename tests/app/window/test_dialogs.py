"""Every dialog, and what opens over the window, by keys alone and with a name for each control."""

from __future__ import annotations

from collections.abc import Container, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QProgressBar,
    QScrollBar,
    QSplitter,
    QSplitterHandle,
    QStatusBar,
    QTabBar,
    QTabWidget,
    QToolButton,
    QWidget,
)

from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, write_look
from framebrush.playback import events
from framebrush.styles.specs import StyleSpec
from tests.app.window.conftest import Desk, speaking
from tests.app.window.hand import Hand

pytestmark = [pytest.mark.media, pytest.mark.slow]

KINDS = (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QAbstractItemView,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QSplitter,
    QStatusBar,
    QMenuBar,
    QTabBar,
    QTabWidget,
)
CONTROL, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.NoModifier


@pytest.fixture(params=["en_GB", "de_DE"], autouse=True)
def language(request: pytest.FixtureRequest, application: QApplication) -> Iterator[None]:
    with speaking(application, request.param):
        yield


PASSIVE = QProgressBar, QSplitter, QStatusBar, QMenuBar, QTabWidget
"""Controls that have a name, but take no focus themselves."""


def controls(top: QWidget, *, hidden: bool = False) -> list[QWidget]:
    """Return a window's widgets for a person, without the parts of Qt's own controls.

    Args:
        hidden: include controls out of view.
    """
    found = {widget for kind in KINDS for widget in top.findChildren(kind)}
    made_of = (QComboBox, QAbstractSpinBox)
    return [
        widget
        for widget in found
        if (hidden or widget.isVisible()) and widget.window() is top and not isinstance(widget, QScrollBar)
        if not isinstance(widget.parent(), made_of) and not widget.objectName().startswith("qt_")
        if "ScrollButton" not in widget.objectName()
    ]


def unnamed(top: QWidget, *, hidden: bool = False, without: Container[QWidget] = ()) -> list[str]:
    """Return the controls for which a screen reader has no name, or their value as a name.

    On Linux a combo box is named by its value; a label names it there and elsewhere. So is the list that it opens.
    """
    found = []
    for widget in controls(top, hidden=hidden):
        if widget in without:
            continue
        interface = QAccessible.queryAccessibleInterface(widget)
        names = [interface.text(QAccessible.Text.Name).strip()]
        if isinstance(widget, QComboBox):
            names = [
                label.text(QAccessible.Text.Name) for label, _ in interface.relations(QAccessible.RelationFlag.Label)
            ]
            names = [name for name in names if name == widget.accessibleName() == widget.view().accessibleName()]
        value = interface.text(QAccessible.Text.Value).strip()
        if not any(name and name != value for name in names):
            found.append(f"{type(widget).__name__} {widget.objectName()}")
    return found


def missed_by_tab(top: QWidget) -> list[str]:
    """The controls that the Tab key does not come to. Among some buttons, and pages, arrows choose."""
    wanted = {widget for widget in controls(top) if widget.isEnabled() and not isinstance(widget, PASSIVE)}
    reached: set[QWidget] = set()
    for _ in range(2 * len(wanted) + 10):
        QTest.keyClick(QApplication.focusWidget() or top, Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        if focused is not None:
            reached.add(focused)
    proxies = {widget.focusProxy() for widget in wanted}
    groups = {widget.group() for widget in reached if isinstance(widget, QAbstractButton)} - {None}
    assert reached
    return [
        f"{type(each).__name__} {each.accessibleName()}"
        for each in wanted - reached
        if each not in proxies and not (isinstance(each, QAbstractButton) and each.group() in groups)
    ]


def asked(desk: Desk, key: Qt.Key | str, modifier: Qt.KeyboardModifier) -> QDialog:
    """The dialog that a key opens."""
    desk.key(key, modifier)
    desk.wait(lambda: any(each.isVisible() for each in desk.window.findChildren(QDialog)), "the dialog")
    (dialog,) = [each for each in desk.window.findChildren(QDialog) if each.isVisible()]
    dialog.activateWindow()
    desk.wait(dialog.isActiveWindow, "its focus")
    desk.rest(0.5)
    return dialog


DIALOGS: tuple[tuple[Qt.Key | str, Qt.KeyboardModifier], ...] = (
    ("e", CONTROL),  # export
    ("n", CONTROL),  # new style
    ("c", CONTROL | Qt.KeyboardModifier.ShiftModifier),  # camera
    (Qt.Key.Key_F1, NONE),  # help
)


def test_a_dialog_is_used_by_keys_and_says_what_everything_is(desk: Desk) -> None:
    desk.open("interlaced.mp4")
    for key, modifier in DIALOGS:
        dialog = asked(desk, key, modifier)
        title = dialog.windowTitle()
        assert title
        assert len(controls(dialog)) >= 1, title
        assert unnamed(dialog) == [], title
        assert missed_by_tab(dialog) == [], title
        QTest.keyClick(QApplication.focusWidget() or dialog, Qt.Key.Key_Escape)
        desk.wait(lambda: not desk.window.findChildren(QDialog), f"the end of {title}")
        desk.window.activateWindow()
        desk.wait(desk.window.isActiveWindow, "the window")


def test_details_and_about_too(desk: Desk) -> None:
    desk.window.messages.show_notification(events.Notification("The message.", "Its details.", "problem"))
    for ask in (desk.window.messages.show_details, desk.window.actions_["about"].trigger):
        ask()
        desk.rest(0.3)
        (dialog,) = [each for each in desk.window.findChildren(QDialog) if each.isVisible()]
        assert unnamed(dialog) == []
        assert missed_by_tab(dialog) == []
        assert [box.isReadOnly() for box in dialog.findChildren(QPlainTextEdit)] == [True]
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        desk.wait(lambda: not desk.window.findChildren(QDialog), "its end")


@pytest.mark.parametrize("page", ["start", "film", "go to", "compare", "looks", "scopes", "exports"])
def test_the_window_says_what_everything_is(desk: Desk, tmp_path: Path, page: str) -> None:
    window = desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    write_look(Recipe(StyleSpec("none")), window.inspector.looks.folder.path / "a.json")
    if page != "start":
        desk.open("pq.mp4")
    desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")
    match page:
        case "go to":
            Hand(desk).key("g", CONTROL)
        case "compare":
            Hand(desk).key("d", CONTROL)
        case "looks":
            window.actions_["compare-looks"].trigger()
        case "scopes":
            Hand(desk).key("w")
        case "exports":
            window.side.setCurrentWidget(window.export_panel)
    desk.rest(0.4)
    tops = [each for each in QApplication.topLevelWidgets() if each.isVisible()]
    assert window in tops
    assert len(tops) == (2 if page == "go to" else 1)
    assert [unnamed(top) for top in tops] == [[]] * len(tops)
    named_when_shown = (
        *window.overlays.comparison.page.panes,
        window.inspector.gallery.learning,
        window.transport.timecode,
    )
    without = [each for each in named_when_shown if not each.isVisible()]
    assert unnamed(window, hidden=True, without=without) == []
    bar = window.menuBar()
    assert all(button.accessibleName() for button in bar.findChildren(QToolButton))
    menus = [
        menu for menu in window.findChildren(QMenu) if menu.title() or menu.parent() is not bar
    ]  # Qt's own is "More"
    assert len(menus) > 20
    assert [menu for menu in menus if not menu.accessibleName()] == []
    handles = [each for each in window.findChildren(QSplitterHandle) if each.isVisible()]
    assert [each for each in handles if not each.accessibleName()] == []
    if page == "go to":
        Hand(desk).key(Qt.Key.Key_Escape)
        desk.wait(lambda: not window.transport.go_to.isVisible(), "its end")


def test_a_screen_reader_says_what_is_seen_and_no_raw_numbers(desk: Desk) -> None:
    """Times, frames and shares are spoken, not milliseconds; every control has a name."""
    window, hand = desk.window, Hand(desk)
    desk.open("cfr.mp4")
    transport, panel = window.transport, window.inspector.panel

    def name(widget: QWidget) -> str:
        return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)

    hand.key(".")
    desk.wait(lambda: window.session.shown_at.number == 1, "the next frame")
    assert name(transport.time) == transport.time.text() == "0:00:00.040"
    assert name(transport.frame) == transport.frame.text()
    assert name(transport.length) == transport.length.text() == "0:00:01.200"
    transport.bar.setFocus(Qt.FocusReason.TabFocusReason)
    assert transport.bar.accessibleDescription() == "0:00:00.040"
    hand.key(Qt.Key.Key_End)
    desk.wait(lambda: window.session.shown_at.number == 29, "the last frame")
    assert transport.bar.accessibleDescription() == "0:00:01.160"
    hand.key("d")
    assert (panel.divider.value(), panel.divider.maximum()) == (50, 100)
    labels = [label for label in window.statusBar().findChildren(QLabel) if label.isVisible()]
    assert labels
    assert [label for label in labels if not name(label)] == [window.status.seen]  # nothing is painted
