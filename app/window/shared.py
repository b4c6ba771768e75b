"""Parts of a window that many others need."""

from __future__ import annotations

from dataclasses import dataclass

from framebrush.window.picture.bridge import Bridge
from framebrush.window.picture.notes import Notes
from framebrush.window.picture.picture_messages import MessageBar
from framebrush.window.picture.view import VideoView
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.widgets.file_dialogs import Files


@dataclass(frozen=True, slots=True)
class Shared:
    """Session, actions, picture and messages."""

    session: Session
    actions: Actions
    files: Files
    bridge: Bridge
    view: VideoView
    messages: MessageBar
    notes: Notes
