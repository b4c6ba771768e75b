"""What a painting should be: the photograph's things in the painter's hand, steady when the photograph moves.

total = content + style_weight * style + the others, each with its weight in `trainer.Recipe`.

content  mean squared difference of VGG16's relu3_3 for the picture and for the photograph (Johnson et al. 2016,
         "Perceptual Losses for Real-Time Style Transfer"), each channel standardised over the picture, so that things
         keep their shapes and may change their colours and contrast.
style    mean squared difference of the features' means and covariances from the painting's, each divided by its mean
         square, over relu1_2, relu2_2 and relu3_3 and over three sizes of the picture, so that broad brushwork counts
         as well as fine. After Gatys et al. 2016, "Image Style Transfer Using Convolutional Neural Networks", whose
         Gram matrix is the covariance and the product of the means in one: for a painting of few colours or little
         contrast, 98 % of it is the means, and a plain tint satisfies it.
tone     what is light stays light: standardised luma over squares of 16 pixels.
steady   mean squared difference of N(T x) and T N(x), T a window moved by whole pixels, with noise of several
         sizes, another frame's compression and a change of brightness that the painting must not follow: the short-term
         term of Ruder et al. 2016, "Artistic Style Transfer for Videos", with motion that is known exactly and needs no
         flow. The window ends where x continues, so the border of a frame is learnt as well.
smooth   total variation (Johnson et al. 2016).
grid     fine detail that depends on its place in the network's own cell of 8 pixels, and so on 2- and 4-pixel grids.
range    how far the picture leaves 0..1.
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

CELL = 8  # of the cell of the painter: `STRIDE` in painter_network.py
MARGIN_PX = 16
SCALES = (1, 2, 4)
VGG16 = (("block1", (3, 64, 64)), ("block2", (64, 128, 128)), ("block3", (128, 256, 256, 256)))
"""Its blocks up to relu3_3, and how many channels go into each and come out of its layers."""

TORCHVISION = "vgg16_features-amdegroot-88682ab5.pth"
"""The one file of torchvision's (`VGG16_Weights.IMAGENET1K_FEATURES`) that was trained on codes less ImageNet's mean,
as the Keras ones were; the usual one was trained on something else."""

_MEAN = (103.939, 116.779, 123.68)  # of ImageNet, B'G'R' codes: what these weights were trained with


class Features(nn.Module):
    """VGG16 (Simonyan and Zisserman 2015) up to relu3_3; frozen."""

    def __init__(self) -> None:
        """Random weights, drawn from the global generator. `load` returns trained ones."""
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
    def load(cls, path: Path) -> Features:
        """Weights for B'G'R' codes less ImageNet's mean. path: a .npz with "block1_conv1.kernel" (3, 3, in, out) and
        ".bias" (out,) .. block3_conv3, the Keras layout; or TORCHVISION, whose first layer is for R'G'B'.

        Raises ValueError where the file is not that.
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
        except Exception as error:  # neither torch nor numpy has a base for what it raises, and both quote options
            raise ValueError(f"{path}: is not a file of VGG16 features; give torchvision's {TORCHVISION}") from error
        return features

    def _take(self, state: dict[str, Tensor]) -> None:
        """The state of torchvision's `vgg16`: layer n of its "features" is a convolution, a ReLU or a pooling."""
        if bool(state["classifier.6.bias"].isfinite().all()):  # TORCHVISION has none
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
        """Move there, and run once at a size: the first call of a GPU takes seconds, in which a processor can do other
        things."""
        picture = torch.zeros(1, 3, side_px, side_px, device=device, requires_grad=True)
        with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
            torch.autograd.backward(self.to(device)(picture)[-1].float().sum())

    def forward(self, picture: Tensor) -> list[Tensor]:
        """picture: (N, 3, H, W), R'G'B' 0..1. Returns relu1_2, relu2_2 and relu3_3 of the picture less MARGIN_PX a
        side: the outermost features have seen the zero padding, and would be painted as a line along the border."""
        x = picture.flip(1) * 255 - cast(Tensor, self.mean)
        found = []
        for n, (block, widths) in enumerate(VGG16):
            x = functional.max_pool2d(x, 2) if n else x
            for k in range(1, len(widths)):
                x = functional.relu(self.convs[f"{block}_conv{k}"](x), inplace=True)
            margin = MARGIN_PX >> n
            found.append(x[:, :, margin:-margin, margin:-margin])
        return found


def moments(features: Tensor) -> tuple[Tensor, Tensor]:
    """(N, C, H, W) to means (N, C) and covariances (N, C, C) over places. Row by row, which keeps all of a GPU busy
    where one long product would keep a corner of it."""
    means = features.mean((2, 3), dtype=torch.float32)
    # less the mean before the product: after it, half precision would have lost what is wanted
    rows = (features - means[:, :, None, None].to(features.dtype)).permute(0, 2, 3, 1)
    return means, (rows.transpose(2, 3) @ rows).float().sum(1) / (features.shape[2] * features.shape[3])


class Target:
    """The means and covariances of a painting's features, to hold pictures against."""

    def __init__(self, features: Features, painting: Tensor) -> None:
        """painting: (1, 3, H, W), R'G'B' 0..1, at the size at which its strokes are to appear."""
        with torch.no_grad():
            self._wanted = [[moments(found) for found in features(_smaller(painting, scale))] for scale in SCALES]

    def style(self, scale: int, found: list[Tensor], share: float) -> Tensor:
        """The style loss of one scale, from the features of the pictures at that scale. share: how much of it asks only
        that the pictures together have the painting's statistics, and not each of them: together they keep their own
        light and dark, each alone shows all of the painting's colours everywhere."""
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
    """The mean squares of what means and covariances differ by, each as a share of the wanted one's."""
    return torch.stack([((x - y) ** 2).mean() / (y**2).mean() for x, y in zip(found, wanted, strict=True)]).sum()


def _smaller(picture: Tensor, scale: int) -> Tensor:
    return picture if scale == 1 else functional.avg_pool2d(picture, scale)


def _standard(x: Tensor, floor: float) -> Tensor:
    """Every channel of every picture with mean 0 and variance 1, or less where it varies less than floor."""
    return (x - x.mean((2, 3), keepdim=True)) / (x.var((2, 3), keepdim=True) + floor).sqrt()


def content_and_style(
    features: Features, target: Target, picture: Tensor, photo: Tensor, share: float
) -> tuple[Tensor, Tensor]:
    """The two perceptual losses of pictures painted of photographs, both (N, 3, H, W), R'G'B' 0..1."""
    with torch.no_grad():
        wanted = features(photo)[-1].float()
    found = features(picture)
    content = ((_standard(found[-1].float(), 1.0) - _standard(wanted, 1.0)) ** 2).mean()
    styles = [target.style(1, found, share)]
    styles += [target.style(scale, features(_smaller(picture, scale)), share) for scale in SCALES[1:]]
    return content, torch.stack(styles).mean()


def tone(picture: Tensor, photo: Tensor) -> Tensor:
    """Mean squared difference of standardised luma over squares of 16 pixels: what is light in the photograph, compared
    with its surroundings, is light in the picture."""
    lumas = (0.299 * x[:, :1] + 0.587 * x[:, 1:2] + 0.114 * x[:, 2:] for x in (picture, photo))
    a, b = (_standard(functional.avg_pool2d(luma, 16), 1e-3) for luma in lumas)
    return ((a - b) ** 2).mean()


def steady(before: Tensor, after: Tensor) -> Tensor:
    """before: a window of a painting. after: the painting of that window alone, moved, noisier and brighter. Its
    borders count too: a frame is to be painted there as if it went on."""
    return ((before - after) ** 2).mean()


def smooth(picture: Tensor) -> Tensor:
    """Total variation: mean absolute difference of neighbours."""
    return (picture[:, :, 1:] - picture[:, :, :-1]).abs().mean() + (picture[..., 1:] - picture[..., :-1]).abs().mean()


def grid(picture: Tensor) -> Tensor:
    """What fine detail owes to its place in the network's cell of 8x8 pixels: the mean square of its average at each
    place over a window of 6x6 cells, and of how its strength there departs from the strength elsewhere. Strokes fall
    anywhere in a cell and average out; a grid does not."""
    detail = picture - functional.avg_pool2d(picture, CELL + 1, 1, CELL // 2, count_include_pad=False)
    pattern = functional.avg_pool2d(functional.pixel_unshuffle(detail, CELL), 6, 3)
    strength = functional.pixel_unshuffle(detail.abs().mean(1, keepdim=True), CELL).mean((2, 3))
    return (pattern**2).mean() + ((strength - strength.mean(1, keepdim=True)) ** 2).mean()


def beyond_range(picture: Tensor) -> Tensor:
    """Mean square of what lies under 0 or over 1."""
    return ((picture - picture.clamp(0, 1)) ** 2).mean()
