"""Make app/window/start/start.mp4, the moving picture of the start page, from the sample film.

    python assets/make_start_film.py

Each shot is painted in another style, right of the middle.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
from av.video.frame import PictureType

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush import sample
from framebrush.cli.command_line import run
from framebrush.window.start.moving_picture import START

SIDE_PX, RATE, EVERY = 640, 10, 3
"""Size, pictures a second, and which of the film's frames they are."""

SHOTS = (("starry-night", 6), ("great-wave", 96), ("wheat-field", 192))
"""Style and first frame of each shot."""

COUNT, QUALITY = 17, 27
"""Pictures of a shot, and their quality."""


def painted(style: str, first: int, folder: Path) -> Iterator[av.VideoFrame]:
    """Paint a shot, and yield its pictures."""
    target = folder / f"{style}.mkv"
    options = f"--style {style} --start {first}f --frames {COUNT * EVERY} --split 0.5 --max-size {SIDE_PX} --crf 8"
    if run(["transcode", str(sample.PATH), str(target), "--device", "cpu", *options.split()]):
        raise SystemExit(f"{style} could not be painted")
    with av.open(str(target)) as container:
        for number, frame in enumerate(container.decode(video=0)):
            if number % EVERY == 0:
                yield frame


def main() -> None:
    """Write the moving picture."""
    options = {"crf": str(QUALITY), "preset": "veryslow", "tune": "film", "threads": "1"}
    with tempfile.TemporaryDirectory() as folder, av.open(str(START), "w", options={"movflags": "faststart"}) as out:
        stream, count = out.add_stream("libx264", rate=RATE, options=options), 0
        for style, first in SHOTS:
            for picture in painted(style, first, Path(folder)):
                if not count:
                    (stream.width, stream.height), stream.pix_fmt = (picture.width, picture.height), "yuv420p"
                picture.pts, picture.time_base = count, Fraction(1, RATE)
                picture.pict_type = PictureType.NONE
                count += 1
                out.mux(stream.encode(picture))
        out.mux(stream.encode())


if __name__ == "__main__":
    main()
