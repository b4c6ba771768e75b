"""Maps of sizes and directions that a person gives a brush, and masks: films that go frame by frame with the film that
is painted. A still picture is a film of one frame.

A frame has the map that is shown at its own time; the last one stays. So what a map says of a frame depends on that
frame alone, and a part of a film has the maps of the whole. Numbered pictures have no times: each goes with the frame
of its number. The map is decoded ahead of the frame that is painted, in a thread of its own, and what some frames of it
say is in memory at a time.
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
from framebrush.base.files import FileState, file_state
from framebrush.base.prefetch import Prefetcher
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.cells import derivatives, gaussian, smoothed
from framebrush.media.reading.open import is_damaged_jpeg, is_numbered
from framebrush.media.reading.orientation import lying
from framebrush.media.reading.reader import Reader
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions, Position, VideoFrame
from framebrush.models.brushes import AS_NEEDED, MAP_SIDE, NO_MAPS, Maps
from framebrush.models.colours.luma import LUMA
from framebrush.models.masks import MASK_SIDE
from framebrush.models.style import StyleError
from framebrush.styles import pictures
from framebrush.styles.pictures import Developer
from framebrush.styles.specs import ALPHA, BRUSH_PICTURES, SOURCE_SIZE, SizeSpec

NUMBERED = OpenOptions(rate=Fraction(1))
"""How numbered pictures are opened: one a second, so that their times are their numbers."""

DEPTH = 4
"""Maps that are read ahead."""

BACK_S, KEPT = 1, 64
"""So far back is read where a frame before those that are kept is asked for, and so many maps are kept, so that the
next steps back cost nothing."""

FAR = 8
"""A frame that is so many seconds, or numbers, after the map that was read last is sought, not read up to."""

SHAPE_TOLERANCE = 0.01
"""A map whose shape differs by more from the film's is stretched, which is said."""

NOTHING = 0.02
"""What a map of directions says by less than this, 0..1, it does not say."""

GREY_CODES = 8
"""Channels of a grey picture differ by at most so much; and a picture that says nothing, from the middle."""

OPAQUE_CODES = 255 - GREY_CODES
"""Alpha below which a pixel is not all there: a mask with any is cut out of a picture."""

LEAST_SLOPE = 0.25
"""In codes from sample to sample of a map: where a grey picture rises by less it has no forms, and counts for less."""

FORMS = 4.0
"""Deviation, in samples of a map, within which the forms of a grey picture count as one."""


Read = Callable[[Picture, Picture | None], bytes]


class _Shown(NamedTuple):
    """What a map says from a time on, or from a number of a frame."""

    since: Fraction
    samples: bytes


class MapFilm(Closing):
    """An open map. path: as it was given. size: of its frames, upright. is_film: whether it has more than one.
    lasts_s: how long, None where that is not known or does not matter. For one thread at a time."""

    def __init__(self, path: str, what: str, reader_of: Callable[[Picture], Read]) -> None:
        """what: it is, for messages. reader_of: gives what reads the frames of a film, by its first one. Raises
        StyleError, one sentence, for what cannot be read or says nothing."""
        self.path = path
        self.is_numbered = is_numbered(Path(path))
        self._frames: Prefetcher[_Shown] | None = None
        self._ahead: _Shown | None = None
        self._past: deque[_Shown] = deque(maxlen=KEPT)  # those before the one that is shown
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
        elsewhere = pictures.elsewhere
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
        if not self.is_film and self._read is _inside and samples.count(samples[:1]) == len(samples):
            raise ValueError("it says nothing, as all of it is alike; give white where inside is, and black elsewhere")
        if not self.is_film and self._read not in (_sizes, _inside) and not any(samples):
            raise ValueError("it says nothing; give red for across and green for up, or the forms of a grey picture")

    def at(self, number: int, time_s: Fraction | None) -> bytes:
        """What it says of a frame, by its number and its time from the first one of the film. time_s: None where it has
        none, of a map that does not go by time. Raises InputError, DeviceError."""
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
        """Show the last map that is shown no later."""
        self._stop()
        self._past.clear()
        source = self._source
        source.seek(Position(time_s, "s"))
        frame = next(source, None)
        while frame is not None and frame.number and source.info.time_s(frame) > time_s:
            number = frame.number - 1
            source.seek(Position(Fraction(number), "frame"))
            frame = next(source, None)
            if frame is not None and frame.number > number:
                break  # which cannot be decoded
        if frame is None:
            raise InputError(f"{self.path}: its frame at {float(time_s):.3f} s cannot be decoded; check the file")
        self._shown = self._said(frame)
        self._ahead = next(self._following(), None)

    def _following(self) -> Iterator[_Shown]:
        """A generator, because `Prefetcher` closes what it reads, but the source stays open."""
        while (frame := next(self._source, None)) is not None:
            yield self._said(frame)
        self._check_whole()

    def _said(self, frame: VideoFrame) -> _Shown:
        self._check_whole()
        return _Shown(self._source.info.time_s(frame), self._read(*self._develop(frame)))

    def _check_whole(self) -> None:
        """A part of the film would else have other maps than the whole."""
        if self._source.lost_frames or self._source.cut_off:
            raise InputError(f"{self.path} is damaged: not all of its frames can be decoded; give a map that is whole")

    def _next(self) -> _Shown | None:
        """What is shown then. From the first call on it is read ahead: some open a map only to look at it."""
        if self._frames is None:
            self._frames = Prefetcher(self._following(), depth=DEPTH, name="map")
        return next(self._frames, None)

    def _stop(self) -> None:
        frames, self._frames, self._ahead = self._frames, None, None
        if frames is not None:
            frames.close()

    def close(self) -> None:
        """Release decoder, file and thread. Idempotent."""
        self._stack.close()


def state_of(sizes: SizeSpec) -> tuple[object, ...]:
    """The maps and the mask of a job, and when their files were changed: what is open may be kept where this is the
    same."""
    paths = sizes.brush_sizes, sizes.brush_directions, sizes.mask
    return *(None if path is None else (path, _state_of(path)) for path in paths), sizes.mask_shape


def _state_of(path: str) -> FileState | None:
    try:
        return file_state(Path(path))
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=8)
def maps_at(sizes: SizeSpec, _: object, number: int, time_s: Fraction) -> Maps:
    """Those of one frame. _: the `state_of` the sizes. Raises StyleError, InputError, DeviceError."""
    with BrushMaps(sizes) as maps:
        return maps.at(number, time_s)


class BrushMaps(Closing):
    """The maps of a job's brush, and its mask, open. For one thread at a time.

    asked: the sizes of the job.
    """

    def __init__(self, sizes: SizeSpec = SOURCE_SIZE, *, timed: bool = True) -> None:
        """sizes: of the job. timed: whether frames have times. Raises StyleError, one sentence, for a map that cannot
        be read, or that goes by time where there are none."""
        self.asked, self._last, self._films = sizes, NO_MAPS, dict[str, MapFilm]()
        self._mask: MapFilm | None = None
        with ExitStack() as stack:
            for field, reader_of in (("brush_sizes", _by_light), ("brush_directions", _by_colour), ("mask", _by_area)):
                path, what = getattr(sizes, field), BRUSH_PICTURES[field]
                if path is None or (field == "mask" and path == ALPHA):
                    continue
                film = MapFilm(path, what, reader_of)
                if field == "mask":
                    self._mask = film
                else:
                    self._films[field.removeprefix("brush_")] = film
                stack.callback(film.close)
                if film.is_film and not film.is_numbered and not timed:
                    raise StyleError(
                        f"{path} cannot be {what}: it is a film, which goes by time, and these frames have no times; "
                        "give numbered pictures, as in sizes/%05d.png"
                    )
            self._stack = stack.pop_all()

    def at(self, number: int, time_s: Fraction | None) -> Maps:
        """Those of a frame, the same object as long as they are the same. See `MapFilm.at`."""
        said = {name: film.at(number, time_s) for name, film in self._films.items()}
        if any(samples is not getattr(self._last, name) for name, samples in said.items()):
            self._last = Maps(**said)
        return self._last

    def mask_at(self, number: int, time_s: Fraction | None) -> bytes | None:
        """The mask of a frame, upright: MASK_SIDE rows of as many bytes; None where no file is given. See
        `MapFilm.at`."""
        return None if self._mask is None else self._mask.at(number, time_s)

    def notes(self, size: Size, lasts_s: float | None) -> list[str]:
        """What a person should know who gives these maps for a film, a sentence each. size: of its frames, upright.
        lasts_s: how long it is, None where that is not known."""
        found = []
        for film in (*self._films.values(), *((self._mask,) if self._mask else ())):
            name, (width, height) = Path(film.path).name, film.size
            if abs(width * size[1] / (height * size[0]) - 1.0) > SHAPE_TOLERANCE:
                found.append(f"{name} is {width}x{height}: it is stretched over frames of {size[0]}x{size[1]}")
            if film.lasts_s and lasts_s and film.lasts_s < lasts_s - 0.5:
                found.append(f"{name} ends at {film.lasts_s:.1f} s: its last picture stays for the rest")
        return found

    def close(self) -> None:
        """Release decoders, files and threads. Idempotent."""
        self._stack.close()


@lru_cache(maxsize=4)
def as_it_lies(mask: bytes, rotation_degrees: int, mirrored: bool) -> bytes:
    """Return an upright mask as the frames of its film lie in the file."""
    codes = np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE)
    found: bytes = lying(codes, rotation_degrees, mirrored=mirrored).tobytes()
    return found


def _by_light(_: Picture) -> Read:
    return _sizes


def _by_area(_: Picture) -> Read:
    return _inside


def _by_colour(first: Picture) -> Read:
    """A film whose first frame is grey is one of forms, but for one that leads nowhere yet, all of it in the middle."""
    is_grey = np.ptp(first, axis=-1).max() <= GREY_CODES
    leads_nowhere = np.abs(first.astype(np.int16) - 128).max() <= GREY_CODES
    return _forms if is_grey and not leads_nowhere else _vectors


def _sizes(rgb: Picture, alpha: Picture | None) -> bytes:
    """From black, where strokes are finest, to white, where they are broadest; what is transparent leaves them to the
    film. rgb: (H, W, 3). alpha: (H, W)."""
    seen = 1.0 if alpha is None else alpha / 255.0
    codes = _resized(AS_NEEDED + seen * (rgb @ LUMA - AS_NEEDED))
    found: bytes = np.rint(codes.clip(0.0, 255.0)).astype(np.uint8).tobytes()
    return found


def _inside(rgb: Picture, alpha: Picture | None) -> bytes:
    """The area of a mask, MASK_SIDE rows of bytes: white is inside, or, of a cut-out picture, whatever is not
    transparent. rgb: (H, W, 3). alpha: (H, W)."""
    cut_out = alpha is not None and int(alpha.min()) < OPAQUE_CODES
    codes = _resized(alpha.astype(np.float64) if cut_out and alpha is not None else rgb @ LUMA, MASK_SIDE)
    found: bytes = np.rint(codes.clip(0.0, 255.0)).astype(np.uint8).tobytes()
    return found


def _forms(rgb: Picture, alpha: Picture | None) -> bytes:
    """Strokes follow the forms of a grey picture, along lines of one brightness. rgb: (H, W, 3). alpha: (H, W)."""
    height, width = rgb.shape[:2]
    across, down = derivatives(_resized(rgb @ LUMA))
    across, down = across * math.sqrt(height / width), down * math.sqrt(width / height)  # of square samples
    weights = gaussian(FORMS, round(2.5 * FORMS))
    parts = [smoothed(part, weights) for part in (across * across - down * down, 2.0 * across * down)]
    length = np.hypot(*parts)
    return _tensor([part / np.maximum(length, LEAST_SLOPE**2) for part in parts], alpha)


def _vectors(rgb: Picture, alpha: Picture | None) -> bytes:
    """Of vectors, as maps of flow and of normals in screen space are: red leads across and green up, and 128 of both,
    nowhere. rgb: (H, W, 3). alpha: (H, W)."""
    over, up = np.moveaxis(rgb[..., :2] / 127.5 - 1.0, -1, 0)
    length = np.hypot(over, up)
    per = 1.0 / (np.maximum(length, NOTHING) * np.maximum(length, 1.0))
    return _tensor([_resized(per * (up * up - over * over)), _resized(per * 2.0 * over * up)], alpha)


def _tensor(parts: list[npt.NDArray[np.float64]], alpha: Picture | None) -> bytes:
    """What is transparent leaves directions to the film."""
    seen = np.ones((MAP_SIDE, MAP_SIDE)) if alpha is None else _resized(alpha / 255.0)
    tensor = np.stack(parts) * seen
    tensor = np.where(np.hypot(*tensor) < NOTHING, 0.0, tensor)
    return np.rint(127.0 * tensor.clip(-1.0, 1.0)).astype(np.int8).tobytes()


def _resized(plane: npt.NDArray[np.float64], side: int = MAP_SIDE) -> npt.NDArray[np.float64]:
    """(side, side): a plane, stretched."""
    from PIL import Image  # here, not above: only pictures need it

    whole = Image.fromarray(plane.astype(np.float32))
    return np.asarray(whole.resize((side, side), Image.Resampling.BILINEAR)).astype(np.float64)
