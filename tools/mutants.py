#!/usr/bin/env python3
"""Mutate modules of app, and others that hold policy, and check that tests notice.

    .venv/bin/python tools/mutants.py --map [TESTS]      # first: which test runs which line; all tests, or these again
    .venv/bin/python tools/mutants.py [--count 100] [--seed 24] [--only framebrush.jobs.pipeline] [--list]

A mutant is a module with one comparison, condition, number, operator, statement or result changed; not texts,
annotations, decorators, assertions or widget margins. The seed selects as many mutants in each module, or some modules.
Each runs in a copy of the tree under build/, with tests that run its line, until the first failure. A surviving mutant
is printed as a diff: a test is missing, or the line is needless.

Exit status: 0 if at most a tenth survived, else 1.
"""

# Why not a library: mutmut derives a module's name from its path, which differs here (`package-dir`), and cosmic-ray
# works in the tree itself, without a seeded choice.

from __future__ import annotations

import argparse
import ast
import difflib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script's sys.path starts in tools/

from tools import dev

COPY = dev.ROOT / "build" / "mutants"
"""A fixed folder, so that the user's caches stay valid between mutants."""

MAP = dev.ROOT / "build" / "mutants-map"
"""Lines that each test runs (`lines`, by coverage.py), and results of the tests (`*.xml`, by pytest)."""

SETTINGS = MAP / "coverage.ini"
"""As old as the map."""

POLICY = (
    "gpu/settings.py",
    "gpu/stylizer.py",
    "gpu/temporal_window.py",
    "gpu/tiles.py",
    "gpu/stages/steady/__init__.py",
    "models/reading/style_conversion.py",
)
"""Mutated files outside app."""

ELSEWHERE = ("windows", "sequences", "gpu/cuda", "fuzz")
"""Folders of tests that need another machine, or that are long."""

LINES = """
    SELECT path, context, numbits FROM line_bits
    JOIN file ON file_id = file.id JOIN context ON context_id = context.id
"""
"""Query of a file of coverage.py: bits of the lines of each file that each test ran."""

ENOUGH_S = 60.0
"""Seconds of tests near a mutant; then follows one test of each other file that runs its line, and of quick tests as
many seconds of their other values."""

QUICK_S = 0.1
"""Most seconds of a quick test."""

BUDGETS = frozenset(
    {
        "PREFETCH_DEPTH",
        "_BUFFER_BYTES",
        "MOST_OPERATIONS",
        "MOST_TRYING_S",
        "SLOW_FRAMES",
        "_PACKETS_TO_TRY",
        "_PACKETS_IF_LATE",
        "CACHE_BYTES",
        "COUNT_BYTES",
        "MAX_SPEC_BYTES",
        "MEMORY_SHARE",
        "MOST_BYTES",
        "FREE_BYTES",
    }
)
"""Constants that only bound a cost: off by one does not change behaviour."""

ROOM = frozenset({"setContentsMargins", "setSpacing", "around", "between"})
"""Calls and arguments that only set space around widgets: one pixel does not change behaviour."""

PATIENCE = 4.0, 30.0
"""Time limit: this multiple of the unchanged tests' time, plus this many seconds. A mutant beyond it counts as
noticed."""

MISSING = "ERROR: not found: "
"""As pytest begins to say that there is no test of a name."""

NOT_IMPORTED = "ImportError while loading conftest", "ERROR: found no collectors for "
"""As pytest says that it could not import a conftest, or the file of a test that it runs by name."""

FUNCTION = ast.FunctionDef | ast.AsyncFunctionDef

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
}


@dataclass(frozen=True)
class Mutant:
    """Change of one field of a node in a syntax tree."""

    module: str
    kind: str
    line: int
    node: ast.AST
    field: str
    value: object

    def diff(self, tree: ast.Module) -> tuple[str, list[str]]:
        """Return the changed source, and the differing lines."""
        before, kept = ast.unparse(tree), getattr(self.node, self.field)
        setattr(self.node, self.field, self.value)
        try:
            after = ast.unparse(ast.fix_missing_locations(tree))
        finally:
            setattr(self.node, self.field, kept)
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm="")
        return after, [line for line in lines if line[0] in "-+" and line[:3] not in ("---", "+++")]


def negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def without(body: list[ast.stmt], index: int) -> list[ast.stmt]:
    """Return a block with one statement replaced by `pass`."""
    return [*body[:index], ast.Pass(), *body[index + 1 :]]


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST, str, object]]:
    """Yield a node's changes as (kind, node, field, new value)."""
    match node:
        case ast.Compare(ops=ops):
            for index, op in enumerate(ops):
                other: list[ast.cmpop] = [*ops[:index], COMPARED[type(op)](), *ops[index + 1 :]]
                yield "comparison", node, "ops", other
        case ast.BoolOp(op=ast.And()):
            yield "and/or", node, "op", ast.Or()
        case ast.BoolOp():
            yield "and/or", node, "op", ast.And()
        case ast.BinOp(op=op) if type(op) in COMPUTED:
            yield "arithmetic", node, "op", COMPUTED[type(op)]()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", node, "operand", negated(operand)
        case ast.Constant(value=bool(value)):
            yield "constant", node, "value", not value
        case ast.Constant(value=int(value) | float(value)):
            yield "constant", node, "value", value + 1
            yield "constant", node, "value", value - 1
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) if not isinstance(test, ast.UnaryOp):
            yield "condition", node, "test", negated(test)
        case ast.comprehension(ifs=ifs):
            for index in range(len(ifs)):
                yield "condition", node, "ifs", ifs[:index] + ifs[index + 1 :]
        case ast.Return(value=ast.expr() as result) if not isinstance(result, ast.Constant):
            yield "result", node, "value", ast.Constant(None)


def removable(statement: ast.stmt) -> bool:
    """Return whether all names stay defined without a statement."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))) if name in ROOM:
            return False
        case ast.Expr(value=ast.Call() | ast.Yield() | ast.YieldFrom()):
            return True
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)
    return isinstance(statement, ast.AugAssign | ast.Raise | ast.Break | ast.Continue | ast.Delete)


def parts(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node's children that affect behaviour."""
    match node:
        case ast.JoinedStr() | ast.Raise() | ast.Assert() | ast.Import() | ast.ImportFrom():
            return
        case ast.FunctionDef(decorator_list=[ast.Name(id="overload")]):
            return
        case ast.Call(func=ast.Attribute(attr=name)) | ast.keyword(arg=str(name)) if name in ROOM:
            return
        case ast.AnnAssign(value=value):
            yield from [value] if value is not None else []
        case ast.FunctionDef(args=args, body=body):
            yield from (default for default in (*args.defaults, *args.kw_defaults) if default is not None)
            yield from body
        case ast.ClassDef(body=body):
            yield from body
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return
        case ast.Assign(targets=[ast.Name(id=name)]) if name in BUDGETS | ROOM or name == "__all__":
            return
        case _:
            yield from ast.iter_child_nodes(node)


def mutants(module: str, tree: ast.Module) -> list[Mutant]:
    """List a module's mutants, but none of assignments in `__init__`."""
    found: list[Mutant] = []

    def visit(node: ast.AST, line: int, *, settings: bool) -> None:
        settings = node.name == "__init__" if isinstance(node, ast.FunctionDef) else settings
        line = getattr(node, "lineno", line)
        found.extend(Mutant(module, kind, line, *change) for kind, *change in changes(node))  # type: ignore[arg-type]
        for field in ("body", "orelse", "finalbody"):
            body = getattr(node, field, None)
            if not isinstance(body, list):  # the body of a lambda or conditional expression
                continue
            for index, statement in enumerate(body):
                if removable(statement) and not (settings and isinstance(statement, ast.Assign)):
                    found.append(Mutant(module, "statement", statement.lineno, node, field, without(body, index)))
        for part in parts(node):
            visit(part, line, settings=settings)

    visit(tree, 0, settings=False)
    return found


def chosen(modules: Sequence[str], trees: dict[str, ast.Module], count: int, seed: int) -> list[Mutant]:
    """Select mutants by the seed, in turn from each module."""
    share, more = divmod(count, len(modules))
    with_more = set(random.Random(seed).sample(modules, more))
    picked: list[Mutant] = []
    for module in modules:
        every = mutants(module, trees[module])
        random.Random(f"{seed} {module}").shuffle(every)
        picked += sorted(every[: share + (module in with_more)], key=lambda mutant: mutant.line)
    return picked


def modules() -> dict[str, Path]:
    """Return mutated modules and their files."""
    files = [*(dev.ROOT / "app").rglob("*.py"), *(dev.ROOT / name for name in POLICY)]
    return dict(sorted((path_module(path), path.relative_to(dev.ROOT)) for path in files))


def path_module(path: Path) -> str:
    """Return the module or package of a file."""
    folder, *parts = path.relative_to(dev.ROOT).with_suffix("").parts
    if parts[-1] == "__init__":
        parts.pop()
    return ".".join(("framebrush", *([] if folder == "app" else [folder]), *parts))


def copy_tree() -> None:
    """Copy the working tree to `COPY`, with times and kernels, link the package and compile it."""
    shutil.rmtree(COPY, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=dev.ROOT,
        capture_output=True,
        check=True,
    )
    kernels = (str(path.relative_to(dev.ROOT)) for path in dev.ROOT.glob("gpu/cpu/*framebrush_kernels.*"))
    for name in (*filter(None, os.fsdecode(listed.stdout).split("\0")), *kernels):
        if (dev.ROOT / name).is_file():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(dev.ROOT / name, COPY / name)
    layout = "from tools import dev; dev.link_package(dev.ROOT / 'build' / 'types' / 'framebrush')"
    subprocess.run([sys.executable, "-c", layout], cwd=COPY, check=True)
    subprocess.run([sys.executable, "-m", "compileall", "-q", "app", "gpu", "models"], cwd=COPY, check=True)


def pytest(*arguments: str, results: Path, **environment: str) -> subprocess.Popen[str]:
    """Start pytest in the copy."""
    options = ["-q", "-p", "no:cacheprovider", "--tb=line", f"--junitxml={results}", "-o", "junit_family=xunit1"]
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", *options, *arguments],
        cwd=COPY,
        env={**os.environ, "PYTHONPATH": str(COPY / "build" / "types"), **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def results_of(path: Path) -> Iterator[tuple[str, float, bool]]:
    """Yield name, seconds and success of tests in a JUnit file."""
    for case in ElementTree.parse(path).iter("testcase"):
        name = f"{case.get('file')}::{case.get('name')}"
        yield name, float(case.get("time", 0)), case.find("failure") is None and case.find("error") is None


def pytest_runtest_logstart(nodeid: str) -> None:
    """Switch coverage's context, as a hook of pytest."""
    from coverage import Coverage  # installed for developers only

    if measured := Coverage.current():
        measured.switch_context(nodeid)


def make_map(tests: Sequence[str]) -> int:
    """Map all tests or some; return pytest's exit status."""
    values = {
        "data_file": MAP / "lines",
        "source": ",".join(str(COPY / name) for name in ("app", "gpu", "models")),
        "context": "${PYTEST_CURRENT_TEST-}",  # of the processes that a test starts
        "parallel": True,
        "patch": "_exit",
    }
    if not tests or not SETTINGS.exists():
        shutil.rmtree(MAP, ignore_errors=True)
        MAP.mkdir(parents=True)
        lines = (f"{name} = {value}\n" for name, value in values.items())
        SETTINGS.write_text("".join(["[run]\n", *lines]), encoding="utf-8")
    copy_tree()
    elsewhere = [f"--ignore=tests/{folder}" for folder in ELSEWHERE]
    results = MAP / f"{len([*MAP.glob('*.xml')])}.xml"
    run = pytest(
        "-p", "tools.mutants", *dev.SPREAD, "--all", *elsewhere, *tests,
        results=results, COVERAGE_PROCESS_START=str(SETTINGS), PYTEST_CURRENT_TEST="",
    )  # fmt: skip
    assert run.stdout is not None
    for line in run.stdout:
        print(line, end="", flush=True)
    combine = [sys.executable, "-m", "coverage", "combine", "-q", "--append", f"--rcfile={SETTINGS}"]
    subprocess.run(combine, cwd=MAP, check=True)
    return run.wait()


class Covering:
    """Tests by the lines that they run."""

    def __init__(self, sources: Mapping[Path, str]) -> None:
        """Read the map."""
        self._seconds: dict[str, float] = {}
        for path in sorted(MAP.glob("*.xml"), key=lambda path: int(path.stem)):
            results = [*results_of(path)]
            self._seconds.update((test, seconds) for test, seconds, _ in results)
            for test in (test for test, _, passed in results if not passed):
                del self._seconds[test]
        self._lines: dict[Path, dict[str, int]] = {path: defaultdict(int) for path in sources}
        for name, context, data in sqlite3.connect(MAP / "lines").execute(LINES):
            test = re.sub(r" \((setup|call|teardown)\)$", "", context)  # as pytest calls it for child processes
            if test in self._seconds and (path := Path(name).relative_to(COPY)) in self._lines:
                self._lines[path][test] |= int.from_bytes(data, "little")
        self._sources, self._functions = sources, dict[str, dict[str, str]]()
        self._trees = {path: ast.parse(source) for path, source in sources.items()}
        self._changed = {path for path in sources if (dev.ROOT / path).stat().st_mtime > SETTINGS.stat().st_mtime}
        self._uses: dict[str, list[tuple[Path, int]]] = defaultdict(list)
        for path, tree in self._trees.items():
            for node in ast.walk(tree):
                match node:
                    case (
                        ast.Name(id=name, ctx=ast.Load())
                        | ast.Attribute(attr=name)
                        | ast.keyword(arg=str(name))
                        | ast.Constant(value=str(name))
                    ):
                        self._uses[name].append((path, bit(node.lineno)))

    def tests_of(self, path: Path, line: int) -> list[str]:
        """Return tests that run a line, ranked by rare lines and shared words."""
        tests, homes = set[str](), set[Path]()
        for places in self._places(path, line):
            tests, homes = self._running(places), {home for home, _ in places}
            if tests:
                break
        often = {
            home: Counter(number for bits in self._lines[home].values() for number in numbers(bits)) for home in homes
        }

        said = {test: words(self._text_of(test)) for test in tests}
        spoken = Counter(word for each in said.values() for word in each)
        asked = words(self._asked(path, line))

        def worth(test: str) -> float:
            ran = ((home, number) for home in homes for number in numbers(self._lines[home][test]))
            return sum(1 / often[home][number] for home, number in ran) / (1 + self._seconds[test])

        def alike(test: str) -> float:
            return sum(1 / spoken[word] for word in asked & said[test]) / (1 + self._seconds[test])

        rare = sorted(tests, key=lambda test: (-worth(test), test))
        near = sorted(filter(alike, tests), key=lambda test: (-alike(test), test))
        ranked, functions = list[tuple[int, int, str]](), Counter[str]()
        for place, test in enumerate(dict.fromkeys(filter(None, chain(*zip_longest(rare, near))))):
            function = test.partition("[")[0]
            ranked.append((functions[function], place, test))  # each function before more values for one
            functions[function] += 1
        chosen, left_s = list[str](), ENOUGH_S
        for _, _, test in sorted(ranked):
            if not chosen or self._seconds[test] < left_s:
                chosen.append(test)
                left_s -= self._seconds[test]
        files = list(map(file_of, chosen))
        for test in sorted(tests, key=lambda test: (self._seconds[test], test)):
            if file_of(test) not in files:
                chosen.append(test)
                files.append(file_of(test))
        again, left_s = {test.partition("[")[0] for test in chosen}, ENOUGH_S
        for test in sorted(tests.difference(chosen), key=lambda test: (self._seconds[test], test)):
            if test.partition("[")[0] in again and self._seconds[test] <= min(QUICK_S, left_s):
                chosen.append(test)
                left_s -= self._seconds[test]
        return sorted(chosen, key=lambda test: files.index(file_of(test)))

    def seconds(self, tests: Iterable[str]) -> float:
        return sum(self._seconds[test] for test in tests)

    def _asked(self, path: Path, line: int) -> str:
        around = (node for node in ast.walk(self._trees[path]) if isinstance(node, FUNCTION | ast.ClassDef))
        names = (node.name for node in around if bit(line) & extent(node, node))
        return " ".join([path.stem, *names, self._sources[path].splitlines()[line - 1]])

    def _text_of(self, test: str) -> str:
        file, _, name = test.partition("::")
        if file not in self._functions:
            source = (COPY / file).read_text(encoding="utf-8")
            tests = (node for node in ast.parse(source).body if isinstance(node, FUNCTION))
            self._functions[file] = {node.name: ast.get_source_segment(source, node) or "" for node in tests}
        return test + self._functions[file].get(name.partition("[")[0], "")

    def _running(self, lines: Iterable[tuple[Path, int]]) -> set[str]:
        return {test for path, bits in lines for test, run in self._lines[path].items() if run & bits}

    def _places(self, path: Path, line: int) -> Iterator[list[tuple[Path, int]]]:
        """Yield alternative blocks that depend on a line, best first."""
        tree = self._trees[path]
        functions = [node for node in ast.walk(tree) if isinstance(node, FUNCTION)]
        within = [node for node in ast.walk(tree) if isinstance(node, ast.stmt) and bit(line) & extent(node, node)]
        match within:
            case _ if path in self._changed:
                pass  # lines have other numbers now
            case [*_, ast.FunctionDef() | ast.AsyncFunctionDef() as function]:  # a default
                yield [(path, extent(function, function))]
            case [*outer, statement] if any(isinstance(node, FUNCTION) for node in outer):
                yield [(path, bit(line))]
                yield [(path, extent(statement, statement))]
                names = path.stem, path_module(dev.ROOT / path)  # what a killed process ran is unknown
                yield [place for name in names for place in self._uses[name] if place[0] != path]
                return
            case [*outer, ast.Assign(targets=[target]) | ast.AnnAssign(target=target)]:
                made = [place for node in outer if isinstance(node, ast.ClassDef) for place in self._uses[node.name]]
                uses = [
                    place for node in ast.walk(target) if isinstance(node, ast.Name) for place in self._uses[node.id]
                ]
                yield made + [place for place in uses if place[0] == path]
                yield uses
        yield [(path, extent(function.body[0], function.body[-1])) for function in functions]  # imported by every test
        yield [(path, -1)]


def words(text: str) -> set[str]:
    return {word.lower() for word in re.findall("[A-Z]?[a-z]{2,}|[A-Z]{2,}", text)}


def file_of(test: str) -> str:
    return test.partition("::")[0]


def bit(line: int) -> int:
    return 1 << line


def numbers(bits: int) -> list[int]:
    """Return the lines of bits."""
    return [line for line in range(bits.bit_length()) if bits & bit(line)]


def extent(first: ast.stmt, last: ast.stmt) -> int:
    """Return the bits of all lines of a block."""
    return (1 << (last.end_lineno or last.lineno) + 1) - bit(first.lineno)


def ended(run: subprocess.Popen[str], limit_s: float) -> tuple[str, str]:
    """Wait for pytest; return outcome, "" if none failed, and output."""
    try:
        output, _ = run.communicate(timeout=limit_s)
    except subprocess.TimeoutExpired:
        if sys.platform == "win32":
            run.kill()
        else:
            os.killpg(run.pid, signal.SIGKILL)  # including processes started by the tests
        run.communicate()
        return "killed, it hung", ""
    status = run.returncode
    no_import = status == 4 and any(words in output for words in NOT_IMPORTED)
    if status in (1, 2) or no_import:  # 2: the module could not even be imported
        return "killed", output
    if status < 0 or status > 0xFF:  # ended by a signal, or by an exception of Windows
        return "killed, it crashed", output
    if status and MISSING not in output:
        raise SystemExit(f"pytest ended with {status}:\n{output}")
    return "", output


def outcome(path: Path, changed: str, tests: Sequence[str], limit_s: float) -> str:
    """Run a mutant's tests; return outcome, "" if none failed."""
    results = MAP / "mutant"
    while tests:
        results.unlink(missing_ok=True)
        (COPY / path).write_text(changed, encoding="utf-8")
        # bytecode: else the next mutant might load this one's
        killed, output = ended(pytest("-x", *tests, results=results, PYTHONDONTWRITEBYTECODE="1"), limit_s)
        shutil.copy2(dev.ROOT / path, COPY / path)
        failed = {test for test, _, passed in results_of(results) if not passed} if results.exists() else set()
        # parameters of these tests are named by values that the mutant changes
        left_out = {test for test in tests if f"{MISSING}{COPY / test.partition('[')[0]}\n" in output}
        if not left_out:
            left_out = failed & set(tests)
            if not left_out or not ended(pytest(*left_out, results=results), limit_s)[0]:
                return killed
        tests = [test for test in tests if test not in left_out]
    return ""


def main(arguments: Sequence[str]) -> int:
    """Run a command line; return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--map", nargs="*", metavar="TESTS", help="find out which tests run which lines, and end")
    parser.add_argument("--count", type=int, default=100, help="how many mutants, over all modules")
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--only", action="append", metavar="MODULE", help="try only those of this module")
    parser.add_argument("--list", action="store_true", help="print the mutants that are chosen, and try none")
    options = parser.parse_args(arguments)
    if options.map is not None:
        return make_map(options.map)
    paths = modules()
    unknown = [module for module in options.only or () if module not in paths]
    if unknown:
        parser.error(f"there is no {', '.join(unknown)} to mutate, only modules of app and {', '.join(POLICY)}")

    sources = {path: (dev.ROOT / path).read_text(encoding="utf-8") for path in paths.values()}
    trees = {module: ast.parse(sources[paths[module]]) for module in options.only or paths}
    # modules without anything to mutate would take others' share
    picked = chosen([module for module in trees if mutants(module, trees[module])], trees, options.count, options.seed)
    if options.list:
        for mutant in picked:
            report("chosen", mutant, mutant.diff(trees[mutant.module])[1])
        return 0
    if not (MAP / "lines").exists():
        parser.error("no map tells which tests run a line: make one with --map")
    copy_tree()
    covering = Covering(sources)
    tried, survived = Counter[str](), Counter[str]()
    for mutant in picked:
        path = paths[mutant.module]
        changed, lines = mutant.diff(trees[mutant.module])
        tests = covering.tests_of(path, mutant.line)
        killed = outcome(path, changed, tests, PATIENCE[0] * covering.seconds(tests) + PATIENCE[1])
        tried[mutant.module] += 1
        survived[mutant.module] += not killed
        report(killed or f"SURVIVED {len(tests)} tests", mutant, [] if killed else lines)
    for module in tried:
        print(f"{module:30} {tried[module]:4} tried {survived[module]:4} survived")
    print(f"{f'all, seed {options.seed}':30} {tried.total():4} tried {survived.total():4} survived")
    return int(survived.total() * 10 > tried.total())


def report(answer: str, mutant: Mutant, lines: Sequence[str]) -> None:
    """Print a mutant's outcome and its diff."""
    print(f"{answer:9} {mutant.module}:{mutant.line}, {mutant.kind}", *(f"    {line}" for line in lines), sep="\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
