"""Folder of a film's painted frames, FILM.keys.

- `keys.json`: a `Manifest`
- `frame-000123.png`: an extracted or painted frame; the suffix may change, the name grow
- `shot-000100.npz`: training state of the network for the shot from there
- `shot-000100.preview.png`: the shot's first painted frame, by the network
- `film.onnx`: the style, with all networks
- `mask.json`: corrections of masks
- `aside`: the trash
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self
from zlib import crc32

from framebrush.analysis.dissolves import Dissolve
from framebrush.base.files import open_regular, read_bounded, write_whole
from framebrush.base.json_values import JsonError, from_values, to_text
from framebrush.base.text import first_line
from framebrush.base.user_folder import Lock, locked
from framebrush.jobs.identity import SourceIdentity
from framebrush.media.disk import disk_errors
from framebrush.media.video import InputError, OutputError
from framebrush.styles.keys_folder import NETWORK, SUFFIX
from framebrush.styles.style_folder import SUFFIXES

MANIFEST, PREVIEW = "keys.json", ".preview.png"
MOST_BYTES = 64 << 20
"""Size limit of a manifest. A film of a day has fewer shots."""

OPEN_RASTER, PHOTOSHOP = ".ora", ".psd"
"""Suffixes of layered files that also hold the flattened picture: OpenRaster (Krita, MyPaint) and Photoshop."""

_PICTURE = re.compile(r"(?<![a-z])frame[-_ ]?(\d{6,9})(?!\d)", re.IGNORECASE)
"""Frame number in a file name, with any text that a program or phone adds around it."""

_NUMBERED = re.compile(r"Framebrush, frame (\d{1,9}) of .*", re.DOTALL)
NUMBER_IN = "Comment"
"""PNG text keyword that holds the frame number. It survives renaming if the program keeps it."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """Extracted picture. sha256: tells whether it was painted since."""

    number: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShotFacts:
    """Shot of the film.

    dissolve: frames that also show the previous shot. telling: representative frame.
    """

    first: int
    dissolve: int
    telling: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """Facts about film and pictures.

    Attributes:
        film: the file's state at extraction.
        width, height: of pictures, upright and with square pixels.
        shots: in order, from frame 0; one until `searched`.
        insisted: SHA-256 of pictures accepted as paintings despite low similarity.
    """

    film: SourceIdentity
    width: int
    height: int
    shots: tuple[ShotFacts, ...]
    extracted: tuple[Extracted, ...] = ()
    searched: bool = True
    insisted: tuple[str, ...] = ()
    version: int = 1

    def __post_init__(self) -> None:
        firsts = [shot.first for shot in self.shots]
        if not firsts or firsts[0] != 0 or firsts != sorted(set(firsts)):
            raise JsonError("its shots are not in order from frame 0")
        if min(self.width, self.height) < 1:
            raise JsonError(f"its pictures cannot have {self.width}x{self.height} pixels")

    def shot_of(self, number: int) -> ShotFacts:
        """Return a frame's shot; in a dissolve, the more visible one."""
        begun = [shot for shot in self.shots if Dissolve(shot.first, shot.first + shot.dissolve).middle <= number]
        return begun[-1] if begun else self.shots[0]


class BusyFolderError(OutputError):
    """Folder from which another window or command learns."""


class PaintedFolder:
    """Folder of painted frames. Raises InputError for another folder."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, film: Path) -> Self:
        """Return a film's folder: film.keys beside film.mp4."""
        return cls(film.with_name(film.stem + SUFFIX))

    def changing(self) -> AbstractContextManager[None]:
        """Lock pictures and manifest for changes. Raises OSError."""
        return locked(self.path / ".lock")

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Lock the folder for learning. Raises BusyFolderError."""
        lock = Lock(self.path / ".learning")
        with suppress(OSError):  # a read or write reports the error
            if not lock.try_lock():
                raise BusyFolderError(f"{self.path}: another window or command learns from these frames; wait for it")
        try:
            yield
        finally:
            lock.release()

    @property
    def network(self) -> Path:
        return self.path / NETWORK

    @property
    def trash(self) -> Path:
        return self.path / "aside"

    def state(self, shot: ShotFacts) -> Path:
        return self.path / f"shot-{shot.first:06d}.npz"

    def preview(self, shot: ShotFacts) -> Path:
        return self.path / f"shot-{shot.first:06d}{PREVIEW}"

    def picture(self, number: int) -> Path:
        return self.path / f"frame-{number:06d}.png"

    def read(self) -> Manifest:
        """Read the manifest. Raises InputError."""
        file = self.path / MANIFEST
        try:
            values = json.loads(read_bounded(file, MOST_BYTES).decode("utf-8"))
            return from_values(Manifest, values, "keys")
        except FileNotFoundError:
            raise InputError(
                f"{self.path}: there are no frames to paint yet", do="run framebrush keys FILM extract"
            ) from None
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{file}: cannot be read ({first_line(error)}); extract the frames again") from None

    def write(self, manifest: Manifest) -> None:
        """Write the manifest. Raises OutputError."""
        with disk_errors(self.path, f"writing {self.path / MANIFEST} failed"):
            write_whole(self.path / MANIFEST, to_text(manifest, indent=1))

    def pictures(self) -> dict[int, list[Path]]:
        """Return all pictures by frame number, in name or PNG text."""
        found: dict[int, list[Path]] = {}
        for path in sorted(self.path.glob("[!.]*")):
            if path.suffix.lower() in {*SUFFIXES, OPEN_RASTER, PHOTOSHOP} and not path.name.endswith(PREVIEW):
                match = _PICTURE.search(path.stem) or _NUMBERED.fullmatch(_text_in(path))
                if match:
                    found.setdefault(int(match[1]), []).append(path)
        return found

    def insist(self, *paths: Path) -> None:
        """Accept pictures as paintings. Raises InputError, OutputError."""
        with disk_errors(self.path, f"writing to {self.path} failed"), self.changing():
            manifest = self.read()
            self.write(replace(manifest, insisted=tuple(sorted({*manifest.insisted, *map(digest, paths)}))))

    def painted(self, manifest: Manifest) -> dict[int, Path]:
        """Return each frame's painted picture. Raises InputError for two."""
        written = {one.number: one.sha256 for one in manifest.extracted}
        found: dict[int, Path] = {}
        for number, paths in self.pictures().items():
            painted = [path for path in paths if digest(path) != written.get(number)]
            if len(painted) > 1:
                names = " and ".join(path.name for path in painted)
                raise InputError(f"{self.path}: {names} are the same frame; remove all but one")
            found |= dict.fromkeys([number] * len(painted), *painted)
        return found


def numbered(png: bytes, number: int, film: str) -> bytes:
    """Return a PNG with frame number and film name as text."""
    text = f"Framebrush, frame {number} of {film}".encode("latin-1", "replace")
    chunk = b"tEXt" + NUMBER_IN.encode() + b"\0" + text
    header = len(b"\x89PNG\r\n\x1a\n") + 4 + 4 + 13 + 4
    return png[:header] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", crc32(chunk)) + png[header:]


def _text_in(path: Path) -> str:
    if path.suffix.lower() != ".png":
        return ""
    from PIL import Image  # imported here because only this function needs it

    try:
        with open_regular(path) as content, Image.open(content, formats=("PNG",)) as file:
            return str(file.info.get(NUMBER_IN, ""))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""


def with_extracted(manifest: Manifest, number: int, sha256: str) -> Manifest:
    """Return the manifest with another extracted picture."""
    known = {one.number: one for one in manifest.extracted} | {number: Extracted(number, sha256)}
    return replace(manifest, extracted=tuple(known[key] for key in sorted(known)))


def digest(path: Path) -> str:
    """Return the SHA-256 of a file. Raises InputError."""
    try:
        with open_regular(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
