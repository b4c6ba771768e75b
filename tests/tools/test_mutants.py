"""`tools/mutants.py`: mutated and skipped code, and paths of modules and tests."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData

from tools import mutants

pytestmark = pytest.mark.unit

MODULE = '''
"""A module."""
import os
if TYPE_CHECKING:
    MOST = 5
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

    @overload
    def other(self, a: int = 1) -> int: ...

    def other(self):
        self.setSpacing(1)
        around = (2, 3)
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


def test_all_modules_of_app_are_mutated_and_some_others() -> None:
    found = mutants.modules()
    names = {"framebrush", "framebrush.__main__", "framebrush.base.files", "framebrush.window", "framebrush.gpu.tiles"}
    assert names < found.keys()
    assert found["framebrush.window"] == Path("app/window/__init__.py")
    assert all((mutants.dev.ROOT / path).is_file() for path in found.values())


SOURCE = """
LIMIT = 3
class Thing:
    on: bool = False
    def of(self, a=5):
        return (
            a
            if a < LIMIT else
            4
        )
    def other(self):
        return self.on
    def gone(self):
        return 1
TABLE = [1]
LOW, TOP = 1, 2
def top():
    return TOP
"""

RUN = {
    "t.py::low": {7, 8},
    "t.py::high[1]": {7, 8, 9},
    "t.py::high[2]": {7, 8, 9},
    "t.py::far (call)": {7, 8},
    "t.py::on": {12, 18},
    "t.py::imports": {5},
    "u.py::long": {7, 8},
    "": {2, 3, 4, 5, 11, 13},
    "t.py::failed": {7, 8, 12},
}
SECONDS = {"low": 0.8, "high[1]": 2, "high[2]": 1, "far": 0.5, "on": 1, "imports": 3, "long": 100}


@pytest.fixture
def covering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> mutants.Covering:
    """Map of a module, `RUN`."""
    monkeypatch.setattr(mutants, "COPY", tmp_path)
    monkeypatch.setattr(mutants, "MAP", tmp_path)
    monkeypatch.setattr(mutants, "SETTINGS", tmp_path / "settings")
    for file in (mutants.SETTINGS, tmp_path / "t.py", tmp_path / "u.py"):
        file.touch()
    data = CoverageData(str(tmp_path / "lines"))
    for test, lines in RUN.items():
        data.set_context(test)
        data.add_lines({str(tmp_path / "tools" / "dev.py"): lines})
    data.set_context("t.py::low")
    data.add_lines({str(tmp_path / "tools" / "shaders.py"): {2}})
    data.write()
    cases = [
        f'<testcase file="{"u" if name == "long" else "t"}.py" name="{name}" time="{seconds}" />'
        for name, seconds in SECONDS.items()
    ]
    failed = '<testcase file="t.py" name="failed" time="1"><failure /></testcase>'
    (tmp_path / "0.xml").write_text(f"<testsuite>{''.join(cases)}{failed}</testsuite>", encoding="utf-8")
    sources = {Path("tools/dev.py"): SOURCE, Path("tools/shaders.py"): "def f():\n    start(3, 'framebrush.tools.dev')"}
    return mutants.Covering(sources)


def names(tests: list[str]) -> list[str]:
    return [test.partition("::")[2] for test in tests]


@pytest.mark.parametrize(
    ("line", "tests"),
    [
        (9, ["high[2]", "high[1]"]),  # the quickest first
        (8, ["high[2]", "far", "low", "high[1]", "long"]),  # rare lines first, one of each function
        (6, ["high[2]", "far", "low", "high[1]", "long"]),  # a statement's first line has no code of its own
        (2, ["high[2]", "far", "low", "high[1]", "long"]),  # uses of a constant
        (4, ["on"]),
        (5, ["high[2]", "far", "imports", "low", "high[1]", "long"]),  # a default, or its definition
        (14, ["low"]),  # by nobody; the module is started by name
        (16, ["on"]),  # uses of one of two constants
        (15, ["on", "high[2]", "far", "low", "high[1]", "long"]),  # no use is known
    ],
)
def test_tests_that_run_a_line_are_found(covering: mutants.Covering, line: int, tests: list[str]) -> None:
    assert names(covering.tests_of(Path("tools/dev.py"), line)) == tests


def test_tests_of_a_line_are_bounded(covering: mutants.Covering, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ENOUGH_S", 1.6)
    assert names(covering.tests_of(Path("tools/dev.py"), 8)) == ["high[2]", "far", "long"]
    monkeypatch.setattr(mutants, "QUICK_S", 2.0)
    assert names(covering.tests_of(Path("tools/dev.py"), 8)) == ["high[2]", "far", "long"]
    monkeypatch.setattr(mutants, "ENOUGH_S", 2.0)
    assert names(covering.tests_of(Path("tools/dev.py"), 8)) == ["high[2]", "far", "high[1]", "long"]
    monkeypatch.setattr(mutants, "ENOUGH_S", 0.1)
    assert names(covering.tests_of(Path("tools/dev.py"), 8)) == ["high[2]", "long"]


def test_tests_with_words_of_a_line_come_early(covering: mutants.Covering, tmp_path: Path) -> None:
    (tmp_path / "t.py").write_text("def on(): LIMIT\ndef far(): pass\ndef low():\n    assert LIMIT == 3\n")
    assert names(covering.tests_of(Path("tools/dev.py"), 8)) == ["high[2]", "low", "far", "high[1]", "long"]


def test_a_mutant_that_fails_while_tests_are_imported_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "COPY", tmp_path)
    (tmp_path / "t.py").write_text("open('missing')\ndef test(): pass\n")
    assert mutants.ended(mutants.pytest("t.py::test", results=tmp_path / "results"), 60.0)[0] == "killed"


@pytest.mark.long
@pytest.mark.slow
def test_a_map_is_made_and_mutants_are_tried_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutants, "COPY", tmp_path / "copy")
    monkeypatch.setattr(mutants, "MAP", tmp_path / "map")
    monkeypatch.setattr(mutants, "SETTINGS", tmp_path / "map" / "settings")
    monkeypatch.setattr(mutants.dev, "SPREAD", ["-n", "1"])  # as many loads of everything for one file
    assert mutants.main(["--map", "tests/app/base/test_closing.py"]) == 0
    assert mutants.main(["--only", "framebrush.base.closing", "--count", "2"]) == 0
    assert "all, seed 24                      2 tried    0 survived" in capfd.readouterr().out
    # of the copy; else windows have no style, and tests fail or notice nothing
    paths = str(mutants.COPY / "build" / "types")
    answer = "from framebrush.gpu import c_kernels; c_kernels.library(); print(c_kernels.__file__)"
    asked = [sys.executable, "-P", "-c", answer]
    printed = subprocess.run(asked, env={**os.environ, "PYTHONPATH": paths}, capture_output=True, text=True, check=True)
    assert Path(printed.stdout.strip()).is_relative_to(paths)
