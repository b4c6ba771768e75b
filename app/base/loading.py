"""Fast loading of a program's modules.

python -m framebrush.base.loading MODULE [ARGUMENTS]: run a module that calls `parent.listen`.
"""

from __future__ import annotations

import gc
import runpy
import sys
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


if __name__ == "__main__":
    gc.disable()  # until `parent.listen`
    runpy.run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
