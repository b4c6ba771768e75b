"""The device that options name, opened for a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from framebrush.cli.messages import print_message
from framebrush.gpu.device import NO_DIAGNOSIS, Device, open_device

diagnosis = NO_DIAGNOSIS
"""What the options before the command ask of the device."""


@contextmanager
def opened(name: str) -> Iterator[Device]:
    """The device that `--device` names, closed afterwards; prints why it is not the first choice."""
    with open_device(name, diagnosis) as device:
        if device.note:
            print_message(device.note)
        yield device
