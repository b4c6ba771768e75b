"""Colour tables as text: reading and refusals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from framebrush.media.video import OutputError
from framebrush.models.colours.colour_table import MAX_GRID, ColourTable, apply
from framebrush.styles.cube import CubeError, read_cube, write_cube
from tests.app.styles.test_cube import CURVE, rough, written

pytestmark = pytest.mark.unit


GRID = "LUT_3D_SIZE 2\n" + "".join(f"{r} {g} {b}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1))


BENT = "0 0 0\n0.25 0.25 0.25\n1 1 1\n"


SWAP_HEAD = "LUT_3D_SIZE 2\n"


SWAP = "".join(f"{b} {g} {r}\n" for b in (0, 1) for g in (0, 1) for r in (0, 1))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "t.cube"
    table = ColourTable(rough(5).grid, title='dusk "two"\n')
    write_cube(table, path)
    assert read_cube(path) == table
    assert read_cube(path).title == "dusk 'two' "
    with pytest.raises(CubeError, match="exists"):
        write_cube(table, path)
    curves = read_cube(written(tmp_path, CURVE))
    write_cube(curves, path, overwrite=True)
    assert read_cube(path) == curves
    wide = ColourTable(table.grid.clip(0, 1), domain_max=(2.0, 2.0, 2.0))
    write_cube(wide, path, overwrite=True)
    colours = np.random.default_rng(0).random((50, 3))
    assert np.allclose(apply(read_cube(path), colours), apply(wide, colours), atol=1e-6)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["a grade.cube", "t.cube"]


@pytest.mark.parametrize(
    ("text", "colour", "wanted"),
    [
        (GRID, (0.2, 0.5, 0.9), (0.2, 0.5, 0.9)),
        (GRID.replace("\n", "\r\n"), (0.2, 0.5, 0.9), (0.2, 0.5, 0.9)),
        (b"\xef\xbb\xbf" + GRID.encode(), (0.2, 0.5, 0.9), (0.2, 0.5, 0.9)),
        (f"# by hand\n\n{GRID}# the end\n\n", (0.2, 0.5, 0.9), (0.2, 0.5, 0.9)),
        (f'TITLE "A"\nDOMAIN_MIN 0 0 -1\nDOMAIN_MAX 2 1 1\n{GRID}', (0.5, 0.5, 0.5), (0.25, 0.5, 0.75)),
        (f"LUT_3D_INPUT_RANGE 0.25 0.75\n{GRID}", (0.1, 0.5, 0.625), (0.0, 0.5, 0.75)),
        (CURVE, (0.25, 0.25, 0.75), (0.125, 0.25, 0.875)),
        (f"DOMAIN_MAX 2 2 2\n{CURVE}", (1.0, 0.5, 1.0), (0.25, 0.25, 0.75)),
        # A shaper of 0..2 whose curves bend, before a grid that swaps red and blue and expects 0..0.5.
        (
            f"LUT_1D_SIZE 3\nLUT_1D_INPUT_RANGE 0 2\n{SWAP_HEAD}LUT_3D_INPUT_RANGE 0 0.5\n{BENT}{SWAP}",
            (0.5, 1.0, 0.0),
            (0.0, 0.5, 0.25),
        ),
        (f"{SWAP_HEAD}LUT_1D_SIZE 3\nDOMAIN_MAX 2 2 2\n{BENT}{SWAP}", (0.5, 1, 2), (1, 0.25, 0.125)),
        (f"LUT_IN_VIDEO_RANGE\n{GRID}", (0.0, 0.5, 1.0), (64 / 1023, 502 / 1023, 940 / 1023)),
        (f"LUT_OUT_VIDEO_RANGE\n{GRID}", (64 / 1023, 502 / 1023, 940 / 1023), (0.0, 0.5, 1.0)),
        (f"LUT_IN_VIDEO_RANGE\nLUT_OUT_VIDEO_RANGE\n{CURVE}", (0.0, 0.5, 0.5), (0.0, 0.5, 0.7865297)),
        (f"LUT_3D_INPUT_RANGE 0 2\nLUT_IN_VIDEO_RANGE\n{GRID}", (0.0, 0.5, 1.0), (32 / 1023, 251 / 1023, 470 / 1023)),
        (f'TITLE\t"A grade"\n{GRID}', (0.2, 0.5, 0.9), (0.2, 0.5, 0.9)),
        (f"DOMAIN_MIN\t0 0 -1\nDOMAIN_MAX \t2 1 1\n{GRID}", (0.5, 0.5, 0.5), (0.25, 0.5, 0.75)),
        ("LUT_1D_SIZE\t2\n-1\t2e0 +.5\n1 2 .5\n", (0.75, 0.3, 0.3), (0.5, 1.0, 0.5)),
    ],
)
def test_what_is_read(tmp_path: Path, text: str | bytes, colour: tuple[float, ...], wanted: tuple[float, ...]) -> None:
    table = read_cube(written(tmp_path, text))
    assert apply(table, np.array(colour)) == pytest.approx(wanted, abs=1e-6)
    assert table.title in ("A", "A grade", "a grade")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "neither LUT_1D_SIZE nor LUT_3D_SIZE"),
        (b"\x00\x01\x02\xff" * 50, "it is not plain text"),
        (b"\x01\x02\xff" * 50, "line 1: .* neither a keyword"),
        (GRID.encode("utf-16"), "it is not plain text; where it is text in UTF-16, save it as UTF-8$"),
        (GRID.encode("utf-16-be"), "it is not plain text"),
        ("0 0 0\n" * 8, "neither LUT_1D_SIZE nor LUT_3D_SIZE"),
        ("LUT_3D_SIZE 1\n0 0 0\n", "line 1: .*not between 2 and 129"),
        (f"LUT_3D_SIZE {MAX_GRID + 1}\n", "line 1: .*not between 2 and 129"),
        ("LUT_1D_SIZE 65537\n", "line 1: .*not between 2 and 65536"),
        ("LUT_3D_SIZE 2.5\n", "line 1"),
        ("LUT_3D_SIZE ²\n", "line 1"),
        ("LUT_3D_SIZE 99999999999999999999\n", "line 1"),
        ("LUT_1D_SIZE 2\nLUT_1D_SIZE 2\n", "line 2: there is already a LUT_1D_SIZE"),
        ("LUT_1D_SIZE 3\n" + GRID, "it has 8 colours where its size needs 11"),
        (f"LUT_1D_SIZE 3\nLUT_3D_INPUT_RANGE 1 1\n{SWAP_HEAD}{BENT}{SWAP}", "the input range of its grid is empty"),
        ("LUT_IN_FILM_RANGE\n" + GRID, 'line 1: "LUT_IN_FILM_RANGE" is neither a keyword'),
        (GRID[:-6], "it has 7 colours where its size needs 8"),
        (GRID + "1 1 1\n", "line 10: there are more than the 8"),
        (GRID.replace("1 0 1", "1 nan 1"), "line 7: .*not 3 numbers"),
        (GRID.replace("1 0 1", "1 inf 1"), "line 7: .*not 3 numbers"),
        (GRID.replace("1 0 1", "1 65505 1"), 'line 7: "1 65505 1" has a number that no colour has'),
        (GRID.replace("1 0 1", "1 0"), "line 7: .*not 3 numbers"),
        (GRID.replace("1 0 1", "1 0 1 1"), "line 7: .*not 3 numbers"),
        (GRID.replace("1 0 1", "# \n1 0x1 1"), "line 8: .*not 3 numbers"),
        (GRID.replace("1 0 1", "TITLE late"), "line 7: .*not 3 numbers"),
        ("DOMAIN_MIN 0 0\n" + GRID, "line 1: .*not 3 numbers"),
        ("DOMAIN_MAX 1 0 1\n" + GRID, "domain .* is empty"),
        ("DOMAIN_MAX 1 nan 1\n" + GRID, "line 1"),
        ("DOMAIN_MAX 1 1e30 1\n" + GRID, "line 1: .* has a number that no colour has"),
        ("LUT_3D_SIZE 2\n" + "\x1b[31m\n", "line 2"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str | bytes, wanted: str) -> None:
    with pytest.raises(CubeError, match=wanted) as caught:
        read_cube(written(tmp_path, text))
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


def test_a_folder_and_a_huge_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CubeError, match="cannot be read"):
        read_cube(tmp_path)
    monkeypatch.setattr("framebrush.styles.cube.MAX_BYTES", 10)
    with pytest.raises(CubeError, match="it has more than 10 bytes, the most for such a file"):
        read_cube(written(tmp_path, GRID))
    with pytest.raises(OutputError, match=r"^writing .*t\.cube failed: No such file"):
        write_cube(rough(2), tmp_path / "nowhere" / "t.cube")
