"""Brush maps (sizes and directions) and masks.

A frame takes the map at its time or number, or the last.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import Picture
from framebrush.base.closing import Closing
from framebrush.base.prefetch import Prefetcher
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import derivatives, gaussian, smoothed
from framebrush.media.reading.open import is_damaged_jpeg, is_numbered, state_of_named
from framebrush.media.reading.orientation import lying
from framebrush.media.reading.reader import Reader
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions, Orientation, Position, VideoFrame
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS, Maps
from framebrush.models.colours.luma import LUMA
from framebrush.models.soft_masks import MASK_SIDE
from framebrush.models.style import StyleError
from framebrush.styles import reference_pictures
from framebrush.styles.reference_pictures import Developer
from framebrush.styles.specs import BRUSH_PICTURES, NAMED_MASKS, SOURCE_SIZE, SizeSpec
from framebrush.subject.corrections import Corrections, Layer

NUMBERED = OpenOptions(rate=Fraction(1))
"""Options for numbered pictures: 1 frame/s, so that times equal numbers."""

DEPTH = 4
"""Maps that are decoded ahead."""

BACK_S, KEPT = 1, 64
"""Seconds to seek back for a frame before the cached maps, and the number of cached maps, which make further steps
back free.
"""

FAR = 8
"""Distance, in seconds or numbers, from which on a later frame is reached by seeking instead of decoding up to it."""

SHAPE_TOLERANCE = 0.01
"""Maximum relative difference of aspect ratio before the user is told that the map is stretched."""

NOTHING = 0.02
"""Vectors of a direction map shorter than this, 0..1, are ignored."""

GREY_CODES = 8
"""Maximum channel difference of a grey picture, and maximum distance from mid-grey of an empty map."""

OPAQUE_CODES = 255 - GREY_CODES
"""Alpha below this is transparent: a picture with such pixels is a cut-out mask."""

LEAST_SLOPE = 0.25
"""Gradient, in codes per sample, below which forms of a grey picture lose weight."""

FORMS = 4.0
"""Standard deviation, in samples, over which forms of a grey picture are averaged."""


Read = Callable[[Picture, Picture | None], bytes]


class _Shown(NamedTuple):
    since: Fraction
    samples: bytes


class MapFilm(Closing):
    """Open map, for one thread. lasts_s: None if unknown."""

    def __init__(self, path: str, what: str, reader_of: Callable[[Picture], Read]) -> None:
        """Open a map. reader_of: chooses a conversion. Raises StyleError."""
        self.path = path
        self.is_numbered = is_numbered(Path(path))
        self._frames: Prefetcher[_Shown] | None = None
        self._ahead: _Shown | None = None
        self._past: deque[_Shown] = deque(maxlen=KEPT)  # maps before the current one
        self._stack = ExitStack()
        try:
            with ExitStack() as stack:
                self._open(stack, reader_of)
                self._stack = stack.pop_all()
        except (InputError, DeviceError, ValueError, OSError) as error:
            raise StyleError(f"{path} cannot be {what}: {error}") from None

    def _open(self, stack: ExitStack, reader_of: Callable[[Picture], Read]) -> None:
        path = Path(self.path)
        opening = NUMBERED if self.is_numbered else PLAIN_FILE
        if not self.is_numbered and not path.is_file():
            if path.exists():
                raise ValueError("it is no regular file; name a picture or a video")
            raise ValueError("there is no such file; check the name and the folder")
        elsewhere = reference_pictures.elsewhere
        self._source = source = stack.enter_context(
            elsewhere.film(path, opening) if elsewhere else Reader(path, opening=opening)
        )
        first = next(source, None)
        if first is None:
            raise ValueError("there is no frame in it; check that the file is whole")
        if not self.is_numbered and (
            elsewhere.call(path, is_damaged_jpeg, path) if elsewhere else is_damaged_jpeg(path)
        ):
            raise ValueError("the file is damaged; give one that is whole")
        self._develop = Developer(stack, source.info, MAP_SIDE)
        stack.callback(self._stop)
        rgb, alpha = self._develop(first)
        self.size = self._develop.size
        self._read = reader_of(rgb)
        self._shown = _Shown(Fraction(0), self._read(rgb, alpha))
        self._ahead = next(self._following(), None)
        self.is_film = self._ahead is not None
        self.lasts_s = source.info.duration_s if self.is_film and not self.is_numbered else None
        samples = self._shown.samples
        is_single = not self.is_film and not self.is_numbered
        if is_single and self._read is _inside and samples.count(samples[:1]) == len(samples):
            raise ValueError("it is the same everywhere; make the inside white, and the rest black")
        if not self.is_film and self._read not in (_sizes, _inside) and not any(samples):
            raise ValueError(
                "it has no directions; give red for across and green for up, or a grey picture with shapes"
            )

    def at(self, number: int, time_s: Fraction | None) -> bytes:
        """Return a frame's map, by time_s if given. Raises InputError, DeviceError."""
        time_s = Fraction(number) if self.is_numbered else time_s or Fraction(0)
        if time_s < self._shown.since:
            for past in reversed(self._past):
                if past.since <= time_s:
                    return past.samples
            self._go_to(max(Fraction(0), time_s - (KEPT // 2 if self.is_numbered else BACK_S)))
        elif self._ahead is not None and time_s > self._shown.since + FAR:
            self._go_to(time_s)
        while self._ahead is not None and self._ahead.since <= time_s:
            self._past.append(self._shown)
            self._shown, self._ahead = self._ahead, self._next()
        return self._shown.samples

    def _go_to(self, time_s: Fraction) -> None:
        self._stop()
        self._past.clear()
        source = self._source
        source.seek(Position(time_s, "s"))
        frame = next(source, None)
        while frame is not None and frame.number and source.info.time_s(frame) > time_s:
            number = frame.number - 1
            source.seek(Position.of_frame(number))
            frame = next(source, None)
            if frame is not None and frame.number > number:
                break  # frame cannot be decoded
        if frame is None:
            raise InputError(f"{self.path}: its frame at {float(time_s):.3f} s cannot be decoded; check the file")
        self._shown = self._said(frame)
        self._ahead = next(self._following(), None)

    def _following(self) -> Iterator[_Shown]:
        while (frame := next(self._source, None)) is not None:
            yield self._said(frame)
        self._check_whole()

    def _said(self, frame: VideoFrame) -> _Shown:
        self._check_whole()
        return _Shown(self._source.info.time_s(frame), self._read(*self._develop(frame)))

    def _check_whole(self) -> None:
        """Reject damaged maps, with which ranges would differ."""
        if self._source.lost_frames or self._source.cut_off:
            raise InputError(f"{self.path} is damaged: not all of its frames can be decoded; give a map that is whole")

    def _next(self) -> _Shown | None:
        if self._frames is None:
            self._frames = Prefetcher(self._following(), depth=DEPTH, name="map")
        return next(self._frames, None)

    def _stop(self) -> None:
        frames, self._frames, self._ahead = self._frames, None, None
        if frames is not None:
            frames.close()

    def close(self) -> None:
        self._stack.close()


def state_of(sizes: SizeSpec) -> tuple[object, ...]:
    """Return maps and mask of a job, with their files' states."""
    paths = sizes.brush_sizes, sizes.brush_directions, sizes.mask, sizes.mask_corrections
    return *(None if path is None else (path, state_of_named(Path(path))) for path in paths), sizes.mask_shape


@lru_cache(maxsize=8)
def maps_at(sizes: SizeSpec, _: object, number: int, time_s: Fraction) -> Maps:
    """Return a frame's maps. Raises StyleError, InputError, DeviceError."""
    with BrushMaps(sizes) as maps:
        return maps.at(number, time_s)


class BrushMaps(Closing):
    """Open maps and mask of a job, for one thread."""

    def __init__(self, sizes: SizeSpec = SOURCE_SIZE, *, timed: bool = True) -> None:
        """Open a job's maps. timed: frames have times. Raises StyleError."""
        self.asked, self._last, self._films = sizes, NO_MAPS, dict[str, MapFilm]()
        self._corrections = _corrections_in(sizes.mask_corrections)
        with ExitStack() as stack:
            for field, reader_of in (("brush_sizes", _by_light), ("brush_directions", _by_colour), ("mask", _by_area)):
                path, what = getattr(sizes, field), BRUSH_PICTURES[field]
                if path is None or (field == "mask" and path in NAMED_MASKS):
                    continue
                self._films[field.removeprefix("brush_")] = film = MapFilm(path, what, reader_of)
                stack.callback(film.close)
                if film.is_film and not film.is_numbered and not timed:
                    raise StyleError(
                        f"{path} cannot be {what}: it is a film, which goes by time, and these frames have no times; "
                        "give numbered pictures, as in sizes/%05d.png"
                    )
            self._stack = stack.pop_all()

    def at(self, number: int, time_s: Fraction | None) -> Maps:
        """Return a frame's maps, reusing unchanged ones. Raises InputError, DeviceError."""
        said = {name: self._films[name].at(number, time_s) for name in ("sizes", "directions") if name in self._films}
        if any(samples is not getattr(self._last, name) for name, samples in said.items()):
            self._last = Maps(**said)
        return self._last

    def mask_at(self, number: int, time_s: Fraction | None) -> bytes | None:
        """Return a frame's upright mask, MASK_SIDE² bytes, if any."""
        mask = self._films.get("mask")
        return None if mask is None else mask.at(number, time_s)

    def corrections_at(self, number: int) -> tuple[Layer, ...]:
        """Return the upright corrections of a frame's masks."""
        return () if self._corrections is None else self._corrections.at(number)

    def notes(self, size: Size, lasts_s: float | None) -> list[str]:
        """Return messages on maps for a film's size and duration."""
        found = []
        for film in self._films.values():
            name, (width, height) = Path(film.path).name, film.size
            if abs(width * size[1] / (height * size[0]) - 1.0) > SHAPE_TOLERANCE:
                found.append(f"{name} is {width}x{height}: it is stretched over frames of {size[0]}x{size[1]}")
            if film.lasts_s and lasts_s and film.lasts_s < lasts_s - 0.5:
                found.append(f"{name} ends at {film.lasts_s:.1f} s: its last picture is used for the rest")
        return found

    def close(self) -> None:
        self._stack.close()


def _corrections_in(path: str | None) -> Corrections | None:
    if path is None:
        return None
    try:
        return Corrections.read(Path(path))
    except (OSError, ValueError) as error:
        raise StyleError(f"{path} cannot be corrections of masks: {first_line(error)}") from None


@lru_cache(maxsize=4)
def as_it_lies(mask: bytes, lies: Orientation) -> bytes:
    """Rotate and mirror an upright mask to the film's stored orientation."""
    codes = np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE)
    found: bytes = lying(codes, lies).tobytes()
    return found


@lru_cache(maxsize=4)
def maps_as_they_lie(maps: Maps, lies: Orientation) -> Maps:
    """Rotate and mirror upright maps to the film's stored orientation."""
    quarters = lies.quarters
    if not (quarters or lies.mirrored):
        return maps
    made = dict[str, bytes]()
    if maps.sizes is not None:
        codes = np.frombuffer(maps.sizes, np.uint8).reshape(MAP_SIDE, MAP_SIDE)
        made["sizes"] = lying(codes, lies).tobytes()
    if maps.directions is not None:
        parts = np.frombuffer(maps.directions, np.int8).reshape(2, MAP_SIDE, MAP_SIDE)
        turn = -1 if quarters % 2 else 1  # gx² - gy² and 2 gx gy change their signs with a quarter turn
        signs = turn, -turn if lies.mirrored else turn
        lain = [lying(part, lies) for part in parts]
        made["directions"] = np.stack([sign * part for sign, part in zip(signs, lain, strict=True)]).tobytes()
    return Maps(**made)


def _by_light(_: Picture) -> Read:
    return _sizes


def _by_area(_: Picture) -> Read:
    return _inside


def _by_colour(first: Picture) -> Read:
    is_grey = np.ptp(first, axis=-1).max() <= GREY_CODES
    leads_nowhere = np.abs(first.astype(np.int16) - 128).max() <= GREY_CODES
    return _forms if is_grey and not leads_nowhere else _vectors


def _sizes(rgb: Picture, alpha: Picture | None) -> bytes:
    """Convert a size map: black finest, white broadest, transparent as needed."""
    seen = 1.0 if alpha is None else alpha / 255.0
    codes = _resized(AS_NEEDED + seen * (rgb @ LUMA - AS_NEEDED))
    found: bytes = np.rint(codes.clip(0.0, 255.0)).astype(np.uint8).tobytes()
    return found


def _inside(rgb: Picture, alpha: Picture | None) -> bytes:
    """Convert a mask to bytes: white or opaque is inside."""
    cut_out = alpha is not None and int(alpha.min()) < OPAQUE_CODES
    codes = _resized(alpha.astype(np.float64) if cut_out and alpha is not None else rgb @ LUMA, MASK_SIDE)
    found: bytes = np.rint(codes.clip(0.0, 255.0)).astype(np.uint8).tobytes()
    return found


def _forms(rgb: Picture, alpha: Picture | None) -> bytes:
    height, width = rgb.shape[:2]
    across, down = derivatives(_resized(rgb @ LUMA))
    across, down = across * math.sqrt(height / width), down * math.sqrt(width / height)  # gradients per square sample
    weights = gaussian(FORMS, round(2.5 * FORMS))
    parts = [smoothed(part, weights) for part in (across * across - down * down, 2.0 * across * down)]
    length = np.hypot(*parts)
    return _tensor([part / np.maximum(length, LEAST_SLOPE**2) for part in parts], alpha)


def _vectors(rgb: Picture, alpha: Picture | None) -> bytes:
    """Convert flow maps or normals: red right, green up, 128 is zero."""
    over, up = np.moveaxis(rgb[..., :2] / 127.5 - 1.0, -1, 0)
    length = np.hypot(over, up)
    per = 1.0 / (np.maximum(length, NOTHING) * np.maximum(length, 1.0))
    return _tensor([_resized(per * (up * up - over * over)), _resized(per * 2.0 * over * up)], alpha)


def _tensor(parts: list[npt.NDArray[np.float64]], alpha: Picture | None) -> bytes:
    seen = np.ones((MAP_SIDE, MAP_SIDE)) if alpha is None else _resized(alpha / 255.0)
    tensor = np.stack(parts) * seen
    tensor = np.where(np.hypot(*tensor) < NOTHING, 0.0, tensor)
    return np.rint(127.0 * tensor.clip(-1.0, 1.0)).astype(np.int8).tobytes()


def _resized(plane: npt.NDArray[np.float64], side: int = MAP_SIDE) -> npt.NDArray[np.float64]:
    from PIL import Image  # imported here because only this function needs it

    whole = Image.fromarray(plane.astype(np.float32))
    return np.asarray(whole.resize((side, side), Image.Resampling.BILINEAR)).astype(np.float64)
