"""`framebrush.paint`: paint one picture."""

from __future__ import annotations

import os
import warnings
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, Protocol, TypeVar, Unpack, overload

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import opaque
from framebrush.api.keywords import PaintingOptions, job_of
from framebrush.api.mask_array import with_mask_file
from framebrush.base.text import count_of, first_line
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, Layout, PlaneAddresses, gbrp, rgba8
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.prepare import job_pipeline, job_sizes, open_job_style
from framebrush.jobs.transcode import OnMessage
from framebrush.media.dlpack import CUDA, Described, described, exported, exported_rgb
from framebrush.media.video import VideoFrame
from framebrush.styles.names import OpenedStyle, coloured_by

KINDS = ("uint8", "uint16", "float16", "float32")
"""Sample types of pictures; white is 255, 65535 and 1."""

SampleT = TypeVar("SampleT", bound=np.generic)

_OVERSHOOT = 0.25
"""Overshoot of resampled floats beyond 0..1 that causes no warning."""

HOST = (1, 3)
"""DLPack device types of memory that the processor can read: host, and pinned by CUDA."""

LEGACY_STREAM = 1
"""DLPack's number of CUDA's default stream, for which the device's frames wait."""


class PaintingWarning(UserWarning):
    """Messages of `framebrush.paint` and `framebrush.open` about a style, a device or a film."""


class DLPack(Protocol):
    """DLPack protocol of arrays from other libraries."""

    def __dlpack__(self, *, stream: Any = None) -> Any: ...  # noqa: ANN401 - a capsule

    def __dlpack_device__(self) -> tuple[int, int]: ...


class OnGpu:
    """Painted picture in the memory of a CUDA device, which frees it.

    (H, W, 4) uint8, or (H, W, 3) planar.

    Other libraries import it by DLPack without a copy, such as `torch.from_dlpack(painted)`.
    """

    def __init__(self, frame: DeviceFrame, number: int) -> None:
        """Wrap a frame. number: CUDA ordinal of the GPU."""
        self._frame, self._number = frame, number
        self._in_planes = frame.format.layout is Layout.GBR
        self.shape = frame.format.plane_shapes[0] + ((3,) if self._in_planes else ())

    def __dlpack__(self, **_: object) -> object:
        """Return a DLPack capsule. The picture is complete, for any stream."""
        if self._in_planes:
            return exported_rgb(self._frame, self._number)
        return exported(self._frame, self._number)[0]

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self._number


@overload
def paint(
    picture: npt.NDArray[SampleT],
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    **options: Unpack[PaintingOptions],
) -> npt.NDArray[SampleT]: ...


@overload
def paint(
    picture: DLPack,
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    **options: Unpack[PaintingOptions],
) -> npt.NDArray[Any] | OnGpu: ...


def paint(
    picture: npt.NDArray[Any] | DLPack,
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    **options: Unpack[PaintingOptions],
) -> npt.NDArray[Any] | OnGpu:
    """Paint one picture, as `framebrush frame` does. For a film use `framebrush.open`.

        painted = framebrush.paint(picture, "great-wave", strength=0.8, relief=0.6)

    Args:
        picture: NumPy array or DLPack object (H, W, 3) or (H, W, 4): encoded R'G'B', optionally with alpha, which the
            result keeps; uint8, uint16, or float16 or float32 of 0 to 1, clipped. In GPU memory (H, W, 4) uint8
            with alpha, which is dropped, or planar, a tensor (3, H, W) permuted to (H, W, 3).
        style: as for `--style`: a name, a blend, a network or a picture.
        device: a name as for `--device`, or an open device to share. A picture in GPU memory needs its open device.
        options: see `framebrush.api.keywords.PaintingOptions`. A mask may also be an array (H, W): bool, uint8, or
            float of 0 to 1.

    Returns: An array of the picture's type and, by default, shape. For a picture in GPU memory an `OnGpu`.

    Warns: PaintingWarning.

    Raises: TypeError or ValueError for an unsupported picture or option, StyleError, DeviceError.
    """
    notes: list[str] = []
    painted: npt.NDArray[Any] | OnGpu
    if not isinstance(picture, np.ndarray) and _is_on_gpu(picture):
        painted = _painted_on_gpu(picture, style, device, options, notes.append)
    else:
        samples = _array(picture)
        native = samples.astype(samples.dtype.newbyteorder("="), copy=False)
        notes += _range_notes(native[..., :3])
        painted = _painted_in_memory(native, style, device, options, notes.append)
        painted = painted.astype(samples.dtype, copy=False)
    for note in notes:
        warnings.warn(note, PaintingWarning, stacklevel=2)
    return painted


def _painted_in_memory(
    samples: npt.NDArray[Any],
    style: str | os.PathLike[str] | None,
    device: Device | str,
    options: PaintingOptions,
    say: OnMessage,
) -> npt.NDArray[Any]:
    channels = samples.shape[2]
    with ExitStack() as stack:
        options = with_mask_file(stack, options)
        if isinstance(device, str):
            device = stack.enter_context(open_device(device))
            if device.note:
                say(device.note)
        painted = _painted(_frame(samples), style, device, options, say, keeps_alpha=channels == 4).host
    size = painted.format.height, painted.format.width
    made = np.empty((*size, channels), samples.dtype)
    if painted.format.layout is Layout.RGBA:
        made[..., :3] = painted.planes[0][..., :3]
    else:
        made[..., 1], made[..., 2], made[..., 0] = painted.planes
    if channels == 4:
        made[..., 3] = samples[..., 3]
    return made


def _range_notes(samples: npt.NDArray[Any]) -> list[str]:
    """Return messages about suspicious floats: NaN or infinity, and a white level other than 1."""
    if samples.dtype.kind != "f":
        return []
    finite, notes = samples[np.isfinite(samples)], list[str]()
    if odd := samples.size - finite.size:
        are = "are no finite numbers" if odd > 1 else "is no finite number"
        notes.append(f"{count_of(odd, 'sample')} of the picture {are}: painted as black, or white where infinite")
    least, most = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    if least < -_OVERSHOOT or most > 1 + _OVERSHOOT:
        white = next((white for white in (255, 65535) if 1 + _OVERSHOOT < most <= white), None)
        divide = f"; divide a picture whose white is {white} by {white}" if white and least >= 0 else ""
        words = f"the samples of the picture go from {least:.4g} to {most:.4g}"
        notes.append(f"{words}: they are cut to 0 to 1 where they are painted{divide}")
    return notes


def _frame(samples: npt.NDArray[Any]) -> Frame:
    height, width, channels = samples.shape
    alpha = samples[..., 3] if channels == 4 else None
    if samples.dtype == np.uint8:
        return replace(opaque(samples[..., :3]), format=replace(rgba8(width, height), alpha=channels == 4), alpha=alpha)
    form = replace(_form(width, height, samples.dtype), alpha=channels == 4)
    return Frame(form, tuple(samples[..., channel] for channel in (1, 2, 0)), alpha)


def _form(width: int, height: int, kind: np.dtype[Any]) -> FrameFormat:
    return gbrp(width, height, bits=8 * kind.itemsize, floating=kind.kind == "f")


def _painted(
    frame: Frame | DeviceFrame,
    style: str | os.PathLike[str] | None,
    device: Device,
    options: PaintingOptions,
    say: OnMessage,
    *,
    keeps_alpha: bool = False,
) -> OutputFrame:
    job = job_of("picture", style, options, PaintingOptions.__optional_keys__)
    steadied = replace(job.look, steady=0.0)  # a single picture has no neighbour frames
    keys = tuple(track for track in job.keys if track.of != "steady")
    job = replace(job, recipe=replace(job.recipe, look=steadied, keys=keys))
    opened = open_job_style(job, say)
    opened = OpenedStyle(coloured_by(opened, frame))
    sizes = job_sizes(job.sizes, frame.format, opened.style)
    if keeps_alpha and sizes.target != sizes.source:
        raise ValueError("alpha is kept at the size of the picture alone; give (height, width, 3) for another size")
    form = frame.format
    target = rgba8(*sizes.target) if form.bits == 8 else _form(*sizes.target, np.dtype(form.dtype))
    target = replace(target, alpha=keeps_alpha)
    with job_pipeline(
        job, opened, device, frame.format, target, sizes, say=say, time_of=lambda _: Fraction()
    ) as pipeline:
        allocate = partial(device.allocate, target, packed=True) if isinstance(frame, DeviceFrame) else None
        (result,) = pipeline.paint([VideoFrame(0, 0, 0, frame)], allocate)
    return result


def _is_on_gpu(picture: DLPack) -> bool:
    return hasattr(picture, "__dlpack_device__") and picture.__dlpack_device__()[0] == CUDA


def _painted_on_gpu(
    picture: DLPack,
    style: str | os.PathLike[str] | None,
    device: Device | str,
    options: PaintingOptions,
    say: OnMessage,
) -> OnGpu:
    number = picture.__dlpack_device__()[1]
    name = f"a picture in the memory of CUDA's GPU {number}"
    if isinstance(device, str) or device.decoder != ("cuda", number):
        raise TypeError(f"{name} is painted there alone; give that device, opened by framebrush.gpu.device.open_device")
    array = described(picture.__dlpack__(stream=LEGACY_STREAM))
    _check_kind(array.kind)
    if len(array.shape) != 3 or array.shape[2] not in (3, 4) or not all(array.shape):
        raise ValueError(f"a picture of shape {array.shape} cannot be painted; give (height, width, 3 or 4)")
    format_, pointers = _planes(array)
    pitch = array.strides[0] * np.dtype(array.kind).itemsize
    planes = PlaneAddresses(pointers, (pitch,) * len(pointers), array.owner)
    frame = device.adopt(format_, planes)
    with ExitStack() as stack:
        result = _painted(frame, style, device, with_mask_file(stack, options), say)
    assert isinstance(result.frame, DeviceFrame)
    return OnGpu(result.frame, number)


def _planes(array: Described) -> tuple[FrameFormat, tuple[int, ...]]:
    height, width, channels = array.shape
    pitch, step, between = array.strides
    kind = np.dtype(array.kind)
    if pitch >= width * step:
        if (channels, step, between, array.kind) == (4, 4, 1, "uint8"):
            return rgba8(width, height), (array.pointer,)
        if step == 1 and between > 0:
            red, green, blue = (array.pointer + between * kind.itemsize * channel for channel in range(3))
            return _form(width, height, kind), (green, blue, red)
    raise ValueError(
        f"a picture of shape {array.shape}, {array.kind}, with strides {array.strides} on a GPU cannot be painted; "
        "give four channels of uint8 that lie together, or three planes: tensor.permute(1, 2, 0) of (3, height, width)"
    )


def _check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise TypeError(
            f"a picture of {kind} cannot be painted; convert it to uint8, 0 to 255, to uint16, or to float16 or "
            "float32, 0 to 1"
        )


def _array(picture: npt.NDArray[Any] | DLPack) -> npt.NDArray[Any]:
    found = picture if isinstance(picture, np.ndarray) else _shared(picture)
    _check_kind(found.dtype.name if found.dtype.name in KINDS else str(found.dtype))  # either byte order
    if found.ndim != 3 or found.shape[2] not in (3, 4) or not found.size:
        raise ValueError(f"a picture of shape {found.shape} cannot be painted; give (height, width, 3 or 4)")
    return found


def _shared(picture: DLPack) -> npt.NDArray[Any]:
    """Import another library's array without a copy."""
    name = f"a picture of {type(picture).__name__}"
    if not hasattr(picture, "__dlpack__"):
        raise TypeError(f"{name} is no array: give one of NumPy, or of a library that speaks DLPack, such as PyTorch")
    if picture.__dlpack_device__()[0] not in HOST:
        raise TypeError(f"{name} is in the memory of a device that does not paint; give an array in host memory")
    try:
        _check_kind(described(picture.__dlpack__()).kind)  # NumPy's error does not name types that it lacks
        return np.from_dlpack(picture)
    except (AttributeError, BufferError, RuntimeError, ValueError) as error:
        raise TypeError(f"{name} cannot be painted: {first_line(error)}") from None
