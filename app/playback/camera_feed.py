"""Virtual camera for painted frames; late ones are dropped."""

from __future__ import annotations

from framebrush.base.remedy import cause_of
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.base.worker_thread import LatestWorker
from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import Size
from framebrush.media.live.virtual_camera import VirtualCamera
from framebrush.media.video import OutputError, VideoInfo
from framebrush.playback import events
from framebrush.playback.display.screen import Emit
from framebrush.playback.recorder import convert

SENT_TO = QT_TRANSLATE_NOOP("Player", "Other programs find the painted picture in the camera {camera}")
NOT_SENT = QT_TRANSLATE_NOOP("Player", "The virtual camera failed: {reason}")


class CameraFeed(LatestWorker[Frame]):
    """Virtual camera for RGBA8 frames; `join` awaits its release."""

    def __init__(self, info: VideoInfo, size: Size, emit: Emit, former: CameraFeed | None = None) -> None:
        """Open. emit: called in its thread. former: feed to wait for."""
        self._rate, self._size, self._emit = info.rate, (max(2, size[0] & ~1), max(2, size[1] & ~1)), emit
        self._former = former
        super().__init__("virtual camera")

    @property
    def running(self) -> bool:
        """Whether it still takes pictures."""
        return self.thread.is_alive() and not self._ended

    def _run(self) -> None:
        former, self._former = self._former, None
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
                for frame in self._requests():
                    convert(frame, camera.frame)
                    camera.send()
        except OutputError as error:
            self._emit(events.Notification.of(NOT_SENT, error, reason=cause_of(error)))
        finally:
            self._emit(events.CameraFeeding(False))
