"""Strokes that correct masks: where they count, how they are carried, and which files are refused."""

from __future__ import annotations

import json
import math
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from framebrush.models.soft_masks import MASK_SIDE
from framebrush.subject.corrections import FADES, REACH, Corrections, Kind, Layer, Stroke, corrected, width_of
from framebrush.subject.following import SIDE, followed

pytestmark = pytest.mark.unit

SIZE = 320, 180
DAB = Stroke(10, "area", 30.0, ((160.0, 90.0),))


def samples(layer: Layer) -> npt.NDArray[np.uint8]:
    return np.frombuffer(layer.samples, np.uint8).reshape(MASK_SIDE, MASK_SIDE)


def at(stroke: Stroke, number: int) -> npt.NDArray[np.uint8]:
    (layer,) = Corrections(*SIZE, (stroke,)).at(number)
    return samples(layer)


def test_a_dab_is_round_in_the_frame_and_counts_in_its_frame_alone() -> None:
    drawn = at(DAB, 10)
    rows, columns = (np.flatnonzero(drawn.max(axis=axis) > 127) for axis in (1, 0))
    assert len(columns) == pytest.approx(60 / SIZE[0] * MASK_SIDE, abs=1.5)
    assert len(rows) == pytest.approx(60 / SIZE[1] * MASK_SIDE, abs=1.5)
    assert (rows.mean(), columns.mean()) == pytest.approx((79.5, 79.5), abs=0.6)
    assert Corrections(*SIZE, (DAB,)).at(11) == ()


def test_a_line_reaches_from_point_to_point() -> None:
    drawn = at(replace(DAB, radius=9.0, points=((40.0, 45.0), (280.0, 45.0), (280.0, 150.0))), 10)
    assert drawn[40, 20:140].min() == drawn[40:133, 140].min() == 255
    assert drawn[80, 60] == 0


def test_motions_move_enlarge_and_fade_a_stroke() -> None:
    motions = tuple((1.0 + 0.01 * n, 0.0, 2.0 * n - 1.6 * n, -0.9 * n) for n in range(-REACH, REACH + 1))
    carried = replace(DAB, frame=REACH, first=0, motions=motions)
    assert carried.motion_at(REACH) == (1.0, 0.0, 0.0, 0.0)
    assert carried.motion_at(2 * REACH + 1) is None
    later = at(carried, REACH + 20)
    columns = np.flatnonzero(later.max(axis=0) > 127)
    assert len(columns) == pytest.approx(1.2 * 30, abs=1.5)
    assert columns.mean() == pytest.approx((160 * 1.2 + 8) / 2 - 0.5, abs=0.6)
    opacities = [int(at(carried, number).max()) for number in range(REACH + 1, 2 * REACH + 1)]
    assert opacities[: REACH - FADES] == [255] * (REACH - FADES)
    assert 0 < opacities[-1] < 30
    assert max(-np.diff(opacities)) < 30


@pytest.mark.parametrize("size", [(1, 1), (65536, 1)])
def test_absurd_sizes_are_drawn_at_once(size: tuple[int, int]) -> None:
    far = ((0.0, 0.0), (2e5, -2e5), (2e5, 2e5))
    strokes = Stroke(0, "area", 65536.0, far, 0, ((16.0, 0.0, 2e5, 0.0),)), Stroke(0, "remove", 1e-9, far)
    began = time.process_time()
    assert len(Corrections(*size, strokes).at(0)) == 2
    assert time.process_time() - began < 2.0  # it took minutes


def test_strokes_count_in_their_order() -> None:
    kinds: tuple[Kind, ...] = ("area", "remove", "area", "area")
    strokes = tuple(replace(DAB, kind=kind, radius=30.0 - 8 * n) for n, kind in enumerate(kinds))
    layers = Corrections(*SIZE, strokes).at(10)
    assert [layer.kind for layer in layers] == ["area", "remove", "area"]
    _, area = corrected(None, bytes(MASK_SIDE**2), layers, inverted=False, finds_faces=False)
    assert area is not None
    row = np.frombuffer(area, np.uint8).reshape(MASK_SIDE, MASK_SIDE)[80]
    assert (row[80], row[80 + 9], row[80 + 13], row[80 + 17]) == (255, 0, 255, 0)


@pytest.mark.parametrize("inverted", [False, True])
def test_kinds_change_their_masks(inverted: bool) -> None:
    half = bytes([100]) * MASK_SIDE**2
    middle = MASK_SIDE * 80 + 80
    found: dict[Kind, list[int]] = {}
    for kind in ("area", "faces", "remove"):
        layers = Corrections(*SIZE, (replace(DAB, kind=kind),)).at(10)
        faces, area = corrected(half, half, layers, inverted=inverted, finds_faces=True)
        assert faces is not None
        assert area is not None
        assert faces[0] == area[0] == 100
        found[kind] = [faces[middle], area[middle]]
    inside, outside = (0, 255) if inverted else (255, 0)
    assert found == {"area": [100, inside], "faces": [255, 100], "remove": [0, outside]}


def test_faces_are_painted_where_nobody_was_found_and_removed_whole() -> None:
    painted = Corrections(*SIZE, (replace(DAB, kind="faces"),)).at(10)
    faces, area = corrected(None, None, painted, inverted=False, finds_faces=True)
    assert faces is not None
    assert width_of(faces) == pytest.approx(60 / 320, abs=0.01)
    assert area is None
    assert corrected(None, None, painted, inverted=False, finds_faces=False) == (None, None)
    gone = Corrections(*SIZE, (replace(DAB, kind="remove", radius=400.0),)).at(10)
    assert corrected(faces, None, gone, inverted=False, finds_faces=True) == (None, None)


def moved(number: int) -> npt.NDArray[np.uint8]:
    """Return a frame's luma: the picture moves by (2.1, 0.7) px and grows by 0.3 % a frame."""
    noise = np.random.default_rng(0).integers(0, 256, (70, 70), np.uint8)
    picture = Image.fromarray(noise).resize((1120, 1120), Image.Resampling.BICUBIC)
    grown = 1.003**number
    across, down = SIZE[0] / SIDE / grown, SIZE[1] / SIDE / grown
    turn = across, 0.0, 400 - 2.1 * number, 0.0, down, 400 - 0.7 * number
    return np.asarray(picture.transform((SIDE, SIDE), Image.Transform.AFFINE, turn, Image.Resampling.BICUBIC))


@pytest.mark.slow
def test_a_stroke_follows_a_moving_and_growing_picture_both_ways() -> None:
    stroke = replace(DAB, frame=40, points=((120.0, 80.0), (170.0, 100.0)), radius=20.0)
    found = followed(stroke, SIZE, [moved(number) for number in range(20, 71)], 20)
    assert (found.first, len(found.motions)) == (20, 51)
    assert found.bare == stroke
    for number in (20, 39, 41, 70):
        motion = found.motion_at(number)
        assert motion is not None
        a, b, x, y = motion
        u, v = 145.0, 90.0
        grown = 1.003**number
        there = (u / 1.003**40 + 2.1 * (number - 40)) * grown, (v / 1.003**40 + 0.7 * (number - 40)) * grown
        assert (a * u - b * v + x, b * u + a * v + y) == pytest.approx(there, abs=2.0)


def turned(number: int) -> npt.NDArray[np.uint8]:
    """Return a frame's luma: the picture turns by half a degree a frame, about (150, 70)."""
    noise = np.random.default_rng(0).integers(0, 256, (70, 70), np.uint8)
    picture = Image.fromarray(noise).resize((1120, 1120), Image.Resampling.BICUBIC)
    cos, sin, across, down = *unit(number), SIZE[0] / SIDE, SIZE[1] / SIDE
    turn = (cos * across, sin * down, 550 - cos * 150 - sin * 70, -sin * across, cos * down, 470 + sin * 150 - cos * 70)
    return np.asarray(picture.transform((SIDE, SIDE), Image.Transform.AFFINE, turn, Image.Resampling.BICUBIC))


def unit(number: int) -> tuple[float, float]:
    return math.cos(math.radians(number / 2)), math.sin(math.radians(number / 2))


def test_a_stroke_turns_with_the_picture() -> None:
    stroke = replace(DAB, frame=0, points=((120.0, 80.0), (170.0, 100.0)), radius=20.0)
    found = followed(stroke, SIZE, [turned(number) for number in range(25)], 0)
    for number in (1, 12, 24):
        motion = found.motion_at(number)
        assert motion is not None
        a, b, x, y = motion
        cos, sin = unit(number)
        assert (a, b) == pytest.approx((cos, sin), abs=0.045)
        for u, v in stroke.points:
            there = 150 + cos * (u - 150) - sin * (v - 70), 70 + sin * (u - 150) + cos * (v - 70)
            assert (a * u - b * v + x, b * u + a * v + y) == pytest.approx(there, abs=1.25)


def test_a_stroke_stays_where_nothing_is_seen() -> None:
    grey = np.full((SIDE, SIDE), 90, np.uint8)
    found = followed(replace(DAB, frame=1), SIZE, [grey, grey, grey], 0)
    assert found.motions == ((1.0, 0.0, 0.0, 0.0),) * 3


def test_a_file_has_what_was_written(tmp_path: Path) -> None:
    written = Corrections(*SIZE, (DAB, replace(DAB, kind="remove", first=10, motions=((1.0, 0.0, 0.25, -3.0),))))
    file = tmp_path / "mask.json"
    file.write_text(written.content)
    assert Corrections.read(file) == written


WHOLE: dict[str, Any] = {
    "width": 320,
    "height": 180,
    "strokes": [{"frame": 3, "kind": "area", "radius": 5, "points": [[1, 2]], "first": 3, "motions": [[1, 0, 0, 0]]}],
}


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("frame", -1, "frame -1 is no number of a frame"),
        ("kind", "people", "must be one of area, faces, remove"),
        ("radius", 0, "radius of 0"),
        ("radius", 1e9, "radius of 1e"),
        ("radius", float("nan"), "finite number"),
        ("points", [], "0 points"),
        ("points", [[1, 2]] * 501, "501 points"),
        ("points", [[1, 2, 3]], "3 values; it must have 2"),
        ("points", [[1, 1e12]], "farther away"),
        ("first", 4, "not of this stroke"),
        ("motions", [[1, 0, 0, 0]] * 98, "not of this stroke"),
        ("motions", [[0, 0, 0, 0]], "not one that a film has"),
        ("motions", [[1e9, 0, 0, 0]], "not one that a film has"),
        ("motions", [[1, 0, 1e15, 0]], "not one that a film has"),
        ("colour", 1, "unknown field"),
    ],
)
def test_impossible_strokes_are_refused(tmp_path: Path, field: str, value: object, words: str) -> None:
    file = tmp_path / "mask.json"
    (stroke,) = WHOLE["strokes"]
    file.write_text(json.dumps({**WHOLE, "strokes": [{**stroke, field: value}]}))
    with pytest.raises(ValueError, match=words):
        Corrections.read(file)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{", "\x00", "[" * 100_000),
        *(
            json.dumps(WHOLE | change)
            for change in (
                *({"width": 0}, {"version": 2}, {"strokes": WHOLE["strokes"] * 1001}),
                {"strokes": [{**WHOLE["strokes"][0], "points": [[1, 2]] * 500}] * 101},
            )
        ),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mask.json"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"."):
        Corrections.read(file)
    assert Corrections.read(_written(tmp_path, json.dumps(WHOLE))).strokes[0].radius == 5


def _written(folder: Path, text: str) -> Path:
    file = folder / "whole.json"
    file.write_text(text)
    return file
