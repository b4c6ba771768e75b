"""Frames of films as photographs for training: all over the film, unlike each other, and the same each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from framebrush import sample
from framebrush.media.video import InputError
from framebrush.models.training.data import to_jpeg
from framebrush.models.training_needs import FEWEST_PHOTOS, MOST_PHOTOS
from framebrush.painted import photographs as module
from framebrush.painted.photographs import APART_CODES, Candidate, photographs, unlike
from tests.app.styles.shaded import RGB, SIZE, film, shaded

pytestmark = pytest.mark.media

COLOURS = ((190, 110, 50), (50, 90, 180), (60, 160, 70))


@pytest.fixture(autouse=True)
def short_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few frames of the bundled film are looked at."""
    monkeypatch.setattr(module, "LOOKED_AT", 15)


def shot(number: int) -> RGB:
    """Return a picture of blocks in a colour."""
    blocks = np.random.default_rng(number).integers(0, 2, (4, 6))
    large = np.kron(blocks, np.ones((SIZE[1] // 4, SIZE[0] // 6)))
    return np.asarray(large[..., None] * np.array(COLOURS[number]), np.uint8)


@pytest.fixture
def three_shots(tmp_path: Path) -> Path:
    """Make a film of three shots of ten equal frames, with three black frames at both ends."""
    black = np.zeros_like(shot(0))
    pictures = [shot(number // 10) for number in range(30)]
    return film(tmp_path / "film.mp4", [black] * 3 + pictures + [black] * 3)


def near(one: torch.Tensor, picture: RGB) -> bool:
    return float((one.permute(1, 2, 0).float() - torch.from_numpy(picture.copy())).abs().mean()) < 8


@pytest.mark.parametrize("read_on", [1000, 0])
def test_a_film_gives_one_frame_of_each_shot_and_no_black_one(
    three_shots: Path, read_on: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read on, or by seeking to keyframes as in a long film; the same frames each time."""
    monkeypatch.setattr(module, "READ_ON", read_on)
    monkeypatch.setattr(module, "ENOUGH_PHOTOS", 3)
    found, again = photographs([three_shots]), photographs([three_shots])
    assert len(found) == 3
    assert {n for photo in found for n in range(3) if near(photo, shot(n))} == {0, 1, 2}
    assert all(torch.equal(a, b) for a, b in zip(found, again, strict=True))


def test_frames_between_keyframes_are_found_by_seeking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "READ_ON", 0)
    monkeypatch.setattr(module, "ENOUGH_PHOTOS", 1)
    waves = (shaded(COLOURS[0], number, down=True).astype(np.uint8) for number in range(10))  # one keyframe
    assert len(photographs([film(tmp_path / "film.mp4", waves)])) > 1


def test_a_film_that_shows_little_is_filled_up_with_the_bundled_one(three_shots: Path) -> None:
    sizes = [tuple(photo.shape) for photo in photographs([three_shots])]
    assert sizes[:3] == [(3, SIZE[1], SIZE[0])] * 3
    assert set(sizes[3:]) == {(3, 540, 960)}
    assert FEWEST_PHOTOS <= len(sizes) <= MOST_PHOTOS


def test_without_anything_they_are_of_the_bundled_film() -> None:
    told: list[str] = []
    found = photographs(say=told.append)
    assert FEWEST_PHOTOS <= len(found) < MOST_PHOTOS
    assert {tuple(photo.shape) for photo in found} == {(3, 540, 960)}
    assert told == []


def test_bad_films_are_said_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "text.mp4").write_text("text")
    black = film(tmp_path / "black.mp4", [np.zeros((SIZE[1], SIZE[0], 3), np.uint8)] * 5)
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(sample.PATH.read_bytes()[:5000])
    for path, reason in (
        (tmp_path / "none.mp4", "no such file"),
        (tmp_path / "text.mp4", "text.mp4"),
        (black, "shows nothing to train on: its frames are of one colour"),
        (cut, "cut.mp4"),
    ):
        with pytest.raises(InputError, match=reason):
            photographs([path])


def test_a_stop_is_heard_while_frames_are_chosen(three_shots: Path) -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        photographs([three_shots], check=stop)


def test_large_frames_become_smaller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONGEST_PX", 48)
    monkeypatch.setattr(module, "ENOUGH_PHOTOS", 1)
    small = photographs([film(tmp_path / "film.mp4", [shot(1)] * 4)])[0]
    assert small.shape == (3, 32, 48)
    assert near(small, shot(1)[::2, ::2])


def candidate(value: float) -> Candidate:
    """Return a candidate that is `value` codes apart from candidate(0)."""
    outline = np.full((9, 16), value, np.float32)
    outline[::2] *= -1
    return Candidate(outline, to_jpeg(np.full((8, 8, 3), 9, np.uint8)))


def test_the_frame_nearest_to_the_mean_comes_first_and_then_always_the_farthest() -> None:
    ones = [candidate(value) for value in (0.0, 40.0, 11.0, 20.0)]
    assert [ones.index(each) for each in unlike(ones, 3)] == [3, 0, 1]
    assert [ones.index(each) for each in unlike(ones, 4, first=1)] == [0, 1, 3, 2]
    assert unlike([], 4) == []
    assert unlike(ones, 0) == []


@pytest.mark.parametrize(("apart", "count"), [(APART_CODES - 0.1, 1), (APART_CODES, 2)])
def test_near_duplicates_are_left_out(apart: float, count: int) -> None:
    assert len(unlike([candidate(0.0), candidate(apart)], 9)) == count
