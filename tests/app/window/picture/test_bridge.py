"""The bridge from the player's thread to the window's."""

from __future__ import annotations

import shiboken6
from PySide6.QtWidgets import QApplication

from framebrush.window.picture.bridge import Bridge


def test_events_after_the_end_of_qt_are_dropped(application: QApplication) -> None:
    """As where the display has died, which takes the window along."""
    assert application is not None
    bridge = Bridge(None)
    told: list[object] = []
    bridge.event_posted.connect(told.append)
    bridge.post_event("shown")
    assert told == ["shown"]
    shiboken6.delete(bridge)
    bridge.post_event("late")
    assert told == ["shown"]
