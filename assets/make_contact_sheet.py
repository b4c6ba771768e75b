"""Draw assets/styles.jpg, the contact sheet of the bundled styles, and assets/paintings, the thumbnails of what they
learnt from.

    python assets/make_contact_sheet.py PAINTINGS [PHOTO [FACE]]    a folder of what models/training/recipes.py names

The picture that they paint is a frame of the bundled landscape film. With a photograph, assets/strokes.jpg shows it
with strokes of several sizes; with a face, assets/detail.jpg shows it over broad strokes with `--detail`. Needs
framebrush[train].
"""

from __future__ import annotations

import sys
import unicodedata
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageDraw, ImageFont, ImageOps

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from assets import landscape
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.models.load import load_style
from framebrush.models.training.data import cut, read_picture
from framebrush.models.training.recipes import PAINTINGS
from framebrush.styles import open_style

ASSETS = Path(__file__).resolve().parent
WIDTH_PX, HEIGHT_PX, TEXT_PX, GAP_PX = 448, 256, 40, 12
THUMBNAIL_PX, COLUMNS = 200, 2
SHOWN_PX = (960, 528)
DETAIL_OF = ("starry-night", "great-wave", "composition-vii")
STROKES_OF = ("starry-night", "great-wave", "composition-vii", "night-cafe")


def picture(values: np.ndarray) -> Image.Image:
    """(3, H, W) float 0..1, clipped here."""
    return Image.fromarray((values.clip(0, 1) * 255).round().astype(np.uint8).transpose(1, 2, 0))


def painted(size: str, frame: Image.Image) -> list[Image.Image]:
    """The frame by every painting of a bundled file."""
    style = load_style(size)
    network = onnxruntime.InferenceSession(style.model, providers=["CPUExecutionProvider"])
    values = np.asarray(frame, np.float32).transpose(2, 0, 1)[None] / 255
    rows = np.eye(len(style.card.paintings), dtype=np.float32)
    return [picture(network.run(None, {"frame": values, "mix": row[None]})[0][0]) for row in rows]


def plain(text: str) -> str:
    """Without accents, which Pillow's own font lacks."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


def strokes(photo: Image.Image) -> Image.Image:
    """A row a painting: a photograph, and what `realtime` makes of it with strokes of 1, 2 and 3 at SHOWN_PX."""
    width, height = SHOWN_PX
    photo = ImageOps.fit(photo, SHOWN_PX)
    page = Image.new("RGB", (4 * (width // 2 + GAP_PX), len(STROKES_OF) * (height // 2 + GAP_PX)), "white")
    half = (width // 2, height // 2)
    columns = [[photo] * len(PAINTINGS)]
    for stroke in (1, 2, 3):
        columns.append(painted("realtime", photo.resize((width // stroke, height // stroke), Image.Resampling.BOX)))
    for row, key in enumerate(STROKES_OF):
        index = [painting.key for painting in PAINTINGS].index(key)
        for column, pictures in enumerate(columns):
            shown = pictures[index].resize(SHOWN_PX, Image.Resampling.BICUBIC).resize(half, Image.Resampling.BOX)
            page.paste(shown, (column * (half[0] + GAP_PX), row * (half[1] + GAP_PX)))
    return page


def detail(face: Image.Image) -> Image.Image:
    """A row a painting: a face, and what `realtime` makes of it at a stroke of 4 with a detail of 0, 0.5 and 1."""
    width, height = face.size
    size = rgba8(width, height)
    frame = Frame(size, (np.asarray(face.convert("RGBA")),))
    page = Image.new("RGB", (4 * (width + GAP_PX), len(DETAIL_OF) * (height + GAP_PX)), "white")
    with open_device("cpu") as device:
        for row, key in enumerate(DETAIL_OF):
            style = open_style(key)
            page.paste(face, (0, row * (height + GAP_PX)))
            with device.stylizer(style.style, size, size, working=(width // 4, height // 4)) as stylizer:
                for column, strength in enumerate((0.0, 0.5, 1.0), 1):
                    stylizer.look = Look(mix=style.mix, detail=strength)
                    shown = Image.fromarray(stylizer.fetch(stylizer.submit(frame)).planes[0]).convert("RGB")
                    page.paste(shown, (column * (width + GAP_PX), row * (height + GAP_PX)))
    return page


def sheet(frame: Image.Image, thumbnails: list[Image.Image]) -> Image.Image:
    """Two paintings a row: itself, its name, and what the two sizes make of the frame, which stands on top."""
    font = ImageFont.load_default(20)
    row_px, name_px = HEIGHT_PX + TEXT_PX + GAP_PX, THUMBNAIL_PX + 2 * GAP_PX
    column_px = name_px + 2 * (WIDTH_PX + GAP_PX)
    rows = -(-len(PAINTINGS) // COLUMNS)
    page = Image.new("RGB", (COLUMNS * column_px, (rows + 1) * row_px), "white")
    draw = ImageDraw.Draw(page)
    page.paste(frame, (name_px, TEXT_PX))
    draw.text((name_px, GAP_PX), "the frame; below, of each painting, realtime and quality", "black", font)
    pictures = [painted(size, frame) for size in ("realtime", "quality")]
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
    sheet(frame, thumbnails).save(ASSETS / "styles.jpg", quality=85)
    if len(sys.argv) > 2:
        strokes(Image.open(sys.argv[2]).convert("RGB")).save(ASSETS / "strokes.jpg", quality=85)
    if len(sys.argv) > 3:
        detail(Image.open(sys.argv[3]).convert("RGB")).save(ASSETS / "detail.jpg", quality=85)


if __name__ == "__main__":
    main()
