"""Compilation of every CUDA kernel.

The user's cache (by text, compute capability and compiler) keeps earlier results, so that only changes are compiled.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from framebrush.gpu.cuda import kernels
from framebrush.gpu.kernel_sources import Variant
from tests.gpu.cuda.variants import variants

pytestmark = pytest.mark.unit

CUDA = Path(kernels.__file__).parent / "kernels"
CAPABILITIES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120)


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_every_kernel_compiles(capability: int) -> None:
    """One variant of each compiles for the first and last capability, and `conv` for all."""
    one_of_each = {variant.name: variant for variant in variants()}
    asking = {path.stem for path in CUDA.iterdir() if "__CUDA_ARCH__" in path.read_text(encoding="utf-8")}
    assert asking == {"conv"}  # and no file that others include
    everywhere = capability in (CAPABILITIES[0], CAPABILITIES[-1])
    compile_all(one_of_each.values() if everywhere else [one_of_each[name] for name in asking], capability)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_every_variant_compiles(part: int) -> None:
    """For one capability."""
    compile_all(variants()[part::4], 90)


def compile_all(wanted: Iterable[Variant], capability: int) -> None:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for code in pool.map(lambda variant: kernels.machine_code(variant, capability), wanted):
            assert code[:4] == b"\x7fELF"
