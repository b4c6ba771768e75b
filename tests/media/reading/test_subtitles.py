"""The tracks of subtitles in files and beside them: their words, times and pictures, whatever the files hold."""

from __future__ import annotations

import math
import sys
import time
from contextlib import suppress
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from framebrush.media.reading.subtitle_tracks import (
    MAX_CHARS,
    MAX_LINES,
    MAX_RAW,
    UNKNOWN_S,
    Cue,
    SubtitleReader,
    SubtitleTrack,
    find_tracks,
    plain,
)
from framebrush.media.video import InputError
from tests.media.pgs import film_with_pgs
from tests.media.subtitle_clips import CLIPS, Line, ass, film, srt, vtt

pytestmark = pytest.mark.media

LINES: list[Line] = [(0.2, 0.48, "The first <i>line</i>"), (0.6, 0.8, "Zwei Zeilen,\nüber Ärger & 東京")]


def cues(path: Path, number: int = 0, from_s: float = 0.0) -> list[Cue]:
    with SubtitleReader(find_tracks(path)[number]) as reader:
        return [cue for _, cue in reader.cues(from_s) if cue is not None]


@pytest.mark.parametrize(
    ("name", "kind"), [("a.mkv", "srt"), ("a.mkv", "ass"), ("a.mkv", "webvtt"), ("a.mp4", "srt"), ("a.mp4", "ass")]
)
def test_words_and_times_of_every_kind_of_text(tmp_path: Path, name: str, kind: str) -> None:
    tagged = [(b, e, w.replace("\n", "\\N").replace("<i>", "{\\i1}").replace("</i>", "{\\i0}")) for b, e, w in LINES]
    content = {"srt": srt(LINES), "ass": ass(tagged), "webvtt": vtt(LINES).replace("&", "&amp;")}[kind]
    path = film(tmp_path / name, [(kind, content, "deu")])
    track = find_tracks(path)[0]
    assert (track.name, track.shown) == ("deu", True)
    found = cues(path)
    assert [cue.text for cue in found] == ["The first line", "Zwei Zeilen,\nüber Ärger & 東京"]
    for cue, (begin_s, end_s, _) in zip(found, LINES, strict=True):
        assert cue.start_s == pytest.approx(begin_s, abs=0.011)  # ASS counts in hundredths
        assert cue.end_s == pytest.approx(end_s, abs=0.011)
        assert not cue.open


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says what was read")
def test_lines_of_an_mp4_are_found_without_reading_its_pictures(tmp_path: Path) -> None:
    words = srt([(frame / 30, (frame + 1) / 30, "Words") for frame in range(30)])
    path = film(tmp_path / "a.mp4", [("srt", words, "deu")], "landscape.mp4")
    counts = Path("/proc/self/io")
    with SubtitleReader(find_tracks(path)[0]) as reader:
        before = int(counts.read_text().split()[1])
        assert len([line for line in reader.lines() if line is not None]) == 30
        assert int(counts.read_text().split()[1]) - before < path.stat().st_size / 3


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("suffix", [".srt", ".vtt"])
def test_text_beside_the_video(tmp_path: Path, suffix: str, encoding: str) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    lines: list[Line] = [(0.1, 0.3, "Größe für Übermut")]
    path.with_suffix(suffix).write_text(srt(lines) if suffix == ".srt" else vtt(lines), encoding=encoding)
    assert [track.name for track in find_tracks(path)] == [f"film{suffix}"]
    (cue,) = cues(path)
    assert (cue.start_s, cue.end_s, cue.text) == (pytest.approx(0.1), pytest.approx(0.3), "Größe für Übermut")


def test_what_the_bundled_film_holds() -> None:
    path = CLIPS / "extras.mkv"
    assert [track.name for track in find_tracks(path)] == ["deu"]
    assert [(cue.start_s, cue.text) for cue in cues(path)] == [(0.2, "First line"), (1.0, "Second line")]
    assert [cue.text for cue in cues(path, from_s=0.9)][-1] == "Second line"
    assert find_tracks(CLIPS / "cfr.mp4") == find_tracks(CLIPS / "missing.mp4") == ()


def test_reading_is_paced_by_the_picture(tmp_path: Path) -> None:
    """A film of few words says all the same how far it was read."""
    path = film(tmp_path / "a.mkv", [("srt", srt([(0.9, 1.0, "late")]), "eng")])
    with SubtitleReader(find_tracks(path)[0]) as reader:
        first = list(islice(reader.cues(0.0), 10))
    assert all(cue is None for _, cue in first)
    assert max(at_s for at_s, _ in first) < 0.9


def test_pictures_of_pgs_have_place_colour_and_end(tmp_path: Path) -> None:
    path = film_with_pgs(
        tmp_path / "a.mkv", colours={0: (16, 128, 128, 0), 1: (235, 128, 128, 255), 2: (63, 240, 102, 128)}
    )
    assert find_tracks(path)[0].shown
    shown, cleared = cues(path)
    assert (shown.start_s, shown.end_s, shown.open) == (0.2, math.inf, True)
    assert (cleared.start_s, cleared.pictures) == (0.6, ())
    (picture,) = shown.pictures
    assert (picture.x, picture.y, picture.width, picture.height) == (0.25, 0.75, 4 / 160, 2 / 96)
    assert picture.rgba[0].tolist() == [[0, 0, 0, 0], [255, 255, 255, 255], [255, 255, 255, 255], [0, 0, 0, 0]]
    red = picture.rgba[1, 0].astype(int)
    assert red[3] == 128
    assert red[0] > 200 > 60 > max(red[1], red[2])


def test_a_codec_that_cannot_be_shown_is_named(tmp_path: Path) -> None:
    path = film_with_pgs(tmp_path / "a.mkv")
    data = path.read_bytes()
    assert data.count(b"S_HDMV/PGS") == 1
    path.write_bytes(data.replace(b"S_HDMV/PGS", b"S_DVBSUB\0\0"))
    track = find_tracks(path)[0]
    assert not track.shown
    with pytest.raises(InputError, match="can be shown"):
        SubtitleReader(track)


def test_times_that_make_no_sense(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    text = (
        "1\n00:00:00,500 --> 00:00:00,100\nbackwards\n\n2\n00:00:00,600 --> 99:59:59,000\nendless\n\n"
        "3\n00:00:xx,600 --> broken\nno time\n\n4\n-00:00:05,000 --> -00:00:02,000\nbefore\n\n5\n00:00:00,700 --> "
        "00:00:00,900\nsound\n"
    )
    path.with_suffix(".srt").write_text(text)
    found = {cue.text.splitlines()[0]: cue for cue in cues(path)}
    assert found["sound"].end_s == pytest.approx(0.9)
    assert found["endless"].end_s == pytest.approx(0.6 + UNKNOWN_S)
    assert found["endless"].open
    assert all(cue.start_s <= cue.end_s <= cue.start_s + UNKNOWN_S for cue in found.values())


def test_markup_is_words_and_never_more() -> None:
    head = b"0,0,Default,,0,0,0,,"
    assert plain(head + rb"{\an8\pos(10,20)}Up\Nand\nmore\hhere") == "Up\nand\nmore here"
    assert plain(head + rb"before{\p1}m 0 0 l 100 0 100 100{\p0}after") == "beforeafter"
    assert plain(head + rb"{\p1}m 0 0 l 1 1") == ""
    assert plain(head + b"<img src=x onerror=alert(1)> & {unclosed") == "<img src=x onerror=alert(1)> & {unclosed"
    assert (
        plain(head + "a\u202eb\x1b[31mc\x00d".encode())
        == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}[31mc\N{REPLACEMENT CHARACTER}d"
    )
    assert plain(b"too, few, commas") == ""
    assert plain(head + b"\xff\xfe") == "\N{REPLACEMENT CHARACTER}" * 2


@pytest.mark.parametrize("text", ["{" * 1_000_000, "{\\p1" * 300_000, "\\N" * 500_000, "x" * 2_000_000, "{}" * 500_000])
def test_huge_texts_cost_little(text: str) -> None:
    began = time.thread_time()
    assert len(plain(b"0,0,Default,,0,0,0,," + text.encode())) <= MAX_RAW
    assert time.thread_time() - began < 1.0  # of work that grows with the square it would be minutes


def test_what_is_kept_of_one_text_is_bounded(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    path.with_suffix(".srt").write_text(srt([(0.0, 1.0, "word " * 9000), (0.2, 1.0, "\n".join("abcdefghijkl"))]))
    long, many = cues(path)
    assert 0 < len(long.text) <= MAX_CHARS
    assert len(many.text.split("\n")) == MAX_LINES


@pytest.mark.parametrize("content", [b"", b"\0" * 1000, b"not subtitles at all", b"\xff\xfe\x00", b"1\n" * 100_000])
def test_broken_files_beside_a_video_show_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    path.with_suffix(".srt").write_bytes(content)
    with suppress(InputError):
        assert cues(path) == []


def test_a_file_too_large_to_be_subtitles_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    with path.open("wb") as file:
        file.truncate(17 << 20)
    with pytest.raises(InputError, match=r"it has more than 16\.8 MB"):
        SubtitleReader(SubtitleTrack(path, 0, "film.srt"))


@pytest.mark.parametrize("seed", range(40))
def test_damage_is_never_more_than_missing_words(tmp_path: Path, seed: int) -> None:
    random = np.random.default_rng(seed)
    path = film_with_pgs(tmp_path / "a.mkv") if seed % 2 else film(tmp_path / "a.mkv", [("ass", ass(LINES), "deu")])
    data = bytearray(path.read_bytes())
    for place in random.integers(200, len(data), 60):
        data[place] = random.integers(256)
    path.write_bytes(data)
    for number, track in enumerate(find_tracks(path)):
        if track.shown:
            for cue in cues(path, number):
                assert all(picture.rgba.shape[2] == 4 for picture in cue.pictures)
