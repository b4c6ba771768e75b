"""How ONNX Runtime is used on the CPU: its options, and the one gate for its errors."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from framebrush.base.inference import quiet_options
from framebrush.base.text import printable
from framebrush.gpu.errors import DeviceError, OutOfMemoryError

if TYPE_CHECKING:
    import onnxruntime as ort


def session_options(threads: int = 0) -> ort.SessionOptions:
    """Options of every session on the CPU. threads: 0 for one on each processor."""
    options = quiet_options()
    # Threads that spin, or that are bound to cores, as ONNX Runtime's default ones are, hold up the
    # conversions and the codecs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    return options


@contextmanager
def native_errors(what: str) -> Iterator[None]:
    """Turn the errors of numpy and ONNX Runtime, whose types share no base but Exception, into DeviceError."""
    try:
        yield
    except DeviceError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"{what}: out of memory; try --tile or --stroke") from error
    except Exception as error:
        text = str(error)
        if "bad allocation" in text or "bad_alloc" in text or "allocate memory" in text:
            raise OutOfMemoryError(f"{what}: out of memory; try --tile or --stroke") from error
        raise DeviceError(f"{what}: {printable(text)}") from error  # it may hold names of a hostile file
