"""Opening of the device that options name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from framebrush.cli.messages import print_message

if TYPE_CHECKING:
    from framebrush.gpu.device import Device, Diagnosis

asked: tuple[bool, bool, Path | None, bool] = (False, False, None, False)
"""Diagnostics requested by options before the command: the fields of `Diagnosis`."""


def diagnosis() -> Diagnosis:
    """Return the requested diagnostics, importing devices only here."""
    from framebrush.gpu.device import Diagnosis

    return Diagnosis(*asked)


@contextmanager
def opened(name: str) -> Iterator[Device]:
    """Open the device of `--device`, or say why another."""
    from framebrush.gpu.device import open_device

    with open_device(name, diagnosis()) as device:
        if device.note:
            print_message(device.note)
        yield device
