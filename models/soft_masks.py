"""Soft masks of a frame."""

from __future__ import annotations

from dataclasses import dataclass

MASK_SIDE = 160
"""Rows and columns of a mask, which is stretched over frames of any shape."""


@dataclass(frozen=True, slots=True)
class Masks:
    """Masks of a frame, each MASK_SIDE² bytes, 0 to 255 (inside). Raises ValueError.

    faces: the film's form is kept there; None without faces. area: of a look's `inside` and `outside`, or None. luma:
    the film's, encoded; masks' edges follow it. face_width: narrowest face's share of the frame's width, or 0. far:
    relative distance from the lens.
    """

    faces: bytes | None = None
    area: bytes | None = None
    luma: bytes | None = None
    face_width: float = 0.0
    far: bytes | None = None

    def __post_init__(self) -> None:
        for name in ("faces", "area", "luma", "far"):
            samples = getattr(self, name)
            if samples is not None and len(samples) != MASK_SIDE**2:
                raise ValueError(f"{len(samples)} samples are no mask of {name}, which has {MASK_SIDE**2}")
        if (self.faces or self.area) and self.luma is None:
            raise ValueError("masks need the film's luma, by which their edges are found")


NO_MASKS = Masks()
