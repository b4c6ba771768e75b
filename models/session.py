"""How a network is run on the processor to look at it, when it is read or made; devices have sessions of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from framebrush.base.inference import quiet_options

if TYPE_CHECKING:
    import onnxruntime as ort


def session_options() -> ort.SessionOptions:
    """Options of such a session."""
    options = quiet_options()
    # Threads that spin between runs take a core each from those that work, and of the time that reading may take.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options
