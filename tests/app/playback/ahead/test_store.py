"""Painted frames on the disk: whole or not there, within their budget, and gone with their films."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from framebrush.gpu.frame import FrameFormat, nv12
from framebrush.playback.ahead import store as disk
from framebrush.playback.ahead.render_cache import Course, Painted
from framebrush.playback.ahead.store import RenderStore

FORM = nv12(64, 32)
SIZE = 64 * 32 * 3 // 2 + 4  # of the checksum
RECORD_BYTES = 1500  # more than those of the records, and less than a frame
COURSE = Course(0, 0, 100)


def painted(number: int, form: FrameFormat = FORM) -> Painted:
    frame = form.allocate()
    generator = np.random.default_rng(number)
    for plane in frame.planes:
        plane[:] = generator.integers(0, 1 << form.bits, plane.shape) << form.shift
    return Painted(number, 512 * number - 1024, 512, frame)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    path = tmp_path / "film.mp4"
    path.write_bytes(b"film")
    return path


@pytest.fixture
def store(tmp_path: Path, film: Path) -> RenderStore:
    made = RenderStore(tmp_path / "renders", 1 << 20)
    made.use("key", film)
    return made


def again(store: RenderStore, film: Path, key: str = "key") -> RenderStore:
    """What another window makes of the folder."""
    made = RenderStore(store.folder, store.limit_bytes)
    made.use(key, film)
    return made


def files(store: RenderStore) -> list[str]:
    return sorted(path.name for path in store.folder.rglob("*.frame"))


@pytest.mark.unit
def test_the_latest_key_is_the_one_that_was_used_last(store: RenderStore, film: Path) -> None:
    assert store.latest("key") is None
    for age_s, key in enumerate(("other", "key 2", "key 1")):
        made = again(store, film, key)
        assert made.write(painted(0), film, COURSE)
        used_s = time.time() - 100 * age_s
        os.utime(store.folder / key / disk.RECORD, (used_s, used_s))
    assert store.latest("key") == "key 2"


@pytest.mark.unit
@pytest.mark.parametrize("form", [FORM, nv12(31, 17), nv12(32, 16, bits=10)])
def test_a_frame_comes_back_as_it_was_in_any_window(store: RenderStore, film: Path, form: FrameFormat) -> None:
    for number in (0, 7):
        assert store.write(painted(number, form), film, COURSE)
    other = again(store, film)
    assert set(other.known) == {0, 7}
    for number in (0, 7):
        found, wanted = other.read(number, form), painted(number, form)
        assert found is not None
        assert (found.number, found.pts, found.duration) == (wanted.number, wanted.pts, wanted.duration)
        for own, plane in zip(found.frame.planes, wanted.frame.planes, strict=True):
            np.testing.assert_array_equal(own, plane)


@pytest.mark.unit
@pytest.mark.parametrize("damage", ["cut", "longer", "changed", "gone", "other format"])
def test_what_is_damaged_is_missing(store: RenderStore, film: Path, damage: str) -> None:
    store.write(painted(3), film, COURSE)
    path = next(store.folder.rglob("*.frame"))
    content = bytearray(path.read_bytes())
    match damage:
        case "cut":
            path.write_bytes(content[:-9])
        case "longer":
            path.write_bytes(content + b"x")
        case "changed":
            content[77] ^= 1
            path.write_bytes(content)
        case "gone":
            path.unlink()
    assert store.read(3, nv12(30, 16) if damage == "other format" else FORM) is None
    assert store.known == {}
    assert files(store) == []
    assert store.write(painted(3), film, COURSE)
    assert store.read(3, FORM) is not None


@pytest.mark.unit
def test_above_the_budget_the_looks_before_go_first(store: RenderStore, film: Path) -> None:
    for age, key in ((200, "oldest"), (100, "older")):
        store.use(key, film)
        for number in range(2):
            store.write(painted(number), film, COURSE)
        os.utime(store.folder / key / "film.json", (time.time() - age, time.time() - age))
    store.limit(5 * SIZE + RECORD_BYTES)
    store.use("key", film)
    left = []
    for number in range(5, 0, -1):
        assert store.write(painted(number), film, Course(1, 0, 100))
        left.append(tuple(len(list((store.folder / key).glob("*.frame"))) for key in ("oldest", "older", "key")))
    assert left == [(2, 2, 1), (1, 2, 2), (0, 2, 3), (0, 1, 4), (0, 0, 5)]
    assert not (store.folder / "oldest").exists()
    assert not store.write(painted(0), film, Course(1, 0, 100))  # it is played last of all
    assert store.write(painted(6), film, Course(2, 0, 100))
    assert set(store.known) == {2, 3, 4, 5, 6}
    assert sum(path.stat().st_size for path in store.folder.rglob("*.*")) <= store.limit_bytes


@pytest.mark.unit
def test_a_smaller_budget_takes_effect_at_once(store: RenderStore, film: Path) -> None:
    for number in range(4):
        store.write(painted(number), film, COURSE)
    store.limit(2 * SIZE + RECORD_BYTES)
    assert set(store.known) == {0, 1}
    store.limit(0)
    assert files(store) == []
    assert store.room_bytes() == 0
    assert not store.write(painted(0), film, COURSE)


@pytest.mark.unit
def test_room_is_left_on_the_disk(store: RenderStore, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage(film).free
    monkeypatch.setattr(disk, "FREE_BYTES", free - 2 * SIZE - (64 << 20))
    assert store.write(painted(0), film, COURSE)
    monkeypatch.setattr(disk, "FREE_BYTES", free + (1 << 40))
    assert store.room_bytes() == store.used_bytes
    assert not store.write(painted(1), film, COURSE)  # but what is there is played first
    assert not store.write(painted(1), film, Course(1, 0, 100))
    assert files(store) == []  # it is others who lack room now


@pytest.mark.unit
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_disk_that_refuses_is_left_alone(store: RenderStore, film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    assert store.write(painted(0), film, COURSE)
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        assert not store.write(painted(1), film, COURSE)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert len(list((store.folder / "key").iterdir())) == 2  # the frame from before, and the record
    assert store.room_bytes() == 0
    assert not store.write(painted(1), film, COURSE)  # not tried for a while
    now[0] += 59.9
    assert not store.write(painted(1), film, COURSE)
    now[0] += 0.1
    assert store.write(painted(1), film, COURSE)


@pytest.mark.unit
def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path, film: Path) -> None:
    (tmp_path / "renders").write_text("a file")
    store = RenderStore(tmp_path / "renders", 1 << 20)
    store.use("key", film)
    assert not store.write(painted(0), film, COURSE)
    store.prune()
    store.clear()
    assert (tmp_path / "renders").read_text() == "a file"


@pytest.mark.unit
@pytest.mark.parametrize("fate", ["moved", "changed", "deleted", "there", "touched", "no record"])
def test_frames_go_with_their_film(store: RenderStore, film: Path, tmp_path: Path, fate: str) -> None:
    store.write(painted(0), film, COURSE)
    elsewhere = film
    match fate:
        case "moved":
            elsewhere = film.rename(tmp_path / "other.mp4")
        case "changed":
            film.write_bytes(b"other film")
        case "deleted":
            film.unlink()
        case "touched":
            os.utime(film, (1, 1))
        case "no record":
            (store.folder / "key" / "film.json").write_text("{}")
    opened_first = RenderStore(store.folder, 1 << 20)
    if fate == "moved":
        opened_first.use("key", elsewhere)  # the same content has the same key
        opened_first.prune()
        assert set(opened_first.known) == {0}
        opened_first.use("another", elsewhere)
        opened_first.prune()
        assert files(store) == ["0_-1024_512.frame"]
        elsewhere.unlink()
    opened_first.leave()
    opened_first.prune()
    assert bool(files(store)) == (fate in ("there", "touched"))


@pytest.mark.unit
def test_two_windows_share_a_folder(store: RenderStore, film: Path) -> None:
    other = again(store, film)
    for number in range(3):
        assert store.write(painted(number), film, COURSE)
        assert other.write(painted(number), film, COURSE)
    store.clear()
    assert other.read(1, FORM) is None
    assert other.write(painted(1), film, COURSE)
    assert set(again(store, film).known) == {1}


WRITER = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from framebrush.playback.ahead.store import RenderStore
from tests.app.playback.ahead.test_store import COURSE, painted
from framebrush.gpu.frame import nv12
store = RenderStore(Path(sys.argv[1]), 1 << 30)
store.use("key", Path(sys.argv[2]))
for number in range(1000000):
    store.write(painted(number % 50, nv12(640, 360)), Path(sys.argv[2]), COURSE)
    print(number, flush=True)
"""


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 4, 9])
def test_a_killed_window_leaves_whole_frames(store: RenderStore, film: Path, after: int) -> None:
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", WRITER, str(store.folder), str(film), str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        while int(writer.stdout.readline()) < after:
            pass
        writer.kill()
    form = nv12(640, 360)
    left = again(store, film)
    assert len(left.known) >= after
    for number in list(left.known):
        found = left.read(number, form)
        assert found is not None
        np.testing.assert_array_equal(found.frame.planes[0], painted(number, form).frame.planes[0])
    (store.folder / "key" / "9_0_1.frame.1-1.part").write_bytes(b"half")
    left.prune()
    assert (store.folder / "key" / "9_0_1.frame.1-1.part").exists()  # it may be another window's
    for path in (store.folder / "key").glob("*.part"):
        os.utime(path, (time.time() - 100, time.time() - 100))
    left.prune()
    assert not list((store.folder / "key").glob("*.part"))


@pytest.mark.unit
def test_what_cannot_be_deleted_is_passed_over(store: RenderStore, film: Path) -> None:
    """As a file that is in use on Windows; here it is none."""
    assert store.write(painted(0), film, COURSE)
    (store.folder / "another" / "0_0_1.frame" / "within").mkdir(parents=True)
    store.limit(0)
    assert store.known == {}


@pytest.mark.unit
def test_what_is_not_whole_after_a_minute_is_abandoned(
    store: RenderStore, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.write(painted(0), film, COURSE)
    monkeypatch.setattr(time, "time", lambda: 1_000_060.0)
    for name, made_s in (("0.part", 999_999.5), ("1.part", 1_000_000)):
        part = store.folder / "key" / name
        part.write_bytes(b"half")
        os.utime(part, (made_s, made_s))
    store.prune()
    assert [path.name for path in (store.folder / "key").glob("*.part")] == ["1.part"]
    assert files(store) == ["0_-1024_512.frame"]


@pytest.mark.unit
def test_the_budget_is_exact(store: RenderStore, film: Path) -> None:
    assert store.write(painted(0), film, COURSE)
    assert next(store.folder.rglob("*.frame")).stat().st_size == SIZE
    store.limit(3 * SIZE + (store.folder / "key" / disk.RECORD).stat().st_size)
    assert [store.write(painted(number), film, COURSE) for number in (1, 2, 3)] == [True, True, False]
    store.limit(store.limit_bytes - 1)
    assert set(store.known) == {0, 1}
    assert not store.write(painted(2), film, COURSE)
    store.limit(SIZE)
    assert not store.write(painted(0), film, COURSE)  # with the record it is too much


@pytest.mark.unit
def test_what_will_not_be_played_takes_the_place_of_nothing(store: RenderStore, film: Path) -> None:
    for number in (1, 2):
        assert store.write(painted(number), film, COURSE)
    store.limit(2 * SIZE + RECORD_BYTES)
    assert not store.write(painted(3), film, Course(5, 5, 10))
    assert set(store.known) == {1, 2}


@pytest.mark.unit
def test_what_other_windows_write_counts_after_a_while(
    store: RenderStore, film: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "COUNT_BYTES", 2 * SIZE)
    other = again(store, film, "another")

    def on_disk() -> int:
        return sum(path.stat().st_size for path in store.folder.rglob("*.*"))

    other.write(painted(0), film, COURSE)
    this = again(store, film)
    assert this.used_bytes == 0
    assert this.write(painted(0), film, COURSE)
    assert this.used_bytes == on_disk() - (store.folder / "key" / disk.RECORD).stat().st_size
    other.write(painted(1), film, COURSE)
    for number, counted in ((1, False), (2, True)):
        assert this.write(painted(number), film, COURSE)
        assert (this.used_bytes == on_disk()) == counted
    this.clear()
    assert this.used_bytes == 0


@pytest.mark.unit
def test_a_smaller_budget_is_for_what_all_windows_have_written(store: RenderStore, film: Path) -> None:
    other = again(store, film, "another")
    for number in range(3):
        assert other.write(painted(number), film, COURSE)
    store.limit(2 * SIZE + RECORD_BYTES)
    assert len(files(store)) == 2


@pytest.mark.unit
def test_frames_are_written_again_where_another_window_has_deleted_all(store: RenderStore, film: Path) -> None:
    assert store.write(painted(0), film, COURSE)
    store.limit(SIZE + (store.folder / "key" / disk.RECORD).stat().st_size)
    again(store, film).clear()
    again(store, film)  # its record
    assert store.write(painted(1), film, Course(1, 0, 100))


@pytest.mark.unit
def test_a_link_is_no_folder_of_frames(store: RenderStore, film: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "0_0_1.frame").write_bytes(b"somebody's")
    assert store.write(painted(0), film, COURSE)
    (store.folder / "link").symlink_to(elsewhere)
    (store.folder / "key file").write_bytes(b"")
    assert store.latest("key") == "key"
    store.limit(0)
    store.clear()
    assert (elsewhere / "0_0_1.frame").exists()


@pytest.mark.unit
@pytest.mark.parametrize("act", [RenderStore.clear, RenderStore.prune, lambda own: own.limit(0)])
def test_a_folder_that_another_window_deletes_first_is_no_error(
    store: RenderStore, film: Path, act: Callable[[RenderStore], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for key in ("another", "key"):
        assert again(store, film, key).write(painted(0), film, COURSE)
    film.unlink()
    scan, listed = os.scandir, [*os.scandir(store.folder)]
    assert all(entry.is_dir(follow_symlinks=False) for entry in listed)  # known to the entries from now on
    shutil.rmtree(store.folder / "another")
    listing = SimpleNamespace(scandir=lambda path: listed if Path(path) == store.folder else scan(path))
    monkeypatch.setattr(disk, "os", listing)
    act(store)
    assert len(files(store)) <= 1


@pytest.mark.unit
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_frames_are_for_their_user_alone(store: RenderStore, film: Path) -> None:
    assert store.write(painted(0), film, COURSE)
    assert (store.folder / "key").stat().st_mode & 0o777 == 0o700
