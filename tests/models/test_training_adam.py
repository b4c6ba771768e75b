"""Our Adam against PyTorch's."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

from framebrush.models.training.adam import Adam

STEPS, SKIPPED = 5, 3

Make = Callable[[Iterable[Tensor], Tensor], Any]
MAKES: tuple[Make, Make] = Adam, torch.optim.Adam


def trained(make: Make, steps: int = STEPS, adam: dict[str, Any] | None = None) -> tuple[list[Tensor], dict[str, Any]]:
    """Return weights and state after steps of changing rates; one step leaves out a parameter. adam: earlier state."""
    torch.manual_seed(0)
    net, rate = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 3, 3)), torch.tensor(1.0)
    optimizer = make(net.parameters(), rate)
    if adam is not None:
        optimizer.load_state_dict(adam)
    for step in range(steps):
        rate.fill_(1e-3 * (step + 1))
        optimizer.zero_grad()
        torch.autograd.backward((net(torch.rand(1, 3, 16, 16)) ** 2).mean())
        if step == SKIPPED:
            next(net.parameters()).grad = None
        optimizer.step()
    return list(net.parameters()), optimizer.state_dict()


def equal(first: Iterable[Tensor], second: Iterable[Tensor]) -> bool:
    return all(torch.equal(*pair) for pair in zip(first, second, strict=True))


def test_it_steps_as_pytorch_does() -> None:
    (ours, state), (theirs, their_state) = map(trained, MAKES)
    assert equal(ours, theirs)
    for number, values in their_state["state"].items():
        assert state["state"][number].keys() == values.keys()
        assert equal(state["state"][number].values(), values.values())


def test_it_goes_on_from_a_checkpoint() -> None:
    """Also from one of version 0.2.0, which used PyTorch's."""
    ours, theirs = (trained(Adam, adam=trained(make)[1])[0] for make in MAKES)
    assert equal(ours, theirs)
    assert not equal(ours, trained(Adam)[0])


def test_it_goes_on_from_a_checkpoint_before_the_first_step() -> None:
    _, stored = trained(torch.optim.Adam, steps=0)
    assert equal(trained(Adam, adam=stored)[0], trained(Adam)[0])
