"""Clock, cache, command queue and sound by themselves."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.filter.graph import Graph

from framebrush.gpu.frame import nv12
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, Position, VideoFrame
from framebrush.playback.clock import Clock
from framebrush.playback.reading.decoded_cache import FrameCache, size_bytes
from framebrush.playback.reading.sound_samples import CHANNELS, RATE, decode, tempo_steps
from framebrush.playback.sound_playback import QUEUED_BLOCKS, NoOutputError, Sound, open_sound
from framebrush.playback.timekeeper import Timekeeper
from framebrush.playback.video_source import VideoSource
from tests.app.playback.conftest import CLIPS


def frame(number: int) -> VideoFrame:
    return VideoFrame(number, number, 1, nv12(16, 16).allocate())  # 384 bytes


class CountingCache(FrameCache):
    """Also tells which frames were decoded."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(limit_bytes)
        self.added: list[int] = []

    def add(self, frame: VideoFrame) -> None:
        self.added.append(frame.number)
        super().add(frame)


@pytest.mark.media
@pytest.mark.parametrize(("room", "decoded"), [(10, 5), (20, 10), (1000, 24)])
def test_a_step_back_decodes_half_of_what_the_cache_holds(room: int, decoded: int) -> None:
    """The other half stays for steps forward again; more than BACK frames would make the step slow."""
    path = str(CLIPS / "cfr.mp4")
    first = VideoSource(path)
    one = first.forward(-1)
    first.close()
    assert one is not None
    cache = CountingCache(room * size_bytes(one))
    video = VideoSource(path, cache=cache)
    here = video.seek(Position(Fraction(28), "frame"))
    assert here is not None
    cache.added.clear()
    before = video.back(here.number)
    assert before is not None
    assert before.number == 27
    assert cache.added == list(range(28 - decoded, 28))
    video.close()


@pytest.fixture
def ramp(tmp_path: Path) -> Path:
    """Write four seconds of sound in which a sample at t s has the value t / 10."""
    path = tmp_path / "ramp.wav"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_f32le", rate=44_100, layout="mono")
        for begin in range(0, 4 * 44_100, 1024):
            samples = (np.arange(begin, begin + 1024, dtype=np.float32) / 441_000)[None]
            block = av.AudioFrame.from_ndarray(samples, format="flt", layout="mono")
            block.sample_rate, block.pts, block.time_base = 44_100, begin, Fraction(1, 44_100)
            container.mux(stream.encode(block))
        container.mux(stream.encode(None))
    return path


@pytest.mark.media
@pytest.mark.parametrize("at_s", [0.0, 0.3, 1.2345, 3.5])
def test_sound_begins_where_it_is_asked_to(ramp: Path, at_s: float) -> None:
    samples = np.concatenate(list(decode(ramp, at_s, 1.0)))
    assert samples.shape[1] == CHANNELS
    times = samples[:, 0] * 10 / samples[1000, 0] * (at_s + 1000 / RATE) / 10  # the mix to stereo has its own level
    shown = at_s + np.arange(len(samples)) / RATE
    assert np.abs(times - shown)[100:-2000].max() < 0.002
    assert len(samples) / RATE == pytest.approx(4.01 - at_s, abs=0.05)


@pytest.mark.media
def test_sound_is_whole_to_its_last_sample_and_behind_it_there_is_nothing(ramp: Path) -> None:
    """Also the samples that the filters hold back until the end."""
    blocks = list(decode(ramp, 0.0, 1.0))
    assert sum(map(len, blocks)) == pytest.approx(173 * 1024 * RATE / 44_100, abs=1)
    assert list(decode(ramp, 100.0, 1.0)) == []


@pytest.mark.media
def test_sound_before_the_first_sample_is_silence(ramp: Path) -> None:
    samples = np.concatenate(list(decode(ramp, -0.5, 1.0)))
    assert not samples[: RATE // 2].any()
    assert samples[RATE:].any()


@pytest.mark.media
@pytest.mark.parametrize("kinds", [(("stereo", 48_000), ("mono", 48_000)), (("5.1", 48_000), ("stereo", 44_100))])
def test_sound_goes_on_where_its_channels_or_its_rate_change(
    kinds: tuple[tuple[str, int], ...], tmp_path: Path
) -> None:
    """As a broadcast does between a film and what interrupts it."""
    path = tmp_path / "broadcast.aac"
    for layout, rate in kinds:
        part = tmp_path / "part.aac"
        with av.open(str(part), "w") as container:
            stream = container.add_stream("aac", rate=rate, layout=layout)
            tone = 0.5 * np.sin(2 * np.pi * 440 * np.arange(rate) / rate)
            samples = np.tile(tone.astype(np.float32), (len(stream.layout.channels), 1))
            for begin in range(0, rate, 1024):
                block = np.ascontiguousarray(samples[:, begin : begin + 1024])
                frame = av.AudioFrame.from_ndarray(block, format="fltp", layout=layout)
                frame.sample_rate, frame.pts = rate, begin
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        with path.open("ab") as file:
            file.write(part.read_bytes())
    heard = np.concatenate(list(decode(path, 0.25, 1.0)))
    assert len(heard) / RATE == pytest.approx(1.75, abs=0.1)
    assert np.abs(heard[-RATE // 2 : -RATE // 4]).max() > 0.2


def test_a_track_that_a_file_has_no_more_is_an_error_of_the_file(ramp: Path) -> None:
    with pytest.raises(
        InputError, match=r"ramp\.wav: it has changed, and has no sound track 2 any more; open it again"
    ):
        next(decode(ramp, 0.0, 1.0, 1))


@pytest.mark.media
def test_sound_makes_no_threads_with_each_seek(ramp: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FFmpeg waits for its filters' threads, and holds Python's lock meanwhile."""
    made: list[Graph] = []

    def watched() -> Graph:
        made.append(Graph())
        return made[-1]

    monkeypatch.setattr("av.filter.Graph", watched)
    next(decode(ramp, 1.0, 1.0))
    assert [graph.threads for graph in made] == [1]


@pytest.mark.parametrize("speed", [0.25, 0.5, 1.5, 4.0])
def test_sound_lasts_as_long_as_the_speed_says(ramp: Path, speed: float) -> None:
    length = sum(len(block) for block in decode(ramp, 1.0, speed)) / RATE
    assert length == pytest.approx(3.0 / speed, rel=0.05)
    steps = tempo_steps(speed)
    assert np.prod(steps) == pytest.approx(speed)
    assert all(0.5 <= step <= 2.0 for step in steps)


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """No output device, which would take blocks that a test takes itself."""
    monkeypatch.setitem(sys.modules, "sounddevice", None)


@pytest.mark.media
@pytest.mark.usefixtures("silent")
def test_nothing_of_another_place_is_heard_after_a_seek(ramp: Path) -> None:
    sound, heard = Sound(ramp, 0.0, Clock()), []
    for at_s in (0.5, 1.0, 0.5):
        sound.start(at_s, 1.0)
        while sound.queued < QUEUED_BLOCKS:
            time.sleep(0.001)
        heard.append(np.empty((300, CHANNELS), np.float32))  # less than a block
        sound.fill(heard[-1])
    sound.stop()
    np.testing.assert_array_equal(heard[0], heard[2])
    assert (heard[0] != heard[1]).any()


@pytest.mark.media
@pytest.mark.usefixtures("silent")
def test_what_is_heard_tells_the_time(ramp: Path) -> None:
    sound = Sound(ramp, 0.0, Clock())
    sound.start(1.0, 2.0)
    out = np.empty((480, CHANNELS), np.float32)
    while sound.queued < QUEUED_BLOCKS:
        time.sleep(0.001)
    times = [sound.fill(out) for _ in range(20)]
    assert times == pytest.approx([1.0 + 0.02 * count for count in range(20)])  # 10 ms heard are 20 ms of the video
    sound.volume = 0.0
    sound.fill(out)
    assert not out.any()
    sound.stop()
    assert "sound" not in {thread.name for thread in threading.enumerate()}


@pytest.mark.media
@pytest.mark.usefixtures("silent")
def test_nothing_is_heard_of_what_is_not_decoded(ramp: Path) -> None:
    out = np.ones((480, CHANNELS), np.float32)
    assert Sound(ramp, 0.0, Clock()).fill(out) is None
    assert not out.any()


@pytest.mark.media
def test_a_file_without_sound_has_none() -> None:
    assert open_sound(CLIPS / "cfr.mp4", 0.0, Clock()) is None


@pytest.mark.media
@pytest.mark.usefixtures("silent")
def test_without_an_output_the_reason_is_not_that_the_file_has_no_sound(ramp: Path) -> None:
    with pytest.raises(NoOutputError):
        open_sound(ramp, 0.0, Clock())
    keeper = Timekeeper(Clock().now)
    with Reader(CLIPS / "cfr.mp4") as reader:
        for info, lacks in ((replace(reader.info, path=ramp), True), (reader.info, False)):
            assert not keeper.open(info)
            assert keeper.lacks_output == lacks


@pytest.mark.media
@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("speed", [1.0, 2.0])
@pytest.mark.parametrize("delay_s", [0.5, -0.5, 1.5])
def test_delayed_sound_is_that_of_another_time_and_tells_the_picture_its_own(
    ramp: Path, delay_s: float, speed: float
) -> None:
    """A delay beyond the played sound begins with silence; the pictures' clock stays."""

    def heard(at_s: float, delay_s: float) -> tuple[float | None, np.ndarray]:
        sound = Sound(ramp, 0.0, Clock())
        sound.delay_s = delay_s
        sound.start(at_s, speed)
        while sound.queued < QUEUED_BLOCKS:
            time.sleep(0.001)
        out = np.empty((RATE // 10, CHANNELS), np.float32)
        begin_s = sound.fill(out)
        sound.stop()
        return begin_s, out

    begin_s, out = heard(1.0, delay_s)
    assert begin_s == 1.0
    if delay_s > 1.0:
        assert not out.any()
        return
    _, undelayed = heard(1.0 - delay_s, 0.0)
    assert undelayed.any()
    assert np.array_equal(out, undelayed)


@pytest.mark.media
def test_a_long_silence_takes_little_memory(ramp: Path) -> None:
    blocks = decode(ramp, -3600.0, 0.1)
    assert all(len(next(blocks)) == RATE for _ in range(10))
