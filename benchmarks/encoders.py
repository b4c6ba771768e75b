"""Size and speed of this machine's working encoders, side by side in one run; and a pipe against a file.

    python benchmarks/encoders.py encoders [--clip FILM] [--size 1280x720] [--frames 24]
    python benchmarks/encoders.py pipe [--rounds 5, and the same]

encoders: the same frames into a file, with each encoder's default options and pixel format for an 8-bit 4:2:0 film.
Frames per second and processor milliseconds per frame (all threads), from the first frame to the finished file;
megabytes per minute; PSNR of decoded luma against the encoder's input (not for R'G'B').

pipe: YUV4MPEG in turns into a pipe with a reading process, and into a file.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from framebrush.gpu.frame import Frame, Matrix, PlaneOrder, yuv420p
from framebrush.jobs.output_format import video_target
from framebrush.media.containers import CONTAINERS, PICTURES, STREAMS, Container
from framebrush.media.encoding.encoders import ENCODERS, RAW_CODECS, pixel_format_for
from framebrush.media.encoding.pixels import AUTO, name_of, packing_of
from framebrush.media.reading.reader import Reader
from framebrush.media.video import OutputError, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.numbered_pictures import PictureWriter, numbered
from framebrush.media.writing.output_plan import OutputOptions, OutputPlan, plan_output

FILES = {**CONTAINERS, **PICTURES}
CLIP = Path(__file__).resolve().parent.parent / "assets" / "clips" / "landscape.mp4"
DRAIN = "import os\nprint(flush=True)\nwhile os.read(0, 1 << 20): pass"


def facts_of(clip: Path, size: tuple[int, int]) -> VideoInfo:
    """Return the info of a film with a clip's times and this size, without other streams."""
    with Reader(clip) as reader:
        return replace(reader.info, path=None, format=yuv420p(*size), pix_fmt="yuv420p")


def planned(info: VideoInfo, target: Path, container: Container, codec: str, encoder: str) -> OutputPlan:
    """Return the default output plan. Raises OutputError if the encoder does not work here."""
    frames = video_target(info.format, pixel_format_for(AUTO, codec, container, info.format))
    return plan_output(info, target, OutputOptions(codec=encoder, overwrite=True), frames, TimeRange())


def frames_for(plan: OutputPlan, clip: Path, count: int) -> list[Frame]:
    """Return frames in a plan's input format, looping over the clip if it is too short."""
    form = plan.frames
    name = {8: "nv12", 10: "p010le"}[form.bits] if form.layout is PlaneOrder.SEMI_PLANAR else name_of(form)
    found = []
    with av.open(str(clip)) as film:
        for shown in islice(film.decode(video=0), count):
            scaled = shown.reformat(form.width, form.height, name, interpolation="BICUBIC")
            planes = []
            for plane, shape in zip(scaled.planes, form.plane_shapes, strict=True):
                rows: NDArray[Any] = np.frombuffer(plane, form.dtype).reshape(plane.height, -1)  # type: ignore[call-overload]
                planes.append(rows[:, : int(np.prod(shape[1:]))].reshape(shape).copy())
            found.append(Frame(form, tuple(planes)))
    return list(islice(cycle(found), count))


def write(plan: OutputPlan, frames: list[Frame]) -> tuple[float, float]:
    """Return wall and processor seconds."""
    tick = round(1 / (plan.info.rate or 25) / plan.info.time_base)
    begun, begun_cpu = time.perf_counter(), time.process_time()
    with PictureWriter(plan) if plan.container.pictures else Writer(plan) as writer:
        for number, frame in enumerate(frames):
            writer.write(frame, plan.info.start_pts + number * tick, tick)
        writer.finish()
    return time.perf_counter() - begun, time.process_time() - begun_cpu


def luma_psnr(plan: OutputPlan, frames: list[Frame], files: list[Path]) -> float | None:
    """Return luma PSNR in dB over all frames; infinite if lossless, None without luma."""
    if plan.frames.matrix is Matrix.RGB or plan.container.is_animation:
        return None
    errors = []
    own = iter(frames)
    for file in files:
        with av.open(str(file)) as film:
            for shown in film.decode(video=0):
                kind = packing_of(shown.format.name)
                dtype = np.uint8 if kind.bits == 8 else np.uint16
                rows = np.frombuffer(shown.planes[0], dtype).reshape(shown.height, -1)  # type: ignore[call-overload]
                codes = rows[:, : plan.frames.width].astype(np.float64) / 2 ** (kind.bits - 8)
                frame = next(own)
                luma = (frame.planes[0] >> frame.format.shift) / 2 ** (frame.format.bits - 8)
                errors.append(np.mean((codes - luma) ** 2))
    mean = float(np.mean(errors))
    return float("inf") if mean == 0 else 10 * float(np.log10(255**2 / mean))


def encoders(options: argparse.Namespace, folder: Path) -> None:
    """Print one line per encoder."""
    info = facts_of(options.clip, options.size)
    print(f"{options.frames} frames of {options.clip.name} at {options.size[0]}x{options.size[1]}")
    print("| encoder | options | pixel format | frames/s | processor ms/frame | MB/min | PSNR of luma |")
    print("|---|---|---|---|---|---|---|")
    for encoder in ENCODERS:
        if encoder.codec in RAW_CODECS:
            continue
        ending, container = next((end, one) for end, one in FILES.items() if encoder.codec in one.codecs)
        place = folder / encoder.name
        place.mkdir()
        target = place / f"{'%04d' if container.pictures else 'o'}{ending}"
        try:
            plan = planned(info, target, container, encoder.codec, encoder.name)
        except OutputError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        frames = frames_for(plan, options.clip, options.frames)
        elapsed, processor = write(plan, frames)
        files = numbered(target) if container.pictures else [target]
        minutes = options.frames / float(info.rate or 25) / 60
        size = sum(file.stat().st_size for file in files) / 1e6 / minutes
        psnr = luma_psnr(plan, frames, files)
        choice = plan.choice
        how = [f"crf {choice.crf:g}"] if choice.crf is not None else []
        how += [f"preset {choice.preset}"] if choice.preset else []
        print(
            f"| {encoder.name} | {', '.join(how)} | {choice.pix_fmt} | {options.frames / elapsed:.1f} "
            f"| {1e3 * processor / options.frames:.0f} | {size:.1f} | {'' if psnr is None else f'{psnr:.1f}'} |",
            flush=True,
        )


def pipe(options: argparse.Namespace, folder: Path) -> None:
    """Print frames per second into pipe and file."""
    info = facts_of(options.clip, options.size)
    plan = planned(info, Path("-"), STREAMS["y4m"], "y4m", "y4m")
    frames = frames_for(plan, options.clip, options.frames)
    speeds: dict[str, list[float]] = {"file": [], "pipe": []}
    for _ in range(options.rounds):
        with (folder / "o.y4m").open("w") as file, redirect_stdout(file):
            speeds["file"].append(options.frames / write(plan, frames)[0])
        command = [sys.executable, "-c", DRAIN]
        reader = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert reader.stdin is not None
        assert reader.stdout is not None
        reader.stdout.readline()  # the reader has started
        with redirect_stdout(reader.stdin):
            speeds["pipe"].append(options.frames / write(plan, frames)[0])
        reader.communicate()
    ratios = [piped / filed for filed, piped in zip(*speeds.values(), strict=True)]
    print(f"{options.frames} frames of {options.size[0]}x{options.size[1]} as YUV4MPEG, {options.rounds} rounds")
    for name, found in speeds.items():
        print(f"{name}: {statistics.median(found):.0f} frames/s")
    print(f"pipe against file: {statistics.median(ratios):.2f} ({', '.join(f'{ratio:.2f}' for ratio in ratios)})")


def sides(text: str) -> tuple[int, int]:
    """Parse a size such as 1280x720."""
    width, height = map(int, text.split("x"))
    return width, height


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["encoders", "pipe"])
    parser.add_argument("--clip", type=Path, default=CLIP)
    parser.add_argument("--size", type=sides, default=(1280, 720))
    parser.add_argument("--frames", type=int, default=24)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="framebrush-encoders-") as name:
        {"encoders": encoders, "pipe": pipe}[options.what](options, Path(name))


if __name__ == "__main__":
    main()
