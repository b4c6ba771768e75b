"""Rules of the reader: range boundaries, losses, and reports."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import av
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.temporal_window import TemporalWindow
from framebrush.media.reading.declared_frames import DeclaredFrames
from framebrush.media.reading.decoder import Decoder
from framebrush.media.reading.first_frame import FirstFrame
from framebrush.media.reading.index import FrameIndex
from framebrush.media.reading.listing import index_of
from framebrush.media.reading.reader import Reader
from framebrush.media.video import PLAIN_FILE, InputError, Position, RangeError, TimeRange

pytestmark = pytest.mark.media

INDEXED, COUNTED = "cfr.mp4", "bframes.avi"  # of 30 frames of 1/25 s; the times of the other are made up by counting
both = pytest.mark.parametrize("name", [INDEXED, COUNTED])


def at(number: int) -> Position:
    return Position(Fraction(number), "frame")


def after(seconds: str | Fraction) -> Position:
    return Position(Fraction(seconds), "s")


def numbers(name: str, span: TimeRange, context: tuple[int, int] = (0, 0)) -> list[int]:
    with Reader(CLIPS / name, span, context=TemporalWindow(*context)) as reader:
        return [frame.number if not frame.context else -frame.number - 1 for frame in reader]


T = TypeVar("T")


def noted(monkeypatch: pytest.MonkeyPatch, kind: type[T]) -> list[T]:
    """Return the objects of a class that are made from now on."""
    made, begin = list[T](), kind.__init__

    def note(self: T, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        begin(self, *arguments, **options)
        made.append(self)

    monkeypatch.setattr(kind, "__init__", note)
    return made


# Ranges


@both
@pytest.mark.parametrize(
    ("span", "first", "end"),
    [
        (TimeRange(at(3), at(20), frames=5), 3, 8),
        (TimeRange(at(3), at(20), frames=99), 3, 20),
        (TimeRange(None, at(20), frames=21), 0, 20),
        (TimeRange(after("0.12"), after("0.8")), 3, 20),
        (TimeRange(after("0.145"), after("0.825")), 4, 21),
        (TimeRange(after("0.119"), after("0.799")), 3, 20),
        (TimeRange(after("0.12"), after("0.8"), frames=5), 3, 8),
        (TimeRange(after("0.12"), after("0.8"), frames=99), 3, 20),
        (TimeRange(None, after("0.04")), 0, 1),
        (TimeRange(at(29), None), 29, 30),
        (TimeRange(None, at(99)), 0, 30),
    ],
)
def test_a_range_ends_with_whichever_end_comes_first(name: str, span: TimeRange, first: int, end: int) -> None:
    assert numbers(name, span) == list(range(first, end))


@both
@pytest.mark.parametrize(
    "span", [TimeRange(at(3), at(3)), TimeRange(at(4), at(3)), TimeRange(after("0.12"), after("0.1"))]
)
def test_a_range_that_ends_where_it_begins_holds_no_frame(name: str, span: TimeRange) -> None:
    with pytest.raises(
        RangeError, match=r"the requested range contains no frame; choose a later end or an earlier start$"
    ):
        Reader(CLIPS / name, span)


@both
def test_a_single_frame_may_be_asked_for_while_it_is_shown(name: str) -> None:
    """The last begins at 1.16 s and is shown for 0.04 s."""
    for place in ("1.16", "1.17"):
        assert numbers(name, TimeRange(after(place), frames=1)) == [29]
    for span in (
        TimeRange(after("1.2"), frames=1),
        TimeRange(after("1.199"), frames=2),
        TimeRange(after("1.199"), after("1.3"), frames=1),
        TimeRange(at(30), frames=1),
    ):
        with pytest.raises(RangeError, match=r"the range starts after the last frame \(29\)$"):
            Reader(CLIPS / name, span)


@pytest.mark.parametrize("name", [INDEXED, "landscape.mp4"])
def test_a_frame_of_unknown_duration_is_shown_for_that_of_the_rate(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last one of a film; others end with the next."""
    with Reader(CLIPS / name) as reader:
        info = reader.info
    assert info.rate in (25, 24)
    assert replace(info, rate=None).usual_rate == 25
    found = index_of(CLIPS / name, PLAIN_FILE, info.start_pts)
    assert found is not None
    last, base = len(found.pts) - 1, info.time_base
    begin_s = (found.pts[-1] - info.start_pts) * base
    for duration, lasts_s in ((0, 1 / info.rate), (round(1 / base), Fraction(1))):
        monkeypatch.setattr(
            "framebrush.media.reading.reader.index_of",
            lambda *_, duration=duration: replace(found, last_duration=duration),
        )
        for place_s in (begin_s, begin_s + lasts_s - base):
            assert numbers(name, TimeRange(after(place_s), frames=1)) == [last]
        with pytest.raises(RangeError, match="starts after the last frame"):
            Reader(CLIPS / name, TimeRange(after(begin_s + lasts_s), frames=1))


@both
def test_neighbours_come_along_and_are_marked(name: str) -> None:
    """Here by their number as a negative one."""
    assert numbers(name, TimeRange(at(5), at(7)), (2, 3)) == [-4, -5, 5, 6, -8, -9, -10]
    assert numbers(name, TimeRange(at(1), at(2)), (2, 1)) == [-1, 1, -3]
    assert numbers(name, TimeRange(at(28), at(30)), (1, 3)) == [-28, 28, 29]
    assert numbers(name, TimeRange(after("0.2"), after("0.28")), (1, 1)) == [-5, 5, 6, -8]
    assert numbers(name, TimeRange(None, at(2)), (2, 1)) == [0, 1, -3]


@both
def test_a_seek_goes_to_a_frame_and_never_behind_the_last(name: str) -> None:
    with Reader(CLIPS / name, TimeRange(at(5), at(12)), context=TemporalWindow(2, 2)) as reader:
        for place, number in ((at(9), 9), (after("0.32"), 8), (after("0.345"), 9), (at(0), 0), (after(0), 0)):
            reader.seek(place)
            frame = next(reader)
            assert (frame.number, frame.context) == (number, False)
        reader.seek(at(10))
        assert [(frame.number, frame.context) for frame in reader] == [(10, False), (11, False), (12, True), (13, True)]
        for place in (at(99), after(9)):
            reader.seek(place)
            assert next(reader).number == 29


def test_no_frames_are_counted_where_the_file_has_times(monkeypatch: pytest.MonkeyPatch) -> None:
    restarts, restart = list[object](), Decoder.restart
    monkeypatch.setattr(Decoder, "restart", lambda own, *given: (restarts.append(own), restart(own, *given))[1])
    with Reader(CLIPS / INDEXED) as reader:
        reader.seek(at(7))
        assert next(reader).number == 7
    assert numbers(INDEXED, TimeRange(at(9), frames=2)) == [9, 10]
    assert len(restarts) == 2  # by opening
    with Reader(CLIPS / COUNTED) as reader:
        reader.seek(at(7))
        assert len(restarts) > 3


def test_what_is_still_to_come_is_known_by_time() -> None:
    with Reader(CLIPS / INDEXED, TimeRange(at(5), at(12)), context=TemporalWindow(2, 2)) as reader:
        for read, left in ((0, range(5, 12)), (2, range(5, 12)), (3, range(8, 12)), (4, range(12, 12))):
            for _ in range(read):
                next(reader)
            indexed = reader.indexed_range()
            assert indexed is not None
            assert (len(indexed[0].pts), indexed[1]) == (30, left)
    with Reader(CLIPS / INDEXED, TimeRange(at(5))) as reader:
        assert reader.indexed_range()[1] == range(5, 30)  # type: ignore[index]
    with Reader(CLIPS / COUNTED) as reader:
        assert reader.indexed_range() is None


def test_the_times_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    with Reader(CLIPS / INDEXED) as reader:
        reader.seek(at(7))
        assert index_of(CLIPS / "bframes.mp4", PLAIN_FILE, 0) is not None  # only the last one is remembered
        monkeypatch.setattr(FrameIndex, "scan", lambda *_: pytest.fail("they are read again"))
        reader.seek(at(3))
        assert next(reader).number == 3


@both
def test_a_closed_reader_has_no_frames(name: str) -> None:
    reader = Reader(CLIPS / name)
    reader.close()
    reader.close()
    assert next(reader, None) is None


# Facts and losses


def test_the_facts_of_a_video() -> None:
    facts = {}
    for name in ("cfr.mp4", "anamorphic.mp4", "rotated.mp4", "raw.h264", "bframes.ts"):
        with Reader(CLIPS / name) as reader:
            info = reader.info
            facts[name] = (info.container[:4], info.frame_count, info.sample_aspect, info.rotation_degrees % 360)
            assert (info.codec, info.stream_index, info.pix_fmt, info.rate) == ("h264", 0, "yuv420p", 25)
            assert not info.interlaced
            assert not info.mirrored
            assert not info.deinterlaced
            if name == "raw.h264":
                assert info.duration_s is None
            else:
                assert info.duration_s == pytest.approx(1.2, abs=0.01)
    assert facts == {
        "cfr.mp4": ("mov,", 30, 1, 0),
        "anamorphic.mp4": ("mov,", 30, Fraction(16, 11), 0),
        "rotated.mp4": ("mov,", 30, 1, 90),
        "raw.h264": ("h264", None, 1, 0),
        "bframes.ts": ("mpeg", None, 1, 0),
    }


@pytest.mark.parametrize(
    ("span", "context", "missing", "lost", "number"),
    [
        (TimeRange(), (0, 0), 0, 0, 5),
        (TimeRange(), (0, 0), 3, 3, 8),
        (TimeRange(at(7)), (2, 0), 3, 1, 8),  # those of the context are no loss
        (TimeRange(at(9)), (4, 0), 3, 0, 8),
        (TimeRange(end=at(7)), (0, 0), 3, 2, None),
        (TimeRange(end=at(4)), (0, 2), 3, 0, 5),
        (TimeRange(at(6), at(7)), (1, 0), 3, 1, None),
        (TimeRange(at(6), at(7)), (1, 1), 3, 1, 7),
    ],
)
def test_frames_within_the_range_that_did_not_come_are_lost(
    span: TimeRange,
    context: tuple[int, int],
    missing: int,
    lost: int,
    number: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Frames are missing before number 5. number: its number then, or None outside the range."""
    with Reader(CLIPS / INDEXED) as reader:
        place = [frame.pts for frame in reader][5]
    monkeypatch.setattr(Decoder, "missing_before", lambda _, frame: [0] * missing if frame.pts == place else [])
    with Reader(CLIPS / INDEXED, span, context=TemporalWindow(*context)) as reader:
        shown = {frame.pts: frame.number for frame in reader}
        assert (reader.lost_frames, shown.get(place)) == (lost, number)


def test_a_frame_at_the_end_of_a_range_is_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of three frames that did not come, one was to be shown just before the end, one there and one behind it."""
    with Reader(CLIPS / COUNTED) as reader:
        first, info = next(reader).pts, reader.info
    end = info.start_pts + round(Fraction("0.2") / info.time_base)
    missing = [end - 1, end, end + 1]
    monkeypatch.setattr(Decoder, "missing_before", lambda _, frame: missing if frame.pts == first else [])
    with Reader(CLIPS / COUNTED, TimeRange(end=after("0.2"))) as reader:
        next(reader)
        assert reader.lost_frames == 1


def test_a_range_behind_the_end_of_a_file_that_was_cut_off_says_so(tmp_path: Path) -> None:
    whole = (CLIPS / "bframes.mp4").read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole[: len(whole) * 6 // 10])
    with pytest.raises(InputError, match=r"starts after the last frame \(\d+\), because the file is cut off"):
        Reader(cut, TimeRange(at(99)))


def test_what_was_found_is_reported_in_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    decoders, firsts = noted(monkeypatch, Decoder), noted(monkeypatch, FirstFrame)
    with Reader(CLIPS / INDEXED) as reader:
        assert reader.warnings == []
        (decoder,), planes = decoders, firsts[0].planes
        for count, said in (
            (1, ["1 place", "1 frame differs from", "1 frame is damaged", "1 timestamp does not"]),
            (2, ["2 places", "2 frames differ from", "2 frames are damaged", "2 timestamps do not"]),
        ):
            decoder.source.timeline.jumps = planes.changed = decoder.damaged = decoder.mended = count
            lines = reader.warnings
            assert len(lines) == 4
            assert all(words in line for words, line in zip(said, lines, strict=True))
        decoder.source.problems.extend(["a problem", "another", "a problem"])
        reader.cut_off = True
        lines = reader.warnings
        assert lines[:2] == ["cfr.mp4: a problem", "cfr.mp4: another"]
        assert lines[-1] == "cfr.mp4 is cut off: what comes after its last whole frame is missing"


def test_a_cut_file_promises_what_its_header_says(monkeypatch: pytest.MonkeyPatch) -> None:
    made = noted(monkeypatch, DeclaredFrames)
    with Reader(CLIPS / "bframes.ts") as reader:
        for duration_s, rate, frames in (
            (2.0, Fraction(25), 50),
            (None, Fraction(25), 0),
            (2.0, None, 0),
            (1e9, Fraction(25), 10_000_000),
        ):
            assert made[-1].count(replace(reader.info, duration_s=duration_s, rate=rate)) == frames
    with Reader(CLIPS / INDEXED) as reader:
        assert made[-1].count(reader.info) == made[-1].promised == 30


def test_the_last_duration_is_that_of_the_frame_shown_last(tmp_path: Path) -> None:
    """The last packet may belong to another frame, where frames refer to later ones."""
    path = tmp_path / "film.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"bf": "2", "b-adapt": "0", "sc_threshold": "0"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 1000)
        for number in range(13):
            frame = av.VideoFrame(64, 48, "yuv420p")
            for plane in frame.planes:
                plane.update(bytes([90 + 3 * number]) * plane.buffer_size)
            frame.pts, frame.time_base = 10 * number * number, Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    with av.open(str(path)) as film:
        packets = [packet for packet in film.demux(video=0) if packet.pts is not None]
        last = max(packets, key=lambda packet: packet.pts or 0)
        assert last is not packets[-1]
        assert last.duration != packets[-1].duration
    found = index_of(path, PLAIN_FILE, 0)
    assert found is not None
    assert found.last_duration == last.duration
