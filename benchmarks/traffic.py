"""Bytes that a frame's passes read and write, from the passes as data. No device is needed.

    python benchmarks/traffic.py [hlsl|wgsl|cuda ...] [--size 1920x1080] [--style starry-night]

The default look, steadied: network, temporal filter, strokes and relief. Each resource counts once a pass, at full
length though lists are rarely full, and as if a card had no caches. A resource that a pass changes counts as written.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.gpu import tiles
from framebrush.gpu.frame import FrameFormat, yuv420p
from framebrush.gpu.hlsl.finishing import Finishing
from framebrush.gpu.hlsl.painter_dispatches import stored_in
from framebrush.gpu.look import Look
from framebrush.gpu.painter import FRAME, read_painter
from framebrush.gpu.painter_plan import place
from framebrush.gpu.passes import (
    Addresses,
    Buffer,
    Constant,
    Element,
    ElementType,
    FromFrame,
    Language,
    Part,
    PerFrame,
    Step,
    Tensor,
    Texture,
    Use,
)
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.frame_passes import CONVERT, ORIGINAL, FramePasses
from framebrush.gpu.stages.output import Output
from framebrush.gpu.stages.relief.cuda import Relief
from framebrush.gpu.stages.steady.passes import CudaSteadying, Steadying
from framebrush.gpu.stages.strokes.cuda import Carrier, CudaStrokePainter
from framebrush.gpu.stages.strokes.passes import Carrying, StrokeMemory
from framebrush.gpu.temporal_window import CENTRED
from framebrush.jobs.prepare import job_sizes
from framebrush.models.reading.load import load_style
from framebrush.styles.specs import SizeSpec

MB = 1e6
NETWORK = "network"
WGSL_NUMBER = 4
"""Bytes of a number in WebGPU's buffers, whatever its element type, and in textures of fewer than four."""


@dataclass(slots=True)
class Moved:
    """Passes of one kernel in a frame, and their bytes."""

    times: int = 0
    read: int = 0
    written: int = 0

    @property
    def bytes(self) -> int:
        """Return all bytes."""
        return self.read + self.written


class Traffic:
    """Bytes of a frame by work and kernel, in order."""

    def __init__(self, settings: Settings, language: Language) -> None:
        self.moved: dict[tuple[str, str], Moved] = {}
        self._settings, self._language = settings, language
        for step in steps_of(settings, language):
            others = len(step.others) or 1
            for one in step.work.passes:
                read = sum(self._bytes(use, others) for use in dict.fromkeys(one.reads))
                written = sum(self._bytes(use, others) for use in dict.fromkeys((*one.writes, *one.clears)))
                self._add(step.work.name, one.kernel, read, written)
        for number, read, written in layers_of(settings, language):
            self._add(NETWORK, f"layer {number}", read, written)

    @property
    def bytes(self) -> int:
        """Return the bytes of all passes."""
        return sum(one.bytes for one in self.moved.values())

    def _add(self, work: str, kernel: str, read: int, written: int) -> None:
        found = self.moved.setdefault((work, kernel), Moved())
        found.times, found.read, found.written = found.times + 1, found.read + read, found.written + written

    def _bytes(self, use: Use, others: int) -> int:
        match use:
            case FromFrame(memory):
                return self._bytes(memory, others)
            case Part(memory, _, count):
                return self._element_bytes(memory.element) * count
            case Addresses(memories):
                return others * sum(self._bytes(memory, others) for memory in memories)
            case Constant():
                return int(use.make().nbytes)
            case PerFrame(name):
                return self._plane_bytes(name)
            case Texture() if self._language == "wgsl" and ElementType.of(use.element).lanes < 4:
                return WGSL_NUMBER * ElementType.of(use.element).lanes * math.prod(use.size_px)
            case Buffer() if self._language == "wgsl":
                return self._element_bytes(use.element) * use.count
            case _:
                return use.size_bytes

    def _element_bytes(self, element: Element) -> int:
        parts = ElementType.of(element)
        return WGSL_NUMBER * parts.lanes if self._language == "wgsl" and parts.kind != "struct" else parts.size_bytes

    def _plane_bytes(self, name: str) -> int:
        """Return the bytes of a plane, all planes, or the flag."""
        output = name.startswith("output")
        picture = self._settings.target if output else self._settings.source
        if name.endswith(("planes", "words")):
            return sum(plane_bytes(picture))
        number = name.rpartition(" ")[2]
        return plane_bytes(picture)[int(number)] if "plane" in name else 4


def plane_bytes(picture: FrameFormat) -> list[int]:
    """Return the bytes of each plane."""
    return [math.prod(shape) * np.dtype(picture.dtype).itemsize for shape in picture.plane_shapes]


def steps_of(settings: Settings, language: Language) -> Iterator[Step]:
    """Yield a frame's steps but the network, with the frame's own slot 0, and neighbours before and after it."""
    way, look, window = FramePasses(settings, language), settings.look, settings.window
    before = tuple(range(1, 1 + window.before))
    after = tuple(range(1 + window.before, 1 + window.before + window.after))
    result, records = way.steadied, way.records(look)
    yield Step(way.convert, 0, (), {CONVERT: records[CONVERT]})
    output = Output(way, settings.target, language)
    if language == "cuda":
        filtered, carrier, painter = (
            CudaSteadying(settings, way),
            Carrier(settings, way),
            CudaStrokePainter(settings, way),
        )
        yield Step(filtered.levels, 0)
        yield from filtered.steps(0, before, after, look)
        yield carrier.step(0, 1, 1)
    else:
        steadying, carrying = Steadying(settings, way), Carrying(StrokeMemory(settings, way.frame))
        yield Step(steadying.levels, 0)
        yield Step(carrying.film, 0)
        yield Step(carrying.carry, 0, (1,), {"carry": carrying.record(1)})
        yield from steadying.steps(0, before, after, look)
    if resize := way.resize(result):
        yield Step(resize, 0)
    if way.remake and look.shows_source:
        yield Step(way.remake, 0, (), {ORIGINAL: records[ORIGINAL]})
    if look.needs_detail:
        yield Step(way.detail, 0)
    painted = way.painted(result)
    if language == "cuda":
        relief = Relief(painter, settings.sizes)
        yield painter.step(0, painted, look, look.raised_detail, carried=True)
        yield relief.step(0, look)
        yield output.step(0, look, painted, relief.lit)
    else:
        finishing = Finishing(settings, way, carrying, reports=True)
        yield from finishing.steps(0, look, 1, at_home=False, detailed=look.needs_detail, lit=False)
        yield output.step(0, look, painted, finishing.unlit(look))


def layers_of(settings: Settings, language: Language) -> Iterator[tuple[int, int, int]]:
    """Yield each layer of the network: number, bytes read and written. Weights are left out: they stay in caches."""
    style, size = settings.style, settings.plan.padded_size
    painter = read_painter(style.model)
    placed = place(painter, size, 8 if language == "cuda" else 4) if painter else None
    if not placed:
        sys.exit(f"{style.card.title} is none of the painters, so nothing is known of its layers")
    element = 2 if language == "cuda" or stored_in(style.card, settings.precision) == "float16" else 4
    frame = Tensor.of("frame", size, style.card.precision).size_bytes
    for number, one in enumerate(placed):
        first, last = one.layer.a == FRAME, number == len(placed) - 1
        read = frame if first else element * one.a_channels * one.in_size[0] * one.in_size[1]
        read += element * one.b_channels * one.b_size[0] * one.b_size[1]
        made = element * one.made_channels * one.made_size[0] * one.made_size[1]
        yield number, read, settings.plan.scale**2 * frame if last else made


def settings_for(size: Size, name: str) -> Settings:
    """Make the settings of a film of 8 bits and the default look."""
    style = load_style("realtime")
    number = style.card.paintings.index(name)
    card = style.card
    mix = tuple(float(number == at) for at in range(len(card.paintings)))
    look = Look(mix=mix, steady=1.0, brush=card.brush, relief=card.relief)
    picture = yuv420p(*size)
    sizes = job_sizes(SizeSpec(), picture, style)
    plan = tiles.plan(*sizes.working, card, "off")
    return Settings(style, picture, picture, sizes, plan, look, 3, window=CENTRED, carries=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("languages", nargs="*", default=get_args(Language), help="of the kernels")
    options.add_argument("--size", default="1920x1080", help="of the film and the painting")
    options.add_argument("--style", default="starry-night", help="a painting of realtime")
    given = options.parse_args()
    width, height = map(int, given.size.split("x"))
    settings = settings_for((width, height), given.style)
    for language in given.languages:
        traffic = Traffic(settings, language)
        print(f"{language}: {traffic.bytes / MB:.0f} MB a frame")
        for (work, kernel), one in sorted(traffic.moved.items(), key=lambda item: -item[1].bytes):
            print(
                f"  {work:10} {kernel:24} {one.times:2} times {one.read / MB:7.1f} read {one.written / MB:7.1f} written"
            )


if __name__ == "__main__":
    main()
