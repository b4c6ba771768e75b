"""Transport of a live source."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from framebrush.playback import events
from framebrush.window.state.actions import Actions
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import FileName, tool_button
from framebrush.window.widgets.theme import SPACE


class LiveBar(QWidget):
    """Badge, name, and buttons in place of the seek bar."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self.setObjectName("livebar")
        badge = QLabel(self.tr("LIVE"))
        badge.setObjectName("live")
        badge.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.source = FileName("", "")
        self.source.setObjectName("faint")
        self.elapsed = QLabel()
        self.elapsed.setAccessibleName(self.tr("Recorded so far"))
        self.button, self.feed = (_button(actions, name) for name in ("record", "virtual-camera"))
        parts = badge, self.source, self.elapsed, self.button, self.feed
        fill(QHBoxLayout(self), *parts, around=0, between=SPACE, grows=self.source)
        self._has_words = True
        self.show_recording(events.Recording(False))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return super().minimumSizeHint() - QSize(self._words_px if self._has_words else 0, 0)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        self._has_words = event.size().width() >= self.minimumSizeHint().width() + self._words_px
        words, icons = Qt.ToolButtonStyle.ToolButtonTextBesideIcon, Qt.ToolButtonStyle.ToolButtonIconOnly
        for button in (self.button, self.feed):
            button.setToolButtonStyle(words if self._has_words else icons)

    @property
    def _words_px(self) -> int:
        buttons = self.button, self.feed
        return sum(each.fontMetrics().horizontalAdvance(f" {each.text()} ") + SPACE // 2 for each in buttons)

    def show_source(self, name: str) -> None:
        self.source.setText(name)
        self.source.setToolTip(name)

    def show_recording(self, recording: events.Recording) -> None:
        """Show the length of the recording."""
        self.elapsed.setText(clock(recording.seconds, precise=False) if recording.seconds else "")


def _button(actions: Actions, name: str) -> QToolButton:
    button = tool_button(actions[name])
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setAutoRaise(True)
    return button
