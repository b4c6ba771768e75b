"""Pictures with ICC profiles, and their expected colours."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from framebrush.gpu import colour
from framebrush.gpu.frame import Primaries
from framebrush.models.colours import oklab
from tests.media import photographs

D50 = (0.9642, 1.0, 0.8249)
PATCHES = [(200, 80, 40), (60, 160, 90), (40, 70, 190), (128, 128, 128), (240, 230, 210), (20, 18, 16)]
PICTURE = np.repeat(np.repeat(np.array(PATCHES, np.uint8)[None], 48, 0), 32, 1)
"""Six patches of 32x48."""

RGB = npt.NDArray[np.uint8]


def profile(space: bytes, *tags: tuple[bytes, bytes]) -> bytes:
    """Return a version 2 profile for a display or a printer (ICC.1:2001-04, 6)."""
    tags = (*tags, (b"wtpt", xyz(D50)), (b"desc", described(b"test")), (b"cprt", b"text\0\0\0\0none\0"))
    at, table, data = 132 + 12 * len(tags), b"", b""
    for name, content in tags:
        content += bytes(-len(content) % 4)
        table += struct.pack(">4sII", name, at + len(data), len(content))
        data += content
    kind = b"Lab " if any(name == b"A2B0" for name, _ in tags) else b"XYZ "
    made_for = b"prtr" if space == b"CMYK" else b"mntr"
    head = struct.pack(">I4sI4s4s4s", at + len(data), bytes(4), 0x02400000, made_for, space, kind)
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
    """Return a matrix profile. columns: (3, 3), D50 XYZ by channel."""
    names = zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns.T, strict=True)
    curves = [(name, gamma(power)) for name in (b"rTRC", b"gTRC", b"bTRC")]
    return profile(b"RGB ", *((name, xyz(tuple(column))) for name, column in names), *curves)


def table(swap: bool) -> bytes:
    """Return a table profile R'G'B' to Lab that swaps red and blue."""
    grid = corners(3, 17)
    return profile(b"RGB ", (b"A2B0", to_lab(oklab.to_light((grid[:, ::-1] if swap else grid).astype(np.float32)), 3)))


def inks() -> bytes:
    """Return a table profile CMYK to Lab, by `light_of_inks`."""
    return profile(b"CMYK", (b"A2B0", to_lab(light_of_inks(corners(4, 9)), 4)))


def light_of_inks(amounts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return linear R'G'B' (N, 3) of ink amounts (N, 4), 0..1."""
    through = np.array([[0.05, 0.35, 0.7], [0.7, 0.04, 0.25], [0.9, 0.75, 0.02], [0.0, 0.0, 0.0]])
    made: npt.NDArray[np.float64] = (1 - amounts[:, :, None] * (1 - through)).prod(1)
    return made


def corners(channels: int, steps: int) -> npt.NDArray[np.float64]:
    """Return grid points, (N, channels), last channel fastest."""
    return np.stack(np.meshgrid(*[np.linspace(0, 1, steps)] * channels, indexing="ij"), -1).reshape(-1, channels)


def to_lab(light: npt.NDArray[Any], channels: int) -> bytes:
    """Return a table (lut8Type) with linear R'G'B' colours (N, 3)."""
    ratios = light @ TO_D50.T / D50
    f = np.where(ratios > (6 / 29) ** 3, np.cbrt(ratios), ratios / (3 * (6 / 29) ** 2) + 4 / 29)
    lab = np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], -1)
    codes = np.rint(lab * [2.55, 1, 1] + [0, 128, 128]).clip(0, 255).astype(np.uint8).tobytes()
    identity = bytes(range(256))
    head = b"mft1\0\0\0\0" + bytes([channels, 3, round(len(light) ** (1 / channels)), 0])
    head += struct.pack(">9i", *(65536 * value for value in (1, 0, 0, 0, 1, 0, 0, 0, 1)))
    return head + identity * channels + codes + identity * 3


BRADFORD = np.array(
    [[1.0478112, 0.0228866, -0.0501270], [0.0295424, 0.9904844, -0.0170491], [-0.0092345, 0.0150436, 0.7521316]]
)
TO_D50 = BRADFORD @ colour.rgb_to_xyz(Primaries.BT709)
ADOBE = np.array([[0.60974, 0.20528, 0.14919], [0.31111, 0.62567, 0.06322], [0.01947, 0.06087, 0.74457]])
"""XYZ of Adobe RGB (1998), adapted to D50."""
P3 = BRADFORD @ colour.rgb_to_xyz(Primaries.DISPLAY_P3)


def wanted(to_d50: npt.NDArray[np.float64], power: float = 2.2) -> npt.NDArray[np.float64]:
    """Return the patches (6, 3) in sRGB, by formulas."""
    light = (np.array(PATCHES) / 255) ** power @ to_d50.T @ np.linalg.inv(TO_D50).T
    return oklab.from_light(np.clip(light, 0, 1).astype(np.float32)).astype(np.float64) * 255


def write(path: Path, icc: bytes, picture: RGB = PICTURE) -> Path:
    """Write a picture with a profile, HEIC or another format."""
    if path.suffix == ".heic":
        path.write_bytes(photographs.heic(picture, 1, icc=icc))
    else:
        options = {".jpg": {"quality": 100, "subsampling": 0}, ".webp": {"lossless": True}}.get(path.suffix, {})
        Image.fromarray(picture).save(path, icc_profile=icc, **options)
    return path
