"""Kernels of shader model 6.2 in native 16 bits: parity with float64, and what happens without them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from framebrush.gpu import fastest
from framebrush.gpu.d3d12 import engine_choice
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.engines import PainterEngine
from framebrush.gpu.d3d12.native_check import painted
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.errors import DeviceError, WrongResultError
from framebrush.gpu.hlsl import half_check
from framebrush.gpu.hlsl.painter_dispatches import NATIVE_TILES, plan_dispatches
from framebrush.gpu.painter import Painter, read_painter
from framebrush.gpu.painter_reference import computed
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style

pytestmark = [pytest.mark.windows, pytest.mark.parity]

W, H = 104, 72
TOLERANCE = half_check.TOLERANCE


@pytest.fixture(scope="module")
def realtime() -> Style:
    return load_style(bundled()["realtime"])


@pytest.fixture
def card(device: D3D12Device, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[D3D12Device]:
    """The device, which takes itself for a graphics card, without measurements of engines."""
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(fastest, "MEASURED_S", 0.0)
    monkeypatch.setattr(device.context, "info", replace(device.info, software=False))
    return device


def painter_of(style: Style) -> Painter:
    painter = read_painter(style.fixed(W, H))
    assert painter is not None
    return painter


def opened(device: D3D12Device, style: Style) -> tuple[str, str]:
    """The name of the fastest engine, and its note."""
    found = engine_choice.open_engine(device.context, style.card, style.fixed(W, H), (W, H), "painter", "shader")
    found.engine.close()
    return found.name, found.note


@pytest.mark.parametrize("name", ["realtime", "quality"])
@pytest.mark.parametrize("tile", NATIVE_TILES)
def test_native_kernels_compute_what_the_reference_does(device: D3D12Device, name: str, tile: str) -> None:
    if not device.context.native.has_halves:
        pytest.skip(f"{device.info.name} has no native 16 bits (shader model {device.context.native.shader_model})")
    painter = painter_of(load_style(bundled()[name]))
    dispatches = plan_dispatches(painter, (W, H), NATIVE_TILES[tile])
    assert dispatches is not None
    frame = np.random.default_rng(2).uniform(0, 1, (3, H, W))
    frame[:, 20:50, 30:70] = 0.8
    mix = [0.0, 0.7, 0.3, *[0.0] * (len(painter.rows) - 3)]
    got = painted(device.context, painter, dispatches, frame, mix)
    np.testing.assert_allclose(np.clip(got, 0, 1), np.clip(computed(painter, frame, mix), 0, 1), rtol=0, atol=TOLERANCE)


def test_an_adapter_without_native_16_bits_refuses_them(device: D3D12Device, realtime: Style) -> None:
    if device.context.native.has_halves:
        pytest.skip(f"{device.info.name} has native 16 bits")
    painter = painter_of(realtime)
    dispatches = plan_dispatches(painter, (W, H), NATIVE_TILES["filtered 4x2 in 16 bits"])
    assert dispatches is not None
    with pytest.raises(DeviceError, match=r"CreateComputePipelineState conv .*NATIVE=1"):
        PainterEngine(device.context, painter, dispatches, "float16", "painter")


class Unmade(PainterEngine):
    """Engine without kernels, which take minutes to compile on a processor."""

    def _make(self) -> None:
        pass

    def bind(self, frame: TensorBuffer, styled: TensorBuffer, mix: Buffer | None) -> Callable[[tuple[float, ...]], int]:
        return lambda weights: int(self.native)


def stub_time(run: Callable[[], int], wait: Callable[[], object], pixels: int) -> float:
    """Return half the time for native kernels."""
    return 1e-3 if run() else 2e-3


def test_a_driver_that_computes_wrong_is_found_once(
    card: D3D12Device, realtime: Style, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_choice, "PainterEngine", Unmade)
    checked: list[int] = []

    def wrong(*_: object) -> None:
        checked.append(1)
        raise WrongResultError("the driver computes wrong in 16 bits, by 0.5 of 1")

    monkeypatch.setattr(card.context.native, "has_halves", True)
    monkeypatch.setattr(engine_choice, "check_halves", wrong)
    monkeypatch.setattr(engine_choice, "frame_s", stub_time)
    name, note = opened(card, realtime)
    assert "16 bits" not in name
    assert note == (
        "a shader of our own paints instead of a shader of our own in 16 bits: "
        "the driver computes wrong in 16 bits, by 0.5 of 1"
    )
    assert len(checked) == len(NATIVE_TILES)
    assert opened(card, realtime) == (name, "")
    assert len(checked) == len(NATIVE_TILES)


class Refused(Unmade):
    """Engine with native kernels that every driver refuses."""

    tried = 0

    def _make(self) -> None:
        if self.native:
            Refused.tried += 1
            raise DeviceError("CreateComputePipelineState failed")


def test_native_kernels_that_a_driver_refuses_are_tried_once(
    card: D3D12Device, realtime: Style, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_choice, "PainterEngine", Refused)
    monkeypatch.setattr(card.context.native, "has_halves", True)
    monkeypatch.setattr(engine_choice, "frame_s", stub_time)
    name, note = opened(card, realtime)
    assert "16 bits" not in name
    assert note.endswith("instead of a shader of our own in 16 bits: CreateComputePipelineState failed")
    assert opened(card, realtime) == (name, "")
    assert Refused.tried == len(NATIVE_TILES)


def test_right_native_kernels_paint_where_they_are_faster(
    card: D3D12Device, realtime: Style, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_choice, "PainterEngine", Unmade)
    monkeypatch.setattr(card.context.native, "has_halves", True)
    monkeypatch.setattr(engine_choice, "check_halves", lambda *_: None)
    monkeypatch.setattr(engine_choice, "frame_s", stub_time)
    assert opened(card, realtime) == ("shader filtered 4x2 in 16 bits", "")
    visible = replace(realtime, card=replace(realtime.card, float16_codes=None))
    assert "16 bits" not in opened(card, visible)[0]
    monkeypatch.setattr(card.context.native, "has_halves", False)
    assert "16 bits" not in opened(card, realtime)[0]
