"""Compute pipelines and their bindings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import wgpu

from framebrush.gpu.errors import TRY_TILES_OR_SMALLER, DeviceError
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.sizes import Size
from framebrush.gpu.webgpu.kernels import CONSTANTS, ENTRY_POINT, READS, WRITES, Binding, shader
from framebrush.gpu.webgpu.native import Buffer, Native, native_errors

Bound: TypeAlias = dict[str, Any] | wgpu.GPUTextureView
"""Binding of a buffer range or of a texture."""


class Bindings:
    """Bind group of a dispatch."""

    def __init__(self, group: wgpu.GPUBindGroup, bound: Sequence[Bound]) -> None:
        self._group = group  # keeps the handle alive
        self.handle = group._internal
        self.buffers = frozenset(one["buffer"] for one in bound if isinstance(one, dict))


class Kernel:
    """Compute pipeline. group: threads in x and y."""

    def __init__(
        self, native: Native, variant: Variant, options: dict[str, int], nothing: Buffer, *, dump: Path | None = None
    ) -> None:
        text = shader(variant, options)
        if dump:
            dump.mkdir(parents=True, exist_ok=True)
            (dump / f"{variant.stem}.wgsl").write_text(text.text, encoding="utf-8")
        self.label, self.group = str(variant), text.group
        self._native, self._bindings, self._nothing = native, text.bindings, nothing
        device = native.device
        with native_errors(f"compiling '{variant}'"):
            self._layout = device.create_bind_group_layout(
                entries=[entry(number, one) for number, one in enumerate(text.bindings)]
            )
            self._pipeline: wgpu.GPUComputePipeline = device.create_compute_pipeline(
                label=self.label,
                layout=device.create_pipeline_layout(bind_group_layouts=[self._layout]),
                compute={
                    "module": native.shader(text.text, self.label),
                    "entry_point": ENTRY_POINT,
                    "constants": text.constants,
                },
            )
        self.handle = self._pipeline._internal

    def groups(self, threads: Size) -> Size:
        """Return the groups for threads. Raises DeviceError beyond limits."""
        across, down = (-(-count // side) for count, side in zip(threads, self.group, strict=True))
        most = self._native.limits["max-compute-workgroups-per-dimension"]
        if max(across, down) > most:
            raise DeviceError(
                f"'{self.label}' needs {max(across, down)} groups of threads in a row, and {self._native.label} runs "
                f"{most} at most",
                do=TRY_TILES_OR_SMALLER,
            )
        return across, down

    def bind(self, reads: Sequence[Bound], writes: Sequence[Bound], constants: Bound) -> Bindings:
        """Create the bind group in the kernel's order."""
        places = {READS: list(reads), WRITES: list(writes), CONSTANTS: [constants]}
        bound = [self._resource(one, places[one.group]) for one in self._bindings]
        entries = [{"binding": number, "resource": one} for number, one in enumerate(bound)]
        with native_errors(f"binding '{self.label}'"):
            group = self._native.device.create_bind_group(layout=self._layout, entries=entries)
        return Bindings(group, bound)

    def _resource(self, binding: Binding, given: list[Bound]) -> Bound:
        if binding.place >= len(given):
            return self._nothing.bound()
        found = given[binding.place]
        if binding.group == WRITES and found in given[: binding.place]:
            return self._nothing.bound()
        return found


def entry(number: int, binding: Binding) -> dict[str, Any]:
    """Return a binding's entry in its layout."""
    entry: dict[str, Any] = {"binding": number, "visibility": wgpu.ShaderStage.COMPUTE}
    if binding.kind == "texture":
        entry["texture"] = {"sample_type": "unfilterable-float"}
    elif binding.kind == "storage-texture":
        entry["storage_texture"] = {"access": "write-only", "format": binding.format}
    else:
        entry["buffer"] = {"type": binding.kind}
    return entry
