"""Painters in int8 on the processor: their tops, and what int8 gains and loses.

    python benchmarks/int8.py tops                        write gpu/cpu/int8.json from the bundled film
    python benchmarks/int8.py networks FILM [FILM ...]    PSNR and processor time of the bare networks
    python benchmarks/int8.py films FILM [STYLE]          PSNR and flicker with all that is on by default
    python benchmarks/int8.py sheet FILM STYLE OUT.png    six frames in a row, in float32 above int8

Times are processor time, in turns, so other work changes them little.
"""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import onnx
import onnxruntime as ort
from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import framebrush
from benchmarks.painting import psnr
from framebrush.gpu.cpu.int8 import FILE, Int8Painter, digest
from framebrush.gpu.cpu.network import Network, allocate
from framebrush.gpu.onnx_session import session_options
from framebrush.gpu.painter import read_painter
from framebrush.gpu.tiles import plan
from framebrush.models.reading.load import load_style
from framebrush.models.style import Precision
from framebrush.sample import PATH as SAMPLE

Numbers = npt.NDArray[np.float32]

FILES = "realtime", "quality"
SIZE = 640, 360
EVERY = 50
"""Every n-th frame of the bundled film gives tops, as it is and darker."""

PERCENTILE = 99.99
"""Of a layer's values. The few above become the largest code."""

THINNED = 3
"""Every n-th value along each side of a layer is enough for a percentile."""

KINDS: tuple[Precision, Precision] = ("float32", "int8")
TURNS = 7
FRAMES = 24
SHEET_FIRST, SHEET_FRAMES = 8, 6


def frames(film: str | Path, size: tuple[int, int], every: int = 1) -> Iterator[Numbers]:
    """Yield frames (3, H, W) of R'G'B' in 0..1."""
    with av.open(str(film)) as container:
        for frame in islice(container.decode(video=0), 0, None, every):
            codes = frame.reformat(*size, format="rgb24").to_ndarray()
            yield np.ascontiguousarray(codes.transpose(2, 0, 1), np.float32) / np.float32(255)


def write_tops() -> None:
    """Write the tops of all paintings."""
    films = [kept for frame in frames(SAMPLE, SIZE, EVERY) for kept in (frame, frame**2)]
    found: dict[str, dict[str, dict[str, object]]] = {}
    for name in FILES:
        style = load_style(name)
        painter = read_painter(style.model)
        assert painter
        model = onnx.load_model_from_string(style.model)
        layers = [node.output[0] for node in model.graph.node if node.op_type == "Relu"]
        assert len(layers) == len(painter.layers) - 1
        model.graph.output.extend(onnx.ValueInfoProto(name=layer) for layer in layers)
        session = ort.InferenceSession(model.SerializeToString(), session_options())
        found[name] = {}
        for number, painting in enumerate(style.card.paintings):
            mix = np.eye(len(painter.rows), dtype=np.float32)[number : number + 1]
            values = [session.run(layers, {"frame": frame[None], "mix": mix}) for frame in films]
            tops = [
                max(float(np.percentile(value[..., ::THINNED, ::THINNED], PERCENTILE)) for value in layer)
                for layer in zip(*values, strict=True)
            ]
            rounded = [float(f"{top:.3g}") for top in tops]
            found[name][painting] = {"weights": digest(painter.rows[number]), "tops": rounded}
    text = json.dumps(found, indent=1)
    for tall, flat in ((r"\[\n\s+", "["), (r",\n\s+(?=\d)", ", "), (r"\n\s+\]", "]")):  # a painting's tops in a line
        text = re.sub(tall, flat, text)
    FILE.write_text(text + "\n", encoding="utf-8")


def compare_networks(films: list[str]) -> None:
    """Print PSNR and processor time of the bare networks."""
    for name in FILES:
        style = load_style(name)
        painter = Int8Painter.of(style)
        first = [next(islice(frames(film, SIZE), 10, None)) for film in films]
        tensors = allocate(*SIZE, 1, "float32")
        whole = plan(*SIZE, style.card, "off")
        least: list[float] = []
        for number, painting in enumerate(style.card.paintings):
            mix = tuple(np.eye(len(painter.tops))[number].tolist())
            made: dict[bool, list[Numbers]] = {}
            for int8 in (False, True):
                network = Network(style, whole, mix, int8=int8)
                made[int8] = []
                for frame in first:
                    tensors.frame[:] = frame
                    network.run(tensors, mix)
                    made[int8].append(tensors.styled.astype(np.float32))
            found = [psnr(*pair) for pair in zip(made[False], made[True], strict=True)]
            least.append(min(found))
            print(f"{name:9} {painting:16} " + " ".join(f"{one:5.1f}" for one in found) + " dB")
        print(f"{name:9} {min(least):.1f} dB at least")
    for name in FILES:
        for size in (SIZE, (1920, 1080)):
            _time(name, size, films[0])


def _time(name: str, size: tuple[int, int], film: str) -> None:
    style = load_style(name)
    width, height = (-(-side // style.card.stride) * style.card.stride for side in size)
    whole = plan(width, height, style.card, "off")
    mix = (1.0, *(0.0,) * (len(style.card.paintings) - 1))
    networks = {int8: Network(style, whole, mix, int8=int8) for int8 in (False, True)}
    tensors = allocate(width, height, 1, "float32")
    tensors.frame[:] = next(frames(film, (width, height)))
    taken: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(TURNS):
        for int8, network in networks.items():
            begin = time.process_time()
            network.run(tensors, mix)
            taken[int8].append(1e3 * (time.process_time() - begin))
    before, after = (float(np.median(taken[int8])) for int8 in (False, True))
    print(f"{name:9} {size[0]}x{size[1]}: {before:.0f} to {after:.0f} ms of processor time, {before / after:.2f} times")


def painted(film: str, style: str, precision: Precision) -> Iterator[Numbers]:
    """Yield painted frames (H, W, 3) of 0..1."""
    with framebrush.open(film, style, device="cpu", precision=precision, max_size=640) as opened:
        for frame in opened:
            yield frame.picture.astype(np.float32) / np.float32(255)


def changes(pictures: Iterable[Numbers]) -> float:
    """Return the RMS change from frame to frame, in codes of 8 bits."""
    listed = list(pictures)
    found = [float(np.mean((after - before) ** 2)) for before, after in pairwise(listed)]
    return 255 * float(np.sqrt(np.mean(found)))


def compare_films(film: str, style: str) -> None:
    """Print PSNR, flicker and processor time of a painted film."""
    made: dict[Precision, list[Numbers]] = {}
    taken: list[float] = []
    for kind in KINDS:
        pictures = painted(film, style, kind)
        made[kind] = [next(pictures)]  # not timed, as it opens the film and the style
        begin = time.process_time()
        made[kind] += islice(pictures, FRAMES - 1)
        taken.append(1e3 * (time.process_time() - begin) / (FRAMES - 1))
    apart = np.mean([psnr(*pair) for pair in zip(*made.values(), strict=True)])
    flicker = {kind: changes(pictures) for kind, pictures in made.items()}
    said = ", ".join(f"{kind} {codes:.2f}" for kind, codes in flicker.items())
    more = 100 * (flicker["int8"] / flicker["float32"] - 1)
    print(f"{Path(film).name} {style}: {apart:.1f} dB; codes from frame to frame: {said} ({more:+.1f} %)")
    print("{:.0f} to {:.0f} ms of processor time a frame".format(*taken))


def sheet(film: str, style: str, out: str) -> None:
    """Write frames in a row: float32 above int8."""
    rows = [
        np.concatenate(list(islice(painted(film, style, kind), SHEET_FIRST, SHEET_FIRST + SHEET_FRAMES)), axis=1)
        for kind in KINDS
    ]
    Image.fromarray((255 * np.concatenate(rows)).round().astype(np.uint8)).save(out)


def main() -> None:
    match sys.argv[1:]:
        case ["tops"]:
            write_tops()
        case ["networks", *films] if films:
            compare_networks(films)
        case ["films", film, *style]:
            compare_films(film, *(style or ["starry-night"]))
        case ["sheet", film, style, out]:
            sheet(film, style, out)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
