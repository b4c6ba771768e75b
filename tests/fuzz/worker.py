"""Reusable transcoding process, with JSON lines as jobs and results."""

from __future__ import annotations

import io
import json
import os
import sys
import traceback

if sys.platform != "win32":
    import resource


def main() -> None:
    from framebrush.cli import command_line

    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keep libraries' output out of the answers
    for line in sys.stdin:
        sys.stderr = heard = io.StringIO()
        try:
            status, fault = command_line.run(json.loads(line)), ""
        except BaseException:
            status, fault = -1, traceback.format_exc()
        memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 if sys.platform != "win32" else 0.0
        answer = {"status": status, "fault": fault, "said": heard.getvalue(), "memory_mb": memory_mb}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
