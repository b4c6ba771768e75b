"""Output files: finished ones stay, unfinished ones vanish, replaced ones keep their attributes."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from framebrush.media import output_file
from framebrush.media.output_file import OutputFile, discard_unfinished, part_of
from framebrush.media.video import OutputError
from framebrush.media.writing.output_plan import check_folder, check_target
from tests.media.writing.test_writer_refusals import small_disk

ROOT = Path(__file__).parents[3]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX")
HOLD = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from framebrush.media.output_file import OutputFile
file = OutputFile(Path(sys.argv[1]))
file.write(b"half")
print("ready", flush=True)
sys.stdin.read()
"""


def write(target: Path, content: bytes = b"new", *, overwrite: bool = False) -> Path:
    with OutputFile(target) as file:
        file.write(content)
        return file.deliver(overwrite=overwrite)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def holder(target: Path) -> subprocess.Popen[str]:
    """Another process that writes to a target."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(target)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


def test_one_job_a_target(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    child = holder(target)
    try:
        with pytest.raises(OutputError, match="another job writes to"):
            OutputFile(target)
        assert write(tmp_path / "other.mp4") == tmp_path / "other.mp4"
        assert names(tmp_path) == sorted(["other.mp4", part_of(target).name])
    finally:
        child.kill()
        child.communicate()
    assert names(tmp_path) == sorted(["other.mp4", part_of(target).name]), "what was killed leaves its part"
    assert write(target).read_bytes() == b"new"
    assert names(tmp_path) == ["other.mp4", "out.mp4"]


@POSIX
def test_parts_of_dead_processes_are_removed_and_no_others(tmp_path: Path) -> None:
    dead, alive = holder(tmp_path / "dead.mp4"), holder(tmp_path / "alive.mkv")
    mine = tmp_path / ".mine.part-of-something"
    mine.write_text("precious")
    dead.kill()
    dead.communicate()
    write(tmp_path / "out.mp4")
    assert names(tmp_path) == sorted([".mine.part-of-something", "out.mp4", part_of(tmp_path / "alive.mkv").name])
    alive.kill()
    alive.communicate()


def test_a_name_that_is_taken_meanwhile_costs_nothing(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    with OutputFile(target) as file:
        file.write(b"new")
        target.write_bytes(b"precious")
        with pytest.raises(OutputError, match=r"could not be given its name .*; the finished file is .*out\.1\.mp4"):
            file.deliver(overwrite=False)
    assert target.read_bytes() == b"precious"
    assert (tmp_path / "out.1.mp4").read_bytes() == b"new"
    assert names(tmp_path) == ["out.1.mp4", "out.mp4"]


def test_a_folder_that_takes_the_name_costs_nothing(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    with OutputFile(target) as file:
        file.write(b"new")
        (target / "inside").mkdir(parents=True)
        with pytest.raises(OutputError, match="the finished file is"):
            file.deliver(overwrite=True)
    assert (tmp_path / "out.1.mp4").read_bytes() == b"new"


@POSIX
def test_what_is_replaced_keeps_mode_owner_and_link(tmp_path: Path) -> None:
    target, link = tmp_path / "real.mp4", tmp_path / "link.mp4"
    target.write_bytes(b"old")
    target.chmod(0o640)
    if os.geteuid() == 0:
        os.chown(target, 1234, 2345)
    link.symlink_to(target.name)
    check_target(tmp_path / "in.mp4", link, overwrite=True)
    write(target, overwrite=True)
    assert link.is_symlink()
    assert link.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    if os.geteuid() == 0:
        assert (target.stat().st_uid, target.stat().st_gid) == (1234, 2345)


@POSIX
def test_a_new_file_has_the_usual_mode(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        write(tmp_path / "out.mp4")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "out.mp4").stat().st_mode) == 0o640


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    monkeypatch.setattr(output_file.os, "fsync", lambda _: order.append("fsync"))
    rename = output_file.rename_new
    monkeypatch.setattr(output_file, "rename_new", lambda *paths: (order.append("rename"), rename(*paths)))
    write(tmp_path / "out.mp4")
    assert order == ["fsync", "rename", *([] if sys.platform == "win32" else ["fsync"])]  # the last one of the folder


def test_names_that_are_too_long_are_refused_before_the_work(tmp_path: Path) -> None:
    check_folder(tmp_path / f"{'ü' * 100}.mp4")
    with pytest.raises(OutputError, match="the name is too long for this disk"):
        check_folder(tmp_path / f"{'x' * 252}.mp4")
    assert names(tmp_path) == []
    write(tmp_path / f"{'ü' * 100}.mp4")


def test_what_may_not_be_overwritten_is_refused_before_the_work(tmp_path: Path) -> None:
    if sys.platform != "win32" and os.geteuid() == 0:
        with small_disk(tmp_path / "disk", "1m") as folder:
            target = folder / "out.mp4"
            target.write_bytes(b"old")
            subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
            with pytest.raises(OutputError, match=r"cannot be overwritten .*; give the output another name"):
                check_target(tmp_path / "in.mp4", target, overwrite=True)
        return
    target = tmp_path / "out.mp4"
    target.write_bytes(b"old")
    target.chmod(0o444)
    with pytest.raises(OutputError, match="cannot be overwritten"):
        check_target(tmp_path / "in.mp4", target, overwrite=True)


@pytest.mark.skipif(sys.platform == "win32", reason="making links needs a right there")
def test_a_link_at_its_temporary_name_is_named(tmp_path: Path) -> None:
    part, other = part_of(tmp_path / "out.mp4"), tmp_path / "other.mp4"
    other.write_bytes(b"of somebody")
    part.symlink_to(other)
    with pytest.raises(OutputError, match=f"{re.escape(str(part))} is a symbolic link"):
        OutputFile(tmp_path / "out.mp4")
    assert other.read_bytes() == b"of somebody"


def test_a_sudden_end_leaves_nothing(tmp_path: Path) -> None:
    file = OutputFile(tmp_path / "out.mp4")
    file.write(b"half")
    discard_unfinished()
    assert names(tmp_path) == []
    file.discard()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be removed there")
def test_what_began_where_a_stale_file_was_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between being opened and being locked, the stale file was removed by another process, and a third one began."""
    part = part_of(tmp_path / "film.mp4")
    part.write_bytes(b"stale")
    lock = output_file.fcntl.flock

    def late(descriptor: int, how: int) -> None:
        part.unlink()
        part.write_bytes(b"of a third")
        lock(descriptor, how)

    monkeypatch.setattr(output_file.fcntl, "flock", late)
    output_file.remove_stale(tmp_path)
    assert part.read_bytes() == b"of a third"


@pytest.mark.slow
def test_files_that_begin_in_one_folder_at_once_leave_each_other_alone(tmp_path: Path) -> None:
    """Each looks for stale files of others, and may see one before its maker has locked it."""

    def make(name: str) -> None:
        for number in range(150):
            with OutputFile(tmp_path / f"{name}{number}.bin") as file:
                file.write(b"whole")
                file.deliver(overwrite=False)

    with ThreadPoolExecutor(4) as threads:
        for done in [threads.submit(make, name) for name in "abcd"]:
            done.result()
    assert len(list(tmp_path.iterdir())) == 600
