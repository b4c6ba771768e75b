"""Masks: the film that comes into the painting before the strokes, and what stays a photograph at the end."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from itertools import cycle
from typing import Any

import numpy as np
import pytest

from framebrush.gpu.cpu.stages.corners import Corners
from framebrush.gpu.cpu.stages.masks import Masked, Masking
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.device import Device
from framebrush.gpu.errors import NonFiniteError
from framebrush.gpu.frame import Frame, rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.reference.device import ReferenceDevice
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages import corners
from framebrush.gpu.stages import masks as reference
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.models.style import Style
from tests import networks
from tests.gpu import pictures
from tests.gpu.conftest import WITH_SLOW_REFERENCE
from tests.gpu.contract import STROKES, assert_alike, codes
from tests.gpu.test_steady import rgba

pytestmark = pytest.mark.unit

ALL = Look(faces=0.6, film_inside=0.3, film_outside=0.1)
PAINTED = Look(faces=0.6, brush=1.0, dither=False)
SIZES: list[Size] = [(96, 64), (33, 21), (200, 170), (1, 1), (3, 200), (640, 4)]


def film_of(size: Size, precision: str = "float32") -> Any:  # noqa: ANN401
    """Return a film (3, H, W) padded as a network's input."""
    return np.pad(pictures.growing_noise(*size).astype(precision), ((0, 0), (0, 3), (0, 6)), "edge")


def submitted(device: Device, style: Style, frame: Frame, given: Masks, look: Look, **settings: Any) -> Frame:  # noqa: ANN401
    """Paint a frame with masks in a new stylizer."""
    with device.stylizer(style, frame.format, frame.format, look=look, **settings) as stylizer:
        stylizer.masks = given
        ticket = stylizer.submit(frame)
        stylizer.masks = NO_MASKS  # a frame in flight keeps its own
        stylizer.flush()
        return stylizer.fetch(ticket)


def flat(value: int) -> bytes:
    """A mask, or a guide, of one value."""
    return bytes([value]) * MASK_SIDE**2


@pytest.mark.parametrize("precision", ["float32", "float16"])
@pytest.mark.parametrize("scale", [1, 2, 3])
@pytest.mark.parametrize("size", SIZES)
def test_the_cpu_mixes_as_the_reference_does(size: Size, scale: int, precision: str) -> None:
    film, given = film_of(size, precision), pictures.masks()
    width, height = size
    shown = film[:, :height, :width].astype(float)
    chance = np.random.default_rng(2)
    styled = (1.4 * chance.random((3, scale * height + 2, scale * width + 5)) - 0.2).astype(precision)
    share = reference.share(reference.samples(given, 0.6), shown, reference.film_shares(given, ALL))
    whole = styled[:, : scale * height, : scale * width].astype(float)
    want, beyond = reference.mixed(shown, whole, share), styled[:, scale * height :].copy()
    with closing(Workers()) as workers:
        shares = reference.film_shares(given, ALL)
        Masked.of(given, ALL.faces, None).mix(film, film, styled, scale, size, shares, Masking(workers))
    made = styled[:, : scale * height, : scale * width]
    # A likeness multiplies the rounding of luma by 1 / ALIKE_LUMA; half precision rounds what it keeps.
    np.testing.assert_allclose(made, want, rtol=0, atol=2e-5 if precision == "float32" else 1e-3)
    np.testing.assert_array_equal(styled[:, scale * height :], beyond)


@pytest.mark.parametrize("size", SIZES)
def test_the_cpu_keeps_of_a_face_what_the_reference_keeps(size: Size) -> None:
    film, given = film_of(size), pictures.masks()
    kept = reference.kept(reference.samples(given, 0.4), size)
    shown = film[:, : size[1], : size[0]].astype(float)
    cover = 1.0 - corners.at_target(corners.corners(shown, kept), size, size)
    strokes = np.ones((5, size[1], size[0]), np.float32)
    with closing(Workers()) as workers:
        made = Corners(Sizes.of(size, size, size), 2, workers)
        made.find(film, Masked.of(given, 0.4, None).kept(size))
        made.mix(strokes, 1.0, np.zeros((3, size[1] + 4, size[0] + 4), np.float32))
    np.testing.assert_allclose(strokes[4], cover, rtol=0, atol=1e-4)  # a root is steep at 0


def test_an_edge_of_a_mask_is_where_the_films_is() -> None:
    """The film's edge lies within a sample: every pixel is with its own side, though the masks change over sixteen."""
    film = np.where(np.arange(640) < 322, 0.2, 0.8) * np.ones((3, 8, 1))
    numbers = np.arange(MASK_SIDE)
    area, guide = (
        np.tile(np.where(numbers < 80, dark, np.where(numbers == 80, 128, light)), MASK_SIDE).astype(np.uint8).tobytes()
        for dark, light in ((0, 255), (51, 204))
    )
    given = Masks(None, area, guide)
    share = reference.share(reference.samples(given, 0.6), film, reference.Shares(0.0, 1.0, 0.0))[4]
    assert share[:322].max() < 0.02
    assert share[322:].min() > 0.98
    soft = reference.share(reference.samples(Masks(None, area, flat(128)), 0.6), film, reference.Shares(0.0, 1.0, 0.0))[
        4
    ]
    assert np.abs(np.diff(soft)).max() < 0.2  # where the film says nothing


def test_luma_goes_through_the_table_ahead_as_the_film_does() -> None:
    grid = np.linspace(1.0, 0.0, 2)
    negative = ColourTable(np.stack(np.meshgrid(grid, grid, grid, indexing="ij"), -1).astype(np.float32))
    given = Masks(flat(9), None, flat(51))
    assert reference.samples(given, 0.6, negative)[2] == pytest.approx(0.8)
    assert reference.samples(given, 0.6)[2] == pytest.approx(0.2)


def check_alike(tested: Device, exact: ReferenceDevice, name: str, style: Style, look: Look) -> None:
    """Paint a frame with masks on both devices. name: of the sizes."""
    (width, height), working, target = STROKES[name]
    frame, shown = pictures.noise(yuv420p(width, height)), []
    for device in (tested, exact):
        with device.stylizer(style, frame.format, yuv420p(*target), look=look, working=working) as stylizer:
            stylizer.masks = pictures.masks()
            shown.append(stylizer.fetch(stylizer.submit(frame)))
    assert_alike(shown[0], shown[1])


LOOKS = (
    PAINTED,
    replace(PAINTED, film_outside=0.5, strength=0.8),
    replace(PAINTED, photo_inside=0.9, photo_outside=0.2),
    replace(PAINTED, brush=0.0, relief=0.0, photo_outside=1.0, detail=0.5, strength=0.7),
    replace(PAINTED, relief=0.7, photo_inside=1.0, detail=0.5, keep_colours=True, exposure_ev=0.5),
)


@pytest.mark.slow
@pytest.mark.parametrize(("look", "name"), list(zip(2 * LOOKS, cycle(STROKES), strict=False)))
def test_every_device_paints_masks_as_the_reference(
    tested: Device, exact: ReferenceDevice, name: str, look: Look
) -> None:
    check_alike(tested, exact, name, networks.box_blur(), look)


@pytest.mark.parametrize("scale", [2, 4])
def test_a_film_comes_into_a_picture_of_another_size(tested: Device, exact: ReferenceDevice, scale: int) -> None:
    frame = pictures.noise(rgba8(61, 47))
    style, look = networks.enlarger(scale), replace(ALL, dither=False)
    ours, theirs = (submitted(device, style, frame, pictures.masks(), look) for device in (tested, exact))
    assert_alike(ours, theirs)


@pytest.mark.parametrize("device", WITH_SLOW_REFERENCE, indirect=True)
def test_what_no_mask_says_changes_no_bit(device: Device) -> None:
    """Neither masks without a share, nor shares without masks, with or without strokes."""
    frame, style = pictures.noise(rgba8(96, 64)), networks.contrast(0.5)
    plain = Look(faces=0.0, brush=1.0)
    today = submitted(device, style, frame, NO_MASKS, plain)
    for given, look in (
        (pictures.masks(), plain),
        (NO_MASKS, replace(plain, faces=1.0, film_inside=1.0, film_outside=1.0)),
        (Masks(flat(0), flat(0), flat(77)), replace(plain, faces=1.0, film_inside=1.0)),
    ):
        np.testing.assert_array_equal(codes(submitted(device, style, frame, given, look))[0], codes(today)[0])


def test_a_face_of_a_full_share_is_the_film(device: Device) -> None:
    frame, style = pictures.noise(rgba8(96, 64)), networks.contrast(0.5)
    look = Look(faces=1.0, brush=0.0, dither=False)
    whole = Masks(flat(255), None, flat(128))
    made = codes(submitted(device, style, frame, whole, look))[0]
    np.testing.assert_allclose(made[..., :3], codes(frame)[0][..., :3], atol=1)


def test_inside_is_film_and_outside_is_painted(device: Device) -> None:
    frame, style = pictures.noise(rgba8(160, 120)), networks.contrast(0.5)
    x = np.arange(MASK_SIDE)
    area = np.tile(255 * (x >= 80), MASK_SIDE).astype(np.uint8).tobytes()
    given = Masks(None, area, flat(128))
    look = Look(film_inside=1.0, brush=0.0, dither=False)
    made = codes(submitted(device, style, frame, given, look))[0]
    painting = codes(submitted(device, style, frame, NO_MASKS, look))[0]
    np.testing.assert_allclose(made[:, 83:, :3], codes(frame)[0][:, 83:, :3], atol=1)
    np.testing.assert_array_equal(made[:, :77], painting[:, :77])


@pytest.mark.parametrize("device", WITH_SLOW_REFERENCE, indirect=True)
@pytest.mark.parametrize("look", [Look(brush=0.0), Look(brush=1.0, relief=1.0, canvas=1.0, detail=1.0)])
def test_inside_is_a_photograph_and_outside_is_painted(device: Device, look: Look) -> None:
    frame, style = pictures.noise(rgba8(160, 120)), networks.contrast(0.5)
    x = np.arange(MASK_SIDE)
    area = np.tile(255 * (x >= 80), MASK_SIDE).astype(np.uint8).tobytes()
    given, look = Masks(None, area, flat(128)), replace(look, dither=False)
    made = codes(submitted(device, style, frame, given, replace(look, photo_inside=1.0)))[0]
    half = codes(submitted(device, style, frame, given, replace(look, photo_inside=0.5)))[0]
    painting = codes(submitted(device, style, frame, NO_MASKS, replace(look, photo_inside=1.0)))[0]
    source = codes(frame)[0]
    np.testing.assert_allclose(made[:, 83:, :3], source[:, 83:, :3], atol=1)
    np.testing.assert_allclose(half[:, 83:, :3], (painting + source)[:, 83:, :3] / 2, atol=1)
    np.testing.assert_allclose(made[:, :77], painting[:, :77], atol=0 if look.brush == 0.0 else 1)


def test_a_photograph_leaves_what_the_network_made_to_be_told(device: Device) -> None:
    """A picture that is not finite is one, whatever of it is shown."""
    frame, whole = pictures.noise(rgba8(64, 48)), Masks(None, flat(255), flat(128))
    look = Look(brush=0.0, photo_inside=1.0)
    with pytest.raises(NonFiniteError):
        submitted(device, networks.not_finite(), frame, whole, look)


def test_a_photograph_is_of_the_look_that_is_shown(device: Device) -> None:
    """A frame is shown anew with another look, and back."""
    frame, given = pictures.noise(rgba8(64, 48)), Masks(None, flat(255), flat(128))
    painted, photo = Look(brush=0.0, dither=False), Look(brush=0.0, dither=False, photo_inside=1.0)
    style = networks.contrast(0.5)
    with device.stylizer(style, frame.format, frame.format, look=photo) as stylizer:
        stylizer.masks = given
        ticket = stylizer.submit(frame)
        made = codes(stylizer.fetch(ticket))[0]
        stylizer.masks = NO_MASKS
        without = codes(stylizer.fetch(stylizer.submit(frame)))[0]
        stylizer.masks = given
        again = codes(stylizer.fetch(stylizer.submit(frame)))[0]
    np.testing.assert_allclose(made[..., :3], codes(frame)[0][..., :3], atol=1)
    np.testing.assert_array_equal(made, again)
    np.testing.assert_array_equal(without, codes(submitted(device, style, frame, NO_MASKS, painted))[0])


def test_steadying_sees_the_mixture(device: Device) -> None:
    """In a film that stands still, a frame that is all film gives it to its neighbour."""
    frame, style = pictures.noise(rgba8(64, 48)), networks.contrast(0.5)
    look = Look(faces=1.0, brush=0.0, steady=1.0, dither=False)
    whole = Masks(flat(255), None, flat(128))
    made = []
    for first in (whole, NO_MASKS):
        with device.stylizer(style, frame.format, frame.format, look=look, window=TemporalWindow(1, 0)) as stylizer:
            stylizer.masks = first
            tickets = [stylizer.submit(frame)]
            stylizer.masks = NO_MASKS
            tickets.append(stylizer.submit(frame))
            made.append([codes(stylizer.fetch(ticket))[0] for ticket in tickets][1])
    assert np.abs(made[0] - made[1]).mean() > 5.0


def test_a_mask_counts_its_dispatches(device: Device) -> None:
    counts = []
    for given in (NO_MASKS, pictures.masks()):
        frame = pictures.noise(rgba8(64, 48))
        with device.stylizer(
            networks.identity(), frame.format, frame.format, look=Look(faces=1.0, brush=0.0)
        ) as stylizer:
            stylizer.masks = given
            stylizer.fetch(stylizer.submit(frame))
            counts.append(stylizer.counters.dispatches)
    assert counts[1] > counts[0]


@pytest.mark.parametrize("device", WITH_SLOW_REFERENCE, indirect=True)
def test_small_things_in_a_face_are_kept(device: Device) -> None:
    """Fine lines, which strokes draw elsewhere: an edge has no corner, and its surroundings are busy."""
    y, x = np.mgrid[:96, :128]
    film = np.repeat((128.0 + 90.0 * np.sin(1.1 * x + 0.6 * y))[..., None], 3, axis=2)
    frame, look = rgba(film), Look(faces=0.6, brush=1.0, dither=False)
    changed = []
    for face in (0, 255):
        made = submitted(device, networks.identity(), frame, Masks(flat(face), None, flat(128)), look)
        changed.append(np.abs(codes(made)[0] - codes(frame)[0])[..., :3].mean())
    assert changed[1] < 0.35 * changed[0]


# A second style

SECOND = Look(second_inside=0.8, brush=0.0, dither=False)


def of_two(first: Style | None = None, second: Style | None = None) -> Style:
    """Return a style with a second one of other padding."""
    return replace(first or networks.contrast(0.5), second=second or networks.strided_identity(4))


def right_half() -> Masks:
    """Masks with the right half of a frame as their area."""
    area = np.tile(255 * (np.arange(MASK_SIDE) >= MASK_SIDE // 2), MASK_SIDE).astype(np.uint8).tobytes()
    return Masks(None, area, flat(128))


@pytest.mark.parametrize("tiling", ["off", 64])
def test_each_style_is_seen_on_its_side(device: Device, tiling: str | int) -> None:
    frame, given = pictures.noise(rgba8(160, 120)), right_half()
    first, second = networks.contrast(0.5), networks.blend()
    negative = replace(second, mix=(0.0, 1.0))
    look = replace(SECOND, second_inside=1.0)
    made = codes(submitted(device, of_two(first, negative), frame, given, look, tiling=tiling))[0]
    there, here = (codes(submitted(device, style, frame, given, look))[0] for style in (first, negative))
    np.testing.assert_array_equal(made[:, :77], there[:, :77])
    np.testing.assert_allclose(made[:, 83:], here[:, 83:], atol=1)
    turned = Look(second_outside=1.0, brush=0.0, dither=False)
    around = codes(submitted(device, of_two(negative, first), frame, given, turned, tiling=tiling))[0]
    np.testing.assert_allclose(around, made, atol=1)


LOOKS_OF_TWO = (
    replace(SECOND, brush=1.0),
    Look(second_outside=0.7, film_inside=0.5, photo_outside=0.5, brush=0.0, dither=False),
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "look"), list(zip(STROKES, cycle(LOOKS_OF_TWO))))
def test_every_device_paints_two_styles_as_the_reference(
    tested: Device, exact: ReferenceDevice, name: str, look: Look
) -> None:
    check_alike(tested, exact, name, of_two(networks.box_blur(), networks.box_blur(1)), look)


@pytest.mark.parametrize("device", WITH_SLOW_REFERENCE, indirect=True)
def test_a_second_style_that_is_not_seen_changes_no_bit_and_runs_nothing(device: Device) -> None:
    """Neither a share of 0, nor a frame without a mask, nor an area without a pixel."""
    frame, style = pictures.noise(rgba8(96, 64)), networks.contrast(0.5)
    plain = Look(brush=1.0)
    today = codes(submitted(device, style, frame, pictures.masks(), plain))[0]
    for given, look in (
        (pictures.masks(), plain),
        (Masks(pictures.masks().faces, None, pictures.masks().luma), replace(plain, second_outside=1.0)),
        (replace_area(pictures.masks(), 0), replace(plain, second_inside=1.0)),
    ):
        two = of_two(style, networks.contrast(0.25))
        with device.stylizer(two, frame.format, frame.format, look=look) as stylizer:
            stylizer.masks = given
            np.testing.assert_array_equal(codes(stylizer.fetch(stylizer.submit(frame)))[0], today)
            assert stylizer.counters.runs == 1


def replace_area(masks: Masks, value: int) -> Masks:
    """Masks with an area of one value."""
    return Masks(masks.faces, flat(value), masks.luma, masks.face_width)


def test_both_styles_run_in_a_frame_with_a_mask(device: Device) -> None:
    frame = pictures.noise(rgba8(96, 64))
    with device.stylizer(of_two(), frame.format, frame.format, look=SECOND) as stylizer:
        for given in (right_half(), NO_MASKS, right_half()):
            stylizer.masks = given
            stylizer.fetch(stylizer.submit(frame))
        assert stylizer.counters.runs == 5


def test_weights_of_the_first_styles_paintings_leave_the_second_alone(device: Device) -> None:
    frame, given, two = pictures.noise(rgba8(96, 64)), replace_area(right_half(), 255), of_two(networks.blend())
    look = replace(SECOND, second_inside=1.0)
    made = []
    for mix in ((1.0, 0.0), (0.0, 1.0)):
        made.append(codes(submitted(device, two, frame, given, replace(look, mix=mix), moving=True))[0])
    np.testing.assert_allclose(made[0], made[1], atol=1)


def test_two_networks_have_one_precision(device: Device) -> None:
    frame, look = pictures.noise(rgba8(64, 48)), replace(SECOND, second_inside=1.0)
    half = networks.identity(half=True)
    half = replace(half, card=replace(half.card, precision="float16"))
    for two in (of_two(second=half), of_two(half, networks.contrast(0.5))):
        with device.stylizer(two, frame.format, frame.format, look=look) as stylizer:
            style = stylizer.settings.style
            assert style.second is not None
            assert style.card.precision == style.second.card.precision == "float16"
            stylizer.masks = right_half()
            made = codes(stylizer.fetch(stylizer.submit(frame)))[0]
        assert np.ptp(made[..., :3]) > 100


def test_a_second_network_of_another_size_is_refused(device: Device) -> None:
    frame, second = rgba8(64, 48), networks.contrast(0.5)
    second = replace(second, card=replace(second.card, fixed_size=(32, 32)))
    with pytest.raises(ValueError, match=r"runs at \(32, 32\) only, not at \(64, 48\)"):
        device.stylizer(of_two(second=second), frame, frame, look=SECOND)


def test_a_value_that_is_not_finite_in_the_second_painting_is_told(device: Device) -> None:
    frame = pictures.noise(rgba8(64, 48))
    with pytest.raises(NonFiniteError):
        submitted(device, of_two(second=networks.not_finite()), frame, right_half(), SECOND)
