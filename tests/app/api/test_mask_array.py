"""Masks that are given as arrays in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import framebrush
from assets.make_clips import CLIPS
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

PLAIN: dict[str, Any] = {"brush": 0.0, "relief": 0.0, "faces": 0.0, "device": "cpu", "film_inside": 1.0}
HALF = np.arange(160)[None, :] >= np.full((90, 1), 80)


def test_an_array_is_the_same_as_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    picture = np.random.default_rng(4).integers(0, 256, (64, 96, 3), np.uint8)
    file = png(tmp_path / "m.png", np.repeat(np.uint8(255) * HALF[..., None], 3, axis=2))
    wanted = framebrush.paint(picture, "great-wave", mask=file, **PLAIN)
    for mask in (HALF, np.uint8(255) * HALF, HALF.astype(np.float32)):
        np.testing.assert_array_equal(framebrush.paint(picture, "great-wave", mask=mask, **PLAIN), wanted)
    assert (wanted != framebrush.paint(picture, "great-wave", **PLAIN)).any()
    assert [*tmp_path.iterdir()] == [file]


def test_a_film_takes_an_array(tmp_path: Path) -> None:
    made = []
    for mask in (HALF, ~HALF):
        with framebrush.open(CLIPS / "cfr.mp4", "great-wave", frames=2, mask=mask, steady=0.0, **PLAIN) as film:
            made.append([picture for picture, _ in film])
    assert len(made[0]) == 2
    assert (made[0][1] != made[1][1]).any()


@pytest.mark.parametrize(
    ("mask", "error", "words"),
    [
        (
            np.zeros((3, 4, 3), np.uint8),
            ValueError,
            r"a mask of shape \(3, 4, 3\) cannot be used; give",
        ),
        (np.full((3, 4), 2.0), ValueError, "a mask of floats must be 0 to 1"),
        (np.full((3, 4), np.nan), ValueError, "a mask of floats must be 0 to 1"),
        (np.zeros((3, 4), np.int32), TypeError, "a mask of int32 cannot be used; convert it to bool, uint8"),
    ],
)
def test_what_is_no_mask_is_refused(mask: Any, error: type[Exception], words: str) -> None:  # noqa: ANN401
    with pytest.raises(error, match=words):
        framebrush.paint(np.zeros((8, 8, 3), np.uint8), "great-wave", mask=mask, **PLAIN)
