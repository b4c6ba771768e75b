"""Masks of faces, people and subject in a film's frames, equal on every device.

Faces, people and distance are detected in every LOOK_EVERY-th frame, the subject in every SUBJECT_EVERY-th, and all in
a shot's first; in between they are advected. A mask fades from the second-last detection to the last.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from framebrush.gpu.frame import Frame
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.subject import mask_kernels, small_pictures
from framebrush.subject.block_motion import SmallLuma, boxes_of, carried, is_cut, motion
from framebrush.subject.networks import (
    FAR_SIZE,
    PEOPLE_SIZE,
    SUBJECT_SIZE,
    Area,
    Face,
    Networks,
    faces_size,
)

LOOK_EVERY = 4
"""Frames between two detections of faces, as `gpu.stages.strokes.LOOK_EVERY`."""

HEADS_EVERY = 2 * LOOK_EVERY
"""Frames between two detections of heads around faces, where the area is not people. Heads count HEAD_SHARE only."""

SUBJECT_EVERY = 12
"""Frames between two detections of the subject, whose network takes a hundred times as long."""

NEAREST = range(1, 2 * LOOK_EVERY + 1)
"""Distances in frames over which masks are carried, as playback and cameras drop frames."""

ACROSS, DOWN, MIDDLE = 0.62, 0.8, 0.42
"""Half axes of a face's ellipse in widths and heights of its box, and its centre from the box's upper edge."""
SOFT = 0.6
"""The mask falls from 1 at the ellipse to 0 at 1 + SOFT half axes, where people are."""
INNER, OUTER = 0.5, 0.8
"""Half axes from 1 to 0 where no people were found."""

HEAD_SHARE = 1.0 / 3.0
"""Weight of hair, ears, hands and turned heads; a face has 1."""
HEAD_REACH = 3.5
"""Distance from a face, in its half axes, beyond which people do not count."""

LEAST_PEOPLE = 0.2
"""Probabilities of people up to this value count as 0, and from 1 less it as 1: the network is never quite sure."""

Floats = npt.NDArray[np.float32]
Whole = npt.NDArray[np.int32]


def context_frames(area: Area | None) -> int:
    """Return the number of earlier frames that a frame's masks depend on.

    The first is just before the second-last detection, or the last of heads.
    """
    match area:
        case Area.SUBJECT:
            return 2 * SUBJECT_EVERY
        case Area.PEOPLE:
            return 2 * LOOK_EVERY
        case _:
            return LOOK_EVERY + HEADS_EVERY


class _Looks:
    """Last two detections, advected to the current frame."""

    def __init__(self, every: int) -> None:
        self._every = every
        self._detections: list[tuple[Floats, Whole]] = []  # masks (n, MASK_SIDE, MASK_SIDE), boxes
        self._widths = [0.0]  # of the narrowest face in each detection, as `Masks.face_width`
        self._since = 0  # number of the last detection's frame
        self.anybody = False

    @property
    def latest(self) -> Floats:
        return self._detections[-1][0]

    def start(self, number: int, seen: tuple[Floats, float]) -> None:
        self._detections, self._widths = [], []
        self.add(number, seen)

    def carry(self, way: Floats) -> None:
        if self.anybody:
            each = len(self.latest)
            masks, boxes = (np.concatenate(parts) for parts in zip(*self._detections, strict=True))
            masks, boxes = carried(masks, boxes, way)
            self._detections = [
                (masks[first : first + each], boxes[first : first + each]) for first in range(0, len(masks), each)
            ]
            self._look_for_anybody()

    def is_due(self, number: int, before: int) -> bool:
        return number // self._every > before // self._every

    def add(self, number: int, seen: tuple[Floats, float]) -> None:
        self._detections = [*self._detections[-1:], (seen[0], boxes_of(seen[0]))]
        self._widths = [*self._widths[-1:], seen[1]]
        self._since = number
        self._look_for_anybody()

    def at(self, number: int) -> tuple[list[bytes | None], float]:
        if not self.anybody:
            return [None] * len(self.latest), 0.0
        # Nothing jumps with a detection, but the older one is soon stale where somebody moves.
        fade = min(self._every // 2, LOOK_EVERY)
        share, made = min((number - self._since + 1) / fade, 1.0), list[bytes | None]()
        (first, first_boxes), (last, last_boxes) = self._detections[0], self._detections[-1]
        bounds = zip(first_boxes.tolist(), last_boxes.tolist(), strict=True)
        for earlier, later, (box, other) in zip(first, last, bounds, strict=True):
            top, bottom = min(box[0], other[0]), max(box[1], other[1])
            codes = np.zeros((MASK_SIDE, MASK_SIDE), np.uint8)
            if top < bottom:
                mask_kernels.mask_glided(earlier, later, share, codes, top, bottom)
            made.append(codes.tobytes() if codes.any() else None)
        before, after = self._widths[0], self._widths[-1]
        return made, before + share * (after - before) if before and after else before or after

    def _look_for_anybody(self) -> None:
        self.anybody = any(bool((boxes[:, 0] < boxes[:, 1]).any()) for _, boxes in self._detections)


class FilmMasks:
    """Masks of consecutive frames, anew after a seek. For one thread at a time."""

    def __init__(
        self,
        networks: Networks | None,
        quarters: int = 0,
        *,
        faces: bool = True,
        area: Area | None = None,
        far: bool = False,
    ) -> None:
        """Begin. networks: None for luma alone.

        quarters: turns counter-clockwise that show frames upright.
        """
        self.faces, self.area, self.far = faces, area, far
        self._networks, self._turns = networks, quarters
        self._number: int | None = None
        self._begun: int | None = None  # first frame of the uninterrupted frames; None from a cut on
        self._luma: SmallLuma | None = None
        self._faces_before = 0  # number of faces in the last look
        self._looks: list[tuple[_Looks, Callable[[Frame, Floats | None], tuple[Floats, float]]]] = []
        if faces or area is Area.PEOPLE:
            self._looks.append((_Looks(LOOK_EVERY), self._people_in))
        if area is Area.SUBJECT:
            self._looks.append((_Looks(SUBJECT_EVERY), self._subject_in))
        if far or area is Area.FAR:
            self._looks.append((_Looks(LOOK_EVERY), self._far_in))
        self._latest = NO_MASKS

    @property
    def luma(self) -> bytes:
        assert self._luma is not None
        return self._luma.codes.tobytes()

    def of(self, frame: Frame, number: int) -> Masks:
        """Return a frame's masks. number: in the film."""
        if number == self._number:  # painted once more, with another look
            return self._latest
        luma = SmallLuma(small_pictures.luma_of(frame, MASK_SIDE))
        former, before = self._luma, self._number
        self._luma, self._number = luma, number
        if self._networks is None:
            return NO_MASKS
        is_begun = former is None or before is None or number - before not in NEAREST
        if is_begun:
            self._begun = number
        if is_begun or former is None or before is None or is_cut(former, luma):
            if not is_begun:
                self._begun = None  # masks begin anew at a cut, wherever the film was opened
            for looks, seen_in in self._looks:
                looks.start(number, seen_in(frame, None))
        else:
            way = motion(former, luma) if any(looks.anybody for looks, _ in self._looks) else None
            for looks, seen_in in self._looks:
                if way is not None:
                    looks.carry(way)
                if looks.is_due(number, before):
                    known = looks.latest if number // HEADS_EVERY == before // HEADS_EVERY else None
                    looks.add(number, seen_in(frame, known))
        self._latest = self._at(number)
        return self._latest

    def begin_anew(self) -> None:
        self._luma = self._number = self._begun = None

    @property
    def lacking(self) -> int:
        """Return the number of frames that masks lack after a seek."""
        if self._number is None or not self._begun or self._networks is None:  # nothing is before frame 0
            return 0
        context = context_frames(self.area)
        return min(context, self._number) if self._number - self._begun < context else 0

    def untracked_before(self, number: int) -> int:
        """Return the number of frames to give before a frame."""
        if self._networks is None or (self._number is not None and number - self._number in (0, 1)):
            return 0
        return min(context_frames(self.area), number)

    def _at(self, number: int) -> Masks:
        assert self._luma is not None
        planes, width = list[bytes | None](), 0.0
        for looks, _ in self._looks:
            found, wide = looks.at(number)
            planes, width = planes + found, width or wide
        far = planes.pop() if self.far else None
        faces, area = planes[0] if self.faces else None, planes[-1] if self.area else None
        if not (faces or area or far):
            return NO_MASKS
        return Masks(faces, area, self._luma.codes.tobytes(), width if faces else 0.0, far)

    def _people_in(self, frame: Frame, known: Floats | None) -> tuple[Floats, float]:
        width, height = frame.format.size
        if self._turns % 2:
            width, height = height, width
        size = faces_size(width, height)
        of_faces, inner, near = np.zeros((3, MASK_SIDE, MASK_SIDE), np.float32)
        assert self._networks is not None
        found = self._networks.faces(self._picture(frame, size)) if self.faces else []
        for face in found:
            away = _away(face)
            np.maximum(of_faces, np.clip((1 + SOFT - away) / SOFT, 0, 1), out=of_faces)
            np.maximum(inner, np.clip((OUTER - away) / (OUTER - INNER), 0, 1), out=inner)
            np.maximum(near, np.clip(HEAD_REACH - away, 0, 1), out=near)
        near *= np.float32(HEAD_SHARE)
        of_people = self.area is Area.PEOPLE
        if of_people or (found and (known is None or len(found) > self._faces_before)):
            people = _people(self._networks.people(self._picture(frame, PEOPLE_SIZE)))
            of_faces = np.maximum(np.minimum(of_faces, people), people * near)
        elif found and known is not None:
            of_faces = np.minimum(np.maximum(of_faces, near), self._upright(known)[0])
        np.maximum(of_faces, inner, out=of_faces)
        self._faces_before = len(found)
        masks = [of_faces] * self.faces
        if of_people:
            masks.append(people)
        narrowest = min((face.width for face in found), default=0.0) * width / frame.format.width
        return self._lying(np.stack(masks)), narrowest

    def _subject_in(self, frame: Frame, _: Floats | None) -> tuple[Floats, float]:
        assert self._networks is not None
        return self._lying(_resized(self._networks.subject(self._picture(frame, SUBJECT_SIZE)))[None]), 0.0

    def _far_in(self, frame: Frame, _: Floats | None) -> tuple[Floats, float]:
        assert self._networks is not None
        return self._lying(_resized(self._networks.far(self._picture(frame, FAR_SIZE)))[None]), 0.0

    def _picture(self, frame: Frame, size: tuple[int, int]) -> Floats:
        turned = size[::-1] if self._turns % 2 else size
        return np.ascontiguousarray(np.rot90(small_pictures.rgb_of(frame, turned), self._turns, axes=(1, 2)))

    def _upright(self, masks: Floats) -> Floats:
        return np.rot90(masks, self._turns, axes=(1, 2))

    def _lying(self, masks: Floats) -> Floats:
        return np.ascontiguousarray(np.rot90(masks, -self._turns, axes=(1, 2)))


_PLACES = (np.arange(MASK_SIDE, dtype=np.float32) + 0.5) / MASK_SIDE


def _away(face: Face) -> Floats:
    x = (_PLACES - (face.left + face.width / 2)) / max(ACROSS * face.width, 1e-4)
    y = (_PLACES - (face.top + MIDDLE * face.height)) / max(DOWN * face.height, 1e-4)
    away: Floats = np.sqrt((x * x)[None, :] + (y * y)[:, None])
    return away


def _people(mask: Floats) -> Floats:
    people: Floats = np.clip((_resized(mask) - LEAST_PEOPLE) / (1 - 2 * LEAST_PEOPLE), 0, 1)
    return people


def _resized(mask: Floats) -> Floats:
    for axis in (0, 1):
        length = mask.shape[axis]
        places = np.clip(_PLACES * length - 0.5, 0, length - 1)
        low = np.minimum(places.astype(np.intp), length - 2)
        share = np.expand_dims((places - low).astype(np.float32), 1 - axis)
        mask = mask.take(low, axis) * (1 - share) + mask.take(low + 1, axis) * share
    return mask
