"""Sources of frames by their texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.media.live import camera, generated
from framebrush.media.reading import generator, standard_input
from framebrush.media.sources.frame_source import absolute_source, local_path

pytestmark = pytest.mark.unit


def test_files_alone_have_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert local_path("film.mp4") == Path("film.mp4")
    assert absolute_source("film.mp4") == str(tmp_path / "film.mp4")
    for prefix in (camera.PREFIX, generated.PREFIX, generator.PREFIX, standard_input.NAME):
        assert local_path(prefix) is None
        assert absolute_source(prefix) == prefix
