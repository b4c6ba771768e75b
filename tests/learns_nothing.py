"""Python with fake training: `python -P tests/learns_nothing.py -m MODULE ...`.

A step takes 10 ms and needs no PyTorch. Photographs with a file "broken" are refused; a file "hangs" makes one step
hang.
"""

from __future__ import annotations

import base64
import runpy
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=="
)


class EnoughError(Exception):
    pass


@dataclass
class Training:
    style: Path
    photos: Callable[[], list[Path]]
    out: Path
    features: Path
    recipe: SimpleNamespace
    title: str = ""
    licence: str = ""
    device: str = ""
    overwrite: bool = False


@dataclass
class Watcher:
    on_progress: Callable[[object], None]
    on_message: Callable[[str], None]
    on_prepared: Callable[[float], None]
    on_preview: Callable[[Path], None]
    finish: object
    check: Callable[[], None]


def train(training: Training, watcher: Watcher) -> None:
    """Resume from the checkpoint, and write it when stopped."""
    [folder], out = training.photos(), training.out
    if (folder / "broken").exists():
        raise ValueError("these photographs are broken")
    watcher.on_message("Nothing is prepared.")
    watcher.on_prepared(0.5)
    checkpoint = out.with_suffix(".checkpoint")
    step = int(checkpoint.read_text()) if checkpoint.exists() else 0
    try:
        while step < training.recipe.steps:
            watcher.check()
            step += 1
            if (folder / "hangs").exists():
                (folder / "hangs").unlink()
                time.sleep(1000)
            watcher.on_progress(SimpleNamespace(step=step, losses={}))
            out.with_suffix(".png").write_bytes(PICTURE)
            # Atomic, even if killed here.
            watcher.on_preview(out.with_suffix(".png").replace(out.with_suffix(".preview.png")))
            time.sleep(0.01)
    except KeyboardInterrupt:
        checkpoint.write_text(str(step))
        raise
    except EnoughError:
        pass
    out.write_text("the style")


def photographs(sources: list[Path], *_: object) -> list[Path]:
    return sources


MODULES = {
    "models.training.cli": {
        "EnoughError": EnoughError,
        "train": train,
        "Training": Training,
        "Watcher": Watcher,
    },
    "models.training.training_losses": {"SHIPPED": Path()},
    "models.training.trainer": {"Recipe": SimpleNamespace},
    "painted.photographs": {"photographs": photographs},
}
for name, contents in MODULES.items():
    module = sys.modules[f"framebrush.{name}"] = ModuleType(name)
    vars(module).update(contents)
del sys.argv[: sys.argv.index("-m") + 1]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
