"""Adam."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch.optim.adam import adam

BETAS, EPSILON = (0.9, 0.999), 1e-8


# The first step of PyTorch's class imports its compiler, which takes as long as PyTorch itself.
class Adam:
    """Adam, bit for bit `torch.optim.Adam`."""

    def __init__(self, parameters: Iterable[Tensor], rate: Tensor) -> None:
        """Prepare. rate: scalar on the parameters' device, read by each step."""
        self._parameters, self._rate = list(parameters), rate
        self._means, self._squares = ([torch.zeros_like(each) for each in self._parameters] for _ in range(2))
        self._steps = [torch.zeros((), device=rate.device) for _ in self._parameters]

    def zero_grad(self) -> None:
        for parameter in self._parameters:
            parameter.grad = None

    @torch.no_grad()
    def step(self) -> None:
        kept = [
            (parameter, parameter.grad, *state)
            for parameter, *state in zip(self._parameters, self._means, self._squares, self._steps, strict=True)
            if parameter.grad is not None
        ]
        parameters, gradients, means, squares, steps = ([*each] for each in zip(*kept, strict=True))
        cuda = self._rate.device.type == "cuda"
        adam(
            *(parameters, gradients, means, squares, [], steps),
            fused=cuda,
            capturable=cuda,
            amsgrad=False,
            beta1=BETAS[0],
            beta2=BETAS[1],
            lr=self._rate,
            weight_decay=0.0,
            eps=EPSILON,
            maximize=False,
        )

    def state_dict(self) -> dict[str, Any]:
        states = zip(self._steps, self._means, self._squares, strict=True)
        return {
            "state": {
                number: {"step": step, "exp_avg": mean, "exp_avg_sq": square}
                for number, (step, mean, square) in enumerate(states)
            }
        }

    def load_state_dict(self, stored: dict[str, Any]) -> None:
        for number, own in self.state_dict()["state"].items():
            for name, value in stored["state"].get(number, {}).items():
                own[name].copy_(value)
