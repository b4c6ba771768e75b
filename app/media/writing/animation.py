"""Pictures of GIF and WebP."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
from av.filter import Graph

from framebrush.media.encoding.encoders import Choice
from framebrush.media.encoding.pixels import PALETTE
from framebrush.media.filters import through
from framebrush.media.output_file import OutputFile
from framebrush.media.video import VideoInfo

# one palette per picture: a common one would need all pictures in memory
_COLOURS = ("palettegen", "stats_mode=single:reserve_transparent=0"), ("paletteuse", "new=1")
_RIFF_HEAD_BYTES, _FLAGS_AT, _REPLACES = 12, 15, b"\x02"

_TURNS = ((), ("transpose=cclock",), ("hflip", "vflip"), ("transpose=clock",))


class AnimationPictures:
    """Converter of frames for an animation: upright, GIF's in 256 colours."""

    def __init__(self, info: VideoInfo, choice: Choice, width: int, height: int, time_base: Fraction) -> None:
        self._graph = graph = Graph()
        last = graph.add_buffer(
            width=width,
            height=height,
            format=av.VideoFormat(choice.frame_pixel_format, width, height),
            time_base=time_base,
        )
        turns = _TURNS[info.orientation.quarters]
        for turn in (*(("hflip",) if info.mirrored else ()), *turns):
            name, _, value = turn.partition("=")
            last.link_to(following := graph.add(name, value))
            last = following
        if choice.pix_fmt == PALETTE:
            split, palette, used = graph.add("split"), *(graph.add(*one) for one in _COLOURS)
            last.link_to(split)
            split.link_to(used, 0, 0)
            split.link_to(palette, 1, 0)
            palette.link_to(used, 0, 1)
            last = used
        last.link_to(graph.add("buffersink"))
        graph.configure()

    def pictures(self, picture: av.VideoFrame | None) -> Iterator[av.VideoFrame]:
        """Yield the pictures for a frame; None drains."""
        return through(self._graph, picture)


def show_alone(file: OutputFile) -> None:
    """Let WebP pictures replace the previous (ANMF, bit B). Raises OSError."""
    places, place = [], _RIFF_HEAD_BYTES
    with Path(file.name).open("rb") as reader:
        reader.seek(place)
        while len(head := reader.read(8)) == 8:
            kind, size = struct.unpack("<4sI", head)
            if kind == b"ANMF":
                places.append(place + 8 + _FLAGS_AT)
            place += 8 + size + size % 2
            reader.seek(place)
    for place in places:
        file.seek(place)
        file.write(_REPLACES)
