"""Frames in flight on the CPU."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, field

from framebrush.gpu.cpu.network import Tensors
from framebrush.gpu.cpu.stages.cpu_colour_table import Colours
from framebrush.gpu.cpu.stages.masks import Masked
from framebrush.gpu.cpu.stages.steady import Painted
from framebrush.gpu.cpu.stages.strips import Floats, Tensor
from framebrush.gpu.cpu.stages.strokes import NO_PLANES, Carriage
from framebrush.gpu.frame import Plane


@dataclass(slots=True, eq=False)
class CpuSlot:
    """Frame in flight.

    Attributes:
        current: planes to convert, perhaps a device frame's.
        source: (3, H, W) at the source's size.
        result: at the network's output size.
        work, converted: futures of result and network input.
        kept, painting: data for neighbours, and its future.
        strokes: None without advection.
    """

    planes: tuple[Plane, ...]
    current: tuple[Plane, ...]
    source: Tensor
    tensors: Tensors
    result: Tensor
    colours: Colours | None = None
    work: Future[None] | None = None
    painting: Painted | None = None
    kept: Future[None] | None = None
    steadied: Floats | None = None
    converted: Future[None] | None = None
    strokes: Carriage | None = None
    maps: Floats = field(default_factory=lambda: NO_PLANES)
    masked: Masked | None = None
