"""CUDA pipeline: upload, conversion, network, output, readback.

Events order the upload, compute and download streams, so `submit` does not block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import Any

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.cuda_graph import CudaGraph
from framebrush.gpu.cuda.engines import OpenRuntime
from framebrush.gpu.cuda.errors import CaptureError
from framebrush.gpu.cuda.finishing import Finishing
from framebrush.gpu.cuda.frame import CudaFrame
from framebrush.gpu.cuda.native import Event, Stream
from framebrush.gpu.cuda.network import Network
from framebrush.gpu.cuda.page_locks import PageLocks
from framebrush.gpu.cuda.pass_executor import Executor
from framebrush.gpu.cuda.slot import CudaSlot, Picture
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import NO_SHARES, Mixing, Photograph, Shares, film_shares, second_shares
from framebrush.gpu.stages.output import Output
from framebrush.gpu.stages.steady.passes import CudaSteadying
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer, joined
from framebrush.gpu.surface import CallbackSurface, Surface


class CudaStylizer(Stylizer[CudaSlot]):
    """See `framebrush.gpu.stylizer.Stylizer`."""

    def __init__(
        self,
        settings: Settings,
        context: Context,
        open_runtime: OpenRuntime,
        closed: Callable[[Stylizer[Any]], None],
    ) -> None:
        self._context, self._open_runtime = context, open_runtime
        self._stack = ExitStack()
        # Assume that the next call is like the last: make outputs ahead, copy them to the host.
        self._makes = self._downloads = True
        self._slots: list[CudaSlot] = []
        self._screen: tuple[Output, Picture] | None = None
        self._steadying: CudaSteadying | None = None
        self._second: Network | None = None
        super().__init__(settings, context, closed)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = (network.engine.note for network in self._networks)
        return (*super().notes, *dict.fromkeys(filter(None, notes)))

    @property
    def _engine_name(self) -> str | None:
        return joined(*(network.engine.name for network in self._networks))

    @property
    def _networks(self) -> list[Network]:
        return [self._network, *filter(None, (self._second,))]

    def _make_slots(self, count: int) -> list[CudaSlot]:
        context, settings, keep = self._context, self.settings, self._stack.enter_context
        context.native.use()
        self._executor = executor = keep(closing(Executor(context)))
        self._way = way = FramePasses(settings, "cuda")
        self._finishing = finishing = Finishing(executor, settings, way)
        self._mixing = Mixing(settings, way, "cuda")
        self._mixing_second = Mixing(settings, way, "cuda", way.second)
        photograph = Photograph(settings, way, "cuda")
        self._output = output = Output(way, settings.target, "cuda")
        self._slots = [
            keep(
                closing(
                    CudaSlot(context, index, settings, way, output, executor, finishing, photograph, self.times.ranges)
                )
            )
            for index in range(count)
        ]
        if not settings.window.alone:
            self._steadying = steadying = CudaSteadying(settings, way)
            for slot in self._slots:
                executor.allocate(steadying.levels, slot.index)
            executor.allocate(steadying.mixed(1), 0)
        opened, frame, slots = self._open_runtime, way.frame, self._slots
        self._network = keep(closing(Network(context, opened, settings, frame, way.styled, executor, slots)))
        if second := settings.second:
            network = Network(context, opened, second, frame, way.second, executor, slots, mixes=False)
            self._second = keep(closing(network))
        self._shown = keep(closing(Event(context.native, "shown")))
        self._locks = keep(closing(PageLocks(context.native)))
        return list(self._slots)

    def _upload(self, slot: CudaSlot, frame: Frame, look: Look) -> None:
        up = self._context.up
        self._reclaim(slot, look, up)
        slot.fill(frame)
        up.record(slot.uploaded)

    def _import(self, slot: CudaSlot, frame: DeviceFrame, look: Look) -> None:
        assert isinstance(frame, CudaFrame)
        compute = self._context.compute
        self._reclaim(slot, look, compute)
        compute.wait_for(frame.ready)
        slot.held = frame
        slot.copy_planes(frame.pointers, frame.pitches)
        compute.record(slot.uploaded)

    def _reclaim(self, slot: CudaSlot, look: Look, stream: Stream) -> None:
        self._context.native.use()
        if not slot.idle:
            self._block(slot.uploaded)
            stream.wait_for(slot.used)
        self._sweep()
        self._count(slot)
        slot.begin(look, self.settings.mix(look))

    def _run(self, slot: CudaSlot, look: Look) -> None:
        counters, networks = self.counters, self._networks[:1]
        self._context.compute.wait_for(slot.uploaded)
        slot.use_table(self.table)
        slot.use_maps(self.maps)
        second = second_shares(self.masks, look) if self._second else NO_SHARES
        shares = second, film_shares(self.masks, look)
        slot.use_masks(self.masks, shares[1].faces)
        if any(second):
            networks = self._networks
        counters.dispatches += self._network.engine.blend(self.settings.mix(look), slot.mix)
        made = look if self._makes and self._steadying is None else None
        kernels = partial(self._queue, slot, made, *shares)
        if all(network.engine.captures for network in networks):
            counters.dispatches += self._replayed(
                slot, slot.replay, (made or look.at_convert, shares, slot.photo_shares(made)), kernels
            )
        else:
            counters.dispatches += kernels()
        counters.runs += sum(network.runs for network in networks)
        self._finish(slot, made)

    def _queue(self, slot: CudaSlot, made: Look | None, second: Shares, film: Shares) -> int:
        slot.mark("convert", 0)
        kernels = slot.queue_convert()
        slot.mark("convert", 1)
        slot.mark("network", 0)
        kernels += self._network.queue(slot)
        if self._second and any(second):
            kernels += self._second.queue(slot)
            kernels += self._executor.queue_step(self._mixing_second.step(slot.index, second))
        if any(film):
            kernels += self._executor.queue_step(self._mixing.step(slot.index, film))
        slot.mark("network", 1)
        if self._steadying is None:
            return kernels + self._queue_result(slot, made)
        return kernels + self._executor.queue(self._steadying.levels, slot.index)

    def _combine(
        self,
        slot: CudaSlot,
        before: Sequence[CudaSlot],
        after: Sequence[CudaSlot],
        last: CudaSlot | None,
        look: Look,
        place: int,
    ) -> None:
        assert self._steadying is not None
        self._context.native.use()
        if look.needs_neighbours:
            slot.mark("steady", 0)
            past, future = ([one.index for one in side] for side in (before, after))
            for step in self._steadying.steps(slot.index, past, future, look):
                self.counters.dispatches += self._executor.queue_step(step)
            slot.result = slot.steadied
            slot.mark("steady", 1)
        if self.settings.carries:
            self.counters.dispatches += slot.queue_carry(last, place)
            if looks_at(place):
                self.counters.dispatches += slot.queue_looking()
        made = look if self._makes else None
        key, kernels = (
            (made, slot.result, slot.carried, slot.photo_shares(made)),
            partial(self._queue_result, slot, made),
        )
        self.counters.dispatches += self._replayed(slot, slot.result_replay, key, kernels)
        self._finish(slot, made)

    def _follow(self, slot: CudaSlot, last: CudaSlot | None, look: Look, place: int) -> None:
        self._context.native.use()
        self._context.compute.wait_for(slot.uploaded)
        self.counters.dispatches += slot.queue_convert() + slot.queue_carry(last, place)
        self._context.compute.record(slot.used)

    def _replayed(self, slot: CudaSlot, replay: CudaGraph, key: object, kernels: Callable[[], int]) -> int:
        if slot.marks or self.times.ranges:  # timing and markers need single launches
            return kernels()
        try:
            count = replay.queue(key, kernels)
        except CaptureError:  # another thread called the driver meanwhile: the next frame tries again
            slot.remade = slot.detailed = False
            self._finishing.forget()
            count = kernels()
        self._finishing.forget()  # a graph does not say which pictures it made
        return count

    def _queue_result(self, slot: CudaSlot, made: Look | None) -> int:
        return slot.queue_resize() + (0 if made is None else slot.queue_output(made))

    def _finish(self, slot: CudaSlot, made: Look | None) -> None:
        self._context.compute.record(slot.used)
        slot.prepared = made
        if made is not None and self._downloads:
            self._queue_download(slot, slot.into)

    def _expect(self, slot: CudaSlot, into: Frame | None) -> None:
        if slot.written is not None:
            with suppress(DeviceError):  # a lost GPU writes no more
                self._block(slot.delivered)
        slot.into, slot.written = into, None

    def _queue_download(self, slot: CudaSlot, into: Frame | None) -> None:
        rows = None if into is None else self._locks.rows(into)
        slot.queue_download(rows)
        slot.written = None if rows is None else into

    def _make_output(self, slot: CudaSlot, look: Look) -> None:
        if slot.prepared == look:
            return
        compute = self._context.compute
        if slot.downloaded:
            compute.wait_for(slot.delivered)  # a previous output may still be downloading
        self.counters.dispatches += slot.queue_output(look)
        compute.record(slot.used)
        slot.prepared, slot.downloaded = look, False

    def _show(self, slot: CudaSlot, surface: Surface, look: Look) -> None:
        assert isinstance(surface, CallbackSurface)
        self._makes = self._downloads = False
        gpu = self._context
        gpu.native.use()
        self._screen = self._screen or self._made_screen()
        output, screen = self._screen
        self.counters.dispatches += slot.queue_look(output, look)
        gpu.compute.record(slot.used)
        gpu.down.wait_for(slot.used)
        screen.queue_download()
        gpu.down.record(self._shown)
        self._block(self._shown)
        self.counters.readbacks += 1
        surface.put(screen.views[0].astype("uint8", copy=False))

    def _made_screen(self) -> tuple[Output, Picture]:
        target = rgba8(*self.sizes.target)
        output = Output(self._way, target, "cuda", "screen")
        screen = self._stack.enter_context(closing(Picture(self._context, target, output.name)))
        for slot in self._slots:
            screen.give(self._executor.memory, output, slot.index)
        return output, screen

    def _fetch(self, slot: CudaSlot, into: Frame, look: Look) -> bool:
        self._makes = self._downloads = True
        self._context.native.use()
        with self.times.measured("fetch"):
            self._make_output(slot, look)
            if not slot.downloaded or (slot.written is not None and slot.written is not into):
                self._queue_download(slot, into)
            self._block(slot.delivered)
            if slot.written is into:
                self.counters.host_copies -= 1  # copied by the GPU
            else:
                slot.picture.copy_to(into)
        return self._ended(slot)

    def _store(self, slot: CudaSlot, into: DeviceFrame, look: Look) -> bool:
        self._makes, self._downloads = True, False
        self._context.native.use()
        self._make_output(slot, look)
        slot.queue_store(into)
        self._block(slot.used)
        if slot.downloaded:
            self._block(slot.delivered)
        return self._ended(slot)

    def _ended(self, slot: CudaSlot) -> bool:
        slot.idle = True
        self._sweep()
        self._count(slot)
        return slot.picture.finite

    def _abandon(self, slot: CudaSlot) -> None:
        self._context.wait_idle()
        self._sweep()

    def _close(self) -> None:
        self._context.wait_idle()
        self._stack.close()

    def _block(self, event: Event) -> None:
        if not event.reached:
            self.counters.cpu_waits += 1
            event.block()

    def _sweep(self) -> None:
        for slot in self._slots:
            if slot.held is not None:
                with suppress(DeviceError):  # a lost GPU is reported elsewhere
                    if not slot.uploaded.reached:
                        continue
                slot.let_go()

    def _count(self, slot: CudaSlot) -> None:
        if not slot.timed or not all(slot.marks[part][1].reached for part in slot.timed):
            return
        for part in slot.timed:
            begin, end = slot.marks[part]
            self.times.add(part, end.ms_since(begin))
        slot.timed = set()
