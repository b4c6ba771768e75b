"""Pictures that a film is to look like: files of pictures, and frames of films as "film.mp4@12.5"."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Protocol

import numpy as np

from framebrush.analysis.cuts import BLANK_CODES
from framebrush.analysis.to_rgb import Picture, ToRgb, nearest, small
from framebrush.base.files import FileState, file_state
from framebrush.gpu import colour
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Primaries, Transfer, rgba8
from framebrush.gpu.sizes import Size
from framebrush.media.alpha import scaled
from framebrush.media.position import frame_named, parse_position
from framebrush.media.reading.open import is_damaged_jpeg
from framebrush.media.reading.orientation import upright
from framebrush.media.reading.reader import Reader
from framebrush.media.tags import PRIMARIES
from framebrush.media.video import FrameSource, InputError, OpenOptions, Position, TimeRange, VideoFrame, VideoInfo
from framebrush.models.colours import oklab
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.palette import lacks_colour, sample
from framebrush.models.colours.picture import USUAL_BREADTH, Strokes, strokes
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, StyleError
from framebrush.styles.folder import SUFFIXES
from framebrush.styles.plain import plain_style

MEASURED_LINES = 1080
"""The shorter side at which a picture is measured, at most."""

LEAST_LINES = 270
"""A picture with a shorter side below this has lost its strokes: it is brushed as paintings are by default."""

OPAQUE = 128
"""Alpha from which on a pixel's colour counts."""

FLAT = 0.02
"""Deviation in Oklab of a picture of one colour."""


USUAL = Strokes(USUAL_BREADTH, PAINTED_BRUSH, PAINTED_RELIEF, canvas=0.0, coherence=0.0, texture=0.0)


@dataclass(frozen=True, eq=False, slots=True)
class OpenedPicture:
    """What a style takes from a picture. name: the file's, without its ending. colours: (N, 3) samples, encoded
    R'G'B' 0..1. rgb: (H, W, 3), the picture itself, at most MEASURED_LINES high or wide. notes: for the user."""

    name: str
    rgb: Picture
    colours: Floats
    strokes: Strokes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Decoded:
    """What a file holds: rgb (H, W, 3) in sRGB, alpha (H, W) where it has one, what is wrong with its profile, and
    whether the file is damaged. Upright, and at most MEASURED_LINES high or wide. size: the file's own, upright."""

    rgb: Picture
    alpha: Picture | None
    problems: tuple[str, ...]
    damaged: bool
    size: Size


class Elsewhere(Protocol):
    """Another process that decodes."""

    def picture(self, path: str, place: Position | None) -> Decoded:
        """As `decode`."""

    def film(self, path: Path, opening: OpenOptions) -> FrameSource:
        """As `Reader`. Raises InputError."""

    def call(self, path: Path, function: Callable[[Path], bool], given: Path, /) -> bool:
        """What a function returns that reads a file. Raises InputError."""


elsewhere: Elsewhere | None = None
"""Where pictures and maps are decoded, if this process must survive what FFmpeg makes of a file; else here."""


def decoded(path: str, place: Position | None) -> Decoded:
    """What `decode` returns, `elsewhere` where that is set. Raises InputError, DeviceError."""
    return elsewhere.picture(path, place) if elsewhere else decode(path, place)


def is_picture(text: str) -> bool:
    """Whether a text names a file of a picture, by its ending, or a frame of a file that exists."""
    return Path(text).suffix.lower() in SUFFIXES or is_frame(text)


def is_frame(text: str) -> bool:
    """Whether a text names a frame of a file that exists, as "film.mp4@12.5"."""
    return _frame_of(text) is not None


def open_picture(text: str) -> OpenedPicture:
    """The picture of a text for which `is_picture` holds. Raises StyleError where it cannot be read."""
    path, place = _frame_of(text) or (text, None)
    try:
        state = file_state(Path(path))
    except (OSError, ValueError):
        raise StyleError(f"{path}: there is no such file; check the name and the folder") from None
    return _opened(path, place, text, state)


@lru_cache(maxsize=8)
def _opened(path: str, place: str | None, text: str, state: FileState) -> OpenedPicture:
    """A picture, read again where its file has changed."""
    try:
        found = decoded(path, None if place is None else parse_position(place))
        rgb = found.rgb
        seen = rgb.astype(np.float32) / np.float32(255)
        colours = sample([_opaque(seen, found.alpha)])
    except (InputError, DeviceError, ValueError) as error:
        raise StyleError(f"the picture {text} cannot be a style: {error}") from None
    name = Path(path).stem if place is None else f"{Path(path).stem}@{place}"
    measured = strokes(seen) if min(rgb.shape[:2]) >= LEAST_LINES else USUAL
    notes = [f"{name} is damaged: only what can be decoded counts"] if found.damaged else []
    notes += [f"{name}: {problem}" for problem in found.problems]
    return OpenedPicture(name, rgb, colours, measured, (*notes, *_notes(name, colours)))


def shows_nothing(colours: Floats) -> bool:
    """Whether colours (N, 3), encoded R'G'B', are a single one, such as black: a film of these has none to carry
    over."""
    return bool(colours.std(axis=0).max() * 255 < BLANK_CODES)


def _notes(name: str, colours: Floats) -> tuple[str, ...]:
    if lacks_colour(colours):
        return (f"{name} has no colours: neither will the film have any",)
    if oklab.from_rgb(colours).std(axis=0).max() < FLAT:
        return (f"{name} is of one colour: the film is tinted with it",)
    return ()


def _frame_of(text: str) -> tuple[str, str] | None:
    """The file and the place of "film.mp4@12.5", where that file exists and none of the whole name; else None."""
    named = frame_named(text)
    if named is None or os.path.isfile(text) or not os.path.isfile(named[0]):  # noqa: PTH113 - takes any text
        return None
    return named


def decode(path: str, place: Position | None) -> Decoded:
    """The picture in a file, or a frame of a film. Raises InputError, DeviceError."""
    with ExitStack() as stack:
        source = stack.enter_context(Reader(path, TimeRange(place, frames=1)))
        frame = next(source, None)
        if frame is None:
            raise InputError(f"{path}: there is no frame at that place")
        # What a film's frames mean, the film's do, too.
        develop = Developer(stack, source.info, MEASURED_LINES, own_colours=place is None)
        rgb, alpha = develop(frame)
        problems = (source.profile_problem,) if source.profile_problem else ()
        return Decoded(rgb, alpha, problems, place is None and is_damaged_jpeg(Path(path)), develop.size)


class Developer:
    """Makes pictures in sRGB, upright, of the frames of a film. size: of its frames, upright."""

    def __init__(self, stack: ExitStack, info: VideoInfo, lines: int, *, own_colours: bool = True) -> None:
        """stack: closes what this opens. lines: of the shorter side, at most. own_colours: whether SDR of other
        primaries is brought to those of sRGB. Raises DeviceError."""
        shape = info.format.width, info.format.height
        self._info, self._small = info, small(shape, lines)
        self._to_rgb = ToRgb(stack, info.format, self._small, plain_style())
        primaries = PRIMARIES.get(info.tags.primaries, Primaries.BT709)
        changes = own_colours and info.format.transfer is Transfer.SDR and primaries is not Primaries.BT709
        self._primaries = primaries if changes else None
        self.size: Size = shape[::-1] if round(info.rotation_degrees / 90) % 2 else shape

    def __call__(self, frame: VideoFrame) -> tuple[Picture, Picture | None]:
        """(H, W, 3) of a frame in host memory, and (H, W), its alpha, None where it has none. Raises DeviceError."""
        host, info = frame.host, self._info
        rgb, alpha = self._to_rgb(host), None
        if self._primaries is not None:
            rgb = _from_primaries(rgb, self._primaries)
        turned = partial(upright, rotation_degrees=info.rotation_degrees, mirrored=info.mirrored)
        if host.alpha is not None:
            made = scaled(host.alpha, host.format, rgba8(*self._small))
            alpha = turned(nearest(made.astype(np.uint8, copy=False), self._small))
        return turned(rgb), alpha


def _from_primaries(picture: Picture, primaries: Primaries) -> Picture:
    """A picture (H, W, 3) uint8 with the curve of sRGB and these primaries, in sRGB."""
    linear = oklab.to_light(picture.astype(np.float32) / np.float32(255))
    light = linear @ colour.gamut_matrix(primaries, Primaries.BT709).T.astype(np.float32)
    return np.rint(oklab.from_light(np.clip(light, 0.0, 1.0)) * 255).astype(np.uint8)


def _opaque(rgb: Floats, alpha: Picture | None) -> Floats:
    """The visible part of a picture (H, W, 3), as one of that width. Raises ValueError where nothing is visible."""
    if alpha is None or (alpha >= OPAQUE).all():
        return rgb
    kept = rgb[alpha >= OPAQUE]
    width = min(len(kept), rgb.shape[1])
    if not width:
        raise ValueError("all of it is transparent; give one in which something is visible")
    return kept[: len(kept) // width * width].reshape(-1, width, 3)
