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

from app.media.reader import Reader  # noqa: E402
from app.media.video import Position, Range  # noqa: E402
from app.playback.styles import open_style  # noqa: E402
from app.session import Session  # noqa: E402
from app.window.bridge import upright  # noqa: E402
from app.window.shelf import FOLDER, THUMBNAIL, offers  # noqa: E402
from gpu.device import open_device  # noqa: E402
from gpu.frame import rgba8  # noqa: E402
from gpu.look import Look  # noqa: E402

DENSEST_SCREEN = 3
QUALITY = 88
AT = Position(Fraction(1), "s")


def main() -> None:
    """Entry point."""
    app = QGuiApplication(sys.argv[:1])
    FOLDER.mkdir(exist_ok=True)
    size = THUMBNAIL * DENSEST_SCREEN
    with Reader(ROOT / "assets" / "clips" / "landscape.mp4", Range(start=AT, frames=1)) as reader:
        info, frame = reader.info, next(reader)
    target = rgba8(info.format.width, info.format.height)
    left = (info.format.width - info.format.height * THUMBNAIL.width() // THUMBNAIL.height()) // 2
    with open_device("cpu") as device:
        for offer in offers([]):
            style, mix = open_style(offer.name)
            with Session(device, style, info.format, target, look=Look(mix=mix)) as session:
                painted = next(iter(session.paint([frame]))).frame.planes[0]
                part = painted[:, left : info.format.width - left]
                path = FOLDER / f"{offer.name}.jpg"
                upright(part, info, size).save(str(path), quality=QUALITY)
                print(path)
    app.quit()


if __name__ == "__main__":
    main()
