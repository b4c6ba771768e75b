"""First place of the window, and the part that grows with it."""

from __future__ import annotations

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QWidget

from framebrush.gpu.device import DeviceInfo
from framebrush.window.layout import FRAME_PX, HANDLE_PX, PANEL_WIDTH, columns, first_corner, first_size
from framebrush.window.state.actions import Actions
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.transport.bar import Transport

pytestmark = pytest.mark.unit


def test_a_first_window_is_whole_and_in_the_middle_of_its_screen() -> None:
    wide, high = FRAME_PX
    assert first_size(QSize(3000, 2000)) == QSize(1280, 800)
    assert first_size(QSize(1000, 700)) == QSize(1000 - wide, 700 - high)
    assert first_corner(QRect(0, 0, 1000, 700)) == QPoint(0, 0)
    corner = first_corner(QRect(100, 50, 3000, 2000))
    assert corner == QPoint(100 + (3000 - 1280 - wide) // 2, 50 + (2000 - 800 - high) // 2)


def test_only_the_picture_grows_with_the_window(application: QApplication) -> None:
    window = QMainWindow()
    view, side = QWidget(), QWidget()
    splitter = columns(view, Transport(Actions(window)), side, 800)
    window.setCentralWidget(splitter)
    window.resize(800 + HANDLE_PX + PANEL_WIDTH, 500)
    window.show()
    before = splitter.sizes()
    assert before[1] == PANEL_WIDTH
    window.resize(window.width() + 300, 700)
    assert splitter.sizes() == [before[0] + 300, PANEL_WIDTH]
    assert (splitter.handleWidth(), splitter.childrenCollapsible()) == (HANDLE_PX, False)
    assert splitter.orientation() == Qt.Orientation.Horizontal
    assert (splitter.accessibleName(), splitter.handle(1).accessibleName()) == (
        "Picture and side panel",
        "Width of the side panel",
    )
    height = view.height()
    window.resize(window.width(), 800)
    assert view.height() == height + 100
    shiboken6.delete(window)


def test_a_device_is_chosen_by_its_title_and_the_one_in_use_is_marked(
    application: QApplication, session: Session
) -> None:
    window, chosen = QMainWindow(), list[DeviceInfo]()
    menus = Menus(window, Actions(window), session.settings)
    menus.device_chosen.connect(chosen.append)
    cards = (DeviceInfo(0, "webgpu", "A & B"), DeviceInfo(1, "webgpu", "Other"))
    cpu = DeviceInfo(0, "cpu", "Processor")
    menus.show_devices((*cards, cpu))
    menus.show_devices((*cards, cpu))  # found again
    actions = {each.text(): each for menu in window.findChildren(QMenu) for each in menu.actions() if each.data()}
    devices = {text: each for text, each in actions.items() if isinstance(each.data(), DeviceInfo)}
    assert set(devices) == {"A && B", "Other", "Processor (processor)"}
    for text, info in zip(("A && B", "Other", "Processor (processor)"), (*cards, cpu), strict=True):
        devices[text].trigger()
        assert chosen[-1] == info
        menus.mark_device(info)
        assert [each for each, action in devices.items() if action.isChecked()] == [text]
        assert menus.all_cards.isVisible() == (info in cards)
    menus.mark_device(cards[0])
    assert menus.export_devices == ""
    menus.all_cards.setChecked(True)
    assert menus.export_devices == ",".join(card.address for card in cards)
    menus.show_devices((cards[0], cpu))
    assert menus.export_devices == ""
    assert isinstance(menus.all_cards, QAction)
    shiboken6.delete(window)
