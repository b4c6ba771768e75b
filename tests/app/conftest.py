"""Fixtures: the processor as a device, a film, an uninterrupted job."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from framebrush.gpu.device import Device, open_device
from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    with open_device("cpu") as opened:
        yield opened


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return jobs.make_film(tmp_path_factory.mktemp("film") / "film.mp4")


@pytest.fixture(scope="session")
def at_once(film: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return an uninterrupted job's file."""
    target = tmp_path_factory.mktemp("whole") / "out.mp4"
    jobs.finish(film, target)
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
    assert leftovers(target.parent) == [target.name]
    return target.read_bytes()
