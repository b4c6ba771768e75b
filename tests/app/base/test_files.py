"""Atomic file replacement: the new file is complete, or the old one stays."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from framebrush.base.files import (
    file_state,
    part_beside,
    place_of,
    read_bounded,
    rename_new,
    whole_file,
    write_whole,
)
from framebrush.media.disk import disk_errors, free_bytes, write_file
from framebrush.media.video import DiskFullError, OutputError

pytestmark = pytest.mark.unit


def test_a_file_is_written_whole_and_alone(tmp_path: Path) -> None:
    target = tmp_path / "list.json"
    write_whole(target, "ä")
    write_whole(target, b"\x00\x01")
    assert target.read_bytes() == b"\x00\x01"
    assert list(tmp_path.iterdir()) == [target]
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "nowhere" / "list.json", "")


def test_a_failure_leaves_what_was_there_and_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "list.json"
    write_whole(target, "old")

    def write_half() -> None:
        with whole_file(target) as part:
            part.write_text("ne")
            assert target.read_text() == "old"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_half()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_it_reaches_the_disk_before_it_takes_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, synced = tmp_path / "checkpoint", []
    really = os.fsync

    def fsync(descriptor: int) -> None:
        synced.append((part_beside(target).exists(), target.exists()))
        really(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    write_whole(target, "content")
    named = [] if sys.platform == "win32" else [(False, True)]  # by the folder
    assert synced == [(True, False), *named]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_said_with_what_is_left_of_it(tmp_path: Path, number: int) -> None:
    with pytest.raises(DiskFullError, match=r"[MGT]B left"), disk_errors(tmp_path, "writing x failed"):
        raise OSError(number, os.strerror(number))


def test_another_error_of_the_disk_has_its_reason(tmp_path: Path) -> None:
    with (
        pytest.raises(OutputError, match="x failed: Permission") as caught,
        disk_errors(tmp_path, "writing x failed"),
    ):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    assert not isinstance(caught.value, DiskFullError)


def test_free_space_is_of_the_nearest_folder_and_unknown_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert free_bytes(tmp_path / "not" / "yet" / "film.mp4") > 0

    def lost(_: Path) -> None:
        raise PermissionError

    monkeypatch.setattr("framebrush.media.disk.shutil.disk_usage", lost)
    assert free_bytes(tmp_path) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="counts descriptors in /proc")
def test_no_descriptor_stays_open(tmp_path: Path) -> None:
    before = len([*Path("/proc/self/fd").iterdir()])
    write_whole(tmp_path / "list.json", "whole")
    with pytest.raises(OSError, match="regular"):
        read_bounded(Path("/dev/null"), 1)
    assert len([*Path("/proc/self/fd").iterdir()]) == before


def test_a_new_file_replaces_none(tmp_path: Path) -> None:
    target = tmp_path / "list.json"

    def write_new(text: str) -> None:
        with whole_file(target, new=True) as part:
            part.write_text(text)

    write_new("first")
    with pytest.raises(FileExistsError):
        write_new("second")
    assert target.read_text() == "first"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows renames without replacing")
def test_a_disk_without_hard_links_renames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def link(*_: object, **__: object) -> None:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", link)
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    rename_new(old, new)
    assert [path.name for path in tmp_path.iterdir()] == ["new"]
    old.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        rename_new(new, old)
    assert (new.read_text(), old.is_symlink()) == ("old", True)


def test_a_link_is_renamed_as_a_link(tmp_path: Path) -> None:
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("content")
    link.symlink_to(real)
    assert place_of(link) == place_of(real) == str(real)
    rename_new(link, tmp_path / "moved")
    assert (tmp_path / "moved").is_symlink()
    assert not link.is_symlink()
    assert file_state(tmp_path / "moved") == file_state(real)
    state = file_state(real)
    real.write_text("changed")
    assert file_state(real) != state


def test_text_ends_with_a_line_and_replaces_no_video(tmp_path: Path) -> None:
    write_file(tmp_path / "report.json", "{}")
    assert (tmp_path / "report.json").read_text() == "{}\n"
    with pytest.raises(OutputError, match="is named like a video, and text would replace it"):
        write_file(tmp_path / "film.MP4", "{}")
    with pytest.raises(OutputError, match=r"writing .*report\.json failed: No such file"):
        write_file(tmp_path / "nowhere" / "report.json", "{}")
    assert [path.name for path in tmp_path.iterdir()] == ["report.json"]
