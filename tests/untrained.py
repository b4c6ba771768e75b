"""Features that judge training and were never trained: tests have no others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from framebrush.models.training import losses


def save_features(path: Path) -> None:
    """Write them, the same each time, as `losses.Features.load` reads them. path: a file .npz."""
    torch.manual_seed(0)
    arrays = {}
    for name, conv in losses.Features().convs.items():
        arrays[f"{name}.kernel"] = conv.weight.permute(2, 3, 1, 0).numpy()
        arrays[f"{name}.bias"] = conv.bias.numpy()
    np.savez(path, **arrays)
