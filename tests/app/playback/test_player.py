"""The player on clips with numbered frames: the screen shows the requested frame."""

from __future__ import annotations

import threading
import time
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.cpu.network import Network, Tensors
from framebrush.gpu.cpu.stylizer import CpuStylizer
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.look import Look
from framebrush.media.video import Position
from framebrush.playback import engine, events
from framebrush.styles.style_names import PASSTHROUGH
from tests.app.playback.conftest import CLIPS, Watched

pytestmark = pytest.mark.media


def frame(number: int) -> Position:
    return Position(Fraction(number), "frame")


def test_open_shows_the_first_frame(watched: Watched) -> None:
    opened = watched.open("cfr.mp4")
    assert opened.info.format.width > 0
    assert watched.number == 0


@pytest.mark.parametrize("clip", ["cfr.mp4", "bframes.mp4", "vfr.mkv", "open-gop.ts", "raw.h264", "rotated.mp4"])
def test_seek_and_steps_are_exact(watched: Watched, clip: str) -> None:
    watched.open(clip)
    watched.player.seek(frame(17))
    assert watched.wait(events.Shown).at.number == 17
    rotated = clip == "rotated.mp4"  # the player shows the stored picture; the view turns it
    assert rotated or watched.number == 17
    for step, number in [(1, 18), (1, 19), (-1, 18), (-1, 17), (-1, 16), (-1, 15), (1, 16)]:
        watched.player.step(step)
        assert watched.wait(events.Shown).at.number == number
        assert rotated or watched.number == number


def test_of_several_films_that_are_asked_for_at_once_the_last_is_opened_and_plays(watched: Watched) -> None:
    held = threading.Event()
    watched.player.commands.post(held.wait)  # type: ignore[arg-type]
    for clip in ("cfr.mp4", "bframes.mp4", "vfr.mkv"):
        watched.player.open(CLIPS / clip)
    held.set()
    watched.wait(events.Playing, lambda event: event.on)
    watched.settle()
    assert [event.info.name for event in watched.seen if isinstance(event, events.Opened)] == ["vfr.mkv"]


def test_step_back_at_the_beginning_and_forward_at_the_end_stay(watched: Watched) -> None:
    watched.open("cfr.mp4")
    watched.player.step(-1)
    watched.settle()
    assert watched.number == 0
    watched.player.seek(frame(100_000))
    last = watched.wait(events.Shown).at.number
    watched.player.step(1)
    watched.settle()
    assert watched.number == last


def test_steps_back_decode_once(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    seeks: list[Position] = []
    from framebrush.media.reading.reader import Reader

    real = Reader.seek
    monkeypatch.setattr(Reader, "seek", lambda self, position: (seeks.append(position), real(self, position))[1])
    watched.open("cfr.mp4")
    watched.player.seek(frame(20))
    watched.wait(events.Shown)
    for number in range(19, 10, -1):
        watched.player.step(-1)
        assert watched.wait(events.Shown).at.number == number
    assert len(seeks) == 2  # the one asked for, and one for all steps


def test_of_many_seeks_the_last_counts(watched: Watched) -> None:
    watched.open("cfr.mp4")
    for number in range(1, 21):
        watched.player.seek(frame(number))
    watched.settle()
    assert watched.number == 20
    assert sum(isinstance(event, events.Shown) for event in watched.seen) < 20


@pytest.mark.slow
def test_playing_reaches_the_end_in_time_and_begins_again(watched: Watched) -> None:
    watched.open("cfr.mp4")
    watched.player.seek(frame(100_000))
    last = watched.wait(events.Shown).at
    watched.player.seek(frame(0))
    watched.wait(events.Shown)
    watched.player.play(True)
    watched.wait(events.Playing, lambda event: event.on)
    begin = time.monotonic()
    watched.wait(events.Playing, lambda event: not event.on)
    assert time.monotonic() - begin > 0.8 * last.time_s  # never faster than the clock
    assert watched.number == last.number
    watched.player.play(True)
    assert watched.wait(events.Shown).at.number == 0


@pytest.mark.slow
def test_slow_networks_lose_frames_before_they_run(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Network.run

    def slow(self: Network, frame: Tensors, mix: tuple[float, ...]) -> int:
        time.sleep(0.15)
        return real(self, frame, mix)

    monkeypatch.setattr(Network, "run", slow)
    watched.open("cfr.mp4")
    watched.player.play(True)
    watched.wait(events.Playing, lambda event: event.on)
    begin = time.monotonic()
    measured = watched.wait(events.Statistics, lambda event: event.shown >= 4)
    runs = sum(isinstance(event, events.Shown) for event in watched.seen)
    assert measured.dropped > measured.shown
    assert runs <= measured.shown + 3
    assert time.monotonic() - begin < 5
    assert measured.readbacks_per_frame == 0


@pytest.mark.slow
def test_loop_between_marks(watched: Watched) -> None:
    watched.open("cfr.mp4")
    watched.player.seek(frame(5))
    watched.player.mark(first=True)
    watched.player.seek(frame(9))
    watched.player.mark(first=False)
    marks = watched.wait(events.InOutChanged, lambda event: event.last is not None)
    assert (marks.first and marks.first.number, marks.last and marks.last.number) == (5, 9)
    watched.player.set_loop(True)
    watched.player.play(True)
    watched.wait(events.Playing)
    numbers = [watched.wait(events.Shown).at.number for _ in range(8)]
    assert set(numbers) <= set(range(5, 10))
    assert any(later < earlier for earlier, later in pairwise(numbers))


def test_a_mark_before_the_other_clears_it(watched: Watched) -> None:
    watched.open("cfr.mp4")
    watched.player.mark(first=False)
    watched.player.seek(frame(5))
    watched.player.mark(first=True)
    marks = watched.wait(events.InOutChanged, lambda event: event.first is not None)
    assert marks.last is None


def test_a_paused_frame_is_repainted(watched: Watched) -> None:
    watched.open("cfr.mp4")
    watched.player.seek(frame(7))
    watched.wait(events.Shown)
    plain = watched.picture
    watched.player.use_style("ink")
    used = watched.wait(events.StyleInUse)
    assert (used.name, used.fitted) == ("ink", False)
    watched.settle()
    painted = watched.picture
    assert np.abs(painted.astype(int) - plain).mean() > 2
    assert watched.number == 7
    watched.player.use_look(Look(strength=0.0))
    watched.settle()
    assert np.abs(watched.picture.astype(int) - plain).max() <= 1
    watched.player.use_look(Look(split=0.5))
    watched.settle()
    half = plain.shape[1] // 2
    assert np.abs(watched.picture[:, : half - 1].astype(int) - plain[:, : half - 1]).max() <= 1
    assert np.array_equal(watched.picture[:, half + 1 :], painted[:, half + 1 :])


def test_a_look_alone_runs_no_network(watched: Watched) -> None:
    watched.open("cfr.mp4")
    runs = watched.player.engine.presenter.counters.runs
    for strength in (0.1, 0.5, 0.9):
        watched.player.use_look(Look(strength=strength))
        watched.settle()
    counters = watched.player.engine.presenter.counters
    assert counters.runs == runs
    assert counters.presents >= 4


@pytest.mark.parametrize(
    ("name", "words"), [("nothing.mp4", "no such file"), ("empty.mp4", "is empty"), ("noise.mp4", "not a video")]
)
def test_unreadable_files_are_told_in_plain_words(watched: Watched, tmp_path: Path, name: str, words: str) -> None:
    if name != "nothing.mp4":
        (tmp_path / name).write_bytes(b"" if name == "empty.mp4" else bytes(range(256)) * 40)
    watched.player.open(tmp_path / name)
    told = watched.wait(events.Notification)
    assert words in told.text
    assert "InputError" in told.details
    watched.open("cfr.mp4")
    assert watched.number == 0


def test_unknown_style_leaves_the_picture(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    bad = tmp_path / "bad.onnx"
    bad.write_bytes(b"not a network")
    for name in ("inc", str(bad)):
        watched.player.use_style(name)
        assert "This style cannot be used" in watched.wait(events.Notification).text
    watched.settle()
    assert watched.number == 0


def failing(times: int, error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the device fail at the next submits, `times` in all."""
    real, left = CpuStylizer.submit, [times]

    def submit(self: CpuStylizer, given: Any, **named: Any) -> Any:  # noqa: ANN401
        if left[0]:
            left[0] -= 1
            raise error
        return real(self, given, **named)

    monkeypatch.setattr(CpuStylizer, "submit", submit)


def test_a_network_that_fails_leaves_the_video_plain_and_playing(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched.open("cfr.mp4")
    watched.player.use_style("ink")
    watched.wait(events.StyleInUse)
    watched.player.play(True)
    watched.wait(events.Shown, lambda event: event.at.number >= 2)
    failing(1, DeviceError("the network broke"), monkeypatch)
    told = watched.wait(events.Notification)
    assert "the network broke" in told.text
    assert told.severity == "problem"
    assert watched.wait(events.StyleInUse).name == PASSTHROUGH
    watched.wait(events.Shown, lambda event: event.at.number >= 5)


def test_a_lost_device_means_the_cpu(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.open("cfr.mp4")
    watched.player.play(True)
    watched.wait(events.Shown, lambda event: event.at.number >= 2)
    failing(1, DeviceLostError("removed"), monkeypatch)
    assert "lost" in watched.wait(events.Notification).text
    assert watched.wait(events.DeviceInUse).info.kind == "cpu"
    watched.wait(events.Shown, lambda event: event.at.number >= 5)


def test_a_bug_does_not_end_the_thread(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    watched.open("cfr.mp4")
    with monkeypatch.context() as broken:
        broken.setattr(engine.PlaybackEngine, "step", lambda *_: 1 / 0)
        watched.player.step(1)
        assert "ZeroDivisionError" in watched.wait(events.Notification).details
    watched.player.step(1)
    assert watched.wait(events.Shown).at.number == 1


def test_quit_while_playing_leaves_no_thread() -> None:
    before = set(threading.enumerate())
    made = Watched()
    made.player.start("cpu", "ink", Look())
    made.player.open(CLIPS / "cfr.mp4")
    made.wait(events.Shown, lambda event: event.at.number >= 1)
    made.player.quit()
    made.wait(events.Ended)
    assert made.player.join(60)
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("wanted", [False, True])
def test_what_waits_when_the_player_quits_is_done_only_for_a_file(tmp_path: Path, wanted: bool) -> None:
    """On a slow device the queue of a person who tries much may take a minute."""
    made, held = Watched(), threading.Event()
    made.player.post(held.wait)
    made.player.start("cpu", "none", Look())
    for name in ("cfr.mp4", "vfr.mkv"):
        made.player.open(CLIPS / name, play=False)
        made.player.play(False)
        if wanted and name == "cfr.mp4":
            made.player.screenshot(lambda *_: tmp_path / "shot.png")
    made.player.quit()
    held.set()
    made.wait(events.Ended)
    assert made.player.join(60)
    opened = [event for event in made.seen if isinstance(event, events.Opened)]
    assert len(opened) == len(made.saved) == wanted


def test_screenshot_is_the_frame_on_the_screen(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    watched.player.seek(frame(3))
    watched.player.screenshot(lambda *_: tmp_path / "shot.png")
    watched.wait(events.Saved)
    saved, _ = watched.saved[0]
    assert np.array_equal(saved.planes[0], watched.picture)


def test_a_file_that_cannot_be_opened_leaves_the_one_that_is(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    watched.player.seek(frame(3))
    watched.wait(events.Shown)
    (tmp_path / "bad.mp4").write_bytes(b"no video at all")
    watched.player.open(tmp_path / "bad.mp4")
    watched.wait(events.Notification, lambda event: "bad.mp4" in event.text)
    watched.player.step(1)
    assert watched.wait(events.Shown).at.number == 4
    assert not any(isinstance(event, events.Closed) for event in watched.seen)
    assert not any(isinstance(event, events.Playing) and event.on for event in watched.seen)


def test_a_screenshot_has_no_divider(watched: Watched, tmp_path: Path) -> None:
    watched.open("cfr.mp4")
    watched.player.use_style("ink")
    watched.wait(events.StyleInUse)
    for look in (Look(), Look(split=0.5)):
        watched.player.use_look(look)
        watched.player.screenshot(lambda *_: tmp_path / "picture.png")
        watched.wait(events.Saved)
    whole, divided = (saved[0].planes[0] for saved in watched.saved)
    assert np.array_equal(whole, divided)


def test_the_picture_on_the_screen_is_lent_and_stays_there(watched: Watched) -> None:
    """Paused and while it plays; a paused one can be shown with another look after that."""
    watched.open("cfr.mp4")
    lent: list[npt.NDArray[np.uint8]] = []

    def lend() -> npt.NDArray[np.uint8]:
        watched.player.lend_picture(lambda picture, _: lent.append(picture.copy()))
        watched.settle()
        return lent[-1]

    assert np.array_equal(lend(), watched.picture)
    watched.player.use_look(Look(split=0.5, exposure_ev=-2.0))
    watched.settle()
    dark = watched.picture
    assert dark[:, 90:, :3].mean() < 0.8 * lent[0][:, 90:, :3].mean()
    assert np.array_equal(lend()[:, 90:], dark[:, 90:])
    assert lend()[:, :70, :3].mean() < 0.8 * dark[:, :70, :3].mean()  # where the divider shows the source
    watched.player.use_look(Look())
    watched.settle()
    assert np.array_equal(watched.picture, lent[0])
    watched.player.play(True)
    watched.wait(events.Shown, lambda shown: shown.at.number > 3)
    assert len({picture.tobytes() for picture in (lend(), lent[0])}) == 2
    watched.player.play(False)
    watched.settle()
    assert np.array_equal(lend(), watched.picture)
