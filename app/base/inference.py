"""Silent ONNX Runtime sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnxruntime as ort

FATAL = 4
"""Severity of ONNX Runtime at which only the process's end is printed."""


def quiet_options() -> ort.SessionOptions:
    """Return options without logs, which hold hostile names."""
    import onnxruntime as ort

    ort.set_default_logger_severity(FATAL)
    return ort.SessionOptions()
