"""Masks of faces and people in a film's frames.

Detected in some frames, advected along the motion in between.

Detection runs on every LOOK_EVERY-th frame, and on the first frame of each shot. A frame's mask fades from the
second-last detected mask to the last one, both carried to the frame. It depends on the frame and at most CONTEXT_FRAMES
before it, so a range of the film gets the masks of the whole. Everything runs on the processor on decoded frames, so
masks are equal on every device.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import Frame
from framebrush.models.masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.subject import kernels, thumbnails
from framebrush.subject.motion import Bytes, carried, is_cut, motion
from framebrush.subject.networks import FACES_SIDE_PX, FACES_STRIDE_PX, PEOPLE_SIZE, Face, Networks

LOOK_EVERY = 4
"""As strokes look (`gpu.stages.strokes.LOOK_EVERY`)."""

CONTEXT_FRAMES = 2 * LOOK_EVERY
"""Frames before a frame on which its masks depend: up to seven since the look before the last one, and the frame before
that, without which a cut would not be seen."""

NEAREST = range(1, CONTEXT_FRAMES + 1)
"""How much later than the frame before it a frame may be for masks to be carried to it: playback and cameras drop
frames."""

ACROSS, DOWN, MIDDLE = 0.62, 0.8, 0.42
"""Half axes of a face's ellipse in widths and heights of its box, and its centre from the box's upper edge."""
SOFT = 0.6
"""The mask falls from 1 at the ellipse to 0 at 1 + SOFT half axes."""

HEAD_SHARE = 1.0 / 3.0
"""What hair, ears, hands and turned heads count beside a face."""
HEAD_REACH = 3.5
"""Distance from a face, in its half axes, beyond which people do not count."""

LEAST_PEOPLE = 0.2
"""How sure it must be that a place shows people, and of 1 less it that it does not: the network is never quite sure."""

Floats = npt.NDArray[np.float32]


class FilmMasks:
    """Makes the masks of a film's frames, which are given in order. For one thread at a time.

    A frame that is not soon after the one before it begins anew, as after a seek.
    """

    def __init__(self, networks: Networks | None, rotation: int = 0, *, faces: bool = True, area: bool = False) -> None:
        """Begin without a frame.

        Args:
            networks: None where only luma is wanted.
            rotation: Degrees counter-clockwise by which frames are turned to be upright, to the nearest quarter.
            faces: Whether masks of faces are wanted.
            area: Whether masks of people are wanted, as an area.
        """
        self.faces, self.area = faces, area
        self._networks, self._turns = networks, round(rotation / 90) % 4
        self._number: int | None = None
        self._luma: Bytes | None = None
        # (1 or 2, 2, MASK_SIDE, MASK_SIDE): masks of faces and of people, of the last look and of the one before it
        self._looks = np.zeros((1, 2, MASK_SIDE, MASK_SIDE), np.float32)
        self._anybody, self._latest = False, NO_MASKS
        self._since = 0  # the number of the last look's frame

    @property
    def luma(self) -> bytes:
        """Luma of the last frame, as masks have it."""
        assert self._luma is not None
        return self._luma.tobytes()

    def of(self, frame: Frame, number: int) -> Masks:
        """Return the masks of a frame. number: of the frame in its film."""
        if number == self._number:  # painted once more, with another look
            return self._latest
        luma = thumbnails.luma_of(frame, MASK_SIDE)
        former, before = self._luma, self._number
        self._luma, self._number = luma, number
        if self._networks is None:
            return NO_MASKS
        if former is None or before is None or number - before not in NEAREST or is_cut(former, luma):
            self._looks, self._since = self._seen(frame)[None], number
        else:
            if self._anybody:
                way = motion(former, luma)
                if way is not None:
                    flat = self._looks.reshape(-1, MASK_SIDE, MASK_SIDE)
                    self._looks = carried(flat, way).reshape(self._looks.shape)
            if number // LOOK_EVERY > before // LOOK_EVERY:
                self._looks, self._since = np.stack([self._looks[-1], self._seen(frame)]), number
        self._anybody = bool(self._looks.any())
        self._latest = self._glided((number - self._since) / LOOK_EVERY) if self._anybody else NO_MASKS
        return self._latest

    def _glided(self, share: float) -> Masks:
        """Masks on the way from the look before the last one to that. share: how far, 0..1."""
        assert self._luma is not None
        found: list[bytes | None] = []
        for first, last in zip(self._looks[0], self._looks[-1], strict=True):
            codes = np.empty((MASK_SIDE, MASK_SIDE), np.uint8)
            kernels.mask_glided(first, last, share, codes, 0, MASK_SIDE)
            found.append(codes.tobytes() if codes.any() else None)
        faces, area = found
        return Masks(faces, area, self._luma.tobytes()) if faces or area else NO_MASKS

    def _seen(self, frame: Frame) -> Floats:
        """Return the masks of faces and people that the networks find in a frame.

        (2, MASK_SIDE, MASK_SIDE).
        """
        width, height = frame.format.width, frame.format.height
        if self._turns % 2:
            width, height = height, width
        scale = FACES_SIDE_PX / max(width, height)
        size = _multiple(width * scale), _multiple(height * scale)
        masks = np.zeros((2, MASK_SIDE, MASK_SIDE), np.float32)
        near = np.zeros((MASK_SIDE, MASK_SIDE), np.float32)
        assert self._networks is not None
        found = self._networks.faces(self._picture(frame, size)) if self.faces else []
        for face in found:
            away = _away(face)
            np.maximum(masks[0], np.clip((1 + SOFT - away) / SOFT, 0, 1), out=masks[0])
            np.maximum(near, np.clip(HEAD_REACH - away, 0, 1), out=near)
        if found or self.area:
            people = _resized(self._networks.people(self._picture(frame, PEOPLE_SIZE)))
            np.maximum(masks[0], np.float32(HEAD_SHARE) * people * near, out=masks[0])
            if self.area:
                masks[1] = np.clip((people - LEAST_PEOPLE) / (1 - 2 * LEAST_PEOPLE), 0, 1)
        return np.ascontiguousarray(np.rot90(masks, -self._turns, axes=(1, 2)))

    def _picture(self, frame: Frame, size: tuple[int, int]) -> Floats:
        """R'G'B' of a frame, upright, (3, H, W)."""
        turned = size[::-1] if self._turns % 2 else size
        return np.ascontiguousarray(np.rot90(thumbnails.rgb_of(frame, turned), self._turns, axes=(1, 2)))


def _multiple(side: float) -> int:
    return max(1, round(side / FACES_STRIDE_PX)) * FACES_STRIDE_PX


_PLACES = (np.arange(MASK_SIDE, dtype=np.float32) + 0.5) / MASK_SIDE


def _away(face: Face) -> Floats:
    """Return the distance from a face's centre, in half axes of its ellipse.

    (MASK_SIDE, MASK_SIDE).
    """
    x = (_PLACES - (face.left + face.width / 2)) / max(ACROSS * face.width, 1e-4)
    y = (_PLACES - (face.top + MIDDLE * face.height)) / max(DOWN * face.height, 1e-4)
    away: Floats = np.sqrt((x * x)[None, :] + (y * y)[:, None])
    return away


def _resized(mask: Floats) -> Floats:
    """Resize a mask to (MASK_SIDE, MASK_SIDE), linearly between sample centres."""
    for axis in (0, 1):
        length = mask.shape[axis]
        places = np.clip(_PLACES * length - 0.5, 0, length - 1)
        low = np.minimum(places.astype(np.intp), length - 2)
        share = np.expand_dims((places - low).astype(np.float32), 1 - axis)
        mask = mask.take(low, axis) * (1 - share) + mask.take(low + 1, axis) * share
    return mask
