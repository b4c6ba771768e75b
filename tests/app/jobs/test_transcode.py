"""File to file: every frame out exactly once, in order, at its own time, whatever the clip is."""

from __future__ import annotations

import threading
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Any

import av
import pytest

from assets.make_clips import CLIPS, LIST, Clip
from framebrush.gpu.device import Device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.stylizer import Stylizer
from framebrush.jobs.transcode import Listener, Progress, Status
from framebrush.media.encoding.encoder_frames import DevicePicture, EncoderFrame, EncoderFrames
from framebrush.media.video import InputError, Position, RangeError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec
from tests import networks
from tests.app.jobs.footage import job, leftovers, shown, transcode
from tests.clips import each_clip
from tests.media.subtitle_clips import film as with_texts
from tests.media.subtitle_clips import srt

pytestmark = pytest.mark.media

FAST = OutputOptions(codec="h264", crf=16, preset="ultrafast")
FAST_10 = OutputOptions(codec="hevc", crf=16, preset="ultrafast")
MATROSKA_TICK = Fraction(1, 1000)


@each_clip
@pytest.mark.parametrize("suffix", [".mp4", ".mkv"])
def test_every_frame_once_in_order_at_its_time(clip: Clip, suffix: str, device: Device, tmp_path: Path) -> None:
    target = tmp_path / f"out{suffix}"
    source = CLIPS / clip.name
    ten_bits = "10" in clip.pix_fmt
    outcome = transcode(job(source, target, device, options=FAST_10 if ten_bits else FAST))
    assert (outcome.status, outcome.lost, outcome.progress.frames) == (Status.DONE, 0, len(clip.shown))
    numbers, times = shown(target)
    assert numbers == list(clip.shown)
    made = [(clip.times[number] - clip.times[clip.shown[0]]) * clip.time_base for number in clip.shown]
    tick = MATROSKA_TICK if suffix == ".mkv" else Fraction(0)
    with av.open(str(source)) as container:
        tick = max(tick, container.streams.video[0].time_base or tick)  # AVI and TS have ticks of their own
    assert max(abs(time - expected) for time, expected in zip(times, made, strict=True)) <= tick
    with av.open(str(target)) as container:
        kept = "yuv420p10le" if ten_bits else "yuvj420p" if clip.name == "full-range.mp4" else "yuv420p"
        assert container.streams.video[0].codec_context.pix_fmt == kept
    assert leftovers(tmp_path) == [target.name]


@pytest.mark.parametrize("name", ["vfr.mp4", "open-gop.mp4", "open-gop.mkv", "edit-list.mp4", "bframes.ts", "raw.h264"])
def test_a_range_by_number_is_exact(name: str, device: Device, tmp_path: Path) -> None:
    clip = next(clip for clip in LIST if clip.name == name)
    span = TimeRange(Position(Fraction(5), "frame"), Position(Fraction(17), "frame"))
    outcome = transcode(job(CLIPS / name, tmp_path / "out.mp4", device, span=span, options=FAST))
    numbers, times = shown(tmp_path / "out.mp4")
    assert numbers == list(clip.shown[5:17])
    assert times[0] == 0
    assert outcome.progress.expected in (12, None)


def test_a_range_by_time_includes_its_start_and_not_its_end(device: Device, tmp_path: Path) -> None:
    span = TimeRange(Position(Fraction("0.2"), "s"), Position(Fraction("0.6"), "s"))
    transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, span=span, options=FAST))
    assert shown(tmp_path / "out.mp4")[0] == list(range(5, 15))


def test_tags_shape_and_streams_are_carried_over(device: Device, tmp_path: Path) -> None:
    for name in ("rotated.mp4", "anamorphic.mp4", "extras.mkv"):
        target = tmp_path / name
        transcode(job(CLIPS / name, target, device, options=FAST))
        with av.open(str(CLIPS / name)) as before, av.open(str(target)) as after:
            assert [stream.type for stream in after.streams] == [stream.type for stream in before.streams]
            assert after.streams.video[0].sample_aspect_ratio == before.streams.video[0].sample_aspect_ratio
            assert [c["metadata"] for c in after.chapters()] == [c["metadata"] for c in before.chapters()]
            first, again = next(before.decode(video=0)), next(after.decode(video=0))
            assert (again.rotation, again.width, again.height) == (first.rotation, first.width, first.height)
            assert again.colorspace == first.colorspace


def test_hdr_becomes_sdr_and_says_so(device: Device, tmp_path: Path) -> None:
    transcode(job(CLIPS / "pq.mp4", tmp_path / "out.mp4", device, options=FAST_10))
    with av.open(str(tmp_path / "out.mp4")) as container:
        frame = next(container.decode(video=0))
        assert (frame.color_primaries, frame.color_trc, frame.colorspace) == (1, 13, 1)
        assert not [data for data in frame.side_data if "MASTERING" in str(data.type)]


def test_progress_counts_every_frame_and_knows_the_end(device: Device, tmp_path: Path) -> None:
    seen: list[Progress] = []
    transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, options=FAST), Listener(progress=seen.append))
    assert [frames for frames, _ in groupby(state.frames for state in seen)] == list(range(31))
    assert [losses for losses, _ in groupby(state.losses for state in seen)] == [(), None]  # the first alone has them
    assert seen[1].losses is None
    assert {state.expected for state in seen} == {30}
    assert seen[-1].remaining_s == 0


def test_the_speed_is_that_of_the_frames_of_this_run() -> None:
    assert Progress(30, 50, 4.0, 0, resumed=10).fps == 5.0
    assert Progress(30, 50, 4.0, 0, resumed=10).remaining_s == 4.0
    assert Progress(10, 50, 4.0, 0, resumed=10).remaining_s is None
    assert Progress(10, 50, 0.0, 0).fps == 0.0
    assert Progress(60, 50, 4.0, 0).remaining_s == 0.0


def test_the_decisions_are_said_before_the_work(device: Device, tmp_path: Path) -> None:
    told: list[str] = []
    listener = Listener(told.append, lambda _: told.append("*"))
    transcode(job(CLIPS / "extras.mkv", tmp_path / "out.mp4", device, options=FAST), listener)
    assert told.index("*") > 0
    assert told[0].startswith("video: libx264 crf 16")
    assert any("attachment" in line for line in told[: told.index("*")])


def test_a_truncated_file_gives_what_decodes_and_counts_the_rest(device: Device, tmp_path: Path) -> None:
    whole = (CLIPS / "bframes.mp4").read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole[: len(whole) * 6 // 10])
    outcome = transcode(job(cut, tmp_path / "out.mp4", device, options=FAST))
    numbers, _ = shown(tmp_path / "out.mp4")
    assert outcome.status is Status.LOSSES
    assert outcome.lost == 30 - len(numbers)
    assert 0 < len(numbers) < 30
    assert numbers == sorted(set(numbers), key=numbers.index)


def test_a_range_in_which_no_frame_can_be_decoded_is_refused(device: Device, tmp_path: Path) -> None:
    whole = (CLIPS / "bframes.mp4").read_bytes()
    (cut := tmp_path / "cut.mp4").write_bytes(whole[: len(whole) * 9 // 10])
    span = TimeRange(Position(Fraction(21), "frame"))
    with pytest.raises(InputError, match=r"cut\.mp4: no frame in the requested range can be decoded"):
        transcode(job(cut, tmp_path / "out.mp4", device, span=span, options=FAST))
    assert leftovers(tmp_path) == ["cut.mp4"]


def test_values_that_are_not_finite_name_the_frame_and_leave_nothing(device: Device, tmp_path: Path) -> None:
    with pytest.raises(DeviceError, match=r"^frame 0: "):
        transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, style=networks.not_finite(), options=FAST))
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize("stop", [KeyboardInterrupt, DeviceError])
def test_an_interruption_leaves_no_file_and_no_thread(
    stop: type[BaseException], device: Device, tmp_path: Path
) -> None:
    before = threading.active_count()

    def interrupt(state: Progress) -> None:
        if state.frames == 3:
            raise stop("now")

    with pytest.raises(stop, match="now"):
        transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, options=FAST), Listener(progress=interrupt))
    assert leftovers(tmp_path) == []
    assert threading.active_count() == before


def test_a_range_behind_the_end_is_refused(device: Device, tmp_path: Path) -> None:
    span = TimeRange(Position(Fraction(500), "frame"))
    with pytest.raises(RangeError, match="starts after the last"):
        transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, span=span, options=FAST))
    assert leftovers(tmp_path) == []


def test_max_size_scales_down_and_keeps_every_frame(device: Device, tmp_path: Path) -> None:
    transcode(job(CLIPS / "odd.webm", tmp_path / "out.mp4", device, sizes=SizeSpec(max_size=320), options=FAST))
    with av.open(str(tmp_path / "out.mp4")) as container:
        picture = container.streams.video[0]
        assert (picture.width, picture.height) == (320, 180)
    assert shown(tmp_path / "out.mp4")[0] == list(range(12))


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        (SizeSpec(stroke=2.0), (160, 96)),
        (SizeSpec(size="2x", stroke=2.0), (320, 192)),
        (SizeSpec(size="400x300"), (400, 300)),
        (SizeSpec(stroke="auto", max_size=80), (80, 48)),
    ],
)
def test_sizes_keep_every_frame_and_the_shape(
    device: Device, tmp_path: Path, sizes: SizeSpec, expected: tuple[int, int]
) -> None:
    said: list[str] = []
    with av.open(str(CLIPS / "cfr.mp4")) as container:
        source = container.streams.video[0]
        shape = Fraction(source.width, source.height) * (source.sample_aspect_ratio or 1)
    transcode(job(CLIPS / "cfr.mp4", tmp_path / "out.mp4", device, sizes=sizes, options=FAST), Listener(said.append))
    with av.open(str(tmp_path / "out.mp4")) as container:
        picture = container.streams.video[0]
        assert (picture.width, picture.height) == expected
        assert Fraction(picture.width, picture.height) * (picture.sample_aspect_ratio or 1) == shape
    assert any(line.startswith("size: source ") for line in said)
    numbers, times = shown(tmp_path / "out.mp4")[:2]
    expected_numbers, expected_times = shown(CLIPS / "cfr.mp4")[:2]
    assert numbers == expected_numbers
    assert times == expected_times


@pytest.mark.slow
def test_an_enlarger_writes_its_own_size(device: Device, tmp_path: Path) -> None:
    transcode(job(CLIPS / "odd.webm", tmp_path / "out.mp4", device, style=networks.enlarger(2), options=FAST))
    with av.open(str(CLIPS / "odd.webm")) as source, av.open(str(tmp_path / "out.mp4")) as container:
        before, picture = source.streams.video[0], container.streams.video[0]
        assert (picture.width, picture.height) == (2 * before.width, 2 * before.height)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("codec", "pix_fmt"), [("libx264", "yuv420p"), ("libx265", "yuv420p10le"), ("libsvtav1", "yuv420p")]
)
def test_a_frame_is_copied_once_each_way(
    device: Device, tmp_path: Path, codec: str, pix_fmt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the decoder's memory to the device, and from the device into the encoder's memory."""
    made: list[Stylizer[Any]] = []
    original = Device.stylizer_of

    def watched(self: Device, plan: StylizerPlan) -> Stylizer[Any]:
        made.append(original(self, plan))
        return made[-1]

    fill = EncoderFrames.filled

    def filled(self: EncoderFrames, frame: Frame | DeviceFrame) -> EncoderFrame | DevicePicture:
        assert isinstance(frame, EncoderFrame), "a painted frame is copied once more"
        return fill(self, frame)

    monkeypatch.setattr(Device, "stylizer_of", watched)
    monkeypatch.setattr(EncoderFrames, "filled", filled)
    options = OutputOptions(codec=codec, pix_fmt=pix_fmt, preset=None)
    transcode(job(CLIPS / "odd.webm", tmp_path / "out.mkv", device, options=options))
    (stylizer,) = made
    assert stylizer.counters.uploads == 12
    assert stylizer.counters.host_copies == 24


def early(target: Path, picture_s: Fraction, sound_s: Fraction) -> Path:
    """Write a film before 0, by seconds."""
    options, found = {"avoid_negative_ts": "disabled"}, list[av.Packet]()
    with av.open(str(CLIPS / "extras.mp4")) as film, av.open(str(target), "w", container_options=options) as out:
        streams = film.streams.video[0], film.streams.audio[0]
        copies = {stream.index: out.add_stream_from_template(stream) for stream in streams}
        for packet in film.demux(streams):
            if packet.pts is None or packet.dts is None:
                continue
            shift = round((picture_s if packet.stream is streams[0] else sound_s) / packet.time_base)
            packet.pts, packet.dts, packet.stream = packet.pts - shift, packet.dts - shift, copies[packet.stream_index]
            found.append(packet)
        for packet in sorted(found, key=lambda each: each.dts * each.time_base):
            out.mux(packet)
    return target


def test_sound_stays_with_a_picture_before_zero(device: Device, tmp_path: Path) -> None:
    """Matroska has no times below 0: the picture's first frames have none at all, its sound is before them."""
    source = early(tmp_path / "early.mkv", Fraction(1, 2), Fraction(1, 2))
    whole = starts(CLIPS / "extras.mp4")
    for suffix in (".mkv", ".mp4"):
        target, said = tmp_path / f"out{suffix}", list[str]()
        transcode(job(source, target, device, options=FAST), Listener(said.append))
        assert not [line for line in said if "left out" in line]
        assert starts(target) == pytest.approx(whole, abs=0.03)
    later = TimeRange(Position(Fraction(1, 5), "s"))
    transcode(job(source, tmp_path / "later.mkv", device, options=FAST, span=later))
    frames, _, sounds, first = starts(tmp_path / "later.mkv")
    assert (frames, sounds) == (25, 14)
    assert 0 <= first < 0.064


def test_sound_before_a_picture_before_zero_is_cut_and_said(device: Device, tmp_path: Path) -> None:
    source, said = early(tmp_path / "early.mkv", Fraction(1, 5), Fraction(4, 5)), list[str]()
    done = transcode(job(source, tmp_path / "out.mkv", device, options=FAST), Listener(said.append))
    assert done.status is Status.DONE, said
    assert any("the first 0.66 s of audio stream 1 (MKV begins with the picture)" in line for line in said), said
    assert starts(tmp_path / "out.mkv")[3] < 0.064


def test_sound_that_an_edit_list_hides_is_not_said_to_be_lost(device: Device, tmp_path: Path) -> None:
    """It fades in, as every copy without the sound that its decoder needs before."""
    source = early(tmp_path / "early.mp4", Fraction(1, 2), Fraction(1, 2))
    said = list[str]()
    transcode(job(source, tmp_path / "out.mkv", device, options=FAST), Listener(said.append))
    assert [line for line in said if "fades in" in line], said
    assert not [line for line in said if "the first" in line], said


@pytest.mark.parametrize(("suffix", "start"), [(".mkv", 0.0), (".mp4", 0.0), (".mkv", 0.25)])
def test_subtitles_before_zero_stay_with_the_picture(suffix: str, start: float, device: Device, tmp_path: Path) -> None:
    lines = [(0.1, 0.2, "gone"), (0.3, 0.5, "early"), (0.6, 0.8, "across"), (0.9, 1.0, "late")]
    options = {"avoid_negative_ts": "disabled"}
    with (
        av.open(str(with_texts(tmp_path / "film.mkv", [("srt", srt(lines), "eng")]))) as film,
        av.open(str(tmp_path / "early.mkv"), "w", container_options=options) as out,
    ):
        copies = {stream.index: out.add_stream_from_template(stream) for stream in film.streams}
        for packet in film.demux():
            if packet.pts is not None and packet.dts is not None:
                shift, packet.stream = round(Fraction(7, 10) / packet.time_base), copies[packet.stream_index]
                packet.pts, packet.dts = packet.pts - shift, packet.dts - shift
                out.mux(packet)
    target = tmp_path / f"out{suffix}"
    later = TimeRange(Position(Fraction(start), "s")) if start else TimeRange()
    transcode(job(tmp_path / "early.mkv", target, device, options=FAST, span=later))
    with av.open(str(target)) as container:
        found = [
            (float(packet.pts * packet.time_base), text)
            for packet in container.demux(container.streams.subtitles[0])
            if packet.pts is not None and (text := bytes(packet)[2 * (suffix == ".mp4") :].decode())
        ]
    expected = [(max(0.0, begin - start), text) for begin, end, text in lines if end > start]
    assert [text for _, text in found] == [text for _, text in expected]
    assert [time for time, _ in found] == pytest.approx([time for time, _ in expected], abs=0.04)


def starts(film: Path) -> list[float]:
    """Return frames, first time, sound packets after the encoder's delay, and the first one's time."""
    with av.open(str(film)) as container:
        found = list[float]()
        for stream in (container.streams.video[0], container.streams.audio[0]):
            container.seek(0)
            times = [float(each.pts * each.time_base) for each in container.demux(stream) if each.pts is not None]
            heard = [time for time in times if time > -0.03]
            found += [len(heard), min(heard)]
    return found


@pytest.mark.parametrize(("ending", "about"), [(".mkv", "about "), (".mp4", "")])
def test_lost_frames_have_one_number(ending: str, about: str, device: Device, tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.mkv", tmp_path / f"cut{ending}"
    content = (CLIPS / "bframes.mp4").read_bytes()
    if ending == ".mkv":
        transcode(job(CLIPS / "bframes.mp4", whole, device, options=FAST))
        content = whole.read_bytes()
    cut.write_bytes(content[: len(content) * 6 // 10])
    said: list[str] = []
    outcome = transcode(job(cut, tmp_path / "out.mp4", device, options=FAST), Listener(said.append))
    counts = [line for line in (*said, *outcome.words) if " lost" in line or "not in it" in line]
    assert [line for line in counts if any(map(str.isdigit, line))] == [f"{about}{outcome.lost} frames were lost"]
    assert [loss.text for loss in outcome.losses if "lost" in loss.text] == [f"{about}{outcome.lost} frames were lost"]
