"""Time to paint the gallery's tiles on a device, for machines without Qt (see `tiles.py`).

    python -m benchmarks.tiles_device [--device cuda] [--rounds 5]

One frame of 480x270 in each real-time style, one stylizer per network with changing weights, as
`window/styles/tile_painter.py` does it. The first round creates the stylizers. Goal: 0.3 s for all on a graphics card.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402

from framebrush.gpu.device import open_device  # noqa: E402
from framebrush.gpu.frame import rgba8  # noqa: E402
from framebrush.gpu.look import Look  # noqa: E402
from framebrush.gpu.stylizer import Stylizer  # noqa: E402
from framebrush.models.library import bundled, card_of  # noqa: E402
from framebrush.styles.style_names import open_style  # noqa: E402

SIZE = 480, 270


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    frame = rgba8(*SIZE).allocate()
    frame.planes[0][...] = np.random.default_rng(1).integers(0, 256, frame.planes[0].shape)
    cards = map(card_of, bundled().values())
    styles = [open_style(name).style for card in cards if card.speed == "realtime" for name in card.paintings]
    made: dict[bytes, Stylizer[object]] = {}
    with open_device(arguments.device) as device:
        print(f"{device.info.name} ({device.info.kind}), {len(styles)} styles of {SIZE[0]}x{SIZE[1]}")
        for number in range(arguments.rounds):
            begun = time.perf_counter()
            for style in styles:
                look = Look(mix=style.mix, steady=0.0)
                stylizer = made.get(style.model)
                if stylizer is None:
                    bare = replace(style, mix=())
                    stylizer = device.stylizer(bare, frame.format, frame.format, look=look, slots=1, moving=True)
                    made[style.model] = stylizer
                stylizer.look = look
                stylizer.fetch(stylizer.submit(frame))
            spent = time.perf_counter() - begun
            print(f"{'again' if number else f'first, {len(made)} stylizers':<24}{spent:8.3f} s", flush=True)


if __name__ == "__main__":
    main()
