"""Arrays of samples as frames, and frames as arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import opaque
from framebrush.base.text import count_of, first_line
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, gbrp, rgba8
from framebrush.media.dlpack import described

KINDS = ("uint8", "uint16", "float16", "float32")
"""Sample types of pictures; white is 255, 65535 and 1."""

SHAPES = "(height, width, 3 or 4), or a batch (pictures, height, width, 3 or 4)"
"""Shapes of arrays that are painted, for messages."""

_OVERSHOOT = 0.25
"""Overshoot of resampled floats beyond 0..1 that causes no warning."""

HOST = (1, 3)
"""DLPack device types of memory that the processor can read: host, and pinned by CUDA."""

Samples = npt.NDArray[Any]


class DLPack(Protocol):
    """DLPack protocol of arrays from other libraries."""

    def __dlpack__(self, *, stream: Any = None) -> Any: ...  # noqa: ANN401 - a capsule

    def __dlpack_device__(self) -> tuple[int, int]: ...


def array_of(picture: Samples | DLPack) -> Samples:
    """Return a picture or batch (N, H, W, 3 or 4) as an array, without a copy.

    Raises TypeError, ValueError.
    """
    found = picture if isinstance(picture, np.ndarray) else _shared(picture)
    check_kind(found.dtype.name if found.dtype.name in KINDS else str(found.dtype))  # either byte order
    if found.ndim not in (3, 4) or found.shape[-1] not in (3, 4) or not found.size:
        raise ValueError(f"a picture of shape {found.shape} cannot be painted; give {SHAPES}")
    return found


def check_kind(kind: str) -> None:
    """Raise TypeError for an unsupported type of samples."""
    if kind not in KINDS:
        raise TypeError(
            f"a picture of {kind} cannot be painted; convert it to uint8, 0 to 255, to uint16, or to float16 or "
            "float32, 0 to 1"
        )


def range_notes(pictures: Iterable[Samples], name: str = "the picture") -> list[str]:
    """Return messages about NaN, infinity, and other white levels than 1.

    pictures: (H, W, 3) each. name: subject of messages.
    """
    odd, least, most = 0, math.inf, -math.inf
    for samples in pictures:
        if samples.dtype.kind != "f":
            return []
        finite = samples[np.isfinite(samples)]
        odd += samples.size - finite.size
        if finite.size:
            least, most = min(least, float(finite.min())), max(most, float(finite.max()))
    notes = list[str]()
    if odd:
        are = "are no finite numbers" if odd > 1 else "is no finite number"
        notes.append(f"{count_of(odd, 'sample')} of {name} {are}: painted as black, or white where infinite")
    if least < -_OVERSHOOT or most > 1 + _OVERSHOOT:
        white = next((white for white in (255, 65535) if 1 + _OVERSHOOT < most <= white), None)
        divide = f"; divide a picture whose white is {white} by {white}" if white and least >= 0 else ""
        words = f"the samples of {name} go from {least:.4g} to {most:.4g}"
        notes.append(f"{words}: they are cut to 0 to 1 where they are painted{divide}")
    return notes


def frame_of(samples: Samples) -> Frame:
    """Return a picture (H, W, 3 or 4) as a frame, copying uint8 only."""
    height, width, channels = samples.shape
    alpha = samples[..., 3] if channels == 4 else None
    if samples.dtype == np.uint8:
        return replace(opaque(samples[..., :3]), format=replace(rgba8(width, height), alpha=channels == 4), alpha=alpha)
    form = replace(format_of(width, height, samples.dtype), alpha=channels == 4)
    return Frame(form, tuple(samples[..., channel] for channel in (1, 2, 0)), alpha)


def format_of(width: int, height: int, kind: np.dtype[Any]) -> FrameFormat:
    """Return the planar format of a type of samples."""
    return gbrp(width, height, bits=8 * kind.itemsize, floating=kind.kind == "f")


def copy_samples(painted: Frame, into: Samples) -> None:
    """Copy R'G'B' into a picture (H, W, 3 or 4) of equal size and type."""
    if painted.format.layout is PlaneOrder.RGBA:
        (rgba,) = painted.planes
        into[..., :3] = rgba[..., :3]
    else:
        into[..., 1], into[..., 2], into[..., 0] = painted.planes


def _shared(picture: DLPack) -> Samples:
    name = f"a picture of {type(picture).__name__}"
    if not hasattr(picture, "__dlpack__"):
        raise TypeError(f"{name} is no array: give one of NumPy, or of a library that speaks DLPack, such as PyTorch")
    if picture.__dlpack_device__()[0] not in HOST:
        raise TypeError(f"{name} is in the memory of a device that does not paint; give an array in host memory")
    try:
        check_kind(described(picture.__dlpack__()).kind)  # NumPy's error does not name types that it lacks
        return np.from_dlpack(picture)
    except (AttributeError, BufferError, RuntimeError, ValueError) as error:
        raise TypeError(f"{name} cannot be painted: {first_line(error)}") from None
