"""Debounce timer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class Debounce(QTimer):
    """Calls a function once, after no restart for a while."""

    def __init__(self, after_ms: int, call: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent, singleShot=True, interval=after_ms)
        self.timeout.connect(call)
