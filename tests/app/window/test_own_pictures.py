"""Pictures as styles in the window: dropped, kept, renamed, given on and removed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.window import files
from framebrush.window.style_catalog import THUMBNAIL
from framebrush.window.thumbnails import DENSEST_SCREEN, PHOTOGRAPH
from tests.app.window.conftest import Desk

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
    return desk.window.own_styles.folder.path / "pictures" / name


def tile(desk: Desk, path: Path) -> None:
    desk.wait(lambda: str(path) in desk.window.gallery.names, f"the tile of {path.stem}")


def codes(path: Path) -> np.ndarray:
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].astype(int)


def test_a_picture_dropped_on_the_gallery_is_the_style_and_stays(desk: Desk, tmp_path: Path) -> None:
    desk.open("landscape.mp4")
    before = desk.picture().astype(int)
    given = picture(tmp_path / "photo.PNG")
    assert drag(desk.window.gallery, [given])
    kept = own(desk, "photo.png")
    desk.wait_style(str(kept))
    given.unlink()
    tile(desk, kept)
    item = desk.window.gallery.tiles.currentItem()
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


def test_several_dropped_pictures_all_stay_and_their_names_differ(desk: Desk, tmp_path: Path) -> None:
    dropped = [picture(tmp_path / folder / "photo.png", hue) for folder, hue in (("a", 20), ("b", 90), ("c", 160))]
    assert drag(desk.window.gallery, dropped)
    desk.wait(lambda: len(list(desk.window.own_styles.folder)) == 3, "all three")
    desk.wait(lambda: desk.window.style_in_use is not None and "pictures" in desk.window.style_in_use.name, "the first")
    names = sorted(style.name for style in desk.window.own_styles.folder)
    assert names == ["photo", "photo 2", "photo 3"]
    used = desk.window.style_in_use
    assert used is not None
    assert Path(used.name).read_bytes() == dropped[0].read_bytes()
    for name in names:
        tile(desk, own(desk, f"{name}.png"))
    assert drag(desk.window.gallery, dropped[1:2])  # it is there already
    desk.wait(lambda: Path(desk.settings.style).read_bytes() == dropped[1].read_bytes(), "the second")
    assert len(list(desk.window.own_styles.folder)) == 3


@pytest.mark.parametrize("key", [CTRL, SHIFT])
def test_a_key_makes_a_picture_dropped_on_the_film_the_style(
    desk: Desk, tmp_path: Path, key: Qt.KeyboardModifier
) -> None:
    desk.open("cfr.mp4")
    given = picture(tmp_path / "photo.png")
    assert drag(desk.window.view, [given], drop=False)
    assert "Ctrl" in desk.window.toast.text
    assert drag(desk.window.view, [given], key)
    desk.wait_style(str(own(desk, "photo.png")))
    assert desk.window.opened is not None
    assert desk.window.opened.info.name == "cfr.mp4"
    assert drag(desk.window.view, [given])  # without it the picture is a video of one frame
    desk.wait(lambda: desk.window.windowTitle().startswith("photo.png"), "the picture as a video")


def test_only_what_may_be_a_style_is_taken_by_the_gallery(desk: Desk, tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no picture")
    assert not drag(desk.window.gallery, [text])
    broken = tmp_path / "broken.png"
    broken.write_bytes(picture(tmp_path / "whole.png").read_bytes()[:60])
    assert drag(desk.window.gallery, [broken])
    desk.wait(lambda: "broken.png" in desk.window.messages.text, "the refusal")
    assert drag(desk.window.gallery, [tmp_path / "whole.png", broken])
    desk.wait_style(str(own(desk, "whole.png")))
    desk.wait(lambda: "broken.png cannot be kept" in desk.window.messages.text, "the other refusal")
    assert [style.name for style in desk.window.own_styles.folder] == ["whole"]


def test_the_dialog_for_styles_takes_pictures(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def chosen(_: object, __: str, ___: str, patterns: str) -> tuple[str, str]:
        asked.append(patterns)
        return str(picture(tmp_path / "photo.webp.png")), ""

    monkeypatch.setattr(files.QFileDialog, "getOpenFileName", chosen)
    desk.window.actions_["open-style"].trigger()
    desk.wait_style(str(own(desk, "photo.webp.png")))
    assert all(f"*{ending}" in asked[0] for ending in (".onnx", ".jpg", ".png", ".tiff"))
