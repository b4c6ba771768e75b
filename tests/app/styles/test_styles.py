"""Style names: opening and listing."""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.cli.command_line import run
from framebrush.cli.groups import UsageError
from framebrush.cli.play import style_to_show
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.models import library
from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.load import load_style
from framebrush.models.style import ModelCard, Style, StyleError
from framebrush.styles.style_folder import StyleFolder
from framebrush.styles.style_names import open_style
from tests import networks

pytestmark = pytest.mark.unit

SIZE = rgba8(48, 32)


def paint(name: str, look: Look | None = None) -> npt.NDArray[np.unsignedinteger]:
    """A picture of noise in a style."""
    frame = Frame(SIZE, (np.random.default_rng(1).integers(0, 256, (32, 48, 4), np.uint8),))
    with (
        open_device("cpu") as device,
        device.stylizer(open_style(name).style, SIZE, SIZE, look=look or Look()) as stylizer,
    ):
        return stylizer.fetch(stylizer.submit(frame)).planes[0]


def test_oil_is_the_film_in_strokes_and_without_them_the_film() -> None:
    film = paint("none", Look(dither=False))
    assert np.array_equal(paint("oil", Look(dither=False, brush=0.0, relief=0.0)), film)
    drawn = paint("oil", Look(dither=False))
    assert np.abs(drawn.astype(int) - film).mean() > 1
    assert np.abs(drawn.mean((0, 1)) - film.mean((0, 1))).max() < 8  # in its own colours


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make an empty folder of the user's own styles."""
    for variable in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    folder = StyleFolder().path
    assert folder == tmp_path / "Framebrush" / "Framebrush" / "styles"
    folder.mkdir(parents=True)
    return folder


def learn(path: Path, painting: str, size: str = "realtime") -> None:
    """A style file as training writes it, of the weights of a bundled painting."""
    pytest.importorskip("torch")
    from framebrush.models.training.export import stored, to_onnx, write
    from framebrush.models.training.painter_network import SHAPES

    bundled = library.bundled()[size]
    weights = stored(bundled, SHAPES[size])[library.card_of(bundled).paintings.index(painting)]
    write(to_onnx(SHAPES[size], [weights], ModelCard(path.stem, path.stem, (path.stem,), float16_codes=0.2)), path)


def test_a_file_that_several_threads_open_at_once_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, read = tmp_path / "own.onnx", []
    shutil.copy(library.bundled()["realtime"], path)

    def load(file: Path, overrides: None) -> Style:
        read.append(file)
        return load_style(file, overrides=overrides)

    monkeypatch.setattr("framebrush.models.reading.load.load_style", load)
    with ThreadPoolExecutor(4) as pool:
        opened = list(pool.map(lambda _: open_style(str(path)).style.model, range(4)))
    assert read == [path]
    assert all(model is opened[0] for model in opened)
    os.utime(path, ns=(1, 1))
    open_style(str(path))
    assert read == [path, path]


def test_a_named_painting_is_what_a_default_look_paints() -> None:
    """The weights come with the style, so that nobody who opens one has to hand them on."""
    wave = open_style("great-wave").style
    assert np.array_equal(paint("great-wave"), paint("realtime", Look(mix=wave.mix)))
    assert not np.array_equal(paint("great-wave"), paint("starry-night"))
    with pytest.raises(StyleError, match=r"2 weights were given for .*, which holds 16 paintings"):
        replace(wave, mix=(0.5, 0.5))


def test_own_styles_are_listed_and_opened_by_name(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("My ink, the 2nd", "ink", "Seashore"):
        (own / f"{name}.onnx").write_bytes(networks.identity().model)
    assert run(["styles"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "your own" in line]
    assert [row.split("your own")[0].strip() for row in rows] == ["ink", "My ink, the 2nd", "Seashore"]
    assert open_style("my INK, the 2nd").style.card.name == "My ink, the 2nd"
    assert open_style("ink").style.card.title == "Ink"  # a bundled name goes first
    with pytest.raises(StyleError, match="did you mean 'seashore'"):
        open_style("seashor")


@pytest.mark.slow
def test_own_styles_blend_with_the_paintings_of_their_network(own: Path) -> None:
    learn(own / "mine.onnx", "composition-vii")
    learn(own / "theirs.onnx", "scream")
    for written, same in (
        ("starry-night:0.25,mine:0.75", "starry-night:0.25,composition-vii:0.75"),
        ("mine:0.5,great-wave:0.3,theirs:0.2", "composition-vii:0.5,great-wave:0.3,scream:0.2"),
        ("mine:0.5,theirs:0.5", "composition-vii:0.5,scream:0.5"),
        (f"starry-night:0.25,{own / 'mine.onnx'}:0.75", "starry-night:0.25,composition-vii:0.75"),
    ):
        unbrushed = Look(brush=0.0, relief=0.0)  # the bundled ones are brushed by default
        difference = paint(written, unbrushed).astype(int) - paint(same, unbrushed).astype(int)
        assert np.abs(difference).max() <= 1
    joined = open_style("starry-night,mine")
    assert joined.style.card.paintings[-2:] == ("in-bed", "mine")
    assert joined.notes == ("style weights sum to 2; normalised to 1",)
    assert joined.style.card.float16_codes == 0.3
    assert joined.style.as_float16().mix == joined.style.mix


@pytest.mark.slow
def test_what_has_another_network_does_not_blend(own: Path) -> None:
    learn(own / "finer.onnx", "scream-fine", "quality")
    (own / "foreign.onnx").write_bytes(networks.box_blur().model)
    for blend in ("starry-night,finer", "starry-night,foreign", "foreign,finer", "ink,foreign"):
        with pytest.raises(StyleError, match=r"and \w+ cannot be blended: only bundled paintings of one size can be"):
            open_style(blend)


@pytest.mark.slow
def test_a_network_is_kept_as_it_is_read(own: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And needs no options from then on, in the window either."""
    file = tmp_path / "low-light.onnx"
    file.write_bytes(networks.low_light().SerializeToString())
    said = PreprocessingOverrides(None, "bgr", "unit", "unit", result="enhanced")
    options = ("--net-order", "bgr", "--net-input", "unit", "--net-output", "unit", "--net-result", "enhanced")
    assert run(["styles", "--add", str(file)]) != 0
    assert "2 outputs (light, enhanced); choose the picture among them with --net-result" in capsys.readouterr().err
    assert run(["styles", "--add", str(file), "--name", "brighter", *options]) == 0
    wanted = open_style(str(file), said).style
    kept = open_style("brighter").style
    assert replace(kept.card, notes=(), name="") == replace(wanted.card, notes=(), name="")
    shown = style_to_show(str(file), said)
    assert shown == str(own / "brighter.onnx")  # it is there already
    assert "order bgr as you said" in capsys.readouterr().err
    picture = np.random.default_rng(1).random((1, 3, 32, 48), np.float32)
    sessions = [networks.session(style.model) for style in (kept, wanted)]
    results = [session.run(None, {"frame": picture})[0] for session in sessions]
    np.testing.assert_allclose(results[0], picture * 1.25, atol=1e-5)
    np.testing.assert_allclose(results[0], results[1], atol=1e-6)
    assert style_to_show("ink", PreprocessingOverrides()) == "ink"
    with pytest.raises(UsageError, match="name its file with --style"):
        style_to_show("", said)


def test_an_option_without_a_file_is_refused(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["styles", "--net-value", "sigma=1"]) != 0
    assert "--name and --net-… need --add FILE" in capsys.readouterr().err
    assert list(own.iterdir()) == []
