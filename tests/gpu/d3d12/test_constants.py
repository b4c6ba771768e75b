"""The layout of the kernels' constant buffers, as the shaders declare it."""

from __future__ import annotations

import re
from importlib.resources import files

import numpy as np
import pytest

from framebrush.gpu import colour, layouts
from framebrush.gpu.frame import FrameFormat, PlaneOrder, nv12, rgba8
from framebrush.gpu.hlsl.hlsl_records import LAYOUTS
from framebrush.gpu.look import Look, ToneCurve, ToneMap
from framebrush.gpu.stages import planes_to_tensor, steady, strokes, tensor_to_planes

pytestmark = pytest.mark.unit

BYTES = {"float": 4, "uint": 4, "float2": 8, "uint2": 8, "float4": 16, "uint4": 16}
SHADERS = files("framebrush.gpu.d3d12") / "shaders"


def offsets(declaration: str) -> list[tuple[str, int]]:
    """Fields of a constant buffer with the offsets that HLSL gives them: none crosses a row of 16 bytes."""
    found, offset = [], 0
    for kind, name, count in re.findall(r"^\s+(\w+) (\w+)(?:\[(\d+)\])?;", declaration, re.M):
        size = BYTES[kind]
        if offset % 16 + size > 16 or count:
            offset = -(-offset // 16) * 16
        found.append((name, offset))
        offset += size * int(count or 1)
    return found


@pytest.mark.parametrize("name", LAYOUTS)
def test_records_lie_as_the_shaders_declare_them(name: str) -> None:
    record = LAYOUTS[name]
    assert offsets(layouts.hlsl(record)) == [(field, record.fields[field][1]) for field in record.names]
    assert record.itemsize <= 512  # of a buffer


def test_every_shader_takes_its_constants_from_a_record() -> None:
    taken = set()
    for file in SHADERS.iterdir():
        text = file.read_text(encoding="utf-8")
        own = re.search(r"cbuffer (?!Weights : register\(b1\))", text)
        assert not own, f"{file.name} declares constants of its own"
        taken |= set(layouts.DECLARATION.findall(text))
    assert taken == LAYOUTS.keys() - {"STROKES"}  # that of CUDA


def test_the_chroma_filter_is_that_of_the_reference() -> None:
    target = nv12(8, 8)
    record = tensor_to_planes.output((8, 8), (8, 8), (8, 8), target, Look())
    np.testing.assert_array_equal(record["taps_x"], [0.25, 0.5, 0.25, 0])  # left
    np.testing.assert_array_equal(record["taps_y"], [0, 0.5, 0.5, 0])  # between
    for taps in tensor_to_planes.TAPS.values():
        assert sum(taps) == 1.0


def test_a_neutral_look_skips_the_curve() -> None:
    def curve(look: Look) -> float:
        return float(tensor_to_planes.output((4, 4), (4, 4), (4, 4), rgba8(4, 4), look)["curve"])

    assert curve(Look()) == 0.0
    assert curve(Look(tone_curve=ToneCurve.REINHARD)) == 0.0  # the identity at a peak of 1
    assert curve(Look(tone_curve=ToneCurve.HABLE)) == 3.0
    assert curve(Look(exposure_ev=0.1)) == 1.0


def test_hable_is_normalised_to_its_peak() -> None:
    for peak in (1.0, 4.0, 1000 / 203):
        unit = float(colour.hable(1.0, peak))
        a, b, c, d, e, f = colour.HABLE
        raw = (1 * (a + c * b) + d * e) / ((a + b) + d * f) - e / f
        assert raw * colour.hable_scale(peak) == pytest.approx(unit, rel=1e-12)


def test_grey_has_neutral_chroma() -> None:
    record = planes_to_tensor.convert(FrameFormat(4, 4, PlaneOrder.GREY), (4, 4), ToneMap.BT2390)
    for row in record["to_rgb"]:  # white, whatever the chroma that is not there
        assert row[0] * 235 / 255 + row[3] == pytest.approx(1.0, abs=1e-6)
        assert row[0] * 16 / 255 + row[3] == pytest.approx(0.0, abs=1e-6)


def test_constants_of_strokes_are_those_of_the_stages() -> None:
    text = (SHADERS / "stroke_constants.hlsli").read_text(encoding="utf-8")
    defined = dict(re.findall(r"^#define (\w+) (\S+)$", text, re.M))
    assert len(defined) > 30
    for name, value in defined.items():
        source = steady if hasattr(steady, name) else strokes
        assert float(value.rstrip("u")) == getattr(source, name), name
