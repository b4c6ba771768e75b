"""All eight ways in which a display matrix, or a photograph's Exif, asks for a picture to be turned and mirrored."""

from __future__ import annotations

import ast
import math
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush.gpu.device import open_device
from framebrush.jobs.still import paint_still
from framebrush.jobs.transcode import ignore
from framebrush.media.reading.orientation import orientation_of, upright
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Orientation, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.style_names import OpenedStyle
from tests.app.jobs.footage import job, transcode
from tests.media import photographs

pytestmark = pytest.mark.media

# How many quarters counter-clockwise, and whether mirrored before, for each value of EXIF's Orientation.
WAYS = {
    1: (0, False),
    2: (0, True),
    3: (2, False),
    4: (2, True),
    5: (1, True),
    6: (3, False),
    7: (3, True),
    8: (1, False),
}
# The matrix a, b, c, d of (x, y) -> (a x + c y, b x + d y), from the wording of EXIF: what row and column 0 become.
MATRICES = {
    1: (1, 0, 0, 1),
    2: (-1, 0, 0, 1),
    3: (-1, 0, 0, -1),
    4: (1, 0, 0, -1),
    5: (0, 1, 1, 0),
    6: (0, 1, -1, 0),
    7: (0, -1, -1, 0),
    8: (0, -1, 1, 0),
}
HEIGHT, WIDTH = 64, 96


def corners() -> npt.NDArray[np.uint8]:
    """Return a picture with four unlike quarters, so every orientation looks different."""
    picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    for place, level in enumerate((20, 90, 160, 230)):
        rows = slice(0, HEIGHT // 2) if place < 2 else slice(HEIGHT // 2, HEIGHT)
        columns = slice(0, WIDTH // 2) if place % 2 == 0 else slice(WIDTH // 2, WIDTH)
        picture[rows, columns] = level
    return picture


def turned(way: int) -> npt.NDArray[np.uint8]:
    """Return the picture that a viewer should see, by the matrix alone."""
    a, b, c, d = MATRICES[way]
    picture = corners()
    seen = np.zeros((HEIGHT, WIDTH, 3) if a else (WIDTH, HEIGHT, 3), np.uint8)
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    across, down = a * x + c * y, b * x + d * y
    seen[down - down.min(), across - across.min()] = picture
    return seen


def film(path: Path, matrix: tuple[float, float, float, float]) -> Path:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"crf": "1"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        a, b, c, d = (round(value * 65536) for value in matrix)
        stream.set_display_matrix([a, b, 0, c, d, 0, 0, 0, 1 << 30])
        for number in range(3):
            frame = av.VideoFrame.from_ndarray(corners(), "rgb24")
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


@pytest.mark.parametrize("way", WAYS)
def test_read(tmp_path: Path, way: int) -> None:
    quarters, mirrored = WAYS[way]
    with Reader(film(tmp_path / "film.mp4", MATRICES[way])) as reader:
        assert (reader.info.rotation_degrees % 360, reader.info.mirrored) == (90 * quarters, mirrored)
        shown = upright(corners(), reader.info.orientation)
    np.testing.assert_array_equal(shown, turned(way))


@pytest.mark.parametrize("way", WAYS)
def test_a_size_turns_with_its_picture(way: int) -> None:
    quarters, mirrored = WAYS[way]
    lies = Orientation(90 * quarters, mirrored)
    height, width = upright(np.zeros((3, 5)), lies).shape
    assert lies.turned((5, 3)) == (width, height)


def test_a_matrix_that_leaves_a_line_mirrors_nothing(tmp_path: Path) -> None:
    with Reader(film(tmp_path / "film.mp4", (1, 0, 0, 0))) as reader:
        assert (reader.info.rotation_degrees, reader.info.mirrored) == (0, False)


@pytest.mark.parametrize(("degrees", "quarter"), [(-40, 0), (10, 0), (50, 90), (100, 90), (170, 180), (-91, 270)])
def test_a_film_is_turned_by_quarters(degrees: int, quarter: int, tmp_path: Path) -> None:
    """Windows and files show no other angle, whatever a matrix says."""
    sine, cosine = math.sin(math.radians(-degrees)), math.cos(math.radians(-degrees))
    with Reader(film(tmp_path / "film.mp4", (cosine, sine, -sine, cosine))) as reader:
        info = reader.info
    assert (info.rotation_degrees % 360, info.mirrored) == (quarter, False)
    assert info.shape == pytest.approx(HEIGHT / WIDTH if quarter % 180 else WIDTH / HEIGHT)


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".mkv", ".webm"])
@pytest.mark.parametrize("way", WAYS)
def test_carried_over(tmp_path: Path, way: int, ending: str) -> None:
    source, target = film(tmp_path / "film.mp4", MATRICES[way]), tmp_path / f"out{ending}"
    options = OutputOptions(codec="vp9" if ending == ".webm" else "h264")
    with open_device("cpu") as device:
        transcode(job(source, target, device, options=options))
    with av.open(str(source)) as before, av.open(str(target)) as after:
        first, painted = next(before.decode(video=0)), next(after.decode(video=0))
    assert orientation_of(painted) == orientation_of(first)


@pytest.mark.parametrize("way", WAYS)
def test_stills(tmp_path: Path, way: int) -> None:
    target = tmp_path / "still.png"
    with open_device("cpu") as device:
        made = job(film(tmp_path / "film.mp4", MATRICES[way]), target, device, span=TimeRange(frames=1))
        paint_still(made.spec, OpenedStyle(made.style), device, ignore)
    with av.open(str(target)) as container:
        got = next(container.decode(video=0)).to_ndarray(format="rgb24")
    assert np.abs(got.astype(int) - turned(way)).max() < 24, "limited range and chroma cost a few codes at the edges"


@pytest.mark.parametrize("kind", photographs.WRITERS)
@pytest.mark.parametrize("way", WAYS)
def test_photographs(tmp_path: Path, way: int, kind: str) -> None:
    source, target = tmp_path / f"photo.{kind}", tmp_path / "still.png"
    source.write_bytes(photographs.WRITERS[kind](corners(), way))
    with open_device("cpu") as device:
        made = job(source, target, device, span=TimeRange(frames=1))
        paint_still(made.spec, OpenedStyle(made.style), device, ignore)
    with av.open(str(target)) as container:
        got = next(container.decode(video=0)).to_ndarray(format="rgb24")
    np.testing.assert_allclose(got.astype(int), turned(way), atol=2)


def test_side_data_without_a_name_is_absent(tmp_path: Path) -> None:
    """Every frame of a stereo film says which view it is, in a kind of side data that PyAV does not list."""
    path = tmp_path / "stereo.hevc"
    path.write_bytes(photographs.multiview([corners()] * 3))
    with av.open(str(path)) as container:
        assert all(
            any(entry.type.name == "UNKNOWN_29" for entry in frame.side_data) for frame in container.decode(video=0)
        )
    with Reader(path) as reader:
        assert (reader.info.rotation_degrees, reader.info.mirrored) == (0, False)
        assert [int(frame.host.planes[0][-1, -1]) for frame in reader] == [214] * 3


@pytest.mark.slow
def test_side_data_is_read_in_one_place() -> None:
    reading = {
        path.name
        for path in Path(framebrush.__file__).resolve().parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr == "side_data"
    }
    assert reading == {"side_data.py"}


@pytest.mark.parametrize("way", WAYS)
def test_the_window_and_its_divider(tmp_path: Path, way: int) -> None:
    """The matrix turns the picture; the divider's place is a share of the stored width."""
    pytest.importorskip("PySide6")
    from framebrush.window.picture.composing import in_square_pixels
    from framebrush.window.picture.geometry import Place

    with Reader(film(tmp_path / "film.mp4", MATRICES[way])) as reader:
        info = reader.info
    wanted = turned(way)
    stored = np.dstack([corners(), np.full((HEIGHT, WIDTH), 255, np.uint8)])
    image = in_square_pixels(stored, info)
    got = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine() // 4, 4)
    np.testing.assert_array_equal(got[..., 2::-1], wanted)  # Qt's RGB32 is B, G, R in memory
    place = Place.of(info, (wanted.shape[1], wanted.shape[0]))
    for column in (0, 10, 95):
        marked = np.zeros((HEIGHT, WIDTH, 1), np.uint8)
        marked[:, column] = 1
        y, x, _ = (values[0] + 0.5 for values in np.nonzero(upright(marked, info.orientation)))
        share = (column + 0.5) / WIDTH
        assert place.split_at(x, y) == pytest.approx(share)
        x1, y1, x2, y2 = place.divider(share)
        assert (x1, x2) == pytest.approx((x, x)) if place.upright_divider else (y1, y2) == pytest.approx((y, y))
