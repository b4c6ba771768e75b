"""Fields into frames: each frame of a cadence once, with its own time, in ranges and seeks as in the whole."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.media.filters import picture_filters
from framebrush.media.reading.fields import CADENCES, FieldFilter, as_read, range_as_read
from framebrush.media.reading.index import FrameIndex
from framebrush.media.reading.reader import Reader
from framebrush.media.reading.standard_input import PipeSource
from framebrush.media.reading.weaving import Weaver, rows_of
from framebrush.media.video import Deinterlace, Position, TimeRange, VideoFrame
from tests.media.field_clips import HEIGHT, NTSC, WIDTH, Luma, film, interlaced, moment, telecined, woven, write

pytestmark = pytest.mark.media
EDGE = 8


def number(value: int) -> Position:
    return Position(Fraction(value), "frame")


def luma(frame: VideoFrame) -> Luma:
    return np.array(frame.host.planes[0])


def read(path: Path, mode: Deinterlace, span: TimeRange | None = None) -> tuple[list[VideoFrame], Reader]:
    with Reader(path, span, deinterlace=mode) as reader:
        return list(reader), reader


def error(frame: Luma, wanted: Luma) -> float:
    """Mean difference, without the first and last rows, which have neighbours on one side alone."""
    return float(np.abs(frame.astype(float) - wanted)[EDGE:-EDGE].mean())


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("fields")
    for name in ("fields.mp4", "fields.mkv"):
        write(folder / name, interlaced(12))
    write(folder / "bottom.mp4", interlaced(12, "bottom"), fields="bottom")
    write(folder / "unflagged.mp4", interlaced(12), fields=None)
    write(folder / "pulldown.mp4", [*telecined(film(16)), *film(3)], rate=NTSC)
    write(folder / "pulldown.mkv", telecined(film(16)), rate=NTSC, fields=None)
    write(folder / "dropped.mp4", interlaced(12), times=[*range(0, 12, 2), *range(16, 28, 2)])
    mixed = [*film(4), *interlaced(12)[4:]]
    write(folder / "mixed.mkv", mixed, codec="ffv1", options={"level": "3", "g": "1"}, plain=4)
    mpeg2 = {"b": "8M", "g": "12", "bf": "2"}
    write(folder / "broadcast.mxf", interlaced(16), codec="mpeg2video", pix_fmt="yuv422p", options=mpeg2)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("name", ["fields.mp4", "fields.mkv", "bottom.mp4", "unflagged.mp4"])
def test_at_the_double_rate_every_field_becomes_a_frame_with_its_own_time(name: str, clips: Path) -> None:
    frames, reader = read(clips / name, "double")
    info = reader.info
    assert info.rate == 50
    assert info.deinterlaced == "double"
    assert [frame.number for frame in frames] == list(range(24))
    assert [(frame.pts - info.start_pts) * info.time_base for frame in frames] == [Fraction(n, 50) for n in range(24)]
    for shown, frame in enumerate(frames):  # the moment before and the one behind are three columns away
        assert error(luma(frame), moment(shown)) < 1.2
        assert error(luma(frame), moment(shown + 1)) > 2


@pytest.mark.parametrize(("name", "count"), [("pulldown.mp4", 19), ("pulldown.mkv", 16)])
def test_inverse_telecine_gives_the_frames_of_the_film_back(name: str, count: int, clips: Path) -> None:
    frames, reader = read(clips / name, "ivtc")
    info = reader.info
    assert info.rate == Fraction(24000, 1001)
    assert [frame.number for frame in frames] == list(range(count))
    for frame, wanted in zip(frames[:16], film(16), strict=True):
        np.testing.assert_array_equal(luma(frame), wanted)
    times = [(frame.pts - info.start_pts) * info.time_base for frame in frames[:16]]
    tolerance = Fraction(1, 1000) if name.endswith("mkv") else 0
    assert all(abs(time - Fraction(1001 * shown, 24000)) <= tolerance for shown, time in enumerate(times))


@pytest.mark.parametrize("mode", ["auto", "single", "double"])
@pytest.mark.parametrize("pix_fmt", ["yuv422p10le", "yuv444p12le"])
def test_no_bits_and_no_chroma_are_lost(pix_fmt: str, mode: Deinterlace, tmp_path: Path) -> None:
    path = write(tmp_path / "film.mkv", telecined(film(8)), codec="ffv1", pix_fmt=pix_fmt, options={"level": "3"})
    _, reader = read(path, mode)
    assert reader.info.pix_fmt == pix_fmt
    assert reader.info.format.bits == (10 if "10" in pix_fmt else 12)


@pytest.mark.parametrize("bits", [8, 10, 12])
@pytest.mark.parametrize("chroma", ["420", "422", "444"])
def test_inverse_telecine_keeps_every_bit_of_every_plane(chroma: str, bits: int, tmp_path: Path) -> None:
    """FFmpeg's fieldmatch compares 8 bits."""
    pix_fmt = f"yuv{chroma}p" + (f"{bits}le" if bits > 8 else "")
    whole = film_of(pix_fmt, 8)
    path = tmp_path / "film.mkv"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=NTSC, options={"level": "3"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, pix_fmt
        for number, planes in enumerate(zip(*map(telecined, zip(*whole, strict=True)), strict=True)):
            frame = picture(planes, pix_fmt)
            frame.pts, frame.time_base = number, 1 / NTSC
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    frames, reader = read(path, "ivtc")
    assert reader.info.format.bits == bits
    for shown, wanted in zip(frames, whole, strict=True):
        for samples, expected in zip(shown.host.planes, wanted, strict=True):
            np.testing.assert_array_equal(samples, expected)


def film_of(pix_fmt: str, count: int) -> list[list[npt.NDArray[np.uint16]]]:
    """Return planes of a film with noise in the last bits."""
    like = av.VideoFrame(WIDTH, HEIGHT, pix_fmt)
    more = like.format.components[0].bits - 8
    noise = np.random.default_rng(3).integers(0, 1 << more, (count, HEIGHT, WIDTH), np.uint16)
    frames = []
    for scene, least in zip(film(count), noise, strict=True):
        deep = (scene.astype(np.uint16) << more) + least
        frames.append([deep[:: HEIGHT // p.height, :: WIDTH // p.width].copy() for p in like.planes])
    return frames


def picture(planes: Sequence[npt.NDArray[np.uint16]], pix_fmt: str) -> av.VideoFrame:
    frame = av.VideoFrame(WIDTH, HEIGHT, pix_fmt)
    dtype = np.uint8 if frame.format.components[0].bits == 8 else np.uint16
    for rows, samples in zip(rows_of(frame), planes, strict=True):
        rows.view(dtype)[:] = samples
    return frame


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("pix_fmt", ["nv12", "p010le", "gbrp10le", "gray12le", "rgb24", "uyvy422", "yuva444p16le"])
def test_fields_are_woven_however_the_samples_lie(pix_fmt: str, turned: bool) -> None:
    """turned: the last row comes first in memory."""
    whole = [picture(planes, "yuv444p16le").reformat(format=pix_fmt) for planes in film_of("yuv444p16le", 8)]
    weaver, woven = None, []
    for place, (top, bottom) in enumerate(
        [(0, 0), (1, 1), (1, 2), (2, 3), (3, 3), (4, 4), (5, 5), (5, 6), (6, 7), (7, 7)]
    ):
        frame = av.VideoFrame(WIDTH, HEIGHT, pix_fmt)
        for rows, uppers, lowers in zip(*map(rows_of, (frame, whole[top], whole[bottom])), strict=True):
            rows[0::2], rows[1::2] = uppers[0::2], lowers[1::2]
        if turned:
            frame = flipped(frame)
            frame.make_writable()
            frame = flipped(frame)
            assert frame.planes[0].line_size < 0
        frame.pts = place
        weaver = weaver or Weaver(frame, Fraction(1, 25))
        woven.append(weaver.push(frame))
    assert weaver is not None
    woven.append(weaver.end())
    assert woven.pop(0) is None
    for frame, number in zip(woven, [0, 1, 1, 2, 3, 4, 5, 5, 6, 7], strict=True):
        assert frame is not None
        for rows, expected in zip(rows_of(frame), rows_of(whole[number]), strict=True):
            np.testing.assert_array_equal(rows, expected)


def flipped(frame: av.VideoFrame) -> av.VideoFrame:
    frame.pts = 0
    flip = picture_filters(frame, Fraction(1), ("vflip", {}))
    flip.vpush(frame)
    return flip.vpull()


def test_at_the_single_rate_frames_that_are_not_flagged_change_as_well(clips: Path) -> None:
    unflagged, flagged = (read(clips / name, "single")[0] for name in ("unflagged.mp4", "fields.mp4"))
    as_flagged = read(clips / "fields.mp4", "auto")[0]
    kept, reader = read(clips / "unflagged.mp4", "auto")
    assert reader.info.deinterlaced is None
    for one, two, three, as_is, stored in zip(unflagged, flagged, as_flagged, kept, interlaced(12), strict=True):
        np.testing.assert_array_equal(luma(one), luma(two))
        np.testing.assert_array_equal(luma(two), luma(three))
        np.testing.assert_array_equal(luma(as_is), stored)
        assert np.any(luma(one) != stored)


@pytest.mark.parametrize(("name", "top_first"), [("fields.mp4", True), ("bottom.mp4", False)])
def test_woven_frames_are_as_they_are_and_their_order_is_known(name: str, top_first: bool, clips: Path) -> None:
    frames, reader = read(clips / name, "off")
    assert (reader.info.woven, reader.info.top_first) == (True, top_first)
    for frame, stored in zip(frames, interlaced(12, "top" if top_first else "bottom"), strict=True):
        np.testing.assert_array_equal(luma(frame), stored)


CASES: list[tuple[str, Deinterlace]] = [
    ("fields.mp4", "auto"),
    ("fields.mp4", "double"),
    ("fields.mkv", "double"),
    ("dropped.mp4", "double"),
    ("pulldown.mp4", "ivtc"),
    ("pulldown.mkv", "ivtc"),
    ("mixed.mkv", "auto"),
    ("broadcast.mxf", "double"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mode"), CASES)
def test_ranges_and_seeks_give_the_frames_of_the_whole(name: str, mode: Deinterlace, clips: Path) -> None:
    whole, reader = read(clips / name, mode)
    base, start = reader.info.time_base, reader.info.start_pts
    assert all(a.pts < b.pts for a, b in pairwise(whole))
    with Reader(clips / name, deinterlace=mode) as listed:
        index = listed.indexed_range()
        assert index is not None
        assert (index[0].pts, index[1]) == ([frame.pts for frame in whole], range(len(whole)))
    with Reader(clips / name, deinterlace=mode) as seeking:
        for shown in range(len(whole)):
            at_time = Position((whole[shown].pts - start) * base, "s")
            spans = [TimeRange(number(shown), frames=2), TimeRange(at_time, number(shown + 2))]
            parts = [read(clips / name, mode, span) for span in spans]
            seeking.seek(at_time if shown % 2 else number(shown))
            parts.append(([next(seeking)], seeking))
            for part, of in parts:
                assert of.lost_frames == 0
                for frame, wanted in zip(part, whole[shown : shown + 2], strict=False):
                    assert (frame.number, frame.pts) == (wanted.number, wanted.pts)
                    np.testing.assert_array_equal(luma(frame), luma(wanted))


def test_fields_keep_their_pace_where_frames_were_dropped(clips: Path) -> None:
    frames, reader = read(clips / "dropped.mp4", "double")
    times = [(frame.pts - reader.info.start_pts) * reader.info.time_base * 50 for frame in frames]
    assert times == [*range(12), *range(16, 28)]


def test_a_frame_between_fields_that_leaves_no_room_moves_none() -> None:
    shown = CADENCES["double"].shown(FrameIndex([0, 3, 20], [0], 10), 10)
    assert shown.pts == [0, 5, 6, 16, 40, 50]
    assert (shown.keyframes, shown.last_duration) == ([0], 10)


def test_the_last_field_lasts_a_tick_behind_the_end_of_its_frame() -> None:
    shown = CADENCES["double"].shown(FrameIndex([0, 10], [0], 1), 10)
    assert (shown.pts, shown.last_duration) == ([0, 10, 20, 30], 1)
    assert CADENCES["double"].shown(FrameIndex([0, 10], [0], 0), 10).last_duration == 0


def test_a_cycle_that_the_film_ends_in_is_shown_as_it_is() -> None:
    shown = CADENCES["ivtc"].shown(FrameIndex([0, 10, 20, 30, 40, 50, 60], [0, 50], 10), 10)
    assert shown.pts == [0, 50, 100, 150, 200, 240]
    assert (shown.keyframes, shown.last_duration) == ([0, 200], 40)
    assert [CADENCES["ivtc"].count(coded) for coded in (0, 4, 5, 6, 10)] == [0, 4, 4, 5, 8]
    assert [CADENCES["ivtc"].first_coded(shown) for shown in (0, 3, 4, 8)] == [0, 0, 0, 5]


@pytest.mark.parametrize("mode", ["auto", "off", "double", "ivtc"])
def test_the_facts_are_known_before_it_is_opened_in_another_way(mode: Deinterlace, clips: Path) -> None:
    _, opened = read(clips / "fields.mp4", mode)
    _, first = read(clips / "fields.mp4", "auto")
    assert as_read(first.info, mode) == opened.info


@pytest.mark.parametrize(
    ("mode", "coded", "shown"),
    [
        ("double", (3, 7), (6, 14)),
        ("ivtc", (0, 5), (0, 4)),
        ("ivtc", (4, 5), (3, 4)),
        ("ivtc", (8, 9), (7, 8)),
        ("auto", (3, 7), (3, 7)),
    ],
)
def test_a_range_of_coded_frames_is_one_of_shown_ones(
    mode: Deinterlace, coded: tuple[int, int], shown: tuple[int, int]
) -> None:
    assert range_as_read(TimeRange(*map(number, coded)), mode) == TimeRange(*map(number, shown))
    times = TimeRange(Position(Fraction(1), "s"), None)
    assert range_as_read(times, mode) == times


def test_a_raw_stream_is_counted_from_its_beginning(clips: Path, tmp_path: Path) -> None:
    write(tmp_path / "raw.h264", interlaced(8), options={"qp": "0", "preset": "ultrafast", "bf": "0"})
    whole, _ = read(tmp_path / "raw.h264", "double")
    assert [frame.number for frame in whole] == list(range(16))
    part, _ = read(tmp_path / "raw.h264", "double", TimeRange(number(5), number(9)))
    assert [frame.number for frame in part] == [5, 6, 7, 8]
    for frame, wanted in zip(part, whole[5:], strict=False):
        np.testing.assert_array_equal(luma(frame), luma(wanted))
        assert frame.pts == wanted.pts


@pytest.mark.parametrize(("mode", "lost"), [("double", 4), ("ivtc", 1)])
def test_frames_that_cannot_be_decoded_are_counted_as_they_would_be_shown(
    mode: Deinterlace, lost: int, tmp_path: Path
) -> None:
    """Two coded frames of a cycle are zeroed out."""
    path = write(
        tmp_path / "film.mov", telecined(film(16)), rate=NTSC, codec="prores_ks", pix_fmt="yuv422p10le", options={}
    )
    whole, _ = read(path, mode)
    data = bytearray(path.read_bytes())
    with av.open(str(path)) as container:
        for packet in list(container.demux(video=0))[6:8]:
            begin = data.index(bytes(packet))
            data[begin : begin + packet.size] = bytes(packet.size)
    path.write_bytes(data)
    frames, reader = read(path, mode)
    assert len(frames) == len(whole) - lost
    assert reader.lost_frames == lost
    assert [frame.number for frame in frames][-6:] == [frame.number for frame in whole][-6:]
    assert [frame.pts for frame in frames][-6:] == [frame.pts for frame in whole][-6:]
    np.testing.assert_array_equal(luma(frames[-1]), luma(whole[-1]))


def test_damaged_tags_and_times_break_nothing() -> None:
    fields = FieldFilter(CADENCES["ivtc"], Fraction(1, 25), 1)
    shown = []
    for place in range(8):
        frame = av.VideoFrame(64, 48, "yuv422p10le")
        frame.pts, frame.color_trc, frame.color_primaries = place, 212, 99  # of no standard
        shown += fields.push(frame, max(0, place - 2))  # three frames that count as the first
    shown += fields.push(None)
    assert [frame.pts for frame in shown] == [4 * place for place in range(8)]  # none is taken for a repeat


@pytest.mark.parametrize("size", [(5, 7), (17, 33)])
@pytest.mark.parametrize("pix_fmt", ["yuv420p", "yuv422p10le", "bayer_rggb8"])
def test_pictures_smaller_than_the_match_reads_lose_no_frame(pix_fmt: str, size: tuple[int, int]) -> None:
    fields = FieldFilter(CADENCES["ivtc"], Fraction(1, 25), 1)
    shown = []
    for place in range(10):
        frame = av.VideoFrame(*size, pix_fmt)
        for rows in rows_of(frame):
            rows[:] = place
        frame.pts = place
        shown += fields.push(frame, place)
    shown += fields.push(None)
    assert [(one.frame.width, one.frame.height) for one in shown] == [size] * 8


@pytest.mark.parametrize("mode", ["auto", "off", "double"])
def test_a_pipe_gives_what_a_file_gives(mode: Deinterlace, clips: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, reader = read(clips / "fields.mkv", mode)
    with (clips / "fields.mkv").open("rb") as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        assert not os.isatty(pipe.fileno())
        with PipeSource(deinterlace=mode) as source:
            piped = list(source)
            info = source.info
    same = ("rate", "time_base", "interlaced", "deinterlaced", "top_first")
    assert [getattr(info, name) for name in same] == [getattr(reader.info, name) for name in same]
    assert [(frame.number, frame.pts) for frame in piped] == [(frame.number, frame.pts) for frame in file]
    for frame, wanted in zip(piped, file, strict=True):
        np.testing.assert_array_equal(luma(frame), luma(wanted))


def test_where_fields_begin_the_frames_before_are_left_alone(clips: Path) -> None:
    """And the first woven frame is made progressive with the one before it as a neighbour."""
    frames, reader = read(clips / "mixed.mkv", "auto")
    assert reader.info.interlaced is False  # by its first frame
    for frame, stored in zip(frames[:4], film(4), strict=True):
        np.testing.assert_array_equal(luma(frame), stored)
    woven_ones, _ = read(clips / "fields.mkv", "auto")
    for frame, other in zip(frames[5:], woven_ones[5:], strict=True):
        np.testing.assert_array_equal(luma(frame), luma(other))
    part, _ = read(clips / "mixed.mkv", "auto", TimeRange(number(4), frames=1))
    np.testing.assert_array_equal(luma(part[0]), luma(frames[4]))
    alone = write(clips / "alone.mkv", interlaced(12)[4:], codec="ffv1", options={"level": "3", "g": "1"})
    assert np.any(luma(read(alone, "auto")[0][0]) != luma(frames[4]))


def test_progressive_film_is_left_alone_unless_asked() -> None:
    plain, reader = read(CLIPS / "cfr.mp4", "auto")
    off, _ = read(CLIPS / "cfr.mp4", "off")
    assert reader.info.deinterlaced is None
    for one, other in zip(plain, off, strict=True):
        np.testing.assert_array_equal(luma(one), luma(other))


def test_the_clips_are_woven_as_they_say() -> None:
    top, bottom = moment(0), moment(1)
    frame = woven(top, bottom)
    np.testing.assert_array_equal(frame[0::2], top[0::2])
    np.testing.assert_array_equal(frame[1::2], bottom[1::2])
    assert len(telecined(film(8))) == 10
    assert frame.shape[0] == HEIGHT
