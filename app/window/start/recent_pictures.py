"""Thumbnails of recent videos and projects."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from framebrush.base.files import file_state
from framebrush.base.worker_thread import EndingWorkers
from framebrush.media.video import VideoInfo
from framebrush.playback.display.seek_preview import SeekPreview
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.images import image_of_rgb, save_whole

SHARE = 0.1
"""The position of a film's thumbnail as a share of its length, as films begin with black."""

QUALITY = 85

Shown = list[tuple[Path, QImage]]
"""Existing videos, the newest first, and their thumbnails; a null image if there is none yet."""


def picture_of(video: Path, folder: Path) -> Path:
    """Return a video's thumbnail file. Raises OSError."""
    text = f"{video.absolute()}\n{file_state(video)}"
    return folder / f"{hashlib.sha256(text.encode(errors='surrogateescape')).hexdigest()[:32]}.jpg"


def read(videos: Sequence[Path], folder: Path) -> Shown:
    """Return existing videos with thumbnails; remove all others. Slow."""
    places: dict[Path, Path] = {}
    for video in videos:
        with suppress(OSError, ValueError):
            places[video] = picture_of(video, folder)
    for picture in folder.glob("*.jpg"):
        if picture not in places.values():
            with suppress(OSError):
                picture.unlink()
    return [(video, QImage(str(place))) for video, place in places.items()]


def write(video: Path, folder: Path, picture: npt.NDArray[np.uint8]) -> None:
    """Save a missing thumbnail (H, W, 3), if the folder is writable."""
    write_painted(video, folder, image_of_rgb(picture), new=True)


def write_painted(video: Path, folder: Path, picture: QImage, *, new: bool = False) -> None:
    """Save a painted frame as a thumbnail, if the folder is writable. new: never replace one."""
    with suppress(OSError, ValueError):
        folder.mkdir(parents=True, exist_ok=True)
        save_whole(picture, picture_of(video, folder), QUALITY, new=new)


class RecentPictures(QObject):
    """Makes thumbnails of opened videos, and reads them in the background."""

    def __init__(self, folder: Path, parent: QObject, reading: ReadingProcess | None = None) -> None:
        super().__init__(parent)
        self._reading = reading
        self._folder = folder
        self._making: SeekPreview | None = None
        self._ending = EndingWorkers()

    def make(self, info: VideoInfo, entry: Path) -> None:
        """Make a thumbnail. entry: the video or its project."""
        self.close()
        if info.path is not None:
            self._making = SeekPreview(info, lambda _, picture: write(entry, self._folder, picture), self._reading)
            self._making.request((SHARE * (info.duration_s or 0.0),))

    def keep(self, entry: Path, painted: QImage) -> None:
        """Keep a painted frame as an entry's thumbnail."""
        Background(partial(write_painted, entry, self._folder, painted), lambda _: None, self)

    def look(self, videos: Sequence[Path], then: Callable[[Shown], None]) -> None:
        """Read thumbnails, and call `then` in the window's thread."""
        Background(partial(read, tuple(videos), self._folder), then, self)

    def close(self, *, wait: bool = False) -> None:
        """Stop creating thumbnails. wait: until that has ended."""
        self._ending.end(self._making, wait=wait)
        self._making = None
