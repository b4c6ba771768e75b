"""The ring of progress on the tab of the exports."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPalette
from PySide6.QtWidgets import QApplication

from framebrush.window.exports.export_queue import State
from framebrush.window.exports.tab import PX, ring
from tests.app.window.conftest import Desk
from tests.app.window.exports.test_exports import job


@pytest.mark.unit
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_ring_is_coloured_by_its_share_from_the_top(application: QApplication, ratio: float) -> None:
    palette = QPalette()
    palette.setColor(QPalette.ColorRole.Mid, QColor(0, 0, 255))
    palette.setColor(QPalette.ColorRole.Highlight, QColor(255, 0, 0))

    def shares(share: float) -> tuple[float, float, float]:
        """Return the red share of the whole ring, its right half and its upper right quarter."""
        pixmap = ring(share, palette, ratio).pixmap(QSize(PX, PX), ratio)
        assert pixmap.size() == QSize(PX, PX) * ratio
        image = pixmap.toImage().convertToFormat(QImage.Format.Format_ARGB32)
        side = image.height()
        pixels = np.frombuffer(image.constBits(), np.uint8).reshape(side, side, 4).astype(int)
        drawn = pixels[..., 3] > 127
        red = drawn & (pixels[..., 2] > 127)
        parts = (
            (slice(None), slice(None)),
            (slice(None), slice(side // 2, None)),
            (slice(side // 2), slice(side // 2, None)),
        )
        whole, right, quarter = (float(red[part].sum() / drawn[part].sum()) for part in parts)
        return whole, right, quarter

    assert shares(0.0) == (0, 0, 0)
    assert shares(0.25) == pytest.approx((0.25, 0.5, 1.0), abs=0.12)
    assert shares(0.5) == pytest.approx((0.5, 1.0, 1.0), abs=0.12)
    assert shares(1.0) == pytest.approx((1, 1, 1), abs=0.01)


@pytest.mark.slow
@pytest.mark.media
def test_the_tab_follows_an_export_to_its_end(desk: Desk, tmp_path: Path) -> None:
    side, exports, seen = desk.window.side, desk.exports, list[str]()
    exports.progressed.connect(lambda *_: seen.append("" if side.tabIcon(1).isNull() else side.tabToolTip(1)))
    made = job(tmp_path)
    exports.add(made)
    assert side.tabText(1) == "Exports (1)"
    exports.progressed.emit(made, {"frame": 11, "frames": 10})  # a film that is longer than it says
    assert side.tabToolTip(1) == "out.mp4: 100%"
    desk.wait(lambda: made.state is State.DONE, "the export")
    desk.wait(lambda: side.tabText(1) == "Exports", "the end")
    assert re.fullmatch(r"out\.mp4: \d+%", seen[-1])
    assert (side.tabIcon(1).isNull(), side.tabToolTip(1)) == (True, "")
