"""Fast loading of a program's modules."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load a program's modules without the garbage collector."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
