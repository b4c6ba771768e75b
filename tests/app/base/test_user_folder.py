"""Folders shared by windows and commands: concurrent processes with real locks."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.base.user_folder import Lock, locked
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder, read_look
from framebrush.painted.painted_folder import BusyFolderError, PaintedFolder
from framebrush.styles.style_folder import PICTURES, OwnStyle, StyleFolder

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[3]
PROCESSES, TURNS = 3, 8


def start(program: str, *arguments: object) -> subprocess.Popen[str]:
    """A process that prints a line, and goes on once it is given one."""
    command = [sys.executable, "-P", "-c", program, *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def at_once(program: str, *arguments: object) -> list[str]:
    """Run a program in several processes at once, each with its number; return their output."""
    begin = "import sys; number = int(sys.argv[1]); print(flush=True); input()\n"
    made = [start(begin + program, number, *arguments) for number in range(PROCESSES)]
    for each in made:
        assert each.stdout is not None
        each.stdout.readline()
    for each in made:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    said = [each.communicate(timeout=120)[0].strip() for each in made]
    assert [each.returncode for each in made] == [0] * PROCESSES
    return said


HOLDS = (
    "import sys; from pathlib import Path; from framebrush.base.user_folder import Lock\n"
    "lock = Lock(Path(sys.argv[1])); print(lock.try_lock(), flush=True); input()"
)


def test_a_folder_is_made_with_those_above(tmp_path: Path) -> None:
    folder = LookFolder(tmp_path / "new" / "data" / "looks")
    with folder.changing():
        assert (tmp_path / "new" / "data" / "looks.lock").exists()


def test_one_process_has_a_lock_until_it_dies(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    ours = Lock(file)
    with start(HOLDS, file) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        assert not ours.try_lock()
        other.kill()
    assert ours.try_lock()
    assert ours.try_lock()
    assert not Lock(file).try_lock()  # another window of this process
    with start(HOLDS, file) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "False\n"
        other.kill()
    ours.release()
    ours.release()
    with locked(file):
        assert not ours.try_lock()
    assert ours.try_lock()
    ours.release()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege")
def test_a_lock_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(OSError, match="lock"):
        Lock(tmp_path / "lock").try_lock()
    assert not (tmp_path / "precious").exists()


STYLES = f"""
from pathlib import Path
from framebrush.styles.style_folder import StyleFolder
folder, mine = StyleFolder(Path(sys.argv[2]) / "styles"), Path(sys.argv[2]) / f"{{number}}.png"
for turn in range({TURNS}):
    mine.write_bytes(b"%d %d" % (number, turn))
    kept = folder.keep(mine, "Sea" if number else "sea")
    kept = folder.rename(kept, f"{{number}} {{turn}}")
    try:
        kept = folder.rename(kept, "shore")
    except FileExistsError:
        pass
    if turn % 2:
        folder.remove(kept)
"""


def test_styles_that_several_add_rename_and_remove_are_all_there(tmp_path: Path) -> None:
    at_once(STYLES, tmp_path)
    folder = StyleFolder(tmp_path / "styles")
    names = [style.name.casefold() for style in folder]
    assert len(names) == len(set(names)), "two have one name"
    left = {style.path.read_bytes() for style in folder}
    assert left == {b"%d %d" % (number, turn) for number in range(PROCESSES) for turn in range(0, TURNS, 2)}
    assert list(folder.path.rglob("*.part")) == []


def test_the_picture_of_a_style_goes_with_it(tmp_path: Path) -> None:
    folder, ours = StyleFolder(tmp_path / "styles"), tmp_path / "ours.png"
    ours.write_bytes(b"ours")
    kept = folder.keep(ours)
    OwnStyle(kept).picture.write_bytes(b"its painting")
    kept = folder.rename(kept, "Sea")
    assert sorted(path.name for path in (tmp_path / "styles").rglob("*.*")) == ["Sea.jpg", "Sea.png"]
    folder.remove(kept)
    folder.remove(kept)  # another window was quicker
    assert list((tmp_path / "styles" / PICTURES).iterdir()) == []
    assert not OwnStyle(kept).picture.exists()


LOOKS = f"""
from pathlib import Path
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import LookFolder
from framebrush.styles.specs import StyleSpec
folder = LookFolder(Path(sys.argv[2]))
saved = 0
for turn in range({TURNS}):
    look = Recipe(StyleSpec("ink"), Look(strength=(number * {TURNS} + turn) / 100))
    folder.keep(look, "Mine" if turn % 2 else "mine")
    try:
        folder.save(look, f"new {{turn}}")
        saved += 1
    except FileExistsError as error:
        assert Path(error.filename).stem == f"new {{turn}}"
print(saved)
"""


@pytest.mark.slow
def test_looks_that_several_save_are_all_there(tmp_path: Path) -> None:
    saved = sum(map(int, at_once(LOOKS, tmp_path / "looks")))
    assert saved == TURNS, "a name was given twice, or to nobody"
    folder = LookFolder(tmp_path / "looks")
    kept = [read_look(path).look.strength for path in folder.files() if not path.stem.startswith("new")]
    assert sorted(kept) == [number / 100 for number in range(PROCESSES * TURNS)]
    names = [path.stem.casefold() for path in folder.files()]
    assert len(names) == len(set(names))


def test_a_look_that_is_there_is_not_kept_twice(tmp_path: Path) -> None:
    from framebrush.styles.specs import StyleSpec

    folder, looks = LookFolder(tmp_path), [Recipe(StyleSpec("ink"), Look(strength=0.1 * n)) for n in (1, 2)]
    first, second = (folder.keep(look, "Sea") for look in looks)
    assert (first.stem, second.stem) == ("Sea", "Sea 2")
    assert [folder.keep(look, "sea") for look in looks] == [first, second]


KEYS = """
from pathlib import Path
from framebrush.cli.command_line import run
run(["keys", sys.argv[2], "extract", *(word for n in range(3) for word in ("--at", f"{3 * n + number}f"))])
"""


@pytest.mark.slow
@pytest.mark.media
def test_frames_that_several_extract_are_all_known(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes((ROOT / "assets" / "clips" / "cfr.mp4").read_bytes())
    at_once(KEYS, film)
    folder = PaintedFolder.beside(film)
    assert [one.number for one in folder.read().extracted] == list(range(9))
    assert folder.painted(folder.read()) == {}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_one_at_a_time_learns(tmp_path: Path) -> None:
    folder = PaintedFolder(tmp_path / "film.keys")
    with folder.learning():  # there is no folder, which whoever reads it says
        pass
    folder.path.mkdir()
    program = (
        "import sys; from pathlib import Path; from framebrush.painted.painted_folder import PaintedFolder\n"
        "with PaintedFolder(Path(sys.argv[1])).learning(): print(flush=True); input()"
    )
    with start(program, folder.path) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(BusyFolderError, match="another window or command learns"), folder.learning():
            pass
        os.kill(other.pid, signal.SIGKILL)
    with folder.learning():
        pass
    assert folder.pictures() == {}
