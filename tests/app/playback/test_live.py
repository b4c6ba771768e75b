"""Live sources in the player: newest frame shown, latency measured, painted frames recorded."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.media.encoding.encoder_worker import find_encoder
from framebrush.media.encoding.encoders import Encoder
from framebrush.media.live import generated
from framebrush.media.live.camera import CameraCapture
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.reading.reader import Reader
from framebrush.media.sources.frame_source import open_frame_source
from framebrush.media.video import InputError, Position, VideoFrame
from framebrush.playback import events
from framebrush.playback import recorder as recorder_module
from framebrush.playback.command_queue import CommandQueue
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.recorder import QUEUED, Recorder, convert
from framebrush.styles.specs import FAR, SUBJECT, SizeSpec
from framebrush.subject.networks import PEOPLE_SIZE, Networks
from tests.app.playback.conftest import Watched

pytestmark = pytest.mark.media

CAMERA = "live:testsrc2=size=96x64:rate=50+sine"
PEOPLE = Path(__file__).parents[1] / "subject" / "people.mp4"
SLOW = "live:testsrc2=size=640x360:rate=100"


def opened(watched: Watched, source: str = CAMERA) -> events.Opened:
    watched.player.open(source)
    found = watched.wait(events.Opened)
    watched.wait(events.Playing, lambda event: event.on)
    return found


@pytest.fixture
def sources(monkeypatch: pytest.MonkeyPatch) -> list[LiveSource]:
    """The live sources that a player opens."""
    made, begin = list[LiveSource](), LiveSource.__init__

    def noted(self: LiveSource, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        begin(self, *arguments, **options)
        made.append(self)

    monkeypatch.setattr(LiveSource, "__init__", noted)
    return made


def record(watched: Watched, target: Path, frames: int) -> events.Recording:
    """Begin to record, and wait for a number of frames, at the pace of the device."""
    watched.player.record(target)
    last = watched.wait(events.Recording, lambda event: not event.on or event.seconds > 0)  # its encoder is open
    for _ in range(frames - 2):
        assert last.on
        last = watched.wait(events.Recording)
    assert last.on
    return last


def recorded(watched: Watched) -> str:
    return watched.wait(events.Notification, lambda event: "ecord" in event.text).text


@pytest.mark.slow
def test_it_plays_what_is_new_and_says_how_old_it_is(watched: Watched) -> None:
    found = opened(watched)
    assert (found.live, found.can_seek, found.sound) == (True, False, False)
    figures = watched.wait(events.Statistics, lambda event: event.shown > 20)
    assert figures.latency_ms is not None
    assert figures.latency_ms > 0
    assert "decode" not in figures.stages_ms
    assert figures.cached == 0  # nothing piles up
    watched.player.open(Path("assets/clips/cfr.mp4").absolute())
    assert not watched.wait(events.Opened).live
    assert watched.wait(events.Statistics).latency_ms is None


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.0, 0.06])
def test_a_slow_device_drops_frames_and_never_falls_behind(
    watched: Watched, delay_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The CPU device, also with 60 ms more a frame: six frames of the source."""
    presenter = watched.player.engine.presenter
    present = presenter.present

    def slowly() -> None:
        time.sleep(delay_s)
        present()

    monkeypatch.setattr(presenter, "present", slowly)
    opened(watched, SLOW)
    began = watched.wait(events.Shown)
    figures = watched.wait(events.Statistics, lambda event: event.shown > 12)
    now = watched.wait(events.Shown)
    gone_s = now.at.time_s - began.at.time_s
    assert gone_s > 0.1
    if delay_s:
        assert figures.dropped > 4 * 12
        assert figures.latency_ms is not None
        # A queue of n frames would make the picture n * 60 ms old; the newest is at most one painting old.
        assert delay_s * 1e3 < figures.latency_ms < 3.5 * delay_s * 1e3


@pytest.mark.slow
def test_a_pause_freezes_and_playing_goes_on_with_what_is_new(watched: Watched) -> None:
    opened(watched)
    watched.wait(events.Shown, lambda event: event.at.number > 5)
    watched.player.play(False)
    watched.wait(events.Playing, lambda event: not event.on)
    watched.settle()
    number = [event.at.number for event in watched.seen if isinstance(event, events.Shown)][-1]
    before = len(watched.seen)
    time.sleep(0.4)
    watched.settle()
    assert not any(isinstance(event, events.Shown) for event in watched.seen[before:])
    watched.player.play(True)
    watched.wait(events.Playing, lambda event: event.on)
    assert watched.wait(events.Shown).at.number >= number + 10
    watched.player.step(1)  # pauses
    watched.wait(events.Playing, lambda event: not event.on)
    watched.player.step(-1)
    assert "no longer in memory" in watched.wait(events.Notification).text


def test_it_cannot_seek_and_says_so(watched: Watched) -> None:
    opened(watched)
    watched.player.seek(Position(Fraction(0), "s"))
    assert "not support seeking" in watched.wait(events.Notification).text
    watched.wait(events.Shown)


@pytest.mark.slow
def test_a_recording_holds_what_was_painted_with_its_sound(watched: Watched, tmp_path: Path) -> None:
    opened(watched)
    target = tmp_path / "out.mp4"
    going = record(watched, target, 16)
    assert going.seconds > 0.1
    assert list(tmp_path.glob("*.mp4")) == [] or not target.exists()  # under its name only when it is whole
    watched.player.record(None)
    assert not watched.wait(events.Recording, lambda event: not event.on).on
    said = watched.wait(events.Notification, lambda event: event.template.startswith("Recorded as"))
    assert said.values["path"] == str(target)
    watched.wait(events.Shown)  # the picture goes on
    with Reader(target) as reader:
        assert len(list(reader)) >= 16 - int(said.values.get("number", "0"))  # a slow encoder, said with the number
        assert (reader.info.format.width, reader.info.format.height) == (96, 64)
        assert (reader.info.tags.matrix, reader.info.tags.primaries) == (1, 1)
    with av.open(target) as written:
        assert [stream.type for stream in written.streams] == ["video", "audio"]
        levels = [np.abs(frame.to_ndarray()).max() for frame in written.decode(audio=0)]
    assert max(levels) > 0.05


@pytest.mark.slow
def test_the_colours_of_a_recording_are_those_of_the_picture(watched: Watched, tmp_path: Path) -> None:
    opened(watched, "live:smptehdbars=size=640x360:rate=25")
    target = tmp_path / "bars.mkv"
    record(watched, target, 8)
    watched.player.record(None)
    recorded(watched)
    shown = watched.picture[..., :3].astype(int)
    with av.open(target) as written:
        found = next(written.decode(video=0)).to_ndarray(format="rgb24", src_colorspace="ITU709").astype(int)
    assert np.mean(np.abs(shown - found)) < 1.5  # the edges of chroma
    assert np.abs(shown.mean(axis=(0, 1)) - found.mean(axis=(0, 1))).max() < 2


def test_the_divider_of_the_screen_is_not_recorded(watched: Watched, tmp_path: Path) -> None:
    watched.player.use_look(Look(exposure_ev=-3.0, split=0.5))
    opened(watched, "live:color=c=white:size=64x48:rate=50")
    target = tmp_path / "out.mkv"
    record(watched, target, 8)
    watched.player.record(None)
    recorded(watched)
    watched.wait(events.Shown)
    left, right = watched.picture[:, :16, :3].mean(), watched.picture[:, -16:, :3].mean()
    assert left > 1.5 * right
    with av.open(target) as written:
        found = next(written.decode(video=0)).to_ndarray(format="rgb24")
    assert found[:, :16].mean() == pytest.approx(right, abs=4)


@pytest.mark.slow
@pytest.mark.parametrize("how", ["close", "open", "quit"])
def test_what_ends_the_source_completes_the_recording(watched: Watched, tmp_path: Path, how: str) -> None:
    opened(watched)
    target = tmp_path / "out.mkv"
    record(watched, target, 8)
    match how:
        case "close":
            watched.player.close_video()
        case "open":
            watched.player.open("lavfi:testsrc2=size=64x48", play=False)
        case "quit":
            watched.player.quit()
    recorded(watched)
    with Reader(target) as reader:
        assert len(list(reader)) > 3
    assert [path.name for path in tmp_path.iterdir()] == ["out.mkv"]


@pytest.mark.parametrize("latency_s", [0.0, 0.2], ids=["idle", "busy"])
def test_an_unplugged_camera_says_so_and_keeps_the_recording(
    sources: list[LiveSource], watched: Watched, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, latency_s: float
) -> None:
    """The source's own way for it, from the capturing thread on; only the cable is not there to be pulled. At that
    moment the device may count as busy with the last frame."""
    monkeypatch.setattr(Presenter, "latency_s", property(lambda _: latency_s))
    opened(watched)
    target = tmp_path / "out.mkv"
    record(watched, target, 8)
    (source,) = sources

    def unplugged(_: object) -> None:
        while source.fresh:  # the last frame is painted: nothing is left but the error
            time.sleep(0.001)
        raise InputError("the camera was unplugged")

    monkeypatch.setattr(generated.DrawnCapture, "read", unplugged)
    said = sorted(watched.wait(events.Notification).text for _ in range(2))  # by two threads
    assert "Recorded as" in said[0]
    assert said[1] == "the camera was unplugged"
    watched.player.play(True)
    assert watched.wait(events.Notification).text == "the camera was unplugged"
    assert not watched.player.engine.playing
    with Reader(target) as reader:
        assert len(list(reader)) > 3


@pytest.mark.slow
def test_a_recording_that_cannot_be_written_is_told_and_playing_goes_on(watched: Watched, tmp_path: Path) -> None:
    opened(watched)
    watched.player.play(False)  # nothing is painted between the failure and the next recording
    watched.wait(events.Playing, lambda event: not event.on)
    watched.player.record(tmp_path / "nowhere" / "out.mp4")
    assert "there is no folder" in watched.wait(events.Notification).text
    target = tmp_path / "out.mp4"
    watched.player.record(target)
    watched.player.play(True)
    watched.wait(events.Recording, lambda event: event.seconds > 0)
    watched.player.record(None)
    assert "Recorded as" in recorded(watched)


def test_frames_that_the_encoder_does_not_take_in_time_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[events.Event] = []
    asked, given = threading.Event(), threading.Event()

    def find_later(*query: Any) -> Encoder:  # noqa: ANN401
        asked.wait()
        return find_encoder(*query)

    def convert_later(painted: Frame, into: Frame) -> None:
        given.wait()
        convert(painted, into)

    monkeypatch.setattr(recorder_module, "find_encoder", find_later)
    monkeypatch.setattr(recorder_module, "convert", convert_later)
    with open_frame_source("live:testsrc2=size=64x64:rate=25") as source:
        recorder = Recorder(source.info, (64, 64), tmp_path / "out.mkv", None, said.append)
        frame = rgba8(64, 64).allocate()
        for plane in frame.planes:
            plane[...] = 90
        recorder.put(frame, 0)
        assert said == [events.Recording(True)]
        asked.set()
        assert recorder.opened.wait(60.0)
        for number in range(1, 201):
            recorder.put(frame, number * 3600)
        given.set()
        recorder.end()
        recorder.join()
    ended = said[-1]
    assert isinstance(ended, events.Notification)
    missing = int(ended.values["number"])
    assert 200 - missing in (QUEUED, QUEUED + 1)  # with one that the encoder had already
    with Reader(tmp_path / "out.mkv") as reader:
        assert len(list(reader)) == 200 - missing


def test_a_look_reaches_a_paused_picture_that_was_recorded(watched: Watched, tmp_path: Path) -> None:
    opened(watched, "live:color=c=white:size=64x48:rate=50")
    record(watched, tmp_path / "out.mkv", 8)
    watched.player.play(False)
    watched.wait(events.Playing, lambda event: not event.on)
    before = float(watched.picture[..., :3].mean())
    watched.player.use_look(Look(exposure_ev=-2.0))
    watched.settle()
    assert float(watched.picture[..., :3].mean()) < 0.8 * before


@pytest.mark.slow
def test_a_room_is_painted_around_people_at_the_rate_of_a_camera(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Masks are carried over the frames that the device drops: the network looks at one frame in four at most."""
    looks: list[float] = []
    found = np.zeros(PEOPLE_SIZE[::-1], np.float32)
    found[20:60, 30:90] = 1.0  # a test source shows nobody

    def people(*_: object) -> np.ndarray[Any, Any]:
        looks.append(time.perf_counter())
        return found

    monkeypatch.setattr(Networks, "people", people)
    watched.player.use_look(Look(brush=1.0, film_inside=1.0, faces=0.0))
    watched.player.use_veil(True)
    opened(watched)
    first = watched.wait(events.Shown).at.number
    before = len(looks)
    for _ in range(20):
        mask = watched.wait(events.Veiled).mask
        assert mask is not None
        assert mask.shape == (64, 96)
        assert mask.max() > 200
    last = watched.wait(events.Shown).at.number
    assert last - first >= 20
    assert 0 < len(looks) - before <= (last - first) // 4 + 2


def test_the_source_is_closed_with_the_video(sources: list[LiveSource], watched: Watched) -> None:
    opened(watched)
    (source,) = sources
    watched.player.close_video()
    watched.wait(events.Closed)
    source.thread.join(60)
    assert not source.thread.is_alive()
    assert source.sound is not None
    assert not any(block.begins_s > time.perf_counter() for block in source.sound.read())


def test_a_recording_that_has_failed_says_nothing_else_later(tmp_path: Path) -> None:
    """The next one may be running by then."""
    said: list[events.Event] = []
    with open_frame_source("live:testsrc2=size=64x64:rate=25") as source:
        recorder = Recorder(source.info, (64, 64), tmp_path / "absent" / "out.mkv", None, said.append)
        recorder.join()
        recorder.put(rgba8(64, 64).allocate(), 0)
        recorder.end()
    assert [event.on for event in said if isinstance(event, events.Recording)] == [False]


@pytest.mark.unit
def test_a_wait_for_commands_can_be_ended() -> None:
    commands = CommandQueue()
    commands.wake()
    begin = time.monotonic()
    assert commands.next_call(10) is None
    assert time.monotonic() - begin < 5
    commands.post(lambda: None)
    commands.wake()
    assert commands.next_call(0) is not None
    assert commands.next_call(0) is None


def test_a_camera_has_no_end_and_is_opened_by_nothing_else() -> None:
    assert not CameraCapture.has_end


class Filmed:
    """A camera before which people stand: the frames of a film, again and again."""

    def __init__(self, _: str) -> None:
        self._reader = Reader(PEOPLE)
        self.info, self.has_end, self.count = self._reader.info, False, 0

    def __next__(self) -> VideoFrame:
        frame = next(self._reader, None)
        if frame is None:
            self._reader.seek(Position(Fraction(0), "frame"))
            frame = next(self._reader)
        self.count += 1
        return frame

    def close(self) -> None:
        self._reader.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("look", "mask"),
    [
        (Look(faces=0.6), None),
        (Look(faces=0.0, photo_inside=1.0), None),
        (Look(faces=0.6, focus=1.0), None),
        (Look(faces=0.0, photo_outside=1.0), FAR),
        (Look(faces=0.0, photo_inside=1.0), SUBJECT),
    ],
    ids=["faces", "room", "focus", "far", "subject"],
)
def test_people_before_a_camera_have_their_masks(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, look: Look, mask: str | None
) -> None:
    """The real networks, on frames that come at the rate of a camera."""
    monkeypatch.setattr(generated, "Generator", Filmed)
    watched.player.use_sizes(SizeSpec(mask=mask))
    watched.player.use_look(replace(look, brush=1.0))
    watched.player.use_veil(True)
    opened(watched)
    first = watched.wait(events.Shown).at.number
    for _ in range(12):
        veil = watched.wait(events.Veiled).mask
        assert veil is not None
        height, width = veil.shape
        person = veil[height // 4 : height // 2, 2 * width // 5 : 3 * width // 5].mean()
        corner = veil[: height // 6, : width // 6].mean()
        if mask == FAR:
            assert corner > person + 50
        else:
            assert person > corner + 50
    assert watched.wait(events.Shown).at.number - first >= 12
