"""Pictures from cameras and editors, with their additional data."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from framebrush.jobs.still import encoded
from framebrush.media.reading.reader import Reader

pytestmark = pytest.mark.media

PICTURE = np.full((48, 64, 3), (200, 100, 50), np.uint8)

READ = """
import gc, sys
from pathlib import Path
from framebrush.media.reading.reader import Reader
with Reader(Path(sys.argv[1])) as reader:
    next(reader)
del reader
gc.collect()
"""


def jpeg_with_exif(path: Path, orientation: int) -> Path:
    """As cameras write it."""
    content = encoded(PICTURE, "mjpeg", "yuvj420p")
    tiff = b"II*\0\x08\0\0\0" + struct.pack("<HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 0)
    exif = b"Exif\0\0" + tiff
    path.write_bytes(content[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + content[2:])
    return path


def png_with_profile(path: Path) -> Path:
    """As image editors write it."""
    content = encoded(PICTURE, "png", "rgb24")
    chunk = b"iCCPsRGB\0\0" + zlib.compress(bytes(128))
    ends = struct.pack(">I", len(chunk) - 4), struct.pack(">I", zlib.crc32(chunk))
    path.write_bytes(content[:33] + ends[0] + chunk + ends[1] + content[33:])
    return path


@pytest.mark.parametrize(("orientation", "degrees", "mirrored"), [(1, 0, False), (2, 0, True), (6, -90, False)])
def test_exif_is_no_obstacle_and_its_orientation_counts(
    tmp_path: Path, orientation: int, degrees: int, mirrored: bool
) -> None:
    with Reader(jpeg_with_exif(tmp_path / "a.jpg", orientation)) as reader:
        assert (reader.info.rotation_degrees, reader.info.mirrored) == (degrees, mirrored)
        assert next(reader).frame.format.width == 64


def test_a_colour_profile_does_not_end_the_process(tmp_path: Path) -> None:
    path = png_with_profile(tmp_path / "a.png")
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
