"""Look file: a look and its files, as a ZIP archive.

`look.json` holds the values, and each file's name, size and SHA-256.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any

from framebrush.base.file_names import proper_name
from framebrush.base.files import open_regular, whole_file
from framebrush.base.json_values import indented
from framebrush.base.text import count_of, data_size, first_line
from framebrush.gpu.errors import DeviceError
from framebrush.jobs.recipe import Recipe
from framebrush.media.reading.open import first_picture, is_numbered, picture_path
from framebrush.media.video import InputError
from framebrush.models.style import StyleError
from framebrush.styles.keys_folder import NETWORK, is_keys
from framebrush.styles.style_folder import StyleFolder, data_folder
from framebrush.styles.style_paths import files_in

SUFFIX = ".fblook"

VERSION = 1
"""Of the list of files. Increase it when older programs would misread a look file."""

CONTENTS, FILES = "look.json", "files"

MOST_BYTES = 256 << 20
"""Size of all files of a look together."""

MOST_FILES = 5_000

MOST_LEARNT_BYTES = 64 << 20
"""Size up to which a network that was learnt from painted frames goes along."""

MOST_CONTENTS_BYTES = 4 << 20
"""Size of `look.json`, and of the archive's own list of files."""

CHUNK_BYTES = 1 << 20

LEFT_OUT = re.compile(r"\..*|.*\.npz|.*\.preview\.png")
"""Files of a folder of painted frames that a style does not need: locks, states of training, previews."""

_UNSAFE = re.compile(r"[,@%#\[\]:]+")
"""Characters that mean something in the name of a style or of numbered pictures."""

LONGEST_SUFFIX = 16
_NO_SUFFIX = re.compile(r"[^.A-Za-z0-9]+")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_END = struct.Struct("<4s4H2IH")  # end of central directory: APPNOTE.TXT 4.3.16
ENCRYPTED = 1
_MARK, _MARK_64, _LOCATOR_64_BYTES = b"PK\5\6", b"PK\6\7", 20


_DAMAGED = zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error
"""Errors of damaged archives, besides ValueError and KeyError."""


class LookError(ValueError):
    """Look that is invalid, unreadable or cannot be written."""


@dataclass(slots=True)
class _Collected:
    """Files of a look.

    files: paths by archive name. texts: archive names by recipe's path. notes: on skipped files.
    """

    files: dict[str, Path] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    _taken: set[str] = field(default_factory=set)

    def add(self, path: str) -> None:
        file = Path(path)
        if is_keys(path):
            name = self._free(file)
            for inner in sorted(each for each in file.iterdir() if each.is_file()):
                size = inner.stat().st_size
                if inner.name == NETWORK and size > MOST_LEARNT_BYTES:
                    self.notes.append(
                        f"the network learnt from {file.name} has {data_size(size)}, more than "
                        f"{data_size(MOST_LEARNT_BYTES)}: it is left out, and learnt again where the look is used"
                    )
                elif not LEFT_OUT.fullmatch(inner.name):
                    self.files[self._free(inner, name)] = inner
        elif is_numbered(file):
            folder = self._free(file.with_suffix(""))
            name = f"{folder}/%07d{file.suffix}"
            for number in first_picture(file):
                self.files[f"{folder}/{number:07d}{file.suffix}"] = picture_path(file, number)
        else:
            name = self._free(file)
            self.files[name] = file
        self.texts[path] = name

    def _free(self, path: Path, folder: str = FILES) -> str:
        safe = Path(_safe(path))
        names = chain([safe.name], (f"{safe.stem[:50]} {number}{safe.suffix}" for number in count(2)))
        name = next(name for each in names if (name := f"{folder}/{each}").casefold() not in self._taken)
        self._taken.add(name.casefold())
        return name


def _safe(path: Path) -> str:
    """Return a name valid on every system and in style names."""
    stem = proper_name(_UNSAFE.sub("_", path.stem)) or "file"
    return stem + _NO_SUFFIX.sub("", path.suffix)[:LONGEST_SUFFIX]


def pack(look: Recipe, path: Path, values_of: Callable[[Recipe], dict[str, Any]]) -> tuple[str, ...]:
    """Write a look with its files; return notes on omissions. Raises LookError.

    values_of: returns JSON values.
    """
    collected = _Collected()
    with TemporaryDirectory(prefix="framebrush-look-", ignore_cleanup_errors=True) as folder:
        try:
            look = _with_own_styles(look).with_files(str, lambda text: _as_picture(text, Path(folder)))
            for file in dict.fromkeys(look.files):
                collected.add(file)
            sizes = {name: file.stat().st_size for name, file in collected.files.items()}
        except (OSError, InputError, StyleError, DeviceError) as error:
            raise LookError(f"{path} cannot be written: {first_line(error)}") from None
        if sum(sizes.values()) > MOST_BYTES or len(sizes) > MOST_FILES:
            largest = collected.files[max(sizes, key=lambda name: sizes[name])]
            raise LookError(
                f"{path} cannot be written: the look has {count_of(len(sizes), 'file')} of "
                f"{data_size(sum(sizes.values()))}, and a look file takes {MOST_FILES} of {data_size(MOST_BYTES)}; the "
                f"largest is {largest}"
            )
        moved = look.with_files(lambda file: collected.texts.get(file, file))
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
                listed = {name: _store(archive, name, file) for name, file in collected.files.items()}
                contents = {"framebrush_look_file": VERSION, "look": values_of(moved), "files": listed}
                archive.writestr(zipfile.ZipInfo(CONTENTS), indented(contents))
        except (OSError, ValueError) as error:
            raise LookError(f"{path} cannot be written ({first_line(error)}); check the disk") from None
    return tuple(collected.notes)


def _with_own_styles(look: Recipe) -> Recipe:
    own = {style.name.casefold(): str(style.path.absolute()) for style in StyleFolder()}

    def named(text: str) -> str:
        parts = []
        for part in text.split(","):
            name, _, weight = part.strip().partition(":")
            path = own.get(name.casefold(), "")
            is_own = path and "," not in path and not files_in(part)
            parts.append(part if not is_own else path + (f":{weight}" if weight else ""))
        return ",".join(parts)

    style, colours = replace(look.style, name=named(look.style.name)), look.colours.with_names(named)
    return replace(look, style=style, colours=colours)


def _as_picture(text: str, folder: Path) -> str:
    from framebrush.jobs.still import encoded  # imported here: the command line starts without it
    from framebrush.styles.reference_pictures import open_picture

    picture = open_picture(text)
    file = folder / f"{proper_name(_UNSAFE.sub('_', picture.name))}.png"
    file.write_bytes(encoded(picture.rgb, "png", "rgb24"))
    return str(file)


def _store(archive: zipfile.ZipFile, name: str, path: Path) -> dict[str, object]:
    digest, size = hashlib.sha256(), 0
    with open_regular(path) as source, archive.open(zipfile.ZipInfo(name), "w", force_zip64=False) as into:
        while chunk := source.read(CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
            into.write(chunk)
    return {"bytes": size, "sha256": digest.hexdigest()}


def unpacked(path: Path, look_of: Callable[[object], Recipe], folder: Path | None = None) -> Recipe:
    """Return a file's look, with unpacked files. Raises LookError.

    look_of: parses JSON values. folder: by default in the user's data.
    """
    try:
        with open_regular(path) as file:
            _check_archive(file)
            with zipfile.ZipFile(file) as archive:
                _check_entries(archive)
                content = _read(archive, archive.getinfo(CONTENTS), MOST_CONTENTS_BYTES)
                values, files = _listed(json.loads(content), archive)
                look = look_of(values)
                _check_inside(look)
                target = (folder or data_folder() / "look-files") / hashlib.sha256(content).hexdigest()[:32]
                for name, (size, sha256) in files.items():
                    _extract(archive, name, size, sha256, target)
    except LookError as error:
        raise LookError(f"{path} is not a look file: {error}") from None
    except (OSError, ValueError, KeyError, RecursionError, *_DAMAGED) as error:
        what = first_line(error) if isinstance(error, OSError) else "it is damaged, or a file of another kind"
        raise LookError(f"{path} cannot be read ({what}); check the file, and the disk with {data_folder()}") from None
    return look.with_files(lambda file: str(target / file))


def _check_archive(file: IO[bytes]) -> None:
    size = file.seek(0, os.SEEK_END)
    if size > MOST_BYTES + 2 * MOST_CONTENTS_BYTES:
        raise LookError(f"it has {data_size(size)}, more than {data_size(MOST_BYTES)}")
    file.seek(max(0, size - _END.size - _LOCATOR_64_BYTES))
    tail = file.read()
    file.seek(0)
    if len(tail) < _END.size:
        raise LookError("it is too short")
    mark, *_, entries, listed_bytes, _, comment_bytes = _END.unpack(tail[-_END.size :])
    if mark != _MARK or comment_bytes or tail[:4] == _MARK_64:
        raise LookError("it is damaged, or an archive of another kind")
    if entries > MOST_FILES + 1 or listed_bytes > MOST_CONTENTS_BYTES:
        raise LookError(f"it has {entries} files, more than {MOST_FILES}")


def _check_entries(archive: zipfile.ZipFile) -> None:
    for entry in archive.infolist():
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & ENCRYPTED:
            raise LookError("its files are encrypted, or compressed with a method other than ZIP's own")


def _listed(contents: Any, archive: zipfile.ZipFile) -> tuple[object, dict[str, tuple[int, str]]]:  # noqa: ANN401
    if not isinstance(contents, dict) or contents.keys() != {"framebrush_look_file", "look", "files"}:
        raise LookError("its look.json does not hold a look")
    if contents["framebrush_look_file"] != VERSION:
        raise LookError(f"its format is not {VERSION}, which this program reads; update Framebrush")
    files = dict(_checked(contents["files"]))
    entries = archive.infolist()
    if sorted(entry.filename for entry in entries) != sorted([CONTENTS, *files]):
        raise LookError("its files are not those listed in its look.json")
    if sum(size for size, _ in files.values()) > MOST_BYTES:
        raise LookError(f"its files have more than {data_size(MOST_BYTES)}")
    for entry in entries:
        if entry.filename in files and entry.file_size != files[entry.filename][0]:
            raise LookError(f"{entry.filename} does not have the size in its look.json")
    return contents["look"], files


def _checked(files: object) -> Iterator[tuple[str, tuple[int, str]]]:
    if not isinstance(files, dict) or len(files) > MOST_FILES:
        raise LookError("its look.json lists no files")
    folded: set[str] = set()
    for name, facts in files.items():
        first, *parts = PurePosixPath(name).parts or ("",)
        if first != FILES or not 1 <= len(parts) <= 2 or name != "/".join((first, *parts)):
            raise LookError(f"it contains a file {name[:80]!r}, which is not in {FILES}")
        if any(_safe(Path(part)) != part for part in parts) or name.casefold() in folded:
            raise LookError(f"its file name {name[:80]!r} is not valid on every system")
        folded.add(name.casefold())
        match facts:
            case {"bytes": int(size), "sha256": str(digest)} if size >= 0 and _SHA256.fullmatch(digest):
                yield name, (size, digest)
            case _:
                raise LookError(f"its look.json does not describe {name[:80]!r}")


def _check_inside(look: Recipe) -> None:
    for file in look.files:
        parts = PurePosixPath(file).parts
        if parts[:1] != (FILES,) or ".." in parts or "\\" in file or "\0" in file:
            raise LookError(f"it refers to {file[:80]!r}, which it does not contain")


def _read(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most_bytes: int) -> bytes:
    if entry.file_size > most_bytes:
        raise LookError(f"its {entry.filename} has more than {data_size(most_bytes)}")
    with archive.open(entry) as source:
        return source.read(most_bytes)


def _extract(archive: zipfile.ZipFile, name: str, size: int, sha256: str, folder: Path) -> None:
    target = folder / name
    if target.is_file() and target.stat().st_size == size:
        with open_regular(target) as present:
            if hashlib.file_digest(present, "sha256").hexdigest() == sha256:
                return
    target.parent.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256()
    with archive.open(name) as source, whole_file(target) as part:
        with part.open("wb") as into:
            left = size
            while left and (chunk := source.read(min(left, CHUNK_BYTES))):
                digest.update(chunk)
                into.write(chunk)
                left -= len(chunk)
        if left or digest.hexdigest() != sha256:
            raise LookError(f"{name} is damaged: its digest is not the one in its look.json")
