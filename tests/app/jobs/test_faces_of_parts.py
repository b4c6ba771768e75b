"""Faces in part of a film, painted as in the whole film; and painting without faces."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.cli.command_line import run
from framebrush.jobs.identity import subject_of
from framebrush.jobs.prepare import open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.styles.specs import StyleSpec
from framebrush.subject import networks

pytestmark = [pytest.mark.media, pytest.mark.slow]

PEOPLE = Path(__file__).parents[1] / "subject" / "people.mp4"
PAINTING = ("--style", "great-wave", "--codec", "libx264", "--crf", "0", "--progress", "none", "--device", "cpu")

Pictures = list[npt.NDArray[np.uint8]]


def painted(target: Path, *options: str) -> Pictures:
    assert run(["transcode", str(PEOPLE), str(target), *PAINTING, *options]) == 0
    with av.open(str(target)) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Pictures:
    return painted(tmp_path_factory.mktemp("whole") / "whole.mkv", "--segments", "off")


def assert_same(found: Pictures, expected: Pictures) -> None:
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(("first", "more"), [(13, []), (10, ["--segments", "off"]), (15, ["--segments", "3"])])
def test_a_range_has_the_faces_of_the_whole(first: int, more: list[str], whole: Pictures, tmp_path: Path) -> None:
    found = painted(tmp_path / "part.mkv", "--start", f"{first}f", "--frames", "6", *more)
    assert_same(found, whole[first : first + 6])


def test_segments_have_the_faces_of_the_whole(whole: Pictures, tmp_path: Path) -> None:
    assert_same(painted(tmp_path / "joined.mkv", "--segments", "5"), whole)


def test_a_range_without_strokes_has_the_faces_of_the_whole(tmp_path: Path) -> None:
    plain = ("--brush", "0", "--relief", "0", "--steady", "0", "--film-inside", "1")
    assert_same(
        painted(tmp_path / "part.mkv", "--start", "11f", "--frames", "4", *plain),
        painted(tmp_path / "whole.mkv", *plain)[11:15],
    )


def test_a_range_has_the_strokes_around_a_subject_of_the_whole(tmp_path: Path) -> None:
    """Focus alone, with keyframes: sizes of strokes follow masks, which depend on earlier frames."""
    focus = ("--faces", "0", "--key", "focus@0f=1", "--key", "focus@20f=0.3")
    whole = painted(tmp_path / "whole.mkv", *focus)
    assert_same(painted(tmp_path / "part.mkv", "--start", "13f", "--frames", "4", *focus), whole[13:17])
    without = painted(tmp_path / "without.mkv", "--faces", "0")
    assert np.abs(whole[4][:180].astype(int) - without[4][:180])[:, :40].mean() > 2


def test_a_face_differs_from_what_a_painting_makes_of_it_and_nothing_else_does(whole: Pictures, tmp_path: Path) -> None:
    without = painted(tmp_path / "without.mkv", "--faces", "0")
    away = np.abs(whole[20][:180].astype(int) - without[20][:180])
    assert away[30:80, 95:145].mean() > 4
    assert max(away[:, :40].max(), away[-30:, :].max()) <= 2  # strokes keep colours against a broad mean


def test_a_damaged_network_is_said_and_faces_are_painted_like_all_else(
    whole: Pictures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without = painted(tmp_path / "without.mkv", "--faces", "0")
    (tmp_path / "faces.onnx").write_bytes(b"none")
    monkeypatch.setattr(networks.Networks.__init__, "__defaults__", (tmp_path,))
    capsys.readouterr()
    found = painted(tmp_path / "blind.mkv")
    assert "a network of Framebrush is damaged" in capsys.readouterr().err
    assert_same(found, without)


def test_the_networks_are_part_of_what_a_job_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def digest_of(style: str, **look: float) -> str:
        spec = JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec(style)))
        spec = JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec(style), type(spec.look)(**look)))
        return subject_of(spec.recipe, open_job_style(spec, print))

    assert digest_of("great-wave") == digest_of("none", film_inside=0.5) == networks.digest(*networks.FILES) != ""
    assert digest_of("great-wave", faces=0.0) == digest_of("none") == ""
