"""HLSL texts of the kernels with includes and constants."""

from __future__ import annotations

from functools import cache

from framebrush.gpu import layouts
from framebrush.gpu.hlsl import hlsl_records
from framebrush.gpu.kernel_sources import OPTION, Variant, kernel_text


@cache
def source(name: str) -> str:
    """Return a kernel's text with includes and constants."""

    def declaration(record: str) -> str:
        return layouts.hlsl(hlsl_records.layout(record))

    return kernel_text("framebrush.gpu.d3d12", "shaders", f"{name}.hlsl", declaration)


def macros(variant: Variant, text: str) -> dict[str, str]:
    """Return a variant's defines; unset options are 0."""
    return dict.fromkeys(OPTION.findall(text), "0") | dict(variant.defines)
