"""The picture: samples, colour tags, size, orientation, in every container and codec."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.frame import Frame, FrameFormat, Matrix, PlaneOrder, Primaries, Siting, Transfer, nv12
from framebrush.media.video import ColourTags, VideoInfo
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.writing.writer_clips import WHOLE, info_of, solid, source, write

pytestmark = pytest.mark.media

PAIRS = [
    (".mp4", "libx264", 8, "h264"),
    (".mp4", "libx264", 10, "h264"),
    (".mp4", "libx265", 8, "hevc"),
    (".mp4", "libx265", 10, "hevc"),
    (".mp4", "libsvtav1", 8, "av1"),
    (".mp4", "libsvtav1", 10, "av1"),
    (".mp4", "libvpx-vp9", 8, "vp9"),
    (".mov", "libx264", 8, "h264"),
    (".mov", "libx265", 10, "hevc"),
    (".mkv", "libx264", 8, "h264"),
    (".mkv", "libx265", 10, "hevc"),
    (".mkv", "libsvtav1", 10, "av1"),
    (".mkv", "libvpx-vp9", 8, "vp9"),
    (".webm", "libsvtav1", 8, "av1"),
    (".webm", "libsvtav1", 10, "av1"),
    (".webm", "libvpx-vp9", 8, "vp9"),
]
if "yuv420p10le" in {form.name for form in av.codec.Codec("libvpx-vp9", "w").video_formats or ()}:
    PAIRS += [(".webm", "libvpx-vp9", 10, "vp9"), (".mp4", "libvpx-vp9", 10, "vp9")]
# Saturated red, green, blue, a grey; limited range BT.709, 8 bits.
COLOURS = [(63, 102, 240), (173, 42, 26), (32, 240, 118), (126, 128, 128)]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    return info_of(source(tmp_path_factory.mktemp("film") / "film.mp4", seconds=1))


def decoded(path: Path) -> list[av.VideoFrame]:
    with av.open(str(path)) as film:
        return list(film.decode(video=0))


def planes(frame: av.VideoFrame) -> list[npt.NDArray[np.uint16]]:
    """Y, Cb and Cr of a planar 4:2:0 frame, without its padding."""
    dtype = np.uint16 if "10" in frame.format.name else np.uint8
    arrays = []
    for plane in frame.planes:
        rows = np.frombuffer(plane, dtype).reshape(plane.height, -1)  # type: ignore[call-overload]
        arrays.append(rows[:, : plane.width].astype(np.uint16))
    return arrays


def coloured(frames: FrameFormat) -> list[Frame]:
    return [solid(frames, *(code << (frames.bits - 8) for code in colour)) for colour in COLOURS]


def textured(frames: FrameFormat, seed: int = 1) -> Frame:
    """Smooth waves with every sample different enough to show a swapped, shifted or cropped one."""
    frame = frames.allocate()
    for number, plane in enumerate(frame.planes):
        rows, columns = np.indices(plane.shape[:2])
        for component in range(plane.shape[2] if plane.ndim == 3 else 1):
            wave = 128 + 60 * np.sin(columns / 7 + number + 2 * component + seed) * np.cos(rows / 9)
            target = plane[..., component] if plane.ndim == 3 else plane
            target[...] = np.round(wave * (1 << (frames.bits - 8))).astype(plane.dtype) << frames.shift
    return frame


def source_planes(frame: Frame) -> list[npt.NDArray[np.uint16]]:
    luma, *chroma = frame.planes
    if frame.format.layout is PlaneOrder.SEMI_PLANAR:
        chroma = [chroma[0][..., 0], chroma[0][..., 1]]
    return [np.asarray(plane, np.uint16) >> frame.format.shift for plane in (luma, *chroma)]


@pytest.mark.parametrize(("ending", "codec", "bits", "decoder"), PAIRS)
def test_every_pair_keeps_colours_and_says_them(
    tmp_path: Path, film: VideoInfo, ending: str, codec: str, bits: int, decoder: str
) -> None:
    frames = nv12(64, 48, bits=bits)
    target = tmp_path / f"out{ending}"
    tagged = replace(film, tags=ColourTags(1, 1, 1))
    times = [number * 512 for number in range(8)]
    write(tagged, target, frames=frames, times=times, pictures=coloured(frames), codec=codec, crf=1)
    with av.open(str(target)) as out:
        assert out.streams.video[0].codec.canonical_name == decoder
    shown = decoded(target)
    assert len(shown) == 8
    for number, frame in enumerate(shown):
        assert frame.format.name == ("yuv420p" if bits == 8 else "yuv420p10le")
        for plane, code in zip(planes(frame), COLOURS[number % 4], strict=True):
            assert np.abs(plane.astype(int) - (code << (bits - 8))).max() <= 2 << (bits - 8)
        assert (frame.color_primaries, frame.color_trc, frame.colorspace, frame.color_range) == (1, 1, 1, 1)


@pytest.mark.parametrize("layout", [PlaneOrder.SEMI_PLANAR, PlaneOrder.PLANAR])
@pytest.mark.parametrize(("bits", "shift"), [(8, 0), (10, 6), (10, 0)])
@pytest.mark.parametrize("codec", ["libx264", "libx265"])
def test_samples_reach_the_encoder_unchanged(
    tmp_path: Path, film: VideoInfo, codec: str, bits: int, shift: int, layout: PlaneOrder
) -> None:
    """Lossless encoding gives back every sample, of padded planes too."""
    frames = FrameFormat(64, 64, layout, bits, shift=shift, subsample=(1, 1))
    frame = textured(frames)
    padded = []
    for plane in frame.planes:
        room = np.full((plane.shape[0], plane.shape[1] + 9, *plane.shape[2:]), 77, plane.dtype)
        room[:, : plane.shape[1]] = plane
        padded.append(room[:, : plane.shape[1]])
    strided = Frame(frames, tuple(padded))
    target = tmp_path / "out.mkv"
    lossless = {"libx264": {"qp": "0", "crf": "-1"}, "libx265": {"x265-params": "lossless=1:log-level=none"}}[codec]
    from framebrush.media.encoding.encoders import Choice  # the one place that states quality

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Choice, "options", property(lambda self: lossless))
        write(film, target, frames=frames, pictures=[strided], times=[0, 512], codec=codec)
    for shown in decoded(target):
        for got, want in zip(planes(shown), source_planes(frame), strict=True):
            np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("codec", "ending", "width", "height"),
    [
        ("libx264", ".mp4", 86, 70),
        ("libx265", ".mp4", 86, 70),
        ("libsvtav1", ".mp4", 85, 69),
        ("libvpx-vp9", ".webm", 85, 69),
    ],
)
def test_odd_sizes(tmp_path: Path, film: VideoInfo, codec: str, ending: str, width: int, height: int) -> None:
    """AV1 and VP9 keep the size; others repeat the last column and row, and report it."""
    frames = nv12(85, 69)
    frame = textured(frames)
    target = tmp_path / f"out{ending}"
    write(film, target, frames=frames, pictures=[frame], times=[0, 512, 1024], codec=codec, crf=1)
    shown = decoded(target)[0]
    assert (shown.width, shown.height) == (width, height)
    for got, want in zip(planes(shown), source_planes(frame), strict=True):
        room = ((0, got.shape[0] - want.shape[0]), (0, got.shape[1] - want.shape[1]))
        # VP9's best and AV1's best are not lossless; a wrong row or column would differ by far more.
        assert np.abs(got.astype(int) - np.pad(want, room, mode="edge")).max() <= 6


@pytest.mark.parametrize(("pix_fmt", "said"), [("yuva444p10le", True), ("bgra", True), ("yuv422p", False)])
def test_transparency_is_said_to_be_left_out(tmp_path: Path, film: VideoInfo, pix_fmt: str, said: bool) -> None:
    info = replace(film, pix_fmt=pix_fmt)
    plan = plan_output(info, tmp_path / "out.mp4", OutputOptions(), nv12(64, 48), WHOLE)
    assert said == any(loss.key == "alpha" for loss in plan.losses)


def test_padding_is_said(tmp_path: Path, film: VideoInfo) -> None:
    said = plan_output(film, tmp_path / "o.mp4", OutputOptions(codec="h264"), nv12(85, 69), WHOLE).decisions
    assert any("85x69 padded to 86x70" in line for line in said)
    said = plan_output(film, tmp_path / "o.mp4", OutputOptions(codec="libsvtav1"), nv12(85, 69), WHOLE).decisions
    assert not any("padded" in line for line in said)


def film_with(film: VideoInfo, tags: Sequence[int], **format_changes: object) -> VideoInfo:
    return replace(film, tags=ColourTags(*tags), format=replace(film.format, **format_changes))  # type: ignore[arg-type]


TAGGED = [
    # the source's tags, what it was resolved to, the frames' matrix; the tags that are true
    ((2, 2, 2), {}, Matrix.BT709, (2, 2, 1)),
    ((2, 2, 2), {"matrix": Matrix.BT601}, Matrix.BT601, (2, 2, 6)),
    ((5, 6, 5), {"matrix": Matrix.BT601, "primaries": Primaries.BT601_625}, Matrix.BT601, (5, 6, 5)),
    ((6, 6, 6), {"matrix": Matrix.BT601, "primaries": Primaries.BT601_525}, Matrix.BT601, (6, 6, 6)),
    ((1, 13, 0), {"layout": PlaneOrder.GBR, "subsample": (0, 0), "matrix": Matrix.RGB}, Matrix.BT709, (1, 13, 1)),
    ((9, 14, 9), {"matrix": Matrix.BT2020, "primaries": Primaries.BT2020}, Matrix.BT2020, (9, 14, 9)),
    ((9, 16, 9), {"matrix": Matrix.BT2020, "transfer": Transfer.PQ}, Matrix.BT709, (1, 13, 1)),
    ((9, 18, 9), {"matrix": Matrix.BT2020, "transfer": Transfer.HLG}, Matrix.BT709, (1, 13, 1)),
]


@pytest.mark.parametrize("codec", ["libx264", "libx265", "libsvtav1"])
@pytest.mark.parametrize(("tags", "resolved", "matrix", "expected"), TAGGED)
def test_tags_are_those_of_the_samples(
    tmp_path: Path,
    film: VideoInfo,
    codec: str,
    tags: tuple[int, int, int],
    resolved: dict[str, object],
    matrix: Matrix,
    expected: tuple[int, int, int],
) -> None:
    target = tmp_path / "out.mp4"
    write(film_with(film, tags, **resolved), target, frames=nv12(64, 48, matrix=matrix), times=[0, 512], codec=codec)
    with av.open(str(target)) as out:
        context = out.streams.video[0].codec_context
        assert (context.color_primaries, context.color_trc, context.colorspace) == expected
    frame = decoded(target)[0]
    assert (frame.color_primaries, frame.color_trc, frame.colorspace) == expected
    assert frame.color_range == 1
    assert not any(
        str(side.type).endswith(("MASTERING_DISPLAY_METADATA", "CONTENT_LIGHT_LEVEL")) for side in frame.side_data
    )


@pytest.mark.parametrize(
    ("siting", "name"), [(Siting.LEFT, "left"), (Siting.CENTRE, "center"), (Siting.TOP_LEFT, "topleft")]
)
@pytest.mark.parametrize("codec", ["libx264", "libx265"])
def test_chroma_siting_and_full_range_are_tagged(
    tmp_path: Path, film: VideoInfo, codec: str, siting: Siting, name: str
) -> None:
    target = tmp_path / "out.mkv"
    frames = replace(nv12(64, 48), siting=siting, full_range=True)
    write(film, target, frames=frames, times=[0, 512], codec=codec)
    av.logging.set_level(av.logging.VERBOSE)  # its log is the only place where PyAV shows the location
    try:
        with av.open(str(target)) as out:
            av.logging.set_libav_level(av.logging.VERBOSE)
            described = re.search(r"Video: .*", out.dumps_format())
    finally:
        av.logging.set_libav_level(av.logging.INFO)
        av.logging.set_level(None)
    assert described is not None
    assert re.search(rf"\b{name}\b", described[0]), described[0]
    assert decoded(target)[0].color_range == 2


@pytest.mark.parametrize("ending", [".mp4", ".mov", ".mkv", ".webm"])
@pytest.mark.parametrize("rotation", [90, 180, -90])
def test_rotation_is_carried_over(tmp_path: Path, film: VideoInfo, ending: str, rotation: int) -> None:
    target = tmp_path / f"out{ending}"
    codec = "libsvtav1" if ending == ".webm" else "libx264"
    write(replace(film, rotation_degrees=rotation), target, times=[0, 512], codec=codec)
    assert (decoded(target)[0].rotation - rotation) % 360 == 0
    assert decoded(target)[0].width == 64


@pytest.mark.parametrize("ending", [".mp4", ".mov"])
@pytest.mark.parametrize("bits", [8, 10])
def test_hevc_is_tagged_hvc1(tmp_path: Path, film: VideoInfo, ending: str, bits: int) -> None:
    target = tmp_path / f"out{ending}"
    write(film, target, frames=nv12(64, 48, bits=bits), times=[0, 512], codec="hevc", preset="ultrafast")
    with av.open(str(target)) as out:
        assert out.streams.video[0].codec_tag == "hvc1"
    assert b"hvc1" in target.read_bytes()


@pytest.mark.parametrize("ending", [".mp4", ".mov"])
def test_the_index_comes_first(tmp_path: Path, film: VideoInfo, ending: str) -> None:
    target = tmp_path / f"out{ending}"
    write(film, target)
    boxes, data, place = [], target.read_bytes(), 0
    while place < len(data):
        boxes.append(data[place + 4 : place + 8])
        size = int.from_bytes(data[place : place + 4], "big")
        assert size >= 8
        place += size
    assert boxes.index(b"moov") < boxes.index(b"mdat")
    assert place == len(data)


def test_frames_of_another_format_are_a_mistake_of_the_caller(tmp_path: Path, film: VideoInfo) -> None:
    with pytest.raises(ValueError, match=r"a frame of .* among frames of"):
        write(film, tmp_path / "out.mp4", frames=nv12(64, 48), pictures=[solid(nv12(32, 48), 16, 128, 128)])
    assert list(tmp_path.iterdir()) == []
