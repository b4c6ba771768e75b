"""Tests that need an NVIDIA GPU: skipped with the reason where there is none, failed where one was promised."""

from __future__ import annotations

import os

import pytest

from framebrush.gpu.device import BACKENDS
from framebrush.gpu.errors import DeviceError

PROMISED = os.environ.get("FRAMEBRUSH_REQUIRE_CUDA") == "1"
"""Set by `dev.py test --cuda`: nothing is skipped then."""


def why_no_cuda() -> str:
    """Why the CUDA backend cannot be tested here; '' where it can, or where it was promised."""
    if PROMISED:
        return ""
    try:
        next(backend for backend in BACKENDS if backend.kind == "cuda").devices()
    except DeviceError as error:
        return str(error)
    return ""


def import_cuda_core() -> None:
    """Skip a module of tests where cuda-core is not installed, unless it was promised."""
    if not PROMISED:
        pytest.importorskip("cuda.core", reason="cuda-core is not installed", exc_type=ImportError)


needs_cuda = pytest.mark.skipif(bool(why_no_cuda()), reason=f"no CUDA: {why_no_cuda()}")
