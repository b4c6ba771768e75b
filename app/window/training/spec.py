"""What a style is to be learnt from, as the window gives it to the process that learns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from framebrush.base.json_values import from_values, to_values


@dataclass(frozen=True, slots=True)
class TrainingSpec:
    """One own style. name: of the style and of its file. picture, photos, features: as `framebrush train` takes them.
    size, stroke_px, steps, batch: as in its recipe."""

    name: str
    picture: str
    photos: str
    features: str
    size: Literal["realtime", "quality"] = "realtime"
    stroke_px: float = 10.0
    steps: int = 6000
    batch: int = 4

    def out(self, folder: Path) -> Path:
        """The style file that is being learnt in a folder."""
        return folder / f"{self.name}.onnx"

    def to_values(self) -> dict[str, object]:
        """As JSON values."""
        values: dict[str, object] = to_values(self)
        return values

    @classmethod
    def from_values(cls, values: object) -> TrainingSpec:
        """The spec of `to_values`. Raises JsonError."""
        return from_values(cls, values, "training")
