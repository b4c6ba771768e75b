"""Progress of shot detection, as the process that learns reports it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.unit

SEARCH = """
from framebrush.base import parent
from framebrush.window.painted.learning_worker import Orders, Searched
searched = Searched(Orders())
searched(7, None)
for number in range(401):
    searched(number, 400)
parent.report({"over": 1})
"""


def test_the_search_reports_hundredths_once_each() -> None:
    command = [sys.executable, "-c", SEARCH]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write('{"film": "a.mp4"}\n')
        process.stdin.flush()
        told = [json.loads(process.stdout.readline()) for _ in range(101)]
        process.stdin.close()
    assert told == [*({"read": each / 100} for each in range(1, 101)), {"over": 1}]
