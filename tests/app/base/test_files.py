"""Atomic file replacement: the new file is complete, or the old one stays."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from framebrush.base.files import part_beside, whole_file, write_whole
from framebrush.media.disk import disk_errors
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
