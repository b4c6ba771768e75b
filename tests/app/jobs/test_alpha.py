"""Alpha bypasses the painting: source and result match, read by FFmpeg alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from framebrush.cli.command_line import run
from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, gbrp
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.workers.run import run_job
from framebrush.media.alpha import AlphaCarrier
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.jobs.changes import otherwise

WIDTH, HEIGHT, FRAMES = 64, 48, 8

pytestmark = pytest.mark.media

Codes = npt.NDArray[np.int64]


def noise(number: int, bits: int, shape: tuple[int, int] = (HEIGHT, WIDTH)) -> Codes:
    """Every code of alpha from transparent to opaque, different in each frame."""
    return np.random.default_rng(number).integers(0, 1 << bits, shape)


def samples(frame: av.VideoFrame, index: int, bits: int) -> npt.NDArray[np.unsignedinteger[npt.NBitBase]]:
    plane, dtype = frame.planes[index], np.uint8 if bits == 8 else np.uint16
    return np.frombuffer(plane, dtype).reshape(plane.height, -1)[:, : plane.width]  # type: ignore[call-overload]


def film(path: Path, pix_fmt: str, bits: int, codec: str = "ffv1", size: tuple[int, int] = (WIDTH, HEIGHT)) -> Path:
    """Make a film with grey colours and noise as alpha."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=25)
        stream.width, stream.height, stream.pix_fmt = *size, pix_fmt
        for number in range(FRAMES):
            frame = av.VideoFrame(*size, pix_fmt)
            for plane in frame.planes:
                np.frombuffer(plane, np.uint8 if bits == 8 else np.uint16)[:] = 1 << (bits - 1)
            samples(frame, 3, bits)[:] = noise(number, bits, size[::-1])
            frame.pts, frame.time_base = number, Fraction(1, 25)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def spec(source: Path, target: Path, style: str = "ink", **changes: object) -> JobSpec:
    plain = JobSpec(str(source), str(target), Recipe(StyleSpec(style), Look(steady=0.0, dither=False)))
    return otherwise(plain, **changes)


def alphas(path: Path) -> tuple[str, list[Codes]]:
    """The pixel format of a film, and the alpha of each frame."""
    found, name = [], ""
    with av.open(str(path)) as file:
        for frame in file.decode(video=0):
            name = frame.format.name
            if frame.format.is_rgb and len(frame.planes) == 1:
                found.append(frame.to_ndarray()[..., 3].astype(np.int64))
            else:
                found.append(samples(frame, 3, frame.format.components[3].bits).astype(np.int64))
    return name, found


@pytest.mark.parametrize("style", ["ink", "none"])
@pytest.mark.parametrize(
    ("pix_fmt", "bits", "name", "written"),
    [
        ("yuva420p", 8, "o.mkv", "yuva420p"),
        ("yuva422p10le", 10, "o.mkv", "yuva422p10le"),
        ("yuva444p16le", 16, "o.mkv", "yuva444p16le"),
        ("gbrap12le", 12, "o.mkv", "gbrap12le"),
        ("yuva420p", 8, "o-%02d.png", "rgba"),
        ("gbrap16le", 16, "o-%02d.png", "rgba64be"),
        ("yuva444p16le", 16, "o-%02d.tif", "rgba64le"),
    ],
)
def test_alpha_is_that_of_the_source_code_by_code(
    tmp_path: Path, device: Device, style: str, pix_fmt: str, bits: int, name: str, written: str
) -> None:
    source = film(tmp_path / "in.mkv", pix_fmt, bits)
    codec = "ffv1" if name.endswith("mkv") else "auto"
    done = run_job(spec(source, tmp_path / name, style, output=OutputOptions(codec)), device)
    paths = sorted(tmp_path.glob(name.replace("%02d", "*")))
    found = [alpha for path in paths for alpha in alphas(path)[1]]
    assert {alphas(path)[0] for path in paths} == {written}
    np.testing.assert_array_equal(found, [noise(number, bits) for number in range(FRAMES)])
    assert not any(loss.key == "alpha" for loss in done.losses)


@pytest.mark.parametrize(
    ("codec", "name", "source_format", "bits", "read_as", "within"),
    [
        ("prores", "o.mov", "yuva444p10le", 10, "yuva444p12le", 4),  # 16 bits in the file, of which FFmpeg reads 12
        ("utvideo", "o.avi", "gbrap10le", 10, "gbrap", 0),
        ("cineform", "o.mov", "gbrap12le", 12, "gbrap12le", 60),  # a lossy codec, and noise is the worst for it
    ],
)
def test_codecs_of_editors_keep_alpha(
    tmp_path: Path, device: Device, codec: str, name: str, source_format: str, bits: int, read_as: str, within: int
) -> None:
    source = film(tmp_path / "in.mkv", source_format, bits)
    run_job(spec(source, tmp_path / name, output=OutputOptions(codec)), device)
    form, found = alphas(tmp_path / name)
    assert form == read_as
    depth = av.VideoFormat(form).components[3].bits
    for number, alpha in enumerate(found):
        exact = np.round(noise(number, bits) * ((1 << depth) - 1) / ((1 << bits) - 1))
        assert np.mean(np.abs(alpha - exact)) <= within
    assert len(found) == FRAMES


def test_alpha_follows_the_size_the_range_and_the_turn(tmp_path: Path, device: Device) -> None:
    source = film(tmp_path / "in.mkv", "yuva420p", 8)
    span = TimeRange(Position(Fraction(3), "frame"), frames=4)
    lossless = OutputOptions("ffv1")
    run_job(spec(source, tmp_path / "part.mkv", range=span, segments=2, output=lossless), device)
    np.testing.assert_array_equal(alphas(tmp_path / "part.mkv")[1], [noise(number, 8) for number in range(3, 7)])
    large = spec(source, tmp_path / "large.mkv", output=lossless)
    run_job(replace(large, recipe=replace(large.recipe, sizes=SizeSpec(size="128x96"))), device)
    for number, alpha in enumerate(alphas(tmp_path / "large.mkv")[1]):
        own = np.mean(alpha.reshape(HEIGHT, 2, WIDTH, 2), axis=(1, 3))
        assert np.corrcoef(own.ravel(), noise(number, 8).ravel())[0, 1] > 0.95
    turned = tmp_path / "turned.mov"
    with av.open(str(source)) as held, av.open(str(turned), "w") as out:
        stream = out.add_stream("prores_ks", rate=25)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuva444p10le"
        stream.set_display_rotation(90)
        for frame in held.decode(video=0):
            out.mux(stream.encode(frame.reformat(format="yuva444p10le")))
        out.mux(stream.encode(None))
    assert run(["frame", str(turned), str(tmp_path / "still.png"), "--style", "ink", "--device", "cpu"]) == 0
    (still,) = alphas(tmp_path / "still.png")[1]
    assert np.max(np.abs(still - np.rot90(noise(0, 8)))) <= 1


def test_a_cropped_source_has_the_alpha_of_its_part(tmp_path: Path) -> None:
    source = film(tmp_path / "in.mkv", "yuva420p", 8)
    with av.open(str(source)) as file:
        first = next(file.decode(video=0))
    part = Planes(first, "ffv1", (6, 4, 40, 30)).wrap(first)
    assert isinstance(part, Frame)
    np.testing.assert_array_equal(part.alpha, noise(0, 8)[4:34, 6:46])


def test_what_has_no_place_for_alpha_says_so_or_is_refused(tmp_path: Path, device: Device) -> None:
    source = film(tmp_path / "in.mkv", "yuva444p10le", 10)
    for name, options in (
        ("o.mp4", OutputOptions()),
        ("o-%02d.jpg", OutputOptions()),
        ("asked.mkv", OutputOptions("ffv1", pix_fmt="yuv444p10le")),
    ):
        done = run_job(spec(source, tmp_path / name, output=options), device)
        assert [loss.key for loss in done.losses].count("alpha") == 1, name
    with pytest.raises(OutputError, match=r"libx264 cannot write yuva444p10le here; use --pix-fmt yuv420p"):
        run_job(spec(source, tmp_path / "p.mp4", output=OutputOptions("h264", pix_fmt="yuva444p10le")), device)


def test_an_opaque_source_gets_alpha_only_where_it_is_asked_for(tmp_path: Path, device: Device) -> None:
    source = film(tmp_path / "in.mkv", "yuva420p", 8)
    run_job(spec(source, tmp_path / "opaque.mkv", output=OutputOptions("ffv1", pix_fmt="yuv420p")), device)
    run_job(spec(tmp_path / "opaque.mkv", tmp_path / "same.mkv", output=OutputOptions("ffv1")), device)
    with av.open(str(tmp_path / "same.mkv")) as file:
        assert next(file.decode(video=0)).format.name == "yuv420p"
    asked = OutputOptions("ffv1", pix_fmt="yuva444p10le")
    run_job(spec(tmp_path / "opaque.mkv", tmp_path / "asked.mkv", output=asked), device)
    form, found = alphas(tmp_path / "asked.mkv")
    assert form == "yuva444p10le"
    assert np.all(np.array(found) == 1023)


def test_every_code_of_one_depth_is_the_nearest_of_another() -> None:
    for bits, into_bits in ((8, 16), (8, 10), (10, 8), (16, 8), (12, 16)):
        codes = np.arange(1 << bits)
        source = replace(gbrp(len(codes), 1, bits=bits), alpha=True)
        frame = source.allocate()
        assert frame.alpha is not None
        frame.alpha[0] = codes
        into: Frame = replace(gbrp(len(codes), 1, bits=into_bits), alpha=True).allocate()
        AlphaCarrier().carry(frame, into)
        exact = codes * ((1 << into_bits) - 1) / ((1 << bits) - 1)
        assert into.alpha is not None
        assert np.max(np.abs(into.alpha[0] - exact)) <= 0.5


BODY, GREEN, BLACK = (230, 180, 120), (0, 255, 0), (0, 0, 0)


def disc(hidden: tuple[int, int, int]) -> npt.NDArray[np.uint8]:
    """A disc (H, W, 4) with a soft edge, straight, over a hidden colour."""
    y, x = np.mgrid[:96, :128]
    alpha = np.clip(32.5 - np.hypot(y - 47.5, x - 63.5), 0, 1) * 255
    picture = np.empty((96, 128, 4), np.uint8)
    picture[...] = (*hidden, 0)
    picture[alpha > 0, :3], picture[..., 3] = BODY, alpha
    return picture


def two_frames(path: Path, picture: npt.NDArray[np.uint8], pix_fmt: str) -> Path:
    """A lossless film, or numbered pictures, of one picture (H, W, 4)."""
    codec = "png" if "%" in path.name else "ffv1"
    with av.open(str(path), "w") as out:
        stream = out.add_stream(codec, rate=25)
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = picture.shape[1], picture.shape[0], pix_fmt
        for number in range(2):
            frame = av.VideoFrame.from_ndarray(picture, "rgba").reformat(format=pix_fmt)
            frame.pts, frame.time_base = number, Fraction(1, 25)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def last(path: Path) -> npt.NDArray[np.int64]:
    """The last frame of a film, or a picture, as R'G'B' and alpha."""
    with av.open(str(path)) as file:
        return list(file.decode(video=0))[-1].to_ndarray(format="rgba").astype(np.int64)


@pytest.mark.parametrize("style", ["ink", "oil"])
@pytest.mark.parametrize(
    ("pix_fmt", "name"), [("bgra", "in.mkv"), ("yuva444p", "in.mkv"), ("yuva420p", "in.mkv"), ("rgba", "in-%d.png")]
)
def test_edges_are_painted_like_the_inside(tmp_path: Path, device: Device, style: str, pix_fmt: str, name: str) -> None:
    """Within 3 codes of a film that is full of the disc's colour."""
    made = {}
    full = np.empty((96, 128, 4), np.uint8)
    full[...] = (*BODY, 255)
    for folder, picture in (("disc", disc(GREEN)), ("full", full)):
        (tmp_path / folder).mkdir()
        source = two_frames(tmp_path / folder / name, picture, pix_fmt)
        decode = DecodeOptions(rate=Fraction(25)) if "%" in name else DecodeOptions()
        run_job(spec(source, tmp_path / folder / "o-%d.png", style, decode=decode), device)
        made[folder] = last(max((tmp_path / folder).glob("o-*.png")))
    seen = disc(GREEN)[..., 3] > 0
    assert made["disc"][..., 3].any()
    assert np.abs(made["disc"] - made["full"])[seen, :3].max() <= 3


def test_a_still_has_no_rim_and_hidden_colours_stay_where_nothing_is_painted(tmp_path: Path) -> None:
    source = str(two_frames(tmp_path / "in.mkv", disc(BLACK), "bgra"))
    painted, shown = tmp_path / "painted.png", tmp_path / "shown.png"
    assert run(["frame", source, str(painted), "--style", "ink", "--device", "cpu"]) == 0
    assert run(["frame", source, str(shown), "--style", "ink", "--strength", "0", "--device", "cpu"]) == 0
    np.testing.assert_array_equal(last(shown), disc(BLACK))
    colours = last(painted)[disc(BLACK)[..., 3] > 0, :3]
    assert np.ptp(colours, axis=0).max() <= 3


def test_a_result_without_alpha_shows_what_the_film_has(tmp_path: Path, device: Device) -> None:
    opaque = disc(BLACK)
    opaque[..., 3] = 255
    made = []
    for name, picture in (("in", disc(BLACK)), ("opaque", opaque)):
        source = two_frames(tmp_path / f"{name}.mkv", picture, "bgra")
        output = OutputOptions("ffv1", pix_fmt="yuv444p")
        run_job(spec(source, tmp_path / f"{name}-o.mkv", output=output), device)
        made.append(last(tmp_path / f"{name}-o.mkv"))
    np.testing.assert_array_equal(made[0], made[1])
