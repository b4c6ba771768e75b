"""Draw assets/palettes.jpg: what pictures as styles make of frames, by the program itself, with no other option.

    python assets/make_palette_sheet.py PICTURE [PICTURE ...]

The pictures given are the frames, beside one of the bundled film; docs/licences.md names those of the sheet. The styles
are paintings of assets/paintings and a poster of three colours that is drawn here. Needs framebrush[train].
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw, ImageOps

from framebrush.cli import run

ASSETS = Path(__file__).resolve().parent
PAINTINGS = ("starry-night", "great-wave", "scream", "dusk", "composition-vii")
FRAME_PX, SHOWN_PX, GAP_PX = (720, 540), (320, 240), 6


def poster(path: Path) -> Path:
    """Flat red, cream and black, as printed from three blocks."""
    picture = Image.new("RGB", (600, 800), (244, 232, 208))
    draw = ImageDraw.Draw(picture)
    draw.ellipse((130, 110, 470, 450), fill=(196, 42, 32))
    draw.polygon([(0, 800), (0, 560), (220, 400), (380, 560), (600, 430), (600, 800)], fill=(24, 22, 26))
    picture.save(path)
    return path


def painted(frame: Path, style: Path | str, target: Path) -> Image.Image:
    """A frame in a style, by the program itself."""
    if run(["frame", str(frame), str(target), "--style", str(style), "--device", "cpu", "-y"]):
        raise SystemExit(f"{frame} was not painted")
    with Image.open(target) as picture:
        return picture.convert("RGB").resize(SHOWN_PX, Image.Resampling.LANCZOS)


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        styles: list[Path] = [ASSETS / "paintings" / f"{painting}.jpg" for painting in PAINTINGS]
        styles.append(poster(folder / "poster.png"))
        frames = []
        painted(ASSETS / "clips" / "landscape.mp4", "none", folder / "landscape.png")
        for number, given in enumerate([*map(Path, sys.argv[1:]), folder / "landscape.png"]):
            frames.append(folder / f"frame{number}.png")
            with Image.open(given) as picture:
                ImageOps.fit(picture.convert("RGB"), FRAME_PX, centering=(0.5, 0.3)).save(frames[-1])
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
        page.save(ASSETS / "palettes.jpg", quality=82, optimize=True)


if __name__ == "__main__":
    main()
