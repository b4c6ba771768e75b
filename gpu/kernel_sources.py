"""Kernels of graphics cards as text: a file each, what it includes, and the records of constants that it reads."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import TypeAlias

from framebrush.gpu import layouts

Defines: TypeAlias = tuple[tuple[str, str], ...]

OPTION = re.compile(r"^OPTION\(\d+, (\w+)\)$", re.M)
"""A define of an HLSL kernel that is 0 where a variant does not name it."""

_INCLUDE = re.compile(r'^#include "(\w+\.\w+)"$', re.M)


@dataclass(frozen=True)
class Variant:
    """One way to compile a kernel. defines: preprocessor names and values, in the caller's order."""

    name: str
    defines: Defines = ()

    def __str__(self) -> str:
        return " ".join([self.name, *(f"{name}={value}" for name, value in self.defines)])


def kernel_text(package: str, folder: str, file: str, declaration: Callable[[str], str]) -> str:
    """The text of a kernel's file in a folder of a package, with its includes in their places and its lines
    `CONSTANTS(NAME)` replaced by the declaration of each name. What ends in .h is of all languages, in gpu/kernels."""
    own, shared = files(package) / folder, files("framebrush.gpu") / "kernels"

    def whole(name: str) -> str:
        place = shared if name.endswith(".h") else own
        return _INCLUDE.sub(lambda found: whole(found[1]), (place / name).read_text(encoding="utf-8"))

    return layouts.declared(whole(file), declaration)
