"""Videos of a folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication

from framebrush.media.video_files import is_video_name
from framebrush.playback.events import Notification


def in_order(path: Path) -> tuple[object, ...]:
    """Return a key for natural sorting: clip 9 before clip 10."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def videos_in(path: Path) -> list[Path] | Notification:
    """Return a folder's videos or its problem; else the file. Slow."""
    try:
        found = sorted(_videos(path), key=in_order) if path.is_dir() else [path]
    except OSError as error:
        text = QCoreApplication.translate("Folder", "{name} cannot be read.")
        return Notification.of(text.format(name=path.name), error)
    text = QCoreApplication.translate("Folder", "There is no video in the folder {name}.")
    return found or Notification(text.format(name=path.name))


def neighbour(path: Path, by: int) -> Path | None:
    """Return the video `by` places further in the folder, if any. Slow."""
    order = sorted({*_videos(path.parent), path}, key=in_order)
    index = order.index(path) + by
    return order[index] if 0 <= index < len(order) else None


def _videos(folder: Path) -> Iterator[Path]:
    return (each for each in folder.iterdir() if is_video_name(each) and each.is_file())
