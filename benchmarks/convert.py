"""Colour conversion against the network, side by side in one run, on the CPU.

    python benchmarks/convert.py [--style ink] [--size 1280x720] [--rounds 20]

Each round times planes to tensor, the network alone, tensor to NV12, and all three overlapped. Shares are medians over
the rounds, so that other load affects all equally. On a busy machine, as in a transcode, processor time counts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from framebrush.gpu import tiles
from framebrush.gpu.cpu.network import Network, allocate
from framebrush.gpu.cpu.stages.planes_to_tensor import PlanesToTensor
from framebrush.gpu.cpu.stages.tensor_to_planes import TensorToPlanes
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, FrameFormat, PlaneOrder, nv12
from framebrush.gpu.look import Look, ToneMap
from framebrush.models.reading.load import load_style

FRAMES = 6


def measure(work: Callable[[], object]) -> tuple[float, float]:
    """Return elapsed and processor milliseconds per frame."""
    start, start_cpu = time.perf_counter(), time.process_time()
    work()
    elapsed, processor = time.perf_counter() - start, time.process_time() - start_cpu
    return 1e3 * elapsed / FRAMES, 1e3 * processor / FRAMES


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--style", default="ink")
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--rounds", type=int, default=10)
    arguments = parser.parse_args()
    width, height = (int(side) for side in arguments.size.split("x"))
    style = load_style(arguments.style)
    source, target = FrameFormat(width, height, PlaneOrder.PLANAR, subsample=(1, 1)), nv12(width, height)
    rng = np.random.default_rng(0)
    frame = Frame(source, tuple(rng.integers(16, 236, shape, dtype=np.uint8) for shape in source.plane_shapes))

    plan = tiles.plan(width, height, style.card, "off")
    paintings = len(style.card.paintings)
    mix = (1.0, *(0.0,) * (paintings - 1)) if paintings > 1 else ()
    tensors = allocate(*plan.padded_size, plan.scale, style.card.precision)
    network, decoder, encoder = Network(style, plan, mix), PlanesToTensor(source), TensorToPlanes(target)
    painted = target.allocate()

    with open_device("cpu") as device, device.stylizer(style, source, target) as stylizer:

        def overlapped() -> None:
            flying = [stylizer.submit(frame), stylizer.submit(frame)]
            for _ in range(FRAMES - 2):
                flying.append(stylizer.submit(frame))
                stylizer.fetch(flying.pop(0))
            for ticket in flying:
                stylizer.fetch(ticket)

        def repeated(work: Callable[[], object]) -> Callable[[], None]:
            return lambda: [work() for _ in range(FRAMES)].clear()

        stages: dict[str, Callable[[], object]] = {
            "planes to tensor": repeated(lambda: decoder.run(frame.planes, tensors.frame, ToneMap.BT2390)),
            "network": repeated(lambda: network.run(tensors, mix)),
            "tensor to NV12": repeated(lambda: encoder.run(tensors.frame, tensors.styled, Look(), painted)),
            "stylizer, overlapped": overlapped,
        }
        rounds = []
        for stage in stages.values():
            stage()
        for _ in range(arguments.rounds):
            rounds.append({name: measure(stage) for name, stage in stages.items()})

    print(f"{device.info.name}; {style.card.title}, {width}x{height}, 8 bits; median of {arguments.rounds} rounds")
    print(f"{'':24}{'elapsed':>12}{'processor':>12}")
    for name in stages:
        elapsed, processor = (statistics.median(one[name][kind] for one in rounds) for kind in (0, 1))
        print(f"{name:24}{elapsed:9.2f} ms{processor:9.2f} ms")
    shares = []
    for kind in (0, 1):
        conversions = [one["planes to tensor"][kind] + one["tensor to NV12"][kind] for one in rounds]
        networks = [one["network"][kind] for one in rounds]
        shares.append(statistics.median(c / (c + n) for c, n in zip(conversions, networks, strict=True)))
    print(f"{'conversion, of the sum':24}{shares[0]:11.1%} {shares[1]:11.1%}")
    added = statistics.median(1 - one["network"][0] / one["stylizer, overlapped"][0] for one in rounds)
    print(f"{'conversion, of a frame':24}{added:11.1%}   as overlapped: what the frame takes beyond its network")


if __name__ == "__main__":
    main()
