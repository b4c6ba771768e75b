"""The window's persistent settings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Generic, TypeVar, get_args

from PySide6.QtCore import QByteArray, QCoreApplication, QSettings

from framebrush import sample
from framebrush.base.json_values import from_values, to_values
from framebrush.base.option import declared_in
from framebrush.gpu.kernel_cache import cache_folder
from framebrush.gpu.look import Look
from framebrush.models.style import Precision
from framebrush.playback.display.preview_quality import MODES, PreviewMode
from framebrush.styles.keys_folder import names_keys
from framebrush.styles.specs import OWN_COLOURS, ColourSpec, SizeSpec
from framebrush.styles.style_folder import data_folder
from framebrush.window.widgets.theme import Theme

RECENT = 10

RENDERS_GB, DEFAULT_RENDERS_GB = (0, 2, 5, 10, 20, 50), 5
"""Choices for the disk space of frames painted ahead, in gigabytes: 5 hold a minute of 1080p at 25 frames per
second."""

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""The window's settings, by name."""


_REMEMBERED = [option for option in declared_in(SizeSpec) if option.option.remembered]

T = TypeVar("T")


class _Setting(Generic[T]):
    """Setting stored as text; unreadable text counts as the default."""

    def __init__(self, key: str, default: T, read: Callable[[str], T], write: Callable[[T], str] = str) -> None:
        self._key, self._default, self._read, self._write = key, default, read, write

    def __get__(self, settings: Settings, owner: type[Settings]) -> T:
        try:
            return self._read(settings.text(self._key))
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
            return self._default

    def __set__(self, settings: Settings, value: T) -> None:
        settings.keep(self._key, self._write(value))


def _one_of(key: str, values: Iterable[T], default: T) -> _Setting[T]:
    return _Setting(key, default, {str(value): value for value in values}.__getitem__)


def _flag(key: str, default: bool = False) -> _Setting[bool]:
    return _Setting(key, default, {"true": True, "false": False}.__getitem__, json.dumps)


def _record(kind: type[T], key: str, default: T) -> _Setting[T]:
    def read(text: str) -> T:
        return from_values(kind, json.loads(text), key)

    return _Setting(key, default, read, lambda value: json.dumps(to_values(value)))


def _numbers(text: str) -> dict[str, int]:
    return {name: int(number) for name, number in json.loads(text).items()}


def _folder(text: str) -> Path | None:
    return Path(text) if os.path.isdir(text) else None  # noqa: PTH112 - Path raises for invalid paths


class _Bytes:
    """Setting in a binary format of Qt, such as geometry."""

    def __init__(self, key: str) -> None:
        self._key = key

    def __get__(self, settings: Settings, owner: type[Settings]) -> QByteArray:
        value = settings.value(self._key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def __set__(self, settings: Settings, value: QByteArray) -> None:
        settings.keep(self._key, value)


class Settings:
    """Typed access to QSettings."""

    theme: _Setting[Theme] = _one_of("theme", get_args(Theme), "system")
    """Dark, light, high contrast, or the desktop's."""
    language = _one_of("language", LANGUAGES, "")
    """One of LANGUAGES, or empty for the desktop's."""
    device = _Setting("device", "auto", lambda text: text or "auto")
    """The device, as for `open_device`."""
    style = _Setting("style", "", lambda text: "" if names_keys(text) else text)
    """The style's name, as for `open_style`; empty for the default. Never a folder of painted frames, which a film
    has for itself."""
    painted = _Setting("painted", "", str)
    """The folder of painted frames whose film is painted by them; empty for none."""
    colours = _record(ColourSpec, "colours", OWN_COLOURS)
    """The settings for the painting's colours."""
    preview: _Setting[PreviewMode] = _one_of("preview", MODES, "auto")
    """The preview quality."""
    precision: _Setting[Precision] = _one_of("precision", get_args(Precision), "auto")
    """The precision of networks."""
    renders_gb = _one_of("renders-gb", RENDERS_GB, DEFAULT_RENDERS_GB)
    """How many gigabytes of disk space painted frames may take."""
    paint_ahead = _flag("paint-ahead", default=True)
    """Whether frames are painted ahead."""
    volume = _Setting("volume", 1.0, lambda text: min(1.0, max(0.0, float(text))))
    """The volume, 0..1."""
    muted = _flag("muted")
    """Whether the audio is muted."""
    quality: _Setting[Mapping[str, int]] = _Setting("quality", {}, _numbers, json.dumps)
    """The last chosen CRF value for each encoder, by name."""
    ten_bits = _flag("ten-bits")
    """Whether a GPU presents with 10 bits per colour."""
    all_cards = _flag("all-cards")
    """Whether an export is spread over all graphics cards."""
    sections: _Setting[tuple[str, ...]] = _record(tuple[str, ...], "sections", ("style", "brush"))
    """Open parts of the inspector: sections, their advanced rows, the blend of paintings."""
    hinted = _flag("hinted")
    """Whether the hint for the first video was shown."""
    toured = _flag("toured")
    """Whether the tour was shown."""
    _recent: _Setting[Sequence[str]] = _record(tuple[str, ...], "recent", ())
    output_folder = _Setting("folder-results", None, _folder, lambda folder: str(folder or ""))
    """The folder for the results of queued videos; None for next to each video, or if it no longer exists."""
    geometry = _Bytes("geometry")
    """The window's geometry; empty at first."""
    columns = _Bytes("columns")
    """The splitter's state; empty at first."""
    _look = _record(Look, "look", Look())

    def __init__(self, store: QSettings | None = None, data: Path | None = None) -> None:
        self._store = store or QSettings()
        self.data_folder = data or data_folder()
        self.renders_folder = cache_folder("renders") if data is None else data / "renders"
        self.recent_folder = cache_folder("recent") if data is None else data / "recent"
        # Otherwise Python's garbage collector deletes it, possibly in the player's thread.
        self._store.setParent(QCoreApplication.instance())

    @property
    def look(self) -> Look:
        """Look without divider and weights, which belong to a style."""
        return self._look.undivided.with_values(mix=())

    @look.setter
    def look(self, look: Look) -> None:
        self._look = look.undivided.with_values(mix=())

    @property
    def strokes(self) -> SizeSpec:
        """Options of strokes; unreadable ones are defaults."""
        found = SizeSpec()
        for option in _REMEMBERED:
            with suppress(ValueError):
                found = replace(found, **{option.field: option.read(self.text(option.spelling))})
        return found

    @strokes.setter
    def strokes(self, sizes: SizeSpec) -> None:
        for option in _REMEMBERED:
            self.keep(option.spelling, option.text_of(getattr(sizes, option.field)))

    @property
    def recent(self) -> list[Path]:
        """Recent videos, the newest first."""
        return [Path(text) for text in self._recent]

    def add_recent(self, path: Path) -> None:
        """Add a video to the recent ones, except the sample film."""
        first = path.absolute()
        if path != sample.PATH:
            self._recent = [str(each) for each in (first, *(each for each in self.recent if each != first))][:RECENT]

    def clear_recent(self) -> None:
        """Clear the recent videos."""
        self._recent = ()

    def unfold(self, section: str, on: bool) -> None:
        """Remember an open part of the inspector, or forget it."""
        others = tuple(name for name in self.sections if name != section)
        self.sections = (*others, section) if on else others

    def folder(self, kind: str) -> Path | None:
        """Return the last folder for a kind of file, if it exists."""
        return _folder(self.text(f"folder-{kind}"))

    def set_folder(self, kind: str, folder: Path | None) -> None:
        """Remember or forget (None) the last folder for a kind of file."""
        self.keep(f"folder-{kind}", str(folder or ""))

    def path(self, kind: str) -> str:
        """Return the last file or program of a kind, or ""."""
        text = self.text(f"path-{kind}")
        return text if os.path.isfile(text) else ""  # noqa: PTH113 - Path raises for invalid paths

    def set_path(self, kind: str, path: str) -> None:
        self.keep(f"path-{kind}", path)

    def keep(self, key: str, value: str | QByteArray) -> None:
        """Keep a value under a key."""
        self._store.setValue(key, value)

    def value(self, key: str) -> object:
        """Return the value of a key, or ""."""
        return self._store.value(key, "")

    def text(self, key: str) -> str:
        """Return the text of a key, or ""."""
        value = self.value(key)
        return value if isinstance(value, str) else ""
