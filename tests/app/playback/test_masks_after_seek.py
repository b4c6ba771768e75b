"""Masks of the preview after a seek equal an export's, which depend on earlier frames."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position
from framebrush.models.soft_masks import Masks
from framebrush.playback import events
from framebrush.playback.engine import REFINE_S
from framebrush.playback.video_source import VideoSource
from framebrush.subject.film_masks import FilmMasks, context_frames
from framebrush.subject.networks import Area, Networks
from tests.app.playback.conftest import Watched
from tests.app.styles.test_map_films import encode
from tests.inside import shown_by

pytestmark = [pytest.mark.media, pytest.mark.slow]

PEOPLE = Path(__file__).parents[1] / "subject" / "people.mp4"


@pytest.fixture(scope="module")
def whole() -> list[Masks]:
    """The masks of all frames, as an export of the whole film has them."""
    made = FilmMasks(Networks(), faces=False, area=Area.PEOPLE)
    with Reader(PEOPLE) as reader:
        return [made.of(frame.frame, frame.number) for frame in reader if isinstance(frame.frame, Frame)]


def opened(watched: Watched) -> None:
    watched.player.use_look(Look(film_inside=1.0, brush=0.5, faces=0.0))
    watched.player.open(PEOPLE, play=False)
    watched.wait(events.Opened)
    watched.wait(events.Shown)


def seek(watched: Watched, number: int) -> None:
    watched.player.seek(Position(Fraction(number), "frame"))
    watched.wait(events.Shown, lambda shown: shown.at.number == number)


def shown(watched: Watched) -> Masks:
    """The masks of the frame on the screen, once the player has nothing more to do."""
    engine = watched.player.engine
    for _ in range(20):
        watched.settle()
        if engine.idle_s() is None:
            break
        time.sleep(2 * REFINE_S)
    return shown_by(engine.presenter).masks


@pytest.mark.parametrize("number", [5, 13, 26])
def test_a_still_frame_has_the_masks_of_the_whole_film(watched: Watched, whole: list[Masks], number: int) -> None:
    opened(watched)
    seek(watched, 21)
    seek(watched, number)
    assert shown(watched) == whole[number]


def test_what_plays_on_from_there_has_them_too(watched: Watched, whole: list[Masks]) -> None:
    opened(watched)
    seek(watched, 13)
    watched.player.step(1)
    watched.wait(events.Shown, lambda one: one.at.number == 14)
    assert shown(watched) == whole[14]
    seek(watched, 9)
    engine, found = watched.player.engine, dict[int, Masks]()
    present = engine.presenter.present

    def noted() -> None:
        present()
        one = shown_by(engine.presenter)
        found[one.place[0]] = one.masks

    engine.presenter.present = noted  # type: ignore[method-assign]
    watched.player.set_speed(0.25)
    watched.player.play(True)
    watched.wait(events.PlayedOut)
    numbers = sorted(found)
    follow = [n for n in numbers if {*range(9, n)} <= {*numbers}]  # up to the first frame that was dropped
    assert len(follow) > 3
    for number in follow:
        assert found[number] == whole[number], number


def test_a_seek_during_playback_has_them_from_its_first_frame_on(watched: Watched, whole: list[Masks]) -> None:
    opened(watched)
    engine, found = watched.player.engine, list[tuple[int, Masks]]()
    present = engine.presenter.present

    def noted() -> None:
        present()
        one = shown_by(engine.presenter)
        found.append((one.place[0], one.masks))

    engine.presenter.present = noted  # type: ignore[method-assign]
    watched.player.set_speed(0.25)
    watched.player.play(True)
    watched.wait(events.Shown, lambda one: one.at.number > 0)
    seek(watched, 17)
    watched.wait(events.PlayedOut)
    seen = [masks for number, masks in found if number == 17]
    assert seen
    assert all(masks == whole[17] for masks in seen)
    after = {number: masks for number, masks in found if number >= 17}
    follow = [number for number in after if {*range(17, number)} <= {*after}]  # up to the first that was dropped
    assert len(follow) > 1
    for number in follow:
        assert after[number] == whole[number], number


def test_it_is_looked_behind_once_and_only_where_masks_are_used(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(watched)
    asked: list[tuple[int, int]] = []
    before = VideoSource.before

    def noted(self: VideoSource, number: int, count: int) -> object:
        asked.append((number, count))
        return before(self, number, count)

    monkeypatch.setattr(VideoSource, "before", noted)
    seek(watched, 13)
    shown(watched)
    assert asked == [(13, context_frames(Area.PEOPLE))]
    seek(watched, 3)
    shown(watched)
    assert asked[1:] == [(3, 3)]
    watched.player.use_look(Look(brush=0.5, faces=0.0))
    seek(watched, 20)
    shown(watched)
    assert len(asked) == 2


def test_a_cut_needs_nothing_before_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scenes = [np.kron(rng.integers(0, 256, (9, 16, 3), np.uint8), np.ones((20, 20, 1), np.uint8)) for _ in range(2)]
    film = encode(tmp_path / "film.mkv", [scene for scene in scenes for _ in range(12)], qp="0")
    with Reader(film) as reader:
        frames = [frame.frame for frame in reader if isinstance(frame.frame, Frame)]
    masks = FilmMasks(Networks(), faces=True)
    found = []
    for number in range(10, 15):
        masks.of(frames[number], number)
        found.append(masks.lacking)
    assert found == [10, 11, 0, 0, 0]  # all frames before, as there are fewer than the context
