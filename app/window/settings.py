"""The window's settings, which persist between sessions."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

from PySide6.QtCore import QByteArray, QCoreApplication, QSettings

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


class Settings:
    """Typed access to QSettings. A value that cannot be read, such as one from a newer or damaged file, becomes the
    default."""

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
    def theme(self) -> Theme:
        """Dark, light, high contrast, or the desktop's."""
        text = self._text("theme")
        return cast(Theme, text) if text in get_args(Theme) else "system"

    @theme.setter
    def theme(self, theme: Theme) -> None:
        self._store.setValue("theme", theme)

    @property
    def language(self) -> str:
        """One of LANGUAGES, or empty for the desktop's."""
        text = self._text("language")
        return text if text in LANGUAGES else ""

    @language.setter
    def language(self, language: str) -> None:
        self._store.setValue("language", language)

    @property
    def device(self) -> str:
        """The device, as for `open_device`."""
        return self._text("device") or "auto"

    @device.setter
    def device(self, device: str) -> None:
        self._store.setValue("device", device)

    @property
    def style(self) -> str:
        """The style's name, as for `open_style`; empty for the default."""
        return self._text("style")

    @style.setter
    def style(self, style: str) -> None:
        self._store.setValue("style", style)

    @property
    def look(self) -> Look:
        """The look, without weights (which belong to a style) and without the divider."""
        try:
            look = from_values(Look, json.loads(self._text("look") or "{}"), "look")
        except (ValueError, RecursionError):
            return Look()
        return replace(look, split=None, mix=())

    @look.setter
    def look(self, look: Look) -> None:
        self._store.setValue("look", json.dumps(to_values(replace(look, split=None, mix=()))))

    @property
    def colours(self) -> ColourSpec:
        """The settings for the painting's colours."""
        try:
            return from_values(ColourSpec, json.loads(self._text("colours") or "{}"), "colours")
        except (ValueError, RecursionError):
            return OWN_COLOURS

    @colours.setter
    def colours(self, colours: ColourSpec) -> None:
        self._store.setValue("colours", json.dumps(to_values(colours)))

    @property
    def strokes(self) -> SizeSpec:
        """The size of brush strokes, and the brush, of a result of any size."""
        stroke, kind = self._text("stroke") or "auto", self._text("brush-kind")
        brush = SizeSpec(
            brush_kind=kind if kind in PRESETS else None,
            brush_mark=self._text("brush-mark") or None,
            few_strokes=self._text("few-strokes") == "true",
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
    def preview(self) -> PreviewMode:
        """The preview quality."""
        text = self._text("preview")
        return next((mode for mode in MODES if mode == text), "auto")

    @preview.setter
    def preview(self, mode: PreviewMode) -> None:
        self._store.setValue("preview", mode)

    @property
    def precision(self) -> Precision:
        """The precision of networks on GPUs."""
        text = self._text("precision")
        return next((precision for precision in get_args(Precision) if precision == text), "auto")

    @precision.setter
    def precision(self, precision: Precision) -> None:
        self._store.setValue("precision", precision)

    @property
    def renders_gb(self) -> int:
        """How many gigabytes of disk space painted frames may take."""
        text = self._text("renders-gb")
        return int(text) if text.isdecimal() and int(text) in RENDERS_GB else DEFAULT_RENDERS_GB

    @renders_gb.setter
    def renders_gb(self, gigabytes: int) -> None:
        self._store.setValue("renders-gb", str(gigabytes))

    @property
    def paint_ahead(self) -> bool:
        """Whether frames are painted ahead."""
        return self._text("paint-ahead") != "false"

    @paint_ahead.setter
    def paint_ahead(self, on: bool) -> None:
        self._store.setValue("paint-ahead", "true" if on else "false")

    @property
    def volume(self) -> float:
        """The volume, 0..1."""
        try:
            return min(1.0, max(0.0, float(self._text("volume") or 1.0)))
        except ValueError:
            return 1.0

    @volume.setter
    def volume(self, volume: float) -> None:
        self._store.setValue("volume", str(volume))

    @property
    def muted(self) -> bool:
        """Whether the audio is muted."""
        return self._text("muted") == "true"

    @muted.setter
    def muted(self, muted: bool) -> None:
        self._store.setValue("muted", "true" if muted else "false")

    @property
    def quality(self) -> dict[str, int]:
        """The last chosen CRF value for each encoder, by name."""
        try:
            values = json.loads(self._text("quality") or "{}")
            return {str(name): int(number) for name, number in values.items()}
        except (ValueError, TypeError, AttributeError, OverflowError, RecursionError):
            return {}

    @quality.setter
    def quality(self, quality: dict[str, int]) -> None:
        self._store.setValue("quality", json.dumps(quality))

    @property
    def ten_bits(self) -> bool:
        """Whether a GPU presents with 10 bits per colour."""
        return self._text("ten-bits") == "true"

    @ten_bits.setter
    def ten_bits(self, on: bool) -> None:
        self._store.setValue("ten-bits", "true" if on else "false")

    @property
    def all_cards(self) -> bool:
        """Whether an export is spread over all graphics cards."""
        return self._text("all-cards") == "true"

    @all_cards.setter
    def all_cards(self, on: bool) -> None:
        self._store.setValue("all-cards", "true" if on else "false")

    @property
    def brushwork(self) -> bool:
        """Whether the sliders for brush and relief are shown."""
        return self._text("brushwork") == "true"

    def show_brushwork(self, on: bool) -> None:
        """Remember whether they are shown."""
        self._store.setValue("brushwork", "true" if on else "false")

    @property
    def expert(self) -> bool:
        """Whether all settings of the look are shown, and the tiles are small."""
        return self._text("expert") == "true"

    @expert.setter
    def expert(self, on: bool) -> None:
        self._store.setValue("expert", "true" if on else "false")

    @property
    def hinted(self) -> bool:
        """Whether the hint for the first video was shown."""
        return self._text("hinted") == "true"

    @hinted.setter
    def hinted(self, done: bool) -> None:
        self._store.setValue("hinted", "true" if done else "false")

    @property
    def recent(self) -> list[Path]:
        """The recent videos, the newest first."""
        return self._paths("recent")

    def add_recent(self, path: Path) -> None:
        """Put a video at the top of the list."""
        self._store.setValue("recent", json.dumps([str(p) for p in self._first(path.absolute(), self.recent)][:RECENT]))

    def clear_recent(self) -> None:
        """Clear the list of recent videos."""
        self._store.remove("recent")

    def folder(self, kind: str) -> Path | None:
        """The folder in which a file of this kind was last chosen; None if there is none or it no longer exists."""
        text = self._text(f"folder-{kind}")
        return Path(text) if os.path.isdir(text) else None  # noqa: PTH112 - Path raises for invalid paths

    def set_folder(self, kind: str, folder: Path) -> None:
        """Remember the folder in which a file of this kind was chosen."""
        self._store.setValue(f"folder-{kind}", str(folder))

    def path(self, kind: str) -> str:
        """The last chosen file or program of this kind; "" if there is none or it no longer exists."""
        text = self._text(f"path-{kind}")
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

    def _bytes(self, key: str) -> QByteArray:
        value = self._store.value(key)
        return value if isinstance(value, QByteArray) else QByteArray()

    def _text(self, key: str) -> str:
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""

    def _paths(self, key: str) -> list[Path]:
        try:
            texts = json.loads(self._text(key) or "[]")
            return [Path(text) for text in texts if isinstance(text, str)] if isinstance(texts, list) else []
        except (ValueError, TypeError, RecursionError):
            return []

    @staticmethod
    def _first(path: Path, paths: list[Path]) -> list[Path]:
        return [path, *(other for other in paths if other != path)]
