"""Memory and command lists of one frame in flight."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.fenced_queue import CommandList, Fence, FencePoint
from framebrush.gpu.d3d12.frame import D3D12Frame
from framebrush.gpu.d3d12.pass_executor import Executor
from framebrush.gpu.d3d12.resources import Buffer, PlaneTextures
from framebrush.gpu.d3d12.tensor import FLAG_BYTES, Flag
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.frame import Frame
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import FLAG, Tensor, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.stages.frame_passes import PLANE, FramePasses
from framebrush.gpu.stages.masks import MASK_SAMPLES, Shares, photo_shares
from framebrush.gpu.stages.masks import pixels as pixels_of_masks
from framebrush.gpu.stages.output import Output, Unlit
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stages.strokes.brush_maps import MAP_PLANES, planes
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.stages.table import points
from framebrush.gpu.unfinished import Times
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import NO_MASKS, Masks


class D3D12Slot:
    """Memory and lists of one frame in flight.

    Attributes:
        points: last use by each queue.
        uploaded, painted_at, delivered_at: points of planes, painted tensor and output.
        prepared: look of the output.
        remade, detailed: original and detail are this frame's.
        place: frame up to which strokes were advected.
    """

    uploaded: FencePoint
    painted_at: FencePoint

    def __init__(
        self,
        context: Context,
        index: int,
        settings: Settings,
        way: FramePasses,
        output: Output,
        executor: Executor,
        stamps: SlotStamps | None,
    ) -> None:
        self.index, self._settings, self._way, self._stamps = index, settings, way, stamps
        self._context, self._executor, self._output = context, executor, output
        self._table, self._has_own_table = settings.style.after, False
        self._maps = NO_MAPS
        self._masks, self._faces = NO_MASKS, 0.0
        self._times: Times | None = None
        self._stack = ExitStack()
        self.network_end: CommandList | None = None
        self.at_home, self.number = False, 0
        self.place: int | None = None
        self.weights: tuple[float, ...] = ()
        self.points: dict[Fence, FencePoint] = {}
        self.delivered_at: FencePoint | None = None
        self.prepared: Look | None = None
        self.timed: set[str] = set()
        self.remade = self.detailed = False
        self._records: dict[str, Record] = {}
        try:
            self._make()
            self._record()
        except BaseException:
            self.close()
            raise

    def _make(self) -> None:
        native, settings, name = self._context.native, self._settings, f"slot {self.index}"
        keep, (source, target) = self._stack.enter_context, (settings.source, settings.target)
        upload, default, readback = D.D3D12_HEAP_TYPE_UPLOAD, D.D3D12_HEAP_TYPE_DEFAULT, D.D3D12_HEAP_TYPE_READBACK
        planes = PlaneTextures(native, source, f"{name} source")
        self._planes = keep(closing(planes))
        # The cleared flag and the weights of paintings follow the planes.
        size_bytes = planes.size_bytes + FLAG_BYTES + 4 * settings.paintings
        self._upload = keep(closing(Buffer(native, size_bytes, f"{name} upload", heap=upload)))
        self._views = planes.views(self._upload.mapped)
        self._upload.mapped[planes.size_bytes :] = 0
        self._mix = self._upload.mapped[planes.size_bytes + FLAG_BYTES :].view(np.float32)
        self.mix: Buffer | None = None
        if settings.paintings:
            mix = Buffer(native, 4 * settings.paintings, f"{name} mix", heap=default, unordered=True)
            self.mix = keep(closing(mix))
        self.flag = keep(closing(Flag(native, f"{name} flag")))
        memory, way = self._executor.memory, self._way
        memory.give(FLAG, self.index, self.flag.view)
        for given, texture in zip(PLANE, planes.textures, strict=False):
            memory.give(given, self.index, texture)
        self.frame, self.styled = (memory.tensor(tensor, self.index) for tensor in (way.frame, way.styled))
        self.steadied = None if settings.window.alone else memory.tensor(way.steadied, self.index)
        self._result = way.steadied if self.steadied else way.styled
        self.painted = way.painted(self._result)
        written = PlaneTextures(native, target, f"{name} output", written=True)
        self.output_planes = keep(closing(written))
        for given, texture in zip(self._output.planes, written.textures, strict=True):
            memory.give(given, self.index, texture)
        fetched = Buffer(native, written.size_bytes + FLAG_BYTES, f"{name} readback", heap=readback)
        self._readback = keep(closing(fetched))
        self._fetched = written.views(fetched.mapped)
        self._fetched_flag = fetched.mapped[written.size_bytes :].view(np.uint32)

    def _recorder(self, kind: int, label: str) -> Recorder:
        recorder = Recorder(self._context.native, kind, f"slot {self.index} {label}", self._context.descriptors)
        return self._stack.enter_context(closing(recorder))

    def _record(self) -> None:
        copies = self._recorder(D.D3D12_COMMAND_LIST_TYPE_COPY, "copies")
        copies.begin("upload").upload(self._upload, self._planes)
        self._record_header(copies)
        self.upload: CommandList = copies.end()
        self._imports = self._recorder(D.D3D12_COMMAND_LIST_TYPE_COPY, "imports")

        for work in (self._way.convert, self._resizing):  # allocates now, so that a lack of memory shows here
            if work:
                self._executor.list_of(work, self.index)
        self.output(Look(), self.painted)

        copies.begin("fetch").download(self.output_planes, self._readback)
        copies.copy_bytes(self._readback, self.output_planes.size_bytes, self.flag.buffer, 0, FLAG_BYTES)
        self.download: CommandList = copies.end()
        if self._stamps:  # recorded after the list that writes its first stamp; vkd3d leaves the stamp at 0 otherwise
            stamps = self._recorder(D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "stamps").begin()
            self._stamps.end(stamps, self.index, "network")
            self.network_end = stamps.end()

    def _record_header(self, recorder: Recorder) -> None:
        offset = self._planes.size_bytes
        recorder.copy_bytes(self.flag.buffer, 0, self._upload, offset, FLAG_BYTES)
        if self.mix:
            recorder.copy_bytes(self.mix, 0, self._upload, offset + FLAG_BYTES, self.mix.size_bytes)

    @property
    def convert(self) -> CommandList:
        """List that makes the network's input."""
        return self._executor.list_of(self._way.convert, self.index, records=self._records)

    @property
    def _resizing(self) -> Work | None:
        return self._way.resize(self._result, own=self._has_own_table)

    @property
    def resize(self) -> list[CommandList]:
        """Lists that resize the result."""
        work = self._resizing
        return [self._executor.list_of(work, self.index)] if work else []

    @property
    def resize_alone(self) -> list[CommandList]:
        """Lists that resize the network's output."""
        work = self._way.resize(self._way.styled, own=self._has_own_table)
        return [self._executor.list_of(work, self.index)] if work else []

    def use_table(self, table: ColourTable | None) -> list[CommandList]:
        """Use a colour table of equal size; return copy lists.

        The slot must be idle.
        """
        if self._way.own is None or table is None or self._table is table:
            return []
        changed = self._executor.memory.change(self._way.own.grid, self.index, points(table))
        self._table, self._has_own_table = table, True
        return changed

    def use_maps(self, maps: Maps) -> list[CommandList]:
        if self._maps is maps:
            return []
        changed = self._executor.memory.change(MAP_PLANES, self.index, planes(maps))
        self._maps = maps
        return changed

    def use_masks(self, masks: Masks, faces: float) -> list[CommandList]:
        """Use masks; return lists as `use_table`. faces: 0..1."""
        if (self._masks, self._faces) == (masks, faces):
            return []
        samples = pixels_of_masks(masks, faces, self._settings.style.before)
        changed = self._executor.memory.change(MASK_SAMPLES, self.index, samples)
        self._masks, self._faces = masks, faces
        return changed

    def use_times(self, times: Times) -> list[CommandList]:
        """Use times of strokes; return lists as `use_table`."""
        if self._times is times:
            return []
        changed = self._executor.memory.change(times_of(layout_of(self._settings)), self.index, times.table)
        self._times = times
        return changed

    def photo_shares(self, look: Look) -> Shares:
        """Return the shares that stay a photograph."""
        return photo_shares(self._masks, look)

    def output(self, look: Look, painted: Tensor, drawn: Tensor | Unlit | None = None) -> list[CommandList]:
        """Return the output's lists, once the previous one is finished."""
        return self._executor.lists_of(self._output.step(self.index, look, painted, drawn))

    def remake(self) -> list[CommandList]:
        """Return the lists that resize the source."""
        work = self._way.remake
        return [self._executor.list_of(work, self.index, records=self._records)] if work else []

    def add_detail(self) -> CommandList:
        """Return the list for the source's fine luma."""
        return self._executor.list_of(self._way.detail, self.index)

    def record_import(self, frame: D3D12Frame) -> CommandList:
        """Return the list that copies a device frame, for idle slots."""
        frame.record_copy(self._imports.reset().begin("import"), self._planes)
        self._record_header(self._imports)
        return self._imports.end()

    def begin(self, look: Look, mix: tuple[float, ...]) -> None:
        """Write tone map and weights to an idle slot."""
        self._records = self._way.records(look)
        if mix:
            self._mix[:] = mix
        self.weights = mix
        self.points.clear()
        self.prepared = self.delivered_at = None
        self.remade = self.detailed = False
        self.place = None
        self.number += 1

    def fill(self, frame: Frame) -> None:
        self._context.copier.copy(self._views, frame.planes)

    def copy_output(self, into: Frame) -> bool:
        """Copy the picture; return whether it is finite."""
        self._context.copier.copy(into.planes, self._fetched)
        return not self._fetched_flag[0]

    def used(self, point: FencePoint) -> None:
        """Note that a queue uses this slot until a point."""
        self.points[point.fence] = point

    def close(self) -> None:
        self._views = self._fetched = ()
        self._mix = np.empty(0, np.float32)
        self._fetched_flag = np.zeros(1, np.uint32)
        self._stack.close()
