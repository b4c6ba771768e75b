"""GIF and animated WebP output: pictures, times, rotation, segments, refusals."""

from __future__ import annotations

import re
import struct
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Literal

import av
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from assets import frame_number
from assets.make_clips import CLIPS
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Status
from framebrush.jobs.workers.run import run_job
from framebrush.media.reading.orientation import upright
from framebrush.media.video import Orientation, OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.jobs.footage import interrupt, job, leftovers, shown, transcode

pytestmark = pytest.mark.media
Picture = npt.NDArray[np.uint8]


def gif(path: Path) -> tuple[list[Picture], list[int]]:
    """Pictures in R'G'B', and how many hundredths of a second each is shown, as the file says it."""
    with av.open(str(path)) as film:
        pictures = [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]
    content = path.read_bytes()
    assert b"NETSCAPE2.0\x03\x01\0\0\0" in content  # shown again and again
    marks = re.finditer(rb"!\xf9\x04.(..).\0,", content, re.DOTALL)
    return pictures, [int.from_bytes(mark[1], "little") for mark in marks]


def webp(path: Path) -> tuple[list[Picture], list[int]]:
    """Return the pictures and durations in ms of an animated WebP.

    Each picture is decoded as a separate file: the bundled FFmpeg decodes no animated WebP.
    """
    content = path.read_bytes()
    assert content[:4] + content[8:16] == b"RIFFWEBPVP8X"
    assert struct.unpack_from("<I", content, 4)[0] == len(content) - 8
    pictures, lengths, place = [], [], 12
    while place < len(content):
        kind, size = struct.unpack_from("<4sI", content, place)
        chunk = content[place + 8 : place + 8 + size]
        if kind == b"ANIM":
            assert chunk[4:] == b"\0\0"  # shown again and again
        if kind == b"ANMF":
            lengths.append(int.from_bytes(chunk[12:15], "little"))
            alone = BytesIO(b"RIFF" + struct.pack("<I", 4 + size - 16) + b"WEBP" + chunk[16:])
            with av.open(alone, format="webp_pipe") as still:
                pictures.append(next(still.decode(video=0)).to_ndarray(format="rgb24"))
        place += 8 + size + size % 2
    return pictures, lengths


READ, TICKS = {".gif": gif, ".webp": webp}, {".gif": 100, ".webp": 1000}
ENDINGS = pytest.mark.parametrize("ending", [".gif", ".webp"])


def numbers(pictures: list[Picture]) -> list[int | None]:
    luma = (picture.astype(np.float64) @ [0.299, 0.587, 0.114] for picture in pictures)
    return [frame_number.read(one.astype(np.uint8)) for one in luma]


def decoded(path: Path) -> list[Picture]:
    with av.open(str(path)) as film:
        return [frame.to_ndarray(format="rgb24") for frame in film.decode(video=0)]


@pytest.mark.slow
@ENDINGS
@pytest.mark.parametrize("name", ["cfr.mp4", "vfr.mkv", "full-range.mp4", "10bit.mp4"])
def test_pictures_and_times(name: str, ending: str, device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    target = tmp_path / f"o{ending}"
    spec = JobSpec(str(CLIPS / name), str(target), Recipe(StyleSpec("none"), Look(steady=0.0)))
    assert run_job(spec, device, Listener(said.append)).status is Status.DONE
    pictures, lengths = READ[ending](target)
    own, times = shown(CLIPS / name)
    assert numbers(pictures) == own
    ticks = [round(time * TICKS[ending]) for time in times]
    want = [after - before for before, after in pairwise(ticks)]
    assert lengths[:-1] == want
    for picture, was in zip(pictures, decoded(CLIPS / name), strict=True):
        error = np.mean((picture.astype(float) - was) ** 2)
        assert 10 * np.log10(255**2 / error) > 24
    assert any("each picture has 256" in words for words in said) == (ending == ".gif")
    assert leftovers(tmp_path) == [target.name]


def test_a_picture_of_few_colours_keeps_them(device: Device, tmp_path: Path) -> None:
    source, chance = tmp_path / "in.mkv", np.random.default_rng(4)
    films = [chance.integers(0, 256, (200, 3), np.uint8)[chance.integers(0, 200, (47, 63))] for _ in range(6)]
    with av.open(str(source), "w") as out:
        stream = out.add_stream("libx264rgb", rate=25, options={"qp": "0"})
        stream.width, stream.height, stream.pix_fmt = 63, 47, "rgb24"
        for picture in films:
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture, "rgb24")))
        out.mux(stream.encode(None))
    spec = JobSpec(str(source), str(tmp_path / "o.gif"), Recipe(StyleSpec("none"), Look(steady=0.0)))
    assert run_job(spec, device).status is Status.DONE
    for found, own in zip(gif(tmp_path / "o.gif")[0], films, strict=True):
        np.testing.assert_allclose(found.astype(int), own, atol=1)  # palettegen counts in another space


@ENDINGS
def test_colours_of_another_matrix_stay(ending: str, device: Device, tmp_path: Path) -> None:
    """WebP is of BT.601 whatever the film is."""
    source, colour = tmp_path / "in.mkv", np.array([200, 30, 60], np.uint8)
    with av.open(str(source), "w") as out:
        stream = out.add_stream("libx264", rate=25, options={"crf": "5"})
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.colorspace = 1
        for _ in range(3):
            frame = av.VideoFrame.from_ndarray(np.broadcast_to(colour, (48, 64, 3)).copy(), "rgb24")
            out.mux(stream.encode(frame.reformat(format="yuv420p", dst_colorspace="itu709")))
        out.mux(stream.encode(None))
    spec = JobSpec(str(source), str(tmp_path / f"o{ending}"), Recipe(StyleSpec("none"), Look(steady=0.0)))
    assert run_job(spec, device).status is Status.DONE
    pictures, _ = READ[ending](tmp_path / f"o{ending}")
    assert len(pictures) == 3
    for picture in pictures:
        np.testing.assert_allclose(picture.reshape(-1, 3).mean(0), colour, atol=5)


@pytest.mark.slow
@ENDINGS
def test_pictures_are_upright(ending: str, device: Device, tmp_path: Path) -> None:
    target, source = tmp_path / f"o{ending}", CLIPS / "rotated.mp4"
    transcode(job(source, target, device))
    pictures, _ = READ[ending](target)
    for picture, was in zip(pictures, decoded(source), strict=True):
        want = upright(was, Orientation(90))
        assert picture.shape == want.shape
        assert np.mean((picture.astype(float) - want) ** 2) < 255**2 / 10**2.4


@pytest.mark.slow
@ENDINGS
@pytest.mark.parametrize("name", ["rotated.mp4", "vfr.mp4"])
def test_segments_become_what_one_piece_is(ending: str, name: str, device: Device, tmp_path: Path) -> None:
    whole, joined = tmp_path / f"whole{ending}", tmp_path / f"joined{ending}"
    transcode(job(CLIPS / name, whole, device, segments="off"))
    made = job(CLIPS / name, joined, device, segments=7)
    interrupt(made, 17)
    said: list[str] = []
    assert transcode(made, Listener(said.append)).status is Status.DONE
    assert any("resuming" in words for words in said), said
    assert leftovers(tmp_path) == sorted([whole.name, joined.name])
    assert joined.read_bytes() == whole.read_bytes()


@pytest.mark.slow
def test_an_odd_size_in_segments(device: Device, tmp_path: Path) -> None:
    for ending in (".gif", ".webp"):
        made = [tmp_path / f"{name}{ending}" for name in ("whole", "joined")]
        for target, segments in zip(made, ("off", 7), strict=True):
            options = OutputOptions(overwrite=True)
            transcode(
                job(
                    CLIPS / "cfr.mp4",
                    target,
                    device,
                    segments=segments,
                    options=options,
                    sizes=SizeSpec(size="63x47"),
                    span=TimeRange(frames=16),
                )
            )
        assert made[0].read_bytes() == made[1].read_bytes()
        assert READ[ending](made[0])[0][0].shape == (47, 63, 3)


def test_a_range(device: Device, tmp_path: Path) -> None:
    span = TimeRange(start=Position(Fraction(5), "frame"), frames=6)
    transcode(job(CLIPS / "cfr.mp4", tmp_path / "o.gif", device, span=span))
    pictures, lengths = gif(tmp_path / "o.gif")
    assert numbers(pictures) == [*range(5, 11)]
    assert lengths == [4] * 6


@pytest.mark.slow
def test_sound_and_names_are_said_to_be_lost(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    transcode(job(CLIPS / "extras.mp4", tmp_path / "o.gif", device), Listener(said.append))
    (lost,) = [words for words in said if words.startswith("lost: ")]
    assert "audio stream" in lost
    assert "chapters" in lost
    assert "256" in lost


def test_pixels_that_are_not_square_are_said_to_be_lost(device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    transcode(job(CLIPS / "anamorphic.mp4", tmp_path / "o.webp", device), Listener(said.append))
    assert any("the sample aspect 16/11 (WebP has square pixels" in words for words in said)


def test_quality(device: Device, tmp_path: Path) -> None:
    sizes = []
    for crf in (5.0, 60.0):
        target = tmp_path / f"{crf:g}.webp"
        transcode(job(CLIPS / "cfr.mp4", target, device, options=OutputOptions(crf=crf)))
        sizes.append(target.stat().st_size)
    assert sizes[0] > 1.5 * sizes[1]


@pytest.mark.parametrize(
    ("target", "options", "reason"),
    [
        ("o.gif", OutputOptions(codec="h264"), r"GIF cannot hold H\.264 \(h264\); it holds GIF"),
        ("o.mp4", OutputOptions(codec="gif"), r"MP4 cannot hold GIF \(gif\); it holds H\.264"),
        ("o.gif", OutputOptions(crf=20), "GIF has no quality numbers; it has one quality"),
        ("o.webp", OutputOptions(pix_fmt="yuv444p"), "writes yuv444p here; use --pix-fmt yuv420p"),
        ("o.gif", OutputOptions(target_bytes=1 << 20), "GIF cannot aim at a size"),
        ("o%04d.webp", OutputOptions(), r"\.webp is one animated file; numbered pictures are \.png"),
    ],
)
def test_what_is_refused(target: str, options: OutputOptions, reason: str, device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=reason):
        transcode(job(CLIPS / "cfr.mp4", tmp_path / target, device, options=options))
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(("rate", "frames"), [(50, 6), (60, 6), (100, 6)])
def test_fast_films(rate: int, frames: int, device: Device, tmp_path: Path) -> None:
    said: list[str] = []
    source = f"lavfi:testsrc2=size=64x48:rate={rate}"
    transcode(job(source, tmp_path / "o.gif", device, span=TimeRange(frames=frames)), Listener(said.append))
    pictures, lengths = gif(tmp_path / "o.gif")
    assert len(pictures) == frames
    ticks = [round(Fraction(100 * number, rate)) for number in range(frames)]
    assert lengths[:-1] == [after - before for before, after in pairwise(ticks)]
    assert any("show more slowly" in words for words in said) == (rate > 50)


@pytest.mark.parametrize(("ending", "begins"), [(".gif", [0, 1, 2, 3, 10, 14]), (".webp", [0, 2, 4, 6, 100, 140])])
def test_frames_of_one_tick_come_one_after_the_other(
    ending: str, begins: list[int], device: Device, tmp_path: Path
) -> None:
    with av.open(str(tmp_path / "film.mkv"), "w") as out:
        stream = out.add_stream("ffv1", rate=25, time_base=Fraction(1, 1000))
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for pts in (0, 2, 4, 6, 100, 140):
            frame = av.VideoFrame.from_ndarray(np.full((72, 64), 40 + pts, np.uint8), format="yuv420p")
            frame.pts, frame.time_base = pts, Fraction(1, 1000)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    transcode(job(tmp_path / "film.mkv", tmp_path / f"o{ending}", device))
    pictures, lengths = READ[ending](tmp_path / f"o{ending}")
    assert len(pictures) == len(begins)
    assert lengths[:-1] == [after - before for before, after in pairwise(begins)]


def test_a_film_that_is_too_fast_is_refused(device: Device, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"GIF shows 100 pictures a second at most, and .* has 120; use \.webp"):
        transcode(job("lavfi:testsrc2=size=64x48:rate=120", tmp_path / "o.gif", device, span=TimeRange(frames=5)))


@pytest.mark.parametrize("segments", ["off", 3])
def test_webp_keeps_alpha_and_no_picture_shows_through_another(
    segments: Literal["off"] | int, device: Device, tmp_path: Path
) -> None:
    source, target = tmp_path / "alpha.mov", tmp_path / "o.webp"
    rows, columns = np.mgrid[:48, :64]
    wanted = [((columns * 4 + number * 40) % 256).astype(np.uint8) for number in range(6)]
    with av.open(str(source), "w") as container:
        stream = container.add_stream("png", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "rgba"
        for alpha in wanted:
            pixels = np.stack([columns * 4, rows * 5, columns * 0, alpha], -1).astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(pixels, "rgba")))
        container.mux(stream.encode(None))
    spec = JobSpec(str(source), str(target), Recipe(StyleSpec("none")), segments=segments)
    assert run_job(spec, device, Listener()).status is Status.DONE
    with Image.open(target) as film:
        for number, alpha in enumerate(wanted):
            film.seek(number)
            np.testing.assert_array_equal(np.asarray(film.convert("RGBA"))[..., 3], alpha)
