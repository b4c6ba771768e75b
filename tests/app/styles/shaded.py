"""Films of shaded colours, and jobs that paint them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from framebrush.gpu.look import Look
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import open_job_source, open_job_style, prepare
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import encoded
from framebrush.jobs.transcode import ignore
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.shot_styles import Shot
from framebrush.styles.specs import StyleSpec
from tests.app.jobs.changes import otherwise

SIZE = (96, 64)
RGB = npt.NDArray[np.uint8]


def shaded(
    colour: tuple[int, int, int], number: int, *, down: bool, frames_a_radian: float = 9.0
) -> npt.NDArray[np.float64]:
    """Return moving waves of one colour, (H, W, 3), 0..255."""
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    phase = number / frames_a_radian
    wave = 45 * np.sin((rows if down else columns) / 7 + phase) + 15 * np.cos((rows + columns) / 5)
    return np.array((np.array(colour) + wave[..., None]).clip(0, 255))


def film(path: Path, pictures: Iterable[RGB]) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "6", "g": "10", "preset": "veryfast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for picture in pictures:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode())
    return path


def warm_picture(path: Path) -> Path:
    path.write_bytes(encoded(shaded((190, 120, 60), 0, down=True).astype(np.uint8), "png", "rgb24"))
    return path


def spec(clip: Path, target: Path, style: object, **more: Any) -> JobSpec:  # noqa: ANN401
    """Return a lossless job that changes colours only."""
    look = Look(dither=False, steady=0.0, brush=0.0, relief=0.0, canvas=0.0)
    options = OutputOptions(codec="libx264", crf=0, preset="veryfast")
    plain = JobSpec(str(clip), str(target), Recipe(StyleSpec(str(style)), look), output=options)
    return otherwise(plain, **more)


def frames(path: Path) -> npt.NDArray[np.int64]:
    """Read a file's frames, (N, H, W, 3)."""
    with av.open(str(path)) as container:
        return np.stack([frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]).astype(int)


def shots_of(made: JobSpec) -> tuple[Shot, ...]:
    style = open_job_style(made, ignore)
    with OpenedSource.of(made) as held, open_job_source(made) as source:
        ready = prepare(made, style, source, held)
    return find_shots(made, style, ready.sizes, ignore)
