"""The package's weights of VGG16, and their conversion."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
import torch

from framebrush.models.training.training_losses import SHIPPED, Features
from tools import features

pytestmark = pytest.mark.unit


def test_the_packages_weights_are_the_reviewed_ones_and_are_converted_to_the_same_bytes(tmp_path: Path) -> None:
    content = SHIPPED.read_bytes()
    assert hashlib.sha256(content).hexdigest() == features.SHA256
    with np.load(SHIPPED) as arrays:
        np.savez(tmp_path / "single.npz", **{name: arrays[name].astype(np.float32) for name in arrays.files})
    assert features.converted(tmp_path / "single.npz") == content


def test_they_tell_a_picture_from_its_mirrored_colours() -> None:
    """They are for B'G'R' codes: a picture of red has other features than one of blue."""
    loaded = Features.load()
    assert all(value.dtype == torch.float32 for value in loaded.state_dict().values())
    red = torch.zeros(1, 3, 64, 64)
    red[:, 0] = 1
    with torch.no_grad():
        found = [layer.mean() for picture in (red, red.flip(1)) for layer in loaded(picture)]
    assert all(float(value) > 0 for value in found)
    assert abs(float(found[2] - found[5])) > 0.1
