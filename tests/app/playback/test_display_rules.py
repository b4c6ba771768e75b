"""Surface, look and masks of the preview, thumbnails, and operations that crashed: each alone."""

from __future__ import annotations

import queue
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, nv12, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.surface import Surface, View, Viewport
from framebrush.gpu.temporal_window import NO_WINDOW, PAST_ONLY
from framebrush.jobs.keyframes import STYLE, Key, Track
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, VideoFrame, VideoInfo
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.models.style import ModelCard, Style
from framebrush.playback.display import seek_preview
from framebrush.playback.display.fitted_look import FittedLook
from framebrush.playback.display.fitted_surface import FittedSurface
from framebrush.playback.display.guides import Guides
from framebrush.playback.display.mask_veil import VEIL_SIDE, veil
from framebrush.playback.display.painted_screen import PaintedScreen
from framebrush.playback.display.seek_preview import SeekPreview
from framebrush.playback.reading.crash_list import Deadly, DiedError
from framebrush.playback.reading.film_thumbnails import Picture, Thumbnails
from framebrush.styles.specs import SizeSpec
from framebrush.styles.style_names import open_style
from tests.app.playback.conftest import CLIPS
from tests.app.styles.test_marks import wedge

pytestmark = pytest.mark.unit


@pytest.fixture(scope="module")
def info() -> VideoInfo:
    with Reader(CLIPS / "cfr.mp4") as reader:
        return reader.info


class Window(Surface):
    """Surface of a window that notes its sizes."""

    def __init__(self, device: object) -> None:
        super().__init__(device)
        self.sizes = list[tuple[int, int]]()
        self.closed = 0

    def resize(self, width: int, height: int) -> None:
        self.sizes.append((width, height))

    def close(self) -> None:
        self.closed += 1
        raise DeviceError("lost")


def test_a_surface_has_size_viewport_and_shape_whenever_it_is_made(device: Device, info: VideoInfo) -> None:
    made, hidden = list[Window](), [True]

    def make(device: Device) -> Surface | None:
        if hidden[0]:
            return None
        made.append(Window(device))
        return made[-1]

    fitted = FittedSurface(make)
    assert not fitted.attach(None)
    fitted.close()  # there is none
    for width, height in ((0, 9), (9, 0)):  # of a window in the dock
        fitted.resize(width, height)
    assert not fitted.attach(device)
    hidden[0] = False
    assert fitted.attach(device)
    assert not fitted.attach(device)
    (first,) = made
    assert (first.device, first.sizes, first.viewport, first.sample_aspect) == (device, [], Viewport(), 1.0)
    near = Viewport(zoom=2.0)
    fitted.look_at(near)
    assert first.viewport == near
    fitted.resize(1, 1)
    assert first.sizes == [(1, 1)]
    fitted.show_shape(replace(info, rotation_degrees=90, mirrored=True), 1.5)
    fitted.show_shape(None, 1.0)  # what is closed leaves its last picture as it is
    assert set(first.sizes) == {(1, 1)}
    assert (first.sample_aspect, first.rotation_degrees, first.mirrored) == (1.5, 90, True)
    fitted.show_shape(info, 0.75)
    fitted.close()
    assert (fitted.surface, first.closed) == (None, 1)
    assert fitted.attach(device)
    _, second = made
    assert (second.viewport, second.sizes, second.sample_aspect) == (near, [(1, 1)], 0.75)
    assert (second.rotation_degrees, second.mirrored) == (0, False)


def test_finished_frames_are_prepared_shown_and_dropped(device: Device) -> None:
    pictures = list[object]()
    screen, (frame, other) = PaintedScreen(), (rgba8(64, 48).allocate() for _ in range(2))
    surface = device.surface(View(64, 48, paint=pictures.append))
    assert (screen.latency_s, screen.is_coming, screen.is_shown) == (0.0, False, False)
    screen.present(surface)  # nothing is prepared
    screen.prepare(device, frame)
    assert (screen.is_coming, screen.is_shown) == (True, False)
    screen.present(surface)
    assert (screen.is_coming, screen.is_shown) == (False, True)
    assert len(pictures) == 1
    assert screen.fetch(device, frame).format.size == (64, 48)
    screen.prepare(device, other)
    screen.prepare(device, frame)  # which is shown already
    screen.present(surface)
    assert len(pictures) == 2
    screen.close()
    surface.close()
    assert (screen.latency_s, screen.is_shown) == (0.0, False)


def test_the_latency_of_finished_frames_is_until_they_are_shown(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, make = list[Stylizer[Any]](), device.stylizer

    def noted(*given: Any, **named: Any) -> Stylizer[Any]:  # noqa: ANN401
        made.append(make(*given, **named))
        return made[-1]

    monkeypatch.setattr(device, "stylizer", noted)
    screen, surface = PaintedScreen(), device.surface(View(64, 48, paint=lambda _: None))
    for _ in range(20):  # each is released before the next one
        frame = rgba8(64, 48).allocate()
        screen.prepare(device, frame)
        screen.present(surface)
        screen.fetch(device, frame)
        screen.prepare(device, rgba8(64, 48).allocate())
        screen.drop()
        assert not screen.is_coming
    (stylizer,) = made
    for stage, ms in (("upload", 4.0), ("output", 2.0), ("fetch", 500.0)):  # reading back is no part of presenting
        stylizer.times.add(stage, ms)
    assert screen.latency_s == pytest.approx(0.006)
    screen.prepare(device, rgba8(32, 48).allocate())  # another film
    assert (len(made), screen.is_coming, screen.is_shown) == (2, True, False)
    screen.close()
    surface.close()


ONE = Style(ModelCard("one", "One", ("one",)), b"")
TWO = Style(ModelCard("two", "Two", ("a", "b"), brush=0.5, relief=0.2), b"", (0.25, 0.75))
HERE = (0, Fraction(0))


def test_a_look_has_the_weights_and_defaults_of_its_style() -> None:
    look = FittedLook()
    look.use_look(Look(brush=0.7, second_inside=1.0), (0.5, 0.5))
    assert look.now == Look(brush=0.7, second_inside=1.0)
    assert (look.has_strokes, look.needs_second, look.window, look.moves) == (False, False, NO_WINDOW, False)
    look.use_style(TWO)
    assert (look.now.mix, look.now.relief, look.has_strokes, look.needs_second) == ((0.5, 0.5), 0.2, True, False)
    look.use_look(Look(), ())
    assert (look.now.mix, look.now.brush, look.window) == ((0.25, 0.75), 0.5, PAST_ONLY)
    look.use_style(replace(TWO, second=ONE))
    assert not look.needs_second
    look.use_look(Look(second_outside=1.0, brush=0.0), (1.0,))  # weights of another style
    assert (look.now.mix, look.has_strokes, look.needs_second) == ((0.25, 0.75), False, True)
    look.use_style(None)
    assert look.now == Look(second_outside=1.0, brush=0.0)


def track(of: str, **values: float | str) -> Track:
    """Return a track with a value at each frame, as frame_3=0.5."""
    places = {int(name.partition("_")[2]): value for name, value in values.items()}
    return Track(of, tuple(Key(Position.of_frame(number), value) for number, value in places.items()))


def test_a_look_changes_by_the_keyframes_that_its_style_can_have() -> None:
    look, brush, styles = FittedLook(), track("brush", frame_0=0.0, frame_4=0.8), track(STYLE, frame_0="none")
    look.use_style(ONE)
    look.use_keys((brush, styles))
    assert (look.tracks, look.moves) == ((brush,), False)  # it has no other painting
    assert look.at(HERE).brush == 0.0
    assert look.at((2, Fraction(0))).brush == pytest.approx(0.4)
    assert (look.most.brush, look.has_strokes) == (0.8, True)
    look.use_style(None)
    assert (look.tracks, look.moves) == ((brush, styles), True)
    look.use_keys(())
    assert (look.tracks, look.has_strokes) == ((), False)


def test_keyframes_of_paintings_do_not_hinder_those_of_other_values() -> None:
    look, opened = FittedLook(), open_style("scream").style
    other = next(name for name in opened.card.paintings if name != "scream")
    brush, styles = track("brush", frame_0=0.25, frame_4=0.75), track(STYLE, frame_0="scream", frame_4=other)
    look.use_style(opened)
    look.use_keys((brush, styles))
    assert (look.tracks, look.moves) == ((brush, styles), True)
    first, last = look.at(HERE), look.at((4, Fraction(0)))
    assert (first.brush, last.brush) == (0.25, 0.75)
    paintings = opened.card.paintings
    assert [mix[paintings.index(name)] for mix, name in ((first.mix, "scream"), (last.mix, other))] == [1.0, 1.0]


def masks(*, faces: bool = False, area: bool = False) -> Masks:
    """Return masks of the left half."""
    half = bytes([255] * (MASK_SIDE // 2) + [0] * (MASK_SIDE // 2)) * MASK_SIDE
    return Masks(half if faces else None, half if area else None, bytes(MASK_SIDE**2))


def black(width: int, height: int) -> VideoFrame:
    frame = nv12(width, height).allocate()
    for plane, code in zip(frame.planes, (16, 128), strict=True):
        np.asarray(plane)[...] = code
    return VideoFrame(0, 0, 1, frame)


AREA, FACES = Look(film_inside=1.0, faces=0.0), Look(faces=0.5)


@pytest.mark.parametrize(
    ("look", "found", "is_seen"),
    [
        (AREA, masks(area=True), True),
        (FACES, masks(faces=True), True),
        (FACES, masks(area=True), False),
        (AREA, masks(faces=True), False),
        (AREA, Masks(), False),
        (Look(faces=0.0), masks(faces=True, area=True), False),
    ],
)
def test_a_veil_lies_where_masks_have_an_effect(info: VideoInfo, look: Look, found: Masks, is_seen: bool) -> None:
    seen = veil(black(240, 48), info, look, found)
    assert (seen is not None) == is_seen
    if seen is not None:
        assert seen.shape == (48, 240)
        assert (seen[:, :110].min(), seen[:, 130:].max()) == (255, 0)
        assert np.diff(seen.astype(int), axis=1).max() <= 0  # also where the spline goes beyond both


@pytest.mark.parametrize(
    ("size", "degrees", "shape"),
    [
        ((2 * VEIL_SIDE, VEIL_SIDE), 0, (VEIL_SIDE // 2, VEIL_SIDE)),
        ((VEIL_SIDE, 2 * VEIL_SIDE), 0, (VEIL_SIDE, VEIL_SIDE // 2)),
        ((16, 8), 90, (16, 8)),
        ((2000, 2), 0, (1, VEIL_SIDE)),
        ((2, 2000), 0, (VEIL_SIDE, 1)),
    ],
)
def test_a_veil_is_small_and_upright(info: VideoInfo, size: tuple[int, int], degrees: int, shape: object) -> None:
    seen = veil(black(*size), replace(info, rotation_degrees=degrees), AREA, masks(area=True))
    assert seen is not None
    assert seen.shape == shape


def test_frames_on_a_gpu_have_no_veil(info: VideoInfo) -> None:
    there = replace(black(16, 8), frame=object())  # type: ignore[arg-type]
    assert not isinstance(there.frame, Frame)
    assert veil(there, info, AREA, masks(area=True)) is None


def test_a_brush_is_made_again_for_another_tip_but_not_for_other_masks(tmp_path: Path) -> None:
    tip = tmp_path / "tip.png"
    sizes = SizeSpec(brush_mark=wedge(tip))
    guides = Guides(SizeSpec())
    assert guides.sizes == SizeSpec()
    assert not guides.use(sizes)
    mark = guides.mark
    assert mark
    assert guides.use(sizes)
    assert guides.use(replace(sizes, mask_grow=0.1))
    wedge(tip, turned=True)
    assert not guides.use(replace(sizes, mask_grow=0.1))  # its file is another one
    assert guides.mark not in (mark, None)
    assert not guides.use(SizeSpec())
    assert guides.mark is None


def test_the_latest_thumbnails_are_kept(info: VideoInfo, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded, came, picture = list[float](), queue.Queue[tuple[float, Picture]](), Thumbnails.picture

    def noted(source: Thumbnails, time_s: float) -> Picture | None:
        decoded.append(time_s)
        return None if time_s == 0.8 else picture(source, time_s)  # a film may have none there

    monkeypatch.setattr(Thumbnails, "picture", noted)
    monkeypatch.setattr(seek_preview, "KEPT", 2)
    preview = SeekPreview(info, lambda at, picture: came.put((at, picture)))
    asked = (0.0, 0.52, 0.04, 1.0, 0.52, 0.0, 0.01)  # 0.04 and 0.01 are as good as 0
    for time_s in asked:
        preview.request((time_s,))
        assert came.get(timeout=60)[0] == time_s
    assert decoded == [0.0, 0.52, 1.0, 0.0]
    preview.request((0.8, 0.52))
    assert came.get(timeout=60)[0] == 0.52
    preview.close()
    assert preview.join(60)
    of_nothing = SeekPreview(replace(info, path=None), lambda *_: None)
    assert of_nothing.join(60)


def test_what_crashed_is_refused_at_once_or_the_second_time(tmp_path: Path) -> None:
    path, deadly = tmp_path / "film.mp4", Deadly()
    path.touch()

    def crash(doing: str, *, certain: bool) -> None:
        deadly.add(deadly.check(path, doing), f"{doing} died", certain=certain)

    for doing, deaths in (("decode", [True]), ("thumbnails", [False, False]), ("tracks", [False, True])):
        for certain in deaths:
            crash(doing, certain=certain)
        with pytest.raises(DiedError, match=f"{doing} died"):
            deadly.check(path, doing)
    assert deadly.check(path, "sound") is not None
    for nothing in (deadly.check(path, None), deadly.check(tmp_path / "none.mp4", "decode")):
        assert nothing is None
        deadly.add(nothing, "died", certain=True)
    assert deadly.check(path, None) is None
