"""Pictures that the processor painted, as the window shows them."""

from __future__ import annotations

import sys
import threading
import time

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from framebrush.window.picture.composing import Pixels, image_of

TRIES = 10
TURNS = 20


def samples(image: QImage) -> Pixels:
    """(H, W, 3) R, G, B."""
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., 2::-1].copy()


def smooth_picture() -> Pixels:
    """(90, 160, 4): ramps, and values that are not opaque in the fourth sample, which says nothing."""
    rows, columns = np.mgrid[:90, :160]
    return np.stack([columns, 2 * rows, 255 - columns, rows], axis=-1).astype(np.uint8)


@pytest.mark.parametrize(
    ("size", "smooth", "codes"),
    [
        ((160, 90), True, 0),
        ((333, 251), True, 4),
        ((61, 40), True, 4),
        ((1, 1), True, 4),
        ((160, 1), True, 4),
        ((160, 90), False, 0),
        ((1280, 720), False, 0),
    ],
)
def test_as_qt_scales_it(size: tuple[int, int], smooth: bool, codes: int) -> None:
    """codes: what FFmpeg's rounding and the edges of its areas may differ by."""
    picture = smooth_picture()
    image = image_of(picture, QSize(*size), smooth=smooth)
    kind = Qt.TransformationMode.SmoothTransformation if smooth else Qt.TransformationMode.FastTransformation
    by_qt = QImage(picture.data, 160, 90, 640, QImage.Format.Format_RGBX8888).scaled(
        QSize(*size), Qt.AspectRatioMode.IgnoreAspectRatio, kind
    )
    wanted = samples(by_qt.convertToFormat(QImage.Format.Format_RGB32))
    assert np.abs(samples(image).astype(int) - wanted).max() <= codes
    assert image.pixel(0, 0) >> 24 == 255


def test_without_gaps_or_not() -> None:
    whole = smooth_picture()
    part = whole[10:50, 120:20:-1]
    assert image_of(part, QSize(300, 200)) == image_of(np.ascontiguousarray(part), QSize(300, 200))


def test_other_threads_run_meanwhile() -> None:
    """Python asks no thread here to give up its lock, so that another one gets it only where it is given up."""
    picture, before = np.zeros((90, 160, 4), np.uint8), sys.getswitchinterval()
    turns: list[int] = []
    sys.setswitchinterval(1000.0)
    try:
        while max(turns, default=0) < TURNS and len(turns) < TRIES:
            begun, ended = threading.Event(), threading.Event()

            def take_turns(begun: threading.Event = begun, ended: threading.Event = ended) -> None:
                begun.wait()
                taken = 0
                while not ended.is_set():
                    taken += 1
                    time.sleep(0.0002)
                turns.append(taken)

            other = threading.Thread(target=take_turns)
            other.start()
            begun.set()
            image_of(picture, QSize(4000, 3000))
            ended.set()
            other.join()
    finally:
        sys.setswitchinterval(before)
    assert max(turns) >= TURNS
