"""Long jobs in child processes, ways to end them, and their files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np

from assets import frame_number
from framebrush.cli.command_line import run
from tests.gpu.test_steady import texture

if TYPE_CHECKING:
    import psutil

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, "-P", "-m", "framebrush"]
FRAMES, SEGMENT = 120, 10
COUNT = 12
"""Segments of the film: FRAMES / SEGMENT."""

UNEVEN_FRAMES = 600

# Without x264's macroblock tree: its decisions on small frames differ between runs, even with one thread.
SETTINGS = ["--style", "ink", "--codec", "libx264", "--preset", "ultrafast"]

FULL = int(os.environ.get("FRAMEBRUSH_KILLS", "0"))
"""Kills per test of kills; 0 for the few of a normal run."""


def make_film(path: Path) -> Path:
    """Write a numbered film with sound, 160x96."""
    with av.open(str(path), "w") as container:
        picture = container.add_stream("libx264", rate=25)
        picture.width, picture.height, picture.pix_fmt = 160, 96, "yuv420p"
        picture.codec_context.options = {"preset": "ultrafast", "g": "10"}
        sound = container.add_stream("aac", rate=48000, layout="mono")
        for number in range(FRAMES):
            grey = np.full((96, 160, 3), number % 200 + 20, np.uint8)
            frame_number.draw(grey, number)
            frame = av.VideoFrame.from_ndarray(grey, "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(picture.encode(frame))
        for block in range(FRAMES * 48000 // 25 // 1024):
            audio = av.AudioFrame.from_ndarray(np.full((1, 1024), block % 7 / 100, np.float32), "fltp", "mono")
            audio.sample_rate, audio.pts = 48000, block * 1024
            container.mux(sound.encode(audio))
        container.mux(picture.encode(None))
        container.mux(sound.encode(None))
    return path


def make_uneven_film(path: Path) -> Path:
    """Write 24 s with sound; the middle third is hard to encode."""
    width, height = 112, 64
    scene, chance = texture(4 * width, height), np.random.default_rng(3)
    with av.open(str(path), "w") as container:
        picture = container.add_stream("libx264", rate=25)
        picture.width, picture.height, picture.pix_fmt = width, height, "yuv420p"
        picture.codec_context.options = {"preset": "ultrafast", "crf": "12"}
        sound = container.add_stream("aac", rate=48000, layout="stereo")
        sound.bit_rate = 96_000
        for number in range(UNEVEN_FRAMES):
            hard = UNEVEN_FRAMES // 3 <= number < 2 * UNEVEN_FRAMES // 3
            left = number * (3 if hard else 1) % (3 * width)
            shot = scene[:, left : left + width] + chance.normal(0, 24 if hard else 4, (height, width, 3))
            frame = av.VideoFrame.from_ndarray(np.clip(shot, 0, 255).astype(np.uint8), "rgb24")
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(picture.encode(frame))
        for block in range(UNEVEN_FRAMES * 48000 // 25 // 1024):
            samples = chance.normal(0, 0.1, (2, 1024)).astype(np.float32)
            audio = av.AudioFrame.from_ndarray(samples, "fltp", "stereo")
            audio.sample_rate, audio.pts = 48000, block * 1024
            container.mux(sound.encode(audio))
        container.mux(picture.encode(None))
        container.mux(sound.encode(None))
    return path


def command(source: Path, target: Path, *more: str) -> list[str]:
    job = ["transcode", str(source), str(target), *SETTINGS, "--segments", str(SEGMENT)]
    return [*PROGRAM, *job, "--progress", "none", "--device", "cpu", *more]


def start(source: Path, target: Path, *more: str) -> subprocess.Popen[str]:
    """Start the job in its own process group."""
    return subprocess.Popen(
        command(source, target, *more),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def finish(source: Path, target: Path, *more: str) -> str:
    """Run the job here; return its output."""
    said = StringIO()
    with redirect_stderr(said):
        status = run(command(source, target, *more)[len(PROGRAM) :])
    assert status == 0, said.getvalue()
    return said.getvalue()


def segments_done(number: int) -> str:
    return f"{number} of {COUNT} segments {'is' if number == 1 else 'are'} done"


def records(target: Path) -> set[str]:
    folder = target.with_name(target.name + ".framebrush")
    return {path.stem for path in folder.glob("0*.json")} if folder.is_dir() else set()


def wait_for_segments(child: subprocess.Popen[str], target: Path, count: int) -> None:
    """Wait for complete segments or the process's end."""
    until = time.monotonic() + 120
    while len(records(target)) < count and child.poll() is None:
        assert time.monotonic() < until
        time.sleep(0.005)


def kill(child: subprocess.Popen[str]) -> None:
    if sys.platform == "win32":
        child.kill()
    else:
        os.killpg(child.pid, signal.SIGKILL)
    child.communicate()


def at_work(parent: subprocess.Popen[str]) -> psutil.Process:
    import psutil  # missing in the Windows rig

    until = time.monotonic() + 60
    while not (found := psutil.Process(parent.pid).children()):
        assert time.monotonic() < until
        time.sleep(0.002)
    return found[0]


def numbers(path: Path) -> Iterator[int | None]:
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            yield frame_number.read(frame.reformat(format="gray").to_ndarray())
