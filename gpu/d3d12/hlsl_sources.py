"""HLSL texts of the kernels with includes and constants."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from framebrush.gpu import layouts
from framebrush.gpu.hlsl.hlsl_records import LAYOUTS
from framebrush.gpu.kernel_sources import OPTION, Variant, kernel_text

REGISTERS = 16  # t or u, at most


class Typed(NamedTuple):
    """Registers with views that convert elements."""

    reads: frozenset[int] = frozenset()
    writes: frozenset[int] = frozenset()


ENDS_TYPED = Typed(frozenset({0}), frozenset({0}))  # packaged layers: tensors may have 16 or 32 bits


@cache
def source(name: str) -> str:
    """Return a kernel's text with includes and constants."""

    def declaration(record: str) -> str:
        return layouts.hlsl(LAYOUTS[record])

    return kernel_text("framebrush.gpu.d3d12", "shaders", f"{name}.hlsl", declaration)


def macros(variant: Variant, text: str, typed: Typed) -> dict[str, str]:
    """Return a variant's defines; unset options are 0."""
    buffers = {
        f"{access}_{number}": f"{kind}{'' if number in registers else 'Structured'}Buffer"
        for access, kind, registers in (("READS", "", typed.reads), ("WRITES", "RW", typed.writes))
        for number in range(REGISTERS)
    }
    return dict.fromkeys(OPTION.findall(text), "0") | buffers | dict(variant.defines)
