"""Single WGSL kernels through wgpu."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.webgpu import adapters
from framebrush.gpu.webgpu.kernels import CONSTANTS, ENTRY_POINT, READS, WRITES, Binding, Shader, shader

PROMISED = os.environ.get("FRAMEBRUSH_REQUIRE_VULKAN") == "1"
os.environ["ORT_WEBGPU_EP_ALLOW_SOFTWARE_ADAPTER"] = "1"  # ONNX Runtime's plug-in then accepts a software adapter

INSTALLED = importlib.util.find_spec("wgpu") is not None

if PROMISED or INSTALLED:
    import wgpu

    from framebrush.gpu.webgpu import native
    from framebrush.gpu.webgpu.pipelines import entry

FORMATS = {
    (1, "float32"): "r32float",
    (2, "float32"): "rg32float",
    (4, "float32"): "rgba32float",
    (4, "float16"): "rgba16float",
}
"""Texture formats by components and dtype."""

Array: TypeAlias = npt.NDArray[Any]


@cache
def why_no_adapter() -> str:
    """Return why WGSL cannot be tested; "" if possible or promised."""
    if PROMISED:
        return ""
    if not INSTALLED:
        return "the package wgpu is not installed"
    try:
        adapters.list_adapters()
    except DeviceError as error:
        return str(error)
    return ""


needs_vulkan = pytest.mark.needs("WebGPU", why_no_adapter())


@dataclass(frozen=True)
class Picture:
    """Texture of float32 (H, W), (H, W, 2), (H, W, 4), or float16 (H, W, 4)."""

    values: Array


Resource: TypeAlias = Array | Picture | None
"""Binding of a kernel: its input, or the output's previous content; None if unused under these options."""


class Gpu:
    """Device with cached pipelines."""

    def __init__(self) -> None:
        adapter = adapters.find_adapter(adapters.list_adapters()[0])
        self._native = native.Native(adapter, "tests")
        self._device = self._native.device
        self._pipelines: dict[tuple[Variant, tuple[tuple[str, int], ...]], tuple[Shader, Any, Any]] = {}

    def run(
        self,
        variant: Variant,
        record: Array | None,
        reads: Sequence[Resource],
        writes: Sequence[Resource],
        threads: tuple[int, int],
        *,
        groups_z: int = 1,
        **options: int,
    ) -> list[Array]:
        """Run a kernel; return outputs shaped like `writes`.

        threads: minimum in x and y. options: override constants other than 0.
        """
        text, pipeline, layout = self._pipeline(variant, options)
        places = {READS: list(reads), WRITES: list(writes), CONSTANTS: [record]}
        made = {binding: self._made(binding, places[binding.group][binding.place]) for binding in text.bindings}
        encoder = self._device.create_command_encoder()
        work = encoder.begin_compute_pass()
        work.set_pipeline(pipeline)
        entries = [{"binding": number, "resource": made[binding][1]} for number, binding in enumerate(text.bindings)]
        work.set_bind_group(0, self._device.create_bind_group(layout=layout, entries=entries))
        across, down = (-(-count // side) for count, side in zip(threads, text.group, strict=True))
        work.dispatch_workgroups(across, down, groups_z)
        work.end()
        self._device.queue.submit([encoder.finish()])
        results = []
        for place, before in enumerate(writes):
            binding = next((one for one in made if (one.group, one.place) == (WRITES, place)), None)
            values = before.values if isinstance(before, Picture) else before
            if values is None:
                continue
            results.append(values if binding is None else self._read(made[binding][0], values))
        for resource, _ in made.values():
            resource.destroy()
        return results

    @staticmethod
    def group(variant: Variant) -> tuple[int, int]:
        return shader(variant).group

    def _pipeline(self, variant: Variant, options: dict[str, int]) -> tuple[Shader, Any, Any]:
        key = variant, tuple(sorted(options.items()))
        if key not in self._pipelines:
            text = shader(variant, options)
            layout = self._device.create_bind_group_layout(
                entries=[entry(number, binding) for number, binding in enumerate(text.bindings)]
            )
            module = self._native.shader(text.text, str(variant))
            pipeline = self._device.create_compute_pipeline(
                label=str(variant),
                layout=self._device.create_pipeline_layout(bind_group_layouts=[layout]),
                compute={"module": module, "entry_point": ENTRY_POINT, "constants": text.constants},
            )
            self._pipelines[key] = text, pipeline, layout
        return self._pipelines[key]

    def _made(self, binding: Binding, resource: Resource) -> tuple[Any, Any]:
        if isinstance(resource, Picture):
            values = np.ascontiguousarray(resource.values)
            height, width = values.shape[:2]
            texture = self._device.create_texture(
                size=(width, height, 1),
                format=FORMATS[values[0, 0].size, values.dtype.name],
                usage=wgpu.TextureUsage.TEXTURE_BINDING
                | wgpu.TextureUsage.STORAGE_BINDING
                | wgpu.TextureUsage.COPY_DST
                | wgpu.TextureUsage.COPY_SRC,
            )
            rows = {"offset": 0, "bytes_per_row": values.nbytes // height}
            self._device.queue.write_texture({"texture": texture}, values, rows, (width, height, 1))
            return texture, texture.create_view()
        data = b"\0" if resource is None else resource.tobytes()
        usage = wgpu.BufferUsage.UNIFORM if binding.kind == "uniform" else wgpu.BufferUsage.STORAGE
        size = -(-len(data) // 16) * 16
        buffer = self._device.create_buffer_with_data(
            data=data.ljust(size, b"\0"), usage=usage | wgpu.BufferUsage.COPY_SRC
        )
        return buffer, {"buffer": buffer, "offset": 0, "size": size}

    def _read(self, resource: wgpu.GPUBuffer | wgpu.GPUTexture, like: Array) -> Array:
        queue = self._device.queue
        if isinstance(resource, wgpu.GPUTexture):
            height, width = like.shape[:2]
            pitch = like.itemsize * int(np.prod(like.shape[1:]))
            data = queue.read_texture({"texture": resource}, {"offset": 0, "bytes_per_row": pitch}, (width, height, 1))
            return np.frombuffer(data, like.dtype).reshape(like.shape)
        return np.frombuffer(queue.read_buffer(resource)[: like.nbytes], like.dtype).reshape(like.shape).copy()

    def close(self) -> None:
        self._pipelines.clear()
        self._device.destroy()
