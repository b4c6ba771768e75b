"""Reference pictures: files, and film frames as "film.mp4@12.5"."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
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
from framebrush.media.reading.open import is_damaged_jpeg
from framebrush.media.reading.orientation import upright
from framebrush.media.reading.position import frame_named, parse_position
from framebrush.media.reading.reader import Reader
from framebrush.media.tags import PRIMARIES
from framebrush.media.video import FrameSource, InputError, OpenOptions, Position, TimeRange, VideoFrame, VideoInfo
from framebrush.models.colours import oklab
from framebrush.models.colours.oklab import Floats
from framebrush.models.colours.palette import lacks_colour, sample
from framebrush.models.picture_strokes import USUAL_BREADTH, Strokes, strokes
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, StyleError
from framebrush.styles.passthrough import passthrough_style
from framebrush.styles.style_folder import SUFFIXES

MEASURED_LINES = 1080
"""Maximum shorter side at which a picture is analysed."""

LEAST_LINES = 270
"""Minimum shorter side for stroke analysis; smaller pictures get the default brush."""

OPAQUE = 128
"""Minimum alpha of pixels whose colour counts."""

FLAT = 0.02
"""Maximum standard deviation in Oklab of a single-colour picture."""


USUAL = Strokes(USUAL_BREADTH, PAINTED_BRUSH, PAINTED_RELIEF, canvas=0.0, coherence=0.0, texture=0.0)


@dataclass(frozen=True, eq=False, slots=True)
class OpenedPicture:
    """Facts of a picture. colours: (N, 3) samples, 0..1. rgb: (H, W, 3)."""

    name: str
    rgb: Picture
    colours: Floats
    strokes: Strokes
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Decoded:
    """Decoded picture, upright, at most MEASURED_LINES.

    rgb: (H, W, 3), sRGB. alpha: (H, W), if any. problems: with its colour profile. size: original, upright.
    """

    rgb: Picture
    alpha: Picture | None
    problems: tuple[str, ...]
    damaged: bool
    size: Size


class Elsewhere(Protocol):
    """Interface of a separate decoding process."""

    def picture(self, path: str, place: Position | None) -> Decoded:
        """Decode a picture, as `decode`."""

    def film(self, path: Path, opening: OpenOptions) -> FrameSource:
        """Open a film, as `Reader`. Raises InputError."""

    def call(self, path: Path, function: Callable[[Path], bool], given: Path, /) -> bool:
        """Call a function that reads a file. Raises InputError."""


elsewhere: Elsewhere | None = None
"""Process that decodes pictures and maps, so that a crash in FFmpeg does not end this one; None to decode here."""


def decoded(path: str, place: Position | None) -> Decoded:
    """Decode a picture in `elsewhere` if set. Raises InputError, DeviceError."""
    return elsewhere.picture(path, place) if elsewhere else decode(path, place)


def is_picture(text: str) -> bool:
    """Return whether a text names a picture or film frame."""
    return Path(text).suffix.lower() in SUFFIXES or is_frame(text)


def is_frame(text: str) -> bool:
    """Return whether a text names an existing film's frame."""
    return _frame_of(text) is not None


def open_picture(text: str) -> OpenedPicture:
    """Open the picture that a text names. Raises StyleError."""
    path, place = _frame_of(text) or (text, None)
    try:
        state = file_state(Path(path))
    except (OSError, ValueError):
        raise StyleError(f"{path}: there is no such file; check the name and the folder") from None
    return _opened(path, place, text, state)


@lru_cache(maxsize=8)
def _opened(path: str, place: str | None, text: str, state: FileState) -> OpenedPicture:
    try:
        found = decoded(path, None if place is None else parse_position(place))
        rgb = found.rgb
        seen = rgb.astype(np.float32) / np.float32(255)
        colours = sample([_opaque(seen, found.alpha)])
    except (InputError, DeviceError, ValueError) as error:
        raise StyleError(f"the picture {text} cannot be a style: {error}") from None
    name = Path(path).stem if place is None else f"{Path(path).stem}@{place}"
    measured = strokes(seen) if min(rgb.shape[:2]) >= LEAST_LINES else USUAL
    notes = [f"{name} is damaged: only its decodable part is used"] if found.damaged else []
    notes += [f"{name}: {problem}" for problem in found.problems]
    return OpenedPicture(name, rgb, colours, measured, (*notes, *_notes(name, colours)))


def shows_nothing(colours: Floats) -> bool:
    """Return whether colours (N, 3) are equal."""
    return bool(colours.std(axis=0).max() * 255 < BLANK_CODES)


def _notes(name: str, colours: Floats) -> tuple[str, ...]:
    if lacks_colour(colours):
        return (f"{name} is grey: the film becomes grey, too",)
    if oklab.from_rgb(colours).std(axis=0).max() < FLAT:
        return (f"{name} is of one colour: the film is tinted with it",)
    return ()


def _frame_of(text: str) -> tuple[str, str] | None:
    named = frame_named(text)
    if named is None or os.path.isfile(text) or not os.path.isfile(named[0]):  # noqa: PTH113 - takes any text
        return None
    return named


def decode(path: str, place: Position | None) -> Decoded:
    """Decode a picture file or film frame. Raises InputError, DeviceError."""
    with ExitStack() as stack:
        source = stack.enter_context(Reader(path, TimeRange(place, frames=1)))
        frame = next(source, None)
        if frame is None:
            raise InputError(f"{path}: there is no frame at that position")
        # metadata of a film's frames is that of the film
        develop = Developer(stack, source.info, MEASURED_LINES, own_colours=place is None)
        rgb, alpha = develop(frame)
        problems = (source.profile_problem,) if source.profile_problem else ()
        return Decoded(rgb, alpha, problems, place is None and is_damaged_jpeg(Path(path)), develop.size)


class Developer:
    """Converter of film frames to upright sRGB pictures."""

    def __init__(self, stack: ExitStack, info: VideoInfo, lines: int, *, own_colours: bool = True) -> None:
        """Prepare. Raises DeviceError.

        lines: maximum shorter side. own_colours: convert other SDR primaries to sRGB.
        """
        self._info, self._small = info, small(info.format.size, lines)
        self._to_rgb = ToRgb(stack, info.format, self._small, passthrough_style())
        primaries = PRIMARIES.get(info.tags.primaries, Primaries.BT709)
        changes = own_colours and info.format.transfer is Transfer.SDR and primaries is not Primaries.BT709
        self._primaries = primaries if changes else None
        self.size: Size = info.orientation.turned(info.format.size)

    def __call__(self, frame: VideoFrame) -> tuple[Picture, Picture | None]:
        """Convert a host frame to RGB (H, W, 3), and alpha (H, W) or None. Raises DeviceError."""
        host, info = frame.host, self._info
        rgb, alpha = self._to_rgb(host), None
        if self._primaries is not None:
            rgb = _from_primaries(rgb, self._primaries)
        if host.alpha is not None:
            made = scaled(host.alpha, host.format, rgba8(*self._small))
            alpha = upright(nearest(made.astype(np.uint8, copy=False), self._small), info.orientation)
        return upright(rgb, info.orientation), alpha


def _from_primaries(picture: Picture, primaries: Primaries) -> Picture:
    linear = oklab.to_light(picture.astype(np.float32) / np.float32(255))
    light = linear @ colour.gamut_matrix(primaries, Primaries.BT709).T.astype(np.float32)
    return np.rint(oklab.from_light(np.clip(light, 0.0, 1.0)) * 255).astype(np.uint8)


def _opaque(rgb: Floats, alpha: Picture | None) -> Floats:
    if alpha is None or (alpha >= OPAQUE).all():
        return rgb
    kept = rgb[alpha >= OPAQUE]
    width = min(len(kept), rgb.shape[1])
    if not width:
        raise ValueError("it is transparent everywhere; give one with visible parts")
    return kept[: len(kept) // width * width].reshape(-1, width, 3)
