"""The demo and the film that it paints."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush import sample
from framebrush.analysis.cuts import with_cuts
from framebrush.cli.command_line import run
from framebrush.cli.demo import PAINTINGS, demo_job
from framebrush.jobs.keyframes import STYLE
from framebrush.jobs.transcode import NOBODY
from framebrush.jobs.workers.runner import job_runner
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange

pytestmark = pytest.mark.media


def pictures(film: Path, first: int, count: int) -> list[npt.NDArray[np.int16]]:
    """(360, 640, 3) R'G'B' of some frames in a row."""
    with av.open(str(film)) as container:
        frames = list(container.decode(video=0))[first : first + count]
    return [frame.reformat(640, 360, "rgb24").to_ndarray().astype(np.int16) for frame in frames]


@pytest.mark.slow
def test_each_shot_begins_as_it_is_and_is_uncovered_in_a_painting_of_its_own(tmp_path: Path) -> None:
    cut, count = sample.SHOTS[1], 10
    part = TimeRange(start=Position(Fraction(cut - 2), "frame"), frames=count)
    job = replace(demo_job(str(tmp_path / "part.mp4"), "cpu"), range=part)
    with job_runner(job) as runner:
        runner(job, NOBODY, restart=False)
    painted, source = pictures(tmp_path / "part.mp4", 0, count), pictures(sample.PATH, cut - 2, count)
    assert len(painted) == count
    far = [np.abs(one - other).mean(axis=(0, 2)) for one, other in zip(painted, source, strict=True)]
    assert far[1][:200].mean() > 15  # the world of the shot before is painted by now
    assert far[1][250:400].mean() < far[1][:200].mean()  # and the person in it has her own colours
    assert far[2].mean() < 8  # the next one is not yet
    assert far[-1][:400].mean() < 8
    assert far[-1][560:].mean() > 1.5 * far[-1][:400].mean()


def test_each_shot_is_wiped_and_its_people_get_their_colours_back_and_the_world_does_not() -> None:
    recipe = demo_job("demo.mp4").recipe
    for first, end in zip(sample.SHOTS, (*sample.SHOTS[1:], 270), strict=True):
        split = [recipe.at(first + number).look.split for number in (0, 15, 30, 31)]
        assert (split, recipe.at(end - 1).look.split) == ([1.0, 0.5, 0.0, 0.0], 0.0)
        own = [recipe.at(first + number).look.film_inside for number in (0, 44, 45, 60, 61)]
        own.append(recipe.at(end - 1).look.film_inside)
        if first in sample.PEOPLE:
            assert 0.0 < recipe.at(first + 46).look.film_inside < recipe.at(first + 59).look.film_inside < 1.0
        assert own == ([0.0, 0.0, 0.0, 1.0, 1.0, 1.0] if first in sample.PEOPLE else [0.0] * 6)
    (styles,) = (track for track in recipe.keys if track.of == STYLE)
    assert [(key.at.value, key.value) for key in styles.keys] == [*zip(sample.SHOTS, PAINTINGS, strict=True)]
    assert recipe.style.name == PAINTINGS[0]


@pytest.mark.slow
def test_its_shots_are_where_the_film_is_cut() -> None:
    with Reader(str(sample.PATH)) as reader:
        assert tuple(frame.number for begins, frame, _ in with_cuts(reader) if begins) == sample.SHOTS


def test_what_is_there_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "mine.mp4"
    target.write_bytes(b"mine")
    assert run(["demo", str(target)]) == 1
    assert "-y" in capsys.readouterr().err
    assert target.read_bytes() == b"mine"
