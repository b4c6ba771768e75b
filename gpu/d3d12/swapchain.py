"""Flip-model swap chain of a window, without readback."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import NamedTuple

import win32more.Windows.Win32.Graphics.Direct3D12 as D
import win32more.Windows.Win32.Graphics.Dxgi as G
import win32more.Windows.Win32.Graphics.Dxgi.Common as X

from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12.commands import COMMON, COPY_FROM, COPY_TO, Recorder
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.descriptors import Table
from framebrush.gpu.d3d12.fenced_queue import FencePoint
from framebrush.gpu.d3d12.native import Com
from framebrush.gpu.d3d12.resources import ConstantBuffers, Texture
from framebrush.gpu.d3d12.tensor import Flag
from framebrush.gpu.d3d12.timing import Stamps
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.hlsl.window_surface import WindowSurface
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.surface import NativeWindow, Surface, View

IMAGES = 3
FORMATS = {
    8: (X.DXGI_FORMAT_R8G8B8A8_UNORM, X.DXGI_FORMAT_R8G8B8A8_UINT),
    10: (X.DXGI_FORMAT_R10G10B10A2_UNORM, X.DXGI_FORMAT_R10G10B10A2_UINT),
}


class _Image:
    def __init__(self, context: Context, size_px: Size, fmt: int, flag: Flag, index: int) -> None:
        native, kind, label = context.native, D.D3D12_COMMAND_LIST_TYPE_DIRECT, f"screen {index}"
        with ExitStack() as stack:
            keep = stack.enter_context
            self.texture = keep(closing(Texture(native, size_px, fmt, label, unordered=True)))
            self.writes = keep(closing(context.descriptors.write(self.texture, flag.view)))
            self.constants = keep(closing(ConstantBuffers(native, 1, f"{label} constants")))
            self.recorder = keep(closing(Recorder(native, kind, label, context.descriptors)))
            self._stack = stack.pop_all()
        self.shown: FencePoint | None = None

    def close(self) -> None:
        self._stack.close()


class Drawn(NamedTuple):
    """Result of a present. waits: times the CPU blocked. point: reached when drawn.

    former_ms: GPU time of this back buffer's previous draw.
    """

    waits: int
    point: FencePoint
    former_ms: float | None


class SwapChain(WindowSurface):
    """See `framebrush.gpu.surface.Surface`. For the player's thread."""

    def __init__(self, context: Context, view: View, closed: Callable[[Surface], None]) -> None:
        assert view.window is not None
        super().__init__(context, context.info.name, view)
        self._context, self._on_close = context, closed
        self._images: list[_Image] = []
        self._chain: Com = None
        self._stamps: Stamps | None = None
        self._stack = ExitStack()
        native, keep = context.native, self._stack.enter_context
        try:
            if context.diagnosis.timing:
                self._stamps = keep(closing(Stamps(native, context.direct, IMAGES, 2, "screen stamps")))
            self._flag = keep(closing(Flag(native, "screen flag")))
            self._chain = self._make(view.window)
            self._say_sdr()
            self._make_images()
        except BaseException:
            self.close()
            raise

    def _make(self, window: NativeWindow) -> Com:
        description = G.DXGI_SWAP_CHAIN_DESC1()
        description.Width, description.Height = self._size
        description.Format = FORMATS[self._bits][0]
        description.BufferUsage = G.DXGI_USAGE_RENDER_TARGET_OUTPUT
        description.BufferCount, description.SampleDesc.Count = IMAGES, 1
        description.SwapEffect = G.DXGI_SWAP_EFFECT_FLIP_DISCARD
        first, chain = G.IDXGISwapChain1(), G.IDXGISwapChain3()
        native, factory = self._context.native, adapters.open_factory()
        try:
            arguments = self._context.direct.com, window.handle, ctypes.byref(description), None, None, first
            native.check(
                factory.CreateSwapChainForHwnd(*arguments), "CreateSwapChainForHwnd", f"window {window.handle:#x}"
            )
            # the window handles full screen itself
            factory.MakeWindowAssociation(window.handle, G.DXGI_MWA_NO_ALT_ENTER)
            native.check(first.QueryInterface(G.IDXGISwapChain3._iid_, chain), "IDXGISwapChain3")
        finally:
            factory.Release()
            if first:
                first.Release()
        native.live["swap chain"] += 1
        return chain

    def _say_sdr(self) -> None:
        space, support = X.DXGI_COLOR_SPACE_RGB_FULL_G22_NONE_P709, ctypes.c_uint32()
        found = self._chain.CheckColorSpaceSupport(space, ctypes.byref(support))
        if found >= 0 and support.value & G.DXGI_SWAP_CHAIN_COLOR_SPACE_SUPPORT_FLAG_PRESENT:
            self._context.native.check(self._chain.SetColorSpace1(space), "IDXGISwapChain3::SetColorSpace1")

    def _make_images(self) -> None:
        for index in range(IMAGES):
            self._images.append(_Image(self._context, self._size, FORMATS[self._bits][1], self._flag, index))

    def present(
        self, reads: Table, painted: FencePoint, picture: Size, tensors: tuple[Size, Size], look: Look
    ) -> Drawn:
        """Draw a slot and present it. picture, tensors: sizes."""
        if not self._chain:
            raise DeviceError("this surface is closed")
        native, queue = self._context.native, self._context.direct
        index = self._chain.GetCurrentBackBufferIndex()
        image = self._images[index]
        waits, former_ms = 0, None
        if image.shown:
            waits = not image.shown.reached
            image.shown.block()
            if self._stamps:
                (former_ms,) = self._stamps.between_ms(index, 0, 2)
        record = self.record(picture, tensors, look)
        address = image.constants.write(0, record)
        back = D.ID3D12Resource()
        native.check(self._chain.GetBuffer(index, D.ID3D12Resource._iid_, back), "IDXGISwapChain::GetBuffer")
        try:
            recorder = image.recorder.reset().begin("show")
            if self._stamps:
                self._stamps.stamp(recorder, index, 0)
            kernel = self._context.kernel(Variant("tensor_to_rgba"), reads, image.writes)
            recorder.dispatch(kernel, reads, image.writes, address, self._size)
            recorder.transition(COMMON, COPY_FROM, image.texture)
            recorder.transition(COMMON, COPY_TO, back)  # COMMON is PRESENT
            recorder.copy_texture(back, image.texture)
            recorder.transition(COPY_TO, COMMON, back)
            recorder.transition(COPY_FROM, COMMON, image.texture)
            if self._stamps:
                self._stamps.stamp(recorder, index, 1)
                self._stamps.bring(recorder, index, 0, 2)
            commands = recorder.end()
        finally:
            back.Release()  # or no size could be changed
        queue.wait_for(painted)
        queue.execute(commands)
        queue.submit()
        # Interval 0 of the flip model does not tear in a window and does not block: the newest picture is shown at the
        # next refresh.
        native.check(self._chain.Present(0, 0), "IDXGISwapChain::Present")
        image.shown = queue.signal()
        native.check_removed("show")
        return Drawn(int(waits), image.shown, former_ms)

    def _resize(self, size: Size) -> None:
        if not self._chain:
            raise DeviceError("this surface is closed")
        self._context.direct.idle()
        self._close_images()
        self._size = size
        try:
            result = self._chain.ResizeBuffers(IMAGES, *size, FORMATS[self._bits][0], 0)
            self._context.native.check(result, "IDXGISwapChain::ResizeBuffers", f"{size[0]}x{size[1]}")
            self._make_images()
        except BaseException:
            self.close()  # there is nothing to draw on
            raise

    def close(self) -> None:
        self._context.direct.idle()
        self._close_images()
        self._stack.close()
        if self._chain:
            self._chain.Release()
            self._chain = None
            self._context.native.live["swap chain"] -= 1
            self._on_close(self)

    def _close_images(self) -> None:
        for image in self._images:
            image.close()
        self._images.clear()
