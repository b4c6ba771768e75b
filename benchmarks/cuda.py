"""The CUDA backend against its parts, a plain loop and PyTorch: one run, one table per size.

    python -m benchmarks.cuda [--sizes 1280x720,1920x1080,3840x2160] [--stroke 3@3840x2160] [--frames 300] [--torch]
    python -m benchmarks.cuda --brush-only [--sizes ...] [--stroke ...] [--frames ...]

Rows, in frames per second:
network alone: on tensors that stay on the GPU: the painter's kernels, and ONNX Runtime in float16 and float32.
stage: each part of the pipeline alone: GPU kernels, the copy into page-locked memory, PCIe in both directions.
pipeline: decoded frames in, painted frames out in host memory, five in flight.
brush, relief: their kernels alone on a painted frame, and pipelines with and without them.
NVDEC: the same on frames decoded by the GPU.
plain loop: PyAV, numpy and ONNX Runtime's Python module, copying through the host.
PyTorch: the same layers, network alone.
share: the pipeline relative to the network alone, the slowest stage, and compiled PyTorch.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from fractions import Fraction
from itertools import cycle, islice, product
from pathlib import Path
from typing import Any

import av
import numpy as np

from framebrush.base.prefetch import Prefetcher
from framebrush.gpu.cuda.device import CudaDevice
from framebrush.gpu.cuda.engines import CudaEngine, PainterEngine, open_engine
from framebrush.gpu.cuda.native import DeviceMemory, Graph, PinnedMemory
from framebrush.gpu.cuda.onnx_runtime import open_cuda
from framebrush.gpu.cuda.planes import PlaneLayout
from framebrush.gpu.cuda.stylizer import CudaStylizer
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, nv12, yuv420p
from framebrush.gpu.look import Look
from framebrush.gpu.painter import FRAME, Painter, read_painter
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.sizes import Size
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.gpu.temporal_window import CENTRED, NO_WINDOW, TemporalWindow
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.output_format import video_target
from framebrush.jobs.pipeline import PREFETCH_DEPTH, Pipeline
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.run import run_job
from framebrush.media.reading.reader import Reader
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.style import Style
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.styles.style_names import open_style

STYLE = "great-wave"
CLIP_FRAMES = 240
FINISHES = {
    "plain": Look(brush=0.0, relief=0.0),
    "brush": Look(brush=0.8, relief=0.0),
    "brush and relief": Look(brush=0.8, relief=0.5),
    "brush, relief and canvas": Look(brush=0.8, relief=0.5, canvas=0.5),
}
SLOTS = 5  # frames in flight, so that a delayed CPU thread leaves the GPU no gap


def rate(count: int, work: Callable[[int], None]) -> float:
    """Return frames per second of work(count), the median of three after a warm-up."""
    work(max(10, count // 4))
    seconds = []
    for _ in range(3):
        begin = time.perf_counter()
        work(count)
        seconds.append(time.perf_counter() - begin)
    return count / statistics.median(seconds)


def engine_alone(device: CudaDevice, engine: CudaEngine, style: Style, size: Size) -> Callable[[int], None]:
    """Return a function that runs the network on its own tensors."""
    precision = style.card.precision
    frame, styled = (Tensor(device.context.native, size, precision, "benchmark") for _ in range(2))
    mix = device.context.constant(np.eye(1, max(1, len(style.card.paintings)), dtype=np.float32), "benchmark")
    values = np.random.default_rng(0).random(3 * size[0] * size[1]).astype(precision)
    filled = device.context.constant(values, "benchmark")
    device.context.compute.copy_rows(
        frame.pointer, frame.size_bytes, filled.pointer, frame.size_bytes, frame.size_bytes, 1
    )
    run: Callable[[], object] = engine.bind(frame, styled, mix.pointer)
    engine.blend((1.0,), mix.pointer)
    if engine.captures:
        run = Graph(device.context.native, device.context.compute, run, "benchmark").launch

    def work(count: int) -> None:
        for _ in range(count):
            run()
        device.context.compute.block()

    return work


def networks_alone(device: CudaDevice, style: Style, size: Size, frames: int) -> dict[str, float]:
    """Return frames per second of each engine that runs here."""
    half = style.as_float16()
    rows: dict[str, float] = {}
    kernels = open_engine(device.context, open_cuda, half.fixed(*size), size, "float16", half.card.name)
    assert isinstance(kernels, PainterEngine)
    rows["network alone: painter's kernels"] = rate(frames, engine_alone(device, kernels, half, size))
    kernels.close()
    for one in (half, style):
        runtime = open_cuda(device.context, one.fixed(*size), one.card.precision, one.card.name)
        label = f"network alone: ONNX Runtime {one.card.precision}"
        rows[label] = rate(frames, engine_alone(device, runtime, one, size))
        runtime.close()
    return rows


def pipelined(stylizer: Stylizer[Any], frames: list[Frame]) -> Callable[[int], None]:
    """Return a function that keeps all slots in flight, cycling through a few input and output frames."""
    pairs = cycle([(frame, stylizer.target.allocate()) for frame in frames])

    def work(count: int) -> None:
        flying: deque[tuple[Ticket, Frame]] = deque()
        for frame, into in islice(pairs, count):
            if len(flying) == stylizer.slots:
                stylizer.fetch(*flying.popleft())
            flying.append((stylizer.submit(frame, into), into))
        stylizer.flush()
        while flying:
            stylizer.fetch(*flying.popleft())

    return work


def stages_alone(device: CudaDevice, stylizer: CudaStylizer, frames: list[Frame], count: int) -> dict[str, float]:
    """Return frames per second of each stage of the pipeline alone."""
    native, up, down = device.context.native, PlaneLayout(stylizer.source), PlaneLayout(stylizer.target)
    with ExitStack() as stack:
        keep = stack.enter_context
        pinned = [keep(closing(PinnedMemory(native, up.size_bytes, "benchmark"))) for _ in frames]
        pinned_down = keep(closing(PinnedMemory(native, down.size_bytes, "benchmark")))
        memory, memory_down = (keep(closing(DeviceMemory(native, one.size_bytes, "benchmark"))) for one in (up, down))
        pairs = list(zip([up.views(one.mapped) for one in pinned], frames, strict=True))
        for frame in frames[: stylizer.slots] * 2:  # a slot's kernels become a CUDA graph on its second frame
            stylizer.fetch(stylizer.submit(frame))
        graphs = [slot.replay.graph for slot in stylizer._slots if slot.replay.graph is not None]

        def gpu(count: int) -> None:
            for graph in islice(cycle(graphs), count):
                graph.launch()
            device.context.compute.block()

        def copies(count: int) -> None:
            for into, frame in islice(cycle(pairs), count):
                device.context.copier.copy(into, frame.planes)

        def bus(count: int) -> None:
            for one in islice(cycle(pinned), count):
                device.context.up.upload(memory.pointer, one, 0, up.size_bytes)
                device.context.down.download(pinned_down, 0, memory_down.pointer, down.size_bytes)
            device.context.up.block()
            device.context.down.block()

        rows = {
            "stage: GPU": rate(count, gpu),
            "stage: processor's copy": rate(count, copies),
            "stage: PCIe, both ways at once": rate(count, bus),
        }
        pairs.clear()  # views into memory released below
    return rows


def finishing_alone(device: CudaDevice, stylizer: CudaStylizer, frame: Frame, look: Look) -> Callable[[int], None]:
    """Return a function that finishes a painted frame for a look, with strokes that do not move."""
    stylizer.look = look
    stylizer.fetch(stylizer.submit(frame))
    slot, finishing = stylizer._slots[0], stylizer._finishing
    painted = stylizer._way.painted(slot.result)
    slot.queue_carry(None, 0)  # then onto itself: the same work as from another slot

    def kernels() -> int:
        finishing.forget()
        count = finishing.queue(slot.index, None, painted, look, carried=True)
        return count + (slot.queue_carry(slot, 1) if look.brush else 0)

    kernels()
    graph = Graph(device.context.native, device.context.compute, kernels, "benchmark")

    def work(count: int) -> None:
        for _ in range(count):
            graph.launch()
        device.context.compute.block()

    return work


def finishing_rows(
    device: CudaDevice, style: Style, working: Size, decoded: list[Frame], clip: Path, frames: int
) -> dict[str, float]:
    """Measure strokes (with advection) and relief alone, and all pipelines without and with them."""
    source, rows = decoded[0].format, dict[str, float]()
    target = nv12(source.width, source.height)
    with device.stylizer(style, source, target, working=working, tiling="off", slots=SLOTS) as stylizer:
        assert isinstance(stylizer, CudaStylizer)
        for name, look in FINISHES.items():
            if look.brush or look.raises:
                rows[f"{name} alone"] = rate(frames, finishing_alone(device, stylizer, decoded[0], look))
    ways = {"pipeline, host planes": NO_WINDOW, "pipeline, steadied": CENTRED}
    for (label, window), (name, look) in product(ways.items(), FINISHES.items()):
        with device.stylizer(
            style, source, target, look=look, window=window, working=working, tiling="off", slots=SLOTS
        ) as stylizer:
            rows[f"{label}: {name}"] = rate(frames, pipelined(stylizer, decoded))
    for name, look in FINISHES.items():
        for label, fps in through(clip, device, style, working, "cuda", look, CENTRED).items():
            rows[f"{label}, steadied: {name}" if "chain" in label else label] = fps
    return rows


def plain_loop(path: Path, style: Style, size: Size) -> Callable[[int], None]:
    """Return the usual simple loop: numpy conversions, and the network between two copies through the host."""
    import onnxruntime

    session = onnxruntime.InferenceSession(style.fixed(*size), providers=["CUDAExecutionProvider"])
    mix = np.eye(1, len(style.card.paintings), dtype=np.float32)

    def work(count: int) -> None:
        with av.open(str(path)) as container:
            for frame in islice(cycle(container.decode(video=0)), count):
                rgb = frame.to_ndarray(format="rgb24").astype(np.float32).transpose(2, 0, 1)[None] / 255
                inputs = {"frame": np.ascontiguousarray(rgb), "mix": mix}
                painted = session.run(["styled"], inputs)[0][0].transpose(1, 2, 0)
                picture = np.ascontiguousarray((painted.clip(0, 1) * 255).round().astype(np.uint8))
                av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(format="nv12")

    return work


def make_clip(path: Path, size: Size) -> None:
    """Write a moving picture in H.264."""
    width, height = size
    y, x = np.mgrid[0:height, 0:width]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=Fraction(30), options={"preset": "ultrafast", "crf": "23"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        base = ((x * 255) // width).astype(np.uint8), ((y * 255) // height).astype(np.uint8)
        for number in range(CLIP_FRAMES):
            picture = np.stack([np.roll(base[0], 7 * number, 1), base[1], np.roll(base[1], 5 * number, 0)], -1)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))


def through(
    path: Path,
    device: CudaDevice,
    style: Style,
    working: Size,
    hardware: str | None,
    look: Look | None = None,
    window: TemporalWindow = NO_WINDOW,
) -> dict[str, float]:
    """Measure decoding alone, and decoding with painting, on the clip."""

    def reader() -> Reader:
        return Reader(path, hardware=hardware, device=device)

    def decode(_: int) -> None:
        with reader() as source:
            deque(source, maxlen=0)

    with reader() as opened:
        source, target = opened.info.format, video_target(opened.info.format)
    into = target.allocate()
    plan = StylizerPlan(style, source, target, working=working, look=look, window=window)
    with Pipeline(FramePipeline(device, plan)) as pipeline:

        def chain(_: int) -> None:
            with reader() as frames, Prefetcher(frames, depth=PREFETCH_DEPTH, name="decode") as decoded:
                deque(pipeline.frames(decoded, lambda: into), maxlen=0)

        name = "NVDEC" if hardware else "software"
        return {f"{name}: decode alone": rate(CLIP_FRAMES, decode), f"{name}: chain": rate(CLIP_FRAMES, chain)}


def transcode(path: Path, device: CudaDevice, folder: Path, stroke: float, hardware: str | None) -> float:
    """Transcode with x264's fastest preset; return frames per second from the first written frame on."""
    times: list[float] = []
    spec = JobSpec(
        str(path),
        str(folder / f"out-{hardware}.mp4"),
        Recipe(StyleSpec(STYLE), sizes=SizeSpec(stroke=stroke)),
        output=OutputOptions(codec="h264", preset="ultrafast", overwrite=True),
        decode=DecodeOptions(hwaccel=hardware),
        segments="off",
    )
    style = open_style(STYLE, spec.style.preprocessing)
    run_job(spec, device, Listener(progress=lambda _: times.append(time.perf_counter())), style=style)
    return (len(times) - 1) / (times[-1] - times[0])


def torch_alone(painter: Painter, size: Size, frames: int) -> dict[str, float]:
    """Run the same layers in PyTorch, float16, channels last."""
    import torch
    from torch.nn import functional

    row = painter.rows[0]
    weights = []
    for layer in painter.layers:
        shape = (layer.outputs, layer.inputs, layer.side, layer.side)
        kernel = row[layer.kernel : layer.kernel + int(np.prod(shape))].reshape(shape)
        bias = row[layer.bias : layer.bias + layer.outputs]
        weights.append([torch.tensor(one, device="cuda", dtype=torch.float16) for one in (kernel, bias)])
        weights[-1][0] = weights[-1][0].to(memory_format=torch.channels_last)

    def forward(frame: Any) -> Any:  # noqa: ANN401 - torch has no types here
        made: list[Any] = []
        for layer, (kernel, bias) in zip(painter.layers, weights, strict=True):
            x = frame if layer.a == FRAME else made[layer.a]
            if layer.b is not None:
                x = torch.cat([x, made[layer.b][:, :, layer.crop :, layer.crop :]], 1)
            before, after = layer.pad
            if before or after:
                x = functional.pad(x, (before, after, before, after), mode="replicate")
            x = functional.conv2d(x, kernel, bias, stride=layer.stride)
            x = functional.relu(x) if layer.relu else x
            made.append(functional.pixel_shuffle(x, 2) if layer.shuffle else x)
        return made[-1]

    frame = torch.rand((1, 3, size[1], size[0]), device="cuda", dtype=torch.float16)
    frame = frame.to(memory_format=torch.channels_last)
    ways = {
        "PyTorch eager float16": forward,
        "PyTorch compiled float16": torch.compile(forward),
        "PyTorch compiled float16, CUDA graph": torch.compile(forward, mode="reduce-overhead"),
    }
    rows = {}
    with torch.inference_mode():
        for name, way in ways.items():

            def work(count: int, way: Callable[[Any], Any] = way) -> None:
                for _ in range(count):
                    way(frame)
                torch.cuda.synchronize()

            rows[name] = rate(frames, work)
    return rows


def measure(
    device: CudaDevice, size: Size, stroke: float, frames: int, folder: Path, *, with_torch: bool, brush_only: bool
) -> None:
    """Measure one size and print its table."""
    style = open_style(STYLE, PreprocessingOverrides()).style
    working = (round(size[0] / stroke), round(size[1] / stroke))
    across, down = (-(-side // style.card.stride) * style.card.stride for side in working)
    padded = across, down
    random = np.random.default_rng(0)
    source = yuv420p(*size)
    decoded = [
        Frame(source, tuple(random.integers(16, 235, shape, np.uint8) for shape in source.plane_shapes))
        for _ in range(8)
    ]
    clip = folder / "{}x{}.mp4".format(*size)
    if not clip.exists():
        make_clip(clip, size)
    finishing = finishing_rows(device, style, working, decoded, clip, frames)
    if brush_only:
        print_rows(device, size, stroke, finishing)
        return
    rows = networks_alone(device, style, padded, frames)
    with device.stylizer(style, source, nv12(*size), working=working, tiling="off", slots=SLOTS) as stylizer:
        assert isinstance(stylizer, CudaStylizer)
        rows |= stages_alone(device, stylizer, decoded, frames)
        rows["pipeline, host planes"] = rate(frames, pipelined(stylizer, decoded))
        submits = []
        into = stylizer.target.allocate()
        for frame in islice(cycle(decoded), 50):
            begin = time.perf_counter()
            ticket = stylizer.submit(frame, into)
            submits.append(1e3 * (time.perf_counter() - begin))
            stylizer.fetch(ticket, into)
    rows |= through(clip, device, style, working, "cuda")
    rows["transcode, software decode, x264"] = transcode(clip, device, folder, stroke, None)
    rows["transcode, NVDEC, x264"] = transcode(clip, device, folder, stroke, "cuda")
    if stroke == 1:
        rows["plain loop"] = rate(min(60, frames), plain_loop(clip, style, padded))
    if with_torch:
        painter = read_painter(style.as_float16().fixed(*padded))
        assert painter is not None
        rows |= torch_alone(painter, padded, frames)
    print_rows(device, size, stroke, rows | finishing)
    bounds = {
        "network alone": rows["network alone: painter's kernels"],
        "slowest stage": min(fps for name, fps in rows.items() if name.startswith("stage")),
        "PyTorch compiled": max((fps for name, fps in rows.items() if "compiled" in name), default=0.0),
    }
    for name, fps in bounds.items():
        if fps:
            print(f"  {f'share of pipeline in {name}':42} {rows['pipeline, host planes'] / fps:9.2f}")
    print(f"  {'processor time of submit':42} {statistics.median(submits):9.3f} ms", flush=True)


def print_rows(device: CudaDevice, size: Size, stroke: float, rows: dict[str, float]) -> None:
    """Print a table with milliseconds per frame."""
    print("\n{}x{}, stroke {:g}, {}".format(*size, stroke, device.info.name))
    for name, fps in rows.items():
        print(f"  {name:48} {fps:9.1f} {1e3 / fps:9.3f} ms", flush=True)


def cases(text: str, strokes: str) -> Iterator[tuple[Size, float]]:
    """Yield sizes with their stroke."""
    for one in filter(None, text.split(",")):
        width, height = one.split("x")
        yield (int(width), int(height)), 1.0
    for one in filter(None, strokes.split(",")):
        stroke, size = one.split("@")
        width, height = size.split("x")
        yield (int(width), int(height)), float(stroke)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1280x720,1920x1080,3840x2160")
    parser.add_argument("--stroke", default="3@3840x2160", help="STROKE@WIDTHxHEIGHT, separated by commas")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--brush-only", action="store_true", help="brush and relief, and pipelines with and without")
    parser.add_argument("--torch", action="store_true", help="PyTorch too, at every size")
    arguments = parser.parse_args()
    with open_device("cuda") as device, tempfile.TemporaryDirectory(prefix="framebrush-cuda-") as folder:
        assert isinstance(device, CudaDevice)
        for size, stroke in cases(arguments.sizes, arguments.stroke):
            kinds = {"with_torch": arguments.torch, "brush_only": arguments.brush_only}
            measure(device, size, stroke, arguments.frames, Path(folder), **kinds)


if __name__ == "__main__":
    main()
