"""Names of Python in the comments of kernels exist."""

from __future__ import annotations

import pkgutil
import re
from pathlib import Path

import pytest

import framebrush.gpu

KERNELS = Path(framebrush.gpu.__file__).parent
TEXTS = sorted(path for kind in ("c", "h", "cu", "cuh", "hlsl", "hlsli") for path in KERNELS.rglob(f"*.{kind}"))
NAMES = re.compile(r"\b(?:gpu|models)(?:\.\w+)+")


def test_kernels_have_references() -> None:
    assert sum(len(NAMES.findall(path.read_text(encoding="utf-8"))) for path in TEXTS) > 100


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.relative_to(KERNELS).as_posix())
def test_a_kernels_references_exist(path: Path) -> None:
    for name in NAMES.findall(path.read_text(encoding="utf-8")):
        pkgutil.resolve_name(f"framebrush.{name}")
