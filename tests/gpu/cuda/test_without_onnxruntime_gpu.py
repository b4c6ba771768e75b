"""CUDA without ONNX Runtime's CUDA provider: bundled painters run, other networks report the requirement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from framebrush.gpu.cuda.networks import runtime
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.steady import PAST_ONLY
from framebrush.models.colours.table import ColourTable
from framebrush.models.library import bundled
from framebrush.models.load import load_style
from framebrush.styles.plain import plain_style
from tests import networks
from tests.cuda import needs_cuda
from tests.gpu.pictures import scene

pytestmark = [pytest.mark.parity, pytest.mark.cuda, needs_cuda]

SIZE = (160, 96)


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[Device]:
    def missing() -> None:
        raise DeviceError("the package onnxruntime-gpu is missing")

    monkeypatch.setattr(runtime, "require_networks", missing)
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
    negative = replace(plain_style(), after=ColourTable(grid))
    with device.stylizer(plain_style(), frame.format, rgba8(*SIZE), look=Look(dither=False)) as stylizer:
        same = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
    with device.stylizer(negative, frame.format, rgba8(*SIZE), look=Look(dither=False)) as stylizer:
        inverted = stylizer.fetch(stylizer.submit(frame)).planes[0].astype(int)
    assert same[..., :3].std() > 20.0
    assert np.abs(same[..., :3] + inverted[..., :3] - 255).max() <= 1


def test_another_network_is_refused_with_what_to_do(device: Device) -> None:
    frame = scene(*SIZE)
    with pytest.raises(DeviceError, match=r"none of our painters .* onnxruntime-gpu is missing; or .*--device cpu$"):
        device.stylizer(networks.identity(), frame.format, rgba8(*SIZE))
