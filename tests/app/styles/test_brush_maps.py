"""Brush maps: sizes and directions read from a picture, and refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.media.reading.orientation import lying, upright
from framebrush.media.video import Orientation
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS
from framebrush.models.soft_masks import MASK_SIDE
from framebrush.models.style import StyleError
from framebrush.styles.maps import BrushMaps, as_it_lies, maps_as_they_lie
from framebrush.styles.specs import SizeSpec
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

Codes = npt.NDArray[np.uint8]


def plain(*colour: int, size: tuple[int, int] = (20, 30)) -> Codes:
    return np.full((*size, len(colour)), colour, np.uint8)


def sizes(path: Path, picture: Codes) -> npt.NDArray[np.int64]:
    with BrushMaps(SizeSpec(brush_sizes=str(png(path / "sizes.png", picture)))) as maps:
        said = maps.at(3, Fraction(1)).sizes
    assert said is not None
    return np.frombuffer(said, np.uint8).reshape(MAP_SIDE, MAP_SIDE).astype(np.int64)


def directions(path: Path, picture: Codes) -> npt.NDArray[np.float64]:
    """(2, MAP_SIDE, MAP_SIDE): the structure tensor."""
    with BrushMaps(SizeSpec(brush_directions=str(png(path / "directions.png", picture)))) as maps:
        said = maps.at(3, Fraction(1)).directions
    assert said is not None
    return np.frombuffer(said, np.int8).reshape(2, MAP_SIDE, MAP_SIDE) / 127.0


def test_a_map_of_sizes_is_the_light_of_a_picture_of_any_size_stretched_over_the_frame(tmp_path: Path) -> None:
    assert (sizes(tmp_path, plain(255, 255, 255, size=(1, 1))) == 255).all()
    ramp = np.repeat(np.arange(600).reshape(1, 600, 1) * 255 // 599, 3, axis=2).astype(np.uint8)
    found = sizes(tmp_path, np.repeat(ramp, 9, axis=0))
    np.testing.assert_allclose(
        found, np.broadcast_to(255 * (np.arange(MAP_SIDE) + 0.5) / MAP_SIDE, found.shape), atol=2
    )


def test_where_a_map_of_sizes_is_transparent_strokes_are_as_needed(tmp_path: Path) -> None:
    picture = np.concatenate([plain(0, 0, 0, 255), plain(0, 0, 0, 0)])
    found = sizes(tmp_path, picture)
    assert (found[:100] == 0).all()
    assert (found[-100:] == AS_NEEDED).all()


@pytest.mark.parametrize(
    ("colour", "tensor"),
    [
        ((255, 128, 0), (-1.0, 0.0)),  # to the right: across a gradient that leads downwards
        ((0, 127, 255), (-1.0, 0.0)),  # to the left, which is the same
        ((128, 255, 128), (1.0, 0.0)),  # upwards
        ((255, 255, 0), (0.0, 1.0)),  # rising to the right
        ((255, 0, 0), (0.0, -1.0)),
        ((191, 128, 0), (-0.5, 0.0)),  # counts for half
    ],
)
def test_red_leads_across_and_green_up(
    colour: tuple[int, int, int], tensor: tuple[float, float], tmp_path: Path
) -> None:
    found = directions(tmp_path, plain(*colour))
    np.testing.assert_allclose(found, np.broadcast_to(np.reshape(tensor, (2, 1, 1)), found.shape), atol=0.02)


def test_neither_says_nothing_and_neither_does_what_is_transparent(tmp_path: Path) -> None:
    found = directions(tmp_path, np.concatenate([plain(255, 128, 0), plain(128, 127, 0)], axis=1))
    assert (found[0, :, :100] == -1.0).all()
    assert not found[:, :, -100:].any()
    found = directions(tmp_path, np.concatenate([plain(255, 128, 0, 255), plain(255, 128, 0, 0)], axis=1))
    assert not found[:, :, -100:].any()


def test_strokes_follow_the_forms_of_a_grey_picture(tmp_path: Path) -> None:
    y, x = np.mgrid[:120, :240] + 0.5
    for slope, tensor in ((x / 240, (1.0, 0.0)), (y / 120, (-1.0, 0.0)), ((x + y) / 360, (0.0, 1.0))):
        found = directions(tmp_path, np.repeat((255 * slope).astype(np.uint8)[..., None], 3, axis=2))
        inner = found[:, 20:-20, 20:-20]
        np.testing.assert_allclose(inner, np.broadcast_to(np.reshape(tensor, (2, 1, 1)), inner.shape), atol=0.15)


@pytest.mark.parametrize(("tint", "follows"), [(8, True), (9, False)])
def test_a_grey_picture_may_have_a_slight_tint(tint: int, follows: bool, tmp_path: Path) -> None:
    slope = np.broadcast_to(np.linspace(40, 200, 240).astype(np.uint8), (120, 240))
    inner = directions(tmp_path, np.stack([slope, slope, slope - tint], axis=-1))[:, 20:-20, 20:-20]
    assert np.allclose(inner[0], 1.0, atol=0.15) == follows


@pytest.mark.parametrize("colour", [(90, 90, 90), (128, 128, 0), (255, 128, 0, 0)])
def test_a_map_that_says_no_direction_is_refused(colour: tuple[int, ...], tmp_path: Path) -> None:
    path = png(tmp_path / "flat.png", plain(*colour))
    with pytest.raises(StyleError, match=r"flat\.png cannot be a map of directions: it has no directions; give red"):
        BrushMaps(SizeSpec(brush_directions=str(path)))


def mask(path: Path, picture: Codes) -> npt.NDArray[np.int64]:
    with BrushMaps(SizeSpec(mask=str(png(path / "mask.png", picture)))) as maps:
        said = maps.mask_at(3, Fraction(1))
        assert maps.at(3, Fraction(1)) is NO_MAPS
    assert said is not None
    return np.frombuffer(said, np.uint8).reshape(MASK_SIDE, MASK_SIDE).astype(np.int64)


def test_a_mask_is_the_light_of_a_picture(tmp_path: Path) -> None:
    found = mask(tmp_path, np.concatenate([plain(255, 255, 255), plain(0, 0, 0)], axis=1))
    assert (found[:, :75] == 255).all()
    assert (found[:, -75:] == 0).all()
    colours = mask(tmp_path, np.concatenate([plain(255, 255, 0), plain(0, 0, 255)], axis=1))
    np.testing.assert_array_equal(colours[0, [0, -1]], [round(255 * 0.9278), round(255 * 0.0722)])


def test_what_is_cut_out_of_a_picture_is_a_mask(tmp_path: Path) -> None:
    found = mask(tmp_path, np.concatenate([plain(9, 30, 5, 255), plain(200, 9, 99, 0)]))
    assert (found[:75] == 255).all()
    assert (found[-75:] == 0).all()


@pytest.mark.parametrize("picture", [plain(0, 0, 0), plain(255, 255, 255), plain(80, 80, 80), plain(9, 9, 9, 0)])
def test_a_mask_that_is_alike_everywhere_is_refused(picture: Codes, tmp_path: Path) -> None:
    with pytest.raises(StyleError, match=r"mask\.png cannot be a mask: it is the same everywhere; make"):
        mask(tmp_path, picture)


LIES = [Orientation(rotation, mirrored) for rotation in (0, 90, 180, 270) for mirrored in (False, True)]


@pytest.mark.parametrize("lies", LIES)
def test_an_upright_mask_lies_as_its_film(lies: Orientation) -> None:
    box = np.zeros((MASK_SIDE, MASK_SIDE), np.uint8)
    box[60:100, 40:80] = 255
    lying = np.frombuffer(as_it_lies(box.tobytes(), lies), np.uint8).reshape(MASK_SIDE, MASK_SIDE)
    np.testing.assert_array_equal(upright(lying, lies), box)


@pytest.mark.parametrize("lies", LIES)
def test_maps_of_a_turned_film_are_those_of_turned_pictures(lies: Orientation, tmp_path: Path) -> None:
    """The maps are upright, as the film is shown: a grey slope with a direction everywhere."""
    down, across = np.mgrid[:MAP_SIDE, :MAP_SIDE]
    slope = np.repeat((0.7 * across + 0.2 * down)[..., None], 3, -1).astype(np.uint8)
    turned = np.ascontiguousarray(lying(slope, lies))
    found = []
    for name, picture in (("upright.png", slope), ("turned.png", turned)):
        path = str(png(tmp_path / name, picture))
        with BrushMaps(SizeSpec(brush_sizes=path, brush_directions=path)) as maps:
            found.append(maps.at(0, None))
    made = maps_as_they_lie(found[0], lies)
    assert made is maps_as_they_lie(found[0], lies)  # devices upload changes only
    for field, dtype, apart in (("sizes", np.uint8, 1), ("directions", np.int8, 6)):
        one, other = (np.frombuffer(getattr(each, field), dtype).astype(int) for each in (made, found[1]))
        assert np.abs(one - other).max() <= apart
    assert max(np.abs(np.frombuffer(found[0].directions or b"", np.int8).reshape(2, -1).astype(int).mean(1))) > 60
