"""Foreign networks on ONNX Runtime's WebGPU plug-in, with Mesa's software driver if new enough.

The CPU runs networks that the plug-in cannot, with a note.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import rgba8, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.webgpu import onnx_plugin
from framebrush.gpu.webgpu.device import WebGpuDevice
from framebrush.models.style import Style
from tests import networks
from tests.gpu.pictures import noise
from tests.gpu.webgpu.harness import needs_vulkan, why_no_adapter

pytestmark = [pytest.mark.unit, needs_vulkan]

SOURCE = yuv420p(96, 64)
TARGET = rgba8(96, 64)
PLAIN = Look(brush=0.0, relief=0.0, canvas=0.0)


def many_outputs() -> Style:
    """A network that splits its channels into more tensors than WebGPU binds to a kernel at once."""
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.conv(networks.random_weight((40, 3, 1, 1), 1))
    parts = [f"part {number}" for number in range(40)]
    net.nodes.append(networks.helper.make_node("Split", [net.last], parts, axis=1))
    net.add("Concat", parts, axis=1)
    net.conv(networks.random_weight((3, 40, 1, 1), 2))
    return networks.canonical(net)


@cache
def why_no_plugin() -> str:
    """Why the plug-in runs nothing here; '' where it does."""
    if importlib.util.find_spec("onnxruntime_ep_webgpu") is None:
        return "the package onnxruntime-ep-webgpu is not installed"
    if why_no_adapter():
        return why_no_adapter()
    try:
        with open_device("webgpu") as device:
            onnx_plugin.sessions(device.info, device.driver)(networks.identity().fixed(8, 8))
    except DeviceError as error:
        return str(error)
    return ""


needs_plugin = pytest.mark.needs("WebGPU of ONNX Runtime", why_no_plugin())


@pytest.fixture
def card() -> Iterator[WebGpuDevice]:
    """An adapter of the processor's that is taken for a card."""
    with open_device("webgpu") as made:
        assert isinstance(made, WebGpuDevice)
        made.context.info = replace(made.info, software=False)
        yield made


def painted(device: WebGpuDevice, style: Style, **how: object) -> tuple[np.ndarray, tuple[str, ...], str]:
    """Return a frame's codes, the notes, and the method that ran the network."""
    with device.stylizer(style, SOURCE, TARGET, look=PLAIN, **how) as stylizer:  # type: ignore[arg-type]
        picture = stylizer.fetch(stylizer.submit(noise(SOURCE))).planes[0].astype(int)
        return picture, stylizer.notes, stylizer.method


def expected(style: Style) -> np.ndarray:
    with open_device("cpu") as device, device.stylizer(style, SOURCE, TARGET, look=PLAIN) as stylizer:
        return stylizer.fetch(stylizer.submit(noise(SOURCE))).planes[0].astype(int)


@needs_plugin
@pytest.mark.parametrize("tiling", ["off", 48])
def test_it_paints_as_the_processor_does_and_says_so(card: WebGpuDevice, tiling: object) -> None:
    style = networks.box_blur(1)
    picture, notes, method = painted(card, style, tiling=tiling)
    assert method.startswith(onnx_plugin.NAME)
    assert notes[0] == (
        f"the network Test runs on {card.info.name} by ONNX Runtime, with a copy of each frame there and back"
    )
    assert np.abs(picture - expected(style)).max() <= 1


@needs_plugin
def test_weights_of_paintings_may_move(card: WebGpuDevice) -> None:
    style = networks.blend()
    with (
        open_device("cpu") as processor,
        card.stylizer(style, SOURCE, TARGET) as one,
        processor.stylizer(style, SOURCE, TARGET) as other,
    ):
        assert one.method == onnx_plugin.NAME
        for share in (0.0, 0.3, 0.3, 1.0):
            pictures = []
            for stylizer in (one, other):
                stylizer.look = replace(PLAIN, mix=(share, 1.0 - share))
                pictures.append(stylizer.fetch(stylizer.submit(noise(SOURCE))).planes[0].astype(int))
            assert np.abs(pictures[0] - pictures[1]).max() <= 1


def test_what_it_cannot_run_is_painted_by_the_processor(card: WebGpuDevice) -> None:
    """Here a network with too many tensors for a kernel; with a driver that is too old for Dawn, any network."""
    style = many_outputs()
    picture, (note,), method = painted(card, style)
    assert method == "onnxruntime on the processor"
    assert re.fullmatch(
        rf"the network Test runs on the processor: {re.escape(card.info.name)} runs those .* \(.+\)", note
    )
    assert "\n" not in note
    assert np.abs(picture - expected(style)).max() <= 1


def test_without_the_package_it_is_named(card: WebGpuDevice, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name.startswith("onnxruntime_ep") else real(name, *rest),
    )
    monkeypatch.setattr(onnx_plugin, "_devices", onnx_plugin._devices.__wrapped__)
    _, (note,), method = painted(card, networks.box_blur(1))
    assert method == "onnxruntime on the processor"
    assert note.endswith("(for others it needs the package onnxruntime-ep-webgpu; run: " + onnx_plugin.INSTALL + ")")


def test_an_adapter_of_the_processors_is_not_asked(card: WebGpuDevice) -> None:
    card.context.info = card.info
    _, (note,), method = painted(card, networks.box_blur(1))
    assert method == "onnxruntime on the processor"
    assert note.endswith("runs those of the bundled paintings")
