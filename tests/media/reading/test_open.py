"""Files that may be opened: self-contained videos, and references only on request."""

from __future__ import annotations

import ast
import os
import re
import shutil
import struct
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.jobs.identity import SourceIdentity
from framebrush.media.reading import webp
from framebrush.media.reading.open import open_media
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, OpenOptions, Position, TimeRange
from tests.media.writing.writer_clips import info_of, seconds, stream_types, write

pytestmark = pytest.mark.media

LISTS = OpenOptions(playlists=True)
ROOT = Path(__file__).parents[3]


def m3u8(folder: Path, *names: str, end: str = "#EXT-X-ENDLIST\n") -> Path:
    """A playlist of parts of 1.2 s."""
    path = folder / "list.m3u8"
    path.write_text("#EXTM3U\n#EXT-X-TARGETDURATION:2\n" + "".join(f"#EXTINF:1.2,\n{name}\n" for name in names) + end)
    return path


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    """A folder with a clip, and one beside it."""
    folder = tmp_path / "parts"
    folder.mkdir()
    shutil.copy(CLIPS / "bframes.ts", folder / "a.ts")
    shutil.copy(CLIPS / "bframes.ts", tmp_path / "secret.ts")
    return folder


def test_a_playlist_is_refused_unless_asked_for(parts: Path) -> None:
    path = m3u8(parts, "a.ts", "a.ts")
    for name in ("list.m3u8", "list.mp4"):
        with pytest.raises(InputError, match=r"is a playlist; name the video itself; or .* --allow-playlists"):
            Reader(path.rename(parts / name))
        path = parts / name
    with Reader(path.rename(parts / "list.m3u8"), opening=LISTS) as reader:
        assert sum(1 for _ in reader) == 60


@pytest.mark.parametrize(
    "name", ["../secret.ts", "{parent}/secret.ts", "file://{parent}/secret.ts", "http://127.0.0.1:9/a.ts", "link.ts"]
)
def test_a_playlist_never_leaves_its_folder(parts: Path, name: str) -> None:
    if name == "link.ts":
        (parts / name).symlink_to(parts.parent / "secret.ts")
    path = m3u8(parts, name.format(parent=parts.parent.as_posix()))
    with pytest.raises(InputError, match="which is not a file in its folder"):
        Reader(path, opening=LISTS)


def test_a_playlist_without_end_is_not_waited_for(parts: Path) -> None:
    with pytest.raises(InputError, match="playlist without an end"):
        Reader(m3u8(parts, "a.ts", end=""), opening=LISTS)


def test_a_film_with_a_rate_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film.mkv").write_bytes(b"")
    with pytest.raises(InputError, match=r"need one number in their name.*; leave --rate out if it is a film"):
        Reader(tmp_path / "film.mkv", opening=OpenOptions(rate=Fraction(24)))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
def test_a_pipe_in_a_playlist_is_not_waited_for(parts: Path) -> None:
    os.mkfifo(parts / "pipe.ts")
    with pytest.raises(InputError, match="is not a regular file"):
        Reader(m3u8(parts, "pipe.ts"), opening=LISTS)


@pytest.mark.parametrize("opening", [OpenOptions(), LISTS])
def test_a_list_for_concat_paints_no_neighbour(parts: Path, opening: OpenOptions) -> None:
    path = parts / "film.mp4"
    path.write_text("ffconcat version 1.0\nfile a.ts\n")
    with pytest.raises(InputError, match="is a list of files for FFmpeg"):
        Reader(path, opening=opening)


def test_text_is_no_film(tmp_path: Path) -> None:
    """FFmpeg paints text files as terminals, and reads lists of subtitles, where nobody stops it."""
    for name, text in (
        ("a.txt", "x\n" * 999),
        ("a.ans", "\x1b[31mx\n" * 99),
        ("a.sub", "{0}{9}x\n"),
        ("a.sdp", "v=0\n"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError, match="is not a video that can be read"):
            open_media(tmp_path / name)


def pictures(folder: Path, numbers: range, pattern: str = "{:05d}.png") -> None:
    for number in numbers:
        picture = np.zeros((180, 320, 3), np.uint8)
        frame_number.draw(picture, number)
        encoder = av.CodecContext.create("png", "w")
        encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = 320, 180, "rgb24", Fraction(1, 25)
        packets = encoder.encode(av.VideoFrame.from_ndarray(picture, "rgb24"))
        (folder / pattern.format(number)).write_bytes(b"".join(bytes(packet) for packet in packets))


def test_numbered_pictures_when_asked_for(tmp_path: Path) -> None:
    pictures(tmp_path, range(37, 49))
    path = tmp_path / "%05d.png"
    with pytest.raises(InputError, match="numbered pictures need a rate, as in transcode --rate 24"):
        Reader(path)
    opening = OpenOptions(rate=Fraction(24000, 1001))
    with Reader(path, opening=opening) as reader:
        frames = [(frame_number.read(frame.frame.planes[0][..., 1]), frame.pts) for frame in reader]
        assert [number for number, _ in frames] == list(range(37, 49))
        assert [(pts - frames[0][1]) * reader.info.time_base for _, pts in frames] == [
            Fraction(place * 1001, 24000) for place in range(12)
        ]
    with Reader(path, TimeRange(Position(Fraction(5), "frame")), opening=opening) as reader:
        assert frame_number.read(next(reader).frame.planes[0][..., 1]) == 42


@pytest.mark.parametrize(
    ("made", "pattern"),
    [
        ("shot.{:04d}.png", "shot.####.png"),
        ("p{}.png", "p#.png"),
        ("shot.{:04d}.png", "shot.[0008-0011].png"),
        ("p{}.png", "p[8-11].png"),
    ],
)
def test_hashes_and_ranges_are_numbers_too(tmp_path: Path, made: str, pattern: str) -> None:
    """As in Nuke, Houdini and Resolve."""
    pictures(tmp_path, range(8, 12), made)
    path, opening = tmp_path / pattern, OpenOptions(rate=Fraction(24))
    with pytest.raises(InputError, match="numbered pictures need a rate, as in transcode --rate 24"):
        Reader(path)
    with Reader(path, opening=opening) as reader:
        assert [frame_number.read(frame.host.planes[0][..., 1]) for frame in reader] == [8, 9, 10, 11]
    usual = tmp_path / made.replace("{:04d}", "%04d").replace("{}", "%d")
    assert SourceIdentity.of(path, opening) == SourceIdentity.of(usual, opening)
    shutil.copy(tmp_path / made.format(10), path)
    with Reader(path) as reader:
        assert [frame_number.read(frame.host.planes[0][..., 1]) for frame in reader] == [10]


@pytest.mark.parametrize("name", ["p[98-101].png", "p[99-102].png", "p[98-103].png", "p[102-98].png"])
def test_a_range_that_is_not_all_pictures_is_refused(tmp_path: Path, name: str) -> None:
    pictures(tmp_path, range(98, 103), "p{}.png")
    with pytest.raises(InputError, match=r"go from 98 to 102; name all of them, as in p##\.png, and choose"):
        Reader(tmp_path / name, opening=OpenOptions(rate=Fraction(24)))


def test_numbered_pictures_with_a_gap_are_refused(tmp_path: Path) -> None:
    pictures(tmp_path, range(98, 103), "p{}.png")
    (tmp_path / "p100.png").unlink()
    with pytest.raises(InputError, match=r"p100\.png is missing"):
        Reader(tmp_path / "p%d.png", opening=OpenOptions(rate=Fraction(24)))


@pytest.mark.skipif(os.name == "nt", reason="Windows has no % patterns to confuse")
def test_a_name_with_a_percent_sign_is_a_name(tmp_path: Path) -> None:
    pictures(tmp_path, range(3))
    shutil.copy(tmp_path / "00002.png", tmp_path / "%05d.png")
    with Reader(tmp_path / "%05d.png") as reader:
        assert [frame_number.read(frame.frame.planes[0][..., 1]) for frame in reader] == [2]


def animated_webp(path: Path, *, transparent: bool, frames: int = 12) -> list[np.ndarray]:
    """Pictures that differ in a corner, so that only this is stored of most; shown for 20, 70, 120 ms and so on."""
    made = []
    for number in range(frames):
        picture = np.full((48, 64, 4), 255, np.uint8)
        picture[..., :3] = np.random.default_rng(1).integers(0, 256, (48, 64, 3))
        picture[4 : 5 + 3 * number, 8:20, 3 if transparent else 0] = 20 * number
        made.append(Image.fromarray(picture))
    lasting = [20 + 50 * (number % 3) for number in range(frames)]
    made[0].save(path, append_images=made[1:], save_all=True, lossless=True, duration=lasting)
    return [np.asarray(picture) for picture in made]


def test_an_animated_webp_is_known_by_its_header() -> None:
    head = b"RIFF\0\0\0\0WEBPVP8X\n\0\0\0\x02\0\0\0\x3f\x01\0\x2f\0\x01"
    assert webp.is_animated_webp(head)
    assert webp.is_animated_webp(head[:21])
    assert not webp.is_animated_webp(head[:20])
    assert not webp.is_animated_webp(head.replace(b"\x02", b"\xfd"))
    assert not webp.is_animated_webp(head.replace(b"VP8X", b"VP8L"))
    assert webp.canvas(head) == (320, 65584)


@pytest.mark.parametrize("transparent", [False, True])
def test_an_animated_webp_is_a_film(tmp_path: Path, transparent: bool) -> None:
    path = tmp_path / "film.webp"
    made = animated_webp(path, transparent=transparent)
    with Reader(path) as reader:
        frames = list(reader)
        assert (reader.lost_frames, reader.absent_frames, reader.cut_off, reader.warnings) == (0, 0, False, [])
        assert reader.info.format.alpha is transparent
    assert [frame.pts for frame in frames[:4]] == [0, 20, 90, 210]
    assert [frame.duration for frame in frames[:4]] == [20, 70, 120, 20]
    for frame, picture in zip(frames, made, strict=True):
        shown = np.asarray(frame.host.planes[0])[..., :3]
        seen = picture[..., 3] > 0
        np.testing.assert_array_equal(shown[seen], picture[..., :3][seen])
        if transparent:
            np.testing.assert_array_equal(frame.host.alpha, picture[..., 3])
    with Reader(path, TimeRange(Position(Fraction(7), "frame"), frames=2)) as reader:
        assert [frame.pts for frame in reader] == [frame.pts for frame in frames[7:9]]


@pytest.mark.parametrize(("limit", "reaches"), [("MOST_PIXELS", 12 * 64 * 48), ("MOST_BYTES", 1 << 20)])
def test_a_film_of_an_animated_webp_is_bounded(
    tmp_path: Path, limit: str, reaches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "film.webp"
    animated_webp(path, transparent=False)
    monkeypatch.setattr(webp, limit, reaches)
    assert webp.film_of(path).getvalue()
    os.utime(path, ns=(0, 0))  # another file, which is not known yet
    monkeypatch.setattr(webp, limit, reaches - 1 if limit == "MOST_PIXELS" else 100)
    with pytest.raises(InputError, match="is too long for an animated WebP; convert it to a video first"):
        webp.film_of(path)


def test_a_damaged_animated_webp(tmp_path: Path) -> None:
    path = tmp_path / "film.webp"
    animated_webp(path, transparent=False)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 6 // 10])
    with pytest.raises(InputError, match="check that the file is whole"):
        Reader(path)
    third = [match.start() for match in re.finditer(b"ANMF", whole)][2]
    path.write_bytes(whole[: third + 60] + b"\xff" * 20 + whole[third + 80 :])
    with Reader(path) as reader:
        assert sum(1 for _ in reader) == 2
        assert reader.lost_frames == 10


def test_an_animated_webp_without_pictures(tmp_path: Path) -> None:
    body = b"WEBPVP8X" + struct.pack("<IB3x", 10, 2) + b"\x3f\0\0\x2f\0\0" + b"ANIM" + struct.pack("<IIH", 6, 0, 0)
    path = tmp_path / "a.webp"
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    with pytest.raises(InputError, match="is an animated WebP that cannot be read"):
        Reader(path)


def test_an_animated_webp_that_claims_too_much(tmp_path: Path) -> None:
    body = b"WEBPVP8X" + struct.pack("<IB3x", 10, 2) + b"\xff" * 6 + b"ANIM" + struct.pack("<IIH", 6, 0, 0)
    path = tmp_path / "a.webp"
    path.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)
    with pytest.raises(InputError, match="claims 16777216x16777216"):
        Reader(path)


@pytest.mark.parametrize("address", ["http://a.example/film.mp4", "rtsp://a.example:554/live", "HTTPS://a.example"])
def test_addresses_are_not_opened(address: str) -> None:
    with pytest.raises(InputError) as caught:
        Reader(Path(address))
    assert str(caught.value) == f"{address}: addresses are not opened; download the video and name the file"


def test_what_is_said_of_a_file_steers_no_terminal(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31m\u202e\nb.mp4"
    with pytest.raises(InputError) as caught:
        Reader(path)
    assert re.search(r"[\x00-\x1f\u202e]", str(caught.value)) is None


@pytest.mark.slow
def test_files_are_opened_in_one_place() -> None:
    """Every other call of av.open writes."""
    opening = {
        path.relative_to(ROOT).as_posix()
        for folder in ("app", "gpu", "models")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("av.open", "av.container.open")
        if [ast.unparse(argument) for argument in node.args[1:2]] != ["'w'"]
    }
    # Training and the trial of a header read back from memory what they have just written; cameras are listed without
    # one being opened.
    others = {"models/training/compressed.py", "app/media/streams/stream_metadata.py", "app/media/live/camera_list.py"}
    assert opening - others == {"app/media/reading/open.py"}


def test_a_film_of_pictures_becomes_a_film(tmp_path: Path) -> None:
    pictures(tmp_path, range(6))
    opening = OpenOptions(rate=Fraction(24))
    with Reader(tmp_path / "%05d.png", opening=opening) as reader:
        info = reader.info
    assert info_of(tmp_path / "00000.png").opening == OpenOptions()
    write(info, tmp_path / "out.mp4", times=list(range(6)))
    assert stream_types(tmp_path / "out.mp4") == [("video", "h264")]
    assert seconds(tmp_path / "out.mp4", 0) == [Fraction(number, 24) for number in range(6)]
