"""Two windows over one folder of styles: neither replaces what the other has just added."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.styles.folder import PICTURES, StyleFolder

pytestmark = pytest.mark.unit


class Late(StyleFolder):
    """The folder of a window that finds a name free just before another window takes it."""

    theirs: Path

    def is_free(self, name: str) -> bool:
        free = super().is_free(name)
        if free and self.theirs.exists():
            StyleFolder(self.path).keep(self.theirs, name)
            self.theirs.unlink()
        return free


@pytest.fixture
def late(tmp_path: Path) -> Late:
    made = Late(tmp_path / "styles")
    made.theirs = tmp_path / "theirs.png"
    made.theirs.write_bytes(b"theirs")
    return made


def kept(folder: StyleFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder.path / PICTURES).iterdir()}


def test_an_added_style_takes_the_next_name(late: Late, tmp_path: Path) -> None:
    ours = tmp_path / "ours.png"
    ours.write_bytes(b"ours")
    assert late.keep(ours, "name").name == "name 2.png"
    assert kept(late) == {"name.png": b"theirs", "name 2.png": b"ours"}


def test_a_renamed_style_keeps_its_name(late: Late, tmp_path: Path) -> None:
    ours = tmp_path / "ours.png"
    ours.write_bytes(b"ours")
    own = StyleFolder(late.path).keep(ours)
    with pytest.raises(FileExistsError):
        late.rename(own, "name")
    assert kept(late) == {"name.png": b"theirs", "ours.png": b"ours"}
    assert late.rename(own, "Ours").name == "Ours.png"  # the same one, in upper case
    assert late.rename(late.path / PICTURES / "Ours.png", "other").name == "other.png"


def test_a_style_that_is_being_added_is_not_replaced_by_one_that_is_renamed(tmp_path: Path) -> None:
    """In one window: whether a name is free is asked while nothing else changes."""
    folder, ours = StyleFolder(tmp_path / "styles"), tmp_path / "ours.png"
    ours.write_bytes(b"ours")
    own = folder.keep(ours)
    held: list[bool] = []

    class Asked(StyleFolder):
        def is_free(self, name: str) -> bool:
            held.append(self.changing.locked())
            return super().is_free(name)

    Asked(folder.path).rename(own, "name")
    assert held == [True]
