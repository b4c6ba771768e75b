"""The bundled networks that find faces, people and the subject.

The subject is whatever stands out.

faces.onnx: YuNet (S. Wu, H. Peng, S. Yu, "YuNet: A Tiny Millisecond-level Face Detector", 2023), the size n, from
ShiqiYu/libfacedetection.train. people.onnx: MediaPipe's selfie segmentation, landscape, as converted in
keijiro/SelfieBarracuda. subject.onnx: U²-Net p (X. Qin et al., "U²-Net: Going Deeper with Nested U-Structure for
Salient Object Detection", 2020), from xuebinqin/U-2-Net, converted by tools/mask_networks.py. All these are
under the Apache licence 2.0. far.onnx: the small network of TCMonoDepth (S. Li et al., "Enforcing Temporal Consistency
in Video Depth Estimation", 2021), from yu-li/TCMonoDepth, under the MIT licence, converted by the same script.
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
FILES = ("faces.onnx", "people.onnx")

FACES_SIDE_PX = 320
"""The longer side of a picture in which faces are looked for: at 640 there are false ones, and it takes four times as
long."""
FACES_STRIDE_PX = 32
STRIDES = (8, 16, 32)
PEOPLE_SIZE = 256, 144
SUBJECT_SIZE = 320, 320
FAR_SIZE = 320, 192
NEAREST_SHARE, LEAST_DEPTH = 0.1, 0.2
"""Share of a frame at either end of its range of distances that counts as altogether near or far, and least range."""
RIM = 3
"""Samples at the edges of the network's result that its padding disturbs."""

LEAST_SCORE = 0.65
"""Minimum score of a face. Between 0.6 and this value lay a flower, a clock, a sleeve, the backs of three heads and
occasionally a profile; above 0.8, 93 % are faces to another network, too, besides dogs' muzzles. Figures:
benchmarks/README.md.
"""
OVERLAP = 0.3
"""Share of two boxes' union from which they are one face."""
MOST_FACES = 32
LEAST_LIGHT = 1e-2
"""Least brightest sample by which a picture is divided before the subject is looked for."""

Picture = npt.NDArray[np.float32]


class Area(Enum):
    """Area that is looked for in a film.

    Its value is the file of its network, None for one that is always loaded.
    """

    PEOPLE = None
    SUBJECT = "subject.onnx"
    FAR = "far.onnx"


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

    Raises SubjectError, one sentence, for a network that is missing or damaged, and for a processor that cannot run the
    kernels of masks.
    """

    def __init__(self, folder: Path = FOLDER, *, area: Area | None = None) -> None:
        """Load the networks for faces and people, and that of an area."""
        try:
            library()
            self._faces, self._people = (_session(folder / name, threads=1) for name in FILES)
            threads = 0 if area is Area.SUBJECT else 1
            self._area = _session(folder / area.value, threads) if area is not None and area.value else None
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
        height, width = picture.shape[1:]
        wanted = [f"{name}_{stride}" for stride in STRIDES for name in ("cls", "obj", "bbox")]
        found = self._faces.run(wanted, {"input": np.ascontiguousarray(picture[::-1][None] * np.float32(255))})
        boxes = np.concatenate([_boxes(found[3 * n : 3 * n + 3], stride, width) for n, stride in enumerate(STRIDES)])
        order = np.argsort(-boxes[:, 4], kind="stable")[: 8 * MOST_FACES]
        kept: list[npt.NDArray[np.float64]] = []
        for box in boxes[order]:
            if len(kept) < MOST_FACES and all(_overlap(box, other) < OVERLAP for other in kept):
                kept.append(box)
        return [
            Face(x / width, y / height, w / width, h / height, score) for x, y, w, h, score in np.array(kept).tolist()
        ]

    def people(self, picture: Picture) -> Picture:
        """Return where people are, (H, W) of PEOPLE_SIZE, 0..1.

        Args:
            picture: (3, H, W) of that size, R'G'B' 0..1.
        """
        frame = np.ascontiguousarray(np.moveaxis(picture, 0, -1)[None])
        found = self._people.run(None, {self._people.get_inputs()[0].name: frame})[0]
        return np.clip(np.nan_to_num(np.asarray(found, np.float32)[0, :, :, 0]), 0.0, 1.0)

    def subject(self, picture: Picture) -> Picture:
        """Return what stands out, (H, W) of SUBJECT_SIZE, 0..1.

        Args:
            picture: (3, H, W) of that size, R'G'B' 0..1.
        """
        return np.clip(self._run(picture / max(float(picture.max()), LEAST_LIGHT)), 0.0, 1.0)

    def far(self, picture: Picture) -> Picture:
        """Return how far things are, of what the frame shows, (H / 4, W / 4) of FAR_SIZE, 0..1.

        Args:
            picture: (3, H, W) of that size, R'G'B' 0..1.
        """
        near = np.pad(self._run(picture)[RIM:-RIM, RIM:-RIM], RIM, "edge")
        low, high = np.quantile(near, (NEAREST_SHARE, 1 - NEAREST_SHARE)).astype(np.float32)
        seen: Picture = np.clip((high - near) / max(high - low, np.float32(LEAST_DEPTH)), 0.0, 1.0)
        return seen

    def _run(self, picture: Picture) -> Picture:
        """Run the network of the area."""
        assert self._area is not None
        found = self._area.run(None, {"picture": np.ascontiguousarray(picture[None], np.float32)})[0]
        seen: Picture = np.nan_to_num(np.asarray(found, np.float32)[0, 0])
        return seen


def _session(path: Path, threads: int) -> InferenceSession:
    """Load a network. threads: 0 for all of the processor's cores."""
    import onnxruntime as ort  # loading it takes time, which commands that paint nothing do not have

    options = session_options()
    options.intra_op_num_threads = threads
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def _boxes(outputs: list[npt.NDArray[np.float32]], stride: int, width: int) -> npt.NDArray[np.float64]:
    """(n, 5): left, top, width, height and score of the cells of a stride that show a face."""
    cls, obj, box = (part[0] for part in outputs)
    score = np.sqrt(np.clip(np.nan_to_num(cls[:, 0].astype(np.float64) * obj[:, 0]), 0.0, 1.0))
    cells = np.flatnonzero(score >= LEAST_SCORE)
    box = np.nan_to_num(box[cells].astype(np.float64))
    columns = width // stride
    size = np.exp(np.clip(box[:, 2:], -10.0, 10.0)) * stride
    middle = (np.stack([cells % columns, cells // columns], 1) + box[:, :2]) * stride
    return np.concatenate([middle - size / 2, size, score[cells, None]], 1)


def _overlap(one: npt.NDArray[np.float64], other: npt.NDArray[np.float64]) -> float:
    """The share of the union of two boxes that both hold."""
    low = np.maximum(one[:2], other[:2])
    high = np.minimum(one[:2] + one[2:4], other[:2] + other[2:4])
    both = float(np.prod(np.maximum(high - low, 0.0)))
    return both / max(float(one[2] * one[3] + other[2] * other[3]) - both, 1e-9)
