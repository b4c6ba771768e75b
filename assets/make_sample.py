"""A film of ten seconds, and its painted frames, to try `framebrush keys` with: both are drawn here, and are in the
public domain (CC0 1.0).

    python assets/make_sample.py film sample.mp4
    framebrush keys sample.mp4 extract
    python assets/make_sample.py paint sample.keys

What docs/painted-keys.md shows of it, side by side, once it is learnt and painted:

    python assets/make_sample.py show sample.mp4 painted.mp4 keys.webp

The film has two shots: a lake in the evening, and its balloon from near by. The painting is what a person may do with
a few colours of poster paint and a pen: each form in one colour that it does not have, with a line around it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageFilter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from assets.landscape import draw

SIZE, RATE, SHOTS = (640, 360), 12, (72, 48)
"""Width and height, frames a second, and the frames of each shot."""

EVERY, QUALITY = 2, 50
"""Of the moving picture: one of so many frames is shown."""

Picture = npt.NDArray[np.uint8]

PAINTS = {
    (60, 100, 165): (255, 214, 64),  # the sky above: yellow
    (150, 135, 140): (255, 178, 90),
    (235, 180, 130): (244, 108, 112),  # the sky at the horizon: coral
    (255, 240, 205): (255, 255, 255),  # the sun
    (122, 122, 160): (120, 84, 190),  # far hills: violet
    (80, 108, 112): (38, 140, 150),
    (52, 92, 58): (24, 74, 96),  # near hills: petrol
    (70, 75, 95): (46, 46, 120),  # the lake in the shade: dark blue
    (190, 130, 95): (110, 200, 190),  # the lake in the light: mint
    (214, 58, 44): (30, 160, 90),  # the balloon's red: green
    (240, 200, 115): (250, 240, 230),
    (100, 62, 40): (30, 24, 40),  # wood: black
}
"""Colours of the film, and what they are painted with."""


def frames() -> Iterator[Picture]:
    """The film, (H, W, 3)."""
    width, height = SIZE
    for number in range(SHOTS[0]):
        yield draw(width, height, number / SHOTS[0])
    top, left = height // 16, width // 6
    for number in range(SHOTS[1]):
        yield draw(width * 3 // 2, height * 3 // 2, number / SHOTS[1])[top : top + height, left : left + width]


def film(target: Path) -> None:
    """Write the film."""
    with av.open(str(target), "w") as container:
        stream = container.add_stream("libx264", rate=RATE, options={"crf": "20", "preset": "veryfast"})
        (stream.width, stream.height), stream.pix_fmt = SIZE, "yuv420p"
        for picture in frames():
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")))
        container.mux(stream.encode())


def painted(frame: Picture) -> Picture:
    """A frame (H, W, 3) as it is painted: the nearest of a few colours, and a line where two meet."""
    smooth = Image.fromarray(frame).filter(ImageFilter.MedianFilter(5))
    own, paint = (np.array(list(colours), np.int32) for colours in (PAINTS.keys(), PAINTS.values()))
    pixels = np.asarray(smooth, np.int32)[:, :, None]
    nearest = ((pixels - own) ** 2).sum(-1).argmin(-1).astype(np.uint8)
    forms = np.asarray(Image.fromarray(nearest).filter(ImageFilter.ModeFilter(7)))
    edges = (forms != np.roll(forms, 1, 0)) | (forms != np.roll(forms, 1, 1))
    edges[0], edges[:, 0] = False, False
    return np.where(edges[..., None], 20, paint[forms]).astype(np.uint8)


def paint(folder: Path) -> None:
    """Paint over every frame in a folder of keys."""
    for path in folder.glob("frame-*.png"):
        Image.fromarray(painted(np.asarray(Image.open(path).convert("RGB")))).save(path)


def shown(path: str) -> Iterator[Image.Image]:
    """The frames of a film that are shown, made smaller."""
    with av.open(path) as container:
        for frame in islice(container.decode(video=0), SHOTS[0] // 2, SHOTS[0] + SHOTS[1] * 3 // 4, EVERY):
            yield frame.to_image().resize((SIZE[0] // 2, SIZE[1] // 2), Image.Resampling.LANCZOS)


def show(films: list[str], target: Path) -> None:
    """Write some seconds of both shots, the films side by side."""
    pages = [
        Image.fromarray(np.hstack([np.asarray(picture) for picture in pictures]))
        for pictures in zip(*map(shown, films), strict=True)
    ]
    duration = 1000 * EVERY // RATE
    pages[0].save(target, save_all=True, append_images=pages[1:], duration=duration, quality=QUALITY, method=6)


def main(arguments: list[str]) -> None:
    """See above."""
    match arguments:
        case ["film", target]:
            film(Path(target))
        case ["paint", folder]:
            paint(Path(folder))
        case ["show", *films, target]:
            show(films, Path(target))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
