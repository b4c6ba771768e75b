"""Zoom, pan, loupe, side by side and holding for the source: the window shows the right pixels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.gpu.surface import LOUPE_FACTOR, LOUPE_RADIUS_PX, Viewport
from tests.app.window.conftest import Desk

pytestmark = pytest.mark.media

NONE, LEFT, MIDDLE = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
Pixels = npt.NDArray[np.uint8]


class Looker:
    """A window with a video, and the picture that the player gave it last, whole."""

    def __init__(self, desk: Desk) -> None:
        self.desk, self.raw = desk, np.zeros((1, 1, 4), np.uint8)
        put = desk.window.bridge.box.put

        def keep(picture: Pixels) -> None:
            self.raw = picture.copy()
            put(picture)

        desk.window.bridge.box.put = keep  # type: ignore[method-assign]
        desk.window.player.renew_surface()
        desk.open("cfr.mp4")

    @property
    def view(self) -> Pixels:
        """Return the view's pixels: (H, W, 3) RGB."""
        image = self.desk.window.view.grab().toImage().convertToFormat(QImage.Format.Format_RGBX8888)
        return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].copy()

    def settle(self) -> None:
        """Until the picture for the viewport is on the screen."""
        self.desk.rest(0.05)
        window = self.desk.window
        marks: list[object] = []
        window.bridge.event_posted.connect(marks.append)
        window.player.clear_marks()
        self.desk.wait(lambda: bool(marks), "the player")
        self.desk.rest(0.05)

    def wheel(self, notches: int, where: QPointF, *, sideways: bool = False) -> None:
        page = self.desk.window.view.painted
        place = QPointF(page.mapToGlobal(where.toPoint()))
        turn = QPoint(120 * notches, 0) if sideways else QPoint(0, 120 * notches)
        begun = Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(where, place, QPoint(), turn, Qt.MouseButton.NoButton, NONE, begun, False)
        QApplication.sendEvent(page, event)

    @property
    def viewport(self) -> Viewport:
        return self.desk.window.overlays.looking.viewport


@pytest.fixture
def looker(desk: Desk) -> Looker:
    return Looker(desk)


@pytest.mark.slow
def test_100_percent_is_a_pixel_for_each_pixel(looker: Looker) -> None:
    looker.desk.key("z")
    looker.settle()
    assert looker.desk.window.notes.word == "100%"
    height, width = looker.raw.shape[:2]
    shown = looker.view
    room = shown.shape[0] - height, shown.shape[1] - width
    place = looker.desk.window.view.painted.place
    assert place is not None
    assert (place.width, place.height) == (width, height)
    if min(room) >= 0:
        top, left = (side // 2 for side in room)
        assert np.array_equal(shown[top : top + height, left : left + width], looker.raw[..., :3])
    looker.desk.key("z")
    assert looker.viewport.zoom is None


@pytest.mark.slow
def test_enlarged_without_smoothing_every_pixel_is_a_block(looker: Looker) -> None:
    looker.desk.key("n")
    for _ in range(30):
        looker.desk.key("+")
    assert looker.viewport.zoom == 8.0
    looker.settle()
    place = looker.desk.window.view.painted.place
    assert place is not None
    shown = looker.view
    left, top = -round(place.x) // 8 + 2, -round(place.y) // 8 + 2
    for x, y in ((left, top), (left + 7, top + 3), (left + 20, top + 11)):
        corner = round(place.y) + 8 * y, round(place.x) + 8 * x
        block = shown[corner[0] + 2 : corner[0] + 6, corner[1] + 2 : corner[1] + 6]
        assert (block == looker.raw[y, x, :3]).all()
    for _ in range(40):
        looker.desk.key("-")
    assert looker.viewport.zoom == 0.25


def test_the_wheel_keeps_what_is_under_the_pointer(looker: Looker) -> None:
    view = looker.desk.window.view
    where = QPointF(view.width() * 0.4, view.height() * 0.55)
    place = view.painted.place
    assert place is not None
    before = (where.x() - place.x) / place.width, (where.y() - place.y) / place.height
    for _ in range(6):
        looker.wheel(1, where)
    place = view.painted.place
    assert place is not None
    assert place.width > view.width()
    after = (where.x() - place.x) / place.width, (where.y() - place.y) / place.height
    assert after == pytest.approx(before, abs=0.02)  # it is in the middle until it fills the view


@pytest.mark.slow
def test_three_notches_or_keys_nearly_double_the_picture(looker: Looker) -> None:
    looker.desk.key("z")
    looker.wheel(3, QPointF(100, 60))
    assert looker.viewport.zoom == pytest.approx(1.95, abs=0.01)
    for _ in range(3):
        looker.desk.key("+")
    assert looker.viewport.zoom == pytest.approx(1.95**2, abs=0.03)


@pytest.mark.slow
def test_a_wheel_that_is_turned_sideways_leaves_the_whole_picture(looker: Looker) -> None:
    """Else the picture would no longer follow the size of the window."""
    looker.wheel(1, QPointF(100, 60), sideways=True)
    assert looker.viewport.zoom is None
    assert looker.desk.window.notes.word == ""


@pytest.mark.slow
@pytest.mark.parametrize("button", [LEFT, MIDDLE])
def test_dragging_moves_the_picture_at_once(looker: Looker, button: Qt.MouseButton) -> None:
    view, page = looker.desk.window.view, looker.desk.window.view.painted
    for _ in range(12):
        looker.desk.key("+")
    looker.settle()
    before = page.place
    assert before is not None
    middle = view.rect().center()
    QTest.mousePress(page, button, pos=middle)
    QTest.mouseMove(page, middle + QPoint(-30, 20))
    QTest.mouseRelease(page, button, pos=middle + QPoint(-30, 20))
    assert page.place is not None
    assert page.place.x - before.x == pytest.approx(-30, abs=0.01)
    assert page.place.y - before.y == pytest.approx(20, abs=0.01)
    at_once = looker.view.astype(int)
    looker.settle()
    inner = np.s_[40:-40, 40:-40]
    assert np.abs(looker.view.astype(int) - at_once)[inner].mean() < 4  # only sharper where it was not to be seen
    QTest.mousePress(page, button, pos=middle)
    QTest.mouseMove(page, middle + QPoint(9000, 0))  # no farther than its edge
    QTest.mouseRelease(page, button, pos=middle)
    assert page.place is not None
    assert page.place.x == pytest.approx(0)


@pytest.mark.slow
def test_source_and_painting_side_by_side(looker: Looker) -> None:
    looker.settle()
    source = looker.raw
    looker.desk.window.player.use_style("ink")
    looker.desk.wait_style("ink")
    looker.settle()
    painting, runs = looker.raw, looker.desk.window.player.engine.presenter.counters.runs
    looker.desk.key("d", Qt.KeyboardModifier.ShiftModifier)
    looker.settle()
    assert looker.raw.shape == (2, *source.shape)
    assert np.abs(looker.raw[0].astype(int) - source).max() <= 1
    assert np.array_equal(looker.raw[1], painting)
    shown = looker.view.astype(int)
    half = shown.shape[1] // 2
    spread = [np.ptp(part, axis=2).mean() for part in (shown[:, :half], shown[:, half : 2 * half])]
    assert spread[0] > 2 * spread[1]  # ink has few colours
    assert looker.desk.window.player.engine.presenter.counters.runs == runs
    looker.desk.key("d", Qt.KeyboardModifier.ShiftModifier)
    looker.settle()
    assert looker.raw.shape == source.shape


@pytest.mark.slow
def test_both_halves_show_what_was_there_until_the_pair_is_painted(looker: Looker) -> None:
    looker.settle()
    with looker.desk.held():
        looker.desk.key("d", Qt.KeyboardModifier.ShiftModifier)
        looker.desk.rest(0.05)
        shown = looker.view.astype(int)
        half = shown.shape[1] // 2
        left, right = shown[:, :half], shown[:, half : 2 * half]
        assert np.ptp(left) > 200
        assert np.array_equal(left, right)
    looker.settle()
    assert np.abs(looker.view.astype(int) - shown).mean() < 4  # without a style the pair is the same, only sharper


@pytest.mark.slow
def test_the_source_while_the_key_is_held(looker: Looker) -> None:
    looker.settle()
    source, window = looker.raw, looker.desk.window
    window.player.use_style("ink")
    looker.desk.wait_style("ink")
    looker.settle()
    painting, runs = looker.raw, window.player.engine.presenter.counters.runs
    ends: tuple[Callable[[], object], ...] = (
        lambda: QTest.keyRelease(window, Qt.Key.Key_B),
        lambda: QApplication.sendEvent(QApplication.instance(), QEvent(QEvent.Type.ApplicationDeactivate)),
    )
    for end in ends:  # a key that is released over another program is not heard of
        QTest.keyPress(window, Qt.Key.Key_B)
        looker.settle()
        assert np.abs(looker.raw.astype(int) - source).max() <= 1
        end()
        looker.settle()
        assert np.array_equal(looker.raw, painting)
    assert window.player.engine.presenter.counters.runs == runs
    assert window.session.choice.look.split is None


def test_the_loupe_enlarges_what_is_under_it(looker: Looker) -> None:
    view = looker.desk.window.view
    plain = looker.view
    middle = view.rect().center()
    looker.desk.window.actions_["pixels"].trigger()
    looker.desk.window.actions_["loupe"].trigger()
    QTest.mouseMove(view.painted, middle)
    looker.settle()
    shown = looker.view.astype(int)
    outside = np.hypot(*np.ogrid[-middle.y() : plain.shape[0] - middle.y(), -middle.x() : plain.shape[1] - middle.x()])
    far = outside > LOUPE_RADIUS_PX + 3
    assert (np.abs(shown - plain).max(axis=2)[far] > 60).mean() < 0.05  # smoothing, no more
    place = view.painted.place
    assert place is not None
    scale = looker.raw.shape[0] / place.height
    for dx, dy in ((40, 10), (-60, 50), (8, -70)):
        x = int((middle.x() + dx / LOUPE_FACTOR - place.x) * scale)
        y = int((middle.y() + dy / LOUPE_FACTOR - place.y) * scale)
        near = looker.raw[y - 1 : y + 2, x - 1 : x + 2, :3].reshape(-1, 3).astype(int)
        assert np.abs(near - shown[middle.y() + dy, middle.x() + dx]).max(axis=1).min() <= 2
    looker.desk.window.actions_["loupe"].trigger()
    assert looker.viewport.loupe is None


def pinch(page: QWidget, at: QPointF, value: float) -> None:
    """Send a touch pad's event of two fingers; `value` is the growth of their distance."""
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        at,
        at,
        QPointF(page.mapToGlobal(at)),
        value,
        QPointF(),
    )
    QApplication.sendEvent(page, event)


@pytest.mark.slow
def test_a_pinch_zooms_where_the_fingers_are(looker: Looker) -> None:
    page = looker.desk.window.view.painted
    at = QPointF(page.width() * 0.3, page.height() * 0.6)
    looker.desk.window.overlays.looking.zoom_to(5.0)
    place = page.place
    assert place is not None
    first = (at.x() - place.x) / place.width
    for _ in range(3):
        pinch(page, at, 0.1)
    assert looker.viewport.zoom == pytest.approx(5.0 * 1.1**3)
    place = page.place
    assert place is not None
    again = (at.x() - place.x) / place.width
    assert again == pytest.approx(first, abs=0.01)  # what was between the fingers stays there
    for _ in range(60):
        pinch(page, at, -0.2)
    assert looker.viewport.zoom == pytest.approx(0.25)
    for _ in range(60):
        pinch(page, at, 0.5)
    assert looker.viewport.zoom == pytest.approx(8.0)


def test_a_picture_follows_its_view_at_once(desk: Desk) -> None:
    desk.open("cfr.mp4")
    view, viewport = desk.window.view, desk.window.overlays.looking.viewport
    before = view.painted.place
    view.resize(view.width() - 200, view.height())
    assert view.painted.place == view.place_in(viewport) != before
