"""Render cache on disk, which outlives the window.

Each film and look has a folder, each frame a file with checksum, written atomically, so windows may share them.
"""

from __future__ import annotations

import json
import os
import shutil
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from framebrush.base.files import part_beside, write_whole
from framebrush.gpu.frame import Frame, FrameFormat
from framebrush.media.disk import free_bytes
from framebrush.playback.ahead.render_cache import Course, Painted, frame_bytes

FREE_BYTES = 2 << 30
"""How much of the disk is left free for others."""

RETRY_S = 60.0
"""How long writing is suspended after a disk error."""

COUNT_BYTES = 256 << 20
"""After writing this much, the folder's size is measured again, because other windows write there too."""

STALE_S = 60.0
"""A file that is still incomplete after this time is abandoned: its process was killed."""

ENDING, RECORD = ".frame", "film.json"
CHECKSUM_BYTES = 4  # of zlib.crc32


@dataclass(frozen=True, slots=True)
class Stored:
    """Frame on disk."""

    pts: int
    duration: int


class RenderStore:
    """Painted frames on disk, for one thread. Disk errors mean missing frames."""

    def __init__(self, folder: Path, limit_bytes: int) -> None:
        """Open an exclusive folder. limit_bytes: of all files."""
        self.folder, self.limit_bytes = folder, limit_bytes
        self._key = ""
        self._known: dict[int, Stored] = {}
        self.used_bytes = 0
        self._written_bytes = COUNT_BYTES  # since the folder was measured
        self._refused_s = -RETRY_S

    @property
    def known(self) -> dict[int, Stored]:
        """The current key's frames, by number."""
        return self._known

    def latest(self, beginning: str) -> str | None:
        """Return the latest used key with a prefix."""
        folders = [folder for folder in self._folders() if folder.name.startswith(beginning)]
        return max(folders, key=_used).name if folders else None

    def use(self, key: str, film: Path) -> None:
        """Make a key current. film: path."""
        folder = self.folder / key
        self._key, self._known = key, {}
        with suppress(OSError):
            self._known = frames_in(folder)
            record = {"film": str(film), "size": film.stat().st_size}
            write_whole(folder / RECORD, json.dumps(record))  # writing it also marks this folder as the one used last

    def leave(self) -> None:
        """Make no key current."""
        self._key, self._known = "", {}

    def room_bytes(self) -> int:
        """Return the size that files may have."""
        if not self._key or not self.limit_bytes or time.monotonic() - self._refused_s < RETRY_S:
            return 0
        return min(self.limit_bytes, self.used_bytes + max(0, free_bytes(self.folder) - FREE_BYTES))

    def write(self, painted: Painted, film: Path, course: Course) -> bool:
        """Save a frame, evicting least recently used folders; return whether it fitted."""
        size = frame_bytes(painted.frame) + CHECKSUM_BYTES
        if self._written_bytes >= COUNT_BYTES:
            self._count()
        if not self._make_room(size, painted.number, course):
            return False
        target = self.folder / self._key / frame_file(painted.number, Stored(painted.pts, painted.duration))
        try:
            if not target.parent.is_dir():
                target.parent.mkdir(parents=True, mode=0o700)
                self.use(self._key, film)
            self._write(painted, target)
        except OSError:
            self._refused_s = time.monotonic()
            return False
        self._known[painted.number] = Stored(painted.pts, painted.duration)
        self.used_bytes += size
        self._written_bytes += size
        return True

    def read(self, number: int, form: FrameFormat) -> Painted | None:
        """Return a frame, None if missing or damaged."""
        stored = self._known[number]
        path = self.folder / self._key / frame_file(number, stored)
        try:
            frame = read_frame(path, form)
        except OSError:
            del self._known[number]
            with suppress(OSError):
                path.unlink()
            return None
        return Painted(number, stored.pts, stored.duration, frame)

    def prune(self) -> None:
        """Delete leftovers, and changed films' frames."""
        for folder in self._folders():
            if folder.name != self._key and not _is_there(folder / RECORD):
                shutil.rmtree(folder, ignore_errors=True)
            with suppress(OSError):
                for entry in os.scandir(folder):
                    if entry.name.endswith(".part") and time.time() - entry.stat().st_mtime > STALE_S:
                        Path(entry.path).unlink()

    def clear(self) -> None:
        for folder in self._folders():
            shutil.rmtree(folder, ignore_errors=True)
        self._known, self.used_bytes, self._refused_s = {}, 0, -RETRY_S

    def limit(self, limit_bytes: int) -> None:
        """Change the limit, deleting the excess."""
        self.limit_bytes = limit_bytes
        self._count()
        self._make_room(0, -1, Course())

    def _write(self, painted: Painted, target: Path) -> None:
        part, check = part_beside(target), 0
        try:
            with part.open("wb") as file:
                for plane in painted.frame.planes:
                    file.write(plane.data)
                    check = zlib.crc32(plane.data, check)
                file.write(check.to_bytes(CHECKSUM_BYTES, "little"))
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)

    def _make_room(self, size: int, number: int, course: Course) -> bool:
        others = self._others()
        while self.used_bytes + size > (limit := self.room_bytes() if size else self.limit_bytes):
            if size > limit:
                return False
            oldest = next(others, None)
            if oldest is not None:
                self._remove(oldest)
            elif self._known:
                last = max(self._known, key=course.turn)
                if size and course.turn(last) <= course.turn(number):
                    return False
                self._delete(last)
            else:
                self._count()  # another window may have deleted files
                return self.used_bytes + size <= limit
        return True

    def _delete(self, number: int) -> None:
        self._remove(self.folder / self._key / frame_file(number, self._known.pop(number)))

    def _remove(self, path: Path) -> None:
        with suppress(OSError):
            size = path.stat().st_size
            path.unlink()
            self.used_bytes -= size

    def _others(self) -> Iterator[Path]:
        folders = [folder for folder in self._folders() if folder.name != self._key]
        for folder in sorted(folders, key=_used):
            yield from sorted(folder.glob(f"*{ENDING}"))
            shutil.rmtree(folder, ignore_errors=True)

    def _folders(self) -> list[Path]:
        try:
            return [Path(entry.path) for entry in os.scandir(self.folder) if entry.is_dir(follow_symlinks=False)]
        except OSError:
            return []

    def _count(self) -> None:
        self.used_bytes = self._written_bytes = 0
        for folder in self._folders():
            with suppress(OSError):
                self.used_bytes += sum(entry.stat().st_size for entry in os.scandir(folder))


def frame_file(number: int, stored: Stored) -> str:
    """Return a frame's file name."""
    return f"{number}_{stored.pts}_{stored.duration}{ENDING}"


def read_frame(path: Path, form: FrameFormat) -> Frame:
    """Read a frame. Raises OSError, also if damaged."""
    frame, check = form.allocate(), 0
    with path.open("rb") as file:
        for plane in frame.planes:
            file.readinto(plane.data)
            check = zlib.crc32(plane.data, check)
        if file.read() != check.to_bytes(CHECKSUM_BYTES, "little"):
            raise OSError("it is cut off, or its checksum is another one")
    return frame


def frames_in(folder: Path) -> dict[int, Stored]:
    """Return a folder's frames. Raises OSError."""
    return dict(named for entry in os.scandir(folder) if (named := _read_name(entry.name)) is not None)


def _read_name(name: str) -> tuple[int, Stored] | None:
    with suppress(ValueError):
        number, pts, duration = (int(part) for part in name.removesuffix(ENDING).split("_"))
        stored = Stored(pts, duration)
        return (number, stored) if name == frame_file(number, stored) else None
    return None


def _is_there(record: Path) -> bool:
    try:
        values = json.loads(record.read_text(encoding="utf-8"))
        return bool(Path(values["film"]).stat().st_size == values["size"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def _used(folder: Path) -> float:
    try:
        return (folder / RECORD).stat().st_mtime
    except OSError:
        return 0.0
