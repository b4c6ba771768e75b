"""CUDA without ONNX Runtime's CUDA provider: bundled painters run, other networks report the requirement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from framebrush.gpu.cuda import onnx_runtime
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.temporal_window import PAST_ONLY
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.styles.passthrough import passthrough_style
from tests import networks
from tests.cuda import needs_cuda
from tests.gpu.pictures import scene

pytestmark = [pytest.mark.parity, pytest.mark.cuda, needs_cuda]

SIZE = (160, 96)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    def missing() -> None:
        raise DeviceError("the package onnxruntime-gpu is missing")

    monkeypatch.setattr(onnx_runtime, "require_networks", missing)
    with open_device("cuda") as opened:
        yield opened


@pytest.mark.parametrize("name", ["realtime", "quality"])
@pytest.mark.parametrize(
    "look", [Look(), Look(brush=1.0, relief=0.6, canvas=0.4, detail=0.3)], ids=["plain", "finished"]
)
def test_bundled_paintings_paint_as_on_the_processor(device: Device, name: str, look: Look) -> None:
    style = load_style(next(path for path in bundled().values() if path.stem == name))
    look = replace(look, mix=(1.0,) + (0.0,) * (len(style.card.paintings) - 1))
    frame, painted = scene(*SIZE), []
    with open_device("cpu") as cpu:
        for one in (device, cpu):
            with one.stylizer(style, frame.format, rgba8(*SIZE), look=look, window=PAST_ONLY) as stylizer:
                painted.append(stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int))
    assert np.abs(painted[0] - painted[1]).mean() < 1.0
    assert painted[0].std() > 20.0


@pytest.mark.parametrize("tiling", ["off", 64])
def test_a_second_painting_is_mixed_in_as_on_the_processor(device: Device, tiling: str | int) -> None:
    first = load_style(next(path for path in bundled().values() if path.stem == "realtime"))
    others = len(first.card.paintings) - 2
    style = replace(first, second=replace(first, mix=(0.0, 1.0) + (0.0,) * others))
    look = Look(mix=(1.0, 0.0) + (0.0,) * others, second_inside=1.0, brush=0.0, dither=False)
    frame, pictures = scene(*SIZE), []
    columns = np.arange(MASK_SIDE) >= MASK_SIDE // 2
    masks = Masks(None, np.tile(255 * columns, MASK_SIDE).astype(np.uint8).tobytes(), bytes([128]) * MASK_SIDE**2)
    with open_device("cpu") as cpu:
        for one, given in ((device, masks), (cpu, masks), (device, NO_MASKS)):
            with one.stylizer(style, frame.format, rgba8(*SIZE), look=look, tiling=tiling) as stylizer:
                stylizer.masks = given
                pictures.append(stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int))
    two, on_cpu, alone = pictures
    assert np.abs(two - on_cpu).mean() < 1.0
    left = SIZE[0] // 2 - 20
    assert np.abs(two[:, :left] - alone[:, :left]).max() <= 1
    assert np.abs(two[:, -left:] - alone[:, -left:]).mean() > 10.0


@pytest.mark.parametrize("size", [(160, 96), (61, 47), (12, 7)])
@pytest.mark.parametrize("tiling", ["off", 64])
def test_ink_is_drawn_as_on_the_processor(device: Device, size: tuple[int, int], tiling: str | int) -> None:
    style, frame, drawn = load_style(bundled()["ink"]), scene(*size), []
    with open_device("cpu") as cpu:
        for one in (device, cpu):
            with one.stylizer(style, frame.format, rgba8(*size), look=Look(dither=False), tiling=tiling) as stylizer:
                drawn.append(stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int))
    assert np.abs(drawn[0] - drawn[1]).max() <= 1
    assert drawn[0].std() > 20.0


def test_no_style_and_the_colours_of_a_picture_take_no_network(device: Device) -> None:
    frame = scene(*SIZE)
    grid = 1.0 - ColourTable.identity(17).grid
    negative = replace(passthrough_style(), after=ColourTable(grid))
    with device.stylizer(passthrough_style(), frame.format, rgba8(*SIZE), look=Look(dither=False)) as stylizer:
        same = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
    with device.stylizer(negative, frame.format, rgba8(*SIZE), look=Look(dither=False)) as stylizer:
        inverted = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
    assert same[..., :3].std() > 20.0
    assert np.abs(same[..., :3] + inverted[..., :3] - 255).max() <= 1


def test_another_network_is_refused_with_what_to_do(device: Device) -> None:
    frame = scene(*SIZE)
    with pytest.raises(DeviceError, match=r"none of our painters .* onnxruntime-gpu is missing; or .*--device cpu$"):
        device.stylizer(networks.identity(), frame.format, rgba8(*SIZE))
