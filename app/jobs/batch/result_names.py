"""Unique, stable names for results in a folder.

A file there stores them by hashes of paths.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from framebrush.base.file_names import NUMBER
from framebrush.base.json_values import JsonError
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.segments.job_folder import read_json, write_json
from framebrush.media.containers import usual_ending
from framebrush.media.streams.provenance import read_made_of
from framebrush.media.video import OutputError
from framebrush.styles.style_folder import FILES

NAMES = ".framebrush-names.json"
VERSION = 1
"""Version of the ledger. Increase it when adding a field that older programs would misread."""

_FIELD = re.compile(r"\{(\w*)\}")
_FIELDS = ("stem", "suffix", "style", "number")


@dataclass(frozen=True, slots=True)
class Named:
    """Known video. source: path's hash. targets: for any --name."""

    source: str
    number: int
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ledger:
    """Content of the names' file."""

    version: int = VERSION
    named: tuple[Named, ...] = ()


class Names:
    """Names of videos' results in a folder."""

    def __init__(self, out: Path, template: str, style: str) -> None:
        """Raises ValueError, OutputError. template: with {stem}, {suffix}, {style}, {number}."""
        if os.path.isfile(out):  # noqa: PTH113 - unlike pathlib's, it accepts a name that is too long
            raise OutputError(f"{out} is a file", do="give --out a folder; transcode paints one video into a file")
        self.out, self._template, self._style = out, template, _as_name(style)
        if NUMBER.search(template):
            raise ValueError(f"--name {template}: a batch writes videos; transcode writes numbered pictures")
        unknown = [field for field in _FIELD.findall(template) if field not in _FIELDS]
        if unknown or not template:
            raise ValueError(
                f"--name {template}: {{{unknown[0] if unknown else ''}}} is not one of {', '.join(_FIELDS)}"
            )
        self._filled(Path("a.mp4"), 1)
        self._named: dict[str, Named] = {}
        self._owners: dict[str, str] = {}
        self._saved = Ledger()
        with suppress(OSError, JsonError):  # otherwise assign new names: existing files record their sources
            self._saved = read_json(Ledger, out / NAMES)
        for named in self._saved.named:
            self._named[named.source] = named
            self._owners |= dict.fromkeys(named.targets, named.source)
        self._last_number = max((named.number for named in self._saved.named), default=0)

    def assign(self, sources: list[tuple[Path, Path]]) -> list[Path]:
        """Return each video's own target."""
        keys = [_key(source) for source, _ in sources]
        return [self._target(source, below, key, set(keys)) for (source, below), key in zip(sources, keys, strict=True)]

    def save(self) -> None:
        """Save the names. Raises OSError, OutputError."""
        ledger = Ledger(VERSION, tuple(self._named.values()))
        if ledger != self._saved:
            write_json(self.out / NAMES, ledger)
            self._saved = ledger

    def _target(self, source: Path, below: Path, key: str, present: set[str]) -> Path:
        named = self._named.get(key)
        if named is None:
            self._last_number += 1
            named = self._named[key] = Named(key, self._last_number)
        free: Path | None = None
        for name in _series(below / self._filled(source, named.number)):
            owner = self._owners.get(_compared(name))
            if owner == key:
                return self.out / name
            if free is None and (owner is None or (owner not in present and self._may_take(name, source))):
                free = name
            if owner is None:
                break
        assert free is not None
        self._owners[_compared(free)] = key
        self._named[key] = replace(named, targets=(*named.targets, _compared(free)))
        return self.out / free

    def _may_take(self, name: Path, source: Path) -> bool:
        """Return whether a video may take a moved one's name."""
        target = self.out / name
        if not os.path.lexists(target):
            return True
        try:
            record = read_made_of(target)
            made_of = JobIdentity.from_text(record.text if record else "").source
            return made_of.size_bytes == source.stat().st_size and made_of.may_have_become(source)
        except (OSError, JsonError):
            return False

    def _filled(self, source: Path, number: int) -> str:
        fields = {"stem": source.stem, "suffix": usual_ending(source), "style": self._style, "number": f"{number:03}"}
        filled = _FIELD.sub(lambda match: fields[match[1]], self._template)
        if Path(filled).name != filled or filled in (".", ".."):
            raise ValueError(f"--name {self._template}: a name must not contain folders")
        return filled


def _series(name: Path) -> Iterator[Path]:
    yield name
    for number in count(2):
        yield name.with_stem(f"{name.stem}-{number}")


def _key(source: Path) -> str:
    return hashlib.sha256(os.fsencode(real(source))).hexdigest()[:32]


def real(path: str | Path) -> Path:
    return Path(os.path.realpath(path))


def _compared(name: Path) -> str:
    return os.fsencode(name.as_posix().casefold()).decode(errors="backslashreplace")


def _as_name(style: str) -> str:
    return re.sub(r"[^\w.-]+", "-", Path(style).stem if Path(style).suffix.lower() in FILES else style)
