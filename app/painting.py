"""One picture from Python: `framebrush.paint`."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol, Unpack

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import rgba8
from framebrush.jobs.prepare import job_pipeline, job_sizes, open_job_style
from framebrush.jobs.transcode import ignore
from framebrush.keywords import PaintingOptions, job_of
from framebrush.media.video import VideoFrame
from framebrush.styles.names import OpenedStyle, coloured_by
from framebrush.styles.to_rgb import opaque


class DLPack(Protocol):
    """What other libraries call an array, in host memory: a tensor of PyTorch, for example."""

    def __dlpack__(self, *, stream: None = None) -> Any: ...  # noqa: ANN401 - a capsule

    def __dlpack_device__(self) -> tuple[int, int]: ...


def paint(
    picture: npt.NDArray[Any] | DLPack,
    style: str | os.PathLike[str] | None = None,
    *,
    device: Device | str = "auto",
    **options: Unpack[PaintingOptions],
) -> npt.NDArray[np.uint8]:
    """Paint one picture, as `framebrush frame` does.

        painted = framebrush.paint(picture, "great-wave", strength=0.8, relief=0.6)

    picture: (H, W, 3) or (H, W, 4) uint8, encoded R'G'B' and alpha, which is kept; a NumPy array, or what speaks DLPack
    in host memory. style: what `--style` takes: a name, a blend, a network or a picture; the default style where it is
    None. device: a name, as `--device` takes, which is opened for this call; an open device where there are many
    pictures. options: those of the command line, see `framebrush.keywords.PaintingOptions`. Returns an array of the
    picture's shape, unless a size is asked for or the network enlarges.

    Raises TypeError and ValueError for what is no such picture or option, StyleError, DeviceError. A film is painted by
    `framebrush.open`.
    """
    samples = _array(picture)
    channels = samples.shape[2]
    frame = opaque(samples[..., :3])
    job = job_of("picture", style, options, PaintingOptions.__optional_keys__)
    steadied = replace(job.look, steady=0.0)  # there are no neighbours, and no memory for them
    job = replace(job, look=steadied, keys=tuple(track for track in job.keys if track.of != "steady"))
    opened = open_job_style(job, ignore)
    opened = OpenedStyle(coloured_by(opened, frame))
    sizes = job_sizes(job.sizes, frame.format, opened.style)
    if channels == 4 and sizes.target != sizes.source:
        raise ValueError("alpha is kept at the size of the picture alone; give (height, width, 3) for another size")
    with ExitStack() as stack:
        if isinstance(device, str):
            device = stack.enter_context(open_device(device))
        pipeline = stack.enter_context(
            job_pipeline(job, opened, device, frame.format, rgba8(*sizes.target), sizes, time_of=lambda _: Fraction())
        )
        (result,) = pipeline.paint([VideoFrame(0, 0, 0, frame)])
    painted = result.host.planes[0].astype(np.uint8, copy=False)
    if channels == 4:
        painted[..., 3] = samples[..., 3]
    return np.ascontiguousarray(painted[..., :channels])


def _array(picture: npt.NDArray[Any] | DLPack) -> npt.NDArray[np.uint8]:
    """A picture as an array that can be painted. Raises TypeError, ValueError."""
    try:
        found: npt.NDArray[Any] = picture if isinstance(picture, np.ndarray) else np.from_dlpack(picture)
    except (AttributeError, BufferError, RuntimeError, TypeError, ValueError) as error:
        raise TypeError(
            f"a picture of {type(picture).__name__} cannot be painted ({error}); give an array in host memory"
        ) from None
    if found.dtype != np.uint8:
        raise TypeError(f"a picture of {found.dtype} cannot be painted; convert it to uint8, 0 to 255")
    if found.ndim != 3 or found.shape[2] not in (3, 4) or not found.size:
        raise ValueError(f"a picture of shape {found.shape} cannot be painted; give (height, width, 3 or 4)")
    return found
