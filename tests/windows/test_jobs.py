"""Jobs in segments on Windows: killed and resumed, on Direct3D 12 and on two devices, to the very same file."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.app.jobs import jobs
from tests.app.jobs.footage import leftovers

pytestmark = pytest.mark.windows


def finish(source: Path, target: Path, *more: str) -> str:
    """Finish the job in a child process.

    In the rig, without an installed Framebrush, the tests' process may take the job for another version's.
    """
    command = jobs.command(source, target, *more)
    done = subprocess.run(command, cwd=jobs.ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("device", ["d3d12", "cpu,cpu"])
def test_killed_and_resumed(device: str, tmp_path: Path) -> None:
    """Small, and each frame alone: what neighbours across a cut do is the same everywhere and takes the rig minutes."""
    film, whole, target = jobs.make_film(tmp_path / "film.mp4"), tmp_path / "whole.mp4", tmp_path / "out.mp4"
    options = ["--device", device, "--steady", "0", "--max-size", "80"]
    finish(film, whole, *options)
    child = jobs.start(film, target, *options)
    jobs.wait_for_segments(child, target, 3)
    jobs.kill(child)
    kept = jobs.records(target)
    assert 3 <= len(kept) < jobs.COUNT
    assert not target.exists()
    assert f"resuming out.mp4: {jobs.segments_done(len(kept))}" in finish(film, target, *options)
    assert target.read_bytes() == whole.read_bytes()
    assert leftovers(tmp_path) == ["film.mp4", "out.mp4", "whole.mp4"]
