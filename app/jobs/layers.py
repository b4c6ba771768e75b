"""Layers of painted frames: a multi-part EXR file each, in linear BT.709."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.analysis.to_rgb import Picture, ToRgb
from framebrush.base.files import whole_file
from framebrush.base.status import Status
from framebrush.base.text import first_line
from framebrush.gpu import colour
from framebrush.gpu.cpu.output import FrameLayers
from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.cpu.stages.strokes import RECORD, Carriage, Carrier, draw, numbers
from framebrush.gpu.frame import Frame, FrameFormat, gbrp
from framebrush.gpu.sizes import Size, Sizes
from framebrush.gpu.stages.steady import BLOCK_PX
from framebrush.gpu.stages.strokes import UNITS, StrokeLayout
from framebrush.gpu.stages.strokes.drawn import SLOT_BITS
from framebrush.jobs.film_strokes import StrokePipeline, stroke_pipeline
from framebrush.jobs.output_format import target_aspect
from framebrush.jobs.prepare import check_read_again, open_job_source
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, OnLosses, PictureLosses, Progress
from framebrush.media.disk import disk_errors
from framebrush.media.reading.open import is_numbered, picture_path
from framebrush.media.sources.frame_source import local_path
from framebrush.media.video import OutputError, VideoFrame, VideoInfo
from framebrush.media.writing.numbered_pictures import check_absent
from framebrush.media.writing.output_plan import check_folder, check_numbered, check_target
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.styles.passthrough import passthrough_style

Floats = npt.NDArray[np.float32]
Channels = dict[str, npt.NDArray[np.float16] | npt.NDArray[np.uint32]]
Layers = dict[str, Channels]
"""Channels by name, of each part of a file. Names of channels begin with their layer's, but for the painted picture."""

SLOT_MASK = (1 << SLOT_BITS) - 1

PROBE_BYTES = 1 << 22  # more than OpenEXR writes at once


@dataclass(frozen=True, slots=True)
class LayersResult:
    """Written files. first: path."""

    frames: int
    bytes: int
    first: Path
    status: Status


def write_layers(spec: JobSpec, listener: Listener) -> LayersResult:
    """Paint a range on the CPU and write its layers, each file atomically.

    Raises: InputError, OutputError, StyleError, DeviceError, ValueError without strokes.
    """
    target, exr = Path(spec.target), _open_exr()
    if target.suffix.lower() != ".exr" or not is_numbered(target):
        raise OutputError(f"{target}: layers are written as numbered EXR files; give a name such as shot.####.exr")
    check_folder(picture_path(target, 0))
    started_s, size_bytes, first = time.monotonic(), 0, None
    frames, found = 0, list[PictureLosses]()
    with closing(_frames(spec, listener, found.append)) as layered:
        for number, info, sizes, layers in layered:
            path = picture_path(target, number)
            check_target(local_path(spec.source), path, overwrite=spec.output.overwrite)
            _write(exr, path, layers, info, sizes)
            first, frames = first or path, frames + 1
            size_bytes += path.stat().st_size
            listener.progress(Progress(frames, info.frame_count, time.monotonic() - started_s, size_bytes))
    assert first is not None  # a range without frames is an error
    (losses,) = found
    return LayersResult(frames, size_bytes, first, losses.status)


def _open_exr() -> Any:  # noqa: ANN401 - the module has no types
    try:
        import OpenEXR
    except ImportError as error:
        raise OutputError(f"layers need OpenEXR ({error}); pip install 'framebrush[layers]'") from None
    return OpenEXR


def _frames(spec: JobSpec, listener: Listener, on_losses: OnLosses) -> Generator[tuple[int, VideoInfo, Sizes, Layers]]:
    def target_of(_: VideoInfo, sizes: Sizes) -> FrameFormat:
        return gbrp(*sizes.target, bits=32, floating=True)

    with ExitStack() as stack:
        opened = stack.enter_context(stroke_pipeline(spec, listener.message, target_of, on_losses=on_losses))
        check_read_again(opened.source, "layers read it")
        info, sizes = opened.source.info, opened.sizes
        check_numbered(info, Path(spec.target))
        if info.rotation_degrees or info.mirrored:
            listener.message(f"{spec.source} is shown rotated or mirrored; its layers are as the file stores them")
        workers = Workers()
        stack.callback(workers.close)
        seen: Generator[tuple[Masks, Floats]] | None = None
        for painted in opened.paint(see=_absence_checked(spec, info)):
            found = opened.on_cpu.read_layers()
            if seen is None:
                seen = stack.enter_context(closing(_seen(opened, spec, found.strokes.canvas.layout, workers, listener)))
            layers = _layers(painted.host, found, *next(seen), workers)
            yield painted.number, info, sizes, layers


def _absence_checked(spec: JobSpec, info: VideoInfo) -> Callable[[VideoFrame], None]:
    is_checked = spec.output.overwrite

    def see(frame: VideoFrame) -> None:
        nonlocal is_checked
        if not (is_checked or frame.context):
            is_checked = True
            count = spec.range.frames if info.frame_count is None else info.frame_count
            check_absent(Path(spec.target), frame.number, count)

    return see


def _seen(
    opened: StrokePipeline, spec: JobSpec, layout: StrokeLayout, workers: Workers, listener: Listener
) -> Generator[tuple[Masks, Floats]]:
    with ExitStack() as stack:
        masks = stack.enter_context(opened.masks(spec, listener.message, "the masks are empty"))
        source = stack.enter_context(open_job_source(spec, style=opened.style))
        to_rgb = ToRgb(stack, source.info.format, opened.sizes.working, passthrough_style())
        motion = _Motion(layout, opened.sizes, workers)
        for frame in source:
            found, backward = masks(frame), motion.backward(to_rgb(frame.host))
            if not frame.context:
                yield found, backward


class _Motion:
    def __init__(self, layout: StrokeLayout, sizes: Sizes, workers: Workers) -> None:
        self._carrier, self._sizes = Carrier(layout, sizes, workers), sizes
        self._last: Carriage | None = None

    def backward(self, picture: Picture) -> Floats:
        """Return motion to the previous frame (2, H, W): right, up, in target pixels.

        Zeros after a cut. picture: (H, W, 3) at the working size.
        """
        seen, last = self._carrier.allocate(), self._last
        self._carrier.compute_planes(
            np.ascontiguousarray(picture.transpose(2, 0, 1), np.float32) / np.float32(255), seen
        )
        self._last = seen
        (width, height), (columns, rows) = self._sizes.target, self._sizes.working
        vectors = None if last is None else self._carrier.motion(seen.film, last.film)
        if vectors is None:
            return np.zeros((2, height, width), np.float32)
        down, right = vectors.astype(np.float32) / UNITS
        size, shown = (width, height), (columns / BLOCK_PX, rows / BLOCK_PX)
        return np.stack(
            [_stretched(right, size, shown) * (width / columns), _stretched(down, size, shown) * (-height / rows)]
        )


def _layers(painted: Frame, found: FrameLayers, masks: Masks, backward: Floats, workers: Workers) -> Layers:
    strokes, canvas = found.strokes, found.strokes.canvas
    layout, size = canvas.layout, canvas.layout.size
    rows = strokes.records.view(np.float32).reshape(-1, RECORD)
    ground = np.empty((5, *size[::-1]), np.float32)
    draw(rows, 0, canvas.painting, canvas.ground, layout, workers, ground)
    green, blue, red = painted.planes
    at = numbers(rows, layout, workers)
    ids = np.concatenate([np.zeros(1, np.uint64), strokes.ids])[at]
    return {
        "painted": _colours("", np.stack([red, green, blue])),
        "film": _colours("film.", found.film),
        "network": _colours("network.", canvas.painting),
        "underpainting": _colours("underpainting.", ground[:3]),
        "height": {"height.Z": _half(found.height_px)},
        "N": {f"N.{axis}": _half(plane) for axis, plane in zip("XYZ", normals(found.height_px), strict=True)},
        "masks": {"masks.faces": _mask(masks.faces, size), "masks.subject": _mask(masks.area, size)},
        "backward": {"backward.u": _half(backward[0]), "backward.v": _half(backward[1])},
        "strokes": {
            "strokes.birth": _whole(np.where(at > 0, ids >> np.uint64(SLOT_BITS), 0)),
            "strokes.slot": _whole(np.where(at > 0, (ids & np.uint64(SLOT_MASK)) + np.uint64(1), 0)),
        },
    }


def normals(height_px: Floats) -> Floats:
    """Return unit normals (3, H, W): right, up, to the viewer."""
    height, width = height_px.shape
    padded = np.pad(height_px, ((0, int(height == 1)), (0, int(width == 1))), "edge")  # a gradient takes two samples
    down, right = (np.gradient(padded, axis=axis)[:height, :width] for axis in (0, 1))
    found = np.stack([-right, down, np.ones_like(height_px)])
    unit: Floats = found / np.sqrt((found**2).sum(axis=0))
    return unit


def _colours(prefix: str, encoded: Floats) -> Channels:
    light = colour.srgb_to_linear(encoded)
    return {f"{prefix}{name}": _half(plane) for name, plane in zip("RGB", light, strict=True)}


def _half(plane: npt.NDArray[Any]) -> npt.NDArray[np.float16]:
    return np.ascontiguousarray(plane, np.float16)


def _whole(plane: npt.NDArray[Any]) -> npt.NDArray[np.uint32]:
    return np.ascontiguousarray(plane, np.uint32)


def _mask(codes: bytes | None, size: Size) -> npt.NDArray[np.float16]:
    if codes is None:
        return np.zeros(size[::-1], np.float16)
    samples = np.frombuffer(codes, np.uint8).reshape(MASK_SIDE, MASK_SIDE).astype(np.float32) / np.float32(255)
    return _half(_stretched(samples, size))


def _stretched(plane: Floats, size: Size, shown: tuple[float, float] | None = None) -> Floats:
    from PIL import Image  # imported here because only layers need it

    box = None if shown is None else (0.0, 0.0, *shown)
    return np.asarray(Image.fromarray(plane).resize(size, Image.Resampling.BILINEAR, box))


def _write(exr: Any, path: Path, layers: Layers, info: VideoInfo, sizes: Sizes) -> None:  # noqa: ANN401
    aspect = target_aspect(info.sample_aspect, sizes)
    header: Callable[[], dict[str, object]] = lambda: {  # noqa: E731 - a new one for each part
        "type": exr.scanlineimage,
        "compression": exr.ZIP_COMPRESSION,
        "pixelAspectRatio": float(aspect),
        "framesPerSecond": info.rate or Fraction(25),
    }
    with disk_errors(path.parent, f"writing {path} failed"), whole_file(path) as part:
        try:
            exr.File([exr.Part(header(), dict(channels), name) for name, channels in layers.items()]).write(str(part))
        except (RuntimeError, ValueError) as error:  # OpenEXR's own, without the system's reason
            with part.open("ab", buffering=0) as file:
                file.write(bytes(PROBE_BYTES))  # raises with the reason, such as a full disk
            raise OSError(f"OpenEXR: {first_line(error)}") from None
