"""The settings of a training, as the window passes them to its process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True)
class TrainingSpec:
    """A training request.

    Attributes:
        name: Of the style and its file.
        picture: As --style of `framebrush train`.
        photos: A folder or film, as --photos; "" for frames of `film`.
        features: As --features; "" for the bundled ones.
        size, stroke_px, steps, batch: As in its recipe.
        film: The film that was open when training started; "" if none was.
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
        """The style file in the folder of a training."""
        return folder / f"{self.name}.onnx"
