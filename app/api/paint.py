"""`framebrush.paint`: paint one picture, or a batch of pictures."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any, TypeVar, Unpack, overload

import numpy as np
import numpy.typing as npt

from framebrush.api.array_frames import (
    DLPack,
    Samples,
    array_of,
    check_kind,
    copy_samples,
    format_of,
    frame_of,
    range_notes,
)
from framebrush.api.batch import painted_sequence, plan_of
from framebrush.api.keywords import PaintingOptions, check_device, job_of
from framebrush.api.mask_array import check_masks, with_mask_file
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneAddresses, PlaneOrder, rgba8
from framebrush.jobs.pipeline import OutputFrame, Pipeline
from framebrush.jobs.prepare import job_pipeline, open_job_style, opened_device
from framebrush.jobs.transcode import OnMessage, ignore
from framebrush.media.dlpack import CUDA, Described, described, exported, exported_rgb
from framebrush.media.video import VideoFrame
from framebrush.styles.style_names import OpenedStyle, coloured_by

SampleT = TypeVar("SampleT", bound=np.generic)

PaintOne = Callable[[Frame | DeviceFrame], OutputFrame]

LEGACY_STREAM = 1
"""DLPack's number of CUDA's default stream, for which the device's frames wait."""


class PaintingWarning(UserWarning):
    """Message about a style, device or film."""


class OnGpu:
    """Painted picture in a CUDA device's memory: (H, W, 4) uint8, or (H, W, 3) planar.

    Import it by DLPack, without a copy: `torch.from_dlpack(painted)`.
    """

    def __init__(self, frame: DeviceFrame, number: int) -> None:
        self._frame, self._number = frame, number
        self._in_planes = frame.format.layout is PlaneOrder.GBR
        self.shape = frame.format.plane_shapes[0] + ((3,) if self._in_planes else ())

    def __dlpack__(self, **_: object) -> object:
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
    sequence: bool = True,
    on_picture: Callable[[int], None] = ignore,
    **options: Unpack[PaintingOptions],
) -> npt.NDArray[SampleT]: ...


@overload
def paint(
    picture: DLPack,
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    sequence: bool = True,
    on_picture: Callable[[int], None] = ignore,
    **options: Unpack[PaintingOptions],
) -> Any: ...  # noqa: ANN401 - an array, a tensor of PyTorch, or an `OnGpu`


def paint(
    picture: Samples | DLPack,
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    sequence: bool = True,
    on_picture: Callable[[int], None] = ignore,
    **options: Unpack[PaintingOptions],
) -> Any:
    """Paint a picture, as `framebrush frame` does, or a batch. For films: `framebrush.open`.

        painted = framebrush.paint(picture, "great-wave", strength=0.8, relief=0.6)

    Args:
        picture: NumPy array or DLPack object (H, W, 3) or (H, W, 4), a batch with N in front: encoded R'G'B',
            optionally with alpha, returned unchanged; uint8, uint16, or float16 or float32 of 0 to 1. In GPU memory:
            uint8, (H, W, 4), alpha dropped, or (3, H, W) permuted to (H, W, 3). A PyTorch batch passes through host
            memory.
        style: as for `framebrush.open`.
        device: a name as for `--device`, or an open device, needed for a picture in its memory.
        sequence: paint a batch as a film, with advected strokes and steady colours.
        on_picture: called with the number of painted pictures; may raise to stop.
        options: see `framebrush.api.keywords.PaintingOptions`. A mask may also be an array (H, W), or (N, H, W) for a
            batch: bool, uint8, or float of 0 to 1. In a batch, keyframes and maps go by frame.

    Returns: An array of the picture's type; `OnGpu` for GPU memory; for a PyTorch batch a tensor on its device.

    Raises: TypeError or ValueError for an unsupported picture or option, StyleError, DeviceError.
    """
    check_device(device)
    notes: list[str] = []
    painted: Samples | OnGpu
    back: Callable[[Samples], Any] | None = None
    if (batch := _batch_of_torch(picture)) is not None:
        picture, back = batch
    if not isinstance(picture, np.ndarray) and _is_on_gpu(picture):
        painted = _painted_on_gpu(picture, style, device, options, notes.append)
    else:
        samples = array_of(picture)
        native = samples.astype(samples.dtype.newbyteorder("="), copy=False)
        if native.ndim == 3:
            notes += range_notes([native[..., :3]])
            painted = _painted_in_memory(native, style, device, options, notes.append)
        else:
            notes += range_notes(native[..., :3], "the batch")
            painted = _painted_batch(native, style, device, options, notes.append, on_picture, sequence=sequence)
        painted = painted.astype(samples.dtype, copy=False)
    for note in dict.fromkeys(notes):
        warnings.warn(note, PaintingWarning, stacklevel=2)
    return painted if back is None or isinstance(painted, OnGpu) else back(painted)


def _batch_of_torch(picture: Samples | DLPack) -> tuple[DLPack, Callable[[Samples], Any]] | None:
    """Return a PyTorch batch in host memory and a function that moves results back."""
    torch = sys.modules.get("torch")  # loaded already if this is a tensor
    if torch is None or not isinstance(picture, torch.Tensor) or picture.dim() != 4:
        return None
    return picture.cpu(), lambda painted: torch.from_numpy(painted).to(picture.device)


def _painted_batch(
    samples: Samples,
    style: str | os.PathLike[str] | None,
    device: Device | str,
    options: PaintingOptions,
    say: OnMessage,
    on_picture: Callable[[int], None],
    *,
    sequence: bool,
) -> Samples:
    with ExitStack() as stack:
        another_device = None
        if isinstance(device, str):
            another_device = partial(open_device, device)
            device = stack.enter_context(opened_device(another_device, say))
        if sequence:
            options = with_mask_file(stack, options, len(samples))
            job = job_of("the batch", style, options, PaintingOptions.__optional_keys__)
            return painted_sequence(samples, job, device, say, on_picture, another_device)
        painted: Samples | None = None
        mask = options.get("mask")
        masks = mask if isinstance(mask, np.ndarray) and mask.ndim == 3 else None
        if masks is not None:
            check_masks(masks, len(samples))
        else:
            options = with_mask_file(stack, options)
            shared = stack.enter_context(_painter(frame_of(samples[0]).format, style, device, options, say))
        for number, one in enumerate(samples):
            if masks is not None:
                made = _painted_in_memory(one, style, device, {**options, "mask": masks[number]}, say)
            else:
                made = _samples_by(shared, one)
            painted = np.empty((len(samples), *made.shape), made.dtype) if painted is None else painted
            painted[number] = made
            on_picture(number + 1)
        assert painted is not None  # a batch is not empty
        return painted


def _painted_in_memory(
    samples: Samples,
    style: str | os.PathLike[str] | None,
    device: Device | str,
    options: PaintingOptions,
    say: OnMessage,
) -> Samples:
    with ExitStack() as stack:
        options = with_mask_file(stack, options)
        if isinstance(device, str):
            device = stack.enter_context(opened_device(partial(open_device, device), say))
        paint_one = stack.enter_context(_painter(frame_of(samples).format, style, device, options, say))
        return _samples_by(paint_one, samples)


def _samples_by(paint_one: PaintOne, samples: Samples) -> Samples:
    channels = samples.shape[2]
    painted = paint_one(frame_of(samples)).host
    made = np.empty((painted.format.height, painted.format.width, channels), samples.dtype)
    copy_samples(painted, made)
    if channels == 4:
        made[..., 3] = samples[..., 3]
    return made


@contextmanager
def _painter(
    form: FrameFormat,
    style: str | os.PathLike[str] | None,
    device: Device,
    options: PaintingOptions,
    say: OnMessage,
) -> Iterator[PaintOne]:
    job = job_of("picture", style, options, PaintingOptions.__optional_keys__)
    job = replace(job, recipe=job.recipe.alone)
    opened = open_job_style(job, say)
    sizes, target = plan_of(job, opened, form, keeps_alpha=form.alpha)

    def pipeline_of(found: OpenedStyle) -> Pipeline:
        return job_pipeline(job, found, device, form, target, sizes, say=say, time_of=lambda _: Fraction())

    with ExitStack() as stack:
        shared = None if opened.palette is not None else stack.enter_context(pipeline_of(opened))

        def paint_one(frame: Frame | DeviceFrame) -> OutputFrame:
            with ExitStack() as own:
                pipeline = shared or own.enter_context(pipeline_of(OpenedStyle(coloured_by(opened, frame))))
                pipeline.frame_pipeline.masks.begin_anew()
                allocate = partial(device.allocate, target, packed=True) if isinstance(frame, DeviceFrame) else None
                (result,) = pipeline.frames([VideoFrame(0, 0, 0, frame)], allocate)
            return result

        yield paint_one


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
    check_kind(array.kind)
    if len(array.shape) != 3 or array.shape[2] not in (3, 4) or not all(array.shape):
        raise ValueError(f"a picture of shape {array.shape} cannot be painted on a GPU; give (height, width, 3 or 4)")
    format_, pointers = planes_of(array)
    pitch = array.strides[0] * np.dtype(array.kind).itemsize
    planes = PlaneAddresses(pointers, (pitch,) * len(pointers), array.owner)
    frame = device.adopt(format_, planes)
    with ExitStack() as stack:
        paint_one = stack.enter_context(_painter(format_, style, device, with_mask_file(stack, options), say))
        result = paint_one(frame)
    assert isinstance(result.frame, DeviceFrame)
    return OnGpu(result.frame, number)


def planes_of(array: Described) -> tuple[FrameFormat, tuple[int, ...]]:
    """Return format and plane addresses of a GPU picture."""
    height, width, channels = array.shape
    pitch, step, between = array.strides
    kind = np.dtype(array.kind)
    if pitch >= width * step:
        if (channels, step, between, array.kind) == (4, 4, 1, "uint8"):
            return rgba8(width, height), (array.pointer,)
        if step == 1 and between > 0:
            red, green, blue = (array.pointer + between * kind.itemsize * channel for channel in range(3))
            return format_of(width, height, kind), (green, blue, red)
    raise ValueError(
        f"a picture of shape {array.shape}, {array.kind}, with strides {array.strides} on a GPU cannot be painted; "
        "give four channels of uint8 that lie together, or three planes: tensor.permute(1, 2, 0) of (3, height, width)"
    )
