"""The filter for VapourSynth, in VapourSynth itself: `conftest.py` leaves this out where it is not installed."""

from __future__ import annotations

import gc
import os
import random
import subprocess
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
import vapoursynth as vs

import framebrush
import framebrush.vapoursynth as fb
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import Device, open_device
from framebrush.jobs.still import encoded
from framebrush.models.style import StyleError

pytestmark = pytest.mark.media

CLIP = CLIPS / "cfr.mp4"
FRAMES = 12
Planes = list[npt.NDArray[Any]]


def decoded(path: Path, count: int = FRAMES) -> Iterator[Planes]:
    """The planes of a film's first frames, in FFmpeg's order."""
    with av.open(str(path)) as container:
        for _, frame in zip(range(count), container.decode(video=0), strict=False):
            yield [plane_of(plane, "p10" in frame.format.name or "p12" in frame.format.name) for plane in frame.planes]


def plane_of(plane: av.video.plane.VideoPlane, deep: bool) -> npt.NDArray[Any]:
    """Its samples, (H, W)."""
    samples = np.frombuffer(plane, np.uint16 if deep else np.uint8).reshape(plane.height, -1)
    return samples[:, : plane.width].copy()


@dataclass
class Source:
    """A clip of given frames that counts which were asked for."""

    frames: list[Planes]
    asked: Counter[int] = field(default_factory=Counter)

    def clip(self, kind: int, **props: int) -> vs.VideoNode:
        """As a clip of a format, YUV unless its planes are G, B and R."""
        height, width = self.frames[0][0].shape
        blank = vs.core.std.BlankClip(
            format=kind, width=width, height=height, length=len(self.frames), fpsnum=25, fpsden=1
        )

        def filled(n: int, f: vs.VideoFrame) -> vs.VideoFrame:
            self.asked[n] += 1
            made = f.copy()
            for index, plane in enumerate(self.frames[n]):
                np.asarray(made[index])[:] = plane
            made.props.update(props)
            return made

        return blank.std.ModifyFrame(blank, filled)


@pytest.fixture(scope="module")
def film() -> list[Planes]:
    """The planes of the clip, 4:2:0 of 8 bits."""
    return list(decoded(CLIP))


def planes(frame: vs.VideoFrame) -> Planes:
    """Return a copy of a frame's planes."""
    with frame:
        return [np.array(frame[index]) for index in range(frame.format.num_planes)]


def same(one: Planes, other: Planes) -> bool:
    """Bit for bit."""
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@pytest.mark.slow
def test_frames_are_those_of_a_transcode(tmp_path: Path, film: list[Planes]) -> None:
    look = ["--strength", "0.75", "--relief", "0.5", "--stroke", "2"]
    target = tmp_path / "out.mkv"
    made = ["--codec", "ffv1", "--pix-fmt", "yuv420p", "--frames", str(FRAMES), "--device", "cpu"]
    assert run(["transcode", str(CLIP), str(target), "--style", "scream", *look, *made]) == 0
    tags = {"_Matrix": 1, "_Primaries": 1, "_Transfer": 1, "_Range": 0}
    clip = Source(film).clip(vs.YUV420P8, **tags)
    painted = fb.paint(clip, "scream", device="cpu", strength=0.75, relief=0.5, stroke=2)
    assert (painted.format, painted.num_frames, painted.fps) == (clip.format, FRAMES, clip.fps)
    expected = list(decoded(target))
    # Where the film ends a transcode has frames behind it, as context: the last two of this clip have none.
    for n, frame in enumerate(painted.frames()):
        assert {name: frame.props[name] for name in tags} == tags
        assert n >= FRAMES - 2 or same(planes(frame), expected[n]), f"frame {n}"


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_frames_are_the_same_in_any_order(film: list[Planes], threads: int) -> None:
    before, vs.core.num_threads = vs.core.num_threads, threads
    try:
        source = Source(film)
        painted = fb.paint(source.clip(vs.YUV420P8), "ink", device="cpu", relief=0.5)
        in_order = [planes(frame) for frame in painted.frames(prefetch=threads)]
        assert set(source.asked.values()) == {1}
        order = list(range(FRAMES))
        random.Random(threads).shuffle(order)
        again = fb.paint(source.clip(vs.YUV420P8), "ink", device="cpu", relief=0.5)
        for n in order:
            assert same(planes(again.get_frame(n)), in_order[n]), f"frame {n} of {order}"
        assert not same(in_order[0], in_order[-1])
        every_third = fb.paint(source.clip(vs.YUV420P8), "ink", device="cpu", relief=0.5)[::3]
        assert all(same(planes(frame), in_order[3 * n]) for n, frame in enumerate(every_third.frames()))
    finally:
        vs.core.num_threads = before


@pytest.mark.parametrize(
    "kind",
    [
        *("RGB24", "RGB30", "RGB48", "RGBH", "RGBS", "YUV420P8", "YUV420P10", "YUV422P8", "YUV422P10", "YUV444P8"),
        *("YUV444P12", "YUV444P14", "YUV444P16", "YUV444PH", "YUV444PS"),
    ],
)
def test_formats(film: list[Planes], kind: str) -> None:
    """Every format is painted alike, up to its precision."""
    rgb = Source(film[:1]).clip(vs.YUV420P8).resize.Bicubic(format=vs.RGB24, matrix_in_s="709")
    source = np.dstack(planes(rgb.get_frame(0)))
    expected = framebrush.paint(source, "great-wave", device="cpu", strength=0.5)
    wanted = getattr(vs, kind)
    matrix = {"matrix_s": "709"} if kind.startswith("YUV") else {}
    painted = fb.paint(rgb.resize.Bicubic(format=wanted, **matrix), "great-wave", device="cpu", strength=0.5)
    assert painted.format.id == wanted
    seen = np.dstack(planes(painted.resize.Bicubic(format=vs.RGB24).get_frame(0)))
    assert off(seen, expected) < 1.0 < 0.1 * off(expected, source)


@pytest.mark.parametrize(("kind", "dtype"), [("RGBS", np.float32), ("RGBH", np.float16)])
def test_floats_stay_what_they_are(kind: str, dtype: type[np.generic]) -> None:
    """Floats are never rounded to codes; unpainted values beyond 1 stay."""
    rng = np.random.default_rng(3)
    rgb = (rng.random((48, 64, 3)) * 0.01).astype(dtype)
    clip = Source([[rgb[..., channel] for channel in range(3)]]).clip(getattr(vs, kind))
    painted = np.dstack(planes(fb.paint(clip, "ink", device="cpu", dither=False).get_frame(0)))
    assert painted.dtype == dtype
    assert np.array_equal(painted, framebrush.paint(rgb, "ink", device="cpu", dither=False))
    beyond = Source([[channel * dtype(300) for channel in planes(clip.get_frame(0))]]).clip(getattr(vs, kind))
    assert same(planes(fb.paint(beyond, "none", device="cpu").get_frame(0)), planes(beyond.get_frame(0)))


def off(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> float:
    """The mean difference, in codes of 8 bits."""
    return float(np.abs(one.astype(int) - other).mean())


def test_hdr_becomes_sdr_and_says_so(film: list[Planes]) -> None:
    tags = {"_Matrix": 9, "_Primaries": 9, "_Transfer": 16, "_Range": 0}
    means = []
    for more in ({}, {"MasteringDisplayMaxLuminance": 4000}, {"ContentLightLevelMax": 400}):
        clip = Source(film[:2]).clip(vs.YUV420P8, **tags, **more)
        with fb.paint(clip, "none", device="cpu").get_frame(0) as frame:
            assert [frame.props[name] for name in tags] == [1, 1, 1, 0]
            assert not more.keys() & set(frame.props)
            means.append(np.asarray(frame[0]).mean())
    assert min(means) > film[0][0].mean() + 5  # PQ's codes are darker
    assert means[1] < means[0] < means[2]  # the brighter the peak, the less is left for the rest


@pytest.mark.filterwarnings("ignore:The _ColorRange frame property")
@pytest.mark.parametrize("tag", [{"_Range": 1}, {"_ColorRange": 0}])
def test_full_range_is_kept(film: list[Planes], tag: dict[str, int]) -> None:
    white = [[np.full_like(plane, 255 if index == 0 else 128) for index, plane in enumerate(film[0])]]
    clip = Source(white).clip(vs.YUV420P8, _Matrix=1, **tag)
    with fb.paint(clip, "none", device="cpu", brush=0.0, relief=0.0, saturation=0.5).get_frame(0) as frame:
        assert np.asarray(frame[0]).min() == 255


def test_another_size(film: list[Planes]) -> None:
    clip = Source(film[:2]).clip(vs.YUV420P8, _SARNum=4, _SARDen=3)
    painted = fb.paint(clip, "none", device="cpu", size=(80, 96))
    assert (painted.width, painted.height) == (80, 96)
    with painted.get_frame(1) as frame:
        assert (frame.props["_SARNum"], frame.props["_SARDen"]) == (8, 3)
        assert np.asarray(frame[1]).shape == (48, 40)


def test_colours_of_a_picture_are_fitted_to_what_stands_for_the_film(tmp_path: Path, film: list[Planes]) -> None:
    photo = tmp_path / "photo.png"
    photo.write_bytes(encoded(np.full((48, 64, 3), (200, 60, 30), np.uint8), "png", "rgb24"))
    clip = Source(film[:1]).clip(vs.YUV420P8)
    painted = fb.paint(clip, photo, device="cpu", palette_from=f"{CLIP}@0")
    assert np.mean(planes(painted.get_frame(0))[2]) > np.mean(film[0][2]) + 10  # red


def test_a_clip_that_is_let_go_of_frees_its_device(film: list[Planes], monkeypatch: pytest.MonkeyPatch) -> None:
    devices: list[Device] = []

    def opened(name: str) -> Device:
        devices.append(open_device(name))
        return devices[-1]

    monkeypatch.setattr("framebrush.vapoursynth.open_device", opened)
    painted = fb.paint(Source(film).clip(vs.YUV420P8), "ink", device="cpu")
    planes(painted.get_frame(0))
    assert not devices[0].closed
    del painted
    gc.collect()
    assert devices[0].closed


def test_after_a_frame_that_cannot_be_had_others_can(film: list[Planes]) -> None:
    source = Source(film).clip(vs.YUV420P8)

    def broken(n: int, f: vs.VideoFrame) -> vs.VideoFrame:
        if n == 8:
            raise ValueError("the disk is gone")
        return f

    painted = fb.paint(source.std.ModifyFrame(source, broken), "none", device="cpu", brush=0.0, relief=0.0, detail=0.5)
    with pytest.raises(vs.Error, match="the disk is gone"):
        painted.get_frame(8)
    whole = fb.paint(source, "none", device="cpu", brush=0.0, relief=0.0, detail=0.5)
    assert all(same(planes(painted.get_frame(n)), planes(whole.get_frame(n))) for n in (11, 0))  # without frame 8


def test_a_clip_that_fails_after_its_last_frame_is_painted_to_it(film: list[Planes]) -> None:
    """As mpv's clips do: their length is not known."""
    source = Source(film).clip(vs.YUV420P8)
    blank = source.std.BlankClip(length=1_000_000, keep=True)

    def had(n: int, f: vs.VideoFrame) -> vs.VideoFrame:
        return source.get_frame(n)

    endless = fb.paint(blank.std.ModifyFrame(blank, had), "oil", device="cpu")
    whole = fb.paint(source, "oil", device="cpu")
    assert all(same(planes(endless.get_frame(n)), planes(whole.get_frame(n))) for n in range(FRAMES))
    with pytest.raises(vs.Error):
        endless.get_frame(FRAMES)
    assert same(planes(endless.get_frame(3)), planes(whole.get_frame(3)))


def test_frames_that_are_left_out_are_not_kept() -> None:
    one = fb.paint(blank(vs.YUV420P8)[0] * 100, "none", device="cpu", brush=0.5)[::3]
    for frame in one.frames():
        frame.close()
    gc.collect()
    assert sum(isinstance(found, vs.VideoFrame) for found in gc.get_objects()) < 20


def blank(kind: int, **other: Any) -> vs.VideoNode:  # noqa: ANN401
    return vs.core.std.BlankClip(format=kind, width=64, height=48, length=2, **other)


def spliced(*clips: vs.VideoNode) -> vs.VideoNode:
    return vs.core.std.Splice(clips, mismatch=True)


@pytest.mark.parametrize(
    ("clip", "options", "error", "reason"),
    [
        (lambda: blank(vs.GRAY8), {}, ValueError, "Gray8 is not painted; convert the clip to RGB24 or YUV444P8"),
        (lambda: blank(vs.YUV410P8), {}, ValueError, "YUV410P8 is not painted; convert the clip to RGB, or to YUV of"),
        (lambda: blank(vs.YUV411P8), {}, ValueError, "YUV411P8 is not painted; convert the clip to RGB, or to YUV of"),
        (lambda: "holiday.mov", {}, TypeError, "str is no clip; give what a source plug-in of VapourSynth returns"),
        (lambda: blank(vs.RGB24), {"strength": "x"}, ValueError, "strength is 'x'; it must be a number"),
        (lambda: spliced(blank(vs.RGB24), blank(vs.RGB48)), {}, ValueError, "changes its format"),
        (lambda: spliced(blank(vs.RGB24), blank(vs.RGB24).std.Crop(2)), {}, ValueError, "or size: pass each part"),
        (lambda: blank(vs.YUV444P8).std.SetFrameProps(_Matrix=14), {}, ValueError, "coded as ICtCp"),
        (lambda: blank(vs.RGB24), {"strenght": 1}, TypeError, "there is no option 'strenght'"),
        (lambda: blank(vs.RGB24), {"style": "nonsense"}, StyleError, "nonsense"),
        (lambda: blank(vs.RGB24), {"palette": "film"}, ValueError, "give palette_from a picture"),
    ],
)  # fmt: skip
def test_what_cannot_be(clip: Any, options: dict[str, Any], error: type[Exception], reason: str) -> None:  # noqa: ANN401
    with pytest.raises(error, match=reason):
        fb.paint(clip(), **{"device": "cpu", **options})


SCRIPT = """
import vapoursynth as vs
import framebrush.vapoursynth as fb
clip = vs.core.std.BlankClip(format=vs.YUV420P8, width=160, height=96, length=6, color=[120, 90, 160])
fb.paint(clip, style="starry-night", device="cpu", stroke=2).set_output()
"""


def vspipe(folder: Path, script: str, *arguments: str) -> str:
    """What vspipe says of a script, with its configuration in a folder of the test."""
    written = folder / "film.vpy"
    written.write_text(script, encoding="utf-8")
    programs = Path(sysconfig.get_path("scripts"))
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "APPDATA": str(folder)}
    said = ""
    for command in (["vapoursynth", "config"], ["vspipe", *arguments[:-1], str(written), arguments[-1]]):
        command[0] = str(programs / command[0])
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        said = done.stderr
    return said


@pytest.mark.slow
def test_vspipe(tmp_path: Path) -> None:
    target = tmp_path / "film.y4m"
    vspipe(tmp_path, SCRIPT, "--container", "y4m", str(target))
    clip = vs.core.std.BlankClip(format=vs.YUV420P8, width=160, height=96, length=6, color=[120, 90, 160])
    painted = fb.paint(clip, "starry-night", device="cpu", stroke=2)
    assert all(same(planes(painted.get_frame(n)), found) for n, found in enumerate(decoded(target)))
    assert len(list(decoded(target))) == 6


CHAIN = """
import vapoursynth as vs
import framebrush.vapoursynth as fb
clip = vs.core.std.BlankClip(format=vs.RGB24, width=160, height=96, length=40, color=[120, 90, 160])
once = fb.paint(clip, style="oil", device="cpu")
fb.paint(once, style="ink", device="cpu").set_output()
"""


@pytest.mark.slow
def test_no_frame_is_kept_at_the_end_of_vspipe(tmp_path: Path) -> None:
    said = vspipe(tmp_path, CHAIN, "--start", "10", "--end", "14", ".")
    assert "5 frames" in said
    assert "still allocated" not in said


@pytest.mark.slow
def test_a_script_may_end_amid_a_clip() -> None:
    last = 'fb.paint(once, style="ink", device="cpu").set_output()'
    script = CHAIN.replace(last, "once.get_frame(0), once.get_frame(1)")
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
