"""The folder of a film's painted frames, FILM.keys: the pictures, what they belong to, and what was learnt.

- `keys.json`, a `Manifest`
- `frame-000123.png`, as `extract` wrote it or as a person painted it, who may have saved it with another ending, or
  under a name with more in it
- `shot-000100.npz`, the network in training of the shot that begins with that frame, to learn on from
- `shot-000100.preview.png`, what it makes of the shot's first key
- `film.onnx`, the style: all networks in one file
- `aside`, a folder with what was taken away in the window
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self
from zlib import crc32

from framebrush.analysis.dissolves import Dissolve
from framebrush.base.files import write_whole
from framebrush.base.json_values import JsonError, from_values, to_text
from framebrush.base.text import first_line
from framebrush.jobs.identity import SourceIdentity
from framebrush.media.video import InputError, OutputError
from framebrush.styles.folder import SUFFIXES
from framebrush.styles.keys_folder import NETWORK, SUFFIX

MANIFEST, PREVIEW = "keys.json", ".preview.png"
MOST_BYTES = 64 << 20
"""Of a manifest: a film of a day has fewer shots."""

OPEN_RASTER, PHOTOSHOP = ".ora", ".psd"
"""Files of layers that hold the flat picture, too: as Krita and MyPaint write them, and Photoshop."""

_PICTURE = re.compile(r"(?<![a-z])frame[-_ ]?(\d{6,9})(?!\d)", re.IGNORECASE)
"""In a name, whatever a program or a phone has added to it."""

_NUMBERED = re.compile(r"Framebrush, frame (\d{1,9}) of .*", re.DOTALL)
NUMBER_IN = "Comment"
"""The text of a PNG that says which frame it is. It outlives another name where a program keeps it."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """A picture that was written for a person to paint over. sha256: of the file, by which it is known whether it was
    painted since."""

    number: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ShotFacts:
    """A shot of the film. first: its first frame. dissolve: how many from that one on show the shot before it, too.
    telling: the frame that shows most of it."""

    first: int
    dissolve: int
    telling: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the pictures belong to. film: as it was when they were extracted. width, height: of the pictures, upright
    and with square pixels. shots: in order, from frame 0. searched: whether the film was searched for them; until then
    all of it is one."""

    film: SourceIdentity
    width: int
    height: int
    shots: tuple[ShotFacts, ...]
    extracted: tuple[Extracted, ...] = ()
    searched: bool = True
    version: int = 1

    def __post_init__(self) -> None:
        firsts = [shot.first for shot in self.shots]
        if not firsts or firsts[0] != 0 or firsts != sorted(set(firsts)):
            raise JsonError("its shots are not in order from frame 0")
        if min(self.width, self.height) < 1:
            raise JsonError(f"its pictures cannot have {self.width}x{self.height} pixels")

    def shot_of(self, number: int) -> ShotFacts:
        """The shot that a frame is in: in a dissolve the one that is seen more of."""
        begun = [shot for shot in self.shots if Dissolve(shot.first, shot.first + shot.dissolve).middle <= number]
        return begun[-1] if begun else self.shots[0]


class KeysFolder:
    """Raises InputError for what is no such folder, or a damaged one."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def beside(cls, film: Path) -> Self:
        """That of a film: film.keys beside film.mp4."""
        return cls(film.with_name(film.stem + SUFFIX))

    @property
    def network(self) -> Path:
        """The style."""
        return self.path / NETWORK

    @property
    def aside(self) -> Path:
        """A folder with the pictures that were taken away."""
        return self.path / "aside"

    def state(self, shot: ShotFacts) -> Path:
        """The network of a shot in training."""
        return self.path / f"shot-{shot.first:06d}.npz"

    def preview(self, shot: ShotFacts) -> Path:
        """What the network of a shot makes of its first key."""
        return self.path / f"shot-{shot.first:06d}{PREVIEW}"

    def picture(self, number: int) -> Path:
        """Where a frame is written."""
        return self.path / f"frame-{number:06d}.png"

    def read(self) -> Manifest:
        """Raises InputError."""
        file = self.path / MANIFEST
        try:
            if file.stat().st_size > MOST_BYTES:
                raise InputError(f"{file}: is larger than any list of keys")
            values = json.loads(file.read_text(encoding="utf-8"))
            return from_values(Manifest, values, "keys")
        except FileNotFoundError:
            raise InputError(
                f"{self.path}: there are no frames to paint yet; run framebrush keys FILM extract"
            ) from None
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"{file}: cannot be read ({first_line(error)}); extract the frames again") from None

    def write(self, manifest: Manifest) -> None:
        """Raises OutputError."""
        try:
            write_whole(self.path / MANIFEST, to_text(manifest, indent=1))
        except OSError as error:
            raise OutputError(f"{self.path / MANIFEST}: cannot be written ({first_line(error)})") from None

    def pictures(self) -> dict[int, list[Path]]:
        """All pictures of frames, by their numbers, in the order of their names. The number is in the name, or else in
        the picture."""
        found: dict[int, list[Path]] = {}
        for path in sorted(self.path.glob("[!.]*")):
            if path.suffix.lower() in {*SUFFIXES, OPEN_RASTER, PHOTOSHOP} and not path.name.endswith(PREVIEW):
                match = _PICTURE.search(path.stem) or _NUMBERED.fullmatch(_text_in(path))
                if match:
                    found.setdefault(int(match[1]), []).append(path)
        return found

    def painted(self, manifest: Manifest) -> dict[int, Path]:
        """The picture of each frame that was painted: one that is not as it was extracted. Raises InputError for a
        frame that was painted twice."""
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
    """A PNG that says in itself which frame of a film it is."""
    text = f"Framebrush, frame {number} of {film}".encode("latin-1", "replace")
    chunk = b"tEXt" + NUMBER_IN.encode() + b"\0" + text
    header = len(b"\x89PNG\r\n\x1a\n") + 4 + 4 + 13 + 4
    return png[:header] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", crc32(chunk)) + png[header:]


def _text_in(path: Path) -> str:
    """What a PNG says of itself, nothing where it cannot be read as one."""
    if path.suffix.lower() != ".png":
        return ""
    from PIL import Image  # here, not above: only pictures need it

    try:
        with Image.open(path, formats=("PNG",)) as file:
            return str(file.info.get(NUMBER_IN, ""))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""


def with_extracted(manifest: Manifest, number: int, sha256: str) -> Manifest:
    """The manifest with a picture that is written."""
    known = {one.number: one for one in manifest.extracted} | {number: Extracted(number, sha256)}
    return replace(manifest, extracted=tuple(known[key] for key in sorted(known)))


def digest(path: Path) -> str:
    """SHA-256 of a file, as hexadecimal digits. Raises InputError."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None
