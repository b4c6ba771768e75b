"""What a stage has a GPU do, as data: the kernels of its passes, and the memory that they read and write by name.

A stage describes its work once for the sizes of a stylizer. Each backend has one executor (`passes.py` in its folder),
which takes memory when a pass that needs it is first run, keeps passes apart that depend on each other, and knows no
stage. Whoever names a buffer of the same kind and the same name has the same memory.
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
from framebrush.gpu.stages.look import Look

NO_RECORDS: Mapping[str, Record] = MappingProxyType({})

Language: TypeAlias = Literal["hlsl", "wgsl", "cuda"]
"""Of kernels: where they differ in more than their text, a stage describes its work for one of them. Those of WGSL are
made of those of HLSL."""

Element: TypeAlias = str
"""A kind of number, its bits and, after an x, how many of them there are: float32, uint32, float16x4, unorm16x4, int8.
Or the bytes of a structure: struct48."""

_ELEMENT = re.compile(r"(float|unorm|uint|int)(8|16|32)(?:x([24]))?|struct(\d+)")


@dataclass(frozen=True, slots=True)
class Parts:
    """What the name of an element says. kind: of its numbers, "struct" for a structure. bits: of one of them; all of a
    structure's. lanes: how many numbers there are."""

    kind: str
    bits: int
    lanes: int = 1

    @classmethod
    def of(cls, element: Element) -> Parts:
        """Raises ValueError for a name that says nothing."""
        found = _ELEMENT.fullmatch(element)
        if not found:
            raise ValueError(f"{element!r} is no element: float32, unorm16x4, struct48 are some")
        kind, bits, lanes, size_bytes = found.groups()
        return cls("struct", 8 * int(size_bytes)) if size_bytes else cls(kind, int(bits), int(lanes or 1))

    @property
    def size_bytes(self) -> int:
        """Of the element."""
        return self.bits * self.lanes // 8


@dataclass(frozen=True)
class Buffer:
    """Elements one after another, which passes write. kept: each frame in flight has its own, until its slot takes
    another frame; without it, it is scratch memory, which all frames share that one queue works on in turn."""

    name: str
    element: Element
    count: int
    kept: bool = False

    @property
    def size_bytes(self) -> int:
        """In whole words of four bytes."""
        return -(-Parts.of(self.element).size_bytes * self.count // 4) * 4


@dataclass(frozen=True)
class Tensor(Buffer):
    """A picture as a tensor (1, 3, H, W). size_px: its width and height, with the padding."""

    size_px: Size = (0, 0)

    @classmethod
    def of(cls, name: str, size_px: Size, element: Element = "float32", *, kept: bool = False) -> Tensor:
        """A tensor of that size."""
        return cls(name, element, 3 * size_px[0] * size_px[1], kept, size_px)


@dataclass(frozen=True, slots=True)
class Texture:
    """A picture of whole pixels, for reading in two dimensions; where a language has pointers alone, rows one after
    another. kept: as a buffer's."""

    name: str
    element: Element
    size_px: Size
    kept: bool = False

    @property
    def size_bytes(self) -> int:
        """Of its rows, where they follow one another."""
        return Parts.of(self.element).size_bytes * self.size_px[0] * self.size_px[1]


@dataclass(frozen=True, slots=True)
class Constant:
    """A buffer that no pass writes. make: its values, (n,) or of any shape, read in C's order. kept: each frame in
    flight has its own, which the executor's memory can change between two frames."""

    name: str
    element: Element
    make: Callable[[], npt.NDArray[Any]] = field(compare=False)
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Given:
    """What each slot has of its own, whatever it is, and gives the executor's memory under this name."""

    name: str

    @property
    def kept(self) -> bool:
        """As a buffer's."""
        return True


FLAG = Given("flag")
"""One uint32 that passes set to 1 where a value is not finite."""

Memory: TypeAlias = Buffer | Texture | Constant | Given


@dataclass(frozen=True, slots=True)
class Other:
    """What another frame in flight keeps; which one is said when the work is queued: the first, second ... of its
    `others`."""

    memory: Memory
    number: int = 0


@dataclass(frozen=True, slots=True)
class Addresses:
    """For kernels of CUDA: where these lie in each of the `others`, as a record of so many addresses of the first, then
    of the next, and so on; those of others that are not there are 0."""

    memories: tuple[Memory, ...]
    most: int


Use: TypeAlias = Memory | Other | Addresses


@dataclass(frozen=True, slots=True, eq=False)
class Pass:
    """One run of a kernel.

    reads, writes: in the kernel's order; t0.. and u0.. in HLSL, and in CUDA the arguments, with the constants behind
    them. What a kernel changes in place is in `writes` alone. threads: in x and y, at least so many. constants: the
    record, or the name under which one is given whenever the work is queued. element_of: a tensor that kernels of CUDA
    are compiled for; those of HLSL see every element as a float. clears: buffers that are set to zero before it.
    groups: `threads` are groups of them. runs: whether it does for a look; always, if left out.
    """

    kernel: str
    reads: tuple[Use, ...]
    writes: tuple[Use, ...]
    threads: Size
    constants: Record | str
    defines: Defines = ()
    element_of: Tensor | None = None
    clears: tuple[Buffer | Given, ...] = ()
    groups: bool = False
    runs: Callable[[Look], bool] | None = None

    def uses(self) -> tuple[set[Use], set[Use]]:
        """What it reads alone, and what it writes."""
        return set(self.reads), {*self.writes, *self.clears}


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """Passes in their order, which are queued together. name: of the timer and of what profilers show. begins, ends:
    whether the timer starts and stops here, where several works are one part of a frame."""

    name: str
    passes: tuple[Pass, ...]
    begins: bool = True
    ends: bool = True

    def for_look(self, look: Look | None) -> tuple[Pass, ...]:
        """The passes that run for a look; without one, those that always do."""
        return tuple(one for one in self.passes if one.runs is None or (look is not None and one.runs(look)))


class Step(NamedTuple):
    """Work that is queued for a slot. others, records: as executors have them."""

    work: Work
    slot: int
    others: tuple[int, ...] = ()
    records: Mapping[str, Record] = NO_RECORDS


def side_by_side(passes: tuple[Pass, ...]) -> list[list[Pass]]:
    """Passes in their order, in groups of those that follow each other and do not depend on each other: a GPU may run
    those of a group at the same time."""
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
    """What a kernel of CUDA is compiled with for a tensor."""
    return "ELEMENT", {"float32": "0", "float16": "1"}[tensor.element]


def zeros(element: Element) -> Callable[[], npt.NDArray[Any]]:
    """One element of nothing, for what a variant of a kernel declares and does not read."""
    return lambda: np.zeros(-(-Parts.of(element).size_bytes // 4), np.uint32)
