"""Devices for the contract tests, one per backend.

The slow rig skips backends tested on Linux.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from framebrush.gpu.device import BACKENDS, Device, open_device
from framebrush.gpu.reference.device import ReferenceDevice
from framebrush.gpu.reference.device import list_devices as reference_devices
from tests.cuda import needs
from tests.gpu.webgpu.harness import needs_vulkan

MARKS = {"cuda": needs("cuda"), "tensorrt": needs("tensorrt"), "webgpu": [needs_vulkan]}
KINDS = {
    backend.kind: pytest.param(backend.kind, marks=MARKS.get(backend.kind, []))
    for backend in BACKENDS
    if (sys.platform in backend.platforms if backend.platforms else "WINRIG" not in os.environ)
}

WITH_SLOW_REFERENCE = [
    pytest.param(kind, marks=[*entry.marks, pytest.mark.slow]) if kind == "reference" else entry
    for kind, entry in KINDS.items()
]
"""Values of `device` for tests that draw strokes, which takes the reference seconds."""


@pytest.fixture(params=KINDS.values())
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=KINDS.values(), scope="module")
def device(request: pytest.FixtureRequest) -> Iterator[Device]:
    with open_device(request.param) as opened:
        yield opened


@pytest.fixture(params=[entry for kind, entry in KINDS.items() if kind != "reference"], scope="module")
def tested(request: pytest.FixtureRequest) -> Iterator[Device]:
    with open_device(request.param) as opened:
        yield opened


@pytest.fixture(scope="module")
def exact() -> Iterator[ReferenceDevice]:
    with ReferenceDevice(reference_devices()[0]) as opened:
        yield opened
