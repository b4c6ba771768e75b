"""GPU passes as data: kernels, and the resources that they name.

Each backend's `pass_executor.py` allocates resources at first use and inserts barriers. Resources of equal type
and name share memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Record
from framebrush.gpu.sizes import Size

NO_RECORDS: Mapping[str, Record] = MappingProxyType({})

Language: TypeAlias = Literal["hlsl", "wgsl", "cuda"]
"""Language of kernels, for work that differs in more than text. WGSL is generated from HLSL."""

Element: TypeAlias = str
"""Element type: kind, bits, and after an x the number of lanes: float32, float16x4, unorm16x4, int8. Or a structure's
bytes: struct48."""

_ELEMENT = re.compile(r"(float|unorm|uint|int)(8|16|32)(?:x([24]))?|struct(\d+)")


@dataclass(frozen=True, slots=True)
class ElementType:
    """Parsed element type. bits: of a number or structure. lanes: numbers."""

    kind: str
    bits: int
    lanes: int = 1

    @classmethod
    def of(cls, element: Element) -> ElementType:
        """Parse an element type. Raises ValueError if malformed."""
        found = _ELEMENT.fullmatch(element)
        if not found:
            raise ValueError(f"{element!r} is no element: float32, unorm16x4, struct48 are some")
        kind, bits, lanes, size_bytes = found.groups()
        return cls("struct", 8 * int(size_bytes)) if size_bytes else cls(kind, int(bits), int(lanes or 1))

    @property
    def size_bytes(self) -> int:
        return self.bits * self.lanes // 8


@dataclass(frozen=True)
class Buffer:
    """Array that passes write. kept: one per slot, else per queue."""

    name: str
    element: Element
    count: int
    kept: bool = False

    @property
    def size_bytes(self) -> int:
        """Bytes, in whole words of four."""
        return -(-ElementType.of(self.element).size_bytes * self.count // 4) * 4


@dataclass(frozen=True)
class Tensor(Buffer):
    """Picture as a tensor (1, 3, H, W). size_px: with padding."""

    size_px: Size = (0, 0)

    @classmethod
    def of(cls, name: str, size_px: Size, element: Element = "float32", *, kept: bool = False) -> Tensor:
        """Make a tensor of a size."""
        return cls(name, element, 3 * size_px[0] * size_px[1], kept, size_px)

    @classmethod
    def packed(cls, name: str, size_px: Size, *, kept: bool = False) -> Tensor:
        """Make a tensor of 16 bits for WGSL."""
        return cls(name, "uint32", 3 * -(-size_px[0] // 2) * size_px[1], kept, size_px)


@dataclass(frozen=True, slots=True)
class Texture:
    """2D image; in CUDA, a buffer of rows. kept: as in `Buffer`."""

    name: str
    element: Element
    size_px: Size
    kept: bool = False

    @property
    def size_bytes(self) -> int:
        return ElementType.of(self.element).size_bytes * self.size_px[0] * self.size_px[1]


@dataclass(frozen=True, slots=True)
class Constant:
    """Buffer that no pass writes. make: returns its values.

    kept: one per slot, changeable between frames.
    """

    name: str
    element: Element
    make: Callable[[], npt.NDArray[Any]] = field(compare=False)
    kept: bool = False


@dataclass(frozen=True, slots=True)
class PerFrame:
    """Resource that slots register with the executor by name."""

    name: str

    @property
    def kept(self) -> bool:
        return True


FLAG = PerFrame("flag")
"""One uint32 that passes set to 1 for non-finite values."""

PART_BYTES = 256
"""Alignment of parts."""

Resource: TypeAlias = Buffer | Texture | Constant | PerFrame


@dataclass(frozen=True, slots=True)
class FromFrame:
    """Resource of another frame, by position in `others`."""

    memory: Resource
    number: int = 0


@dataclass(frozen=True, slots=True)
class Addresses:
    """CUDA device pointers to resources of the `others`, 0 if missing."""

    memories: tuple[Resource, ...]
    most: int


@dataclass(frozen=True, slots=True)
class Part:
    """Range of a buffer."""

    memory: Buffer | Constant
    first: int
    count: int


Use: TypeAlias = Resource | FromFrame | Addresses | Part


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """Dispatch of a kernel.

    Attributes:
        reads, writes: in the kernel's order, t0.. and u0.. in HLSL. Modified resources are in `writes` only.
        threads: minimum in x and y, or groups.
        constants: record, or name of one given at queueing.
        element_of: tensor for the type of CUDA kernels.
        clears: buffers to zero first.
    """

    kernel: str
    reads: tuple[Use, ...]
    writes: tuple[Use, ...]
    threads: Size
    constants: Record | str
    defines: Defines = ()
    element_of: Tensor | None = None
    clears: tuple[Buffer | PerFrame, ...] = ()
    groups: bool = False

    def uses(self) -> tuple[set[Use], set[Use]]:
        """Return the read-only and the written resources."""
        reads, writes = ({_whole(use) for use in uses} for uses in (self.reads, (*self.writes, *self.clears)))
        return reads, writes


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Passes queued together. begins, ends: whether timing does here."""

    name: str
    passes: tuple[Pass, ...]
    begins: bool = True
    ends: bool = True


class Step(NamedTuple):
    """Work for a slot. others: slots that `FromFrame` counts."""

    work: Work
    slot: int
    others: tuple[int, ...] = ()
    records: Mapping[str, Record] = NO_RECORDS


def _whole(use: Use) -> Use:
    return use.memory if isinstance(use, Part) else use


def side_by_side(passes: tuple[Pass, ...]) -> list[list[Pass]]:
    """Split passes into runs without dependencies, which may overlap."""
    groups: list[list[Pass]] = []
    read: set[Use] = set()
    written: set[Use] = set()
    for one in passes:
        reads, writes = one.uses()
        if not groups or (reads | writes) & written or writes & read or one.clears:
            groups.append([])
            read, written = set(), set()
        groups[-1].append(one)
        read |= reads
        written |= writes
    return groups


def element_define(tensor: Tensor) -> tuple[str, str]:
    """Return the define of CUDA kernels for a tensor's type."""
    return "ELEMENT", {"float32": "0", "float16": "1"}[tensor.element]


def packed_define(painted: Tensor | Texture) -> Defines:
    """Return a packed tensor's define."""
    return (("PACKED", "1"),) if isinstance(painted, Tensor) and painted.element == "uint32" else ()


def zeros(element: Element) -> Callable[[], npt.NDArray[Any]]:
    """Return a maker of one zero element, for unused inputs."""
    return lambda: np.zeros(-(-ElementType.of(element).size_bytes // 4), np.uint32)
