"""Results that are edited or kept: chroma, bits, codecs and containers, decoded by FFmpeg alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.gpu.frame import Frame, FrameFormat, Matrix, PlaneOrder, Siting, gbrp, yuv420p
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding.encoders import ENCODERS, TO_WATCH, choose_encoder, pixel_format_for
from framebrush.media.encoding.pixels import (
    AUTO,
    PACKED_RGB,
    PIXEL_FORMATS,
    SOURCE,
    closest,
    name_of,
    packing_of,
    parsed,
    planar,
)
from framebrush.media.video import OutputError, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, plan_output
from tests.media.writing.writer_clips import CFR, info_of, source

WIDTH, HEIGHT = 320, 180


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> VideoInfo:
    """A film with sound and a line of text a second."""
    path = tmp_path_factory.mktemp("film") / "film.mp4"
    return info_of(source(path, audio=("aac",), subtitles=("mov_text",)))


def frames_of(name: str, width: int = WIDTH, height: int = HEIGHT) -> FrameFormat:
    return video_target(yuv420p(width, height), name)


def picture(frames: FrameFormat, seed: int) -> Frame:
    """A soft picture of all colours, with a little noise in it, in legal codes."""
    chance = np.random.default_rng(seed)
    planes = []
    for index, (rows, columns, *components) in enumerate(frames.plane_shapes):
        y, x = np.mgrid[0:rows, 0:columns] / max(rows, columns)
        soft = 0.5 + 0.35 * np.sin(5 * (x + (0.4 + index) * y) + index + seed)
        noisy = np.clip(soft + chance.normal(0, 0.01, soft.shape), 0.1, 0.9)
        codes = np.round(noisy * ((1 << frames.bits) - 1)).astype(frames.dtype) << frames.shift
        planes.append(np.stack([codes] * components[0], -1) if components else codes)
    return Frame(frames, tuple(planes))


def components(frame: Frame) -> list[npt.NDArray[np.int64]]:
    """Y, Cb and Cr, or G, B and R, as whole numbers."""
    planes = [(plane >> frame.format.shift).astype(np.int64) for plane in frame.planes]
    return planes if len(planes) != 2 else [planes[0], planes[1][..., 0], planes[1][..., 1]]


def decoded(frame: av.VideoFrame) -> list[npt.NDArray[np.int64]]:
    """The same of a frame that FFmpeg gave."""
    frame = frame.reformat(format=planar(frame.format.name)) if frame.format.name in PACKED_RGB else frame
    kind = packing_of(frame.format.name)
    assert kind.layout in (PlaneOrder.PLANAR, PlaneOrder.GBR, PlaneOrder.GREY)
    found = []
    for plane in frame.planes[:3]:
        dtype = np.uint8 if kind.bits == 8 else np.uint16
        rows = np.frombuffer(plane, dtype).reshape(plane.height, -1)  # type: ignore[call-overload]
        found.append(rows[:, : plane.width].astype(np.int64))
    return found


def written(film: VideoInfo, target: Path, frames: FrameFormat, **options: object) -> list[Frame]:
    """Write ten frames to a file; return the frames."""
    made = plan_output(film, target, OutputOptions(**options), frames, TimeRange())  # type: ignore[arg-type]
    pictures = [picture(frames, number) for number in range(10)]
    with Writer(made) as writer:
        for shown, pts in zip(pictures, CFR, strict=False):
            writer.write(shown, pts, 0)
        writer.finish()
    return pictures


# codec, file, pixel format, what FFmpeg calls the decoded one, the least PSNR in dB (None: bit by bit), options
ENCODED = {encoder.name: encoder.formats for encoder in ENCODERS}
CASES = [
    ("prores", "o.mov", "yuv422p10le", "yuv422p10le", 42, {}),
    ("prores", "o.mov", "yuv422p10le", "yuv422p10le", 36, {"preset": "proxy"}),
    ("prores", "o.mov", "yuv444p10le", "yuv444p12le", 42, {}),
    ("prores", "o.mkv", "yuv444p10le", "yuv444p12le", 42, {"preset": "4444xq"}),
    ("dnxhr", "o.mov", "yuv422p", "yuv422p", 38, {}),
    ("dnxhr", "o.mov", "yuv422p10le", "yuv422p10le", 38, {}),
    ("dnxhr", "o.mov", "yuv444p10le", "yuv444p10le", 38, {}),
    ("dnxhr", "o.mov", "gbrp10le", "gbrp10le", 38, {}),
    ("cineform", "o.mov", "yuv422p10le", "yuv422p10le", 42, {}),
    ("cineform", "o.mov", "gbrp12le", "gbrp12le", 42, {}),
    ("cfhd", "o.mov", "gbrp12le", "gbrp12le", 34, {"preset": "low"}),
    *(("ffv1", "o.mkv", name, name, None, {}) for name in ENCODED["ffv1"] if name not in PACKED_RGB),
    ("ffv1", "o.mkv", "gbrp", "bgr0", None, {}),
    *(("h264", f"o.{end}", f"yuv4{chroma}p{bits}", f"yuv4{chroma}p{bits}", None, {"crf": 0})
      for end, chroma, bits in (
          ("mp4", 20, ""), ("mp4", 22, ""), ("mov", 44, ""), ("mkv", 22, "10le"), ("mp4", 44, "10le"))),
    ("libx264", "o.mp4", "yuv422p10le", "yuv422p10le", 38, {"crf": 16}),
    *(("libx265", f"o.{end}", name, name, None, {"crf": 0})
      for end, name in (("mp4", "yuv422p"), ("mkv", "yuv444p12le"), ("mp4", "gbrp"), ("mov", "yuv422p10le"))),
    ("libx265", "o.mp4", "gbrp12le", "gbrp12le", 38, {"crf": 10}),
    ("vp9", "o.webm", "yuv422p", "yuv422p", 36, {"crf": 10}),
    ("vp9", "o.mkv", "yuv444p", "yuv444p", 36, {"crf": 10}),
    ("vp9", "o.mp4", "gbrp", "gbrp", 34, {"crf": 10}),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("codec", "name", "pix_fmt", "read_as", "least_db", "options"), CASES, ids=str)
def test_what_is_written_is_read(
    tmp_path: Path,
    film: VideoInfo,
    codec: str,
    name: str,
    pix_fmt: str,
    read_as: str,
    least_db: float | None,
    options: dict[str, object],
) -> None:
    """Pixel format, samples, times, colours and sound, whatever the codec."""
    frames = frames_of(pix_fmt)
    want = written(film, tmp_path / name, frames, codec=codec, **options)
    with av.open(str(tmp_path / name)) as file:
        stream = file.streams.video[0]
        shown = list(file.decode(stream))
        assert [frame.format.name.replace("yuvj", "yuv") for frame in shown] == [read_as] * len(want)
        assert [float(frame.time) for frame in shown] == pytest.approx([number / 25 for number in range(10)], abs=6e-4)
        context = stream.codec_context
        assert (context.width, context.height) == (WIDTH, HEIGHT)
        rgb = frames.matrix is Matrix.RGB
        if codec not in ("prores", "cineform", "cfhd"):  # which know one range alone
            assert shown[0].color_range == (2 if rgb else 1)
        if not (rgb and codec == "dnxhr"):  # whose decoder says BT.709 of R'G'B', too
            assert shown[0].colorspace == (0 if rgb else 1)
        assert [one.type for one in file.streams].count("audio") == 1
    more = packing_of(planar(read_as)).bits - frames.bits
    for frame, original in zip(shown, want, strict=True):
        for found, own in zip(decoded(frame), components(original), strict=True):
            if least_db is None:
                np.testing.assert_array_equal(found, own)
            else:
                error = np.mean((found - (own << more)) ** 2)
                assert 10 * np.log10(((1 << frames.bits << more) - 1) ** 2 / error) > least_db


@pytest.mark.parametrize(
    ("preset", "pix_fmt", "tag"),
    [
        ("proxy", "yuv422p10le", "apco"),
        ("lt", "yuv422p10le", "apcs"),
        ("standard", "yuv422p10le", "apcn"),
        (None, "yuv422p10le", "apch"),
        (None, "yuv444p10le", "ap4h"),
        ("4444xq", "yuv444p10le", "ap4x"),
    ],
)
def test_each_prores_says_which_it_is(
    tmp_path: Path, film: VideoInfo, preset: str | None, pix_fmt: str, tag: str
) -> None:
    written(film, tmp_path / "o.mov", frames_of(pix_fmt), codec="prores", preset=preset)
    with av.open(str(tmp_path / "o.mov")) as file:
        assert file.streams.video[0].codec_context.codec_tag == tag


@pytest.mark.parametrize(
    ("codec", "name", "pix_fmt"),
    [
        *product(["ffv1"], ["o.mkv"], ["yuv422p10le", "yuv444p10le"]),
        *product(["h264"], ["o.mkv"], ["yuv422p10le", "yuv444p10le"]),
        *product(["prores"], ["o.mov"], ["yuv422p10le", "yuv444p10le"]),
        *product(["cineform"], ["o.mov"], ["yuv422p10le", "gbrp12le"]),
    ],
)
def test_odd_sizes(tmp_path: Path, film: VideoInfo, codec: str, name: str, pix_fmt: str) -> None:
    frames = frames_of(pix_fmt, 63, 47)
    want = written(film, tmp_path / name, frames, codec=codec)
    with av.open(str(tmp_path / name)) as file:
        first = decoded(next(file.decode(video=0)))
    for found, own in zip(first, components(want[0]), strict=True):
        assert found.shape[0] >= own.shape[0]
        if codec == "ffv1":
            np.testing.assert_array_equal(found, own)


@pytest.mark.parametrize(
    ("source_format", "names", "kept"),
    [
        (yuv420p(64, 48), ["yuv422p10le", "yuv444p10le"], "yuv422p10le"),
        (
            FrameFormat(64, 48, PlaneOrder.PLANAR, 10, subsample=(1, 0)),
            ["yuv420p10le", "yuv422p", "yuv444p"],
            "yuv422p",
        ),
        (FrameFormat(64, 48, PlaneOrder.PLANAR, 12, subsample=(1, 0)), PIXEL_FORMATS, "yuv422p12le"),
        (FrameFormat(64, 48, PlaneOrder.PLANAR, 14), PIXEL_FORMATS, "yuv444p16le"),
        (FrameFormat(64, 48, PlaneOrder.PLANAR, 9, subsample=(0, 1)), PIXEL_FORMATS, "yuv444p10le"),
        (FrameFormat(64, 48, PlaneOrder.PLANAR, subsample=(2, 0)), PIXEL_FORMATS, "yuv422p"),
        (FrameFormat(64, 48, PlaneOrder.GREY, 16), PIXEL_FORMATS, "yuv420p16le"),
        (gbrp(64, 48, bits=10), PIXEL_FORMATS, "gbrp10le"),
        (gbrp(64, 48, bits=16, floating=True), PIXEL_FORMATS, "gbrpf16le"),
        (gbrp(64, 48, bits=32, floating=True), PIXEL_FORMATS, "gbrpf32le"),
        (gbrp(64, 48, bits=32, floating=True), ["gbrp12le", "gbrp16le"], "gbrp16le"),
        (gbrp(64, 48, bits=16, floating=True), ["gbrp", "gbrp12le", "gbrp16le"], "gbrp12le"),
        (gbrp(64, 48, bits=10), ["yuv422p10le", "yuv444p10le"], "yuv444p10le"),
        (gbrp(64, 48, bits=16), ["yuv420p", "yuv420p10le"], "yuv420p10le"),
    ],
)
def test_what_keeps_most_of_a_source(source_format: FrameFormat, names: list[str], kept: str) -> None:
    assert closest(source_format, names) == kept
    assert closest(source_format, reversed(list(names))) == kept


def test_which_pixel_format_a_result_gets() -> None:
    four, deep = (
        FrameFormat(64, 48, PlaneOrder.PLANAR, 10),
        FrameFormat(64, 48, PlaneOrder.PLANAR, 10, subsample=(1, 0)),
    )

    def chosen(asked: str, codec: str, ending: str, like: FrameFormat = deep, *, painted: bool = True) -> str:
        return pixel_format_for(asked, codec, CONTAINERS[ending], like, painted=painted)

    assert chosen(AUTO, "auto", ".mp4") == chosen(AUTO, "h264", ".mkv") == "yuv420p10le"  # what players take
    assert chosen(AUTO, "h264", ".mp4", yuv420p(64, 48)) == "yuv420p"
    bits = 10 if "yuv420p10le" in {form.name for form in av.Codec("libvpx-vp9", "w").video_formats} else 8
    assert chosen(AUTO, "vp9", ".webm") == ("yuv420p" if bits == 8 else "yuv420p10le")  # as libvpx was built
    assert chosen(SOURCE, "h264", ".mp4") == chosen(SOURCE, "auto", ".mp4") == "yuv422p10le"
    assert chosen(AUTO, "auto", ".mxf", FrameFormat(64, 48, PlaneOrder.PLANAR, 12)) == "yuv444p10le"  # as DNxHR has it
    assert choose_encoder("auto", None, None, CONTAINERS[".mxf"], (256, 128), "yuv444p10le").encoder.codec == "dnxhr"
    assert chosen(AUTO, "prores", ".mov") == chosen(AUTO, "ffv1", ".mkv") == "yuv422p10le"
    assert chosen(AUTO, "prores", ".mov", four) == "yuv444p10le"
    assert chosen(AUTO, "ffv1", ".mkv", gbrp(64, 48, bits=12)) == "gbrp12le"
    assert chosen(AUTO, "ffv1", ".mkv", gbrp(64, 48)) == "gbrp"
    assert chosen(AUTO, "ffv1", ".mkv", FrameFormat(64, 48, PlaneOrder.GREY)) == "yuv420p"  # as it may be painted
    assert chosen(AUTO, "ffv1", ".mkv", FrameFormat(64, 48, PlaneOrder.GREY), painted=False) == "gray"
    assert chosen(AUTO, "prores", ".mov", FrameFormat(64, 48, PlaneOrder.GREY), painted=False) == "yuv422p10le"
    assert chosen(AUTO, "dnxhd", ".mov", yuv420p(64, 48)) == "yuv422p"
    assert chosen("gbrp", "prores", ".mov") == "gbrp"  # as asked, and refused when the encoder is chosen


@pytest.mark.parametrize("ending", [name for name, one in CONTAINERS.items() if {*TO_WATCH} & {*one.codecs}])
def test_auto_takes_what_is_watched_where_the_container_holds_it(ending: str) -> None:
    for pix_fmt, codecs in (("yuv420p", {"h264", "av1"}), ("yuv420p10le", {"hevc", "av1"})):
        choice = choose_encoder("auto", None, None, CONTAINERS[ending], (320, 180), pix_fmt)
        assert choice.encoder.codec in codecs


def test_every_name_is_that_of_the_frames_it_becomes() -> None:
    for name in PIXEL_FORMATS:
        assert name_of(frames_of(name)) == name
        assert parsed(name.removesuffix("le")) == parsed(name.upper()) == name
    assert parsed("p010le") == "yuv420p10le"
    for short, name in (("p010", "yuv420p10le"), ("rgb48", "gbrp16le"), ("RGBA64", "gbrap16le"), ("rgb24", "gbrp")):
        assert parsed(short) == name
    for encoder in ENCODERS:
        assert {planar(form) for form in encoder.formats} <= set(PIXEL_FORMATS)


@pytest.mark.parametrize(
    ("name", "options", "pix_fmt", "message"),
    [
        ("o.mp4", {"codec": "prores"}, "yuv422p10le",
         r"MP4 cannot hold ProRes \(prores\); it holds H\.264, HEVC, AV1, VP9"),
        ("o.mkv", {"codec": "dnxhr"}, "yuv422p", r"MKV cannot hold DNxHR \(dnxhr\); it holds .*ProRes, FFV1"),
        ("o.mov", {"codec": "ffv1"}, "yuv422p", r"MOV cannot hold FFV1 \(ffv1\); it holds H\.264, HEVC, ProRes, DNxHR"),
        ("o.mov", {"codec": "prores"}, "yuv420p",
         r"cannot write yuv420p here; use --pix-fmt yuv422p10le or yuv444p10le or yuva444p10le, or another --codec"),
        ("o.webm", {"codec": "auto"}, "gbrp12le", r"no encoder for WebM writes gbrp12le here; use --pix-fmt "),
        ("o.mov", {"codec": "prores", "preset": "4444"}, "yuv422p10le",
         r"prores_ks has no preset '4444' for yuv422p10le; it has hq, standard, lt, proxy; "
         r"use --pix-fmt yuv444p10le or yuva444p10le for '4444'$"),
        ("o.mov", {"codec": "dnxhr", "preset": "sq"}, "yuv422p10le",
         r"dnxhd has no preset 'sq' for yuv422p10le; it has hqx; use --pix-fmt yuv422p for 'sq'$"),
        ("o.mov", {"codec": "dnxhr", "preset": "4444"}, "yuv422p10le",
         r"dnxhd has no preset '4444' for yuv422p10le; it has hqx$"),
        ("o.mov", {"codec": "prores", "crf": 10}, "yuv422p10le",
         r"quality 10: ProRes has no quality numbers; use --preset hq, standard, lt, proxy, 4444, 4444xq"),
        ("o.mkv", {"codec": "ffv1", "crf": 10}, "yuv420p",
         r"quality 10: ffv1 has no quality numbers; it keeps everything"),
        ("o.mkv", {"codec": "ffv1", "preset": "fast"}, "yuv420p", r"ffv1 has no preset 'fast'; it has none"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_with_what_does(
    tmp_path: Path, film: VideoInfo, name: str, options: dict[str, object], pix_fmt: str, message: str
) -> None:
    with pytest.raises(OutputError, match=message):
        plan_output(film, tmp_path / name, OutputOptions(**options), frames_of(pix_fmt), TimeRange())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_pixel_format_that_there_is_not_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"^unknown pixel format 'yuv42p'; did you mean yuv4.*\? one is auto, source, or"
    ):
        OutputOptions(pix_fmt="yuv42p")
    with pytest.raises(ValueError, match=r"^the pixel format 'YUV422P10' is called yuv422p10le$"):
        OutputOptions(pix_fmt="YUV422P10")


@pytest.mark.parametrize(
    ("pix_fmt", "codec", "name", "words"),
    [
        ("yuv422p10le", "prores", "o.mov", "video: prores_ks, preset hq, 10 bits 4:2:2"),
        ("gbrp10le", "ffv1", "o.mkv", "video: ffv1, 10 bits R'G'B'"),
        ("yuv444p", "libx264", "o.mkv", "video: libx264 crf 18, preset medium, 8 bits 4:4:4"),
    ],
)
def test_what_is_written_is_said(
    tmp_path: Path, film: VideoInfo, pix_fmt: str, codec: str, name: str, words: str
) -> None:
    frames = frames_of(pix_fmt)
    made = plan_output(film, tmp_path / name, OutputOptions(codec=codec), frames, TimeRange())
    assert made.decisions[0].startswith(words)


def test_chroma_that_is_kept_is_no_loss_and_chroma_that_is_not_is_said(tmp_path: Path, film: VideoInfo) -> None:
    deep = replace(film.format, bits=10, subsample=(0, 0))
    info = replace(film, pix_fmt="yuv444p10le", format=deep)

    def losses(name: str) -> list[str]:
        made = plan_output(info, tmp_path / "o.mkv", OutputOptions(codec="ffv1"), frames_of(name), TimeRange())
        return [loss.text for loss in made.losses if loss.key in ("chroma", "bits")]

    assert losses("yuv444p10le") == losses("gbrp16le") == []
    assert losses("yuv422p10le") == ["chroma resolution (4:4:4 becomes 4:2:2)"]
    assert losses("yuv420p") == ["chroma resolution (4:4:4 becomes 4:2:0)", "2 of 10 bits per colour"]


@pytest.mark.slow
@pytest.mark.parametrize("siting", [Siting.LEFT, Siting.TOP_LEFT])
def test_sitings_come_along(tmp_path: Path, film: VideoInfo, siting: Siting) -> None:
    info = replace(film, rate=Fraction(25))
    frames = replace(frames_of("yuv420p12le"), siting=siting)
    written(info, tmp_path / "o.mkv", frames, codec="libx265")
    with av.open(str(tmp_path / "o.mkv")) as file:
        context = file.streams.video[0].codec_context
        found = next(file.decode(video=0))
        assert found.format.name == "yuv420p12le"
        assert context.name == "hevc"
