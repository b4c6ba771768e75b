"""Open the device that a command's options name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from framebrush.cli.messages import print_message
from framebrush.gpu.device import NO_DIAGNOSIS, Device, open_device

diagnosis = NO_DIAGNOSIS
"""The diagnostics that the options before the command ask of the device."""


@contextmanager
def opened(name: str) -> Iterator[Device]:
    """The device that `--device` names, closed afterwards; prints the reason if it is not the preferred one."""
    with open_device(name, diagnosis) as device:
        if device.note:
            print_message(device.note)
        yield device
