"""Jobs in segments equal jobs in one piece: pictures, times, tags and streams."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.identity import JobIdentity, Versions
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import job_identity, open_job_source, open_job_style, prepare
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments import segment_writer, segmented
from framebrush.jobs.segments.segment_plan import Segment, is_short, plan_segments
from framebrush.jobs.segments.segment_writer import SegmentWriter
from framebrush.jobs.segments.segmented import plan_folder
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.transcode import Listener, Progress, Status
from framebrush.jobs.workers.run import OneDevice, run_job
from framebrush.jobs.workers.segment_painter import segment_painter
from framebrush.media.reading.index import FrameIndex
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.style import StyleError
from framebrush.styles.specs import BRUSH_PICTURES, SizeSpec, StyleSpec
from tests.app.jobs.changes import otherwise
from tests.app.jobs.footage import interrupt, job, leftovers, shown, transcode
from tests.app.styles.test_marks import wedge
from tests.gpu.test_steady import texture

LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="veryfast")
HEVC_10 = OutputOptions(codec="libx265", crf=12, preset="medium", pix_fmt="yuv420p10le")
AV1 = OutputOptions(codec="libsvtav1", crf=20, preset="8")
AV1_10 = OutputOptions(codec="libsvtav1", crf=20, preset="8", pix_fmt="yuv420p10le")
VP9 = OutputOptions(codec="libvpx-vp9", crf=20, preset="8")
H264 = OutputOptions(codec="libx264", crf=18)


def facts(path: Path) -> dict[str, Any]:
    """Return the properties of a file and its streams that are independent of decoding order."""
    with av.open(str(path)) as container:
        streams = []
        for stream in container.streams:
            entry: dict[str, Any] = {
                "kind": stream.type,
                "base": stream.time_base,
                "disposition": stream.disposition,
                "metadata": {key: text for key, text in stream.metadata.items() if key != "DURATION"},
                "start": stream.start_time,
            }
            if stream.type == "video":
                context = stream.codec_context
                entry |= {
                    "codec": (context.name, context.profile, context.codec_tag, context.pix_fmt),
                    "header": context.extradata,
                    "size": (context.width, context.height, stream.sample_aspect_ratio),
                    "colour": (
                        context.color_primaries,
                        context.color_trc,
                        context.colorspace,
                        context.color_range,
                    ),
                }
            if stream.type in ("audio", "subtitle"):
                entry["header"] = stream.codec_context.extradata
            streams.append(entry)
        chapters = container.chapters()
        times: dict[int, list[Any]] = {stream.index: [] for stream in container.streams}
        for packet in container.demux():
            if packet.size and packet.stream.type == "video":
                times[packet.stream_index].append(packet.pts)
            elif packet.size:
                times[packet.stream_index].append((packet.pts, packet.duration, bytes(packet)))
        metadata = dict(container.metadata)
    return {
        "streams": streams,
        "chapters": chapters,
        "packets": {index: sorted(found) for index, found in times.items()},
        "metadata": metadata,
    }


def pictures(path: Path) -> list[np.ndarray[Any, Any]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


def keyframes(path: Path) -> int:
    with av.open(str(path)) as container:
        return sum(packet.is_keyframe for packet in container.demux(video=0) if packet.size)


def shown_for(path: Path) -> list[int | None]:
    """The durations that the packets of the picture have, in the order shown."""
    with av.open(str(path)) as container:
        found = [(packet.pts, packet.duration) for packet in container.demux(video=0) if packet.size]
    return [duration for _, duration in sorted(found)]


CASES = [
    ("cfr.mp4", ".mp4", LOSSLESS),
    ("vfr.mkv", ".mp4", LOSSLESS),
    ("vfr.mp4", ".mkv", LOSSLESS),
    ("vfr.mkv", ".mkv", LOSSLESS),
    ("bframes.ts", ".mov", LOSSLESS),
    ("open-gop.mp4", ".mkv", LOSSLESS),
    ("open-gop.mkv", ".mp4", LOSSLESS),
    ("open-gop.ts", ".mp4", LOSSLESS),
    ("edit-list.mp4", ".mp4", LOSSLESS),
    ("negative.ts", ".mkv", LOSSLESS),
    ("extras.mkv", ".mkv", LOSSLESS),
    ("extras.mp4", ".mp4", LOSSLESS),
    ("extras.mkv", ".mp4", H264),
    ("rotated.mp4", ".mp4", LOSSLESS),
    ("anamorphic.mp4", ".mov", LOSSLESS),
    ("interlaced.mp4", ".mp4", LOSSLESS),
    ("full-range.mp4", ".mkv", LOSSLESS),
    ("10bit.mp4", ".mp4", HEVC_10),
    ("pq.mp4", ".mkv", HEVC_10),
    ("vfr.mp4", ".mov", HEVC_10),
    ("vfr.mp4", ".mp4", AV1),
    ("10bit.mp4", ".webm", AV1_10),
    ("cfr.mp4", ".mkv", AV1),
    ("vfr.mp4", ".webm", VP9),
    ("bframes.mp4", ".mp4", VP9),
]


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize(
    ("name", "suffix", "options"), CASES, ids=[f"{name}-{suffix[1:]}-{option.codec}" for name, suffix, option in CASES]
)
def test_the_joined_file_is_that_of_one_piece(
    name: str, suffix: str, options: OutputOptions, device: Device, tmp_path: Path
) -> None:
    whole, joined = tmp_path / f"whole{suffix}", tmp_path / f"joined{suffix}"
    said: list[list[str]] = [[], []]
    for target, segments, lines in ((whole, "off", said[0]), (joined, 7, said[1])):
        made = job(CLIPS / name, target, device, options=options, segments=segments)  # type: ignore[arg-type]
        outcome = transcode(made, Listener(lines.append))
        assert (outcome.status, outcome.lost) == (Status.DONE, 0)
    assert said[0] == said[1]
    assert leftovers(tmp_path) == sorted([whole.name, joined.name])
    assert keyframes(joined) > keyframes(whole)  # it was cut
    assert facts(joined) == facts(whole)
    assert shown(joined) == shown(whole)
    if suffix in (".mkv", ".webm"):
        assert shown_for(joined) == shown_for(whole)
    if options is LOSSLESS:
        for one, other in zip(pictures(joined), pictures(whole), strict=True):
            assert np.array_equal(one, other)


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize(
    "span",
    [
        TimeRange(Position(Fraction(4), "frame"), Position(Fraction(27), "frame")),
        TimeRange(Position(Fraction("0.35"), "s"), Position(Fraction("1.1"), "s")),
        TimeRange(frames=22),
        TimeRange(Position(Fraction("0.2"), "s"), frames=18),
    ],
)
@pytest.mark.parametrize("name", ["extras.mkv", "vfr.mp4", "open-gop.mp4", "bframes.ts"])
def test_ranges_in_segments(name: str, span: TimeRange, device: Device, tmp_path: Path) -> None:
    whole, joined = tmp_path / "whole.mkv", tmp_path / "joined.mkv"
    for target, segments in ((whole, "off"), (joined, 5)):
        transcode(job(CLIPS / name, target, device, options=LOSSLESS, segments=segments, span=span))  # type: ignore[arg-type]
    assert keyframes(joined) > keyframes(whole)
    assert facts(joined) == facts(whole)
    for one, other in zip(pictures(joined), pictures(whole), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize("name", ["vfr.mp4", "open-gop.mkv", "interlaced.mp4"])
def test_frames_that_need_their_neighbours_have_them_in_every_segment(
    name: str, device: Device, tmp_path: Path
) -> None:
    """A steadied job in one piece, in segments, and a part of it."""
    spans = {"whole": None, "joined": None, "part": TimeRange(Position(Fraction(4), "frame"), frames=11)}
    films = {}
    for kind, span in spans.items():
        target = tmp_path / f"{kind}.mkv"
        segments: Any = 5 if kind == "joined" else "off"
        made = job(CLIPS / name, target, device, options=LOSSLESS, look=Look(steady=1.0), span=span, segments=segments)
        assert transcode(made).status is Status.DONE
        films[kind] = pictures(target)
    plain = tmp_path / "plain.mkv"
    transcode(job(CLIPS / name, plain, device, options=LOSSLESS, segments="off"))
    assert keyframes(tmp_path / "joined.mkv") > 1
    np.testing.assert_array_equal(films["joined"], films["whole"])
    np.testing.assert_array_equal(films["part"], films["whole"][4:15])
    assert any(np.any(a != b) for a, b in zip(films["whole"], pictures(plain), strict=True))


@pytest.mark.media
@pytest.mark.parametrize("name", ["raw.h264", "bframes.avi", "lavfi:testsrc2=size=96x64:rate=10:duration=2"])
def test_what_cannot_be_cut_is_done_in_one_piece(name: str, device: Device, tmp_path: Path) -> None:
    source = name if name.startswith("lavfi") else CLIPS / name
    said: list[str] = []
    outcome = transcode(job(source, tmp_path / "out.mp4", device, options=LOSSLESS, segments=5), Listener(said.append))
    assert outcome.status is Status.DONE
    assert not [line for line in said if "killed" in line]  # for it is a second of work
    assert keyframes(tmp_path / "out.mp4") == 1
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.media
def test_a_truncated_source_loses_the_same_in_segments(device: Device, tmp_path: Path) -> None:
    whole = (CLIPS / "bframes.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) * 6 // 10])
    outcomes = []
    for segments in ("off", 4):
        said: list[str] = []
        target = tmp_path / f"{segments}.mkv"
        made = job(tmp_path / "cut.mp4", target, device, options=LOSSLESS, segments=segments)  # type: ignore[arg-type]
        outcome = transcode(made, Listener(said.append))
        outcomes.append((outcome.status, outcome.lost, said, shown(target)))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] is Status.LOSSES


@pytest.mark.media
def test_a_machine_that_would_paint_otherwise_paints_no_segment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = JobSpec(str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mkv"), Recipe(StyleSpec("none")), segments=6)
    with OpenedSource.of(spec) as held, open_job_source(spec) as opened:
        ready = prepare(spec, open_job_style(spec, print), opened, held)
        folder = plan_folder(ready, opened, on_cpu=True, say=print)
    assert folder is not None
    here = Versions.here()
    monkeypatch.setattr(Versions, "here", lambda: replace(here, ffmpeg="another"))
    refused = pytest.raises(OutputError, match="differ from the machine that planned the job")
    with refused, segment_painter(folder, "cpu"):
        pytest.fail("it paints")


def test_a_device_says_whether_it_is_the_processor(device: Device) -> None:
    assert OneDevice(device).on_cpu is True


@pytest.mark.slow
@pytest.mark.media
def test_segments_painted_alone_and_in_any_order_are_steadied_by_their_neighbours(
    device: Device, tmp_path: Path
) -> None:
    source, still = str(CLIPS / "vfr.mp4"), tmp_path / "still.mkv"
    whole, joined = tmp_path / "whole.mkv", tmp_path / "joined.mkv"
    steady = JobSpec(source, str(whole), Recipe(StyleSpec("ink"), Look(steady=1.0)), output=LOSSLESS, segments="off")
    run_job(steady, device)
    run_job(replace(steady, target=str(still), recipe=Recipe(StyleSpec("ink"))), device)
    spec = replace(steady, target=str(joined), segments=6)
    style = open_job_style(spec, print)
    with OpenedSource.of(spec) as held, open_job_source(spec) as opened:
        folder = plan_folder(prepare(spec, style, opened, held), opened, on_cpu=True, say=print)
    assert folder is not None
    with segment_painter(folder, "cpu") as paint:
        for segment in reversed(folder.journal.segments):
            paint([segment])
    said: list[str] = []
    run_job(spec, device, Listener(said.append))
    assert f"resuming joined.mkv: {len(folder.journal.segments)} of" in "".join(said)
    assert facts(joined) == facts(whole)
    for one, other in zip(pictures(joined), pictures(whole), strict=True):
        assert np.array_equal(one, other)
    assert any(not np.array_equal(a, b) for a, b in zip(pictures(still), pictures(whole), strict=True))


@pytest.fixture(scope="module")
def pan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A camera that turns past a scene."""
    path, scene = tmp_path_factory.mktemp("pan") / "pan.mp4", texture(96 + 3 * 40, 64)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "10", "g": "8"})
        stream.width, stream.height, stream.pix_fmt = 96, 64, "yuv420p"
        for number in range(40):
            picture = np.ascontiguousarray(scene[:, 3 * number : 3 * number + 96].astype(np.uint8))
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
        container.mux(stream.encode())
    return path


@pytest.mark.slow
@pytest.mark.media
def test_paint_of_segments_and_ranges_is_that_of_the_whole(pan: Path, device: Device, tmp_path: Path) -> None:
    films = {}
    style = StyleSpec("starry-night")
    for kind, look in {
        "whole": Look(brush=1.0, relief=1.0),
        "joined": Look(brush=1.0, relief=1.0),
        "part": Look(brush=1.0, relief=1.0),
        "flat": Look(brush=1.0, relief=0.0),
    }.items():
        target = tmp_path / f"{kind}.mkv"
        spec = JobSpec(
            str(pan), str(target), Recipe(style, look), output=LOSSLESS, segments=9 if kind == "joined" else "off"
        )
        if kind in ("part", "flat"):
            spec = replace(spec, range=TimeRange(Position(Fraction(21), "frame"), frames=9))
        assert run_job(spec, device).status is Status.DONE
        films[kind] = pictures(target)
    assert keyframes(tmp_path / "joined.mkv") > 3
    np.testing.assert_array_equal(films["joined"], films["whole"])
    np.testing.assert_array_equal(films["part"], films["whole"][21:30])
    assert any(np.any(a != b) for a, b in zip(films["part"], films["flat"], strict=True))


@pytest.mark.media
@pytest.mark.parametrize(
    "field",
    ["look.brush", "look.relief", "look.canvas", "look.lamp_degrees", "sizes.brush_kind", "sizes.few_strokes"],
)
def test_what_finishes_a_painting_is_part_of_the_identity_of_a_job(field: str, device: Device, tmp_path: Path) -> None:
    spec = JobSpec(str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mkv"), Recipe(StyleSpec("ink")), output=LOSSLESS)
    group, _, name = field.partition(".")
    changed: dict[str, Any] = {name: {"brush_kind": "fine", "few_strokes": True}.get(name, 0.25)}
    another: dict[str, Any] = {group: replace(getattr(spec, group), **changed)}
    identities = []
    for one in (spec, spec, otherwise(spec, **another)):
        style = open_job_style(one, print)
        with OpenedSource.of(one) as held, open_job_source(one) as opened:
            identities.append(prepare(one, style, opened, held).identity)
    first, same, other = identities
    assert first
    assert same
    assert other
    assert first.key == same.key != other.key
    assert other.changes(first) == f"the settings ({field})"
    assert JobIdentity.from_text(other.to_text()) == other


@pytest.mark.media
@pytest.mark.parametrize(("field", "what"), BRUSH_PICTURES.items())
def test_a_picture_of_the_brush_is_part_of_the_identity_of_a_job_by_what_it_shows(
    field: str, what: str, tmp_path: Path
) -> None:
    paths = [wedge(tmp_path / name, turned=name == "c.png") for name in ("a.png", "b.png", "c.png")]
    identities = []
    for path in (*paths, None):
        sizes = replace(SizeSpec(), **{field: path})
        spec = JobSpec(str(CLIPS / "cfr.mp4"), "out.mkv", Recipe(StyleSpec("ink"), sizes=sizes), output=LOSSLESS)
        identity = job_identity(spec, open_job_style(spec, print))
        assert identity
        assert str(tmp_path) not in identity.to_text()
        identities.append(identity)
    first, same, turned, none = identities
    assert first.key == same.key
    for other in (turned, none):
        assert other.changes(first) == f"the settings (sizes.{field})"
    spec = replace(
        spec, recipe=replace(spec.recipe, sizes=replace(SizeSpec(), **{field: str(tmp_path / "missing.png")}))
    )
    what = "a brush" if field == "brush_mark" else what
    with pytest.raises(StyleError, match=rf"missing\.png cannot be {what}: there is no such file"):
        job_identity(spec, open_job_style(spec, print))


@pytest.mark.media
def test_a_frame_of_unknown_duration_lasts_until_the_next_segment(device: Device, tmp_path: Path) -> None:
    spec = JobSpec(
        str(CLIPS / "vfr.mp4"), str(tmp_path / "out.mkv"), Recipe(StyleSpec("none")), output=LOSSLESS, segments=6
    )
    with OpenedSource.of(spec) as held, open_job_source(spec) as opened:
        made = prepare(spec, open_job_style(spec, print), opened, held)
        folder = plan_folder(made, opened, on_cpu=True, say=print)
        assert folder is not None
        frames = [(frame.pts, frame.frame) for frame in opened]
        with SegmentWriter(folder, made.plan, folder.journal.segments, opened) as output:
            for pts, _ in frames:
                output.write(output.allocate(), pts, 0)
            output.finish()
    shown_from = [pts for pts, _ in frames]
    for segment in folder.journal.segments[:-1]:
        [(_, record)] = folder.parts_of(segment)
        for pts, duration in zip(record.pts, record.durations, strict=True):
            behind = next(later for later in shown_from if later > segment.start_pts + pts)
            assert duration == behind - segment.start_pts - pts


@pytest.mark.media
def test_a_segment_that_takes_long_is_several_files(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill costs the last of them, and the film is the same: here each frame takes too long."""
    monkeypatch.setattr(segment_writer, "LONG_S", 0.0)
    monkeypatch.setattr(segmented, "is_short", lambda *_, **__: False)
    monkeypatch.setattr(segmented, "segment_frames", lambda *_, **__: 16)
    whole, target = tmp_path / "whole.mkv", tmp_path / "out.mkv"
    transcode(job(CLIPS / "bframes.mp4", whole, device, options=LOSSLESS, segments="off"))
    made = job(CLIPS / "bframes.mp4", target, device, options=LOSSLESS)
    frames = len(pictures(whole))
    assert frames == 30
    interrupt(made, 11)
    folder = target.with_name("out.mkv.framebrush")
    assert len(list(folder.glob("00000-*.nut"))) in (1, 2)
    damaged = max(folder.glob("00000-*.nut"))
    states: list[Progress] = []
    said: list[str] = []
    kept = 8 * len(list(folder.glob("00000-*.json")))
    transcode(made, Listener(said.append, states.append))
    assert f"resuming out.mkv: {kept} frames of the first of 2 segments are done" in said
    first = next(state for state in states if state.frames)
    assert (first.resumed, first.frames) == (kept, kept + 1)
    assert not damaged.exists()
    assert facts(target) == facts(whole)
    for one, other in zip(pictures(target), pictures(whole), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.media
def test_a_segment_of_a_length_that_was_asked_for_is_kept_in_parts_too(
    device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where it is as long as the film."""
    monkeypatch.setattr(segment_writer, "LONG_S", 0.0)
    made = job(CLIPS / "bframes.mp4", tmp_path / "out.mkv", device, options=LOSSLESS, segments=1000)
    interrupt(made, 19)
    assert len(list((tmp_path / "out.mkv.framebrush").glob("00000-*.json"))) in (1, 2)
    said: list[str] = []
    assert transcode(made, Listener(said.append)).status is Status.DONE
    assert any(re.fullmatch(r"resuming out.mkv: (8|16) frames are done", line) for line in said)
    assert len(pictures(tmp_path / "out.mkv")) == 30


SPANS = {
    "all": None,
    "by number": TimeRange(Position(Fraction(3), "frame"), Position(Fraction(27), "frame")),
    "by time": TimeRange(Position(Fraction("0.15"), "s"), Position(Fraction("1.1"), "s")),
    "by count": TimeRange(Position(Fraction("0.1"), "s"), frames=21),
}


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize("span", SPANS.values(), ids=SPANS)
@pytest.mark.parametrize("name", ["raw.h264", "bframes.avi"])
def test_what_cannot_be_read_from_any_frame_is_kept_in_parts(
    name: str, span: TimeRange | None, device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look asks for neighbours, which a part that goes on must have too."""
    monkeypatch.setattr(segment_writer, "LONG_S", 0.0)
    monkeypatch.setattr(segmented, "is_short", lambda *_, **__: False)
    whole, target = tmp_path / "whole.mkv", tmp_path / "out.mkv"
    look = Look(steady=1.0)
    done = transcode(job(CLIPS / name, whole, device, options=LOSSLESS, look=look, span=span, segments="off"))
    made = job(CLIPS / name, target, device, options=LOSSLESS, look=look, span=span)
    interrupt(made, 19)
    kept = 8 * len(list(target.with_name("out.mkv.framebrush").glob("00000-*.json")))
    assert kept
    states: list[Progress] = []
    said: list[str] = []
    outcome = transcode(made, Listener(said.append, states.append))
    assert (outcome.status, outcome.lost) == (done.status, done.lost)
    assert f"resuming out.mkv: {kept} frames are done" in said
    assert next(state for state in states if state.frames).resumed == kept
    assert leftovers(tmp_path) == ["out.mkv", "whole.mkv"]
    assert facts(target) == facts(whole)
    assert shown(target) == shown(whole)
    for one, other in zip(pictures(target), pictures(whole), strict=True):
        assert np.array_equal(one, other)


@pytest.mark.media
@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("lavfi:testsrc2=size=96x64:rate=10:duration=2", "is generated on the fly"),
        ("live:testsrc2=size=96x64:rate=20", "is live and cannot be repeated"),
        ("list.m3u8", "is a playlist, whose files may change"),
    ],
)
def test_it_is_said_where_nothing_can_be_kept(
    source: str, why: str, device: Device, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(segmented, "is_short", lambda *_, **__: False)
    if source == "list.m3u8":
        shutil.copy(CLIPS / "bframes.ts", tmp_path)
        (tmp_path / source).write_text("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1.2,\nbframes.ts\n#EXT-X-ENDLIST\n")
        source = str(tmp_path / source)
    for segments in ("auto", "off"):
        said: list[str] = []
        target = str(tmp_path / f"{segments}.mkv")
        spec = JobSpec(
            source, target, Recipe(StyleSpec("none")), range=TimeRange(frames=5), output=LOSSLESS, segments=segments
        )  # type: ignore[arg-type]
        spec = replace(spec, decode=DecodeOptions(playlists=True))
        run_job(spec, device, Listener(said.append))
        told = [line for line in said if line.endswith(f"{why}: if this job is interrupted, all of it is lost")]
        assert len(told) == (segments == "auto"), said


@pytest.mark.unit
def test_what_is_more_than_some_seconds_of_work_is_kept_in_segments() -> None:
    assert is_short(30, (960, 540), on_cpu=False)
    assert not is_short(30, (960, 540), on_cpu=True)
    assert not is_short(250, (320, 240), on_cpu=True)
    assert is_short(150, (320, 240), on_cpu=True)


@pytest.mark.unit
@pytest.mark.parametrize(("frames", "pts"), [(0, 5), (10, 50), (11, 50), (-1, 5), (3, 0), (3, 100)])
def test_a_part_lies_within_its_segment(frames: int, pts: int) -> None:
    segment = Segment(3, 20, 10, 0, 100)
    assert segment.behind(4, 40) == Segment(3, 24, 6, 40, 100)
    with pytest.raises(ValueError, match="does not continue"):
        segment.behind(frames, pts)
    if frames <= 0 or pts <= 0:
        with pytest.raises(ValueError, match="does not continue"):
            Segment(0, 0, None, 0, None).behind(frames, pts)


def index(count: int, keys: list[int]) -> FrameIndex:
    return FrameIndex([number * 3 for number in range(count)], [key * 3 for key in keys])


@pytest.mark.unit
def test_a_plan_covers_every_frame_once() -> None:
    for count in (1, 10, 149, 150, 151, 999, 5000):
        for length in (1, 7, 100):
            for numbers in (range(count), range(count // 3, count // 2 + 1)):
                plan = plan_segments(index(count, list(range(0, count, 13))), numbers, length)
                frames = [number for part in plan for number in range(part.first, part.first + part.frames)]
                assert frames == list(numbers)
                assert all(part.start_pts == part.first * 3 for part in plan)
                ends = [(part.first + part.frames) * 3 for part in plan]
                assert [part.end_pts for part in plan] == [end if end < count * 3 else None for end in ends]
                assert all(length * 0.75 <= part.frames <= length * 1.5 + 1 for part in plan[:-1])


@pytest.mark.unit
def test_a_plan_cuts_at_the_cuts_of_the_film() -> None:
    regular = list(range(0, 1000, 50))
    assert [part.first for part in plan_segments(index(1000, regular), range(1000), 110)][:4] == [0, 100, 200, 300]
    cut = sorted([*regular, 117])  # out of turn: a cut, though the key frame at 100 is nearer
    assert plan_segments(index(1000, cut), range(1000), 110)[1].first == 117
    assert plan_segments(index(1000, [0]), range(1000), 110)[1].first == 110
