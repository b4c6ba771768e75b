"""A photograph that is a film has the colours that its ICC profile defines, in sRGB."""

from __future__ import annotations

import struct
import zlib
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageCms

from framebrush.cli.command_line import run
from framebrush.gpu.frame import Frame, PlaneOrder
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.reading import profile as reading
from framebrush.media.reading.profile import colour_profile
from framebrush.media.reading.reader import Reader
from framebrush.media.to_srgb import ToSrgb
from framebrush.media.video import OpenOptions
from framebrush.playback.reading.film_thumbnails import Thumbnails
from tests.media import photographs
from tests.media.profiles import P3, PATCHES, PICTURE, RGB, gamma, matrix, profile, table, wanted, write

pytestmark = pytest.mark.media

SRGB = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def patches(picture: RGB) -> npt.NDArray[np.float64]:
    """The colours (6, 3) of the six patches."""
    return np.array([picture[8:-8, 32 * i + 8 : 32 * i + 24, :3].mean((0, 1)) for i in range(6)])


def first(path: Path) -> tuple[Reader, RGB]:
    """A closed reader, and the first plane of the first frame."""
    with Reader(path) as reader:
        return reader, next(reader).host.planes[0]


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tiff", ".webp", ".heic"])
def test_a_still_of_a_photograph_has_its_colours(
    tmp_path: Path, suffix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = write(tmp_path / f"p3{suffix}", matrix(P3)), tmp_path / "still.png"
    assert run(["frame", str(source), str(target), "--style", "none", "--device", "cpu"]) == 0
    found = np.asarray(Image.open(target).convert("RGB"))
    assert np.abs(patches(found) - wanted(P3)).max() <= (8 if suffix == ".heic" else 3)
    assert np.abs(wanted(P3) - PATCHES).max() > 10  # else this would show nothing
    assert f"p3{suffix}: its colours are converted from its profile to sRGB\n" in capsys.readouterr().err


def test_a_sequence_has_the_colours_of_its_first_profile(tmp_path: Path) -> None:
    for number in (7, 8):
        write(tmp_path / f"in{number}.png", table(swap=True))
    words = [str(tmp_path / "in%d.png"), str(tmp_path / "out%d.png"), "--rate", "24", "--style", "none"]
    assert run(["transcode", *words, "--device", "cpu"]) == 0
    for number in (1, 2):
        found = np.asarray(Image.open(tmp_path / f"out{number}.png"))
        assert np.abs(patches(found) - np.array(PATCHES)[:, ::-1]).max() <= 6


@pytest.mark.parametrize("suffix", ["png", "jpg"])
def test_a_sequence_says_where_the_profile_changes(tmp_path: Path, suffix: str) -> None:
    for number, icc in enumerate((SRGB, SRGB, matrix(P3), b"", SRGB)):
        write(tmp_path / f"a{number}.{suffix}", icc)
    with Reader(tmp_path / f"a%d.{suffix}", opening=OpenOptions(rate=Fraction(24))) as reader:
        assert len(list(reader)) == 5
        words = "2 frames have another colour profile than the first: the first one's is used for all"
        assert reader.warnings == [words]


def test_its_thumbnail_has_them_too(tmp_path: Path) -> None:
    path = write(tmp_path / "p3.jpg", matrix(P3))
    with Reader(path) as reader, closing(Thumbnails(path, reader.info)) as small:
        found = small.picture(0.0)
    assert found is not None
    assert np.abs(patches(found) - wanted(P3)).max() <= 4


@pytest.mark.parametrize("suffix", ["jpg", "png", "tiff"])
def test_a_large_photograph_has_a_thumbnail_whenever_it_is_asked_for(tmp_path: Path, suffix: str) -> None:
    """FFmpeg does not go back to the beginning of a JPEG of more than a few KiB."""
    path = tmp_path / f"a.{suffix}"
    Image.fromarray(np.random.default_rng(1).integers(0, 256, (300, 300, 3), np.uint8)).save(path)
    with Reader(path) as reader, closing(Thumbnails(path, reader.info)) as small:
        assert small.picture(0.0) is not None
        assert small.picture(0.02) is not None


def test_greys_stay_grey_and_have_their_light(tmp_path: Path) -> None:
    ramp = np.tile(np.arange(192, dtype=np.uint8), (48, 1))
    reader, found = first(write(tmp_path / "grey.png", profile(b"GRAY", (b"kTRC", gamma(1.8))), ramp))
    assert (reader.info.format.layout, reader.info.in_srgb) == (PlaneOrder.GREY, True)
    light = (ramp[0] / 255) ** 1.8
    right = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055) * 255
    assert np.abs(found[0] - right)[16:].max() <= 2
    assert np.abs(right - ramp[0]).max() > 10


def test_greys_of_limited_range_become_full_first() -> None:
    """As HEIF and AVIF may have them."""
    frame = av.VideoFrame.from_ndarray(np.tile(np.array([16, 126, 235], np.uint8), (4, 2)), "gray")
    frame.color_range = 1
    found = Planes(frame, "hevc", to_srgb=ToSrgb(profile(b"GRAY", (b"kTRC", gamma(2.2))))).wrap(frame)
    assert isinstance(found, Frame)
    assert found.format.full_range
    assert np.abs(found.planes[0][0, :3].astype(int) - [0, 128, 255]).max() <= 2


@pytest.mark.parametrize("suffix", ["jpg", "tiff", "jp2", "pgm", "tga", "png"])
def test_greys_of_pictures_go_from_black_to_white(tmp_path: Path, suffix: str) -> None:
    ramp = np.tile(np.arange(256, dtype=np.uint8), (48, 1))
    Image.fromarray(ramp).save(tmp_path / f"grey.{suffix}")
    reader, found = first(tmp_path / f"grey.{suffix}")
    assert (reader.info.format.layout, reader.info.format.full_range) == (PlaneOrder.GREY, True)
    assert np.abs(found[0].astype(int) - ramp[0]).max() <= 4


def test_alpha_stays(tmp_path: Path) -> None:
    alpha = np.tile(np.arange(192, dtype=np.uint8), (48, 1))
    reader, found = first(write(tmp_path / "clear.png", matrix(P3), np.dstack([PICTURE, alpha])))
    assert reader.info.format.alpha
    np.testing.assert_array_equal(found[..., 3], alpha)
    assert np.abs(patches(found) - wanted(P3)).max() <= 3


def test_deep_pictures_say_that_theirs_are_of_8_bits(tmp_path: Path) -> None:
    plain = photographs.deep_png(PICTURE.astype(np.uint16) * 257)
    shallow = write(tmp_path / "p3.png", matrix(P3)).read_bytes()
    at = shallow.index(b"iCCP") - 4
    chunk = shallow[at : at + 12 + int.from_bytes(shallow[at : at + 4], "big")]
    (tmp_path / "deep.png").write_bytes(plain[:33] + chunk + plain[33:])
    reader, found = first(tmp_path / "deep.png")
    assert np.abs(patches(found) - wanted(P3)).max() <= 3
    assert reader.warnings == ["deep.png: its colours are converted from its profile to sRGB, in 8 bits a channel"]


@pytest.mark.parametrize("icc", [SRGB, b""], ids=["srgb", "none"])
def test_what_is_of_srgb_is_read_as_it_is(tmp_path: Path, icc: bytes) -> None:
    reader, _ = first(write(tmp_path / "a.jpg", icc))
    assert (reader.info.format.layout, reader.info.in_srgb, reader.warnings) == (PlaneOrder.PLANAR, False, [])


@pytest.mark.parametrize(
    ("icc", "why"),
    [
        (profile(b"CMYK", (b"A2B0", b"mft1")), "is for CMYK channels, not for those of the picture"),
        (profile(b"GRAY", (b"kTRC", gamma(1.8))), "is for GRAY channels, not for those of the picture"),
        (b"no profile at all", "cannot be read (cannot open profile from string)"),
    ],
    ids=["inks", "greys", "hollow"],
)
def test_a_profile_that_cannot_count_is_said(tmp_path: Path, icc: bytes, why: str) -> None:
    path = write(tmp_path / "a.png", SRGB)
    path.write_bytes(write(tmp_path / "b.png", icc).read_bytes())
    reader, _ = first(path)
    assert reader.warnings == [f"a.png: its colour profile {why}: it is ignored"]
    assert not reader.info.in_srgb


def test_a_picture_in_srgb_is_not_called_lossless(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, icc in (("srgb", SRGB), ("p3", matrix(P3))):
        source, target = write(tmp_path / f"{name}.png", icc), tmp_path / f"{name}.mkv"
        words = [str(source), str(target), "--style", "none", "--codec", "ffv1", "--device", "cpu"]
        assert run(["transcode", *words]) == 0
        assert ("lossless" in capsys.readouterr().err) == (name == "srgb")


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I4s", len(content), kind) + content + bytes(4)  # the sum of a chunk is not looked at


PNG, ICC = b"\x89PNG\r\n\x1a\n", chunk(b"iCCP", b"name\0\0" + zlib.compress(b"profile"))


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (PNG + chunk(b"IHDR", bytes(13)) + ICC, b"profile"),
        (PNG + ICC + chunk(b"gAMA", bytes(4)) + chunk(b"IDAT", b"") + chunk(b"cICP", bytes(4)), b"profile"),
        (PNG + ICC + chunk(b"cICP", bytes(4)) + chunk(b"IDAT", b""), None),
        (PNG + chunk(b"IDAT", b"pixels") + ICC, None),
        (PNG + chunk(b"IEND", b"") + ICC, None),
        (PNG + chunk(b"iCCP", b"name\0\0no zlib"), b"damaged"),
        (PNG + ICC + ICC[:7], b"profile"),
        (PNG, None),
        (b"\x89PNG\r\n\x1a\r" + ICC, None),
    ],
    ids=["first", "not behind pixels", "cicp", "behind pixels", "behind the end", "no zlib", "cut", "empty", "no png"],
)
def test_the_profile_of_a_png_is_read_from_its_chunks(tmp_path: Path, content: bytes, found: bytes | None) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(content)
    frame = av.VideoFrame(16, 16, "rgb24")
    assert colour_profile(path, "png", frame, None) == found
    assert colour_profile(path, "apng", frame, None) == found
    assert colour_profile(path, "mjpeg", frame, None) is None


def test_a_profile_is_bounded_in_a_png_and_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 40)
    path, frame = tmp_path / "picture.png", av.VideoFrame(16, 16, "rgb24")
    packed = zlib.compress(bytes(1000), 9)
    for size, found in ((40, bytes(40)), (41, None)):
        path.write_bytes(PNG + chunk(b"iCCP", b"n" * (size - 2 - len(packed)) + b"\0\0" + packed))
        assert colour_profile(path, "png", frame, None) == found
