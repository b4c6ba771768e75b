"""The film that comes with the program: three shots of three seconds, for the start page and `framebrush demo`."""

from __future__ import annotations

from pathlib import Path

PATH = Path(__file__).parent / "sample.mp4"
"""960x540, 30 frames a second, without sound. The animation is of Big Buck Bunny, (c) 2008 Blender Foundation, CC BY
3.0; the building is sample_edit_list.mp4 of androidx/media, Apache-2.0."""

SHOTS = (0, 114, 191)
"""The first frame of each shot."""
