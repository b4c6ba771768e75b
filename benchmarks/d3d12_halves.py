"""Shader model 6.2 in 16 bits against 5.0 on a Direct3D 12 GPU: the painter alone, and the whole pipeline, in turns.

    python -u benchmarks/d3d12_halves.py --sizes 1280x720,1920x1080,3840x2160

Prints one line of JSON per size. alone: frames per second of each kind of kernels, all rounds, and the largest
difference from float64 in 8-bit codes. pipeline: host frames in and out, three frames in flight, each shader model's
fastest kernels, with and without strokes (steadied, with relief). Ratios are of medians, 6.2 to 5.0.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from contextlib import ExitStack
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.d3d12 import DRAWN, frames_per_second, resident, waves
from benchmarks.d3d12_painters import alone, bound
from framebrush.gpu.d3d12 import adapters
from framebrush.gpu.d3d12.context import Context
from framebrush.gpu.d3d12.device import D3D12Device, open_device
from framebrush.gpu.d3d12.engines import PainterEngine
from framebrush.gpu.d3d12.native_check import painted
from framebrush.gpu.frame import nv12, yuv420p
from framebrush.gpu.hlsl.half_check import CHECKED_SIZE, off_by
from framebrush.gpu.hlsl.painter_dispatches import NATIVE_TILES, TILES, Tile, plan_dispatches, plans
from framebrush.gpu.painter import Painter, read_painter
from framebrush.gpu.sizes import Size
from framebrush.gpu.temporal_window import CENTRED
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style

MODELS = {"5.0": TILES, "6.2": NATIVE_TILES}
PIXELS = 1920 * 1080 * 300  # of the frames of one measurement


def device_of(model: str, adapter: int) -> D3D12Device:
    """Open an adapter for one shader model."""
    device = open_device(adapters.list_adapters()[adapter])
    if model == "6.2":
        if not device.context.native.has_halves:
            raise SystemExit(f"{device.info.name} has no native 16 bits")
    else:
        device.context.native.has_halves = False
    return device


def off_codes(context: Context, painter: Painter, tile: Tile) -> float:
    """Return the largest difference of a small picture from float64, in 8-bit codes."""
    dispatches = plan_dispatches(painter, CHECKED_SIZE, tile)
    assert dispatches is not None
    return round(255 * off_by(painter, dispatches, partial(painted, context)), 2)


def painters(style: Style, size: Size, arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure the network alone."""
    stride, count = style.card.stride, max(30, PIXELS // (size[0] * size[1]))
    padded = (-(-size[0] // stride) * stride, -(-size[1] // stride) * stride)
    painter = read_painter(style.fixed(*padded))
    if painter is None:
        raise SystemExit(f"{style.card.name} is no painter")
    rates: dict[str, list[float]] = {}
    off: dict[str, float] = {}
    with ExitStack() as stack:
        context = stack.enter_context(device_of("6.2", arguments.adapter)).context
        runs = {}
        for name, dispatches in plans(painter, padded, native=True).items():
            off[name] = off_codes(context, painter, {**TILES, **NATIVE_TILES}[name])
            engine = PainterEngine(context, painter, dispatches, "float16", name)
            runs[name] = stack.enter_context(bound(context, engine, painter, padded))
        for _, (name, run) in product(range(arguments.rounds), runs.items()):
            rates.setdefault(name, []).append(round(alone(context, run, count), 1))
    fps = {model: max(statistics.median(rates[tile]) for tile in MODELS[model]) for model in MODELS}
    return {"fps": rates, "off_codes": off, "ratio": round(fps["6.2"] / fps["5.0"], 3)}


def pipelines(style: Style, size: Size, arguments: argparse.Namespace) -> dict[str, Any]:
    """Measure the whole pipeline by look."""
    source, target, count = yuv420p(*size), nv12(*size), max(20, PIXELS // (4 * size[0] * size[1]))
    frame, found = waves(source, np.random.default_rng(1)), dict[str, Any]()
    for name in ("plain", "relief"):
        rates: dict[str, list[float]] = {model: [] for model in MODELS}
        settings: dict[str, Any] = {"working": size, "tiling": "off", "engine": "shader", "look": DRAWN[name]}
        settings |= {"window": CENTRED} if name == "relief" else {}
        with ExitStack() as stack:
            works, methods = {}, {}
            for model in MODELS:
                device = stack.enter_context(device_of(model, arguments.adapter))
                stylizer = stack.enter_context(device.stylizer(style, source, target, **settings))
                works[model] = partial(frames_per_second, count, resident(stylizer, frame, []))
                methods[model] = stylizer.method
            for _, model in product(range(arguments.rounds), MODELS):
                rates[model].append(round(works[model](), 1))
        ratio = statistics.median(rates["6.2"]) / statistics.median(rates["5.0"])
        found["with strokes" if name == "relief" else "without strokes"] = {
            "fps": rates,
            "ratio": round(ratio, 3),
            "methods": methods,
        }
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1280x720,1920x1080,3840x2160")
    parser.add_argument("--style", default="realtime")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--adapter", type=int, default=0)
    arguments = parser.parse_args()
    style = load_style(arguments.style)
    for text in arguments.sizes.split(","):
        width, height = (int(side) for side in text.split("x"))
        result: dict[str, Any] = {"size": text, "network": style.card.name}
        result["adapter"] = adapters.list_adapters()[arguments.adapter].name
        result["alone"] = painters(style, (width, height), arguments)
        print(json.dumps(result), flush=True)
        result = {"size": text, "pipeline": pipelines(style, (width, height), arguments)}
        print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
