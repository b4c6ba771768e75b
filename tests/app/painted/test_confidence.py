"""Distance of frames from the painted frames."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from framebrush.media.video import InputError
from framebrush.painted.confidence import PLACES, confidence, distances
from tests.app.painted.films import SHOT_FRAMES, two_shots

pytestmark = pytest.mark.media


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return two_shots(tmp_path / "film.mp4")


def test_what_shows_other_things_is_farther(film: Path) -> None:
    found = dict(distances(film, [0], 0, None))
    assert list(found) == list(range(2 * SHOT_FRAMES))
    assert found[0] == 0
    assert confidence(found[0]) == 1
    assert max(list(found.values())[:SHOT_FRAMES]) < 0.01
    assert min(list(found.values())[SHOT_FRAMES:]) > 0.05
    assert confidence(found[SHOT_FRAMES]) == 0


@pytest.mark.slow
def test_another_key_makes_all_known(film: Path) -> None:
    assert max(distance for _, distance in distances(film, [0, SHOT_FRAMES], 0, None)) < 0.01


def test_a_shot_is_measured_alone(film: Path) -> None:
    assert [number for number, _ in distances(film, [0, 2, 7], 1, 5)] == [1, 2, 3, 4]


def test_of_a_long_shot_some_frames_are_measured(film: Path) -> None:
    """As far as there are any, where the film is shorter than it is said to be."""
    assert [number for number, _ in distances(film, [0, 3], 0, 5 * PLACES)] == [0, 3, 5, 10, 15]


def grey_film(path: Path, *codes: int) -> Path:
    """Write frames of one grey each."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=25, width=128, height=96, pix_fmt="bgr0")
        for code in codes:
            frame = av.VideoFrame.from_ndarray(np.full((96, 128, 3), code, np.uint8), format="rgb24")
            out.mux(stream.encode(frame.reformat(format="bgr0")))
        out.mux(stream.encode(None))
    return path


@pytest.mark.parametrize(
    ("keys", "span", "wanted"),
    [
        ([0], (0, None), {0: 0, 1: 0, 2: 41, 3: 61}),  # less than those of the frame beside the key do not count
        ([3], (0, None), {0: 51, 1: 41, 2: 0, 3: 0}),
        ([3, 0], (0, None), {0: 0, 1: 0, 2: 0, 3: 0}),
        ([3], (3, 4), {3: 0}),
        ([1, 0], (1, 3), {1: 0, 2: 0}),
    ],
)
def test_a_distance_is_a_difference_of_colours_beyond_the_usual(
    keys: list[int], span: tuple[int, int | None], wanted: dict[int, int], tmp_path: Path
) -> None:
    path = grey_film(tmp_path / "greys.mkv", 100, 110, 151, 171)
    found = dict(distances(path, keys, *span))
    assert found == pytest.approx({number: codes / 255 for number, codes in wanted.items()}, abs=1e-4)


def test_confidence_falls_evenly_to_nothing() -> None:
    assert [confidence(distance) for distance in (0.0, 0.009, 0.045, 0.1)] == pytest.approx([1.0, 0.8, 0.0, 0.0])


def test_a_key_that_the_film_does_not_have(film: Path) -> None:
    with pytest.raises(InputError):
        list(distances(film, [99], 0, None))


def test_nobody_is_asked_to_paint_a_black_frame(tmp_path: Path) -> None:
    path = tmp_path / "fade.mkv"
    rows, columns = np.mgrid[:96, :128]
    picture = np.stack([120 + 100 * np.sin(rows / 9), 120 + 100 * np.sin(columns / 7), 0 * rows + 90], -1)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=25, width=128, height=96, pix_fmt="bgr0")
        for light in (1.0, 0.9, 0.5, 0.1, 0.03, 0.0):
            frame = av.VideoFrame.from_ndarray((light * picture).astype(np.uint8), format="rgb24")
            out.mux(stream.encode(frame.reformat(format="bgr0")))
        out.mux(stream.encode(None))
    assert [number for number, _ in distances(path, [0], 0, None)] == [0, 1, 2]
