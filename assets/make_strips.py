"""Draw assets/strips.jpg: six frames in a row of what moves otherwise than a whole picture does, as painted films.

    python assets/make_strips.py leaves=FILM@FIRST rain=FILM@FIRST night=PICTURE

leaves: a film as it is, from its frame FIRST on. rain: a film on which rain is drawn. night: a picture, along which a
camera goes, with the noise of one in the dark. Of each a row of the film, and one for each of STYLES.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, ImageOps

ASSETS = Path(__file__).resolve().parent
STYLES = ("oil", "starry-night")
FILM_PX, SHOWN_PX, GAP_PX, TEXT_PX = (640, 360), (240, 200), 6, 22
FRAMES, FROM, EVERY, SHOWN = 24, 8, 3, 6
DROPS, FALL_PX, DROP_PX, LIGHT = 260, 47, (2, 26), 70.0
"""Of rain: drops in a frame, how far they fall in one, how far one leans and reaches, how bright it is, in codes."""
STEP_PX, DARK_NOISE = 3, 6.0

Picture = NDArray[np.uint8]


def frames(path: str, first: int) -> Iterator[Picture]:
    """Of a film, from one on."""
    with av.open(path) as container:
        for shown in islice(container.decode(video=0), first, first + FRAMES):
            picture = shown.to_image().rotate(shown.rotation, expand=True)
            yield np.asarray(ImageOps.fit(picture, FILM_PX, Image.Resampling.LANCZOS))


def rain(film: Iterator[Picture]) -> Iterator[Picture]:
    """The film through rain: streaks that fall from frame to frame, and are gone below."""
    dice, (width, height) = np.random.default_rng(0), FILM_PX
    start, column = dice.uniform(0, height + FALL_PX, DROPS), dice.uniform(0, width, DROPS)
    nearness = dice.uniform(0.5, 1.5, DROPS)
    for number, picture in enumerate(film):
        light = Image.new("L", FILM_PX)
        draw = ImageDraw.Draw(light)
        lean, long = DROP_PX
        for drop in range(DROPS):
            y = (start[drop] + FALL_PX * nearness[drop] * number) % (height + 2 * FALL_PX) - FALL_PX
            x, near = column[drop], nearness[drop]
            draw.line((x, y, x + lean * near, y + long * near), fill=round(LIGHT * near), width=1 + (near > 1.2))
        yield (picture + np.asarray(light)[..., None].astype(np.float32)).clip(0, 255).round().astype(np.uint8)


def along(path: str) -> Iterator[Picture]:
    """A camera that goes to the right along a picture, in the dark."""
    dice, (width, height) = np.random.default_rng(0), FILM_PX
    whole = ImageOps.fit(Image.open(path).convert("RGB"), (width + STEP_PX * FRAMES, height), Image.Resampling.LANCZOS)
    for number in range(FRAMES):
        view = np.asarray(whole, np.float32)[:, STEP_PX * number :][:, :width]
        yield (view + dice.normal(0, DARK_NOISE, view.shape)).clip(0, 255).round().astype(np.uint8)


def of(name: str, given: str) -> Iterator[Picture]:
    """The film of a name."""
    if name == "night":
        return along(given)
    path, _, first = given.rpartition("@")
    film = frames(path, int(first))
    return rain(film) if name == "rain" else film


def rows(film: Iterator[Picture]) -> Iterator[tuple[str, list[Image.Image]]]:
    """What a row is called, and its frames."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "film.mkv")
        with av.open(str(source), "w") as container:
            stream = container.add_stream("libx264", rate=25, options={"crf": "16"})
            (stream.width, stream.height), stream.pix_fmt = FILM_PX, "yuv420p"
            for picture in film:
                container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            container.mux(stream.encode())
        paths = {"the film": source}
        for style in STYLES:
            paths[style] = Path(folder, f"{style}.mkv")
            program = [sys.executable, "-m", "framebrush", "transcode", str(source), str(paths[style])]
            options = ["--style", style, "--device", "cpu", "--codec", "libx264", "--crf", "10", "--progress", "none"]
            subprocess.run([*program, *options], check=True)
        for name, path in paths.items():
            with av.open(str(path)) as container:
                yield name, [frame.to_image() for frame in container.decode(video=0)]


def main() -> None:
    """Draw the sheet."""
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    (width, height), font = SHOWN_PX, ImageFont.load_default(16)
    left, top = ((side - shown) // 2 for side, shown in zip(FILM_PX, SHOWN_PX, strict=True))
    given = [text.split("=", 1) for text in sys.argv[1:]]
    row_px = height + TEXT_PX + GAP_PX
    page = Image.new("RGB", (SHOWN * (width + GAP_PX) - GAP_PX, len(given) * (1 + len(STYLES)) * row_px), "white")
    draw, y = ImageDraw.Draw(page), 0
    for name, value in given:
        for title, film in rows(of(name, value)):
            draw.text((4, y + 2), f"{name}: {title}, every {EVERY}rd frame", "black", font)
            for column, frame in enumerate(film[FROM::EVERY][:SHOWN]):
                page.paste(
                    frame.crop((left, top, left + width, top + height)), (column * (width + GAP_PX), y + TEXT_PX)
                )
            y += row_px
    page.save(ASSETS / "strips.jpg", quality=82, optimize=True)


if __name__ == "__main__":
    main()
