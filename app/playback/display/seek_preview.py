"""Thumbnails for timeline and seek bar, decoded separately."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress

import av

from framebrush.base.worker_thread import LatestWorker
from framebrush.media.video import InputError, VideoInfo
from framebrush.playback.reading.film_thumbnails import Picture, Thumbnails
from framebrush.playback.reading.reading_process import Far, LostError, Near, ReadingProcess, opened

KEPT = 256  # pictures, which take 16 MB where they are 192x108
STEP_S = 0.1
"""Times that are nearer share a picture: a pixel of the bar is seconds of a feature film."""

OnPicture = Callable[[float, Picture], None]


class SeekPreview(LatestWorker[tuple[float, ...]]):
    """Decoder of thumbnails for the latest request, in a thread."""

    def __init__(self, info: VideoInfo, on_picture: OnPicture, reading: ReadingProcess | None = None) -> None:
        """Start. on_picture: receives time and picture in that thread."""
        self._info, self._on_picture, self._reading = info, on_picture, reading
        self._kept: OrderedDict[int, Picture] = OrderedDict()
        super().__init__("seek preview")

    def _run(self) -> None:
        path = self._info.path
        if path is None:
            return
        with (
            suppress(InputError, LostError, av.error.FFmpegError, ValueError, OSError),
            opened(self._reading, path, "thumbnails", Thumbnails, path, self._info) as source,
        ):
            for times_s in self._requests():
                for time_s in times_s:
                    if self._is_latest(times_s):
                        self._answer(source, time_s)

    def _answer(self, source: Far[Thumbnails] | Near[Thumbnails], time_s: float) -> None:
        key = round(time_s / STEP_S)
        picture = self._kept.get(key)
        if picture is None and (picture := source.do(Thumbnails.picture, time_s)) is not None:
            self._kept[key] = picture
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        if picture is not None and not self._ended:
            self._on_picture(time_s, picture)
