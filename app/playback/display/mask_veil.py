"""Picture of masks over the preview."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.stages.masks import Shares, samples, share
from framebrush.media.reading.orientation import upright
from framebrush.media.video import VideoFrame, VideoInfo
from framebrush.models.soft_masks import Masks
from framebrush.subject.small_pictures import rgb_of

VEIL_SIDE = 240
"""Longer side of the picture of a mask."""


def veil(frame: VideoFrame, info: VideoInfo, look: Look, masks: Masks) -> npt.NDArray[np.uint8] | None:
    """Return masks as an upright picture, (H, W) 0..255; None without effect."""
    counts = Shares(float(bool(look.needs_faces and masks.faces)), float(bool(look.needs_area and masks.area)), 0.0)
    if not any(counts) or not isinstance(frame.frame, Frame):
        return None
    width, height = frame.frame.format.size
    scale = min(1.0, VEIL_SIDE / max(width, height))
    film = rgb_of(frame.frame, (max(1, round(scale * width)), max(1, round(scale * height))))
    found = share(samples(masks, 1.0), film.astype(np.float64), counts)
    codes = np.rint(255 * np.clip(found, 0, 1)).astype(np.uint8)
    return upright(codes, info.orientation)
