"""The settings of a training, as the window passes them to its process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from framebrush.base.json_values import from_values, to_values


@dataclass(frozen=True, slots=True)
class TrainingSpec:
    """name: of the style and of its file. picture, photos, features: as for `framebrush train`. size, stroke_px, steps,
    batch: as in its recipe."""

    name: str
    picture: str
    photos: str
    features: str
    size: Literal["realtime", "quality"] = "realtime"
    stroke_px: float = 10.0
    steps: int = 6000
    batch: int = 4

    def out(self, folder: Path) -> Path:
        """The style file in the folder of a training."""
        return folder / f"{self.name}.onnx"

    def to_values(self) -> dict[str, object]:
        """The spec as JSON values."""
        values: dict[str, object] = to_values(self)
        return values

    @classmethod
    def from_values(cls, values: object) -> TrainingSpec:
        """The inverse of `to_values`. Raises JsonError."""
        return from_values(cls, values, "training")
