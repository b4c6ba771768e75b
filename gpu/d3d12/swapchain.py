"""A window's picture: a flip-model swap chain that frames are drawn into without a readback."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np
import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi as G
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12 import adapters, constants
from framebrush.gpu.d3d12.commands import COMMON, COPY_FROM, COPY_TO, WRITE, Recorder
from framebrush.gpu.d3d12.descriptors import Table, TypedView
from framebrush.gpu.d3d12.kernels import Variant
from framebrush.gpu.d3d12.native import Com
from framebrush.gpu.d3d12.queue import FencePoint
from framebrush.gpu.d3d12.resources import Buffer, Texture
from framebrush.gpu.d3d12.timing import Stamps
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import FrameFormat, Layout, Matrix
from framebrush.gpu.look import Look

if TYPE_CHECKING:
    from framebrush.gpu.d3d12.device import D3D12Device

IMAGES = 3
DIVIDER_PX = 1.0
"""Half the width of the line between source and painting."""

FORMATS = {
    8: (X.DXGI_FORMAT_R8G8B8A8_UNORM, X.DXGI_FORMAT_R8G8B8A8_UINT),
    10: (X.DXGI_FORMAT_R10G10B10A2_UNORM, X.DXGI_FORMAT_R10G10B10A2_UINT),
}


def fit(picture: tuple[int, int], window: tuple[int, int], sample_aspect: float = 1.0) -> tuple[int, int, int, int]:
    """The largest rectangle (x, y, width, height) of a window that shows a picture in its own shape, centred.

    sample_aspect: width of a sample divided by its height.
    """
    wide = picture[0] * sample_aspect / picture[1]
    width, height = window
    if wide * height > width:
        height = max(1, round(width / wide))
    else:
        width = max(1, round(height * wide))
    return (window[0] - width) // 2, (window[1] - height) // 2, width, height


class _Image:
    """One picture of the chain's ring: where the kernel writes, since a back buffer takes no unordered writes."""

    def __init__(self, device: D3D12Device, size_px: tuple[int, int], fmt: int, flag: TypedView, index: int) -> None:
        self.texture = Texture(device.native, size_px, fmt, f"screen {index}", unordered=True)
        self.writes = device.descriptors.write(self.texture, flag)
        label = f"screen {index} constants"
        self.constants = Buffer(device.native, 512, label, heap=D.D3D12_HEAP_TYPE_UPLOAD)
        kind = D.D3D12_COMMAND_LIST_TYPE_DIRECT
        self.recorder = Recorder(device.native, kind, f"screen {index}", device.descriptors)
        self.shown: FencePoint | None = None

    def close(self) -> None:
        for thing in (self.recorder, self.constants, self.writes, self.texture):
            thing.close()


class SwapChain:
    """See framebrush.gpu.device.Surface. Made by D3D12Device.surface for a window's handle; of that window's thread.

    sample_aspect: width of a picture's sample divided by its height, for anamorphic video. rotation_degrees: how far
    a picture is turned counter-clockwise to be upright, a multiple of 90.
    """

    def __init__(self, device: D3D12Device, window: int, width: int, height: int, *, bits: int = 8) -> None:
        self.sample_aspect, self.rotation_degrees = 1.0, 0
        self._device, self._bits = device, bits
        self._size = (max(1, width), max(1, height))
        self._images: list[_Image] = []
        self._chain: Com = None
        self._stamps = Stamps(device.native, device.direct, IMAGES, 2, "screen stamps") if device.timing else None
        flag_memory = Buffer(device.native, 4, "screen flag", heap=D.D3D12_HEAP_TYPE_DEFAULT, unordered=True)
        self._flag_memory, self._flag = flag_memory, TypedView(flag_memory, X.DXGI_FORMAT_R32_UINT, 1)
        try:
            self._chain = self._make(window)
            self._say_sdr()
            self._make_images()
        except BaseException:
            self.close()
            raise

    def _make(self, window: int) -> Com:
        description = G.DXGI_SWAP_CHAIN_DESC1()
        description.Width, description.Height = self._size
        description.Format = FORMATS[self._bits][0]
        description.BufferUsage = G.DXGI_USAGE_RENDER_TARGET_OUTPUT
        description.BufferCount, description.SampleDesc.Count = IMAGES, 1
        description.SwapEffect = G.DXGI_SWAP_EFFECT_FLIP_DISCARD
        first, chain = G.IDXGISwapChain1(), G.IDXGISwapChain3()
        native, factory = self._device.native, adapters.open_factory()
        try:
            arguments = self._device.direct.com, window, ctypes.byref(description), None, None, first
            native.check(factory.CreateSwapChainForHwnd(*arguments), "CreateSwapChainForHwnd", f"window {window:#x}")
            factory.MakeWindowAssociation(window, G.DXGI_MWA_NO_ALT_ENTER)  # full screen is the window's business
            native.check(first.QueryInterface(G.IDXGISwapChain3._iid_, chain), "IDXGISwapChain3")
        finally:
            factory.Release()
            if first:
                first.Release()
        native.live["swap chain"] += 1
        return chain

    def _say_sdr(self) -> None:
        """The picture is SDR, with whatever bits and whatever the screen is set to: nobody has to guess."""
        space, support = X.DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709, ctypes.c_uint32()
        found = self._chain.CheckColorSpaceSupport(space, ctypes.byref(support))
        if found >= 0 and support.value & G.DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT:
            self._device.native.check(self._chain.SetColorSpace1(space), "IDXGISwapChain3::SetColorSpace1")

    def _make_images(self) -> None:
        for index in range(IMAGES):
            self._images.append(_Image(self._device, self._size, FORMATS[self._bits][1], self._flag, index))

    def present(
        self, reads: Table, painted: FencePoint, picture: FrameFormat, tensor_size: tuple[int, int], look: Look
    ) -> tuple[int, FencePoint, float | None]:
        """Draw a painted slot and present it.

        Returns the CPU's waits (0 or 1), the point of its end, and on a device that times its stages the milliseconds
        that the GPU took to draw what was in this image of the ring before, None where nothing was.
        """
        if not self._chain:
            raise DeviceError("this surface is closed")
        native, queue = self._device.native, self._device.direct
        index = self._chain.GetCurrentBackBufferIndex()
        image = self._images[index]
        waits, former_ms = 0, None
        if image.shown:
            waits = not image.shown.reached
            image.shown.block()
            if self._stamps:
                (former_ms,) = self._stamps.between_ms(index, 0, 2)
        target = FrameFormat(*self._size, Layout.RGBA, self._bits, matrix=Matrix.RGB, full_range=True)
        if self.rotation_degrees % 180:
            place = fit((picture.height, picture.width), self._size, 1 / self.sample_aspect)
        else:
            place = fit((picture.width, picture.height), self._size, self.sample_aspect)
        window = (*self._size, *place)
        divider_px = 0.0 if look.split is None else DIVIDER_PX
        record = constants.output(picture, tensor_size, target, look, window, self.rotation_degrees, divider_px)
        image.constants.mapped[: record.nbytes] = np.frombuffer(record.tobytes(), np.uint8)
        back = D.ID3D12Resource()
        native.check(self._chain.GetBuffer(index, D.ID3D12Resource._iid_, back), "IDXGISwapChain::GetBuffer")
        recorder = image.recorder.reset().begin()
        if self._stamps:
            self._stamps.stamp(recorder, index, 0)
        recorder.transition(COMMON, WRITE, image.texture)
        kernel = self._device.kernel(Variant("tensor_to_rgba"))
        recorder.dispatch(kernel, reads, image.writes, image.constants.address, self._size)
        recorder.transition(WRITE, COPY_FROM, image.texture)
        recorder.transition(COMMON, COPY_TO, back)  # COMMON is PRESENT
        recorder.copy_texture(back, image.texture)
        recorder.transition(COPY_TO, COMMON, back)
        recorder.transition(COPY_FROM, COMMON, image.texture)
        if self._stamps:
            self._stamps.stamp(recorder, index, 1)
            self._stamps.bring(recorder, index, 0, 2)
        commands = recorder.end()
        back.Release()
        queue.wait_for(painted)
        queue.execute(commands)
        # Interval 0 of the flip model neither tears in a window nor blocks: the newest picture is shown at the next
        # refresh, and the player keeps the time.
        native.check(self._chain.Present(0, 0), "IDXGISwapChain::Present")
        image.shown = queue.signal()
        native.check_removed("show")
        return int(waits), image.shown, former_ms

    def resize(self, width: int, height: int) -> None:
        """Follow the window, in physical pixels; nothing happens where the size is the same."""
        size = (max(1, width), max(1, height))
        if size == self._size:
            return
        if not self._chain:
            raise DeviceError("this surface is closed")
        self._device.direct.idle()
        self._close_images()
        self._size = size
        result = self._chain.ResizeBuffers(IMAGES, *size, FORMATS[self._bits][0], 0)
        self._device.native.check(result, "IDXGISwapChain::ResizeBuffers", f"{size[0]}x{size[1]}")
        self._make_images()

    def close(self) -> None:
        """Release it; the window may go away after this. Idempotent."""
        self._device.direct.idle()
        self._close_images()
        self._flag_memory.close()
        if self._stamps:
            self._stamps.close()
        if self._chain:
            self._chain.Release()
            self._chain = None
            self._device.native.live["swap chain"] -= 1
            self._device.forget(self)

    def _close_images(self) -> None:
        for image in self._images:
            image.close()
        self._images.clear()
