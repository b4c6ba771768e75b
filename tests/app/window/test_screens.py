"""A window on screens of many sizes and densities, and on its way from one to another."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QPushButton, QScrollArea, QWidget

from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.layout import FRAME_PX, PANEL_WIDTH, PanelColumn
from framebrush.window.widgets.controls import SHORTEST_PX, LabelledSlider
from tests.app.window.conftest import Desk, speaking
from tests.app.window.hand import Hand
from tests.app.window.scenes import Scene, play, screen
from tests.app.window.test_layout import check_room

pytestmark = pytest.mark.media


def moves(folder: Path) -> None:
    """From one screen to another of twice the density, and back, while it plays and while it stands still."""
    desk = Desk(folder)
    window = desk.window
    desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")
    desk.open("cfr.mp4")
    window.actions_["loop"].trigger()
    window.player.play(True)
    desk.wait(lambda: window.session.shown_at.number > 2, "playing")
    for left, ratio in ((1700, 2), (100, 1), (1700, 2)):
        window.move(left, 50)
        desk.wait(lambda ratio=ratio: window.devicePixelRatioF() == ratio, f"ratio {ratio}")
        desk.wait(lambda ratio=ratio: fits(desk, ratio), "a picture of the right size")  # the layout may settle later
        desk.wait(lambda: desk.number is not None, "a number that can be read")
        assert window.actions_["play"].isChecked(), "it stopped"
        tile = window.inspector.gallery.tiles.item(0).icon().pixmap(window.inspector.gallery.tiles.iconSize(), ratio)
        assert tile.size() == window.inspector.gallery.tiles.iconSize() * ratio, tile.size()
    window.player.play(False)
    desk.wait(lambda: not window.actions_["play"].isChecked(), "the pause")
    for left, ratio in ((100, 1), (1700, 2)):
        window.move(left, 50)
        desk.wait(lambda ratio=ratio: fits(desk, ratio), f"ratio {ratio}")
        desk.wait_number(window.session.shown_at.number)
    desk.close()


def fits(desk: Desk, ratio: int) -> bool:
    """Return whether the picture has the size in pixels that the screen gives it."""
    image, place = desk.window.view.painted.image, desk.window.view.painted.place
    assert image is not None
    assert place is not None
    return image.size().toTuple() == (round(place.width * ratio), round(place.height * ratio))


def asks(folder: Path, language: str) -> None:
    """Check that window, overlays and all dialogs fit the screen, with visible buttons."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with speaking(app, language):
        desk = Desk(folder, style="starry-night", size=None)
        window, room = desk.window, desk.window.screen().availableGeometry()

        def fits_in_room() -> None:
            assert window.width() + FRAME_PX[0] <= room.width()
            assert window.height() + FRAME_PX[1] <= room.height()
            check_room(desk, window)

        pictures = [(folder / f"a film with a long name {number}.mp4", QImage()) for number in range(6)]
        window.view.invitation.show_recent(pictures)
        desk.rest(0.3)
        fits_in_room()
        if room.height() > 400:  # else in the menu only
            assert any(tile.isVisible() for tile in window.view.invitation.recent)
        desk.open("pq.mp4")
        desk.wait(
            lambda: len(window.inspector.gallery.names) > 5 and window.inspector.gallery.blend.button.isVisible(),
            "the gallery",
        )
        desk.rest(0.3)
        for widest in (0, room.width()):  # of the panel
            window.columns.setSizes([room.width() - widest, widest])
            desk.rest(0.1)
            fits_in_room()
            for slider in window.side.findChildren(LabelledSlider):
                assert not slider.isVisible() or slider.slider.width() >= SHORTEST_PX
        window.columns.setSizes([room.width() - PANEL_WIDTH, PANEL_WIDTH])
        for name in ("scopes", "statistics"):
            window.actions_[name].trigger()
            desk.rest(0.3)
            fits_in_room()
        for overlay in (window.overlays.scopes.overlay, window.overlays.statistics):
            assert overlay.isVisible()
            assert window.view.rect().contains(overlay.geometry())
        one, other = window.overlays.scopes.overlay.geometry(), window.overlays.statistics.geometry()
        assert not one.intersects(other), (one, other, window.view.size())
        for name in ("scopes", "statistics"):
            window.actions_[name].trigger()
        for action in window.menuBar().actions():
            menu = action.menu()
            assert isinstance(menu, QMenu)
            menu.popup(room.topLeft())
            desk.rest(0.1)
            assert room.contains(menu.geometry())
            assert len({menu.actionGeometry(each).x() for each in menu.actions() if each.isVisible()}) == 1
            menu.hide()
        window.ask_place()
        popup = window.transport.go_to
        for text in ("0:00:00.000", "nowhere"):
            popup.field.setText(text)
            desk.rest(0.1)
            assert room.contains(popup.geometry())
            check_room(desk, popup)
        popup.hide()
        window.actions_["compare-looks"].trigger()
        desk.rest(0.3)
        fits_in_room()
        window.actions_["compare-looks"].trigger()
        desk.open("interlaced.mp4")  # of which an export asks more
        desk.wait(lambda: window.session.opened is not None and window.session.opened.info.interlaced, "the video")
        for name in ("export", "new-style", "help", "about", "open-camera"):
            window.actions_[name].trigger()
            desk.wait(lambda: any(each.isVisible() for each in window.findChildren(QDialog)), f"the dialog of {name}")
            desk.rest(1.0)
            (dialog,) = [each for each in window.findChildren(QDialog) if each.isVisible()]
            if isinstance(dialog, ExportDialog):
                dialog.controls.file_size.box.setValue(1)
                desk.wait(dialog.controls.file_size.note.isVisible, "what a size leaves for the picture")
                desk.rest(0.2)
            assert dialog.height() <= room.height() - 40, (name, dialog.height())
            assert dialog.width() <= room.width(), (name, dialog.width())
            check_room(desk, dialog)
            for each in dialog.findChildren(QWidget):
                wanted = each.minimumSizeHint()
                assert not each.isVisible() or each.height() >= wanted.height(), (name, each, each.height(), wanted)
            scrolled = {each for area in dialog.findChildren(QScrollArea) for each in area.findChildren(QPushButton)}
            buttons = [each for each in dialog.findChildren(QPushButton) if each.isVisible() and each not in scrolled]
            lowest = max(each.mapTo(dialog, each.rect().bottomRight()).y() for each in buttons)
            assert lowest < dialog.height(), name
            dialog.reject()
            desk.rest(0.1)
        desk.close()


def asks_in_english(folder: Path) -> None:
    asks(folder, "en_GB")


def asks_in_german(folder: Path) -> None:
    asks(folder, "de")


def opens_the_blend(folder: Path) -> None:
    """Check that gallery and clicked button stay where they are, and the panel scrolls."""
    desk = Desk(folder, style="starry-night", size=None)
    window, gallery, hand = desk.window, desk.window.inspector.gallery, Hand(desk)
    column = window.side.findChild(PanelColumn)
    assert column is not None
    desk.open("cfr.mp4")
    desk.wait(lambda: len(gallery.names) > 5 and gallery.blend.button.isVisible(), "the gallery")
    desk.rest(0.2)
    height = gallery.tiles.height()
    for _ in range(2):
        place = gallery.blend.button.mapTo(window, QPoint())
        hand.click(gallery.blend.button)
        desk.wait(column.verticalScrollBar().isVisible, "the panel's bar")
        desk.rest(0.2)
        assert gallery.blend.button.mapTo(window, QPoint()) == place
        assert gallery.tiles.height() == height
        assert gallery.blend.sliders[0].visibleRegion().boundingRect() == gallery.blend.sliders[0].rect()
        hand.click(gallery.blend.button)
        desk.rest(0.2)
    at_end = column.verticalScrollBar().maximum()
    window.resize(900, 400)
    desk.wait(lambda: column.verticalScrollBar().maximum() > at_end, "the panel's bar")
    tiles = gallery.tiles
    rounds = tiles.verticalScrollBar().maximum()
    for _ in range(rounds):  # over the gallery, the wheel goes on with the panel behind the last tile
        hand.turn(tiles.viewport())
        if column.verticalScrollBar().value():
            break
    assert tiles.verticalScrollBar().value() == tiles.verticalScrollBar().maximum()
    assert column.verticalScrollBar().value() > 0
    desk.close()


def opens(folder: Path) -> None:
    """Check that the first window lies on the screen as a whole."""
    desk = Desk(folder, size=None)
    window = desk.window
    desk.open("cfr.mp4")
    desk.rest(0.3)
    room = window.screen().availableGeometry()
    assert window.width() <= room.width()
    assert window.height() + 40 <= room.height()
    for widget in (window.transport, window.side, window.statusBar()):
        edge = widget.mapTo(window, widget.rect().bottomRight())
        assert window.rect().contains(edge), (widget, edge, window.size())
    desk.close()


def shows_every_slider(folder: Path) -> None:
    """Paintings and brushes without scrolling, rows of a folded section after a click."""
    desk = Desk(folder, style="starry-night", size=None)
    window, gallery = desk.window, desk.window.inspector.gallery
    tiles = gallery.tiles

    def shows(name: str) -> bool:
        used, place = window.session.style_in_use, tiles.visualItemRect(tiles.currentItem())
        return used is not None and used.name == name and tiles.viewport().rect().contains(place)

    desk.open("cfr.mp4")
    desk.wait(gallery.blend.button.isVisible, "the style")
    desk.wait(lambda: tiles.count() > 5, "the gallery")
    panel = window.inspector.panel
    for control in (
        panel.search,
        tiles,
        gallery.blend.button,
        panel.sliders["strength"],
        window.inspector.stroke.kinds,
    ):
        assert control.visibleRegion().boundingRect() == control.rect(), control.accessibleName()
    assert tiles.verticalScrollBar().isVisible()
    for name in (gallery.names[-1], gallery.names[0], "cottages"):  # not chosen in the gallery, as from a saved look
        window.session.use_style(name)
        desk.wait(lambda name=name: shows(name), name)
    column = window.side.widget(0)
    assert isinstance(column, QScrollArea)
    bar = column.verticalScrollBar()
    for section in panel.sections[2:]:
        for shows_rows in (False, True):
            bar.setValue(0)
            Hand(desk).click(section.title)
            desk.rest(0.2)
            assert section.isVisible() == shows_rows
        rows = [*section.shares.values(), *section.boxes.values()]
        for each in (section.title, *(row for row in rows if row.isVisible())):
            assert each.visibleRegion().boundingRect() == each.rect(), (section.title.text(), each)
    desk.close()


def shows_every_slider_in_german(folder: Path) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    with speaking(app, "de"):
        shows_every_slider(folder)


def shows_every_painting(folder: Path) -> None:
    """At once, where there is room."""
    desk = Desk(folder, size=None)
    desk.window.showMaximized()
    tiles = desk.window.inspector.gallery.tiles
    desk.wait(lambda: tiles.count() > 5, "the gallery")
    desk.wait(lambda: not tiles.verticalScrollBar().isVisible(), "the end of the bar")
    last = tiles.visualItemRect(tiles.item(tiles.count() - 1))
    assert tiles.viewport().rect().contains(last)
    desk.close()


@pytest.mark.slow
def test_from_one_screen_to_another(tmp_path: Path) -> None:
    play(tmp_path, [screen(0, (1600, 1000), 96), screen(1600, (3200, 2000), 192)], moves)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "dots", "scenes"),
    [
        ((1366, 768), 96, [opens, opens_the_blend, shows_every_slider, shows_every_slider_in_german]),
        ((1366, 768), 96, [asks_in_english]),
        ((1280, 800), 96, [asks_in_german]),
        ((1366, 688), 192, [asks_in_english, asks_in_german]),  # the smallest: 1366x768 with a task bar, at 200 %
        ((1920, 1080), 192, [opens, asks_in_german]),
        ((1920, 1080), 144, [opens]),
        ((2560, 1440), 96, [shows_every_painting]),
    ],
)
def test_on_one_screen(tmp_path: Path, size: tuple[int, int], dots: int, scenes: list[Scene]) -> None:
    play(tmp_path, [screen(0, size, dots)], *scenes)
