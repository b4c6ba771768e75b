"""Corrections of a film's masks: file, and tracking of strokes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from framebrush.base.files import FileState, file_state, write_whole
from framebrush.base.text import first_line
from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import Size
from framebrush.media.reading.orientation import upright
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, OutputError, Position, VideoInfo
from framebrush.models.soft_masks import MASK_SIDE
from framebrush.styles.keys_folder import MASK, SUFFIX
from framebrush.subject.block_motion import SmallLuma, is_cut
from framebrush.subject.corrections import REACH, Corrections, Stroke
from framebrush.subject.following import SIDE, followed
from framebrush.subject.small_pictures import luma_of

Picture = npt.NDArray[np.uint8]


def beside(film: Path) -> Path:
    """Return the path of corrections: film.keys/mask.json."""
    return film.with_name(film.stem + SUFFIX) / MASK


def upright_size(info: VideoInfo) -> Size:
    """Return the size of upright frames with square pixels."""
    width = max(1, round(info.format.width * info.sample_aspect))
    return info.orientation.turned((width, info.format.height))


def read(path: Path) -> Corrections | None:
    """Read corrections, None without a file. Raises InputError."""
    try:
        return Corrections.read(path)
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({first_line(error)})") from None


def write(path: Path, corrections: Corrections) -> None:
    """Write corrections, or remove empty ones. Raises OutputError."""
    try:
        if corrections.strokes:
            path.parent.mkdir(exist_ok=True)
            write_whole(path, corrections.content)
            return
        path.unlink(missing_ok=True)
        with suppress(OSError):
            path.parent.rmdir()  # unless it has painted frames
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({first_line(error)})") from None


def follow(film: Path, size: Size, strokes: Sequence[Stroke]) -> list[Stroke]:
    """Return a frame's strokes, in pixels of `size`, with motions. Raises InputError."""
    number = strokes[0].frame
    try:
        first, shot = _shot_around(film, file_state(film), number)
    except OSError as error:
        raise InputError(f"{film}: cannot be read ({first_line(error)})") from None
    if not first <= number < first + len(shot):
        raise InputError(f"{film}: frame {number} cannot be decoded, so that its strokes are not followed")
    return [followed(stroke, size, shot, first) for stroke in strokes]


@lru_cache(maxsize=1)
def _shot_around(film: Path, _: FileState, number: int) -> tuple[int, list[Picture]]:
    first, shot = max(0, number - REACH), list[Picture]()
    before: SmallLuma | None = None
    with Reader(film) as reader:
        if first:
            reader.seek(Position.of_frame(first))
        for frame in reader:
            if frame.number > number + REACH:
                break
            host = frame.frame
            assert isinstance(host, Frame)
            small = SmallLuma(luma_of(host, MASK_SIDE))
            if frame.number != first + len(shot) or (before is not None and is_cut(before, small)):
                if frame.number > number:
                    break  # the next shot, or a frame that cannot be decoded
                first, shot = frame.number, []
            before = small
            turned = upright(luma_of(host, SIDE), reader.info.orientation)
            shot.append(turned)
    return first, shot
