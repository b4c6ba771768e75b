"""Draw assets/reveal.webp: one frame of the sample film as it is painted, made by `framebrush reveal`.

python assets/make_reveal.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from framebrush import sample

TARGET = Path(__file__).resolve().parent / "reveal.webp"
FRAME, SECONDS, RATE, HELD_MS = 20, 8, 10, 2500
"""Frame of the film; length and rate of the time-lapse; how long its last picture stays."""

SHOWN_PX, QUALITY = (480, 270), 50
OPTIONS = ("--style", "starry-night", "--size", "640x360", "--device", "cpu", "--progress", "none")


def main() -> None:
    """Paint the time-lapse and pack it."""
    with tempfile.TemporaryDirectory() as folder:
        pictures = Path(folder) / "%04d.png"
        place = ("--at", f"{FRAME}f", "--seconds", str(SECONDS), "--fps", str(RATE))
        program = [sys.executable, "-m", "framebrush", "reveal", str(sample.PATH), str(pictures)]
        subprocess.run([*program, *place, *OPTIONS], check=True)
        shown = [Image.open(path).resize(SHOWN_PX) for path in sorted(Path(folder).glob("*.png"))]
    lengths = [1000 // RATE] * (len(shown) - 1) + [HELD_MS]
    shown[0].save(TARGET, save_all=True, append_images=shown[1:], duration=lengths, loop=0, quality=QUALITY, method=6)


if __name__ == "__main__":
    main()
