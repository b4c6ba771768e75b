"""WGSL tests run on any Vulkan adapter; without one they are deselected, or fail with FRAMEBRUSH_REQUIRE_VULKAN=1."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gpu.webgpu.harness import Gpu


@pytest.fixture(scope="session")
def gpu() -> Iterator[Gpu]:
    """Open a device; it caches pipelines."""
    made = Gpu()
    yield made
    made.close()
