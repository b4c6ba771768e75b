"""The bundled networks that detect faces, people, the salient object and distance.

faces.onnx: YuNet (W. Wu, H. Peng, S. Yu, "YuNet: A Tiny Millisecond-level Face Detector", 2023), the size n, from
ShiqiYu/libfacedetection.train. people.onnx: MediaPipe's selfie segmentation, landscape, as converted in
keijiro/SelfieBarracuda. subject.onnx: U²-Net p (X. Qin et al., "U²-Net: Going Deeper with Nested U-Structure for
Salient Object Detection", 2020), from xuebinqin/U-2-Net. These are under the Apache licence 2.0. far.onnx: the
small network of TCMonoDepth (S. Li et al., "Enforcing Temporal Consistency in Video Depth Estimation", 2021), from
yu-li/TCMonoDepth, under the MIT licence. Converted by tools/mask_networks.py.
"""

from __future__ import annotations

import hashlib
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from framebrush.base.text import first_line
from framebrush.gpu.cpu.native import library
from framebrush.gpu.errors import DeviceError
from framebrush.models.session import session_options

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

FOLDER = Path(__file__).parent
FILES, FAR_FILE = ("faces.onnx", "people.onnx"), "far.onnx"

FACES_SIDE_PX, FACES_AREA_PX = 320, 320 * 200
"""The longer side of a picture in which faces are looked for, and its area: at twice the side there are false ones, and
it takes four times as long."""
FACES_STRIDE_PX = 32
STRIDES = (8, 16, 32)
PEOPLE_SIZE = 256, 144
SUBJECT_SIZE = 320, 320
FAR_SIZE = 320, 192
NEAREST_SHARE, LEAST_DEPTH = 0.1, 0.2
"""Share of a frame at either end of its range of distances that counts as altogether near or far, and least range."""
RIM = 3
"""Samples at the edges of the network's result that its padding disturbs."""

LEAST_SCORE = 0.69
"""Minimum score of a face. Between 0.6 and this value lay a flower, a clock, a sleeve, a stalk in a field, the backs of
three heads and occasionally a profile; above 0.8, 93 % are faces to another network, too, besides dogs' muzzles.
Figures: benchmarks/README.md.
"""
SURE_SCORE = 0.8
"""Score below which a face must be found in the mirrored picture, too. Of 13 false ones in 2,000 parts of photographs
(backs of a head, hands, a fox, a koala) none is, of 75 true ones 53; a least score without false ones loses 62."""
OVERLAP = 0.3
"""Share of two boxes' union from which they are one face."""
MOST_FACES = 32
LEAST_LIGHT = 1e-2
"""Least brightest sample by which a picture is divided before the subject is looked for."""

Picture = npt.NDArray[np.float32]


def faces_size(width: int, height: int) -> tuple[int, int]:
    """Return width and height of the picture in which faces of an upright frame are looked for."""
    scale = min(FACES_SIDE_PX / max(width, height), (FACES_AREA_PX / (width * height)) ** 0.5)
    across, down = (max(1, round(side * scale / FACES_STRIDE_PX)) * FACES_STRIDE_PX for side in (width, height))
    return across, down


class Area(Enum):
    """Area that is looked for in a film.

    The value is the network's file, None for a network that is always loaded.
    """

    PEOPLE = None
    SUBJECT = "subject.onnx"
    FAR = FAR_FILE


class SubjectError(Exception):
    """Error: faces and people cannot be found.

    A bundled network is missing or damaged, or the CPU is too old.
    """


class Face(NamedTuple):
    """A box around a face, with its certainty, 0..1.

    In shares of the picture's width and height.
    """

    left: float
    top: float
    width: float
    height: float
    score: float


@cache
def digest(*names: str) -> str:
    """Return the SHA-256 of bundled networks, "" if one cannot be read."""
    found = hashlib.sha256()
    try:
        for name in names:
            found.update((FOLDER / name).read_bytes())
    except OSError:
        return ""
    return found.hexdigest()


class Networks:
    """Sessions of the networks on the processor. For one thread at a time.

    Raises SubjectError for a missing or damaged network, or a processor without the kernels of masks.
    """

    def __init__(self, folder: Path = FOLDER, *, area: Area | None = None, far: bool = False) -> None:
        """Load the networks for faces and people, for an area, and with `far` for distance."""
        try:
            library()
            self._faces, self._people = (_session(folder / name, threads=1) for name in FILES)
            threads = 0 if area is Area.SUBJECT else 1
            self._area = _session(folder / area.value, threads) if area is not None and area.value else None
            if far and area is not Area.FAR:
                self._far: InferenceSession | None = _session(folder / FAR_FILE, threads=1)
            else:
                self._far = self._area
        except DeviceError as error:
            raise SubjectError(f"faces and people cannot be found: {error}") from error
        except Exception as error:  # ONNX Runtime raises classes of its own
            says = f"faces and people cannot be found: a network of Framebrush is damaged ({first_line(error)})"
            raise SubjectError(f"{says}; install Framebrush again") from error

    def faces(self, picture: Picture) -> list[Face]:
        """Find faces, the surest first, MOST_FACES at most.

        Args:
            picture: (3, H, W), R'G'B' 0..1; its sides are multiples of FACES_STRIDE_PX.
        """
        found = self._faces_in(picture)
        if all(face.score >= SURE_SCORE for face in found):
            return found
        mirrored = self._faces_in(picture[:, :, ::-1])
        again = [face._replace(left=1.0 - face.left - face.width) for face in mirrored]
        return [
            face
            for face in found
            if face.score >= SURE_SCORE or any(_overlap(face, other) >= OVERLAP for other in again)
        ]

    def _faces_in(self, picture: Picture) -> list[Face]:
        """Find what looks like a face, as `faces`."""
        height, width = picture.shape[1:]
        score, box = _run(self._faces, picture)
        boxes = _boxes(score[0, 0], box[0], height, width)
        order = np.argsort(-boxes[:, 4], kind="stable")[: 8 * MOST_FACES]
        kept = list[Face]()
        for left, top, wide, tall, certainty in boxes[order].tolist():
            face = Face(left, top, wide, tall, certainty)
            if len(kept) < MOST_FACES and all(_overlap(face, other) < OVERLAP for other in kept):
                kept.append(face)
        return [Face(x / width, y / height, w / width, h / height, certainty) for x, y, w, h, certainty in kept]

    def people(self, picture: Picture) -> Picture:
        """Return where people are, (H, W) of PEOPLE_SIZE, 0..1.

        Args:
            picture: (3, H, W) of that size, R'G'B' 0..1.
        """
        (found,) = _run(self._people, picture)
        return np.clip(np.nan_to_num(found[0, :, :, 0]), 0.0, 1.0)

    def subject(self, picture: Picture) -> Picture:
        """Return a mask of the salient object, (H, W) of SUBJECT_SIZE, 0..1.

        Args:
            picture: (3, H, W) of that size, R'G'B' 0..1.
        """
        return np.clip(_plane(self._area, picture / max(float(picture.max()), LEAST_LIGHT)), 0.0, 1.0)

    def far(self, picture: Picture) -> Picture:
        """Return distance relative to the frame's range, (H / 4, W / 4) of FAR_SIZE, 0..1.

        Args:
            picture: (3, H, W) of that size, R'G'B' 0..1.
        """
        near = np.pad(_plane(self._far, picture)[RIM:-RIM, RIM:-RIM], RIM, "edge")
        low, high = np.quantile(near, (NEAREST_SHARE, 1 - NEAREST_SHARE)).astype(np.float32)
        seen: Picture = np.clip((high - near) / max(high - low, np.float32(LEAST_DEPTH)), 0.0, 1.0)
        return seen


def _plane(network: InferenceSession | None, picture: Picture) -> Picture:
    """Run a network on one picture; return its result's only plane."""
    assert network is not None
    (found,) = _run(network, picture)
    seen: Picture = np.nan_to_num(found[0, 0])
    return seen


def _run(network: InferenceSession, picture: Picture) -> list[Picture]:
    """Run a network on one picture."""
    found: list[Picture] = network.run(None, {"picture": np.ascontiguousarray(picture[None], np.float32)})
    return found


def _session(path: Path, threads: int) -> InferenceSession:
    """Load a network. threads: 0 for all of the processor's cores."""
    import onnxruntime as ort  # loading it takes time, which commands that paint nothing do not have

    options = session_options()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _boxes(score: Picture, box: Picture, height: int, width: int) -> npt.NDArray[np.float64]:
    """Return the cells that show a face, (n, 5): left, top, width, height and score.

    Args:
        score: squared scores of the cells of all strides, row by row.
        box: (4, cells), centre and logarithm of the size.
    """
    score = np.nan_to_num(score)
    shown = np.flatnonzero(score >= LEAST_SCORE**2)
    found, first = list[npt.NDArray[np.float64]](), 0
    for stride in STRIDES if len(shown) else ():
        columns, rows = width // stride, height // stride
        cells = shown[(shown >= first) & (shown < first + columns * rows)]
        place = np.stack([(cells - first) % columns, (cells - first) // columns], 1)
        parts = np.nan_to_num(box[:, cells].T.astype(np.float64))
        size = np.exp(np.clip(parts[:, 2:], -10.0, 10.0)) * stride
        corner = (place + parts[:, :2]) * stride - size / 2
        found.append(np.concatenate([corner, size, np.sqrt(score[cells, None].clip(0.0, 1.0))], 1))
        first += columns * rows
    return np.concatenate(found) if found else np.empty((0, 5))


def _overlap(one: Face, other: Face) -> float:
    """Return the share of the union of two boxes that both hold."""
    across = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
    down = min(one.top + one.height, other.top + other.height) - max(one.top, other.top)
    both = max(across, 0.0) * max(down, 0.0)
    return both / max(one.width * one.height + other.width * other.height - both, 1e-9)
