"""Paint the gallery's thumbnails, app/window/styles/thumbnails/NAME.jpg.

QT_QPA_PLATFORM=offscreen python tools/thumbnails.py
"""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.media.video import Position, TimeRange  # noqa: E402
from framebrush.styles.style_names import PASSTHROUGH  # noqa: E402
from framebrush.window.picture.composing import image_of  # noqa: E402
from framebrush.window.styles.catalog import FOLDER, THUMBNAIL, catalog  # noqa: E402
from framebrush.window.styles.style_thumbnails import PHOTOGRAPH, paint_first_frame, save  # noqa: E402

QUALITY = 95
AT = TimeRange(start=Position(Fraction(1), "s"), frames=1)


def main() -> None:
    app = QGuiApplication(sys.argv[:1])
    FOLDER.mkdir(exist_ok=True)
    frame = paint_first_frame(PASSTHROUGH, ROOT / "assets" / "clips" / "landscape.mp4", AT)
    height = frame.shape[0]
    width = height * THUMBNAIL.width() // THUMBNAIL.height() // 2 * 2
    left = (frame.shape[1] - width) // 2
    photograph = image_of(frame[:, left : left + width], QSize(width, height))
    photograph.save(str(PHOTOGRAPH), "JPEG", QUALITY)  # type: ignore[call-overload]
    for offer in catalog([]):
        path = FOLDER / f"{offer.name}.jpg"
        save(paint_first_frame(offer.name, PHOTOGRAPH), path)
        print(path)
    app.quit()


if __name__ == "__main__":
    main()
