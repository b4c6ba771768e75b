"""Child processes from the parent's side: every way to answer, hang or end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from framebrush.base.child import LAST_WORDS_BYTES, Child, DiedError, Ended, ask_once

MODULE = "program_of_a_test"
ROOT = Path(__file__).parents[3]

ANSWERS = """
from framebrush.base import parent
from queue import SimpleQueue
orders = SimpleQueue()
parent.listen(orders.put, lambda: orders.put(None))
for order in iter(orders.get, None):
    parent.report({"had": order})
"""

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals")

Said = SimpleQueue[dict[str, Any] | Ended]
Begin = Callable[..., tuple[Child, Said]]
Write = Callable[[str], None]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Makes a module of a program's text."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    return lambda program: (tmp_path / f"{MODULE}.py").write_text(program, encoding="utf-8") and None


@pytest.fixture
def run(write: Write) -> Begin:
    """Starts a program's text; it reports into a queue, and last how it has ended."""

    def begin(program: str, **options: Any) -> tuple[Child, Said]:  # noqa: ANN401 - as `Child` has them
        said: Said = SimpleQueue()
        write(program)
        return Child(MODULE, take=said.put, gone=said.put, **options), said

    return begin


def ended(said: Said) -> Ended:
    last = said.get(timeout=60)
    assert isinstance(last, Ended)
    assert said.empty()
    return last


def test_what_was_said_before_its_end_is_told_however_late_it_is_read(write: Write) -> None:
    said: Said = SimpleQueue()
    process: SimpleQueue[Child] = SimpleQueue()

    def take(report: dict[str, Any]) -> None:
        said.put(report)
        process.get().wait()

    write('import os; os.write(1, b\'{"a": 1}\\n\\0\\n\\n{"b": 1}\\n\')')
    child = Child(MODULE, take=take, gone=said.put)
    process.put(child)
    process.put(child)
    assert [said.get(timeout=60) for _ in range(2)] == [{"a": 1}, {"b": 1}]
    assert ended(said) == Ended(0, "", False)


def test_orders_are_answered_and_the_end_of_orders_ends_it(run: Begin) -> None:
    process, said = run(ANSWERS)
    process.send({"one": [1, "ü"]})
    process.send("two")
    process.end(60)  # what was ordered before comes first
    process.send("late")
    assert [said.get(timeout=60) for _ in range(2)] == [{"had": {"one": [1, "ü"]}}, {"had": "two"}]
    assert ended(said) == process.wait() == Ended(0, "", False)


@pytest.mark.parametrize(
    ("program", "reports", "status"),
    [
        ("print('a library'); print('[1]'); print('{\"a\": 1}'); print('{\"half', end='')", [{"a": 1}], 0),
        ("print('[' * 100_000); print('{\"a\": 1}')", [{"a": 1}], 0),
        ("import sys; sys.exit(3)", [], 3),
        ('import os; os.write(1, b\'\\xff\\xfe{}\\n{"a": "\\xff"}\\n{"b": 1}\\n\')', [{"b": 1}], 0),
        ("import os; os.write(1, b'\\0\\n{\"b\": 1}\\n')", [{"b": 1}], 0),
        pytest.param("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", [], -9, marks=POSIX),
        pytest.param("import os; print('{\"a\"', end='', flush=True); os.abort()", [], -6, marks=POSIX),
    ],
    ids=["garbage", "deep", "status", "no text", "end sign", "killed", "half a report"],
)
def test_its_end_is_told_once_and_last(run: Begin, program: str, reports: list[Any], status: int) -> None:
    process, said = run(program)
    assert [said.get(timeout=60) for _ in reports] == reports
    how = ended(said)
    assert (how.status, how.crashed) == (status, status < 0)
    process.send({"late": 1})  # nobody is there, and nothing is raised
    process.end(1)
    process.kill()
    assert not process.wait().killed
    assert said.empty()


def test_one_that_waits_for_orders_ends_without_them(run: Begin) -> None:
    process, said = run(ECHO)
    process.end(60)
    assert ended(said) == process.wait() == Ended(0, "", False)


def test_one_that_does_not_listen_is_killed(run: Begin) -> None:
    process, said = run("import time; print('{}', flush=True); time.sleep(600)")
    assert said.get(timeout=60) == {}
    process.end(600)
    process.end(0.1)  # with less patience
    how = ended(said)
    assert how.killed
    assert how.crashed


def test_orders_that_nobody_reads_hold_nobody_up(run: Begin) -> None:
    process, said = run("import time; print('{}', flush=True); time.sleep(600)")
    process.send("x" * (1 << 22))  # more than a pipe holds
    assert said.get(timeout=60) == {}
    process.end(0)
    assert ended(said).killed


@POSIX
def test_reports_before_its_end_are_all_taken_also_from_a_full_pipe(run: Begin) -> None:
    count = 40_000
    process, said = run(f"for n in range({count}): print('{{\"n\": ' + str(n).zfill(60).lstrip('0').rjust(60) + '1}}')")
    process.wait()
    assert [said.get(timeout=60) for _ in range(count)][-1] == {"n": int(f"{count - 1}1")}
    assert ended(said).status == 0


@POSIX
@pytest.mark.parametrize("listens", [False, True])
def test_a_process_that_it_leaves_behind_does_not_hide_its_end(run: Begin, listens: bool) -> None:
    begin = "from framebrush.base import parent; parent.listen(print, print)\n" if listens else ""
    _, said = run(
        f"{begin}import subprocess; from framebrush.base.parent import report\n"
        'report({"left": subprocess.Popen(["sleep", "600"]).pid})'
    )
    left = said.get(timeout=60)
    assert isinstance(left, dict)
    try:
        assert ended(said).status == 0
        os.kill(left["left"], 0)  # it is there
        holds = any("pipe:" in os.readlink(f"/proc/{left['left']}/fd/{number}") for number in (0, 1))  # noqa: PTH115
        assert holds == (not listens)
    finally:
        os.kill(left["left"], signal.SIGKILL)


def test_last_words_are_kept_and_what_libraries_print_is_no_report(run: Begin) -> None:
    _, said = run(
        "import os, sys; from framebrush.base import parent; parent.listen(print, print)\n"
        "sys.stderr.write('x' * 200_000); os.write(1, b'{}\\n'); sys.exit('that was \\u00fc')",
        keeps_errors=True,
        environment={"PYTHONIOENCODING": "utf-8"},
    )
    how = ended(said)
    assert how.status == 1
    assert how.errors.endswith("{}\nthat was ü")
    assert len(how.errors) <= LAST_WORDS_BYTES


@pytest.mark.slow
@POSIX
def test_it_is_told_that_its_parent_has_died(tmp_path: Path) -> None:
    (tmp_path / f"{MODULE}.py").write_text(ANSWERS, encoding="utf-8")
    starts = f"from framebrush.base.child import Child; print(Child({MODULE!r}).pid, flush=True); input()"
    import psutil  # here, not above: it is not everywhere, and nor are signals

    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-P", "-c", starts]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        orphan = psutil.Process(int(parent.stdout.readline()))
        parent.kill()
    psutil.wait_procs([orphan], timeout=60)
    assert not orphan.is_running()


@POSIX
def test_an_interruption_from_the_terminal_does_not_reach_it(run: Begin) -> None:
    process, _ = run(ANSWERS)
    assert os.getsid(process.pid) == process.pid
    process.end(60)


def test_a_program_that_is_not_there_cannot_be_started() -> None:
    with pytest.raises(FileNotFoundError):
        Child(MODULE, python="/nowhere/python")


ECHO = """
from framebrush.base import parent
from queue import SimpleQueue
orders = SimpleQueue()
parent.listen(orders.put)
while order := orders.get():
    parent.report({"bytes": len(order)}, order.encode(), b"")
"""


def test_answers_are_followed_by_bytes(write: Write) -> None:
    write(ECHO)
    process = Child(MODULE)
    try:
        for text in ("a\0\nb", "x" * (1 << 21)):
            process.send(text)
            data = bytearray(process.answer()["bytes"])
            process.receive(memoryview(data))
            assert data.decode() == text
    finally:
        process.close()
    assert ask_once(MODULE, "once", 60) == ({"bytes": 4}, b"once")


@pytest.mark.parametrize("missing", [1, 3, 1 << 20])
def test_one_that_dies_within_its_bytes_has_not_answered(write: Write, missing: int) -> None:
    write(f'from framebrush.base.parent import report; report({{"bytes": 10 + {missing}}}, b"x" * 10)')
    with pytest.raises(DiedError, match="status 0"):
        ask_once(MODULE, None, 60)


@POSIX
def test_one_that_is_silent_is_not_waited_for(write: Write) -> None:
    write("import time; time.sleep(600)")
    begin = time.monotonic()
    with pytest.raises(DiedError, match="SIGKILL") as failed:
        ask_once(MODULE, None, 0.1)
    assert failed.value.ended.killed
    assert time.monotonic() - begin < 60


def test_answers_that_nobody_takes_do_not_keep_it(write: Write) -> None:
    write('from framebrush.base.parent import report\nwhile True: report({"a": 1}, bytes(1 << 20))')
    process = Child(MODULE)
    assert process.answer() == {"a": 1}
    assert process.close().killed


def test_the_collector_rests_until_it_listens(write: Write) -> None:
    write(
        "import gc\n"
        "from framebrush.base import parent\n"
        "before = gc.isenabled()\n"
        "parent.listen(lambda _: None)\n"
        'parent.report({"before": before, "after": gc.isenabled(), "frozen": gc.get_freeze_count() > 0})'
    )
    said, _ = ask_once(MODULE, None, 60.0)
    assert said == {"before": False, "after": True, "frozen": True}


def test_a_process_has_its_arguments_and_its_end(write: Write) -> None:
    write(
        "import sys\n"
        "from framebrush.base import parent\n"
        "parent.listen(lambda _: None)\n"
        'parent.report({"name": __name__, "arguments": sys.argv[1:]})\n'
        "sys.exit(3)"
    )
    process = Child(MODULE, "a", "--b")
    assert process.answer() == {"name": "__main__", "arguments": ["a", "--b"]}
    assert process.wait().status == 3
    process.close()


SILENT = {"__main__.py", "base/loading.py", "cli/supervised_command.py", "window/supervised_window.py"}
"""Processes whose standard streams are a user's, or that supervision starts for one; and what starts the others."""


def test_every_process_listens_to_its_parent() -> None:
    app = ROOT / "app"
    programs = {
        str(path.relative_to(app).as_posix()): text
        for path in app.rglob("*.py")
        if 'if __name__ == "__main__":' in (text := path.read_text(encoding="utf-8"))
    }
    assert len(programs) > 10
    assert {name for name, text in programs.items() if "parent.listen(" not in text} == SILENT
