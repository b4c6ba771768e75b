"""Thumbnails for the seek bar, from a separate decoder."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, cast

import av
import numpy as np
import numpy.typing as npt

from framebrush.base.worker import LatestWorker
from framebrush.media.planes import swscale_threads
from framebrush.media.reading.orientation import upright
from framebrush.media.reading.source import Source, open_source
from framebrush.media.video import InputError, VideoInfo

BUDGET_S = 0.06
"""How long decoding from the preceding key frame may take, for more than ten pictures per second."""

LONGEST_SIDE_PX = 192
BACK_S = (0, 1, 4, 16, 64)
KEPT = 256
STEP_S = 0.1

Picture = npt.NDArray[np.uint8]
OnPicture = Callable[[float, Picture], None]


class SeekPreview(LatestWorker[float]):
    """Decodes thumbnails in a separate thread, only for the latest request: a time in seconds from the first frame.
    Damaged video gives no picture and no error."""

    def __init__(self, info: VideoInfo, on_picture: OnPicture) -> None:
        """info: of a file. on_picture: called in that thread with the requested time, in seconds from the first frame,
        and (H, W, 3) uint8 R'G'B', upright, in square pixels."""
        self._info, self._on_picture = info, on_picture
        self._kept: OrderedDict[int, Picture] = OrderedDict()
        super().__init__("seek preview")

    def forget(self) -> None:
        """Discard what is known, so that positions are decoded again."""
        self._kept.clear()

    def _run(self) -> None:
        path = self._info.path
        if path is None:
            return
        with suppress(InputError, av.error.FFmpegError, ValueError, OSError):
            source = open_source(path, threads=1)
            try:
                context = source.stream.codec_context
                context.options = {**context.options, "skip_loop_filter": "all"}  # not visible in a thumbnail
                for time_s in self._requests():
                    self._answer(source, time_s)
            finally:
                source.close()

    def _answer(self, source: Source, time_s: float) -> None:
        key = round(time_s / STEP_S)
        if key not in self._kept:
            with suppress(av.error.FFmpegError):
                picture = self._decode(source, time_s)
                if picture is not None:
                    self._kept[key] = picture
                    while len(self._kept) > KEPT:
                        self._kept.popitem(last=False)
        if key in self._kept and not self._ended:
            self._on_picture(time_s, self._kept[key])

    def _decode(self, source: Source, time_s: float) -> Picture | None:
        """The frame at a time, or the last one before it that can be decoded within BUDGET_S."""
        pts = self._info.start_pts + round(time_s / self._info.time_base)
        now_s = time.perf_counter()
        until_s, slowest_s = now_s + BUDGET_S, 0.0  # the next frame may take as long as the slowest so far
        found: av.VideoFrame | None = None
        for packet in chain(self._packets(source, pts), [None]):  # None flushes the decoder
            with suppress(av.error.InvalidDataError):
                for frame in source.stream.codec_context.decode(packet):
                    if found is not None and frame.pts is not None and frame.pts > pts:
                        return self._small(found)
                    found = frame
            before_s, now_s = now_s, time.perf_counter()
            slowest_s = max(slowest_s, now_s - before_s)
            if found is not None and now_s + slowest_s > until_s:
                break
        return self._small(found) if found is not None else None

    def _packets(self, source: Source, pts: int) -> Iterator[av.Packet[Any]]:
        """The packets from the key frame before a time. Some demuxers seek to the time itself, so this tries farther
        back."""
        for back_s in BACK_S:
            source.seek(pts - round(back_s / source.time_base))
            source.stream.codec_context.flush_buffers()
            packets = source.packets()
            first = next((packet for packet in packets if packet.is_keyframe), None)
            if first is not None and (first.pts is None or first.pts <= pts or back_s == BACK_S[-1]):
                yield first
                yield from packets
                return

    def _small(self, frame: av.VideoFrame) -> Picture:
        info = self._info
        wide, high = frame.width * float(info.sample_aspect), float(frame.height)
        scale = LONGEST_SIDE_PX / max(wide, high)
        size = max(1, round(wide * scale)), max(1, round(high * scale))
        threads = swscale_threads(frame.format)
        picture = cast(Picture, frame.reformat(*size, "rgb24", interpolation="AREA", threads=threads).to_ndarray())
        return np.ascontiguousarray(upright(picture, info.rotation_degrees, mirrored=info.mirrored))
