"""Convert VGG16's weights to the file that training compares pictures with.

    python tools/features.py vgg16.npz [--out models/training/vgg16.npz]

VGG16 (K. Simonyan, A. Zisserman, "Very Deep Convolutional Networks for Large-Scale Image Recognition", 2015) by the
Visual Geometry Group, University of Oxford, CC BY 4.0, as Keras has it. Only the first seven convolutions are used, up
to relu3_3. They are written in half precision, by which losses change by less than a thousandth (models/README.md).

The source is any file that `training_losses.Features.load` reads; needs PyTorch. The same weights give the same bytes,
with the digest SHA256.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import sys
from pathlib import Path
from typing import Any

import numpy as np

from framebrush.base.files import write_whole
from framebrush.models.training.training_losses import SHIPPED, Features

SHA256 = "18a81cf28e9d35ca0711b2a3dd09adef88d4901ff45416cdbca14fa5a8cc13af"
"""Digest of the package's file."""


def converted(source: Path) -> bytes:
    """Return the file of the weights in half precision. Raises ValueError."""
    arrays: dict[str, Any] = {}
    features = Features.load(source)
    state = features.state_dict()
    for name in features.convs:
        kernel = state[f"convs.{name}.weight"].half().permute(2, 3, 1, 0)
        arrays[f"{name}.kernel"] = np.ascontiguousarray(kernel.numpy())
        arrays[f"{name}.bias"] = state[f"convs.{name}.bias"].half().numpy()
    content = io.BytesIO()
    np.savez(content, **arrays)  # not compressed: noise has nothing to compress
    return content.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--out", type=Path, default=SHIPPED)
    said = parser.parse_args()
    try:
        content = converted(said.source)
    except ValueError as error:
        parser.error(str(error))
    write_whole(said.out, content)
    digest = hashlib.sha256(content).hexdigest()
    print(f"{said.out}: {len(content)} bytes, SHA-256 {digest}")
    if digest != SHA256:
        sys.exit("these are other weights than those of the package")


if __name__ == "__main__":
    main()
