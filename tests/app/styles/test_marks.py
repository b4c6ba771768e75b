"""Marks of brushes of one's own: what is read of a picture, and what is refused."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.models.style import StyleError
from framebrush.styles.marks import ACROSS, ALONG, open_mark
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

ROWS, COLUMNS = np.mgrid[:120, :400]
WEDGE = ((np.abs(ROWS - 59.5) < 50 - COLUMNS / 10) & (COLUMNS > 20)).astype(np.float64)
"""A mark that gets thinner to the right."""


def codes(share: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    return (255 * share).round().astype(np.uint8)


def grey(share: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    return np.repeat(codes(share)[..., None], 3, axis=-1)


def test_a_mark_is_the_same_on_white_on_black_and_on_nothing(tmp_path: Path) -> None:
    on_black = open_mark(str(png(tmp_path / "black.png", grey(WEDGE))))
    assert on_black.shape == (ACROSS, ALONG)
    assert (float(on_black.min()), float(on_black.max())) == (0.0, 1.0)
    left, right = on_black[:, ALONG // 8].sum(), on_black[:, -ALONG // 8].sum()
    assert left > 2 * right > 0.0
    np.testing.assert_array_equal(open_mark(str(png(tmp_path / "white.png", grey(1.0 - WEDGE)))), on_black)
    on_nothing = np.dstack([grey(np.zeros_like(WEDGE)), codes(WEDGE)])
    np.testing.assert_array_equal(open_mark(str(png(tmp_path / "nothing.png", on_nothing))), on_black)


def test_grey_is_less_paint(tmp_path: Path) -> None:
    shaded = WEDGE * (0.25 + 0.75 * ROWS / 119)
    mark = open_mark(str(png(tmp_path / "shaded.png", grey(shaded))))
    assert mark[10, 20] < 0.6 * mark[-10, 20]
    over_nothing = np.dstack([grey(np.where(WEDGE > 0, shaded, 0.0)), codes(WEDGE)])
    np.testing.assert_allclose(open_mark(str(png(tmp_path / "over.png", over_nothing))), mark, atol=0.01)


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        (np.zeros((1, 1, 3), np.uint8), "1x1 pixels show no mark; give 16 or more a side"),
        (np.zeros((15, 400, 3), np.uint8), "400x15 pixels show no mark"),
        (np.full((64, 64, 3), 255, np.uint8), "it shows no mark"),
        (np.full((64, 64, 3), 120, np.uint8), "it shows no mark"),
        (np.zeros((64, 64, 4), np.uint8), "it shows no mark"),
    ],
)
def test_what_shows_no_mark_is_refused(picture: npt.NDArray[np.uint8], says: str, tmp_path: Path) -> None:
    path = str(png(tmp_path / "mark.png", picture))
    with pytest.raises(StyleError) as refused:
        open_mark(path)
    assert says in str(refused.value)
    assert str(refused.value).startswith(f"{path} cannot be a brush: ")


def test_a_hostile_file_is_refused_in_words(tmp_path: Path) -> None:
    huge = bytearray(png(tmp_path / "small.png", grey(WEDGE)).read_bytes())
    huge[16:24] = struct.pack(">II", 60000, 60000)
    for name, content in (("huge", bytes(huge)), ("text", b"no picture"), ("cut", bytes(huge[:40])), ("empty", b"")):
        path = tmp_path / f"{name}.png"
        path.write_bytes(content)
        with pytest.raises(StyleError, match=r"cannot be a brush: "):
            open_mark(str(path))
    with pytest.raises(StyleError, match=r"cannot be a brush: "):
        open_mark(str(tmp_path / "missing.png"))
