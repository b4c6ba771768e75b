"""Folder of a training, shared by windows."""

from __future__ import annotations

import json
import shutil
import uuid
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from framebrush.base.files import write_whole
from framebrush.base.json_values import from_values, to_values
from framebrush.base.user_folder import Lock
from framebrush.styles.style_folder import copy_whole
from framebrush.window.training.training_spec import TrainingSpec

FACTS = "training.json"


@dataclass(frozen=True, slots=True)
class Found:
    """Training in the folder.

    name: unique; "" for one of version 0.2. whole: the style file is complete.
    """

    spec: TrainingSpec
    step: int
    name: str = ""
    whole: bool = False
    is_new: bool = False


class TrainingFolder:
    """Folder changed only by the lock's owner; other windows show its training."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lock = Lock(path.with_suffix(".lock"))

    def find(self) -> Found | None:
        """Return the existing training, moving an unreadable one to the trash."""
        try:
            found = from_values(Found, json.loads((self.path / FACTS).read_text(encoding="utf-8")), "training")
        except FileNotFoundError:
            return None
        except (OSError, ValueError, RecursionError):
            with suppress(OSError):
                self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
            return None
        return replace(found, whole=found.spec.out(self.path).is_file(), is_new=False)

    def begin(self, spec: TrainingSpec, known: str) -> Found:
        """Start a training with a copy of the picture. Raises OSError.

        known: name of a training to replace; any other is returned.
        """
        there = self.find()
        if there is not None and there.name != known:
            return there
        picture, name = Path(spec.picture), uuid.uuid4().hex
        fresh = self.path.with_name(f"{self.path.name}.new")  # the picture may belong to the previous training
        spec = replace(spec, picture=str(self.path / f"picture{picture.suffix.lower()}"))
        self.sweep()
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        copy_whole(picture, fresh / Path(spec.picture).name)
        _save(fresh, name, spec, 0)
        shutil.rmtree(self.path, ignore_errors=True)
        fresh.rename(self.path)
        return Found(spec, 0, name, is_new=True)

    def note(self, name: str, spec: TrainingSpec, step: int) -> None:
        """Save the current step; a failure loses only this number."""
        with suppress(OSError):
            _save(self.path, name, spec, step)

    def clear(self) -> None:
        """Move the training aside at once; `sweep` deletes it."""
        with suppress(OSError):
            self.path.rename(self.path.with_name(f"{self.path.name}.{uuid.uuid4().hex}.old"))

    def sweep(self) -> None:
        """Empty the trash."""
        for gone in self.path.parent.glob(f"{self.path.name}.*.old"):
            shutil.rmtree(gone, ignore_errors=True)


def _save(folder: Path, name: str, spec: TrainingSpec, step: int) -> None:
    write_whole(folder / FACTS, json.dumps({"name": name, "spec": to_values(spec), "step": step}))
