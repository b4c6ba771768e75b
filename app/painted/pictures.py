"""Painted frames as they come from any program: as large as their film, of the same shape, and no hole in them."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from framebrush.analysis.to_rgb import Picture
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.media.video import InputError
from framebrush.models.colours.oklab import Floats
from framebrush.painted import photoshop
from framebrush.painted.folder import OPEN_RASTER, PHOTOSHOP
from framebrush.styles.pictures import Decoded, decode

FLAT_PICTURE = "mergedimage.png"
"""In an OpenRaster archive. Source: the OpenRaster specification, "File Layout"."""

MOST_BYTES = 1 << 28
"""Of the flat picture of an archive, which may claim to hold anything."""

SHAPE = 0.02
"""By how much width divided by height may differ from the film's, as a share: programs round."""

GREY = np.float32(128)

CELLS = (36, 64)
"""Rows and columns as which two pictures are compared."""

RELATED = 0.35
"""What `relation` must be at least for a picture to be a painting of a frame. Of paintings by six of our networks, and
of flat random colours, none has less than 0.49; of paintings of another photograph, none more than 0.28 of 144."""

SAME = 3 / 255
"""By how much a cell may differ from the film's and still be the film, as a picture with losses makes of it."""

JUDGED, PLAIN = 0.1, 0.5
"""The share of the frame that must be painted for its edges to be compared, and how much they must vary there, as a
share of how they do in all of the frame. Of 60 paintings of which a sixth was left, none had less than 0.36; of those
on other frames, one in fifty more than 0.32."""

ALIKE, UNLIKE = 0.02, 0.2
"""Mean differences, 0..1: of two places of a film that are the same to a network, and of what they are painted as where
that is a contradiction."""

CONTRADICTED = 0.1
"""The share of the places that two keys have in common, from which on a person is told."""


def read_painted(path: Path, frame: Picture) -> Picture:
    """What a picture file makes of a frame, (H, W, 3) uint8 of the frame's size: the film shows through where it is
    transparent.

    frame: (H, W, 3) uint8, upright and with square pixels. Raises InputError for what cannot be read, is damaged, or
    has another shape.
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
    """A picture file as (lines, W, 3) uint8, grey where it is transparent. Raises InputError as `read_painted` does."""
    decoded = _decoded(path)
    width = max(1, round(lines * decoded.size[0] / decoded.size[1]))
    return _over(GREY, decoded, (width, lines))


def _over(ground: Picture | np.float32, decoded: Decoded, size: Size) -> Picture:
    """A picture at a size, (H, W, 3) uint8, over what is seen where it is transparent."""
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
    """What the content of a picture file holds. Raises InputError, DeviceError, OSError."""
    with TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(content)
        return decode(str(file), None)


def _flat(path: Path) -> bytes:
    """The flat picture in an OpenRaster archive. Raises ValueError."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(FLAT_PICTURE) as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, KeyError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"no flat picture in it: {first_line(error)}") from None
    if len(content) > MOST_BYTES:
        raise ValueError(f"its flat picture has more than {MOST_BYTES >> 20} MB")
    return content


def fitted(picture: Picture, size: Size) -> Picture:
    """A picture (H, W) or (H, W, 3) uint8 at another size."""
    if picture.shape[1::-1] == size:
        return picture
    import av

    kind = "gray" if picture.ndim == 2 else "rgb24"
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=kind)
    area = picture.shape[1] > size[0]
    made = frame.reformat(*size, interpolation="AREA" if area else "BICUBIC").to_ndarray()
    return made.astype(np.uint8, copy=False)


def cells(picture: Picture) -> Floats:
    """A picture (H, W, 3) uint8 as the means of CELLS, (rows, columns, 3) float32, 0..1."""
    return fitted(picture, CELLS[::-1]).astype(np.float32) / np.float32(255)


def relation(film: Picture, painted: Picture) -> float:
    """How far the edges of a painting are where those of the frame are: their correlation, -1..1, at most a cell aside,
    whatever the colours are. What shows the film itself does not count. 1 where that says nothing: for a painting
    without edges, for one of less than JUDGED of the frame, and where the film has hardly any edges under it."""
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
    """Of the places of one key that look the same in another key's frame, the share that is painted otherwise there.
    one, other: frame and painting, (H, W, 3) uint8."""
    (film, painting), (their_film, their_painting) = ([cells(each) for each in key] for key in (one, other))
    places, theirs = around(film), around(their_film)
    distance = (places**2).mean(1)[:, None] + (theirs**2).mean(1) - 2 * places @ theirs.T / places.shape[1]
    nearest = distance.argmin(1)
    common = distance[np.arange(len(places)), nearest] < ALIKE**2
    inner = (slice(1, -1), slice(1, -1))
    difference = painting[inner].reshape(-1, 3) - their_painting[inner].reshape(-1, 3)[nearest]
    return float((np.abs(difference).mean(1) > UNLIKE)[common].mean()) if common.any() else 0.0


def around(picture: Floats) -> Floats:
    """Each inner cell with the eight around it, (cells, 27)."""
    windows = np.lib.stride_tricks.sliding_window_view(picture, (3, 3), axis=(0, 1))
    return np.ascontiguousarray(windows.reshape(-1, 27))


def colours(picture: Picture) -> Floats:
    """How common each of 64 colours is in a picture (H, W, 3) uint8; they sum to 1."""
    red, green, blue = (picture.reshape(-1, 3) >> 6).astype(np.int64).T
    counts = np.bincount(16 * red + 4 * green + blue, minlength=64)
    return np.asarray(counts / red.size, np.float32)


def _edges(picture: Floats) -> Floats:
    """How much each cell differs from those beside and below it."""
    down, right = (np.abs(np.diff(picture, axis=axis)).sum(-1) for axis in (0, 1))
    return np.asarray(np.sqrt(down[:, :-1] + right[:-1]), np.float32)
