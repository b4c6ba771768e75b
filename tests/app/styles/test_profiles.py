"""Colours of style pictures: as defined by their ICC profile or colour codes."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from av.video.reformatter import ColorPrimaries
from PIL import ImageCms

from framebrush.gpu import colour
from framebrush.gpu.frame import Primaries
from framebrush.media.to_srgb import ToSrgb
from framebrush.models.colours import oklab
from framebrush.styles.reference_pictures import open_picture
from tests.media import photographs
from tests.media.photographs import box
from tests.media.profiles import ADOBE, P3, PATCHES, PICTURE, RGB, gamma, matrix, profile, table, wanted, write

pytestmark = pytest.mark.media


def seen(path: Path) -> npt.NDArray[np.float64]:
    """The patches (6, 3) as a style has them."""
    rgb = open_picture(str(path)).rgb
    return np.array([rgb[8:-8, 32 * i + 8 : 32 * i + 24].mean((0, 1)) for i in range(6)])


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".tiff", ".webp", ".heic"])
def test_profiles_of_matrices_count_in_every_format(tmp_path: Path, suffix: str) -> None:
    off = 8 if suffix == ".heic" else 3
    for name, columns in (("adobe", ADOBE), ("p3", P3)):
        path = write(tmp_path / f"{name}{suffix}", matrix(columns))
        assert np.abs(seen(path) - wanted(columns)).max() <= off
        assert open_picture(str(path)).notes == ()
    assert np.abs(wanted(ADOBE) - PATCHES).max() > 15  # else this would show nothing


def test_profiles_of_tables_count(tmp_path: Path) -> None:
    same, swapped = (seen(write(tmp_path / f"{swap}.png", table(swap))) for swap in (False, True))
    assert np.abs(same - PATCHES).max() <= 6  # Lab in 8 bits
    assert np.abs(swapped - np.array(PATCHES)[:, ::-1]).max() <= 6


def test_profiles_of_greys_count(tmp_path: Path) -> None:
    grey = np.tile(np.arange(192, dtype=np.uint8), (48, 1))
    path = write(tmp_path / "grey.png", profile(b"GRAY", (b"kTRC", gamma(1.8))), grey)
    found = open_picture(str(path)).rgb[0, :, 0].astype(float)
    right = oklab.from_light(((grey[0] / np.float32(255)) ** 1.8).astype(np.float32)) * 255
    assert np.abs(found - right)[16:].max() <= 2
    assert np.abs(right - grey[0]).max() > 10


def test_primaries_by_codes_count(tmp_path: Path) -> None:
    """In PNG by cICP, which counts before a profile, and in HEIF by nclx."""
    linear = oklab.to_light(np.array(PATCHES, np.float32) / 255)
    matrix_ = colour.gamut_matrix(Primaries.DISPLAY_P3, Primaries.BT709)
    right = oklab.from_light(np.clip(linear @ matrix_.T, 0, 1).astype(np.float32)) * 255
    whole = write(tmp_path / "p3.png", table(swap=True)).read_bytes()
    content = b"cICP" + bytes([12, 13, 0, 1])
    chunk = struct.pack(">I", 4) + content + struct.pack(">I", zlib.crc32(content))
    (tmp_path / "p3.png").write_bytes(whole[:33] + chunk + whole[33:])
    assert np.abs(seen(tmp_path / "p3.png") - right).max() <= 2
    p3 = photographs.heic(PICTURE, 1).replace(
        box(b"colr", b"nclx", struct.pack(">3HB", 1, 13, 6, 0)),
        box(b"colr", b"nclx", struct.pack(">3HB", 12, 13, 6, 0)),
    )
    (tmp_path / "p3.heic").write_bytes(p3)
    assert np.abs(seen(tmp_path / "p3.heic") - right).max() <= 8
    assert np.abs(right - PATCHES).max() > 15


def test_primaries_of_a_film_change_no_colour_of_its_frames(tmp_path: Path) -> None:
    """A colour is chosen from a frame with the codes that the painter gets, not converted by primaries."""
    found = []
    for primaries in (ColorPrimaries.BT709, ColorPrimaries.BT2020):
        path = tmp_path / f"{primaries.name}.mkv"
        with av.open(path, "w") as out:
            stream = out.add_stream("ffv1", rate=25)
            stream.height, stream.width = PICTURE.shape[:2]
            stream.pix_fmt = "yuv444p"
            stream.codec_context.color_primaries = primaries
            stream.codec_context.color_trc = stream.codec_context.colorspace = 1
            out.mux(stream.encode(av.VideoFrame.from_ndarray(PICTURE, "rgb24")))
            out.mux(stream.encode(None))
        found.append(open_picture(f"{path}@0").rgb)
    np.testing.assert_array_equal(*found)


def test_a_profile_for_other_channels_is_said_and_does_not_count(tmp_path: Path) -> None:
    path = write(tmp_path / "inks.png", profile(b"CMYK", (b"A2B0", b"mft1")))
    assert np.abs(seen(path) - PATCHES).max() <= 1
    assert open_picture(str(path)).notes == (
        "inks: its colour profile is for CMYK channels, not for those of the picture: it is ignored",
    )
    (tmp_path / "hollow.png").write_bytes(write(path, b"no profile at all").read_bytes())
    assert "its colour profile cannot be read" in open_picture(str(tmp_path / "hollow.png")).notes[0]
    assert np.abs(seen(tmp_path / "hollow.png") - PATCHES).max() <= 1


@pytest.mark.parametrize("kind", ["matrix", "table", "v4"])
def test_damaged_profiles_give_a_picture_or_a_sentence(kind: str) -> None:
    made = {"matrix": matrix(P3), "table": table(swap=True)}
    whole = made.get(kind) or ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    dice = np.random.default_rng(7)
    pictures, sentences = list[RGB](), list[str]()
    for case in range(120):
        damaged = bytearray(whole)
        for _ in range(dice.integers(1, 8)):
            at = int(dice.integers(0, min(len(damaged), 700)))  # header, tags and the heads of tables
            damaged[at] = int(dice.integers(0, 256))
        if case % 4 == 0:
            damaged = damaged[: dice.integers(0, len(damaged))]
        try:
            pictures.append(ToSrgb(bytes(damaged))(PICTURE[:4]))
        except ValueError as error:
            sentences.append(str(error))
    assert pictures
    assert sentences
    assert {(picture.shape, picture.dtype) for picture in pictures} == {(PICTURE[:4].shape, PICTURE.dtype)}
    assert all(sentence.isprintable() for sentence in sentences), sentences


@pytest.mark.slow
def test_a_chunk_that_unpacks_to_gigabytes_does_not(tmp_path: Path) -> None:
    whole = photographs.png(PICTURE, 1)
    bomb = b"iCCP" + b"x\0\0" + zlib.compress(bytes(64 << 20), 9)
    chunk = struct.pack(">I", len(bomb) - 4) + bomb + struct.pack(">I", zlib.crc32(bomb))
    (tmp_path / "bomb.png").write_bytes(whole[:33] + chunk + whole[33:])
    assert np.abs(seen(tmp_path / "bomb.png") - PATCHES).max() <= 1
