"""Tests of NVIDIA GPUs: deselected without one, failed if promised."""

from __future__ import annotations

import os

import pytest

from framebrush.gpu.device import BACKENDS
from framebrush.gpu.errors import DeviceError

PROMISED = os.environ.get("FRAMEBRUSH_REQUIRE_CUDA") == "1"
"""Set by `dev.py test --cuda`: then no CUDA test is skipped, except TensorRT's if it is not installed."""


def why_no_cuda(kind: str = "cuda") -> str:
    """Return why an NVIDIA backend cannot be tested; "" if possible or promised."""
    if PROMISED and kind == "cuda":
        return ""
    try:
        next(backend for backend in BACKENDS if backend.kind == kind).devices()
    except DeviceError as error:
        return str(error)
    return ""


def needs(kind: str) -> list[pytest.MarkDecorator]:
    return [pytest.mark.needs(kind, why_no_cuda(kind)), pytest.mark.cuda]


needs_cuda = needs("cuda")[0]
