"""Draw assets/moving.webp: some seconds of films, and what two styles make of them, side by side.

    python assets/make_moving_picture.py FILM[@FIRST] [FILM[@FIRST] ...]

Of each film the frames from FIRST (0) on are taken, the middle of its picture, one film after the other.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
from PIL import Image, ImageOps

ASSETS = Path(__file__).resolve().parent
STYLES = ("oil", "starry-night")
SHOWN_PX, GAP_PX = (400, 300), 4
PAINTED_PX = (640, 480)
"""Strokes are as wide as in a frame of 480 lines, and what is shown is that frame, made smaller: they stay visible."""
FRAMES, RATE, EVERY = 100, 30, 2
"""At most so many frames of a film; every second one is shown."""
QUALITY = 58


def frames(path: str) -> Iterator[Image.Image]:
    with av.open(path) as container:
        for shown in container.decode(video=0):
            turned = shown.rotation
            yield shown.to_image().rotate(turned, expand=True)


def join(films: list[str], target: Path) -> None:
    """One film of them all, without loss."""
    with av.open(str(target), "w") as container:
        stream = container.add_stream("ffv1", rate=Fraction(RATE))
        (stream.width, stream.height), stream.pix_fmt = PAINTED_PX, "yuv420p"
        for film in films:
            path, _, first = film.partition("@")
            start = int(first or 0)
            for picture in islice(frames(path), start, start + FRAMES):
                container.mux(stream.encode(av.VideoFrame.from_image(ImageOps.fit(picture, PAINTED_PX))))
        container.mux(stream.encode())


def painted(source: Path, style: str, target: Path) -> Path:
    """The film by the program itself."""
    program = [sys.executable, "-m", "framebrush", "transcode", str(source), str(target)]
    subprocess.run([*program, "--style", style, "--device", "cpu", "--codec", "ffv1", "-y"], check=True)
    return target


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    width, height = SHOWN_PX
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "film.mkv")
        join(sys.argv[1:], source)
        films = [painted(source, style, Path(folder, f"{style}.mkv")) for style in STYLES]
        for pictures in islice(zip(*(frames(str(film)) for film in films), strict=True), 0, None, EVERY):
            page = Image.new("RGB", ((width + GAP_PX) * len(films) - GAP_PX, height), "white")
            for column, picture in enumerate(pictures):
                page.paste(picture.resize(SHOWN_PX, Image.Resampling.LANCZOS), (column * (width + GAP_PX), 0))
            pages.append(page)
    duration = 1000 * EVERY // RATE
    pages[0].save(
        ASSETS / "moving.webp", save_all=True, append_images=pages[1:], duration=duration, quality=QUALITY, method=6
    )


if __name__ == "__main__":
    main()
