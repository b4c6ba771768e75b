"""Tests that need an NVIDIA GPU: not collected where there is none, failed where one was promised."""

from __future__ import annotations

import os

import pytest

from framebrush.gpu.device import BACKENDS
from framebrush.gpu.errors import DeviceError

PROMISED = os.environ.get("FRAMEBRUSH_REQUIRE_CUDA") == "1"
"""Set by `dev.py test --cuda`: no test of CUDA is skipped then, those of TensorRT where it is not installed."""


def why_no_cuda(kind: str = "cuda") -> str:
    """Why a backend on NVIDIA GPUs cannot be tested here; '' where it can, or where CUDA was promised."""
    if PROMISED and kind == "cuda":
        return ""
    try:
        next(backend for backend in BACKENDS if backend.kind == kind).devices()
    except DeviceError as error:
        return str(error)
    return ""


def needs(kind: str) -> list[pytest.MarkDecorator]:
    """The marks of tests of a backend on NVIDIA GPUs; `conftest.py` leaves out those with a reason."""
    return [pytest.mark.needs(kind, why_no_cuda(kind)), pytest.mark.cuda]


needs_cuda = needs("cuda")[0]
