"""Framebrush's shaders against DirectML: a bundled painter on a Direct3D 12 GPU, alone and in the whole pipeline.

    python -u benchmarks/d3d12_painters.py --sizes 1280x720,1920x1080 --style realtime
    python -u benchmarks/d3d12_painters.py --sizes 1920x1080 --tiles filtered --stored float16

Prints one line of JSON per size and measurement. Network alone, four times, in frames per second: DirectML with and
without its switchable features (`LEVERS` of gpu/d3d12/directml.py); the shaders with each tile (`TILES` of
gpu/hlsl/painter_dispatches.py) and storage type, with the seconds of setup (compile time if nothing was cached).
Pipeline on host frames with each engine, three frames in flight, relative to its network alone. Finally, per tile and
layer: median GPU microseconds, including waits for earlier layers, and multiply-adds per second.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.d3d12 import frames_per_second, resident
from framebrush.gpu.d3d12 import adapters, engines
from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import Table
from framebrush.gpu.d3d12.device import open_device
from framebrush.gpu.d3d12.directml import LEVERS
from framebrush.gpu.d3d12.engines import D3D12Engine, DirectMLEngine, PainterEngine
from framebrush.gpu.d3d12.fenced_queue import CommandList, FencePoint
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.resources import Buffer
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.d3d12.timing import Stamps
from framebrush.gpu.errors import OutOfMemoryError
from framebrush.gpu.frame import Frame, nv12, yuv420p
from framebrush.gpu.hlsl.painter_dispatches import TILES, Dispatch, plan_dispatches
from framebrush.gpu.painter import Painter, read_painter
from framebrush.gpu.sizes import Size
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style

IN_FLIGHT = 3
REPEATS = 4  # of a network alone: the GPU's clock rises during the first
TIMED = 60  # runs with timed layers


@contextmanager
def bound(context: Context, engine: D3D12Engine, painter: Painter, size: Size) -> Iterator[Callable[[], int]]:
    """Yield a function that queues an engine on its own tensors."""
    with ExitStack() as stack:
        keep, default = stack.enter_context, D.D3D12_HEAP_TYPE_DEFAULT
        frame, styled = (keep(closing(TensorBuffer(context.native, size, "float32", name))) for name in ("in", "out"))
        mix = None
        if painter.mixed:
            mix = keep(closing(Buffer(context.native, 4 * len(painter.rows), "mix", heap=default, unordered=True)))
        run = engine.bind(frame, styled, mix)
        keep(closing(engine))
        yield lambda: run(())


def alone(context: Context, run: Callable[[], int], frames: int) -> float:
    """Return a network's frames per second."""

    def work(count: int) -> None:
        points: list[FencePoint] = []
        for _ in range(count):
            if len(points) == IN_FLIGHT:
                points.pop(0).block()
            run()
            points.append(context.compute.signal())
        for point in points:
            point.block()

    return frames_per_second(frames, work)


class Layers:
    """Timestamps after every layer of the last list that `recorder` records."""

    def __init__(self, stamps: Stamps) -> None:
        self._stamps = stamps
        self.labels: list[str] = []

    def recorder(self, *arguments: Any) -> Recorder:  # noqa: ANN401 - those of Recorder
        """Return a recorder that writes timestamps."""
        layers = self

        class Stamping(Recorder):
            def begin(self, stage: str = "") -> Stamping:
                super().begin(stage)
                layers.labels.clear()
                self._note()
                return self

            def dispatch(
                self, kernel: Kernel, reads: Table, writes: Table, constants: int, threads: Size, groups: int = 1
            ) -> None:
                super().dispatch(kernel, reads, writes, constants, threads, groups)
                layers.labels.append(kernel.label)
                self._note()

            def end(self) -> CommandList:
                if layers.labels:
                    layers._stamps.bring(self, 0, 0, 1 + len(layers.labels))
                return super().end()

            def _note(self) -> None:
                """Write a timestamp like `stamp`, without restoring resource states."""
                self._com.EndQuery(layers._stamps._heap.com, D.D3D12_QUERY_TYPE_TIMESTAMP, len(layers.labels))

        return Stamping(*arguments)

    def us(self) -> list[float]:
        """Return microseconds of each layer."""
        return [1e3 * ms for ms in self._stamps.between_ms(0, 0, 1 + len(self.labels))]


def layers(context: Context, make: Callable[[], PainterEngine], painter: Painter, size: Size) -> list[float]:
    """Return median microseconds of each layer."""
    with closing(Stamps(context.native, context.compute, 1, 1 + len(painter.layers), "layers")) as stamps:
        timed = Layers(stamps)
        engines.Recorder = timed.recorder  # type: ignore[attr-defined, assignment]
        try:
            with bound(context, make(), painter, size) as run:
                found = []
                for _ in range(TIMED):
                    run()
                    context.compute.signal().block()
                    found.append(timed.us())
        finally:
            engines.Recorder = Recorder  # type: ignore[attr-defined]
    return [statistics.median(times) for times in zip(*found[TIMED // 4 :], strict=True)]


def multiplications(one: Dispatch) -> int:
    """Return a layer's number of multiply-adds."""
    return one.out_size[0] * one.out_size[1] * one.layer.outputs * one.layer.inputs * one.layer.side**2


def pipeline(style: Style, size: Size, engine: str, frames: int, adapter: int) -> float:
    """Return frames per second with host frames in and out."""
    source, random = yuv420p(*size), np.random.default_rng(0)
    frame = Frame(source, tuple(random.integers(16, 235, shape, np.uint8) for shape in source.plane_shapes))
    settings: dict[str, Any] = {"working": size, "tiling": "off", "engine": engine}
    with (
        open_device(adapters.list_adapters()[adapter]) as device,
        device.stylizer(style, source, nv12(*size), **settings) as stylizer,
    ):
        return frames_per_second(frames, resident(stylizer, frame, []))


def measured(style: Style, size: Size, arguments: argparse.Namespace) -> None:
    """Measure one size and print."""
    stride = style.card.stride
    padded = (-(-size[0] // stride) * stride, -(-size[1] // stride) * stride)
    result: dict[str, Any] = {"size": "{}x{}".format(*size), "network": style.card.name}
    tables = []
    with open_device(adapters.list_adapters()[arguments.adapter]) as device:
        context = device.context
        result["adapter"], result["driver"] = device.info.name, adapters.driver_version(device.info)
        model = style.fixed(*padded)
        painter = read_painter(model)
        if painter is None:
            raise SystemExit(f"{style.card.name} is no painter")

        def rate(name: str, make: Callable[[], D3D12Engine]) -> None:
            begin = time.perf_counter()
            with bound(context, make(), painter, padded) as run:
                made = time.perf_counter() - begin
                try:
                    rates = [alone(context, run, arguments.frames) for _ in range(REPEATS)]
                except OutOfMemoryError:  # no frame waits for another here, and without an arena each allocates memory
                    result[name] = {"fps": [], "made_s": round(made, 2)}
                    return
                result[name] = {"fps": [round(fps, 1) for fps in sorted(rates)], "made_s": round(made, 2)}

        for name, levers in LEVERS.items():
            rate(name, partial(DirectMLEngine, context, model, name, levers))
        for tile, stored in product(arguments.tiles.split(","), arguments.stored.split(",")):
            dispatches = plan_dispatches(painter, padded, TILES[tile])
            assert dispatches is not None
            make = partial(PainterEngine, context, painter, dispatches, stored, "shader")
            rate(f"shader {tile} {stored}", make)
            tables.append((f"{tile} {stored}", dispatches, layers(context, make, painter, padded)))
    for engine in ("directml", "shader"):
        fps = pipeline(style, size, engine, arguments.frames, arguments.adapter)
        best = max(fps for key, found in result.items() if key.startswith(engine) for fps in found["fps"])
        result[f"pipeline {engine}"] = {"fps": round(fps, 1), "of_its_network": round(fps / best, 3)}
    print(json.dumps(result), flush=True)
    for title, dispatches, us in tables:
        flops = [2 * multiplications(one) for one in dispatches]
        print(f"-- {title}: {sum(us):.0f} us, {sum(flops) / 1e9:.1f} GFLOP, {sum(flops) / sum(us) / 1e6:.1f} TFLOP/s")
        for number, (one, spent, count) in enumerate(zip(dispatches, us, flops, strict=True)):
            channels = f"{one.a_channels + one.b_channels}->{one.outputs}"
            place = "{}x{}".format(*one.out_size)
            tile = f"{one.tile.pieces}x{one.tile.lines}, {one.groups} groups"
            print(f"{number:3} {channels:>8} {place:>10} {tile:>14} {spent:8.1f} us {count / spent / 1e6:6.1f} TFLOP/s")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1280x720,1920x1080")
    parser.add_argument("--style", default="realtime")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--tiles", default=",".join(TILES))
    parser.add_argument("--stored", default="float32,float16")
    parser.add_argument("--adapter", type=int, default=0)
    arguments = parser.parse_args()
    style = load_style(arguments.style)
    for size in arguments.sizes.split(","):
        width, height = (int(side) for side in size.split("x"))
        measured(style, (width, height), arguments)


if __name__ == "__main__":
    main()
