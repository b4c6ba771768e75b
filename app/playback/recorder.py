"""Recording of the painted picture, without delaying playback.

Another process finds the encoder, since drivers load with Python's GIL held.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace

from framebrush.base.text import first_line
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.frame import Frame, Matrix, PlaneOrder, nv12, rgba8
from framebrush.gpu.sizes import Size
from framebrush.media.containers import container_for
from framebrush.media.encoding.encoder_worker import find_encoder
from framebrush.media.encoding.pixels import name_of
from framebrush.media.ffmpeg_planes import Planes
from framebrush.media.live.live_sound import LiveSound
from framebrush.media.video import ColourTags, TimeRange, VideoInfo
from framebrush.media.writing.file_writer import Writer
from framebrush.media.writing.output_plan import OutputOptions, OutputPlan, plan_output, plan_recording
from framebrush.playback import events
from framebrush.playback.display.screen import Emit

QUEUED = 8
"""How many frames may wait for the encoder; any more are dropped."""

PRESET = "veryfast"  # a software encoder shares the processor with the painting that it records
BT709 = ColourTags(primaries=1, transfer=1, matrix=1)

RECORDED = QT_TRANSLATE_NOOP("Player", "Recorded as {path}")
FRAMES_MISSING = QT_TRANSLATE_NOOP("Player", "Recorded as {path}. The encoder was too slow; missing frames: {number}.")
NOT_RECORDED = QT_TRANSLATE_NOOP("Player", "The recording failed: {reason}")


class Recorder:
    """Recording, for the player's thread."""

    def __init__(self, info: VideoInfo, size: Size, target: Path, sound: LiveSound | None, emit: Emit) -> None:
        """Start recording to a new file.

        info: with the painted aspect. emit: called in the recorder's thread.
        """
        self._info = replace(info, format=rgba8(*size), tags=BT709)
        self._target, self._sound, self._emit = target, sound, emit
        self._queue: queue.SimpleQueue[tuple[Frame, int] | None] = queue.SimpleQueue()
        self._missing = 0
        self._reporting = threading.Lock()
        self._over = False  # reported as ended: nothing that this recording reports later may say otherwise
        self._first_pts: int | None = None
        self.opened = threading.Event()
        """Set once frames are accepted: earlier ones are not recorded."""
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it still takes frames."""
        return not self._over

    def put(self, frame: Frame, pts: int) -> None:
        """Record an RGBA8 frame. pts: in source ticks."""
        if not self.opened.is_set():
            self._report(events.Recording(True))
            return
        if self._first_pts is None:
            self._first_pts = pts
        if self._queue.qsize() < QUEUED:
            self._queue.put((frame, pts))
        else:
            self._missing += 1
        self._report(events.Recording(True, float((pts - self._first_pts) * self._info.time_base)))

    def end(self) -> None:
        """Complete the file, without waiting."""
        self._queue.put(None)
        self._report(events.Recording(False))

    def join(self) -> None:
        """Wait for the file, after `end`."""
        self._thread.join()

    def _report(self, state: events.Recording) -> None:
        with self._reporting:
            if not self._over:
                self._over = not state.on
                self._emit(state)

    def _run(self) -> None:
        try:
            plan = self._plan()
            with Writer(plan) as writer:
                self.opened.set()
                while (item := self._queue.get()) is not None:
                    into = writer.allocate()
                    assert isinstance(into, Frame)
                    convert(item[0], into)
                    writer.write(into, item[1], 0)
                path = str(writer.finish().path)
            number = str(self._missing)
            template, values = (FRAMES_MISSING, {"number": number}) if self._missing else (RECORDED, {})
            text = template.format(path=path, **values)
            self._emit(events.Notification(text, template=template, values={"path": path, **values}))
        except Exception as error:  # of the disk or the encoder, or a bug of ours: playback continues
            self._report(events.Recording(False))
            self._emit(events.Notification.of(NOT_RECORDED, error, reason=first_line(error)))

    def _plan(self) -> OutputPlan:
        width, height = self._info.format.size
        frames = nv12(width, height)
        encoder = find_encoder("auto", container_for(self._target), (width, height), name_of(frames), False)
        options = OutputOptions(codec=encoder.name, preset=PRESET if PRESET in encoder.presets else None)
        plan = plan_output(self._info, self._target, options, frames, TimeRange())
        return plan_recording(plan, self._sound, "copy")


def convert(painted: Frame, into: Frame) -> None:
    """Convert RGBA8 to limited-range 8-bit 4:2:0."""
    (rgba,) = painted.planes
    picture = av.VideoFrame.from_ndarray(np.ascontiguousarray(rgba, np.uint8), "rgba")
    coded = picture.reformat(
        into.format.width,
        into.format.height,
        "nv12" if into.format.layout is PlaneOrder.SEMI_PLANAR else "yuv420p",
        dst_colorspace=Colorspace.ITU601 if into.format.matrix is Matrix.BT601 else Colorspace.ITU709,
        src_color_range=ColorRange.JPEG,
        dst_color_range=ColorRange.MPEG,
    )
    wrapped = Planes(coded, "rawvideo").wrap(coded)
    assert isinstance(wrapped, Frame)
    for own, given in zip(into.planes, wrapped.planes, strict=True):
        np.copyto(own, given)
