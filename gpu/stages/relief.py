"""Paint under a lamp, and canvas where it is thin: what they are, and the constants that every device computes with.

A painting gets a height: where it is lighter than its surroundings paint lies thick, and bristles, drawn along the
strokes, leave furrows. A lamp at the upper left lights that height in linear light, diffusely and with a gleam (A.
Hertzmann, "Fast Paint Texture", 2002). Where the picture is flat, paint is thin, and the weave of a canvas shows
through. No statistics of the frame are used. `gpu.reference.relief` computes it in float64.

Bristles are noise that belongs to the film: each pixel looks its noise up where it was some frames before, along the
motion that `gpu.stages.steady` finds. Such a way wears out, so there are two of them, each restarted every
PERIOD_FRAMES frames, half a period apart, and the result fades from one to the other (A. Bousseau et al., "Video
Watercolorization using Bidirectional Texture Advection", 2007). Where nothing moves both are the same, and the bristles
stand still.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from framebrush.gpu.colour import Array
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages.brush import DIRECTIONS, Line, Strokes, gaussian
from framebrush.gpu.stages.steady import BLOCK_PX

Whole = npt.NDArray[np.int64]

NOISE_PX = 256
"""Side of the noise, which repeats."""

BRISTLE_REACH, BRISTLE_SAMPLES = 10.0, 10
"""Of the line along which noise is averaged, as those of `gpu.stages.brush`."""

BROAD_REACH = 9.0
"""Standard deviation of the surroundings that a pixel's luma is compared with, in pixels at scale 1."""

BODY_LUMA, BODY_MOST = 0.12, 2.5
"""The difference of luma 0..1 that counts as one, and what it is limited to."""

BODY_SHARE, BRISTLE_SHARE = 0.6, 0.6
"""Of luma and of bristles, whose deviation is 1, in the height."""

THICK_LUMA, THIN = 0.06, 0.25
"""The deviation of luma from which on paint is thick, and how thick it is at least."""

HEIGHT = 0.42
"""Of thick paint at relief 1, in pixels at scale 1."""

STROKE_HEIGHT = 1.1
"""Of a height of 1 of strokes at relief 1, in pixels where hairs are as wide as in a brush's table."""

WEAVE_HEIGHT, WEAVE_COVER = 0.35, 0.8
"""Of the canvas at canvas 1, in pixels of its pitch at 1080 lines; and how much of it thick paint hides."""

WEAVE_LINES = 270.0
"""Lines of the picture over the canvas's pitch: a thread has the same size on the screen, whatever the resolution."""

LEAST_PITCH_PX = 3.0
"""Finer threads alias: those of 2 pixels are level, those of 1.3 are a checkerboard of other ones."""

WEAVE_PITCH_PX = 4.0
"""The pitch at 1080 lines."""

LAMP_HEIGHT = 0.9
"""How high the lamp stands for each 1 that it is away to the side."""

GLEAM, GLEAM_POWER = 0.15, 60.0
"""How bright a gleam is in linear light at relief 1, and how narrow."""

PERIOD_FRAMES = 16
"""How long a way of the bristles lasts."""

WARM_UP_FRAMES = PERIOD_FRAMES - 1
"""So many frames before one must have been seen, for it to come out as in the whole film: both ways have restarted
since."""


@lru_cache(maxsize=16)
def bristle_line(strokes: Strokes) -> Line:
    """The line along which noise is averaged."""
    return Line.of(max(2.0, BRISTLE_REACH * strokes.scale), BRISTLE_SAMPLES)


def grain_px(strokes: Strokes) -> int:
    """Side of a sample of the noise, in pixels of the target."""
    return max(1, math.floor(strokes.scale + 0.5))


@lru_cache(maxsize=16)
def broad_weights(strokes: Strokes) -> Array:
    """(2 r + 1,): the Gaussian of a pixel's surroundings, along rows and columns of cells."""
    return gaussian(BROAD_REACH * strokes.scale / strokes.cell_px)


@cache
def noise() -> npt.NDArray[np.float32]:
    """(NOISE_PX, NOISE_PX) with mean 0 and deviation 1, the same everywhere: hashed places (the permutation of
    M. O'Neill, "PCG", 2014), smoothed by [1 2 1] / 4 along both axes."""
    with np.errstate(over="ignore"):
        state = np.arange(NOISE_PX**2, dtype=np.uint32) * np.uint32(747796405) + np.uint32(2891336453)
        word = ((state >> ((state >> np.uint32(28)) + np.uint32(4))) ^ state) * np.uint32(277803737)
    values = ((word >> np.uint32(22)) ^ word).astype(np.float64).reshape(NOISE_PX, NOISE_PX) / 2**32 - 0.5
    for axis in (0, 1):
        values = 0.25 * np.roll(values, 1, axis) + 0.5 * values + 0.25 * np.roll(values, -1, axis)
    normalised: npt.NDArray[np.float32] = (values / values.std()).astype(np.float32)
    return normalised


@lru_cache(maxsize=16)
def bristle_gain(count: int) -> float:
    """What brings the mean of so many samples to each side back to a deviation of 1, as it is along rows."""
    line = Line.of(float(count), count)
    mean = line.centre * noise().astype(np.float64)
    for index, weight in enumerate(line.weights, 1):
        mean += weight * (np.roll(noise(), index, 1) + np.roll(noise(), -index, 1))
    return float(1.0 / mean.std())


@lru_cache(maxsize=4)
def bristle_table(strokes: Strokes) -> npt.NDArray[np.float32]:
    """(DIRECTIONS, NOISE_PX, NOISE_PX): the noise averaged along each direction, at each of its places, of strokes
    whose grain is a pixel: then a pixel needs one value of it and not all of a line."""
    line, table = bristle_line(strokes), noise()
    gain = bristle_gain(line.count)
    found = np.repeat(np.float32(gain * line.centre) * table[None], DIRECTIONS, axis=0)
    for mean, offsets in zip(found, line.offsets, strict=True):
        for (y, x), weight in zip(offsets, line.weights, strict=True):
            both = np.roll(table, (-y, -x), (0, 1)) + np.roll(table, (y, x), (0, 1))
            mean += np.float32(gain * weight) * both
    return found


def weave_pitch_px(size: Size) -> float:
    """From thread to thread in a target of this size (width, height): whole pixels, for threads that begin elsewhere in
    each pixel beat with them."""
    return max(LEAST_PITCH_PX, math.floor(min(size) / WEAVE_LINES + 0.5))


@dataclass(frozen=True, slots=True)
class Lamp:
    """The unit vectors to the lamp, and half-way between it and the eye; x to the right, y downwards, z to the eye."""

    light: tuple[float, float, float]
    half: tuple[float, float, float]

    @classmethod
    def at(cls, degrees: float) -> Lamp:
        """A lamp in that direction."""
        angle = math.radians(degrees)
        light = np.array([math.cos(angle), -math.sin(angle), LAMP_HEIGHT])
        light /= np.linalg.norm(light)
        half = light + np.array([0.0, 0.0, 1.0])
        half /= np.linalg.norm(half)
        return cls(tuple(light.tolist()), tuple(half.tolist()))


def phase_ages(place: int) -> tuple[int, int]:
    """For how many frames the two ways have lasted in the frame at that place in the film, 0..PERIOD_FRAMES - 1."""
    return place % PERIOD_FRAMES, (place + PERIOD_FRAMES // 2) % PERIOD_FRAMES


def phase_weight(place: int) -> float:
    """The weight 0..1 of the first way; that of the second is the rest. A way weighs nothing when it restarts."""
    return 1.0 - abs(2.0 * phase_ages(place)[0] / PERIOD_FRAMES - 1.0)


def weave(size: tuple[int, ...], pitch_px: float) -> Array:
    """(H, W), 0..1: a plain weave; each thread is a half wave that rises over one thread and dives under the next. It
    is highest and lowest in the middle of the threads that it crosses."""
    v, u = ((np.arange(length) + 0.5) / pitch_px for length in size)
    v = v[:, None]
    warp = np.sin(np.pi * (u - np.floor(u))) * (0.6 + 0.4 * np.sin(np.pi * (v + np.floor(u))))
    weft = np.sin(np.pi * (v - np.floor(v))) * (0.6 + 0.4 * np.sin(np.pi * (u + np.floor(v) + 1.0)))
    highest: Array = np.maximum(warp, weft)
    return highest


@dataclass(frozen=True, slots=True)
class Drift:
    """How far the bristles of a frame have come with the film. place: of the frame in the film. ways: (2, 2, rows,
    columns) int64: for both ways y and x, in pixels of the working size, from each block to where it was when the way
    began."""

    place: int
    ways: Whole

    @classmethod
    def still(cls, place: int, working: Size) -> Drift:
        """Of a frame that follows none: both ways begin with it. working: its width and height."""
        columns, rows = (-(-side // BLOCK_PX) for side in working)
        return cls(place, np.zeros((2, 2, rows, columns), np.int64))

    def next(self, motion: Whole) -> Drift:
        """That of the frame that follows, from whose blocks `motion` (2, rows, columns) leads to this frame."""
        place = self.place + 1
        ways = [
            np.zeros_like(motion) if age == 0 else _followed(motion, way)
            for age, way in zip(phase_ages(place), self.ways, strict=True)
        ]
        return Drift(place, np.stack(ways))


def moved(
    way: Whole, factors: tuple[float, float], rows: npt.NDArray[np.integer], columns: npt.NDArray[np.integer]
) -> Whole:
    """(2, n, m): y and x in pixels of the target, how far away pixels look their noise up.

    That of a block is its way (2, rows, columns) times the factors of height and width from working size to target,
    rounded. Between the middles of four blocks it is bilinear, and rounded again: steps between blocks would show as
    seams in the paint. rows, columns: (n,) and (m,) pixels of the working size, in which the pixels lie.
    """
    scaled: Whole = np.floor(np.array(factors)[:, None, None] * way + 0.5).astype(np.int64)
    for axis, places in ((1, rows), (2, columns)):
        first, share = np.divmod(places.astype(np.int64) - BLOCK_PX // 2, BLOCK_PX)
        above, below = (scaled.take(np.clip(first + n, 0, scaled.shape[axis] - 1), axis) for n in (0, 1))
        share = share[:, None] if axis == 1 else share
        scaled = (BLOCK_PX - share) * above + share * below
    return (scaled + BLOCK_PX**2 // 2) // BLOCK_PX**2


def _followed(motion: Whole, way: Whole) -> Whole:
    """A way of the frame before, gone on to this one: a block's is that of the block that its middle comes from."""
    rows, columns = motion.shape[1:]
    y, x = np.mgrid[0:rows, 0:columns] + (motion + BLOCK_PX // 2) // BLOCK_PX
    there: Whole = motion + way[:, np.clip(y, 0, rows - 1), np.clip(x, 0, columns - 1)]
    return there
