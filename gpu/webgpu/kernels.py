"""WGSL kernels, generated from HLSL by `python tools/dev.py shaders`.

Texts number READS, WRITES and CONSTANTS as HLSL; `read` makes one group, for speed. Threads share words of small
samples, so callers clear their buffers.
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
    """No WGSL file exists for a kernel."""


@dataclass(frozen=True)
class Binding:
    """Resource of a kernel. place: number in its group.

    format: of a texture's components ("f32") or of a storage texture ("r32float").
    """

    group: int
    place: int
    kind: str
    format: str = ""


@dataclass(frozen=True)
class Shader:
    """WGSL text with its declarations. constants: by number."""

    text: str
    group: tuple[int, int]
    bindings: tuple[Binding, ...]
    constants: dict[str, float]


def shader(variant: Variant, options: dict[str, int] | None = None) -> Shader:
    """Load a kernel. Raises MissingKernelError, DeviceError for unknown options."""
    try:
        text = _place(variant).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise MissingKernelError(f"there is no WGSL of '{variant}'") from error
    return read(text, options or {})


def split_variant(variant: Variant) -> tuple[Variant, dict[str, int]]:
    """Split a variant into defines and options. Raises MissingKernelError."""
    defines = variant.defines
    for count in range(len(defines), -1, -1):
        for kept in combinations(defines, count):
            if _place(Variant(variant.name, kept)).is_file():
                options = {name: int(value) for name, value in defines if (name, value) not in kept}
                return Variant(variant.name, kept), options
    raise MissingKernelError(f"there is no WGSL of '{variant}'")


def _place(variant: Variant) -> Traversable:
    return files("framebrush.gpu.webgpu") / "wgsl" / f"{variant.stem}.wgsl"


def read(text: str, options: dict[str, int]) -> Shader:
    """Parse a text's declarations."""
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
