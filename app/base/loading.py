"""Fast loading of a program's modules."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load modules without the garbage collector, and exempt them later: a quarter of start-up.

    For programs only; users of the library decide themselves.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
