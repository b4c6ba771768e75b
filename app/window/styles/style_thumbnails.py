"""Thumbnails: one photograph, painted in each style."""

from __future__ import annotations

from pathlib import Path

from framebrush.base.files import file_state
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import rgba8
from framebrush.gpu.settings import StylizerPlan
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.pipeline import Pipeline
from framebrush.media.reading.orientation import upright
from framebrush.media.reading.reader import Reader
from framebrush.media.video import TimeRange
from framebrush.styles.style_folder import OwnStyle, StyleFolder
from framebrush.styles.style_names import coloured_by, open_style
from framebrush.window.picture.composing import Pixels, image_of
from framebrush.window.styles.catalog import FOLDER, THUMBNAIL
from framebrush.window.widgets.images import save_whole

DENSEST_SCREEN = 3  # pixels of a point, along each side
QUALITY = 88
PHOTOGRAPH = FOLDER / "photograph.jpg"
"""A frame of the bundled film, in the shape of a thumbnail."""


def paint_first_frame(style: str, source: Path, at: TimeRange | None = None) -> Pixels:
    """Paint the first frame of a picture or of a video's range: (H, W, 4) RGBA, upright.

    Raises InputError, StyleError, DeviceError.
    """
    opened = open_style(style)
    with Reader(source, at) as reader, open_device("cpu") as device:
        info, frame = reader.info, next(reader)
        target = rgba8(*info.format.size)
        plan = StylizerPlan(coloured_by(opened, frame.frame), info.format, target)
        with Pipeline(FramePipeline(device, plan)) as pipeline:
            (rgba,) = next(iter(pipeline.frames([frame]))).host.planes
            return upright(rgba, info.orientation)


def save(picture: Pixels, path: Path) -> None:
    """Save (H, W, 4) RGBA as a thumbnail, atomically. Raises OSError."""
    save_whole(image_of(picture, THUMBNAIL * DENSEST_SCREEN), path, QUALITY)


def paint_missing(folder: StyleFolder, style: Path) -> bool:
    """Paint a missing or outdated thumbnail; return whether it was painted.

    Raises like `paint_first_frame` and `save`.
    """
    picture, before = OwnStyle(style).picture, file_state(style)
    if picture.is_file() and picture.stat().st_mtime_ns >= max(before[2:]):
        return False
    painted = paint_first_frame(str(style), PHOTOGRAPH)
    with folder.changing():
        if file_state(style) != before:
            return False
        save(painted, picture)
    return True
