"""WGSL kernels: those of Direct3D 12, turned into WGSL ahead of time by `python tools/dev.py shaders`.

A text says by itself what it reads and writes. Its bindings are in the groups READS, WRITES and CONSTANTS, at the
places that the registers t, u and b have in HLSL. What a kernel does not use is not in its text, and is not bound. A
pipeline has all of them in one group, numbered in the order of the text: setting a group takes time in every frame.
Samples of 8 or 16 bits are put into words that several threads write to: whoever runs such a kernel clears them before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import combinations

from framebrush.gpu.errors import DeviceError
from framebrush.gpu.kernel_sources import Variant

READS, WRITES, CONSTANTS = range(3)

ENTRY_POINT = "main"

_BINDING = re.compile(
    r"^@binding\((\d+)\) @group\((\d+)\) var(?:<([\w, ]+)>)? \w+ : (?:(texture\w*)<([\w, ]+)>)?", re.M
)
_OPTION = re.compile(r"^@id\((\d+)\) override (\w+)_0 ", re.M)
_GROUP = re.compile(r"^@workgroup_size\((\d+), (\d+), 1\)$", re.M)


class MissingKernelError(DeviceError):
    """There is no text of a kernel."""


@dataclass(frozen=True)
class Binding:
    """One thing that a kernel reads or writes. kind: as layouts of WebGPU name it, "uniform", "read-only-storage" or
    "storage" for buffers, "texture" or "storage-texture". format: of the components of a texture, such as "f32", or of
    a storage texture, such as "r32float"."""

    group: int
    place: int
    kind: str
    format: str = ""


@dataclass(frozen=True)
class Shader:
    """A kernel's text, as a pipeline takes it, and what it says about itself. group: threads in x and y. bindings: by
    their numbers. constants: values of the pipeline's constants, by their numbers."""

    text: str
    group: tuple[int, int]
    bindings: tuple[Binding, ...]
    constants: dict[str, float]


def stem(variant: Variant) -> str:
    """The name of a text's file without its suffix. variant: with what its text depends on alone."""
    return "-".join([variant.name, *(f"{name}{value}".lower() for name, value in variant.defines)])


def shader(variant: Variant, options: dict[str, int] | None = None) -> Shader:
    """The kernel. variant: with what its text depends on alone. options: those of the others that are not 0. Raises
    MissingKernelError, or DeviceError for one that knows no such option."""
    try:
        text = _place(variant).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise MissingKernelError(f"there is no WGSL of '{variant}'") from error
    return read(text, options or {})


def told_apart(variant: Variant) -> tuple[Variant, dict[str, int]]:
    """What the text of a kernel depends on, and the options of that text, of a variant with the defines of both. Raises
    MissingKernelError."""
    defines = variant.defines
    for count in range(len(defines), -1, -1):
        for kept in combinations(defines, count):
            if _place(Variant(variant.name, kept)).is_file():
                options = {name: int(value) for name, value in defines if (name, value) not in kept}
                return Variant(variant.name, kept), options
    raise MissingKernelError(f"there is no WGSL of '{variant}'")


def _place(variant: Variant) -> Traversable:
    return files("framebrush.gpu.webgpu") / "wgsl" / f"{stem(variant)}.wgsl"


def read(text: str, options: dict[str, int]) -> Shader:
    """What a text says about itself. Raises DeviceError for one without its group, or without an option."""
    group = _GROUP.search(text)
    if not group:
        raise DeviceError("a kernel without @workgroup_size(x, y, 1)")
    numbers = {name: number for number, name in _OPTION.findall(text)}
    unknown = sorted(options.keys() - numbers.keys())
    if unknown:
        raise DeviceError(f"the kernel has no option {', '.join(unknown)}")
    bindings: list[Binding] = []

    def gathered(found: re.Match[str]) -> str:
        bindings.append(_binding(*found.groups(default="")))
        return f"@binding({len(bindings) - 1}) @group(0)" + found[0].partition(")")[2].partition(")")[2]

    gathered_text = _BINDING.sub(gathered, text)
    constants: dict[str, float] = {numbers[name]: value for name, value in options.items()}
    return Shader(gathered_text, (int(group[1]), int(group[2])), tuple(bindings), constants)


def _binding(place: str, group: str, space: str, texture: str, inner: str) -> Binding:
    if texture.startswith("texture_storage"):
        return Binding(int(group), int(place), "storage-texture", inner.partition(",")[0])
    if texture:
        return Binding(int(group), int(place), "texture", inner)
    kind = {"uniform": "uniform", "storage, read": "read-only-storage", "storage, read_write": "storage"}[space]
    return Binding(int(group), int(place), kind)
