"""How a program loads its modules."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def loading() -> Iterator[None]:
    """Load modules here without Python's garbage collector, which would look again and again at objects that all stay:
    a quarter of a start's time. It never looks at them later, either. For programs alone, as those who import a library
    decide that."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
