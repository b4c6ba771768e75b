"""What kernels are told: the layout of their constant buffers, as the shaders declare it."""

from __future__ import annotations

import re
from importlib.resources import files

import numpy as np
import pytest

from framebrush.gpu import colour, constants
from framebrush.gpu.frame import FrameFormat, Layout, nv12, rgba8
from framebrush.gpu.look import Look, ToneCurve, ToneMap

pytestmark = pytest.mark.unit

BYTES = {"float": 4, "uint": 4, "float2": 8, "uint2": 8, "float4": 16}


def declared(file: str) -> list[tuple[str, int]]:
    """Fields of a shader's constant buffer with the offsets that HLSL gives them: none crosses a row of 16 bytes."""
    text = (files("framebrush.gpu.d3d12") / "shaders" / file).read_text(encoding="utf-8")
    body = re.search(r"cbuffer Constants : register\(b0\) \{(.*?)\n\};", text, re.S)
    assert body
    fields, offset = [], 0
    for kind, name, count in re.findall(r"^\s+(\w+) (\w+)(?:\[(\d)\])?;", body[1], re.M):
        size = BYTES[kind]
        if offset % 16 + size > 16 or count:
            offset = -(-offset // 16) * 16
        fields.append((name, offset))
        offset += size * int(count or 1)
    return fields


@pytest.mark.parametrize(
    ("file", "dtype"),
    [
        ("planes_to_tensor.hlsl", constants.CONVERT),
        ("look.hlsli", constants.OUTPUT),
        ("copy_window.hlsl", constants.WINDOW),
        ("resample.hlsli", constants.RESAMPLE),
        ("stroke.hlsli", constants.STROKES),
        ("relief.hlsli", constants.RELIEF),
        ("table.hlsl", constants.TABLE),
    ],
)
def test_records_lie_as_the_shaders_declare_them(file: str, dtype: np.dtype) -> None:
    fields = declared(file)
    assert fields == [(name, dtype.fields[name][1]) for name in dtype.names]


def test_the_chroma_filter_is_that_of_the_reference() -> None:
    target = nv12(8, 8)
    record = constants.output((8, 8), (8, 8), (8, 8), target, Look())
    np.testing.assert_array_equal(record["taps_x"], [0.25, 0.5, 0.25, 0])  # left
    np.testing.assert_array_equal(record["taps_y"], [0, 0.5, 0.5, 0])  # between
    for taps in constants.TAPS.values():
        assert sum(taps) == 1.0


def test_a_neutral_look_skips_the_curve() -> None:
    def curve(look: Look) -> float:
        return float(constants.output((4, 4), (4, 4), (4, 4), rgba8(4, 4), look)["curve"])

    assert curve(Look()) == 0.0
    assert curve(Look(tone_curve=ToneCurve.REINHARD)) == 0.0  # the identity at a peak of 1
    assert curve(Look(tone_curve=ToneCurve.HABLE)) == 3.0
    assert curve(Look(exposure_ev=0.1)) == 1.0


def test_hable_is_normalised_to_its_peak() -> None:
    for peak in (1.0, 4.0, 1000 / 203):
        unit = float(colour.hable(1.0, peak))
        a, b, c, d, e, f = colour.HABLE
        raw = (1 * (a + c * b) + d * e) / ((a + b) + d * f) - e / f
        assert raw * constants.hable_scale(peak) == pytest.approx(unit, rel=1e-12)


def test_grey_has_neutral_chroma() -> None:
    record = constants.convert(FrameFormat(4, 4, Layout.GREY), (4, 4), ToneMap.BT2390)
    for row in record["to_rgb"]:  # white, whatever the chroma that is not there
        assert row[0] * 235 / 255 + row[3] == pytest.approx(1.0, abs=1e-6)
        assert row[0] * 16 / 255 + row[3] == pytest.approx(0.0, abs=1e-6)
