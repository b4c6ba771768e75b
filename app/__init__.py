"""Paint video with neural networks.

Importing any part of the package switches ONNX Runtime's telemetry off: some of its wheels otherwise look up a host on
the network and write a device identifier to the user's cache folder. Only the environment is heeded early enough.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from framebrush.painting import paint as paint

__all__ = ["paint"]

os.environ["ORT_DISABLE_TELEMETRY"] = "1"


def __getattr__(name: str) -> object:
    """`paint` when it is first asked for: the command line and the window start without what it needs."""
    if name == "paint":
        from framebrush.painting import paint

        return paint
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
