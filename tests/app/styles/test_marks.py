"""Custom brush tips: reading from a picture, and refusals."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.media.video import Position
from framebrush.models.brushes import MARK_COLUMNS, MARK_ROWS
from framebrush.models.style import StyleError
from framebrush.styles import reference_pictures
from framebrush.styles.brush_tips import open_brush_tip
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

ROWS, COLUMNS = np.mgrid[:120, :400]
WEDGE = ((np.abs(ROWS - 59.5) < 50 - COLUMNS / 10) & (COLUMNS > 20) & (COLUMNS < 380)).astype(np.float64)
"""A mark that gets thinner to the right."""


def codes(share: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    return (255 * share).round().astype(np.uint8)


def grey(share: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    return np.repeat(codes(share)[..., None], 3, axis=-1)


def wedge(path: Path, *, turned: bool = False) -> str:
    """A file with that mark, or with one that gets thicker instead."""
    return str(png(path, grey(WEDGE[:, ::-1] if turned else WEDGE)))


def opened(path: Path, picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    found = open_brush_tip(str(png(path, picture)))
    return np.frombuffer(found, np.uint8).reshape(MARK_ROWS, MARK_COLUMNS)


def test_a_mark_is_the_same_on_white_on_black_and_on_nothing(tmp_path: Path) -> None:
    on_black = opened(tmp_path / "black.png", grey(WEDGE))
    assert (int(on_black.min()), int(on_black.max())) == (0, 255)
    left, right = on_black[:, MARK_COLUMNS // 8].sum(dtype=int), on_black[:, -MARK_COLUMNS // 8].sum(dtype=int)
    assert left > 2 * right > 0
    np.testing.assert_array_equal(opened(tmp_path / "white.png", grey(1.0 - WEDGE)), on_black)
    on_nothing = np.dstack([grey(np.zeros_like(WEDGE)), codes(WEDGE)])
    np.testing.assert_array_equal(opened(tmp_path / "nothing.png", on_nothing), on_black)


def test_what_lies_around_a_mark_is_cut_off(tmp_path: Path) -> None:
    found = opened(tmp_path / "mark.png", grey(WEDGE))
    assert found[:, 0].any()
    assert found[:, -1].any()
    assert found[0].any()
    assert found[-1].any()
    wide = np.pad(WEDGE, ((70, 10), (30, 200)))
    np.testing.assert_array_equal(opened(tmp_path / "wide.png", grey(wide)), found)


def test_grey_is_less_paint(tmp_path: Path) -> None:
    shaded = WEDGE * (0.25 + 0.75 * ROWS / 119)
    mark = opened(tmp_path / "shaded.png", grey(shaded)).astype(int)
    assert mark[10, 20] < 0.6 * mark[-10, 20]
    over_nothing = np.dstack([grey(np.where(WEDGE > 0, shaded, 0.0)), codes(WEDGE)])
    assert np.abs(opened(tmp_path / "over.png", over_nothing).astype(int) - mark).max() <= 3


def opaque_from(left: int, width: int) -> npt.NDArray[np.uint8]:
    """A black picture, 16 pixels high, that is transparent on the left, where white pixels are hidden."""
    picture = np.zeros((16, width, 4), np.uint8)
    picture[:, :left, :3] = picture[:, left:, 3] = 255
    return picture


def test_sixteen_pixels_are_enough(tmp_path: Path) -> None:
    assert opened(tmp_path / "small.png", opaque_from(1, 17)).min() == 255


def test_more_opacity_is_paint(tmp_path: Path) -> None:
    picture = np.full((20, 40, 4), (0, 0, 0, 255), np.uint8)
    picture[:, :10, 3] = 200
    assert opened(tmp_path / "thin.png", picture).min() == 255


@pytest.mark.parametrize("turns", range(4))
def test_paper_is_light_if_most_of_the_border_is(turns: int, tmp_path: Path) -> None:
    picture = np.zeros((24, 120, 3), np.uint8)
    picture[0] = picture[:, 0] = picture[:, -1] = 255
    found = opened(tmp_path / "border.png", np.ascontiguousarray(np.rot90(picture, turns)))
    assert found.min() > 127  # the black inside is the tip


@pytest.mark.parametrize(
    ("picture", "says"),
    [
        (np.zeros((1, 1, 3), np.uint8), "1x1 pixels are too few for a brush tip; give 16 or more a side"),
        (np.zeros((15, 400, 3), np.uint8), "400x15 pixels are too few for a brush tip"),
        (np.full((64, 64, 3), 255, np.uint8), "it shows no brush tip"),
        (np.zeros((64, 64, 3), np.uint8), "it shows no brush tip"),
        (np.full((64, 64, 3), 120, np.uint8), "it shows no brush tip"),
        (np.zeros((64, 64, 4), np.uint8), "it shows no brush tip"),
        (opaque_from(1, 16), "the brush tip in it is 15x16 pixels large"),
        (grey(np.pad(np.ones((4, 30)), 40)), "the brush tip in it is 30x4 pixels large; give one of 16 or more a side"),
    ],
)
def test_what_shows_no_mark_is_refused(picture: npt.NDArray[np.uint8], says: str, tmp_path: Path) -> None:
    path = tmp_path / "mark.png"
    with pytest.raises(StyleError) as refused:
        opened(path, picture)
    assert says in str(refused.value)
    assert str(refused.value).startswith(f"{path} cannot be a brush: ")


def test_a_hostile_file_is_refused_in_words(tmp_path: Path) -> None:
    whole = png(tmp_path / "small.png", grey(WEDGE)).read_bytes()
    huge = bytearray(whole)
    huge[16:24] = struct.pack(">II", 60000, 60000)
    files = {"huge": bytes(huge), "text": b"no picture", "cut": whole[:40], "half": whole[: len(whole) // 2]}
    for name, content in {**files, "empty": b""}.items():
        path = tmp_path / f"{name}.png"
        path.write_bytes(content)
        with pytest.raises(StyleError, match=r"cannot be a brush: ") as refused:
            open_brush_tip(str(path))
        assert "\n" not in str(refused.value)
    for name in ("missing.png", "with a \0 in it.png"):
        with pytest.raises(StyleError, match=r"cannot be a brush: there is no such file"):
            open_brush_tip(str(tmp_path / name))
    with pytest.raises(StyleError, match=r"cannot be a brush: "):
        open_brush_tip(str(tmp_path))


def test_a_file_that_changes_is_read_again_and_in_the_process_that_reads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, Position | None]] = []

    class Elsewhere:
        def picture(self, path: str, place: Position | None) -> reference_pictures.Decoded:
            asked.append((path, place))
            return reference_pictures.decode(path, place)

    monkeypatch.setattr(reference_pictures, "elsewhere", Elsewhere())
    path = wedge(tmp_path / "mark.png")
    first = open_brush_tip(path)
    assert open_brush_tip(path) == first
    assert asked == [(path, None)]
    wedge(Path(path), turned=True)
    os.utime(path, ns=(0, Path(path).stat().st_mtime_ns + 1_000_000))
    assert open_brush_tip(path) != first
    assert len(asked) == 2
