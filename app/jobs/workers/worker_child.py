"""Process that paints segments on one device.

Orders are segment lists, reports `dispatch.Report`s.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, NoReturn

from framebrush.base import parent
from framebrush.base.loading import loading
from framebrush.base.status import Status

if TYPE_CHECKING:
    from framebrush.jobs.segments.segment_plan import Segment
    from framebrush.jobs.transcode import Progress

PERIOD_S = 0.3  # frames may come by hundreds a second


def _end() -> NoReturn:
    if (files := sys.modules.get("framebrush.media.output_file")) is not None:
        getattr(files, "discard_unfinished", lambda: None)()
    os._exit(Status.INTERRUPTED)


def main() -> int:
    """Run the process."""
    orders: SimpleQueue[Any] = SimpleQueue()
    parent.listen(orders.put, _end)
    with loading():
        from framebrush.base.json_values import from_values
        from framebrush.base.remedy import cause_of
        from framebrush.base.seldom import Seldom
        from framebrush.gpu.errors import DeviceError
        from framebrush.jobs.segments.job_folder import JobFolder
        from framebrush.jobs.segments.segment_plan import Segment
        from framebrush.jobs.transcode import Listener
        from framebrush.jobs.workers.segment_painter import segment_painter
        from framebrush.media.video import DiskFullError, InputError, OutputError
    shown = Seldom(PERIOD_S)

    def on_progress(state: Progress) -> None:
        if shown.due():
            parent.report({"kind": "progress", "frames": state.frames, "size_bytes": state.size_bytes})

    def on_part(part: Segment) -> None:
        whole = folder.unpainted_rest(folder.journal.segments[part.number]) is None
        parent.report({"kind": "whole" if whole else "part", "number": part.number})

    try:
        folder = JobFolder.read(Path(sys.argv[1]))
        listener = Listener(lambda text: parent.report({"kind": "message", "text": text}), on_progress)
        with segment_painter(folder, sys.argv[2], listener) as paint:
            parent.report({"kind": "ready"})
            while True:
                run = from_values(tuple[Segment, ...], orders.get(), "run")
                paint(list(run), on_segment=on_part)
                parent.report({"kind": "ready"})
    except DeviceError as error:
        parent.report({"kind": "gone", "text": error.cause, "do": error.do})
    except (InputError, DiskFullError, OutputError, ValueError, OSError) as error:
        what = "input" if isinstance(error, InputError) else "disk" if isinstance(error, DiskFullError) else "output"
        parent.report({"kind": "failed", "what": what, "text": cause_of(error), "do": getattr(error, "do", "")})
    return 1


if __name__ == "__main__":
    sys.exit(main())
