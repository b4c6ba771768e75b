"""The label "lossless": only for results with every sample intact."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from av.video.reformatter import ColorRange, Colorspace

from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener
from framebrush.jobs.workers.run import run_job
from framebrush.media.encoding.pixels import PACKED_RGB
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec

pytestmark = pytest.mark.media
SIZE = WIDTH, HEIGHT = 64, 64
COUNT = 2
FULL, LIMITED = ColorRange.JPEG, ColorRange.MPEG
PQ = {"color_trc": 16, "color_primaries": 9, "colorspace": Colorspace.BT2020}
X264 = OutputOptions(codec="libx264", crf=0, preset="ultrafast")
X265 = OutputOptions(codec="libx265", crf=0, preset="ultrafast")


def made(path: Path, pix_fmt: str, color_range: int, tags: dict[str, int]) -> Path:
    """A film of noise, which has every code."""
    chance = np.random.default_rng(1)
    tags = {"colorspace": Colorspace.ITU709, "color_range": color_range, **tags}
    with av.open(str(path), "w") as out:
        stream = out.add_stream("rawvideo" if pix_fmt == "monow" else "ffv1", rate=25)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, pix_fmt
        for key, value in tags.items():
            setattr(stream.codec_context, key, value)
        for _ in range(COUNT):
            frame = av.VideoFrame(*SIZE, pix_fmt)
            bits = frame.format.components[0].bits
            for plane in frame.planes:
                if bits > 8:
                    plane.update(chance.integers(0, 1 << bits, plane.buffer_size // 2, np.uint16).tobytes())
                else:
                    plane.update(chance.integers(0, 256, plane.buffer_size, np.uint8).tobytes())
            for key, value in tags.items():
                setattr(frame, key, value)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def samples(path: Path) -> tuple[str, list[list[npt.NDArray[np.uint8]]]]:
    """The pixel format, and the planes of each frame: bytes of rows."""
    found = []
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            if frame.format.name == "monow":
                frame = frame.reformat(format="gray")
            planes = []
            for plane in frame.planes:
                rows = np.frombuffer(plane, np.uint8).reshape(plane.height, plane.line_size)
                used = plane.width * (2 if frame.format.components[0].bits > 8 else 1)
                packed = frame.format.name in PACKED_RGB
                planes.append(rows.reshape(plane.height, -1, 4)[:, :WIDTH, :3] if packed else rows[:, :used])
            found.append(planes)
    return frame.format.name, found


FFV1, UTVIDEO = OutputOptions(codec="ffv1"), OutputOptions(codec="utvideo")
KEPT, LOST = True, False
CASES = [  # source, its range, its colours, result, options, pixel format of the result, whether all is kept
    ("gray", FULL, {}, "o.mkv", FFV1, "gray", KEPT),
    ("gray", LIMITED, {}, "o.mkv", FFV1, "gray", KEPT),
    ("gray10le", FULL, {}, "o.mkv", FFV1, "gray10le", KEPT),
    ("gray16le", FULL, {}, "o.mkv", FFV1, "gray16le", KEPT),
    ("monow", FULL, {}, "o.mkv", FFV1, "gray", KEPT),
    ("gray", FULL, {}, "o.mkv", X264, "yuvj420p", KEPT),
    ("gray", FULL, {}, "o.mp4", X265, "yuvj420p", KEPT),
    ("gray10le", FULL, {}, "o.mkv", X264, "yuv420p10le", KEPT),
    ("gray", FULL, {}, "o.avi", UTVIDEO, "yuv420p", LOST),
    ("gray", FULL, {}, "o.avi", FFV1, "gray", LOST),
    ("bgr0", FULL, {"colorspace": 0}, "o.mkv", FFV1, "bgr0", KEPT),
    ("gbrp10le", FULL, {"colorspace": 0}, "o.mkv", FFV1, "gbrp10le", KEPT),
    ("gbrp10le", FULL, {"colorspace": 0}, "o.mkv", OutputOptions("ffv1", pix_fmt="gbrp"), "bgr0", LOST),
    ("yuv420p10le", FULL, PQ, "o.mkv", OutputOptions("ffv1", hdr="keep"), "yuv420p10le", KEPT),
    ("yuv420p10le", FULL, PQ, "o.mkv", FFV1, "yuv420p10le", LOST),
    ("yuv422p", LIMITED, {}, "o.avi", UTVIDEO, "yuv422p", KEPT),
    ("yuv422p", FULL, {}, "o.avi", UTVIDEO, "yuv422p", LOST),
    ("yuv422p", LIMITED, {}, "o.mkv", X264, "yuv420p", LOST),
]


@pytest.mark.parametrize(("pix_fmt", "color_range", "tags", "name", "options", "becomes", "kept"), CASES, ids=str)
def test_lossless(
    pix_fmt: str,
    color_range: int,
    tags: dict[str, int],
    name: str,
    options: OutputOptions,
    becomes: str,
    kept: bool,
    device: Device,
    tmp_path: Path,
) -> None:
    film = made(tmp_path / ("film.nut" if pix_fmt == "monow" else "film.mkv"), pix_fmt, color_range, tags)
    said: list[str] = []
    spec = JobSpec(str(film), str(tmp_path / name), Recipe(StyleSpec("none"), Look()), output=options)
    run_job(spec, device, Listener(said.append))
    (video,) = (words for words in said if words.startswith("video: "))
    found, after = samples(tmp_path / name)
    _, before = samples(film)
    assert found == becomes
    grey = pix_fmt.startswith(("gray", "mono"))
    same = found != "bgr0" or pix_fmt == "bgr0"
    same = same and all(
        np.array_equal(one, other)
        for shown, own in zip(after, before, strict=True)
        for one, other in zip(shown[: 1 if grey else None], own, strict=True)
    )
    assert (", lossless" in video, same) == (kept, kept)


def test_a_painting_can_be_grey(device: Device, tmp_path: Path) -> None:
    """The luma of a colour painting becomes the grey picture."""
    film = made(tmp_path / "film.mkv", "yuv420p", LIMITED, {})
    planes = []
    for pix_fmt in ("gray", "yuv420p"):
        target = tmp_path / f"{pix_fmt}.mkv"
        options = OutputOptions(codec="ffv1", pix_fmt=pix_fmt)
        said: list[str] = []
        spec = JobSpec(str(film), str(target), Recipe(StyleSpec("ink"), Look()), output=options)
        run_job(spec, device, Listener(said.append))
        found, frames = samples(target)
        assert found == pix_fmt
        planes.append(np.stack([frame[0] for frame in frames]))
        assert not any("lossless" in words for words in said if pix_fmt == "gray")
    assert np.array_equal(*planes)
