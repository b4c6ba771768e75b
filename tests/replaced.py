"""Replacement of a file, keeping size and time as `cp -p`."""

from __future__ import annotations

import os
from pathlib import Path


def replace_alike(path: Path, content: bytes) -> None:
    state, other = path.stat(), path.with_name(f"{path.name}.other")
    assert len(content) == state.st_size
    other.write_bytes(content)
    os.utime(other, ns=(state.st_atime_ns, state.st_mtime_ns))
    other.replace(path)
    assert path.stat().st_mtime_ns == state.st_mtime_ns
