"""Process that reads a third-party network.

Order: "path", "overrides", "memory_bytes", "processor_s", "time_s". Report: "error", or "card" and "bytes" before the
network.
"""

from __future__ import annotations

import faulthandler
import os
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.models.reading.limits import limit_process


def main() -> None:
    orders: SimpleQueue[dict[str, Any]] = SimpleQueue()
    parent.listen(orders.put, lambda: os._exit(0))
    request = orders.get()
    path = Path(request["path"])
    faulthandler.dump_traceback_later(request["time_s"], exit=True)
    limit_process(request["memory_bytes"], request["processor_s"])

    from framebrush.base.json_values import from_values, to_values
    from framebrush.models.preprocessing import PreprocessingOverrides
    from framebrush.models.reading.read_onnx import read_model
    from framebrush.models.reading.style_conversion import make_style
    from framebrush.models.style import StyleError

    overrides = from_values(PreprocessingOverrides, request["overrides"], "overrides")
    try:
        style = make_style(read_model(path), path.stem, overrides=overrides, label=str(path))
        parent.report({"card": to_values(style.card), "bytes": len(style.model)}, style.model)
    except StyleError as error:
        parent.report({"error": str(error)})
    except MemoryError:
        parent.report({"error": f"{path}: it takes too much memory to read; refused"})
    os._exit(0)  # a hostile network may hang at the end of its session


if __name__ == "__main__":
    main()
