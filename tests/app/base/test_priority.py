"""Work in the background gives way to other programs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.unit, pytest.mark.skipif(sys.platform == "win32", reason="there it has priority classes")]

TOLD = "import os; from framebrush.base.priority import give_way; give_way(5); print(os.nice(0))"


def test_a_process_is_nicer_by_so_much() -> None:
    told = subprocess.run([sys.executable, "-c", TOLD], capture_output=True, text=True, check=True).stdout
    assert int(told) == min(19, os.nice(0) + 5)
