"""Direct3D 12 pipeline: upload, conversion, network, output, present or readback.

The copy queue uploads planes; the compute queue converts, paints and makes the output; the direct queue draws it, or
the readback queue copies it. Readbacks are queued once their output is made: drivers may run all
copy queues as one, and uploads would wait.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any

from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.fenced_queue import CommandList, FencePoint, Queue
from framebrush.gpu.d3d12.finishing import Finishings
from framebrush.gpu.d3d12.frame import D3D12Frame
from framebrush.gpu.d3d12.network import D3D12Network
from framebrush.gpu.d3d12.pass_executor import D3D12Resources, Executor
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.d3d12.swapchain import SwapChain
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Step, Tensor
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.masks import Mixing, after_photograph, film_shares, second_shares
from framebrush.gpu.stages.output import Output, Unlit, output_look
from framebrush.gpu.stages.steady.passes import Steadying
from framebrush.gpu.stages.strokes.passes import Carrying, Drawing, StrokeMemory
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer, joined
from framebrush.gpu.surface import Surface


class D3D12Stylizer(Stylizer[D3D12Slot]):
    """See `framebrush.gpu.stylizer.Stylizer`."""

    def __init__(self, settings: Settings, context: Context, closed: Callable[[Stylizer[Any]], None]) -> None:
        self._context = context
        self._stack = ExitStack()
        self._stamps: SlotStamps | None = None
        self._fetches = False  # assume that the next call is like the last: make outputs ahead
        self._steadying: Steadying | None = None
        self._second: D3D12Network | None = None
        self._on_screen: tuple[object, ...] = ()  # key of the picture drawn last for the window
        self._made: list[D3D12Slot] = []  # slots with an output and no queued readback, oldest first
        self._drawn_before_ms = 0.0  # time on the compute queue of the frame shown last
        super().__init__(settings, context, closed)

    @property
    def notes(self) -> tuple[str, ...]:
        notes = (network.note for network in self._networks)
        return (*super().notes, *dict.fromkeys(filter(None, notes)))

    @property
    def _engine_name(self) -> str | None:
        return joined(*(network.engine_name for network in self._networks))

    @property
    def _networks(self) -> list[D3D12Network]:
        return [self._network, *filter(None, (self._second,))]

    def _make_slots(self, count: int) -> list[D3D12Slot]:
        context, settings, keep = self._context, self.settings, self._stack.enter_context
        if settings.timing:
            self._stamps = keep(closing(SlotStamps(context.native, context.compute, count)))
        memory = keep(closing(D3D12Resources(context)))
        self._executor = executor = keep(closing(Executor(context, context.compute, memory, self._stamps, "stages")))
        self._way = way = FramePasses(settings, "hlsl")
        self._carrying = Carrying(StrokeMemory(settings, way.frame))
        self._seeing = Drawing(self._carrying.memory, way.painted(way.styled), FLAG)
        self._mixing = Mixing(settings, way, "hlsl")
        self._mixing_second = Mixing(settings, way, "hlsl", way.second)
        self._output = output = Output(way, settings.target, "hlsl")
        slots = [
            keep(closing(D3D12Slot(context, index, settings, way, output, executor, self._stamps)))
            for index in range(count)
        ]
        if not self.window.alone:
            self._steadying = steadying = Steadying(settings, way)
            for slot in slots:
                executor.list_of(steadying.levels, slot.index)
            executor.lists_of(*steadying.steps(0, (1,), (), Look()))  # allocates now: a lack of memory shows here
        frame = way.frame
        self._network = keep(closing(D3D12Network(context, settings, frame, way.styled, executor, slots)))
        if second := settings.second:
            self._second = keep(closing(D3D12Network(context, second, frame, way.second, executor, slots, mixes=False)))
        self._finishings = keep(closing(Finishings(context, settings, way, self._carrying, executor)))
        return slots

    def _upload(self, slot: D3D12Slot, frame: Frame, look: Look) -> None:
        self._reclaim(slot, look)
        slot.fill(frame)
        self._execute(self._context.copy, slot.upload)
        slot.uploaded = self._context.copy.signal()

    def _import(self, slot: D3D12Slot, frame: DeviceFrame, look: Look) -> None:
        assert isinstance(frame, D3D12Frame)
        self._reclaim(slot, look)
        slot.uploaded = frame.read(slot.record_import(frame))
        frame.release()

    def _reclaim(self, slot: D3D12Slot, look: Look) -> None:
        if slot in self._made:
            self._made.remove(slot)
        for point in slot.points.values():
            self._block(point)
        self._count(slot)
        slot.begin(look, self.settings.mix(look))
        self._execute(
            self._context.copy,
            *slot.use_table(self.table),
            *slot.use_maps(self.maps),
            *slot.use_masks(self.masks, film_shares(self.masks, look).faces),
        )

    def _run(self, slot: D3D12Slot, look: Look) -> None:
        compute = self._context.compute
        with self._removal_checked("submit"):
            compute.wait_for(slot.uploaded)
            self._execute(compute, slot.convert)
            self._network.record(slot, self.counters)
            shares = second_shares(self.masks, look)
            if self._second and any(shares):
                self._second.record(slot, self.counters)
                self._execute(compute, *self._executor.lists_of(self._mixing_second.step(slot.index, shares)))
            shares = film_shares(self.masks, look)
            if any(shares):
                self._execute(compute, *self._executor.lists_of(self._mixing.step(slot.index, shares)))
            if self._stamps:
                slot.timed |= {"convert", "network"}
            after = [slot.network_end] if slot.network_end else []
            if self._steadying:
                self._execute(compute, *after, self._executor.list_of(self._steadying.levels, slot.index))
                slot.used(compute.signal())
            else:
                self._finish(slot, look, *after)

    def _follow(self, slot: D3D12Slot, last: D3D12Slot | None, look: Look, place: int) -> None:
        compute = self._context.compute
        with self._removal_checked("follow"):
            compute.wait_for(slot.uploaded)
            self._execute(compute, slot.convert, *self._carry(slot, last, place))
            slot.used(compute.signal())

    def _carry(self, slot: D3D12Slot, last: D3D12Slot | None, place: int) -> list[CommandList]:
        carrying, records = self._carrying, {"carry": self._carrying.record(place)}
        slot.at_home, slot.place = False, place
        carried = Step(carrying.begin, slot.index, (), records)
        if last is not None and last.place is not None:
            carried = Step(carrying.carry, slot.index, (last.index,), records)
        return self._executor.lists_of(Step(carrying.film, slot.index), carried)

    def _combine(
        self,
        slot: D3D12Slot,
        before: Sequence[D3D12Slot],
        after: Sequence[D3D12Slot],
        last: D3D12Slot | None,
        look: Look,
        place: int,
    ) -> None:
        assert self._steadying is not None
        with self._removal_checked("steady"):
            lists = []
            if self.settings.carries:
                lists = self._carry(slot, last, place)
                self._time(slot, "carry")
                if looks_at(place):
                    records = {"look": self._seeing.record(look, place)}
                    sampling = Step(self._seeing.sampling, slot.index, (), records)
                    lists += [*slot.resize_alone, *self._executor.lists_of(sampling)]
            self._time(slot, "steady")
            past, future = ([one.index for one in side] for side in (before, after))
            lists += self._executor.lists_of(*self._steadying.steps(slot.index, past, future, look))
            self._finish(slot, look, *lists)

    def _finish(self, slot: D3D12Slot, look: Look, *lists: CommandList) -> None:
        self._start_readbacks()
        resize = slot.resize
        if resize:
            lists = (*lists, *resize)
            self._time(slot, "resize")
        if self._fetches:
            self._deliver(slot, look, *lists)
        else:
            self._execute(self._context.compute, *lists)
            slot.painted_at = self._context.compute.signal()
            slot.used(slot.painted_at)

    @contextmanager
    def _removal_checked(self, what: str) -> Iterator[None]:
        # ONNX Runtime may not notice a removal
        name = self.settings.style.card.name
        try:
            yield
        except DeviceError:
            self._context.native.check_removed(what, name)
            raise
        self._context.native.check_removed(what, name)

    def _show(self, slot: D3D12Slot, surface: Surface, look: Look) -> None:
        assert isinstance(surface, SwapChain)
        self._fetches = False
        lists = self._of_the_source(slot, look)
        if lists:
            self._execute(self._context.compute, *lists)
            slot.painted_at = self._context.compute.signal()
            slot.used(slot.painted_at)
        executor, made = self._draw_for_screen(slot, look)
        if any(slot.photo_shares(look)):
            look = after_photograph(look)
        shown = self._output.shown(slot.painted, look, made)
        sizes = shown[0].size_px, shown[1].size_px
        reads = executor.reads(shown, slot.index)
        drawn = surface.present(reads, slot.painted_at, self.sizes.target, sizes, output_look(look))
        if drawn.former_ms is not None:
            self.times.add("output", drawn.former_ms + self._drawn_before_ms)
        slot.used(drawn.point)
        self.counters.cpu_waits += drawn.waits
        self.counters.dispatches += 1

    def _draw_for_screen(self, slot: D3D12Slot, look: Look) -> tuple[Executor, Tensor | None]:
        if not (look.finishes or any(slot.photo_shares(look))):
            return self._executor, None
        direct = self._context.direct
        executor, records = self._finishings.executor(direct), self._finishings.records(slot, look, direct)
        with_look = {name: record.tobytes() for name, record in records.items()}
        wanted = slot.index, slot.number, slot.place, with_look
        if wanted != self._on_screen:
            if not executor.is_given(slot.index, records) and direct in slot.points:
                self._block(slot.points[direct])
            lists = self._finishings.lists(slot, look, direct)
            direct.wait_for(slot.painted_at)
            self._execute(direct, *lists)
            slot.used(direct.signal())
            self._on_screen = wanted
        return executor, self._finishings.picture(slot, look, direct)

    def _fetch(self, slot: D3D12Slot, into: Frame, look: Look) -> bool:
        self._fetches = True
        with self.times.measured("fetch"):
            if slot.prepared != look:
                if slot.prepared:  # made ahead with another look
                    self._block(slot.delivered_at or slot.painted_at)
                self._deliver(slot, look)
            if not slot.delivered_at:
                self._block(slot.painted_at)
                self._start_readbacks()
            assert slot.delivered_at is not None
            self._block(slot.delivered_at)
            finite = slot.copy_output(into)
        self._context.native.check_removed("fetch", self.settings.style.card.name)
        self._count(slot)
        return finite

    def _abandon(self, slot: D3D12Slot) -> None:
        self._context.wait_idle()

    def _close(self) -> None:
        self._context.wait_idle()
        self._stack.close()

    def _of_the_source(self, slot: D3D12Slot, look: Look) -> list[CommandList]:
        if not look.shows_source:
            return []
        lists: list[CommandList] = []
        if not slot.remade:
            lists = slot.remake()
            slot.remade = True
            if lists:
                self._time(slot, "original")
        if look.part:
            lists += self._finishings.lay(slot, look.part, self._context.compute)
        if look.needs_detail and not slot.detailed:
            lists.append(slot.add_detail())
            slot.detailed = True
            self._time(slot, "detail")
        return lists

    def _time(self, slot: D3D12Slot, part: str) -> None:
        if self._stamps:
            slot.timed.add(part)

    def _deliver(self, slot: D3D12Slot, look: Look, *before: CommandList) -> None:
        compute, direct = self._context.compute, self._context.direct
        if direct in slot.points:  # the frame is being drawn to the window as well
            compute.wait_for(slot.points[direct])
        if look.part and (times := slot.use_times(look.part.times)):
            self._execute(self._context.copy, *times)
            compute.wait_for(self._context.copy.signal())
        lists = self._of_the_source(slot, look)
        drawn: Tensor | Unlit | None = None
        leaves_photograph = any(slot.photo_shares(look))
        shown = after_photograph(look) if leaves_photograph else look
        if look.finishes or leaves_photograph:
            lights = self._output.lights(look) and not leaves_photograph
            lists += self._finishings.lists(slot, look, compute, lit=not lights)
            drawn = self._finishings.unlit(look, compute) if lights else self._finishings.picture(slot, look, compute)
            for part, is_drawn in (("brush", look.draws), ("relief", look.raises)):
                if is_drawn:
                    self._time(slot, part)
        self._execute(compute, *before, *lists, *slot.output(shown, slot.painted, drawn))
        slot.painted_at = compute.signal()
        slot.used(slot.painted_at)
        slot.prepared, slot.delivered_at = look, None
        if slot not in self._made:
            self._made.append(slot)
        self._time(slot, "output")

    def _start_readbacks(self) -> None:
        while self._made and self._made[0].painted_at.reached:
            slot = self._made.pop(0)
            self._execute(self._context.download, slot.download)
            slot.delivered_at = self._context.download.signal()
            slot.used(slot.delivered_at)

    def _count(self, slot: D3D12Slot) -> None:
        if self._stamps and slot.timed:
            drawn_ms = self._stamps.add_to(self.times, slot.index, slot.timed)
            self._drawn_before_ms = self._drawn_before_ms if drawn_ms is None else drawn_ms
            slot.timed = set()

    def _execute(self, queue: Queue, *lists: CommandList) -> None:
        if lists:
            queue.execute(*lists)
            self.counters.dispatches += sum(commands.dispatches for commands in lists)

    def _block(self, point: FencePoint) -> None:
        if not point.reached:
            self.counters.cpu_waits += 1
            point.block()
