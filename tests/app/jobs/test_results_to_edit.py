"""Results for editing or archiving: codecs in segments, source properties, passthrough frames."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame, nv12, yuv420p
from framebrush.gpu.look import Look, ToneCurve
from framebrush.gpu.settings import StylizerPlan
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.output_format import video_target
from framebrush.jobs.pipeline import Pipeline
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Status
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import VideoFrame
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.passthrough import passthrough_style
from framebrush.styles.specs import StyleSpec
from tests import networks
from tests.app.jobs.footage import interrupt, job, leftovers, shown, transcode
from tests.gpu.pictures import noise

PRORES, DNXHR, CINEFORM, FFV1 = (OutputOptions(codec=codec) for codec in ("prores", "dnxhr", "cineform", "ffv1"))
H264_422 = OutputOptions(codec="libx264", crf=0, preset="veryfast", pix_fmt="yuv422p10le")


def pictures(path: Path) -> list[npt.NDArray[np.generic]]:
    with av.open(str(path)) as container:
        return [frame.to_ndarray() for frame in container.decode(video=0)]


def stream_facts(path: Path) -> tuple[object, ...]:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        colours = context.color_primaries, context.color_trc, context.colorspace, context.color_range
        return context.name, context.pix_fmt, context.codec_tag, context.extradata, stream.start_time, *colours


@pytest.mark.slow
@pytest.mark.media
@pytest.mark.parametrize(
    ("name", "suffix", "options"),
    [
        ("extras.mp4", ".mov", PRORES),
        ("vfr.mp4", ".mov", PRORES),
        ("negative.ts", ".mov", DNXHR),
        ("vfr.mkv", ".mkv", PRORES),
        ("vfr.mp4", ".mov", CINEFORM),
        ("vfr.mp4", ".mkv", FFV1),
        ("422.mp4", ".mp4", H264_422),
    ],
    ids=str,
)
def test_segments_join_to_what_one_piece_is(
    name: str, suffix: str, options: OutputOptions, device: Device, tmp_path: Path
) -> None:
    whole, joined = tmp_path / f"whole{suffix}", tmp_path / f"joined{suffix}"
    transcode(job(CLIPS / name, whole, device, options=options, segments="off"))
    made = job(CLIPS / name, joined, device, options=options, segments=7)
    interrupt(made, 17)
    said: list[str] = []
    assert transcode(made, Listener(said.append)).status is Status.DONE
    assert any("resuming" in words for words in said), said
    assert leftovers(tmp_path) == sorted([whole.name, joined.name])
    assert shown(joined) == shown(whole)
    assert stream_facts(joined) == stream_facts(whole)
    for one, other in zip(pictures(joined), pictures(whole), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    ("name", "target", "options", "pix_fmt"),
    [
        ("422.mp4", "o.mkv", FFV1, "yuv422p"),
        ("444.mp4", "o.mkv", FFV1, "yuv444p"),
        ("rgb.mkv", "o.mkv", FFV1, "bgr0"),
        ("10bit.mp4", "o.mov", PRORES, "yuv422p10le"),
        ("rgb.mkv", "o.mov", CINEFORM, "gbrp12le"),
        ("422.mp4", "o.mp4", OutputOptions(codec="libx264", pix_fmt="source"), "yuv422p"),
        ("422.mp4", "o.mp4", OutputOptions(codec="libx264"), "yuv420p"),
        ("prores.mov", "o.mov", PRORES, "yuv422p10le"),
        ("pq.mp4", "o.mov", PRORES, "yuv422p10le"),
    ],
    ids=str,
)
def test_a_result_has_what_the_codec_can_keep(
    name: str, target: str, options: OutputOptions, pix_fmt: str, device: Device, tmp_path: Path
) -> None:
    said: list[str] = []
    transcode(job(CLIPS / name, tmp_path / target, device, options=options), Listener(said.append))
    with av.open(str(tmp_path / target)) as container:
        assert container.streams.video[0].codec_context.pix_fmt == pix_fmt
    assert shown(tmp_path / target)[0] == shown(CLIPS / name)[0]
    assert any("chroma resolution" in words for words in said) == (pix_fmt == "yuv420p")


def noisy_film(path: Path, pix_fmt: str) -> list[npt.NDArray[np.generic]]:
    """A film of all codes at random, the illegal ones too, without loss; gives what FFmpeg decodes."""
    planar = {"yuv420p": yuv420p(64, 48), "yuv420p10le": yuv420p(64, 48, bits=10)}
    frames = planar.get(pix_fmt) or video_target(yuv420p(64, 48), pix_fmt)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, pix_fmt
        for number in range(5):
            picture = av.VideoFrame(64, 48, pix_fmt)
            for plane, samples in zip(picture.planes, noise(frames, number).planes, strict=True):
                rows = np.zeros((plane.height, plane.line_size // samples.itemsize), samples.dtype)
                rows[:, : samples.shape[1]] = samples
                plane.update(rows.tobytes())
            picture.pts, picture.time_base = number, Fraction(1, 25)
            out.mux(stream.encode(picture))
        out.mux(stream.encode(None))
    return pictures(path)


@pytest.mark.parametrize("pix_fmt", ["yuv420p", "yuv422p10le", "yuv444p16le", "gbrp10le", "yuv420p10le"])
@pytest.mark.parametrize("strength", [0.0, 1.0])
def test_what_is_not_painted_comes_back_bit_by_bit(
    pix_fmt: str, strength: float, device: Device, tmp_path: Path
) -> None:
    want = noisy_film(tmp_path / "in.mkv", pix_fmt)
    spec = JobSpec(
        str(tmp_path / "in.mkv"),
        str(tmp_path / "out.mkv"),
        Recipe(StyleSpec("none"), Look(strength=strength)),
        output=FFV1,
    )
    assert run_job(spec, device).status is Status.DONE
    for found, own in zip(pictures(tmp_path / "out.mkv"), want, strict=True):
        np.testing.assert_array_equal(found, own)


@pytest.mark.parametrize(
    ("look", "passes"),
    [
        (Look(strength=0.0), True),
        (Look(strength=0.0, brush=1.0, relief=1.0, canvas=1.0, detail=1.0), True),
        (Look(), False),
        (Look(strength=0.5), False),
        (Look(strength=0.0, exposure_ev=0.5), False),
        (Look(strength=0.0, tone_curve=ToneCurve.HABLE), False),
        (Look(strength=0.0, tone_curve=ToneCurve.REINHARD), True),
    ],
    ids=str,
)
def test_only_a_source_that_nothing_changes_passes(look: Look, passes: bool, device: Device) -> None:
    source = yuv420p(64, 48)
    frame = VideoFrame(0, 0, 1, noise(source))
    plan = StylizerPlan(networks.identity(), source, nv12(64, 48), look=look)
    with Pipeline(FramePipeline(device, plan)) as pipeline:
        (made,) = pipeline.frames([frame])
        assert (pipeline.stylizer.counters.runs == 0) == passes
    assert isinstance(frame.frame, Frame)
    same = all(np.array_equal(a, b) for a, b in zip(made.host.components, frame.frame.components, strict=True))
    assert same == passes


@pytest.mark.parametrize("look", [Look(brush=1.0), Look(relief=1.0), Look(canvas=1.0), Look(detail=1.0)], ids=str)
def test_no_style_with_strokes_is_painted(look: Look, device: Device) -> None:
    source = yuv420p(64, 48)
    plan = StylizerPlan(passthrough_style(), source, source, look=look)
    with Pipeline(FramePipeline(device, plan)) as pipeline:
        list(pipeline.frames([VideoFrame(0, 0, 1, noise(source))]))
        assert pipeline.stylizer.counters.runs == 1


def test_another_range_or_matrix_does_not_pass(device: Device) -> None:
    source = yuv420p(64, 48)
    for change in ({"full_range": True}, {"bits": 10}, {"subsample": (0, 0)}, {"width": 62}):
        target = replace(source, **change)  # type: ignore[arg-type]
        plan = StylizerPlan(passthrough_style(), source, target, look=Look())
        with Pipeline(FramePipeline(device, plan)) as pipeline:
            list(pipeline.frames([VideoFrame(0, 0, 1, noise(source))]))
            assert pipeline.stylizer.counters.runs == 1
