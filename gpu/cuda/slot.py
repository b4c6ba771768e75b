"""Memory and kernel launches of one frame in flight."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np

from framebrush.gpu.cuda import pass_executor
from framebrush.gpu.cuda.context import Context
from framebrush.gpu.cuda.cuda_graph import CudaGraph
from framebrush.gpu.cuda.finishing import Finishing
from framebrush.gpu.cuda.kernels import planes_record
from framebrush.gpu.cuda.native import DeviceMemory, Event, PinnedMemory
from framebrush.gpu.cuda.page_locks import HostRows
from framebrush.gpu.cuda.planes import PlaneLayout
from framebrush.gpu.cuda.tensor import Tensor
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG
from framebrush.gpu.ranges import Ranges
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import PLANES, FramePasses
from framebrush.gpu.stages.masks import MASK_SAMPLES, NO_SHARES, Photograph, Shares, after_photograph, photo_shares
from framebrush.gpu.stages.masks import pixels as pixels_of_masks
from framebrush.gpu.stages.output import Output, output_look
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stages.strokes.brush_maps import MAPS, pixels
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.stages.table import points
from framebrush.gpu.unfinished import Times
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import NO_MASKS, Masks

FLAG_BYTES = 4
PARTS = ("convert", "network", "steady", "output")
"""Stages with GPU timing."""


class Picture:
    """Buffers for a picture in GPU and host memory.

    flag: address of a word set if the painting is not finite.
    """

    def __init__(self, context: Context, target: FrameFormat, label: str) -> None:
        self._context = context
        self._layout = layout = PlaneLayout(target)
        with ExitStack() as stack:
            self._memory = stack.enter_context(closing(DeviceMemory(context.native, layout.size_bytes, label)))
            size_bytes = layout.size_bytes + FLAG_BYTES
            self._pinned = stack.enter_context(closing(PinnedMemory(context.native, size_bytes, f"{label} readback")))
            self._stack = stack.pop_all()
        self.flag = self._pinned.pointer + layout.size_bytes
        self._planes = layout.pointers(self._memory.pointer)
        self.views = layout.views(self._pinned.mapped)
        self._flag = self._pinned.mapped[layout.size_bytes :].view(np.uint32)

    def give(self, memory: pass_executor.CudaResources, output: Output, slot: int) -> None:
        for given, pointer in zip(output.planes, self._planes, strict=True):
            memory.give(given, slot, pointer)

    def queue_download(self, into: HostRows | None = None) -> None:
        """Queue the copy to pinned memory or page-locked planes."""
        down, layout = self._context.down, self._layout
        if into is None:
            down.download(self._pinned, 0, self._memory.pointer, layout.size_bytes)
            return
        for (to, pitch), source, row, rows in zip(into, self._planes, layout.row_bytes, layout.rows, strict=True):
            down.download_rows(to, pitch, source, row, rows)

    def queue_store(self, into: DeviceFrame) -> None:
        """Queue a copy to a frame in GPU memory."""
        layout = self._layout
        planes = zip(into.pointers, into.pitches, self._planes, layout.row_bytes, layout.rows, strict=True)
        for to, pitch, source, row, rows in planes:
            self._context.compute.copy_rows(to, pitch, source, row, row, rows)

    def copy_to(self, into: Frame) -> None:
        """Copy the downloaded picture."""
        self._context.copier.copy(into.planes, self.views)

    def clear_flag(self, *, now: bool) -> None:
        """Clear the flag, on the compute stream if queued kernels may set it."""
        if now:
            self._flag[0] = 0
        else:
            self._context.compute.clear(self.flag, 1)

    @property
    def finite(self) -> bool:
        """Whether the finished output is finite."""
        return not self._flag[0]

    def close(self) -> None:
        self.views = ()
        self._flag = np.zeros(1, np.uint32)
        self._stack.close()


class CudaSlot:
    """Memory of one frame in flight. `queue_` methods return the number of kernels.

    Attributes:
        result: network output or `steadied`.
        mix: address of the paintings' weights.
        replay, result_replay: kernels up to the network's output, and after it.
        prepared: look of the output.
        into: destination of the next fetch.
        written: frame that the download writes to, None for pinned memory.
        remade, detailed, carried: original, detail and strokes are this frame's.
        held: GPU frame being read.
        marks: begin and end of timed parts.
    """

    def __init__(
        self,
        context: Context,
        index: int,
        settings: Settings,
        way: FramePasses,
        output: Output,
        executor: pass_executor.Executor,
        finishing: Finishing,
        photograph: Photograph,
        ranges: Ranges | None,
    ) -> None:
        self.index, self._settings, self._way, self._context = index, settings, way, context
        self._executor, self._finishing, self._ranges = executor, finishing, ranges
        self._output, self._photograph = output, photograph
        self._table, self._has_own_table = settings.style.after, False
        self._maps = NO_MAPS
        self._masks, self._faces = NO_MASKS, 0.0
        self._times: Times | None = None
        self._stack = ExitStack()
        self.prepared: Look | None = None
        self.downloaded = False
        self.into: Frame | None = None
        self.written: Frame | None = None
        self.held: DeviceFrame | None = None
        self.remade = self.detailed = self.carried = False
        self.idle = True
        self._frame = 0
        self.timed: set[str] = set()
        self._records: dict[str, Record] = {}
        try:
            self._make()
        except BaseException:
            self.close()
            raise

    def _make(self) -> None:
        native, settings, name = self._context.native, self._settings, f"slot {self.index}"
        keep, way, memory = self._stack.enter_context, self._way, self._executor.memory
        self._layout = layout = PlaneLayout(settings.source)
        size_bytes = layout.size_bytes + 4 * settings.paintings
        self._memory = keep(closing(DeviceMemory(native, size_bytes, f"{name} source")))
        self._pinned = keep(closing(PinnedMemory(native, size_bytes, f"{name} upload")))
        self._pinned.mapped[:] = 0
        self._views = layout.views(self._pinned.mapped)
        self._mix = self._pinned.mapped[layout.size_bytes :].view(np.float32)
        self.mix = self._memory.pointer + layout.size_bytes
        memory.give(PLANES, self.index, planes_record(layout.pointers(self._memory.pointer), layout.pitches))
        self.frame, self.styled = (memory.tensor(tensor, self.index) for tensor in (way.frame, way.styled))
        self.result, self.steadied, results = way.styled, way.steadied, [way.styled]
        if not settings.window.alone:
            memory.argument(way.steadied, self.index)
            results.append(way.steadied)
        self.picture = keep(closing(Picture(self._context, settings.target, f"{name} output")))
        self.picture.give(memory, self._output, self.index)
        memory.give(FLAG, self.index, self.picture.flag)
        for work in (way.convert, *map(way.resize, results), *map(way.recoloured, results)):
            if work:
                self._executor.allocate(work, self.index)
        self.uploaded, self.used, self.delivered = (
            keep(closing(Event(native, f"{name} {what}"))) for what in ("uploaded", "used", "delivered")
        )
        self.replay, self.result_replay = (
            keep(closing(CudaGraph(native, self._context.compute, name))) for _ in range(2)
        )
        self.marks: dict[str, tuple[Event, Event]] = {}
        if settings.timing:
            for part in PARTS:
                begin, end = (keep(closing(Event(native, f"{name} {part}", timing=True))) for _ in range(2))
                self.marks[part] = begin, end

    def begin(self, look: Look, mix: tuple[float, ...]) -> None:
        """Write tone map and weights. The pinned memory must be free."""
        self.picture.clear_flag(now=self.idle)
        if not self.idle:
            self._context.compute.wait_for(self.delivered)  # a previous output may still be downloading
        self.idle = False
        self._records = self._way.records(look)
        self._mix[:] = mix
        self.prepared, self.result = None, self._way.styled
        self.downloaded = self.remade = self.detailed = self.carried = False
        self._frame += 1

    def fill(self, frame: Frame) -> None:
        """Copy planes to pinned memory, and queue the upload."""
        self._context.copier.copy(self._views, frame.planes)
        self._context.up.upload(self._memory.pointer, self._pinned, 0, self._pinned.size_bytes)

    def copy_planes(self, pointers: tuple[int, ...], pitches: tuple[int, ...]) -> None:
        """Queue a copy of planes. pitches: in bytes."""
        stream, layout = self._context.compute, self._layout
        own = layout.pointers(self._memory.pointer)
        for to, source, pitch, row, rows in zip(own, pointers, pitches, layout.row_bytes, layout.rows, strict=True):
            stream.copy_rows(to, row, source, pitch, row, rows)
        if self._mix.size:
            stream.upload(self.mix, self._pinned, self._layout.size_bytes, self._mix.nbytes)

    def use_table(self, table: ColourTable | None) -> None:
        """Use a colour table of equal size, allocating at first use."""
        if self._way.own is None or table is None or self._table is table:
            return
        if not self._has_own_table:
            self.replay.close()  # graphs hold the address of the previous table
            self.result_replay.close()
        self._executor.memory.change(self._way.own.grid, self.index, points(table))
        self._table, self._has_own_table = table, True

    def use_maps(self, maps: Maps) -> None:
        if self._maps is not maps:
            self._executor.memory.change(MAPS, self.index, pixels(maps))
            self._maps = maps

    def use_masks(self, masks: Masks, faces: float) -> None:
        """Use masks. faces: the film's share, 0..1."""
        if (self._masks, self._faces) != (masks, faces):
            samples = pixels_of_masks(masks, faces, self._settings.style.before)
            self._executor.memory.change(MASK_SAMPLES, self.index, samples)
            self._masks, self._faces = masks, faces

    def _use_times(self, times: Times) -> None:
        if self._times is not times:
            self._executor.memory.change(times_of(layout_of(self._settings)), self.index, times.table)
            self._times = times

    def photo_shares(self, look: Look | None) -> Shares:
        """Return the shares that stay a photograph."""
        return NO_SHARES if look is None else photo_shares(self._masks, look)

    def queue_convert(self) -> int:
        return self._executor.queue(self._way.convert, self.index, records=self._records)

    def queue_resize(self) -> int:
        """Queue resizing to the target's size."""
        work = self._way.resize(self.result)
        return self._executor.queue(work, self.index) if work else 0

    @property
    def painted(self) -> Tensor:
        return self._executor.memory.tensor(self._way.painted(self.result), self.index)

    def queue_original(self, look: Look) -> int:
        """Queue the source at the target's size if shown."""
        kernels = 0
        if look.shows_source and self._way.remake and not self.remade:
            kernels += self._executor.queue(self._way.remake, self.index, records=self._records)
            self.remade = True
        if look.shows_source and look.part:
            kernels += self._executor.queue_step(self._finishing.laying.step(self.index, look.part))
        return kernels

    def queue_detail(self, look: Look) -> int:
        """Queue the source's fine luma if added."""
        if not look.needs_detail or self.detailed:
            return 0
        kernels = self._executor.queue(self._way.detail, self.index)
        self.detailed = True
        return kernels

    def queue_carry(self, last: CudaSlot | None, place: int) -> int:
        """Queue advection of strokes from the previous slot, if any."""
        self.carried = True
        before = last.index if last and last.carried else None
        return self._executor.queue_step(self._finishing.carrier.step(self.index, before, place))

    def queue_looking(self) -> int:
        """Queue strokes' sampling of the network's output."""
        way, kernels, styled = self._way, 0, self._way.styled
        painted = way.painted(styled)
        for work in (way.resize(styled), way.recoloured(styled, own=self._has_own_table)):
            kernels += self._executor.queue(work, self.index) if work else 0
        if way.after:
            painted = way.painting
        return kernels + self._finishing.queue_looking(self.index, painted)

    def queue_look(self, output: Output, look: Look) -> int:
        """Queue a look's output and preceding steps."""
        kernels, painting = self.queue_original(look) + self.queue_detail(look), self._way.painted(self.result)
        recoloured, drawn = self._way.recoloured(self.result, own=self._has_own_table), None
        if recoloured:
            kernels += self._executor.queue(recoloured, self.index)
            painting = self._way.painting
        if look.part:
            self._use_times(look.part.times)
        if look.finishes:
            frame = self.index, self._frame
            kernels += self._finishing.queue(self.index, frame, painting, look, carried=self.carried)
            drawn = self._finishing.picture(look)
        shares = self.photo_shares(look)
        if any(shares):
            step = self._photograph.step(self.index, output_look(look), shares, drawn or painting)
            kernels += self._executor.queue_step(step)
            shown = output.step(self.index, after_photograph(look), painting, self._photograph.picture)
            return kernels + self._executor.queue_step(shown)
        return kernels + self._executor.queue_step(output.step(self.index, look, painting, drawn))

    def queue_output(self, look: Look) -> int:
        self.mark("output", 0)
        kernels = self.queue_look(self._output, look)
        self.mark("output", 1)
        return kernels

    def queue_download(self, into: HostRows | None = None) -> None:
        """Queue the output's copy, see `Picture.queue_download`."""
        down = self._context.down
        down.wait_for(self.used)
        self.picture.queue_download(into)
        down.record(self.delivered)
        self.downloaded = True

    def queue_store(self, into: DeviceFrame) -> None:
        """Queue the output's copy to a GPU frame."""
        self.picture.queue_store(into)
        self._context.compute.record(self.used)

    def mark(self, part: str, end: int) -> None:
        """Record a part's beginning (0) or end (1)."""
        if self._ranges is not None:
            if end:
                self._ranges.end()
            else:
                self._ranges.begin(part)
        if self.marks:
            self._context.compute.record(self.marks[part][end])
            self.timed.add(part)

    def let_go(self) -> None:
        """Release the GPU frame that was read."""
        held, self.held = self.held, None
        if held is not None:
            held.release()

    def close(self) -> None:
        self.let_go()
        self._views = ()
        self._mix = np.empty(0, np.float32)
        self._stack.close()
