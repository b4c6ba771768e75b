"""What a queue is told of one frame: kernels in their order, copies, and moments that are measured."""

from __future__ import annotations

import wgpu
from wgpu.backends.wgpu_native.extras import write_timestamp

from framebrush.gpu.sizes import Size
from framebrush.gpu.webgpu.native import Buffer, Native, Readback, native_errors
from framebrush.gpu.webgpu.pipelines import Bindings, Bound, Kernel


class Recorder:
    """Commands that are queued together. wgpu keeps apart what depends on each other. dispatches: kernels so far."""

    def __init__(self, native: Native, label: str) -> None:
        self._native, self._label = native, label
        self.dispatches = 0
        with native_errors(label):
            self._encoder = native.device.create_command_encoder(label=label)
        self._running: wgpu.GPUComputePassEncoder | None = None

    def dispatch(self, kernel: Kernel, bindings: Bindings, groups: Size, groups_z: int = 1) -> None:
        """Run a kernel. groups: of its threads. Raises DeviceError."""
        with native_errors(f"running '{kernel.label}'"):
            if self._running is None:
                self._running = self._encoder.begin_compute_pass(label=self._label)
            running = self._running
            running.set_pipeline(kernel.pipeline)
            for place, group in enumerate(bindings.groups):
                running.set_bind_group(place, group)
            running.dispatch_workgroups(*groups, groups_z)
        self.dispatches += 1

    def clear(self, bound: Bound) -> None:
        """Set a buffer, or a part of one, to zero."""
        assert isinstance(bound, dict)
        with native_errors(f"clearing {bound['buffer'].label}"):
            self._between().clear_buffer(**bound)

    def copy(self, to: Buffer, source: Buffer, size_bytes: int, at: int = 0, begin: int = 0) -> None:
        """Copy whole words from place `begin` of a buffer to place `at` of another."""
        with native_errors(f"copying {source.label} to {to.label}"):
            self._between().copy_buffer_to_buffer(source.com, begin, to.com, at, -(-size_bytes // 4) * 4)

    def stamp(self, queries: wgpu.GPUQuerySet, place: int) -> None:
        """Note when the GPU gets here."""
        with native_errors(self._label):
            write_timestamp(self._between(), queries, place)

    def resolve(self, queries: wgpu.GPUQuerySet, first: int, count: int, into: Buffer) -> None:
        """Have moments in a buffer, from its beginning."""
        with native_errors(self._label):
            self._between().resolve_query_set(queries, first, count, into.com, 0)

    def submit(self, *readbacks: Readback) -> None:
        """Queue all of it, and have mapped what it was copied to. Raises DeviceError, DeviceLostError."""
        with native_errors(self._label):
            commands = self._between().finish()
        self._native.submit([commands], self._label)
        for readback in readbacks:
            readback.bring()

    def _between(self) -> wgpu.GPUCommandEncoder:
        """The encoder, outside of what runs kernels."""
        running, self._running = self._running, None
        if running is not None:
            running.end()
        return self._encoder
