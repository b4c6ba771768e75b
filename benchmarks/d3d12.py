"""Cost and throughput of the GPU-resident pipeline on Direct3D 12, side by side in one run.

    python benchmarks/d3d12.py --size 1280x720 --frames 300 --style realtime
    python benchmarks/d3d12.py --size 3840x2160 --stroke 3 --style realtime --stages
    python benchmarks/d3d12.py --size 1280x720 --network classic
    python benchmarks/d3d12.py --size 1920x1080 --stroke 2 --style realtime --draw --numpy-frames 0

Prints one line of JSON:
- submit_ms: CPU time of `submit`; native_calls, readbacks: per frame
- cpu_ms: CPU time per frame: copies, waits, everything else
- resident_fps: NV12 in and out, three frames in flight, without brush and relief; default_fps: with the style's own
- network_fps: the network alone, Run calls on bound tensors
- stages_ms (--stages): GPU time of each stage, on a second device
- drawn (--draw): brush, and brush with relief, against neither, on broad waves with steadying: frames per second,
  added time per frame, and GPU milliseconds
- numpy_fps: the network through onnxruntime's Python module on DirectML, from numpy tensor to numpy tensor, without
  the conversions
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from framebrush.gpu.d3d12 import adapters, native, ort
from framebrush.gpu.d3d12.device import D3D12Device, open_device
from framebrush.gpu.d3d12.fenced_queue import Fence, FencePoint
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.d3d12.stylizer import D3D12Stylizer
from framebrush.gpu.device import Diagnosis
from framebrush.gpu.frame import Frame, FrameFormat, nv12, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import plan_sizes
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.temporal_window import CENTRED
from framebrush.models.reading.load import load_style
from framebrush.models.style import ModelCard, Style


class Graph:
    """Builder of an ONNX graph; operators append at the end."""

    def __init__(self, seed: int = 1) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: list[onnx.TensorProto] = []
        self.last, self._random, self._count = "frame", np.random.default_rng(seed), 0

    def weights(self, *shape: int, gain: float = 1.0) -> str:
        """Add random weights that preserve a signal's magnitude."""
        values = self._random.normal(0, gain / np.sqrt(np.prod(shape[1:])), shape).astype(np.float32)
        return self.constant(values)

    def constant(self, values: np.ndarray) -> str:
        self.tensors.append(numpy_helper.from_array(values, f"w{len(self.tensors)}"))
        return self.tensors[-1].name

    def add(self, operator: str, *inputs: str, **attributes: int | str | list[int]) -> None:
        """Append an operator to the last output."""
        self._count += 1
        node = helper.make_node(operator, [self.last, *inputs], [f"x{self._count}"])
        node.attribute.extend(helper.make_attribute(name, value) for name, value in attributes.items())
        self.nodes.append(node)
        self.last = f"x{self._count}"

    def style(self, name: str, stride: int) -> Style:
        self.add("Sigmoid")
        self.nodes[-1].output[0] = "styled"
        shape: list[str | int | None] = [1, 3, "H", "W"]
        frame, styled = (helper.make_tensor_value_info(end, TensorProto.FLOAT, shape) for end in ("frame", "styled"))
        graph = helper.make_graph(self.nodes, name, [frame], [styled], self.tensors)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
        return Style(ModelCard(name, name, ("one",), stride=stride), model.SerializeToString())


def realtime() -> Style:
    """Space to depth, ten 3x3 convolutions of 48 channels, depth to space."""
    graph = Graph()
    graph.add("SpaceToDepth", blocksize=4)
    for _ in range(10):
        graph.add("Conv", graph.weights(48, 48, 3, 3, gain=1.4), pads=[1, 1, 1, 1])
        graph.add("Relu")
    graph.add("DepthToSpace", blocksize=4)
    return graph.style("realtime", 4)


def classic() -> Style:
    """The 32-64-128 network of fast-style-transfer, with instance norms and reflection pads but no residual blocks."""
    graph = Graph()

    def layer(channels: int, into: int, size: int, stride: int = 1) -> None:
        pad = size // 2
        pads = graph.constant(np.array([0, 0, pad, pad, 0, 0, pad, pad], np.int64))
        graph.add("Pad", pads, mode="reflect")
        graph.add("Conv", graph.weights(into, channels, size, size), strides=[stride, stride])
        ones, zeros = (graph.constant(np.full(into, value, np.float32)) for value in (1, 0))
        graph.add("InstanceNormalization", ones, zeros)
        graph.add("Relu")

    layer(3, 32, 9)
    layer(32, 64, 3, 2)
    layer(64, 128, 3, 2)
    for _ in range(10):
        layer(128, 128, 3)
    for channels, into in ((128, 64), (64, 32)):
        graph.add("Resize", "", graph.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest")
        layer(channels, into, 3)
    layer(32, 3, 9)
    return graph.style("classic", 4)


NETWORKS = {"realtime": realtime, "classic": classic}


def frames_per_second(count: int, work: Callable[[int], None]) -> float:
    """Return frames per second of work(count), after a warm-up of a tenth."""
    work(max(3, count // 10))
    start = time.perf_counter()
    work(count)
    return count / (time.perf_counter() - start)


def resident(stylizer: Stylizer[Any], frame: Frame, submits: list[float]) -> Callable[[int], None]:
    """Return a function with three frames in flight, fetched into the same memory; records the CPU time of each
    submit."""
    into = stylizer.target.allocate()

    def work(count: int) -> None:
        submits.clear()
        tickets: list[Ticket] = []
        for _ in range(count):
            if len(tickets) == stylizer.slots:
                stylizer.fetch(tickets.pop(0), into)
            start = time.perf_counter()
            tickets.append(stylizer.submit(frame))
            submits.append(1e3 * (time.perf_counter() - start))
        stylizer.flush()
        for ticket in tickets:
            stylizer.fetch(ticket, into)

    return work


def network_alone(device: D3D12Device, stylizer: Stylizer[Any]) -> Callable[[int], None]:
    """Return a function of Run calls on bound tensors, with as many in flight as in the pipeline."""
    assert isinstance(stylizer, D3D12Stylizer)
    network = stylizer._network

    def work(count: int) -> None:
        points: list[FencePoint] = []
        for index in range(count):
            if len(points) == stylizer.slots:
                points.pop(0).block()
            network._runs[index % stylizer.slots](())
            points.append(device.context.compute.signal())
        for point in points:
            point.block()

    return work


def through_numpy(style: Style, width: int, height: int) -> Callable[[int], None]:
    """Return a function that runs the network through onnxruntime's Python module."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.enable_mem_pattern = False
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    model = style.fixed(width, height)
    # With a device_id the provider uses DXGI; without one DXCore, which Wine lacks.
    session = onnxruntime.InferenceSession(model, options, providers=[("DmlExecutionProvider", {"device_id": 0})])
    if session.get_providers()[0] != "DmlExecutionProvider":
        raise SystemExit("onnxruntime left the DirectML provider: there is nothing to compare with")
    inputs = {"frame": np.random.default_rng(0).random((1, 3, height, width), np.float32)}
    if len(style.card.paintings) > 1:
        inputs["mix"] = np.eye(1, len(style.card.paintings), dtype=np.float32)

    def work(count: int) -> None:
        for _ in range(count):
            session.run(["styled"], inputs)

    return work


def native_calls(work: Callable[[int], None], count: int) -> float:
    """Return calls per frame from Python into Direct3D, Windows and ONNX Runtime."""
    import win32more._win32 as binding

    calls = 0
    classes = binding.ComMethodCall, binding.ForeignFunctionCall, native.Method
    originals = [*((each, "__call__") for each in classes), (ort.Ort, "check")]
    kept = [getattr(owner, name) for owner, name in originals]

    def counted(original: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **keywords: object) -> object:
            nonlocal calls
            calls += 1
            return original(*arguments, **keywords)

        return call

    for (owner, name), original in zip(originals, kept, strict=True):
        setattr(owner, name, counted(original))
    try:
        work(count)
    finally:
        for (owner, name), original in zip(originals, kept, strict=True):
            setattr(owner, name, original)
    return calls / count


def cpu_ms(work: Callable[[int], None], count: int) -> dict[str, float]:
    """Return CPU milliseconds per frame: copies to and from mapped memory, waits for the GPU, and the rest (Python,
    calls)."""
    spent: dict[str, float] = {}
    parts = {"fill": (D3D12Slot, "fill"), "copy": (D3D12Slot, "copy_output"), "wait": (Fence, "block")}
    kept = {part: getattr(owner, name) for part, (owner, name) in parts.items()}

    def timed(part: str) -> Callable[..., object]:
        def call(*arguments: object) -> object:
            start = time.perf_counter()
            try:
                return kept[part](*arguments)
            finally:
                spent[part] = spent.get(part, 0.0) + time.perf_counter() - start

        return call

    for part, (owner, name) in parts.items():
        setattr(owner, name, timed(part))
    try:
        work(max(3, count // 10))
        spent.clear()
        start = time.perf_counter()
        work(count)
        spent["rest"] = time.perf_counter() - start - sum(spent.values())
    finally:
        for part, (owner, name) in parts.items():
            setattr(owner, name, kept[part])
    return {part: round(1e3 * seconds / count, 3) for part, seconds in spent.items()}


def stages(style: Style, frame: Frame, working: tuple[int, int], adapter: int) -> dict[str, float]:
    """Return GPU milliseconds of each stage, three frames in flight."""
    source = frame.format
    with (
        open_device(adapters.list_adapters()[adapter], Diagnosis(timing=True)) as device,
        device.stylizer(
            style, source, nv12(source.width, source.height), working=working, tiling="off", look=NEITHER
        ) as stylizer,
    ):
        resident(stylizer, frame, [])(60)
        return {stage: round(ms, 3) for stage, ms in stylizer.stage_ms.items()}


NEITHER = Look(brush=0.0, relief=0.0)
DRAWN = {"plain": NEITHER, "brush": replace(NEITHER, brush=1.0), "relief": replace(NEITHER, brush=1.0, relief=0.4)}
ROUNDS = 5


def waves(picture: FrameFormat, chance: np.random.Generator) -> Frame:
    """Return broad shapes in all directions with a little noise, similar to film."""
    frame = picture.allocate()
    y, x = np.mgrid[: picture.height, : picture.width]
    shape = np.zeros(y.shape)
    for _ in range(12):
        length, angle, phase = chance.uniform(40, 400), chance.uniform(0, np.pi), chance.uniform(0, 2 * np.pi)
        shape += np.sin(2 * np.pi * (np.cos(angle) * x + np.sin(angle) * y) / length + phase)
    frame.planes[0][:] = np.clip(126 + 30 * shape + chance.normal(0, 3, shape.shape), 16, 235)
    for plane in frame.planes[1:]:
        plane[:] = 128
    return frame


def drawn(style: Style, source: FrameFormat, working: tuple[int, int], adapter: int, count: int) -> dict[str, object]:
    """Return the cost of brush and relief: rates of one stylizer with alternating looks, and GPU time."""
    frame, target = waves(source, np.random.default_rng(1)), nv12(source.width, source.height)
    info = adapters.list_adapters()[adapter]
    settings: dict[str, Any] = {"working": working, "tiling": "off", "window": CENTRED}
    rates: dict[str, list[float]] = {name: [] for name in DRAWN}
    with open_device(info) as device, device.stylizer(style, source, target, **settings) as stylizer:
        work = resident(stylizer, frame, [])
        for _ in range(ROUNDS):
            for name, look in DRAWN.items():
                stylizer.look = look
                rates[name].append(frames_per_second(count, work))
    fps = {name: statistics.median(each) for name, each in rates.items()}
    output_ms = {}
    for name, look in DRAWN.items():
        with (
            open_device(info, Diagnosis(timing=True)) as device,
            device.stylizer(style, source, target, look=look, **settings) as stylizer,
        ):
            resident(stylizer, frame, [])(min(60, count))
            output_ms[name] = stylizer.stage_ms["output"]
    result: dict[str, object] = {f"{name}_fps": round(fps[name], 1) for name in DRAWN}
    for name in ("brush", "relief"):
        result[f"{name}_longer"] = round(fps["plain"] / fps[name] - 1.0, 3)
        result[f"{name}_gpu_ms"] = round(output_ms[name] - output_ms["plain"], 3)
        result[f"{name}_gpu_share"] = round((output_ms[name] - output_ms["plain"]) * fps["plain"] / 1e3, 3)
    return result


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--style", help="a bundled style or an ONNX file, instead of --network")
    parser.add_argument("--network", choices=NETWORKS, default="realtime")
    parser.add_argument("--stroke", type=float, default=1.0)
    parser.add_argument("--adapter", type=int, default=0)
    parser.add_argument("--stages", action="store_true")
    parser.add_argument("--draw", action="store_true", help="measure brush and relief")
    parser.add_argument("--numpy-frames", type=int, help="frames of the numpy path, a third if left out; 0 for none")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    style = load_style(arguments.style) if arguments.style else NETWORKS[arguments.network]()
    source = yuv420p(width, height)
    working = plan_sizes((width, height), style.card, stroke=arguments.stroke).working
    random = np.random.default_rng(0)
    frame = Frame(source, tuple(random.integers(16, 235, shape, np.uint8) for shape in source.plane_shapes))
    result: dict[str, object] = {"network": style.card.name, "size": arguments.size, "stroke": arguments.stroke}
    with open_device(adapters.list_adapters()[arguments.adapter]) as device:
        result["adapter"] = device.info.name
        with device.stylizer(style, source, nv12(width, height), working=working, tiling="off") as stylizer:
            result["default_fps"] = frames_per_second(arguments.frames, resident(stylizer, frame, []))
            stylizer.look = NEITHER
            submits: list[float] = []
            work = resident(stylizer, frame, submits)
            resident_fps = frames_per_second(arguments.frames, work)
            result["resident_fps"] = resident_fps
            result["submit_ms"] = statistics.median(submits)
            result["submit_ms_90"] = statistics.quantiles(submits, n=10)[-1]
            result["cpu_ms"] = cpu_ms(work, arguments.frames)
            before = stylizer.counters.readbacks
            result["native_calls"] = native_calls(work, 20)
            result["readbacks"] = (stylizer.counters.readbacks - before) / 20
            network_fps = frames_per_second(arguments.frames, network_alone(device, stylizer))
            padded = stylizer.settings.plan.padded_size
    result["network_fps"], result["resident_of_network"] = network_fps, resident_fps / network_fps
    numpy_frames = max(10, arguments.frames // 3) if arguments.numpy_frames is None else arguments.numpy_frames
    if numpy_frames:
        numpy_fps = frames_per_second(numpy_frames, through_numpy(style, *padded))
        result["numpy_fps"], result["resident_of_numpy"] = numpy_fps, resident_fps / numpy_fps
    if arguments.stages:
        result["stages_ms"] = stages(style, frame, working, arguments.adapter)
    if arguments.draw:
        result["drawn"] = drawn(style, source, working, arguments.adapter, arguments.frames)
    print(json.dumps({key: round(v, 3) if isinstance(v, float) else v for key, v in result.items()}), flush=True)


if __name__ == "__main__":
    main()
