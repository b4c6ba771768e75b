"""Recording of a frame's GPU commands: kernels, copies, timestamps."""

from __future__ import annotations

from typing import Any

import wgpu
from wgpu.backends.wgpu_native import ffi, lib

from framebrush.gpu.sizes import Size
from framebrush.gpu.webgpu.native import Buffer, Mapped, Native, Readback, Upload, native_errors
from framebrush.gpu.webgpu.pipelines import Bindings, Bound, Kernel


class Recorder:
    """Recorder of commands submitted together. wgpu inserts the barriers.

    Kernels between copies are one compute pass, for speed. dispatches: recorded kernels.
    """

    def __init__(self, native: Native, label: str) -> None:
        self._native, self._label = native, label
        self.dispatches = 0
        self._clears: list[tuple[Any, int, int]] = []
        self._runs: list[tuple[Any, Any, int, int, int]] = []
        self._used: set[wgpu.GPUBuffer] = set()
        """Clears ahead of the pass, its kernels, and the buffers that these kernels read and write."""
        self._uploads: list[Mapped] = []
        with native_errors(label):
            made = lib.wgpuDeviceCreateCommandEncoder(native.device._internal, ffi.NULL)
        self._encoder = ffi.gc(made, lib.wgpuCommandEncoderRelease)

    def dispatch(self, kernel: Kernel, bindings: Bindings, groups: Size, groups_z: int = 1) -> None:
        """Run a kernel with a number of groups."""
        self._runs.append((kernel.handle, bindings.handle, *groups, groups_z))
        self._used |= bindings.buffers
        self.dispatches += 1

    def draw(self, pipeline: wgpu.GPURenderPipeline, bound: wgpu.GPUBindGroup, onto: wgpu.GPUTextureView) -> None:
        """Fill a texture with one triangle."""
        self._end_pass()
        with native_errors(self._label):
            target = ffi.new("WGPURenderPassColorAttachment *")
            target.view, target.depthSlice = onto._internal, lib.WGPU_DEPTH_SLICE_UNDEFINED
            target.loadOp, target.storeOp = lib.WGPULoadOp_Clear, lib.WGPUStoreOp_Store
            described = ffi.new("WGPURenderPassDescriptor *")
            described.colorAttachmentCount, described.colorAttachments = 1, target
            made = lib.wgpuCommandEncoderBeginRenderPass(self._encoder, described)
            drawing = ffi.gc(made, lib.wgpuRenderPassEncoderRelease)
            lib.wgpuRenderPassEncoderSetPipeline(drawing, pipeline._internal)
            lib.wgpuRenderPassEncoderSetBindGroup(drawing, 0, bound._internal, 0, ffi.NULL)
            lib.wgpuRenderPassEncoderDraw(drawing, 3, 1, 0, 0)
            lib.wgpuRenderPassEncoderEnd(drawing)

    def clear(self, bound: Bound) -> None:
        """Set a buffer or range to zero."""
        assert isinstance(bound, dict)
        buffer: wgpu.GPUBuffer = bound["buffer"]
        if buffer in self._used:
            self._end_pass()
        self._clears.append((buffer._internal, bound["offset"], bound["size"]))

    def copy(self, to: Buffer, source: Buffer, size_bytes: int, at: int = 0, begin: int = 0) -> None:
        """Copy words between buffers, from byte `begin` to `at`."""
        self._end_pass()
        with native_errors(f"copying {source.label} to {to.label}"):
            lib.wgpuCommandEncoderCopyBufferToBuffer(
                self._encoder, source.com._internal, begin, to.com._internal, at, -(-size_bytes // 4) * 4
            )

    def upload(self, to: Buffer, source: Upload, size_bytes: int) -> None:
        """Copy from an upload buffer, then map it again."""
        self.copy(to, source.buffer, size_bytes)
        self._uploads.append(source)

    def stamp(self, queries: wgpu.GPUQuerySet, place: int) -> None:
        self._end_pass()
        with native_errors(self._label):
            lib.wgpuCommandEncoderWriteTimestamp(self._encoder, queries._internal, place)

    def resolve(self, queries: wgpu.GPUQuerySet, first: int, count: int, into: Buffer) -> None:
        """Write timestamps to a buffer's beginning."""
        self._end_pass()
        with native_errors(self._label):
            lib.wgpuCommandEncoderResolveQuerySet(self._encoder, queries._internal, first, count, into.com._internal, 0)

    def submit(self, *readbacks: Readback) -> None:
        """Submit, and map the readbacks afterwards."""
        self._end_pass()
        with native_errors(self._label):
            made = lib.wgpuCommandEncoderFinish(self._encoder, ffi.NULL)
        submission = self._native.submit(ffi.gc(made, lib.wgpuCommandBufferRelease), self._label)
        for mapped in (*self._uploads, *readbacks):
            mapped.bring(submission)

    def _end_pass(self) -> None:
        if not self._runs and not self._clears:
            return
        nothing: Any = ffi.NULL
        with native_errors(f"running kernels of {self._label}"):
            for clear in self._clears:
                lib.wgpuCommandEncoderClearBuffer(self._encoder, *clear)
            made = lib.wgpuCommandEncoderBeginComputePass(self._encoder, nothing)
            one_pass = ffi.gc(made, lib.wgpuComputePassEncoderRelease)
            use_pipeline, use_group, dispatch = (
                lib.wgpuComputePassEncoderSetPipeline,
                lib.wgpuComputePassEncoderSetBindGroup,
                lib.wgpuComputePassEncoderDispatchWorkgroups,
            )
            for pipeline, group, across, down, deep in self._runs:
                use_pipeline(one_pass, pipeline)
                use_group(one_pass, 0, group, 0, nothing)
                dispatch(one_pass, across, down, deep)
            lib.wgpuComputePassEncoderEnd(one_pass)
        self._clears.clear()
        self._runs.clear()
        self._used.clear()
