"""Draw assets/palettes.jpg: frames in the styles of pictures, by the program itself, with no other option.

    python assets/make_palette_sheet.py --frames PICTURE [PICTURE ...] --styles PICTURE [PICTURE ...]

Styles need 270 lines or more, for their strokes to be measured; docs/licences.md names the pictures of the sheet. A
drawing (the first frame in the style `ink`), a poster of three colours, a house of five and the last style
without colours are made here. Look at the sheet after each change of `models/colours`: it shows the
promises of docs/style-from-a-picture.md.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from framebrush.cli.command_line import run

ASSETS = Path(__file__).resolve().parent
FRAME_PX, SHOWN_PX, GAP_PX = (960, 720), (200, 150), 4


def poster(path: Path) -> Path:
    """Flat red, cream and black, as printed from three blocks."""
    picture = Image.new("RGB", (600, 800), (244, 232, 208))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((130, 110, 470, 450), fill=(196, 42, 32))
    draw.polygon([(0, 800), (0, 560), (220, 400), (380, 560), (600, 430), (600, 800)], fill=(24, 22, 26))
    picture.save(path)
    return path


def house(path: Path) -> Path:
    """Sky, sun, meadow, wall and roof, each of one flat colour."""
    picture = Image.new("RGB", (640, 480), (90, 170, 230))
    draw = ImageDraw.Draw(picture)
    draw.rectangle((0, 300, 640, 480), fill=(60, 160, 60))
    draw.ellipse((450, 40, 570, 160), fill=(250, 220, 60))
    draw.rectangle((150, 200, 350, 380), fill=(220, 60, 50))
    draw.polygon([(130, 200), (250, 100), (370, 200)], fill=(60, 40, 30))
    picture.save(path)
    return path


def grey(picture: Path, path: Path) -> Path:
    """A picture without its colours."""
    with Image.open(picture) as own:
        own.convert("L").save(path)
    return path


def painted(frame: Path, style: Path | str, target: Path) -> Image.Image:
    """A frame in a style, by the program itself."""
    if run(["frame", str(frame), str(target), "--style", str(style), "--device", "cpu", "-y"]):
        raise SystemExit(f"{frame} was not painted")
    with Image.open(target) as picture:
        return picture.convert("RGB").resize(SHOWN_PX, Image.Resampling.LANCZOS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--frames", type=Path, nargs="+", required=True)
    parser.add_argument("--styles", type=Path, nargs="+", required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frames = [folder / f"frame{number}.png" for number in range(len(given.frames))]
        for path, frame in zip(given.frames, frames, strict=True):
            with Image.open(path) as picture:
                ImageOps.fit(picture.convert("RGB"), FRAME_PX, centering=(0.5, 0.3)).save(frame)
        painted(frames[0], "ink", folder / "drawing.png")
        made = (folder / "drawing.png", poster(folder / "poster.png"), house(folder / "house.png"))
        styles = [*given.styles, *made, grey(given.styles[-1], folder / "grey.png")]
        width, height = SHOWN_PX[0] + GAP_PX, SHOWN_PX[1] + GAP_PX
        page = Image.new("RGB", (width * (1 + len(frames)) - GAP_PX, height * (1 + len(styles)) - GAP_PX), "white")
        for column, frame in enumerate(frames, 1):
            page.paste(painted(frame, "none", folder / "painted.png"), (width * column, 0))
        for row, style in enumerate(styles, 1):
            with Image.open(style) as picture:
                shown = ImageOps.contain(picture.convert("RGB"), SHOWN_PX)
            page.paste(shown, ((SHOWN_PX[0] - shown.width) // 2, height * row + (SHOWN_PX[1] - shown.height) // 2))
            for column, frame in enumerate(frames, 1):
                page.paste(painted(frame, style, folder / "painted.png"), (width * column, height * row))
        page.save(ASSETS / "palettes.jpg", quality=54, optimize=True)


if __name__ == "__main__":
    main()
