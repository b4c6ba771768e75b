"""Swap chain of a window, without readback."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from typing import Any

import numpy as np
import wgpu

from framebrush.gpu.errors import DeviceError, NoWindowError
from framebrush.gpu.hlsl.window_surface import WindowSurface
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.tensor_to_planes import OUTPUT
from framebrush.gpu.surface import NativeWindow, Surface, View
from framebrush.gpu.webgpu.commands import Recorder
from framebrush.gpu.webgpu.context import Context
from framebrush.gpu.webgpu.native import Buffer, native_errors
from framebrush.gpu.webgpu.pass_executor import uniform
from framebrush.gpu.webgpu.pipelines import Bound

FORMATS = {8: ("bgra8unorm", "rgba8unorm"), 10: ("rgb10a2unorm",)}
"""Window formats by bits, preferred first. Formats that convert to sRGB are left out: values are sRGB already."""

MODES = ("mailbox", "fifo")
"""Present modes, preferred first. "fifo" may block for one refresh; the player keeps the time."""

WORD_BYTES = 4

DRAWING = """
override BITS : u32;
@group(0) @binding(0) var<storage, read> picture : array<u32>;
@group(0) @binding(1) var<uniform> width : vec4<u32>;

@vertex fn corner(@builtin(vertex_index) index : u32) -> @builtin(position) vec4<f32> {
  return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn colour(@builtin(position) place : vec4<f32>) -> @location(0) vec4<f32> {
  let word = picture[u32(place.y) * width.x + u32(place.x)];
  let top = (1u << BITS) - 1u;
  let codes = vec3<u32>(word & top, (word >> BITS) & top, (word >> (2u * BITS)) & top);
  return vec4<f32>(vec3<f32>(codes) / f32(top), 1.0);
}
"""
"""Fragment shader that reads the words of `tensor_to_rgba`, for any channel order of the window."""


class SwapChain(WindowSurface):
    """See `framebrush.gpu.surface.Surface`. For the player's thread."""

    def __init__(self, context: Context, view: View, closed: Callable[[Surface], None]) -> None:
        """Open the swap chain. Raises NoWindowError if that is impossible."""
        assert view.window is not None
        super().__init__(context, context.info.name, view)
        self._context, self._on_close = context, closed
        self._canvas: wgpu.GPUCanvasContext | None = None
        self._words: Buffer | None = None  # one word per pixel
        self._stack = ExitStack()
        try:
            self._canvas, fmt = self._make(view.window)
            self._pipeline = self._made_pipeline(fmt)
            self._width, self._constants = (
                self._stack.enter_context(closing(uniform(context, bytes(size_bytes), "screen")))
                for size_bytes in (16, OUTPUT.itemsize)
            )
            self._resize(self._size)
        except BaseException:
            self.close()
            raise

    def _make(self, window: NativeWindow) -> tuple[wgpu.GPUCanvasContext, str]:
        native, name = self._context.native, self._context.info.name
        native.check()
        with native_errors(f"presenting to window {window.handle:#x}"):
            canvas = wgpu.gpu.get_canvas_context(
                {"platform": window.system, "window": window.handle, "display": window.display}
            )
            adapter = native.device.adapter
            can: dict[str, Any] = canvas._get_capabilities(adapter)
            if not can["usages"] & wgpu.TextureUsage.RENDER_ATTACHMENT:
                raise NoWindowError(f"{name} cannot present to this window")
            fmt = next((one for one in FORMATS[self._bits] if one in can["formats"]), None)
            if fmt is None:
                problem = NoWindowError if self._bits == 8 else DeviceError
                raise problem(f"{name} shows no {self._bits} bits per colour in this window")
            can["present_modes"] = [one for one in MODES if one in can["present_modes"]][:1]
            canvas.configure(device=native.device, format=fmt, alpha_mode="opaque")
        return canvas, fmt

    def _made_pipeline(self, fmt: str) -> wgpu.GPURenderPipeline:
        device = self._context.native.device
        with native_errors("drawing on the screen"):
            module = device.create_shader_module(label="screen", code=DRAWING)
            return device.create_render_pipeline(
                label="screen",
                layout="auto",
                vertex={"module": module, "entry_point": "corner"},
                primitive={"topology": "triangle-list"},
                fragment={
                    "module": module,
                    "entry_point": "colour",
                    "targets": [{"format": fmt}],
                    "constants": {"BITS": self._bits},
                },
            )

    def begin(self) -> bool:
        """Acquire a picture; False if the window is covered or resized."""
        if self._canvas is None:
            raise DeviceError("this surface is closed")
        self._context.native.check()
        with native_errors("presenting"):
            try:
                self._canvas.get_current_texture()
            except wgpu.classes.DrawCancelled:
                return False
        return True

    def draw(
        self,
        recorder: Recorder,
        kind: Variant,
        reads: Sequence[Bound],
        flag: Bound,
        picture: Size,
        tensors: tuple[Size, Size],
        look: Look,
    ) -> None:
        """Record drawing to the acquired picture, see `WindowSurface.record`."""
        assert self._canvas is not None
        assert self._words is not None
        self._constants.write(np.frombuffer(self.record(picture, tensors, look).tobytes(), np.uint8))
        kernel = self._context.kernel(kind)
        bindings = kernel.bind(reads, (self._words.bound(), flag), self._constants.bound())
        recorder.dispatch(kernel, bindings, kernel.groups(self._size))
        with native_errors("drawing on the screen"):
            onto = self._canvas.get_current_texture().create_view()
        recorder.draw(self._pipeline, self._bound, onto)

    def present(self) -> None:
        """Present the picture after the submitted commands."""
        assert self._canvas is not None
        with native_errors("presenting"):
            self._canvas.present()

    def _resize(self, size: Size) -> None:
        if self._canvas is None:
            raise DeviceError("this surface is closed")
        most = self._context.native.limits["max-texture-dimension-2d"]
        if max(size) > most:
            raise DeviceError(
                f"the window of {size[0]}x{size[1]} has a side of more than {most}, which is all that "
                f"{self._context.info.name} takes; make it smaller"
            )
        if self._words is not None:
            self._words.close()
        self._words = Buffer(self._context.native, WORD_BYTES * size[0] * size[1], "screen")
        self._width.write(np.array([size[0], 0, 0, 0], np.uint32))
        self._size = size
        with native_errors("following the window"):
            self._canvas.set_physical_size(*size)
            self._bound = self._context.native.device.create_bind_group(
                layout=self._pipeline.get_bind_group_layout(0),
                entries=[
                    {"binding": place, "resource": buffer.bound()}
                    for place, buffer in enumerate((self._words, self._width))
                ],
            )

    def close(self) -> None:
        self._stack.close()
        if self._words is not None:
            self._words.close()
        if self._canvas is not None:
            canvas, self._canvas = self._canvas, None
            canvas._release()
            self._on_close(self)
