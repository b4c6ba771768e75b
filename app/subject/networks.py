"""Bundled networks that detect faces, people, salient object and distance.

YuNet n (ShiqiYu/libfacedetection.train), MediaPipe's selfie segmentation, landscape (keijiro/SelfieBarracuda), U²-Net p
(xuebinqin/U-2-Net) and TCMonoDepth (yu-li/TCMonoDepth); licences: app/licences/components.json.
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
from framebrush.gpu.c_kernels import library
from framebrush.gpu.errors import DeviceError
from framebrush.models.analysis_session import session_options

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
"""Shares of pixels at both ends of the distances that count as altogether near or far, and least range of distances."""
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
"""Lower limit of the brightest sample, by which a picture is divided before the subject is searched."""

Picture = npt.NDArray[np.float32]


def faces_size(width: int, height: int) -> tuple[int, int]:
    """Return width and height of the picture for `Networks.faces`."""
    scale = min(FACES_SIDE_PX / max(width, height), (FACES_AREA_PX / (width * height)) ** 0.5)
    across, down = (max(1, round(side * scale / FACES_STRIDE_PX)) * FACES_STRIDE_PX for side in (width, height))
    return across, down


class Area(Enum):
    """Area to find, by its network's file; None if always loaded."""

    PEOPLE = None
    SUBJECT = "subject.onnx"
    FAR = FAR_FILE


class SubjectError(Exception):
    """Missing or damaged network, or too old a CPU."""


class Face(NamedTuple):
    """Box around a face, in shares of the picture's sides. score: 0..1."""

    left: float
    top: float
    width: float
    height: float
    score: float


@cache
def digest(*names: str) -> str:
    """Return the SHA-256 of bundled networks, "" if unreadable."""
    found = hashlib.sha256()
    try:
        for name in names:
            found.update((FOLDER / name).read_bytes())
    except OSError:
        return ""
    return found.hexdigest()


class Networks:
    """Sessions of networks, for one thread. Raises SubjectError."""

    def __init__(self, folder: Path = FOLDER, *, area: Area | None = None, far: bool = False) -> None:
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
        except Exception as error:  # ONNX Runtime's exception types share no other base
            says = f"faces and people cannot be found: a network of Framebrush is damaged ({first_line(error)})"
            raise SubjectError(f"{says}; install Framebrush again") from error

    def faces(self, picture: Picture) -> list[Face]:
        """Find faces, surest first, in R'G'B' (3, H, W) 0..1, multiples of FACES_STRIDE_PX."""
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
        """Return people's mask, (H, W) 0..1, for R'G'B' (3, H, W) 0..1 of PEOPLE_SIZE."""
        (found,) = _run(self._people, picture)
        return np.clip(np.nan_to_num(found[0, :, :, 0]), 0.0, 1.0)

    def subject(self, picture: Picture) -> Picture:
        """Return the salient object's mask, (H, W) 0..1, for R'G'B' (3, H, W) of SUBJECT_SIZE."""
        return np.clip(_plane(self._area, picture / max(float(picture.max()), LEAST_LIGHT)), 0.0, 1.0)

    def far(self, picture: Picture) -> Picture:
        """Return relative distance, (H / 4, W / 4) 0..1, for R'G'B' (3, H, W) of FAR_SIZE."""
        near = np.pad(_plane(self._far, picture)[RIM:-RIM, RIM:-RIM], RIM, "edge")
        low, high = np.quantile(near, (NEAREST_SHARE, 1 - NEAREST_SHARE)).astype(np.float32)
        seen: Picture = np.clip((high - near) / max(high - low, np.float32(LEAST_DEPTH)), 0.0, 1.0)
        return seen


def _plane(network: InferenceSession | None, picture: Picture) -> Picture:
    assert network is not None
    (found,) = _run(network, picture)
    seen: Picture = np.nan_to_num(found[0, 0])
    return seen


def _run(network: InferenceSession, picture: Picture) -> list[Picture]:
    found: list[Picture] = network.run(None, {"picture": np.ascontiguousarray(picture[None], np.float32)})
    return found


def _session(path: Path, threads: int) -> InferenceSession:
    import onnxruntime as ort  # loading it takes time, which commands that paint nothing do not have

    options = session_options()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _boxes(score: Picture, box: Picture, height: int, width: int) -> npt.NDArray[np.float64]:
    """Return cells that show a face, (n, 5): left, top, width, height, score.

    score: squared. box: (4, cells), centre and log size.
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
    across = min(one.left + one.width, other.left + other.width) - max(one.left, other.left)
    down = min(one.top + one.height, other.top + other.height) - max(one.top, other.top)
    both = max(across, 0.0) * max(down, 0.0)
    return both / max(one.width * one.height + other.width * other.height - both, 1e-9)
