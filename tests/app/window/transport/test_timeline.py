"""The timeline: of one height, zoomed and scrolled together, with a film's marks in its lanes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage, QNativeGestureEvent, QPointingDevice, QWheelEvent
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.jobs.keyframes import STYLE, Key, Track
from framebrush.jobs.project import Marker
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position
from framebrush.subject.corrections import Stroke
from framebrush.window.project import keeper
from framebrush.window.transport import film_strip
from framebrush.window.transport.axis import LEAST_MS, Axis
from framebrush.window.transport.film_strip import FilmStrip
from framebrush.window.transport.seekbar import SeekBar
from framebrush.window.transport.style_lane import Block, StyleLane, blocks_of, colour_of
from framebrush.window.transport.timeline import Timeline
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand

TEN_HOURS_MS = 36_000_000
CTRL, SHIFT, NONE = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.NoModifier,
)


def turn(
    widget: QWidget, notches: float, held: Qt.KeyboardModifier = NONE, x: int = 100, *, aside: bool = False
) -> None:
    """Turn the wheel over a widget."""
    angle = QPoint(round(120 * notches), 0) if aside else QPoint(0, round(120 * notches))
    at, phase = QPointF(x, 5), Qt.ScrollPhase.NoScrollPhase
    where = QPointF(widget.mapToGlobal(at.toPoint()))
    QApplication.sendEvent(widget, QWheelEvent(at, where, QPoint(), angle, Qt.MouseButton.NoButton, held, phase, False))


@pytest.fixture
def long(application: QApplication) -> Iterator[tuple[Timeline, SeekBar, FilmStrip]]:
    """A timeline of ten hours, without a decoder."""
    bar = SeekBar()
    film, live = FilmStrip(bar), QWidget()
    live.hide()
    timeline = Timeline(bar, live, [film], [film])
    timeline.resize(1000, timeline.sizeHint().height())
    bar.setRange(0, TEN_HOURS_MS)
    timeline.show()
    yield timeline, bar, film
    film.close_preview(wait=True)
    timeline.hide()
    timeline.deleteLater()


@pytest.mark.unit
def test_an_enlarged_time_keeps_its_place() -> None:
    axis = Axis()
    axis.set_length(TEN_HOURS_MS)
    assert axis.is_whole
    before = axis.x_of(5_000_000, 1000)
    axis.zoom(8.0, 5_000_000)
    assert axis.x_of(5_000_000, 1000) == pytest.approx(before)
    assert axis.span_ms == TEN_HOURS_MS / 8
    assert axis.ms_at(before, 1000) == pytest.approx(5_000_000)
    axis.zoom(1e9, 5_000_000)
    assert axis.span_ms == LEAST_MS
    axis.zoom(1e-9, 5_000_000)
    assert (axis.first_ms, axis.is_whole) == (0, True)


@pytest.mark.unit
def test_nothing_beyond_the_film_is_scrolled_to_and_a_page_is_turned() -> None:
    axis = Axis()
    axis.set_length(100_000)
    axis.zoom(10.0, 0)
    axis.scroll_to(-5)
    assert axis.first_ms == 0
    axis.scroll_to(1e12)
    assert axis.first_ms == 90_000
    axis.reveal(95_000)
    assert axis.first_ms == 90_000
    axis.reveal(50_000)
    assert axis.first_ms == 49_000
    axis.set_length(20_000)  # another film, or a better length
    assert axis.first_ms + axis.span_ms <= 20_000


@pytest.mark.unit
def test_a_dragged_time_snaps_to_the_nearest_of_all_but_its_own() -> None:
    axis = Axis()
    axis.set_length(984_000)  # a second a pixel
    axis.set_snaps("keys", [100_000, 104_000])
    axis.set_snaps("markers", [103_000])
    assert axis.snapped(103_600, 1000) == 104_000
    assert axis.snapped(103_400, 1000) == 103_000
    assert axis.snapped(103_400, 1000, (103_000,)) == 104_000
    assert axis.snapped(110_000, 1000) == 110_000
    axis.set_snaps("keys", [])
    assert axis.snapped(100_500, 1000) == 103_000


@pytest.mark.unit
def test_wheel_zooms_lanes_and_scrolls_and_seeks_on_the_bar(long: tuple[Timeline, SeekBar, FilmStrip]) -> None:
    timeline, bar, film = long
    axis, sought = bar.axis, QSignalSpy(bar.sought)
    there = axis.ms_at(300, bar.width())
    turn(film, 4, x=300)
    assert axis.span_ms == pytest.approx(TEN_HOURS_MS / 1.25**4)
    assert axis.x_of(there, bar.width()) == pytest.approx(300)
    first = axis.first_ms
    turn(film, -1, SHIFT)
    assert axis.first_ms == pytest.approx(first + axis.span_ms / 10)
    turn(film, 1, aside=True)
    assert axis.first_ms == pytest.approx(first)
    assert sought.count() == 0
    span = axis.span_ms
    turn(bar, 1)
    assert (sought.count(), bar.value(), axis.span_ms) == (1, 1000, span)
    turn(bar, 1, CTRL)
    assert axis.span_ms == pytest.approx(span / 1.25)
    at = QPointF(300, 5)
    for gesture, change in ((Qt.NativeGestureType.ZoomNativeGesture, 0.25), (Qt.NativeGestureType.PanNativeGesture, 1)):
        there, device = axis.ms_at(300, bar.width()), QPointingDevice.primaryPointingDevice()
        QApplication.sendEvent(film, QNativeGestureEvent(gesture, device, 2, at, at, at, change, QPointF()))
        assert axis.span_ms == pytest.approx(span / 1.25**2)
        assert axis.x_of(there, bar.width()) == pytest.approx(300)
    timeline.zoom_step(0)
    assert axis.is_whole


@pytest.mark.unit
def test_the_scroll_bar_is_the_visible_span(long: tuple[Timeline, SeekBar, FilmStrip]) -> None:
    timeline, bar, _ = long
    assert timeline.pages.maximum() == 0
    timeline.zoom_step(1)
    timeline.zoom_step(1)
    pages = timeline.pages
    assert pages.pageStep() == pytest.approx((pages.maximum() + pages.pageStep()) / 4, abs=1)
    pages.setValue(pages.maximum())
    assert bar.axis.first_ms == pytest.approx(0.75 * TEN_HOURS_MS, rel=1e-3)
    bar.setValue(0)  # a seek to what is not visible
    bar.setValue(1000)
    assert bar.axis.first_ms == 0


@pytest.mark.unit
def test_ten_hours_scroll_in_sixteen_milliseconds_and_ask_for_what_is_seen(
    long: tuple[Timeline, SeekBar, FilmStrip], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By processor time, as other work on this machine counts for nothing."""
    timeline, bar, film = long
    asked: list[tuple[float, ...] | None] = []

    class Silent:
        def __init__(self, *_: object) -> None:
            self.request = asked.append

        def close(self) -> None: ...

        def join(self, _: float) -> bool:
            return True

    monkeypatch.setattr(film_strip, "SeekPreview", Silent)
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = reader.info
    film.show_video(info)
    for _ in range(9):
        timeline.zoom_step(1)
    film.rest.timeout.emit()
    seen = len(film.slots)
    assert asked[-1] is not None
    assert 10 < len(asked[-1]) <= seen < 1000 / film_strip.HEIGHT_PX + 2
    picture = np.full((108, 192, 3), 90, np.uint8)
    for second in range(film_strip.KEPT + 50):
        film.came.emit(info, 20.0 * second, picture)
    assert len(film.pictures) == film_strip.KEPT
    target, steps = QImage(QSize(1000, timeline.height()), QImage.Format.Format_RGB32), 60
    begun = time.thread_time()
    for step in range(steps):
        bar.axis.scroll_to(step * 40_000)
        timeline.render(target)
    assert (time.thread_time() - begun) / steps < 0.016


@pytest.mark.unit
def test_styles_of_a_film_are_blocks() -> None:
    def at(number: int, style: str, ease: str) -> Key:
        return Key(Position(Fraction(number), "frame"), style, ease)  # type: ignore[arg-type]

    assert blocks_of((), "ink") == [Block(0, "ink")]
    track = Track(STYLE, (at(5, "scream", "hold"), at(9, "dusk", "linear"), at(20, "udnie", "hold")))
    assert blocks_of((track,), "ink") == [Block(0, "scream"), Block(9, "dusk", "udnie"), Block(20, "udnie")]
    fades = Track(STYLE, (at(5, "scream", "linear"), at(9, "dusk", "hold")))
    assert blocks_of((fades,), "ink") == [Block(0, "scream"), Block(5, "scream", "dusk"), Block(9, "dusk")]


@pytest.mark.unit
def test_a_block_has_the_colour_and_the_name_of_its_style(application: QApplication) -> None:
    bar = SeekBar()
    bar.setRange(0, 4000)
    bar.resize(416, 20)
    lane = StyleLane(bar)
    lane.resize(416, lane.height())
    lane.show_film(Fraction(25))
    lane.show_blocks([Block(0, "scream"), Block(50, "starry-night")])
    image = lane.grab().toImage()
    for x, style in ((200, "scream"), (400, "starry-night")):
        colour, wanted = image.pixelColor(x, 8), colour_of(style)
        assert abs(colour.red() - wanted.red()) + abs(colour.blue() - wanted.blue()) < 8
    assert colour_of("scream").hue() != colour_of("starry-night").hue()
    assert lane.accessibleDescription() == "0:00:00.000 Scream, 0:00:02.000 Starry night"
    words = [lane.words_at(ms) for ms in (1999, 2000)]
    assert words == ["0:00:00.000<br>Scream", "0:00:02.000<br>Starry night"]
    lane.show_blocks([Block(0, "/a<b.onnx", "scream")])
    assert lane.words_at(0) == "0:00:00.000<br>a&lt;b → Scream"
    lane.show_film(None)
    assert lane.accessibleDescription() == lane.words_at(0) == ""
    lane.show_film(Fraction(25))
    lane.show_blocks([])
    assert lane.words_at(0) == ""


@pytest.mark.slow
@pytest.mark.media
def test_it_is_as_high_without_a_film_with_one_and_with_a_camera(desk: Desk) -> None:
    window, timeline = desk.window, desk.window.transport.timeline
    window.resize(1100, 700)
    desk.rest(0.1)
    before = timeline.height(), window.view.height()
    assert before[0] > 120
    desk.open("cfr.mp4")
    assert (timeline.height(), window.view.height()) == before
    window.opening.open("live:testsrc2=size=96x64:rate=25")
    desk.wait(lambda: window.transport.live.isVisible(), "the live source")
    desk.rest(0.1)
    assert (timeline.height(), window.view.height()) == before
    window.resize(1100, 420)
    desk.rest(0.1)
    assert timeline.height() < before[0]
    assert not window.transport.film.isVisible()
    window.resize(1100, 700)
    desk.rest(0.1)
    assert (timeline.height(), window.view.height()) == before


@pytest.mark.slow
@pytest.mark.media
def test_the_film_strip_shows_the_film(desk: Desk) -> None:
    """Its pictures differ where the film does, and another film has none of them."""
    desk.window.resize(1100, 700)
    film = desk.window.transport.film
    desk.open("landscape.mp4")
    desk.wait(lambda: {time for _, time in film.slots} <= film.pictures.keys() != set(), "the thumbnails")
    image = film.grab().toImage()
    shown = {image.pixel(round(x) + 20, film.height() // 2) for x, _ in film.slots}
    assert len(shown) > 2
    desk.open("cfr.mp4")
    with Reader(CLIPS / "cfr.mp4") as reader:
        duration_s = reader.info.duration_s
    assert duration_s is not None
    assert all(at <= 1000 * duration_s for at in film.pictures)


@pytest.mark.slow
@pytest.mark.media
def test_m_marks_and_names_and_the_name_is_kept(
    application: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeper, "KEEP_MS", 20)
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    desk = Desk(tmp_path / "one", size=(1100, 700))
    window, strip = desk.window, desk.window.transport.markers
    desk.open(film)
    desk.wait(lambda: window.project.document is not None, "the project")
    desk.key("m")
    assert window.session.choice.markers == (Marker(0, "Marker 1"),)
    desk.key("m")
    desk.wait(strip.naming.isVisible, "the field")
    QTest.keyClicks(strip.naming.field, "The door opens")
    QTest.keyClick(strip.naming.field, Qt.Key.Key_Return)
    assert window.session.choice.markers == (Marker(0, "The door opens"),)
    window.activateWindow()  # there may be no window manager to do it after a popup
    desk.wait(window.isActiveWindow, "the window")
    desk.key(Qt.Key.Key_End)
    desk.wait(lambda: window.session.shown_at.number == 29, "the end")
    desk.key("m")
    desk.wait(lambda: list(strip.places) == [0, 29], "the second marker")
    desk.key(Qt.Key.Key_Left, CTRL)
    desk.wait(lambda: window.session.shown_at.number == 0, "the marker before")
    desk.key(Qt.Key.Key_Right, CTRL)
    desk.wait(lambda: window.session.shown_at.number == 29, "the next marker")
    desk.rest(0.6)  # a step of its own
    window.markers.remove(29)
    window.actions_["undo"].trigger()
    assert [each.number for each in window.session.choice.markers] == [0, 29]
    desk.close()
    again = Desk(tmp_path / "one", size=(1100, 700))
    again.open(film)
    wanted = (Marker(0, "The door opens"), Marker(29, "Marker 1"))
    again.wait(lambda: again.window.session.choice.markers == wanted, "the markers")
    again.open("bframes.mp4")
    assert again.window.session.choice.markers == ()
    again.close()


@pytest.mark.media
def test_keys_move_remove_and_say_a_marker(desk: Desk) -> None:
    hand, window, strip = Hand(desk), desk.window, desk.window.transport.markers
    window.resize(1100, 700)
    desk.open("cfr.mp4")
    assert strip.focusPolicy() is Qt.FocusPolicy.NoFocus
    assert "M marks the frame" in strip.accessibleDescription()
    hand.key("m")
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    assert strip.accessibleDescription() == "0:00:00.000\nMarker 1"
    hand.key(Qt.Key.Key_Right, CTRL)
    assert [each.number for each in window.session.choice.markers] == [1]
    hand.key(Qt.Key.Key_Delete)
    assert window.session.choice.markers == ()
    desk.key("m")
    desk.wait(lambda: bool(window.session.choice.markers), "the marker")
    name, remove = strip.menu(window.session.choice.markers[0].number).actions()
    name.trigger()
    desk.wait(strip.naming.isVisible, "the field")
    QTest.keyClicks(strip.naming.field, "The door")
    QTest.keyClick(strip.naming.field, Qt.Key.Key_Return)
    assert [each.name for each in window.session.choice.markers] == ["The door"]
    remove.trigger()
    assert window.session.choice.markers == ()


@pytest.mark.media
def test_corrected_masks_have_a_lane(desk: Desk, tmp_path: Path) -> None:
    window, masks = desk.window, desk.window.transport.masks
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    desk.open(film)
    desk.wait(lambda: window.mask_strokes.can_paint, "the file of strokes")
    strokes = [Stroke(number, "faces", 5.0, ((3.0, 4.0),)) for number in (4, 4, 9)]
    window.mask_strokes.add(*strokes)
    assert list(masks.places) == [4, 9]
    assert masks.words_of(4) == "Strokes that correct the mask: 2"
    masks.moved.connect(lambda *_: pytest.fail("a stroke belongs to its frame"))
    masks.setFocus(Qt.FocusReason.TabFocusReason)
    desk.key(Qt.Key.Key_Right, CTRL)
    (remove,) = masks.menu(4).actions()
    remove.trigger()
    assert [stroke.frame for stroke in window.session.choice.corrections] == [9]
    assert list(masks.places) == [9]
