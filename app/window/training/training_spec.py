"""Settings of a training, passed to its process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class TrainingSpec:
    """Training request.

    Attributes:
        picture, photos, features: as --style, --photos and --features of `framebrush train`; photos "" for frames of
            `film`, features "" for the bundled ones.
        size, stroke_px, steps, batch: as in its recipe.
    """

    name: str
    picture: str
    photos: str = ""
    features: str = ""
    size: Literal["realtime", "quality"] = "realtime"
    stroke_px: float = 10.0
    steps: int = 6000
    batch: int = 4
    film: str = ""

    def out(self, folder: Path) -> Path:
        """Return the style file in a training's folder."""
        return folder / f"{self.name}.onnx"
