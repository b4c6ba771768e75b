"""Untrained features with few channels, for fast tests."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from framebrush.models.training import training_losses

NARROW = tuple(
    (block, (inputs // 8 or inputs, *(n // 8 for n in outputs))) for block, (inputs, *outputs) in training_losses.VGG16
)


def narrow(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(training_losses, "VGG16", NARROW)


def save_features(path: Path) -> None:
    """Write features for `losses.Features.load`."""
    torch.manual_seed(0)
    arrays = {}
    with pytest.MonkeyPatch.context() as patch:
        narrow(patch)
        features = training_losses.Features()
    for name, conv in features.convs.items():
        arrays[f"{name}.kernel"] = conv.weight.permute(2, 3, 1, 0).numpy()
        arrays[f"{name}.bias"] = conv.bias.numpy()
    np.savez(path, **arrays)
