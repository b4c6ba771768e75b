"""Sound beside a live picture: on its clock, from a microphone, in a recording."""

from __future__ import annotations

import time
from fractions import Fraction
from pathlib import Path
from typing import Literal

import av
import numpy as np
import pytest

from framebrush.gpu.frame import nv12
from framebrush.media.live.live_sound import APART_S, LiveSound, Microphone, SoundBlock, SoundTrack
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.sources.frame_source import open_frame_source
from framebrush.media.video import InputError, TimeRange
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, plan_output, plan_recording
from tests import null_sound

pytestmark = pytest.mark.media

RATE = 48_000

PLAYED = """
import numpy as np, time
from framebrush.media.live.camera_list import find_devices
from framebrush.media.live.live_sound import Microphone
assert "default" in find_devices().microphones
microphone = Microphone("default")
end = time.monotonic() + 60
while not (blocks := microphone.read()):
    assert time.monotonic() < end
samples = np.concatenate([block.samples for block in blocks])
assert samples.shape[1] == microphone.channels == 2
assert abs(blocks[0].begins_s - time.perf_counter()) < 5
microphone.close()
microphone.close()
microphone.read()
time.sleep(0.1)
assert microphone.read() == []
print("heard")
"""


@pytest.mark.slow
@null_sound.needs_alsa
def test_a_microphone_is_heard_and_closed(tmp_path: Path) -> None:
    assert null_sound.run(PLAYED, tmp_path).strip().endswith("heard")


class Blocks(LiveSound):
    """Microphone with blocks made by a test: 480 samples (10 ms) of a ramp that counts them."""

    def __init__(self) -> None:
        super().__init__("ramp", 1, RATE)
        self.origin_s = 100.0

    def close(self) -> None: ...

    def put(self, at_s: float, value: float) -> None:
        self._put(SoundBlock(self.origin_s + at_s, np.full((480, 1), value, np.float32)))


def heard(blocks: Blocks, tmp_path: Path, *, zero_s: Fraction = Fraction(0), end: Fraction | None = None) -> np.ndarray:
    """Write the blocks losslessly; return the file's samples."""
    path = tmp_path / "sound.mkv"
    with av.open(path, "w") as out:
        track = SoundTrack(blocks, "pcm_f32le", zero_s)
        track.add_streams(out)
        for packet in (*track.until(Fraction(1, 10), None), *track.rest(end)):
            out.mux_one(packet)
    with av.open(path) as written:
        return np.concatenate([frame.to_ndarray().ravel() for frame in written.decode(audio=0)])


def test_sound_before_the_picture_is_cut_and_late_sound_begins_with_silence(tmp_path: Path) -> None:
    blocks = Blocks()
    for index in range(20):
        blocks.put(-0.055 + 0.01 * index, index + 1)
    samples = heard(blocks, tmp_path)
    assert len(samples) == round(0.145 * RATE)
    assert samples[0] == samples[239] == 6  # 5 ms of the sixth block
    assert samples[240] == 7
    late = Blocks()
    late.put(0.25, 1)
    samples = heard(late, tmp_path)
    assert np.all(samples[: RATE // 4] == 0)
    assert np.all(samples[RATE // 4 :] == 1)


def test_sound_follows_a_recording_that_begins_later(tmp_path: Path) -> None:
    blocks = Blocks()
    for index in range(100):
        blocks.put(0.01 * index, index)
    samples = heard(blocks, tmp_path, zero_s=Fraction(1, 2), end=Fraction(3, 10))
    assert len(samples) == round(0.3 * RATE)
    assert samples[0] == pytest.approx(50)
    assert samples[-1] == pytest.approx(79)


@pytest.mark.parametrize(("gap_s", "inserted"), [(0.8 * APART_S, 0), (0.5, 24_000), (-0.5, -24_000)])
def test_clocks_that_run_apart_are_brought_together(tmp_path: Path, gap_s: float, inserted: int) -> None:
    blocks = Blocks()
    for index in range(60):
        blocks.put(0.01 * index, 1)
    for index in range(60, 160):
        blocks.put(0.01 * index + gap_s, 2)
    samples = heard(blocks, tmp_path)
    assert len(samples) == 160 * 480 + inserted
    assert np.count_nonzero(samples == 0) == max(0, inserted)


def test_what_nobody_reads_is_dropped() -> None:
    blocks = Blocks()
    for index in range(2000):
        blocks.put(0.01 * index, index)
    assert len(blocks.read()) in (1000, 1001)  # as the floats fall
    assert blocks.read() == []


def test_a_microphone_that_is_not_there_is_told() -> None:
    with pytest.raises(InputError, match=r"the microphone 'nobody' cannot be opened|needs PortAudio"):
        Microphone("nobody")


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "audio"), [(".mp4", "copy"), (".webm", "copy"), (".mp4", "none")])
def test_a_recording_has_picture_and_sound_in_step(tmp_path: Path, audio: Literal["copy", "none"], suffix: str) -> None:
    """The sine beeps every second after the source's start, and so must the file's."""
    path = tmp_path / f"out{suffix}"
    with open_frame_source("live:testsrc2=size=64x64:rate=50+sine=frequency=500") as source:
        assert isinstance(source, LiveSource)
        assert source.sound is not None
        while not (blocks := source.sound.read()):
            time.sleep(0.01)
        begun_s = blocks[0].begins_s
        time.sleep(0.3)  # a recording may begin at any time
        zero_s = None
        frames = nv12(64, 64)
        options = OutputOptions(codec="libx264" if suffix == ".mp4" else "libvpx-vp9")
        plan = plan_recording(plan_output(source.info, path, options, frames, TimeRange()), source.sound, audio)
        with Writer(plan) as writer:
            for frame in source:
                picture = writer.allocate()
                for plane in picture.planes:
                    plane[...] = 128
                writer.write(picture, frame.pts, 0)
                zero_s = zero_s or frame.captured_s
                if frame.pts * source.info.time_base > 2:
                    break
            writer.finish()
            assert writer.damage == []
    with av.open(path) as written:
        assert [stream.type for stream in written.streams] == ["video", "audio"][: 2 if audio == "copy" else 1]
        times = [frame.time or 0.0 for frame in written.decode(video=0)]
    assert times[0] == 0.0
    if audio == "copy":
        with av.open(path) as written:
            sound = list(written.decode(audio=0))
        rate = sound[0].sample_rate
        samples = np.concatenate([block.to_ndarray()[0] for block in sound])
        assert len(samples) / rate == pytest.approx(times[-1], abs=0.25)
        assert zero_s is not None
        first_s = 1.0 - (zero_s - begun_s)  # of the beeps that follow that at the beginning
        assert beep_s(samples, rate) + (sound[0].time or 0.0) == pytest.approx(first_s, abs=0.03)


def beep_s(samples: np.ndarray, rate: int) -> float:
    """When 2000 Hz, four times the tone, is first heard: to 5 ms."""
    window = rate // 200
    phase = 2 * np.pi * 2000 / rate * np.arange(window)
    blocks = samples[: len(samples) // window * window].reshape(-1, window)
    level = np.hypot(blocks @ np.cos(phase), blocks @ np.sin(phase))
    return float(np.argmax(level > 0.5 * level.max())) * window / rate
