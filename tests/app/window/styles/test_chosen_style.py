"""The chosen style above the gallery: large, with its name and origin."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from framebrush.models.training.recipes import PAINTINGS
from framebrush.window.styles.catalog import ORIGINS, Entry, catalog, origin, thumbnail
from framebrush.window.styles.chosen import LARGE, ChosenStyle
from tests.app.window.conftest import Desk, speaking
from tests.app.window.hand import Hand, Pixels, farthest, pixels_of
from tests.app.window.styles.test_own_pictures import picture

pytestmark = pytest.mark.media


def test_painters_and_years_are_those_of_training() -> None:
    """The window has its own list: programs for users come without training."""
    said = {each.key: f"{each.painter}, {each.year}" for each in PAINTINGS}
    assert {name: ORIGINS[name] for name in said} == said


def test_every_bundled_style_says_where_it_is_from(application: QApplication) -> None:
    assert all(origin(entry.name) for entry in catalog())
    assert origin("rhone-fine") == "Vincent van Gogh, 1888"
    with speaking(application, "de"):
        assert origin("tahiti") == "Paul Gauguin, 1890er Jahre"


def test_a_picture_that_was_replaced_is_shown(application: QApplication, tmp_path: Path) -> None:
    entry = Entry("mine", "Mine", picture=tmp_path / "mine.png")
    seen = []
    for number, colour in enumerate((Qt.GlobalColor.red, Qt.GlobalColor.green)):
        picture = QImage(8, 8, QImage.Format.Format_RGB32)
        picture.fill(colour)
        picture.save(str(entry.picture))
        os.utime(tmp_path / "mine.png", ns=(number, number))
        seen += [thumbnail(entry, QSize(4, 4), 1.0).pixelColor(0, 0) for _ in range(2)]
    assert seen == [QColor(colour) for colour in (Qt.GlobalColor.red,) * 2 + (Qt.GlobalColor.green,) * 2]
    (tmp_path / "mine.png").unlink()
    assert thumbnail(entry, QSize(4, 4), 1.0).pixelColor(0, 0) not in seen  # strokes


def large(desk: Desk) -> tuple[str, str]:
    shown = desk.window.inspector.gallery.chosen_style
    return shown.title.text(), shown.origin.text()


def drawn(desk: Desk, name: str) -> Pixels:
    """Return a style's picture in the large size."""
    gallery = desk.window.inspector.gallery
    entry = next(each for each in catalog() if each.name == name)
    image = thumbnail(entry, LARGE, 1.0, gallery.of_film(name)).convertToFormat(QImage.Format.Format_RGBX8888)
    return np.frombuffer(image.constBits(), np.uint8).reshape(LARGE.height(), LARGE.width(), 4)[..., :3].copy()


def test_the_chosen_style_is_shown_by_click_blend_and_file(application: QApplication, tmp_path: Path) -> None:
    desk = Desk(tmp_path, size=(1280, 800))
    gallery, hand = desk.window.inspector.gallery, Hand(desk)
    desk.wait(lambda: len(gallery.names) > 5 and not desk.window.session.awaits_style, "the gallery")
    assert large(desk) == ("No style", "The film itself")
    tiles = gallery.tiles
    item = tiles.item(gallery.names.index("scream"))
    tiles.scrollToItem(item)
    hand.click(tiles.viewport(), tiles.visualItemRect(item).center())
    assert large(desk) == ("Scream", "Edvard Munch, 1893")  # before it is loaded
    assert gallery.chosen_style.picture.accessibleName() == "Scream"
    desk.wait_style("scream")
    assert farthest(pixels_of(gallery.chosen_style.picture), drawn(desk, "scream")) < 4
    desk.window.session.use_style("scream:0.5,udnie:0.5")
    desk.wait(lambda: not desk.window.session.awaits_style, "the blend")
    assert large(desk) == ("Scream + Udnie", "Blend of 2 paintings")
    mixed, middle = pixels_of(gallery.chosen_style.picture), LARGE.width() // 2
    assert farthest(mixed[:, : middle - 1], drawn(desk, "scream")[:, : middle - 1]) < 4
    assert farthest(mixed[:, middle + 1 :], drawn(desk, "udnie")[:, middle + 1 :]) < 4
    desk.window.session.use_style(str(picture(tmp_path / "my cat.png", 40)))
    desk.wait(lambda: large(desk)[0] == "my cat", "the picture of one's own")
    assert large(desk)[1] == ""
    desk.close()


@pytest.mark.unit
def test_a_blend_is_shown_by_its_shares(application: QApplication) -> None:
    chosen, pictures = ChosenStyle(), [QImage(LARGE, QImage.Format.Format_RGB32) for _ in range(2)]
    for image, colour in zip(pictures, (Qt.GlobalColor.red, Qt.GlobalColor.green), strict=True):
        image.fill(colour)
    chosen.show_style("One + Two", "Blend of 2 paintings", [*zip(pictures, (0.25, 0.75), strict=True)])
    assert chosen.title.text() == chosen.title.toolTip() == chosen.picture.accessibleName() == "One + Two"
    assert chosen.origin.text() == "Blend of 2 paintings"
    assert (chosen.height(), chosen.picture.pixmap().size()) == (LARGE.height(), LARGE * chosen.devicePixelRatioF())
    drawn, edge = chosen.picture.pixmap().toImage(), LARGE.width() // 4
    for x, name in ((0, "#ff0000"), (edge - 1, "#ff0000"), (edge + 1, "#00ff00"), (LARGE.width() - 1, "#00ff00")):
        assert {drawn.pixelColor(x, y).name() for y in (0, LARGE.height() - 1)} == {name}
    chosen.show_style("None", "", [])
    assert chosen.picture.pixmap().toImage().pixelColor(0, 0) == chosen.palette().base().color()
