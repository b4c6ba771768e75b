"""Draw app/window/look/brushes/NAME.jpg, the window's picture of each kind of brush: a part of the gallery's
photograph, drawn with that brush; and own.jpg, a brush tip.

    python assets/make_brush_pictures.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.analysis.to_rgb import opaque
from framebrush.gpu.device import open_device
from framebrush.gpu.look import Look
from framebrush.models.brushes import PRESETS
from framebrush.styles.passthrough import passthrough_style

WINDOW = Path(__file__).resolve().parent.parent / "app" / "window"
PHOTOGRAPH, FOLDER = WINDOW / "styles" / "thumbnails" / "photograph.jpg", WINDOW / "look" / "brushes"

MARK, MARK_PX = Path(__file__).resolve().parent / "marks" / "flat.png", (108, 40)
PAPER, INK = (238, 228, 208), (34, 62, 112)

PART = 395, 110, 475, 162
"""Of the photograph, in pixels: the sun in a hazy sky."""

DRAWN_PX, SHOWN_PX = (256, 166), (128, 83)
STROKE_PX = 60.0
"""So wide that strokes are seen in a button of the window."""

QUALITY = 85


def main() -> None:
    """Entry point."""
    FOLDER.mkdir(exist_ok=True)
    with Image.open(PHOTOGRAPH) as photograph:
        part = photograph.convert("RGB").crop(PART).resize(DRAWN_PX, Image.Resampling.BICUBIC)
    frame = opaque(np.asarray(part))
    look = Look(brush=1.0, relief=1.0, canvas=0.0, steady=0.0, dither=False)
    with open_device("cpu") as device:
        for name, preset in PRESETS.items():
            with device.stylizer(
                passthrough_style(), frame.format, frame.format, stroke_px=STROKE_PX, kind=preset.kind, look=look
            ) as stylizer:
                drawn = stylizer.fetch(stylizer.submit(frame)).planes[0][..., :3].astype(np.uint8)
            picture = Image.fromarray(drawn).resize(SHOWN_PX, Image.Resampling.LANCZOS)
            picture.save(FOLDER / f"{name}.jpg", quality=QUALITY)
    own, ink = Image.new("RGB", SHOWN_PX, PAPER), Image.new("RGB", MARK_PX, INK)
    with Image.open(MARK) as mark:
        corner = (SHOWN_PX[0] - MARK_PX[0]) // 2, (SHOWN_PX[1] - MARK_PX[1]) // 2
        own.paste(ink, corner, mark.resize(MARK_PX, Image.Resampling.LANCZOS))
    own.save(FOLDER / "own.jpg", quality=QUALITY)


if __name__ == "__main__":
    main()
