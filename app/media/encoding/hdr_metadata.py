"""HDR metadata of results: mastering display and measured light.

Encoders write a placeholder, replaced in the finished file; else a Matroska element or MOV box is written.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

import numpy as np
import numpy.typing as npt
from av.video.codeccontext import VideoCodecContext

from framebrush.gpu import colour
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, Transfer
from framebrush.media.containers import Container
from framebrush.media.encoding.encoders import CODECS, ENCODERS, IN_HDR, Encoder, Kind, with_parameters
from framebrush.media.encoding.pixels import LEAST_HDR_BITS
from framebrush.media.encoding.result_losses import Loss
from framebrush.media.output_file import OutputFile
from framebrush.media.video import LightLevel, MasteringDisplay, OutputError, VideoInfo

_PARAMETERS: dict[Kind, tuple[str, str, str]] = {
    "x264": ("x264-params", "mastering-display", "cll"),
    "x265": ("x265-params", "master-display", "max-cll"),
    "svt": ("svtav1-params", "mastering-display", "content-light"),
}
"""FFmpeg's option of encoders that write HDR metadata, and its parameters of mastering display and light level."""

_MARK = LightLevel(65535, 65535)
"""Placeholder of the light level, found and replaced in the finished file."""

_MARKS = {
    "h264": bytes.fromhex("06 90 04 ff ff ff ff 80"),  # SEI message 144 (H.264, D.1.31)
    "hevc": bytes.fromhex("4e 01 90 04 ff ff ff ff 80"),  # the same (H.265, D.2.35)
    "av1": bytes.fromhex("2a 06 01 ff ff ff ff 80"),  # metadata OBU of type 1 (AV1, 5.8.3)
}
"""Units of each codec with the placeholder, unlike any other data."""
_TAIL_BYTES = 5  # of a unit from the placeholder on

_BOX = b"framebrush: mdcv"
"""Beginning of the placeholder box's content in MOV."""
_DISPLAY_BYTES, _LIGHT_BYTES, _HEAD_BYTES = 24, 4, 8  # in mdcv, in clli, and of a box header

_STRIP_ROWS = 64  # at a time: a frame of 2160 lines in float32 takes 100 MB

_UNITS = 50_000, 10_000, ".0f"
"""Units of x264 and x265, as in H.264 and H.265: 0.00002, and 0.0001 nits."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class HdrData:
    """HDR metadata of a result.

    mastering, light: the source's. measured: the painting's light replaces it.
    """

    mastering: MasteringDisplay | None
    light: LightLevel | None
    measured: bool
    by: Teller

    @classmethod
    def of(cls, info: VideoInfo, frames: FrameFormat, encoder: Encoder, container: Container) -> Self | None:
        """Return a result's metadata, if anything can write it."""
        by = _teller(encoder, container)
        if frames.transfer is Transfer.SDR or by is None:
            return None
        # Pipes cannot be changed afterwards; HLG's light is the display's.
        measured = frames.transfer is Transfer.PQ and not container.piped
        return cls(info.mastering, info.light, measured, by) if measured or info.mastering or info.light else None

    def apply(self, context: VideoCodecContext, encoder: Encoder) -> None:
        """Set the metadata on an encoder, or reserve MOV's box."""
        light = _MARK if self.measured else self.light
        if self.by == "box":
            context.extradata = _room(self.boxes(light))
        if self.by != "encoder":
            return
        option, of_display, of_light = _PARAMETERS[encoder.kind]
        words = ["repeat-headers=1"] if encoder.kind == "x265" else []  # for players that begin in the middle
        if self.mastering:
            units = () if encoder.kind == "svt" else _UNITS
            words.append(f"{of_display}={_in_words(self.mastering, *units)}")
        if light:
            words.append(f"{of_light}={light.most},{light.mean}")
        context.options = with_parameters(context.options, option, *words)

    def boxes(self, level: LightLevel | None) -> bytes:
        """Return MOV's `mdcv` and `clli` boxes (ISO/IEC 14496-12, 12.1.5)."""
        found = b""
        if self.mastering:
            display = self.mastering
            corners = (display.green, display.blue, display.red, display.white)
            points = [round(part * 50000) for corner in corners for part in corner]
            levels = [round(nits * 10000) for nits in (display.most_nits, display.least_nits)]
            found += struct.pack(">I4s8H2I", _HEAD_BYTES + _DISPLAY_BYTES, b"mdcv", *points, *levels)
        if level is not None:
            most, mean = (min(value, 65535) for value in (level.most, level.mean))
            found += struct.pack(">I4s2H", _HEAD_BYTES + _LIGHT_BYTES, b"clli", most, mean)
        return found


Teller = Literal["encoder", "element", "box"]
"""Writer of the metadata: encoder, Matroska element, or MOV box."""


def _teller(encoder: Encoder, container: Container) -> Teller | None:
    if encoder.kind in _PARAMETERS:
        return "encoder"
    if container.is_matroska:
        return "element"
    return "box" if container.is_isobmff and encoder.codec == "prores" else None


def _in_words(display: MasteringDisplay, per_one: float = 1, per_nit: float = 1, digits: str = ".5f") -> str:
    corners = zip(("G", "B", "R", "WP"), (display.green, display.blue, display.red, display.white), strict=True)
    points = "".join(f"{name}({x * per_one:{digits}},{y * per_one:{digits}})" for name, (x, y) in corners)
    return f"{points}L({display.most_nits * per_nit:{digits}},{display.least_nits * per_nit:{digits}})"


def check_hdr(frames: FrameFormat, encoder: Encoder, container: Container) -> None:
    """Raise OutputError for HDR without tags."""
    if frames.transfer is Transfer.SDR:
        return
    can = "" if container.is_counted else ", ".join(CODECS[name] for name in IN_HDR if name in container.codecs)
    if encoder.codec not in IN_HDR or container.is_counted:
        instead = f"use {can}" if can else "write .mp4, .mov, .mkv or .webm"
        raise OutputError(f"{container.name} with {encoder.codec} cannot say that it is HDR; {instead}")
    if frames.bits < LEAST_HDR_BITS:
        raise OutputError(
            f"HDR needs {LEAST_HDR_BITS} bits or more", do="leave out --pix-fmt, or use --pix-fmt yuv420p10le"
        )


def hdr_words(light: HdrData | None) -> list[str]:
    """Return a sentence about written metadata."""
    if light is None:
        return []
    words = ["the mastering display of the source"] if light.mastering else []
    words += ["measured brightness"] if light.measured else ["brightness of the source"] if light.light else []
    return [f"HDR data: {', '.join(words)}"]


def light_losses(info: VideoInfo, frames: FrameFormat, encoder: Encoder, container: Container) -> list[Loss]:
    """Return losses of HDR metadata."""
    said = info.mastering or info.light
    if frames.transfer is Transfer.SDR or _teller(encoder, container) or not said:
        return []
    can = ", ".join(one.name for one in ENCODERS if one.kind in _PARAMETERS)
    return [Loss("hdr", f"mastering data and brightness of HDR ({encoder.name} writes none here; {can} do)")]


class LightMeter:
    """Meter of PQ's MaxCLL and MaxFALL (CTA-861.3), at the chroma's resolution."""

    def __init__(self, frames: FrameFormat) -> None:
        self._frames = frames
        self._range = colour.code_range(frames.bits, frames.full_range)
        self._matrix = colour.codes_to_rgb(frames).astype(np.float32)
        self._nits = colour.pq_to_nits(np.linspace(0.0, 1.0, 4096)).astype(np.float32)
        self._most = self._mean = 0.0

    def add(self, frame: Frame) -> None:
        """Measure a frame."""
        codes_sum, brightest, count = 0.0, 0.0, 0
        for strip in self._strips(frame):
            brightest = max(brightest, float(strip.max()))
            index = (strip * np.float32(4095) + np.float32(0.5)).astype(np.intp)
            codes_sum += float(np.take(self._nits, index).sum(dtype=np.float64))
            count += strip.size
        self._most = max(self._most, float(colour.pq_to_nits(brightest)))
        self._mean = max(self._mean, codes_sum / count)

    @property
    def level(self) -> LightLevel:
        return LightLevel(round(self._most), round(self._mean))

    def _strips(self, frame: Frame) -> Iterator[Floats]:
        form, parts = self._frames, frame.components
        across, down = form.subsample
        first, *others = parts
        for top in range(0, first.shape[0], _STRIP_ROWS):
            rows = [first[top : top + _STRIP_ROWS]]
            rows += [part[top >> down : (top + _STRIP_ROWS) >> down] for part in others]
            channels = [form.codes(part).astype(np.float32) for part in rows]
            channels[0] = _means(channels[0], across, down)
            if form.layout in (PlaneOrder.GBR, PlaneOrder.GREY):
                codes = np.maximum.reduce(channels) - np.float32(self._range.luma_offset)
                yield np.clip(codes / np.float32(self._range.luma_scale), 0.0, 1.0)
                continue
            brightest = np.maximum.reduce(
                [row[1] * channels[1] + row[2] * channels[2] + row[3] for row in self._matrix]
            )
            brightest += self._matrix[0, 0] * channels[0]
            yield np.clip(brightest, 0.0, 1.0, out=brightest)


def _means(plane: Floats, across: int, down: int) -> Floats:
    for axis, halved in ((1, across), (0, down)):
        if halved:
            pairs = np.moveaxis(plane, axis, 0)
            means = pairs[::2].copy()
            means[: len(pairs) // 2] += pairs[1::2]
            means[: len(pairs) // 2] *= 0.5
            plane = np.moveaxis(means, 0, axis)
    return plane


def brighter(one: LightLevel, other: LightLevel) -> LightLevel:
    """Return two parts' common light level."""
    return LightLevel(max(one.most, other.most), max(one.mean, other.mean))


def write_light(file: OutputFile, told: HdrData, codec: str, measured: LightLevel | None) -> None:
    """Complete a file's HDR metadata, except Matroska's. Raises OSError."""
    if told.by == "box":
        _fill_box(file, told.boxes(measured or told.light))
    elif told.by == "encoder" and measured is not None:
        _fill_marks(file, _MARKS[codec], coded(measured))


def _fill_marks(file: OutputFile, mark: bytes, content: bytes) -> None:
    with Path(file.name).open("rb") as reader, mmap.mmap(reader.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        places, place = [], whole.find(mark)
        while place >= 0:
            places.append(place + len(mark) - _TAIL_BYTES)
            place = whole.find(mark, place + len(mark))
    for place in places:
        file.seek(place)
        file.write(content)


def _fill_box(file: OutputFile, content: bytes) -> None:
    with Path(file.name).open("rb") as reader, mmap.mmap(reader.fileno(), 0, access=mmap.ACCESS_READ) as whole:
        place = whole.find(b"glbl" + _room(content))
    file.seek(place - 4)  # of its size
    file.write(content)


def _room(boxes: bytes) -> bytes:
    return _BOX.ljust(len(boxes) - _HEAD_BYTES)[: len(boxes) - _HEAD_BYTES]


def coded(level: LightLevel) -> bytes:
    """Return a `clli` box's content."""
    most, mean = (min(max(value, 1), 65534) for value in (level.most, level.mean))
    if most % 256 == 0 and mean < 4:
        most += 1
    return struct.pack(">HH", most, mean)
