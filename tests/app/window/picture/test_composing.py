"""Pictures that the processor painted, as the window shows them."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage

from framebrush.gpu.surface import Viewport
from framebrush.media.reading.reader import Reader
from framebrush.media.video import VideoInfo
from framebrush.window.picture.composing import Composed, Pixels, compose, image_of, in_square_pixels, part_of, whole
from framebrush.window.picture.geometry import Place
from framebrush.window.widgets.theme import STAGE
from tests.app.window.conftest import CLIPS

TRIES = 10
TURNS = 20


def samples(image: QImage) -> Pixels:
    """(H, W, 3) R, G, B."""
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., 2::-1].copy()


def smooth_picture() -> Pixels:
    """(90, 160, 4): ramps, and values that are not opaque in the fourth sample, which says nothing."""
    rows, columns = np.mgrid[:90, :160]
    return np.stack([columns, 2 * rows, 255 - columns, rows], axis=-1).astype(np.uint8)


@pytest.mark.parametrize(
    ("size", "smooth", "codes"),
    [
        ((160, 90), True, 0),
        ((333, 251), True, 4),
        ((61, 40), True, 4),
        ((1, 1), True, 4),
        ((160, 1), True, 4),
        ((160, 90), False, 0),
        ((1280, 720), False, 0),
    ],
)
def test_as_qt_scales_it(size: tuple[int, int], smooth: bool, codes: int) -> None:
    """Pictures are scaled like Qt's, within FFmpeg's rounding and its edges of areas (`codes`)."""
    picture = smooth_picture()
    image = image_of(picture, QSize(*size), smooth=smooth)
    kind = Qt.TransformationMode.SmoothTransformation if smooth else Qt.TransformationMode.FastTransformation
    by_qt = QImage(picture.data, 160, 90, 640, QImage.Format.Format_RGBX8888).scaled(
        QSize(*size), Qt.AspectRatioMode.IgnoreAspectRatio, kind
    )
    wanted = samples(by_qt.convertToFormat(QImage.Format.Format_RGB32))
    assert np.abs(samples(image).astype(int) - wanted).max() <= codes
    assert image.pixel(0, 0) >> 24 == 255


@pytest.mark.parametrize(
    ("place", "size", "corner"),
    [
        (Place(0, 0, 160, 90), (160, 90), (0, 0)),  # it is smaller than the pane
        (Place(-250, -125, 800, 450), (405, 205), (0, 0)),  # from a sample on
        (Place(-253, -127, 800, 450), (405, 205), (-3, -2)),  # from within a sample
        (Place(-401, -203, 800, 450), (400, 205), (-1, -3)),  # its end
        (Place(50, 30, 800, 450), (355, 175), (50, 30)),
        (Place(-1000, -1000, 800, 450), (5, 5), (-205, -555)),  # beyond the pane: the last sample
        (Place(700, 900, 800, 450), (5, 5), (700, 900)),
        (Place(10, 20, 16, 9), (16, 9), (10, 20)),  # reduced
        (Place(10, 20, 0.5, 0.25), (1, 1), (10, 20)),
    ],
)
def test_only_what_is_seen_is_scaled(place: Place, size: tuple[int, int], corner: tuple[float, float]) -> None:
    """Of a picture of 160 x 90 in a pane of 401 x 201: whole samples."""
    image, where = part_of(smooth_picture(), place, (401, 201), smooth=False)
    assert (image.width(), image.height()) == size
    assert where == pytest.approx(corner)


def test_what_is_seen_lies_where_it_does_in_the_whole() -> None:
    picture, place = smooth_picture(), Place(-253, -127, 800, 450)
    large = samples(image_of(picture, QSize(800, 450), smooth=False))
    image, (x, y) = part_of(picture, place, (401, 201), smooth=False)
    left, top = round(x) + 253, round(y) + 127
    assert np.array_equal(samples(image), large[top : top + 205, left : left + 405])


def test_a_picture_of_wide_pixels_is_smooth() -> None:
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = replace(reader.info, sample_aspect=Fraction(4, 3))
    picture = smooth_picture()
    image = in_square_pixels(picture, info)
    assert image == image_of(picture, image.size(), smooth=True)
    assert image != image_of(picture, image.size(), smooth=False)
    assert (image.width(), image.height()) == (round(90 * info.format.width * 4 / 3 / info.format.height), 90)


def test_a_pair_is_drawn_into_the_whole_view() -> None:
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = reader.info
    picture = smooth_picture()
    pair = compose(np.stack([picture, 255 - picture]), info, (400, 200), Viewport(side_by_side=True))
    assert (pair.x, pair.y, pair.pair) == (0, 0, True)
    assert pair.image.size() == QSize(400, 200)
    left, right = np.split(samples(pair.image), 2, axis=1)
    inside = slice(round(pair.place.y) + 1, round(pair.place.y + pair.place.height) - 1)
    assert np.abs(left[inside] + right[inside].astype(int) - 255).max() <= 1


def test_without_gaps_or_not() -> None:
    part = smooth_picture()[10:50, 120:20:-1]
    assert image_of(part, QSize(300, 200)) == image_of(np.ascontiguousarray(part), QSize(300, 200))


def test_other_threads_run_meanwhile() -> None:
    """Python asks no thread here to give up its lock, so that another one gets it only where it is given up."""
    picture, before = np.zeros((90, 160, 4), np.uint8), sys.getswitchinterval()
    turns: list[int] = []
    sys.setswitchinterval(1000.0)
    try:
        while max(turns, default=0) < TURNS and len(turns) < TRIES:
            begun, ended = threading.Event(), threading.Event()

            def take_turns(begun: threading.Event = begun, ended: threading.Event = ended) -> None:
                begun.wait()
                taken = 0
                while not ended.is_set():
                    taken += 1
                    time.sleep(0.0002)
                turns.append(taken)

            other = threading.Thread(target=take_turns)
            other.start()
            begun.set()
            image_of(picture, QSize(4000, 3000))
            ended.set()
            other.join()
    finally:
        sys.setswitchinterval(before)
    assert max(turns) >= TURNS


def info_of(width: int, height: int, rotation: int = 0, aspect: Fraction = Fraction(1)) -> VideoInfo:
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = reader.info
    form = replace(info.format, width=width, height=height)
    return replace(info, format=form, rotation_degrees=rotation, sample_aspect=aspect)


def test_an_image_of_the_whole_picture_is_drawn_from_its_corner() -> None:
    image = QImage(7, 5, QImage.Format.Format_RGB32)
    assert whole(image) == Composed(image, 0, 0, Place(0, 0, 7, 5), pair=False)


@pytest.mark.parametrize(("rotation", "size"), [(0, (160, 90)), (90, (90, 160)), (180, (160, 90)), (270, (90, 160))])
def test_a_picture_is_upright(rotation: int, size: tuple[int, int]) -> None:
    image = in_square_pixels(smooth_picture(), info_of(160, 90, rotation))
    assert (image.width(), image.height()) == size
    assert np.array_equal(samples(image), np.rot90(smooth_picture()[..., :3], rotation // 90))


def test_a_picture_is_a_pixel_wide_at_least() -> None:
    image = in_square_pixels(smooth_picture(), info_of(160, 90, aspect=Fraction(1, 1000)))
    assert (image.width(), image.height()) == (1, 90)


def test_a_picture_of_any_size_is_shown_through_the_viewport() -> None:
    """Zoom counts the picture's rows, not the source's."""
    shown = compose(smooth_picture(), info_of(320, 180), (400, 300), Viewport(zoom=2.0, smooth=False))
    assert (shown.x, shown.y, shown.pair) == (40, 60, False)
    assert shown.place == Place(40, 60, 320, 180)
    assert np.array_equal(samples(shown.image), smooth_picture()[..., :3].repeat(2, 0).repeat(2, 1))


GROUND = tuple(QColor(STAGE).getRgb()[:3])  # type: ignore[index]


@pytest.mark.parametrize("centre", [(300.0, 200.0), (170.0, 250.0), (420.0, 130.0), (40.0, 200.0)])
def test_around_the_loupe_all_is_as_before_and_within_it_four_times_as_large(centre: tuple[float, float]) -> None:
    """A picture of 160 x 90 at 480 x 270, in a view of 600 x 400."""
    info, viewport = info_of(160, 90), Viewport(zoom=3.0, smooth=False)
    plain = np.empty((400, 600, 3), np.uint8)
    plain[:] = GROUND
    plain[65:335, 60:540] = smooth_picture()[..., :3].repeat(3, 0).repeat(3, 1)
    shown = compose(smooth_picture(), info, (600, 400), replace(viewport, loupe=centre))
    assert (shown.x, shown.y, shown.place, shown.pair) == (0, 0, Place(60, 65, 480, 270), False)
    rows, columns = np.mgrid[:400, :600]
    down, across = rows + 0.5 - centre[1], columns + 0.5 - centre[0]
    distance, found = np.hypot(down, across), samples(shown.image)
    assert np.array_equal(found[distance > 122], plain[distance > 122])
    source = np.floor((centre[1] + down / 4 - 65) / 3), np.floor((centre[0] + across / 4 - 60) / 3)
    inside = (source[0] >= 0) & (source[0] < 90) & (source[1] >= 0) & (source[1] < 160)
    large = np.empty_like(plain)
    large[:] = GROUND
    large[inside] = smooth_picture()[source[0][inside].astype(int), source[1][inside].astype(int), :3]
    assert np.array_equal(found[distance < 118], large[distance < 118])
    ring = found[np.abs(distance - 120) < 0.5]
    assert ring.min() > 200
    assert np.median(ring, axis=0).tolist() == [235, 235, 235]  # on a picture and on its ground
    ragged = found[(np.abs(distance - 120) > 1) & (np.abs(distance - 120) < 2)]
    assert len(np.unique(ragged, axis=0)) > 300  # of the shades between


@pytest.mark.parametrize("x", [130.0, 530.0])
def test_both_pictures_of_a_pair_have_the_loupe_at_one_point(x: float) -> None:
    """Of 200 pixels in 400: nothing of it reaches into the other one."""
    picture = smooth_picture()
    viewport = Viewport(zoom=2.0, side_by_side=True, smooth=False, loupe=(x, 150.0))
    shown = compose(np.stack([picture, picture]), info_of(160, 90), (800, 300), viewport)
    one, other = np.split(samples(shown.image), 2, axis=1)
    alone = compose(picture, info_of(160, 90), (400, 300), Viewport(zoom=2.0, smooth=False, loupe=(130.0, 150.0)))
    assert np.array_equal(one, samples(alone.image))
    assert np.array_equal(other, one)


def test_a_loupe_at_the_edge_of_a_pair_ends_there() -> None:
    """40 pixels at each side of a picture are ground, also where the other one's loupe would show its picture."""
    picture = smooth_picture()
    for x, ground in ((330.0, slice(400, 440)), (60.0, slice(360, 400))):
        viewport = Viewport(zoom=2.0, side_by_side=True, smooth=False, loupe=(x, 150.0))
        shown = samples(compose(np.stack([picture, picture]), info_of(160, 90), (800, 300), viewport).image)
        assert np.all(shown[:, ground] == GROUND)


def test_a_pair_fills_a_view_to_its_edges() -> None:
    picture, viewport = smooth_picture(), Viewport(zoom=6.0, side_by_side=True, smooth=False)
    shown = compose(np.stack([picture, picture]), info_of(160, 90), (300, 400), viewport)
    alone = compose(picture, info_of(160, 90), (150, 400), replace(viewport, side_by_side=False))
    left, top = -round(alone.x), -round(alone.y)
    wanted = samples(alone.image)[top : top + 400, left : left + 150]
    assert np.array_equal(samples(shown.image), np.hstack([wanted, wanted]))
