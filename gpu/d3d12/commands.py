"""Command lists, recorded once per slot and size."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Self

import win32more.Windows.Win32.Graphics.Direct3D12 as D

from framebrush.gpu.d3d12.descriptors import Descriptors, Table
from framebrush.gpu.d3d12.fenced_queue import CommandList
from framebrush.gpu.d3d12.kernels import Kernel
from framebrush.gpu.d3d12.native import Com, Native, Owned, begin_event
from framebrush.gpu.d3d12.resources import Buffer, PlaneTextures, Texture

COMMON = D.D3D12_RESOURCE_STATE_COMMON
READ = D.D3D12_RESOURCE_STATE_NON_PIXEL_SHADER_RESOURCE
WRITE = D.D3D12_RESOURCE_STATE_UNORDERED_ACCESS
COPY_FROM = D.D3D12_RESOURCE_STATE_COPY_SOURCE
COPY_TO = D.D3D12_RESOURCE_STATE_COPY_DEST
ALL_SUBRESOURCES = 0xFFFFFFFF


class Recorder:
    """Owner of command lists of one type."""

    def __init__(self, native: Native, kind: int, label: str, descriptors: Descriptors | None = None) -> None:
        self._native, self._kind, self.label, self._descriptors = native, kind, label, descriptors
        self._allocator = native.make("CreateCommandAllocator", D.ID3D12CommandAllocator, label, kind)
        self._lists: list[Owned] = []
        self._com: Com = None
        self._dispatches = 0
        self._states: dict[int, tuple[Com, int, int]] = {}  # current and resting state of the resources in this list
        self._prepared: set[int] = set()  # no barrier needed before the next kernel that writes these

    def begin(self, stage: str = "") -> Self:
        """Begin a list. stage: for profilers."""
        owned = self._native.make(
            "CreateCommandList", D.ID3D12GraphicsCommandList, self.label, 0, self._kind, self._allocator.com, None
        )
        self._lists.append(owned)
        self._com, self._dispatches = owned.com, 0
        self._states.clear()
        self._prepared.clear()
        if self._descriptors:
            self._com.SetDescriptorHeaps(1, self._descriptors.array)
        if self._native.markers:
            begin_event(self._com, stage or self.label)
        return self

    def end(self) -> CommandList:
        """Close the list for repeated execution."""
        self._settle()
        if self._native.markers:
            self._com.EndEvent()
        self._native.check(self._com.Close(), "ID3D12GraphicsCommandList::Close", self.label)
        return CommandList(self._com.value, self._dispatches)

    def reset(self) -> Self:
        """Discard all lists, after the caller waited for them."""
        self._release_lists()
        self._native.check(self._allocator.com.Reset(), "ID3D12CommandAllocator::Reset", self.label)
        return self

    def dispatch(
        self, kernel: Kernel, reads: Table, writes: Table, constants: int, threads: tuple[int, int], groups: int = 1
    ) -> None:
        """Run a kernel, waiting only for kernels with results that it uses or overwrites.

        Resources are in their resting state before and after the list. constants: GPU address. groups: in z.
        """
        if (reads.count, writes.count) != (kernel.shape.reads, kernel.shape.writes):
            given = f"{reads.count} to read and {writes.count} to write"
            raise ValueError(f"{given} for {kernel.label}, which has {kernel.shape.reads} and {kernel.shape.writes}")
        self._com.SetPipelineState(kernel.pipeline)
        self._com.SetComputeRootSignature(kernel.root)
        self._com.SetComputeRootDescriptorTable(0, reads.gpu)
        self._com.SetComputeRootDescriptorTable(1, writes.gpu)
        self._barrier(self._changes(reads.resources, writes.resources))
        self._prepared -= {write.value for write, _ in writes.resources}
        self._com.SetComputeRootConstantBufferView(2, constants)
        self._com.Dispatch(*kernel.groups(*threads), groups)
        self._dispatches += 1

    def prepare(self, *uses: tuple[Table, Table]) -> None:
        """Issue barriers of several independent kernels at once."""
        changes = [change for reads, writes in uses for change in self._changes(reads.resources, writes.resources)]
        self._barrier(changes)
        self._prepared |= {write.value for _, writes in uses for write, _ in writes.resources}

    def clear(self, words: Table) -> None:
        """Zero a buffer. words: from `Descriptors.words`."""
        self._barrier(self._changes([], words.resources))
        ((resource, _),) = words.resources
        zeros = (ctypes.c_uint32 * 4)()
        self._com.ClearUnorderedAccessViewUint(words.gpu, words.cpu, resource, zeros, 0, None)

    def _changes(self, reads: list[tuple[Com, int]], writes: list[tuple[Com, int]]) -> list[tuple[Com, int, int]]:
        used = [(*read, READ) for read in reads] + [(*write, WRITE) for write in writes]
        changes = []
        for resource, resting, state in used:
            _, before, _ = self._states.get(resource.value, (resource, resting, resting))
            if before != state or (state == WRITE and resource.value not in self._prepared):
                changes.append((resource, before, state))
            self._states[resource.value] = resource, state, resting
        return changes

    def transition(self, before: int, after: int, *resources: Texture | Com) -> None:
        """Transition textures or COM pointers between states."""
        self._settle()
        self._barrier([(getattr(resource, "com", resource), before, after) for resource in resources])

    def _barrier(self, changes: list[tuple[Com, int, int]]) -> None:
        if not changes:
            return
        barriers = (D.D3D12_RESOURCE_BARRIER * len(changes))()
        for barrier, (resource, before, after) in zip(barriers, changes, strict=True):
            if before == after:  # barrier between two writes
                barrier.Type = D.D3D12_RESOURCE_BARRIER_TYPE_UAV
                barrier.UAV.pResource = resource
                continue
            barrier.Type = D.D3D12_RESOURCE_BARRIER_TYPE_TRANSITION
            barrier.Transition.pResource = resource
            barrier.Transition.Subresource = ALL_SUBRESOURCES
            barrier.Transition.StateBefore, barrier.Transition.StateAfter = before, after
        self._com.ResourceBarrier(len(changes), barriers)

    def _settle(self) -> None:
        used = self._states.values()
        self._barrier([(resource, state, resting) for resource, state, resting in used if state != resting])
        self._states.clear()

    def upload(self, memory: Buffer | Owned, planes: PlaneTextures, footprints: Sequence[Com] | None = None) -> None:
        """Copy a buffer's rows to textures in state COMMON."""
        self.transition(COMMON, COPY_TO, *planes.textures)
        for texture, footprint in zip(planes.textures, footprints or planes.footprints, strict=True):
            self._copy(_whole(texture), _placed(memory, footprint))
        self.transition(COPY_TO, COMMON, *planes.textures)

    def download(self, planes: PlaneTextures, memory: Buffer) -> None:
        """Copy textures in state COMMON to a buffer's rows."""
        self.transition(COMMON, COPY_FROM, *planes.textures)
        for texture, footprint in zip(planes.textures, planes.footprints, strict=True):
            self._copy(_placed(memory, footprint), _whole(texture))
        self.transition(COPY_FROM, COMMON, *planes.textures)

    def copy_planes(self, target: PlaneTextures, source: Sequence[Texture | Owned]) -> None:
        """Copy textures in state COMMON of equal format and size."""
        self.transition(COMMON, COPY_FROM, *source)
        self.transition(COMMON, COPY_TO, *target.textures)
        for into, texture in zip(target.textures, source, strict=True):
            self.copy_texture(into.com, texture)
        self.transition(COPY_TO, COMMON, *target.textures)
        self.transition(COPY_FROM, COMMON, *source)

    def copy_texture(self, target: Com, source: Texture | Owned) -> None:
        """Copy a whole texture; the caller transitions states."""
        self._com.CopyResource(target, source.com)

    def copy_bytes(self, target: Buffer, target_offset: int, source: Buffer, source_offset: int, count: int) -> None:
        self._settle()
        self._com.CopyBufferRegion(target.com, target_offset, source.com, source_offset, count)

    def copy_whole(self, target: Com, source: Buffer) -> None:
        """Copy a buffer of the same size."""
        self._settle()
        self._com.CopyBufferRegion(target, 0, source.com, 0, source.size_bytes)

    def stamp(self, heap: Com, index: int) -> None:
        """Write a GPU timestamp after earlier kernels."""
        self._settle()
        self._com.EndQuery(heap, D.D3D12_QUERY_TYPE_TIMESTAMP, index)

    def resolve(self, heap: Com, first: int, count: int, target: Buffer, offset: int) -> None:
        """Copy timestamps to a buffer, 8 bytes each."""
        self._com.ResolveQueryData(heap, D.D3D12_QUERY_TYPE_TIMESTAMP, first, count, target.com, offset)

    def _copy(self, to: Com, source: Com) -> None:
        self._com.CopyTextureRegion(ctypes.byref(to), 0, 0, 0, ctypes.byref(source), None)

    def _release_lists(self) -> None:
        for owned in self._lists:
            owned.close()
        self._lists.clear()

    def close(self) -> None:
        """Release the lists and their memory."""
        self._release_lists()
        self._allocator.close()


def _whole(texture: Texture) -> Com:
    location = D.D3D12_TEXTURE_COPY_LOCATION()
    location.pResource, location.Type = texture.com, D.D3D12_TEXTURE_COPY_TYPE_SUBRESOURCE_INDEX
    return location


def _placed(memory: Buffer | Owned, footprint: Com) -> Com:
    location = D.D3D12_TEXTURE_COPY_LOCATION()
    location.pResource, location.Type = memory.com, D.D3D12_TEXTURE_COPY_TYPE_PLACED_FOOTPRINT
    location.PlacedFootprint = footprint
    return location
