"""A small picture of each of the videos opened last, kept in the person's cache folder.

There is one for each entry of the list and none besides: the pictures of videos that are gone from it, that were
changed, or whose files are gone, are removed.
"""

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

from framebrush.base.files import whole_file
from framebrush.media.video import VideoInfo
from framebrush.playback.display.seek_preview import SeekPreview
from framebrush.window.widgets.background import Background

SHARE = 0.1
"""Of a film's length, where its picture is from: films begin black."""

JOIN_S = 5.0
QUALITY = 85

Shown = list[tuple[Path, QImage]]
"""Videos that are there, the newest first, and their pictures; a null image where there is none yet."""


def picture_of(video: Path, folder: Path) -> Path:
    """Where the picture of a video is kept: a file that has changed has another. Raises OSError where it is gone."""
    facts = video.stat()
    text = f"{video.absolute()}\n{facts.st_mtime_ns}\n{facts.st_size}"
    return folder / f"{hashlib.sha256(text.encode(errors='surrogateescape')).hexdigest()[:32]}.jpg"


def read(videos: Sequence[Path], folder: Path) -> Shown:
    """The videos that are there, with their pictures. Others of the folder are removed. Not for the window's thread."""
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
    """Keep a picture (H, W, 3). A folder that cannot be written to is no error."""
    height, width = picture.shape[:2]
    image = QImage(picture.data, width, height, 3 * width, QImage.Format.Format_RGB888)
    with suppress(OSError, ValueError):
        folder.mkdir(parents=True, exist_ok=True)
        with whole_file(picture_of(video, folder)) as part:
            if not image.save(str(part), "JPEG", QUALITY):  # type: ignore[call-overload]
                raise OSError(f"{part}: cannot be written")


class RecentPictures(QObject):
    """Makes a picture when a video is opened, and reads all of them when they are to be shown."""

    def __init__(self, folder: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._making: list[SeekPreview] = []

    def make(self, info: VideoInfo) -> None:
        """Have a picture of a file that was opened."""
        self.close()
        video = info.path
        if video is not None:
            preview = SeekPreview(info, lambda _, picture: write(video, self._folder, picture))
            self._making.append(preview)
            preview.ask(SHARE * (info.duration_s or 0.0))

    def look(self, videos: Sequence[Path], then: Callable[[Shown], None]) -> None:
        """Read the pictures of these videos, and hand them over in the window's thread."""
        Background(partial(read, tuple(videos), self._folder), then, self)

    def close(self, *, wait: bool = False) -> None:
        """End what is being made. wait: until it has ended."""
        for each in self._making:
            each.close()
        self._making = [each for each in self._making if not each.join(JOIN_S if wait else 0)]
