"""CPU pipeline: threads convert, paint, filter and make the output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeAlias

import numpy as np

from framebrush.gpu.cpu.network import Network, Tensors, allocate, beside_strokes, on_processor
from framebrush.gpu.cpu.output import FrameLayers, Output
from framebrush.gpu.cpu.outputs_ahead import OutputsAhead, count_ahead
from framebrush.gpu.cpu.slot import CpuSlot
from framebrush.gpu.cpu.stages.cpu_colour_table import Colours
from framebrush.gpu.cpu.stages.finishing import Looking
from framebrush.gpu.cpu.stages.masks import Masked, Masking
from framebrush.gpu.cpu.stages.planes_to_tensor import PlanesToTensor
from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.steady import Painted, Steadier
from framebrush.gpu.cpu.stages.strips import Floats, Tensor, Workers
from framebrush.gpu.cpu.stages.strokes import NO_PLANES, Carriage, Carrier
from framebrush.gpu.cpu.stages.tensor_to_planes import TensorToPlanes
from framebrush.gpu.frame import DeviceFrame, Frame, HostMemoryFrame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.onnx_session import native_errors
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.masks import film_shares, second_shares
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stages.strokes.brush_maps import planes
from framebrush.gpu.stages.strokes.drawn import DrawnStrokes
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.surface import CallbackSurface, Surface
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import NO_MASKS

Kept: TypeAlias = tuple[Painted | None, Future[None] | None]
"""Data of a frame for neighbours, with its future."""

Carried: TypeAlias = tuple[Carriage | None, Future[None] | None]
"""Strokes of a frame, with the future of its motion planes."""


class CpuStylizer(Stylizer[CpuSlot]):
    """See `framebrush.gpu.stylizer.Stylizer`.

    `read_` methods concern the last fetched frame, until the next `submit`.
    """

    _converter: ThreadPoolExecutor | None = None
    _painter: ThreadPoolExecutor | None = None
    _steadying: ThreadPoolExecutor | None = None
    _ahead: OutputsAhead | None = None
    _carrier: Carrier | None = None
    _looking: Looking | None = None
    _second: tuple[Network, tuple[float, ...], Tensor] | None = None  # with its weights and its painting

    def __init__(self, settings: Settings, device: object, closed: Callable[[Stylizer[Any]], None]) -> None:
        self._workers = Workers(of_film=settings.carries)
        super().__init__(settings, device, closed)

    def read_strokes(self) -> DrawnStrokes:
        return self._fetched_output.read_strokes(*self._last_fetched())

    def read_layers(self) -> FrameLayers:
        return self._fetched_output.read_layers(*self._last_fetched())

    def _make_slots(self, count: int) -> list[CpuSlot]:
        settings, sizes, plan = self.settings, self.sizes, self.settings.plan
        with native_errors("{}x{} on the CPU".format(*sizes.source)):
            opened = beside_strokes if settings.carries else on_processor
            mix = settings.mix(settings.look)
            self._network = Network(
                settings.style, plan, mix, moving=settings.moving, opened=opened, int8=settings.precision == "int8"
            )
            if second := settings.second:
                mix = second.mix(second.look)
                painting = allocate(*plan.padded_size, plan.scale, second.style.card.precision).styled
                self._second = (
                    Network(second.style, plan, mix, opened=opened, int8=second.precision == "int8"),
                    mix,
                    painting,
                )
            self._to_tensor = PlanesToTensor(self.source, keeps_hdr=settings.keeps_hdr)
            self._to_screen: TensorToPlanes | None = None
            self._screen = rgba8(*sizes.target)
            resized = sizes.source != sizes.working
            self._to_working = Resizer(sizes.source, sizes.working, TO_WORKING) if resized else None
            # the source with its roll-off, where it differs
            self._rolled = np.empty((3, *sizes.source[::-1]), np.float32) if settings.rolls_off else None
            self._before = Colours.of(settings.style.before)
            self._after: tuple[ColourTable | None, Colours | None] = None, None  # current colour table
            self._mapped: tuple[Maps, Floats] = NO_MAPS, NO_PLANES  # current brush maps
            self._masked: Masked | None = None  # current masks
            self._masking = Masking(self._workers)
            self._output, *ahead = [
                Output(settings, self._before, self._workers, self.counters, self.times)
                for _ in range(1 + count_ahead(settings))
            ]
            self._steadier = None if self.window.alone else Steadier(sizes.working, plan.scale, self._workers)
            if settings.carries:
                self._carrier = Carrier(layout_of(settings), sizes, self._workers)
                self._looking = Looking(sizes, layout_of(settings), self._workers)
            slots = [self._make_slot() for _ in range(count)]
        self._converter = ThreadPoolExecutor(1, thread_name_prefix="framebrush-convert")
        self._painter = ThreadPoolExecutor(1, thread_name_prefix="framebrush-paint")
        self._ahead = OutputsAhead(ahead)
        if self._steadier:
            self._steadying = ThreadPoolExecutor(1, thread_name_prefix="framebrush-steady")
        return slots

    @property
    def _engine_name(self) -> str:
        return "onnxruntime"

    def _make_slot(self) -> CpuSlot:
        plan, (width, height) = self.settings.plan, self.sizes.source
        tensors = allocate(*plan.padded_size, plan.scale, self.settings.style.card.precision)
        apart = self._to_working is not None or self._before is not None or self._rolled is not None
        source = np.empty((3, height, width), np.float32) if apart else tensors.frame
        planes = self.source.allocate().planes
        slot = CpuSlot(planes, planes, source, tensors, tensors.styled)
        if self._steadier:
            slot.painting = self._steadier.allocate()
            slot.steadied = np.empty_like(slot.painting.clean)
        if self._carrier:
            slot.strokes = self._carrier.allocate()
        return slot

    @property
    def _fetched_output(self) -> Output:
        assert self._ahead
        return self._ahead.fetched or self._output

    def _expect(self, slot: CpuSlot, into: Frame | None) -> None:
        assert self._ahead
        self._ahead.expect(slot, into)

    def _upload(self, slot: CpuSlot, frame: Frame, look: Look) -> None:
        self._begin(slot)
        slot.current = slot.planes
        for own, given in zip(slot.planes, frame.planes, strict=True):
            if self.source.shift:
                np.right_shift(given, self.source.shift, out=own)
            else:
                np.copyto(own, given)

    def _import(self, slot: CpuSlot, frame: DeviceFrame, look: Look) -> None:
        assert isinstance(frame, HostMemoryFrame)
        self._begin(slot)
        if self.source.shift:
            slot.current = slot.planes
            for own, given in zip(slot.planes, frame.content.planes, strict=True):
                np.right_shift(given, self.source.shift, out=own)
        else:
            slot.current = frame.content.planes
        frame.release()

    def _begin(self, slot: CpuSlot) -> None:
        assert self._ahead
        self._ahead.let_go()
        self._wait(slot)

    def _run(self, slot: CpuSlot, look: Look) -> None:
        assert self._converter is not None
        assert self._painter is not None
        slot.converted = converted = self._converter.submit(self._convert, slot, look)
        faces = film_shares(self.masks, look).faces
        if self.masks == NO_MASKS:
            self._masked = None
        elif self._masked is None or (self._masked.masks, self._masked.faces) != (self.masks, faces):
            self._masked = Masked.of(self.masks, faces, self.settings.style.before)
        slot.masked = self._masked
        slot.work = self._painter.submit(self._paint, slot, converted, look)
        slot.result = slot.tensors.styled
        if self._after[0] is not self.table:
            self._after = self.table, Colours.of(self.table)
        slot.colours = self._after[1]
        if self._mapped[0] is not self.maps:
            self._mapped = self.maps, planes(self.maps)
        slot.maps = self._mapped[1]
        if self._steadying:
            slot.work = slot.kept = self._steadying.submit(self._keep, slot, slot.work)
        else:
            assert self._ahead
            self._ahead.start(slot, look)

    def _convert(self, slot: CpuSlot, look: Look) -> None:
        with self.times.measured("convert"), native_errors("the frame could not be converted"):
            self._to_tensor.run(slot.current, slot.source, look.tone_map, self._rolled)
            self.counters.dispatches += 1
            picture: Tensor = slot.source if self._rolled is None else self._rolled
            if self._to_working is not None:
                picture = self._to_working.run(picture)
                self.counters.dispatches += 1
            if self._before:
                width, height = self.sizes.working
                coloured = np.array(picture[:, :height, :width], np.float32)
                self._before.run(coloured, coloured)
                picture = coloured
            if picture is not slot.tensors.frame:
                _pad(picture, slot.tensors.frame)

    def _paint(self, slot: CpuSlot, converted: Future[None], look: Look) -> None:
        converted.result()
        masks, film, other = slot.masked, slot.tensors.frame, None
        with self.times.measured("network"):
            self.counters.runs += self._network.run(slot.tensors, self.settings.mix(look))
            if masks and self._second and any(second_shares(masks.masks, look)):
                network, mix, other = self._second
                self.counters.runs += network.run(Tensors(film, other), mix)
        if not masks:
            return
        sizes, scale = self.sizes, self.settings.plan.scale
        with self.times.measured("masks"), native_errors("the film could not be mixed into the painting"):
            for picture, shares in (
                (other, second_shares(masks.masks, look)),
                (film, film_shares(masks.masks, look)),
            ):
                if picture is not None and any(shares):
                    masks.mix(film, picture, slot.tensors.styled, scale, sizes.working, shares, self._masking)
                    self.counters.dispatches += 1

    def _keep(self, slot: CpuSlot, painted: Future[None]) -> None:
        painted.result()
        assert self._steadier
        assert slot.painting
        self._steadier.add_frame(slot.tensors.frame, slot.tensors.styled, slot.painting)

    def _combine(
        self,
        slot: CpuSlot,
        before: Sequence[CpuSlot],
        after: Sequence[CpuSlot],
        last: CpuSlot | None,
        look: Look,
        place: int,
    ) -> None:
        assert self._ahead
        assert self._steadying
        assert slot.steadied is not None
        if look.needs_neighbours:
            slot.result = slot.steadied
        if look.needs_neighbours or self._carrier:
            sides = tuple([(near.painting, near.kept) for near in side] for side in (before, after))
            slot.work = self._steadying.submit(self._combined, slot, sides, _carried(last), look, place)
        self._ahead.start(slot, look)

    def _follow(self, slot: CpuSlot, last: CpuSlot | None, look: Look, place: int) -> None:
        assert self._converter is not None
        assert self._steadying is not None
        slot.converted = self._converter.submit(self._convert, slot, look)
        slot.work = self._steadying.submit(self._carry, slot, _carried(last), place)

    def _combined(
        self, slot: CpuSlot, sides: Sequence[Sequence[Kept]], last: Carried | None, look: Look, place: int
    ) -> None:
        if self._carrier:
            self._carry(slot, last, place)
        assert slot.kept
        slot.kept.result()
        if self._looking and looks_at(place):
            assert slot.strokes
            with self.times.measured("look"), native_errors("the strokes could not look at the painting"):
                self._looking.run(slot.tensors.styled, slot.tensors.frame, slot.strokes, slot.colours, slot.maps)
            self.counters.dispatches += 1
        if not look.needs_neighbours:
            return
        assert self._steadier
        assert slot.painting
        assert slot.steadied is not None
        with self.times.measured("steady"), native_errors("the frame could not be steadied"):
            before, after = (
                [painting for painting, kept in side if painting and kept and not kept.exception()] for side in sides
            )
            self._steadier.run(slot.painting, before, after, look.steady, slot.steadied)
            self.counters.dispatches += 1

    def _carry(self, slot: CpuSlot, last: Carried | None, place: int) -> None:
        assert self._carrier
        assert slot.strokes
        assert slot.converted
        slot.converted.result()
        with self.times.measured("carry"), native_errors("the strokes could not be carried"):
            self._carrier.compute_planes(slot.tensors.frame.astype(np.float32, copy=False), slot.strokes)
            strokes, converted = last or (None, None)
            self._carrier.carry(strokes if converted and not converted.exception() else None, slot.strokes, place)
            self.counters.dispatches += 1

    def _show(self, slot: CpuSlot, surface: Surface, look: Look) -> None:
        assert isinstance(surface, CallbackSurface)
        self._to_screen = self._to_screen or TensorToPlanes(self._screen)
        picture = self._screen.allocate()
        self._result(slot)
        self._output.make(slot, picture, look, self._to_screen)
        surface.put(picture.planes[0].astype(np.uint8, copy=False))

    def _fetch(self, slot: CpuSlot, into: Frame, look: Look) -> bool:
        assert self._ahead
        if look.part:
            return self._fetched_output.make(slot, into, look)
        with self.times.measured("fetch"):
            self._result(slot)
            finite = self._ahead.fetch(slot, into, look)
        return self._output.make(slot, into, look) if finite is None else finite

    def _result(self, slot: CpuSlot) -> None:
        error = self._wait(slot)
        if error is not None:
            raise error

    def _wait(self, slot: CpuSlot) -> BaseException | None:
        if slot.work is None:
            return None
        if not slot.work.done():
            self.counters.cpu_waits += 1
        return slot.work.exception()

    def _abandon(self, slot: CpuSlot) -> None:
        self._wait(slot)

    def _close(self) -> None:
        pools = self._converter, self._painter, self._steadying
        for pool in reversed(pools):
            if pool is not None:
                pool.shutdown(wait=False, cancel_futures=True)
        for pool in pools:
            if pool is not None:
                pool.shutdown()
        if self._ahead is not None:
            self._ahead.close()
        self._workers.close()
        for network in ("_network", "_second"):
            self.__dict__.pop(network, None)


def _carried(last: CpuSlot | None) -> Carried | None:
    return None if last is None else (last.strokes, last.converted)


def _pad(picture: Tensor, tensor: Tensor) -> None:
    height, width = picture.shape[1:]
    np.copyto(tensor[:, :height, :width], picture, casting="same_kind")
    tensor[:, :height, width:] = tensor[:, :height, width - 1 : width]
    tensor[:, height:] = tensor[:, height - 1 : height]
