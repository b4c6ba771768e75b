"""Options and errors of ONNX Runtime on the CPU."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from framebrush.base.inference import quiet_options
from framebrush.base.text import printable
from framebrush.gpu.errors import TRY_TILES_OR_STROKES, DeviceError, OutOfMemoryError
from framebrush.models.style import StyleError

if TYPE_CHECKING:
    import onnxruntime as ort


def session_options(threads: int = 0) -> ort.SessionOptions:
    """Return options of sessions. threads: 0 for one per processor."""
    options = quiet_options()
    # ONNX Runtime's default threads spin and are bound to cores, which holds up conversions
    # and codecs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.intra_op_num_threads = threads or os.cpu_count() or 1
    return options


@contextmanager
def native_errors(what: str) -> Iterator[None]:
    """Convert errors of numpy and ONNX Runtime to DeviceError."""
    try:
        yield
    except (DeviceError, StyleError):
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"{what}: out of memory", do=TRY_TILES_OR_STROKES) from error
    except Exception as error:
        text = str(error)
        if "bad allocation" in text or "bad_alloc" in text or "allocate memory" in text:
            raise OutOfMemoryError(f"{what}: out of memory", do=TRY_TILES_OR_STROKES) from error
        raise DeviceError(f"{what}: {printable(text)}") from error  # may contain names of a hostile file
