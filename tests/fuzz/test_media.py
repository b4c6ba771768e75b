"""The first files of the fuzzing of media, from a fixed seed; `python tools/dev.py fuzz` goes on for longer."""

from __future__ import annotations

import os
import sys

import pytest

from tests.fuzz import media

FILES = 150

pytestmark = pytest.mark.media


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="waits for the child's answer as POSIX does")
@pytest.mark.timeout(300)
def test_nothing_a_file_holds_harms(tmp_path_factory: pytest.TempPathFactory) -> None:
    keep = tmp_path_factory.mktemp("faults")
    report = media.run(int(os.environ.get("FRAMEBRUSH_FUZZ_SEED", "1")), keep, files=FILES)
    print(report)
    assert report.faults == [], f"the files are in {keep}"
    assert report.files == FILES
    assert {0, 2, 3} <= set(report.statuses)
