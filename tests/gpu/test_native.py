"""The compiled CPU kernels: constants, processor levels, and the interface to Python."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from framebrush.gpu import c_kernels, colour
from framebrush.gpu.c_kernels import LEVELS, kernel, library
from framebrush.gpu.cpu.stages import kernels
from framebrush.gpu.cpu.stages import stroke_kernels as kernels_of_strokes
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Matrix
from framebrush.gpu.stages import corners, masks, relief, steady, strokes
from framebrush.gpu.stages.lighting import LIGHTING, RELIEF
from framebrush.models.soft_masks import MASK_SIDE
from framebrush.subject import block_motion
from tools import cpu_kernels as compiling

pytestmark = pytest.mark.unit

RED, GREEN, BLUE = colour.luma_weights(Matrix.BT709)
CONSTANTS = {
    "LUMA_RED": RED,
    "LUMA_GREEN": GREEN,
    "LUMA_BLUE": BLUE,
    "REST_TENSOR_X": strokes.REST_TENSOR[0],
    "REST_TENSOR_Y": strokes.REST_TENSOR[1],
    "CELL_PX": corners.CELL_PX,
    "LEAST_CORNER": corners.LEAST,
    "PER_CORNER": 1.0 / (corners.MOST - corners.LEAST),
    "FLAT": corners.FLAT,
    "PER_BUSY": 1.0 / (corners.BUSY - corners.FLAT),
    "KEPT_LEAST": corners.KEPT_LEAST,
    "PER_KEPT": 1.0 / (corners.KEPT_MOST - corners.KEPT_LEAST),
    "MASK_SIDE": MASK_SIDE,
    "SUBJECT_BLOCK": block_motion.BLOCK,
    "SUBJECT_REACH": block_motion.REACH,
    "ALIKE_LUMA": masks.ALIKE_LUMA,
    "BLOCK_CELLS": corners.BLOCK_CELLS,
    "SPARSE": corners.SPARSE,
    "PER_DENSE": 1.0 / (corners.DENSE - corners.SPARSE),
    "PER_BODY_LUMA": 1.0 / relief.BODY_LUMA,
    "PER_THICK_LUMA": 1.0 / relief.THICK_LUMA,
    "BLOCK_PX": steady.BLOCK_PX,
} | {
    name: getattr(module, name)
    for module, names in (
        (steady, "SAMPLES COARSE_CELLS FINE_PX STEP_BIAS REST_BIAS SURE_NOISE SURE_SHARE TOGETHER_PX SIXTEENTHS"),
        (
            strokes,
            "UNITS NONE MOST_OFFSET LIFE GROWTH FILL_EVERY FILL_LIFE FILL_GROWTH FILL_SHRINK COVERING TWINS "
            "LOOK_EVERY LOOKS GRADES FEW_GRADES AROUND_GRADES ALIKE FORGOTTEN UNFOLLOWED NEED_ALIKE "
            "UNSURE_EIGHTHS DISTINCT_PX DISTINCT_COST CAMERA_BIAS DISTINCT MOVES LOST AGREEMENT AGREEMENT_REST "
            "FIRST_CELLS POINTS NOISE_SIZE PROPERTY TENSOR_FILM FAR_SHARE FARTHER_SHARE FILM_NEED "
            "LEAST_SEEN LEAST_GROWN LEAST_LENGTH TURN COVERED GROUND_HEIGHT "
            "MAP_SIDE MARK_ROWS MARK_COLUMNS MARK_END MARK_TIP MARK_FULL TINY",
        ),
    )
    for name in names.split()
}


def test_constants_are_those_of_the_stages() -> None:
    text = (compiling.SOURCES / "constants.h").read_text(encoding="utf-8")
    defined = {
        name: float(value.rstrip("fu")) for name, value in re.findall(r"^#define (\w+) (\S+)$", text, re.MULTILINE)
    }
    assert defined.keys() == CONSTANTS.keys()
    for name, value in CONSTANTS.items():
        assert np.float32(defined[name]) == np.float32(value), name


def test_figures_of_a_brush_lie_as_c_has_them() -> None:
    text = (compiling.SHARED / "figures.h").read_text(encoding="utf-8")
    (declared,) = re.findall(r"^typedef struct { float (.*); } Figures;$", text, re.MULTILINE)
    assert declared.split(", ") == [name for name, _ in strokes.FIGURES]


def test_the_record_of_relief_lies_as_c_has_it() -> None:
    text = (compiling.SHARED / "relief.h").read_text(encoding="utf-8")
    (declared,) = re.findall(r"^typedef struct \{\n(.*?)^\} Lighting;$", text, re.MULTILINE | re.DOTALL)
    fields = [field for line in re.findall(r"^  float (.*);$", declared, re.MULTILINE) for field in line.split(", ")]
    expected = [name + "".join(f"[{length}]" for shape in shapes for length in shape) for name, _, *shapes in LIGHTING]
    assert fields == expected
    assert RELIEF.fields[LIGHTING[-1][0]][1] == 4 * (4 + 4 + len(fields) - 3)  # without gaps


def test_every_level_gives_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of every level that this processor has give equal results."""
    loaded, level = library()
    levels = [name for number, name in LEVELS.items() if number <= loaded.framebrush_level() and number > 1] or [level]
    random = np.random.default_rng(1)
    light, weights = random.random((37, 53), np.float32), random.random(7, np.float32)
    made = []
    for name in levels:
        monkeypatch.setattr(c_kernels, "library", lambda name=name: (loaded, name))
        tensor = np.zeros_like(light)
        again = kernel(scratch=lambda *_: 1000)(kernels.blur.__wrapped__)  # type: ignore[attr-defined]
        again(light, weights, tensor, 0, len(light))
        made.append(tensor)
    assert np.abs(made[0]).max() > 1e-3
    for other in made[1:]:
        np.testing.assert_array_equal(made[0], other)


def test_an_array_that_c_would_read_wrongly_is_refused() -> None:
    plane, weights = np.zeros((8, 8), np.float32), np.ones(3, np.float32)
    for wrong in (plane.astype(np.float64), plane.T[::2].T, plane[0], plane[::2]):
        with pytest.raises(TypeError, match=r"^blur's plane is .* not 2 axes of float32 without gaps$"):
            kernels.blur(wrong, weights, plane.copy(), 0, 8)
    grid = kernels.Grid(2, 1, *np.zeros((2, 4), np.int64), np.zeros(4, np.float32))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^cell_means's grid\.low is int64"):
        kernels.cell_means(np.zeros((3, 4, 4), np.float32), grid, np.zeros((1, 1), np.float32), 0, 1)


def test_rows_and_planes_that_lie_apart_are_taken_where_that_is_allowed() -> None:
    frame = np.random.default_rng(2).random((3, 40, 60), np.float32)
    whole, part = np.zeros((3, 4, 5), np.float32), np.zeros((3, 4, 5), np.float32)
    shown = frame[:, 8:24, 16:36]
    kernels.corner_structure(np.ascontiguousarray(shown), 20, 16, whole, 0, 4)
    kernels.corner_structure(shown, 20, 16, part, 0, 4)
    assert whole.max() > 0.0
    np.testing.assert_array_equal(whole, part)


def test_arguments_are_packed_once_for_all_frames_and_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []

    class Counted(np.ndarray):  # type: ignore[type-arg]
        @property
        def ctypes(self) -> Any:  # noqa: ANN401
            packed.append(self.ndim)
            return super().ctypes

    @kernel(scratch=lambda *_: 0)
    def next_level(level: c_kernels.Floats3, made: c_kernels.Floats3, y0: int, y1: int) -> None: ...

    level = np.random.default_rng(5).random((4, 64, 4096), np.float32).view(Counted)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    made, workers = np.zeros((4, 32, 2048), np.float32).view(Counted), Workers()
    try:
        for _ in range(3):
            workers.run(32, 32_000, next_level, level, made)
    finally:
        workers.close()
    np.testing.assert_allclose(made, level.reshape(4, 32, 2, 2048, 2).mean((2, 4)), rtol=1e-5)
    assert packed == [3, 3]


def test_an_array_in_the_place_of_a_former_one_is_packed_anew() -> None:
    for _ in range(50):
        level, made = np.ones((4, 4, 8), np.float32), np.zeros((4, 2, 4), np.float32)
        kernels_of_strokes.next_level(level, made, 0, 2)
        assert made.min() == made.max() == 1.0
        with pytest.raises(TypeError, match="level is float64"):
            kernels_of_strokes.next_level(level.astype(np.float64), made, 0, 2)  # type: ignore[arg-type]


def test_what_cannot_be_loaded_or_run_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(c_kernels, "LIBRARY", tmp_path / "missing.so")
    with pytest.raises(
        DeviceError, match=r"the kernels of the CPU cannot be loaded \(.*missing.*\); install Framebrush"
    ):
        library.__wrapped__()

    class Old:
        @staticmethod
        def framebrush_level() -> int:
            return 0

    monkeypatch.setattr(ctypes, "CDLL", lambda _: Old())
    with pytest.raises(DeviceError, match="older than x86-64-v2"):
        library.__wrapped__()


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="needs zig, as `dev.py test` has it")
@pytest.mark.parametrize(
    ("system", "begins", "levels"),
    [("windows-x86_64", b"MZ", ("v2", "v3")), ("macos-aarch64", b"\xcf\xfa\xed\xfe", ("base",))],
)
def test_zig_makes_the_library_of_another_system(
    tmp_path: Path, system: str, begins: bytes, levels: tuple[str, ...]
) -> None:
    made = tmp_path / "kernels"
    compiling.compile_all(system, made)
    content = made.read_bytes()
    assert content.startswith(begins)
    for name in ("framebrush_level", *(f"shine_{level}" for level in levels)):
        assert name.encode() in content


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="needs zig, as `dev.py test` has it")
def test_one_library_is_for_every_mac(tmp_path: Path) -> None:
    """Loaders read a big-endian table of two libraries, one for each kind of processor."""
    made = tmp_path / "kernels"
    compiling.compile_all("macos-universal", made)
    content = made.read_bytes()
    assert struct.unpack_from(">II", content) == (0xCAFEBABE, 2)
    end = 8 + 2 * 20
    for number, (kind, levels) in enumerate(((0x01000007, ("v2", "v3")), (0x0100000C, ("base",)))):
        processor, _, begin, size, page = struct.unpack_from(">iiIII", content, 8 + 20 * number)
        assert (processor, begin % (1 << page), page) == (kind, 0, 14)
        assert end <= begin < begin + size <= len(content)
        part, end = content[begin : begin + size], begin + size
        magic, same, _, file_kind = struct.unpack_from("<IiiI", part)
        assert (magic, same, file_kind) == (0xFEEDFACF, kind, 6)  # 64 bits, and a library
        for name in ("framebrush_level", *(f"shine_{level}" for level in levels)):
            assert name.encode() in part


def test_a_compiler_that_fails_says_why(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CC", "false")
    with pytest.raises(compiling.BuildError, match=r"^false .* ended with 1"):
        compiling.compile_all(compiling.this_system(), tmp_path / "made.so")
    with pytest.raises(compiling.BuildError, match="not for plan9-mips"):
        compiling.compile_all("plan9-mips", tmp_path / "made.so")
    assert list(tmp_path.iterdir()) == []


def test_what_is_compiled_is_compiled_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    made = tmp_path / "libmade.so"
    compiled: list[str] = []
    monkeypatch.setattr(compiling, "library", lambda system: made)
    monkeypatch.setattr(compiling, "compile_all", lambda system, into: (compiled.append(system), into.touch()))
    compiling.build("linux-x86_64")
    compiling.build("linux-x86_64")
    assert compiled == ["linux-x86_64"]
    monkeypatch.setattr(compiling, "digest", lambda: "another")
    compiling.build("linux-x86_64")
    assert compiled == ["linux-x86_64"] * 2
