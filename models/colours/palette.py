"""Palettes: colour tables that give a film a picture's colours, by optimal transport.

A smooth field fits linear transport of normal distributions (Pitié and Kokaram, 2007), then sliced transport (Rabin et
al., 2011). Lightness rises with the film's.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.models.colours import oklab
from framebrush.models.colours.colour_field import colour_field, rising
from framebrush.models.colours.colour_table import COMMON_GRID, ColourTable
from framebrush.models.colours.luma import LUMA
from framebrush.models.colours.oklab import Floats

SAMPLES = 16_384
"""Samples of film and picture."""

FRAME_SAMPLES = 8_192
"""Samples of each frame."""

MAX_SAMPLES = 1 << 20
"""Samples of a whole shot; longer shots take fewer of each frame."""

PATCH_LINES = 360
"""Height at which a patch is a pixel. Samples are means of patches, against grain."""

BLACK = 0.05
"""R'G'B' of letterboxes is below."""

TONE = 0.7
"""Default share of the picture's lightness against the film's: faces keep depth in fog."""

EVENNESS = 0.3
"""Exponent of evenness: samples count by density to the power of 1 minus it; 0 keeps areas, 1 takes each colour
once."""

_LUMA = LUMA.astype(np.float32)

CALM = 0.05
"""Deviation in Oklab that is added on both sides, against spreading greys too far."""

REACH = 2.5
"""Deviations from the film's mean beyond which displacements of the linear transport are constant."""

GREY_TINT = 0.06
"""Largest chroma of the film's greys, unless the picture has greys of one hue only."""

GREY = 0.012
"""Chroma below which nine tenths of a grey picture lie."""

SHADES = 0.03
"""Deviation of lightness below which a picture leaves the film's lightness."""

SPLITS = 1, 2, 4
"""Blocks of samples that one half takes in turn, for each division of a set."""

CHANCE = 6.0
"""Factor of the squared distance by chance up to which two sets of colours count as equal."""

ROUNDS = 10
"""Rounds of sliced transport, along three axes each."""


def sample(frames: Iterable[npt.NDArray[np.floating]]) -> Floats:
    """Sample colours (N, 3) of frames (H, W, 3), R'G'B' 0..1, without black bars.

    Raises ValueError without frames.
    """
    rng = np.random.default_rng(0)
    kept: list[Floats] = []
    stride, black = 1, None
    for frame in frames:
        inner = _without_bars(frame)
        if not inner.size:
            black = frame
            continue
        kept.append(_patches(inner, rng)[::stride])
        if sum(map(len, kept)) > MAX_SAMPLES:
            kept, stride = [colours[::2] for colours in kept], stride * 2
    if kept:
        return np.concatenate(kept)
    if black is None:
        raise ValueError("there is no frame to take colours from")
    return _patches(black, rng)


def palette(
    film: Floats, picture: Floats, *, tone: float = TONE, size: int = COMMON_GRID, title: str = ""
) -> ColourTable:
    """Compute the table that gives a film a picture's colours. Raises ValueError.

    film, picture: from `sample`. tone: 0 keeps the film's lightness, 1 takes the picture's.
    """
    if not 0.0 <= tone <= 1.0:
        raise ValueError(f"tone {tone:g} is not between 0 and 1")
    film_lab, picture_lab = _in_oklab(film, "film"), _in_oklab(picture, "picture")
    source, target = _even(film_lab), _even(picture_lab)
    linear = _Linear.between(source, target)
    placed = linear(source)
    field = colour_field(size)
    moved = linear(field.places) + field.fitted(source, _sliced(placed, target) - placed)
    certain = _certainty(film_lab, picture_lab, source, target)
    tone *= min(1.0, float(target[:, 0].std()) / SHADES)
    displacements = certain * np.array([tone, 1.0, 1.0], np.float32) * (moved - field.places)
    moved = field.places + field.calmed(displacements, _tint(target))
    middle = float(oklab.grey(np.median(source[:, :1], axis=0))[0])
    moved[:, 0] = field.rising(moved[:, 0], middle)
    lab = field.colours + field.at_colours(moved - field.places)
    lab[:, 0] = np.clip(lab[:, 0], 0.0, 1.0)
    if certain[1:].any() and _is_grey(picture_lab):
        lab[:, 1:] = 0.0
    grid = _with_luma_rising(oklab.to_rgb(lab).reshape(size, size, size, 3), middle)
    return ColourTable(grid, title=title)


def lacks_colour(colours: Floats) -> bool:
    """Return whether colours (N, 3) are nearly grey."""
    return _is_grey(oklab.from_rgb(colours))


def _is_grey(colours: Floats) -> bool:
    return bool(np.quantile(np.hypot(*colours[:, 1:].T), 0.9) < GREY)


def _tint(picture: Floats) -> float:
    mean = np.hypot(*picture[:, 1:].mean(axis=0))
    return max(GREY_TINT, min(float(mean), float(np.quantile(np.hypot(*picture[:, 1:].T), 0.25))))


def _with_luma_rising(grid: Floats, fixed: float) -> Floats:
    size = len(grid)
    greys = np.linspace(0.0, 1.0, size, dtype=np.float32)
    luma = grid[(np.arange(size),) * 3] @ _LUMA
    wanted = rising(luma, greys, fixed)
    white = np.maximum(wanted - luma, 0.0) / np.maximum(1.0 - luma, 1e-6)
    black = np.maximum(luma - wanted, 0.0) / np.maximum(luma, 1e-6)
    own = ColourTable.identity(size).grid @ _LUMA
    for share, target in ((white, 1.0), (black, 0.0)):
        grid = grid + np.interp(own, greys, share).astype(np.float32)[..., None] * (target - grid)
    return grid


def _without_bars(frame: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    light = frame.max(axis=2) > BLACK
    for axis in (0, 1):
        share = light.sum(axis=1 - axis) / max(1, light.shape[1 - axis])
        seen = np.flatnonzero(share > 0.005)  # bars may contain noise
        first, end = (seen[0], seen[-1] + 1) if seen.size else (0, 0)
        frame, light = (part.take(range(first, end), axis) for part in (frame, light))
    return frame


def _patches(frame: npt.NDArray[np.floating], rng: np.random.Generator) -> Floats:
    height, width = frame.shape[:2]
    side = max(1, round(min(height, width) / PATCH_LINES))
    rows, columns = height // side, width // side
    cell = max(1.0, (rows * columns / FRAME_SAMPLES) ** 0.5)
    down, across = max(1, int(rows / cell)), max(1, int(columns / cell))
    y, x = (
        ((np.arange(count)[shape] + rng.random((down, across))) * (whole / count)).astype(np.intp) * side
        for count, whole, shape in ((down, rows, np.s_[:, None]), (across, columns, np.s_[None, :]))
    )
    total = np.zeros((down, across, 3), np.float32)
    for i, j in product(range(side), repeat=2):
        total += frame[y + i, x + j]
    return np.asarray(rng.permutation(total.reshape(-1, 3)) / (side * side), np.float32)


def _in_oklab(colours: Floats, what: str) -> Floats:
    if colours.ndim != 2 or colours.shape[1] != 3 or not len(colours) or not np.isfinite(colours).all():
        raise ValueError(f"the {what}'s colours cannot be carried over: {colours.shape} is empty, or not finite")
    return oklab.from_rgb(np.clip(colours, 0.0, 1.0).astype(np.float32))


def _even(colours: Floats) -> Floats:
    cells = np.rint(colours / np.array([0.05, 0.03, 0.03], np.float32)).astype(np.int64) @ [1 << 20, 1 << 10, 1]
    _, cell, count = np.unique(cells, return_inverse=True, return_counts=True)
    ends = np.cumsum(count[cell] ** -EVENNESS)
    chosen: Floats = colours[np.searchsorted(ends, (np.arange(SAMPLES) + 0.5) * (ends[-1] / SAMPLES))]
    return chosen


def _certainty(film: Floats, picture: Floats, source: Floats, target: Floats) -> Floats:
    """Return, per axis, the share of two sets' difference beyond chance."""
    if min(len(film), len(picture)) < 2:
        return np.ones(3, np.float32)
    chances = [
        _apart(_even(part[halves]), _even(part[~halves])) * (0.25 * len(part))
        for part in (film, picture)
        for halves in (np.arange(len(part)) // every % 2 == 0 for every in SPLITS)
        if halves.any() and not halves.all()
    ]
    chance = np.max(chances, axis=0) * (1 / len(film) + 1 / len(picture))
    doubt = CHANCE * chance / np.maximum(_apart(source, target), 1e-12)
    return np.asarray(np.clip(1.0 - doubt**2, 0.0, 1.0), np.float32)


def _apart(one: Floats, other: Floats) -> Floats:
    return np.asarray(((np.sort(one, axis=0) - np.sort(other, axis=0)) ** 2).mean(axis=0), np.float32)


class _Linear(NamedTuple):
    source: Floats
    shift: Floats
    slope: Floats
    precision: Floats

    @classmethod
    def between(cls, source: Floats, target: Floats) -> _Linear:
        means, covariances = [], []
        for colours in (source, target):
            means.append(colours.mean(axis=0, dtype=np.float64))
            centred = colours - means[-1]
            covariances.append(centred.T @ centred / len(colours) + CALM**2 * np.eye(3))
        root = _root(covariances[0])
        inverse = np.linalg.inv(root)
        matrix = inverse @ _root(root @ covariances[1] @ root) @ inverse
        parts = means[0], means[1] - means[0], matrix - np.eye(3), inverse @ inverse
        return cls(*(np.asarray(part, np.float32) for part in parts))

    def __call__(self, colours: Floats) -> Floats:
        centred = colours - self.source
        far = ((centred @ self.precision) * centred).sum(axis=-1, keepdims=True) / np.float32(REACH**2)
        limit = (1.0 + far**4) ** np.float32(-0.125)
        return np.asarray(colours + self.shift + limit * (centred @ self.slope.T), np.float32)


def _root(matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * np.sqrt(values)) @ vectors.T, np.float64)


def _sliced(colours: Floats, target: Floats) -> Floats:
    rng, colours = np.random.default_rng(0), colours.copy()
    for _ in range(ROUNDS):
        axes = np.linalg.qr(rng.standard_normal((3, 3)))[0].astype(np.float32)
        along, wanted = colours @ axes, np.sort(target @ axes, axis=0)
        step = np.empty_like(along)
        for axis in range(3):
            order = np.argsort(along[:, axis])
            step[order, axis] = wanted[:, axis] - along[order, axis]
        colours += step @ axes.T
    return colours
