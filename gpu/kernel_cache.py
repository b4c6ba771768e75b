"""Cache of compiled kernels, in files that end in a hash."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from pathlib import Path

from framebrush.base.files import write_whole


def cache_folder(name: str) -> Path:
    """Return a folder in %LOCALAPPDATA%/framebrush or the user's cache."""
    if os.name == "nt":
        return Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir()) / "framebrush" / name
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "framebrush" / name
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "framebrush" / name


def read(path: Path) -> bytes | None:
    """Read a file, None if missing or damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    code, digest = content[:-32], content[-32:]
    return code if hashlib.sha256(code).digest() == digest else None


def keep(path: Path, code: bytes) -> None:
    """Write a file atomically. A read-only cache is no error."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, code + hashlib.sha256(code).digest())
