"""Side data that PyAV cannot read, such as an ICC profile, must not crash the process."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from av.filter.graph import Graph
from av.sidedata.sidedata import Type
from av.video.frame import VideoFrame

from framebrush.media import filters
from framebrush.media import side_data as reading

pytestmark = pytest.mark.media

READ = """
import sys
from pathlib import Path
from framebrush.media.reading.reader import Reader
for _ in range(20):
    with Reader(Path(sys.argv[1])) as reader:
        assert len(list(reader)) == 1
"""


def test_no_threads_are_made_for_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    """FFmpeg waits for them, and Python's lock is kept meanwhile."""
    made: list[Graph] = []

    def watched() -> Graph:
        made.append(Graph())
        return made[-1]

    monkeypatch.setattr(filters, "Graph", watched)
    assert reading.side_data(VideoFrame(32, 24, "yuv420p"), "DISPLAYMATRIX") is None
    assert [graph.threads for graph in made] == [1]


def test_a_frame_that_no_filter_takes_is_no_error() -> None:
    assert reading.side_data(VideoFrame(0, 0, "yuv420p"), "DISPLAYMATRIX") is None


def test_an_unknown_kind_has_its_number() -> None:
    assert (Type(12345).name, Type(12345).value) == ("UNKNOWN_12345", 12345)


def chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


@pytest.mark.slow
def test_a_png_with_a_profile_is_read_again_and_again(tmp_path: Path) -> None:
    """PyAV frees the profile's name twice: the process of whoever reads the side data ended by a signal."""
    rows = zlib.compress((b"\0" + bytes((200, 90, 30)) * 32) * 24)
    profile = b"sRGB\0\0" + zlib.compress(struct.pack(">I", 132) + bytes(128))
    path = tmp_path / "profile.png"
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 32, 24, 8, 2, 0, 0, 0))
        + chunk(b"iCCP", profile)
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )
    done = subprocess.run([sys.executable, "-c", READ, str(path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
