"""`tools/mutants.py`: mutated and skipped code, and paths of modules and tests."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tools import mutants

pytestmark = pytest.mark.unit

MODULE = '''
"""A module."""
import os
MOST_TRYING_S = 20.0
LIMIT: int = 3

class Thing(Base):
    """A class."""
    on: bool = False

    def __init__(self, a: int | None = None) -> None:
        self.a = a
        self.start()

    @cached(1)
    def of(self, b: Literal[8, 10]) -> str:
        assert b > 0
        if not b and self.a < 5:
            raise ValueError(f"{b + 1} is too few")
        self.a = [c * 2 for c in b if c]
        return "text"

    def other(self):
        self.setSpacing(1)
        column(self, around=2, between=3)
        self.a += 1
        return self.a if self.on else None
'''

CHANGED = [
    ("constant", "LIMIT: int = 4"),
    ("constant", "LIMIT: int = 2"),
    ("constant", "    on: bool = True"),
    ("statement", "        pass"),  # self.start()
    ("condition", "        if not (not b and self.a < 5):"),
    ("and/or", "        if not b or self.a < 5:"),
    ("negation", "        if not not b and self.a < 5:"),
    ("comparison", "        if not b and self.a <= 5:"),
    ("constant", "        if not b and self.a < 6:"),
    ("constant", "        if not b and self.a < 4:"),
    ("statement", "            pass"),  # raise
    ("statement", "        pass"),  # self.a = ...
    ("arithmetic", "        self.a = [c / 2 for c in b if c]"),
    ("constant", "        self.a = [c * 3 for c in b if c]"),
    ("constant", "        self.a = [c * 1 for c in b if c]"),
    ("condition", "        self.a = [c * 2 for c in b]"),
    ("statement", "        pass"),  # column(...)
    ("statement", "        pass"),  # self.a += 1
    ("constant", "        self.a += 2"),
    ("constant", "        self.a += 0"),
    ("result", "        return None"),
    ("condition", "        return self.a if not self.on else None"),
]


def test_each_line_that_decides_is_changed_and_no_words_are() -> None:
    tree = ast.parse(MODULE)
    before = ast.unparse(tree)
    found = []
    for mutant in mutants.mutants("module", tree):
        after, lines = mutant.diff(tree)
        ast.parse(after)
        assert ast.unparse(tree) == before
        assert [line[0] for line in lines] == ["-", "+"]
        found.append((mutant.kind, lines[1][1:]))
    assert sorted(found) == sorted(CHANGED)


def test_the_seed_decides_and_each_module_has_its_share() -> None:
    trees = {name: ast.parse(MODULE) for name in ("one", "two", "three")}

    def chosen(names: list[str], count: int, seed: int) -> list[tuple[str, str]]:
        return [(m.module, m.diff(trees[m.module])[0]) for m in mutants.chosen(names, trees, count, seed)]

    first = chosen(["one", "two", "three"], 10, 1)
    assert first == chosen(["one", "two", "three"], 10, 1) != chosen(["one", "two", "three"], 10, 2)
    assert sorted([name for name, _ in first].count(name) for name in trees) == [3, 3, 4]
    assert len({name for seed in range(20) for name, _ in chosen(["one", "two", "three"], 1, seed)}) == 3
    assert len(set(first)) == 10


@pytest.mark.parametrize("module", mutants.NEAR)
def test_every_module_and_the_tests_near_it_are_there(module: str) -> None:
    assert (mutants.dev.ROOT / mutants.source_of(module)).is_file()
    assert len(mutants.tests_of(module)) == len(mutants.NEAR[module])


def test_every_module_of_app_has_tests_near_it() -> None:
    found = mutants.modules()
    assert {"framebrush", "framebrush.__main__", "framebrush.base.files", "framebrush.window", *mutants.NEAR} < {*found}
    assert [module for module in found if not mutants.tests_of(module)] == []


@pytest.mark.parametrize(
    ("module", "first"),
    [
        ("framebrush.playback.subtitle_cues", "tests/app/playback/test_subtitle_cues.py"),  # of its name, in its room
        ("framebrush.window.picture.subtitle_overlay", "tests/app/window/picture/test_subtitle_overlay.py"),
        ("framebrush.base.files", "tests/app/base/test_files.py"),
    ],
)
def test_tests_of_its_own_room_are_nearest(module: str, first: str) -> None:
    assert mutants.tests_of(module)[0] == first


@pytest.mark.slow
def test_the_copy_paints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else tests near a module see a window without a style, and fail, or notice nothing."""
    monkeypatch.setattr(mutants, "COPY", tmp_path / "copy")
    mutants.copy_tree()
    paths = str(mutants.COPY / "build" / "types")
    answer = "from framebrush.gpu import c_kernels; c_kernels.library(); print(c_kernels.__file__)"
    asked = [sys.executable, "-P", "-c", answer]
    printed = subprocess.run(asked, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    assert Path(printed.stdout.strip()).is_relative_to(paths)
