"""Source texts of kernels with includes and constants."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeAlias

from framebrush.gpu import layouts

Defines: TypeAlias = tuple[tuple[str, str], ...]

OPTION = re.compile(r"^OPTION\(\d+, (\w+)\)$", re.M)
"""Define of an HLSL kernel that is 0 unless a variant sets it."""

_INCLUDE = re.compile(r'^#include "(\w+\.\w+)"$', re.M)


@dataclass(frozen=True)
class Variant:
    """Compilation variant. defines: names and values."""

    name: str
    defines: Defines = ()

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.defines)])

    @property
    def stem(self) -> str:
        return "-".join([self.name, *(f"{name}{value}".lower() for name, value in self.defines)])


def kernel_text(package: str, folder: str, file: str, declaration: Callable[[str], str]) -> str:
    """Return a kernel's text with includes and declared `CONSTANTS(NAME)` lines."""
    own, shared = files(package) / folder, files("framebrush.gpu") / "kernels"

    def whole(name: str) -> str:
        place = shared if name.endswith(".h") else own
        return _INCLUDE.sub(lambda found: whole(found[1]), (place / name).read_text(encoding="utf-8"))

    return layouts.declared(whole(file), declaration)
