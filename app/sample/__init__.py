"""Film that comes with the program."""

from __future__ import annotations

from pathlib import Path

PATH = Path(__file__).parent / "sample.mp4"
"""960x540, 30 frames a second, without sound. The people are of walk.mkv and night.mkv of Intel's IoT DevKit sample
videos, CC BY 4.0; the animation is of Big Buck Bunny, (c) 2008 Blender Foundation, CC BY 3.0. It was cut by
assets/make_sample_film.py."""

SHOTS = (0, 89, 189)
"""The first frame of each shot."""

PEOPLE = (0, 189)
"""The first frame of each shot with people."""
