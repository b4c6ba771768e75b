"""Draw assets/styles.jpg, the contact sheet of the bundled styles, and assets/paintings, thumbnails of the paintings.

    python assets/make_contact_sheet.py PAINTINGS [PHOTO [FACE]]

PAINTINGS: a folder of the paintings in models/training/recipes.py.

Each style paints a frame of the bundled landscape film. With a photograph, assets/strokes.jpg shows it
with strokes of several sizes; with a face, assets/detail.jpg shows it over broad strokes with `--detail`. Needs
framebrush[train].
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from assets import landscape
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from framebrush.models.training.data import cut, read_picture
from framebrush.models.training.recipes import PAINTINGS
from framebrush.styles.style_names import open_style

ASSETS = Path(__file__).resolve().parent
WIDTH_PX, HEIGHT_PX, TEXT_PX, GAP_PX = 448, 256, 40, 12
THUMBNAIL_PX, COLUMNS = 200, 2
SHOWN_PX = (960, 528)
DETAIL_OF = ("starry-night", "great-wave", "composition-vii")
STROKES_OF = ("starry-night", "great-wave", "composition-vii", "night-cafe")


def picture(values: np.ndarray) -> Image.Image:
    """(3, H, W) float 0..1, clipped here."""
    return Image.fromarray((values.clip(0, 1) * 255).round().astype(np.uint8).transpose(1, 2, 0))


def painted(
    device: Device, style: Style, frame: Image.Image, working: tuple[int, int], looks: list[Look]
) -> list[Image.Image]:
    """The frame as the program shows it in each look."""
    size = rgba8(*frame.size)
    codes = Frame(size, (np.asarray(frame.convert("RGBA")),))
    found = []
    with device.stylizer(style, size, size, working=working) as stylizer:
        for look in looks:
            stylizer.look = look
            found.append(Image.fromarray(stylizer.fetch(stylizer.submit(codes)).planes[0]).convert("RGB"))
    return found


def plain(text: str) -> str:
    """Without accents, which Pillow's own font lacks."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def strokes(device: Device, photo: Image.Image) -> Image.Image:
    """A row a painting: a photograph, and what `realtime` makes of it with strokes of 1, 2 and 3 at SHOWN_PX."""
    width, height = SHOWN_PX
    half = (width // 2, height // 2)
    photo = ImageOps.fit(photo, SHOWN_PX)
    page = Image.new("RGB", (4 * (half[0] + GAP_PX), len(STROKES_OF) * (half[1] + GAP_PX)), "white")
    opened = [open_style(key).style for key in STROKES_OF]
    columns = [[photo] * len(STROKES_OF)]
    for stroke in (1, 2, 3):
        looks = [Look(mix=style.mix) for style in opened]
        columns.append(painted(device, opened[0], photo, (width // stroke, height // stroke), looks))
    for column, pictures in enumerate(columns):
        for row, shown in enumerate(pictures):
            page.paste(
                shown.resize(half, Image.Resampling.BOX), (column * (half[0] + GAP_PX), row * (half[1] + GAP_PX))
            )
    return page


def detail(device: Device, face: Image.Image) -> Image.Image:
    """A row a painting: a face, and what `realtime` makes of it at a stroke of 4 with a detail of 0, 0.5 and 1."""
    width, height = face.size
    page = Image.new("RGB", (4 * (width + GAP_PX), len(DETAIL_OF) * (height + GAP_PX)), "white")
    for row, key in enumerate(DETAIL_OF):
        style = open_style(key).style
        looks = [Look(detail=strength) for strength in (0.0, 0.5, 1.0)]
        shown = painted(device, style, face, (width // 4, height // 4), looks)
        for column, one in enumerate((face, *shown)):
            page.paste(one, (column * (width + GAP_PX), row * (height + GAP_PX)))
    return page


def sheet(device: Device, frame: Image.Image, thumbnails: list[Image.Image]) -> Image.Image:
    """Return a sheet: the frame on top, then two paintings a row, each with its name and the frame in both sizes."""
    font = ImageFont.load_default(20)
    row_px, name_px = HEIGHT_PX + TEXT_PX + GAP_PX, THUMBNAIL_PX + 2 * GAP_PX
    column_px = name_px + 2 * (WIDTH_PX + GAP_PX)
    rows = -(-len(PAINTINGS) // COLUMNS)
    page = Image.new("RGB", (COLUMNS * column_px, (rows + 1) * row_px), "white")
    draw = ImageDraw.Draw(page)
    page.paste(frame, (name_px, TEXT_PX))
    draw.text((name_px, GAP_PX), "the frame; below, of each painting, realtime and quality", "black", font)
    styles = [load_style(size) for size in ("realtime", "quality")]
    looks = [Look(mix=tuple(row)) for row in np.eye(len(PAINTINGS)).tolist()]
    pictures = [painted(device, style, frame, frame.size, looks) for style in styles]
    for n, painting in enumerate(PAINTINGS):
        left, top = n % COLUMNS * column_px, (n // COLUMNS + 1) * row_px
        page.paste(thumbnails[n], (left + GAP_PX, top + TEXT_PX))
        text = plain(f"{painting.title}, {painting.painter}, {painting.year}")
        draw.text((left + GAP_PX, top + GAP_PX), text, "black", font)
        for k, made in enumerate(pictures):
            page.paste(made[n], (left + name_px + k * (WIDTH_PX + GAP_PX), top + TEXT_PX))
    return page


def main() -> None:
    if len(sys.argv) not in (2, 3, 4):
        raise SystemExit(__doc__)
    folder = ASSETS / "paintings"
    folder.mkdir(exist_ok=True)
    thumbnails = []
    for painting in PAINTINGS:
        values = cut(read_picture(Path(sys.argv[1]) / painting.file), painting.crop).numpy() / 255
        small = picture(values)
        small.thumbnail((THUMBNAIL_PX, THUMBNAIL_PX))
        small.save(folder / f"{painting.key}.jpg", quality=85)
        thumbnails.append(small)
    frame = Image.fromarray(landscape.draw(WIDTH_PX, HEIGHT_PX, 2.0))
    with open_device("cpu") as device:
        sheet(device, frame, thumbnails).save(ASSETS / "styles.jpg", quality=80)
        if len(sys.argv) > 2:
            strokes(device, Image.open(sys.argv[2]).convert("RGB")).save(ASSETS / "strokes.jpg", quality=80)
        if len(sys.argv) > 3:
            detail(device, Image.open(sys.argv[3]).convert("RGB")).save(ASSETS / "detail.jpg", quality=85)


if __name__ == "__main__":
    main()
