"""ONNX Runtime options for CPU analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framebrush.base.inference import quiet_options

if TYPE_CHECKING:
    import onnxruntime as ort


def session_options() -> ort.SessionOptions:
    options = quiet_options()
    # spinning threads take cores from other work, and from the time limit
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
