"""Painter: small convolutional network for video, trained wide and run narrow.

It works at 1/2, 1/4 and 1/8 of the frame's size. RepVGG blocks (Ding et al. 2021) become 3x3 convolutions at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Protocol, TypeVar, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

STRIDE = 8
T = TypeVar("T")
Weights = dict[str, tuple[NDArray[np.float32], NDArray[np.float32]]]
"""Folded network: kernel (out, in, side, side) and bias (out,) of each layer; out is four times the layer's outputs
before upscaling."""

LOW_PASS = (1 / 4, 2 / 4, 1 / 4)
"""Filter along each axis before the first convolution, against noise between pixels."""

REACH_PX = len(LOW_PASS) // 2


@dataclass(frozen=True, slots=True)
class Shape:
    """Widths and depths. core, fine: layers at 1/8 and 1/4. lift: channels at 1/2."""

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
    """3x3 convolution. enlarge: after bilinear upscaling. low_pass: after LOW_PASS."""

    inputs: int
    outputs: int
    stride: int = 1
    relu: bool = True
    enlarge: bool = False
    low_pass: bool = False


def layers(shape: Shape) -> dict[str, Layer]:
    half, quarter, eighth, lift = shape.half, shape.quarter, shape.eighth, shape.lift
    return {
        "to_half": Layer(3, half, 2, low_pass=True),
        "to_quarter": Layer(half, quarter, 2),
        "to_eighth": Layer(quarter, eighth, 2),
        **{f"core{n}": Layer(eighth, eighth) for n in range(shape.core)},
        "rise": Layer(eighth, quarter, enlarge=True),
        "join": Layer(2 * quarter, quarter),
        **{f"fine{n}": Layer(quarter, quarter) for n in range(shape.fine)},
        "lift": Layer(quarter, lift, enlarge=True),
        "out": Layer(lift + half, 3, relu=False, enlarge=True),
    }


def radius_px(shape: Shape) -> int:
    """Return the receptive field's radius in input pixels."""
    return REACH_PX + (1 + 2 + 4) + 8 * (shape.core + 1) + 4 * (shape.fine + 2) + 2 + STRIDE - 1


class Operations(Protocol[T]):
    """Operations that `painter_forward` needs. conv returns two pixels less."""

    def conv(self, name: str, x: T) -> T: ...
    def pad(self, x: T, before: int, after: int) -> T: ...
    def crop(self, x: T, before: int) -> T: ...
    def join(self, a: T, b: T) -> T: ...


def painter_forward(shape: Shape, ops: Operations[T], frame: T) -> T:
    """Apply the network to (N, 3, H, W), R'G'B' 0..1, of multiples of STRIDE; unclipped.

    Edges are repeated, as zeros would be visible.
    """
    # three strides of 2 use up 7, 3 and 1 above and left
    half = ops.conv("to_half", ops.pad(frame, 7 + REACH_PX, REACH_PX))
    quarter = ops.conv("to_quarter", half)
    x = ops.pad(ops.conv("to_eighth", quarter), shape.core + 1, shape.core + 1)
    for n in range(shape.core):
        x = ops.conv(f"core{n}", x)
    x = ops.join(ops.conv("rise", x), ops.crop(quarter, 1))
    x = ops.conv("join", ops.pad(x, shape.fine + 2, shape.fine + 2))
    for n in range(shape.fine):
        x = ops.conv(f"fine{n}", x)
    x = ops.join(ops.conv("lift", x), ops.crop(half, 3))
    return ops.conv("out", ops.pad(x, 1, 1))


@cache
def _taps(device: torch.device, dtype: torch.dtype) -> Tensor:
    even = [[0.75, 0.25, 0.0], [0.25, 0.75, 0.0], [0.0, 0.75, 0.25]]
    odd = [[0.25, 0.75, 0.0], [0.0, 0.75, 0.25], [0.0, 0.25, 0.75]]
    return torch.tensor([even, odd], device=device, dtype=dtype)


@cache
def _binomial(device: torch.device, dtype: torch.dtype) -> Tensor:
    along = torch.tensor(LOW_PASS, device=device, dtype=dtype)
    return torch.outer(along, along)[None, None]


def enlarged(kernel: Tensor) -> Tensor:
    """Return a kernel (4 * out, in, 3, 3) that upscales by two, before pixel shuffle."""
    taps = _taps(kernel.device, kernel.dtype)
    with torch.autocast(kernel.device.type, enabled=False):
        tied = torch.einsum("oikl,pka,qlb->opqiab", kernel, taps, taps)
    return tied.reshape(4 * kernel.shape[0], kernel.shape[1], 3, 3)


def _low_passed(kernel: Tensor) -> Tensor:
    planes = kernel.reshape(-1, 1, *kernel.shape[2:])
    # LOW_PASS is symmetric: correlation equals convolution
    wide = functional.conv2d(planes, _binomial(kernel.device, kernel.dtype), padding=2 * REACH_PX)
    return wide.reshape(*kernel.shape[:2], *wide.shape[2:])


class Block(nn.Module):
    """RepVGG block: normalised 3x3, 1x1 and, if shapes allow, identity."""

    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer
        self.square = nn.Conv2d(layer.inputs, layer.outputs, 3, layer.stride, bias=False)
        self.point = nn.Conv2d(layer.inputs, layer.outputs, 1, layer.stride, bias=False)
        self.square_norm = nn.BatchNorm2d(layer.outputs)
        self.point_norm = nn.BatchNorm2d(layer.outputs)
        straight = layer.stride == 1 and layer.inputs == layer.outputs and not layer.enlarge
        self.straight_norm = nn.BatchNorm2d(layer.outputs) if straight else None

    def forward(self, x: Tensor) -> Tensor:
        if self.layer.enlarge:
            point = functional.pad(self.point.weight, (1, 1, 1, 1))
            y = self.square_norm(conv_enlarged(x, self.square.weight)) + self.point_norm(conv_enlarged(x, point))
            return functional.relu(y)
        if self.layer.low_pass:
            low_pass = _binomial(x.device, x.dtype).expand(x.shape[1], -1, -1, -1)
            x = functional.conv2d(x, low_pass, groups=x.shape[1])
        inner = x[:, :, 1:-1, 1:-1].contiguous(memory_format=_layout(x))
        y = self.square_norm(self.square(x)) + self.point_norm(self.point(inner))
        if self.straight_norm is not None:
            y = y + self.straight_norm(inner)
        return functional.relu(y)

    def folded(self) -> tuple[Tensor, Tensor]:
        """Return an equal convolution, float64; before pixel shuffle if it enlarges."""
        kernel, bias = normalised(self.square.weight, self.square_norm)
        for point, norm in ((self.point.weight, self.point_norm), (self._identity(), self.straight_norm)):
            if norm is not None:
                scaled, shift = normalised(functional.pad(point, (1, 1, 1, 1)), norm)
                kernel, bias = kernel + scaled, bias + shift
        if self.layer.enlarge:
            return enlarged(kernel), bias.repeat_interleave(4)
        return (_low_passed(kernel) if self.layer.low_pass else kernel), bias

    def _identity(self) -> Tensor:
        weight = self.point.weight
        return torch.eye(weight.shape[0], device=weight.device)[:, :, None, None]


def conv_enlarged(x: Tensor, kernel: Tensor, bias: Tensor | None = None) -> Tensor:
    """Upscale bilinearly by two; convolve 3x3 without padding."""
    y = shuffled(functional.conv2d(x, enlarged(kernel)))
    return y if bias is None else y + bias[:, None, None]


def shuffled(x: Tensor) -> Tensor:
    # pixel_shuffle that keeps the channels last
    count, channels, height, width = x.shape
    if _layout(x) == torch.contiguous_format:
        return functional.pixel_shuffle(x, 2)
    cells = x.permute(0, 2, 3, 1).reshape(count, height, width, channels // 4, 2, 2)
    rows = cells.permute(0, 1, 4, 2, 5, 3).reshape(count, 2 * height, 2 * width, channels // 4)
    return rows.permute(0, 3, 1, 2)


def _layout(x: Tensor) -> torch.memory_format:
    last = x.is_contiguous(memory_format=torch.channels_last) and not x.is_contiguous()
    return torch.channels_last if last else torch.contiguous_format


def normalised(kernel: Tensor, norm: nn.BatchNorm2d) -> tuple[Tensor, Tensor]:
    # kernel and bias, with the norm folded in, float64
    mean, variance = cast(Tensor, norm.running_mean).double(), cast(Tensor, norm.running_var).double()
    scale = norm.weight.double() / (variance + norm.eps).sqrt()
    return kernel.double() * scale[:, None, None, None], norm.bias.double() - mean * scale


class TorchOperations:
    def pad(self, x: Tensor, before: int, after: int) -> Tensor:
        # functional.pad's gradient is slower and not deterministic on GPUs. torch.cat would move the channels to the
        # front, so it gets a view with the channels last.
        last = _layout(x) == torch.channels_last
        x = x.permute(0, 2, 3, 1) if last else x
        for axis in (1, 2) if last else (2, 3):
            first, final = x.narrow(axis, 0, 1), x.narrow(axis, x.shape[axis] - 1, 1)
            sides = [
                side.expand(*x.shape[:axis], count, *x.shape[axis + 1 :])
                for side, count in ((first, before), (final, after))
            ]
            x = torch.cat([sides[0], x, sides[1]], axis)
        return x.permute(0, 3, 1, 2) if last else x

    def crop(self, x: Tensor, before: int) -> Tensor:
        return x[:, :, before:, before:]

    def join(self, a: Tensor, b: Tensor) -> Tensor:
        return torch.cat((a, b), 1)


class PainterModule(nn.Module, TorchOperations):
    """Network in training: (N, 3, H, W) to the same."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        table = layers(shape)
        out = table.pop("out")
        self.blocks = nn.ModuleDict({name: Block(layer) for name, layer in table.items()})
        self.out = nn.Conv2d(out.inputs, out.outputs, 3)
        with torch.no_grad():
            cast(Tensor, self.out.bias).fill_(0.5)

    def forward(self, frame: Tensor) -> Tensor:
        return painter_forward(self.shape, self, frame)

    def conv(self, name: str, x: Tensor) -> Tensor:
        if name == "out":
            return conv_enlarged(x, self.out.weight, self.out.bias)
        return cast(Tensor, self.blocks[name](x))

    @torch.no_grad()
    def folded(self) -> Weights:
        """Return the weights of the run-time network."""
        pairs = {name: cast(Block, block).folded() for name, block in self.blocks.items()}
        bias = cast(Tensor, self.out.bias).double()
        pairs["out"] = (enlarged(self.out.weight.double()), bias.repeat_interleave(4))
        return {name: (host_array(kernel), host_array(bias)) for name, (kernel, bias) in pairs.items()}


def freeze_norms(painter: nn.Module) -> None:
    """Freeze batch statistics at the folded network's."""
    for module in painter.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.eval()


def host_array(x: Tensor) -> NDArray[np.float32]:
    return x.detach().float().cpu().numpy()


class Folded(TorchOperations):
    """Folded network in PyTorch, to check the exported file."""

    def __init__(
        self,
        shape: Shape,
        weights: Mapping[str, tuple[NDArray[np.float32], NDArray[np.float32]]],
        device: torch.device | None = None,
    ) -> None:
        self.shape = shape
        self._layers = layers(shape)
        self._weights = {
            name: (torch.tensor(kernel, device=device), torch.tensor(bias, device=device))
            for name, (kernel, bias) in weights.items()
        }

    def __call__(self, frame: Tensor) -> Tensor:
        return painter_forward(self.shape, self, frame)

    def conv(self, name: str, x: Tensor) -> Tensor:
        kernel, bias = self._weights[name]
        y = functional.conv2d(x, kernel, bias, stride=self._layers[name].stride)
        y = functional.relu(y) if self._layers[name].relu else y
        return functional.pixel_shuffle(y, 2) if self._layers[name].enlarge else y
