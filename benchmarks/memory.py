"""Peak memory of transcodes of 100 and of 1000 frames at 640x360: python benchmarks/memory.py [DEVICE]

The two figures should be equal, apart from the encoder's look-ahead. The peak is the maximum over all children so far,
so a larger first figure would show as equal. Not for Windows.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import av
import numpy as np

WIDTH, HEIGHT = 640, 360


def make_clip(path: Path, frames: int) -> None:
    """Write a clip of moving noise and gradients, which compresses badly."""
    random = np.random.default_rng(1)
    texture = random.integers(0, 256, (HEIGHT, WIDTH + 4 * 256, 3), np.uint8)
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=30, options={"preset": "ultrafast", "crf": "35"})
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.time_base = Fraction(1, 30)
        for number in range(frames):
            offset = 4 * (number % 256)
            picture = np.ascontiguousarray(texture[:, offset : offset + WIDTH])
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def peak_mb(clip: Path, target: Path, device: str) -> float:
    """Return the peak resident memory of a transcode in a child process."""
    command = [sys.executable, "-m", "framebrush", "transcode", str(clip), str(target), "-y", "--device", device]
    subprocess.run([*command, "--progress", "none"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    resource = importlib.import_module("resource")  # missing on Windows
    return float(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) / 1024


def main() -> None:
    """Print both figures and their ratio."""
    device = sys.argv[1] if len(sys.argv) > 1 else "auto"
    with tempfile.TemporaryDirectory(prefix="framebrush-memory-") as folder:
        peaks = []
        for frames in (100, 1000):
            clip = Path(folder) / f"{frames}.mp4"
            make_clip(clip, frames)
            peaks.append(peak_mb(clip, Path(folder) / "out.mp4", device))
            print(f"{frames} frames of {WIDTH}x{HEIGHT}: peak {peaks[-1]:.0f} MB")
        print(f"ratio {peaks[1] / peaks[0]:.3f}")


if __name__ == "__main__":
    main()
