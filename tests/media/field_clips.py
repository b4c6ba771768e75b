"""Interlaced and telecined films, and checks of field order."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import numpy as np
import numpy.typing as npt
from av.filter import Graph

Luma = npt.NDArray[np.uint8]
SIZE = WIDTH, HEIGHT = 128, 96
LOSSLESS = {"qp": "0", "preset": "ultrafast", "g": "7"}
NTSC = Fraction(30000, 1001)


def _scene() -> Luma:
    noise = np.random.default_rng(1).integers(40, 200, (HEIGHT, 600)).astype(float)
    kernel = np.ones(9) / 9
    for axis in (0, 1):
        noise = np.apply_along_axis(lambda line: np.convolve(line, kernel, "same"), axis, noise)
    return noise.astype(np.uint8)


_SCENE = _scene()


def moment(number: int) -> Luma:
    """Return a moment's scene, (rows, columns)."""
    return _SCENE[:, 4 + 3 * number : 4 + 3 * number + WIDTH].copy()


def woven(top: Luma, bottom: Luma) -> Luma:
    """Weave one picture's top field with another's bottom field."""
    frame = top.copy()
    frame[1::2] = bottom[1::2]
    return frame


def interlaced(count: int, first: Literal["top", "bottom"] = "top") -> list[Luma]:
    """Return interlaced frames of moments 0 and 1, 2 and 3, and so on."""
    pairs = [(moment(2 * number), moment(2 * number + 1)) for number in range(count)]
    return [woven(a, b) if first == "top" else woven(b, a) for a, b in pairs]


def film(count: int) -> list[Luma]:
    """Return progressive frames, two field intervals apart."""
    return [moment(2 * number) for number in range(count)]


def telecined(frames: Sequence[Luma]) -> list[Luma]:
    """Telecine: frames A B C D become A, B, B with C, C with D, D."""
    out: list[Luma] = []
    for begin in range(0, len(frames) - len(frames) % 4, 4):
        a, b, c, d = frames[begin : begin + 4]
        out += [a, b, woven(b, c), woven(c, d), d]
    return out


def write(
    path: Path,
    frames: Sequence[Luma],
    *,
    rate: Fraction = Fraction(25),
    fields: Literal["top", "bottom"] | None = "top",
    codec: str = "libx264",
    pix_fmt: str = "yuv420p",
    options: dict[str, str] | None = None,
    timecode: str | None = None,
    times: Sequence[int] | None = None,
    plain: int = 0,
) -> Path:
    """Write frames as a file.

    fields: the stream's first field, None for progressive. times: in half frames. plain: leading frames flagged
    progressive (FFV1).
    """
    base = 1 / rate / 2
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=rate)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, pix_fmt
        if codec == "libx264":
            stream.time_base = stream.codec_context.time_base = base
        else:
            base = 1 / rate
        stream.codec_context.options = {
            **(LOSSLESS if options is None else options),
            **({"flags": "+ildct+ilme", "field_order": fields[0] * 2} if fields else {}),
        }
        if timecode is not None:
            stream.metadata["timecode"] = timecode
        flags = [_flag(None, base)] * plain + [_flag(fields, base)] * (len(frames) - plain)
        for number, (luma, flag) in enumerate(zip(frames, flags, strict=True)):
            planes = np.concatenate([luma, np.full((HEIGHT // 2, WIDTH), 128, np.uint8)])
            flag.vpush(av.VideoFrame.from_ndarray(planes, "yuv420p"))
            frame = flag.vpull()
            frame.pts = (times[number] if times else 2 * number) if codec == "libx264" else number
            frame.time_base, frame.pict_type = base, 0
            out.mux(stream.encode(frame if pix_fmt == "yuv420p" else frame.reformat(format=pix_fmt)))
        out.mux(stream.encode(None))
    return path


def _flag(fields: Literal["top", "bottom"] | None, base: Fraction) -> Graph:
    graph = Graph()
    source = graph.add_buffer(width=WIDTH, height=HEIGHT, format=av.VideoFormat("yuv420p"), time_base=base)
    flag = graph.add("setfield", mode={"top": "tff", "bottom": "bff", None: "prog"}[fields])
    graph.link_nodes(source, flag, graph.add("buffersink")).configure()
    return graph


def field_order(path: Path) -> str:
    """Return FFmpeg's field order of the first frame: "top", "bottom" or "progressive"."""
    with av.open(str(path)) as container:
        frame = next(container.decode(video=0))
    for number, name in ((1, "top"), (0, "progressive"), (2, "bottom")):
        graph = Graph()
        source = graph.add_buffer(
            width=frame.width, height=frame.height, format=frame.format, time_base=frame.time_base
        )
        only = graph.add("select", expr=f"eq(interlace_type,{number})" if number < 2 else "1")
        graph.link_nodes(source, only, graph.add("buffersink")).configure()
        graph.vpush(frame)
        try:
            graph.vpull()
        except av.error.BlockingIOError:
            continue
        return name
    raise AssertionError


def timecode_of(path: Path) -> str | None:
    with av.open(str(path)) as container:
        told = [container.metadata, *(stream.metadata for stream in container.streams)]
    return next((text for data in told for key, text in data.items() if key.lower() == "timecode"), None)
