"""Strokes, relief and canvas, the same tests for every backend: like the reference, and only where asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import Device
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import Frame, FrameFormat, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.relief import weave, weave_pitch_px
from framebrush.gpu.stages.strokes import (
    FILL_EVERY,
    GROWTH,
    LIFE,
    MARK_COLUMNS,
    MARK_ROWS,
    MARK_TIP,
    NONE,
    OIL,
    UNITS,
    WARM_UP_FRAMES,
    BrushKind,
    StrokeLayout,
    advection,
    hashed,
    noise,
    reference,
)
from framebrush.gpu.stages.strokes.advection import Carriage
from framebrush.gpu.stages.strokes.brush_maps import limits, planes
from framebrush.gpu.stages.strokes.brush_maps import read as read_maps
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS, PRESETS, Maps
from tests import networks
from tests.gpu.contract import STROKES, painted
from tests.gpu.pictures import maps, mark, scene
from tests.gpu.test_steady import rgba, texture

pytestmark = pytest.mark.unit

LOOKS = {
    "brush": Look(brush=1.0),
    "half a brush": Look(brush=0.5, strength=0.7),
    "relief": Look(relief=1.0, lamp_degrees=20.0),
    "canvas": Look(brush=0.3, canvas=1.0),
    "all": Look(0.8, True, 0.5, split=0.3, detail=0.6, brush=1.0, relief=0.7, canvas=0.5),
}

SIZES = Sizes.of((96, 64), None, (96, 64))

Target = Callable[[int, int], FrameFormat]


def assert_mostly_alike(actual: Frame, expected: Frame) -> None:
    """Check that few pixels differ by more than a code, and little on average.

    A pixel may be nearer to another piece of a stroke's path, and a hair may end before or behind it.
    """
    assert actual.format == expected.format
    for ours, theirs in zip(actual.planes, expected.planes, strict=True):
        apart = np.abs(ours.astype(int) - theirs.astype(int))
        assert np.count_nonzero(apart > 1) <= 3 + 0.01 * apart.size
        assert np.sqrt((apart.astype(float) ** 2).mean()) <= 1.0


# Each size with everything at once, and with one of the other looks: each of those with both formats, at two sizes.
PAINTED = [
    *zip(STROKES, cycle(["all"]), cycle([rgba8, yuv420p])),
    *zip(STROKES, cycle(list(LOOKS)[:4]), [yuv420p] * 4 + [rgba8] * 4, strict=False),
]


@pytest.mark.parametrize(("name", "look", "layout"), PAINTED)
def test_every_device_paints_the_same_strokes(
    tested: Device, exact: Device, name: str, look: str, layout: Target
) -> None:
    source, working, target = STROKES[name]
    frame, made = scene(*source), layout(*target)
    settings: dict[str, Any] = {"working": working, "look": replace(LOOKS[look], dither=False)}
    expected = painted(exact, networks.strided_identity(4), frame, made, **settings)
    assert_mostly_alike(painted(tested, networks.strided_identity(4), frame, made, **settings), expected)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PRESETS)
def test_every_device_paints_with_the_kind_of_brush_that_it_is_given(tested: Device, exact: Device, kind: str) -> None:
    size = (96, 64)
    frame, made = scene(*size), rgba8(*size)
    settings: dict[str, Any] = {"kind": PRESETS[kind].kind, "look": Look(brush=1.0, relief=1.0, dither=False)}
    mine = painted(tested, networks.identity(), frame, made, **settings)
    assert_mostly_alike(mine, painted(exact, networks.identity(), frame, made, **settings))
    with_oil = painted(tested, networks.identity(), frame, made, **{**settings, "kind": OIL})
    assert np.array_equal(mine.planes[0], with_oil.planes[0]) == (kind == "oil")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind", "layout"), list(zip(STROKES, cycle(["oil", "bristle", "pointillist"]), cycle([rgba8, yuv420p])))
)
def test_every_device_draws_a_mark_of_ones_own(
    tested: Device, exact: Device, name: str, kind: str, layout: Target
) -> None:
    source, working, target = STROKES[name]
    frame, made, hairs = scene(*source), layout(*target), PRESETS[kind].kind
    settings: dict[str, Any] = {
        "working": working,
        "kind": replace(hairs, mark=mark()),
        "look": Look(brush=1.0, relief=1.0, dither=False),
    }
    mine = painted(tested, networks.strided_identity(4), frame, made, **settings)
    assert_mostly_alike(mine, painted(exact, networks.strided_identity(4), frame, made, **settings))
    without = painted(tested, networks.strided_identity(4), frame, made, **{**settings, "kind": hairs})
    assert not np.array_equal(mine.planes[0], without.planes[0])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "of"), list(zip(STROKES, cycle(["sizes", "directions", "both"]))))
def test_every_device_draws_by_maps(tested: Device, exact: Device, name: str, of: str) -> None:
    source, working, target = STROKES[name]
    frame, made = scene(*source), rgba8(*target)
    given = maps()
    given = given if of == "both" else Maps(**{of: getattr(given, of)})
    look = Look(brush=1.0, relief=1.0, dither=False)
    settings: dict[str, Any] = {"working": working, "kind": OIL, "look": look}
    mine = painted(tested, networks.strided_identity(4), frame, made, given, **settings)
    assert_mostly_alike(mine, painted(exact, networks.strided_identity(4), frame, made, given, **settings))
    without = painted(tested, networks.strided_identity(4), frame, made, **settings)
    assert not np.array_equal(mine.planes[0], without.planes[0])


def test_a_map_of_sizes_leaves_fine_strokes_out_where_it_is_light_and_draws_them_where_it_is_dark() -> None:
    layers = len(StrokeLayout.of(OIL, SIZES).layers)
    assert layers >= 3

    def needs(code: int) -> list[tuple[float, float]]:
        """The least and the most need of each layer but the broadest."""
        said = read_maps(Maps(sizes=bytes([code]) * MAP_SIDE**2), np.array(0.3), np.array(1.2))[0]
        found = [limits(said, index, layers - 1) for index in range(1, layers)]
        return [(float(least), float(most)) for least, most in found]

    as_needed, never, always = (0.0, 1.0), (0.0, 0.0), (1.0, 1.0)
    assert needs(AS_NEEDED) == [as_needed] * (layers - 1)
    assert needs(255) == [never] * (layers - 1)
    assert needs(0) == [always] * (layers - 1)
    half_dark = needs(AS_NEEDED // 2)
    assert half_dark == sorted(half_dark, reverse=True)  # broad ones first
    assert (half_dark[0], half_dark[-1]) == (always, as_needed)
    assert not planes(NO_MAPS).any()


@pytest.mark.slow
def test_strokes_lead_along_a_map_of_directions_and_the_film_counts_where_it_says_nothing() -> None:
    upright = np.zeros((2, MAP_SIDE, MAP_SIDE), np.int8)
    upright[0, :, : MAP_SIDE // 2] = 127  # of a gradient to the right, along which nothing changes downwards
    layout, upright_maps = StrokeLayout.of(OIL, SIZES), Maps(directions=upright.tobytes())
    width, height = SIZES.target
    painting = np.moveaxis(texture(width, height), -1, 0) / 255.0
    film = advection.strokes_at_home(advection.search_plane(painting), 0, layout)
    mapped, free = (
        reference.strokes(reference.guides_of(painting, painting, layout, given), film, layout, given)
        for given in (upright_maps, NO_MAPS)
    )
    far_left = [stroke.path for stroke in mapped if stroke.path[:, 1].max() < 0.4 * width]
    assert len(far_left) > 20
    assert all(np.ptp(path[:, 1]) < 0.01 for path in far_left)
    far_right = [stroke.path for stroke in mapped if stroke.path[:, 1].min() > 0.6 * width]
    assert any(np.ptp(path[:, 1]) > 5.0 for path in far_right)
    assert len(far_right) == len([stroke for stroke in free if stroke.path[:, 1].min() > 0.6 * width])


@pytest.mark.parametrize(("name", "wanted"), [("sizes", 65536), ("directions", 131072)])
def test_a_map_of_another_size_is_refused(name: str, wanted: int) -> None:
    with pytest.raises(ValueError, match=f"65535 samples are no map of {name}, which has {wanted}"):
        Maps(**{name: bytes(65535)})


def test_a_mark_lies_along_its_stroke() -> None:
    """A brush tip keeps its ends' shape and stretches its middle; every other one is mirrored."""
    layout = StrokeLayout.of(replace(OIL, mark=bytes(range(MARK_COLUMNS)) * MARK_ROWS), SIZES)
    y, x = np.mgrid[:60, :200] + 0.5

    def height(seed: int, layout: StrokeLayout = layout, length: float = 120.0) -> npt.NDArray[np.float64]:
        path = np.array([(30.0, 40.0), (30.0, 40.0 + length)])
        stroke = reference.Stroke(path, 20.0, np.zeros(3), 1.0, seed, 0)
        opacity, tone, body = reference.paint_stroke(stroke, y, x, layout)
        assert (tone == 1.0).all()
        return np.where(opacity > 0, body, np.nan)

    low = height(2)
    assert np.isnan(low[:, 34]).all()  # before MARK_END of half its width
    assert np.isnan(low[:, 166]).all()
    middle = low[30, 36:164]
    assert (np.diff(middle) > 0.0).all()
    tip = np.diff(low[30, 38:44])
    np.testing.assert_allclose(tip, low[30, 100] * 2 * MARK_TIP / 255 / 10, rtol=0.02)  # of half a stroke's width
    assert np.diff(middle)[60] < tip.mean() / 1.5
    np.testing.assert_array_equal(low, height(3))
    short = height(2, length=20.0)[30, 37:63]
    np.testing.assert_allclose(np.diff(short), np.diff(short).mean(), rtol=0.02)
    upper = bytes([255] * 20 + [0] * (MARK_ROWS - 20))
    one_sided = replace(layout, kind=replace(OIL, mark=b"".join(bytes([row]) * MARK_COLUMNS for row in upper)))
    np.testing.assert_array_equal(height(2, one_sided), height(3, one_sided)[::-1])
    assert height(2, one_sided)[25, 100] > 0.4


def test_a_mark_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="16383 samples are no mark of 64 rows of 256"):
        replace(OIL, mark=bytes(64 * 256 - 1))


def test_values_that_are_not_finite_are_black_and_are_reported(tested: Device) -> None:
    frame = rgba(texture(32, 24) - 60.0)
    look = Look(brush=1.0, relief=1.0)
    with (
        tested.stylizer(networks.not_finite(), frame.format, frame.format, look=look) as stylizer,
        pytest.raises(NonFiniteError, match="NaN or infinity"),
    ):
        stylizer.fetch(stylizer.submit(frame))


# What the reference does


def carry(
    frames: list[npt.NDArray[np.float64]], layout: StrokeLayout, first: int = 0, sizes: Sizes = SIZES
) -> list[Carriage]:
    """The strokes of each frame (3, H, W) of a film that begins at that place."""
    found: list[Carriage] = []
    for place, frame in enumerate(frames, first):
        last = found[-1] if found else None
        found.append(advection.carried(last, advection.search_plane(frame), place, layout, SIZES))
    return found


def pan(count: int, step: int, noisy: float = 0.0) -> list[npt.NDArray[np.float64]]:
    """Pan a camera past a scene by `step` pixels a frame to the right."""
    far = np.moveaxis(texture(96 + (count - 1) * abs(step), 64, 3)[..., :3], -1, 0) / 255.0
    dice = np.random.default_rng(7)
    places = [number * abs(step) for number in range(count)][:: 1 if step >= 0 else -1]
    return [far[:, :, x : x + 96] + noisy * dice.standard_normal((3, 64, 96)) for x in places]


def test_strokes_move_with_the_film() -> None:
    layout = StrokeLayout.of(OIL, SIZES)
    *_, last = carry(pan(11, 3), layout)
    homes, offsets = advection.homes_of(layout)[2], last.offsets[2]
    ages = advection.age(homes, last.place, offsets.shape[1])[:, :2]
    inside = (homes[:, 1] > 24 * UNITS) & (homes[:, 1] < 72 * UNITS)
    moved = offsets[inside, :2, 1][ages[inside] > last.place] / UNITS
    assert np.median(moved) == pytest.approx(-30.0, abs=1.5)
    assert abs(np.median(offsets[inside, :2, 0])) < UNITS
    young = offsets[inside, :2, 1][ages[inside] == 5] / UNITS
    assert np.median(young) == pytest.approx(-15.0, abs=1.5)


def test_motion_is_known_to_an_eighth_of_a_pixel() -> None:
    """A camera moves by fractions of a pixel past a partly flat scene with a code of noise."""
    soft = np.clip(3.0 * (texture(448, 320, 3)[..., 1] - 110.0) / 175.0, 0.0, 1.0)

    def shot(down: int, over: int, seed: int) -> npt.NDArray[np.float64]:
        means = soft[32 + down :, 32 + over :][:256, :384].reshape(128, 2, 192, 2).mean(axis=(1, 3))
        return means + np.random.default_rng(seed).normal(0.0, 1.0 / 255.0, (3, 128, 192))

    for down, over in ((0, 1), (1, 3), (3, 5), (7, -4)):
        vectors, lost = advection.motion(
            advection.search_plane(shot(0, 0, 1)), advection.search_plane(shot(down, over, 2))
        )
        off = np.abs(vectors + UNITS // 2 * np.array([down, over])[:, None, None]).max(axis=0)[1:-1, 1:-1]
        assert np.percentile(off, 90) <= UNITS // 8, (down, over)
        assert off.max() <= UNITS // 4, (down, over)
        assert not lost[1:-1, 1:-1].any()


@pytest.mark.slow
def test_a_still_film_with_noise_moves_nothing_and_its_twins_count_as_one() -> None:
    layout = StrokeLayout.of(OIL, SIZES)
    for found in carry(pan(LIFE // 2, 0, noisy=0.01), layout):
        assert all((offsets[:, :2] == 0).all() for offsets in found.offsets)
        assert all((offsets[:, 2:] == NONE).all() for offsets in found.offsets)
        drawn = reference.strokes(reference.guides_of(PICTURE, PICTURE, layout), found, layout)
        places = {(round(stroke.path[len(stroke.path) // 2][0], 3), stroke.seed) for stroke in drawn}
        assert len(places) == len(drawn)


@pytest.mark.parametrize("side", [2, 4, 8])
def test_a_still_film_of_flat_squares_moves_nothing(side: int) -> None:
    """Between the samples that a block is compared by nothing changes: a pixel farther costs as little as its place."""
    squares = np.random.default_rng(1).random((3, 64 // side, 96 // side)).repeat(side, axis=1).repeat(side, axis=2)
    for offsets in carry([squares] * 4, StrokeLayout.of(OIL, SIZES))[-1].offsets:
        assert (offsets[:, :2] == 0).all()


PICTURE = np.moveaxis(texture(96, 64, 5)[..., :3], -1, 0) / 255.0


def test_one_of_the_two_strokes_of_a_cell_is_always_grown() -> None:
    homes = advection.homes_of(StrokeLayout.of(OIL, SIZES))[0]
    for place in range(LIFE):
        size = advection.grown(advection.age(homes, place, 2))
        assert (size.max(axis=1) == 1.0).all()
    ages = np.arange(LIFE)[:, None]
    assert (np.abs(np.diff(advection.grown(ages)[:, 0])) <= 1.0 / GROWTH + 1e-9).all()


@pytest.mark.slow
def test_a_range_that_is_followed_from_one_life_before_has_the_strokes_of_the_whole() -> None:
    layout = StrokeLayout.of(OIL, SIZES)
    frames = pan(WARM_UP_FRAMES + 6, 2)
    whole = carry(frames, layout)
    for first, same in ((5, True), (WARM_UP_FRAMES - 8, False)):
        part = carry(frames[first:], layout, first)
        alike = all(np.array_equal(*pair) for pair in zip(part[-1].offsets, whole[-1].offsets, strict=True))
        assert alike is same
    assert part[-1].place == whole[-1].place


def test_a_cut_begins_anew() -> None:
    layout = StrokeLayout.of(OIL, SIZES)
    other = np.moveaxis(texture(96, 64, 99)[..., :3], -1, 0) / 255.0
    *_, before, after = carry([*pan(9, 3), other], layout)
    assert any((offsets[:, :2] > 0).any() or (offsets[:, :2] < 0).any() for offsets in before.offsets)
    for offsets in after.offsets:
        assert (offsets[:, :2] == 0).all()
        assert (offsets[:, 2:] == NONE).all()


@pytest.mark.slow
def test_what_a_pan_uncovers_is_covered_within_four_frames() -> None:
    """White paint on white, in motion: the ground under the strokes never shows."""
    layout = StrokeLayout.of(replace(OIL, widths=(2.0,), lengths=(4.0,)), SIZES)
    frames = pan(24, -6)
    layer, homes = layout.layers[0], advection.homes_of(layout)[0]
    bare_for = np.zeros((layer.rows, layer.columns), int)
    for found in carry(frames, layout):
        ages = advection.age(homes, found.place, layer.slots)
        at = (homes[:, None, :2] + found.offsets[0])[
            (found.offsets[0][..., 0] != NONE) & (advection.grown(ages) >= 0.5)
        ]
        bare = np.ones((layer.rows, layer.columns), np.bool_)
        for down in (0, 1):
            for over in (0, 1):
                y, x = ((at - layer.cell // 2) // layer.cell + 1 + np.array([down, over])).T
                inside = (y >= 0) & (y < layer.rows) & (x >= 0) & (x < layer.columns)
                bare[y[inside], x[inside]] = False
        bare_for = np.where(bare, bare_for + 1, 0)
        assert bare_for[1:-1, 1:-1].max() <= FILL_EVERY + 1


def test_strokes_lie_along_edges_and_end_at_them() -> None:
    layout = StrokeLayout.of(OIL, SIZES)
    y, x = np.mgrid[:64, :96]
    for angle in (0, 30, 90, 135):
        away = np.cos(np.radians(angle)) * (y - 32) - np.sin(np.radians(angle)) * (x - 48)
        picture = np.repeat(np.where(away > 0, 0.8, 0.2)[None], 3, axis=0)
        still = advection.strokes_at_home(advection.search_plane(picture), 0, layout)
        near = 0
        for stroke in reference.strokes(reference.guides_of(picture, picture, layout), still, layout):
            middle, ends = stroke.path[len(stroke.path) // 2], stroke.path[[0, -1]]
            side = np.cos(np.radians(angle)) * (middle[0] - 32) - np.sin(np.radians(angle)) * (middle[1] - 48)
            if 4 < abs(side) < 12 and (np.abs(middle - (32, 48)) < 20).all():
                along = ends[1] - ends[0]
                assert abs(along @ (np.sin(np.radians(angle)), np.cos(np.radians(angle)))) > 0.9 * np.hypot(*along)
                near += 1
        assert near > 3


def test_a_flat_picture_is_drawn_with_broad_strokes_alone() -> None:
    layout = StrokeLayout.of(OIL, SIZES)
    flat = np.full((3, 64, 96), 0.5)
    still = advection.strokes_at_home(advection.search_plane(flat), 0, layout)
    drawn = reference.strokes(reference.guides_of(flat, flat, layout), still, layout)
    assert drawn
    assert min(stroke.width for stroke in drawn) > layout.layers[1].width_px
    assert all(stroke.colour == pytest.approx(np.full(3, 0.5), abs=2.0 * OIL.jitter) for stroke in drawn)


def test_strokes_scale_with_those_of_the_network() -> None:
    widths = {
        lines: [layer.width_px for layer in StrokeLayout.of(OIL, Sizes.of(size, working, size)).layers]
        for lines, size, working in (
            (360, (640, 360), None),
            (1080, (1920, 1080), (960, 540)),
            (2160, (3840, 2160), (960, 540)),
        )
    }
    assert widths[360] == [20.0, 10.0, 5.0, 3.0]
    assert widths[1080] == pytest.approx([40.0, 20.0, 10.0, 5.0, 3.0])
    assert widths[2160] == pytest.approx([80.0, 40.0, 20.0, 10.0, 6.0])


def test_homes_and_noise_are_the_same_everywhere() -> None:
    homes = StrokeLayout.of(OIL, SIZES).homes
    assert homes[:2].tolist() == [[462, 330, 478570358, 0], [947, 1416, 1468933143, 0]]
    assert hashed([0, 1, 2]).tolist() == [0, 1753845952, 3507691905]
    assert noise()[:3].tolist() == pytest.approx([0.109169, 0.397561, 0.592485], abs=1e-6)


def test_a_brush_without_layers_is_refused() -> None:
    with pytest.raises(ValueError, match="not 1 and 2"):
        BrushKind((4.0,), (5.0, 5.0), jitter=0.0, need=0.03)


@pytest.mark.parametrize("field", ["brush", "relief", "canvas"])
def test_shares_beyond_one_are_refused(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} 1.5 is not between 0 and 1"):
        Look(**{field: 1.5})
    with pytest.raises(ValueError, match="lamp 400 is not between 0 and 360 degrees"):
        Look(lamp_degrees=400.0)


def test_a_thread_rises_over_one_thread_and_dives_under_the_next() -> None:
    threads = weave((64, 64), 8.0).reshape(8, 8, 8, 8).swapaxes(1, 2)  # crossings down and across, and their pixels
    for down in range(8):
        for across in range(8):
            crossing = threads[down, across]
            assert np.allclose(crossing, threads[down % 2, across % 2])
            assert np.allclose(crossing, crossing[::-1])  # it slants to no side
            assert np.allclose(crossing, threads[across, down - 1].T)  # over, and then under
    assert threads[0, 0][3, 3] > 0.9 > threads[0, 0][3, 0] > threads[0, 0][0, 0]


@pytest.mark.parametrize("lines", [144, 240, 360, 480, 540, 720, 1080, 1440, 2160])
def test_threads_are_as_wide_as_can_be_drawn(lines: int) -> None:
    pitch = weave_pitch_px((lines * 16 // 9, lines))
    assert pitch == weave_pitch_px((lines, lines * 16 // 9))
    assert pitch == max(3, round(lines / 270))
    pixels = weave((6 * int(pitch), 6 * int(pitch)), pitch)
    assert np.allclose(pixels, np.roll(pixels, 2 * int(pitch), 0))  # nothing beats: each pair of threads is the same
    assert np.allclose(pixels, np.roll(pixels, 2 * int(pitch), 1))
    assert pixels.std() > 0.1
