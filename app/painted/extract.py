"""Extraction of frames to paint."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from framebrush.analysis.cuts import is_blank, with_cuts
from framebrush.analysis.dissolves import Dissolve, Dissolves
from framebrush.analysis.to_rgb import Picture, ToRgb
from framebrush.base.files import write_whole
from framebrush.base.text import count_of
from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.still import as_seen, encoded, seen_size
from framebrush.jobs.transcode import OnLosses, OnMessage, PictureLosses, ignore
from framebrush.media.disk import disk_errors
from framebrush.media.reading.reader import Reader
from framebrush.media.video import PLAIN_FILE, InputError, Position
from framebrush.media.writing.output_plan import check_folder
from framebrush.painted.painted_folder import (
    MANIFEST,
    Extracted,
    Manifest,
    PaintedFolder,
    ShotFacts,
    numbered,
    with_extracted,
)
from framebrush.styles.passthrough import passthrough_style

LINES = 48
"""Rows of a frame that are sampled for sharpness."""

SHARP = 0.8
"""Minimum sharpness, as a share of the shot's sharpest frame, of a candidate. Of the candidates, the one most similar
to all frames of the shot represents it.
"""

Read = tuple[int, int | None]
"""Number of a frame that was read, and the frame count of the film (None if unknown)."""

OnRead = Callable[[int, int | None], None]
Result = TypeVar("Result")


def extract(
    film: Path,
    folder: PaintedFolder,
    at: Sequence[Position] = (),
    *,
    overwrite: bool = False,
    search: bool = True,
    say: OnMessage = ignore,
    on_read: OnRead = lambda *_: None,
    on_losses: OnLosses = ignore,
) -> list[Path]:
    """Extract frames of a film as pictures into a folder; return their paths.

    at: empty for each shot's representative frame. overwrite: also painted pictures. search: detect shots, reading the
    whole film. on_read: called after each frame; may raise. on_losses: of the search.

    Raises: InputError, OutputError.
    """
    check_folder(folder.path / MANIFEST if folder.path.is_dir() else folder.path)  # before the whole film is read
    manifest = _ended(_manifest(film, folder, say, search=search, on_losses=on_losses), on_read)
    with frames_of(film) as shown:
        numbers = {shown.number_at(place) for place in at} or {shot.telling for shot in manifest.shots}
        with disk_errors(folder.path, f"writing to {folder.path} failed"):
            folder.path.mkdir(exist_ok=True)
            with folder.changing():
                manifest = _newest(folder, manifest)
                folder.write(manifest)
                painted = {} if overwrite else folder.painted(manifest)
            for number in sorted(numbers):
                if number in painted:
                    say(f"{painted[number]}: was painted over and stays; add -y to replace it")
                    continue
                content = numbered(encoded(shown.upright(number), "png", "rgb24"), number, film.name)
                with folder.changing():
                    for old in folder.pictures().get(number, ()):
                        if old != folder.picture(number):
                            old.unlink()  # requested, or unchanged since it was extracted
                    # Write the manifest first: a picture missing from it counts as painted.
                    folder.write(with_extracted(folder.read(), number, hashlib.sha256(content).hexdigest()))
                    write_whole(folder.picture(number), content)
    return [painted.get(number, folder.picture(number)) for number in sorted(numbers)]


def look_for_shots(
    film: Path, folder: PaintedFolder, say: OnMessage = ignore, on_read: OnRead = lambda *_: None
) -> None:
    """Detect a film's shots, unless known. Raises InputError, OutputError."""
    _ended(looking_for_shots(film, folder, say), on_read)


def looking_for_shots(film: Path, folder: PaintedFolder, say: OnMessage = ignore) -> Generator[Read, None, None]:
    """Run `look_for_shots`, yielding after each frame."""
    if not folder.read().searched:
        found = yield from _manifest(film, folder, say, search=True)
        with disk_errors(folder.path, f"writing to {folder.path} failed"), folder.changing():
            folder.write(_newest(folder, found))


def _newest(folder: PaintedFolder, found: Manifest) -> Manifest:
    if not (folder.path / MANIFEST).exists():
        return found
    now = folder.read()
    return (
        now
        if now.film == found.film and now.searched >= found.searched
        else replace(found, extracted=now.extracted, insisted=now.insisted)
    )


def _ended(steps: Generator[Read, None, Result], on_read: OnRead) -> Result:
    while True:
        try:
            read = next(steps)
        except StopIteration as end:
            return cast(Result, end.value)
        on_read(*read)


def _manifest(
    film: Path, folder: PaintedFolder, say: OnMessage, *, search: bool, on_losses: OnLosses = ignore
) -> Generator[Read, None, Manifest]:
    identity = SourceIdentity.of(film, PLAIN_FILE)
    extracted: tuple[Extracted, ...] = ()
    if (folder.path / MANIFEST).exists():
        former = folder.read()
        if former.film.sha256 != identity.sha256:
            say(f"{film} has changed since frames were extracted, or is another film: its shots are looked for again")
        elif former.searched or not search:
            return former
        extracted = former.extracted
    with Reader(film) as source:
        size = seen_size(source.info, _own_size(source))
        if not search:
            return Manifest(identity, *size, (ShotFacts(0, 0, 0),), extracted, searched=False)
        say(f"looking for the shots of {film}")
        shots: list[ShotFacts] = []
        for found in _shots(source):
            if isinstance(found, ShotFacts):
                shots.append(found)
            else:
                yield found, source.info.frame_count
        losses = PictureLosses.of(source)
        for note in (*source.warnings, *losses.count_words):
            say(note)
        on_losses(losses)
    if not shots:
        raise InputError(f"{film}: no frame can be decoded")
    say(f"{count_of(len(shots), 'shot')} found")
    return Manifest(identity, *size, tuple(shots), extracted)


def _own_size(source: Reader) -> Sizes:
    size = source.info.format.size
    return Sizes.of(size, None, size)


def _shots(source: Reader) -> Iterator[ShotFacts | int]:
    dissolves, begin = Dissolves(), Dissolve(0, 0)
    seen: list[_Seen] = []
    for begins, frame, thumbnail in with_cuts(source):
        yield frame.number
        found = dissolves.add(frame.number, thumbnail, begins=begins)
        for edge in (found, Dissolve(frame.number, frame.number) if begins and seen else None):
            if edge is not None and edge.first > begin.first:
                yield _facts(begin, [each for each in seen if begin.end <= each.number < edge.first])
                begin, seen = edge, [each for each in seen if each.number >= edge.first]
        seen.append(_Seen(frame.number, frame.host, thumbnail))
    rest = dissolves.rest()
    if rest is not None and rest.first > begin.first:
        yield _facts(begin, [each for each in seen if begin.end <= each.number < rest.first])
        begin = rest
    yield from [_facts(begin, [each for each in seen if each.number >= begin.end] or seen[-1:])] if seen else []


class _Seen:
    def __init__(self, number: int, frame: Frame, thumbnail: npt.NDArray[np.float32]) -> None:
        self.number, self.is_blank = number, is_blank(thumbnail)
        self.thumbnail = thumbnail.astype(np.float16)
        self.sharpness = _sharpness(frame)


def _sharpness(frame: Frame) -> float:
    plane, *_ = frame.components
    rows = frame.format.codes(plane[:: max(1, len(plane) // LINES)]).astype(np.float32)
    return float(np.abs(np.diff(rows, axis=1)).mean() / frame.format.top) if rows.shape[1] > 1 else 0.0


def _facts(begin: Dissolve, seen: Sequence[_Seen]) -> ShotFacts:
    shown = [each for each in seen if not each.is_blank] or seen
    mean = np.mean([each.thumbnail.astype(np.float32) for each in shown], axis=0)
    least = SHARP * max(each.sharpness for each in shown)
    sharp = [each for each in shown if each.sharpness >= least]
    telling = min(sharp, key=lambda each: float(np.abs(each.thumbnail - mean).mean()))
    return ShotFacts(begin.first, begin.frames, telling.number)


class Shown:
    """Random access to a film's frames, as R'G'B'."""

    def __init__(self, stack: ExitStack, film: Path) -> None:
        self._reader = stack.enter_context(Reader(film))
        self.info = self._reader.info
        self.sizes = _own_size(self._reader)
        self._stack, self._made = stack, dict[tuple[int, int], ToRgb]()
        self._film = film

    def number_at(self, place: Position) -> int:
        """Return the frame number at a position. Raises InputError."""
        self._reader.seek(place)
        frame = next(self._reader, None)
        value, unit = float(place.value), "f" if place.unit == "frame" else " s"
        if frame is None:
            raise InputError(f"{self._film}: there is no frame at {value:g}{unit}")
        lasts_s = frame.duration * self.info.time_base or 1 / self.info.usual_rate
        ends = frame.number + 1 if place.unit == "frame" else self.info.time_s(frame) + lasts_s
        if place.value >= ends:  # a seek ends at the last frame
            raise InputError(f"{self._film}: there is no frame at {value:g}{unit}; the last one is {frame.number}f")
        return frame.number

    def rgb(self, number: int, size: tuple[int, int] | None = None) -> Picture:
        """Return a frame (H, W, 3) as networks receive it. Raises InputError, DeviceError."""
        self._reader.seek(Position.of_frame(number))
        frame = next(self._reader, None)
        if frame is None or frame.number != number:
            raise InputError(f"{self._film}: there is no frame {number}")
        size = size or self.sizes.source
        if size not in self._made:
            self._made[size] = ToRgb(self._stack, self.info.format, size, passthrough_style())
        return self._made[size](frame.host)

    def upright(self, number: int) -> Picture:
        """Return a frame like `rgb`, upright, with square pixels."""
        return as_seen(self.rgb(number), self.info, self.sizes)


@contextmanager
def frames_of(film: Path) -> Iterator[Shown]:
    """Open a film for random access. Raises InputError."""
    with ExitStack() as stack:
        yield Shown(stack, film)
