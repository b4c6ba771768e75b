"""The painter: a small convolutional network for video, trained wide and run narrow.

It works at a half, a quarter and an eighth of the frame's size and sees a bounded neighbourhood, so tiles are exact. It
takes no statistics of the frame, so a passing cloud does not repaint the meadow. In training every layer is a RepVGG
block (Ding et al. 2021, "RepVGG: Making VGG-style ConvNets Great Again"): 3x3, 1x1 and identity, each with batch
normalisation. At run time each block is one 3x3 convolution, so no two full-size tensors are ever added.

`paint` is the one description of the topology: PyTorch trains with it and the ONNX file is written with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 8
T = TypeVar("T")
Weights = dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]
"""A folded network: kernel (out, in, 3, 3) and bias (out,) of each layer."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths and depths. half, quarter, eighth: channels at that size on the way in. core, fine: further layers at an
    eighth and at a quarter. lift: channels at half size on the way out."""

    half: int
    quarter: int
    eighth: int
    core: int
    fine: int
    lift: int


SHAPES = {
    "realtime": Shape(half=8, quarter=24, eighth=64, core=3, fine=5, lift=8),
    "quality": Shape(half=16, quarter=48, eighth=64, core=3, fine=6, lift=16),
}


@dataclass(frozen=True, slots=True)
class Layer:
    inputs: int
    outputs: int
    stride: int = 1
    relu: bool = True


def layers(shape: Shape) -> dict[str, Layer]:
    """Every 3x3 convolution of a network, in the order of the data."""
    half, quarter, eighth, lift = shape.half, shape.quarter, shape.eighth, shape.lift
    return {
        "to_half": Layer(3, half, 2),
        "to_quarter": Layer(half, quarter, 2),
        "to_eighth": Layer(quarter, eighth, 2),
        **{f"core{n}": Layer(eighth, eighth) for n in range(shape.core)},
        "rise": Layer(eighth, 4 * quarter),
        "join": Layer(2 * quarter, quarter),
        **{f"fine{n}": Layer(quarter, quarter) for n in range(shape.fine)},
        "lift": Layer(quarter, 4 * lift),
        "out": Layer(lift + half, 3 * 4, relu=False),
    }


def radius_px(shape: Shape) -> int:
    """How far an output pixel can see, in input pixels to each side: every 3x3 adds one pixel of its own input's size,
    and a pixel's place within its cell up to STRIDE - 1 more."""
    return (1 + 2 + 4) + 8 * (shape.core + 1) + 4 * (shape.fine + 2) + 2 + STRIDE - 1


class Operations(Protocol[T]):
    """What `paint` needs of a framework. conv takes no padding: it returns two pixels less, or with stride 2 the half
    less one. pad and crop: pixels before (above and left) and after (below and right)."""

    def conv(self, name: str, x: T) -> T: ...
    def pad(self, x: T, before: int, after: int) -> T: ...
    def crop(self, x: T, before: int) -> T: ...
    def shuffle(self, x: T) -> T: ...
    def join(self, a: T, b: T) -> T: ...


def paint(shape: Shape, ops: Operations[T], frame: T) -> T:
    """frame: (N, 3, H, W), encoded R'G'B' 0..1, sides multiples of STRIDE. Returns the same shape, not clipped.

    Each size is padded once, by repeating its edge. Zeros at every layer would tell the network where the frame ends,
    and it would paint a frame.
    """
    half = ops.conv("to_half", ops.pad(frame, 7, 0))  # 7, 3 and 1 above and left are what three strides of 2 use up
    quarter = ops.conv("to_quarter", half)
    x = ops.pad(ops.conv("to_eighth", quarter), shape.core + 1, shape.core + 1)
    for n in range(shape.core):
        x = ops.conv(f"core{n}", x)
    x = ops.join(ops.shuffle(ops.conv("rise", x)), ops.crop(quarter, 1))
    x = ops.conv("join", ops.pad(x, shape.fine + 2, shape.fine + 2))
    for n in range(shape.fine):
        x = ops.conv(f"fine{n}", x)
    x = ops.join(ops.shuffle(ops.conv("lift", x)), ops.crop(half, 3))
    return ops.shuffle(ops.conv("out", ops.pad(x, 1, 1)))


class Block(nn.Module):
    """A RepVGG block: the sum of a 3x3, a 1x1 and, where the shapes allow, the input itself, each normalised."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer
        self.square = nn.Conv2d(layer.inputs, layer.outputs, 3, layer.stride, bias=False)
        self.point = nn.Conv2d(layer.inputs, layer.outputs, 1, layer.stride, bias=False)
        self.square_norm = nn.BatchNorm2d(layer.outputs)
        self.point_norm = nn.BatchNorm2d(layer.outputs)
        straight = layer.stride == 1 and layer.inputs == layer.outputs
        self.straight_norm = nn.BatchNorm2d(layer.outputs) if straight else None

    def forward(self, x: Tensor) -> Tensor:
        y = self.square_norm(self.square(x))
        if self.layer.stride == 1:
            y = y + self.point_norm(self.point(x))[:, :, 1:-1, 1:-1]
        else:
            y = y + self.point_norm(self.point(x[:, :, 1:-1, 1:-1]))
        if self.straight_norm is not None:
            y = y + self.straight_norm(x)[:, :, 1:-1, 1:-1]
        return functional.relu(y) if self.layer.relu else cast(Tensor, y)

    def folded(self) -> tuple[Tensor, Tensor]:
        """Kernel and bias of the one 3x3 convolution that does the same once training is over, in float64."""
        kernel, bias = _normalised(self.square.weight, self.square_norm)
        for point, norm in ((self.point.weight, self.point_norm), (self._identity(), self.straight_norm)):
            if norm is not None:
                scaled, shift = _normalised(functional.pad(point, (1, 1, 1, 1)), norm)
                kernel, bias = kernel + scaled, bias + shift
        return kernel, bias

    def _identity(self) -> Tensor:
        weight = self.point.weight
        return torch.eye(weight.shape[0], device=weight.device)[:, :, None, None]


def _normalised(kernel: Tensor, norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor]:
    mean, variance = cast(Tensor, norm.running_mean).double(), cast(Tensor, norm.running_var).double()
    scale = norm.weight.double() / (variance + norm.eps).sqrt()
    return kernel.double() * scale[:, None, None, None], norm.bias.double() - mean * scale


class _TorchOperations:
    """`Operations` on tensors, less the convolution."""

    def pad(self, x: Tensor, before: int, after: int) -> Tensor:
        # functional.pad's gradient is slower, and not the same on every run of a GPU.
        rows = [x[:, :, :1].expand(-1, -1, before, -1), x, x[:, :, -1:].expand(-1, -1, after, -1)]
        x = torch.cat(rows, 2)
        return torch.cat([x[..., :1].expand(-1, -1, -1, before), x, x[..., -1:].expand(-1, -1, -1, after)], 3)

    def crop(self, x: Tensor, before: int) -> Tensor:
        return x[:, :, before:, before:]

    def shuffle(self, x: Tensor) -> Tensor:
        return functional.pixel_shuffle(x, 2)

    def join(self, a: Tensor, b: Tensor) -> Tensor:
        return torch.cat((a, b), 1)


class Painter(nn.Module, _TorchOperations):
    """The network as it is trained: (N, 3, H, W) in, the same out."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        table = layers(shape)
        out = table.pop("out")
        self.blocks = nn.ModuleDict({name: Block(layer) for name, layer in table.items()})
        self.out = nn.Conv2d(out.inputs, out.outputs, 3)
        with torch.no_grad():
            for block in ("rise", "lift"):
                _even(cast(Block, self.blocks[block]).square.weight)
                _even(cast(Block, self.blocks[block]).point.weight)
            _even(self.out.weight)
            cast(Tensor, self.out.bias).fill_(0.5)

    def forward(self, frame: Tensor) -> Tensor:
        return paint(self.shape, self, frame)

    def conv(self, name: str, x: Tensor) -> Tensor:
        return cast(Tensor, self.out(x) if name == "out" else self.blocks[name](x))

    @torch.no_grad()
    def folded(self) -> Weights:
        """The weights of the network that runs: one kernel and one bias a layer."""
        pairs = {name: cast(Block, block).folded() for name, block in self.blocks.items()}
        pairs["out"] = (self.out.weight, cast(Tensor, self.out.bias))
        return {name: (_array(kernel), _array(bias)) for name, (kernel, bias) in pairs.items()}


def _even(kernel: Tensor) -> None:
    """All pixels of a shuffled cell start equal (ICNR, Aitken et al. 2017), or a grid is there from the first."""
    kernel.copy_(kernel[::4].repeat_interleave(4, 0))


def _array(x: Tensor) -> NDArray[np.float32]:
    return x.detach().float().cpu().numpy()


class Folded(_TorchOperations):
    """A folded network in PyTorch, to check the exported file against."""

    def __init__(self, shape: Shape, weights: Mapping[str, tuple[NDArray[np.float32], NDArray[np.float32]]]) -> None:
        self.shape = shape
        self._layers = layers(shape)
        self._weights = {name: (torch.tensor(kernel), torch.tensor(bias)) for name, (kernel, bias) in weights.items()}

    def __call__(self, frame: Tensor) -> Tensor:
        return paint(self.shape, self, frame)

    def conv(self, name: str, x: Tensor) -> Tensor:
        kernel, bias = self._weights[name]
        y = functional.conv2d(x, kernel, bias, stride=self._layers[name].stride)
        return functional.relu(y) if self._layers[name].relu else y
