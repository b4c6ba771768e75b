"""Presentation of the picture by a swap chain or by Qt."""

from __future__ import annotations

from PySide6.QtCore import QObject

from framebrush.playback import events
from framebrush.window.overlays import Overlays
from framebrush.window.shared import Shared


class Presentation(QObject):
    """Uses the swap chain of devices that have one."""

    def __init__(self, shared: Shared, overlays: Overlays) -> None:
        super().__init__(shared.session)
        self._session, self._bridge, self._view, self._overlays = shared.session, shared.bridge, shared.view, overlays
        self._ten_bits = shared.actions["ten-bits"]
        self._on_gpu = False
        self._view.native_shown.connect(self._show_native)
        on = shared.session.events.on
        on(events.StyleInUse, lambda _: self._choose_view())
        on(events.DeviceInUse, self._show_device)
        on(events.NotPresented, self._show_not_presented)

    def use_ten_bits(self, on: bool) -> None:
        """Present with 10 bits, or 8."""
        self._bridge.ten_bits = on
        self._session.player.renew_surface()

    def _show_native(self, on: bool) -> None:
        self._bridge.window_shown = on
        if on:
            self._session.player.attach()

    def _show_device(self, used: events.DeviceInUse) -> None:
        self._present_on_gpu(self._bridge.presents(used.info))
        self._overlays.statistics.show_device(used, self._bridge.unable.get(used.info, ""))
        self._view.follow()

    def _show_not_presented(self, event: events.NotPresented) -> None:
        self._overlays.statistics.show_way(event.reason)
        self._present_on_gpu(False)

    def _present_on_gpu(self, on: bool) -> None:
        self._on_gpu = on
        self._choose_view()
        self._ten_bits.setEnabled(on)
        self._overlays.float_over(on)

    def _choose_view(self) -> None:
        # without a style the swap chain would be black over the film
        self._view.present_on_gpu(self._on_gpu and self._session.style_in_use is not None)
