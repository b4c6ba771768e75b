"""The files of a training: begun, noted, put aside, taken away."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from framebrush.window.training.training_folder import FACTS, Found, TrainingFolder
from framebrush.window.training.training_spec import TrainingSpec

pytestmark = pytest.mark.unit


@pytest.fixture
def folder(tmp_path: Path) -> TrainingFolder:
    return TrainingFolder(tmp_path / "data" / "training")


@pytest.fixture
def spec(tmp_path: Path) -> TrainingSpec:
    picture = tmp_path / "Painting.PNG"
    picture.write_bytes(b"a picture")
    return TrainingSpec("Style", str(picture), str(tmp_path), "")


def names(folder: TrainingFolder) -> list[str]:
    return sorted(path.name for path in folder.path.parent.iterdir())


def test_one_that_begins_has_its_picture_and_is_found_again(folder: TrainingFolder, spec: TrainingSpec) -> None:
    assert folder.find() is None
    begun = folder.begin(spec, "")
    copied = folder.path / "picture.png"
    assert copied.read_bytes() == b"a picture"
    assert begun == Found(replace(spec, picture=str(copied)), 0, begun.name, is_new=True)
    assert folder.find() == Found(begun.spec, 0, begun.name)
    assert not Found(spec, 0, "name").is_new
    folder.note(begun.name, begun.spec, 7)
    spec.out(folder.path).write_bytes(b"a style")
    assert folder.find() == Found(begun.spec, 7, begun.name, whole=True)


def test_one_that_is_known_is_replaced_and_another_one_is_returned(folder: TrainingFolder, spec: TrainingSpec) -> None:
    first = folder.begin(spec, "")
    spec.out(folder.path).write_bytes(b"a style")
    assert folder.begin(spec, "another") == replace(first, whole=True, is_new=False)
    again = folder.begin(first.spec, first.name)  # with the picture that the first one has copied
    assert again.name != first.name
    assert (again.step, again.whole, again.is_new) == (0, False, True)
    assert folder.find() == replace(again, is_new=False)
    assert (folder.path / "picture.png").read_bytes() == b"a picture"
    assert names(folder) == ["training"]


def test_what_a_killed_window_has_left_is_no_hindrance(folder: TrainingFolder, spec: TrainingSpec) -> None:
    for name in ("training.new", "training.1.old"):
        (folder.path.parent / name).mkdir(parents=True)
        (folder.path.parent / name / "left.bin").touch()
    folder.begin(spec, "")
    assert names(folder) == ["training"]
    assert sorted(path.name for path in folder.path.iterdir()) == ["picture.png", FACTS]


def test_one_whose_picture_is_gone_leaves_the_former_one(folder: TrainingFolder, spec: TrainingSpec) -> None:
    first = folder.begin(spec, "")
    with pytest.raises(FileNotFoundError):
        folder.begin(replace(spec, picture=f"{spec.picture}.gone"), first.name)
    assert folder.find() == replace(first, is_new=False)


@pytest.mark.parametrize("facts", [b"{", b"[]", b"{}", b'{"spec": {}, "step": 1}', b"\xff", b"[" * 100_000])
def test_one_that_cannot_be_read_is_put_aside(folder: TrainingFolder, spec: TrainingSpec, facts: bytes) -> None:
    folder.begin(spec, "")
    (folder.path / FACTS).write_bytes(facts)
    assert folder.find() is None
    assert names(folder) == ["training.damaged"]


def test_one_taken_away_is_gone_at_once_and_deleted_later(folder: TrainingFolder, spec: TrainingSpec) -> None:
    folder.begin(spec, "")
    folder.clear()
    assert folder.find() is None
    [old] = names(folder)
    assert old.startswith("training.")
    assert old.endswith(".old")
    folder.clear()  # there is none
    no_folder = folder.path.with_name("training.2.old")
    no_folder.touch()
    folder.sweep()
    assert names(folder) == [no_folder.name]


def test_a_number_that_cannot_be_noted_is_lost(folder: TrainingFolder, spec: TrainingSpec) -> None:
    begun = folder.begin(spec, "")
    (folder.path / FACTS).unlink()
    (folder.path / FACTS).mkdir()
    folder.note(begun.name, begun.spec, 3)
    assert (folder.path / FACTS).is_dir()
