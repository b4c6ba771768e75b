"""Pictures as styles in the window: dropped, kept, renamed, given on and removed."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QMessageBox, QWidget

from framebrush.styles.blends import parts_of
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.styles import own_styles
from framebrush.window.styles.catalog import THUMBNAIL
from framebrush.window.styles.style_thumbnails import DENSEST_SCREEN, PHOTOGRAPH
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

NONE, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


def picture(path: Path, hue: int = 20) -> Path:
    """A picture of warm colours, or of another hue."""
    image = QImage(64, 48, QImage.Format.Format_RGB32)
    for y in range(48):
        for x in range(64):
            image.setPixel(x, y, 0xFF000000 | (4 * x) << 16 | (5 * y) << 8 | hue)
    path.parent.mkdir(parents=True, exist_ok=True)
    assert image.save(str(path))
    return path


def drag(widget: QWidget, paths: Iterable[Path], keys: Qt.KeyboardModifier = NONE, *, drop: bool = True) -> bool:
    """Drag files onto a widget, with keys held, and drop them there; whether they were taken."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    enters = QDragEnterEvent(QPoint(9, 9), copy, data, left, keys)
    enters.ignore()
    QApplication.sendEvent(widget, enters)
    if enters.isAccepted() and drop:
        QApplication.sendEvent(widget, QDropEvent(QPointF(9, 9), copy, data, left, keys))
    return enters.isAccepted()


def own(desk: Desk, name: str) -> Path:
    """Where an own picture is kept."""
    return desk.window.inspector.own_styles.folder.path / "pictures" / name


def tile(desk: Desk, path: Path) -> None:
    desk.wait(lambda: str(path) in desk.window.inspector.gallery.names, f"the tile of {path.stem}")


def codes(path: Path) -> np.ndarray:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].astype(int)


@pytest.mark.slow
def test_a_picture_dropped_on_the_gallery_is_the_style_and_stays(desk: Desk, tmp_path: Path) -> None:
    desk.open("landscape.mp4")
    before = desk.picture().astype(int)
    given = picture(tmp_path / "photo.PNG")
    assert drag(desk.window.inspector.gallery, [given])
    kept = own(desk, "photo.png")
    desk.wait_style(str(kept))
    given.unlink()
    tile(desk, kept)
    item = desk.window.inspector.gallery.tiles.currentItem()
    assert item is not None
    assert item.text() == "photo"
    desk.wait(lambda: np.abs(desk.picture().astype(int) - before).mean() > 5, "its colours")
    shown = kept.parents[1] / "photo.jpg"
    desk.wait(shown.is_file, "the thumbnail")
    assert QImage(str(shown)).size() == THUMBNAIL * DENSEST_SCREEN
    assert np.abs(codes(shown) - codes(PHOTOGRAPH.with_name("none.jpg"))).mean() > 5
    assert desk.settings.style == str(kept)
    desk.close()
    again = Desk(tmp_path, style="")
    again.wait_style(str(kept))
    again.close()


@pytest.mark.slow
def test_several_dropped_pictures_all_stay_and_their_names_differ(desk: Desk, tmp_path: Path) -> None:
    dropped = [picture(tmp_path / folder / "photo.png", hue) for folder, hue in (("a", 20), ("b", 90), ("c", 160))]
    assert drag(desk.window.inspector.gallery, dropped)
    desk.wait(lambda: len(list(desk.window.inspector.own_styles.folder)) == 3, "all three")
    folder = desk.window.inspector.own_styles.folder.path / "pictures"
    desk.wait(lambda: Path(desk.settings.style).parent == folder, "the first")
    names = sorted(style.name for style in desk.window.inspector.own_styles.folder)
    assert names == ["photo", "photo 2", "photo 3"]
    used = desk.window.session.style_in_use
    assert used is not None
    assert Path(used.name).read_bytes() == dropped[0].read_bytes()
    for name in names:
        tile(desk, own(desk, f"{name}.png"))
    assert drag(desk.window.inspector.gallery, dropped[1:2])  # it is there already
    desk.wait(lambda: Path(desk.settings.style).read_bytes() == dropped[1].read_bytes(), "the second")
    assert len(list(desk.window.inspector.own_styles.folder)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["ink", "refused"])
@pytest.mark.parametrize("happens", ["kept", "renamed", "removed"])
def test_what_happens_to_a_picture_does_not_undo_a_later_choice(
    desk: Desk, tmp_path: Path, happens: str, chosen: str
) -> None:
    """While its style is still in use, another one was asked for. If that is refused, it follows what happened."""
    window, gate = desk.window, threading.Event()
    folder = window.inspector.own_styles.folder
    given = picture(tmp_path / "photo.png")
    with folder.changing():
        window.session.use_style(str(given))
        desk.wait_style(str(given))
    kept = own(desk, "photo.png")
    if happens != "kept":
        desk.wait_style(str(kept))
    window.player.commands.post(lambda: gate.wait(60))
    window.session.use_style(chosen)
    desk.rest(0.05)
    if happens == "renamed":
        window.inspector.own_styles.rename(kept, "other")
        tile(desk, own(desk, "other.png"))
    elif happens == "removed":
        window.inspector.own_styles.remove(kept)
        desk.wait(lambda: str(kept) not in window.inspector.gallery.names, "its end")
    else:
        tile(desk, kept)
    gate.set()
    desk.wait(lambda: not window.session.awaits_style, "the answer")
    desk.settle()
    after = {"kept": kept, "renamed": own(desk, "other.png"), "removed": "none"}
    desk.wait_style("ink" if chosen == "ink" else str(after[happens]))
    desk.settle()
    desk.wait_style("ink" if chosen == "ink" else str(after[happens]))


@pytest.mark.slow
@pytest.mark.parametrize("key", [CTRL, SHIFT])
def test_a_key_makes_a_picture_dropped_on_the_film_the_style(
    desk: Desk, tmp_path: Path, key: Qt.KeyboardModifier
) -> None:
    desk.open("cfr.mp4")
    given = picture(tmp_path / "photo.png")
    assert drag(desk.window.view, [given], drop=False)
    assert "Ctrl" in desk.window.notes.word
    assert drag(desk.window.view, [given], key)
    desk.wait_style(str(own(desk, "photo.png")))
    assert desk.window.session.opened is not None
    assert desk.window.session.opened.info.name == "cfr.mp4"
    assert drag(desk.window.view, [given])  # without it the picture is a video of one frame
    desk.wait(lambda: desk.window.windowTitle().startswith("photo.png"), "the picture as a video")


def test_only_what_may_be_a_style_is_taken_by_the_gallery(desk: Desk, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    assert not drag(desk.window.inspector.gallery, [text])
    broken = tmp_path / "broken.png"
    broken.write_bytes(picture(tmp_path / "whole.png").read_bytes()[:60])
    assert drag(desk.window.inspector.gallery, [broken])
    desk.wait(lambda: "broken.png" in desk.window.messages.text, "the refusal")
    assert drag(desk.window.inspector.gallery, [tmp_path / "whole.png", broken])
    desk.wait_style(str(own(desk, "whole.png")))
    desk.wait(lambda: "broken.png could not be added" in desk.window.messages.text, "the other refusal")
    assert [style.name for style in desk.window.inspector.own_styles.folder] == ["whole"]


@pytest.mark.slow
def test_the_dialog_for_styles_takes_pictures(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def chosen(_: object, __: str, ___: str, patterns: str) -> tuple[str, str]:
        asked.append(patterns)
        return str(picture(tmp_path / "photo.webp.png")), ""

    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileName", chosen)
    desk.window.actions_["open-style"].trigger()
    desk.wait_style(str(own(desk, "photo.webp.png")))
    assert all(f"*{ending}" in asked[0] for ending in (".onnx", ".jpg", ".png", ".tiff"))


@pytest.fixture
def kept(desk: Desk, tmp_path: Path) -> Path:
    """A picture that is the style, with its tile and its thumbnail; the file that it was copied from is gone."""
    given = picture(tmp_path / "photo.png")
    desk.window.session.use_style(str(given))
    path = own(desk, "photo.png")
    desk.wait_style(str(path))
    given.unlink()
    tile(desk, path)
    desk.wait((path.parents[1] / "photo.jpg").is_file, "the thumbnail")
    return path


def entry(desk: Desk, path: Path, text: str) -> QAction:
    """An entry of the menu of an own style, which a right click on its tile has brought."""
    tiles = desk.window.inspector.gallery.tiles
    item = tiles.item(desk.window.inspector.gallery.names.index(str(path)))
    tiles.scrollToItem(item)
    Hand(desk).click(tiles.viewport(), tiles.visualItemRect(item).center(), Qt.MouseButton.RightButton)
    desk.wait(lambda: isinstance(QApplication.activePopupWidget(), QMenu), "the menu")
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return next(action for action in menu.actions() if action.text() == text)


@pytest.mark.slow
def test_an_own_picture_is_renamed(desk: Desk, kept: Path) -> None:
    Hand(desk).choose(entry(desk, kept, "Rename…"))
    dialog = desk.window.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue('con:/"aux"?')
    dialog.accept()
    renamed = own(desk, "con aux.png")
    tile(desk, renamed)
    desk.wait_style(str(renamed))
    assert str(kept) not in desk.window.inspector.gallery.names
    assert [path.name for path in kept.parent.iterdir()] == ["con aux.png"]
    assert [path.name for path in kept.parents[1].glob("*.jpg")] == ["con aux.jpg"]
    desk.window.inspector.own_styles.rename(renamed, "nul")
    tile(desk, own(desk, "_nul.png"))  # Windows takes the name for a device


@pytest.mark.slow
def test_a_copy_of_an_own_picture_is_saved(
    desk: Desk, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def chosen(_: object, __: str, start: str, patterns: str) -> tuple[str, str]:
        asked.extend([Path(start).name, patterns])
        return str(tmp_path / "for a friend.jpg"), ""

    monkeypatch.setattr(own_styles.QFileDialog, "getSaveFileName", chosen)
    Hand(desk).choose(entry(desk, kept, "Save as a file…"))
    target = tmp_path / "for a friend.jpg.png"  # what is in it is PNG, whatever a person calls it
    desk.wait(target.is_file, "the copy")
    assert target.read_bytes() == kept.read_bytes()
    assert asked == ["photo.png", "Pictures (*.png)"]
    assert list(tmp_path.glob("*.part")) == []


@pytest.mark.slow
def test_an_own_picture_is_removed(desk: Desk, kept: Path) -> None:
    Hand(desk).choose(entry(desk, kept, "Remove…"))
    box = desk.window.findChild(QMessageBox)
    assert box is not None
    next(button for button in box.buttons() if button.text() == "Remove").click()
    desk.wait(lambda: str(kept) not in desk.window.inspector.gallery.names, "its end")
    desk.wait_style("none")
    assert list(kept.parent.iterdir()) == []
    assert list(kept.parents[1].glob("*.jpg")) == []


def blended(desk: Desk) -> dict[str, float]:
    """The pictures in use by their names, and their weights."""
    used = desk.window.session.style_in_use
    assert used is not None
    return {Path(name).stem: weight for name, weight in parts_of(used.name).items()}


@pytest.mark.slow
def test_own_pictures_blend(desk: Desk, kept: Path, tmp_path: Path) -> None:
    gallery, hand = desk.window.inspector.gallery, Hand(desk)
    desk.open("landscape.mp4")
    assert not gallery.blend.button.isVisible()  # one picture has nothing to blend with
    desk.window.inspector.own_styles.add_files([kept, picture(tmp_path / "other.png", 240)])
    other = own(desk, "other.png")
    tile(desk, other)
    desk.wait(gallery.blend.button.isVisible, "the blend")
    desk.wait(lambda: not desk.window.session.awaits_style, "the style, which is the same")
    desk.rest(0.3)  # until the layout is settled
    assert gallery.note.height() == gallery.note.heightForWidth(gallery.note.width())  # it covers no tile
    assert gallery.blend.button.y() > gallery.tiles.geometry().bottom()
    hand.click(gallery.blend.button)
    assert [slider.name.text() for slider in gallery.blend.sliders] == ["other", "photo"]
    alone = desk.picture().astype(int)
    gallery.blend.sliders[0].slider.setFocus()
    hand.key(Qt.Key.Key_End)
    desk.wait(lambda: blended(desk) == {"other": 0.5, "photo": 0.5}, "both")
    desk.wait(lambda: np.abs(desk.picture().astype(int) - alone).mean() > 3, "their colours")
    assert [slider.slider.value() for slider in gallery.blend.sliders] == [100, 100]
    assert gallery.tiles.currentRow() == -1
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    assert "other 50% + photo 50%" in dialog.summary
    assert parts_of(dialog.spec.style.name) == {str(other): 0.5, str(kept): 0.5}
    dialog.reject()
    desk.window.inspector.own_styles.rename(other, "third")
    desk.wait(lambda: blended(desk) == {"third": 0.5, "photo": 0.5}, "the new name")
    desk.wait(lambda: [slider.name.text() for slider in gallery.blend.sliders] == ["photo", "third"], "the sliders")
    gallery.blend.sliders[0].slider.setValue(0)
    desk.wait(lambda: blended(desk) == {"third": 1.0}, "one alone")
    desk.wait(lambda: gallery.tiles.currentRow() == gallery.names.index(str(own(desk, "third.png"))), "its tile")
    desk.window.inspector.own_styles.remove(kept)
    desk.wait(lambda: not gallery.blend.button.isVisible(), "the end of the blend")


@pytest.mark.slow
def test_the_window_says_how_wide_the_strokes_of_a_picture_are(desk: Desk, tmp_path: Path) -> None:
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    for y in range(400):
        for x in range(600):
            shade = 255 * ((x + 2 * y) // 24 % 2)
            image.setPixel(x, y, 0xFF000000 | shade << 16 | shade << 8 | 90)
    assert image.save(str(tmp_path / "woodcut.png"))
    panel = desk.window.inspector.stroke
    desk.open("landscape.mp4")
    desk.wait(lambda: panel.figure.text().startswith("Automatic: 1×   ·   Painted at"), "the usual width")
    desk.window.session.use_style(str(tmp_path / "woodcut.png"))
    desk.wait_style(str(own(desk, "woodcut.png")))
    desk.wait(lambda: desk.window.inspector.gallery.note.text().startswith("Its colours are fitted"), "its note")
    used = desk.window.session.style_in_use
    assert used is not None
    assert used.card.stroke > 1.1
    assert panel.figure.text().startswith(f"Automatic: {used.card.stroke:.3g}×   ·   Painted at")
    slider = panel.slider.slider
    slider.setFocus()
    Hand(desk).key(Qt.Key.Key_Right)
    assert panel.figure.text().startswith("Painted at")
    Hand(desk).key(Qt.Key.Key_Home)
    assert panel.figure.text().startswith("Automatic")
