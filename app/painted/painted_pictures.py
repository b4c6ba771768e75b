"""Reading of painted frames, and comparison with the film."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from framebrush.analysis.to_rgb import Picture
from framebrush.base.files import open_regular
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.media.video import InputError
from framebrush.models.colours.oklab import Floats
from framebrush.painted import photoshop
from framebrush.painted.painted_folder import OPEN_RASTER, PHOTOSHOP
from framebrush.styles.reference_pictures import Decoded, decode

FLAT_PICTURE = "mergedimage.png"
"""Flattened picture in an OpenRaster archive. Source: the OpenRaster specification, "File Layout"."""

MOST_BYTES = 1 << 28
"""Size limit of the flattened picture, because an archive can declare any size."""

SHAPE = 0.02
"""Relative tolerance of the aspect ratio, because programs round sizes."""

GREY = np.float32(128)

CELLS = (36, 64)
"""Rows and columns of the grid on which two pictures are compared."""

RELATED = 0.35
"""Minimum `relation` of a painting to its frame. Paintings by six bundled networks and flat random colours have at
least 0.49; paintings of another photograph at most 0.28 (144 pairs).
"""

SAME = 3 / 255
"""Maximum difference of a cell that still counts as unpainted, after lossy compression."""

JUDGED, PLAIN = 0.1, 0.5
"""Minimum painted share of a frame for its edges to be compared, and minimum edge variance there, relative to the whole
frame. Of 60 paintings cropped to a sixth, none was below 0.36; of paintings of other frames, 2 % exceeded 0.32.
"""

ALIKE, UNLIKE = 0.02, 0.2
"""Mean differences, 0..1: maximum between two film cells that a network cannot distinguish, and minimum between their
paintings to count as a contradiction.
"""

CONTRADICTED = 0.1
"""Share of contradictory cells in two painted frames that triggers a warning."""


def read_painted(path: Path, frame: Picture) -> Picture:
    """Read a picture at its frame's size; transparent pixels show the frame. Raises InputError.

    frame: (H, W, 3) uint8, upright, with square pixels.
    """
    decoded = _decoded(path)
    height, width = frame.shape[:2]
    theirs, ours = decoded.size[0] / decoded.size[1], width / height
    if abs(theirs / ours - 1) > SHAPE and abs(decoded.size[0] - ours * decoded.size[1]) > 1:
        raise InputError(
            f"{path}: is {decoded.size[0]}x{decoded.size[1]}, the film's frames are {width}x{height}; a painted frame "
            "may have another size, but not another shape: paint without cropping it"
        )
    if decoded.alpha is not None and not decoded.alpha.any():
        raise InputError(f"{path}: nothing is painted in it: all of it is transparent")
    return _over(frame, decoded, (width, height))


def thumbnail(path: Path, lines: int) -> Picture:
    """Read (lines, W, 3) uint8, on grey. Raises InputError."""
    decoded = _decoded(path)
    width = max(1, round(lines * decoded.size[0] / decoded.size[1]))
    return _over(GREY, decoded, (width, lines))


def _over(ground: Picture | np.float32, decoded: Decoded, size: Size) -> Picture:
    picture = fitted(decoded.rgb, size)
    if decoded.alpha is None:
        return picture
    share = fitted(decoded.alpha, size).astype(np.float32)[..., None] / np.float32(255)
    mixed: Picture = np.rint(picture * share + ground * (1 - share)).astype(np.uint8)
    return mixed


def _decoded(path: Path) -> Decoded:
    try:
        ending = path.suffix.lower()
        if ending == OPEN_RASTER:
            decoded = _decoded_bytes(_flat(path), FLAT_PICTURE)
        elif ending == PHOTOSHOP:
            decoded = _decoded_bytes(photoshop.flat(path), path.name)
            if decoded.alpha is not None:
                decoded = replace(decoded, rgb=photoshop.without_white(decoded.rgb, decoded.alpha))
        else:
            decoded = decode(str(path), None)
    except (InputError, DeviceError, OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read as a picture ({first_line(error)}); save it again") from None
    if decoded.damaged:
        raise InputError(f"{path}: is damaged; save it again")
    return decoded


def _decoded_bytes(content: bytes, name: str) -> Decoded:
    with TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(content)
        return decode(str(file), None)


def _flat(path: Path) -> bytes:
    try:
        with open_regular(path) as whole, zipfile.ZipFile(whole) as archive, archive.open(FLAT_PICTURE) as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"no flat picture in it: {first_line(error)}") from None
    if len(content) > MOST_BYTES:
        raise ValueError(f"its flat picture has more than {MOST_BYTES >> 20} MB")
    return content


def fitted(picture: Picture, size: Size) -> Picture:
    """Scale a picture (H, W) or (H, W, 3) uint8."""
    if picture.shape[1::-1] == size:
        return picture
    import av

    kind = "gray" if picture.ndim == 2 else "rgb24"
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=kind)
    area = picture.shape[1] > size[0]
    made = frame.reformat(*size, interpolation="AREA" if area else "BICUBIC").to_ndarray()
    return made.astype(np.uint8, copy=False)


def cells(picture: Picture) -> Floats:
    """Average (H, W, 3) uint8 over the grid CELLS: (rows, columns, 3), 0..1."""
    return fitted(picture, CELLS[::-1]).astype(np.float32) / np.float32(255)


def relation(film: Picture, painted: Picture) -> float:
    """Correlate edges of a painting and its frame, -1..1, within a cell's displacement.

    Ignores colours and unpainted areas; 1 for few edges, or if less than JUDGED is painted.
    """
    a, b = (cells(each) for each in (film, painted))
    own = np.abs(a - b).max(-1) > SAME
    inner = own[:-1, :-1] & own[1:, :-1] & own[:-1, 1:]
    theirs, ours = _edges(a), _edges(b)
    there = theirs[inner]
    if inner.mean() < JUDGED or there.std() < PLAIN * theirs.std():
        return 1.0

    def correlation(edges: Floats) -> float:
        return float(np.corrcoef(there, edges)[0, 1]) if min(there.std(), edges.std()) > 1e-6 else 1.0

    return max(correlation(np.roll(ours, step, axis)[inner]) for axis in (0, 1) for step in (-1, 0, 1))


def contradiction(one: tuple[Picture, Picture], other: tuple[Picture, Picture]) -> float:
    """Return the share of two frames' matching cells that are painted differently.

    one, other: frame and painting, (H, W, 3).
    """
    (film, painting), (their_film, their_painting) = ([cells(each) for each in key] for key in (one, other))
    places, theirs = around(film), around(their_film)
    distance = (places**2).mean(1)[:, None] + (theirs**2).mean(1) - 2 * places @ theirs.T / places.shape[1]
    nearest = distance.argmin(1)
    common = distance[np.arange(len(places)), nearest] < ALIKE**2
    inner = (slice(1, -1), slice(1, -1))
    difference = painting[inner].reshape(-1, 3) - their_painting[inner].reshape(-1, 3)[nearest]
    return float((np.abs(difference).mean(1) > UNLIKE)[common].mean()) if common.any() else 0.0


def around(picture: Floats) -> Floats:
    """Return each inner cell with its eight neighbours, (cells, 27)."""
    windows = np.lib.stride_tricks.sliding_window_view(picture, (3, 3), axis=(0, 1))
    return np.ascontiguousarray(windows.reshape(-1, 27))


def colours(picture: Picture) -> Floats:
    """Return the histogram of (H, W, 3) uint8 over 64 colours."""
    red, green, blue = (picture.reshape(-1, 3) >> 6).astype(np.int64).T
    counts = np.bincount(16 * red + 4 * green + blue, minlength=64)
    return np.asarray(counts / red.size, np.float32)


def _edges(picture: Floats) -> Floats:
    down, right = (np.abs(np.diff(picture, axis=axis)).sum(-1) for axis in (0, 1))
    return np.asarray(np.sqrt(down[:, :-1] + right[:-1]), np.float32)
