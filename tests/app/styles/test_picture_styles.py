"""Pictures as styles: reading any content, and names."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.temporal_window import NO_WINDOW, PAST_ONE
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import read_look, write_look
from framebrush.jobs.still import encoded
from framebrush.models.brushes import OIL
from framebrush.models.colours import oklab
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.picture_strokes import kind_of
from framebrush.models.style import StyleError
from framebrush.styles.cube import write_cube
from framebrush.styles.reference_pictures import is_picture, open_picture
from framebrush.styles.specs import OWN_COLOURS, ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_folder import StyleFolder
from framebrush.styles.style_names import coloured_by, in_colours, open_style, window_for
from framebrush.styles.style_paths import absolute
from tests.media import photographs

pytestmark = pytest.mark.media

CMYK = base64.b64decode(
    "/9j/7gAOQWRvYmUAZAAAAAAA/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhc"
    "ZWdj/8AAFAgAEAAQBEMRAE0RAFkRAEsRAP/EABYAAQEBAAAAAAAAAAAAAAAAAAAGB//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAOBEMATQBZAEsA"
    "AD8A0BNJpoAAAAD/2Q=="
)
"""A JPEG of 16x16, all of it (0, 200, 200, 0) in cyan, magenta, yellow and black."""

RGB = npt.NDArray[np.uint8]


def noise(colour: tuple[int, int, int], height: int = 64, width: int = 96) -> RGB:
    """A picture of colours around one."""
    spread = np.random.default_rng(0).normal(0, 25, (height, width, 3))
    return (np.array(colour) + spread).clip(0, 255).astype(np.uint8)


def png(path: Path, picture: npt.NDArray[np.unsignedinteger]) -> Path:
    """Write (H, W, 1..4) of 8 or 16 bits, by the specification itself."""
    height, width, channels = picture.shape
    bits, kind = 8 * picture.dtype.itemsize, {1: 0, 2: 4, 3: 2, 4: 6}[channels]
    rows = b"".join(b"\0" + row.astype(row.dtype.newbyteorder(">")).tobytes() for row in picture)

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, bits, kind, 0, 0, 0)
    chunks = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunks)
    return path


@pytest.fixture
def red(tmp_path: Path) -> Path:
    return png(tmp_path / "red.png", noise((180, 60, 40)))


@pytest.fixture
def blue(tmp_path: Path) -> Path:
    return png(tmp_path / "blue.png", noise((40, 70, 170)))


def painted(name: str, picture: RGB, colours: ColourSpec = OWN_COLOURS) -> RGB:
    """A picture (H, W, 3) through a style without a brush, its colours taken from that picture alone."""
    height, width = picture.shape[:2]
    form = rgba8(width, height)
    frame = Frame(form, (np.dstack([picture, np.full((height, width), 255, np.uint8)]),))
    opened = in_colours(open_style(name), colours)
    look = Look(dither=False, steady=0.0, brush=0.0, relief=0.0, canvas=0.0)
    with (
        open_device("cpu") as device,
        device.stylizer(coloured_by(opened, frame), form, form, look=look) as stylizer,
    ):
        return stylizer.fetch(stylizer.submit(frame)).planes[0][..., :3].astype(np.uint8)


@pytest.mark.slow
def test_a_film_gets_the_colours_of_a_picture(red: Path, blue: Path) -> None:
    film = noise((120, 130, 120))
    for path, wanted in ((red, noise((180, 60, 40))), (blue, noise((40, 70, 170)))):
        made = painted(str(path), film)
        assert np.abs(made.mean((0, 1)) - wanted.mean((0, 1))).max() < 24, path
    card = open_style(str(red)).style.card
    assert (card.name, card.paints) == ("red", False)
    assert (card.brush, card.relief, card.canvas, card.stroke) == (1.0, 0.5, 0.0, 1.0)  # too small to show strokes
    assert card.brush_kind == OIL


def test_strokes_are_those_of_the_picture(tmp_path: Path) -> None:
    rows, columns = np.mgrid[:300, :400]
    flat = np.repeat((rows // 3 + columns // 4).astype(np.uint8)[..., None], 3, -1)
    rough = (flat + 60 * np.sin(rows / 2)[..., None]).clip(0, 255).astype(np.uint8)
    cards = {}
    for name, picture in (("flat", flat), ("rough", rough)):
        opened = open_picture(str(png(tmp_path / f"{name}.png", picture)))
        cards[name] = card = open_style(str(tmp_path / f"{name}.png")).style.card
        told = opened.strokes
        assert (card.brush, card.relief, card.canvas) == tuple(
            round(share, 3) for share in (told.brush, told.relief, told.canvas)
        )
        assert 0.5 <= card.stroke <= 2.0
        assert card.brush_kind == kind_of(round(told.length, 3), round(told.jitter, 3))
    assert cards["rough"].relief > cards["flat"].relief + 0.3
    assert cards["rough"].brush_kind.lengths[0] > cards["flat"].brush_kind.lengths[0] + 2
    mixed = open_style(f"{tmp_path / 'flat.png'}:1,{tmp_path / 'rough.png'}:1").style.card.brush_kind
    means = [sum(card.brush_kind.lengths[0] for card in cards.values()) / 2]
    assert mixed.lengths[:1] == pytest.approx(means, abs=0.001)
    assert Look().of(cards["rough"]).relief == cards["rough"].relief
    assert Look(relief=0.1).of(cards["rough"]).relief == 0.1


def test_its_own_picture_stays_as_it_is(red: Path) -> None:
    made = painted(str(red), noise((180, 60, 40)))
    assert np.abs(made.astype(int) - noise((180, 60, 40))).mean() < 2


@pytest.mark.slow
def test_two_pictures_mix(red: Path, blue: Path) -> None:
    film = noise((120, 130, 120))
    one, other = (painted(str(path), film).astype(float) for path in (red, blue))
    mixed = painted(f"{red}:0.25,{blue}:0.75", film)
    assert np.abs(mixed - (0.25 * one + 0.75 * other)).max() <= 2.5
    opened = open_style(f"{red}:1,{blue}:3")
    assert opened.style.card.title == "red, blue"
    assert "normalised" in opened.notes[0]
    for text in (f"{red},starry-night", f"starry-night:0.5,{red}:0.5"):
        with pytest.raises(StyleError, match=r"pictures and networks do not blend; .* with --palette"):
            open_style(text)


@pytest.mark.slow
def test_a_frame_of_a_film_is_a_picture(tmp_path: Path) -> None:
    film = CLIPS / "landscape.mp4"
    for place in ("0.5", "12f", "0:00:00.5"):
        opened = open_style(f"{film}@{place}")
        assert opened.style.card.name == f"landscape@{place}"
    assert is_picture(f"{film}@0.5")
    assert not is_picture(f"{film}@midnight")
    named = png(tmp_path / "me@home.png", noise((1, 2, 3)))
    assert open_style(str(named)).style.card.name == "me@home"
    with pytest.raises(StyleError, match=r"cannot be a style: .* starts after the last frame"):
        open_style(f"{film}@900")
    with pytest.raises(StyleError, match="there is no such file"):
        open_style(str(tmp_path / "gone.jpg"))


def test_what_is_no_picture_is_refused_in_a_sentence(tmp_path: Path, red: Path) -> None:
    whole = red.read_bytes()
    huge = bytearray(whole)
    huge[16:24] = struct.pack(">II", 60000, 60000)
    huge[29:33] = struct.pack(">I", zlib.crc32(huge[12:29]))
    for name, content in {
        "empty.png": b"",
        "text.jpg": b"no picture at all\n" * 50,
        "cut.png": whole[:60],
        "huge.png": bytes(huge),
    }.items():
        path = tmp_path / name
        path.write_bytes(content)
        with pytest.raises(StyleError, match=f"the picture .*{name} cannot be a style: "):
            open_style(str(path))
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(StyleError, match="is a folder"):
        open_style(str(tmp_path / "folder.png"))


@pytest.mark.slow
def test_unusual_pictures_are_read(tmp_path: Path) -> None:
    (tmp_path / "cmyk.jpg").write_bytes(CMYK)
    assert np.abs(open_picture(str(tmp_path / "cmyk.jpg")).colours * 255 - [254, 53, 53]).max() < 3
    deep = png(tmp_path / "deep.png", noise((100, 50, 20)).astype(np.uint16) * 257)
    assert np.abs(open_picture(str(deep)).rgb.astype(int) - noise((100, 50, 20))).max() <= 2
    assert len(open_picture(str(png(tmp_path / "dot.png", noise((9, 99, 9), 1, 1)))).colours) == 1
    assert len(open_picture(str(png(tmp_path / "line.png", noise((9, 99, 9), 1, 3000)))).colours) > 100
    grey = open_style(str(png(tmp_path / "grey.png", noise((128, 128, 128))[..., :1])))
    assert grey.notes == ("grey is grey: the film becomes grey, too",)
    flat = np.full((40, 40, 3), (30, 120, 200), np.uint8)
    assert open_style(str(png(tmp_path / "flat.png", flat))).notes == (
        "flat is of one colour: the film is tinted with it",
    )
    made = painted(str(tmp_path / "flat.png"), noise((120, 130, 120)))
    assert np.isfinite(made.astype(float)).all()
    assert made[..., 2].mean() > made[..., 0].mean() + 20


def test_of_an_animation_the_first_picture_counts(tmp_path: Path) -> None:
    first, second = (Image.fromarray(noise(colour)) for colour in ((180, 60, 40), (20, 60, 200)))
    path = tmp_path / "Moving.GIF"
    first.save(path, save_all=True, append_images=[second], duration=200)
    opened = open_picture(str(path))
    assert opened.name == "Moving"
    assert np.abs(opened.rgb.astype(int) - np.asarray(Image.open(path).convert("RGB"))).max() <= 1
    assert open_style(str(path)).palette is not None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["webp", "tiff", "tif", "heic", "jfif", "jpg", "bmp"])
def test_kinds_of_files(tmp_path: Path, kind: str, red: Path) -> None:
    wanted = noise((180, 60, 40)).repeat(4, 0).repeat(4, 1)  # for chroma that is halved
    path = tmp_path / f"picture.{kind}"
    match kind:
        case "webp":
            path.write_bytes(photographs.webp(wanted, 1))
        case "tif" | "tiff":
            path.write_bytes(encoded(wanted, "tiff", "rgb24"))
        case "heic":
            path.write_bytes(photographs.heic(wanted, 1))
        case "bmp":
            path.write_bytes(encoded(wanted, "bmp", "bgr24"))
        case _:
            path.write_bytes(photographs.jpeg(wanted, 1))
    assert is_picture(str(path))
    seen = open_picture(str(path)).rgb.astype(int)
    assert seen.shape == wanted.shape
    assert np.abs(seen - wanted).mean() < 8
    made, same = (painted(str(file), noise((120, 130, 120))).astype(int) for file in (path, red))
    assert np.abs(made - same).mean() < 5


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.95, 1.0])
def test_a_jpeg_that_was_cut_off_is_said(tmp_path: Path, kept: float) -> None:
    whole = photographs.jpeg(noise((180, 60, 40)), 1)
    path = tmp_path / "part.jpg"
    path.write_bytes(whole[: int(kept * len(whole))])
    said = "part is damaged: only its decodable part is used"
    assert (said in open_style(str(path)).notes) == (kept < 1)
    (tmp_path / "tail.jpg").write_bytes(whole + b"what cameras write behind it")
    assert open_style(str(tmp_path / "tail.jpg")).notes == ()


def test_a_black_picture_that_stands_for_the_film_is_said(tmp_path: Path, red: Path) -> None:
    black = png(tmp_path / "black.png", np.zeros((40, 40, 3), np.uint8))
    opened = in_colours(open_style(str(red)), ColourSpec(palette_from=str(black)))
    assert any("black.png shows one colour" in note for note in opened.notes)
    assert opened.style.after is not None
    assert opened.style.after.is_identity


def test_what_is_transparent_does_not_count(tmp_path: Path) -> None:
    hidden = np.dstack([np.full((64, 64, 3), (0, 255, 0), np.uint8), np.zeros((64, 64), np.uint8)])
    hidden[20:40, 20:40, :3], hidden[20:40, 20:40, 3] = noise((200, 60, 60), 20, 20), 255
    colours = open_picture(str(png(tmp_path / "logo.png", hidden))).colours
    assert colours[:, 0].min() > colours[:, 1].max() * 0.5
    hidden[..., 3] = 0
    with pytest.raises(StyleError, match=r"ghost\.png cannot be a style: it is transparent everywhere"):
        open_picture(str(png(tmp_path / "ghost.png", hidden)))


@pytest.mark.parametrize("code", [0, 255])
def test_a_black_or_white_picture_takes_a_films_colours_and_leaves_its_light(tmp_path: Path, code: int) -> None:
    path = png(tmp_path / "blank.png", np.full((40, 40, 3), code, np.uint8))
    assert open_style(str(path)).notes == ("blank is grey: the film becomes grey, too",)
    assert open_picture(str(path)).colours.mean() == pytest.approx(code / 255, abs=1e-3)
    film = noise((180, 60, 40))
    made = painted(str(path), film)
    assert np.ptp(made, axis=-1).max() <= 1
    light, own = (oklab.from_rgb(picture.astype(np.float32) / 255)[..., 0] for picture in (made, film))
    assert np.abs(light - own).mean() < 0.03


def test_a_changed_picture_is_read_anew(red: Path) -> None:
    before = open_style(str(red)).digest
    assert open_style(str(red)).digest == before
    png(red, noise((20, 160, 40)))
    assert open_style(str(red)).digest != before


@pytest.mark.slow
def test_tables_go_first_or_last(tmp_path: Path, red: Path) -> None:
    """A table that swaps red and blue: ahead of a picture's colours it changes the film alone."""
    swapped = tmp_path / "swap.cube"
    write_cube(ColourTable(ColourTable.identity(2).grid[..., ::-1]), swapped)
    film = noise((160, 120, 60))
    plain = painted("none", film)
    for first in (True, False):
        made = painted("none", film, ColourSpec(lut=str(swapped), lut_first=first))
        assert np.abs(made[..., ::-1].astype(int) - plain).max() <= 1
    last = painted(str(red), film, ColourSpec(lut=str(swapped)))
    assert np.abs(last[..., ::-1].astype(int) - painted(str(red), film)).max() <= 2
    first_made = painted(str(red), film, ColourSpec(lut=str(swapped), lut_first=True))
    assert first_made[..., 0].mean() > first_made[..., 2].mean() + 60  # still red
    with pytest.raises(StyleError, match=r"none\.cube cannot be read"):
        in_colours(open_style("none"), ColourSpec(lut=str(tmp_path / "none.cube")))


def test_palettes_that_cannot_be_are_refused(red: Path) -> None:
    for colours, words in (
        (ColourSpec("sunset"), "sunset is no picture and no style of your own; --palette takes"),
        (
            ColourSpec(palette_from=str(red)),
            "no picture gives colours for the frame; --palette-from needs",
        ),
        (
            ColourSpec(str(red), "sunset"),
            "sunset is no picture and no style of your own; --palette-from takes",
        ),
    ):
        with pytest.raises(StyleError, match=words):
            in_colours(open_style("none"), colours)


def test_brush_strokes_of_a_picture_do_not_shrink_the_film(red: Path) -> None:
    card = open_style(str(red)).style.card
    assert window_for(card, Look()) == PAST_ONE  # what strokes are carried from
    assert window_for(card, Look(brush=0.0, relief=0.0)) == NO_WINDOW
    assert Look(steady=1.0).of(card).steady < 0.01  # a film is not mixed with itself


@pytest.mark.slow
def test_own_pictures_are_kept_listed_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], red: Path
) -> None:
    for variable in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "data"))
    assert run(["styles", "--add", str(red), "--name", "Autumn, red"]) == 0
    assert run(["styles", "--add", str(red), "--name", "autumn, red"]) != 0
    assert "there is already a style called autumn, red" in capsys.readouterr().err
    assert run(["styles", "--add", str(red), "--name", "another"]) == 0
    assert f"{red.name} is there already as Autumn, red;" in capsys.readouterr().err
    (own,) = StyleFolder()
    assert own.path.read_bytes() == red.read_bytes()
    assert own.picture not in (own.path, red)  # what it paints has a file of its own
    assert own.path in StyleFolder()
    assert run(["styles"]) == 0
    assert "Autumn, red" in capsys.readouterr().out
    assert run(["styles", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert {"starry-night", "ink", "Autumn, red"} < {style["name"] for style in listed}
    assert listed[-1] | {"bytes": 0} == {
        "name": "Autumn, red", "kind": "picture", "file": "", "path": str(own.path),
        "bytes": 0, "speed": "", "licence": "",
    }  # fmt: skip
    assert [style["file"] for style in listed if style["name"] == "starry-night-fine"] == ["quality"]
    assert run(["styles", "--json", "--name", "x"]) != 0
    assert open_style("autumn, RED").digest == open_style(str(own.path)).digest
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / "landscape.mp4").read_bytes())
    assert run(["styles", "--add", f"{film}@0.2"]) == 0
    assert "film.mp4@0.2 was added as film@0.2" in capsys.readouterr().err
    there = painted(f"{film}@0.2", noise((120, 130, 120)))
    film.unlink()
    assert np.abs(painted("film@0.2", noise((120, 130, 120))).astype(int) - there).max() <= 3
    StyleFolder().remove(next(own.path for own in StyleFolder() if own.name == "film@0.2"))
    by_name, by_path = (in_colours(open_style("none"), ColourSpec(which)).digest for which in ("autumn, RED", str(red)))
    assert by_name == by_path  # --palette takes the name, too
    (tmp_path / "text.png").write_text("no picture")
    assert run(["styles", "--add", str(tmp_path / "text.png")]) != 0
    assert run(["styles", "--name", "x"]) != 0
    assert len(list(StyleFolder())) == 1


def test_a_saved_look_finds_its_picture(tmp_path: Path, red: Path) -> None:
    write_look(Recipe(StyleSpec(str(red)), Look(), SizeSpec()), tmp_path / "autumn.look")
    assert '"red.png"' in (tmp_path / "autumn.look").read_text()
    assert read_look(tmp_path / "autumn.look").style.name == str(red)


def test_a_saved_look_goes_along_with_all_its_files(tmp_path: Path, red: Path, blue: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / "landscape.mp4").read_bytes())
    for name in (f"{red}:0.25,{blue}:0.75", f"{film}@0:00:00.5", f"{film}@0.5:0.3,{red}:0.7", "great-wave:0.3,ink:0.7"):
        write_look(Recipe(StyleSpec(name), Look(), SizeSpec()), tmp_path / "a.look")
        assert str(tmp_path) not in (tmp_path / "a.look").read_text()
        tmp_path.rename(moved_to := tmp_path.with_name(f"{tmp_path.name}-moved"))
        try:
            found = read_look(moved_to / "a.look").style.name
        finally:
            moved_to.rename(tmp_path)
        assert found == name.replace(str(tmp_path), str(moved_to))
    elsewhere = tmp_path / "elsewhere"
    write_look(Recipe(StyleSpec(f"{film}@0.5"), Look(), SizeSpec()), elsewhere / "a.look")
    assert read_look(elsewhere / "a.look").style.name == f"{film}@0.5"


def test_a_style_keeps_its_files_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, red: Path, blue: Path
) -> None:
    """As the window remembers it until it starts again."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a, b.png").write_bytes(red.read_bytes())
    (tmp_path / "film.mp4").write_bytes((CLIPS / "landscape.mp4").read_bytes())
    assert absolute("red.png") == str(red)
    assert absolute("red.png:0.5, blue.png") == f"{red}:0.5, {blue}"
    assert absolute("a, b.png") == str(tmp_path / "a, b.png")
    assert absolute("film.mp4@12f") == f"{tmp_path / 'film.mp4'}@12f"
    for name in ("", "ink", "starry-night:0.6,great-wave:0.4", "gone.png", str(red), "My own, style"):
        assert absolute(name) == name
    seen = list[object]()

    def show(source: str | None, *, style: str, colours: ColourSpec | None, **_: object) -> int:
        seen.extend([style, colours])
        return 0

    monkeypatch.setattr("framebrush.window.run", show)
    assert run(["play", "--style", "red.png"]) == 0
    assert run(["play", "--palette", "red.png", "--palette-from", "film.mp4@0.2"]) == 0
    assert run(["play", "--palette", "film", "--lut", "grade.cube", "--lut-first"]) == 0
    taken = ColourSpec(str(red), f"{tmp_path / 'film.mp4'}@0.2")
    assert seen == [str(red), None, "", taken, "", ColourSpec("film", None, "grade.cube", True)]


def test_neighbours_are_not_mixed_into_a_film(red: Path) -> None:
    """Noise of the film stays, although bristles search the film for motion."""
    form = rgba8(96, 64)
    dice = np.random.default_rng(1)
    still = np.full((64, 96, 4), 128, np.uint8)
    films = [Frame(form, ((still + dice.integers(0, 8, still.shape)).astype(np.uint8),)) for _ in range(3)]
    style = open_style(str(red)).style
    look = Look(dither=False, steady=1.0, brush=0.0, relief=0.0, canvas=0.0)
    window = window_for(style.card, Look(relief=0.5))
    with open_device("cpu") as device, device.stylizer(style, form, form, look=look, window=window) as stylizer:
        for number, film in enumerate(films):
            made = stylizer.fetch(stylizer.submit(film, place=number)).planes[0]
            assert np.array_equal(made[..., :3], film.planes[0][..., :3])
