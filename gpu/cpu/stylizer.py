"""A style on one frame format on the CPU: one thread converts, one runs the network, the caller's makes the output.

So a frame is decoded while the one before it is painted and the one before that is encoded.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Self

import numpy as np

from framebrush.gpu import tiles
from framebrush.gpu.cpu import memory
from framebrush.gpu.cpu.network import Binding, Network, native_errors
from framebrush.gpu.cpu.planes_to_tensor import PlanesToTensor
from framebrush.gpu.cpu.surface import PictureSurface
from framebrush.gpu.cpu.tensor_to_planes import TensorToPlanes
from framebrush.gpu.device import Counters, DeviceError, OutOfMemoryError, Surface, Ticket, Tiling
from framebrush.gpu.frame import Frame, FrameFormat, Layout, Plane, rgba8
from framebrush.gpu.look import Look
from framebrush.models.style import Style

PROBE_PX = 256
"""Side of the frame that a network's memory is estimated with."""


@dataclass(slots=True)
class Slot:
    """What one frame in flight holds. planes: its codes; work: done when the network is through with it."""

    planes: tuple[Plane, ...]
    binding: Binding
    work: Future[None] | None = None
    free: bool = True


class CpuStylizer:
    """See `gpu.device.Stylizer`. Of the look, the tone mapping of HDR and the mix of paintings are fixed by `submit`;
    all the rest is that of the moment of `show` or `fetch`."""

    def __init__(
        self, style: Style, source: FrameFormat, target: FrameFormat, look: Look, tiling: Tiling, slots: int
    ) -> None:
        _check(source, target, slots)
        self.source, self.target, self.slots = source, target, slots
        self.counters = Counters()
        self._style = style
        self._look = Look()
        self.look = look
        self._seconds: dict[str, tuple[float, int]] = {}
        self._tickets: dict[Ticket, Slot] = {}
        self._next = 0
        self._closed = False
        plan = _plan(style, source, tiling, slots)
        self.notes = plan.notes
        dtype = np.dtype(style.card.precision)
        with native_errors(f"{source.width}x{source.height} on the CPU"):
            self._network = Network(style, plan, look.mix)
            self._decoder, self._encoder = PlanesToTensor(source), TensorToPlanes(target)
            self._screen: TensorToPlanes | None = None
            shape = (3, plan.padded_height, plan.padded_width)
            self._slots = [
                Slot(source.allocate().planes, Binding(np.empty(shape, dtype), np.empty(shape, dtype)))
                for _ in range(slots)
            ]
        self._converter = ThreadPoolExecutor(1, thread_name_prefix="framebrush-convert")
        self._painter = ThreadPoolExecutor(1, thread_name_prefix="framebrush-paint")

    @property
    def look(self) -> Look:
        """The look of the frames submitted, shown and fetched from now on."""
        return self._look

    @look.setter
    def look(self, look: Look) -> None:
        paintings = len(self._style.card.paintings)
        if look.mix and len(look.mix) != paintings:
            raise ValueError(f"{len(look.mix)} weights for {self._style.card.title}, which holds {paintings} paintings")
        self._look = look

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of upload, convert, network and tone-map (look and output)."""
        return {stage: 1e3 * seconds / count for stage, (seconds, count) in self._seconds.copy().items()}

    def submit(self, frame: Frame) -> Ticket:
        """Copy a frame's planes and start painting it."""
        self._check_open()
        if frame.format != self.source:
            raise ValueError(f"a frame of {frame.format} for a stylizer of {self.source}")
        slot = next((slot for slot in self._slots if slot.free), None)
        if slot is None:
            raise RuntimeError(f"all {self.slots} slots are taken; fetch or release a frame first")
        self._finish(slot)  # a frame that was released unfinished
        with self._measured("upload"):
            for own, given in zip(slot.planes, frame.planes, strict=True):
                if self.source.shift:
                    np.right_shift(given, self.source.shift, out=own)
                else:
                    np.copyto(own, given)
        self.counters.uploads += 1
        self.counters.dispatches += 1
        converted = self._converter.submit(self._convert, slot, self._look)
        slot.work = self._painter.submit(self._paint, slot, converted, self._look.mix)
        slot.free = False
        ticket = Ticket(self._next)
        self._next += 1
        self._tickets[ticket] = slot
        return ticket

    def show(self, ticket: Ticket, surface: Surface) -> None:
        """Give the frame to a `PictureSurface`, waiting for it where it is not painted yet.

        Raises NonFiniteError as `fetch` does.
        """
        slot = self._slot(ticket)
        if not isinstance(surface, PictureSurface):
            raise DeviceError(f"the CPU device shows on a PictureSurface, not on a {type(surface).__name__}")
        if self._screen is None:
            self._screen = TensorToPlanes(rgba8(self.source.width, self.source.height))
        picture = self._result(slot, self._screen).planes[0]
        surface.put(picture.astype(np.uint8, copy=False))
        self.counters.presents += 1

    def fetch(self, ticket: Ticket) -> Frame:
        """Wait for a frame and give it in the target format; valid until the next fetch. Gives the slot back.

        Raises NonFiniteError where the network's output holds NaN or infinity, and what went wrong since `submit`.
        """
        slot = self._slot(ticket)
        try:
            frame = self._result(slot, self._encoder)
        finally:
            self.release(ticket)
        self.counters.readbacks += 1
        return frame

    def release(self, ticket: Ticket) -> None:
        """Give a slot back without fetching."""
        self._slot(ticket).free = True
        del self._tickets[ticket]

    def close(self) -> None:
        """Wait for the frame that is being painted, drop the others and free everything. Idempotent."""
        if self._closed:
            return
        self._closed = True
        self._painter.shutdown(wait=False, cancel_futures=True)
        self._converter.shutdown(cancel_futures=True)
        self._painter.shutdown()
        self._tickets.clear()
        self._slots.clear()
        self._screen = None
        del self._network, self._decoder, self._encoder

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError("this stylizer is closed")

    def _slot(self, ticket: Ticket) -> Slot:
        self._check_open()
        slot = self._tickets.get(ticket)
        if slot is None:
            raise ValueError(f"frame {ticket} is not in flight: it was fetched or released before")
        return slot

    def _finish(self, slot: Slot) -> BaseException | None:
        """Wait for a slot's work, if there is any; what went wrong with it."""
        if slot.work is None:
            return None
        if not slot.work.done():
            self.counters.cpu_waits += 1
        return slot.work.exception()

    def _result(self, slot: Slot, encoder: TensorToPlanes) -> Frame:
        error = self._finish(slot)
        if error is not None:
            raise error
        with self._measured("tone-map"), native_errors("the picture could not be put out"):
            frame = encoder.run(slot.binding.source, slot.binding.styled, self._look)
        self.counters.dispatches += 1
        return frame

    def _convert(self, slot: Slot, look: Look) -> None:
        with self._measured("convert"), native_errors("the frame could not be converted"):
            self._decoder.run(slot.planes, slot.binding.source, look.tone_map)

    def _paint(self, slot: Slot, converted: Future[None], mix: tuple[float, ...]) -> None:
        converted.result()
        with self._measured("network"):
            self.counters.runs += self._network.run(slot.binding, mix)

    @contextmanager
    def _measured(self, stage: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        seconds, count = self._seconds.get(stage, (0.0, 0))
        self._seconds[stage] = (seconds + time.perf_counter() - start, count + 1)


def _check(source: FrameFormat, target: FrameFormat, slots: int) -> None:
    if (target.width, target.height) != (source.width, source.height):
        raise ValueError(
            f"frames of {source.width}x{source.height} cannot go out as {target.width}x{target.height}: nothing scales"
        )
    semi_planar = target.layout is Layout.SEMI_PLANAR and target.subsample == (1, 1)
    if not semi_planar and not (target.layout is Layout.RGBA and target.bits == 8):
        raise ValueError(f"frames go out as NV12, P010 or RGBA8, not as {target.layout} of {target.bits} bits")
    if slots < 1:
        raise ValueError(f"{slots} slots hold no frame")


def _plan(style: Style, source: FrameFormat, tiling: Tiling, slots: int) -> tiles.Plan:
    """How to run the frame within the memory that is free. Raises OutOfMemoryError where it cannot fit."""
    card, frame = style.card, f"{source.width}x{source.height}"
    side = -(-PROBE_PX // card.stride) * card.stride
    bytes_per_pixel = tiles.activation_bytes_per_pixel(style.fixed(side, side))
    tensor_bytes = source.width * source.height * 3 * (2 if card.precision == "float16" else 4)
    free_bytes = memory.available_bytes() - 2 * slots * tensor_bytes
    if free_bytes < 0:
        raise OutOfMemoryError(f"{slots} frames of {frame} need {-free_bytes / 2**30:.1f} GiB more; try --max-size")
    plan = tiles.plan(
        source.width, source.height, card, tiling, bytes_per_pixel=bytes_per_pixel, budget_bytes=free_bytes // 2
    )
    lacking_bytes = plan.tile_width * plan.tile_height * bytes_per_pixel - free_bytes
    if lacking_bytes > 0:
        raise OutOfMemoryError(
            f"{card.title} at {plan.tile_width}x{plan.tile_height} needs about {lacking_bytes / 2**30:.1f} GiB more "
            f"than are free; try --tile or --max-size"
        )
    return plan
