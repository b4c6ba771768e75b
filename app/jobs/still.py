"""Painted frame as an upright PNG."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, Primaries, Transfer, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import Size, Sizes
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.output_format import target_aspect
from framebrush.jobs.prepare import (
    check_inputs,
    check_read_again,
    check_shots,
    film_notes,
    job_pipeline,
    job_sizes,
    look_over_time,
    open_job_source,
)
from framebrush.jobs.spec import JobSpec
from framebrush.media.disk import disk_errors
from framebrush.media.output_file import OutputFile
from framebrush.media.reading.orientation import Sample, upright
from framebrush.media.sources.frame_source import local_path
from framebrush.media.tags import FULL_RANGE, SRGB
from framebrush.media.video import InputError, OutputError, VideoInfo
from framebrush.media.writing.output_plan import check_folder, check_target
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.colours.palette import palette
from framebrush.models.style import Style
from framebrush.styles.cube import CubeError, write_cube
from framebrush.styles.palettes import Palette, film_colours
from framebrush.styles.style_names import OpenedStyle, picture_of

_WIDE = {Primaries.DISPLAY_P3: 12, Primaries.BT2020: 9}
"""Primaries' codes that a picture must declare, as it would be shown in wrong colours otherwise."""


def paint_still(
    spec: JobSpec, style: OpenedStyle, device: Device, say: Callable[[str], None], colours: Path | None = None
) -> None:
    """Paint a range's first frame to a file. colours: `.cube` file to write.

    Raises InputError without such a frame, OutputError, CubeError.
    """
    target = Path(spec.target)
    if target.suffix.lower() != ".png":
        raise OutputError(
            f"{target}: a frame is written as PNG",
            do="give a name that ends in .png, or use transcode with --frames 1 and "
            "a numbered name, such as still-%d.exr",
        )
    check_target(local_path(spec.source), target, overwrite=spec.output.overwrite)
    check_inputs(spec)
    check_folder(target)
    has_table = style.palette is not None or style.style.before is not None or style.style.after is not None
    if colours is not None and not has_table:
        if not style.style.card.paints:
            raise CubeError(f"{colours}: there is no colour table to write; give a style, --palette or --lut")
        say(f"{style.style.card.title} has no colour table: an approximate one is fitted to this frame")
    for note in film_notes(spec, style):
        say(note)
    with open_job_source(spec, style=style) as source:
        if colours is not None and not has_table:
            check_read_again(source, "a table is fitted to a frame that is read")
        info = source.info
        sizes = job_sizes(spec.sizes, info.format, style.style)
        check_shots(spec, style, source)
        shots = find_shots(spec, style, sizes, say)
        target_format = replace(rgba8(*sizes.target), alpha=info.format.alpha)
        with job_pipeline(spec, style, device, info, target_format, sizes, shots=shots, say=say) as pipeline:
            painted = next(iter(pipeline.frames(source)), None)
            used = pipeline.frame_pipeline.plan.style
            for note in source.warnings:
                say(note)
        if painted is not None:
            look = look_over_time(spec, style).at(painted.number, (painted.pts - info.start_pts) * info.time_base)
            used = replace(used, mix=look.mix or used.mix)
            spec = replace(spec, recipe=replace(spec.recipe, look=replace(look, mix=()), keys=()))
    if painted is None:
        raise InputError(f"{spec.source}: there is no frame at that position")
    _write_png(painted.host, info, sizes, target, overwrite=spec.output.overwrite)
    if colours is not None:
        table = table_of(used, spec.look) if has_table else _fitted(spec, used)
        write_cube(table, colours, overwrite=spec.output.overwrite)


def _write_png(frame: Frame, info: VideoInfo, sizes: Sizes, target: Path, *, overwrite: bool) -> None:
    (rgba,), alpha = frame.planes, frame.alpha
    picture = rgba[..., :3] if alpha is None else np.dstack([rgba[..., :3], alpha])
    wide = _WIDE.get(info.format.primaries) if info.format.transfer is Transfer.SDR else None
    content = encoded(as_seen(picture, info, sizes), "png", "rgb24" if alpha is None else "rgba", wide)
    place = Path(os.path.realpath(target)) if target.is_symlink() else target
    with disk_errors(target.parent, f"writing {target} failed"), OutputFile(place) as file:
        file.write(content)
        file.deliver(overwrite=overwrite)


def as_seen(picture: npt.NDArray[Sample], info: VideoInfo, sizes: Sizes) -> npt.NDArray[Sample]:
    """Turn (H, W, 3 or 4) upright, with square pixels."""
    width = _square_width(info, sizes)
    if width != sizes.target[0]:
        alpha = "a" if picture.shape[2] == 4 else ""
        packing = f"rgb{alpha or 24}" if picture.dtype == np.uint8 else f"rgb{alpha}{64 if alpha else 48}le"
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=packing)
        picture = frame.reformat(width=width).to_ndarray().astype(picture.dtype, copy=False)
    return upright(picture, info.orientation)


def seen_size(info: VideoInfo, sizes: Sizes) -> Size:
    """Return (width, height) of `as_seen`'s result."""
    return info.orientation.turned((_square_width(info, sizes), sizes.target[1]))


def _square_width(info: VideoInfo, sizes: Sizes) -> int:
    return max(1, round(sizes.target[0] * target_aspect(info.sample_aspect, sizes)))


def table_of(style: Style, look: Look) -> ColourTable:
    """Return a style's colour table at the look's strength."""
    before, after = style.before, style.after
    if after and not style.card.paints:
        after = after.with_strength(look.strength)
        return before.then(after) if before else after
    table = after or before
    assert table is not None
    return table


def _fitted(spec: JobSpec, style: Style) -> ColourTable:
    with open_job_source(spec) as source:
        picture = picture_of(OpenedStyle(style), next(iter(source)).frame)
    painting, own = film_colours(style, Palette(), [picture])
    assert own is not None
    return palette(own, painting, tone=1.0, title=style.card.title).with_strength(spec.look.strength)


def encoded(picture: npt.NDArray[np.uint8], codec: str, pix_fmt: str, primaries: int | None = None) -> bytes:
    """Encode (H, W, 3 or 4) uint8. primaries: H.273 code, sRGB by default."""
    packing = "rgba" if picture.shape[2] == 4 else "rgb24"
    frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format=packing).reformat(format=pix_fmt)
    context = av.CodecContext.create(codec, "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt, context.time_base = frame.width, frame.height, pix_fmt, Fraction(1)
    if primaries is not None:
        for tagged in (context, frame):
            tagged.color_primaries, tagged.color_trc, tagged.colorspace = primaries, SRGB.transfer, SRGB.matrix
            tagged.color_range = FULL_RANGE
    return b"".join(bytes(packet) for packet in [*context.encode(frame), *context.encode(None)])
