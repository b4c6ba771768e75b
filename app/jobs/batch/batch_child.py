"""Process for a batch's jobs, run by `BatchProcess`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any

from framebrush.base import parent, signals
from framebrush.base.loading import loading
from framebrush.base.status import Status

if TYPE_CHECKING:
    from framebrush.jobs.transcode import Progress

PERIOD_S = 0.2
"""Interval of progress reports."""

_loading = True


def _end() -> None:
    if _loading:
        os._exit(Status.INTERRUPTED)
    signals.request_end()


def main() -> int:
    """Run the process."""
    global _loading
    orders: SimpleQueue[Any] = SimpleQueue()
    parent.listen(orders.put, _end)
    with loading():
        from framebrush.base.json_values import from_values, to_values
        from framebrush.base.seldom import Seldom
        from framebrush.base.text import first_line
        from framebrush.gpu.device import Diagnosis
        from framebrush.jobs.batch.results import FAILURES, do_one
        from framebrush.jobs.spec import JobSpec
        from framebrush.jobs.transcode import Listener
        from framebrush.jobs.workers.runner import Cluster, job_runner
        from framebrush.media.output_file import discard_unfinished

    def message(text: str) -> None:
        parent.report({"message": text})

    def end_at_once() -> None:
        discard_unfinished()
        parent.report({"kept": signals.ending.kept})

    signals.install()
    signals.loaded(end_at_once, speaks=False)
    _loading = False
    try:
        settings = orders.get()
        debug, timing, dump, markers = settings["diagnosis"]
        cluster = None if settings["cluster"] is None else from_values(Cluster, settings["cluster"], "cluster")
        job = JobSpec.from_values(settings["job"])
        diagnosis = Diagnosis(debug, timing, None if dump is None else Path(dump), markers)
        try:
            with job_runner(job, diagnosis, message, cluster=cluster) as run:
                parent.report({"ready": True})
                while True:
                    order, shown = orders.get(), Seldom(PERIOD_S)

                    def on_progress(state: Progress, shown: Seldom = shown) -> None:
                        if shown.due():
                            parent.report({"progress": to_values(state)})

                    result = do_one(
                        JobSpec.from_values(order["job"]),
                        run,
                        Listener(message, on_progress, ending=signals.ending),
                        restart=settings["restart"],
                        made_here=order["made_here"],
                    )
                    signals.ending.whole = False
                    parent.report({"result": to_values(result)})
        except FAILURES as error:
            parent.report({"failed": first_line(error)})
            return 1
    except KeyboardInterrupt:
        parent.report({"kept": signals.ending.kept})
        return Status.INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
