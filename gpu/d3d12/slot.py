"""One frame in flight: its memory on both sides and its command lists, recorded once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12 import constants
from framebrush.gpu.d3d12.commands import COMMON, READ, WRITE, Recorder
from framebrush.gpu.d3d12.descriptors import Table, TypedView
from framebrush.gpu.d3d12.kernels import Variant
from framebrush.gpu.d3d12.native import Keeper
from framebrush.gpu.d3d12.queue import CommandList, FencePoint, Queue
from framebrush.gpu.d3d12.resources import Buffer, PlaneTextures, aligned
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, FrameFormat, Layout
from framebrush.gpu.look import Look, ToneMap

if TYPE_CHECKING:
    from framebrush.gpu.d3d12.device import D3D12Device
    from framebrush.gpu.d3d12.timing import StageTimer

TENSOR_FORMAT = {"float32": X.DXGI_FORMAT_R32_FLOAT, "float16": X.DXGI_FORMAT_R16_FLOAT}
ELEMENT_BYTES = {"float32": 4, "float16": 2}
CONSTANT_BYTES = 512  # of one constant buffer; addresses are multiples of 256
FLAG_BYTES = 4
ELEMENTS_LIMIT = 1 << 27  # D3D12_REQ_BUFFER_RESOURCE_TEXEL_COUNT_2_TO_EXP


class TensorBuffer:
    """A picture's tensor (1, 3, H, W) in the GPU's memory."""

    def __init__(self, device: D3D12Device, size_px: tuple[int, int], precision: str, label: str) -> None:
        elements = 3 * size_px[0] * size_px[1]
        if elements > ELEMENTS_LIMIT:
            raise DeviceError(
                f"tensor '{label}' of {size_px[0]}x{size_px[1]} has {elements} elements where Direct3D 12 ends at "
                f"{ELEMENTS_LIMIT}; try --max-size"
            )
        size_bytes = aligned(elements * ELEMENT_BYTES[precision], 4)
        heap = D.D3D12_HEAP_TYPE_DEFAULT
        self.buffer = Buffer(device.native, size_bytes, label, heap=heap, unordered=True)
        self.view = TypedView(self.buffer, TENSOR_FORMAT[precision], elements)
        self.shape, self.precision = (1, 3, size_px[1], size_px[0]), precision

    def close(self) -> None:
        """Release it. Idempotent."""
        self.buffer.close()


class Readback:
    """A mapped buffer that takes an output's planes and its flag."""

    def __init__(self, device: D3D12Device, planes: PlaneTextures, target: FrameFormat, label: str) -> None:
        self._target = target
        self.flag_offset = planes.size_bytes
        size_bytes = planes.size_bytes + FLAG_BYTES
        self.buffer = Buffer(device.native, size_bytes, label, heap=D.D3D12_HEAP_TYPE_READBACK)
        self._planes = planes.views(self.buffer.mapped)
        self._flag = self.buffer.mapped[self.flag_offset :].view(np.uint32)

    @property
    def not_finite(self) -> bool:
        """Whether the network gave NaN or infinity."""
        return bool(self._flag[0])

    def frame(self) -> Frame:
        """The picture, as views over the buffer."""
        return Frame(self._target, self._planes)

    def close(self) -> None:
        """Release it. Idempotent; its frames are dead from now on."""
        self._planes = ()
        self._flag = np.zeros(1, np.uint32)
        self.buffer.close()


class Slot:
    """The memory and the lists of one frame in flight.

    source, painted: the tensors. points: until when each queue uses this slot; all must be reached before it is filled
    again. prepared: the look that the output was made with, None where there is none yet. stamp: run after the network,
    where the stages are timed; untimed: whether a frame's stamps are still to be counted.
    """

    def __init__(
        self,
        device: D3D12Device,
        index: int,
        source: FrameFormat,
        target: FrameFormat,
        tensor_size: tuple[int, int],
        precision: str,
        mix_weights: int,
        timer: StageTimer | None = None,
    ) -> None:
        self.index, self._target, self._source, self._tensor_size = index, target, source, tensor_size
        self._keeper = Keeper()
        try:
            self._make(device, precision, mix_weights, timer)
        except BaseException:
            self.close()
            raise
        self._tone_map: ToneMap | None = None  # what the constants were written for
        self._look: Look | None = None
        self.points: dict[Queue, FencePoint] = {}
        self.painted_at: FencePoint | None = None
        self.delivered_at: FencePoint | None = None
        self.prepared: Look | None = None
        self.untimed = False
        self.readback: Readback | None = None

    def _make(self, device: D3D12Device, precision: str, mix_weights: int, timer: StageTimer | None) -> None:
        name, source, target, native = f"slot {self.index}", self._source, self._target, device.native
        self._planes = self._keeper.keep(PlaneTextures(native, source.plane_shapes, source.dtype, f"{name} source"))
        upload, default = D.D3D12_HEAP_TYPE_UPLOAD, D.D3D12_HEAP_TYPE_DEFAULT
        self._mix_offset = self._planes.size_bytes
        size_bytes = self._mix_offset + 4 * mix_weights
        self._upload = self._keeper.keep(Buffer(native, size_bytes, f"{name} upload", heap=upload))
        self._views = self._planes.views(self._upload.mapped)
        self._mix = self._upload.mapped[self._mix_offset :].view(np.float32)
        self.source = self._keeper.keep(TensorBuffer(device, self._tensor_size, precision, f"{name} frame"))
        self.painted = self._keeper.keep(TensorBuffer(device, self._tensor_size, precision, f"{name} styled"))
        self.mix: Buffer | None = None
        if mix_weights:
            self.mix = Buffer(native, 4 * mix_weights, f"{name} mix", heap=default, unordered=True)
            self._keeper.keep(self.mix)
        self._flag = self._keeper.keep(Buffer(native, FLAG_BYTES, f"{name} flag", heap=default, unordered=True))
        self._constants = self._keeper.keep(Buffer(native, 2 * CONSTANT_BYTES, f"{name} constants", heap=upload))
        self.output = self._keeper.keep(
            PlaneTextures(native, target.plane_shapes, target.dtype, f"{name} output", written=True)
        )
        self._record(device, timer)

    def _record(self, device: D3D12Device, timer: StageTimer | None) -> None:
        flag = TypedView(self._flag, X.DXGI_FORMAT_R32_UINT, 1)
        views = device.descriptors
        variant = Variant("planes_to_tensor", constants.convert_variant(self._source))
        convert = device.kernel(variant)
        # Older GPUs want every descriptor of a table filled: the first plane stands in for those that are not there.
        spare = [self._planes.textures[0]] * (convert.shape.reads - len(self._planes.textures))
        source_reads = self._keeper.keep(views.read(*self._planes.textures, *spare))
        source_writes = self._keeper.keep(views.write(self.source.view, flag))
        self.reads: Table = self._keeper.keep(views.read(self.painted.view, self.source.view))
        output_writes = self._keeper.keep(views.write(*self.output.textures, flag))

        copies = self._keeper.keep(Recorder(device.native, D.D3D12_COMMAND_LIST_TYPE_COPY, f"slot {self.index} copies"))
        copies.begin().upload(self._upload, self._planes)
        if self.mix:
            copies.copy_bytes(self.mix, 0, self._upload, self._mix_offset, self.mix.size_bytes)
        self.upload: CommandList = copies.end()
        self._copies = copies

        kernels = Recorder(device.native, D.D3D12_COMMAND_LIST_TYPE_COMPUTE, f"slot {self.index}", views)
        self._keeper.keep(kernels)
        kernels.begin()
        if timer:
            timer.stamp_painting(kernels, self.index, 0)
        kernels.transition(COMMON, READ, *self._planes.textures)
        kernels.dispatch(convert, source_reads, source_writes, self._constants.address, self._tensor_size)
        kernels.uav_barrier()
        kernels.transition(READ, COMMON, *self._planes.textures)
        if timer:
            timer.stamp_painting(kernels, self.index, 1)
        self.convert: CommandList = kernels.end()
        self.stamp: CommandList | None = None
        if timer:
            kernels.begin()
            timer.stamp_painting(kernels, self.index, 2)
            self.stamp = kernels.end()

        rgba = self._target.layout is Layout.RGBA
        threads = (self._target.width, self._target.height) if rgba else self.output.textures[1].size_px
        kernel = device.kernel(Variant("tensor_to_rgba" if rgba else "tensor_to_yuv"))
        kernels.begin().uav_barrier()
        if timer:
            timer.stamp_drawing(kernels, self.index, 0)
        kernels.transition(COMMON, WRITE, *self.output.textures)
        kernels.dispatch(kernel, self.reads, output_writes, self._constants.address + CONSTANT_BYTES, threads)
        kernels.transition(WRITE, COMMON, *self.output.textures)
        if timer:
            timer.stamp_drawing(kernels, self.index, 1)
        self.finish: CommandList = kernels.end()

    def record_download(self, readback: Readback) -> CommandList:
        """A list that brings the output and the flag to a readback buffer."""
        self._copies.begin().download(self.output, readback.buffer)
        self._copies.copy_bytes(readback.buffer, readback.flag_offset, self._flag, 0, FLAG_BYTES)
        return self._copies.end()

    def fill(self, frame: Frame, tone_map: ToneMap, mix: tuple[float, ...]) -> None:
        """Copy a frame and what goes with it into the mapped memory, row by row, without a temporary."""
        if tone_map is not self._tone_map:
            self._write(0, constants.convert(self._source, self._tensor_size, tone_map))
            self._tone_map = tone_map
        for view, plane in zip(self._views, frame.planes, strict=True):
            np.copyto(view, plane, casting="no")
        if self.mix:
            self._mix[:] = mix

    def used(self, point: FencePoint) -> None:
        """A queue uses this slot until that point."""
        self.points[point.queue] = point

    def set_look(self, look: Look) -> None:
        """Write the constants of the output; the device does not read them at this moment."""
        if look != self._look:
            self._write(CONSTANT_BYTES, constants.output(self._source, self._tensor_size, self._target, look))
            self._look = look

    def _write(self, offset: int, record: npt.NDArray[Any]) -> None:
        data = np.frombuffer(record.tobytes(), np.uint8)
        self._constants.mapped[offset : offset + data.size] = data

    def close(self) -> None:
        """Release everything; the device has finished with it. Idempotent."""
        self._views = ()
        self._mix = np.empty(0, np.float32)
        self._keeper.close()
