"""Seeded training of a painter, with checkpoints."""

from __future__ import annotations

import hashlib
import io
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from framebrush.base.files import write_whole
from framebrush.base.remedy import ImpossibleError
from framebrush.base.text import count_of
from framebrush.models.training import training_losses
from framebrush.models.training.classic import Classic
from framebrush.models.training.data import Material, from_jpeg
from framebrush.models.training.painter_network import SHAPES, STRIDE, PainterModule, freeze_norms
from framebrush.models.training_needs import MOST_PHOTOS

CLASSIC = "classic"  # for comparison only
MOVE_PX = 8  # a whole cell, so that grid-locked detail cannot follow
WARM_UP_STEPS = 3  # before a step is recorded, so that lazy allocations are done
REPORT_STEPS = 50
REPORT_S = 1.0
BALANCE_STEPS = 25  # between changes of the style weight
BALANCE_GAIN = 0.25
STYLE_WEIGHTS = (1.0, 40.0)
MARGIN_PX = 64  # of paintings in training, outside the losses: about a shape's radius


@dataclass(frozen=True, slots=True)
class Recipe:
    """Training recipe. Equal pictures and seed give equal networks, bit for bit on a CPU.

    Attributes:
        content: content loss, kept by adjusting the style weight. 1.2 is a painting with strokes; 1.8 loses faces.
        steady_weight: reached half-way, as earlier a painter never learns to paint.
        stroke_px: width of strokes that are 1/64 of the painting's shorter side.
        settle: share of steps at the end with frozen batch statistics.
    """

    size: str = "realtime"
    style_weight: float = 4.0
    content: float = 1.2
    together: float = 0.7
    tone_weight: float = 1.0
    steady_weight: float = 300.0
    smooth_weight: float = 0.2
    grid_weight: float = 6000.0
    range_weight: float = 10.0
    stroke_px: float = 10.0
    crop_px: int = 256
    batch: int = 4
    steps: int = 6000
    rate: float = 2e-3
    settle: float = 0.25
    seed: int = 0

    def __post_init__(self) -> None:
        if self.size not in (*SHAPES, CLASSIC):
            raise ValueError(f"size {self.size!r} is not one of {', '.join(SHAPES)}")
        if self.crop_px % STRIDE or self.crop_px < 16 * STRIDE:
            raise ValueError(f"crop {self.crop_px} px is not a multiple of {STRIDE} of at least {16 * STRIDE}")
        if not 4 <= self.stroke_px <= 32:
            raise ValueError(f"strokes of {self.stroke_px:g} px cannot be learnt; give 4 to 32")
        if not 0.5 <= self.content <= 4:
            raise ValueError(f"a content loss of {self.content:g} cannot be kept; give about 1.1 to 1.5")
        if self.steps < 1 or self.batch < 1:
            raise ValueError(f"{count_of(self.steps, 'step')} of {count_of(self.batch, 'crop')} teach nothing")

    @property
    def painting_px(self) -> int:
        """Return the painting's shorter side for the losses."""
        return round(64 * self.stroke_px)

    @property
    def squares_px(self) -> int:
        """Return the side of the painted squares."""
        return self.crop_px + 2 * MARGIN_PX


@dataclass(frozen=True, slots=True)
class Report:
    """Last step of training, and unweighted losses."""

    step: int
    steps: int
    losses: dict[str, float]


@dataclass(frozen=True, slots=True)
class Batch:
    """Material of a step.

    squares: (N, 3, S, S), R'G'B' 0..1. window: (N, 3, C, C), parts a moment later. rows, columns: (C,) int64, the
    window's place.
    """

    squares: Tensor
    window: Tensor
    rows: Tensor
    columns: Tensor

    def tensors(self) -> tuple[Tensor, ...]:
        return self.squares, self.window, self.rows, self.columns


Step = Callable[[Batch], dict[str, Tensor]]


class Recorded:
    """Training step as a CUDA graph: small launches leave a GPU idle."""

    def __init__(self, step: Step, batch: Batch, stream: torch.cuda.Stream) -> None:
        self._batch, self._graph = batch, torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, stream=stream, capture_error_mode="thread_local"):
            self._found = step(batch)

    def __call__(self, batch: Batch) -> dict[str, Tensor]:
        """Run the step. Losses are valid until the next call."""
        for own, given in zip(self._batch.tensors(), batch.tensors(), strict=True):
            own.copy_(given)
        self._graph.replay()
        return self._found


State = dict[str, Any]
"""Content of a checkpoint."""

DAMAGED = "is damaged, or not a checkpoint; remove it to start again"


def read_checkpoint(path: Path, recipe: Recipe, painting: Tensor, device: torch.device) -> State:
    """Read a checkpoint for `Trainer.resume`. Raises ValueError."""
    try:
        state: State = torch.load(path, map_location=device, weights_only=True)
        theirs, its_painting = dict(state["recipe"]), state["painting"]
        state["photographs"] = [jpeg.cpu() for jpeg in state.get("photographs", ())[:MOST_PHOTOS]]
        for jpeg in state["photographs"]:
            from_jpeg(jpeg)
    except Exception as error:  # damaged files raise types without a common base; their messages quote torch's options
        raise ValueError(f"{path}: {DAMAGED}") from error
    changed = [name for name, value in asdict(recipe).items() if theirs.get(name) != value]
    if its_painting != _fingerprint(painting):
        changed.append("painting")
    if changed:
        raise ValueError(f"{path}: is a checkpoint of other settings ({', '.join(changed)}); remove it to start again")
    return state


def _fingerprint(painting: Tensor) -> str:
    return hashlib.sha256(painting.numpy().tobytes()).hexdigest()


class Trainer:
    """Painter in training, saved in checkpoints."""

    def __init__(
        self,
        recipe: Recipe,
        painting: Tensor,
        material: Material,
        features: training_losses.Features,
        device: torch.device,
    ) -> None:
        """Prepare. painting: (1, 3, H, W), 0..1, shorter side recipe.painting_px."""
        torch.manual_seed(recipe.seed)
        self._painting = _fingerprint(painting)
        self.recipe, self.device, self.step = recipe, device, 0
        self._material = material
        # for tensor cores; a CPU gains nothing, and PyTorch 2.13 crashes there
        self._layout = torch.channels_last if device.type == "cuda" else torch.contiguous_format
        self._features = features.to(device).to(memory_format=self._layout)  # type: ignore[call-overload]
        self._target = training_losses.Target(self._features, painting.to(device))
        self._steadiness = torch.zeros((), device=device)
        self._style_weight = torch.tensor(recipe.style_weight, device=device)
        self._content = torch.zeros((), device=device)
        self._dice = random.Random(recipe.seed)
        self._noise = torch.Generator(device).manual_seed(recipe.seed)
        painter = Classic() if recipe.size == CLASSIC else PainterModule(SHAPES[recipe.size])
        self.painter = painter.to(device).to(memory_format=self._layout)  # type: ignore[call-overload]
        rate, on_gpu = torch.tensor(recipe.rate, device=device), device.type == "cuda"
        self._adam = torch.optim.Adam(self.painter.parameters(), rate, fused=on_gpu, capturable=on_gpu)

    def save(self, path: Path, photographs: Sequence[Tensor] = ()) -> None:
        """Write a checkpoint atomically. photographs: from `data.to_jpeg`."""
        state = {
            "recipe": asdict(self.recipe),
            "painting": self._painting,
            "photographs": list(photographs),
            "step": self.step,
            "painter": self.painter.state_dict(),
            "adam": self._adam.state_dict(),
            "dice": self._dice.getstate(),
            "noise": self._noise.get_state(),
            "balance": (self._style_weight, self._content),
        }
        content = io.BytesIO()
        torch.save(state, content)  # with a path torch hides why writing failed
        write_whole(path, content.getvalue())

    def resume(self, state: State) -> None:
        """Restore a checkpoint. Raises ValueError."""
        try:
            self.step = range(self.recipe.steps + 1).index(state["step"])
            self.painter.load_state_dict(state["painter"])
            groups = self._adam.state_dict()["param_groups"]  # of this device, where the checkpoint may be another's
            self._adam.load_state_dict({"state": state["adam"]["state"], "param_groups": groups})
            for weights, moments in self._adam.state.items():
                for name in ("exp_avg", "exp_avg_sq"):  # a fused Adam takes them in the weights' memory format only
                    moments[name] = torch.empty_like(weights).copy_(moments[name])
            version, numbers, gauss = state["dice"]
            self._dice.setstate((version, tuple(numbers), gauss))
            noise = state["noise"].cpu()
            if noise.dtype == torch.uint8 and noise.shape != self._noise.get_state().shape:
                self._noise.manual_seed(self.recipe.seed + self.step)  # begun on a device with other generators
            else:
                self._noise.set_state(noise)
            for own, stored in zip((self._style_weight, self._content), state["balance"], strict=True):
                own.copy_(stored)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:  # as in `read_checkpoint`
            raise ValueError(DAMAGED) from error

    def start_from(self, other: dict[str, Tensor]) -> None:
        """Start from another painter's weights, for good blends."""
        self.painter.load_state_dict(other)

    def run(self, on_progress: Callable[[Report], None], check: Callable[[], None] = lambda: None) -> None:
        """Train to the recipe's last step. Raises ValueError for non-finite losses.

        on_progress: called every REPORT_STEPS or REPORT_S. check: called after every step; may `save` or raise.
        """
        end = self.recipe.steps
        settling = round(end * (1 - self.recipe.settle))
        self.painter.train()
        reported_s = time.monotonic()
        with self._own_stream() as stream:
            for first, last in ((self.step, settling), (max(self.step, settling), end)):
                if first >= settling:
                    freeze_norms(self.painter)
                step: Step = self._learn
                for number in range(first, last):
                    batch = self._draw()
                    if stream is not None and number == first + WARM_UP_STEPS:
                        step = Recorded(self._learn, batch, stream)
                    self._adam.param_groups[0]["lr"].fill_(self._rate())
                    self._steadiness.fill_(min(1.0, 2 * self.step / self.recipe.steps))
                    found = step(batch)
                    self.step += 1
                    self._content += found["content"]
                    if self.step % BALANCE_STEPS == 0:
                        self._balance(settled=first >= settling)
                    slow = time.monotonic() - reported_s >= REPORT_S
                    if self.step % REPORT_STEPS == 0 or self.step == end or slow:
                        on_progress(self._report(found))
                        reported_s = time.monotonic()
                    check()
        self.painter.eval()

    def _balance(self, settled: bool) -> None:
        mean = self._content.item() / BALANCE_STEPS
        self._content.zero_()
        if not settled and math.isfinite(mean):
            change = math.exp(BALANCE_GAIN * (self.recipe.content - mean))
            self._style_weight.mul_(change).clamp_(*STYLE_WEIGHTS)

    @torch.no_grad()
    def preview(self, photo: Tensor) -> Tensor:
        """Paint a photograph (3, H, W) uint8, cropped to multiples of STRIDE."""
        frame = cropped(photo)[None].to(self.device).float() / 255
        training = [module for module in self.painter.modules() if module.training]
        self.painter.eval()
        painted = self.painter(frame.contiguous(memory_format=self._layout))[0]
        for module in training:
            module.training = True
        return (painted.clamp(0, 1) * 255).round().to(torch.uint8).cpu()

    def _report(self, found: dict[str, Tensor]) -> Report:
        values = {name: value.item() for name, value in found.items()}
        lost = [name for name, value in values.items() if not math.isfinite(value)]
        if lost:
            raise ImpossibleError(
                f"the training fell apart ({lost[0]} is not finite at step {self.step})",
                do="try another --seed or a lower --content",
            )
        return Report(self.step, self.recipe.steps, values)

    @contextmanager
    def _own_stream(self) -> Iterator[torch.cuda.Stream | None]:
        if self.device.type != "cuda":
            yield None
            return
        stream = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call]
        stream.wait_stream(torch.cuda.current_stream(self.device))
        with torch.cuda.stream(stream):
            yield stream
        torch.cuda.current_stream(self.device).wait_stream(stream)

    def _rate(self) -> float:
        done = self.step / self.recipe.steps
        return (
            self.recipe.rate
            * min(1.0, (self.step + 1) / (0.01 * self.recipe.steps + 1))
            * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))
        )

    def _draw(self) -> Batch:
        recipe, dice = self.recipe, self._dice
        top, left = (MARGIN_PX + dice.randint(-MOVE_PX, MOVE_PX) for _ in range(2))
        pairs = self._material.pairs(recipe.batch, recipe.squares_px, recipe.crop_px, (top, left), dice, self._noise)
        squares, window = (x.contiguous(memory_format=self._layout) for x in pairs)
        along = torch.arange(recipe.crop_px, device=self.device)
        return Batch(squares, window, along + top, along + left)

    def _learn(self, batch: Batch) -> dict[str, Tensor]:
        found = self._losses(batch)
        self._adam.zero_grad(set_to_none=True)
        torch.autograd.backward(self._total(found))
        torch.nn.utils.clip_grad_norm_(self.painter.parameters(), 10.0)
        self._adam.step()
        return found

    def _losses(self, batch: Batch) -> dict[str, Tensor]:
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            whole, after = (self.painter(frame).float() for frame in (batch.squares, batch.window))
            seen = MARGIN_PX - training_losses.EDGE_PX
            picture, photo = (x[:, :, seen:-seen, seen:-seen] for x in (whole, batch.squares))
            content, style = training_losses.content_and_style(
                self._features, self._target, picture, photo, self.recipe.together
            )
        before = whole.index_select(2, batch.rows).index_select(3, batch.columns)
        return {
            "content": content,
            "style": style,
            "tone": training_losses.tone(picture, photo),
            "steady": training_losses.steady(before, after),
            "smooth": training_losses.smooth(picture),
            "grid": training_losses.grid(picture),
            "range": training_losses.beyond_range(picture),
        }

    def _total(self, found: dict[str, Tensor]) -> Tensor:
        recipe = self.recipe
        return (
            found["content"]
            + self._style_weight * found["style"]
            + recipe.tone_weight * found["tone"]
            + recipe.steady_weight * self._steadiness * found["steady"]
            + recipe.smooth_weight * found["smooth"]
            + recipe.grid_weight * found["grid"]
            + recipe.range_weight * found["range"]
        )


def cropped(photo: Tensor) -> Tensor:
    """Crop (C, H, W) to multiples of STRIDE."""
    height, width = (side // STRIDE * STRIDE for side in photo.shape[1:])
    return photo[:, :height, :width]
