"""Draw paintings of pictures with alpha on three grounds, as assets/alpha.jpg.

    python assets/make_alpha_sheet.py

A row for a disc, for hair and for a ball with a soft shadow, each over hidden black: the picture, its painting with the
hidden colours painted too, and its painting, each on white, orange and dark blue.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFilter

import framebrush

ASSETS = Path(__file__).resolve().parent
SIZE_PX, FINER, GAP_PX = (320, 240), 4, 4
GROUNDS = ((255, 255, 255), (224, 150, 70), (24, 32, 56))
STYLE = "oil"

Picture = npt.NDArray[np.uint8]


def layers(*drawn: tuple[Image.Image, tuple[int, int, int]]) -> Picture:
    """Return masks of one colour each, over each other, as a straight picture (H, W, 4) over black."""
    total = np.zeros((SIZE_PX[1], SIZE_PX[0], 4))
    for mask, colour in drawn:
        alpha = np.asarray(mask.resize(SIZE_PX, Image.Resampling.BOX), np.float64)[..., None] / 255
        total = total * (1 - alpha) + np.array([*colour, 255]) * alpha
    share = total[..., 3:] / 255
    straight = np.divide(total[..., :3], share, out=np.zeros_like(total[..., :3]), where=share > 0)
    return np.rint(np.dstack([straight, total[..., 3]])).astype(np.uint8)


def empty() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    """Return a mask, finer than the sheet, and what draws into it."""
    mask = Image.new("L", (SIZE_PX[0] * FINER, SIZE_PX[1] * FINER))
    return mask, ImageDraw.Draw(mask)


def circle(x: float, y: float, radius: float) -> Image.Image:
    """Return the mask of a disc, in pixels of the sheet."""
    mask, draw = empty()
    draw.ellipse([FINER * (x - radius), FINER * (y - radius), FINER * (x + radius), FINER * (y + radius)], fill=255)
    return mask


def disc() -> Picture:
    """Return a pale disc with a red one in it."""
    return layers((circle(160, 120, 95), (230, 220, 200)), (circle(190, 100, 35), (190, 60, 50)))


def hair() -> Picture:
    """Return a head with hairs of a pixel and less."""
    mask, draw = empty()
    random = np.random.default_rng(3)
    for angle in np.linspace(-0.2, np.pi + 0.2, 260):
        length, bend = random.uniform(60, 105), random.normal(0, 0.25)
        along = np.linspace(0, 1, 12)
        turned = angle + bend * along**2
        reach = 48 + length * along * 0.8
        points = np.stack([160 + reach * np.cos(turned), 150 - reach * np.sin(turned)], axis=1) * FINER
        draw.line([(float(x), float(y)) for x, y in points], fill=255, width=int(random.integers(2, 5)))
    return layers((mask, (120, 70, 35)), (circle(160, 150, 55), (226, 180, 150)))


def shadow() -> Picture:
    """Return a green ball with a soft black shadow."""
    mask, draw = empty()
    draw.ellipse([FINER * 70, FINER * 165, FINER * 290, FINER * 215], fill=170)
    return layers(
        (mask.filter(ImageFilter.GaussianBlur(14 * FINER)), (0, 0, 0)),
        (circle(160, 115, 70), (80, 150, 90)),
        (circle(138, 90, 18), (220, 240, 215)),
    )


def on(picture: Picture, ground: tuple[int, int, int]) -> Image.Image:
    """Return a straight picture on a ground."""
    image = Image.fromarray(picture, "RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, (*ground, 255)), image).convert("RGB")


def main() -> None:
    width, height = (length + GAP_PX for length in SIZE_PX)
    columns = 3 * len(GROUNDS)
    page = Image.new("RGB", (width * columns - GAP_PX, height * 3 - GAP_PX), "white")
    for row, picture in enumerate((disc(), hair(), shadow())):
        with_hidden = np.dstack([framebrush.paint(picture[..., :3], STYLE, device="cpu"), picture[..., 3]])
        painted = framebrush.paint(picture, STYLE, device="cpu")
        assert isinstance(painted, np.ndarray)
        for column, shown in enumerate((picture, with_hidden, painted)):
            for number, ground in enumerate(GROUNDS):
                page.paste(on(shown, ground), ((column * len(GROUNDS) + number) * width, row * height))
    page.resize((page.width // 2, page.height // 2), Image.Resampling.LANCZOS).save(ASSETS / "alpha.jpg", quality=82)


if __name__ == "__main__":
    main()
