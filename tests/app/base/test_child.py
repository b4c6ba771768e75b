"""A child process as the one sees it that has started it, whatever it does."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from framebrush.base.child import Child

ANSWERS = """
from framebrush.base.child import orders
import json, queue, sys
ended = queue.SimpleQueue()
lines = orders(lambda: lines.put(""))
while order := lines.get():
    print(json.dumps({"had": json.loads(order)}), flush=True)
"""


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:  # noqa: ANN401
    """Makes a child of a program's text; it reports into a queue, and last how it has ended."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))

    def begin(program: str) -> tuple[Child, SimpleQueue[dict[str, Any] | str]]:
        said: SimpleQueue[dict[str, Any] | str] = SimpleQueue()
        (tmp_path / "program_of_a_test.py").write_text(program, encoding="utf-8")
        return Child("program_of_a_test", take=said.put, gone=said.put), said

    return begin


def test_orders_are_answered_and_the_end_of_orders_ends_it(run: Any) -> None:  # noqa: ANN401
    process, said = run(ANSWERS)
    process.send({"one": [1, "ü"]})
    assert said.get(timeout=60) == {"had": {"one": [1, "ü"]}}
    process.end(60)
    assert "status 0" in said.get(timeout=60)


@pytest.mark.parametrize(
    ("program", "reports", "how"),
    [
        ("print('a library'); print('[1]'); print('{\"a\": 1}'); print('{\"half')", [{"a": 1}], "status 0"),
        ("import sys; sys.exit(3)", [], "status 3"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", [], "SIGKILL"),
        ("import os; os.write(1, b'\\xff\\xfe{}\\n')", [], ""),
    ],
    ids=["garbage", "status", "killed", "no text"],
)
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_its_end_is_told_once_and_last(run: Any, program: str, reports: list[Any], how: str) -> None:  # noqa: ANN401
    process, said = run(program)
    assert [said.get(timeout=60) for _ in reports] == reports
    assert how in said.get(timeout=60)
    process.send({"late": 1})  # nobody is there, and nothing is raised
    process.end(1)
    assert said.empty()


def test_one_that_does_not_listen_is_killed(run: Any) -> None:  # noqa: ANN401
    process, said = run("import time; print('{}', flush=True); time.sleep(600)")
    assert said.get(timeout=60) == {}
    begin = time.monotonic()
    process.end(0.1)
    assert time.monotonic() - begin < 60
    assert isinstance(said.get(timeout=60), str)


def test_orders_that_nobody_reads_are_given_up_when_it_dies(run: Any) -> None:  # noqa: ANN401
    process, said = run("import time; time.sleep(1)")
    process.send("x" * (1 << 22))  # more than a pipe holds
    assert isinstance(said.get(timeout=60), str)
