"""Framebrush against vs-mlrt, VapourSynth's filters for networks: the same networks on the same clip, in turns.

    python -m benchmarks.vs_mlrt [--provider CUDA] [--size 1280x720] [--frames 300] [--float16] [NETWORK.onnx ...]

Needs Python 3.12 and, besides the extras `cuda` and `vapoursynth`, `vapoursynth-mlrt-ort[cuda]`, or for NCNN
`vapoursynth-mlrt-ncnn` and Vulkan (compared with Framebrush on CUDA). Both are filters of one VapourSynth graph, float
R'G'B' planes in host memory in and out. vs-mlrt passes these values to the network, in TF32 for float32 (as Framebrush
does by default), on CUDA with and without a CUDA graph. Framebrush converts to 16 bits and runs the whole pipeline,
without brush, relief and steadying. Networks map 0..1 to 0..1. Default: the classic network of fast style transfer with
random weights, and both sizes of the bundled painters with one painting.

Prints one line of JSON per network: frames per second and processor milliseconds per frame (medians of the turns), and
PSNR between both pictures in dB; or vs-mlrt's message if it cannot load a network.
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
from benchmarks.painting import Picture, one_of, psnr
from benchmarks.speed import classic
from framebrush.gpu.cpu.graph_rewrites import made_constant
from framebrush.models.onnx_graph import set_dims
from framebrush.models.reading.load import load_style

DEVICES = {"CPU": "cpu", "CUDA": "cuda", "NCNN": "cuda"}
"""Framebrush's device for each provider."""

TURNS = 3
STREAMS = 2  # of vs-mlrt: as in its own guide, so that copies overlap the network


def networks(folder: Path, width: int, height: int) -> list[Path]:
    """Return the default networks as files."""
    models = {"classic": onnx.load_model_from_string(classic())}
    for end in (*models["classic"].graph.input, *models["classic"].graph.output):
        set_dims(end, [1, 3, height, width])
    for name in ("realtime", "quality"):
        style = load_style(name)
        models[name] = onnx.load_model_from_string(style.fixed(width, height))
        made_constant(models[name]).raw_data = one_of(style, 0).tobytes()
        del models[name].metadata_props[:]  # like a foreign file
    paths = []
    for name, model in models.items():
        paths.append(folder / f"{name}.onnx")
        onnx.save(model, paths[-1])
    return paths


def noise(width: int, height: int, frames: int) -> vs.VideoNode:
    """Return a clip of one picture of smooth noise."""
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
    """Return frames per second, and processor milliseconds per frame."""
    begin, worked = time.perf_counter(), time.process_time()
    for frame in clip.frames(close=True):
        del frame
    count = clip.num_frames
    return count / (time.perf_counter() - begin), 1e3 * (time.process_time() - worked) / count


def first_picture(clip: vs.VideoNode) -> Picture:
    """Return a clip's first frame."""
    with clip.get_frame(0) as frame:
        return np.stack([np.asarray(frame[plane]) for plane in range(3)])


def theirs(path: Path, clip: vs.VideoNode, provider: str, *, float16: bool) -> dict[str, Callable[[], vs.VideoNode]]:
    """Return functions that open vs-mlrt's filter, by name in the result."""
    settings = {"network_path": str(path), "num_streams": STREAMS, "fp16": float16}
    if provider == "NCNN":
        return {"vs-mlrt, NCNN": partial(vs.core.ncnn.Model, clip, **settings)}
    opened = partial(vs.core.ort.Model, clip, provider=provider, tf32=True, verbosity=1, **settings)
    if provider == "CPU":
        return {"vs-mlrt": opened}
    return {"vs-mlrt": opened, "vs-mlrt, CUDA graph": partial(opened, use_cuda_graph=True)}


def compared(path: Path, clip: vs.VideoNode, provider: str, *, float16: bool) -> dict[str, Any]:
    """Compare both filters on one network."""
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
            found[name] = {"psnr_db": round(psnr(first_picture(ours), first_picture(node)), 1)}  # loads both, too
            contenders[name] = node
        except vs.Error as error:
            found[name] = {"problem": str(error)}
    for node in contenders.values():
        node.std.SetVideoCache(0)  # else the next turn gets cached frames
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
