"""Identity of a job, by which segments fit together."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Self

import av

from framebrush.base.files import FileState, file_state, open_regular
from framebrush.base.json_values import JsonError, from_values, to_values
from framebrush.base.text import first_line
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.encoding.encoders import Choice
from framebrush.media.reading.open import first_picture, is_numbered, picture_path, picture_states
from framebrush.media.video import InputError, OpenOptions
from framebrush.styles.maps import NUMBERED
from framebrush.styles.style_names import OpenedStyle, area_of, needs_far
from framebrush.subject.networks import FAR_FILE, FILES
from framebrush.subject.networks import digest as subject_digest

SAMPLE_BYTES = 1 << 20
"""Bytes that are hashed at both ends of a source: hashing a large file takes too long."""

WHOLE_BYTES = 2 * SAMPLE_BYTES
"""Files up to this size are hashed completely."""

SPREAD_SAMPLES = 64
SPREAD_BYTES = 64 << 10
"""Number and size of samples between the ends of a source."""

_NAMES = {
    "source": "the source",
    "style_sha256": "the style or its colours",
    "versions": "the versions",
    "encoder": "the encoder",
    "settings": "the settings",
    "subject_sha256": "the networks that find faces and people",
}


@dataclass(frozen=True, slots=True)
class SourceIdentity:
    """Size and samples of a source; copies are equal.

    modified_ms: 0, except from older versions. sha256: of both ends' SAMPLE_BYTES, or all numbered pictures' samples.
    spread_sha256: of SPREAD_SAMPLES samples between.
    """

    size_bytes: int
    modified_ms: int
    sha256: str
    spread_sha256: str = ""

    @classmethod
    def of(cls, path: Path, opening: OpenOptions) -> Self:
        """Identify a source. Raises InputError."""
        try:
            if opening.rate is not None:
                return cls._of_pictures(path)
            with path.open("rb") as file:
                return cls.of_open(file)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({first_line(error)})") from None

    @classmethod
    def of_open(cls, file: BinaryIO) -> Self:
        """Identify an open file. Raises OSError."""
        state = os.fstat(file.fileno())
        return cls(state.st_size, 0, *_sampled(file, state.st_size))

    def begins(self, file: BinaryIO) -> bool:
        """Return whether a file begins with this source. Raises OSError."""
        if os.fstat(file.fileno()).st_size < self.size_bytes:
            return False
        return _sampled(file, self.size_bytes) == (self.sha256, self.spread_sha256)

    def may_have_become(self, path: Path) -> bool:
        """Return `begins` for a path, False if unreadable."""
        try:
            with path.open("rb") as file:
                return self.begins(file)
        except OSError:
            return False

    @classmethod
    def _of_pictures(cls, path: Path) -> Self:
        states = picture_states(path)
        return cls(sum(state[1] for state in states), 0, _of_pictures(path.absolute(), states))


@lru_cache(maxsize=8)
def _of_pictures(path: Path, states: tuple[FileState, ...]) -> str:
    digest = hashlib.sha256()
    for number, (_, size, *_times) in zip(first_picture(path), states, strict=False):
        picture = picture_path(path, number)
        with open_regular(picture) as file:
            digest.update(f"{size} {' '.join(_sampled(file, size))}\n".encode())
    return digest.hexdigest()


def _sampled(file: BinaryIO, size: int) -> tuple[str, str]:
    begin, between = max(0, size - SAMPLE_BYTES), max(0, size - WHOLE_BYTES)
    ends = ((0, min(SAMPLE_BYTES, size)), (begin, size - begin))
    places = [SAMPLE_BYTES + between * number // SPREAD_SAMPLES for number in range(SPREAD_SAMPLES)]
    spread = [(place, min(SPREAD_BYTES, begin - place)) for place in places if place < begin]
    return _hash_of(file, ends), _hash_of(file, spread)


def _hash_of(file: BinaryIO, parts: Iterable[tuple[int, int]]) -> str:
    digest = hashlib.sha256()
    for place, count in parts:
        file.seek(place)
        digest.update(file.read(count))
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Versions:
    """Versions of everything that affects the result."""

    framebrush: str
    pyav: str
    ffmpeg: str

    @classmethod
    @cache
    def here(cls) -> Self:
        import importlib.metadata  # imported above it would take a tenth of the window's start

        libraries = ", ".join("{} {}.{}.{}".format(name, *number) for name, number in av.library_versions.items())
        try:
            version = importlib.metadata.version("framebrush")
        except importlib.metadata.PackageNotFoundError:
            version = "run from its folder, not installed"
        return cls(version, av.__version__, f"{av.ffmpeg_version_info} ({libraries})")


@dataclass(frozen=True, slots=True)
class EncoderIdentity:
    """Encoder settings. width, height: coded. bit_rate: in bit/s."""

    name: str
    pix_fmt: str
    width: int
    height: int
    crf: float | None
    preset: str | None
    bit_rate: int | None = None

    @classmethod
    def of(cls, choice: Choice) -> Self:
        encoder, rate = choice.encoder, choice.rate.mean if choice.rate is not None else None
        return cls(encoder.name, choice.pix_fmt, choice.width, choice.height, choice.crf, choice.preset, rate)


@dataclass(frozen=True)
class JobIdentity:
    """Identity of a job, without paths. subject_sha256: of mask networks."""

    source: SourceIdentity
    style_sha256: str
    versions: Versions
    encoder: EncoderIdentity
    settings: JobSpec
    subject_sha256: str = ""

    @classmethod
    def of(cls, spec: JobSpec, source: SourceIdentity, style: OpenedStyle, choice: Choice) -> Self:
        """Return a job's identity. Raises InputError."""
        made = cls(
            source,
            style.digest,
            Versions.here(),
            EncoderIdentity.of(choice),
            settings_of(spec),
            subject_of(spec.recipe, style),
        )
        return from_values(cls, to_values(made), "identity")  # normalised as after reading: 0.0 for 0

    @cached_property
    def key(self) -> str:
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def to_text(self) -> str:
        """Format as one line of JSON."""
        return json.dumps(to_values(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Parse the text. Raises JsonError."""
        try:
            values = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise JsonError(f"the record is not JSON ({first_line(error)})") from None
        return from_values(cls, values, "record")

    def changed(self, former: JobIdentity) -> set[str]:
        """Return the names of differing fields."""
        return {field for field in _NAMES if getattr(self, field) != getattr(former, field)}

    def changes(self, former: JobIdentity) -> str:
        """Describe differences: "the source, the settings (look.strength)"."""
        words = []
        changed = self.changed(former)
        for name, title in _NAMES.items():
            if name in changed:
                new, old = to_values(getattr(self, name)), to_values(getattr(former, name))
                fields = ", ".join(_changed(new, old)) if name in ("settings", "versions", "encoder") else ""
                words.append(f"{title} ({fields})" if fields else title)
        return ", ".join(words)


def settings_of(spec: JobSpec) -> JobSpec:
    """Return a spec without files and devices. Raises InputError."""
    return replace(
        spec,
        source="source",
        target="target",
        recipe=spec.recipe.by_content(_content_of),
        device="auto",
        engine="auto",
        segments="auto",
        decode=replace(spec.decode, hwaccel=None),
        output=replace(spec.output, overwrite=False),
        owner="",
    )


def recipe_key(recipe: Recipe, style: OpenedStyle) -> str:
    """Return a recipe's digest, with its files. Raises InputError."""
    parts = recipe.by_content(_content_of).digest, style.digest, subject_of(recipe, style)
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def subject_of(recipe: Recipe, style: OpenedStyle) -> str:
    """Return the mask networks' digest, "" if unused."""
    look = recipe.most_look.of(style.style.card)
    area = area_of(recipe.sizes, look)
    if not (look.needs_faces or area):
        return ""
    of_area = (area.value,) if area is not None and area.value else ()
    return subject_digest(*FILES, *of_area, *((FAR_FILE,) if needs_far(recipe.sizes, look) else ()))


def _content_of(path: str) -> str:
    file = Path(path)
    if is_numbered(file):
        return SourceIdentity.of(file, NUMBERED).sha256
    try:
        return _whole(file, file_state(file))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)}); check the name and the folder") from None


@lru_cache(maxsize=8)
def _whole(path: Path, _: FileState) -> str:
    with open_regular(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _changed(new: dict[str, Any], old: dict[str, Any]) -> list[str]:
    names = []
    for name in new.keys() | old.keys():
        a, b = new.get(name), old.get(name)
        if isinstance(a, dict) and isinstance(b, dict):
            names += [f"{name}.{inner}" for inner in _changed(a, b)]
        elif a != b:
            names.append(name)
    return sorted(names)
