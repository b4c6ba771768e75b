"""Painted frames that are taken away, and come back."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from fractions import Fraction
from pathlib import Path

import pytest

from framebrush.media.video import InputError, OutputError, Position
from framebrush.painted.extract import extract, look_for_shots
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.painted.trash import move_to_trash, restore_from_trash
from tests.app.painted.films import SHOT_FRAMES, paint_over, two_shots

pytestmark = pytest.mark.media


def write(film: Path, number: int) -> Path:
    (path,) = extract(film, PaintedFolder.beside(film), [Position(Fraction(number), "frame")], search=False)
    return path


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return two_shots(tmp_path / "film.mp4")


@pytest.fixture
def folder(film: Path) -> PaintedFolder:
    return PaintedFolder.beside(film)


def test_a_frame_is_written_before_the_shots_are_known(film: Path, folder: PaintedFolder) -> None:
    first = write(film, 2)
    assert [shot.first for shot in folder.read().shots] == [0]
    second = folder.picture(SHOT_FRAMES + 1)
    seen: list[int] = []

    def on_read(number: int, _: int | None) -> None:
        if not seen:
            assert write(film, SHOT_FRAMES + 1) == second  # meanwhile
        seen.append(number)

    look_for_shots(film, folder, on_read=on_read)
    manifest = folder.read()
    assert [shot.first for shot in manifest.shots] == [0, SHOT_FRAMES]
    assert seen == list(range(2 * SHOT_FRAMES))
    assert folder.painted(manifest) == {}
    paint_over(second)
    assert folder.painted(manifest) == {SHOT_FRAMES + 1: second}
    look_for_shots(film, folder, on_read=lambda *_: pytest.fail("it is known"))
    assert first.is_file()


def test_extract_looks_for_shots_that_are_not_known_yet(film: Path, folder: PaintedFolder) -> None:
    write(film, 2)
    extract(film, folder)
    assert [shot.first for shot in folder.read().shots] == [0, SHOT_FRAMES]
    assert len(folder.pictures()) >= 2


def test_a_picture_goes_aside_and_comes_back_as_that_of_another_frame(film: Path, folder: PaintedFolder) -> None:
    picture = write(film, 2)
    paint_over(picture)
    content = picture.read_bytes()
    move_to_trash(folder, 2, "first")
    assert folder.pictures() == {}
    write(film, 2)
    other = write(film, 3)
    restore_from_trash(folder, "first", 3)  # in place of what only waits
    assert other.read_bytes() == content
    assert sorted(folder.pictures()) == [2, 3]
    move_to_trash(folder, 3, "first")
    paint_over(write(film, 3))
    latest = other.read_bytes()
    restore_from_trash(folder, "first", 3)
    assert other.read_bytes() == content
    assert [path.read_bytes() for path in folder.trash.iterdir()] == [latest]  # nothing that is painted is lost


def test_what_is_not_there(film: Path, folder: PaintedFolder) -> None:
    write(film, 2)
    with pytest.raises(InputError, match="not painted"):
        move_to_trash(folder, 2, "name")
    with pytest.raises(InputError, match="no longer there"):
        restore_from_trash(folder, "name", 2)


def test_a_disk_that_fails_is_said(film: Path, folder: PaintedFolder) -> None:
    paint_over(write(film, 2))
    folder.trash.write_bytes(b"no folder")
    with pytest.raises(OutputError, match=r"film\.keys: frame 2 cannot be put aside \("):
        move_to_trash(folder, 2, "first")
    folder.trash.unlink()
    move_to_trash(folder, 2, "first")
    (folder.picture(3).with_suffix(".other") / "something").mkdir(parents=True)
    (folder.trash / "first.png").rename(folder.trash / "first.other")
    with pytest.raises(OutputError, match=r"film\.keys: frame 3 cannot be put back \("):
        restore_from_trash(folder, "first", 3)
    assert [path.name for path in folder.trash.iterdir()] == ["first.other"]


class Shared(PaintedFolder):
    """A folder in which another window does something just before this one has it to itself."""

    other: Callable[[], object] | None = None

    def changing(self) -> AbstractContextManager[None]:
        other, self.other = self.other, None
        if other is not None:
            other()
        return super().changing()


def test_what_another_window_extracts_meanwhile_is_not_painted(film: Path, folder: PaintedFolder) -> None:
    write(film, 1)
    shared, said = Shared(folder.path), list[str]()
    shared.other = lambda: write(film, 2)
    extract(film, shared, [Position(Fraction(2), "frame")], search=False, say=said.append)
    assert said == []
    paint_over(folder.picture(1))
    move_to_trash(folder, 1, "first")
    shared.other = lambda: write(film, 1)
    restore_from_trash(shared, "first", 1)
    assert list(folder.trash.iterdir()) == []
    shared.other = lambda: write(film, 3)
    with pytest.raises(InputError, match="frame 3 is not painted"):
        move_to_trash(shared, 3, "second")
