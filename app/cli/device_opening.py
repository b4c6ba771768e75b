"""Opening of the device that options name."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from framebrush.cli.messages import print_message

if TYPE_CHECKING:
    from framebrush.gpu.device import Device, Diagnosis

asked: tuple[bool, bool, Path | None, bool] | tuple[()] = ()
"""Diagnostics requested by options before the command: the fields of `Diagnosis`."""


def diagnosis() -> Diagnosis:
    """Return the requested diagnostics, importing devices only here."""
    from framebrush.gpu.device import Diagnosis

    return Diagnosis(*asked)


def opened(name: str) -> AbstractContextManager[Device]:
    """Open the device of `--device`."""
    from framebrush.gpu.device import open_device
    from framebrush.jobs.prepare import opened_device

    return opened_device(partial(open_device, name, diagnosis()), print_message)
