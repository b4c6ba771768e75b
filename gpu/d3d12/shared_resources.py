"""Frames in another program's resources, ordered by its fence."""

from __future__ import annotations

from contextlib import ExitStack

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi.Common as X
from win32more.Windows.Win32.System.Com import IUnknown

from framebrush.gpu.d3d12.commands import Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.fenced_queue import CommandList, FencePoint, OutsideFence, Queue
from framebrush.gpu.d3d12.frame import D3D12Frame
from framebrush.gpu.d3d12.native import Com, Native, Owned, returned
from framebrush.gpu.d3d12.resources import (
    PLACEMENT_BYTES,
    ROW_PITCH_BYTES,
    PlaneTextures,
    placed,
    plane_channels,
    plane_format,
)
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.frame import FENCE_LIMIT, FrameFormat, SharedPlanes

KINDS = {False: ("UNORM", "UNORM_SRGB", "UINT", "TYPELESS"), True: ("FLOAT", "TYPELESS")}
"""Formats that can be copied, of integers and of floats, the usual one first."""


class SharedFrame(D3D12Frame):
    """Frame in `framebrush.gpu.frame.SharedPlanes`."""

    def __init__(self, context: Context, picture: FrameFormat, planes: SharedPlanes) -> None:
        """Open the resources. Raises ValueError, DeviceError."""
        native = context.native
        self._footprints: list[Com] = []
        with ExitStack() as opened:

            def opens(interface: type[Com], value: int, label: str) -> Owned:
                owned = _opened(native, interface, value, label, handle=planes.handles)
                opened.callback(owned.close)
                return owned

            self._resources = [
                opens(D.ID3D12Resource, resource, f"outside resource {index}")
                for index, resource in enumerate(planes.resources)
            ]
            descriptions = [returned(one.com, "GetDesc", D.D3D12_RESOURCE_DESC) for one in self._resources]
            if planes.offsets or planes.pitches:
                self._footprints = _in_buffer(picture, planes, self._resources, descriptions)
            else:
                _check_textures(picture, descriptions)
            fence = opens(D.ID3D12Fence, planes.fence, "outside fence")
            self._fence = OutsideFence(native, fence, "outside fence", planes.ready)
            opened.callback(self._fence.close)
            if self._fence.completed >= planes.done:
                gone = self._fence.completed == FENCE_LIMIT
                raise ValueError(
                    "the fence's device is gone; the program has to open its device again"
                    if gone
                    else f"the fence is at {self._fence.completed} and cannot be set to {planes.done}, which is no more"
                )
            self._opened = opened.pop_all()
        self._done = FencePoint(self._fence, planes.done)
        super().__init__(context, picture, FencePoint(self._fence, planes.ready))

    def record_copy(self, recorder: Recorder, target: PlaneTextures) -> None:
        if self._footprints:
            recorder.upload(self._resources[0], target, self._footprints)
        else:
            recorder.copy_planes(target, self._resources)

    def read(self, commands: CommandList) -> FencePoint:
        self._context.outside.add(self._fence)
        return super().read(commands)

    def release(self) -> None:
        """Set the other program's fence after the last read."""
        context = self._context
        if self not in context.frames:
            return
        memory = self._opened
        memory.callback(context.outside.discard, self._fence)
        try:
            context.native.check_removed("release", self._fence.label)
            queue = self.ready.fence
            if not isinstance(queue, Queue):
                context.outside.add(self._fence)
                queue = Queue(context.native, D.D3D12_COMMAND_LIST_TYPE_COPY, "outside queue")
                memory.callback(queue.close)
                queue.wait_for(self.ready)
            queue.reach(self._done)
            point = queue.signal()
        except DeviceLostError:  # nothing runs on it any more
            memory.close()
        else:
            context.retire(point, memory)
        context.frames.remove(self)


def _opened(native: Native, interface: type[Com], value: int, label: str, *, handle: bool) -> Owned:
    if handle:
        try:
            return native.make("OpenSharedHandle", interface, label, value)
        except DeviceLostError:
            raise
        except DeviceError as error:
            raise DeviceError(
                f"handle {value:#x} is no {interface.__name__} that this device can open ({error}); give an NT handle "
                "of ID3D12Device::CreateSharedHandle that is open in this process, of the same adapter; a driver that "
                "answers E_NOTIMPL shares nothing"
            ) from error
    com = interface()
    found = IUnknown(value).QueryInterface(interface._iid_, com)
    if found < 0:
        raise DeviceError(f"address {value:#x} is of no {interface.__name__}; give one, or say handles=True")
    owned = Owned(native, com, label)
    theirs, ours = IUnknown(), IUnknown()
    try:
        native.check(com.GetDevice(IUnknown._iid_, theirs), "GetDevice", label)
        native.check(native.device.QueryInterface(IUnknown._iid_, ours), "QueryInterface", "device")
        if theirs.value != ours.value:
            raise DeviceError(
                f"the {interface.__name__} at {value:#x} is of another ID3D12Device; share it by a handle of "
                "ID3D12Device::CreateSharedHandle"
            )
    except BaseException:
        owned.close()
        raise
    finally:
        for one in (theirs, ours):
            if one:
                one.Release()
    return owned


def _check_textures(picture: FrameFormat, descriptions: list[Com]) -> None:
    shapes = picture.plane_shapes
    if len(descriptions) != len(shapes):
        raise ValueError(
            f"{len(descriptions)} textures were given for {picture.layout} of {len(shapes)} planes; a buffer needs "
            "offsets and pitches"
        )
    for index, (shape, found) in enumerate(zip(shapes, descriptions, strict=True)):
        rows, columns, components = (*shape, 1)[:3]
        if found.Dimension != D.D3D12_RESOURCE_DIMENSION_TEXTURE2D:
            raise ValueError(f"resource {index} is no 2D texture; a buffer needs offsets and pitches")
        if (found.Width, found.Height) != (columns, rows):
            raise ValueError(f"texture {index} is {found.Width}x{found.Height} where the plane is {columns}x{rows}")
        if (found.DepthOrArraySize, found.MipLevels, found.SampleDesc.Count) != (1, 1, 1):
            raise ValueError(
                f"texture {index} has {found.DepthOrArraySize} slices, {found.MipLevels} mip levels and "
                f"{found.SampleDesc.Count} samples a pixel; give one of each"
            )
        channels = plane_channels(picture, components)
        names = [f"{channels}_{kind}" for kind in KINDS[picture.floating]]
        if found.Format not in [getattr(X, f"DXGI_FORMAT_{name}", None) for name in names]:
            raise ValueError(f"texture {index} is of DXGI format {found.Format} where the plane is {names[0]}")


def _in_buffer(
    picture: FrameFormat, planes: SharedPlanes, resources: list[Owned], descriptions: list[Com]
) -> list[Com]:
    shapes = picture.plane_shapes
    if len(resources) != 1 or descriptions[0].Dimension != D.D3D12_RESOURCE_DIMENSION_BUFFER:
        raise ValueError("offsets and pitches are those of one buffer; textures have none")
    if (len(planes.offsets), len(planes.pitches)) != (len(shapes), len(shapes)):
        raise ValueError(
            f"{len(planes.offsets)} offsets and {len(planes.pitches)} pitches were given for {picture.layout} of "
            f"{len(shapes)} planes"
        )
    heap, flags = D.D3D12_HEAP_PROPERTIES(), D.D3D12_HEAP_FLAGS()
    if resources[0].com.GetHeapProperties(heap, flags) >= 0 and heap.Type == D.D3D12_HEAP_TYPE_READBACK:
        raise ValueError("the buffer is in a readback heap, which is only copied to; give one of a default heap")
    sample_bytes, size_bytes, found = picture.dtype(0).itemsize, int(descriptions[0].Width), []
    for index, (shape, offset, pitch) in enumerate(zip(shapes, planes.offsets, planes.pitches, strict=True)):
        rows, columns, components = (*shape, 1)[:3]
        row_bytes = columns * components * sample_bytes
        if offset < 0 or offset % PLACEMENT_BYTES or pitch % ROW_PITCH_BYTES or pitch < row_bytes:
            raise ValueError(
                f"plane {index} at {offset} with {pitch} bytes a row: an offset is a multiple of {PLACEMENT_BYTES}, a "
                f"pitch one of {ROW_PITCH_BYTES} and at least {row_bytes}"
            )
        end = offset + pitch * (rows - 1) + row_bytes
        if end > size_bytes:
            raise ValueError(f"plane {index} ends at byte {end} of a buffer of {size_bytes}")
        fmt = plane_format(picture, components, written=False)
        found.append(placed((columns, rows), fmt, offset, pitch))
    return found
