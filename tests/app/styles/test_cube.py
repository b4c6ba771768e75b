"""`.cube` files: reading, refusals, and FFmpeg's reading of written files."""

from __future__ import annotations

from pathlib import Path

import av
import av.filter
import numpy as np
import pytest

from framebrush.models.colours.colour_table import ColourTable, apply
from framebrush.styles.cube import read_cube, write_cube

CURVE = "LUT_1D_SIZE 3\n0 0 0\n0.25 0.5 0.75\n1 1 1\n"


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "a grade.cube"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def rough(size: int) -> ColourTable:
    """Return a table of random colours, some beyond 0..1."""
    return ColourTable(np.random.default_rng(size).uniform(-0.1, 1.1, (size, size, size, 3)).astype(np.float32))


def by_ffmpeg(filters: str, kind: str, planes: np.ndarray) -> np.ndarray:
    """(3, H, W) through filters of FFmpeg, as planes G, B, R of a pixel format."""
    frame = av.VideoFrame(planes.shape[2], planes.shape[1], kind)
    for plane, values in zip(frame.planes, planes[[1, 2, 0]], strict=True):
        padded = np.zeros((plane.height, plane.line_size // values.itemsize), values.dtype)
        padded[:, : plane.width] = values
        plane.update(padded.tobytes())
    graph = av.filter.Graph()
    name, _, arguments = filters.partition("=")
    nodes = [
        graph.add_buffer(width=frame.width, height=frame.height, format=frame.format, time_base="1/25"),
        graph.add(name, arguments),
        graph.add("buffersink"),
    ]
    graph.link_nodes(*nodes).configure()
    graph.push(frame)
    result = graph.pull()
    assert isinstance(result, av.VideoFrame)
    assert result.format.name == kind
    found = [
        np.frombuffer(plane, planes.dtype).reshape(plane.height, -1)[:, : plane.width].copy() for plane in result.planes
    ]
    return np.stack([found[2], found[0], found[1]])


@pytest.mark.media
@pytest.mark.parametrize(("kind", "top", "off"), [("gbrpf32le", 1, 2e-6), ("gbrp", 255, 1), ("gbrp10le", 1023, 1)])
@pytest.mark.parametrize("size", [2, 33])
def test_ffmpeg_gives_what_the_reference_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, top: int, off: float, size: int
) -> None:
    monkeypatch.chdir(tmp_path)  # a whole path would have to be quoted for the graph
    table = rough(size)
    write_cube(table, Path("t.cube"))
    dtype = {"gbrpf32le": np.float32, "gbrp": np.uint8}.get(kind, np.uint16)
    source = (np.random.default_rng(1).random((3, 40, 64)) * top).astype(dtype)
    ours = apply(table, np.moveaxis(source / top, 0, -1).astype(np.float64)) * top
    theirs = np.moveaxis(by_ffmpeg("lut3d=file=t.cube:interp=tetrahedral", kind, source), 0, -1).clip(0, top)
    shown = ours if top == 1 else np.rint(ours)
    assert np.abs(theirs - shown).max() <= off  # FFmpeg cuts the fraction of a code off


@pytest.mark.media
def test_ffmpeg_reads_our_curves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table = read_cube(written(tmp_path, CURVE))
    write_cube(table, Path("t.cube"))
    source = np.random.default_rng(1).random((3, 40, 64)).astype(np.float32)
    ours = apply(table, np.moveaxis(source, 0, -1).astype(np.float64))
    assert np.allclose(np.moveaxis(by_ffmpeg("lut1d=file=t.cube", "gbrpf32le", source), 0, -1), ours, atol=2e-6)
