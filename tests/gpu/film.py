"""Moving scenes with paintings, for temporal filters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from framebrush.gpu.stages.steady import reference
from tests.gpu.test_steady import texture

Picture = npt.NDArray[np.float64]


@dataclass
class MovedScene:
    """Three frames (3, H, W) with their paintings, and the reference's motion."""

    frames: list[reference.Painted]

    def levels(self, number: int) -> npt.NDArray[np.int64]:
        return reference.levels(self.frames[number])

    def vectors(self) -> list[npt.NDArray[np.int64]]:
        """Return vectors from the first frame to the others."""
        first = reference.motion(self.levels(0), self.levels(1))
        return [first, reference.followed(first, reference.motion(self.levels(1), self.levels(2)))]

    def sureness(self) -> list[Picture]:
        one, two = (
            reference.match_confidence(self.levels(0), self.levels(number), vectors)
            for number, vectors in enumerate(self.vectors(), 1)
        )
        return [one, np.minimum(one, two)]


def moved_scene(size: tuple[int, int], scale: int = 1) -> MovedScene:
    """Return a noisy scene that moves twice. scale: paintings'."""
    width, height = size
    chance = np.random.default_rng(2)
    scene = np.moveaxis(texture(width + 20, height + 20), -1, 0)
    scene[:, :, : width // 3] = 90  # flat: no motion can be found
    noise = np.rint(chance.normal(0, 1.5, (3, 3, height, width)))
    places = [scene[:, y : y + height, x : x + width] for y, x in ((10, 10), (7, 15), (6, 18))]
    sources = [np.rint(place + own) / 255 for place, own in zip(places, noise, strict=True)]
    styled = [_painting(source, scale, chance) for source in sources]
    styled[1][:, 0, 0] = np.nan
    return MovedScene([reference.Painted(*both) for both in zip(sources, styled, strict=True)])


def _painting(source: Picture, scale: int, chance: np.random.Generator) -> Picture:
    large = source.repeat(scale, axis=1).repeat(scale, axis=2)
    painting = 0.5 + 2.5 * (large - 0.5) + chance.normal(0, 0.02, large.shape)
    corner = painting[:, large.shape[1] // 2 :, large.shape[2] // 2 :]
    corner += chance.normal(0, 0.3, corner.shape)
    return painting


def padded(picture: Picture, shape: tuple[int, ...]) -> Picture:
    """Return a picture in larger planes (3, H, W), padded with wrong values."""
    whole = np.full(shape, 77.0)
    whole[:, : picture.shape[1], : picture.shape[2]] = picture
    return whole


def of_words(words: npt.NDArray[np.uint32], shape: tuple[int, ...]) -> npt.NDArray[np.uint16]:
    """Unpack levels (H, W)."""
    return words.view(np.uint16).reshape(shape[0], -1)[:, : shape[1]]
