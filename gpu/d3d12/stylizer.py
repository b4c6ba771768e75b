"""The resident pipeline: upload, convert, network, tone-map, and at the very end a present or a readback.

A frame's way: the CPU copies its planes into a slot's mapped memory; the COPY queue brings them to textures; the
COMPUTE queue converts them, runs the network and makes the output; a second COPY queue brings the output back where
somebody fetches. Fences order the queues on the GPU. The upload of one frame overlaps the network of the one before.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Self

from framebrush.gpu.d3d12.native import Keeper
from framebrush.gpu.d3d12.network import Network
from framebrush.gpu.d3d12.queue import CommandList, FencePoint, Queue
from framebrush.gpu.d3d12.slot import Readback, Slot
from framebrush.gpu.d3d12.swapchain import SwapChain
from framebrush.gpu.d3d12.timing import DRAWING, StageTimer
from framebrush.gpu.errors import DeviceError, NonFiniteError
from framebrush.gpu.frame import Frame, FrameFormat, Layout
from framebrush.gpu.look import Look
from framebrush.gpu.stylizer import Counters, Ticket
from framebrush.gpu.surface import Surface
from framebrush.gpu.tiles import Plan

if TYPE_CHECKING:
    from framebrush.gpu.d3d12.device import D3D12Device
    from framebrush.models.style import Style


class D3D12Stylizer:
    """See framebrush.gpu.device.Stylizer."""

    def __init__(
        self,
        device: D3D12Device,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        look: Look,
        plan: Plan,
        slots: int,
    ) -> None:
        self.source, self.target, self.slots, self.look = source, target, slots, look
        self.counters = Counters()
        self._device, self._style = device, style
        self._tickets: dict[Ticket, Slot] = {}
        self._next = 0
        self._fetches = False  # whether outputs are made ahead: what was asked for last is expected next
        self._closed = False
        self._keeper = Keeper()
        self._mix_weights = len(style.card.paintings) if len(style.card.paintings) > 1 else 0
        try:
            self._make(plan)
        except BaseException:
            device.wait_idle()
            self._keeper.close()
            raise
        self.notes = plan.notes

    def _make(self, plan: Plan) -> None:
        device, style, keep = self._device, self._style, self._keeper.keep
        self._tensor_size = (plan.padded_width, plan.padded_height)
        self._timer = keep(StageTimer(device.native, device.compute, self.slots)) if device.timing else None
        self._free = [
            keep(
                Slot(
                    device,
                    index,
                    self.source,
                    self.target,
                    self._tensor_size,
                    style.card.precision,
                    self._mix_weights,
                    self._timer,
                )
            )
            for index in range(self.slots)
        ]
        # One readback buffer more than slots: the frame that was fetched last stays valid.
        self._spare = [
            keep(Readback(device, self._free[0].output, self.target, f"readback {index}"))
            for index in range(self.slots + 1)
        ]
        self._lent: Readback | None = None
        self._downloads: dict[tuple[int, int], CommandList] = {
            (slot.index, id(readback)): slot.record_download(readback)
            for slot in self._free
            for readback in self._spare
        }
        self._network = keep(Network(device, style, plan, self._free))

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """See framebrush.gpu.device.Stylizer.stage_ms; measured on a device that was opened with `timing`."""
        return self._timer.mean_ms if self._timer else {}

    def submit(self, frame: Frame) -> Ticket:
        """See framebrush.gpu.device.Stylizer.submit."""
        if self._closed:
            raise DeviceError("this stylizer is closed")
        if frame.format != self.source:
            raise ValueError(f"a frame of {frame.format} where this stylizer was made for {self.source}")
        mix = self._mix()
        if not self._free:
            raise RuntimeError(f"all {self.slots} slots are taken: fetch or release one first")
        slot = self._free.pop(0)
        try:
            self._start(slot, frame, mix)
        except BaseException as error:
            self._device.wait_idle()
            self._free.append(slot)
            if isinstance(error, DeviceError):  # of which ONNX Runtime does not always know the reason
                self._device.native.check_removed("submit", self._style.card.name)
            raise
        ticket = Ticket(self._next)
        self._next += 1
        self._tickets[ticket] = slot
        return ticket

    def _start(self, slot: Slot, frame: Frame, mix: tuple[float, ...]) -> None:
        for point in slot.points.values():
            self._block(point)
        slot.points.clear()
        self._count(slot)  # one that was shown, not fetched
        slot.prepared = slot.delivered_at = None
        with self._measured("upload"):
            slot.fill(frame, self.look.tone_map, mix)
        copy, compute = self._device.copy, self._device.compute
        self._execute(copy, slot.upload)
        self.counters.uploads += 1
        compute.wait_for(copy.signal())
        self._execute(compute, slot.convert)
        self._network.paint(slot, self.counters)
        if slot.stamp:
            self._execute(compute, slot.stamp)
            slot.untimed = True
        if self._fetches:
            self._deliver(slot)
        else:
            slot.painted_at = compute.signal()
            slot.used(slot.painted_at)
        self._device.native.check_removed("submit", self._style.card.name)

    def show(self, ticket: Ticket, surface: Surface) -> None:
        """See framebrush.gpu.device.Stylizer.show. surface: one that this device made."""
        if not isinstance(surface, SwapChain):
            raise ValueError(f"a surface of {type(surface).__name__} is not one of this device")
        slot = self._slot(ticket)
        self._fetches = False
        assert slot.painted_at is not None
        drawn = surface.present(slot.reads, slot.painted_at, self.source, self._tensor_size, self.look)
        waits, point, former_ms = drawn
        if self._timer and former_ms is not None:
            self._timer.count(DRAWING, former_ms)
        slot.used(point)
        self.counters.cpu_waits += waits
        self.counters.dispatches += 1
        self.counters.presents += 1

    def fetch(self, ticket: Ticket) -> Frame:
        """See framebrush.gpu.device.Stylizer.fetch."""
        slot = self._slot(ticket)
        self._fetches = True
        if slot.prepared != self.look:
            if slot.delivered_at:  # made ahead with a look that has changed since
                self._block(slot.delivered_at)
            self._deliver(slot)
        assert slot.delivered_at is not None
        assert slot.readback is not None
        with self._measured("fetch"):
            self._block(slot.delivered_at)
        self._device.native.check_removed("fetch", self._style.card.name)
        self._count(slot)
        if self._lent:
            self._spare.append(self._lent)
        self._lent, slot.readback = slot.readback, None
        self.release(ticket)
        if self._lent.not_finite:
            raise NonFiniteError(f"'{self._style.card.name}' gave NaN or infinity for frame {ticket} of this stylizer")
        return self._lent.frame()

    def release(self, ticket: Ticket) -> None:
        """See framebrush.gpu.device.Stylizer.release."""
        slot = self._slot(ticket)
        del self._tickets[ticket]
        if slot.readback:  # made ahead and not fetched
            self._spare.append(slot.readback)
            slot.readback = None
        self._free.append(slot)

    def close(self) -> None:
        """See framebrush.gpu.device.Stylizer.close."""
        if self._closed:
            return
        self._closed = True
        self._device.wait_idle()
        self._tickets.clear()
        self._keeper.close()
        self._device.forget(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _slot(self, ticket: Ticket) -> Slot:
        try:
            return self._tickets[ticket]
        except KeyError:
            raise ValueError(f"ticket {ticket} is not in flight") from None

    def _mix(self) -> tuple[float, ...]:
        weights = self.look.mix or (1.0,)
        if len(weights) > max(1, self._mix_weights):
            raise ValueError(f"{len(weights)} weights for the {max(1, self._mix_weights)} paintings of this style")
        return weights + (0.0,) * (self._mix_weights - len(weights))

    def _deliver(self, slot: Slot) -> None:
        """Queue the output of a painted slot and its way to a readback buffer, with the look of this moment."""
        compute, download = self._device.compute, self._device.download
        slot.set_look(self.look)
        self._execute(compute, slot.finish)
        slot.painted_at = compute.signal()
        slot.used(slot.painted_at)
        slot.readback = slot.readback or self._spare.pop()
        download.wait_for(slot.painted_at)
        self._execute(download, self._downloads[slot.index, id(slot.readback)])
        slot.delivered_at = download.signal()
        self.counters.readbacks += 1
        slot.used(slot.delivered_at)
        slot.prepared = self.look

    def _count(self, slot: Slot) -> None:
        """Take the times of a frame that the GPU is through with, once."""
        if self._timer and slot.untimed:
            self._timer.add(slot.index, drawn=slot.delivered_at is not None)
            slot.untimed = False

    def _execute(self, queue: Queue, commands: CommandList) -> None:
        queue.execute(commands)
        self.counters.dispatches += commands.dispatches

    def _block(self, point: FencePoint) -> None:
        if not point.reached:
            self.counters.cpu_waits += 1
            point.block()

    def _measured(self, stage: str) -> AbstractContextManager[None]:
        return self._timer.measured(stage) if self._timer else nullcontext()


def check_formats(source: FrameFormat, target: FrameFormat) -> None:
    """Raise ValueError for a target that no kernel writes."""
    if (target.width, target.height) != (source.width, source.height):
        raise ValueError(f"a target of {target.width}x{target.height} for {source.width}x{source.height}")
    yuv = target.layout is Layout.SEMI_PLANAR and target.subsample == (1, 1)
    if not yuv and not (target.layout is Layout.RGBA and target.bits == 8):
        raise ValueError(f"no output as {target.layout} of {target.bits} bits with subsampling {target.subsample}")
