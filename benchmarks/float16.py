"""`ModelCard.float16_codes` for the bundled painters: the maximum over all paintings, on film frames.

    python benchmarks/float16.py FILM [FILM ...]

Uses at most 640x360 of each film's first frame, on the CPU, with each operator's result rounded to float16.
"""

from __future__ import annotations

import operator
import sys
from pathlib import Path

import av
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from framebrush.models.float16 import Numbers, difference
from framebrush.models.reading.load import load_style


def first_frame(path: str, stride: int) -> Numbers:
    """Return (1, 3, H, W) R'G'B' in 0..1, sides multiples of the stride."""
    with av.open(path) as container:
        codes = next(container.decode(video=0)).to_ndarray(format="rgb24")[:360, :640]
    height, width = (side // stride * stride for side in codes.shape[:2])
    return np.ascontiguousarray(codes[None, :height, :width].transpose(0, 3, 1, 2), np.float32) / np.float32(255)


def main() -> None:
    for name in ("realtime", "quality"):
        style = load_style(name)
        frames = [first_frame(path, style.card.stride) for path in sys.argv[1:]]
        mixes = np.eye(len(style.card.paintings), dtype=np.float32)[:, None]
        worst = {
            key: max(difference(style.model, frame, mix) for frame in frames)
            for key, mix in zip(style.card.paintings, mixes, strict=True)
        }
        for key, codes in sorted(worst.items(), key=operator.itemgetter(1)):
            print(f"{key:20} differs by {codes:.2f} codes in float16, root mean square")
        print(f"{name:20} {max(worst.values()):.2f} at most; its card says {style.card.float16_codes}")


if __name__ == "__main__":
    main()
