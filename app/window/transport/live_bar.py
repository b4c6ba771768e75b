"""What the transport shows for a live source in place of the seek bar: that it is live, and the recording."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from framebrush.playback import events
from framebrush.window.actions import Actions
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.controls import plain
from framebrush.window.widgets.theme import SPACE


class LiveBar(QWidget):
    """A badge, the name of the source, the length of the recording, and the buttons for it and the virtual camera."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._badge = QLabel(self.tr("LIVE"))
        self._badge.setObjectName("live")
        self.source = plain()
        self.source.setObjectName("faint")
        self.source.setMinimumWidth(1)  # so that a long name is cut instead of widening the window
        self.elapsed = QLabel()
        self.elapsed.setAccessibleName(self.tr("Recorded so far"))
        self.elapsed.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.button, self.feed = (_button(actions, name) for name in ("record", "virtual-camera"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.source, 1)
        row.addWidget(self.elapsed)
        row.addWidget(self.button)
        row.addWidget(self.feed)
        self.show_recording(events.Recording(False))

    def show_source(self, name: str) -> None:
        """Show the name of the source."""
        self.source.setText(name)
        self.source.setToolTip(name)

    def show_recording(self, recording: events.Recording) -> None:
        """Show the length of the recording, once its encoder is open."""
        self.elapsed.setText(clock(recording.seconds, precise=False) if recording.seconds else "")


def _button(actions: Actions, name: str) -> QToolButton:
    button = QToolButton()
    button.setDefaultAction(actions[name])
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAutoRaise(True)
    return button
