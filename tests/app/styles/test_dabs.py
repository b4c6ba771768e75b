"""Brushes of GIMP and Krita as brush tips."""

from __future__ import annotations

import io
import random
import struct
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from framebrush.models.brushes import MARK_COLUMNS, MARK_ROWS
from framebrush.models.style import StyleError
from framebrush.styles.brush_tips import open_brush_tip
from framebrush.styles.dabs import MAX_BYTES, MAX_DABS, SIDE_PX, Dab, stamped, stroke_of

pytestmark = pytest.mark.unit

ROWS, COLUMNS = np.mgrid[:41, :41]
ROUND = np.rint(255 * np.clip(20.5 - np.hypot(ROWS - 20, COLUMNS - 20), 0, 1)).astype(np.uint8)
BAR = np.zeros_like(ROUND)
BAR[:, 18:23] = 255


def gbr(dab: npt.NDArray[np.uint8], spacing: int = 10, version: int = 2, name: bytes = b"Round\0") -> bytes:
    """A brush file, as GIMP's gbr.txt has it. dab: (H, W) grey, or (H, W, 4)."""
    height, width = dab.shape[:2]
    tail = struct.pack(">4sI", b"GIMP", spacing) + name if version == 2 else name
    facts = struct.pack(">5I", 20 + len(tail), version, width, height, 1 if dab.ndim == 2 else 4)
    return facts + tail + dab.tobytes()


def gih(*dabs: bytes) -> bytes:
    """A pipe, as GIMP's gih.txt has it."""
    facts = f"{len(dabs)} ncells:{len(dabs)} step:30 dim:1 cols:1 rows:1 placement:constant rank0:2 selection0:random\n"
    return b"Two brushes\n" + facts.encode() + b"".join(dabs)


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def test_a_dab_is_read_as_another_program_reads_it(tmp_path: Path) -> None:
    coloured = np.dstack([BAR, ROUND // 2, BAR, ROUND])
    for dab in (ROUND, coloured):
        content = gbr(dab)
        with Image.open(io.BytesIO(content)) as seen:
            np.testing.assert_array_equal(np.asarray(seen), dab)
    strokes = [
        stroke_of(written(tmp_path / f"{number}.gbr", gbr(dab, version=version)))
        for number, (dab, version) in enumerate([(ROUND, 2), (coloured, 2)])
    ]
    np.testing.assert_array_equal(*strokes)  # of colours, alpha is the paint
    old = stroke_of(written(tmp_path / "old.gbr", gbr(ROUND, version=1, name=b"no spacing")))
    np.testing.assert_array_equal(old, stroke_of(written(tmp_path / "same.gbr", gbr(ROUND, 20))))


def test_a_dab_is_stamped_along_the_stroke_at_its_spacing(tmp_path: Path) -> None:
    close = stroke_of(written(tmp_path / "close.gbr", gbr(ROUND, 10)))
    assert close.shape == (SIDE_PX, 4 * SIDE_PX)
    assert close[SIDE_PX // 2, 8:-24].min() == 1.0  # one line without a gap
    assert (close[:, 2] > 0.3).sum() < 64 < 100 < (close[:, 200] > 0.3).sum()  # with round ends
    assert close[8, 0:16].max() == 0.0
    far = stroke_of(written(tmp_path / "far.gbr", gbr(ROUND, 150)))
    painted = far[SIDE_PX // 2] > 0.5
    assert np.count_nonzero(np.diff(painted.astype(int)) == 1) == 3  # single dabs


def test_the_smallest_and_the_longest_dab_are_stamped(tmp_path: Path) -> None:
    dot = written(tmp_path / "dot.gbr", gbr(np.full((1, 1), 255, np.uint8)))
    assert stroke_of(dot)[:, :-SIDE_PX].min() == 1.0
    assert set(open_brush_tip(str(dot))) == {255}
    line = stroke_of(written(tmp_path / "line.gbr", gbr(np.full((1, 10_000), 255, np.uint8))))
    assert np.flatnonzero(line.any(axis=1)).tolist() == [63]


def test_dabs_of_unlike_sizes_share_their_middle() -> None:
    stroke = stamped([Dab(np.ones((side, side), np.float32), 1.5) for side in (40, 20)])
    np.testing.assert_array_equal(stroke, stroke[::-1])
    assert [np.count_nonzero(stroke[:, at] > 0.5) for at in (64, 256)] == [SIDE_PX, SIDE_PX // 2]


def test_a_pipe_stamps_its_dabs_in_turn(tmp_path: Path) -> None:
    stroke = stroke_of(written(tmp_path / "two.gih", gih(gbr(ROUND, 150), gbr(BAR, 150))))
    widths = [int((stroke[SIDE_PX // 2, at - 64 : at + 64] > 0.5).sum()) for at in (64, 256, 448)]
    assert widths[0] == widths[2] > 4 * widths[1] > 0
    one = stroke_of(written(tmp_path / "one.gih", gih(gbr(ROUND))))
    np.testing.assert_array_equal(one, stroke_of(written(tmp_path / "one.gbr", gbr(ROUND))))


@pytest.mark.parametrize("name", ["tip.gbr", "TIP.GIH"])
def test_it_is_a_brush_tip(tmp_path: Path, name: str) -> None:
    tiny = np.full((3, 3), 255, np.uint8)  # smaller than a picture of a stroke may be
    for dab in (ROUND, tiny):
        content = gbr(dab) if name == "tip.gbr" else gih(gbr(dab))
        tip = np.frombuffer(open_brush_tip(str(written(tmp_path / name, content))), np.uint8)
        tip = tip.reshape(MARK_ROWS, MARK_COLUMNS)
        assert tip[MARK_ROWS // 2].min() > 30
        assert tip.max() == 255


HUGE = bytearray(gbr(ROUND))
HUGE[8:16] = struct.pack(">2I", 10_001, 1)
LATER = bytearray(gbr(ROUND))
LATER[4:8] = struct.pack(">I", 3)
DEEP = bytearray(gbr(ROUND))
DEEP[16:20] = struct.pack(">I", 18)
EMPTY = bytearray(gbr(ROUND))
EMPTY[8:12] = bytes(4)
NEGATIVE = bytearray(gbr(ROUND))
NEGATIVE[0:4] = struct.pack(">I", 27)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.gbr", b"", "it is cut short"),
        ("a.gbr", gbr(ROUND)[:-1], "it is cut short; give a complete file"),
        ("a.gbr", b"\x89PNG and so on, and so on, and so on", "no brush of GIMP or Krita in version 1 or 2"),
        ("a.gbr", bytes(LATER), "no brush of GIMP or Krita in version 1 or 2; save it again"),
        ("a.gbr", bytes(NEGATIVE), "no brush of GIMP or Krita"),
        ("a.gbr", bytes(DEEP), "its brush has 18 bytes a pixel, not 1 .* save it in 8 bits"),
        ("a.gbr", bytes(EMPTY), "its brush of 0x41 pixels is not between 1 and 10000 pixels a side"),
        ("a.gbr", bytes(HUGE), "its brush of 10001x1 pixels is not between 1 and 10000 pixels a side"),
        ("a.gbr", gbr(np.zeros((8, 8), np.uint8)), "it shows no brush tip"),
        ("a.gih", gbr(ROUND), "it does not begin with two lines of text"),
        ("a.gih", b"name\nmany brushes\n", "does not begin with a number of brushes from 1 to 1024"),
        ("a.gih", b"name\n0 ncells:0\n", "a number of brushes from 1 to 1024"),
        ("a.gih", b"name\n%d x\n" % (MAX_DABS + 1), "a number of brushes from 1 to 1024"),
        ("a.gih", b"name\n2 ncells:2\n" + gbr(ROUND), "it is cut short"),
        ("a.gih", b"n" * 2000 + b"\n1\n" + gbr(ROUND), "two lines of text"),
    ],
)
def test_a_file_that_is_no_brush_is_refused_in_words(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    path = written(tmp_path / name, content)
    with pytest.raises(StyleError, match=says) as refused:
        open_brush_tip(str(path))
    assert str(refused.value).startswith(f"{path} cannot be a brush: ")
    assert "\n" not in str(refused.value)


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.gbr"
    with path.open("wb") as file:
        file.write(gbr(ROUND))
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(StyleError, match="it has more than 3"):
        open_brush_tip(str(path))


def test_damaged_brushes_are_brushes_or_refused(tmp_path: Path) -> None:
    chance = random.Random(7)
    wholes = [gbr(ROUND), gbr(np.dstack([ROUND] * 4)), gih(gbr(ROUND), gbr(BAR))]
    refused = 0
    for number in range(300):
        content = bytearray(wholes[number % 3])
        for _ in range(chance.choice([1, 2, 8])):
            content[chance.randrange(140) if chance.random() < 0.9 else -1] = chance.randrange(256)
        if chance.random() < 0.3:
            del content[chance.randrange(len(content)) :]
        path = written(tmp_path / f"{number}{'.gih' if number % 3 == 2 else '.gbr'}", bytes(content))
        try:
            assert len(open_brush_tip(str(path))) == MARK_ROWS * MARK_COLUMNS
        except StyleError:
            refused += 1
    assert 50 < refused < 300


def test_dabs_of_any_size_fit_the_stroke() -> None:
    for height, width in ((1, 1), (1, 300), (300, 1), (64, 63), (127, 129)):
        for spacing in (0.01, 0.33, 10.0):
            stroke = stamped([Dab(np.ones((height, width), np.float32), spacing)])
            assert stroke.shape == (SIDE_PX, 4 * SIDE_PX)
            assert stroke.max() == 1.0
