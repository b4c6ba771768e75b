"""A look as one file, with everything inside that it names."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import framebrush
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.look import Look
from framebrush.jobs import look_file
from framebrush.jobs.look_file import CONTENTS, MOST_BYTES, SUFFIX, unpacked
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookError, LookFolder, read_look, recipe_of, write_look
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_folder import StyleFolder
from tests import networks
from tests.app.api.test_paint import picture
from tests.app.styles.test_dabs import ROUND, gbr
from tests.app.styles.test_picture_styles import png

pytestmark = pytest.mark.media

RED = np.dstack([picture()[..., 2], picture()[..., 0] // 4, picture()[..., 1] // 4])


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's data is in the test's folder."""
    for variable in ("XDG_DATA_HOME", "APPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "data"))


@pytest.fixture
def made(tmp_path: Path) -> Recipe:
    """A look that names a file of every kind but networks, all in tmp_path / "there"."""
    there = tmp_path / "there"
    there.mkdir()
    (there / "tip, round.gbr").write_bytes(gbr(ROUND))
    style = png(there / "red.png", RED)
    for number in (3, 4):
        png(there / f"flow{number:03d}.png", np.roll(RED, 9 * number, axis=1))
    half = np.zeros_like(RED)
    half[:, 64:] = 255
    sizes = SizeSpec(
        brush_mark=str(there / "tip, round.gbr"),
        brush_directions=str(there / "flow%03d.png"),
        brush_sizes=str(png(there / "red.PNG", np.ascontiguousarray(RED[::-1]))),
        mask=str(png(there / "mask.png", half)),
    )
    film = shutil.copy(CLIPS / "cfr.mp4", there / "film.mp4")
    colours = ColourSpec(palette=f"{film}@0.2", palette_from=str(style))
    return Recipe(StyleSpec(f"{style}:0.6,{there / 'red.PNG'}:0.4"), Look(brush=0.9, film_inside=0.4), sizes, colours)


def painted(look: Path) -> np.ndarray[Any, Any]:
    return framebrush.paint(picture(), look=look, device="cpu")


def test_files_of_one_name_are_numbered(tmp_path: Path) -> None:
    paths = []
    for number, name in enumerate(("map.png", "map.png", "MAP.png")):
        (tmp_path / str(number)).mkdir()
        paths.append(str(png(tmp_path / str(number) / name, np.roll(RED, number, axis=1))))
    packed = tmp_path / f"a{SUFFIX}"
    assert write_look(Recipe(StyleSpec(paths[0]), sizes=SizeSpec(brush_sizes=paths[1], mask=paths[2])), packed) == ()
    with zipfile.ZipFile(packed) as archive:
        names = {name for name in archive.namelist() if name.startswith("files/")}
    assert {name.casefold() for name in names} == {"files/map.png", "files/map 2.png", "files/map 3.png"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::framebrush.PaintingWarning")
def test_a_look_file_needs_nothing_else(made: Recipe, tmp_path: Path) -> None:
    beside, packed = tmp_path / "a.json", tmp_path / f"a{SUFFIX}"
    assert write_look(made, beside) == write_look(made, packed) == ()
    expected = painted(beside)
    shutil.rmtree(tmp_path / "there")
    found = read_look(packed)
    assert np.array_equal(painted(packed), expected)
    assert replace(found, style=made.style, sizes=made.sizes, colours=made.colours) == made
    assert all(Path(file).is_relative_to(tmp_path / "data") for file in found.files)
    assert str(tmp_path / "there").encode() not in packed.read_bytes()
    source, target = png(tmp_path / "in.png", picture()), tmp_path / "out.png"
    assert run(["frame", str(source), str(target), "--look", str(packed), "--device", "cpu"]) == 0
    assert target.is_file()
    again = tmp_path / f"b{SUFFIX}"
    write_look(found, again)
    assert read_look(again) == read_look(again)
    assert len({*read_look(again).files}) == len({*made.files})


def test_the_same_look_is_the_same_file_and_is_unpacked_once(made: Recipe, tmp_path: Path) -> None:
    one, other = tmp_path / f"a{SUFFIX}", tmp_path / f"other{SUFFIX}"
    write_look(made, one)
    write_look(made, other)
    assert one.read_bytes() == other.read_bytes()
    found = read_look(one)
    times = [Path(file).stat().st_mtime_ns for file in found.files if Path(file).exists()]
    assert read_look(other) == found
    assert [Path(file).stat().st_mtime_ns for file in found.files if Path(file).exists()] == times
    damaged = Path(found.sizes.mask or "")
    damaged.write_bytes(bytes(damaged.stat().st_size))
    assert read_look(one) == found
    assert any(damaged.read_bytes())


def test_own_styles_and_what_was_learnt_go_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = tmp_path / "mine.onnx"
    network.write_bytes(networks.denoiser().SerializeToString())
    StyleFolder().keep(network, "My style")
    look, packed = Recipe(StyleSpec("My style")), tmp_path / f"a{SUFFIX}"
    write_look(look, packed)
    StyleFolder().remove(StyleFolder().path / "My style.onnx")
    assert Path(read_look(packed).style.name).read_bytes() == network.read_bytes()

    keys = tmp_path / "holiday.keys"
    keys.mkdir()
    shutil.copy(network, keys / "film.onnx")
    for name in (".lock", "shot-000000.npz", "shot-000000.preview.png", "keys.json", "frame-000001 (1), copy.png"):
        (keys / name).write_bytes(b"content of " + name.encode())
    look = Recipe(StyleSpec(str(keys)))
    assert write_look(look, packed) == ()
    unpacked_keys = Path(read_look(packed).style.name)
    assert unpacked_keys.name == "holiday.keys"
    assert {file.name for file in unpacked_keys.iterdir()} == {"film.onnx", "keys.json", "frame-000001 (1)_ copy.png"}
    monkeypatch.setattr(look_file, "MOST_LEARNT_BYTES", 100)
    (note,) = write_look(look, packed)
    assert note.startswith("the network learnt from holiday.keys has ")
    assert "more than 100 bytes: it is left out" in note
    assert not (Path(read_look(packed).style.name) / "film.onnx").exists()


def test_a_look_that_is_too_large_or_lacks_a_file_is_not_written(
    made: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / f"a{SUFFIX}"
    monkeypatch.setattr(look_file, "MOST_BYTES", 2000)
    with pytest.raises(LookError, match=r"the look has \d+ files of .*, and a look file takes .*; the largest is "):
        write_look(made, packed)
    monkeypatch.undo()
    (tmp_path / "there" / "mask.png").unlink()
    with pytest.raises(LookError, match=r"a\.fblook cannot be written: .*No such file"):
        write_look(made, packed)
    assert not packed.exists()


def test_a_full_disk_leaves_the_former_file(made: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = tmp_path / f"a{SUFFIX}"
    write_look(Recipe(StyleSpec("ink")), packed)
    before = packed.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(zipfile.ZipFile, "open", full)
    with pytest.raises(LookError, match="No space left on device"):
        write_look(made, packed)
    assert packed.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".part"] == []


TIP = gbr(ROUND)
FACTS = {"bytes": len(TIP), "sha256": hashlib.sha256(TIP).hexdigest()}


def hostile(
    path: Path,
    files: dict[str, bytes] | None = None,
    look: dict[str, Any] | None = None,
    listed: object = None,
    how: int = zipfile.ZIP_STORED,
    **contents: object,
) -> Path:
    """A look file with one tip, or with something else."""
    files = {"files/tip.gbr": TIP} if files is None else files
    listed = dict.fromkeys(files, FACTS) if listed is None else listed
    look = look or {"framebrush_look": 2, "style": {"name": "ink"}, "sizes": {"brush_mark": "files/tip.gbr"}}
    with zipfile.ZipFile(path, "w", how) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        archive.writestr(CONTENTS, json.dumps({"framebrush_look_file": 1, "look": look, "files": listed} | contents))
    return path


@pytest.mark.parametrize(
    ("made_by", "says"),
    [
        (lambda p: p.write_bytes(b""), "it is too short"),
        (lambda p: p.write_bytes(b"no archive" * 40), "it is damaged, or an archive of another kind"),
        (lambda p: hostile(p, {"../../tip.gbr": TIP}), r"'\.\./\.\./tip\.gbr', which is not in files"),
        (lambda p: hostile(p, {"/tip.gbr": TIP}), "which is not in files"),
        (lambda p: hostile(p, {"files/../tip.gbr": TIP}), "is not valid on every system"),
        (lambda p: hostile(p, {"files/a/b/tip.gbr": TIP}), "which is not in files"),
        (lambda p: hostile(p, {"files//tip.gbr": TIP}), "which is not in files"),
        (lambda p: hostile(p, {"files/con.gbr": TIP}), "is not valid on every system"),
        (lambda p: hostile(p, {"files/a:b.gbr": TIP}), "is not valid on every system"),
        (lambda p: hostile(p, {"files/a.gbr": TIP, "files/A.gbr": TIP}), "is not valid on every system"),
        (lambda p: hostile(p, listed={}), "its files are not those listed in its look.json"),
        (lambda p: hostile(p, listed=[]), "lists no files"),
        (lambda p: hostile(p, listed={"files/tip.gbr": {"bytes": -1, "sha256": "0" * 64}}), "does not describe"),
        (lambda p: hostile(p, listed={"files/tip.gbr": FACTS | {"bytes": MOST_BYTES + 1}}), "have more than"),
        (lambda p: hostile(p, listed={"files/tip.gbr": FACTS | {"bytes": 5}}), "does not have the size"),
        (
            lambda p: hostile(p, listed={"files/tip.gbr": FACTS | {"sha256": "0" * 64}}),
            "tip.gbr is damaged: its digest",
        ),
        (lambda p: hostile(p, how=zipfile.ZIP_LZMA), "compressed with a method other"),
        (lambda p: hostile(p, {f"files/{n}.gbr": TIP for n in range(6000)}), "it has 6001 files, more than 5000"),
        (lambda p: hostile(p, framebrush_look_file=9), "its format is not 1"),
        (lambda p: hostile(p, more=9), "its look.json does not hold a look"),
        (lambda p: hostile(p, look={"framebrush_look": 2}), "is not a look file: look has no field"),
        (
            lambda p: hostile(p, look={"framebrush_look": 2, "style": {"name": "/etc/other.onnx"}}),
            "it refers to '/etc/other.onnx', which it does not contain",
        ),
        (
            lambda p: hostile(p, look={"framebrush_look": 2, "style": {"name": "files/../../../other.onnx"}}),
            "which it does not contain",
        ),
    ],
)
def test_a_hostile_file_is_refused_in_words(made_by: Callable[[Path], object], says: str, tmp_path: Path) -> None:
    path = tmp_path / f"a{SUFFIX}"
    made_by(path)
    with pytest.raises(LookError, match=says) as refused:
        read_look(path)
    assert "\n" not in str(refused.value)
    assert [file for file in tmp_path.rglob("*") if file.is_file() and file.suffix in (".gbr", ".part")] == []


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = tmp_path / f"a{SUFFIX}"
    size = 40 << 20
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(CONTENTS, b" " * size)
    assert bomb.stat().st_size < 100_000
    with pytest.raises(LookError, match=r"look\.json has more than"):
        read_look(bomb)
    with bomb.open("wb") as file:
        file.truncate(MOST_BYTES + (9 << 20))
    with pytest.raises(LookError, match=r"it has 277\.9 MB, more than 268\.4 MB"):
        read_look(bomb)
    names = {f"files/{number}.gbr": {"bytes": size, "sha256": "0" * 64} for number in range(20)}
    hostile(bomb, dict.fromkeys(names, bytes(1000)), listed=names, how=zipfile.ZIP_DEFLATED)
    with pytest.raises(LookError, match="its files have more than"):
        read_look(bomb)


def test_a_packed_look_is_read(tmp_path: Path) -> None:
    """As another program writes archives."""
    found = read_look(hostile(tmp_path / f"a{SUFFIX}", how=zipfile.ZIP_DEFLATED))
    assert Path(found.sizes.brush_mark or "").read_bytes() == TIP


def test_damaged_files_are_looks_or_refused(tmp_path: Path) -> None:
    chance, path = random.Random(3), tmp_path / f"a{SUFFIX}"
    whole = hostile(path).read_bytes()
    refused = 0
    for number in range(200):
        content = bytearray(whole)
        for _ in range(chance.choice([1, 2, 9])):
            content[chance.randrange(len(content))] = chance.randrange(256)
        if chance.random() < 0.2:
            del content[chance.randrange(len(content)) :]
        path.write_bytes(content)
        try:
            found = unpacked(path, recipe_of, tmp_path / str(number))
        except LookError:
            refused += 1
        else:
            assert Path(found.sizes.brush_mark or "").read_bytes() == TIP
    assert 150 < refused < 200


def test_a_look_file_is_kept_among_the_looks(made: Recipe, tmp_path: Path) -> None:
    packed, looks = tmp_path / f"a{SUFFIX}", LookFolder(tmp_path / "looks")
    write_look(made, packed)
    found = read_look(packed)
    kept = looks.keep(found, "a")
    assert read_look(kept) == found
