"""A file's colour tags: obeyed, or refused with the reason; guessed only if absent."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Matrix
from framebrush.jobs.still import paint_still
from framebrush.jobs.transcode import ignore
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError, TimeRange
from framebrush.styles.style_names import OpenedStyle
from tests.app.jobs.footage import job, transcode

pytestmark = pytest.mark.media

Values = npt.NDArray[np.float64]

PATCHES = np.array([(0, 254, 0), (200, 30, 40), (20, 60, 220), (250, 250, 250), (128, 90, 60), (3, 3, 3)], np.float64)
SIDE = 32


def by_weights(kr: float, kb: float) -> Callable[[Values, bool], Values]:
    """Codes (n, 3) of R'G'B' (n, 3) of 0..1: H.273, equations 20 to 31 and 38 to 40."""

    def codes(rgb: Values, full: bool) -> Values:
        luma = rgb @ np.array([kr, 1 - kr - kb, kb])
        chroma = (rgb[:, 2] - luma) / (2 * (1 - kb)), (rgb[:, 0] - luma) / (2 * (1 - kr))
        scale, offset, chroma_scale = (255, 0, 255) if full else (219, 16, 224)
        return np.stack([luma * scale + offset, *(part * chroma_scale + 128 for part in chroma)], 1)

    return codes


def ycgco(rgb: Values, full: bool) -> Values:
    """Convert by H.273, equations 46 to 48, with R, G and B as codes."""
    red, green, blue = (rgb * 255 if full else rgb * 219 + 16).T
    luma, cg, co = 0.5 * green + 0.25 * (red + blue), 0.5 * green - 0.25 * (red + blue), 0.5 * (red - blue)
    return np.stack([luma, cg + 128, co + 128], 1)


# Tags of matrix and primaries, and how the codes are made. 0.2290 and 0.0793 are what SMPTE EG 432-1 gives for P3.
KNOWN = {
    "FCC": (4, 1, by_weights(0.30, 0.11)),
    "240M": (7, 7, by_weights(0.212, 0.087)),
    "YCgCo": (8, 1, ycgco),
    "derived from 709": (12, 1, by_weights(0.2126, 0.0722)),
    "derived from P3": (12, 12, by_weights(0.2290, 0.0793)),
}


def film(path: Path, matrix: int, primaries: int, codes: Values, *, full: bool) -> Path:
    """Two lossless frames of 4:4:4 with a patch for each row of codes."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = SIDE * len(codes), SIDE, "yuv444p"
        context = stream.codec_context
        context.colorspace, context.color_primaries, context.color_range = matrix, primaries, 2 if full else 1
        planes = np.floor(codes.T + 0.5).clip(0, 255).astype(np.uint8)
        for number in range(2):
            frame = av.VideoFrame.from_ndarray(np.tile(planes.repeat(SIDE, 1)[:, None], (1, SIDE, 1)), "yuv444p")
            frame.pts = number
            frame.colorspace, frame.color_primaries, frame.color_range = matrix, primaries, 2 if full else 1
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def patches(path: Path) -> Values:
    """The colours in the middle of the patches, by FFmpeg's own eyes."""
    with av.open(str(path)) as container:
        picture = next(container.decode(video=0)).to_ndarray(format="rgb24")
    return picture[SIDE // 2, SIDE // 2 :: SIDE].astype(np.float64)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("name", KNOWN)
def test_colours_are_those_of_the_standard(tmp_path: Path, name: str, full: bool) -> None:
    matrix, primaries, codes = KNOWN[name]
    source = film(tmp_path / "film.mkv", matrix, primaries, codes(PATCHES / 255, full), full=full)
    with open_device("cpu") as device:
        made = job(source, tmp_path / "still.png", device, span=TimeRange(frames=1))
        paint_still(made.spec, OpenedStyle(made.style), device, ignore)
        transcode(job(source, tmp_path / "out.mkv", device))
    np.testing.assert_allclose(patches(tmp_path / "still.png"), PATCHES, atol=2)
    np.testing.assert_allclose(patches(tmp_path / "out.mkv"), PATCHES, atol=8)  # 4:2:0 of limited range, and lossy


@pytest.mark.parametrize(
    ("matrix", "primaries", "said"),
    [
        (10, 9, "BT.2020 of constant luminance"),
        (13, 1, "chroma-derived of constant luminance"),
        (14, 9, "ICtCp"),
        (12, 2, "primaries with code 2"),
        (12, 8, "primaries with code 8"),
    ],
)
def test_what_is_not_converted_is_refused(tmp_path: Path, matrix: int, primaries: int, said: str) -> None:
    source = film(tmp_path / "film.mkv", matrix, primaries, ycgco(PATCHES / 255, True), full=True)
    with pytest.raises(InputError, match=f"film.mkv: its colours .*{said}.*convert it to H.264 in BT.709 first"):
        Reader(source)


def tagged(name: str, matrix: int, *, primaries: int = 2, transfer: int = 2) -> av.VideoFrame:
    frame = av.VideoFrame(64, 48, name)
    frame.colorspace, frame.color_primaries, frame.color_trc = matrix, primaries, transfer
    return frame


@pytest.mark.parametrize("matrix", [11, 15, 16, 17, 18, 200])
def test_codes_that_this_program_does_not_know_are_refused(matrix: int) -> None:
    with pytest.raises(ValueError, match="not converted here"):
        Planes(tagged("yuv420p", matrix), "ffv1")


def test_primaries_count_where_light_is_converted() -> None:
    """SDR passes unchanged, whatever its primaries; HDR is converted to BT.709's."""
    assert Planes(tagged("yuv420p", 1, primaries=8), "ffv1").format.matrix is Matrix.BT709
    with pytest.raises(ValueError, match="primaries with code 8"):
        Planes(tagged("yuv420p10le", 9, primaries=8, transfer=16), "ffv1")


def test_a_tag_that_cannot_be_true_is_reported(tmp_path: Path) -> None:
    """Some recorders tag 4:2:0 as R'G'B'. A picture without chroma may have that tag."""
    with av.open(str(tmp_path / "film.mkv"), "w") as out:
        stream = out.add_stream("libx264", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.options = {"x264-params": "colormatrix=GBR"}
        out.mux(stream.encode(av.VideoFrame(64, 48, "yuv420p")))
        out.mux(stream.encode())
    with Reader(tmp_path / "film.mkv") as reader:
        assert reader.info.format.matrix is Matrix.BT601
        assert reader.warnings == ["colours: tagged as R'G'B', which the samples are not: read as BT601"]
    assert Planes(tagged("gray", 0), "png").format.matrix is Matrix.BT601


def test_a_matrix_that_swscale_lacks_survives_repacking_but_no_change() -> None:
    packed = tagged("uyvy422", 8)
    samples = np.random.default_rng(1).integers(0, 256, packed.planes[0].buffer_size, np.uint8)
    packed.planes[0].update(samples.tobytes())
    rows = samples.reshape(48, -1)[:, :128]
    found = Planes(packed, "rawvideo")
    assert found.format.matrix is Matrix.YCGCO
    luma, cg, co = found.wrap(packed).planes
    np.testing.assert_array_equal(luma, rows[:, 1::2])
    np.testing.assert_array_equal(cg, rows[:, 0::4])
    np.testing.assert_array_equal(co, rows[:, 2::4])
    with pytest.raises(ValueError, match="its colours change from YCGCO to BT709"):
        found.wrap(tagged("uyvy422", 1))
