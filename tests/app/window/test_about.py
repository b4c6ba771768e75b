"""The dialog with version and licences."""

from __future__ import annotations

import time
from importlib.metadata import version

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLabel, QPlainTextEdit, QWidget
from shiboken6 import isValid

from framebrush.licences.notices_process import notices_from_process
from framebrush.window.about import PIECE, About
from tests.app.window.test_background import wait

pytestmark = pytest.mark.unit


def test_all_licences_are_there_in_order_until_close(application: QApplication) -> None:
    picture = QPixmap(48, 48)
    picture.fill(Qt.GlobalColor.red)
    before = application.windowIcon()
    application.setWindowIcon(QIcon(picture))
    window = QWidget()
    dialog = About(window)
    application.setWindowIcon(before)
    dialog.open()
    (box,) = dialog.findChildren(QPlainTextEdit)
    assert box.isReadOnly()
    assert box.placeholderText() == "Reading the licences…"
    expected = notices_from_process()
    assert len(expected) > 2 * PIECE  # comes in pieces
    end_s = time.monotonic() + 60
    while box.document().characterCount() <= len(expected):
        QCoreApplication.processEvents()
        time.sleep(0.005)
        assert time.monotonic() < end_s
    assert box.toPlainText() == expected
    labels = dialog.findChildren(QLabel)
    assert f"Framebrush {version('framebrush')}" in [label.text() for label in labels]
    assert labels[0].pixmap().size() == picture.size()
    dialog.findChildren(QDialogButtonBox)[0].button(QDialogButtonBox.StandardButton.Close).click()
    wait(lambda: not isValid(dialog))
