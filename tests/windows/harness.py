"""Single Direct3D 12 kernels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu import tiles
from framebrush.gpu.d3d12.commands import COMMON, Recorder
from framebrush.gpu.d3d12.descriptors import BufferView
from framebrush.gpu.d3d12.device import D3D12Device
from framebrush.gpu.d3d12.fenced_queue import CommandList, Queue
from framebrush.gpu.d3d12.pass_executor import D3D12Resources, Executor
from framebrush.gpu.d3d12.resources import ROW_PITCH_BYTES, Buffer, Texture, aligned
from framebrush.gpu.d3d12.slot import D3D12Slot
from framebrush.gpu.d3d12.swapchain import SwapChain
from framebrush.gpu.d3d12.tensor import TensorBuffer
from framebrush.gpu.frame import Frame, FrameFormat, nv12, rgba8
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.passes import ElementType
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.output import Output
from framebrush.models.style import Style
from tests.gpu.pictures import noise
from tests.inside import executor_of, passes_of, settings_of
from tests.networks import identity

Picture = npt.NDArray[np.float64]


def ramp(picture: FrameFormat) -> Frame:
    """Return all luma codes, with mostly legal random chroma."""
    frame = noise(picture)
    luma = frame.planes[0]
    codes = np.linspace(0, picture.top, luma.size).astype(luma.dtype) * luma.dtype.type(1 << picture.shift)
    luma[:] = codes.reshape(luma.shape)
    middle, spread = 1 << (picture.bits - 1), 1 << (picture.bits - 4)
    for plane in frame.planes[1:]:
        noisy = np.random.default_rng(1).integers(middle - spread, middle + spread, plane.shape) << picture.shift
        plane[:] = noisy / (1 << picture.bits) if picture.floating else noisy
    return frame


def run(queue: Queue, *lists: CommandList) -> None:
    queue.execute(*lists)
    queue.signal().block()


def slot_for(
    device: D3D12Device,
    source: FrameFormat,
    target: FrameFormat,
    *,
    working: Size | None = None,
    precision: str = "float32",
    stride: int = 1,
    scale: int = 1,
) -> tuple[D3D12Slot, ExitStack]:
    """Return a slot without a network, and the stack that releases it."""
    card = replace(identity().card, precision=precision, stride=stride, scale=scale)
    sizes = Sizes.of((source.width, source.height), working, (target.width, target.height), scale)
    plan = tiles.plan(*sizes.working, card, "off")
    (slot,), stack = slots_of(device, Settings(Style(card, b""), source, target, sizes, plan, Look(), 1))
    return slot, stack


def slots_of(device: D3D12Device, settings: Settings, count: int = 1) -> tuple[list[D3D12Slot], ExitStack]:
    """Return slots without a network, and the stack that releases them."""
    stack, way, context = ExitStack(), FramePasses(settings, "hlsl"), device.context
    memory = stack.enter_context(closing(D3D12Resources(context)))
    executor = stack.enter_context(closing(Executor(context, context.compute, memory, None, "stages")))
    output = Output(way, settings.target, "hlsl")
    slots = [D3D12Slot(context, number, settings, way, output, executor, None) for number in range(count)]
    return [stack.enter_context(closing(slot)) for slot in slots], stack


def painted_of(slot: D3D12Slot) -> TensorBuffer:
    return executor_of(slot).tensor(slot.painted, slot.index)


def upload(device: D3D12Device, slot: D3D12Slot, frame: Frame, tone: ToneMap = ToneMap.BT2390) -> None:
    """Upload and convert a slot's frame."""
    slot.begin(Look(tone_map=tone), ())
    slot.fill(frame)
    run(device.context.copy, slot.upload)
    run(device.context.compute, slot.convert)


def convert(
    device: D3D12Device,
    frame: Frame,
    precision: str,
    tone: ToneMap,
    *,
    stride: int = 1,
    working: Size | None = None,
    keeps_hdr: bool = False,
) -> Picture:
    """Convert planes to padded network input, (3, H, W)."""
    target = nv12(frame.format.width, frame.format.height)
    if keeps_hdr:
        target = replace(target, transfer=frame.format.transfer)
    slot, stack = slot_for(device, frame.format, target, working=working, precision=precision, stride=stride)
    with stack:
        upload(device, slot, frame, tone)
        return read_tensor(device, slot.frame)


def resized(device: D3D12Device, styled: Picture, size: Size, precision: str = "float32") -> tuple[Picture, bool]:
    """Resize a network's output (3, H, W); return the non-finite flag too."""
    height, width = styled.shape[1:]
    source = rgba8(width, height)
    slot, stack = slot_for(device, source, rgba8(*size), precision=precision)
    with stack:
        upload(device, slot, noise(source))
        write_tensor(device, slot.styled, styled)
        run(device.context.compute, *slot.resize)
        made = read_tensor(device, painted_of(slot))
        run(device.context.compute, *slot.output(Look(), slot.painted))
        run(device.context.download, slot.download)
        return made, not slot.copy_output(settings_of(slot).target.allocate())


def finish(
    device: D3D12Device, source: Picture, styled: Picture, target: FrameFormat, look: Look, precision: str = "float32"
) -> tuple[Frame, bool]:
    """Run the output kernel on tensors (3, H, W); return frame and non-finite flag."""
    planes = rgba8(target.width, target.height)
    slot, stack = slot_for(device, planes, target, precision=precision)
    with stack:
        upload(device, slot, noise(planes))  # clears the flag
        write_tensor(device, slot.frame, source)
        write_tensor(device, slot.styled, styled)
        if look.detail:
            run(device.context.compute, slot.add_detail())
        run(device.context.compute, *slot.output(look, slot.painted))
        run(device.context.download, slot.download)
        made = target.allocate()
        finite = slot.copy_output(made)
        return made, not finite


def fine_luma(device: D3D12Device, source: Picture, working: Size, precision: str = "float32") -> Picture:
    """Return fine luma (H, W) of (3, H, W)."""
    height, width = source.shape[1:]
    size = rgba8(width, height)
    slot, stack = slot_for(device, size, size, working=working, precision=precision, stride=8)
    with stack:
        original, fine = (
            executor_of(slot).tensor(passes_of(slot).original, 0),
            executor_of(slot).view(passes_of(slot).fine, 0),
        )
        assert isinstance(fine, BufferView)
        rows, columns = original.shape[2:]
        write_tensor(device, original, np.pad(source, ((0, 0), (0, rows - height), (0, columns - width))))
        run(device.context.compute, slot.add_detail())
        return read_view(device, fine, np.float32, (height, width)).astype(np.float64)


def read_view(device: D3D12Device, view: BufferView, kind: type[Any], shape: tuple[int, ...]) -> npt.NDArray[Any]:
    count = int(np.prod(shape)) * np.dtype(kind).itemsize
    memory = Buffer(device.context.native, -(-count // 4) * 4, "test readback", heap=D.D3D12_HEAP_TYPE_READBACK)
    recorder = Recorder(device.context.native, D.D3D12_COMMAND_LIST_TYPE_COPY, "test copy")

    class Whole:
        com = view.com

    recorder.begin().copy_bytes(memory, 0, Whole, 0, memory.size_bytes)  # type: ignore[arg-type]
    run(device.context.copy, recorder.end())
    values = memory.mapped[:count].view(kind).reshape(shape).copy()
    for thing in (recorder, memory):
        thing.close()
    return values


def read_tensor(device: D3D12Device, tensor: TensorBuffer) -> Picture:
    size = tensor.buffer.size_bytes
    memory = Buffer(device.context.native, size, "test readback", heap=D.D3D12_HEAP_TYPE_READBACK)
    _copy(device, memory, tensor.buffer)
    data = memory.mapped[: _used(tensor)]
    if tensor.precision == "unorm16":
        values = data.view(np.uint16) / 65535.0
    else:
        values = data.view(tensor.precision).astype(np.float64)
    memory.close()
    return values.reshape(tensor.shape[1:])


def write_tensor(device: D3D12Device, tensor: TensorBuffer, values: npt.NDArray[Any]) -> None:
    """Fill a tensor from (3, H, W), repeating the edge if larger."""
    _, _, rows, columns = tensor.shape
    values = np.pad(values, ((0, 0), (0, rows - values.shape[1]), (0, columns - values.shape[2])), "edge")
    memory = Buffer(device.context.native, tensor.buffer.size_bytes, "test upload", heap=D.D3D12_HEAP_TYPE_UPLOAD)
    if tensor.precision == "unorm16":
        values = np.rint(65535.0 * np.clip(values, 0.0, 1.0)).astype(np.uint16)
    else:
        values = values.astype(tensor.precision)
    memory.mapped[: _used(tensor)].view(values.dtype)[:] = values.ravel()
    _copy(device, tensor.buffer, memory)
    memory.close()


def _used(tensor: TensorBuffer) -> int:
    return int(np.prod(tensor.shape)) * ElementType.of(tensor.precision).size_bytes


def _copy(device: D3D12Device, target: Buffer, source: Buffer) -> None:
    recorder = Recorder(device.context.native, D.D3D12_COMMAND_LIST_TYPE_COPY, "test copy")
    recorder.begin().copy_bytes(target, 0, source, 0, target.size_bytes)
    run(device.context.copy, recorder.end())
    recorder.close()


class _Rows:
    def __init__(self, device: D3D12Device, texture: Texture, sample_bytes: int, *, heap: int) -> None:
        width, height = texture.size_px
        self.textures, footprint = (texture,), D.D3D12_PLACED_SUBRESOURCE_FOOTPRINT()
        self.footprints = (footprint,)
        place, self._used = footprint.Footprint, width * sample_bytes
        place.Format, place.Width, place.Height, place.Depth = texture.format, width, height, 1
        place.RowPitch = aligned(self._used, ROW_PITCH_BYTES)
        self._shape = height, place.RowPitch
        self.memory = Buffer(device.context.native, place.RowPitch * height, "test texture", heap=heap)

    @property
    def rows(self) -> npt.NDArray[np.uint8]:
        return self.memory.mapped.reshape(self._shape)[:, : self._used]


@contextmanager
def _at_hand(device: D3D12Device, texture: Texture) -> Iterator[Recorder]:
    """Open a command list with a texture in state COMMON; run it at the end.

    Copy queues cannot leave shader-read states.
    """
    recorder = Recorder(device.context.native, D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "test texture")
    recorder.begin()
    if texture.resting != COMMON:
        recorder.transition(texture.resting, COMMON, texture)
    yield recorder
    if texture.resting != COMMON:
        recorder.transition(COMMON, texture.resting, texture)
    run(device.context.compute, recorder.end())
    recorder.close()


def read_texture(device: D3D12Device, texture: Texture, kind: type[Any], channels: int = 1) -> npt.NDArray[Any]:
    rows = _Rows(device, texture, np.dtype(kind).itemsize * channels, heap=D.D3D12_HEAP_TYPE_READBACK)
    with _at_hand(device, texture) as recorder:
        recorder.download(rows, rows.memory)  # type: ignore[arg-type]
    values = rows.rows.copy().view(kind).reshape(*texture.size_px[::-1], channels)
    rows.memory.close()
    return values


def write_texture(device: D3D12Device, texture: Texture, values: npt.NDArray[Any]) -> None:
    """Fill a texture from (H, W, channels) in its own type."""
    sample_bytes = values.dtype.itemsize * values.shape[2]
    rows = _Rows(device, texture, sample_bytes, heap=D.D3D12_HEAP_TYPE_UPLOAD)
    rows.rows[:] = np.ascontiguousarray(values).view(np.uint8).reshape(values.shape[0], -1)
    with _at_hand(device, texture) as recorder:
        recorder.upload(rows.memory, rows)  # type: ignore[arg-type]
    rows.memory.close()


def on_screen(device: D3D12Device, surface: SwapChain) -> npt.NDArray[Any]:
    """Read back the last presented image, (H, W, 4)."""
    assert any(image.shown for image in surface._images), "nothing was presented since the chain was made for its size"
    image = max((image for image in surface._images if image.shown), key=lambda image: image.shown.value)
    device.context.direct.idle()
    words = read_texture(device, image.texture, np.uint32)[..., 0]
    if surface.format.bits == 8:
        return np.stack([words >> shift & 255 for shift in (0, 8, 16, 24)], -1)
    return np.stack([*(words >> shift & 1023 for shift in (0, 10, 20)), words >> 30], -1)


def remove(device: D3D12Device) -> None:
    """Remove the device, like a driver crash."""
    newer = D.ID3D12Device5()
    if device.context.native.device.QueryInterface(D.ID3D12Device5._iid_, newer) >= 0:
        newer.RemoveDevice()
        newer.Release()
    if not device.context.native.device.GetDeviceRemovedReason():  # vkd3d 1.14 only pretends; an open list works
        recorder = Recorder(device.context.native, D.D3D12_COMMAND_LIST_TYPE_COMPUTE, "open list").begin()
        device.context.compute.com.ExecuteCommandLists(1, (D.ID3D12CommandList * 1)(recorder._com))
        recorder.close()
    assert device.context.native.device.GetDeviceRemovedReason() < 0
