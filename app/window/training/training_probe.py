"""Process that determines a Python's training capabilities.

PYTHON -P -m framebrush.window.training.training_probe. Its first report (see `base/child.py`) is one of:

- {"absent": names of missing packages}
- {"broken": why an installed package fails}
- {"device": a name, "gpu": whether it is a GPU}

The second is {"crop_s": seconds} per crop of a training step.
"""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING

from framebrush.base import parent
from framebrush.base.text import first_line
from framebrush.models.training_needs import UNUSABLE

if TYPE_CHECKING:
    import torch

NEEDED = {"torch": "PyTorch", "PIL": "Pillow"}
"""Modules that training imports, and the names of their packages."""

NOISE_PX = 448


def crop_s(device: torch.device) -> float:
    """Return the least seconds per crop of several steps."""
    import torch

    from framebrush.models.training.data import Material
    from framebrush.models.training.trainer import WARM_UP_STEPS, Recipe, Trainer
    from framebrush.models.training.training_losses import Features

    gpu = device.type == "cuda"
    recipe = Recipe(steps=WARM_UP_STEPS + 5, batch=4) if gpu else Recipe(steps=2, batch=1)
    dice = torch.Generator().manual_seed(0)
    noise = torch.randint(0, 256, (3, NOISE_PX, NOISE_PX), generator=dice, dtype=torch.uint8)
    painting = torch.rand(1, 3, recipe.painting_px, recipe.painting_px, generator=dice)
    trainer = Trainer(recipe, painting, Material.of([noise], recipe.squares_px, device), Features(), device)
    times: list[float] = []
    began_s = time.perf_counter()

    def note() -> None:
        nonlocal began_s
        if gpu:
            torch.cuda.synchronize(device)
        now_s = time.perf_counter()
        times.append((now_s - began_s) / recipe.batch)
        began_s = now_s

    trainer.run(lambda _: None, check=note)
    return min(times)


def _is_installed(module: str) -> bool:
    try:
        import_module(module)
    except ModuleNotFoundError as error:
        if error.name == module:
            return False
        raise
    return True


def main() -> None:
    """Run the probing process."""
    parent.listen(lambda _: None)
    absent: list[str] = []
    try:
        absent = [name for module, name in NEEDED.items() if not _is_installed(module)]
    except UNUSABLE as error:
        parent.report({"broken": first_line(error)})
        return
    if absent:
        parent.report({"absent": absent})
        return
    import torch

    gpu = torch.cuda.is_available()
    device = torch.device("cuda" if gpu else "cpu")
    name = torch.cuda.get_device_name(device) if gpu else ""
    parent.report({"device": name, "gpu": gpu})
    parent.report({"crop_s": crop_s(device)})


if __name__ == "__main__":
    main()
