"""Framebrush beside vs-mlrt, the filters of VapourSynth that run networks: the same ones on the same clip, in turns.

    python -m benchmarks.vs_mlrt [--provider CUDA] [--size 1280x720] [--frames 300] [--float16] [NETWORK.onnx ...]

Needs Python 3.12 and, besides the extras `cuda` and `vapoursynth`, `vapoursynth-mlrt-ort[cuda]`, or for NCNN
`vapoursynth-mlrt-ncnn` and Vulkan, beside which we run on CUDA. Both are filters of one VapourSynth graph: planes of
float R'G'B' in host memory in, the same out. vs-mlrt gives the network these numbers, with ONNX Runtime in TF32 where
it is asked for float32, as it does by default for us, and on CUDA with and without a CUDA graph;
`framebrush.vapoursynth` goes through 16 bits, and through all that a frame passes in a transcode. Brush, relief and
steadying are off. Networks take and give 0..1; without one, the network that fast style transfer was first shown with,
with random weights, and both sizes of the bundled painters with one painting, which our own kernels know. For one that
vs-mlrt cannot load, its own words stand in the result.

Prints a line of JSON for each network: frames a second and the processor's milliseconds for a frame, as medians of the
turns, and the PSNR of the two pictures in decibels.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import vapoursynth as vs

import framebrush.vapoursynth as fb
from benchmarks.painting import one_of
from benchmarks.speed import classic
from framebrush.gpu.cpu.graph import made_constant
from framebrush.models.graph import set_dims
from framebrush.models.load import load_style

DEVICES = {"CPU": "cpu", "CUDA": "cuda", "NCNN": "cuda"}
"""What we run on beside each provider."""

TURNS = 3
STREAMS = 2  # of vs-mlrt: what its own guide uses, so that copies overlap the network


def networks(folder: Path, width: int, height: int) -> list[Path]:
    """The networks that are compared by default, as files."""
    models = {"classic": onnx.load_model_from_string(classic())}
    for end in (*models["classic"].graph.input, *models["classic"].graph.output):
        set_dims(end, [1, 3, height, width])
    for name in ("realtime", "quality"):
        style = load_style(name)
        models[name] = onnx.load_model_from_string(style.fixed(width, height))
        made_constant(models[name]).raw_data = one_of(style, 0).tobytes()
        del models[name].metadata_props[:]  # as somebody else's
    paths = []
    for name, model in models.items():
        paths.append(folder / f"{name}.onnx")
        onnx.save(model, paths[-1])
    return paths


def noise(width: int, height: int, frames: int) -> vs.VideoNode:
    """The same picture of smooth noise for every frame."""
    dice = np.random.default_rng(0).random((3, height // 8 + 1, width // 8 + 1), dtype=np.float32)
    picture = dice.repeat(8, axis=1).repeat(8, axis=2)[:, :height, :width]

    def filled(n: int, f: vs.VideoFrame) -> vs.VideoFrame:
        made = f.copy()
        for plane, values in enumerate(picture):
            np.asarray(made[plane])[:] = values
        return made

    blank = vs.core.std.BlankClip(None, width, height, vs.RGBS, length=1)
    return vs.core.std.Loop(blank.std.ModifyFrame(blank, filled), frames)


def turn(clip: vs.VideoNode) -> tuple[float, float]:
    """Frames a second and milliseconds of the processor for each."""
    begin, worked = time.perf_counter(), time.process_time()
    for frame in clip.frames(close=True):
        del frame
    count = clip.num_frames
    return count / (time.perf_counter() - begin), 1e3 * (time.process_time() - worked) / count


def psnr(first: vs.VideoNode, second: vs.VideoNode) -> float:
    """Decibels between two clips' first pictures, whose codes are 0..1."""
    pictures = []
    for clip in (first, second):
        with clip.get_frame(0) as frame:
            pictures.append(np.stack([np.asarray(frame[plane]) for plane in range(3)]).clip(0, 1))
    error = float(np.mean((pictures[0] - pictures[1]) ** 2))
    return float("inf") if error == 0 else -10 * float(np.log10(error))


def theirs(path: Path, clip: vs.VideoNode, provider: str, *, float16: bool) -> dict[str, Callable[[], vs.VideoNode]]:
    """What opens vs-mlrt's filter, by what it is called in the result."""
    settings = {"network_path": str(path), "num_streams": STREAMS, "fp16": float16}
    if provider == "NCNN":
        return {"vs-mlrt, NCNN": partial(vs.core.ncnn.Model, clip, **settings)}
    opened = partial(vs.core.ort.Model, clip, provider=provider, tf32=True, verbosity=1, **settings)
    if provider == "CPU":
        return {"vs-mlrt": opened}
    return {"vs-mlrt": opened, "vs-mlrt, CUDA graph": partial(opened, use_cuda_graph=True)}


def compared(path: Path, clip: vs.VideoNode, provider: str, *, float16: bool) -> dict[str, Any]:
    """One network by both."""
    ours = fb.paint(
        clip,
        path,
        device=DEVICES[provider],
        precision="float16" if float16 else "float32",
        net_input="unit",
        net_output="unit",
        brush=0.0,
        relief=0.0,
        steady=0.0,
    )
    contenders = {"framebrush": ours}
    found: dict[str, Any] = {"network": path.stem}
    for name, opened in theirs(path, clip, provider, float16=float16).items():
        try:
            node = opened()
            found[name] = {"psnr_db": round(psnr(ours, node), 1)}  # and both are loaded
            contenders[name] = node
        except vs.Error as error:
            found[name] = {"problem": str(error)}
    for node in contenders.values():
        node.std.SetVideoCache(0)  # or the next turn gets the frames of this one
    turns: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
    for _ in range(TURNS):
        for name, node in contenders.items():
            turns[name].append(turn(node))
    for name, measured in turns.items():
        fps, processor_ms = (statistics.median(values) for values in zip(*measured, strict=True))
        found.setdefault(name, {}).update(fps=round(fps, 2), processor_ms=round(processor_ms, 2))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", type=Path)
    parser.add_argument("--provider", choices=DEVICES, default="CUDA")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--float16", action="store_true")
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    with tempfile.TemporaryDirectory() as folder:
        clip = noise(width, height, arguments.frames)
        for path in arguments.networks or networks(Path(folder), width, height):
            result = compared(path, clip, arguments.provider, float16=arguments.float16)
            print(json.dumps({"size": arguments.size, "provider": arguments.provider, **result}), flush=True)


if __name__ == "__main__":
    main()
