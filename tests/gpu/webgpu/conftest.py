"""Tests of WGSL run on any adapter of Vulkan. Where there is none they are left out, but where
FRAMEBRUSH_REQUIRE_VULKAN=1 promises one they fail."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gpu.webgpu.harness import Gpu


@pytest.fixture(scope="session")
def gpu() -> Iterator[Gpu]:
    """A device of the adapter, which keeps its pipelines."""
    made = Gpu()
    yield made
    made.close()
