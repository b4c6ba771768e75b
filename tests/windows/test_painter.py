"""The painter's own kernels against ONNX Runtime on the processor, and which engine paints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime as ort
import pytest

from framebrush.gpu import fastest
from framebrush.gpu.d3d12 import adapters, engine_choice
from framebrush.gpu.d3d12 import ort as ort_api
from framebrush.gpu.d3d12.device import D3D12Device, open_device
from framebrush.gpu.d3d12.engines import PainterEngine
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8, yuv420p
from framebrush.gpu.hlsl.painter_dispatches import TILES, Tile, plan_dispatches
from framebrush.gpu.look import Look
from framebrush.gpu.painter import read_painter
from framebrush.gpu.settings import EngineName
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.models.style import Style
from tests import networks
from tests.gpu.contract import assert_alike, painted
from tests.gpu.pictures import scene
from tests.windows.harness import Picture, read_tensor, write_tensor

pytestmark = [pytest.mark.windows, pytest.mark.parity]

W, H = 104, 72
PLAIN = Look(brush=0.0, relief=0.0, steady=0.0, dither=False)

# Of a picture 0..1. float32: sums of some hundred products, a dozen times. float16: half a step of what layers are
# stored in, at each of them: a quarter of a code.
TOLERANCE = {"float32": 5e-6, "float16": 1e-3}


@pytest.fixture(scope="module")
def realtime() -> Style:
    return load_style(bundled()["realtime"])


@pytest.fixture
def card(device: D3D12Device, monkeypatch: pytest.MonkeyPatch) -> D3D12Device:
    """The device, which takes itself for a graphics card without native 16 bits."""
    monkeypatch.setattr(device.context, "info", replace(device.info, software=False))
    monkeypatch.setattr(device.context.native, "has_halves", False)
    return device


@pytest.fixture
def without_directml(monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    """A device where onnxruntime is not installed, as far as it sees."""
    monkeypatch.setattr(ort_api.importlib.util, "find_spec", lambda name: None)
    with open_device(adapters.list_adapters()[0]) as opened:
        yield opened


def mix_of(style: Style, *shares: float) -> tuple[float, ...]:
    return (*shares, *(0.0,) * (len(style.card.paintings) - len(shares)))


def run_engine(
    device: D3D12Device, model: bytes, frame: Picture, mix: tuple[float, ...], tile: str, stored: str
) -> Picture:
    """A frame (3, H, W) through the kernels."""
    context, size = device.context, (frame.shape[2], frame.shape[1])
    painter = read_painter(model)
    assert painter is not None
    dispatches = plan_dispatches(painter, size, TILES[tile])
    assert dispatches is not None
    with (
        closing(TensorBuffer(context.native, size, "float32", "frame")) as source,
        closing(TensorBuffer(context.native, size, "float32", "styled")) as styled,
        closing(context.constant(np.array(mix, np.float32), "mix")) as shares,
        closing(PainterEngine(context, painter, dispatches, stored, "painter")) as engine,
    ):
        write_tensor(device, source, frame)
        engine.bind(source, styled, shares)(mix)
        context.compute.signal().block()
        return read_tensor(device, styled)


def on_the_processor(model: bytes, frame: Picture, mix: tuple[float, ...]) -> Picture:
    """The same by ONNX Runtime."""
    session = ort.InferenceSession(model, providers=["CPUExecutionProvider"])
    inputs = {"frame": frame[None].astype(np.float32), "mix": np.array([mix], np.float32)}
    return np.asarray(session.run(None, inputs)[0])[0].astype(float)


@pytest.mark.parametrize(
    ("tile", "stored"),
    [
        ("filtered", "float16"),
        ("filtered", "float32"),
        pytest.param("plain", "float16", marks=pytest.mark.slow),
    ],
)
def test_the_kernels_compute_what_the_processor_does(
    device: D3D12Device, realtime: Style, tile: str, stored: str
) -> None:
    frame = np.random.default_rng(2).uniform(0, 1, (3, H, W))
    frame[:, 20:50, 30:70] = 0.8
    mix, model = mix_of(realtime, 0.0, 0.7, 0.3), realtime.fixed(W, H)
    got = run_engine(device, model, frame, mix, tile, stored)
    np.testing.assert_allclose(got, on_the_processor(model, frame, mix), rtol=0, atol=TOLERANCE[stored])


def test_with_float32_layers_have_32_bits(
    device: D3D12Device, realtime: Style, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(TILES, "plain")  # nothing to measure
    frame, target = scene(W, H), yuv420p(W, H, bits=16)
    full, half = (
        painted(device, realtime, frame, target, look=PLAIN, engine="shader", precision=precision).planes[0].astype(int)
        for precision in ("float32", "auto")
    )
    assert 0 < np.abs(full - half).max() < 300  # of 65535
    assert ("6.2" in device.arithmetic.kernels) is device.context.native.has_halves


@pytest.mark.parametrize("tiling", ["off", 64])
def test_shaders_paint_as_directml_does(device: D3D12Device, realtime: Style, tiling: int | str) -> None:
    frame = scene(W, H)
    for look in (replace(PLAIN, mix=mix_of(realtime, 0.25, 0.75)), replace(PLAIN, mix=mix_of(realtime, 1.0))):
        ours, theirs = (
            painted(device, realtime, frame, rgba8(W, H), look=look, tiling=tiling, engine=engine)
            for engine in ("shader", "directml")
        )
        assert_alike(ours, theirs)


@pytest.mark.parametrize("engine", ["shader", "directml"])
def test_two_paintings_of_a_file_share_a_frame(device: D3D12Device, realtime: Style, engine: EngineName) -> None:
    """Each network keeps its own weights, frame after frame."""
    frame, area = scene(W, H), np.tile(255 * (np.arange(MASK_SIDE) >= MASK_SIDE // 2), MASK_SIDE)
    given = Masks(None, area.astype(np.uint8).tobytes(), bytes([128]) * MASK_SIDE**2)
    first, second = mix_of(realtime, 1.0), mix_of(realtime, 0.0, 1.0)
    style = replace(realtime, second=replace(realtime, mix=second))
    there, here = (
        painted(device, realtime, frame, rgba8(W, H), look=replace(PLAIN, mix=mix), engine=engine).planes[0]
        for mix in (first, second)
    )
    look = replace(PLAIN, mix=first, second_inside=1.0)
    with device.stylizer(style, frame.format, rgba8(W, H), look=look, engine=engine) as stylizer:
        assert stylizer.method == engine if engine == "directml" else "shader" in str(stylizer.method)
        for masks in (given, NO_MASKS, given):
            stylizer.masks = masks
            got = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
            np.testing.assert_array_equal(got[:, :48], there[:, :48])
            np.testing.assert_allclose(got[:, 56:], (here if masks is given else there)[:, 56:], atol=1)


def test_a_mix_that_changes_between_frames_is_mixed_again(device: D3D12Device, realtime: Style) -> None:
    frame, mixes = scene(W, H), [mix_of(realtime, *shares) for shares in ((1.0,), (0.0, 1.0), (1.0,))]
    with device.stylizer(realtime, frame.format, rgba8(W, H), look=PLAIN, engine="shader") as stylizer:
        got = []
        for mix in mixes:
            stylizer.look = replace(PLAIN, mix=mix)
            got.append(stylizer.fetch(stylizer.submit(frame)))
    assert_alike(got[2], got[0], 0)
    assert np.abs(got[1].planes[0].astype(int) - got[0].planes[0]).max() > 20
    alone = painted(device, realtime, frame, rgba8(W, H), look=replace(PLAIN, mix=mixes[1]), engine="shader")
    assert_alike(got[1], alone, 0)


def test_a_network_that_is_no_painter_has_no_shaders(device: D3D12Device) -> None:
    with pytest.raises(DeviceError, match=r"cannot run in our shaders; use --engine auto"):
        painted(device, networks.blend(), scene(W, H), rgba8(W, H), engine="shader")


def test_without_directml_shaders_paint_and_say_so(without_directml: Device, realtime: Style) -> None:
    frame = scene(W, H)
    with without_directml.stylizer(realtime, frame.format, rgba8(W, H), look=PLAIN) as stylizer:
        note = r"a shader of our own( in 16 bits)? paints instead of DirectML: onnxruntime is not installed"
        assert re.search(note, stylizer.notes[0])
        stylizer.fetch(stylizer.submit(frame))
    for style, engine in ((realtime, "directml"), (networks.blend(), "auto")):
        with pytest.raises(DeviceError, match="onnxruntime is not installed"):
            painted(without_directml, style, frame, rgba8(W, H), engine=engine)


def test_the_faster_engine_is_measured_once_for_a_size(
    card: D3D12Device, realtime: Style, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    monkeypatch.setattr(fastest, "MEASURED_S", 0.0)
    measured: list[str] = []
    frame_s = engine_choice._Bench.frame_s

    def counted(bench: engine_choice._Bench, engine: engine_choice.D3D12Engine) -> float:
        """Make the second tile the fastest."""
        measured.append(type(engine).__name__)
        assert frame_s(bench, engine) > 0.0
        return 1e-3 / len(measured)

    monkeypatch.setattr(engine_choice._Bench, "frame_s", counted)

    def opened(engine: EngineName = "auto") -> str:
        model = realtime.fixed(W, H)
        found = engine_choice.open_engine(card.context, realtime.card, model, (W, H), "painter", engine)
        found.engine.close()
        return found.name

    assert opened() == "shader plain"
    assert measured == ["DirectMLEngine", "PainterEngine", "PainterEngine"]
    assert opened() == "shader plain"
    assert len(measured) == 3, "it was measured again"
    [kept] = (tmp_path / "framebrush" / "engines").iterdir()
    kept.write_bytes(b"damaged")
    assert opened() == "shader plain"
    assert len(measured) == 6, "what was damaged was taken"
    assert opened("directml") == "directml"
    assert len(measured) == 6, "there was nothing to choose"
    monkeypatch.setitem(TILES, "plain", Tile(2, 2))
    opened()
    assert len(measured) == 9, "what was measured with other tiles was taken"
