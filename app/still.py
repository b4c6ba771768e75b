"""One painted frame as a PNG, the right way up and with square pixels."""

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
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.jobs.prepare import job_pipeline, job_sizes, open_job_source
from framebrush.jobs.shots import find_shots
from framebrush.jobs.spec import JobSpec
from framebrush.media.cube import CubeError, write_cube
from framebrush.media.frame_source import local_path
from framebrush.media.orientation import upright
from framebrush.media.output_file import OutputFile
from framebrush.media.plan import FULL, check_folder, check_target, full
from framebrush.media.video import InputError, OutputError
from framebrush.models.palette import palette
from framebrush.models.style import Style
from framebrush.models.table import ColourTable
from framebrush.models.text import first_line
from framebrush.palettes import Palette, film_colours
from framebrush.pipeline import target_aspect
from framebrush.styles import OpenedStyle, picture_of


def paint_still(
    spec: JobSpec, style: OpenedStyle, device: Device, say: Callable[[str], None], colours: Path | None = None
) -> None:
    """Paint the first frame of a spec's range and write it to its target, whole or not at all.

    style: that of the spec. say: takes each note, such as that tiles change the look. colours: a `.cube` file for the
    table of colours that was used. Raises InputError where there is no such frame, OutputError where the picture cannot
    be written, CubeError where the table cannot, or where there is none.
    """
    target = Path(spec.target)
    if target.suffix.lower() != ".png":
        raise OutputError(f"{target}: a still is written as PNG; give a name that ends in .png")
    check_target(local_path(spec.source), target, overwrite=spec.output.overwrite)
    check_folder(target)
    has_table = style.palette is not None or style.style.before is not None or style.style.after is not None
    if colours is not None and not has_table:
        if not style.style.card.paints:
            raise CubeError(f"{colours}: there is no table of colours; give a style, --palette or --lut")
        say(f"{style.style.card.title} has no table of colours: one that comes near is fitted to this frame")
    with open_job_source(spec) as source:
        info = source.info
        sizes = job_sizes(spec.sizes, info.format, style.style)
        shots = find_shots(spec, style, sizes, say)
        with job_pipeline(spec, style, device, info.format, rgba8(*sizes.target), sizes, shots=shots) as pipeline:
            for note in pipeline.notes:
                say(note)
            painted = next(iter(pipeline.paint(source)), None)
            used = pipeline.style
    if painted is None:
        raise InputError(f"{spec.source}: there is no frame at that place")
    picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(painted.host.planes[0]), format="rgba")
    width = max(1, round(picture.width * target_aspect(info.sample_aspect, sizes)))
    square = picture.reformat(width=width, format="rgb24").to_ndarray().astype(np.uint8, copy=False)
    content = encoded(upright(square, info.rotation_degrees, mirrored=info.mirrored), "png", "rgb24")
    try:
        with OutputFile(Path(os.path.realpath(target)) if target.is_symlink() else target) as file:
            file.write(content)
            file.deliver(overwrite=spec.output.overwrite)
    except OSError as error:
        raise full(target.parent) if error.errno in FULL else OutputError(f"{target}: {first_line(error)}") from error
    if colours is not None:
        table = table_of(used, spec.look) if has_table else _fitted(spec, used)
        write_cube(table, colours, overwrite=spec.output.overwrite)


def table_of(style: Style, look: Look) -> ColourTable:
    """What a style does to colours beside its network: where that does not paint, all of it, at the look's strength."""
    before, after = style.before, style.after
    if after and not style.card.paints:
        after = after.with_strength(look.strength)
        return before.then(after) if before else after
    table = after or before
    assert table is not None
    return table


def _fitted(spec: JobSpec, style: Style) -> ColourTable:
    """A table that gives the first frame of a spec's range about the colours that a network paints it in."""
    with open_job_source(replace(spec, look=replace(spec.look, steady=0.0))) as source:
        picture = picture_of(OpenedStyle(style), next(iter(source)).frame)
    painting, own = film_colours(style, Palette(), [picture])
    assert own is not None
    return palette(own, painting, tone=1.0, title=style.card.title).with_strength(spec.look.strength)


def encoded(picture: npt.NDArray[np.uint8], codec: str, pix_fmt: str) -> bytes:
    """A picture (H, W, 3) uint8 R'G'B' as the content of a picture file. codec, pix_fmt: FFmpeg's names."""
    frame = av.VideoFrame.from_ndarray(picture, format="rgb24").reformat(format=pix_fmt)
    context = av.CodecContext.create(codec, "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt, context.time_base = frame.width, frame.height, pix_fmt, Fraction(1)
    return b"".join(bytes(packet) for packet in [*context.encode(frame), *context.encode(None)])
