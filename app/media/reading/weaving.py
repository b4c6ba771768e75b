"""Inverse telecine at full bit depth."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from fractions import Fraction

import av
import numpy as np
import numpy.typing as npt
from av.filter import Graph
from av.video.frame import VideoFrame

from framebrush.media.filters import picture_filters

_UNTAGGED = dict.fromkeys(("color_primaries", "color_trc", "colorspace"), "unknown")
"""FFmpeg does not convert frames with damaged tags."""

_MATCH = {"order": "auto", "mode": "pc_n", "combmatch": "full", "ppsrc": "1"}
_MATCHED_FORMATS = "yuv420p|yuv422p|yuv444p|yuv411p|yuv410p"
_WHOLE = {"w": "max(16,4*ceil(iw/4))", "h": "max(16,4*ceil(ih/4))"}
"""Padding to whole chroma samples, and a minimum size below which fieldmatch reads beyond the planes."""


class Weaver:
    """Matcher of fields; unmatched frames stay flagged as interlaced.

    It weaves 8-bit labels, as FFmpeg's fieldmatch overruns deeper planes.
    """

    def __init__(self, like: VideoFrame, time_base: Fraction) -> None:
        self._time_base = time_base
        eight = {"pix_fmts": _MATCHED_FORMATS}
        self._eight = picture_filters(
            like, time_base, ("setparams", _UNTAGGED), ("scale", {}), ("pad", _WHOLE), ("format", eight)
        )
        self._flagged = {
            mode: picture_filters(like, time_base, ("setfield", {"mode": mode})) for mode in ("auto", "tff", "prog")
        }
        self._match: Graph | None = None
        self._count = 0
        self._recent: deque[tuple[int, VideoFrame]] = deque(maxlen=3)
        """The previous, the current and the next frame, with their labels."""

    def push(self, frame: VideoFrame) -> VideoFrame | None:
        """Add a frame; return the previous one, matched."""
        self._eight.vpush(frame)
        matched = self._eight.vpull()
        if self._match is None:
            self._match = _matcher(matched, self._time_base)
        label = VideoFrame(matched.width, matched.height, matched.format.name)
        label.pts = matched.pts = self._count
        for plane in label.planes:
            plane.update(bytes([self._count % 256]) * plane.buffer_size)
        self._recent.append((self._count % 256, frame))
        self._count += 1
        self._match.vpush(matched, at=0)
        self._match.vpush(label, at=1)
        try:
            return self._woven(self._match.vpull())
        except av.error.BlockingIOError:
            return None

    def end(self) -> VideoFrame | None:
        """Return the last frame, matched."""
        return self.push(self._recent[-1][1]) if self._recent else None

    def _woven(self, labels: VideoFrame) -> VideoFrame:
        frame = self._recent[-2][1]
        combed = labels.interlaced_frame
        flagged = self._flagged["prog" if not combed else "auto" if frame.interlaced_frame else "tff"]
        flagged.vpush(frame)
        woven = flagged.vpull()
        sources = dict(self._recent)
        for field, label in enumerate(next(rows_of(labels))[:2, 0]):
            source = sources[int(label)]
            if source is not frame:
                woven.make_writable()  # copies, because the frame is still in use
                for rows, others in zip(rows_of(woven), rows_of(source), strict=True):
                    rows[field::2] = others[field::2]
        return woven


def _matcher(like: VideoFrame, time_base: Fraction) -> Graph:
    graph = Graph()
    match = graph.add("fieldmatch", **_MATCH)
    for place in range(2):
        source = graph.add_buffer(width=like.width, height=like.height, format=like.format, time_base=time_base)
        source.link_to(match, 0, place)
    match.link_to(graph.add("buffersink"))
    graph.configure()
    return graph


def rows_of(frame: VideoFrame) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield each plane's bytes as (rows, bytes) views."""
    planes = frame.planes
    for index, plane in enumerate(planes):
        if len(planes) == 1:
            bits = frame.format.padded_bits_per_pixel
        else:
            bits = sum(-(-part.bits // 8) * 8 for part in frame.format.components if part.plane == index)
        rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, -1)[:, : -(-plane.width * bits // 8)]
        yield rows[::-1] if plane.line_size < 0 else rows
