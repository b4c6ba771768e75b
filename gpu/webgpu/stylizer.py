"""WebGPU pipeline: from upload to readback in one submission."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from framebrush.gpu.frame import DeviceFrame, Frame, rgba8
from framebrush.gpu.hlsl.finishing import Finishing
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, packed_define
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import Mixing, Photograph, film_shares, second_shares
from framebrush.gpu.stages.output import Output, output_look
from framebrush.gpu.stages.steady.passes import Steadying
from framebrush.gpu.stages.strokes.passes import Carrying, Drawing, StrokeMemory
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer, joined
from framebrush.gpu.surface import CallbackSurface, Surface
from framebrush.gpu.webgpu import timing
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.frame import WebGpuFrame
from framebrush.gpu.webgpu.network import Tensors, WebGpuNetwork, open_network
from framebrush.gpu.webgpu.pass_executor import Executor
from framebrush.gpu.webgpu.slot import Picture, WebGpuSlot
from framebrush.gpu.webgpu.swapchain import SwapChain


class WebGpuStylizer(Stylizer[WebGpuSlot]):
    """See `framebrush.gpu.stylizer.Stylizer`."""

    def __init__(self, settings: Settings, context: Context, closed: Callable[[Stylizer[Any]], None]) -> None:
        self._context = context
        self._stack = ExitStack()
        self._fetches = True  # record outputs ahead, as the last call asked for them
        self._steadying: Steadying | None = None
        self._second: WebGpuNetwork | None = None
        self._kept: Recorder | None = None  # commands of a frame that are not submitted yet
        self._screen: tuple[Output, Picture] | None = None
        super().__init__(settings, context, closed)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = (network.note for network in self._networks)
        return (*dict.fromkeys(filter(None, notes)), *super().notes)

    @property
    def _engine_name(self) -> str | None:
        return joined(*(network.name for network in self._networks))

    @property
    def _networks(self) -> list[WebGpuNetwork]:
        return [self._network, *filter(None, (self._second,))]

    def _make_slots(self, count: int) -> list[WebGpuSlot]:
        context, settings, keep = self._context, self.settings, self._stack.enter_context
        self._executor = executor = keep(closing(Executor(context)))
        self._way = way = FramePasses(settings, "wgsl")
        self._carrying = Carrying(StrokeMemory(settings, way.frame))
        self._seeing = Drawing(self._carrying.memory, way.painted(way.styled), FLAG)
        finishing = Finishing(settings, way, self._carrying, reports=True)
        self._mixing = Mixing(settings, way, "wgsl")
        self._mixing_second = Mixing(settings, way, "wgsl", way.second)
        photograph = Photograph(settings, way, "wgsl")
        self._output = output = Output(way, settings.target, "wgsl")
        slots = [
            keep(closing(WebGpuSlot(context, index, settings, way, output, executor, finishing, photograph)))
            for index in range(count)
        ]
        self._slots = slots
        if not self.window.alone:
            self._steadying = steadying = Steadying(settings, way)
            for slot in slots:
                executor.allocate(steadying.levels, slot.index)
            for step in steadying.steps(0, (1,), (), Look()):
                executor.allocate_step(step)
        tensors = Tensors(way.frame, way.styled)
        self._network = keep(closing(open_network(context, settings, tensors, executor, slots)))
        if second := settings.second:
            tensors = Tensors(way.frame, way.second, mixes=False)
            self._second = keep(closing(open_network(context, second, tensors, executor, slots)))
        return list(slots)

    def _upload(self, slot: WebGpuSlot, frame: Frame, look: Look) -> None:
        self._reclaim(slot, look)
        slot.fill(frame)

    def _import(self, slot: WebGpuSlot, frame: DeviceFrame, look: Look) -> None:
        assert isinstance(frame, WebGpuFrame)
        self._reclaim(slot, look)
        recorder = Recorder(self._context.native, "import")
        slot.record_import(recorder, frame)
        recorder.submit()
        frame.release()  # the memory lives until the copy is done

    def _reclaim(self, slot: WebGpuSlot, look: Look) -> None:
        if self._kept:  # left by a frame that waits for its neighbours
            self._submit(self._recorder())
        slot.begin(look, self.settings.mix(look))
        self._count_shown(slot)
        slot.timed = set()
        slot.use_table(self.table)
        slot.use_maps(self.maps)
        slot.use_masks(self.masks, film_shares(self.masks, look).faces)

    def _run(self, slot: WebGpuSlot, look: Look) -> None:
        recorder = self._recorder()
        with self._timed(recorder, slot, "convert"):
            slot.record_convert(recorder)
        self._begin(recorder, slot, "network")
        recorder = self._painted(recorder, slot, self._network)
        shares = second_shares(self.masks, look)
        if self._second and any(shares):
            recorder = self._painted(recorder, slot, self._second)
            self._executor.record_step(recorder, self._mixing_second.step(slot.index, shares))
        shares = film_shares(self.masks, look)
        if any(shares):
            self._executor.record_step(recorder, self._mixing.step(slot.index, shares))
        self._end(recorder, slot, "network")
        if self._steadying:
            self._executor.record(recorder, self._steadying.levels, slot.index)
            self._kept = recorder
        else:
            self._finish(recorder, slot, look)

    def _painted(self, recorder: Recorder, slot: WebGpuSlot, network: WebGpuNetwork) -> Recorder:
        later = network.record(recorder, slot, self.counters)
        if later is not recorder:
            self.counters.dispatches += recorder.dispatches
        return later

    def _follow(self, slot: WebGpuSlot, last: WebGpuSlot | None, look: Look, place: int) -> None:
        recorder = self._recorder()
        slot.record_convert(recorder)
        self._carry(recorder, slot, last, place)
        self._submit(recorder)

    def _carry(self, recorder: Recorder, slot: WebGpuSlot, last: WebGpuSlot | None, place: int) -> None:
        carrying, records = self._carrying, {"carry": self._carrying.record(place)}
        slot.at_home, slot.place = False, place
        self._executor.record(recorder, carrying.film, slot.index)
        if last is not None and last.place is not None:
            self._executor.record(recorder, carrying.carry, slot.index, others=(last.index,), records=records)
        else:
            self._executor.record(recorder, carrying.begin, slot.index, records=records)

    def _combine(
        self,
        slot: WebGpuSlot,
        before: Sequence[WebGpuSlot],
        after: Sequence[WebGpuSlot],
        last: WebGpuSlot | None,
        look: Look,
        place: int,
    ) -> None:
        assert self._steadying is not None
        recorder = self._recorder()
        if self.settings.carries:
            self._carry(recorder, slot, last, place)
            if looks_at(place):
                slot.record_resize(recorder, self._way.styled)
                records = {"look": self._seeing.record(look, place)}
                self._executor.record(recorder, self._seeing.sampling, slot.index, records=records)
        past, future = ([one.index for one in side] for side in (before, after))
        with self._timed(recorder, slot, "steady"):
            for step in self._steadying.steps(slot.index, past, future, look):
                self._executor.record_step(recorder, step)
        self._finish(recorder, slot, look)

    def _finish(self, recorder: Recorder, slot: WebGpuSlot, look: Look) -> None:
        slot.record_resize(recorder, slot.result)
        if self._fetches:
            self._deliver(recorder, slot, look)
        else:
            self._submit(recorder)

    def _deliver(self, recorder: Recorder, slot: WebGpuSlot, look: Look) -> None:
        slot.picture.readback.free()
        with self._timed(recorder, slot, "output"):
            slot.record_output(recorder, self._output, look)
        if slot.stamps:
            slot.stamps.bring(recorder)
        slot.picture.record_download(recorder, slot.flag, slot.stamps)
        self.counters.dispatches += recorder.dispatches
        recorder.submit(slot.picture.readback)
        slot.prepared = look

    def _show(self, slot: WebGpuSlot, surface: Surface, look: Look) -> None:
        self._fetches = False
        if isinstance(surface, SwapChain):
            self._show_in_window(slot, surface, look)
            return
        assert isinstance(surface, CallbackSurface)
        self._screen = self._screen or self._made_screen()
        recorder, (output, screen) = self._recorder(), self._screen
        slot.record_output(recorder, output, look)
        screen.record_download(recorder, slot.flag, None)
        self.counters.dispatches += recorder.dispatches
        recorder.submit(screen.readback)
        self.counters.cpu_waits += 1
        self.counters.readbacks += 1
        try:
            (picture,) = screen.brought().planes
            surface.put(picture.astype("uint8", copy=False))
        finally:
            screen.readback.free()

    def _show_in_window(self, slot: WebGpuSlot, surface: SwapChain, look: Look) -> None:
        if not surface.begin():
            return
        self._count_shown(slot)
        recorder, stamps, brought = self._recorder(), slot.stamps, slot.shown
        with self._timed(recorder, slot, "output"):
            drawn, look = slot.record_drawn(recorder, look)
            shown = self._output.shown(self._way.painted(slot.result), look, drawn)
            reads = [self._executor.memory.bound(one, slot.index) for one in shown]
            sizes = shown[0].size_px, shown[1].size_px
            kind = Variant("tensor_to_rgba", packed_define(shown[0]))
            surface.draw(recorder, kind, reads, slot.flag.bound(), self.sizes.target, sizes, output_look(look))
        self.counters.dispatches += recorder.dispatches
        if stamps and brought and brought.is_idle:
            stamps.bring(recorder)
            recorder.copy(brought.buffer, stamps.resolved, timing.SIZE_BYTES)
            recorder.submit(brought)
            slot.timed, slot.shown_timed = set(), slot.timed
        else:
            recorder.submit()
        surface.present()

    def _count_shown(self, slot: WebGpuSlot) -> None:
        if slot.stamps and slot.shown and slot.shown.has_come:
            stamps = slot.shown.read()
            for part in slot.shown_timed:
                self.times.add(part, slot.stamps.ms(stamps, part))
            slot.shown.free()

    def _made_screen(self) -> tuple[Output, Picture]:
        target = rgba8(*self.sizes.target)
        output = Output(self._way, target, "wgsl", "screen")
        screen = self._stack.enter_context(closing(Picture(self._context, target, output.name)))
        for slot in self._slots:
            screen.give(self._executor.memory, output, slot.index)
        return output, screen

    def _fetch(self, slot: WebGpuSlot, into: Frame, look: Look) -> bool:
        self._fetches = True
        output = slot.picture
        with self.times.measured("fetch"):
            if slot.prepared != look:
                self._deliver(self._recorder(), slot, look)
            self.counters.cpu_waits += output.readback.wait()
            brought = output.brought()
            self._context.copier.copy(into.planes, brought.planes)
        if slot.stamps:
            for part in slot.timed:
                self.times.add(part, slot.stamps.ms(brought.stamps, part))
            slot.timed = set()
        output.readback.free()
        slot.prepared = None
        return brought.finite

    def _abandon(self, slot: WebGpuSlot) -> None:
        self._kept = None
        self._context.wait_idle()

    def _close(self) -> None:
        self._context.wait_idle()
        self._stack.close()

    def _recorder(self) -> Recorder:
        kept, self._kept = self._kept, None
        return kept or Recorder(self._context.native, self.settings.style.card.name)

    def _submit(self, recorder: Recorder) -> None:
        self.counters.dispatches += recorder.dispatches
        recorder.submit()

    @contextmanager
    def _timed(self, recorder: Recorder, slot: WebGpuSlot, part: str) -> Iterator[None]:
        self._begin(recorder, slot, part)
        yield
        self._end(recorder, slot, part)

    def _begin(self, recorder: Recorder, slot: WebGpuSlot, part: str) -> None:
        if self.times.ranges is not None:
            self.times.ranges.begin(part)
        if slot.stamps:
            slot.stamps.begin(recorder, part)

    def _end(self, recorder: Recorder, slot: WebGpuSlot, part: str) -> None:
        if self.times.ranges is not None:
            self.times.ranges.end()
        if slot.stamps:
            slot.stamps.end(recorder, part)
            slot.timed.add(part)
