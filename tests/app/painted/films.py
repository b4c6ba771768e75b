"""Film of two shots, and folders of painted frames without training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from onnx import load_model_from_string

from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.still import encoded
from framebrush.media.video import PLAIN_FILE
from framebrush.models.model_card import write_card
from framebrush.models.style import ModelCard, PaintedShot
from framebrush.styles.reference_pictures import decode
from tests import networks
from tests.app.styles.shaded import RGB, film, shaded

SHOT_FRAMES = 8


def two_shots(path: Path) -> Path:
    """Write SHOT_FRAMES of orange stripes, then of blue ones."""
    colours = [((190, 110, 50), False), ((50, 90, 180), True)]
    pictures = [
        shaded(colour, number, down=down).astype(np.uint8) for colour, down in colours for number in range(SHOT_FRAMES)
    ]
    return film(path, pictures)


def paint_over(picture: Path) -> RGB:
    """Replace a picture by its negative, (H, W, 3); return it."""
    painting: RGB = 255 - decode(str(picture), None).rgb
    picture.write_bytes(encoded(painting, "png", "rgb24"))
    return painting


def folder_with_network(path: Path, of: Path, shots: Sequence[PaintedShot]) -> Path:
    """Make a folder with the paintings "copy" and "negative"."""
    model = load_model_from_string(networks.blend().model)
    sha256 = SourceIdentity.of(of, PLAIN_FILE).sha256
    write_card(model, ModelCard("film", "film", ("copy", "negative"), radius_px=0, shots=tuple(shots), film=sha256))
    path.mkdir()
    (path / "film.onnx").write_bytes(model.SerializeToString())
    return path
