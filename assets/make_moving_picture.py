"""Draw assets/moving*.webp: a second or two of the sample film, and what the program makes of it, side by side.

    python assets/make_moving_picture.py [NAME ...]

Without a name, all of them. Each stays below a megabyte.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import av
from PIL import Image

from framebrush import sample

ASSETS = Path(__file__).resolve().parent
PERSON, BIRD = 20, sample.SHOTS[1] + 20
"""The first frames of what is shown."""

PICTURES: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "moving": ((PERSON, BIRD), ("--style oil", "--style starry-night")),
    "moving-editing": ((PERSON,), ("", "--style oil --brush-kind palette-knife")),
    "moving-brushes": (
        (BIRD,),
        ("--style tahiti --brush-kind pointillist", "--style tahiti --brush-kind palette-knife"),
    ),
    "moving-strokes": ((BIRD,), ("--style great-wave --brush 0 --relief 0", "--style great-wave")),
}
"""By name: where in the film, one after the other, and the options of each column; without any it is the film."""

SHOWN_PX, GAP_PX = (400, 225), 4
PAINTED_PX = (640, 360)
"""Strokes are as wide as in a frame of 360 lines, and what is shown is that frame, made smaller: they stay visible."""
FRAMES, RATE, EVERY = 40, 30, 2
"""So many frames from each place; every second one is shown."""
QUALITY = 55


def frames(path: Path) -> Iterator[Image.Image]:
    """The pictures of a film."""
    with av.open(str(path)) as container:
        for shown in container.decode(video=0):
            yield shown.to_image()


def join(places: tuple[int, ...], target: Path) -> None:
    """One film of what is shown, without loss."""
    with av.open(str(target), "w") as container:
        stream = container.add_stream("ffv1", rate=RATE)
        (stream.width, stream.height), stream.pix_fmt = PAINTED_PX, "yuv420p"
        for place in places:
            for picture in islice(frames(sample.PATH), place, place + FRAMES):
                container.mux(stream.encode(av.VideoFrame.from_image(picture.resize(PAINTED_PX))))
        container.mux(stream.encode())


def painted(source: Path, options: str, target: Path) -> Path:
    """The film by the program itself; as it is, without options."""
    if not options:
        return source
    program = [sys.executable, "-m", "framebrush", "transcode", str(source), str(target), "--device", "cpu"]
    subprocess.run([*program, "--codec", "ffv1", "-y", *options.split()], check=True)
    return target


def draw(name: str) -> None:
    """Write one of the pictures."""
    places, columns = PICTURES[name]
    width, height = SHOWN_PX
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "film.mkv")
        join(places, source)
        films = [painted(source, options, Path(folder, f"{column}.mkv")) for column, options in enumerate(columns)]
        for pictures in islice(zip(*map(frames, films), strict=True), 0, None, EVERY):
            page = Image.new("RGB", ((width + GAP_PX) * len(films) - GAP_PX, height), "white")
            for column, picture in enumerate(pictures):
                page.paste(picture.resize(SHOWN_PX, Image.Resampling.LANCZOS), (column * (width + GAP_PX), 0))
            pages.append(page)
    duration = 1000 * EVERY // RATE
    target = ASSETS / f"{name}.webp"
    pages[0].save(target, save_all=True, append_images=pages[1:], duration=duration, quality=QUALITY, method=6)


def main() -> None:
    """Entry point."""
    for name in sys.argv[1:] or PICTURES:
        draw(name)


if __name__ == "__main__":
    main()
