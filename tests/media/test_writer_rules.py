"""Rules of the writer: messages about a file, the clock's start, and leftovers after each kind of end."""

from __future__ import annotations

import errno
import gc
import shutil
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest
from av.container import OutputContainer
from av.packet import Packet
from av.stream import Disposition, Stream
from av.video.stream import VideoStream

from framebrush.base import signals
from framebrush.base.signals import Ending
from framebrush.gpu.frame import nv12
from framebrush.gpu.reference.device import ReferenceDevice, list_devices
from framebrush.jobs.opened_source import OpenedSource
from framebrush.media.containers import segment_container
from framebrush.media.encoding.encoder_frames import DeviceEncoderFrames, EncoderFrame
from framebrush.media.encoding.encoders import ENCODERS
from framebrush.media.encoding.result_losses import Loss
from framebrush.media.output_file import OutputFile
from framebrush.media.reading.orientation import orientation_of
from framebrush.media.streams.provenance import Provenance, read_made_of
from framebrush.media.streams.remux import StreamCopier
from framebrush.media.video import DiskFullError, OutputError, Position, SourceChangedError, TimeRange, VideoInfo
from framebrush.media.writing import file_writer as writing
from framebrush.media.writing.file_writer import Writer, WriteResult, encoder_frames
from framebrush.media.writing.output_plan import OutputOptions, OutputPlan, plan_output
from tests.media.writing.writer_clips import CFR, WHOLE, info_of, packets, seconds, solid, source

pytestmark = pytest.mark.media

FRAMES = nv12(64, 48)
FAST = OutputOptions(codec="libx264", preset="ultrafast")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    """Two seconds, with sound."""
    return info_of(source(tmp_path_factory.mktemp("film") / "film.mkv", audio=["flac"], seconds=2))


@pytest.fixture(scope="module")
def silent(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    """One second, in ticks of 1/12800 s."""
    return info_of(source(tmp_path_factory.mktemp("silent") / "film.mp4", seconds=1))


def plan(info: VideoInfo, target: Path, span: TimeRange = WHOLE) -> OutputPlan:
    return plan_output(info, target, FAST, FRAMES, span)


def write(made: OutputPlan, times: tuple[int, ...] = CFR) -> WriteResult:
    with Writer(made) as writer:
        for pts in times:
            writer.write(solid(FRAMES, 99, 128, 128), pts, 0)
        return writer.finish()


# What comes of it


@pytest.mark.parametrize("start_pts", [0, 640])
def test_the_result_says_what_was_written(silent: VideoInfo, tmp_path: Path, start_pts: int) -> None:
    target = tmp_path / "out.mp4"
    result = write(plan(replace(silent, start_pts=start_pts), target), tuple(start_pts + pts for pts in CFR))
    assert result == WriteResult(target, 10, target.stat().st_size)
    assert seconds(target)[0] == Fraction(start_pts, 12800)


def test_a_writer_says_how_far_it_is(silent: VideoInfo, tmp_path: Path) -> None:
    with Writer(plan(silent, tmp_path / "out.mkv")) as writer:
        assert (writer.header, writer.bytes_written, writer.damage, writer.incomplete) == (b"", 0, [], False)
        writer.begin(0)
        begun = writer.bytes_written, writer.header
        writer.begin(0)
        assert (writer.bytes_written, writer.header) == begun
        assert writer.header.startswith(b"\x00\x00\x00\x01\x67")
        for pts in CFR:
            writer.write(solid(FRAMES, 99, 128, 128), pts, 0)
        assert writer.finish().bytes > begun[0]


def test_a_file_is_incomplete_where_the_plan_lost_something(film: VideoInfo, tmp_path: Path) -> None:
    made = plan(film, tmp_path / "out.mkv")
    for loss, incomplete in ((Loss("stream", "it"), False), (Loss("stream", "it", incomplete=True), True)):
        with Writer(replace(made, losses=(loss,))) as writer:
            assert writer.incomplete is incomplete


# The same pictures once more


def encoded(made: OutputPlan, times: tuple[int, ...]) -> list[Packet[VideoStream]]:
    """The packets of a film, as another writer gets them."""
    found: list[Packet[VideoStream]] = []

    def note(packet: Packet[VideoStream]) -> None:
        copied = Packet(bytes(packet))
        copied.pts, copied.dts, copied.duration, copied.is_keyframe = (
            packet.pts,
            packet.dts,
            packet.duration,
            packet.is_keyframe,
        )
        found.append(copied)

    with Writer(made, on_packet=note) as writer:
        for pts in times:
            writer.write(solid(FRAMES, 99, 128, 128), pts, 0)
        writer.finish()
    return found


@pytest.mark.parametrize("duration", [512, 0])
@pytest.mark.parametrize("first_pts", [0, 6400])
def test_encoded_pictures_are_copied_at_their_times(
    silent: VideoInfo, tmp_path: Path, duration: int, first_pts: int
) -> None:
    span = TimeRange(start=Position(Fraction(1, 2), "s")) if first_pts else WHOLE
    target = tmp_path / "out.mp4"
    with Writer(plan(silent, target, span)) as writer:
        writer.begin(first_pts)
        for packet in encoded(plan(silent, tmp_path / "other.mp4"), CFR):
            packet.pts, packet.dts = (packet.pts or 0) + first_pts, (packet.dts or 0) + first_pts
            packet.duration = duration
            writer.copy(packet)
        result = writer.finish()
    assert result.frames == 10
    assert seconds(target) == [Fraction(pts, 12800) for pts in CFR]
    with av.open(str(target)) as written:
        assert sum(1 for _ in written.decode(video=0)) == 10


def test_sound_beside_copied_pictures_ends_with_them(film: VideoInfo, tmp_path: Path) -> None:
    """However late in the film they are: 0.4 s from 1.2 s on."""
    span, target = TimeRange(Position(Fraction(6, 5), "s"), frames=10), tmp_path / "out.mkv"
    times = tuple(range(0, 400, 40))
    with Writer(plan(film, target, span)) as writer:
        writer.begin(1200)
        for packet in encoded(plan(film, tmp_path / "other.mkv"), times):
            packet.pts, packet.dts = (packet.pts or 0) + 1200, (packet.dts or 0) + 1200
            writer.copy(packet)
        writer.finish()
    assert Fraction(3, 10) < seconds(target, 1)[-1] < Fraction(2, 5)


def test_sound_is_cut_with_a_range_and_goes_on_with_a_film(film: VideoInfo, tmp_path: Path) -> None:
    """Behind 10 frames of 40 ms."""
    spans = {
        "whole": (WHOLE, False),
        "count": (TimeRange(frames=10), True),
        "end": (TimeRange(end=Position(Fraction(2, 5), "s")), True),
        "start": (TimeRange(start=Position(Fraction(0), "s")), False),
    }
    for name, (span, cut) in spans.items():
        target = tmp_path / f"{name}.mkv"
        write(plan(film, target, span), tuple(range(0, 400, 40)))
        last_s = seconds(target, 1)[-1]
        assert (last_s < Fraction(2, 5)) if cut else (last_s > Fraction(9, 5)), name


# Marks


@pytest.mark.parametrize("ending", [".mp4", ".mkv"])
@pytest.mark.parametrize(
    ("rotation", "mirrored"), [(0, False), (90, False), (-90, False), (0, True), (90, True), (360, False)]
)
def test_the_picture_stands_as_its_source_does(
    silent: VideoInfo, tmp_path: Path, ending: str, rotation: int, mirrored: bool
) -> None:
    target = tmp_path / f"out{ending}"
    write(plan(replace(silent, rotation_degrees=rotation, mirrored=mirrored), target))
    with av.open(str(target)) as written:
        frame = next(written.decode(video=0))
        degrees, flipped = orientation_of(frame)
    assert (degrees % 360, flipped) == (rotation % 360, mirrored)


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".mkv"])
def test_a_file_says_what_it_was_made_of(silent: VideoInfo, tmp_path: Path, ending: str) -> None:
    for text in ("the job", ""):
        target = tmp_path / f"{text or 'nothing'}{ending}"
        write(replace(plan(silent, target), made_of=text))
        assert read_made_of(target) == (Provenance(text) if text else None)


@pytest.mark.parametrize("ending", [".mp4", ".mkv", ".webm"])
@pytest.mark.parametrize(
    "lost", [("3 frames were lost",), ("größer", '"\\', "漢字"), ("x" * 5000,), ("a", "b" * 5000), ("c",) * 5000]
)
def test_a_file_says_what_was_lost_as_far_as_there_is_room(
    silent: VideoInfo, tmp_path: Path, ending: str, lost: tuple[str, ...]
) -> None:
    """And its checksums are right."""
    target = tmp_path / f"out{ending}"
    options = OutputOptions("vp9", preset="8") if ending == ".webm" else FAST
    made = replace(plan_output(silent, target, options, FRAMES, WHOLE), made_of='{"the": "job"}')
    with Writer(made) as writer:
        for pts in CFR:
            writer.write(solid(FRAMES, 99, 128, 128), pts, 0)
        writer.finish(lost)
    found = read_made_of(target)
    assert found is not None
    assert found.text == made.made_of
    assert 0 < len(found.lost) <= len(lost)
    said = tuple(loss.text for loss in found.lost)
    assert said[:-1] == lost[: len(said) - 1]
    assert said[-1] == lost[len(said) - 1] or said[-1].endswith("…")
    with av.open(str(target), options={"err_detect": "crccheck+explode"}) as whole:
        assert sum(1 for _ in whole.decode(video=0)) == len(CFR)
        assert whole.metadata.get("FRAMEBRUSH", made.made_of).startswith(made.made_of)
    if ending == ".mkv":  # WebM has none
        assert tags_checksum(target.read_bytes())


def test_a_source_that_changes_while_its_last_sound_is_read(film: VideoInfo, tmp_path: Path) -> None:
    """Nothing is made of it, though it was as it should be before."""
    assert film.path is not None
    info = info_of(Path(shutil.copy(film.path, tmp_path / "film.mkv")))
    assert info.path is not None
    with OpenedSource(info.path, info.opening) as held:

        def grown() -> bool:
            was = held.has_only_grown()
            with (tmp_path / "film.mkv").open("r+b") as file:
                file.seek(info.path.stat().st_size // 2)
                file.write(b"something else")
            return was

        with pytest.raises(SourceChangedError, match="it was written to"):
            write(replace(plan(info, tmp_path / "out.mkv"), source_grown=grown))
    assert [path.name for path in tmp_path.iterdir()] == ["film.mkv"]


def tags_checksum(content: bytes) -> bool:
    """Return whether a file's tags have a correct checksum. Source: RFC 9559, 6.2."""
    begin = content.rindex(b"\x12\x54\xc3\x67", 0, content.index(b'{"the"')) + 4  # the list of elements names it, too
    width = 9 - content[begin].bit_length()
    size = int.from_bytes(content[begin : begin + width]) - (1 << 7 * width)
    element = content[begin + width : begin + width + size]
    return element[:2] == b"\xbf\x84" and int.from_bytes(element[2:6], "little") == zlib.crc32(element[6:])


def test_a_timecode_and_the_marks_of_the_picture_come_along(tmp_path: Path) -> None:
    path = tmp_path / "film.mov"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        stream.width, stream.height = 64, 48
        stream.metadata.update({"timecode": "01:02:03:04", "language": "fra"})
        stream.disposition = Disposition.default
        out.mux([*stream.encode(av.VideoFrame(64, 48)), *stream.encode(None)])
    write(plan(info_of(path), tmp_path / "out.mov"))
    with av.open(str(tmp_path / "out.mov")) as written:
        (picture,) = written.streams.video
        assert picture.metadata["timecode"] == "01:02:03:04"
        assert picture.metadata["language"] == "fra"
        assert picture.disposition == Disposition.default


def test_a_picture_that_was_a_cover_is_a_film_now(silent: VideoInfo, tmp_path: Path) -> None:
    path = source(tmp_path / "film.mp4", cover=True, seconds=1)
    with av.open(str(path)) as film:
        cover = next(stream.index for stream in film.streams if stream.disposition & Disposition.attached_pic)
    info = replace(info_of(path), stream_index=cover)
    write(plan(info, tmp_path / "out.mp4"))
    with av.open(str(tmp_path / "out.mp4")) as written:
        assert not written.streams[0].disposition & Disposition.attached_pic


@pytest.mark.parametrize(
    ("ending", "codec", "tag"), [(".mp4", "libx265", "hvc1"), (".mkv", "libx265", ""), (".mp4", "libx264", "avc1")]
)
def test_hevc_has_the_mark_that_players_know(
    silent: VideoInfo, tmp_path: Path, ending: str, codec: str, tag: str
) -> None:
    target = tmp_path / f"out{ending}"
    write(plan_output(silent, target, OutputOptions(codec=codec, preset="ultrafast"), FRAMES, WHOLE), CFR[:2])
    with av.open(str(target)) as written:
        assert written.streams[0].codec_context.codec_tag.strip("\0") == tag


# The memory of an encoder


class _WithDecoder(ReferenceDevice):
    decoder = ("cuda", 0)


def test_frames_stay_on_the_gpu_for_its_own_encoder_at_their_size(silent: VideoInfo, tmp_path: Path) -> None:
    made = plan(silent, tmp_path / "out.mp4")
    nvenc = replace(made, choice=replace(made.choice, encoder=ENCODERS[0]))
    padded = replace(nvenc, choice=replace(nvenc.choice, width=66))
    with ReferenceDevice(list_devices()[0]) as plain, _WithDecoder(list_devices()[0]) as own:
        cases = {
            (nvenc, own): True,
            (padded, own): False,
            (made, own): False,
            (nvenc, plain): False,
            (nvenc, None): False,
        }
        for (one, device), stays in cases.items():
            assert isinstance(encoder_frames(one, device), DeviceEncoderFrames) is stays


def test_pictures_are_used_again_where_the_encoder_has_copied_them(silent: VideoInfo, tmp_path: Path) -> None:
    made = plan(silent, tmp_path / "out.mp4")
    for plan_, again in ((made, True), (replace(made, choice=replace(made.choice, encoder=ENCODERS[0])), False)):
        pictures = encoder_frames(plan_)
        frame = pictures.allocate()
        assert isinstance(frame, EncoderFrame)
        pictures.recycle(frame)
        assert (pictures.allocate() is frame) is again


def test_a_picture_that_was_written_is_used_again(silent: VideoInfo, tmp_path: Path) -> None:
    with Writer(plan(silent, tmp_path / "out.mp4")) as writer:
        frame = writer.allocate()
        writer.write(frame, 0, 0)
        assert writer.allocate() is frame


# Ends


@pytest.mark.parametrize("segment", [False, True])
def test_a_request_to_end_comes_too_late_when_the_file_is_whole(
    silent: VideoInfo, tmp_path: Path, segment: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless it is a part of a job."""
    monkeypatch.setattr(signals, "ending", Ending())
    made = plan(silent, tmp_path / "out.mp4")
    write(replace(made, container=segment_container("h264"), target=tmp_path / "out.nut") if segment else made)
    assert made.ending.whole is not segment
    assert not signals.ending.whole  # as of a recording in the window, which a request still ends


def test_a_file_that_did_not_get_its_name_is_not_whole(silent: VideoInfo, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    made = plan(silent, target)
    with Writer(made) as writer:
        writer.write(solid(FRAMES, 99, 128, 128), 0, 0)
        target.write_text("precious")
        with pytest.raises(OutputError, match="could not be given its name"):
            writer.finish()
    assert not made.ending.whole


def test_a_folder_that_went_away_is_named(silent: VideoInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    made = plan(silent, folder / "out.mp4")
    folder.rmdir()
    with pytest.raises(OutputError, match=r"^cannot write to the folder .*folder: "):
        Writer(made)

    def full(_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writing, "OutputFile", full)
    with pytest.raises(DiskFullError, match=r"^the disk of .* is full \([\d.]+ [kMGT]B left\); free some space"):
        Writer(plan(silent, tmp_path / "out.mp4"))


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        (
            errno.ENOSPC,
            DiskFullError,
            r"is full \([\d.]+ [kMGT]B left\) after [\d.]+ (kB|bytes) of out\.mkv; free",
        ),
        (errno.EIO, OutputError, r"^writing out\.mkv failed: .*broken"),
    ],
)
@pytest.mark.parametrize("step", ["write", "begin", "finish"])
def test_a_write_that_fails_is_named_and_leaves_nothing(
    silent: VideoInfo,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    code: int,
    kind: type[Exception],
    words: str,
    step: str,
) -> None:
    def fail(*_: object) -> None:
        raise OSError(code, "broken")

    with Writer(plan(silent, tmp_path / "out.mkv")) as writer:
        if step == "finish":
            writer.write(solid(FRAMES, 99, 128, 128), 0, 0)
            monkeypatch.setattr(OutputFile, "deliver", lambda *_, **__: fail())
        else:
            monkeypatch.setattr(writing, "_Run", fail)
        last = {
            "write": lambda: writer.write(solid(FRAMES, 99, 128, 128), 0, 0),
            "begin": lambda: writer.begin(0),
            "finish": writer.finish,
        }
        with pytest.raises(kind, match=words):
            last[step]()
    assert list(tmp_path.iterdir()) == []


def damaged_sound(monkeypatch: pytest.MonkeyPatch, change: Callable[[int, Packet[Stream]], object]) -> None:
    """Call change(number, packet) on each packet of sound before it is written."""

    class Damaged(StreamCopier):
        number = 0

        def until(self, time: Fraction | None, end: Fraction | None) -> Iterator[Packet[Stream]]:
            for packet in super().until(time, end):
                change(self.number, packet)
                self.number += 1
                yield packet

    monkeypatch.setattr(writing, "StreamCopier", Damaged)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (1, "1 packet of sound left out: they are damaged"),
        (2, "2 packets of sound left out: they are damaged"),
    ],
)
def test_damaged_sound_is_left_out_and_counted(
    film: VideoInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: int, said: str
) -> None:
    def back(number: int, packet: Packet[Stream]) -> None:
        if 2 <= number < 2 + refused:  # behind a time above 0
            packet.dts = -9999  # muxers refuse decreasing times

    damaged_sound(monkeypatch, back)
    with Writer(plan(film, tmp_path / "out.mkv")) as writer:
        for number in range(10):
            writer.write(solid(FRAMES, 99, 128, 128), 40 * number, 40)
        writer.finish()
        assert (writer.incomplete, writer.damage) == (True, [said])
    assert len(packets(tmp_path / "out.mkv", 0)) == 10
    assert len(packets(tmp_path / "out.mkv", 1)) > 10


def test_only_sound_that_is_there_is_blamed(
    film: VideoInfo, silent: VideoInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error of the muxer is passed on where no other stream is being written, or the file itself has failed."""
    made = list[OutputFile]()

    class Failing(OutputFile):
        def __init__(self, target: Path) -> None:
            super().__init__(target)
            made.append(self)

    def fail(number: int, packet: Packet[Stream]) -> None:
        if number == 2:
            made[-1].failed, packet.dts = OSError("of the disk"), -9999

    with Writer(plan(silent, tmp_path / "silent.mkv")) as writer:
        writer.begin(0)
        first, second, third, *_ = encoded(plan(silent, tmp_path / "other.mkv"), CFR)
        writer.copy(first)
        writer.copy(second)
        third.dts = -9999
        with pytest.raises(OutputError, match=r"^writing silent\.mkv failed"):
            writer.copy(third)
        assert writer.damage == []
    monkeypatch.setattr(writing, "OutputFile", Failing)
    damaged_sound(monkeypatch, fail)
    with Writer(plan(film, tmp_path / "out.mkv")) as writer:
        with pytest.raises(OutputError, match=r"^writing out\.mkv failed"):
            writer.write(solid(FRAMES, 99, 128, 128), 1000, 40)
        assert writer.damage == []


def test_a_picture_that_was_lost_beside_damaged_sound_is_noticed(film: VideoInfo, tmp_path: Path) -> None:
    pictures = encoded(plan(film, tmp_path / "other.mkv"), tuple(range(0, 400, 40)))
    with Writer(plan(film, tmp_path / "out.mkv")) as writer:
        writer.begin(0)
        for number, packet in enumerate(pictures):
            if number in (4, 7):
                packet.dts = -9999
            writer.copy(packet)
        with pytest.raises(OutputError, match=r"^2 frames could not be written beside the damaged sound; use --audio"):
            writer.finish()
    assert [path.name for path in tmp_path.iterdir()] == ["other.mkv"]


def test_no_picture_is_missed_where_only_sound_was_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MP4 refuses E-AC-3 without a header only when the next picture comes."""

    def headers(number: int, packet: Packet[Stream]) -> None:
        if number == 3:
            packet.update(bytes(packet.size))

    info = info_of(source(tmp_path / "film.mp4", audio=["eac3"], seconds=1))
    damaged_sound(monkeypatch, headers)
    with Writer(plan(info, tmp_path / "out.mp4")) as writer:
        for pts in CFR:
            writer.write(solid(FRAMES, 99, 128, 128), pts, 512)
        assert writer.finish().frames == 10
        assert writer.damage == ["1 packet of sound left out: they are damaged"]
    assert len(packets(tmp_path / "out.mp4", 0)) == 10


def test_a_file_that_cannot_be_begun_is_closed_at_once(silent: VideoInfo, tmp_path: Path) -> None:
    """Its streams hold encoders, on a card too, for as long as somebody keeps the error."""

    def open_files() -> int:
        return sum(isinstance(one, OutputContainer) and len(one.streams) > 0 for one in gc.get_objects())

    made = plan(silent, tmp_path / "out.mp4")
    refused = replace(made, choice=replace(made.choice, preset="no such preset"))
    before = open_files()
    with Writer(refused) as writer, pytest.raises(OutputError) as error:
        writer.begin(0)
    assert "out.mp4" in str(error.value)
    assert open_files() == before
    assert list(tmp_path.iterdir()) == []
