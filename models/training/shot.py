"""Network of one shot, learnt from painted frames (as Texler et al. 2020).

A painter with plain convolutions, trained by pixel differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from framebrush.base.remedy import ImpossibleError
from framebrush.base.text import first_line
from framebrush.models.training.painter_network import (
    REACH_PX,
    STRIDE,
    Layer,
    Shape,
    TorchOperations,
    Weights,
    conv_enlarged,
    enlarged,
    freeze_norms,
    host_array,
    layers,
    normalised,
    painter_forward,
    shuffled,
)

SHAPE = Shape(half=24, quarter=48, eighth=64, core=3, fine=8, lift=24)
"""0.02 MMAC per pixel."""

PATCHES_PX = {"cuda": (6, 160), "cpu": (4, 96)}
"""Patches of a step, and their side. A patch's edge is a frame's edge to the network; large patches reduce the error.
On a processor more steps are worth more."""

LINES = 0.9
"""Share of patches that are drawn in proportion to the painting's edges in them; the others come from anywhere."""

CALM = 0.3
"""Weight of equal painting for a patch that begins some pixels further with other noise. Networks with strides flicker
along motion otherwise: a tenth to a sixth less. More softens the result."""
CALM_EVERY = {"cuda": 1, "cpu": 3}
"""Steps from one with moved patches to the next; they count more then. A processor takes a third less time a step."""

RATE = 2e-3
WARM_UP = 20
"""Steps of rising learning rate up to RATE."""

SETTLE = 0.2
"""Share of a run at its end with frozen batch statistics."""

MEMORY, SHARE = 0.998, 4
"""Decay of the moving average of weights per step, and its longest window: a quarter of all steps. It gains a quarter
of a decibel on unseen frames."""

GAIN, LIGHT, NOISE = 0.15, 0.06, 0.01
"""Variation of the film's colours: factor per channel, offset for all, deviation of noise. The painting stays, so
passing clouds do not change its colours."""


class _Block(nn.Module):
    def __init__(self, layer: Layer) -> None:
        super().__init__()
        self.layer = layer
        outputs = layer.outputs * (1 if layer.relu else 4)
        side = 3 + 2 * REACH_PX * layer.low_pass
        self.kernel = nn.Conv2d(layer.inputs, outputs, side, layer.stride, bias=not layer.relu)
        self.norm = nn.BatchNorm2d(layer.outputs) if layer.relu else None
        self.straight = layer.stride == 1 and layer.inputs == layer.outputs and not layer.enlarge

    def forward(self, x: Tensor) -> Tensor:
        if self.norm is None:
            return shuffled(self.kernel(x))
        y = self.norm(conv_enlarged(x, self.kernel.weight) if self.layer.enlarge else self.kernel(x))
        return functional.relu(y + x[:, :, 1:-1, 1:-1] if self.straight else y)

    def folded(self) -> tuple[Tensor, Tensor]:
        if self.norm is None:
            return self.kernel.weight.double(), cast(Tensor, self.kernel.bias).double()
        kernel, bias = normalised(self.kernel.weight, self.norm)
        if self.straight:
            centre = torch.eye(len(kernel), dtype=kernel.dtype, device=kernel.device)[:, :, None, None]
            kernel = kernel + functional.pad(centre, (1, 1, 1, 1))
        return (enlarged(kernel), bias.repeat_interleave(4)) if self.layer.enlarge else (kernel, bias)


class ShotPainter(nn.Module, TorchOperations):
    """Network in training: (N, 3, H, W) encoded R'G'B' 0..1 to the same, unclipped.

    paintings: results per frame.
    """

    def __init__(self, shape: Shape = SHAPE, paintings: int = 1) -> None:
        super().__init__()
        self.shape = shape
        self.blocks = nn.ModuleDict({name: _Block(layer) for name, layer in layers(shape).items()})
        if paintings > 1:
            out = layers(shape)["out"]
            several = Layer(out.inputs, out.outputs * paintings, relu=False, enlarge=True)
            self.blocks["out"] = _Block(several)

    def forward(self, frame: Tensor) -> Tensor:
        return painter_forward(self.shape, self, frame)

    def conv(self, name: str, x: Tensor) -> Tensor:
        return cast(Tensor, self.blocks[name](x))

    @torch.no_grad()
    def folded(self) -> Weights:
        """Return the weights of the run-time network."""
        pairs = {name: cast(_Block, block).folded() for name, block in self.blocks.items()}
        return {name: (host_array(kernel), host_array(bias)) for name, (kernel, bias) in pairs.items()}


@dataclass(frozen=True, slots=True)
class Patches:
    """Material of a step.

    film, painted: (N, 3, H, W), at equal places; the film's colours are varied. moved: first half of `film` with other
    noise, begun `down` rows and `right` columns earlier, (M, 1, 1).
    """

    film: Tensor
    painted: Tensor
    moved: Tensor
    down: Tensor
    right: Tensor

    def unlike(self, found: Tensor, moved: Tensor) -> Tensor:
        """Return results' mean difference at equal content, away from edges."""
        count, _, *sides = moved.shape
        edges = [min(STRIDE, (side - STRIDE) // 2) for side in sides]
        ends = [side - edge - STRIDE + 1 for side, edge in zip(sides, edges, strict=True)]
        down, across = (torch.arange(edge, end, device=moved.device) for edge, end in zip(edges, ends, strict=True))
        of = torch.arange(count, device=moved.device)[:, None, None]
        there = moved.permute(0, 2, 3, 1)[of, down[:, None] + self.down, across + self.right].permute(0, 3, 1, 2)
        return (found[:count, :, edges[0] : ends[0], edges[1] : ends[1]] - there).abs().mean()


@dataclass(frozen=True, slots=True)
class Pairs:
    """Painted frames of a shot: (N, 3, H, W) float32, R'G'B' 0..1."""

    film: Tensor
    painted: Tensor

    def patches(self, places: Places, dice: torch.Generator, count: int) -> Patches:
        """Cut random patches. places: of `painted`."""
        place, (rows, columns) = self.film.device, places.sides_px

        def cut(frames: Tensor, top: Tensor, left: Tensor) -> Tensor:
            down, across = torch.arange(rows, device=place)[:, None], torch.arange(columns, device=place)
            return frames.permute(0, 2, 3, 1)[of[: len(top)], top + down, left + across].permute(0, 3, 1, 2)

        of, top, left = places.drawn(dice, count)
        some = (count + 1) // 2
        above, before = (
            (begin - torch.randint(STRIDE, begin.shape, generator=dice, device=place)).clamp(min=0)[:some]
            for begin in (top, left)
        )
        gain = 1 + GAIN * (torch.rand((count, 3, 1, 1), generator=dice, device=place) - 0.5)
        light = LIGHT * (torch.rand((count, 1, 1, 1), generator=dice, device=place) - 0.5)

        def varied(film: Tensor) -> Tensor:
            noise = NOISE * torch.randn(film.shape, generator=dice, device=place)
            return film * gain[: len(film)] + light[: len(film)] + noise

        film, moved = varied(cut(self.film, top, left)), varied(cut(self.film, above, before))
        return Patches(film, cut(self.painted, top, left), moved, top[:some] - above, left[:some] - before)


class Places:
    """Places of patches in painted frames (N, 3, H, W), in proportion to edges there: `LINES`.

    sides_px: rows and columns of a patch, side_px at most.
    """

    def __init__(self, painted: Tensor, side_px: int) -> None:
        # in 64 bits, which some devices lack
        means = painted.cpu().double().mean(1, keepdim=True)
        grey = functional.pad(means, (1, 0, 1, 0), mode="replicate")[:, 0]
        edges = (grey[:, 1:, 1:] - grey[:, :-1, 1:]).abs() + (grey[:, 1:, 1:] - grey[:, 1:, :-1]).abs()
        self.sides_px = rows, columns = min(side_px, edges.shape[1]), min(side_px, edges.shape[2])
        sums = functional.pad(edges.cumsum(1).cumsum(2), (1, 0, 1, 0))
        down = sums[:, rows:] - sums[:, :-rows]
        within = (down[..., columns:] - down[..., :-columns]).clamp(min=0)
        self._tops, self._lefts = within.shape[1:]
        chances = LINES * within / within.mean().clamp(min=1e-9) + (1 - LINES)
        ends = chances.flatten().cumsum(0)
        self._ends = (ends / ends[-1]).float().to(painted.device)

    def drawn(self, dice: torch.Generator, count: int) -> tuple[Tensor, Tensor, Tensor]:
        """Draw patches' frame, top row and left column, each (count, 1, 1)."""
        shares = torch.rand((count, 1, 1), generator=dice, device=self._ends.device)
        found = torch.searchsorted(self._ends, shares).clamp(max=len(self._ends) - 1)
        frame, place = found // (self._tops * self._lefts), found % (self._tops * self._lefts)
        return frame, place // self._lefts, place % self._lefts


class _Recorded:
    FIRST = 3
    """Steps before recording, in which libraries choose kernels and allocate."""

    def __init__(self, step: Callable[[], Tensor], dice: torch.Generator) -> None:
        self._step, self._dice, self._done = step, dice, 0
        self._stream = torch.cuda.Stream(dice.device)  # type: ignore[no-untyped-call]
        self._graph: torch.cuda.CUDAGraph | None = None
        self._loss = torch.empty(())

    def __call__(self) -> Tensor:
        current = torch.cuda.current_stream(self._dice.device)
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            if self._done == self.FIRST:
                self._record()
            if self._graph is None:
                loss = self._step()
            else:
                self._graph.replay()
                loss = self._loss.clone()
        self._done += 1
        current.wait_stream(self._stream)
        return loss

    def _record(self) -> None:
        self._graph = torch.cuda.CUDAGraph()
        self._graph.register_generator_state(self._dice)
        try:
            with torch.cuda.graph(self._graph, stream=self._stream):
                self._loss = self._step()
        except torch.OutOfMemoryError:
            raise
        except RuntimeError as error:
            raise ImpossibleError(
                f"the GPU's driver cannot record a step of learning ({first_line(error)}); update it",
                do="or try --torch-device cpu",
            ) from error


class Learner:
    """Training of a shot's network. step: steps done."""

    def __init__(self, pairs: Pairs, start: Mapping[str, Tensor] | None, *, seed: int = 0) -> None:
        """Prepare on the pairs' device. start: a `ShotPainter`'s state; random if None."""
        torch.manual_seed(seed)
        place = pairs.film.device
        cuda = place.type == "cuda"
        self.pairs, self._dice, self.step = pairs, torch.Generator(place).manual_seed(seed), 0
        kind = place.type if place.type in PATCHES_PX else "cuda"
        (self._count, side_px), self._calm_every = PATCHES_PX[kind], CALM_EVERY[kind]
        self._places = Places(pairs.painted, side_px)
        self._halves = cuda or (place.type == "cpu" and bool(torch.cpu.get_capabilities().get("avx512_bf16")))
        self._pupil = ShotPainter()
        if start is not None:
            self._pupil.load_state_dict(start)
        # for tensor cores; a CPU gains nothing
        layout = torch.channels_last if cuda else torch.contiguous_format
        self._pupil.to(place).to(memory_format=layout).train()  # type: ignore[call-overload]
        self._layout = layout
        self.painter = deepcopy(self._pupil).eval()
        self._means, self._lasts = (
            [x for x in each.state_dict().values() if x.is_floating_point()] for each in (self.painter, self._pupil)
        )
        self._rate = torch.tensor(RATE, device=place)
        self._adam = torch.optim.Adam(self._pupil.parameters(), self._rate, fused=cuda, capturable=cuda)
        self._settled = False
        self._step: Callable[[], Tensor] = _Recorded(self._learn, self._dice) if cuda else self._learn

    def learn(self, done: float) -> Tensor:
        """Do one step, at the share 0..1 of the run; return its loss on the device."""
        if done >= 1 - SETTLE and not self._settled:
            self._settled = True
            freeze_norms(self._pupil)
            if isinstance(self._step, _Recorded):
                self._step = _Recorded(self._learn, self._dice)
        warm = min(1.0, (self.step + 1) / WARM_UP)
        self._rate.fill_(RATE * warm * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))))
        loss = self._step()
        self.step += 1
        torch._foreach_lerp_(self._means, self._lasts, max(1 - MEMORY, SHARE / (self.step + SHARE)))
        return loss

    def _learn(self) -> Tensor:
        patches = self.pairs.patches(self._places, self._dice, self._count)
        calm = self.step % self._calm_every == 0
        film = torch.cat((patches.film, patches.moved)) if calm else patches.film
        film = film.contiguous(memory_format=self._layout)
        with torch.autocast(film.device.type, torch.bfloat16, enabled=self._halves, cache_enabled=False):
            every = self._pupil(film).float()
        found, moved = every.tensor_split([len(patches.film)])
        loss = difference = (found - patches.painted).abs().mean()
        if calm:
            loss = loss + CALM * math.sqrt(self._calm_every) * patches.unlike(found, moved)
        self._adam.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self._pupil.parameters(), 1.0)
        self._adam.step()
        return difference.detach()

    @torch.no_grad()
    def painted(self, film: Tensor) -> Tensor:
        """Paint a frame (3, H, W) 0..1; sides are multiples of STRIDE."""
        found = self.painter(film[None].contiguous(memory_format=self._layout))
        return cast(Tensor, found[0].clamp(0, 1))


def fitting(frames: Sequence[Tensor]) -> Tensor:
    """Stack frames (3, H, W) as (N, 3, H, W), padded to multiples of STRIDE."""
    stack = torch.stack(list(frames))
    height, width = stack.shape[2:]
    return functional.pad(stack, (0, -width % STRIDE, 0, -height % STRIDE), mode="replicate")
