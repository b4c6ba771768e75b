"""Decoded samples and colour tags arrive unchanged: every pixel format of FFmpeg, every guess."""

from __future__ import annotations

import re

import av
import numpy as np
import pytest
from av.video.format import VideoFormat, names
from av.video.frame import VideoFrame
from av.video.plane import VideoPlane

from assets.make_clips import CLIPS
from framebrush.gpu import colour
from framebrush.gpu.frame import Frame, FrameFormat, Matrix, Plane, PlaneOrder, Primaries, Siting, Transfer
from framebrush.gpu.stages.planes_to_tensor import planes_to_rgb
from framebrush.media.ffmpeg_planes import Planes, nearest, packing
from framebrush.media.reading.reader import Reader
from framebrush.media.tags import doubts, peak_of, tags_of

pytestmark = pytest.mark.media

# What cannot be taken back bit by bit: swscale dithers on the way back to few bits, and float has more of them.
LOSSY = ("rgb4", "bgr4", "rgb5", "bgr5", "mono", "xyz", "f32", "f16", "msb")


def coloured(name: str, width: int, height: int) -> VideoFrame | None:
    """A frame of random blocks in a pixel format, None where swscale cannot make it."""
    blocks = np.random.default_rng(7).integers(0, 256, (height // 2, width // 2, 3), np.uint8)
    source = VideoFrame.from_ndarray(blocks.repeat(2, axis=0).repeat(2, axis=1), "rgb24")
    try:
        return source.reformat(format=name)
    except (OSError, ValueError):
        return None


MADE = [name for name in sorted(names) if coloured(name, 4, 4)]
DIRECT = [name for name in MADE if packing(name)]
CONVERTED = [name for name in MADE if not packing(name)]


def plane_of(frame: VideoFrame, index: int) -> VideoPlane:
    """Return the plane for an index; grey floats have one plane that is read three times."""
    return frame.planes[0 if frame.format.name.startswith("grayf") else index]


def row_bytes(frame: VideoFrame, index: int, like: Plane) -> bytes:
    """Return a plane's bytes without padding; rows are as long as in `like`."""
    plane = plane_of(frame, index)
    padded = np.frombuffer(bytes(plane), np.uint8).reshape(-1, plane.line_size)
    return padded[:, : like[0].nbytes].tobytes()


@pytest.mark.parametrize("name", DIRECT)
def test_usable_formats_are_views_of_the_decoded_samples(name: str) -> None:
    source = coloured(name, 70, 46)  # rows that are padded
    assert source
    frame = Planes(source, "ffv1").wrap(source)
    for index, plane in enumerate(frame.planes):
        whole = np.frombuffer(plane_of(source, index), np.uint8)
        assert np.shares_memory(plane, whole)
        assert not plane.flags.writeable
        assert plane.tobytes() == row_bytes(source, index, plane)
    assert frame.format.bits == max(component.bits for component in source.format.components)


@pytest.mark.parametrize("name", CONVERTED)
def test_other_formats_are_converted_without_loss(name: str) -> None:
    source = coloured(name, 64, 48)  # rows that are not, so that whole buffers can be compared
    assert source
    if name in ("rgb4", "bgr4"):  # swscale writes but does not read them; no decoder gives them
        with pytest.raises(OSError, match=r"not supported|number -129"):
            Planes(source, "ffv1")
        return
    frame = Planes(source, "ffv1").wrap(source)
    usable = nearest(source.format)
    direct = source.reformat(format=usable)
    for index, plane in enumerate(frame.planes):
        assert plane.tobytes() == row_bytes(direct, index, plane)
    if not any(part in name for part in LOSSY):
        back = direct.reformat(format=name)
        for plane, again in zip(source.planes, back.planes, strict=True):
            assert bytes(plane) == bytes(again)


@pytest.mark.parametrize(
    ("name", "layout", "bits", "shift", "subsample"),
    [
        ("gray", PlaneOrder.GREY, 8, 0, (0, 0)),
        ("gray12le", PlaneOrder.GREY, 12, 0, (0, 0)),
        ("yuvj420p", PlaneOrder.PLANAR, 8, 0, (1, 1)),
        ("yuv440p10le", PlaneOrder.PLANAR, 10, 0, (0, 1)),
        ("yuv411p", PlaneOrder.PLANAR, 8, 0, (2, 0)),
        ("yuv410p", PlaneOrder.PLANAR, 8, 0, (2, 2)),
        ("yuva444p16le", PlaneOrder.PLANAR, 16, 0, (0, 0)),
        ("nv12", PlaneOrder.SEMI_PLANAR, 8, 0, (1, 1)),
        ("p010le", PlaneOrder.SEMI_PLANAR, 10, 6, (1, 1)),
        ("p212le", PlaneOrder.SEMI_PLANAR, 12, 4, (1, 0)),
        ("p416le", PlaneOrder.SEMI_PLANAR, 16, 0, (0, 0)),
        ("gbrap10le", PlaneOrder.GBR, 10, 0, (0, 0)),
        ("gbrpf32le", PlaneOrder.GBR, 32, 0, (0, 0)),
        ("gbrapf16le", PlaneOrder.GBR, 16, 0, (0, 0)),
        ("grayf32le", PlaneOrder.GBR, 32, 0, (0, 0)),
        ("rgba", PlaneOrder.RGBA, 8, 0, (0, 0)),
        # converted
        ("rgbf32le", PlaneOrder.GBR, 16, 0, (0, 0)),
        ("nv21", PlaneOrder.PLANAR, 8, 0, (1, 1)),
        ("p010be", PlaneOrder.SEMI_PLANAR, 10, 6, (1, 1)),
        ("yuyv422", PlaneOrder.PLANAR, 8, 0, (1, 0)),
        ("uyyvyy411", PlaneOrder.PLANAR, 8, 0, (2, 0)),
        ("y212le", PlaneOrder.PLANAR, 12, 0, (1, 0)),
        ("xv30le", PlaneOrder.PLANAR, 10, 0, (0, 0)),
        ("rgb48be", PlaneOrder.GBR, 16, 0, (0, 0)),
        ("x2rgb10le", PlaneOrder.GBR, 10, 0, (0, 0)),
        ("bayer_rggb8", PlaneOrder.RGBA, 8, 0, (0, 0)),
        ("bayer_rggb16le", PlaneOrder.GBR, 16, 0, (0, 0)),
        ("pal8", PlaneOrder.RGBA, 8, 0, (0, 0)),
        ("bgr24", PlaneOrder.RGBA, 8, 0, (0, 0)),
        ("monow", PlaneOrder.GREY, 8, 0, (0, 0)),
        ("ya16le", PlaneOrder.GREY, 16, 0, (0, 0)),
    ],
)
def test_packing(name: str, layout: PlaneOrder, bits: int, shift: int, subsample: tuple[int, int]) -> None:
    found = packing(nearest(VideoFormat(name, 64, 48)))
    assert found is not None
    assert (found.layout, found.bits, found.shift, found.subsample) == (layout, bits, shift, subsample)


@pytest.mark.parametrize("name", ["bayer_rggb8", "bayer_bggr16le"])
@pytest.mark.parametrize("height", [3, 5, 9, 101])
def test_an_odd_number_of_rows_of_a_bayer_pattern_is_read(height: int, name: str) -> None:
    frame = av.VideoFrame(8, height, name)
    for plane in frame.planes:
        plane.update(b"\x40" * plane.buffer_size)
    planes = Planes(frame, "rawvideo").wrap(frame).planes
    assert [plane.shape[:2] for plane in planes] == [(height, 8)] * len(planes)
    assert all(0x40 in plane or 0x4040 in plane for plane in planes)


@pytest.mark.parametrize("name", ["yaf32le", "yaf32be"])
def test_what_swscale_ends_the_process_over_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"pixel format {name} has no samples that can be read"):
        Planes(av.VideoFrame(8, 8, name), "rawvideo")


def test_a_single_row_of_a_bayer_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="one row has no colours"):
        Planes(av.VideoFrame(8, 1, "bayer_rggb8"), "rawvideo")


@pytest.mark.parametrize("name", ["422.mp4", "444.mp4", "grey.mkv", "rgb.mkv", "odd.mp4", "10bit.mp4"])
def test_samples_are_those_of_to_ndarray(name: str) -> None:
    with Reader(CLIPS / name) as reader, av.open(str(CLIPS / name)) as container:
        for read, decoded in zip(reader, container.decode(video=0), strict=True):
            planes = read.frame.planes
            if read.frame.format.layout is PlaneOrder.PLANAR:
                for index, plane in enumerate(planes):
                    component = decoded.planes[index]
                    expected = np.frombuffer(component, plane.dtype).reshape(-1, component.line_size // plane.itemsize)
                    assert np.array_equal(plane, expected[:, : plane.shape[1]])
                luma = decoded.to_ndarray(format="gray16le" if plane.itemsize == 2 else "gray")
                assert luma.shape == planes[0].shape
            elif read.frame.format.layout is PlaneOrder.GBR:
                assert np.array_equal(np.stack([planes[2], planes[0], planes[1]], axis=-1), decoded.to_ndarray())
            else:
                assert np.array_equal(planes[0], decoded.to_ndarray())


def planar(bits: int, matrix: Matrix, **more: object) -> FrameFormat:
    values: dict[str, object] = {"subsample": (1, 1), "matrix": matrix} | more
    return FrameFormat(160, 96, PlaneOrder.PLANAR, bits, **values)  # type: ignore[arg-type]


WIDE = {"primaries": Primaries.BT2020, "siting": Siting.TOP_LEFT}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("cfr.mp4", planar(8, Matrix.BT709)),
        ("10bit.mp4", planar(10, Matrix.BT709)),
        ("full-range.mp4", planar(8, Matrix.BT709, full_range=True)),
        ("untagged.mp4", planar(8, Matrix.BT601)),
        ("hlg.mp4", planar(10, Matrix.BT2020, transfer=Transfer.HLG, **WIDE)),
        ("pq.mp4", planar(10, Matrix.BT2020, transfer=Transfer.PQ, peak_nits=1200.0, **WIDE)),
        ("rgb24.mov", FrameFormat(160, 96, PlaneOrder.RGBA, matrix=Matrix.RGB, full_range=True)),
        ("rgb.mkv", FrameFormat(160, 96, PlaneOrder.GBR, matrix=Matrix.RGB, full_range=True)),
    ],
)
def test_the_format_of_a_clip_is_complete(name: str, expected: FrameFormat) -> None:
    with Reader(CLIPS / name) as reader:
        assert reader.info.format == expected
        assert next(reader).frame.format == expected


@pytest.mark.parametrize(
    ("name", "rotation", "aspect"), [("rotated.mp4", 90, "1"), ("anamorphic.mp4", 0, "16/11"), ("cfr.mp4", 0, "1")]
)
def test_rotation_and_aspect(name: str, rotation: int, aspect: str) -> None:
    with Reader(CLIPS / name) as reader:
        assert (reader.info.rotation_degrees, str(reader.info.sample_aspect)) == (rotation, aspect)


@pytest.mark.parametrize(
    ("size", "tags", "codec", "expected"),
    [
        # size, (primaries, transfer, matrix, range), codec; matrix, primaries, full range, siting
        ((1280, 544), (2, 2, 2, 0), "h264", (Matrix.BT709, Primaries.BT709, False, Siting.LEFT)),
        ((1280, 16), (2, 2, 2, 0), "h264", (Matrix.BT709, Primaries.BT709, False, Siting.LEFT)),
        ((1278, 576), (2, 2, 2, 0), "h264", (Matrix.BT601, Primaries.BT601_625, False, Siting.LEFT)),
        ((720, 577), (2, 2, 2, 0), "h264", (Matrix.BT709, Primaries.BT709, False, Siting.LEFT)),
        ((720, 486), (2, 2, 2, 0), "h264", (Matrix.BT601, Primaries.BT601_525, False, Siting.LEFT)),
        ((720, 488), (2, 2, 2, 0), "h264", (Matrix.BT601, Primaries.BT601_525, False, Siting.LEFT)),
        ((720, 482), (2, 2, 2, 0), "h264", (Matrix.BT601, Primaries.BT709, False, Siting.LEFT)),
        ((720, 576), (2, 2, 2, 0), "h264", (Matrix.BT601, Primaries.BT601_625, False, Siting.LEFT)),
        ((720, 480), (2, 2, 2, 0), "h264", (Matrix.BT601, Primaries.BT601_525, False, Siting.LEFT)),
        ((640, 360), (2, 2, 2, 2), "h264", (Matrix.BT601, Primaries.BT709, True, Siting.LEFT)),
        ((640, 360), (2, 2, 2, 2), "mjpeg", (Matrix.BT601, Primaries.BT709, True, Siting.CENTRE)),
        ((640, 360), (2, 16, 2, 0), "hevc", (Matrix.BT2020, Primaries.BT2020, False, Siting.TOP_LEFT)),
        ((640, 360), (9, 2, 2, 1), "hevc", (Matrix.BT2020, Primaries.BT2020, False, Siting.TOP_LEFT)),
        ((640, 360), (12, 1, 1, 1), "hevc", (Matrix.BT709, Primaries.DISPLAY_P3, False, Siting.LEFT)),
        ((1920, 1080), (2, 2, 5, 1), "h264", (Matrix.BT601, Primaries.BT709, False, Siting.LEFT)),
        ((1920, 1080), (6, 6, 6, 1), "h264", (Matrix.BT601, Primaries.BT601_525, False, Siting.LEFT)),
    ],
)
def test_missing_tags_are_guessed_as_mpv_does(
    size: tuple[int, int],
    tags: tuple[int, int, int, int],
    codec: str,
    expected: tuple[Matrix, Primaries, bool, Siting],
) -> None:
    frame = VideoFrame(*size, "yuv420p")
    frame.color_primaries, frame.color_trc, frame.colorspace, frame.color_range = tags
    found = Planes(frame, codec).format
    assert (found.matrix, found.primaries, found.full_range, found.siting) == expected


@pytest.mark.parametrize("code", range(24))
def test_codes_of_matrices_mean_what_h273_says(code: int) -> None:
    known = {1: "bt709", 4: "fcc", 5: "bt601", 6: "bt601", 7: "smpte240m", 8: "ycgco", 9: "bt2020"}
    known |= dict.fromkeys((0, 2, 3), "bt601")  # for a film of this size that does not say it
    known |= {12: "chroma-derived"}
    other = {10: "BT.2020 of constant luminance", 11: "Y'D'zD'x", 13: "chroma-derived of constant luminance"}
    other |= {14: "ICtCp", 15: "IPT-C2", 16: "YCgCo-Re", 17: "YCgCo-Ro"}
    frame = VideoFrame(64, 48, "yuv420p")
    frame.color_primaries, frame.colorspace = 1, code
    if code in known:
        planes = Planes(frame, "h264")
        assert planes.format.matrix == known[code]
        assert bool(doubts(tags_of(frame), planes.format)) is (code == 0)
    else:
        name = re.escape(other.get(code, f"a matrix with code {code}"))
        with pytest.raises(ValueError, match=f"its colours are coded as {name}, which is not converted here"):
            Planes(frame, "h264")


@pytest.mark.parametrize("code", range(24))
def test_codes_of_primaries_mean_what_h273_says(code: int) -> None:
    known = {1: Primaries.BT709, 5: Primaries.BT601_625, 6: Primaries.BT601_525, 7: Primaries.BT601_525}
    known |= {9: Primaries.BT2020, 11: Primaries.DISPLAY_P3, 12: Primaries.DISPLAY_P3, 22: Primaries.BT601_625}
    frame = VideoFrame(64, 48, "yuv420p")
    frame.color_primaries, frame.colorspace = code, 1
    assert Planes(frame, "h264").format.primaries is known.get(code, Primaries.BT709)
    frame.colorspace = 12  # its matrix follows from them
    if code in {1, 5, 6, 7, 9, 12}:
        assert Planes(frame, "h264").format.matrix is Matrix.CHROMA_DERIVED
    else:
        with pytest.raises(ValueError, match=f"its colours have primaries with code {code}, which are not converted"):
            Planes(frame, "h264")
    frame.colorspace, frame.color_trc = 9, 18
    if code in known or code in {0, 2, 3}:
        assert Planes(frame, "h264").format.primaries is known.get(code, Primaries.BT2020)
    else:
        with pytest.raises(ValueError, match=f"its colours have primaries with code {code}, which are not converted"):
            Planes(frame, "h264")


@pytest.mark.parametrize(
    ("light_nits", "display_nits", "peak_nits"),
    [(0, 0, 1000), (0, 4000, 4000), (400, 4000, 400), (50, 4000, 100), (0, 99, 100), (1, 0, 100), (20_000, 0, 10_000)],
)
def test_the_peak_is_that_of_the_light_or_of_the_display(
    light_nits: float, display_nits: float, peak_nits: float
) -> None:
    assert peak_of(light_nits, display_nits) == peak_nits


def flat(width: int, height: int, name: str, planes: list[Plane]) -> VideoFrame:
    """A frame of 8 bits with these samples."""
    frame = VideoFrame(width, height, name)
    for plane, samples in zip(frame.planes, planes, strict=True):
        padded = np.zeros((plane.height, plane.line_size), np.uint8)
        padded[:, : samples.shape[1]] = samples
        plane.update(padded.tobytes())
    return frame


def test_scaling_keeps_edges_sharp() -> None:
    """A cubic kernel overshoots at an edge; a linear one, which blurs, cannot."""
    luma = np.where(np.arange(128) < 63, 60, 180).astype(np.uint8)[None].repeat(64, axis=0)
    grey = np.full((32, 64), 128, np.uint8)
    source = flat(128, 64, "yuv420p", [luma, grey, grey])
    first = VideoFrame(64, 32, "yuv420p")
    scaled = Planes(first, "ffv1").wrap(source).planes[0]
    assert scaled.min() < 60
    assert scaled.max() > 180


def test_scaling_does_not_shift_levels() -> None:
    """Rounding that is not exact makes pictures darker: the mean of a noisy one moves by hundredths of a code."""
    luma = np.random.default_rng(3).integers(60, 180, (360, 640), np.uint8)
    grey = np.full((180, 320), 128, np.uint8)
    source = flat(640, 360, "yuv420p", [luma, grey, grey])
    first = VideoFrame(320, 180, "yuv420p")
    scaled = Planes(first, "ffv1").wrap(source).planes[0]
    assert scaled.astype(float).mean() == pytest.approx(luma.astype(float).mean(), abs=0.03)


def test_colours_that_become_rgb_in_mid_stream_keep_their_columns() -> None:
    """Chroma is interpolated for every column, not shared by two."""
    first = flat(64, 48, "rgba", [np.zeros((48, 256), np.uint8)])
    ramp = np.linspace(60, 190, 32).astype(np.uint8)[None].repeat(24, axis=0)
    grey = np.full((48, 64), 128, np.uint8)
    converted = Planes(first, "ffv1").wrap(flat(64, 48, "yuv420p", [grey, ramp, ramp])).planes[0]
    steps = np.diff(converted[24, 4:-4, 0].astype(int))
    assert steps.min() > 0


def tagged(values: Plane, primaries: int, transfer: int, matrix: int, full_range: bool) -> VideoFrame:
    """A frame of 10 bits, 4:4:4, of encoded R'G'B' (3, H, W), 0..1, with these tags of H.273."""
    form = FrameFormat(
        values.shape[2],
        values.shape[1],
        PlaneOrder.PLANAR,
        10,
        matrix={1: Matrix.BT709, 9: Matrix.BT2020}[matrix],
        full_range=full_range,
    )
    codes = np.rint(colour.affine(colour.rgb_to_codes(form), values)).astype(np.uint16)
    frame = VideoFrame(values.shape[2], values.shape[1], "yuv444p10le")
    for plane, samples in zip(frame.planes, codes, strict=True):
        rows = np.zeros((plane.height, plane.line_size // 2), np.uint16)
        rows[:, : samples.shape[1]] = samples
        plane.update(rows.tobytes())
    frame.color_primaries, frame.color_trc, frame.colorspace = primaries, transfer, matrix
    frame.color_range = 2 if full_range else 1
    return frame


def seen(planes: Planes, frame: VideoFrame) -> Plane:
    """R'G'B' (3,) that a network sees in the middle of a frame."""
    wrapped = planes.wrap(frame)
    assert isinstance(wrapped, Frame)
    return planes_to_rgb(wrapped)[:, 8, 8]


GREY, RED = (np.broadcast_to(np.array(rgb)[:, None, None], (3, 16, 16)) for rgb in ((0.5, 0.5, 0.5), (0.8, 0.0, 0.0)))
SDR_709, SDR_2020 = (1, 1, 1, False), (9, 14, 9, False)
PQ_2020, HLG_2020 = (9, 16, 9, False), (9, 18, 9, False)


@pytest.mark.parametrize("first", [SDR_709, SDR_2020])
@pytest.mark.parametrize("other", [PQ_2020, HLG_2020])
def test_hdr_within_a_film_of_sdr_is_tone_mapped_by_its_own_transfer(
    first: tuple[int, int, int, bool], other: tuple[int, int, int, bool]
) -> None:
    """The picture equals an all-HDR film's within an 8-bit code, up to rounding by swscale."""
    planes, frame = Planes(tagged(GREY, *first), "ffv1"), tagged(GREY, *other)
    np.testing.assert_allclose(seen(planes, frame), seen(Planes(frame, "ffv1"), frame), atol=1 / 255)
    assert planes.changed == 1


@pytest.mark.parametrize("first", [PQ_2020, HLG_2020])
def test_sdr_within_a_film_of_hdr_has_its_white_at_203_nits(first: tuple[int, int, int, bool]) -> None:
    """Source: Report ITU-R BT.2408, table 1: code 0.58 of PQ, and 0.75 of HLG."""
    planes, white = Planes(tagged(GREY, *first), "ffv1"), np.ones((3, 16, 16))
    wrapped = planes.wrap(tagged(white, *SDR_709))
    assert isinstance(wrapped, Frame)
    luma = (float(wrapped.planes[0][8, 8]) - 64) / 876
    assert luma == pytest.approx(0.58 if first == PQ_2020 else 0.75, abs=0.005)


def test_primaries_that_change_within_a_film_are_converted() -> None:
    """Source: Report ITU-R BT.2087, red of BT.709 in BT.2020."""
    planes = Planes(tagged(GREY, 9, 14, 9, False), "ffv1")
    found = colour.srgb_to_linear(seen(planes, tagged(RED, 1, 1, 1, False)))
    expected = np.array([0.6274, 0.0691, 0.0164]) * colour.srgb_to_linear(0.8)
    np.testing.assert_allclose(found, expected, atol=2e-3)


@pytest.mark.parametrize("own", [(1, 1, 9, False), (1, 1, 1, True)])
def test_a_matrix_and_a_range_that_change_within_a_film_are_converted(own: tuple[int, int, int, bool]) -> None:
    planes = Planes(tagged(GREY, *SDR_709), "ffv1")
    np.testing.assert_allclose(seen(planes, tagged(RED, *own)), RED[:, 8, 8], atol=2 / 1023)
    assert planes.changed == 1
