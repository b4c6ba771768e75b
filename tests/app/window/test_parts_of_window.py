"""Parts of a window: their owner, settings, presentation, overlays, messages and full screen."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QVBoxLayout, QWidget

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.surface import Viewport
from framebrush.media.reading.reader import Reader
from framebrush.playback import events
from framebrush.window.help import HelpSheet
from framebrush.window.picture import full_screen, notes
from framebrush.window.picture.full_screen import FullScreen
from framebrush.window.state.actions import Actions
from framebrush.window.widgets import theme
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Column
from tests.app.window.conftest import CLIPS, Desk

pytestmark = pytest.mark.media

Asked = list[tuple[object, ...]]


def objects() -> list[QObject]:
    """Return the package's objects of all windows."""
    alive = (each for each in gc.get_objects() if isinstance(each, QObject))
    return [each for each in alive if type(each).__module__.startswith("framebrush.window")]


@pytest.mark.slow
def test_every_part_of_a_window_has_an_owner_that_ends_with_it(application: QApplication, tmp_path: Path) -> None:
    """A part without an owner would hear of the player after its window, or go while it is needed."""
    former = objects()
    numbers = set(map(id, former))
    desk = Desk(tmp_path)
    made = [each for each in objects() if id(each) not in numbers]
    assert len(made) > 100
    assert [type(each).__name__ for each in made if not shiboken6.isValid(each)] == []
    assert [each for each in made if each.parent() is None] == [desk.window]
    desk.close()


@pytest.mark.slow
def test_settings_are_remembered_and_applied_at_once(asked: Asked, desk: Desk) -> None:
    window, settings = desk.window, desk.settings
    begun = [("paint_ahead", settings.paint_ahead), ("set_preview", "auto"), ("use_precision", "auto")]
    assert [each for each in asked if each in begun] == begun
    for name, value, command in (
        ("preview", "half", ("set_preview", "half")),
        ("precision", "float16", ("use_precision", "float16")),
        ("renders_gb", 2, ("limit_renders", 2_000_000_000)),
        ("paint_ahead", False, ("paint_ahead", False)),
        ("ten_bits", True, ("renew_surface",)),
    ):
        window.preferences.use(name, value)
        assert getattr(settings, name) == value
        assert asked[-1] == command
    assert window.bridge.ten_bits
    window.actions_["paint-ahead"].setChecked(not window.actions_["paint-ahead"].isChecked())
    assert asked[-1] == ("paint_ahead", window.actions_["paint-ahead"].isChecked())
    icon = window.actions_["open"].icon().cacheKey()
    window.preferences.use("theme", "light")
    assert window.palette().window().color().name() == theme.LIGHT.window
    assert window.actions_["open"].icon().cacheKey() != icon
    window.preferences.use("language", "de")
    assert "when it is opened again" in window.notes.text
    gpu = DeviceInfo(0, "webgpu", "A GPU")
    window.preferences.use_device(gpu)
    assert (settings.device, window.session.choice.device, asked[-1]) == ("A GPU", "A GPU", ("use_device", gpu.address))


@pytest.mark.slow
def test_a_device_that_cannot_present_says_why(asked: Asked, desk: Desk) -> None:
    window, ten_bits = desk.window, desk.window.actions_["ten-bits"]
    dispatch, figures = window.session.events.dispatch, window.overlays.statistics
    gpu = DeviceInfo(0, "webgpu", "A GPU")
    window.bridge.unable[gpu] = "it has no queue for it"
    dispatch(events.DeviceInUse(gpu, ""))
    assert figures.text().startswith("A GPU\nit has no queue for it")
    assert not ten_bits.isEnabled()
    ten_bits.setEnabled(True)
    dispatch(events.NotPresented("the display died"))
    assert "the display died" in figures.text()
    assert not ten_bits.isEnabled()
    for on in (True, False):
        asked.clear()
        window.view.native_shown.emit(on)
        assert (window.bridge.window_shown, asked) == (on, [("attach",)] if on else [])


@pytest.mark.slow
def test_overlays_follow_the_view_and_esc_leaves_one_after_another(asked: Asked, desk: Desk) -> None:
    window, overlays, actions = desk.window, desk.window.overlays, desk.window.actions_
    desk.open("cfr.mp4")
    assert not overlays.leave()
    window.session.use(split=0.3)
    assert window.view.painted.split == 0.3
    actions["side-by-side"].trigger()
    assert window.view.painted.split is None
    (shown,) = [each[1] for each in asked if each[0] == "look_at"][-1:]
    assert isinstance(shown, Viewport)
    assert shown.side_by_side
    actions["side-by-side"].trigger()
    assert window.view.painted.split == 0.3
    asked.clear()
    overlays.looking.held.emit(True)
    (held,) = [each[1] for each in asked if each[0] == "use_look"]
    assert held == window.session.choice.look.source_only
    overlays.looking.held.emit(False)
    actions["statistics"].setChecked(True)
    assert overlays.statistics.isVisible()
    actions["statistics"].setChecked(False)
    assert not overlays.statistics.isVisible()
    actions["compare-looks"].setChecked(True)
    assert overlays.comparison.is_on
    window.show_tour()
    assert overlays.tour.isVisible()
    assert overlays.leave()
    assert (overlays.tour.isVisible(), overlays.comparison.is_on) == (False, True)
    assert overlays.leave()
    assert not overlays.comparison.is_on
    assert not overlays.leave()


def test_pointer_and_touch_show_the_controls_of_full_screen(desk: Desk) -> None:
    window = desk.window
    window.actions_["full-screen"].trigger()
    for signal in (window.view.pointer_moved, window.touch.touched):
        window.transport.hide()
        signal.emit()
        assert window.transport.isVisible()
    window.full_screen.leave()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notes, "BUSY_MS", 0)


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_what_takes_time_is_said_where_it_is_waited_for(desk: Desk) -> None:
    window, dispatch = desk.window, desk.window.session.events.dispatch
    invitation = window.view.invitation

    def busy(what: events.Work) -> tuple[str, bool]:
        """Return the word over the picture, and whether the page of a start says the same."""
        told = list[str]()
        former, invitation.show_busy = invitation.show_busy, told.append  # type: ignore[method-assign]
        dispatch(events.Busy(what))
        invitation.show_busy = former  # type: ignore[method-assign]
        desk.rest(0.03)
        return window.notes.busy, told != [""]

    desk.wait(lambda: not window.session.awaits_style, "the style")
    assert busy("opening") == ("", True)
    assert busy("seeking") == ("Seeking…", False)
    assert busy("style") == ("Loading the style…", False)
    assert busy("") == ("", False)
    with Reader(CLIPS / "cfr.mp4") as reader:
        dispatch(events.Opened(reader.info, sound=False))
    assert busy("opening") == ("Opening…", True)
    assert busy("device") == ("Opening the device…", False)
    assert busy("") == ("", False)
    with desk.held():
        window.session.use_style(window.session.choice.style.name)  # read again, as its file has changed
        assert busy("style") == ("", False)
        window.session.use_style("ink")
        assert busy("style") == ("Loading the style…", False)


@pytest.fixture
def bare(application: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[FullScreen, QWidget, QWidget]]:
    """Full screen of a window with a view and a transport."""
    monkeypatch.setattr(full_screen, "HIDE_MS", 20)
    window, page, view, transport = QMainWindow(), QWidget(), QWidget(), QWidget()
    actions = Actions(window)
    fill(QVBoxLayout(page), view, transport, around=0)
    transport.setFixedHeight(20)
    window.setCentralWidget(page)
    window.menuBar()
    window.statusBar()
    actions["panel"].setChecked(True)
    made = FullScreen(window, actions, view, transport)
    actions["full-screen"].toggled.connect(made.turn)
    window.show()
    yield made, view, transport
    shiboken6.delete(window)


def test_full_screen_hides_all_but_the_picture_until_the_mouse_moves(
    bare: tuple[FullScreen, QWidget, QWidget], monkeypatch: pytest.MonkeyPatch
) -> None:
    full, view, transport = bare
    window = full.parent()
    assert isinstance(window, QMainWindow)
    actions = next(each for each in window.children() if isinstance(each, Actions))
    around = window.menuBar(), window.statusBar(), transport
    blank = Qt.CursorShape.BlankCursor
    full.show_transport()  # the window is no full screen
    assert not full.hiding.isActive()
    actions["full-screen"].setChecked(True)
    assert window.isFullScreen()
    assert [each.isVisible() for each in around] == [False] * 3
    assert not actions["panel"].isChecked()
    assert view.cursor().shape() is not blank
    QTest.qWait(60)
    assert view.cursor().shape() is blank
    full.show_transport()
    assert (transport.isVisible(), view.cursor().shape() is blank) == (True, False)
    QTest.qWait(60)
    assert (transport.isVisible(), view.cursor().shape() is blank) == (False, True)
    full.show_transport()
    with monkeypatch.context() as pointed:
        pointed.setattr(transport, "underMouse", lambda: True)
        QTest.qWait(60)
        assert (transport.isVisible(), view.cursor().shape() is blank) == (True, False)
    QTest.qWait(60)
    assert not transport.isVisible()  # as the mouse has left it
    full.leave()
    assert not window.isFullScreen()
    assert [each.isVisible() for each in around] == [True] * 3
    assert (actions["panel"].isChecked(), view.cursor().shape() is blank) == (True, False)
    QTest.qWait(60)
    assert transport.isVisible()
    actions["panel"].setChecked(False)
    for on in (True, False):
        actions["full-screen"].setChecked(on)
    assert not actions["panel"].isChecked()


def test_a_full_screen_fits_a_screen_that_changes(bare: tuple[FullScreen, QWidget, QWidget]) -> None:
    full, _, _ = bare
    window = full.parent()
    assert isinstance(window, QMainWindow)
    actions = next(each for each in window.children() if isinstance(each, Actions))
    screen, small = window.screen(), (10, 10, 300, 200)
    for on in (False, True):
        actions["full-screen"].setChecked(on)
        window.setGeometry(*small)
        screen.geometryChanged.emit(screen.geometry())
        assert (window.geometry() == screen.geometry()) is on
    full.leave()


def test_the_sheet_of_keys_names_its_list_and_every_key(application: QApplication) -> None:
    window = QMainWindow()
    actions = Actions(window)
    sheet = HelpSheet(window, actions.groups)
    assert sheet.findChild(Column).accessibleName() == "Keys"
    said = [label.text() for label in sheet.findChildren(QLabel)]
    for entry in actions.entries:
        assert (entry.text.rstrip("…") in said) == bool(entry.keys), entry.name
    assert {"1 – 9", "Esc", "Ctrl+O", *actions.groups} <= set(said)
    shiboken6.delete(window)
