"""The style and the device that options name, opened for a command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from framebrush.gpu.device import NO_DIAGNOSIS, Device, open_device
from framebrush.jobs.spec import JobSpec
from framebrush.messages import print_message
from framebrush.styles import OpenedStyle, open_style

diagnosis = NO_DIAGNOSIS
"""What the options before the command ask of the device."""


def load(job: JobSpec) -> OpenedStyle:
    """The style of a job; prints what was guessed of it."""
    style = open_style(job.style.name, job.style.preprocessing, job.colours)
    for note in style.notes:
        print_message(note)
    return style


@contextmanager
def opened(name: str) -> Iterator[Device]:
    """The device that `--device` names, closed afterwards; prints why it is not the first choice."""
    with open_device(name, diagnosis) as device:
        if device.note:
            print_message(device.note)
        yield device
