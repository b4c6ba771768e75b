"""Frames of a film as pictures to paint over: which ones, and that nothing of a person's work is lost."""

from __future__ import annotations

import json
import shutil
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from framebrush.cli.command_line import run
from framebrush.jobs.still import encoded
from framebrush.media.video import InputError, Position
from framebrush.painted.extract import extract, frames_of
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.styles.reference_pictures import decode
from tests.app.painted.films import SHOT_FRAMES, paint_over, two_shots
from tests.app.styles.shaded import film as written
from tests.app.styles.shaded import shaded

pytestmark = pytest.mark.media


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_shots(tmp_path_factory.mktemp("film") / "film.mp4")


@pytest.fixture
def film(source: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(source, tmp_path))


def test_each_shot_gives_one_frame_at_full_size(film: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["keys", str(film), "extract", "--progress=none"]) == 0
    folder = PaintedFolder.beside(film)
    manifest = folder.read()
    assert [(shot.first, shot.dissolve) for shot in manifest.shots] == [(0, 0), (SHOT_FRAMES, 0)]
    pictures = capsys.readouterr().out.split()
    assert pictures == [str(folder.picture(shot.telling)) for shot in manifest.shots]
    assert manifest.shots[0].telling < SHOT_FRAMES <= manifest.shots[1].telling
    with frames_of(film) as shown:
        for shot in manifest.shots:
            found = decode(str(folder.picture(shot.telling)), None)
            assert found.size == (manifest.width, manifest.height) == (96, 64)
            assert np.array_equal(found.rgb, shown.rgb(shot.telling))
    assert folder.painted(manifest) == {}


def test_reading_is_told_in_json(film: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["keys", str(film), "extract", "--progress=json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[0]) == {"read": 0, "frames": 2 * SHOT_FRAMES}


def test_the_sharp_frame_is_chosen(tmp_path: Path) -> None:
    flat = [
        np.full((64, 96, 3), (190, 110, 50), np.uint8) // 2 + shaded((95, 55, 25), n, down=True) / 2 for n in range(6)
    ]
    sharp = shaded((190, 110, 50), 4, down=True)
    film = written(tmp_path / "film.mp4", [each.astype(np.uint8) for each in (*flat[:4], sharp, *flat[4:])])
    assert extract(film, PaintedFolder.beside(film)) == [tmp_path / "film.keys" / "frame-000004.png"]


def test_a_person_says_which_frames(film: Path) -> None:
    places = ["0.04", "11f", "12f"]
    assert run(["keys", str(film), "extract", "--progress=none", *(f"--at={place}" for place in places)]) == 0
    assert sorted(PaintedFolder.beside(film).pictures()) == [1, 11, 12]
    assert extract(film, PaintedFolder.beside(film), [Position(Fraction(2), "frame")]) == [
        film.with_name("film.keys") / "frame-000002.png"
    ]
    assert sorted(PaintedFolder.beside(film).pictures()) == [1, 2, 11, 12]


@pytest.mark.slow
@pytest.mark.parametrize("place", ["16f", "0.64", "90"])
def test_a_frame_behind_the_last_is_refused(film: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    """The last one was extracted in its place."""
    words = ["keys", str(film), "extract", "--progress=none", "--at"]
    assert run([*words, place]) != 0
    assert f"there is no frame at {place.rstrip('f')}" in (said := capsys.readouterr().err)
    assert "the last one is 15f" in said
    assert run([*words, "0.63"]) == 0
    assert [*PaintedFolder.beside(film).pictures()] == [15]


def test_what_was_painted_over_stays_unless_asked(film: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = PaintedFolder.beside(film)
    first, second = extract(film, folder)
    painting = paint_over(first)
    elsewhere = second.with_suffix(".webp")
    shutil.copy(first, elsewhere)
    assert run(["keys", str(film), "extract", "--progress=none"]) == 0
    assert "was painted over and stays" in capsys.readouterr().err
    assert np.array_equal(decode(str(first), None).rgb, painting)
    assert folder.painted(folder.read()) == {int(first.stem[6:]): first, int(second.stem[6:]): elsewhere}
    assert run(["keys", str(film), "extract", "--progress=none", "-y"]) == 0
    assert folder.painted(folder.read()) == {}
    assert not elsewhere.exists()


def test_a_frame_that_was_painted_twice_is_refused(film: Path) -> None:
    folder = PaintedFolder.beside(film)
    first, _ = extract(film, folder)
    paint_over(first)
    shutil.copy(first, first.with_suffix(".tif"))
    with pytest.raises(InputError, match=r"frame-00000\d.png and frame-00000\d.tif are the same frame"):
        folder.painted(folder.read())


@pytest.mark.parametrize(
    "name", ["frame-{:06d} copy.png", "Film frame_{:06d}-edited.PNG", "frame{:06d} (1).png", "sky.png"]
)
def test_the_number_of_a_frame_outlives_another_name(film: Path, name: str) -> None:
    folder = PaintedFolder.beside(film)
    first, second = extract(film, folder)
    number = folder.read().shots[1].telling
    picture = Image.open(second)  # as a program that keeps what a picture says of itself
    kept = PngInfo()
    if name == "sky.png":
        kept.add_text("Comment", picture.info["Comment"])
    Image.fromarray(255 - np.asarray(picture)).save(folder.path / name.format(number), pnginfo=kept)
    assert folder.painted(folder.read()) == {number: folder.path / name.format(number)}
    assert film.name in picture.info["Comment"]
    assert folder.pictures()[folder.read().shots[0].telling] == [first]


@pytest.mark.parametrize(
    "content", [b"", b"\x89PNG\r\n\x1a\n", b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\xff\xff\xff\xff" * 3, b"GIF89a" * 9]
)
def test_other_pictures_in_the_folder_are_left_alone(film: Path, content: bytes) -> None:
    folder = PaintedFolder.beside(film)
    extract(film, folder)
    known = folder.pictures()
    for name in ("notes.png", ".frame-000003.png", "shot-000000.preview.png", "keyframe-000001.png", "frame-12.png"):
        (folder.path / name).write_bytes(content)
    (folder.path / "plain.png").write_bytes(encoded(np.zeros((4, 4, 3), np.uint8), "png", "rgb24"))
    assert folder.pictures() == known


def test_a_film_that_changed_keeps_its_paintings_and_says_so(film: Path) -> None:
    folder = PaintedFolder.beside(film)
    first, _ = extract(film, folder)
    painting = paint_over(first)
    with film.open("ab") as file:
        file.write(b"\0" * 8 + b"free")
    said: list[str] = []
    extract(film, folder, say=said.append)
    assert any("has changed since frames were extracted" in line for line in said)
    assert np.array_equal(decode(str(first), None).rgb, painting)


@pytest.mark.parametrize(
    ("content", "match"),
    [
        ("[", "cannot be read"),
        ('{"film": 3}', "cannot be read"),
        ("[" * 100_000, "cannot be read"),
    ],
)
def test_a_damaged_list_of_keys_is_refused(film: Path, content: str, match: str) -> None:
    folder = PaintedFolder.beside(film)
    extract(film, folder)
    (folder.path / "keys.json").write_text(content)
    with pytest.raises(InputError, match=match):
        folder.read()


def test_pictures_without_pixels_and_shots_out_of_order_are_refused(film: Path) -> None:
    folder = PaintedFolder.beside(film)
    extract(film, folder)
    file = folder.path / "keys.json"
    whole = file.read_text()
    for change, why in (({"width": 0}, "cannot have 0x"), ({"shots": []}, "not in order from frame 0")):
        file.write_text(json.dumps(json.loads(whole) | change))
        with pytest.raises(InputError, match=why):
            folder.read()
    file.write_text(whole.replace(f'"first": {SHOT_FRAMES}', '"first": -1'))
    with pytest.raises(InputError, match="not in order"):
        folder.read()


def test_an_interrupted_extraction_leaves_nothing_that_looks_painted(
    film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = PaintedFolder.beside(film)

    def ends(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("framebrush.painted.extract.write_whole", ends)
        with pytest.raises(KeyboardInterrupt):
            extract(film, folder)
    assert folder.painted(folder.read()) == {}
    extract(film, folder)
    assert folder.painted(folder.read()) == {}


def test_a_turned_film_is_extracted_upright(tmp_path: Path) -> None:
    straight = two_shots(tmp_path / "straight.mp4")
    film = tmp_path / "film.mp4"
    with av.open(str(straight)) as source, av.open(str(film), "w") as target:
        stream = target.add_stream_from_template(source.streams.video[0])
        for packet in source.demux(video=0):
            if packet.dts is not None:
                packet.stream = stream
                target.mux(packet)
    content = bytearray(film.read_bytes())
    matrix = content.find(b"\0\1\0\0" + b"\0" * 12 + b"\0\1\0\0", content.find(b"tkhd"))
    content[matrix : matrix + 20] = bytes.fromhex("00000000 00010000 00000000 ffff0000 00000000")
    film.write_bytes(content)
    manifest = PaintedFolder.beside(film)
    first, _ = extract(film, manifest)
    assert (manifest.read().width, manifest.read().height) == decode(str(first), None).size == (64, 96)
