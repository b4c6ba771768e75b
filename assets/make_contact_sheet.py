"""Draw assets/styles.jpg, the contact sheet of the bundled styles, and assets/paintings, the thumbnails of what they
learnt from.

    python assets/make_contact_sheet.py PAINTINGS    a folder of the files that models/training/recipes.py names

The picture that they paint is a frame of the bundled landscape film. Needs framebrush[train] for Pillow.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnxruntime
from PIL import Image, ImageDraw, ImageFont

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from assets import landscape
from framebrush.models.load import load_style
from framebrush.models.training.data import read_painting
from framebrush.models.training.recipes import MARK, PAINTINGS

ASSETS = Path(__file__).resolve().parent
WIDTH_PX, HEIGHT_PX, TEXT_PX, GAP_PX = 640, 360, 44, 12
THUMBNAIL_PX = 200


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


def sheet(frame: Image.Image, thumbnails: list[Image.Image]) -> Image.Image:
    """A row a painting: itself, its name, and what the two sizes make of the frame, which stands on top."""
    font = ImageFont.load_default(22)
    row_px, name_px = HEIGHT_PX + TEXT_PX + GAP_PX, 240
    page = Image.new("RGB", (name_px + 2 * (WIDTH_PX + GAP_PX), (len(PAINTINGS) + 1) * row_px), "white")
    draw = ImageDraw.Draw(page)
    page.paste(frame, (name_px, TEXT_PX))
    draw.text((name_px, GAP_PX), "the frame", "black", font)
    columns = {"realtime": name_px, "quality": name_px + WIDTH_PX + GAP_PX}
    pictures = {size: painted(size, frame) for size in columns}
    for n, painting in enumerate(PAINTINGS):
        top = (n + 1) * row_px
        page.paste(thumbnails[n], (GAP_PX, top + TEXT_PX))
        draw.text((GAP_PX, top + GAP_PX), f"{painting.title}, {painting.painter}, {painting.year}", "black", font)
        for size, left in columns.items():
            page.paste(pictures[size][n], (left, top + TEXT_PX))
    return page


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    folder = ASSETS / "paintings"
    folder.mkdir(exist_ok=True)
    thumbnails = []
    for painting in PAINTINGS:
        values = read_painting(Path(sys.argv[1]) / painting.file, THUMBNAIL_PX, MARK)[0].numpy()
        small = picture(values)
        small.thumbnail((THUMBNAIL_PX + 20, THUMBNAIL_PX + 20))
        small.save(folder / f"{painting.key}.jpg", quality=88)
        thumbnails.append(small)
    frame = Image.fromarray(landscape.draw(WIDTH_PX, HEIGHT_PX, 2.0))
    sheet(frame, thumbnails).save(ASSETS / "styles.jpg", quality=88)


if __name__ == "__main__":
    main()
