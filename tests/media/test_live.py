"""Live sources: the newest frame wins, ranges, ends, lost devices, sound beside the picture, lists of cameras."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Literal

import av
import numpy as np
import pytest

from framebrush.gpu.frame import Frame, nv12
from framebrush.media import camera
from framebrush.media.camera_list import Camera, find_devices, parse_dshow
from framebrush.media.frame_source import FrameSource, local_path, open_frame_source
from framebrush.media.live import LiveSource
from framebrush.media.live_generator import DrawnCapture
from framebrush.media.live_sound import APART_S, LiveSound, Microphone, SoundBlock, SoundTrack
from framebrush.media.plan import OutputOptions, plan_output, plan_recording
from framebrush.media.video import InputError, Position, TimeRange
from framebrush.media.writer import Writer

pytestmark = pytest.mark.media

FAST = "live:testsrc2=size=64x48:rate=100"
RATE = 48_000
ROOT = Path(__file__).parents[2]


class Scripted:
    """A device that gives a frame when it is told to, and fails when it is told to: what a lens and a cable do."""

    def __init__(self) -> None:
        with DrawnCapturing() as drawn:
            self.info = drawn.info
        self.has_end = False
        self.closed = 0
        self._told = threading.Semaphore(0)
        self._error: Exception | None = None
        self._number = 0

    def give(self, count: int = 1) -> None:
        self._told.release(count)

    def fail(self, error: Exception) -> None:
        self._error = error
        self.give()

    def read(self) -> Frame | None:
        self._told.acquire()
        if self._error is not None:
            raise self._error
        frame = nv12(16, 16).allocate()
        frame.planes[0][...] = self._number
        self._number += 1
        return frame

    def close(self) -> None:
        self.closed += 1


class DrawnCapturing(DrawnCapture):
    def __init__(self) -> None:
        super().__init__("lavfi:color=size=16x16", "scripted")

    def __enter__(self) -> DrawnCapturing:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def wait_for(condition: object, seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    assert callable(condition)
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.002)


def test_it_is_a_live_source_that_cannot_seek() -> None:
    with open_frame_source(FAST) as source:
        kind: FrameSource = source
        assert (kind.name, kind.live, kind.can_seek, kind.has_end) == (FAST, True, False, False)
        assert local_path(FAST) is None
        assert local_path("camera:0") is None
        with pytest.raises(InputError, match="cannot seek"):
            source.seek(Position(Fraction(0), "s"))


def test_frames_come_in_real_time_with_the_moment_of_capture() -> None:
    with open_frame_source("live:testsrc2=size=64x48:rate=50", TimeRange(frames=25)) as source:
        begin_s = time.monotonic()
        frames = list(source)
        took_s = time.monotonic() - begin_s
    assert len(frames) == 25
    assert took_s > 0.4  # at any speed of the machine; a generator that does not wait takes 0.03
    captured = [frame.captured_s or 0.0 for frame in frames]
    assert np.all(np.diff(captured) > 0)
    assert np.all(np.diff([frame.pts for frame in frames]) > 0)
    times_s = [float(frame.pts * source.info.time_base) for frame in frames]
    assert np.allclose(np.array(captured) - captured[0], np.array(times_s) - times_s[0], atol=1e-4)


def test_the_newest_frame_wins_and_the_others_are_counted() -> None:
    device = Scripted()
    with LiveSource(device) as source:
        assert source.take() is None
        device.give(5)
        wait_for(lambda: source.dropped == 4)
        frame = source.take()
        assert frame is not None
        assert frame.number == 4
        assert np.all(frame.frame.planes[0] == 4)
        assert source.take() is None
        device.give()
        assert next(source).number == 5
        assert "4 frames came before" in source.warnings[0]
        device.give()
    assert device.closed >= 1


def test_who_waits_is_woken_by_a_frame_and_by_stop() -> None:
    device = Scripted()
    source = LiveSource(device)
    woken = threading.Semaphore(0)
    source.on_fresh = woken.release
    device.give()
    assert woken.acquire(timeout=10)
    assert next(source).number == 0
    threading.Timer(0.05, source.stop).start()
    assert next(source, None) is None
    assert source.over
    device.give()
    source.close()
    assert device.closed >= 1


def test_a_device_that_is_lost_ends_the_iteration_and_is_told() -> None:
    device = Scripted()
    with LiveSource(device) as source:
        device.give()
        assert next(source).number == 0
        device.fail(InputError("the camera was unplugged"))
        assert next(source, None) is None
        assert source.cut_off
        assert source.warnings == ["the camera was unplugged"]
    device = Scripted()
    with LiveSource(device) as source:
        device.fail(OSError(5, "bus error"))
        wait_for(lambda: source.fresh)
        with pytest.raises(InputError, match=r"scripted failed \(bus error\)"):
            source.take()


def test_a_device_without_a_picture_is_told_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("framebrush.media.live.STALL_S", 0.1)
    device = Scripted()
    with LiveSource(device) as source:
        with pytest.raises(InputError, match="gives no picture since"):
            next(source)
        device.give()


def test_closing_does_not_wait_for_a_driver_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("framebrush.media.live.CLOSE_S", 0.1)
    device = Scripted()
    source = LiveSource(device)
    source.close()
    assert device.closed == 0  # not while it is being read
    device.give()
    wait_for(lambda: device.closed > 0)


@pytest.mark.parametrize(
    ("span", "frames"),
    [
        (TimeRange(frames=3), 3),
        (TimeRange(end=Position(Fraction(6), "frame")), None),
        (TimeRange(end=Position(Fraction(1, 10), "s")), None),
    ],
)
def test_ranges_end_it(span: TimeRange, frames: int | None) -> None:
    with open_frame_source(FAST, span) as source:
        assert source.has_end
        found = list(source)
    assert 1 <= len(found) <= 11
    assert frames is None or len(found) == frames
    if span.end is not None:
        limit = span.end.value
        assert all((f.number if span.end.unit == "frame" else f.pts * source.info.time_base) < limit for f in found)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("live:movie=/etc/passwd", "is not a test source"),
        ("live:testsrc2=filename=x", "no option 'filename'"),
        ("live:testsrc2+sine=frequency=1,amovie=x", "is no test sound"),
        ("live:testsrc2+microphone:nobody", "the microphone 'nobody' cannot be opened|needs PortAudio"),
        ("camera:", "name a camera"),
        ("camera:9", "there is no camera '9'"),
        ("camera:nobody has this one", "there is no camera 'nobody has this one'"),
    ],
)
def test_what_cannot_be_opened_is_told(text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        open_frame_source(text)


@pytest.mark.skipif(sys.platform != "linux", reason="a path of Linux")
def test_a_camera_that_is_not_there_and_one_that_is_none() -> None:
    with pytest.raises(InputError, match="is not there; plug it in"):
        open_frame_source("camera:/dev/video99")
    with pytest.raises(InputError, match="cannot be opened"):
        open_frame_source("camera:/dev/null:size=640x480:rate=30+microphone:nobody")


def test_a_start_lies_in_the_past() -> None:
    with pytest.raises(InputError, match="has no past"):
        open_frame_source(FAST, TimeRange(start=Position(Fraction(1), "s")))


def stand_in(monkeypatch: pytest.MonkeyPatch, kind: str, device: str) -> None:
    """Another of FFmpeg's inputs takes the place of the system's: only the driver is not a camera's then."""
    monkeypatch.setitem(camera.KINDS, sys.platform, kind)
    monkeypatch.setattr(camera, "_find", lambda which: Camera(f"Camera {which}", device))


def test_what_a_camera_gives_becomes_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "lavfi", "testsrc2=size=64x48:rate=30")
    with open_frame_source("camera:7", TimeRange(frames=4)) as source:
        assert (source.name, source.info.codec, source.info.rate) == ("camera:7", "wrapped_avframe", 30)
        frames = list(source)
    assert len(frames) == 4
    with open_frame_source("lavfi:testsrc2=size=64x48:rate=30") as drawn:
        first = next(islice(drawn, frames[0].number, None)).frame
    assert all(np.array_equal(*planes) for planes in zip(frames[0].frame.planes, first.planes, strict=True))


def test_raw_frames_outlive_the_camera(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Those of a driver lie in its own memory, which it takes back."""
    path = tmp_path / "raw.y4m"
    path.write_bytes(b"YUV4MPEG2 W16 H16 F25:1 C420jpeg\n" + b"".join(b"FRAME\n" + bytes([n]) * 384 for n in (7, 8, 9)))
    stand_in(monkeypatch, "yuv4mpegpipe", str(path))
    source = open_frame_source("camera:raw")
    frame = next(source)
    source.close()
    assert source.info.codec == "rawvideo"
    assert all(plane.base is None for plane in frame.frame.planes)
    assert {int(plane.min()) for plane in frame.frame.planes} <= {7, 8, 9}


def test_a_camera_that_ends_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "lavfi", "testsrc2=size=64x48:rate=30:duration=0.2")
    with open_frame_source("camera:7") as source:
        assert isinstance(source, LiveSource)
        assert list(source)
        assert source.cut_off
        assert "Camera 7 has ended" in source.warnings[-1]


PLAYED = """
import numpy as np, time
from framebrush.media.camera_list import find_devices
from framebrush.media.live_sound import Microphone
assert "default" in find_devices().microphones
microphone = Microphone("default")
end = time.monotonic() + 10
while not (blocks := microphone.read()):
    assert time.monotonic() < end
samples = np.concatenate([block.samples for block in blocks])
assert samples.shape[1] == microphone.channels == 2
assert abs(blocks[0].begins_s - time.monotonic()) < 5
microphone.close()
microphone.close()
microphone.read()
time.sleep(0.1)
assert microphone.read() == []
print("heard")
"""


@pytest.mark.skipif(
    sys.platform != "linux" or not Path("/usr/share/alsa/alsa.conf").exists(), reason="needs ALSA's own configuration"
)
def test_a_microphone_is_heard_and_closed(tmp_path: Path) -> None:
    """ALSA's null device, which gives silence without a sound card, and faster than time goes."""
    configuration = tmp_path / "asound.conf"
    configuration.write_text("</usr/share/alsa/alsa.conf>\npcm.!default { type null hint { show on } }\n")
    environment = {**os.environ, "ALSA_CONFIG_PATH": str(configuration)}
    done = subprocess.run(
        [sys.executable, "-c", PLAYED], env=environment, capture_output=True, text=True, timeout=60, cwd=ROOT
    )
    assert done.stdout.strip().endswith("heard"), done.stderr


def test_listing_finds_what_is_there_without_failing() -> None:
    found = find_devices()
    assert "crashed" not in found.problem
    assert "did not answer" not in found.problem


def test_directshows_list_is_read() -> None:
    """As libavdevice/dshow.c logs it, in pieces."""
    log = (
        '"USB Camera: HD" (video)\n  Alternative name "@device_pnp_\\\\?\\usb#vid_046d"\n'
        '"Mikrofon (Realtek(R))" (audio)\n  Alternative name "@device_cm_{33D9A762}\\wave_{1}"\n'
        '"OBS Virtual Camera" (none)\n  Alternative name "@device_sw_{860BB310}"\n'
        '"Capture" (video, audio)\n  Alternative name "@device_pnp_2"\n'
    )
    assert parse_dshow(log) == [
        ("USB Camera: HD", "@device_pnp_\\\\?\\usb#vid_046d"),
        ("Capture", "@device_pnp_2"),
    ]


# Sound


class Blocks(LiveSound):
    """A microphone whose blocks a test makes: 480 samples (10 ms) of a ramp that counts them."""

    def __init__(self) -> None:
        super().__init__("ramp", 1, RATE)
        self.origin_s = 100.0

    def close(self) -> None: ...

    def put(self, at_s: float, value: float) -> None:
        self._put(SoundBlock(self.origin_s + at_s, np.full((480, 1), value, np.float32)))


def heard(blocks: Blocks, tmp_path: Path, *, zero_s: Fraction = Fraction(0), end: Fraction | None = None) -> np.ndarray:
    """What a file without loss holds after the track took the blocks."""
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


@pytest.mark.parametrize(("suffix", "audio"), [(".mp4", "copy"), (".webm", "copy"), (".mp4", "none")])
def test_a_recording_has_picture_and_sound_in_step(tmp_path: Path, audio: Literal["copy", "none"], suffix: str) -> None:
    """The sine beeps every second of its own clock, which begins with the source: so must the file's."""
    path = tmp_path / f"out{suffix}"
    with open_frame_source("live:testsrc2=size=64x64:rate=50+sine=frequency=500") as source:
        assert isinstance(source, LiveSource)
        assert source.sound is not None
        time.sleep(0.3)  # a recording may begin at any time
        begun_s = source.sound._blocks[0].begins_s
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
            result = writer.finish()
            assert writer.damage == []
    with av.open(path) as written:
        assert [stream.type for stream in written.streams] == ["video", "audio"][: 2 if audio == "copy" else 1]
        times = [frame.time or 0.0 for frame in written.decode(video=0)]
    assert times[0] == 0.0
    assert result.seconds == pytest.approx(times[-1], abs=0.1)
    if audio == "copy":
        with av.open(path) as written:
            sound = list(written.decode(audio=0))
        rate = sound[0].sample_rate
        samples = np.concatenate([block.to_ndarray()[0] for block in sound])
        assert len(samples) / rate == pytest.approx(result.seconds, abs=0.25)
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
