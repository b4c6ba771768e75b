"""What numba compiled for the user, in home folders that tests make for programs: to compile it takes ten seconds."""

from __future__ import annotations

from pathlib import Path

from framebrush.gpu.kernel_cache import cache_folder


def share_kernels(home: Path) -> None:
    """Let programs with this home folder find it. They may add to it. POSIX alone, where links need no privilege."""
    kept, own = cache_folder("numba"), home / ".cache" / "framebrush" / "numba"
    kept.mkdir(parents=True, exist_ok=True)
    own.parent.mkdir(parents=True, exist_ok=True)
    if not own.is_symlink():
        own.symlink_to(kept, target_is_directory=True)
