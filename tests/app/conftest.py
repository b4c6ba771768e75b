"""The processor as a device, for tests of jobs and styles."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from framebrush.gpu.device import Device, open_device


@pytest.fixture(scope="module")
def device() -> Iterator[Device]:
    with open_device("cpu") as opened:
        yield opened
