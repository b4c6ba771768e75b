"""The film of the tests of long jobs, and what becomes of it in one process that nobody interrupts: made once a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """In a folder of its own."""
    return jobs.make_film(tmp_path_factory.mktemp("film") / "film.mp4")


@pytest.fixture(scope="session")
def at_once(film: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of the job."""
    target = tmp_path_factory.mktemp("whole") / "out.mp4"
    jobs.finish(film, target)
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
    assert leftovers(target.parent) == [target.name]
    return target.read_bytes()
