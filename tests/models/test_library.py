"""Style names, and metadata of the bundled files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import onnx
import pytest

from framebrush.base.json_values import from_values, to_values
from framebrush.models import library
from framebrush.models.brushes import OIL, PRESETS, BrushKind
from framebrush.models.model_card import read_card, write_card
from framebrush.models.onnx_metadata import read_metadata
from framebrush.models.preprocessing import Preprocessing
from framebrush.models.reading.load import load_style
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.style import ModelCard, StyleError
from tests import networks
from tests.networks import Net

pytestmark = pytest.mark.unit


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A library with ink and one file of two paintings."""
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "ink.onnx").write_bytes((library.FOLDER / "ink.onnx").read_bytes())
    pair = onnx.load_from_string(networks.blend().model)
    write_card(pair, ModelCard("pair", "Two of them", ("vangogh", "hokusai"), radius_px=0, licence="MIT"))
    (folder / "pair.onnx").write_bytes(pair.SerializeToString())
    monkeypatch.setattr(library, "FOLDER", folder)
    return folder


def test_every_bundled_file_is_whole() -> None:
    assert library.find(library.DEFAULT).parent == library.FOLDER
    for card in map(library.card_of, library.bundled().values()):
        assert card.title
        assert card.licence
        assert card.source
        assert card.speed
        assert library.bundled()[card.name].stat().st_size < 16 << 20
        loaded = load_style(card.name).card
        assert (loaded.stride, loaded.radius_px, loaded.paintings) == (card.stride, card.radius_px, card.paintings)


def test_file_of_two_paintings(shelf: Path) -> None:
    style = load_style("pair")
    assert style.card.paintings == ("vangogh", "hokusai")
    assert style.card.title == "Two of them"
    assert [value.name for value in onnx.load_from_string(style.model).graph.input] == ["frame", "mix"]


def test_a_card_is_read_again_where_its_file_has_changed(shelf: Path) -> None:
    file = shelf / "pair.onnx"
    assert library.card_of(file) is library.card_of(file)
    pair = onnx.load(file)
    write_card(pair, ModelCard("pair", "Two others", ("monet", "manet"), licence="MIT"))
    file.write_bytes(pair.SerializeToString())
    assert library.card_of(file).title == "Two others"
    before = file.stat()
    file.write_bytes(pair.SerializeToString().replace(b"Two others", b"Two likely"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    if sys.platform != "win32":  # which has no time of a change that cannot be set back
        assert library.card_of(file).title == "Two likely"
    assert library.find("manet") == file
    file.unlink()
    with pytest.raises(StyleError, match="cannot be read"):
        library.card_of(file)


@pytest.mark.parametrize("name", sorted(library.bundled()))
def test_metadata_is_read_without_the_network(name: str) -> None:
    path = library.bundled()[name]
    assert read_metadata(path) == {entry.key: entry.value for entry in onnx.load(path).metadata_props}


def test_metadata_of_what_is_no_onnx_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.onnx"
    path.write_bytes((library.FOLDER / "ink.onnx").read_bytes()[:-1])
    with pytest.raises(StyleError, match=r"cut\.onnx: cannot be read: "):
        read_metadata(path)


def test_card_must_fit_the_network(shelf: Path) -> None:
    model = onnx.load_from_string(networks.blend().model)
    write_card(model, ModelCard("pair", "Pair", ("only",)))
    with pytest.raises(StyleError, match="its card names 1 painting, the network has 2"):
        make_style(model, "pair")


def test_foreign_file_with_a_mix_input_numbers_its_paintings() -> None:
    assert make_style(onnx.load_from_string(networks.blend().model), "pair").card.paintings == ("pair-1", "pair-2")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("stride", "0"),
        ("stride", "x"),
        ("layout", "hwc"),
        ("mean", "[1]"),
        ("paintings", "{"),
        ("brush_kind", "pointillist"),
        ("brush_kind", '{"widths": [1, 2], "lengths": [1, 1], "jitter": 0, "need": 1}'),
    ],
)
def test_damaged_card(key: str, value: str) -> None:
    model = onnx.load_from_string(networks.identity().model)
    write_card(model, ModelCard("net", "Net", ("net",)))
    entry = next((entry for entry in model.metadata_props if entry.key == f"framebrush.{key}"), None)
    entry = entry or model.metadata_props.add()
    entry.key, entry.value = f"framebrush.{key}", value
    with pytest.raises(StyleError, match="net: its card is damaged"):
        make_style(model, "net")


def test_card_with_too_small_a_stride() -> None:
    """Stride, radius and scale of a card are trusted in bundled files only."""
    model = onnx.load_from_string(networks.strided_identity(4).model)
    write_card(model, ModelCard("net", "Net", ("net",), stride=1, radius_px=0, scale=2))
    card = make_style(model, "net").card
    assert (card.stride, card.radius_px, card.scale) == (4, 3, 1)


def test_card_of_an_old_opset() -> None:
    net = Net([1, 3, 16, 16])
    net.add("Relu")
    model = net.model(opset=9)
    write_card(model, ModelCard("net", "Net", ("net",), licence="MIT"))
    assert make_style(model, "net").card.licence == "MIT"


def test_card_of_a_bundled_file_must_say_the_scale() -> None:
    model = onnx.load_from_string(networks.enlarger(2).model)
    write_card(model, ModelCard("net", "Net", ("net",)))
    with pytest.raises(StyleError, match="net: its card says that it enlarges 1 times, which it does not"):
        make_style(model, "net", trusted=True)


@pytest.mark.parametrize("kind", [OIL, PRESETS["pointillist"].kind])
def test_card_survives_the_file_and_is_trusted(kind: BrushKind) -> None:
    net = Net([1, 3, 16, 16])
    net.add("Relu")
    model = net.model()
    card = ModelCard(
        "net", "Net", ("net",), 4, 11, True, licence="MIT", source="here", speed="quality", brush_kind=kind
    )
    write_card(model, card, Preprocessing(order="bgr", input_range="byte", output_range="byte"))
    style = make_style(model, "net", trusted=True)
    assert style.card == card
    assert from_values(ModelCard, json.loads(json.dumps(to_values(card))), "card") == card
    assert [node.op_type for node in onnx.load_from_string(style.model).graph.node] == ["Conv", "Relu", "Conv"]


def test_card_with_control_characters() -> None:
    model = onnx.load_from_string(networks.identity().model)
    write_card(model, ModelCard("net", "\x1b[2JNet", ("a\x07b",), licence="M\nIT"))
    card = make_style(model, "net").card
    assert (card.title, card.paintings, card.licence) == ("\ufffd[2JNet", ("a\ufffdb",), "M IT")


def test_card_of_an_enlarger() -> None:
    model = onnx.load_from_string(networks.enlarger(3, radius_px=1).model)
    card = ModelCard("net", "Net", ("net",), 1, 1, scale=3, canvas=0.25)
    write_card(model, card)
    assert make_style(model, "net").card == card


def test_what_a_card_says_beyond_what_is_known_is_passed_over() -> None:
    found = read_card({"framebrush.title": "Net", "framebrush.mood": "blue", "framebrush.name": "other"}, "net", "")
    assert found == (ModelCard("net", "Net", ("net",), brush=1.0, relief=0.5), Preprocessing())


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("paintings", "[" * 100_000),
        ("paintings", '{"a": 1}'),
        ("stride", "0"),
        ("radius_px", "-1"),
        ("brush", "1.5"),
        ("float16_codes", "NaN"),
        ("speed", "fast"),
        ("mean", "[1, 2]"),
        ("input_range", "percent"),
    ],
)
def test_a_hostile_card_is_refused_in_one_sentence(key: str, text: str) -> None:
    with pytest.raises(StyleError, match=r"net\.onnx: its card is damaged"):
        read_card({"framebrush.title": "Net", f"framebrush.{key}": text}, "net", "net.onnx")


@pytest.mark.parametrize("scale", ["0", "5", "x"])
def test_card_with_a_scale_that_is_none(scale: str) -> None:
    model = onnx.load_from_string(networks.identity().model)
    write_card(model, ModelCard("net", "Net", ("net",)))
    entry = model.metadata_props.add()
    entry.key, entry.value = "framebrush.scale", scale
    with pytest.raises(StyleError, match="net: its card is damaged"):
        make_style(model, "net")


@pytest.mark.parametrize(
    ("text", "file", "mix", "remark"),
    [
        ("ink", "ink", (), ""),
        ("INK", "ink", (), ""),
        ("pair", "pair", (), ""),
        ("hokusai", "pair", (0.0, 1.0), ""),
        ("hokusai:1", "pair", (0.0, 1.0), ""),
        ("vangogh:0.6,hokusai:0.4", "pair", (0.6, 0.4), ""),
        (" Hokusai : 3 , vangogh : 1 ", "pair", (0.25, 0.75), "style weights sum to 4; normalised to 1"),
        ("vangogh,hokusai", "pair", (0.5, 0.5), "style weights sum to 2; normalised to 1"),
        ("ink:1", "ink", (), ""),
    ],
)
def test_names_and_blends(shelf: Path, text: str, file: str, mix: tuple[float, ...], remark: str) -> None:
    chosen = library.parse_style(text)
    assert list(chosen.files) == [shelf / f"{file}.onnx"]
    assert chosen.mix([library.card_of(shelf / f"{file}.onnx")]) == pytest.approx(mix)
    assert chosen.remark == remark


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("inc", "style 'inc' is unknown; did you mean 'ink'?"),
        ("zzzzzz", "style 'zzzzzz' is unknown; known are"),
        ("hokusia:1", "style 'hokusia' is unknown; did you mean 'hokusai'?"),
        ("vangogh:0.5,ink:0.5", "are in different files; only paintings of one file blend"),
        ("a.onnx:0.5,b.onnx:0.5", "a.onnx: there is no such file"),
        ("vangogh:0.5,Mine.ONNX", "Mine.ONNX: there is no such file"),
        ("vangogh:x", "'x' is not a weight"),
        ("vangogh:-1", "a weight of -1 cannot be painted"),
        ("vangogh:nan", "a weight of nan cannot be painted"),
        ("vangogh:inf", "a weight of inf cannot be painted"),
        ("vangogh:0,hokusai:0", "all weights are 0"),
        ("", "style '' is unknown"),
        (":0.5", "style '' is unknown"),
        ("missing.onnx", "there is no such file"),
    ],
)
def test_names_that_are_none(shelf: Path, text: str, reason: str) -> None:
    with pytest.raises(StyleError) as caught:
        library.parse_style(text)
    assert reason in str(caught.value)


def test_files_by_their_paths_blend(shelf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Upper and lower case are different files; a path may have a colon."""
    files = [tmp_path / name for name in ("Mine.onnx", "mine.onnx", "c:mine.onnx")]
    for file in files:
        file.write_bytes(networks.identity().model)
    monkeypatch.chdir(tmp_path)
    chosen = library.parse_style("Mine.onnx:0.5,vangogh:0.25,mine.onnx:0.125,c:mine.onnx:0.125")
    shares = {shelf / "pair.onnx": {"vangogh": 0.25}} | dict(
        zip(map(Path, ("Mine.onnx", "mine.onnx", "c:mine.onnx")), ({"": 0.5}, {"": 0.125}, {"": 0.125}), strict=True)
    )
    assert chosen.files == shares
    assert next(iter(chosen.files)) == shelf / "pair.onnx"  # the bundled file first
    assert library.parse_style("c:mine.onnx,Mine.onnx").files.keys() == {Path("c:mine.onnx"), Path("Mine.onnx")}


def test_a_file_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine, with a comma.onnx"
    path.write_bytes(networks.identity().model)
    assert library.parse_style(str(path)) == library.Chosen({path: {}})


def test_contract_loads_no_library() -> None:
    """A device imports the contract; onnx and ONNX Runtime come only when a style is loaded."""
    code = "import sys, framebrush.models.style; sys.exit(bool({'onnx', 'onnxruntime', 'numpy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
