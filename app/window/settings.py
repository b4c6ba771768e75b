"""The window's settings, which persist between sessions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar, get_args

from PySide6.QtCore import QByteArray, QCoreApplication, QSettings

from framebrush import sample
from framebrush.base.json_values import from_values, to_values
from framebrush.gpu.kernel_cache import cache_folder
from framebrush.gpu.stages.look import Look
from framebrush.models.brushes import PRESETS
from framebrush.models.style import Precision
from framebrush.playback.display.preview_quality import MODES, PreviewMode
from framebrush.styles.folder import data_folder
from framebrush.styles.specs import OWN_COLOURS, ColourSpec, SizeSpec
from framebrush.window.widgets.theme import Theme

RECENT = 10

RENDERS_GB, DEFAULT_RENDERS_GB = (0, 2, 5, 10, 20, 50), 5
"""Choices for the disk space of frames painted ahead, in gigabytes: 5 hold a minute of 1080p at 25 frames per
second."""

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Those of the window, each by its own name."""


T = TypeVar("T")


class _Setting(Generic[T]):
    """A setting that is kept as a text. A text that cannot be read, such as one from a newer or damaged file, is the
    default."""

    def __init__(self, key: str, default: T, read: Callable[[str], T], write: Callable[[T], str] = str) -> None:
        """read: of a text that `write` may not have written; may raise what `json` and conversions raise."""
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


def _numbers(values: dict[str, Any]) -> dict[str, int]:
    return {name: int(number) for name, number in values.items()}


class Settings:
    """Typed access to QSettings."""

    theme: _Setting[Theme] = _one_of("theme", get_args(Theme), "system")
    """Dark, light, high contrast, or the desktop's."""
    language = _one_of("language", LANGUAGES, "")
    """One of LANGUAGES, or empty for the desktop's."""
    device = _Setting("device", "auto", lambda text: text or "auto")
    """The device, as for `open_device`."""
    style = _Setting("style", "", str)
    """The style's name, as for `open_style`; empty for the default."""
    colours = _record(ColourSpec, "colours", OWN_COLOURS)
    """The settings for the painting's colours."""
    preview: _Setting[PreviewMode] = _one_of("preview", MODES, "auto")
    """The preview quality."""
    precision: _Setting[Precision] = _one_of("precision", get_args(Precision), "auto")
    """The precision of networks on GPUs."""
    renders_gb = _one_of("renders-gb", RENDERS_GB, DEFAULT_RENDERS_GB)
    """How many gigabytes of disk space painted frames may take."""
    paint_ahead = _flag("paint-ahead", default=True)
    """Whether frames are painted ahead."""
    volume = _Setting("volume", 1.0, lambda text: min(1.0, max(0.0, float(text))))
    """The volume, 0..1."""
    muted = _flag("muted")
    """Whether the audio is muted."""
    quality: _Setting[Mapping[str, int]] = _Setting("quality", {}, lambda text: _numbers(json.loads(text)), json.dumps)
    """The last chosen CRF value for each encoder, by name."""
    ten_bits = _flag("ten-bits")
    """Whether a GPU presents with 10 bits per colour."""
    all_cards = _flag("all-cards")
    """Whether an export is spread over all graphics cards."""
    brushwork = _flag("brushwork")
    """Whether the sliders for brush and relief are shown."""
    expert = _flag("expert")
    """Whether all settings of the look are shown, and the tiles are small."""
    hinted = _flag("hinted")
    """Whether the hint for the first video was shown."""
    _recent: _Setting[Sequence[str]] = _record(tuple[str, ...], "recent", ())
    _look = _record(Look, "look", Look())

    def __init__(self, store: QSettings | None = None, data: Path | None = None) -> None:
        """data: the folder for the user's files and for cached ones; by default the desktop's folders for this
        program."""
        self._store = store or QSettings()
        self.data_folder = data or data_folder()
        self.renders_folder = cache_folder("renders") if data is None else data / "renders"
        self.recent_folder = cache_folder("recent") if data is None else data / "recent"
        # Otherwise Python's garbage collector deletes it, possibly in the player's thread.
        self._store.setParent(QCoreApplication.instance())

    @property
    def look(self) -> Look:
        """The look, without weights (which belong to a style) and without the divider."""
        return replace(self._look, split=None, mix=())

    @look.setter
    def look(self, look: Look) -> None:
        self._look = replace(look, split=None, mix=())

    @property
    def strokes(self) -> SizeSpec:
        """The size of brush strokes, and the brush, of a result of any size."""
        stroke, kind = self.text("stroke") or "auto", self.text("brush-kind")
        brush = SizeSpec(
            brush_kind=kind if kind in PRESETS else None,
            brush_mark=self.text("brush-mark") or None,
            few_strokes=self.text("few-strokes") == "true",
        )
        try:
            return replace(brush, stroke="auto" if stroke == "auto" else float(stroke))
        except ValueError:
            return replace(brush, stroke=1.0)

    @strokes.setter
    def strokes(self, strokes: SizeSpec) -> None:
        self._store.setValue("stroke", str(strokes.stroke))
        self._store.setValue("brush-kind", strokes.brush_kind or "")
        self._store.setValue("brush-mark", strokes.brush_mark or "")
        self._store.setValue("few-strokes", "true" if strokes.few_strokes else "false")

    @property
    def recent(self) -> list[Path]:
        """The recent videos, the newest first."""
        return [Path(text) for text in self._recent]

    def add_recent(self, path: Path) -> None:
        """Put a video at the top of the list. The sample film has a button of its own."""
        first = path.absolute()
        if path != sample.PATH:
            self._recent = [str(each) for each in (first, *(each for each in self.recent if each != first))][:RECENT]

    def clear_recent(self) -> None:
        """Clear the list of recent videos."""
        self._recent = ()

    def folder(self, kind: str) -> Path | None:
        """The folder in which a file of this kind was last chosen; None if there is none or it no longer exists."""
        text = self.text(f"folder-{kind}")
        return Path(text) if os.path.isdir(text) else None  # noqa: PTH112 - Path raises for invalid paths

    def set_folder(self, kind: str, folder: Path) -> None:
        """Remember the folder in which a file of this kind was chosen."""
        self._store.setValue(f"folder-{kind}", str(folder))

    def path(self, kind: str) -> str:
        """The last chosen file or program of this kind; "" if there is none or it no longer exists."""
        text = self.text(f"path-{kind}")
        return text if os.path.isfile(text) else ""  # noqa: PTH113 - Path raises for invalid paths

    def set_path(self, kind: str, path: str) -> None:
        """Remember the chosen file or program of this kind."""
        self._store.setValue(f"path-{kind}", path)

    @property
    def output_folder(self) -> Path | None:
        """The folder for the results of queued videos; None for next to each video, or if it no longer exists."""
        return self.folder("results")

    @output_folder.setter
    def output_folder(self, folder: Path | None) -> None:
        self._store.setValue("folder-results", str(folder) if folder is not None else "")

    @property
    def geometry(self) -> QByteArray:
        """The window's geometry; empty at first."""
        return self._bytes("geometry")

    @geometry.setter
    def geometry(self, geometry: QByteArray) -> None:
        self._store.setValue("geometry", geometry)

    @property
    def columns(self) -> QByteArray:
        """The splitter's state; empty at first."""
        return self._bytes("columns")

    @columns.setter
    def columns(self, columns: QByteArray) -> None:
        self._store.setValue("columns", columns)

    def keep(self, key: str, text: str) -> None:
        """Keep a text under a key."""
        self._store.setValue(key, text)

    def _bytes(self, key: str) -> QByteArray:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def text(self, key: str) -> str:
        """What is kept under a key; empty if nothing is."""
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""
