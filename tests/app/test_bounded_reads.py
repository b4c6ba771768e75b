"""Files of others that never end, block, or are larger than they say: each reader refuses them in one sentence."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from framebrush.base.files import read_bounded
from framebrush.cli import job_settings
from framebrush.jobs import saved_look
from framebrush.media.reading import open as opening
from framebrush.media.video import InputError
from framebrush.models import onnx_metadata
from framebrush.models.reading import read_onnx
from framebrush.models.style import StyleError
from framebrush.painted import painted_folder
from framebrush.painted.painted_pictures import read_painted
from framebrush.styles import cube

pytestmark = [
    pytest.mark.unit,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such files in folders"),
]

FRAME = np.zeros((8, 8, 3), np.uint8)

BOUNDED = [
    (saved_look.read_look, "look.json", saved_look, "MAX_BYTES"),
    (cube.read_cube, "table.cube", cube, "MAX_BYTES"),
    (
        lambda path: painted_folder.PaintedFolder(path.parent).read(),
        painted_folder.MANIFEST,
        painted_folder,
        "MOST_BYTES",
    ),
    (opening.open_subtitles, "film.srt", opening, "MAX_SUBTITLE_BYTES"),
    (read_onnx.read_model, "style.onnx", read_onnx, "MAX_BYTES"),
    (onnx_metadata.read_metadata, "style.onnx", onnx_metadata, "MAX_BYTES"),
    (job_settings.read_spec, "job.json", job_settings, "MAX_SPEC_BYTES"),
]
"""What reads a file whole, the file's name, and the limit."""

SPECIAL = [
    *((read, name) for read, name, *_ in BOUNDED),
    (painted_folder.digest, "frame-000001.png"),
    *((lambda path: read_painted(path, FRAME), f"frame-000001.{ending}") for ending in ("png", "ora", "psd")),
]

Read = Callable[[Path], object]
REFUSED = (InputError, StyleError, saved_look.LookError, cube.CubeError)


@pytest.mark.parametrize("special", ["pipe", "device"])
@pytest.mark.parametrize(("read", "name"), SPECIAL)
def test_pipes_and_devices(read: Read, name: str, special: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if special == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    with pytest.raises(REFUSED, match="not a regular file") as refused:
        read(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("read", "name", "module", "limit"), BOUNDED)
def test_a_file_that_is_larger_than_it_says(
    read: Read, name: str, module: object, limit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that grows after its size was asked for: the kernel says 0 bytes of this one."""
    monkeypatch.setattr(module, limit, 100)
    path = tmp_path / name
    path.symlink_to("/proc/self/maps")
    with pytest.raises(REFUSED, match="it has more than 100 bytes, the most for such a file"):
        read(path)


@pytest.mark.parametrize("size", [0, 1, 99, 100])
def test_files_within_the_limit(size: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(size))
    assert read_bounded(path, 100) == bytes(size)
    path.write_bytes(bytes(101))
    with pytest.raises(OSError, match="more than 100 bytes"):
        read_bounded(path, 100)
    assert len(read_bounded(Path("/proc/self/maps"), 1 << 20)) > 100
