"""What is painted of a live source, to a virtual camera: the newest picture wins."""

from __future__ import annotations

import threading

from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import Size
from framebrush.media.live.virtual_camera import VirtualCamera
from framebrush.media.video import OutputError, VideoInfo
from framebrush.playback import events
from framebrush.playback.display.screen import Emit
from framebrush.playback.events import QT_TRANSLATE_NOOP
from framebrush.playback.recorder import convert

SENT_TO = QT_TRANSLATE_NOOP("Player", "Other programs find the painted picture in the camera {camera}")
NOT_SENT = QT_TRANSLATE_NOOP("Player", "The virtual camera failed: {reason}")


class CameraFeed:
    """An open virtual camera, or one that is being opened. Its methods are called from the player's thread."""

    def __init__(self, info: VideoInfo, size: Size, emit: Emit, former: CameraFeed | None = None) -> None:
        """info: of the source. size: of the painted frames. emit: called in the feed's thread. former: the feed before,
        which has ended or will: this one waits until the camera is released, and has the last word."""
        self._rate, self._size, self._emit = info.rate, (max(2, size[0] & ~1), max(2, size[1] & ~1)), emit
        self._state = threading.Condition()
        self._newest: Frame | None = None
        self._ended = False
        self._thread = threading.Thread(target=self._run, args=(former,), name="virtual camera", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        """Whether it takes pictures: it has neither failed nor ended."""
        return self._thread.is_alive() and not self._ended

    def put(self, frame: Frame) -> None:
        """Show a painted frame, RGBA8."""
        with self._state:
            self._newest = frame
            self._state.notify()

    def end(self) -> None:
        """Let go of the camera, without waiting for it. Idempotent."""
        with self._state:
            self._ended = True
            self._state.notify()

    def join(self) -> None:
        """Wait until the camera is released, after `end`, by those before as well."""
        self._thread.join()

    def _run(self, former: CameraFeed | None) -> None:
        if former is not None:
            former.join()
        if self._ended:
            return
        self._emit(events.CameraFeeding(True))
        try:
            with VirtualCamera(self._size, self._rate) as camera:
                values = {"camera": camera.name}
                text = SENT_TO.format(**values)
                self._emit(events.Notification(text, template=SENT_TO, values=values))
                while (frame := self._next()) is not None:
                    convert(frame, camera.frame)
                    camera.send()
        except OutputError as error:
            self._emit(events.Notification.of(NOT_SENT, error, reason=str(error)))
        finally:
            self._emit(events.CameraFeeding(False))

    def _next(self) -> Frame | None:
        """The newest frame that was not shown yet; None at the end."""
        with self._state:
            self._state.wait_for(lambda: self._newest is not None or self._ended)
            frame, self._newest = self._newest, None
            return None if self._ended else frame
