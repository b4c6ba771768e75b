"""Live sources: the newest frame wins, ranges, ends, lost devices, sound beside the picture, lists of cameras."""

from __future__ import annotations

import sys
import threading
import time
from fractions import Fraction
from itertools import islice
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from framebrush.gpu.frame import Frame, nv12
from framebrush.media.live import camera, live_sources
from framebrush.media.live.camera_list import Camera, find_devices, parse_avfoundation, parse_dshow
from framebrush.media.live.generated import DrawnCapture
from framebrush.media.live.live_sources import LiveSource
from framebrush.media.sources.frame_source import local_path, open_frame_source
from framebrush.media.video import FrameSource, InputError, Position, TimeRange

pytestmark = pytest.mark.media

FAST = "live:testsrc2=size=64x48:rate=100"


class Scripted:
    """A device that delivers a frame, or fails, on request, in place of a lens and a cable."""

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


def wait_for(condition: object, seconds: float = 60.0) -> None:
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


@pytest.mark.slow
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


def test_a_closed_test_source_draws_nothing_more() -> None:
    capture = DrawnCapture("lavfi:testsrc2=size=64x48:rate=500", "drawn")
    assert capture.read() is not None
    capture.close()
    assert capture.read() is None


def test_the_newest_frame_wins_and_the_others_are_counted() -> None:
    device = Scripted()
    with LiveSource(device) as source:
        assert source.newest() is None
        device.give(5)
        wait_for(lambda: source.dropped == 4)
        frame = source.newest()
        assert frame is not None
        assert frame.number == 4
        assert np.all(frame.frame.planes[0] == 4)
        assert source.newest() is None
        device.give()
        assert next(source).number == 5
        assert "4 frames arrived while another frame was painted" in source.warnings[0]
        device.give()
    assert device.closed >= 1


def test_who_waits_is_woken_by_a_frame_and_by_stop() -> None:
    device = Scripted()
    source = LiveSource(device)
    woken = threading.Semaphore(0)
    source.on_fresh = woken.release
    device.give()
    assert woken.acquire(timeout=60)
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
            source.newest()


def test_a_device_without_a_picture_is_told_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("framebrush.media.live.live_sources.STALL_S", 0.1)
    device = Scripted()
    with LiveSource(device) as source:
        with pytest.raises(InputError, match="has delivered no picture for"):
            next(source)
        device.give()


def test_closing_does_not_wait_for_a_driver_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("framebrush.media.live.live_sources.CLOSE_S", 0.1)
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
    assert found  # how many there are is the clock's
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
    found = SimpleNamespace(cameras=tuple(Camera(f"Camera {number}", device) for number in range(8)))
    monkeypatch.setattr(camera, "find_devices", lambda: found)


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
    """A driver reuses the memory of raw frames."""
    path = tmp_path / "raw.y4m"
    path.write_bytes(b"YUV4MPEG2 W16 H16 F25:1 C420jpeg\n" + b"".join(b"FRAME\n" + bytes([n]) * 384 for n in (7, 8, 9)))
    stand_in(monkeypatch, "yuv4mpegpipe", str(path))
    source = open_frame_source("camera:0")
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


def test_a_camera_with_a_picture_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch, "lavfi", "color=size=20000x16")
    with pytest.raises(InputError, match="20000x16"):
        open_frame_source("camera:0")


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


def test_avfoundations_list_is_read() -> None:
    """As libavdevice/avfoundation.m logs it. Screens are no cameras."""
    log = (
        "AVFoundation video devices:\n[0] FaceTime HD Camera\n[1] Capture screen 0\n[2] USB Camera: [HD]\n"
        "AVFoundation audio devices:\n[0] Built-in Microphone\n"
    )
    assert parse_avfoundation(log) == [("FaceTime HD Camera", "0"), ("USB Camera: [HD]", "2")]


def test_two_frames_never_have_one_time_whatever_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where `time.monotonic` stands still for 16 ms."""
    coarse = SimpleNamespace(perf_counter=lambda: time.perf_counter() // 0.2 * 0.2)
    monkeypatch.setattr(live_sources, "time", coarse)  # that of the source alone: what draws the frames keeps its pace
    with open_frame_source("live:testsrc2=size=64x48:rate=100", TimeRange(frames=20)) as source:
        assert np.all(np.diff([frame.pts for frame in source]) > 0)


def test_generated_frames_keep_their_pace_and_do_not_catch_up() -> None:
    with DrawnCapturing() as drawn:  # 25 frames a second
        begin_s = time.perf_counter()
        for _ in range(3):
            assert drawn.read() is not None
        assert time.perf_counter() - begin_s > 2.5 / 25
        time.sleep(6 / 25)
        begin_s = time.perf_counter()
        for _ in range(5):  # two are due
            drawn.read()
        assert time.perf_counter() - begin_s > 2.5 / 25
