"""Brush and relief on the bundled paintings, against older painters without them, side by side in one run.

    python benchmarks/strokes.py bands --before OLDER.onnx FRAME_OR_FILM [...]
    python benchmarks/strokes.py flicker --before OLDER.onnx --stroke 2 FILM [...]

bands: a central part of PART in frames scaled to 1080 lines, painted at stroke 2. fine: strength (standard deviation)
of the two finest luma bands relative to the two broadest. A band is the difference between Gaussians of successive
widths (frame itself, then 1, 2, 4, 8 and 16 px). weave: `evaluate.weave` at the network's working size.

flicker: difference between neighbouring frames in 8-bit codes, in still areas and along the source's motion, after
`--steady`. The film's own line is the lower bound for an equally sharp painting. Frames without neighbours are
skipped. Needs opencv-python-headless.

One line per painting and look: the older painters ("before"), and today's with each `--look` (default: the style's own;
`1,0` without relief, `0,0` without brush too). `--painters quality` uses the larger painters.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from benchmarks.detail import picture
from benchmarks.painting import SIZES, Picture, smaller
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.frame import Frame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.stages.cells import gaussian
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.temporal_window import CENTRED
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from framebrush.models.training.evaluate import Flow, moving_flicker, static_flicker, weave
from framebrush.styles.style_names import has_strokes, window_for

LINES, PART, STROKE = 1080, (960, 540), 2
DEVIATIONS_PX = (1, 2, 4, 8, 16)


def frames_of(path: str, count: int, every: int, lines: int = 0) -> list[Frame]:
    """Return frames of a film, or a picture: whole, or the middle after scaling to `lines`."""
    found: list[Frame] = []
    with av.open(path) as container:
        for number, shown in enumerate(container.decode(video=0)):
            if number % every == 0:
                width, height = shown.width, shown.height
                if lines:
                    width, height = round(width * lines / height / 2) * 2, lines
                codes = shown.reformat(width, height, "rgba", interpolation="BICUBIC").to_ndarray()
                if lines:
                    left, top = ((side - part) // 2 for side, part in zip((width, height), PART, strict=True))
                    codes = codes[max(0, top) :, max(0, left) :][: PART[1], : PART[0]]
                size = rgba8(codes.shape[1], codes.shape[0])
                found.append(Frame(size, (np.ascontiguousarray(codes),)))
            if len(found) == count:
                break
    return found


def painted(device: Device, style: Style, frames: list[Frame], stroke: float, look: Look) -> list[Picture]:
    """Paint a film as the program does."""
    size = frames[0].format
    working = (round(size.width / stroke), round(size.height / stroke))
    window = window_for(style.card, look)
    carries = has_strokes(style.card, look)
    waiting, done = list[Ticket](), list[Frame]()
    with device.stylizer(style, size, size, working=working, look=look, window=window, carries=carries) as stylizer:
        for frame in frames:
            if len(waiting) == stylizer.slots:
                done.append(stylizer.fetch(waiting.pop(0)))
            waiting.append(stylizer.submit(frame))
        stylizer.flush()
        return [picture(frame) for frame in done + [stylizer.fetch(ticket) for ticket in waiting]]


def looks(
    today: Style, older: Path | None, given: list[tuple[float, float]]
) -> Iterator[tuple[str, Style, float, float]]:
    """Yield name, painters, brush and relief."""
    if older:
        yield "before", load_style(older), 0.0, 0.0
    for brush, relief in given or [(today.card.brush, today.card.relief)]:
        yield f"{brush:g}, {relief:g}", today, brush, relief


def pair(text: str) -> tuple[float, float]:
    """Parse BRUSH,RELIEF."""
    brush, relief = text.split(",")
    return float(brush), float(relief)


def fineness(shown: Picture) -> float:
    """Return the ratio of the two finest bands of luma to the two broadest."""
    luma = np.tensordot(np.array([0.2126, 0.7152, 0.0722]), shown, 1)
    levels = [_blurred(luma, deviation) for deviation in DEVIATIONS_PX]
    bands = [float((fine - broad).std()) for fine, broad in itertools.pairwise([luma, *levels])]
    return sum(bands[:2]) / sum(bands[-2:])


def _blurred(plane: NDArray[np.float64], deviation: float) -> NDArray[np.float64]:
    weights = gaussian(deviation, math.ceil(2.5 * deviation))
    for axis in (0, 1):
        pads = [(0, 0), (0, 0)]
        pads[axis] = (len(weights) // 2,) * 2
        around = np.pad(plane, pads, "edge")
        windows = np.lib.stride_tricks.sliding_window_view(around, len(weights), axis)
        plane = windows @ weights
    return plane


def bands(
    device: Device,
    today: Style,
    films: list[str],
    older: Path | None,
    given: list[tuple[float, float]],
    count: int,
    keys: list[str],
) -> None:
    frames = [frame for film in films for frame in frames_of(film, count, 30, LINES)]
    sources = [picture(frame) for frame in frames]
    source = np.mean([(fineness(shown), weave(smaller(shown, STROKE))) for shown in sources], 0)
    print("the source: fine {:.2f}  weave {:.3f}".format(*source), flush=True)
    for painting, key in enumerate(today.card.paintings):
        if keys and key not in keys:
            continue
        for name, style, brush, relief in looks(today, older, given):
            mix = tuple(float(n == painting) for n in range(len(style.card.paintings)))
            look = Look(mix=mix, steady=0.0, brush=brush, relief=relief)
            shown = [painted(device, style, [frame], STROKE, look)[0] for frame in frames]
            values = np.mean([(fineness(one), weave(smaller(one, STROKE))) for one in shown], 0)
            print("{:16} {:12} fine {:.2f}  weave {:.3f}".format(key, name, *values), flush=True)


def flicker(
    device: Device,
    today: Style,
    films: list[str],
    older: Path | None,
    given: list[tuple[float, float]],
    count: int,
    keys: list[str],
    stroke: float,
    steady: float,
) -> None:
    import cv2  # type: ignore[import-not-found,unused-ignore]

    search: Any = cv2.DISOpticalFlow.create(cv2.DISOPTICAL_FLOW_PRESET_MEDIUM)
    inner = slice(CENTRED.before, -CENTRED.after)
    for film in films:
        frames = frames_of(film, count, 1)
        sources = [picture(frame) for frame in frames]
        greys = [(np.tensordot([0.299, 0.587, 0.114], one, 1) * 255).astype(np.uint8) for one in sources[inner]]
        motions: dict[tuple[int, int], Flow] = {
            (first, second): np.asarray(search.calc(greys[first], greys[second], None))
            for n in range(len(greys) - 1)
            for first, second in ((n, n + 1), (n + 1, n))
        }

        def known(first: int, second: int, motions: dict[tuple[int, int], Flow] = motions) -> Flow:
            return motions[first, second]

        print(
            f"{Path(film).stem}  the film itself  moving {moving_flicker(sources[inner], known) * 255:5.2f}", flush=True
        )
        for painting, key in enumerate(today.card.paintings):
            if keys and key not in keys:
                continue
            for name, style, brush, relief in looks(today, older, given):
                mix = tuple(float(n == painting) for n in range(len(style.card.paintings)))
                look = Look(mix=mix, steady=steady, brush=brush, relief=relief, dither=False)
                shown = painted(device, style, frames, stroke, look)[inner]
                still, moving = static_flicker(sources[inner], shown) * 255, moving_flicker(shown, known) * 255
                print(f"{Path(film).stem}  {key:16} {name:12} still {still:5.2f}  moving {moving:5.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figure", choices=("bands", "flicker"))
    parser.add_argument("films", nargs="+", metavar="FILM")
    parser.add_argument("--before", type=Path, help="an older file of painters")
    parser.add_argument("--look", type=pair, action="append", default=[], metavar="BRUSH,RELIEF")
    parser.add_argument("--painting", action="append", default=[], help="only this one")
    parser.add_argument("--count", type=int, default=12, help="frames of a film")
    parser.add_argument("--stroke", type=float, default=1.0, help="of `flicker`")
    parser.add_argument("--steady", type=float, default=0.5, help="of `flicker`")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--painters", choices=SIZES, default=SIZES[0])
    said = parser.parse_args()
    with open_device(said.device) as device:
        today = load_style(said.painters)
        if said.figure == "bands":
            bands(device, today, said.films, said.before, said.look, said.count, said.painting)
        else:
            flicker(
                device,
                today,
                said.films,
                said.before,
                said.look,
                said.count,
                said.painting,
                said.stroke,
                said.steady,
            )


if __name__ == "__main__":
    main()
