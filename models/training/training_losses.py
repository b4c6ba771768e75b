"""Losses of a painter's training: content, style, and steadiness under motion.

content  mean squared difference of VGG16's relu3_3, each channel standardised (Johnson et al. 2016).
style    mean squared difference of means and covariances of features over relu1_2, relu2_2, relu3_3 and three sizes,
         relative to the painting's mean square. Gram matrices (Gatys et al. 2016) mix both.
tone     standardised luma over squares of 16 pixels.
steady   mean squared difference of N(T x) and T N(x) for a moved window T with noise, compression and brightness
         (Ruder et al. 2016).
smooth   total variation (Johnson et al. 2016).
grid     fine detail that depends on its place in the network's 8-pixel cell.
range    distance from 0..1.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from framebrush.base.text import first_line
from framebrush.models.training.painter_network import STRIDE

EDGE_PX = 16
SCALES = (1, 2, 4)
VGG16 = (("block1", (3, 64, 64)), ("block2", (64, 128, 128)), ("block3", (128, 256, 256, 256)))
"""Blocks of VGG16 up to relu3_3, with channels into and out of each layer."""

SHIPPED = Path(__file__).with_name("vgg16.npz")
"""Weights of the package, in half precision, made by tools/features.py."""

TORCHVISION = "vgg16_features-amdegroot-88682ab5.pth"
"""torchvision's VGG16_Weights.IMAGENET1K_FEATURES: for codes minus ImageNet's mean, as the Keras weights."""

_MEAN = (103.939, 116.779, 123.68)  # of ImageNet, B'G'R' codes, for these weights


class Features(nn.Module):
    """VGG16 (Simonyan and Zisserman 2015) up to relu3_3, frozen."""

    def __init__(self) -> None:
        super().__init__()
        self.convs = nn.ModuleDict()
        for block, widths in VGG16:
            for n, (inputs, outputs) in enumerate(pairwise(widths), 1):
                conv = nn.Conv2d(inputs, outputs, 3, padding=1)
                nn.init.kaiming_normal_(conv.weight)
                self.convs[f"{block}_conv{n}"] = conv
        self.register_buffer("mean", torch.tensor(_MEAN).view(1, 3, 1, 1))
        self.requires_grad_(False)

    @classmethod
    def load(cls, path: Path = SHIPPED) -> Features:
        """Load weights for B'G'R' codes minus ImageNet's mean. Raises ValueError.

        path: Keras .npz, "block1_conv1.kernel" (3, 3, in, out) and ".bias" (out,); or TORCHVISION.
        """
        features = cls()
        try:
            if path.suffix.lower() == ".pth":
                features._take(torch.load(path, map_location="cpu", weights_only=True, mmap=True))
            else:
                with np.load(path) as arrays:
                    for name, conv in features.convs.items():
                        kernel = torch.from_numpy(arrays[f"{name}.kernel"]).permute(3, 2, 0, 1)
                        conv.load_state_dict({"weight": kernel, "bias": torch.from_numpy(arrays[f"{name}.bias"])})
        except OSError as error:
            raise ValueError(f"{path}: cannot be read: {first_line(error)}") from error
        except Exception as error:  # no common base in torch or numpy; both quote options
            raise ValueError(f"{path}: is not a file of VGG16 features; give torchvision's {TORCHVISION}") from error
        return features

    def _take(self, state: dict[str, Tensor]) -> None:
        if bool(state["classifier.6.bias"].isfinite().all()):  # TORCHVISION has no classifier
            raise ValueError("weights that were trained on other numbers")
        layer = 0
        for block, widths in VGG16:
            for n in range(1, len(widths)):
                weight = state[f"features.{layer}.weight"]
                weight = weight.flip(1) if layer == 0 else weight
                conv = {"weight": weight, "bias": state[f"features.{layer}.bias"]}
                self.convs[f"{block}_conv{n}"].load_state_dict(conv)
                layer += 2
            layer += 1

    def wake(self, device: torch.device, side_px: int) -> None:
        """Move to a device and run once: first calls are slow."""
        picture = torch.zeros(1, 3, side_px, side_px, device=device, requires_grad=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            torch.autograd.backward(self.to(device)(picture)[-1].float().sum())

    def forward(self, picture: Tensor) -> list[Tensor]:
        """Return relu1_2, relu2_2, relu3_3 of R'G'B' (N, 3, H, W), without EDGE_PX at edges."""
        x = picture.flip(1) * 255 - cast(Tensor, self.mean)
        found = []
        for n, (block, widths) in enumerate(VGG16):
            x = functional.max_pool2d(x, 2) if n else x
            for k in range(1, len(widths)):
                x = functional.relu(self.convs[f"{block}_conv{k}"](x), inplace=True)
            margin = EDGE_PX >> n
            found.append(x[:, :, margin:-margin, margin:-margin])
        return found


def moments(features: Tensor) -> tuple[Tensor, Tensor]:
    """Return means (N, C) and covariances (N, C, C) of (N, C, H, W)."""
    means = features.mean((2, 3), dtype=torch.float32)
    # subtract the mean first: half precision would lose the difference
    rows = (features - means[:, :, None, None].to(features.dtype)).permute(0, 2, 3, 1)
    return means, (rows.transpose(2, 3) @ rows).float().sum(1) / (features.shape[2] * features.shape[3])


class Target:
    """Means and covariances of a painting's features."""

    def __init__(self, features: Features, painting: Tensor) -> None:
        with torch.no_grad():
            self._wanted = [[moments(found) for found in features(_smaller(painting, scale))] for scale in SCALES]

    def style(self, scale: int, found: list[Tensor], share: float) -> Tensor:
        """Return one scale's style loss. share: of all pictures."""
        losses = []
        for features, wanted in zip(found, self._wanted[SCALES.index(scale)], strict=True):
            means, covariances = moments(features)
            mean = means.mean(0, keepdim=True)
            apart = means - mean
            covariance = covariances.mean(0, keepdim=True) + apart.T @ apart / len(means)
            losses.append(
                share * _apart((mean, covariance), wanted) + (1 - share) * _apart((means, covariances), wanted)
            )
        return torch.stack(losses).sum()


def _apart(found: tuple[Tensor, Tensor], wanted: tuple[Tensor, Tensor]) -> Tensor:
    return torch.stack([((x - y) ** 2).mean() / (y**2).mean() for x, y in zip(found, wanted, strict=True)]).sum()


def _smaller(picture: Tensor, scale: int) -> Tensor:
    return picture if scale == 1 else functional.avg_pool2d(picture, scale)


def _standard(x: Tensor, floor: float) -> Tensor:
    return (x - x.mean((2, 3), keepdim=True)) / (x.var((2, 3), keepdim=True) + floor).sqrt()


def content_and_style(
    features: Features, target: Target, picture: Tensor, photo: Tensor, share: float
) -> tuple[Tensor, Tensor]:
    """Return both perceptual losses of pictures and photographs (N, 3, H, W), 0..1."""
    with torch.no_grad():
        wanted = features(photo)[-1].float()
    found = features(picture)
    content = ((_standard(found[-1].float(), 1.0) - _standard(wanted, 1.0)) ** 2).mean()
    styles = [target.style(1, found, share)]
    styles += [target.style(scale, features(_smaller(picture, scale)), share) for scale in SCALES[1:]]
    return content, torch.stack(styles).mean()


def tone(picture: Tensor, photo: Tensor) -> Tensor:
    """Return the loss of standardised luma by 16-pixel squares."""
    lumas = (0.299 * x[:, :1] + 0.587 * x[:, 1:2] + 0.114 * x[:, 2:] for x in (picture, photo))
    a, b = (_standard(functional.avg_pool2d(luma, 16), 1e-3) for luma in lumas)
    return ((a - b) ** 2).mean()


def steady(before: Tensor, after: Tensor) -> Tensor:
    """Return the loss between a moved painting and a painted moved picture."""
    return ((before - after) ** 2).mean()


def smooth(picture: Tensor) -> Tensor:
    """Return total variation: adjacent pixels' mean absolute difference."""
    return (picture[:, :, 1:] - picture[:, :, :-1]).abs().mean() + (picture[..., 1:] - picture[..., :-1]).abs().mean()


def grid(picture: Tensor) -> Tensor:
    """Return fine detail's dependence on its place in 8x8 cells."""
    detail = picture - functional.avg_pool2d(picture, STRIDE + 1, 1, STRIDE // 2, count_include_pad=False)
    pattern = functional.avg_pool2d(functional.pixel_unshuffle(detail, STRIDE), 6, 3)
    strength = functional.pixel_unshuffle(detail.abs().mean(1, keepdim=True), STRIDE).mean((2, 3))
    return (pattern**2).mean() + ((strength - strength.mean(1, keepdim=True)) ** 2).mean()


def beyond_range(picture: Tensor) -> Tensor:
    """Return the mean square of values below 0 or above 1."""
    return ((picture - picture.clamp(0, 1)) ** 2).mean()
