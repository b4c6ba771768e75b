"""Child processes that answer requests, from their first one to their end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from framebrush.base.request_process import RequestProcess

pytestmark = pytest.mark.unit

ANSWERS = """
import os
from queue import SimpleQueue
from framebrush.base import parent
orders = SimpleQueue()
parent.listen(orders.put)
while True:
    order = orders.get()
    if order == {"die": True}:
        os._exit(3)
    parent.report({"had": order, "process": os.getpid()}, b"data")
"""


@pytest.fixture
def process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RequestProcess:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (tmp_path / "answers_of_a_test.py").write_text(ANSWERS, encoding="utf-8")
    return RequestProcess("answers", "answers_of_a_test")


def test_one_process_answers_until_it_is_closed(process: RequestProcess) -> None:
    assert (process.runs, process.has_ended) == (False, False)
    process.send({"n": 0})  # to nobody
    assert process.close() == ""
    seen, data = set(), bytearray(4)
    for number in (1, 2):
        process.start()
        assert (process.runs, process.has_ended) == (True, False)
        process.send({"n": number})
        answer = process.answer()
        seen.add(answer["process"])
        assert answer["had"] == {"n": number}
        process.receive(memoryview(data))
        assert data == b"data"
    assert len(seen) == 1
    assert process.close().startswith(("was ended by ", "ended with status "))
    assert (process.runs, process.has_ended) == (False, False)


def test_a_death_is_told_and_the_next_request_starts_another(process: RequestProcess) -> None:
    process.start()
    process.send({"die": True})
    with pytest.raises(RuntimeError, match="the process that answers ended with status 3"):
        process.answer()
    process.start()
    process.send({})
    assert process.answer()["had"] == {}
    process.close()


def test_an_ended_process_answers_no_more_and_is_not_started_again(process: RequestProcess) -> None:
    process.start()
    process.end()
    for _ in range(2):
        process.send({})
        with pytest.raises(RuntimeError, match="the process that answers "):
            process.answer()
        assert not process.runs
        process.start()  # killed at once
    process.close()
