"""Masks of a frame at its pixels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from framebrush.gpu.c_kernels import Floats2, Floats3, Planes, kernel
from framebrush.gpu.colour import Array
from framebrush.gpu.cpu.stages.corners import NOTHING_KEPT
from framebrush.gpu.cpu.stages.strips import Floats, Tensor, Workers
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import masks
from framebrush.gpu.stages.masks import Shares, photo_shares, samples
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import MASK_SIDE, Masks


class Masking:
    """Planes of a stylizer's masks."""

    def __init__(self, workers: Workers) -> None:
        self.workers = workers
        self._planes: dict[str, Floats] = {}

    def share(self, name: str, film: Floats, samples: Floats, shares: Shares) -> Floats:
        """Return a film's share to mix in, valid until the name's next call."""
        _, height, width = film.shape
        if name not in self._planes or self._planes[name].shape != (height, width):
            self._planes[name] = np.empty((height, width), np.float32)
        made = self._planes[name]
        self.workers.run(height, width, mask_share, film, samples, *shares, made)
        return made


@dataclass(frozen=True, slots=True)
class Masked:
    """Masks of one frame with a look's `faces`."""

    masks: Masks
    faces: float
    samples: Array
    planes: Floats

    @classmethod
    def of(cls, given: Masks, faces: float, before: ColourTable | None) -> Masked:
        """Prepare masks. before: table ahead of the network."""
        found = samples(given, faces, before)
        return cls(given, faces, found, found.astype(np.float32))

    def kept(self, working: Size) -> Floats:
        """Return the maximum share that faces keep by cell."""
        if not (self.masks.faces and self.faces):
            return NOTHING_KEPT
        return masks.kept(self.samples, working).astype(np.float32)

    def mix(
        self,
        film: Tensor,
        picture: Tensor,
        styled: Tensor,
        scale: int,
        working: Size,
        shares: Shares,
        masking: Masking,
    ) -> None:
        """Mix a picture (3, >=H, >=W) into styled (3, >=scale H, >=scale W)."""
        width, height = working
        seen, shown = (each[:, :height, :width].astype(np.float32, copy=False) for each in (film, picture))
        share = masking.share("film", seen, self.planes, shares)
        own = styled[:, : scale * height, : scale * width]
        made = own.astype(np.float32, copy=False)
        masking.workers.run(scale * height, scale * width, film_mixed, shown, share, scale, made)
        if made.dtype != own.dtype:
            np.copyto(own, made, casting="same_kind")

    def photo(self, source: Tensor, size: Size, look: Look, masking: Masking) -> Floats | None:
        """Return the source's share that stays a photograph, (H, W)."""
        shares, (width, height) = photo_shares(self.masks, look), size
        if not any(shares):
            return None
        shown = source[:, :height, :width].astype(np.float32, copy=False)
        return masking.share("photograph", shown, self.planes, shares)


@kernel(scratch=lambda film, *_: 2 * MASK_SIDE + 60 * film.shape[2])
def mask_share(
    film: Planes,
    samples: Floats3,
    faces: float,
    inside: float,
    outside: float,
    made: Floats2,
    y0: int,
    y1: int,
) -> None:
    """Fill rows of a film's share. samples: faces, area and luma."""


@kernel(scratch=lambda *_: 0)
def film_mixed(film: Planes, share: Floats2, scale: int, styled: Planes, y0: int, y1: int) -> None:
    """Mix a film into rows of (3, scale H, scale W), by a share."""
