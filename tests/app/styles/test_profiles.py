"""Colours of style pictures are those that their ICC profile, or their codes, define."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageCms

from framebrush.gpu import colour
from framebrush.gpu.frame import Primaries
from framebrush.media.reading.profile import from_profile
from framebrush.media.reading.reader import Reader
from framebrush.models.colours import oklab
from framebrush.styles.pictures import open_picture
from tests.media import photographs
from tests.media.photographs import box

pytestmark = pytest.mark.media

D50 = (0.9642, 1.0, 0.8249)
PATCHES = [(200, 80, 40), (60, 160, 90), (40, 70, 190), (128, 128, 128), (240, 230, 210), (20, 18, 16)]
PICTURE = np.repeat(np.repeat(np.array(PATCHES, np.uint8)[None], 48, 0), 32, 1)
"""Six patches of 32x48."""

RGB = npt.NDArray[np.uint8]


def profile(space: bytes, *tags: tuple[bytes, bytes]) -> bytes:
    """A profile of version 2 for a display (ICC.1:2001-04, 6), with these tags."""
    tags = (*tags, (b"wtpt", xyz(D50)), (b"desc", described(b"test")), (b"cprt", b"text\0\0\0\0none\0"))
    at, table, data = 132 + 12 * len(tags), b"", b""
    for name, content in tags:
        content += bytes(-len(content) % 4)
        table += struct.pack(">4sII", name, at + len(data), len(content))
        data += content
    kind = b"Lab " if any(name == b"A2B0" for name, _ in tags) else b"XYZ "
    head = struct.pack(">I4sI4s4s4s", at + len(data), bytes(4), 0x02400000, b"mntr", space, kind)
    head += struct.pack(">6H4s", 2026, 1, 1, 0, 0, 0, b"acsp") + bytes(28)
    head += b"".join(struct.pack(">i", round(value * 65536)) for value in D50)
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + data


def described(text: bytes) -> bytes:
    return b"desc\0\0\0\0" + struct.pack(">I", len(text) + 1) + text + bytes(79)


def xyz(values: tuple[float, ...]) -> bytes:
    return b"XYZ \0\0\0\0" + b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def gamma(power: float) -> bytes:
    return b"curv\0\0\0\0" + struct.pack(">IH", 1, round(power * 256))


def matrix(columns: npt.NDArray[np.float64], power: float = 2.2) -> bytes:
    """columns: (3, 3), XYZ of D50 by channel."""
    names = zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns.T, strict=True)
    curves = [(name, gamma(power)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    return profile(b"RGB ", *((name, xyz(tuple(column))) for name, column in names), *curves)


def table(swap: bool) -> bytes:
    """A profile of tables (lut8Type): R'G'B' to Lab, of a display whose red and blue are swapped."""
    steps = np.linspace(0, 1, 17)
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), -1).reshape(-1, 3)
    light = oklab.to_light((grid[:, ::-1] if swap else grid).astype(np.float32))
    ratios = light @ TO_D50.T / D50
    f = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios / (3 * (6 / 29) ** 2) + 4 / 29)
    lab = np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], -1)
    codes = np.rint(lab * [2.55, 1, 1] + [0, 128, 128]).clip(0, 255).astype(np.uint8).tobytes()
    identity = bytes(range(256)) * 3
    head = (
        b"mft1\0\0\0\0"
        + bytes([3, 3, 17, 0])
        + struct.pack(">9i", *(65536 * value for value in (1, 0, 0, 0, 1, 0, 0, 0, 1)))
    )
    return profile(b"RGB ", (b"A2B0", head + identity + codes + identity))


BRADFORD = np.array(
    [[1.0478112, 0.0228866, -0.0501270], [0.0295424, 0.9904844, -0.0170491], [-0.0092345, 0.0150436, 0.7521316]]
)
TO_D50 = BRADFORD @ colour.rgb_to_xyz(Primaries.BT709)
ADOBE = np.array([[0.60974, 0.20528, 0.14919], [0.31111, 0.62567, 0.06322], [0.01947, 0.06087, 0.74457]])
"""Of Adobe RGB (1998), adapted to D50."""
P3 = BRADFORD @ colour.rgb_to_xyz(Primaries.DISPLAY_P3)


def wanted(to_d50: npt.NDArray[np.float64], power: float = 2.2) -> npt.NDArray[np.float64]:
    """The patches (6, 3) in sRGB, by the formulas alone."""
    light = (np.array(PATCHES) / 255) ** power @ to_d50.T @ np.linalg.inv(TO_D50).T
    return oklab.from_light(np.clip(light, 0, 1).astype(np.float32)).astype(np.float64) * 255


def seen(path: Path) -> npt.NDArray[np.float64]:
    """The patches (6, 3) as a style has them."""
    rgb = open_picture(str(path)).rgb
    return np.array([rgb[8:-8, 32 * i + 8 : 32 * i + 24].mean((0, 1)) for i in range(6)])


def write(path: Path, icc: bytes, picture: RGB = PICTURE) -> Path:
    """A picture with a profile, by Pillow; HEIC by our own writer."""
    if path.suffix == ".heic":
        path.write_bytes(photographs.heic(picture, 1, icc=icc))
    else:
        options = {".jpg": {"quality": 100, "subsampling": 0}, ".webp": {"lossless": True}}.get(path.suffix, {})
        Image.fromarray(picture).save(path, icc_profile=icc, **options)
    return path


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


def test_a_photograph_as_a_film_says_that_its_profile_is_not_applied(tmp_path: Path) -> None:
    of_srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for name, content, says in (("p3", matrix(P3), 1), ("srgb", of_srgb, 0), ("hollow", b"no profile", 0)):
        with Reader(write(tmp_path / f"{name}.png", content)) as reader:
            assert len(reader.warnings) == says
            assert all("its colour profile is not applied" in line for line in reader.warnings)


def test_a_profile_for_other_channels_is_said_and_does_not_count(tmp_path: Path) -> None:
    path = write(tmp_path / "inks.png", profile(b"CMYK", (b"A2B0", b"mft1")))
    assert np.abs(seen(path) - PATCHES).max() <= 1
    assert open_picture(str(path)).notes == (
        "inks: its colour profile is for CMYK channels, not for those of the picture: it does not count",
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
            pictures.append(from_profile(PICTURE[:4], bytes(damaged)))
        except ValueError as error:
            sentences.append(str(error))
    assert pictures
    assert sentences
    assert {(picture.shape, picture.dtype) for picture in pictures} == {(PICTURE[:4].shape, PICTURE.dtype)}
    assert all(sentence.isprintable() for sentence in sentences), sentences


def test_a_chunk_that_unpacks_to_gigabytes_does_not(tmp_path: Path) -> None:
    whole = photographs.png(PICTURE, 1)
    bomb = b"iCCP" + b"x\0\0" + zlib.compress(bytes(64 << 20), 9)
    chunk = struct.pack(">I", len(bomb) - 4) + bomb + struct.pack(">I", zlib.crc32(bomb))
    (tmp_path / "bomb.png").write_bytes(whole[:33] + chunk + whole[33:])
    assert np.abs(seen(tmp_path / "bomb.png") - PATCHES).max() <= 1
