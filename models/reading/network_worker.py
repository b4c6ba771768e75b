"""The process that reads a third-party network: python -P -m framebrush.models.reading.network_worker.

`models.load` runs it.

A request of JSON comes on standard input: {"path": ..., "overrides": {...}} with "memory_bytes", "processor_s" and
"time_s", the limits. The answer goes to standard output: one line of JSON, {"error": ...} or {"card": {...}}, after a
card the bytes of the canonical network.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from pathlib import Path
from typing import Any

from framebrush.models.reading.limits import limit_process


def main() -> None:
    """Answer one request."""
    # Libraries that print must not write between the answer's bytes.
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    request = json.load(sys.stdin)
    path = Path(request["path"])
    faulthandler.dump_traceback_later(request["time_s"], exit=True)
    limit_process(request["memory_bytes"], request["processor_s"])

    from framebrush.models.model_card import card_to_json
    from framebrush.models.preprocessing import PreprocessingOverrides
    from framebrush.models.reading.convert import make_style
    from framebrush.models.reading.read_onnx import read_model
    from framebrush.models.style import StyleError

    said: dict[str, Any] = request["overrides"]
    for key in ("mean", "std"):
        said[key] = said[key] and tuple(said[key])
    try:
        style = make_style(read_model(path), path.stem, overrides=PreprocessingOverrides(**said), label=str(path))
        head: dict[str, Any] = {"card": card_to_json(style.card)}
        model = style.model
    except StyleError as error:
        head, model = {"error": str(error)}, b""
    except MemoryError:
        head, model = {"error": f"{path}: it takes too much memory to read; refused"}, b""
    answer.write(json.dumps(head).encode() + b"\n" + model)
    answer.flush()
    os._exit(0)  # nothing is left to do, and a hostile network may hang at the end of its session


if __name__ == "__main__":
    main()
