"""Bridge from the player's thread to the window's."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from framebrush.base.text import printable
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.device import Device, DeviceInfo
from framebrush.gpu.errors import DeviceError, DeviceLostError, NoWindowError
from framebrush.gpu.frame import Frame
from framebrush.gpu.surface import NativeWindow, Surface, View, Viewport
from framebrush.media.video import VideoInfo
from framebrush.playback.events import Notification, NotPresented
from framebrush.window.picture.composing import Composed, compose, in_square_pixels
from framebrush.window.widgets.images import save_whole

EIGHT_BITS = QT_TRANSLATE_NOOP("Player", "This display does not support 10 bits per colour; 8 bits are used.")


def save_picture(frame: Frame, info: VideoInfo, path: Path) -> Path:
    """Save an RGBA8 frame upright with square pixels; return the file's path.

    A number is added to a taken name. Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    names = (path.with_stem(path.stem + tail) for tail in chain([""], (f"-{number}" for number in count(2))))
    path = next(name for name in names if not name.exists())
    save_whole(in_square_pixels(cast("npt.NDArray[np.uint8]", frame.planes[0]), info), path, new=True)
    return path


class PictureBox(QObject):
    """Holds the latest picture; a busy window skips older ones."""

    fresh = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._image: Composed | None = None
        self.info: VideoInfo | None = None
        self.watch: Callable[[npt.NDArray[np.uint8], VideoInfo], None] | None = None
        """If set, called in the player's thread with each picture as it arrives."""
        self.size_px = (0, 0)
        self.viewport = Viewport()

    def put(self, picture: npt.NDArray[np.uint8]) -> None:
        """Scale and store RGBA (H, W, 4) or a pair (2, H, W, 4), in the player's thread."""
        info, size, viewport, watch = self.info, self.size_px, self.viewport, self.watch
        if info is None or min(size) < 1:
            return
        if watch is not None:
            watch(picture, info)
        composed = compose(picture, info, size, viewport)
        with self._lock:
            waiting, self._image = self._image is not None, composed
        if not waiting:
            with suppress(RuntimeError):  # Qt has ended, as with a display that died
                self.fresh.emit()

    def latest(self) -> Composed | None:
        """Return the latest picture, once, in the window's thread."""
        with self._lock:
            image, self._image = self._image, None
        return image


class Bridge(QObject):
    """Callbacks of the player, called in its thread."""

    event_posted = Signal(object)
    copied = Signal(QImage)

    def __init__(self, window: NativeWindow | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.window = window
        self.window_shown = self.ten_bits = False
        self.unable: dict[DeviceInfo, str] = {}
        """Devices that cannot present to the native window, with their error messages."""
        self.box = PictureBox(self)

    def copy_picture(self, frame: Frame, info: VideoInfo, _: int) -> None:
        """Copy an RGBA8 frame to the clipboard, upright with square pixels."""
        self.copied.emit(in_square_pixels(cast("npt.NDArray[np.uint8]", frame.planes[0]), info))

    def post_event(self, event: object) -> None:
        """Forward an event to the window's thread, unless Qt has ended."""
        with suppress(RuntimeError):
            self.event_posted.emit(event)

    def presents(self, info: DeviceInfo) -> bool:
        """Return whether a device can present to the native window."""
        return info.shows_in(self.window) and info not in self.unable

    def make_surface(self, device: Device) -> Surface | None:
        """Create a surface on the native window, once shown, or on the picture box."""
        in_window = self.presents(device.info)
        if in_window and not self.window_shown:
            return None
        width, height = (max(1, length) for length in self.box.size_px)
        view = View(width, height, self.window if in_window else None, self.box.put)
        try:
            return self._surface(device, view)
        except NoWindowError as error:
            self.unable[device.info] = reason = printable(str(error))
            self.post_event(NotPresented(reason))
            return device.surface(replace(view, window=None))

    def _surface(self, device: Device, view: View) -> Surface:
        if self.ten_bits and view.window is not None:
            try:
                return device.surface(replace(view, bits=10))
            except (DeviceLostError, NoWindowError):
                raise
            except DeviceError as error:
                self.post_event(Notification.of(EIGHT_BITS, error))
        return device.surface(view)
