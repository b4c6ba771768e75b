"""Process that paints a film in export quality, frame by frame.

Requests (see `base/child.py`) and answers:

- {"open": `Order`}: {"method": `Stylizer.method`}
- {"frame": number}: {"number", "pts", "duration"} and planes, or {"end": true}
- {"rest": true}: close film and network; {}
- {"stop": true}: cancel earlier requests; no answer

Other answers: `error_report`, {"stopped": true}.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import Any

from framebrush.base import parent
from framebrush.base.json_values import from_values
from framebrush.base.prefetch import Prefetcher
from framebrush.base.priority import give_way
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceError, error_report
from framebrush.gpu.frame import FrameFormat
from framebrush.jobs.job_shots import find_shots
from framebrush.jobs.pipeline import OutputFrame, Pipeline
from framebrush.jobs.prepare import job_pipeline, job_sizes, open_job_source, open_job_style
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore
from framebrush.media.video import InputError, Position, RangeError, TimeRange, VideoFrame
from framebrush.models.style import StyleError
from framebrush.playback.ahead.cache_keys import render_format
from framebrush.styles.shot_styles import Shot
from framebrush.styles.style_names import OpenedStyle

DECODED_AHEAD = 2  # so that the decoder works while a frame is painted


@dataclass(frozen=True, slots=True)
class Order:
    """Order for painting ahead. spec: an export's. opening: counts openings."""

    spec: JobSpec
    form: FrameFormat
    opening: int
    device: str
    kind: str
    name: str


class StoppedError(Exception):
    """Cancelled request."""


class FilmPainter:
    """Film in one style and look on one device."""

    def __init__(self, check: Callable[[], None]) -> None:
        self._check = check
        self._device: Device | None = None
        self._pipeline: Pipeline | None = None
        self._spec: JobSpec | None = None
        self._style: OpenedStyle | None = None
        self._shots: tuple[object, tuple[Shot, ...]] | None = None  # the latest shots, and their job
        self._run: Generator[OutputFrame] | None = None
        self._coming = 0  # the frame that the run will produce next

    def open(self, order: Order) -> str:
        """Open an order; return the `Stylizer.method`.

        Raises InputError, StyleError, DeviceError, OSError.
        """
        self.rest()
        device, spec = self._open_device(order), order.spec
        style = open_job_style(spec, ignore)
        with open_job_source(spec) as source:
            info = source.info
        if render_format(spec, info, style) != order.form:
            raise InputError(f"{spec.source} has changed since it was opened")
        sizes = job_sizes(spec.sizes, info.format, style.style)
        of = (order.opening, style.digest, sizes, spec.look.at_convert)
        if self._shots is None or self._shots[0] != of:
            self._shots = of, find_shots(spec, style, sizes, ignore, self._check)
        shots = self._shots[1]
        self._spec, self._style = spec, style
        self._pipeline = job_pipeline(spec, style, device, info, order.form, sizes, shots=shots)
        method = self._pipeline.stylizer.method
        if method is None:
            self.rest()
            raise DeviceError("another engine may paint an export")
        return method

    def frame(self, number: int) -> OutputFrame | None:
        """Return a frame, or the next; None at the end. Raises InputError, DeviceError."""
        if self._run is None or self._coming != number:
            self._end_run()
            self._run = self._frames_from(number)
        painted = None
        with suppress(RangeError):
            painted = next(self._run, None)
        if painted is None or painted.number < number:
            self._end_run()
            return None
        self._coming = painted.number + 1
        return painted

    def rest(self) -> None:
        """Close film and network."""
        pipeline, self._pipeline = self._pipeline, None
        with suppress(DeviceError):
            self._end_run()
            if pipeline is not None:
                pipeline.close()

    def close(self) -> None:
        self.rest()
        device, self._device = self._device, None
        if device is not None:
            with suppress(DeviceError):
                device.close()

    def _open_device(self, order: Order) -> Device:
        if self._device is None or self._device.info.address != order.device:
            self.close()
            self._device = open_device(order.device)
        info = self._device.info
        if (info.kind, info.name) != (order.kind, order.name):
            raise DeviceError(f"{order.name} cannot be opened a second time")
        return self._device

    def _frames_from(self, first: int) -> Generator[OutputFrame]:
        assert self._spec is not None
        assert self._pipeline is not None
        spec = replace(self._spec, range=TimeRange(Position.of_frame(first)))
        with (
            open_job_source(spec, style=self._style) as source,
            Prefetcher(source, depth=DECODED_AHEAD, name="decode ahead") as decoded,
        ):
            yield from self._pipeline.frames(self._checked(decoded))

    def _checked(self, decoded: Iterable[VideoFrame]) -> Iterator[VideoFrame]:
        for frame in decoded:
            self._check()
            yield frame

    def _end_run(self) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.close()


class Requests:
    """Requests, received in a thread."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[tuple[int, dict[str, Any]]] = SimpleQueue()
        self._current = self._stopped = 0  # numbers of requests: the one in work, and the last one that was given up
        self._number = 0  # of the latest one
        parent.listen(self._take)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        while True:
            self._current, request = self._queue.get()
            yield request

    def check(self) -> None:
        """Raise StoppedError if the request was cancelled."""
        if self._current <= self._stopped:
            raise StoppedError

    def _take(self, request: dict[str, Any]) -> None:
        if "stop" in request:
            self._stopped = self._number
        else:
            self._number += 1
            self._queue.put((self._number, request))


def answer(painter: FilmPainter, request: dict[str, Any]) -> None:
    """Answer a request."""
    painted: OutputFrame | None = None
    said: dict[str, Any] = {}
    try:
        if "open" in request:
            said = {"method": painter.open(from_values(Order, request["open"], "order"))}
        elif "frame" in request:
            painted = painter.frame(request["frame"])
            said = {"end": True}
            if painted is not None:
                said = {"number": painted.number, "pts": painted.pts, "duration": painted.duration}
        else:
            painter.rest()
    except StoppedError:
        painter.rest()
        said = {"stopped": True}
    except (InputError, StyleError, DeviceError, OSError, MemoryError) as error:
        painter.close()
        said = error_report(error)
    parent.report(said, *(plane.data for plane in painted.host.planes) if painted is not None else ())


def main() -> None:
    """Run the process."""
    give_way(int(sys.argv[1]))
    requests = Requests()
    painter = FilmPainter(requests.check)
    for request in requests:
        answer(painter, request)


if __name__ == "__main__":
    main()
