"""CUDA pipeline: upload, conversion, network, output, readback.

Upload, compute and download streams are ordered by events on the GPU, so `submit` does not block and copies overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing, suppress
from functools import partial
from typing import Any

from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.errors import CaptureError
from framebrush.gpu.cuda.finishing import Finishing
from framebrush.gpu.cuda.frame import CudaFrame
from framebrush.gpu.cuda.native import Event, Stream
from framebrush.gpu.cuda.networks.engines import OpenRuntime
from framebrush.gpu.cuda.networks.network import Network
from framebrush.gpu.cuda.page_locks import PageLocks
from framebrush.gpu.cuda.passes import Executor
from framebrush.gpu.cuda.replay import Replay
from framebrush.gpu.cuda.slot import Picture, Slot
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame, rgba8
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.masks import Mixing, Photograph, Shares, film_shares
from framebrush.gpu.stages.output import Output
from framebrush.gpu.stages.steady.passes import CudaSteadying
from framebrush.gpu.stages.strokes.looks import looks_at
from framebrush.gpu.stages.way import Way
from framebrush.gpu.stylizer import Settings, Stylizer
from framebrush.gpu.surface import CallbackSurface, Surface


class CudaStylizer(Stylizer[Slot]):
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
        self._slots: list[Slot] = []
        self._screen: tuple[Output, Picture] | None = None
        self._steadying: CudaSteadying | None = None
        super().__init__(settings, context, closed)

    @property
    def notes(self) -> tuple[str, ...]:
        """See Stylizer."""
        return (*super().notes, *filter(None, (self._network.engine.note,)))

    @property
    def _engine_name(self) -> str | None:
        return self._network.engine.name

    def _make_slots(self, count: int) -> list[Slot]:
        context, settings, keep = self._context, self.settings, self._stack.enter_context
        context.native.use()
        self._executor = executor = keep(closing(Executor(context)))
        self._way = way = Way(settings, "cuda")
        self._finishing = finishing = Finishing(executor, settings, way)
        self._mixing = Mixing(settings, way, "cuda")
        photograph = Photograph(settings, way, "cuda")
        self._output = output = Output(way, settings.target, "cuda")
        self._slots = [
            keep(
                closing(Slot(context, index, settings, way, output, executor, finishing, photograph, self.times.ranges))
            )
            for index in range(count)
        ]
        if not settings.window.alone:
            self._steadying = steadying = CudaSteadying(settings, way)
            for slot in self._slots:
                executor.take(steadying.levels, slot.index)
            executor.take(steadying.mixed(1), 0)
        self._network = keep(closing(Network(context, self._open_runtime, settings, way, executor, self._slots)))
        self._shown = keep(closing(Event(context.native, "shown")))
        self._locks = keep(closing(PageLocks(context.native)))
        return list(self._slots)

    def _upload(self, slot: Slot, frame: Frame, look: Look) -> None:
        up = self._context.up
        self._reclaim(slot, look, up)
        slot.fill(frame)
        up.record(slot.uploaded)

    def _import(self, slot: Slot, frame: DeviceFrame, look: Look) -> None:
        assert isinstance(frame, CudaFrame)
        compute = self._context.compute
        self._reclaim(slot, look, compute)
        compute.wait_for(frame.ready)
        slot.held = frame
        slot.copy_planes(frame.pointers, frame.pitches)
        compute.record(slot.uploaded)

    def _reclaim(self, slot: Slot, look: Look, stream: Stream) -> None:
        self._context.native.use()
        if not slot.idle:
            self._block(slot.uploaded)
            stream.wait_for(slot.used)
        self._sweep()
        self._count(slot)
        slot.begin(look.tone_map, self.settings.mix(look))

    def _run(self, slot: Slot, look: Look) -> None:
        counters, network = self.counters, self._network
        self._context.compute.wait_for(slot.uploaded)
        slot.use_table(self.table)
        slot.use_maps(self.maps)
        shares = film_shares(self.masks, look)
        slot.use_masks(self.masks, shares.faces)
        counters.dispatches += network.engine.blend(self.settings.mix(look), slot.mix)
        made = look if self._makes and self._steadying is None else None
        kernels = partial(self._queue, slot, made, shares)
        if network.engine.captures:
            counters.dispatches += self._replayed(
                slot, slot.replay, (made or look.tone_map, shares, slot.photo_shares(made)), kernels
            )
        else:
            counters.dispatches += kernels()
        counters.runs += network.runs
        self._finish(slot, made)

    def _queue(self, slot: Slot, made: Look | None, shares: Shares) -> int:
        slot.mark("convert", 0)
        kernels = slot.queue_convert()
        slot.mark("convert", 1)
        slot.mark("network", 0)
        kernels += self._network.queue(slot)
        if any(shares):
            records = {"masks": self._mixing.record(shares)}
            kernels += self._executor.queue(self._mixing.work, slot.index, records=records)
        slot.mark("network", 1)
        if self._steadying is None:
            return kernels + self._queue_result(slot, made)
        return kernels + self._executor.queue(self._steadying.levels, slot.index)

    def _combine(
        self, slot: Slot, before: Sequence[Slot], after: Sequence[Slot], last: Slot | None, look: Look, place: int
    ) -> None:
        assert self._steadying is not None
        self._context.native.use()
        if look.steady:
            slot.mark("steady", 0)
            past, future = ([one.index for one in side] for side in (before, after))
            for step in self._steadying.steps(slot.index, past, future, look.steady):
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

    def _follow(self, slot: Slot, last: Slot | None, look: Look, place: int) -> None:
        self._context.native.use()
        self._context.compute.wait_for(slot.uploaded)
        self.counters.dispatches += slot.queue_convert() + slot.queue_carry(last, place)
        self._context.compute.record(slot.used)

    def _replayed(self, slot: Slot, replay: Replay, key: object, kernels: Callable[[], int]) -> int:
        """Queue a slot's kernels, as a graph from the second time on."""
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

    def _queue_result(self, slot: Slot, made: Look | None) -> int:
        return slot.queue_resize() + (0 if made is None else slot.queue_output(made))

    def _finish(self, slot: Slot, made: Look | None) -> None:
        self._context.compute.record(slot.used)
        slot.prepared = made
        if made is not None and self._downloads:
            self._queue_download(slot, slot.into)

    def _expect(self, slot: Slot, into: Frame | None) -> None:
        if slot.written is not None:
            with suppress(DeviceError):  # a lost GPU writes no more
                self._block(slot.delivered)
        slot.into, slot.written = into, None

    def _queue_download(self, slot: Slot, into: Frame | None) -> None:
        rows = None if into is None else self._locks.rows(into)
        slot.queue_download(rows)
        slot.written = None if rows is None else into

    def _make_output(self, slot: Slot, look: Look) -> None:
        if slot.prepared == look:
            return
        compute = self._context.compute
        if slot.downloaded:
            compute.wait_for(slot.delivered)  # a previous output may still be downloading
        self.counters.dispatches += slot.queue_output(look)
        compute.record(slot.used)
        slot.prepared, slot.downloaded = look, False

    def _show(self, slot: Slot, surface: Surface, look: Look) -> None:
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

    def _fetch(self, slot: Slot, into: Frame, look: Look) -> bool:
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

    def _store(self, slot: Slot, into: DeviceFrame, look: Look) -> bool:
        self._makes, self._downloads = True, False
        self._context.native.use()
        self._make_output(slot, look)
        slot.queue_store(into)
        self._block(slot.used)
        if slot.downloaded:
            self._block(slot.delivered)
        return self._ended(slot)

    def _ended(self, slot: Slot) -> bool:
        slot.idle = True
        self._sweep()
        self._count(slot)
        return slot.picture.finite

    def _abandon(self, slot: Slot) -> None:
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

    def _count(self, slot: Slot) -> None:
        if not slot.timed or not all(slot.marks[part][1].reached for part in slot.timed):
            return
        for part in slot.timed:
            begin, end = slot.marks[part]
            self.times.add(part, end.ms_since(begin))
        slot.timed = set()
