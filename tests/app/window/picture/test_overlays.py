"""Overlays on the picture: in the view, and in a separate window as over a swap chain."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor

from framebrush.playback.events import Notification
from framebrush.window.picture.overlay import Overlay
from framebrush.window.widgets import theme
from tests.app.window.conftest import Desk

pytestmark = pytest.mark.media


def ground(overlay: Overlay) -> QColor:
    """The colour between its upper edge and its text."""
    image = overlay.grab().toImage()
    return image.pixelColor(24, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["light", "dark"])
def test_an_overlay_has_its_background_wherever_it_is(desk: Desk, name: theme.Theme) -> None:
    window = desk.window
    window.preferences.use("theme", name)
    window.messages.show_notification(Notification("A problem.", severity="problem"))
    window.notes.say("100 %", stays=True)
    for over in (True, False, True):
        for overlay in (window.messages, window.notes):
            overlay.float_over(over)
            desk.rest(0.05)
        for overlay in (window.messages, window.notes):
            assert ground(overlay) == QColor(theme.colours(name).raised)


def test_an_overlay_goes_and_comes_with_its_window(desk: Desk) -> None:
    window = desk.window
    window.notes.say("100 %", stays=True)
    window.notes.float_over(True)
    for overlay, there in ((window.notes, True), (window.messages, False)):
        window.showMinimized()
        assert not overlay.isVisible()
        window.showNormal()
        assert overlay.isVisible() == there


def read(item: QAccessibleInterface) -> Iterator[str]:
    """Yield the visible texts that a screen reader finds, depth first."""
    if not item.state().invisible:  # type: ignore[attr-defined]
        yield item.text(QAccessible.Text.Name)
        for number in range(item.childCount()):
            yield from read(item.child(number))


def test_a_screen_reader_finds_what_lies_over_the_picture(desk: Desk) -> None:
    window = desk.window
    desk.open("cfr.mp4")
    window.messages.show_notification(Notification("A message."))
    window.notes.say("100 %", stays=True)
    found = list(read(QAccessible.queryAccessibleInterface(window)))
    assert {"A message.", "100 %"} <= set(found)
    window.notes.hide()
    assert "100 %" not in list(read(QAccessible.queryAccessibleInterface(window)))
