"""Results in MPEG transport streams: pictures, times, sound, segments, sizes, and what such a file cannot hold."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import Device
from framebrush.jobs.transcode import Listener, Status
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from tests.app.jobs.footage import interrupt, job, leftovers, shown, transcode
from tests.media.writing.writer_clips import payloads, source

pytestmark = pytest.mark.media
FAST = OutputOptions(codec="libx264", preset="veryfast")
HEVC = OutputOptions(codec="libx265", preset="ultrafast")
PTS_S = Fraction(1, 90_000)


def rounded(times: list[Fraction]) -> list[int]:
    return [round(time / PTS_S) for time in times]


def begins_s(path: Path, kind: str) -> Fraction:
    """When the first packet of the first stream of a kind is shown."""
    with av.open(str(path)) as film:
        stream = next(stream for stream in film.streams if stream.type == kind)
        return min(packet.pts * packet.time_base for packet in film.demux(stream) if packet.pts is not None)


@pytest.mark.parametrize("ending", [".ts", ".m2ts"])
@pytest.mark.parametrize("options", [FAST, HEVC], ids=["h264", "hevc"])
@pytest.mark.parametrize("name", ["vfr.mkv", "negative.ts"])
def test_pictures_and_times(name: str, options: OutputOptions, ending: str, device: Device, tmp_path: Path) -> None:
    target = tmp_path / f"o{ending}"
    assert transcode(job(CLIPS / name, target, device, options=options)).status is Status.DONE
    (found, times), (own, want) = shown(target), shown(CLIPS / name)
    assert found == own
    assert rounded(times) == rounded(want)
    assert target.read_bytes()[0 if ending == ".ts" else 4] == 0x47
    assert target.stat().st_size % (188 if ending == ".ts" else 192) == 0


@pytest.mark.slow
@pytest.mark.parametrize("options", [FAST, HEVC], ids=["h264", "hevc"])
@pytest.mark.parametrize("name", ["bframes.mp4", "extras.mp4"])
def test_segments_become_what_one_piece_is(name: str, options: OutputOptions, device: Device, tmp_path: Path) -> None:
    whole, joined = tmp_path / "whole.ts", tmp_path / "joined.ts"
    transcode(job(CLIPS / name, whole, device, options=options, segments="off"))
    made = job(CLIPS / name, joined, device, options=options, segments=7)
    interrupt(made, 17)
    assert transcode(made).status is Status.DONE
    assert leftovers(tmp_path) == ["joined.ts", "whole.ts"]
    (numbers, times), (own, want) = shown(joined), shown(whole)
    assert (numbers, rounded(times)) == (own, rounded(want))
    sounds = [sum(frame.samples for frame in decoded) for decoded in map(sound, (joined, whole))]
    assert sounds[0] == sounds[1]


def sound(path: Path) -> list[av.AudioFrame]:
    with av.open(str(path)) as film:
        return list(film.decode(audio=0)) if film.streams.audio else []


@pytest.mark.parametrize("codec", ["aac", "mp2", "ac3", "libmp3lame"])
def test_sound_is_copied_in_time(codec: str, device: Device, tmp_path: Path) -> None:
    film = source(tmp_path / "film.mkv", audio=[codec], seconds=2)
    said: list[str] = []
    transcode(job(film, tmp_path / "o.ts", device, options=FAST), Listener(said.append))
    assert not any("re-encoded" in words or "fades" in words or "left out" in words for words in said), said
    for path in (film, tmp_path / "o.ts"):
        assert abs(begins_s(path, "audio") - begins_s(path, "video") - offset(film)) < Fraction(1, 900)
    if codec != "aac":  # which gets a header for each packet
        assert b"".join(payloads(tmp_path / "o.ts", 1)) == b"".join(payloads(film, 1))


def offset(film: Path) -> Fraction:
    return begins_s(film, "audio") - begins_s(film, "video")


@pytest.mark.slow
def test_what_it_cannot_hold_is_said(device: Device, tmp_path: Path) -> None:
    film = source(tmp_path / "film.mkv", audio=["libopus", "flac"], subtitles=["subrip"], chapters=True)
    said: list[str] = []
    transcode(job(film, tmp_path / "o.ts", device, options=FAST), Listener(said.append))
    (lost,) = [words for words in said if words.startswith("lost: ")]
    assert "(opus) re-encoded with aac: MPEG-TS cannot hold it" in lost
    assert "subtitle stream 3 (srt) left out: MPEG-TS cannot hold it" in lost
    assert "the chapters (MPEG-TS cannot hold them)" in lost
    assert "metadata (title" in lost
    with av.open(str(tmp_path / "o.ts")) as result:
        assert [(stream.type, stream.name) for stream in result.streams][1:] == [("audio", "aac")] * 2
        assert [stream.metadata["language"] for stream in result.streams.audio] == ["eng", "deu"]


def test_a_rotation_is_said_to_be_lost(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    transcode(job(CLIPS / "rotated.mp4", tmp_path / "o.ts", device, options=FAST), Listener(said.append))
    assert any("the rotation to be shown upright (MPEG-TS cannot hold it)" in words for words in said)


def test_a_range(device: Device, tmp_path: Path) -> None:
    span = TimeRange(start=Position(Fraction(5), "frame"), frames=6)
    transcode(job(CLIPS / "extras.mp4", tmp_path / "o.ts", device, options=FAST, span=span))
    assert shown(tmp_path / "o.ts")[0] == [*range(5, 11)]


def test_a_codec_that_it_cannot_hold_is_refused(device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"MPEG-TS cannot hold VP9 \(vp9\); it holds H\.264, HEVC"):
        transcode(job(CLIPS / "cfr.mp4", tmp_path / "o.ts", device, options=OutputOptions(codec="vp9")))


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".ts", ".m2ts"])
def test_a_result_of_a_given_size(ending: str, device: Device, tmp_path: Path) -> None:
    film, chance = tmp_path / "film.mp4", np.random.default_rng(5)
    with av.open(str(film), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
        stream.width, stream.height = 160, 96
        for _ in range(400):
            noise = chance.integers(0, 256, (12, 20, 3), np.uint8).repeat(8, 0).repeat(8, 1)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(noise, "rgb24")))
        out.mux(stream.encode(None))
    options = OutputOptions(codec="libx264", preset="veryfast", target_bytes=1_000_000)
    transcode(job(film, tmp_path / f"o{ending}", device, options=options))
    assert 0.86 * 1_000_000 < (tmp_path / f"o{ending}").stat().st_size <= 1_000_000
