"""Draw what masks of faces, people and subjects do, as assets/faces.jpg, or as another picture of assets.

    python assets/make_faces_sheet.py [--name subject.jpg] FILM@PLACE+STYLE [FILM@PLACE+STYLE ...]
    python assets/make_faces_sheet.py --name focus.jpg --focus FILM@PLACE+STYLE [FILM@PLACE+STYLE ...]

A row for each frame of a film, PLACE as for `--at`: the film; the painting with faces like all else; the painting; and
the painting with people in their own colours. With --focus: the film; the painting; fine strokes on the subject and
broad ones around it; and the subject in its own colours, too.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from PIL import Image

from framebrush.cli.command_line import run

ASSETS = Path(__file__).resolve().parent
WIDTH_PX, GAP_PX = 400, 4
FOCUS_COLUMNS = (
    ["--style", "none"],
    [],
    ["--mask", "subject", "--focus", "1"],
    ["--mask", "subject", "--focus", "1", "--film-inside", "1"],
)
COLUMNS = (
    ["--style", "none"],
    ["--faces", "0"],
    [],
    ["--film-inside", "1"],
)


def row(film: str, place: str, style: str, columns: tuple[list[str], ...]) -> Image.Image:
    """Return the pictures of a frame beside each other."""
    pictures = []
    with tempfile.TemporaryDirectory() as folder:
        for options in columns:
            path = Path(folder) / "frame.png"
            chosen = options if "--style" in options else ["--style", style, *options]
            if run(["frame", film, str(path), "--at", place, "-y", "--device", "cpu", *chosen]):
                raise SystemExit(f"{film}: the frame at {place} could not be painted")
            with Image.open(path) as picture:
                height_px = round(picture.height * WIDTH_PX / picture.width)
                pictures.append(picture.convert("RGB").resize((WIDTH_PX, height_px), Image.Resampling.LANCZOS))
    page = Image.new("RGB", ((WIDTH_PX + GAP_PX) * len(pictures) - GAP_PX, pictures[0].height), "white")
    for n, picture in enumerate(pictures):
        page.paste(picture, (n * (WIDTH_PX + GAP_PX), 0))
    return page


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--name", default="faces.jpg")
    parser.add_argument("--focus", action="store_true", help="columns of subject and focus")
    parser.add_argument("frames", nargs="+", metavar="FILM@PLACE+STYLE")
    said = parser.parse_args()
    rows = []
    for asked in said.frames:
        film, _, rest = asked.rpartition("@")
        place, _, style = rest.partition("+")
        rows.append(row(film, place, style, FOCUS_COLUMNS if said.focus else COLUMNS))
    page = Image.new("RGB", (rows[0].width, sum(each.height + GAP_PX for each in rows) - GAP_PX), "white")
    top = 0
    for each in rows:
        page.paste(each, (0, top))
        top += each.height + GAP_PX
    page.save(ASSETS / said.name, quality=82)


if __name__ == "__main__":
    main()
