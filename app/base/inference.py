"""ONNX Runtime, which every part of the program opens its sessions with, and in silence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnxruntime as ort

FATAL = 4
"""ONNX Runtime's severity at which nothing is printed that is not the end of the process."""


def quiet_options() -> ort.SessionOptions:
    """Options of any session. Errors are raised, and nothing is printed beside them: what is logged may hold the names
    of a hostile file, which could steer a terminal.

    The default logger, which is the process's, writes what is said where there is no session. ONNX Runtime is imported
    here: loading it takes time.
    """
    import onnxruntime as ort

    ort.set_default_logger_severity(FATAL)
    options = ort.SessionOptions()
    options.log_severity_level = FATAL
    return options
