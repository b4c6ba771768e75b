"""Network of Johnson et al. 2016, the reference of benchmarks/styles.py."""

from __future__ import annotations

from typing import cast

from torch import Tensor, nn
from torch.nn import functional


def _conv(inputs: int, outputs: int, side: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.ReflectionPad2d(side // 2), nn.Conv2d(inputs, outputs, side, stride))


def _step(inputs: int, outputs: int, side: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(_conv(inputs, outputs, side, stride), nn.InstanceNorm2d(outputs, affine=True), nn.ReLU())


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(_step(width, width, 3), _conv(width, width, 3), nn.InstanceNorm2d(width, affine=True))

    def forward(self, x: Tensor) -> Tensor:
        return cast(Tensor, x + self.body(x))


class Classic(nn.Module):
    """Network from (N, 3, H, W) R'G'B' 0..1 to equal shape; sides are multiples of 4."""

    def __init__(self) -> None:
        super().__init__()
        self.down = nn.Sequential(_step(3, 32, 9), _step(32, 64, 3, 2), _step(64, 128, 3, 2))
        self.body = nn.Sequential(*(_Residual(128) for _ in range(5)))
        self.up1, self.up2 = _step(128, 64, 3), _step(64, 32, 3)
        self.out = _conv(32, 3, 9)

    def forward(self, frame: Tensor) -> Tensor:
        x = self.body(self.down(frame))
        x = self.up1(functional.interpolate(x, scale_factor=2.0))
        x = self.up2(functional.interpolate(x, scale_factor=2.0))
        return cast(Tensor, self.out(x)) + 0.5
