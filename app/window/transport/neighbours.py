"""The next and the previous video of the folder."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from framebrush.media.video_files import is_video_name
from framebrush.window.widgets.background import Background


def in_order(path: Path) -> tuple[object, ...]:
    """As people count: clip 9 before clip 10, whatever the case."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def neighbour(path: Path, by: int) -> Path | None:
    """The video so many places on in the folder; None beyond its ends. Not for the window's thread."""
    films = {each for each in path.parent.iterdir() if is_video_name(each) and each.is_file()}
    order = sorted(films | {path}, key=in_order)
    index = order.index(path) + by
    return order[index] if 0 <= index < len(order) else None


class Neighbours(QObject):
    """Looks for the neighbours of the video that is open."""

    found = Signal(object)  # a path

    def __init__(self, window: QObject) -> None:
        super().__init__(window)
        self._window = window

    def look(self, path: Path | None, by: int) -> None:
        """Find it, and emit it if there is one."""
        if path is not None:
            Background(partial(neighbour, path, by), self._take, self._window)

    def _take(self, path: Path | None) -> None:
        if path is not None:
            self.found.emit(path)
