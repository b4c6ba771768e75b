"""Strokes of a film as records, vectors and JSON, and the way back to a picture."""

from __future__ import annotations

import json
import os
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush import sample
from framebrush.api.keywords import job_of
from framebrush.base.status import Status
from framebrush.cli.command_line import run
from framebrush.gpu.frame import rgba8
from framebrush.jobs import stroke_files
from framebrush.jobs.film_strokes import PaintedStrokes, film_strokes, stroke_pipeline
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import as_seen, encoded
from framebrush.jobs.stroke_array import STROKE, StrokeArray
from framebrush.jobs.stroke_files import json_of, svg_of, write_strokes
from framebrush.media.video import InputError, OutputError, Position, RangeError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.brushes import MARK_COLUMNS, MARK_ROWS

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.media

SIZE = WIDTH, HEIGHT = 160, 96
CUT, FRAMES = 7, 10
SCHEMA = Path(__file__).parents[3] / "docs" / "strokes.schema.json"
LOOK: dict[str, Any] = {"brush": 1.0, "relief": 0.6}
TIMES_S = {number: number / 25 for number in range(FRAMES)}
OPTIONS = ("--style", "none", "--brush", "1")


def picture_of(number: int) -> npt.NDArray[np.uint8]:
    """A frame that moves, with a cut to another picture."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    x = x - 1.5 * number
    waves = np.stack([np.sin(x / 7 + y / 13), np.sin(x / 17 - y / 9), np.cos(y / 5 + x / 31)], axis=-1)
    if number >= CUT:
        waves = (
            np.random.default_rng(3).uniform(-1, 1, (HEIGHT // 4, WIDTH // 4, 3)).repeat(4, axis=0).repeat(4, axis=1)
        )
    return (127 + 90 * waves).clip(0, 255).astype(np.uint8)


def write_film(path: Path, frames: int) -> Path:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        for number in range(frames):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture_of(number), "rgb24")))
        out.mux(stream.encode())
    return path


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "film.mkv", FRAMES)


def job(film: Path, first: int = 0, frames: int | None = None, **options: object) -> JobSpec:
    spec = job_of(str(film), "none", {**LOOK, **options}, frozenset({*LOOK, *options}))  # type: ignore[typeddict-item]
    return replace(spec, range=TimeRange(Position(first, "frame"), frames=frames))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def whole(film: Path) -> list[PaintedStrokes]:
    """The strokes of every frame."""
    return list(film_strokes(job(film), print))


def test_strokes_are_drawn_back_bit_for_bit(film: Path) -> None:
    with stroke_pipeline(job(film), print) as opened:
        for painted in opened.paint():
            finishing = opened.on_cpu._fetched_output._finishing
            strokes = StrokeArray.of(opened.read(), painted.number, TIMES_S, 25.0)
            stage = np.moveaxis(finishing._painter.run(*last_drawn(opened.stylizer))[:3], 0, -1)
            assert np.array_equal(framebrush.draw(strokes), stage)
            assert len(strokes) > 200


def last_drawn(stylizer: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """Return the last inputs of the strokes stage, without a style."""
    slot, _ = stylizer._fetched
    painting = np.clip(slot.result[:, :HEIGHT, :WIDTH].astype(np.float32), 0, 1)
    return np.ascontiguousarray(painting), slot.tensors.frame, slot.strokes


def test_the_picture_is_the_one_that_is_painted(film: Path) -> None:
    """Without relief, and with the brush alone, the picture shows the strokes."""
    spec = job(film, 3, 1, relief=0.0, canvas=0.0, detail=0.0, faces=0.0, dither=False)
    with stroke_pipeline(spec, print, lambda _, sizes: rgba8(*sizes.target)) as opened:
        [shown] = [painted.host.planes[0][..., :3].astype(float) for painted in opened.paint()]
        strokes = StrokeArray.of(opened.read(), 3, TIMES_S, 25.0)
    apart = np.abs(255 * framebrush.draw(strokes).clip(0, 1) - shown)
    assert np.median(apart) <= 0.51  # elsewhere corners of the film are kept


@pytest.mark.parametrize("first", [0, 3, CUT, FRAMES - 1])
def test_one_frame_has_the_strokes_of_the_whole_film(film: Path, whole: list[PaintedStrokes], first: int) -> None:
    [alone] = film_strokes(job(film, first, 1), print)
    assert (alone.number, alone.time_s) == (first, whole[first].time_s)
    assert alone.strokes.tobytes() == whole[first].strokes.tobytes()


def test_an_id_is_one_stroke_for_its_life(whole: list[PaintedStrokes]) -> None:
    lives: dict[int, tuple[int, int, int, int]] = {}
    for painted in whole:
        strokes = painted.strokes
        assert len(np.unique(strokes["id"])) == len(strokes)
        facts = zip(*(strokes[name].tolist() for name in ("layer", "birth", "death", "seed")), strict=True)
        for number, fact in zip(strokes["id"].tolist(), facts, strict=True):
            assert lives.setdefault(number, fact) == fact
            assert fact[1] <= painted.number < fact[2]
        assert ((strokes["birth_s"] <= painted.time_s) & (painted.time_s < strokes["death_s"])).all()
    for before, after in pairwise(whole):
        shared = np.isin(after.strokes["id"], before.strokes["id"]).mean()
        assert shared == 0 if after.number == CUT else shared > 0.7
    assert (whole[CUT].strokes["birth"] == CUT).all()


def test_births_are_at_times_of_frames_where_the_rate_varies(tmp_path: Path) -> None:
    film, times = tmp_path / "film.mkv", [0, 40, 200, 220, 800, 840]
    with av.open(str(film), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, 1000)
        for number, pts in enumerate(times):
            picture = av.VideoFrame.from_ndarray(picture_of(number), "rgb24")
            picture.pts, picture.time_base = pts, stream.time_base
            out.mux(stream.encode(picture))
        out.mux(stream.encode())
    lines = list(film_strokes(job(film, 2), print))
    assert [painted.time_s for painted in lines] == [0.2, 0.22, 0.8, 0.84]
    for painted in lines:
        births = painted.strokes["birth"].tolist()
        assert len({*births}) > 1
        assert painted.strokes["birth_s"].tolist() == [times[birth] / 1000 for birth in births]


def test_strokes_stay_with_their_ids_where_they_were(whole: list[PaintedStrokes]) -> None:
    before, after = (painted.strokes for painted in whole[3:5])
    _, one, other = np.intersect1d(before["id"], after["id"], return_indices=True)
    moved = after["path"][other, 0] - before["path"][one, 0]
    assert np.abs(np.median(moved, axis=0) - [1.5, 0.0]).max() < 1.0


def test_fields_have_their_units(whole: list[PaintedStrokes]) -> None:
    strokes = whole[2].strokes
    assert strokes.dtype == STROKE
    over, down = (strokes["path"][:, -1] - strokes["path"][:, 0]).T
    assert np.allclose(np.tan(np.radians(strokes["angle"])) * over, -down, atol=1e-2)
    steps = np.diff(strokes["path"], axis=1)
    assert np.allclose(np.hypot(steps[..., 0], steps[..., 1]).sum(axis=1), strokes["length"], rtol=1e-4)
    assert strokes["width"].max() <= 1.2 * whole[2].strokes.canvas.layout.layers[0].width_px  # type: ignore[union-attr]
    assert (strokes["height"] > 0).all()


def test_selections_keep_the_canvas_and_are_drawn(whole: list[PaintedStrokes]) -> None:
    strokes = whole[2].strokes
    broad = strokes[strokes["layer"] == 0]
    assert broad.canvas is strokes.canvas
    picture = framebrush.draw(broad)
    assert not np.array_equal(picture, framebrush.draw(strokes))
    none = framebrush.draw(strokes[:0])
    assert none.shape == (HEIGHT, WIDTH, 3)
    red = strokes.copy()
    red["colour"] = 1.0, 0.0, 0.0
    red["opacity"] = 1.0
    assert framebrush.draw(red, ground=np.zeros((4, 4, 3), np.uint8))[..., 1:].max() < 0.2
    wider = strokes.copy()
    wider["width"] *= 3.0
    assert not np.array_equal(framebrush.draw(wider), framebrush.draw(strokes))


def test_another_size_shows_the_same(whole: list[PaintedStrokes]) -> None:
    strokes = whole[2].strokes
    large = framebrush.draw(strokes, (2 * WIDTH, 2 * HEIGHT))
    assert large.shape == (2 * HEIGHT, 2 * WIDTH, 3)
    small = large.reshape(HEIGHT, 2, WIDTH, 2, 3).mean(axis=(1, 3))
    assert 255 * np.abs(small - framebrush.draw(strokes)).mean() < 8


def test_strokes_from_elsewhere_need_a_size_and_are_drawn_on_white() -> None:
    strokes = np.zeros(1, STROKE)
    strokes["points"], strokes["width"], strokes["opacity"] = 2, 12.0, 1.0
    strokes["path"][0, 1:] = 40.0, 0.0
    strokes["path"][0] += 20.0, 30.0
    with pytest.raises(ValueError, match="have no size; give size="):
        framebrush.draw(strokes)
    picture = framebrush.draw(strokes, (80, 60))
    assert picture[0, 0].tolist() == pytest.approx([1.0, 1.0, 1.0])
    assert picture[30, 35].max() < 0.2
    strokes["opacity"] = 0.0
    np.testing.assert_allclose(framebrush.draw(strokes, (80, 60)), 1.0, atol=1e-3)
    strokes["opacity"] = 1.0
    strokes["path"][0, 2:] = 1000.0, -1000.0  # no points of this stroke
    np.testing.assert_array_equal(framebrush.draw(strokes, (80, 60)), picture)


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("opacity", -0.1, "opacity of a stroke is 0 to 1"),
        ("opacity", 1.5, "opacity of a stroke is 0 to 1"),
        ("points", 1, "2 to 9 points"),
        ("points", 10, "2 to 9 points"),
        ("width", 0.0, "width above 0"),
        ("width", np.nan, "finite"),
        ("colour", np.inf, "finite"),
        ("path", 1e9, "within 32768 pixels"),
    ],
)
def test_impossible_strokes_are_refused(whole: list[PaintedStrokes], field: str, value: float, says: str) -> None:
    strokes = whole[2].strokes[:3].copy()
    strokes[field][1] = value
    with pytest.raises(ValueError, match=says):
        framebrush.draw(strokes)


def test_other_arguments_are_refused(whole: list[PaintedStrokes]) -> None:
    with pytest.raises(TypeError, match=r"as film\.strokes\(\) returns it"):
        framebrush.draw(np.zeros((3, 2)))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a picture"):
        framebrush.draw(whole[0].strokes, ground=np.zeros((3, 2)))
    with pytest.raises(ValueError, match="has no pixels"):
        framebrush.draw(whole[0].strokes, ground=np.zeros((0, 4, 3)))
    with pytest.raises(ValueError, match="sides have 1 to 32768 pixels"):
        framebrush.draw(whole[0].strokes, (0, 3))
    for size in ((10,), "10x10", 20, (10.5, 20)):
        with pytest.raises(TypeError, match=r"it must be width and height, as in \(1920, 1080\)"):
            framebrush.draw(whole[0].strokes, size)  # type: ignore[arg-type]


def test_a_film_in_python_gives_the_strokes_of_its_frames(film: Path, whole: list[PaintedStrokes]) -> None:
    with framebrush.open(film, "none", **LOOK, device="cpu", on_message=print, start=0.2, frames=1) as opened:
        assert opened.strokes(4).tobytes() == whole[4].strokes.tobytes()
        with pytest.raises(ValueError, match="frame -1 is none"):
            opened.strokes(-1)
        for other in ("3", 2.5, None):
            with pytest.raises(TypeError, match=f"frame is {other!r}; it must be a whole number, such as 12"):
                opened.strokes(other)  # type: ignore[arg-type]
        with pytest.raises(RangeError, match="the range starts after the last frame"):
            opened.strokes(FRAMES)
        assert len(list(opened)) == 1
    with pytest.raises(RuntimeError, match="the film is closed"):
        opened.strokes(4)


def test_a_look_without_strokes_has_none_to_read(film: Path) -> None:
    with (
        framebrush.open(film, "none", device="cpu", on_message=print) as opened,
        pytest.raises(ValueError, match="this look has no strokes; give --brush"),
    ):
        opened.strokes(0)


def rendered(svg: str, width: int, height: int) -> npt.NDArray[np.float64]:
    """A picture of an SVG by Qt's renderer."""
    _application = QApplication.instance() or QApplication([])  # with widgets: the window's tests share it
    renderer = QSvgRenderer(svg.encode())
    assert renderer.isValid()
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    renderer.render(painter)
    painter.end()
    shown = np.frombuffer(image.constBits(), np.uint8).reshape(height, width, 4)
    return shown[..., 2::-1].astype(np.float64)


def without_hairs(strokes: StrokeArray) -> StrokeArray:
    """Strokes of even paint."""
    canvas, even = strokes.canvas, strokes.copy()
    assert canvas is not None
    kind = replace(canvas.layout.kind, mark=b"\xff" * (MARK_ROWS * MARK_COLUMNS))
    even.canvas = replace(canvas, layout=replace(canvas.layout, kind=kind))
    return even


@pytest.mark.slow
@pytest.mark.parametrize("brush", ["oil", "pointillist"])
def test_an_svg_shows_the_painted_frame(brush: str) -> None:
    options: dict[str, Any] = {"brush_kind": brush, "size": "480x270", "steady": 0.0, "faces": 0.0}
    [painted] = film_strokes(job(sample.PATH, 0, 1, **options), print)
    shown = rendered(svg_of(painted), 480, 270)
    assert np.abs(shown - 255 * framebrush.draw(without_hairs(painted.strokes))).mean() <= 3.0
    assert np.abs(shown - 255 * framebrush.draw(painted.strokes)).mean() <= 4.0, "with hairs"


def test_an_svg_has_a_layer_for_each_width_of_brush(whole: list[PaintedStrokes]) -> None:
    painted = whole[2]
    root = ElementTree.fromstring(svg_of(painted))
    inkscape = "{http://www.inkscape.org/namespaces/inkscape}"
    groups = root.findall("{http://www.w3.org/2000/svg}g")
    assert {group.get(f"{inkscape}groupmode") for group in groups} == {"layer"}
    labels = [group.get(f"{inkscape}label") for group in groups]
    widths = [f"Strokes of {layer.width_px:.1f} px" for layer in painted.strokes.canvas.layout.layers]  # type: ignore[union-attr]
    assert labels == ["Underpainting", *widths, "Wet in wet"]
    counts = [len(group.findall("{http://www.w3.org/2000/svg}path")) for group in groups]
    assert sum(counts) == len(painted.strokes)
    assert counts[1:-1] == np.bincount(painted.strokes["layer"]).tolist()
    ids = [each.get("id") for each in root.iter() if each.get("id")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
@pytest.mark.parametrize("mirrored", [False, True])
def test_an_svg_is_upright_with_square_pixels(whole: list[PaintedStrokes], degrees: int, mirrored: bool) -> None:
    painted = whole[2]
    info = replace(
        painted.info, rotation_degrees=degrees, mirrored=mirrored, sample_aspect=painted.info.sample_aspect * 2
    )
    plain = 255 * framebrush.draw(painted.strokes).clip(0, 1)
    expected = as_seen(np.rint(plain).astype(np.uint8), info, painted.sizes)
    height, width = expected.shape[:2]
    shown = rendered(svg_of(replace(painted, info=info)), width, height)
    assert np.abs(shown - expected).mean() < 8
    assert np.abs(shown - expected[::-1]).mean() > 12, "the picture has no up"


def fits(value: object, schema: dict[str, Any], where: str = "") -> None:
    """Check a value by the few words of JSON Schema that ours uses."""
    kinds: dict[str, Any] = {"object": dict, "array": list, "integer": int, "number": (int, float), "boolean": bool}
    assert schema.keys() <= {
        *("$schema", "title", "description", "type", "required", "additionalProperties"),
        *("properties", "items", "const", "minimum"),
    }
    assert value == schema.get("const", value), where
    if "type" in schema:
        assert isinstance(value, kinds[schema["type"]]), where
    if isinstance(value, dict):
        assert value.keys() >= {*schema["required"]}, where
        assert value.keys() <= schema["properties"].keys(), where
        for name, inner in value.items():
            fits(inner, schema["properties"][name], f"{where}.{name}")
    if isinstance(value, list):
        for number, inner in enumerate(value):
            fits(inner, schema["items"], f"{where}[{number}]")
    if "minimum" in schema:
        assert value >= schema["minimum"], where


def test_json_is_as_its_schema_says(film: Path, tmp_path: Path, whole: list[PaintedStrokes]) -> None:
    target = tmp_path / "strokes.json"
    assert run(["strokes", str(film), str(target), "--at", "2f", *OPTIONS, "--relief", "0.6"]) == 0
    found = json.loads(target.read_text())
    fits(found, json.loads(SCHEMA.read_text()))
    assert "born" not in found
    strokes = whole[2].strokes
    assert [each["id"] for each in found["strokes"]] == strokes["id"].tolist()
    assert [len(each["path"]) for each in found["strokes"]] == strokes["points"].tolist()
    assert np.allclose([each["width"] for each in found["strokes"]], strokes["width"], atol=1e-3)
    assert (found["frame"], found["time_s"], found["size"]) == (2, 0.08, [WIDTH, HEIGHT])


@pytest.mark.slow
def test_lines_say_who_comes_and_goes(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "strokes.jsonl"
    assert run(["strokes", str(film), str(target), "--at", "0.2", *OPTIONS]) == 0
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert [line["frame"] for line in lines] == [*range(5, FRAMES)]
    known: set[int] = set()
    schema = json.loads(SCHEMA.read_text())
    for line in lines:
        fits({**line, "strokes": line["strokes"][:5]}, schema)
        here = {each["id"] for each in line["strokes"]}
        assert set(line["born"]) == here - known
        assert set(line["died"]) == known - here
        known = here
    assert lines[0]["died"] == []
    said = capsys.readouterr().err
    assert re.search(r"strokes.jsonl: \d+ strokes, [\d.]+ [kM]B a frame, about [\d.]+ [kM]B in all", said), said


def test_the_size_is_said_before_a_file_is_there(film: Path, tmp_path: Path) -> None:
    target, said = tmp_path / "strokes.svg", list[str]()

    def say(sentence: str) -> None:
        said.append(sentence)
        assert not any(tmp_path.iterdir())

    write_strokes(replace(job(film, 1, 1), target=str(target)), say)
    assert re.fullmatch(r".*strokes.svg: \d+ strokes, [\d.]+ kB", said[-1])
    assert [each.name for each in tmp_path.iterdir()] == ["strokes.svg"]


def test_an_error_leaves_nothing(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def two_and_an_error(*_: object) -> Iterator[PaintedStrokes]:
        yield from list(film_strokes(job(film, 0, 2), print))
        raise InputError("the film ends here")

    monkeypatch.setattr(stroke_files, "film_strokes", two_and_an_error)
    with pytest.raises(InputError, match="the film ends here"):
        write_strokes(replace(job(film), target=str(tmp_path / "strokes.jsonl")), print)
    assert not any(tmp_path.iterdir())


@pytest.mark.slow
def test_sixty_thousand_strokes_are_one_svg(whole: list[PaintedStrokes]) -> None:
    strokes = whole[2].strokes
    many = np.tile(np.asarray(strokes), -(-60_000 // len(strokes)))[:60_000].view(StrokeArray)
    assert isinstance(many, StrokeArray)
    many.canvas, many["id"] = strokes.canvas, (1 << 40) + np.arange(60_000)
    svg = svg_of(replace(whole[2], strokes=many))
    assert svg.count("<path") == 60_000
    assert f'id="s{(1 << 40) + 59_999}"' in svg
    assert len(svg) < 20 << 20
    assert (
        json.loads(json_of(replace(whole[2], strokes=many), None, with_changes=True))["born"][-1] == (1 << 40) + 59_999
    )


KEYED = ("--key", "brush@0=0", "--key", "brush@1=1")


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("strokes.png", (), "strokes are written as .svg or .json"),
        ("strokes.svg", ("--frames", "2"), "holds one frame; leave out --frames and --end"),
        ("strokes.json", ("--end", "1"), "holds one frame"),
        ("there.svg", (), "exists already; overwrite it with -y"),
        ("strokes.svg", ("--at", "90"), "film.mkv"),
        ("strokes.svg", ("--brush", "0"), "this look has no strokes"),
        ("strokes.svg", KEYED, "film.mkv: frame 0 has no strokes, as its brush is at 0"),
        ("nowhere/strokes.svg", (), "nowhere"),
    ],
)
def test_errors_are_told(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, more: tuple[str, ...], says: str
) -> None:
    (tmp_path / "there.svg").write_text("mine")
    assert run(["strokes", str(film), str(tmp_path / name), *OPTIONS, *more]) != 0
    said = capsys.readouterr().err
    assert says in said
    assert [each.name for each in tmp_path.iterdir()] == ["there.svg"]
    assert (tmp_path / "there.svg").read_text() == "mine"


@pytest.mark.parametrize(
    "fades", [("brush@0f=0", "brush@2f=0", "brush@3f=1"), ("brush@0=0", "brush@0.08=0", "brush@0.12=1")]
)
def test_frames_without_strokes_are_empty_lines(
    film: Path, whole: list[PaintedStrokes], tmp_path: Path, capsys: pytest.CaptureFixture[str], fades: tuple[str, ...]
) -> None:
    """Frames of the range with strokes have the strokes of a film without the fade."""
    target, keys = tmp_path / "strokes.jsonl", [word for key in fades for word in ("--key", key)]
    assert run(["strokes", str(film), str(target), *OPTIONS, *keys, "--frames", "5"]) == 0
    assert f"strokes.jsonl: {len(whole[3].strokes)} strokes, " in capsys.readouterr().err
    lines = [json.loads(line) for line in target.read_text().splitlines()]
    assert [line["frame"] for line in lines] == [0, 1, 2, 3, 4]
    assert [bool(line["strokes"]) for line in lines] == [False, False, False, True, True]
    assert all(line["born"] == line["died"] == [] for line in lines[:3])
    assert lines[0]["layers"] == lines[3]["layers"] != []
    assert lines[3]["born"] == sorted(whole[3].strokes["id"].tolist())
    for line in lines:
        fits(line, json.loads(SCHEMA.read_text()))


def test_a_range_without_any_strokes_is_refused(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, keys = tmp_path / "strokes.jsonl", ("--key", "brush@3f=0", "--key", "brush@4f=1")
    assert run(["strokes", str(film), str(target), *OPTIONS, *keys, "--at", "1f", "--frames", "3"]) != 0
    assert "film.mkv: frames 1 to 3 have no strokes, as their brush is at 0" in capsys.readouterr().err
    assert not target.exists()


def test_a_film_without_an_end_needs_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    endless = ["strokes", "lavfi:testsrc2=size=96x64:rate=10", str(tmp_path / "strokes.jsonl"), *OPTIONS]
    assert run(endless) != 0
    assert "has no end; give --frames" in capsys.readouterr().err
    assert run([*endless, "--frames", "1"]) == 0


def test_another_device_is_not_used_and_that_is_said(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = str(tmp_path / "strokes.svg")
    assert run(["strokes", str(film), target, *OPTIONS, "--device", "webgpu"]) == 0
    assert "strokes are computed on the processor in place of webgpu" in capsys.readouterr().err


def test_a_picture_has_strokes(tmp_path: Path) -> None:
    picture, target = tmp_path / "picture.png", tmp_path / "strokes.jsonl"
    picture.write_bytes(encoded(picture_of(0), "png", "rgb24"))
    assert run(["strokes", str(picture), str(target), *OPTIONS, "--frames", "5"]) == 0
    assert len(target.read_text().splitlines()) == 1, "a film of one frame"
    mask = tmp_path / "mask.svg"
    mask.write_bytes(picture.read_bytes())
    spec = replace(job(picture, 0, 1, mask=str(mask), film_outside=1.0), target=str(mask))
    with pytest.raises(OutputError, match="is read by the job itself"):
        write_strokes(replace(spec, output=OutputOptions(overwrite=True)), print)


def test_lost_frames_are_said(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cut, content = tmp_path / "cut.mkv", film.read_bytes()
    cut.write_bytes(content[: len(content) * 3 // 4])
    assert run(["strokes", str(cut), str(tmp_path / "out.jsonl"), *OPTIONS]) == Status.LOSSES
    assert "cut.mkv is cut off" in capsys.readouterr().err
    assert run(["strokes", str(cut), str(tmp_path / "one.json"), *OPTIONS]) == Status.DONE, "its frame is there"


def test_layers_and_shots_of_a_film_that_is_cut_off_have_losses(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut, content = tmp_path / "cut.mkv", film.read_bytes()
    cut.write_bytes(content[: len(content) * 3 // 4])
    assert run(["keys", str(cut), "extract"]) == Status.LOSSES
    assert "cut.mkv is cut off" in capsys.readouterr().err
    pytest.importorskip("OpenEXR")
    assert run(["layers", str(cut), str(tmp_path / "out.####.exr"), *OPTIONS]) == Status.LOSSES
    assert "cut.mkv is cut off" in capsys.readouterr().err
