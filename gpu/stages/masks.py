"""Masks of a frame at its pixels: where the film comes into the painting, or stays.

Edges follow the film by joint bilateral upsampling (Kopf et al., 2007). Mixing precedes strokes and steadying, so no
edge shows; at the end, a part may stay a photograph.
"""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.layouts import Pixels, packed
from framebrush.gpu.look import Look
from framebrush.gpu.passes import (
    Buffer,
    Constant,
    Language,
    Pass,
    Step,
    Tensor,
    Texture,
    Work,
    element_define,
    packed_define,
)
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.bilinear import bilinear
from framebrush.gpu.stages.cells import luma_of
from framebrush.gpu.stages.corners import CELL_PX, cells, spline
from framebrush.gpu.stages.frame_passes import FramePasses
from framebrush.gpu.stages.table import coloured
from framebrush.gpu.stages.tensor_to_planes import output as output_record
from framebrush.gpu.stages.tile_copies import copy_window
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks

ALIKE_LUMA = 0.06
"""The difference of luma, 0..1, at which a sample counts a quarter."""

GROWN = 1.3
"""Factor of a mask of faces for keeping small details, clipped at 1, so that they are kept up to the face's rim."""

KEPT_PER_FACES, MOST_KEPT = 1.5, 0.9
"""Share of small details that is kept in a face per unit of a look's `faces`, and its maximum."""

PLANES = 4
"""Channels of the samples that devices read, each 0..1: faces, area, luma, and maximum share of small details to
keep."""


class Shares(NamedTuple):
    """Shares 0..1 of a picture where a mask is 1. The larger counts."""

    faces: float
    inside: float
    outside: float


MASKS = packed(
    ("size", *Pixels),  # of the film's picture
    ("padded", *Pixels),  # of the film's planes
    ("output", *Pixels),  # of the network's picture
    ("styled_size", *Pixels),  # of its planes
    ("faces", "<f4"),  # shares of the film: in faces
    ("inside", "<f4"),  # in the area
    ("outside", "<f4"),  # and outside it
    ("per_luma", "<f4"),  # 1 / the difference of luma at which a sample counts a quarter
)

NO_SHARES = Shares(0.0, 0.0, 0.0)


def film_shares(masks: Masks, look: Look) -> Shares:
    """Return the film's shares before strokes, or NO_SHARES."""
    inside, outside = (look.film_inside, look.film_outside) if masks.area else (0.0, 0.0)
    return Shares((look.faces or 0.0) if masks.faces else 0.0, inside, outside)


def second_shares(masks: Masks, look: Look) -> Shares:
    """Return the second style's shares before strokes, or NO_SHARES."""
    inside = look.second_inside if masks.area and any(masks.area) else 0.0
    return Shares(0.0, inside, look.second_outside if masks.area else 0.0)


def photo_shares(masks: Masks, look: Look) -> Shares:
    """Return the film's shares at the end, NO_SHARES without an area."""
    return Shares(0.0, look.photo_inside, look.photo_outside) if masks.area else NO_SHARES


def samples(masks: Masks, faces: float, before: ColourTable | None = None) -> Array:
    """Return the masks for devices, (PLANES, MASK_SIDE, MASK_SIDE), 0 if missing.

    before: table for luma.
    """
    found = np.zeros((PLANES, MASK_SIDE, MASK_SIDE))
    for plane, codes in zip(found, (masks.faces, masks.area, masks.luma), strict=False):
        if codes is not None:
            plane[:] = np.frombuffer(codes, np.uint8).reshape(MASK_SIDE, MASK_SIDE) / 255.0
    found[3] = np.minimum(GROWN * found[0], 1.0) * min(KEPT_PER_FACES * faces, MOST_KEPT)
    if before and masks.luma is not None:
        grey = np.broadcast_to(found[2], (3, MASK_SIDE, MASK_SIDE))
        found[2] = luma_of(coloured(grey, before))
    return found


def share(samples: Array, film: Array, shares: Shares) -> Array:
    """Return the share (H, W) of the film by `samples`."""
    faces, area = _upsampled(samples, luma_of(film))
    found: Array = np.maximum(shares.faces * faces, shares.inside * area + shares.outside * (1.0 - area))
    return found


def _upsampled(samples: Array, luma: Array) -> Array:
    (rows, tall), (columns, wide) = (_around(length) for length in luma.shape)
    total, weights = np.zeros((2, *luma.shape)), np.zeros(luma.shape)
    for row, down in zip(rows, tall, strict=True):
        for column, across in zip(columns, wide, strict=True):
            near = samples[:, row[:, None], column]
            apart = (near[2] - luma) / ALIKE_LUMA
            weight = down[:, None] * across / (1.0 + apart**2) ** 2
            total += weight * near[:2]
            weights += weight
    found: Array = total / weights
    return found


def _around(length: int) -> tuple[npt.NDArray[np.int64], Array]:
    places = (np.arange(length) + 0.5) * MASK_SIDE / length - 0.5
    numbers = np.floor(places).astype(np.int64) + np.arange(-1, 3)[:, None]
    return np.clip(numbers, 0, MASK_SIDE - 1), spline(numbers - places)


def mixed(film: Array, styled: Array, share: Array) -> Array:
    """Mix the film into the network's output (3, scale H, scale W) by shares (H, W).

    Both are interpolated linearly.
    """
    height, width = styled.shape[1:]
    down, across = (
        (np.arange(here) + 0.5) * had / here - 0.5 for here, had in zip((height, width), share.shape, strict=True)
    )
    *there, much = bilinear(np.concatenate([film, share[None]]), down[:, None], across[None])
    made: Array = styled + much * (np.stack(there) - styled)
    return made


def kept(samples: Array, working: Size) -> Array:
    """Return the maximum kept share by cell of `stages.corners`."""
    columns, rows = cells(working)
    across, down = (
        (np.arange(count) + 0.5) * CELL_PX / side for count, side in zip((columns, rows), working, strict=True)
    )
    found: Array = bilinear(samples[3:], MASK_SIDE * down[:, None] - 0.5, MASK_SIDE * across - 0.5)[0]
    return found


def pixels(masks: Masks, faces: float, before: ColourTable | None) -> npt.NDArray[np.float32]:
    """Return (MASK_SIDE, MASK_SIDE, PLANES): `samples` for GPUs."""
    return np.ascontiguousarray(np.moveaxis(samples(masks, faces, before), 0, -1), np.float32)


MASK_SAMPLES = Constant("masks", "float32x4", lambda: pixels(NO_MASKS, 0.0, None), kept=True)
"""Masks of a slot's frame."""


class Mixing:
    """Passes that mix the film, or another picture, into paintings."""

    def __init__(self, settings: Settings, way: FramePasses, language: Language, picture: Tensor | None = None) -> None:
        self._settings, self._way = settings, way
        picture, self.constants = (way.frame, "masks") if picture is None else (picture, f"masks of {picture.name}")
        share = Texture("share of the film", "float32", settings.sizes.working)
        output = settings.sizes.output
        shares = Pass(
            "mask_share", (way.frame, MASK_SAMPLES), (share,), share.size_px, self.constants, element_of=way.frame
        )
        passes: tuple[Pass, ...]
        if language == "cuda":  # in place
            mixes = Pass("film_mixed", (picture, share), (way.styled,), output, self.constants, element_of=way.styled)
            passes = shares, mixes
        else:
            made = Tensor.of("painting with the film in it", way.styled.size_px)
            record = copy_window(made.size_px, (0, 0), way.styled.size_px, (0, 0), output)
            passes = (
                shares,
                Pass("film_mixed", (way.styled, picture, share), (made,), output, self.constants),
                Pass("copy_window", (made,), (way.styled,), output, record),
            )
        self.work = Work("masks", passes)

    def step(self, slot: int, shares: Shares) -> Step:
        """Return the step that mixes a slot's painting."""
        record, settings = np.zeros((), MASKS), self._settings
        record["size"], record["padded"] = settings.sizes.working, self._way.frame.size_px
        record["output"], record["styled_size"] = settings.sizes.output, self._way.styled.size_px
        record["faces"], record["inside"], record["outside"] = shares
        record["per_luma"] = 1.0 / ALIKE_LUMA
        return Step(self.work, slot, (), {self.constants: record})


def masks_bytes(sizes: Sizes, look: Look, *, in_place: bool) -> int:
    """Return the bytes for mixing, except samples."""
    working, made, target = (math.prod(size) for size in (sizes.working, sizes.output, sizes.target))
    taken = 0
    if look.mixes:
        taken += 4 * working + (0 if in_place else 12 * made)
    if look.leaves_photograph:
        taken += 4 * target + 12 * target
    return taken


class Photograph:
    """Passes that keep the film in a finished painting."""

    def __init__(self, settings: Settings, way: FramePasses, language: Language) -> None:
        self._settings, self._way, self._language = settings, way, language
        size = settings.sizes.target
        self.picture = Tensor.of("painting with a photograph", size)
        self._share = Texture("share of the photograph", "float32", size)
        self._work = cache(self._made)

    def step(self, slot: int, look: Look, shares: Shares, painted: Tensor | Texture) -> Step:
        """Return the step that makes `picture`. look: without detail under relief."""
        original, settings = self._way.original, self._settings
        size, fine = settings.sizes.target, self._way.fine if look.needs_detail else None
        record = np.zeros((), MASKS)
        record["size"], record["padded"] = size, original.size_px
        record["faces"], record["inside"], record["outside"] = shares
        record["per_luma"] = 1.0 / ALIKE_LUMA
        mixing = output_record(size, painted.size_px, original.size_px, settings.target, look)
        work = self._work(painted, fine, self._way.source(look))
        return Step(work, slot, (), {"photograph share": record, "photograph": mixing})

    def _made(self, painted: Tensor | Texture, fine: Buffer | None, source: Tensor) -> Work:
        original, size = self._way.original, self._settings.sizes.target
        kind = packed_define(painted)
        if self._language == "cuda":
            kind = (("PAINTED", element_define(painted)[1] if isinstance(painted, Tensor) else "2"),)
        reads = painted, source, fine or painted, self._share  # the stand-in is never read
        return Work(
            "photograph",
            (
                Pass(
                    "mask_share",
                    (original, MASK_SAMPLES),
                    (self._share,),
                    size,
                    "photograph share",
                    element_of=original,
                ),
                Pass("photo_mixed", reads, (self.picture,), size, "photograph", kind, element_of=original),
            ),
        )


def after_photograph(look: Look) -> Look:
    """Return the rest of a look, after detail and photograph."""
    return look.undetailed.with_values(photo_inside=0.0, photo_outside=0.0)
