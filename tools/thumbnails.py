"""Paint the gallery's pictures: app/window/thumbnails/NAME.jpg, one frame of the bundled film in every style.

QT_QPA_PLATFORM=offscreen python tools/thumbnails.py
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from PySide6.QtGui import QGuiApplication

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.gpu.device import open_device  # noqa: E402
from framebrush.gpu.frame import rgba8  # noqa: E402
from framebrush.gpu.look import Look  # noqa: E402
from framebrush.media.reader import Reader  # noqa: E402
from framebrush.media.video import Position, TimeRange  # noqa: E402
from framebrush.pipeline import Pipeline  # noqa: E402
from framebrush.styles import open_style  # noqa: E402
from framebrush.window.composing import scaled, upright  # noqa: E402
from framebrush.window.style_catalog import FOLDER, THUMBNAIL, catalog  # noqa: E402

DENSEST_SCREEN = 3
QUALITY = 88
AT = Position(Fraction(1), "s")


def main() -> None:
    """Entry point."""
    app = QGuiApplication(sys.argv[:1])
    FOLDER.mkdir(exist_ok=True)
    size = THUMBNAIL * DENSEST_SCREEN
    with Reader(ROOT / "assets" / "clips" / "landscape.mp4", TimeRange(start=AT, frames=1)) as reader:
        info, frame = reader.info, next(reader)
    target = rgba8(info.format.width, info.format.height)
    left = (info.format.width - info.format.height * THUMBNAIL.width() // THUMBNAIL.height()) // 2
    with open_device("cpu") as device:
        for offer in catalog([]):
            opened = open_style(offer.name)
            style, mix = opened.style, opened.mix
            with Pipeline(device, style, info.format, target, look=Look(mix=mix)) as pipeline:
                painted = next(iter(pipeline.paint([frame]))).frame.planes[0]
                part = painted[:, left : info.format.width - left]
                path = FOLDER / f"{offer.name}.jpg"
                scaled(upright(part, info), size).save(str(path), quality=QUALITY)
                print(path)
    app.quit()


if __name__ == "__main__":
    main()
