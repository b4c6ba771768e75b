"""Export in a separate process: python -m framebrush.window.exports.export_worker [FOLDER].

FOLDER holds the window's cached frames, reused if bit-identical. Orders (see `base/child.py`): a `JobSpec`, then
"pause" and "resume". When orders end (cancelled, window closed or crashed), the job ends and keeps its complete
segments.

Reports, twice a second: progress as on the command line, and

- {"preview": last painted frame as JPEG in base64}
- {"message": losses or refusal}
- `error_report`
- {"lost": number of undecodable frames}
- {"refused": "busy" or "kept"}, before the message, if the target belongs to another job

Exit statuses are the command line's.
"""

from __future__ import annotations

import base64
import os
import sys
import threading
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.base import parent, signals
from framebrush.base.remedy import cause_of
from framebrush.base.status import Status
from framebrush.gpu.colour import affine, codes_to_rgb
from framebrush.gpu.errors import DeviceError, error_report
from framebrush.gpu.frame import PlaneOrder
from framebrush.jobs.pipeline import OutputFrame
from framebrush.jobs.progress import json_lines
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import encoded
from framebrush.jobs.transcode import Listener, Progress, ignore
from framebrush.jobs.workers.run import StockOf
from framebrush.jobs.workers.runner import job_runner
from framebrush.media.output_file import discard_unfinished
from framebrush.media.reading.orientation import upright
from framebrush.media.video import BusyOutputError, InputError, KeptOutputError, OutputError, VideoInfo
from framebrush.playback.ahead.cache_keys import disk_cached_frames

OVERDUE_S = 10.0
"""Seconds that a job may take to react to the end of orders, if no window is left to kill it."""

PREVIEW_PX = 160  # twice the width of the picture that a card shows, for dense screens
PREVIEW_S = 2.0


class Control:
    """The window's orders. paused_s: total time in pause."""

    def __init__(self) -> None:
        self.orders: SimpleQueue[Any] = SimpleQueue()
        """Orders that are not commands."""
        self._go = threading.Event()
        self._go.set()
        self._ended = False
        self.paused_s = 0.0
        parent.listen(self._take, self._end)

    def check(self) -> None:
        """Wait while paused. Raise KeyboardInterrupt when orders end."""
        if not self._go.is_set():
            begin = time.perf_counter()
            self._go.wait()
            self.paused_s += time.perf_counter() - begin
        if self._ended:
            raise KeyboardInterrupt

    def _take(self, order: object) -> None:
        match order:
            case "pause":
                self._go.clear()
            case "resume":
                self._go.set()
            case _:
                self.orders.put(order)

    def _end(self) -> None:
        self._ended = True
        self._go.set()
        self.orders.put(None)
        time.sleep(OVERDUE_S)
        end_now()


def small_picture(painted: OutputFrame, info: VideoInfo) -> npt.NDArray[np.uint8]:
    """Subsample to about PREVIEW_PX: (h, w, 3) uint8 R'G'B', upright, square pixels."""
    frame = painted.host
    form, parts = frame.format, []
    step = max(1, form.width // PREVIEW_PX)
    rows, columns = np.arange(0, form.height, step), np.arange(0, form.width, step)
    for number, plane in enumerate(frame.components):
        across, down = form.subsample if number else (0, 0)
        parts.append(form.codes(plane[(rows >> down)[:, None], columns >> across]).astype(np.float64))
    if form.layout is PlaneOrder.GBR:
        parts = [parts[2], parts[0], parts[1]]
    rgb = np.moveaxis(affine(codes_to_rgb(form), np.stack(parts)), 0, -1)
    picture = np.clip(rgb * 255 + 0.5, 0, 255).astype(np.uint8)
    stretched = np.arange(max(1, round(picture.shape[1] * info.sample_aspect))) / float(info.sample_aspect)
    picture = picture[:, np.minimum(stretched.astype(int), picture.shape[1] - 1)]
    return upright(picture, info.orientation)


def export(spec: JobSpec, control: Control, stock_of: StockOf | None) -> int:
    """Run the job and return the exit status. Raises as `run_job`."""
    previewed = 0.0

    def on_frame(painted: OutputFrame, info: VideoInfo) -> None:
        nonlocal previewed
        control.check()
        if time.monotonic() - previewed >= PREVIEW_S:
            previewed = time.monotonic()
            picture = encoded(small_picture(painted, info), "mjpeg", "yuvj444p")
            parent.report({"preview": base64.b64encode(picture).decode()})

    with job_runner(spec, say=ignore, stock_of=stock_of) as run, json_lines(parent.report) as show:

        def on_progress(state: Progress) -> None:
            control.check()  # with several devices, `on_frame` is not called
            show(replace(state, elapsed_s=state.elapsed_s - control.paused_s))

        outcome = run(spec, Listener(progress=on_progress, frame=on_frame, ending=signals.ending))
        show(
            replace(outcome.progress, elapsed_s=outcome.progress.elapsed_s - control.paused_s)
        )  # with the encoder's end
    if outcome.lost:
        parent.report({"lost": outcome.lost})
    elif outcome.status is Status.LOSSES:
        parent.report({"message": "; ".join(loss.text for loss in outcome.losses if loss.incomplete)})
    return int(outcome.status)


def end_now() -> None:
    """Exit even if a library blocks the main thread."""
    if not signals.ending.whole:
        discard_unfinished()
        os._exit(Status.INTERRUPTED)


def main() -> int:
    """Run the export process."""
    control = Control()
    try:
        spec = JobSpec.from_values(control.orders.get())
        try:
            return export(spec, control, partial(disk_cached_frames, Path(sys.argv[1])) if sys.argv[1:] else None)
        except KeyboardInterrupt:
            return Status.INTERRUPTED
    except (BusyOutputError, KeptOutputError) as error:
        parent.report({"refused": "busy" if isinstance(error, BusyOutputError) else "kept"})
        parent.report({"message": cause_of(error)})
        return int(Status.of(error))
    except (InputError, OutputError, DeviceError, ValueError, MemoryError) as error:
        parent.report(error_report(error))
        return int(Status.of(error))


if __name__ == "__main__":
    sys.exit(main())
