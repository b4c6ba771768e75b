"""Sizes of strokes that masks ask for."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.strokes import StrokeLayout
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS, OIL, BrushKind, Maps
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.subject.composition import PRESENT, composed, enlarged

pytestmark = pytest.mark.unit

SIZES = Sizes((640, 360), (640, 360), (640, 360), (640, 360), stroke_px=20.0)
LAYOUT = StrokeLayout.of(OIL, SIZES)
LUMA = bytes(MASK_SIDE**2)
CENTRE, CORNER = (MAP_SIDE // 2, MAP_SIDE // 2), (2, 2)


def square(side: int) -> bytes:
    """Return a mask with a square of 255 in the middle."""
    codes = np.zeros((MASK_SIDE, MASK_SIDE), np.uint8)
    low = (MASK_SIDE - side) // 2
    codes[low : low + side, low : low + side] = 255
    return codes.tobytes()


def sizes(
    masks: Masks, layout: StrokeLayout = LAYOUT, *, faces: float = 0.0, focus: float = 0.0
) -> npt.NDArray[np.uint8]:
    found = composed(NO_MAPS, masks, Look(brush=1.0, faces=faces, focus=focus), layout)
    assert found.sizes is not None
    return np.frombuffer(found.sizes, np.uint8).reshape(MAP_SIDE, MAP_SIDE)


def face(width_px: float) -> Masks:
    return Masks(faces=square(60), luma=LUMA, face_width=width_px / 640)


def test_focus_is_fine_inside_and_broad_outside_and_grows() -> None:
    masks = Masks(area=square(60), luma=LUMA)
    found = [sizes(masks, focus=focus) for focus in (0.3, 0.6, 1.0)]
    centres, corners = [each[CENTRE] for each in found], [each[CORNER] for each in found]
    assert AS_NEEDED > centres[0] > centres[1] > centres[2] >= AS_NEEDED // 2
    assert AS_NEEDED < corners[0] < corners[1] < corners[2] == 255


def test_the_farther_the_broader_but_for_the_subject() -> None:
    far = np.repeat(np.arange(MASK_SIDE, dtype=np.uint8)[:, None], MASK_SIDE, 1).tobytes()  # the farther the lower
    masks = Masks(area=square(60), luma=LUMA)
    without, found = (sizes(each, focus=1.0) for each in (masks, replace(masks, far=far)))
    assert found[CENTRE] == without[CENTRE]
    column = found[:, 2].astype(int)
    assert (np.diff(column) >= 0).all()
    assert AS_NEEDED < column[0] < column[-1] < 255
    assert (sizes(replace(masks, far=bytes([255]) * MASK_SIDE**2), focus=1.0) == without).all()


def test_focus_counts_faces_without_an_area() -> None:
    found = sizes(face(60), focus=1.0)
    assert found[CENTRE] < AS_NEEDED < found[CORNER] == 255


def test_the_smaller_a_face_the_more_layers_are_full() -> None:
    widths = [layer.width_px for layer in LAYOUT.layers]
    assert len(widths) > 3
    found = [int(sizes(face(40 * width), faces=0.6)[CENTRE]) for width in widths]
    steps = len(widths) - 1
    assert found == [round(AS_NEEDED * (1 - index / steps)) for index in range(steps + 1)]
    assert sizes(face(60), faces=1.0)[CENTRE] == 0  # no finer ones than the finest
    assert sizes(face(60), faces=0.6)[CORNER] == AS_NEEDED


def test_faces_below_the_default_count_less() -> None:
    assert 0 < sizes(face(60), faces=0.3)[CENTRE] < AS_NEEDED


def test_surroundings_follow_the_subject_as_it_leaves() -> None:
    """Without a jump: the corner falls with the subject's share of the frame."""
    sides = range(40, 1, -1)
    corners = [int(sizes(Masks(area=square(side), luma=LUMA), focus=1.0)[CORNER]) for side in sides]
    assert corners[0] == 255
    assert corners[-1] <= AS_NEEDED + 0.05 * 128
    assert all(0 <= first - second <= 20 for first, second in pairwise(corners))
    assert (sides[0] / MASK_SIDE) ** 2 > PRESENT > (sides[-1] / MASK_SIDE) ** 2


@pytest.mark.parametrize(
    ("masks", "look", "layout"),
    [
        (NO_MASKS, Look(brush=1.0, faces=0.6, focus=1.0), LAYOUT),
        (face(60), Look(brush=1.0, faces=0.0), LAYOUT),
        (Masks(area=square(60), luma=LUMA), Look(brush=1.0, faces=0.6), LAYOUT),
        (face(60), Look(faces=0.6, focus=1.0), None),
    ],
)
def test_without_a_subject_or_strokes_maps_stay_the_same_object(
    masks: Masks, look: Look, layout: StrokeLayout | None
) -> None:
    given = Maps(directions=bytes(2 * MAP_SIDE**2))
    assert composed(given, masks, look, layout) is given


def test_a_map_of_the_user_wins_and_directions_stay() -> None:
    look = Look(brush=1.0, faces=0.6, focus=1.0)
    given = Maps(sizes=bytes(MAP_SIDE**2))
    assert composed(given, face(60), look, LAYOUT) is given
    leads = Maps(directions=bytes([7]) * (2 * MAP_SIDE**2))
    assert composed(leads, face(60), look, LAYOUT).directions == leads.directions


def test_a_brush_of_one_size_has_no_finer_layer() -> None:
    layout = StrokeLayout.of(BrushKind((1.0,), (2.0,), 0.0, 0.03), SIZES)
    assert sizes(face(60), layout, faces=0.6)[CENTRE] == AS_NEEDED


def test_masks_are_enlarged_as_by_pillow() -> None:
    codes = np.random.default_rng(1).integers(0, 256, (MASK_SIDE, MASK_SIDE), np.uint8)
    codes[40:60] = 0
    expected = Image.fromarray(codes).resize((MAP_SIDE, MAP_SIDE), Image.Resampling.BILINEAR)
    np.testing.assert_array_equal(enlarged(codes.tobytes()), np.asarray(expected))
