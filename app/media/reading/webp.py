"""Animated WebP, converted by Pillow to a lossless film."""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

import av
import numpy as np
import numpy.typing as npt
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from framebrush.base.files import FileState, file_state
from framebrush.base.text import first_line
from framebrush.media.video import InputError

if TYPE_CHECKING:
    from PIL.WebPImagePlugin import WebPImageFile

MUXER = "matroska"
"""FFmpeg's name of the film's format."""

MOST_BYTES, MOST_PIXELS = 1 << 30, 1 << 33
"""Limits of the film's bytes and total pixels: a small file may hold a long film of one colour."""

USUAL_TICKS = 100
_LOST = bytes(16)  # placeholder for an undecodable picture; no decoder accepts it


def is_animated_webp(head: bytes) -> bool:
    """Return whether a file begins as animated WebP (RFC 9649)."""
    return head[8:16] == b"WEBPVP8X" and len(head) > 20 and bool(head[20] & 2)


def canvas(head: bytes) -> tuple[int, int]:
    """Return (width, height) in the extended header."""
    return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")


def film_of(path: Path) -> io.BytesIO:
    """Return an animated WebP's film, cached. Raises InputError."""
    try:
        return io.BytesIO(_film(path.absolute(), file_state(path)))
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)}); check the name and the disk") from None


@lru_cache(maxsize=1)
def _film(path: Path, _: FileState) -> bytes:
    from PIL.WebPImagePlugin import WebPImageFile  # imported here because few files need it

    film = io.BytesIO()
    try:
        image = WebPImageFile(path)
        count = image.n_frames
        is_long = count * image.width * image.height > MOST_PIXELS
        alpha = not is_long and "A" in image.mode and any(_is_transparent(image, number) for number in range(count))
    except Exception as error:  # Pillow raises any exception for damaged files
        raise InputError(
            f"{path} is an animated WebP that cannot be read ({first_line(error)}); check that the file is whole"
        ) from None
    too_long = f"{path} is too long for an animated WebP; convert it to a video first"
    if is_long:
        raise InputError(too_long)
    durations: dict[int | None, int] = {}
    with image, av.open(film, "w", format=MUXER) as out:
        stream = out.add_stream("ffv1", rate=1000, options={"g": "1"})
        assert isinstance(stream, VideoStream)
        stream.width, stream.height, stream.pix_fmt = *image.size, "bgra" if alpha else "bgr0"

        def write(packets: Iterable[Packet[VideoStream]]) -> None:
            for packet in packets:
                packet.duration = durations[packet.pts]
                out.mux(packet)

        pts = 0
        lasts = USUAL_TICKS
        for number in range(count):
            if film.tell() > MOST_BYTES:
                raise InputError(too_long)
            picture = _picture(image, number)
            if picture is None:
                break
            frame = VideoFrame.from_ndarray(picture, "rgba")
            durations[pts] = lasts = max(1, int(image.info.get("duration", lasts)))
            frame.pts = pts
            write(stream.encode(frame))
            pts += lasts
        write(stream.encode(None))
        if not durations:
            raise InputError(f"{path}: no frame of it can be decoded; check that the file is whole")
        for lost in range(pts, pts + lasts * (count - len(durations)), lasts):
            packet = cast("Packet[VideoStream]", Packet(_LOST))
            packet.stream, packet.pts, packet.dts = stream, lost, lost
            durations[lost] = lasts
            write([packet])
    return film.getvalue()


def _is_transparent(image: WebPImageFile, number: int) -> bool:
    picture = _picture(image, number)
    return picture is not None and bool((picture[..., 3] < 255).any())


def _picture(image: WebPImageFile, number: int) -> npt.NDArray[np.uint8] | None:
    try:
        image.seek(number)
        return np.array(image.convert("RGBA"))
    except Exception:  # Pillow raises any exception for damaged files
        return None
