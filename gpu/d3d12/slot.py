"""One frame in flight: its memory on both sides and its command lists, recorded once."""

from __future__ import annotations

from contextlib import ExitStack, closing

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import Table
from framebrush.gpu.d3d12.frame import D3D12Frame
from framebrush.gpu.d3d12.queue import CommandList, Fence, FencePoint
from framebrush.gpu.d3d12.resources import Buffer, ConstantBuffers, PlaneTextures
from framebrush.gpu.d3d12.stages.colours import Colours
from framebrush.gpu.d3d12.stages.detail import Detail
from framebrush.gpu.d3d12.stages.resampling import Resampling
from framebrush.gpu.d3d12.tensor import FLAG_BYTES, Flag, TensorBuffer
from framebrush.gpu.d3d12.timing import SlotStamps
from framebrush.gpu.frame import Frame, Layout
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import constants
from framebrush.gpu.stages.look import Look, ToneMap
from framebrush.gpu.stages.scaling import Scaling
from framebrush.gpu.stylizer import Settings
from framebrush.models.colours.table import ColourTable

FRAME, ORIGINAL, OUTPUT = range(3)  # the constants of a slot


class Slot:
    """The memory and the lists of one frame in flight.

    frame: the network's input, padded, through the table ahead of it. styled: its output. steadied: what a temporal
    window makes of several outputs. painted: either at the target's size and through the table behind the network; then
    its values are within 0 and 1, and 16 bits hold them, which is half the traffic of all that reads it.
    original: the source at the target's size, through the table, too, None until a look shows it; the network's input
    where all sizes are the same. detail: its fine luma, None until a look adds it. points: until when each queue
    uses this slot; all must be reached before it is filled again.

    uploaded, painted_at, delivered_at: when the planes, the painted tensor and the output are there. prepared: the look
    that the output was made with, None where there is none yet. remade, detailed: whether original and detail are those
    of the frame. carried, place: whether the film has carried its strokes, and to which place. at_home: whether what
    the slot keeps of strokes is all at home. number: of the frame among those of the slot. weights: of the paintings.
    timed: parts whose stamps are still to be counted.
    """

    uploaded: FencePoint
    painted_at: FencePoint

    def __init__(
        self,
        context: Context,
        index: int,
        settings: Settings,
        scaling: Scaling[Resampling],
        stamps: SlotStamps | None,
        *,
        before: Colours | None = None,
        after: Colours | None = None,
    ) -> None:
        """before, after: the tables of the style."""
        self.index, self._settings, self._scaling, self._stamps = index, settings, scaling, stamps
        self._context, self._before, self._after = context, before, after
        self._colours = after  # or the slot's own in its place
        self._stack = ExitStack()
        self.resize: CommandList | None = None
        self.network_end: CommandList | None = None
        self.remake: CommandList | None = None
        self.detail: Detail | None = None
        self.add_detail: CommandList | None = None
        self.carried = self.at_home = False
        self.place = self.number = 0
        self.weights: tuple[float, ...] = ()
        self.points: dict[Fence, FencePoint] = {}
        self.delivered_at: FencePoint | None = None
        self.prepared: Look | None = None
        self.timed: set[str] = set()
        self.remade = self.detailed = False
        self._tone_map: ToneMap | None = None  # what the constants were written for
        self._look: tuple[Look, TensorBuffer] | None = None
        self._outputs: dict[TensorBuffer, CommandList] = {}
        self._reads: dict[TensorBuffer, Table] = {}
        try:
            self._make()
            self._record()
        except BaseException:
            self.close()
            raise

    def _make(self) -> None:
        native, settings, name = self._context.native, self._settings, f"slot {self.index}"
        keep, (source, target, plan) = self._stack.enter_context, (settings.source, settings.target, settings.plan)
        upload, default, readback = D.D3D12_HEAP_TYPE_UPLOAD, D.D3D12_HEAP_TYPE_DEFAULT, D.D3D12_HEAP_TYPE_READBACK
        planes = PlaneTextures(native, source.plane_shapes, source.dtype, f"{name} source")
        self._planes = keep(closing(planes))
        # Behind the planes lie the cleared flag and the weights of the paintings.
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
        precision = settings.style.card.precision
        self.frame = keep(closing(TensorBuffer(native, plan.padded_size, precision, f"{name} frame")))
        self.styled = self.painted = keep(closing(TensorBuffer(native, plan.output_size, precision, f"{name} styled")))
        self.steadied: TensorBuffer | None = None
        if not settings.window.alone:
            self.painted = self.steadied = keep(closing(self._tensor(plan.output_size, "steadied")))
        if self._scaling.to_target:
            self.painted = keep(closing(self._tensor(settings.sizes.target, "painted", "unorm16")))
        elif self._after:
            self.painted = keep(closing(self._tensor(plan.output_size, "painted", "unorm16")))
        sizes = settings.sizes
        self.original = self.frame if sizes.source == sizes.working == sizes.target else None
        self._constants = keep(closing(ConstantBuffers(native, 3, f"{name} constants")))
        written = PlaneTextures(native, target.plane_shapes, target.dtype, f"{name} output", written=True)
        self.output_planes = keep(closing(written))
        memory = Buffer(native, written.size_bytes + FLAG_BYTES, f"{name} readback", heap=readback)
        self._readback = keep(closing(memory))
        self._fetched = written.views(memory.mapped)
        self._fetched_flag = memory.mapped[written.size_bytes :].view(np.uint32)

    def _tensor(self, size: Size, label: str, precision: str = "float32") -> TensorBuffer:
        return TensorBuffer(self._context.native, size, precision, f"slot {self.index} {label}")

    def _recorder(self, kind: int, label: str) -> Recorder:
        recorder = Recorder(self._context.native, kind, f"slot {self.index} {label}", self._context.descriptors)
        return self._stack.enter_context(closing(recorder))

    def _record(self) -> None:
        copies = self._recorder(D.D3D12_COMMAND_LIST_TYPE_COPY, "copies")
        copies.begin("upload").upload(self._upload, self._planes)
        self._record_header(copies)
        self.upload: CommandList = copies.end()
        self._imports = self._recorder(D.D3D12_COMMAND_LIST_TYPE_COPY, "imports")

        kernels = self._kernels = self._recorder(D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "kernels")
        self._begin("convert")
        self._record_convert(self._scaling.to_working, self.frame, FRAME)
        if self._stamps:
            self._stamps.end(kernels, self.index, "convert")
        self.convert: CommandList = kernels.end()
        if self._stamps:
            kernels.begin("stamps")
            self.network_end = self._end("network")
        if self._scaling.to_target or self._after:
            self.resize = self._record_resize(self._after)
        self.output_of(self.painted)

        copies.begin("fetch").download(self.output_planes, self._readback)
        copies.copy_bytes(self._readback, self.output_planes.size_bytes, self.flag.buffer, 0, FLAG_BYTES)
        self.download: CommandList = copies.end()

    def _record_header(self, recorder: Recorder) -> None:
        """Record what comes with the planes: a cleared flag, and the weights of the paintings."""
        offset = self._planes.size_bytes
        recorder.copy_bytes(self.flag.buffer, 0, self._upload, offset, FLAG_BYTES)
        if self.mix:
            recorder.copy_bytes(self.mix, 0, self._upload, offset + FLAG_BYTES, self.mix.size_bytes)

    def _record_convert(self, scaling: Resampling | None, target: TensorBuffer, place: int) -> None:
        """Record the kernels that make a tensor of the planes."""
        context, picture, keep = self._context, self._settings.source, self._stack.enter_context
        keeps_hdr = self._settings.keeps_hdr
        variant = constants.convert_variant(picture, resized=scaling is not None, keeps_hdr=keeps_hdr)
        kernel = context.kernel(Variant("planes_to_tensor", variant))
        # Older GPUs want every descriptor of a table filled: the first plane stands in for those that are not there.
        planes = self._planes.textures
        spare = [planes[0]] * (kernel.shape.reads - 1 - len(planes))
        filled = scaling.columns.view if scaling else planes[0]
        made = self._before.between(target.size_px) if self._before else target
        into = scaling.between if scaling else made
        reads = keep(closing(context.descriptors.read(*planes, *spare, filled)))
        writes = keep(closing(context.descriptors.write(into.view)))
        self._kernels.dispatch(kernel, reads, writes, self._constants.address(place), into.size_px)
        if scaling:
            scaling.record_columns(self._kernels, made, self._stack)
        if self._before:
            self._before.record(self._kernels, made, target, target.size_px, self.flag, self._stack, place)

    def _record_resize(self, table: Colours | None) -> CommandList:
        """What makes the painting of a network's output, or of what a temporal window made of several."""
        kernels, result, size = self._kernels, self.steadied or self.styled, self._settings.sizes.target
        scaling = self._scaling.to_target
        into = self._after.between(size) if scaling and self._after else self.painted
        self._begin("resize")
        if scaling:
            scaling.record_rows(kernels, result, self.flag, self._stack)
            scaling.record_columns(kernels, into, self._stack)
        if table:
            table.record(kernels, into if scaling else result, self.painted, size, self.flag, self._stack)
        return self._end("resize")

    def use_table(self, table: ColourTable | None) -> list[CommandList]:
        """Have the next frame go through a table of colours behind the painting, which is as large as the one before;
        the slot's work is finished. Returns what the copy queue has to do ahead of its upload. Takes memory the first
        time that it is not the style's own. Raises OutOfMemoryError."""
        if self._colours is None or table is None or self._colours.table is table:
            return []
        if self._colours is not self._after:
            return [self._colours.change(table)]
        made = Colours(self._context, table, f"slot {self.index} table behind the network")
        self._stack.enter_context(closing(made))
        self.resize, self._colours = self._record_resize(made), made
        return []

    def reads_of(self, painting: TensorBuffer) -> Table:
        """What a look is made of: a painting at the target's size, the original, and its detail."""
        if painting not in self._reads:
            # Where there is no original, or no detail, the look does not show it, and the painting stands in.
            shown = painting, self.original or painting, self.detail or painting
            table = self._context.descriptors.read(*(part.view for part in shown))
            self._reads[painting] = self._stack.enter_context(closing(table))
        return self._reads[painting]

    def output_of(self, painting: TensorBuffer) -> CommandList:
        """What makes the output of a painting at the target's size."""
        if painting not in self._outputs:
            self._outputs[painting] = self._record_output(painting)
        return self._outputs[painting]

    def _record_output(self, painting: TensorBuffer) -> CommandList:
        context, keep, target = self._context, self._stack.enter_context, self._settings.target
        views, reads = context.descriptors, self.reads_of(painting)
        textures, flag = self.output_planes.textures, self.flag.view
        if target.layout is Layout.RGBA:
            kernel, threads = context.kernel(Variant("tensor_to_rgba")), (target.width, target.height)
            writes = views.write(*textures, flag)
        else:
            kernel = context.kernel(Variant("tensor_to_yuv", constants.output_variant(target)))
            threads = textures[1].size_px
            writes = views.write(*textures, *[flag] * (4 - len(textures)))
        keep(closing(writes))
        self._begin("output")
        self._kernels.dispatch(kernel, reads, writes, self._constants.address(OUTPUT), threads)
        return self._end("output")

    def _forget_outputs(self) -> None:
        """They were recorded without something that is there now."""
        self._reads.clear()
        self._outputs.clear()

    def _begin(self, part: str) -> None:
        self._kernels.begin(part)
        if self._stamps:
            self._stamps.begin(self._kernels, self.index, part)

    def _end(self, part: str) -> CommandList:
        if self._stamps:
            self._stamps.end(self._kernels, self.index, part)
        return self._kernels.end()

    def make_original(self) -> None:
        """Take memory for the source at the target's size and record how it is made. The device is idle in this slot.
        Nothing happens where it is there already. Raises OutOfMemoryError."""
        if self.original is not None:
            return
        scaling = self._scaling.source_to_target()
        if self._before:
            self._before.between(self._settings.sizes.target)  # before the list is begun
        original = self._stack.enter_context(closing(self._tensor(self._settings.sizes.target, "original")))
        self._begin("original")
        self._record_convert(scaling, original, ORIGINAL)
        self.remake = self._end("original")
        self.original, self._look = original, None
        self._write_convert()
        self._forget_outputs()

    def make_detail(self) -> None:
        """Take memory for the fine luma of the source, which is there at the target's size, and record how it is made.
        The device is idle in this slot. Nothing happens where it is there already. Raises OutOfMemoryError."""
        if self.detail is not None:
            return
        assert self.original is not None
        detail = Detail(self._context, self._scaling, self.original, f"slot {self.index} detail")
        self._stack.enter_context(closing(detail))
        self._begin("detail")
        detail.record(self._kernels, self.flag)
        self.add_detail = self._end("detail")
        self.detail = detail
        self._forget_outputs()

    def record_import(self, frame: D3D12Frame) -> CommandList:
        """A list that brings a frame of the device to this slot, whose work is finished."""
        frame.record_copy(self._imports.reset().begin("import"), self._planes)
        self._record_header(self._imports)
        return self._imports.end()

    def begin(self, tone_map: ToneMap, mix: tuple[float, ...]) -> None:
        """Write what goes with a frame; the slot's work is finished."""
        if tone_map is not self._tone_map:
            self._tone_map = tone_map
            self._write_convert()
        if mix:
            self._mix[:] = mix
        self.weights = mix
        self.points.clear()
        self.prepared = self.delivered_at = None
        self.remade = self.detailed = False
        self.carried = False
        self.number += 1

    def fill(self, frame: Frame) -> None:
        """Copy planes into the mapped memory, row by row, without a temporary."""
        self._context.copier.copy(self._views, frame.planes)

    def copy_output(self, into: Frame) -> bool:
        """Copy what was read back; whether the network's output is finite."""
        self._context.copier.copy(into.planes, self._fetched)
        return not self._fetched_flag[0]

    def used(self, point: FencePoint) -> None:
        """A queue uses this slot until that point."""
        self.points[point.fence] = point

    def set_look(self, look: Look, painting: TensorBuffer) -> None:
        """Write the constants of the output of a painting; the device is not reading them."""
        if (look, painting) != self._look:
            original = self.original or painting
            size, target = self._settings.sizes.target, self._settings.target
            self._constants.write(OUTPUT, constants.output(size, painting.size_px, original.size_px, target, look))
            self._look = look, painting

    def _write_convert(self) -> None:
        if self._tone_map is None:
            return
        for place, scaling, target in (
            (FRAME, self._scaling.to_working, self.frame),
            (ORIGINAL, self._scaling.source_to_target() if self.remake else None, self.original),
        ):
            if target is None:
                continue
            into, taps = (scaling.between, scaling.columns.count) if scaling else (target, 0)
            self._constants.write(place, constants.convert(self._settings.source, into.size_px, self._tone_map, taps))

    def close(self) -> None:
        """Release everything; the device has finished with it. Idempotent."""
        self._views = self._fetched = ()
        self._mix = np.empty(0, np.float32)
        self._fetched_flag = np.zeros(1, np.uint32)
        self._stack.close()
