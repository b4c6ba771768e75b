"""WGSL tests on any Vulkan adapter; FRAMEBRUSH_REQUIRE_VULKAN=1 fails without one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gpu.webgpu.harness import Gpu


@pytest.fixture(scope="session")
def gpu() -> Iterator[Gpu]:
    made = Gpu()
    yield made
    made.close()
