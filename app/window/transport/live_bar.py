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
    """A badge, the name of the source, the record button and the length of the recording."""

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
        self.button = QToolButton()
        self.button.setDefaultAction(actions["record"])
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE)
        row.addWidget(self._badge, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.source, 1)
        row.addWidget(self.elapsed)
        row.addWidget(self.button)
        self.show_recording(events.Recording(False))

    def show_source(self, name: str) -> None:
        """Show the name of the source."""
        self.source.setText(name)
        self.source.setToolTip(name)

    def show_recording(self, recording: events.Recording) -> None:
        """Show the length of the recording, once its encoder is open."""
        self.elapsed.setText(clock(recording.seconds, precise=False) if recording.seconds else "")
