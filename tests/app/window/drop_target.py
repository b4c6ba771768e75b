"""Program that takes dropped files: python -m tests.app.window.drop_target X Y FOLDER.

It prints JSON: offered actions, dragged files, names of copies.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget

SIZE = 200, 200


def tell(**values: object) -> None:
    print(json.dumps(values), flush=True)


class DropTarget(QWidget):
    def __init__(self, folder: Path) -> None:
        super().__init__(None, Qt.WindowType.FramelessWindowHint)
        self._folder = folder
        self.setAcceptDrops(True)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        files = [url.toLocalFile() for url in event.mimeData().urls()]
        tell(actions=event.possibleActions().value, files=files)
        if files:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        event.acceptProposedAction()
        for url in event.mimeData().urls():
            copied = shutil.copy(url.toLocalFile(), self._folder)
            tell(copied=Path(copied).name)


def main(x: str, y: str, folder: str) -> int:
    app = QApplication(["another program"])
    target = DropTarget(Path(folder))
    target.setGeometry(int(x), int(y), *SIZE)
    target.show()
    tell(ready=True)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
