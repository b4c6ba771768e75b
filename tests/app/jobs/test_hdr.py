"""HDR from file to file: painted in a space from which it returns, tagged as the source is, measured."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu import colour
from framebrush.gpu.device import Device
from framebrush.gpu.frame import FrameFormat, Matrix, PlaneOrder, Primaries, Transfer
from framebrush.gpu.look import Look
from framebrush.jobs.above_peak import AbovePeak
from framebrush.jobs.transcode import Status
from framebrush.media.reading.position import parse_position
from framebrush.media.reading.reader import Reader
from framebrush.media.tags import HLG, PQ
from framebrush.media.video import LightLevel, OutputError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec
from tests.app.jobs.footage import job, leftovers, transcode
from tests.gpu.pictures import all_colours

pytestmark = pytest.mark.media

KEEP = OutputOptions("ffv1", pix_fmt="yuv444p12le", hdr="keep")
X265 = OutputOptions("libx265", 0, "ultrafast", hdr="keep")
RESULTS = [
    (".mp4", X265),
    (".mkv", OutputOptions("libsvtav1", 20, "9", hdr="keep")),
    (".mov", OutputOptions("libx264", 0, "ultrafast", hdr="keep")),
    (".mov", OutputOptions("prores", hdr="keep")),
    (".mkv", OutputOptions("prores", hdr="keep")),
    (".mkv", OutputOptions("ffv1", hdr="keep")),
]
"""Of each codec that says how bright it is, or whose container does."""
DISPLAY = "G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)"
UNPAINTED = Look(strength=0.0, dither=False, steady=0.0)

Codes = npt.NDArray[np.uint16]


def codes_of(transfer: Transfer) -> Codes:
    """(3, 72, 1024) of 10 bits: every code of grey, the primaries of BT.2020 and random colours, as Y, Cb and Cr."""
    rgb = FrameFormat(1024, 12, PlaneOrder.GBR, 10, matrix=Matrix.RGB)
    frame = all_colours(rgb)
    values = colour.affine(colour.codes_to_rgb(rgb), np.stack([frame.planes[k] for k in (2, 0, 1)]).astype(float))
    form = FrameFormat(
        1024, 12, PlaneOrder.PLANAR, 10, matrix=Matrix.BT2020, transfer=transfer, primaries=Primaries.BT2020
    )
    codes = np.rint(colour.affine(colour.rgb_to_codes(form), values)).astype(np.uint16)
    return np.repeat(codes, 6, axis=1)  # as high as x265 needs


def film(path: Path, pictures: list[Codes], transfer: int, parameters: str = "") -> Path:
    """A film of 4:4:4, 10 bits, without loss."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("libx265", rate=25)
        context = stream.codec_context
        context.width, context.height, context.pix_fmt = pictures[0].shape[2], pictures[0].shape[1], "yuv444p10le"
        context.color_primaries, context.color_trc, context.colorspace, context.color_range = 9, transfer, 9, 1
        words = ["lossless=1", "log-level=none", *([parameters] if parameters else [])]
        context.options = {"preset": "ultrafast", "x265-params": ":".join(words)}
        for number, codes in enumerate(pictures):
            frame = av.VideoFrame(codes.shape[2], codes.shape[1], "yuv444p10le")
            for plane, samples in zip(frame.planes, codes, strict=True):
                rows = np.zeros((plane.height, plane.line_size // 2), np.uint16)
                rows[:, : samples.shape[1]] = samples
                plane.update(rows.tobytes())
            frame.pts, frame.time_base = number, Fraction(1, 25)
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def decoded(path: Path) -> list[Codes]:
    """Y, Cb and Cr as FFmpeg gives them, of the same number of samples each."""
    found = []
    with av.open(str(path)) as media:
        for frame in media.decode(video=0):
            rows = [
                np.frombuffer(plane, np.uint16).reshape(plane.height, -1)[:, : plane.width] for plane in frame.planes
            ]
            found.append(np.stack(rows))
    return found


def tags(path: Path) -> tuple[int, int, int, int]:
    with av.open(str(path)) as media:
        frame = next(media.decode(video=0))
        return frame.color_primaries, frame.color_trc, frame.colorspace, frame.color_range


@pytest.mark.parametrize(("transfer", "code"), [(Transfer.PQ, PQ), (Transfer.HLG, HLG)])
def test_at_strength_0_a_film_returns_within_a_code_of_1023(
    transfer: Transfer, code: int, device: Device, tmp_path: Path
) -> None:
    """All codes, saturated colours and highlights over the knee; 12 bits prevent a plain copy."""
    pictures = [codes_of(transfer)] * 2
    source = film(tmp_path / "in.mkv", pictures, code)
    made = job(source, tmp_path / "out.mkv", device, options=KEEP, look=UNPAINTED)
    assert transcode(made).status is Status.DONE
    assert tags(tmp_path / "out.mkv") == (9, code, 9, 1)
    for returned, own in zip(decoded(tmp_path / "out.mkv"), pictures, strict=True):
        assert np.abs(returned / 4.0 - own).max() <= 1.0


def ramp() -> Codes:
    """(3, 64, 320): grey from black to 10,000 nits in PQ."""
    codes = np.full((3, 64, 320), 512)
    codes[0] = np.linspace(64, 940, 320)
    return codes.astype(np.uint16)


@pytest.mark.parametrize("light", ["", "max-cll=10000,5000", "max-cll=1000,400", f"master-display={DISPLAY}"])
def test_what_is_not_painted_is_as_bright_as_the_source(light: str, tmp_path: Path) -> None:
    """Brightness tags of the source change nothing; 12 bits prevent a plain copy."""
    source, target = film(tmp_path / "in.mkv", [ramp()], PQ, light), tmp_path / "out.mkv"
    options = ["--style", "none", "--hdr", "keep", "--codec", "ffv1", "--pix-fmt", "yuv444p12le", "--no-dither"]
    assert run(["transcode", str(source), str(target), *options]) == 0
    assert np.abs(decoded(target)[0] / 4.0 - ramp()).max() <= 1.0
    with Reader(target) as reader:
        assert reader.info.light is not None
        assert reader.info.light.most == pytest.approx(10_000, rel=0.02)


@pytest.mark.parametrize(
    ("light", "peak_nits"),
    [
        ("", 1000.0),
        ("max-cll=1000,400", 1000.0),
        ("max-cll=400,100", 400.0),
        ("max-cll=4000,400", 4000.0),
        ("max-cll=10000,5000", 10_000.0),
        (f"master-display={DISPLAY}", 1000.0),
    ],
)
def test_what_is_painted_has_levels_up_to_the_peak(
    light: str, peak_nits: float, device: Device, tmp_path: Path
) -> None:
    """Through a network that changes nothing: as the source below the knee, and no flat white above the peak."""
    source, target = film(tmp_path / "in.mkv", [ramp()], PQ, light), tmp_path / "out.mkv"
    look = Look(dither=False, steady=0.0)
    assert transcode(job(source, target, device, options=KEEP, look=look)).status is Status.DONE
    painted, own = decoded(target)[0][0, 32] / 4.0, ramp()[0, 32]
    bright = colour.pq_to_nits((own - 64.0) / 876.0) > 0.6 * peak_nits
    assert np.abs(painted - own)[~bright].max() <= 1.0
    assert np.diff(painted).min() >= 0.0
    peak = 64 + 876 * float(colour.nits_to_pq(peak_nits))
    assert painted[-1] == pytest.approx(peak, abs=1.0)
    if peak_nits < 10_000.0:
        above = painted[own > peak]
        assert len(np.unique(above)) > 30
        assert peak - 40 < above[0] < peak - 5


@pytest.mark.parametrize(("ending", "options"), RESULTS)
def test_each_codec_keeps_unpainted_highlights(ending: str, options: OutputOptions, tmp_path: Path) -> None:
    source, target = film(tmp_path / "in.mkv", [ramp()] * 3, PQ), tmp_path / f"out{ending}"
    chosen = ["--codec", options.codec, *([] if options.crf is None else ["--crf", f"{options.crf:g}"])]
    command = ["transcode", str(source), str(target), "--style", "none", "--hdr", "keep", *chosen]
    assert run(command) == 0
    luma = decoded_luma(target)[0]
    with av.open(str(target)) as media:
        bits = next(media.decode(video=0)).format.components[0].bits
    lost = np.abs(luma.reshape(64, -1)[32, :320] / 2.0 ** (bits - 10) - ramp()[0, 32])
    assert lost.max() <= 12
    assert lost.mean() <= 3


@pytest.mark.parametrize("segments", [None, 2])
@pytest.mark.parametrize(
    ("light", "changes", "said"),
    [
        ("", [], 1),
        ("max-cll=1000,400", [], 1),
        ("max-cll=10000,5000", [], 0),
        ("", ["--strength", "0", "--pix-fmt", "yuv444p12le"], 0),  # 12 bits in place of 10: no copy of samples
        ("", ["--style", "none", "--pix-fmt", "yuv444p12le"], 0),
        ("", ["--style", "none", "--key", "strength@0=1", "--key", "strength@0.1=0.5"], 0),
    ],
)
def test_painted_light_above_the_peak_is_said_once(
    light: str,
    changes: list[str],
    said: int,
    segments: int | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source, target = film(tmp_path / "in.mkv", [ramp()] * 6, PQ, light), tmp_path / "out.mkv"
    options = ["--hdr", "keep", "--codec", "ffv1", "--device", "cpu", *changes]
    options += [] if "--style" in changes else ["--style", "ink"]
    options += [] if segments is None else ["--segments", str(segments)]
    assert run(["transcode", str(source), str(target), *options]) == 0
    words = "the film has light above 1000 nits, its tagged or assumed peak: brighter highlights are compressed"
    assert capsys.readouterr().err.count(words) == said


def test_few_pixels_and_overshoot_are_not_light_above_the_peak() -> None:
    form = FrameFormat(200, 200, PlaneOrder.PLANAR, 10, matrix=Matrix.BT2020, transfer=Transfer.PQ)
    frame = form.allocate()
    for plane in frame.planes:
        plane[...] = 512
    peak = 64 + 876 * float(colour.nits_to_pq(1000))
    for codes, count, warns in ((peak + 8, 40_000, False), (940, 4, False), (940, 5, True), (peak + 11, 40_000, True)):
        watch = AbovePeak(form)
        frame.planes[0].ravel()[:] = 512
        frame.planes[0].ravel()[:count] = int(codes)
        watch.see(frame)
        assert bool(watch.warnings) is warns, (codes, count)


def code_of(form: FrameFormat, nits: float) -> float:
    scale = colour.code_range(form.bits, form.full_range)
    code = scale.luma_offset + scale.luma_scale * float(colour.nits_to_pq(nits))
    return code if form.floating else int(code) << form.shift


TEN = FrameFormat(20, 20, PlaneOrder.PLANAR, 10, matrix=Matrix.BT2020, transfer=Transfer.PQ)
RGB = replace(TEN, layout=PlaneOrder.GBR, matrix=Matrix.RGB, full_range=True)


@pytest.mark.parametrize(
    ("form", "plane", "factor", "warns"),
    [
        (TEN, 0, 1.07, False),
        (TEN, 0, 1.14, True),
        (TEN, 1, 9.0, False),  # chroma is no light
        (replace(TEN, layout=PlaneOrder.SEMI_PLANAR, shift=6), 0, 1.07, False),
        (replace(TEN, layout=PlaneOrder.SEMI_PLANAR, shift=6), 0, 1.14, True),
        (RGB, 2, 1.07, False),
        (RGB, 2, 1.14, True),
        (replace(RGB, floating=True, bits=32), 0, 1.09, False),
        (replace(RGB, floating=True, bits=32), 0, 1.11, True),
        (replace(TEN, transfer=Transfer.HLG), 0, 9.0, False),
        (replace(TEN, transfer=Transfer.SDR), 0, 9.0, False),
        (replace(TEN, peak_nits=4000.0), 0, 1.14, True),
        (replace(TEN, peak_nits=9500.0), 0, 1.05, False),  # no code is further above it than overshoot
    ],
)
def test_light_above_the_peak_is_seen_in_every_layout(
    form: FrameFormat, plane: int, factor: float, warns: bool
) -> None:
    frame = form.allocate()
    for each in frame.planes:
        each[...] = code_of(form, 100)
    watch = AbovePeak(form)
    watch.see(frame)
    assert watch.warnings == ()
    frame.planes[plane][...] = code_of(form, factor * form.peak_nits)
    watch.see(frame)
    assert bool(watch.warnings) is warns


def test_sdr_is_the_default(device: Device, tmp_path: Path) -> None:
    transcode(job(CLIPS / "pq.mp4", tmp_path / "out.mkv", device, span=TimeRange(frames=2)))
    assert tags(tmp_path / "out.mkv")[:3] == (1, 13, 1)


def test_sdr_stays_sdr(device: Device, tmp_path: Path) -> None:
    for name, hdr in (("keep", "keep"), ("sdr", "sdr")):
        options = OutputOptions("libx264", 0, "ultrafast", hdr=hdr)  # type: ignore[arg-type]
        made = job(CLIPS / "cfr.mp4", tmp_path / f"{name}.mkv", device, options=options, span=TimeRange(frames=3))
        assert transcode(made).status is Status.DONE
    assert tags(tmp_path / "keep.mkv") == tags(tmp_path / "sdr.mkv")
    assert packets(tmp_path / "keep.mkv") == packets(tmp_path / "sdr.mkv")


def packets(path: Path) -> list[bytes]:
    with av.open(str(path)) as media:
        return [bytes(packet) for packet in media.demux(video=0)]


def patches(*nits: float) -> Codes:
    """Grey of some brightness, side by side; (3, 64, 64)."""
    luma = np.rint(colour.nits_to_pq(np.array(nits)) * 876 + 64)
    codes = np.full((3, 64, 64), 512)
    codes[0] = np.repeat(luma, 64 // len(nits))
    return codes.astype(np.uint16)


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "options"), RESULTS)
def test_the_display_comes_along_and_the_brightness_is_measured(
    ending: str, options: OutputOptions, device: Device, tmp_path: Path
) -> None:
    """In one piece, in segments and in a range, with the same pictures; the source lies about its brightness."""
    pictures = [patches(10.0, 100.0)] * 12 + [patches(1.0, 600.0)] * 12
    source = film(tmp_path / "in.mkv", pictures, PQ, f"master-display={DISPLAY}:max-cll=999,998")
    with Reader(source) as reader:
        assert reader.info.light == LightLevel(999, 998)
        display = reader.info.mastering
        assert display is not None
    whole, joined, part = (tmp_path / f"{name}{ending}" for name in ("whole", "joined", "part"))
    span = TimeRange(parse_position("0f"), parse_position("10f"))
    for target, segments, asked in ((whole, "off", None), (joined, 5, None), (part, 5, span)):
        made = job(source, target, device, options=options, segments=segments, span=asked, look=Look(steady=0.0))  # type: ignore[arg-type]
        assert transcode(made).status is Status.DONE
    lights = []
    for target in (whole, joined, part):
        with Reader(target) as reader:
            assert reader.info.mastering is not None
            for name in ("red", "green", "blue", "white", "least_nits", "most_nits"):
                said, own = getattr(reader.info.mastering, name), getattr(display, name)
                assert said == pytest.approx(own, abs=1e-4), name
            assert reader.info.light is not None
            lights.append(reader.info.light)
        assert tags(target) == (9, PQ, 9, 1)
    assert lights[0] == lights[1]
    assert lights[0].most == pytest.approx(600, rel=0.02)
    assert lights[0].mean == pytest.approx(300.5, rel=0.02)
    assert (lights[2].most, lights[2].mean) == (pytest.approx(100, rel=0.02), pytest.approx(55, rel=0.02))
    if ending == ".mp4":  # at each key frame, for players that begin there
        assert joined.read_bytes().count(bytes.fromhex("4e019004")) >= 5
    if options.crf == 0:
        for one, other in zip(decoded_luma(whole), decoded_luma(joined), strict=True):
            np.testing.assert_array_equal(one, other)


def decoded_luma(path: Path) -> list[Codes]:
    with av.open(str(path)) as media:
        return [np.frombuffer(frame.planes[0], np.uint16).copy() for frame in media.decode(video=0)]


def test_another_size_is_hdr_too(device: Device, tmp_path: Path) -> None:
    source = film(tmp_path / "in.mkv", [patches(100.0, 10_000.0)] * 2, PQ)
    made = job(source, tmp_path / "out.mkv", device, options=KEEP, look=UNPAINTED, sizes=SizeSpec(size="32x32"))
    assert transcode(made).status is Status.DONE
    (picture, _) = decoded(tmp_path / "out.mkv")
    dark, bright = ((colour.nits_to_pq(nits) * 876 + 64) * 4 for nits in (100.0, 10_000.0))
    assert picture[0, 16, 4] == pytest.approx(dark, abs=5)
    assert picture[0, 16, 28] == pytest.approx(bright, abs=5)


@pytest.mark.parametrize(
    ("name", "options", "why"),
    [
        ("o.mp4", OutputOptions("libx264", pix_fmt="yuv420p", hdr="keep"), "HDR needs 10 bits or more"),
        ("o.mov", OutputOptions("dnxhr", hdr="keep"), "MOV with dnxhr cannot say that it is HDR; use H.264, HEVC"),
        ("o.avi", OutputOptions("ffv1", hdr="keep"), "AVI with ffv1 cannot say that it is HDR; write .mp4, .mov"),
        ("o.mxf", OutputOptions("prores", hdr="keep"), "MXF with prores cannot say that it is HDR; write .mp4, .mov"),
        ("o.gif", OutputOptions(hdr="keep"), "GIF with gif cannot say that it is HDR; write .mp4, .mov"),
        ("o%03d.png", OutputOptions(hdr="keep"), "cannot say that it is HDR; write .mp4, .mov, .mkv or .webm"),
    ],
    ids=["8 bits", "dnxhr", "avi", "mxf", "gif", "png"],
)
def test_what_cannot_be_hdr_is_refused_in_words(
    name: str, options: OutputOptions, why: str, device: Device, tmp_path: Path
) -> None:
    with pytest.raises(OutputError, match=why):
        transcode(job(CLIPS / "pq.mp4", tmp_path / name, device, options=options))
    assert leftovers(tmp_path) == []


def test_the_command_keeps_hdr(tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    given = ["--style", "none", "--brush", "1", "--frames", "2", "--device", "cpu", "--hdr", "keep", "--crf", "30"]
    assert run(["transcode", str(CLIPS / "pq.mp4"), str(target), "--codec", "libx265", *given]) == 0
    assert tags(target) == (9, PQ, 9, 1)
    with Reader(target) as reader:
        assert reader.info.light is not None
        assert 0 < reader.info.light.mean <= reader.info.light.most <= 10000
