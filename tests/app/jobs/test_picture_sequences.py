"""Numbered pictures as a target, read back by FFmpeg, picture by picture."""

from __future__ import annotations

import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import MOST_BYTES
from framebrush.jobs.segments.picture_log import describe_leftover_pictures
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.transcode import Listener, Progress, Status
from framebrush.jobs.workers.run import run_job
from framebrush.media.tags import SRGB
from framebrush.media.video import OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.jobs.changes import otherwise
from tests.app.jobs.footage import leftovers

NEEDS_PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")


def spec(name: str | Path, target: Path, **changes: object) -> JobSpec:
    plain = JobSpec(str(CLIPS / name), str(target), Recipe(StyleSpec("none"), Look(steady=0.0, dither=False)))
    return otherwise(plain, **changes)


def picture(path: Path, as_format: str = "rgb24") -> npt.NDArray[np.generic]:
    """The one picture of a file."""
    with av.open(str(path)) as file:
        (frame,) = file.decode(video=0)
        return frame.reformat(format=as_format).to_ndarray()


def stored(path: Path) -> str:
    with av.open(str(path)) as file:
        return next(file.decode(video=0)).format.name


def source_pictures(name: str, as_format: str = "rgb24") -> list[npt.NDArray[np.generic]]:
    with av.open(str(CLIPS / name)) as film:
        return [frame.reformat(format=as_format).to_ndarray() for frame in film.decode(video=0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "source", "pix_fmt", "written", "within"),
    [
        ("png", "cfr.mp4", "auto", "rgb24", 12),
        ("png", "10bit.mp4", "auto", "rgb48be", 12),
        ("png", "cfr.mp4", "gbrp16le", "rgb48be", 12),
        ("tif", "cfr.mp4", "auto", "rgb24", 12),
        ("tiff", "10bit.mp4", "auto", "rgb48le", 12),
        ("dpx", "10bit.mp4", "auto", "gbrp10le", 12),
        ("dpx", "10bit.mp4", "gbrp12le", "gbrp12le", 12),
        ("jpg", "cfr.mp4", "auto", "yuvj420p", 30),
        ("jpeg", "444.mp4", "auto", "yuvj444p", 30),
    ],
)
def test_pictures_are_the_frames(
    ending: str, source: str, pix_fmt: str, written: str, within: int, device: Device, tmp_path: Path
) -> None:
    job = spec(source, tmp_path / f"p%04d.{ending}", output=OutputOptions(pix_fmt=pix_fmt))
    assert run_job(job, device).status is Status.DONE
    want = source_pictures(source)
    assert leftovers(tmp_path) == [f"p{number:04}.{ending}" for number in range(1, len(want) + 1)]
    for number, own in enumerate(want, 1):
        path = tmp_path / f"p{number:04}.{ending}"
        assert stored(path) == written
        found = picture(path)
        difference = np.abs(found.astype(int) - own.astype(int))
        assert np.percentile(difference, 95) <= within  # swscale takes chroma from where it is nearest
        assert difference.mean() < within / 4


def test_greys_become_colours(device: Device, tmp_path: Path) -> None:
    run_job(spec("grey.mkv", tmp_path / "%d.png", output=OutputOptions(pix_fmt="gbrp")), device)
    (luma, *_) = source_pictures("grey.mkv", "gray")
    want = np.clip((luma.astype(float) - 16) * 255 / 219, 0, 255)  # the film is of limited range
    assert stored(tmp_path / "1.png") == "rgb24"
    assert np.abs(picture(tmp_path / "1.png") - want[..., None]).max() < 1.5


@pytest.mark.parametrize("name", ["%02d.jpg", "o.webp"])
def test_floats_are_refused_where_no_encoder_takes_them(name: str, device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="writes gbrpf16le here; use --pix-fmt yuv420p"):
        run_job(spec("cfr.mp4", tmp_path / name, output=OutputOptions(pix_fmt="gbrpf16le")), device)


def test_sixteen_bits_are_all_there(device: Device, tmp_path: Path) -> None:
    """R'G'B' of 16 bits passes bit by bit into PNG and TIFF."""
    want = np.random.default_rng(1).integers(0, 1 << 16, (48, 64, 3), dtype=np.uint16)
    with av.open(str(tmp_path / "deep.mkv"), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "gbrp16le"
        frame = av.VideoFrame.from_ndarray(want, "rgb48le").reformat(format="gbrp16le")
        frame.pts, frame.time_base = 0, Fraction(1, 25)
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    for ending in ("png", "tif", "dpx"):
        run_job(spec(tmp_path / "deep.mkv", tmp_path / f"%d.{ending}"), device)
        np.testing.assert_array_equal(picture(tmp_path / f"1.{ending}", "rgb48le"), want)


def test_exr_holds_light(device: Device, tmp_path: Path) -> None:
    run_job(spec("rgb24.mov", tmp_path / "%03d.exr", range=TimeRange(frames=1)), device)
    with av.open(str(tmp_path / "001.exr")) as file:
        (frame,) = file.decode(video=0)
        assert frame.format.name in ("gbrpf32le", "gbrpf16le")
        planes = frame.reformat(format="gbrpf32le").to_ndarray()  # (3, H, W) or (H, W, 3)
    light = planes if planes.shape[-1] == 3 else np.moveaxis(planes, 0, -1)
    encoded = source_pictures("rgb24.mov")[0].astype(float) / 255
    want = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    np.testing.assert_allclose(light, want, rtol=2e-3, atol=2e-4)  # half a step of float16


def exr(folder: Path, light: npt.NDArray[np.float32], *, half: bool = False) -> Path:
    """Pictures (N, H, W, 3 or 4) of light as EXR files; the name of all."""
    form = "gbrpf32le" if light.shape[-1] == 3 else "gbrapf32le"
    for number, picture in enumerate(light, 1):
        context = av.CodecContext.create("exr", "w")
        assert isinstance(context, av.VideoCodecContext)
        context.width, context.height, context.pix_fmt = picture.shape[1], picture.shape[0], form
        context.time_base, context.options = Fraction(1), {"format": "half" if half else "float"}
        frame = av.VideoFrame(picture.shape[1], picture.shape[0], form)
        for plane, channel in zip(frame.planes, (1, 2, 0, 3), strict=False):
            rows = np.frombuffer(plane, np.float32).reshape(plane.height, -1)  # type: ignore[call-overload]
            rows[:, : plane.width] = picture[..., channel]
        content = b"".join(bytes(packet) for packet in [*context.encode(frame), *context.encode(None)])
        (folder / f"light{number:03}.exr").write_bytes(content)
    return folder / "light%03d.exr"


def light_of(path: Path) -> npt.NDArray[np.float32]:
    """(H, W, 3 or 4) of an EXR file."""
    with av.open(str(path)) as file:
        (frame,) = file.decode(video=0)
    kind = np.float32 if "f32" in frame.format.name else np.float16
    planes = [
        np.frombuffer(plane, kind).reshape(plane.height, -1)[:, : plane.width]  # type: ignore[call-overload]
        for plane in frame.planes
    ]
    return np.stack([planes[2], planes[0], planes[1], *planes[3:]], -1).astype(np.float32)


@pytest.mark.parametrize("channels", [3, 4])
def test_light_passes_through_with_what_is_beyond_white(channels: int, device: Device, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    light = (rng.random((2, 48, 64, channels)) * 8 - 0.5).astype(np.float32) ** 3
    light[..., 3:] = rng.random((2, 48, 64, channels - 3))
    job = spec(exr(tmp_path, light, half=True), tmp_path / "out%d.exr", decode=DecodeOptions(rate=Fraction(24)))
    assert run_job(job, device).status is Status.DONE
    for number, own in enumerate(light, 1):
        given = light_of(tmp_path / f"light{number:03}.exr")
        assert np.abs(given - own).max() < 0.3  # of 420
        assert np.array_equal(light_of(tmp_path / f"out{number}.exr"), given)


def test_light_is_painted_as_a_screen_shows_it(device: Device, tmp_path: Path) -> None:
    """EXR and PNG of one picture look alike; NaN and values beyond white are painted, too."""
    codes = source_pictures("rgb24.mov")[0]
    with av.open(str(tmp_path / "1.png"), "w", format="image2", options={"update": "1"}) as out:
        stream = out.add_stream("png", rate=1)
        stream.width, stream.height, stream.pix_fmt = codes.shape[1], codes.shape[0], "rgb24"
        out.mux(stream.encode(av.VideoFrame.from_ndarray(codes, "rgb24")))
    encoded = codes.astype(float) / 255
    light = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4).astype(np.float32)
    light = np.where(light == 1.0, 7.0, light).astype(np.float32)
    light[0, 0, 0] = np.nan if codes[0, 0, 0] == 0 else light[0, 0, 0]
    look = Look(steady=0.0, dither=False)
    pictures = []
    for source, name in ((exr(tmp_path, light[None]), "light"), (tmp_path / "%d.png", "codes")):
        target = tmp_path / f"{name}-painted%d.png"
        run_job(
            spec(source, target, style=StyleSpec("great-wave"), look=look, decode=DecodeOptions(rate=Fraction(24))),
            device,
        )
        pictures.append(picture(tmp_path / f"{name}-painted1.png").astype(int))
    assert np.abs(pictures[0] - pictures[1]).max() <= 2


@pytest.mark.parametrize("ending", ["mkv", "mov", "png"])
def test_what_was_light_is_tagged_as_srgb(ending: str, device: Device, tmp_path: Path) -> None:
    """A result tagged as linear is shown much too bright by other programs."""
    light = np.full((1, 48, 64, 3), 0.25, np.float32)
    target = tmp_path / f"out{'%d' * (ending == 'png')}.{ending}"
    run_job(spec(exr(tmp_path, light), target, decode=DecodeOptions(rate=Fraction(24))), device)
    with av.open(str(tmp_path / f"out{'1' * (ending == 'png')}.{ending}")) as file:
        assert next(file.decode(video=0)).color_trc == SRGB.transfer


def test_a_radiance_picture_is_light_too(device: Device, tmp_path: Path) -> None:
    context = av.CodecContext.create("hdr", "w")
    assert isinstance(context, av.VideoCodecContext)
    context.width, context.height, context.pix_fmt, context.time_base = 64, 48, "gbrpf32le", Fraction(1)
    frame = av.VideoFrame(64, 48, "gbrpf32le")
    for plane in frame.planes:
        plane.update(np.full(plane.buffer_size // 4, 0.25, np.float32).tobytes())
    (tmp_path / "1.hdr").write_bytes(b"".join(bytes(packet) for packet in context.encode(frame)))
    run_job(spec(tmp_path / "%d.hdr", tmp_path / "%d.png", decode=DecodeOptions(rate=Fraction(24))), device)
    assert np.all(np.abs(picture(tmp_path / "1.png").astype(int) - 137) <= 1)  # 0.5371 of 255: sRGB of a quarter


def test_alpha_goes_between_floats_and_codes(device: Device, tmp_path: Path) -> None:
    """0.2 of 1 is 51 of 255, and back; at another size too."""
    light = np.full((1, 48, 64, 4), 0.2, np.float32)
    rate = DecodeOptions(rate=Fraction(24))
    run_job(spec(exr(tmp_path, light), tmp_path / "a%d.png", decode=rate), device)
    assert np.all(picture(tmp_path / "a1.png", "rgba64le")[..., 3] == 13107)
    run_job(spec(tmp_path / "a%d.png", tmp_path / "b%d.exr", decode=rate), device)
    assert np.all(light_of(tmp_path / "b1.exr")[..., 3] == np.float16(0.2))
    half = SizeSpec(size="32x24")
    run_job(spec(tmp_path / "light%03d.exr", tmp_path / "c%d.exr", decode=rate, sizes=half), device)
    small = light_of(tmp_path / "c1.exr")
    assert small.shape == (24, 32, 4)
    np.testing.assert_allclose(small[..., 3], 0.2, atol=2**-12)


def test_pictures_are_upright(device: Device, tmp_path: Path) -> None:
    """A file of a picture says nothing of a rotation, so the samples are turned."""
    for ending in ("png", "jpg"):
        run_job(spec("rotated.mp4", tmp_path / f"%03d.{ending}", range=TimeRange(frames=3)), device)
        for number in range(3):
            found = picture(tmp_path / f"{number + 1:03}.{ending}", "gray")
            assert found.shape[0] > found.shape[1]
            assert frame_number.read(np.rot90(found, -1)) == number  # drawn as it is stored, a quarter turn clockwise


def test_what_pictures_cannot_hold_is_said(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    run_job(spec("extras.mkv", tmp_path / "%d.png", range=TimeRange(frames=2)), device, Listener(said.append))
    (lost,) = [words for words in said if words.startswith("lost: ")]
    assert "left out: PNG holds only pictures" in lost
    assert "the chapters (PNG cannot hold them)" in lost
    assert said[0] == "video: png, 8 bits R'G'B'"


def stopped(job: JobSpec, device: Device, at: int, error: type[BaseException] = KeyboardInterrupt) -> None:
    """Begin a job and stop it after `at` frames."""

    def stop(state: Progress) -> None:
        if state.frames == at:
            raise error("now")

    with pytest.raises(error):
        run_job(job, device, Listener(progress=stop))


@pytest.mark.slow
@pytest.mark.parametrize("span", [TimeRange(), TimeRange(start=Position(Fraction(5), "frame"))], ids=["all", "range"])
@pytest.mark.parametrize("look", [Look(steady=0.0), Look(steady=0.7, relief=0.6)], ids=["alone", "steady"])
def test_an_interrupted_job_goes_on_by_the_picture(span: TimeRange, look: Look, device: Device, tmp_path: Path) -> None:
    """Two runs write the same pictures as one, with temporal filter and strokes."""
    (tmp_path / "whole").mkdir()
    (tmp_path / "parts").mkdir()
    more = {"style": StyleSpec("ink"), "look": look, "range": span}
    run_job(spec("cfr.mp4", tmp_path / "whole" / "%03d.png", **more), device)
    job = spec("cfr.mp4", tmp_path / "parts" / "%03d.png", **more)
    stopped(job, device, 14)
    there = sorted(path for path in (tmp_path / "parts").glob("*.png"))
    assert 0 < len(there) <= 14
    times = [path.stat().st_mtime_ns for path in there]
    said: list[str] = []
    states: list[Progress] = []
    outcome = run_job(job, device, Listener(said.append, states.append))
    assert (outcome.status, outcome.lost) == (Status.DONE, 0)
    assert f"resuming %03d.png: {len(there)} pictures are done" in said
    assert [path.stat().st_mtime_ns for path in there] == times  # not written again
    assert states[-1].resumed == len(there)
    names = leftovers(tmp_path / "whole")
    assert leftovers(tmp_path / "parts") == names
    assert states[-1].frames == len(names)
    for name in names:
        one, other = ((tmp_path / folder / name).read_bytes() for folder in ("whole", "parts"))
        assert one == other, name


def test_an_unfinished_job_of_another_kind_is_kept(device: Device, tmp_path: Path) -> None:
    job = spec("cfr.mp4", tmp_path / "%03d.png")
    stopped(job, device, 14)
    other = replace(job, recipe=replace(job.recipe, style=StyleSpec("ink"), look=Look(strength=0.5, steady=0.0)))
    with pytest.raises(OutputError, match=r"belongs to an unfinished job of \d+ pictures?, and .*the settings"):
        run_job(other, device)
    assert run_job(replace(other, range=TimeRange(frames=3)), device, restart=True).status is Status.DONE
    assert (tmp_path / "003.png").exists()
    assert not list(tmp_path.glob("*.framebrush"))


def test_pictures_are_not_overwritten_unasked(device: Device, tmp_path: Path) -> None:
    job = spec("cfr.mp4", tmp_path / "%03d.png", range=TimeRange(frames=3))
    (tmp_path / "007.png").write_bytes(b"mine")
    with pytest.raises(OutputError, match=r"007\.png exists already; overwrite such pictures with -y"):
        run_job(job, device)
    assert leftovers(tmp_path) == ["007.png"]
    run_job(replace(job, output=OutputOptions(overwrite=True)), device)
    assert leftovers(tmp_path) == ["001.png", "002.png", "003.png", "007.png"]
    assert (tmp_path / "007.png").read_bytes() == b"mine"
    with pytest.raises(OutputError, match=r"001\.png exists already"):
        run_job(job, device)


@pytest.mark.slow
def test_only_what_the_log_names_is_there(device: Device, tmp_path: Path) -> None:
    """A line that was torn off stands for nothing, though there is a picture behind it."""
    job = spec("cfr.mp4", tmp_path / "%03d.png")
    run_job(job, device)
    other = replace(job, output=OutputOptions(overwrite=True))
    stopped(other, device, 20)
    log = tmp_path / "%03d.png.framebrush" / "pictures.txt"
    head, *_ = log.read_text(encoding="utf-8").splitlines()
    log.write_text(f"{head}\n1\n2\n3\n\0\0", encoding="utf-8")
    said: list[str] = []
    run_job(other, device, Listener(said.append))
    assert "resuming %03d.png: 3 pictures are done" in said


def test_a_damaged_end_of_the_log_costs_what_it_names(device: Device, tmp_path: Path) -> None:
    """A picture that went away, and a line that was torn off, are painted again."""
    job = spec("cfr.mp4", tmp_path / "%03d.png")
    stopped(job, device, 14)
    log = tmp_path / "%03d.png.framebrush" / "pictures.txt"
    log.write_text(log.read_text() + "\0\0", encoding="utf-8")
    (tmp_path / "004.png").unlink()
    said: list[str] = []
    run_job(job, device, Listener(said.append))
    assert "resuming %03d.png: 3 pictures are done" in said
    assert len(leftovers(tmp_path)) == len(source_pictures("cfr.mp4"))


@pytest.mark.parametrize("kind", ["outsized", pytest.param("pipe", marks=NEEDS_PIPES)])
def test_a_log_that_is_none_is_not_read(kind: str, device: Device, tmp_path: Path) -> None:
    job = spec("cfr.mp4", tmp_path / "%03d.png", output=OutputOptions(overwrite=True))
    stopped(job, device, 14)
    log = tmp_path / "%03d.png.framebrush" / "pictures.txt"
    if kind == "pipe":
        log.unlink()
        os.mkfifo(log)
        reason = "it is not a regular file"
    else:
        with log.open("r+b") as file:
            file.truncate(MOST_BYTES + 1)
        reason = "it has more than 67.1 MB, the most for such a file"
    assert describe_leftover_pictures(tmp_path / "%03d.png") == ""
    said: list[str] = []
    run_job(job, device, Listener(said.append))
    assert f"the list of an unfinished job's pictures cannot be used ({reason}): painting all" in said
    assert len(leftovers(tmp_path)) == len(source_pictures("cfr.mp4"))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("still.png", r"still\.png: numbered pictures need one number in their name, as in frames/%04d\.png"),
        ("%d-%d.png", r"need one number in their name"),
        ("%s%d.png", r"need one number in their name"),
        ("%d.bmp", r"cannot tell the file format from \.bmp; use one of \.png, \.tif, "),
        ("absent/%d.png", r"there is no folder .*absent"),
    ],
)
def test_names_that_cannot_be_are_refused(name: str, message: str, device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=message):
        run_job(spec("cfr.mp4", tmp_path / name), device)
    assert leftovers(tmp_path) == []


def test_one_of_several_devices_writes_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["transcode", str(CLIPS / "cfr.mp4"), str(tmp_path / "%03d.png"), "--style", "none", "--frames", "3"]
    assert run([*arguments, "--device", "cpu,cpu", "--segments", "2"]) == 0
    assert "numbered pictures cannot be split among several devices: only one is used" in capsys.readouterr().err
    assert leftovers(tmp_path) == ["001.png", "002.png", "003.png"]


def test_pictures_to_pictures(device: Device, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The result is a source, and is not written over itself."""
    run_job(spec("cfr.mp4", tmp_path / "a%03d.png", range=TimeRange(frames=5)), device)
    again = ["transcode", str(tmp_path / "a%03d.png"), str(tmp_path / "b%03d.png"), "--rate", "25", "--style", "none"]
    assert run([*again, "--device", "cpu"]) == 0, capsys.readouterr().err
    for number in range(1, 6):
        own, made = (picture(tmp_path / f"{stem}{number:03}.png") for stem in "ab")
        np.testing.assert_array_equal(own, made)
    again[2] = again[1]
    assert run([*again, "-y", "--device", "cpu"]) == 1
    assert "is the input itself" in capsys.readouterr().err
