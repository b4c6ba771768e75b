"""Memory and commands of one frame in flight."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import Frame, FrameFormat, Plane
from framebrush.gpu.hlsl.finishing import Finishing
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Tensor
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import PLANE, FramePasses
from framebrush.gpu.stages.masks import MASK_SAMPLES, Photograph, after_photograph, photo_shares
from framebrush.gpu.stages.masks import pixels as pixels_of_masks
from framebrush.gpu.stages.output import Output, Unlit, output_look
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stages.strokes.brush_maps import MAP_PLANES, planes
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.stages.table import points
from framebrush.gpu.unfinished import Times
from framebrush.gpu.webgpu import timing
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.frame import WebGpuFrame
from framebrush.gpu.webgpu.native import Buffer, Readback, Upload
from framebrush.gpu.webgpu.pass_executor import Executor, WebGpuResources
from framebrush.gpu.webgpu.planes import PlaneLayout
from framebrush.gpu.webgpu.timing import SlotStamps
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import NO_MASKS, Masks

FLAG_BYTES = 16


class Brought(NamedTuple):
    """Downloaded picture, flag and timestamps."""

    planes: tuple[Plane, ...]
    finite: bool
    stamps: npt.NDArray[np.uint8]


class Picture:
    """Buffers for a picture; readbacks add flag and timestamps."""

    def __init__(self, context: Context, target: FrameFormat, label: str) -> None:
        self._layout = layout = PlaneLayout(target)
        self._stack = ExitStack()
        keep = self._stack.enter_context
        try:
            self._memory = keep(closing(Buffer(context.native, layout.size_bytes, label)))
            size_bytes = layout.size_bytes + FLAG_BYTES + timing.SIZE_BYTES
            self.readback = keep(closing(Readback(context.native, size_bytes, f"{label} readback")))
        except BaseException:
            self._stack.close()
            raise

    def give(self, memory: WebGpuResources, output: Output, slot: int) -> None:
        memory.give(output.words, slot, self._memory.bound())
        for given, bound in zip(output.planes, self._layout.bound(self._memory), strict=True):
            memory.give(given, slot, bound)

    def record_download(self, recorder: Recorder, flag: Buffer, stamps: SlotStamps | None) -> None:
        """Record the copy to host memory. Submit it with `readback`."""
        end = self._layout.size_bytes
        recorder.copy(self.readback.buffer, self._memory, end)
        recorder.copy(self.readback.buffer, flag, FLAG_BYTES, end)
        if stamps:
            recorder.copy(self.readback.buffer, stamps.resolved, timing.SIZE_BYTES, end + FLAG_BYTES)

    def brought(self) -> Brought:
        """Return the picture, valid until `readback` is freed."""
        memory, end = self.readback.read(), self._layout.size_bytes
        return Brought(self._layout.views(memory), not memory[end : end + 4].any(), memory[end + FLAG_BYTES :])

    def close(self) -> None:
        self._stack.close()


class WebGpuSlot:
    """Memory of one frame in flight.

    Attributes:
        mix: None for a single painting.
        flag: set if a painting is not finite.
        prepared: look of the recorded output.
        remade, detailed: resized source and fine luma are this frame's.
        place: frame up to which strokes were advected.
    """

    def __init__(
        self,
        context: Context,
        index: int,
        settings: Settings,
        way: FramePasses,
        output: Output,
        executor: Executor,
        finishing: Finishing,
        photograph: Photograph,
    ) -> None:
        self.index, self._settings, self._way, self._context = index, settings, way, context
        self._executor, self._finishing, self._output, self._photograph = executor, finishing, output, photograph
        self._table, self._has_own_table = settings.style.after, False
        self._maps = NO_MAPS
        self._masks, self._faces = NO_MASKS, 0.0
        self._times: Times | None = None
        self._stack = ExitStack()
        self.prepared: Look | None = None
        self.remade = self.detailed = self.at_home = False
        self.place: int | None = None
        self.weights: tuple[float, ...] = ()
        self.timed: set[str] = set()
        self.shown_timed: set[str] = set()
        self.stamps: SlotStamps | None = None
        self.shown: Readback | None = None
        self._records: dict[str, Record] = way.records(settings.look)
        try:
            self._make()
        except BaseException:
            self.close()
            raise

    def _make(self) -> None:
        context, settings, name = self._context, self._settings, f"slot {self.index}"
        native, keep, way, memory = context.native, self._stack.enter_context, self._way, self._executor.memory
        self._layout = layout = PlaneLayout(settings.source)
        self._planes = keep(closing(Buffer(native, layout.size_bytes, f"{name} source")))
        self._upload, self._is_filled = keep(closing(Upload(native, layout.size_bytes, f"{name} upload"))), False
        for given, bound in zip(PLANE, layout.bound(self._planes), strict=False):
            memory.give(given, self.index, bound)
        self.flag = keep(closing(Buffer(native, FLAG_BYTES, f"{name} flag")))
        memory.give(FLAG, self.index, self.flag.bound())
        self.mix: Buffer | None = None
        if settings.paintings:
            self.mix = keep(closing(Buffer(native, 4 * settings.paintings, f"{name} mix")))
        self.frame, self.styled = (memory.buffer(tensor, self.index) for tensor in (way.frame, way.styled))
        self.result = way.styled if settings.window.alone else way.steadied
        memory.buffer(way.painted(self.result), self.index)
        for work in (way.convert, way.resize(self.result)):  # allocates now, so that a lack of memory shows here
            if work:
                self._executor.allocate(work, self.index, records=self._records)
        self.picture = keep(closing(Picture(context, settings.target, f"{name} output")))
        self.picture.give(memory, self._output, self.index)
        self._executor.allocate_step(self._output.step(self.index, Look(), way.painted(self.result)))
        if settings.timing and native.has_timestamps:
            self.stamps = keep(closing(SlotStamps(native, f"{name} stamps")))
            self.shown = keep(closing(Readback(native, timing.SIZE_BYTES, f"{name} stamps of a window")))

    def begin(self, look: Look, mix: tuple[float, ...]) -> None:
        """Set tone map and weights. Blocks while a discarded output is downloaded."""
        self.picture.readback.free()
        self._records = self._way.records(look)
        if self.mix and mix != self.weights:
            self.mix.write(np.array(mix, np.float32))
        self.weights = mix
        self.prepared = self.place = None
        self.remade = self.detailed = False

    def fill(self, frame: Frame) -> None:
        """Copy planes to the upload buffer."""
        self._context.copier.copy(self._layout.views(self._upload.room()), frame.planes)
        self._upload.free()
        self._is_filled = True

    def record_import(self, recorder: Recorder, frame: WebGpuFrame) -> None:
        """Record the copy of a GPU frame."""
        recorder.copy(self._planes, frame.memory, self._layout.size_bytes)

    def use_table(self, table: ColourTable | None) -> None:
        """Use a colour table of equal size, allocating at first use."""
        if self._way.own is None or table is None or self._table is table:
            return
        self._executor.memory.change(self._way.own.grid, self.index, points(table))
        self._table, self._has_own_table = table, True

    def use_maps(self, maps: Maps) -> None:
        if self._maps is not maps:
            self._executor.memory.change(MAP_PLANES, self.index, planes(maps))
            self._maps = maps

    def use_masks(self, masks: Masks, faces: float) -> None:
        """Use masks for the next frame. faces: 0..1."""
        if (self._masks, self._faces) == (masks, faces):
            return
        samples = pixels_of_masks(masks, faces, self._settings.style.before)
        self._executor.memory.change(MASK_SAMPLES, self.index, samples)
        self._masks, self._faces = masks, faces

    def _use_times(self, times: Times) -> None:
        if self._times is not times:
            self._executor.memory.change(times_of(layout_of(self._settings)), self.index, times.table)
            self._times = times

    def record_convert(self, recorder: Recorder) -> None:
        if self._is_filled:
            self._is_filled = False
            recorder.upload(self._planes, self._upload, self._layout.size_bytes)
        recorder.clear(self.flag.bound())
        self._executor.record(recorder, self._way.convert, self.index, records=self._records)

    def record_resize(self, recorder: Recorder, result: Tensor) -> None:
        """Record resizing to the target's size."""
        work = self._way.resize(result, own=self._has_own_table)
        if work:
            self._executor.record(recorder, work, self.index)

    def record_drawn(self, recorder: Recorder, look: Look, *, lit: bool = True) -> tuple[Tensor | Unlit | None, Look]:
        """Record a look's source, strokes, relief and photograph.

        Returns the painting, None if unchanged, and the rest of the look.
        """
        way, executor, drawn = self._way, self._executor, None
        if look.shows_source:
            if way.remake and not self.remade:
                executor.record(recorder, way.remake, self.index, records=self._records)
            self.remade = True
            if look.part:
                executor.record_step(recorder, self._finishing.laying.step(self.index, look.part))
        if look.part:
            self._use_times(look.part.times)
        if look.needs_detail:
            if not self.detailed:
                executor.record(recorder, way.detail, self.index)
            self.detailed = True
        shares = photo_shares(self._masks, look)
        lit = lit or any(shares)
        if look.finishes:
            for step in self._finishing.steps(
                self.index, look, self.place, at_home=self.at_home, detailed=look.needs_detail, lit=lit
            ):
                executor.record_step(recorder, step)
            self.at_home |= look.draws and self.place is None
            drawn = self._finishing.result if lit else self._finishing.unlit(look)
        if any(shares):
            painted = self._finishing.result if look.finishes else way.painted(self.result)
            executor.record_step(recorder, self._photograph.step(self.index, output_look(look), shares, painted))
            drawn, look = self._photograph.picture, after_photograph(look)
        return drawn, look

    def record_output(self, recorder: Recorder, output: Output, look: Look) -> None:
        """Record a look's output and preceding steps."""
        drawn, look = self.record_drawn(recorder, look, lit=not output.lights(look))
        painted = self._way.painted(self.result)
        self._executor.record_step(recorder, output.step(self.index, look, painted, drawn))

    def close(self) -> None:
        self._stack.close()
