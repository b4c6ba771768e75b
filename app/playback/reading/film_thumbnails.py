"""Thumbnails of a film."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any, cast

import av
import numpy as np
import numpy.typing as npt

from framebrush.media.filters import swscale_threads
from framebrush.media.reading.orientation import upright
from framebrush.media.reading.profile import colour_profile
from framebrush.media.reading.source import open_source
from framebrush.media.to_srgb import ToSrgb
from framebrush.media.video import VideoInfo

BUDGET_S = 0.06
"""Maximum seconds of decoding from the previous keyframe, for more than ten thumbnails per second."""

LONGEST_SIDE_PX = 192
BACK_S = (0, 1, 4, 16, 64)
"""Seconds to seek earlier, on successive tries, until a keyframe comes: some demuxers do not seek back to one."""

Picture = npt.NDArray[np.uint8]
"""(H, W, 3) R'G'B', upright, in square pixels."""


class Thumbnails:
    """Thumbnails of an open file."""

    def __init__(self, path: Path, info: VideoInfo) -> None:
        self._info, self._path = info, path
        self._source = open_source(path, threads=1)
        context = self._source.stream.codec_context
        context.options = {**context.options, "skip_loop_filter": "all"}  # not visible in a thumbnail
        self._is_still = info.container.endswith(("_pipe", "image2"))
        self._still: Picture | None = None

    def picture(self, time_s: float) -> Picture | None:
        """Return a time's frame, or the last decoded within BUDGET_S."""
        pts = self._info.start_pts + round(time_s / self._info.time_base)
        with suppress(av.error.FFmpegError):
            if not self._is_still:
                return self._decode(self._packets(pts), pts)
            if self._still is None:  # these demuxers cannot seek to the beginning
                self._still = self._decode(self._source.packets(), pts)
        return self._still

    def close(self) -> None:
        """Release decoder and file."""
        self._source.close()

    def _decode(self, packets: Iterable[av.Packet[Any]], pts: int) -> Picture | None:
        now_s = time.perf_counter()
        until_s, slowest_s = now_s + BUDGET_S, 0.0  # the next frame may take as long as the slowest so far
        found: av.VideoFrame | None = None
        for packet in chain(packets, [None]):  # None flushes the decoder
            for frame in self._source.decode(packet):
                if found is not None and frame.pts is not None and frame.pts > pts:
                    return self._small(found)
                found = frame
            before_s, now_s = now_s, time.perf_counter()
            slowest_s = max(slowest_s, now_s - before_s)
            if found is not None and now_s + slowest_s > until_s:
                break
        return self._small(found) if found is not None else None

    def _packets(self, pts: int) -> Iterator[av.Packet[Any]]:
        source = self._source
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
        if info.in_srgb and (profile := colour_profile(self._path, info.codec, frame, self._source.picture)):
            picture = ToSrgb(profile)(picture)
        return upright(picture, info.orientation)
