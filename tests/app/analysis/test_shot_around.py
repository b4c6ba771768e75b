"""The shot around a frame, between cuts and dissolves."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.analysis.dissolves import Dissolve
from framebrush.analysis.shot_around import shot_around
from framebrush.media.sources.frame_source import open_frame_source
from framebrush.media.video import InputError
from tests.app.analysis.test_cuts import HEIGHT, WIDTH, Picture, scene
from tests.app.analysis.test_dissolves import dissolved

pytestmark = pytest.mark.media

CUTS = 40, 130


def film_of(path: Path, pictures: list[Picture]) -> Path:
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=25)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "gray"
        for picture in pictures:
            codes = picture.round().clip(0, 255).astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(codes, format="gray")))
        container.mux(stream.encode())
    return path


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four shots: a cut at 40, a dissolve of 12 frames from 68 on, and a cut at 130."""
    pictures = scene(1, 40, 0.5) + dissolved(scene(2, 40, 0.5), scene(3, 62, 0.5), 12) + scene(4, 20, 0.5)
    return film_of(tmp_path_factory.mktemp("shots") / "four.mkv", pictures)


def near(edge: Dissolve | None, first: int, end: int) -> bool:
    return edge is not None and abs(edge.first - first) <= 2 and abs(edge.end - end) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("back", [pytest.param(3, marks=pytest.mark.slow), 250])
def test_the_shot_around_a_frame(film: Path, monkeypatch: pytest.MonkeyPatch, back: int) -> None:
    monkeypatch.setattr("framebrush.analysis.shot_around.BACK_FRAMES", back)
    first, last = (Dissolve(cut, cut) for cut in CUTS)
    with open_frame_source(str(film)) as source:
        for number in (0, 39):
            assert shot_around(source, number, lambda: False) == (Dissolve(0, 0), first)
        for number in (40, 55, 71):
            begin, end = shot_around(source, number, lambda: False)
            assert begin == first
            assert near(end, 68, 80)
        for number in (77, 100, 129):
            begin, end = shot_around(source, number, lambda: False)
            assert near(begin, 68, 80)
            assert end == last
        assert shot_around(source, 140, lambda: False) == (last, None)
        with pytest.raises(InputError, match="stopped"):
            shot_around(source, 0, lambda: True)


def test_a_dissolve_just_before_the_end_counts(tmp_path: Path) -> None:
    film = film_of(tmp_path / "two.mkv", dissolved(scene(1, 40, 0.0), scene(2, 17, 0.0), 12))
    with open_frame_source(str(film)) as source:
        assert shot_around(source, 10, lambda: False) == (Dissolve(0, 0), Dissolve(28, 40))
        assert shot_around(source, 34, lambda: False) == (Dissolve(28, 40), None)
