"""Films of full range: which results keep it, code by code and said in the file, and which become limited range."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

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
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec

pytestmark = pytest.mark.media

SIZE = WIDTH, HEIGHT = 256, 128
COUNT = 6
LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="ultrafast")
Codes = npt.NDArray[np.uint8]


def noise(number: int) -> Codes:
    """All codes from 0 to 255, the three planes below one another."""
    return np.random.default_rng(number).integers(0, 256, (HEIGHT * 3 // 2, WIDTH), np.uint8)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.mkv"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        stream.codec_context.color_range, stream.codec_context.colorspace = ColorRange.JPEG, Colorspace.ITU709
        for number in range(COUNT):
            frame = av.VideoFrame.from_ndarray(noise(number), format="yuv420p")
            frame.color_range, frame.colorspace = ColorRange.JPEG, Colorspace.ITU709
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def decoded(path: Path) -> tuple[list[npt.NDArray[Any]], set[int]]:
    """Return the stored planes of each frame, and the ranges in the file's tags."""
    codes, ranges = [], set()
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            codes.append(frame.to_ndarray())
            ranges.add(int(frame.color_range))
    return codes, ranges


def luma(codes: list[npt.NDArray[Any]]) -> npt.NDArray[np.float64]:
    """(frames, rows, columns), as of 8 bits."""
    rows = np.stack([frame.reshape(-1)[: WIDTH * HEIGHT] for frame in codes]).astype(np.float64)
    return rows / (4 if codes[0].dtype == np.uint16 else 1)


def transcode(
    film: Path,
    target: Path,
    device: Device,
    options: OutputOptions | None = None,
    *,
    style: str = "none",
    segments: Literal["auto"] | int = "auto",
) -> list[str]:
    said: list[str] = []
    look = Look(steady=0.0, brush=0.0, relief=0.0)
    spec = JobSpec(
        str(film), str(target), Recipe(StyleSpec(style), look), output=options or OutputOptions(), segments=segments
    )
    run_job(spec, device, Listener(said.append))
    return said


@pytest.mark.parametrize(
    ("name", "options", "segments"),
    [
        ("o.mp4", LOSSLESS, "auto"),
        ("o.mkv", LOSSLESS, 3),
        ("o.mov", LOSSLESS, 3),
        ("o.ts", LOSSLESS, "auto"),
        ("o.mkv", OutputOptions(codec="hevc", crf=0, preset="ultrafast", pix_fmt="yuv420p"), "auto"),
        ("o.mkv", OutputOptions(codec="ffv1", pix_fmt="source"), 3),
        ("o.mxf", OutputOptions(codec="ffv1"), "auto"),
    ],
)
def test_codes_and_range_stay(
    name: str, options: OutputOptions, segments: Literal["auto"] | int, film: Path, device: Device, tmp_path: Path
) -> None:
    transcode(film, tmp_path / name, device, options, segments=segments)
    codes, ranges = decoded(tmp_path / name)
    assert ranges == {ColorRange.JPEG}
    assert len(codes) == COUNT
    assert all(np.array_equal(found, noise(number)) for number, found in enumerate(codes))


@pytest.fixture(scope="module")
def ink(film: Path, device: Device, tmp_path_factory: pytest.TempPathFactory) -> npt.NDArray[np.float64]:
    """Luma of the film painted in ink, of limited range, by which AVI goes."""
    path = tmp_path_factory.mktemp("ink") / "ink.avi"
    transcode(film, path, device, OutputOptions(codec="ffv1"), style="ink")
    return luma(decoded(path)[0])


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("o.mkv", LOSSLESS),
        ("o.mp4", OutputOptions(codec="av1", crf=4)),
        ("o.webm", OutputOptions(codec="vp9", crf=4)),
        ("o.mp4", OutputOptions(codec="libx265", crf=4)),
    ],
)
def test_a_painting_is_the_same_in_both_ranges(
    name: str, options: OutputOptions, film: Path, ink: npt.NDArray[np.float64], device: Device, tmp_path: Path
) -> None:
    transcode(film, tmp_path / name, device, options, style="ink")
    codes, ranges = decoded(tmp_path / name)
    assert ranges == {ColorRange.JPEG}
    off = luma(codes) - (ink - 16) * 255 / 219
    assert abs(off.mean()) < 0.3
    assert np.abs(off).mean() < (0.7 if options is LOSSLESS else 3.0)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("o.mov", OutputOptions(codec="prores"), ColorRange.MPEG),
        ("o.avi", OutputOptions(codec="ffv1"), ColorRange.UNSPECIFIED),
        ("o.avi", OutputOptions(codec="utvideo"), ColorRange.UNSPECIFIED),
    ],
)
def test_what_has_no_full_range_is_limited(
    name: str, options: OutputOptions, said: int, film: Path, device: Device, tmp_path: Path
) -> None:
    transcode(film, tmp_path / name, device, options)
    codes, ranges = decoded(tmp_path / name)
    assert ranges == {said}
    assert luma(codes).mean() == pytest.approx(16 + 219 / 2, abs=1)
    if options.codec != "prores":  # which rings
        assert (luma(codes).min(), luma(codes).max()) == (16, 235)


def test_a_pipe_says_which_range_its_reader_has_to_know(
    film: Path, device: Device, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    said = transcode(film, Path("-"), device, OutputOptions(stream="raw"))
    assert any("bt709, full range, which raw video does not record" in words for words in said)
    codes = np.frombuffer(capfdbinary.readouterr().out, np.uint8).reshape(COUNT, HEIGHT * 3 // 2, WIDTH)
    assert all(np.array_equal(found, noise(number)) for number, found in enumerate(codes))
