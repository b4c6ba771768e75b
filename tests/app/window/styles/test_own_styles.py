"""Own styles: files that were opened, named, given on and removed, with pictures that their networks painted."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox

from framebrush.base.file_names import proper_name
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.models.library import bundled
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_folder import OwnStyle, StyleFolder
from framebrush.window.exports.export_queue import ExportJob
from framebrush.window.picture.composing import Pixels
from framebrush.window.styles import style_thumbnails
from framebrush.window.styles.catalog import THUMBNAIL
from framebrush.window.styles.style_thumbnails import DENSEST_SCREEN, PHOTOGRAPH
from tests.app.window.conftest import CLIPS, Desk
from tests.replaced import replace_alike

pytestmark = pytest.mark.media


@pytest.fixture
def own(desk: Desk, tmp_path: Path) -> Path:
    """Open a style from a file, then delete the file; return the kept copy."""
    given = tmp_path / "given.onnx"
    shutil.copy(bundled()["ink"], given)
    desk.window.session.use_style(str(given))
    kept = desk.window.inspector.own_styles.folder.path / "given.onnx"
    desk.wait_style(str(kept))
    given.unlink()
    return kept


def tile(desk: Desk, path: Path) -> None:
    desk.wait(lambda: str(path) in desk.window.inspector.gallery.names, f"the tile of {path.stem}")


def pixels(image: QImage) -> np.ndarray:
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    return np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.width(), 4)[..., :3].astype(int)


@pytest.mark.slow
def test_the_gallery_follows_what_another_process_does_with_the_styles(desk: Desk, tmp_path: Path) -> None:
    folder = desk.window.inspector.own_styles.folder.path
    given = tmp_path / "sea.png"
    QImage(64, 64, QImage.Format.Format_RGB32).save(str(given))

    def elsewhere(does: str) -> None:
        begin = "import sys; from pathlib import Path; from framebrush.styles.style_folder import StyleFolder\n"
        begin += "folder, given = StyleFolder(Path(sys.argv[1])), Path(sys.argv[2])\n"
        subprocess.run([sys.executable, "-P", "-c", begin + does, folder, given], check=True, timeout=120)

    def shows(*names: str) -> None:
        desk.wait(
            lambda: (
                [each for each in desk.window.inspector.gallery.names if Path(each).is_absolute()]
                == [str(folder / name) for name in names]
            ),
            f"{names} in the gallery",
        )

    shows()
    elsewhere("folder.keep(given)")  # in a folder of pictures that was not there
    shows("pictures/sea.png")
    elsewhere("folder.rename(next(folder.files()), 'shore')")
    shows("pictures/shore.png")
    elsewhere("given.write_bytes(given.read_bytes() + b'-'); folder.keep(given)")
    shows("pictures/sea.png", "pictures/shore.png")
    elsewhere("folder.remove(folder.named('sea'))")
    shows("pictures/shore.png")


@pytest.mark.slow
def test_an_opened_style_stays_and_shows_what_it_paints(desk: Desk, own: Path, tmp_path: Path) -> None:
    tile(desk, own)
    picture = own.with_suffix(".jpg")
    desk.wait(picture.is_file, "the thumbnail")
    image = QImage(str(picture))
    assert image.size() == THUMBNAIL * DENSEST_SCREEN
    ours = QImage(str(PHOTOGRAPH.with_name("ink.jpg")))
    assert np.abs(pixels(image) - pixels(ours)).mean() < 3  # the same network on the same photograph
    plain = QImage(str(PHOTOGRAPH.with_name("none.jpg")))
    assert np.abs(pixels(image) - pixels(plain)).mean() > 15
    row = desk.window.inspector.gallery.names.index(str(own))
    desk.wait(lambda: not desk.window.inspector.gallery.tiles.item(row).icon().isNull())
    desk.close()
    again = Desk(tmp_path, style="")
    again.wait_style(str(own))
    tile(again, own)
    again.close()


@pytest.mark.slow
def test_a_style_is_renamed(desk: Desk, own: Path) -> None:
    tile(desk, own)
    desk.wait(own.with_suffix(".jpg").is_file, "the thumbnail")
    styles = desk.window.inspector.own_styles
    styles.ask_name(own)
    dialog = desk.window.findChild(QInputDialog)
    assert dialog is not None
    assert dialog.textValue() == "given"
    dialog.setTextValue(' My/"ink" ')
    dialog.accept()
    renamed = own.with_name("My ink.onnx")
    tile(desk, renamed)
    desk.wait_style(str(renamed))
    assert str(own) not in desk.window.inspector.gallery.names
    assert sorted(path.name for path in own.parent.iterdir()) == ["My ink.jpg", "My ink.onnx"]
    for none in ("My ink", " . "):
        styles.rename(renamed, none)
    desk.rest(0.1)
    assert "cannot be renamed" not in desk.window.messages.text
    other = styles.folder.path / "other.onnx"
    shutil.copy(bundled()["realtime"], other)
    styles.rename(renamed, "OTHER")
    desk.wait(lambda: "My ink cannot be renamed" in desk.window.messages.text, "the refusal")
    assert renamed.is_file()


@pytest.mark.slow
def test_a_style_is_given_on_and_taken(desk: Desk, own: Path, tmp_path: Path) -> None:
    styles = desk.window.inspector.own_styles
    styles.share(own, tmp_path / "friend.onnx")
    desk.wait(lambda: "Saved as" in desk.window.notes.text, "the copy")
    assert (tmp_path / "friend.onnx").read_bytes() == own.read_bytes()
    desk.window.session.use_style(str(tmp_path / "friend.onnx"))  # the same file: it is there already
    desk.wait(lambda: "friend" in str(desk.window.session.style_in_use), "the copy in use")
    desk.wait_style(str(own))
    assert list(styles.folder) == [OwnStyle(own)]
    shutil.copy(bundled()["realtime"], tmp_path / "given.onnx")  # another one of the same name
    desk.window.session.use_style(str(tmp_path / "given.onnx"))
    desk.wait_style(str(own.with_name("given 2.onnx")))
    styles.share(own, tmp_path / "nowhere" / "x.onnx")
    desk.wait(lambda: "cannot be saved" in desk.window.messages.text, "the failure")


@pytest.mark.slow
def test_a_trained_style_is_kept_and_used(desk: Desk, own: Path, tmp_path: Path) -> None:
    training, window = desk.window.inspector.own_styles.training, desk.window
    training.trained.emit(tmp_path / "gone.onnx")
    desk.wait(lambda: "was trained but could not be added" in window.messages.text, "the refusal")
    trained = Path(shutil.copy(bundled()["realtime"], tmp_path / "Trained.onnx"))
    training.trained.emit(trained)
    kept = own.with_name(trained.name)
    desk.wait_style(str(kept))
    tile(desk, kept)
    assert "The style Trained is trained; it is in the gallery." in window.notes.text


@pytest.mark.slow
def test_a_style_is_removed_once_the_person_agrees(desk: Desk, own: Path) -> None:
    tile(desk, own)
    styles = desk.window.inspector.own_styles
    styles.ask_remove(own)
    box = desk.window.findChild(QMessageBox)
    assert box is not None
    assert box.defaultButton() is box.button(QMessageBox.StandardButton.Cancel)
    box.button(QMessageBox.StandardButton.Cancel).click()
    desk.rest(0.3)
    assert own.is_file()
    styles.ask_remove(own)
    box = desk.window.findChildren(QMessageBox)[-1]
    next(button for button in box.buttons() if button.text() == "Remove").click()
    desk.wait(lambda: str(own) not in desk.window.inspector.gallery.names, "its end")
    desk.wait_style("none")
    assert list(own.parent.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("fate", ["removed", "renamed", "replaced"])
def test_no_picture_is_put_beside_a_style_that_went_while_it_was_painted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fate: str
) -> None:
    folder = StyleFolder(tmp_path)
    style = tmp_path / "own.onnx"
    shutil.copy(bundled()["ink"], style)
    paint = style_thumbnails.paint_first_frame

    def then_it_goes(*arguments: object) -> QImage:
        painted = paint(*arguments)  # type: ignore[arg-type]
        if fate == "renamed":
            folder.rename(style, "other")
        else:
            folder.remove(style)
        if fate == "replaced":
            shutil.copy(bundled()["realtime"], style)
        return painted

    monkeypatch.setattr(style_thumbnails, "paint_first_frame", then_it_goes)
    with suppress(FileNotFoundError):
        assert not style_thumbnails.paint_missing(folder, style)
    assert list(tmp_path.glob("*.jpg")) == []


def test_a_style_that_replaced_another_is_painted_anew_though_it_is_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, style, painted = StyleFolder(tmp_path), tmp_path / "own.onnx", list[str]()

    def paint(name: str, _: Path) -> Pixels:
        painted.append(name)
        return np.zeros((9, 16, 4), np.uint8)

    monkeypatch.setattr(style_thumbnails, "paint_first_frame", paint)
    style.write_bytes(b"former")
    assert style_thumbnails.paint_missing(folder, style)
    assert not style_thumbnails.paint_missing(folder, style)
    time.sleep(0.05)  # longer than a step of the disk's clock
    replace_alike(style, b"latter")
    assert style_thumbnails.paint_missing(folder, style)
    assert len(painted) == 2


@pytest.mark.slow
def test_an_export_to_come_holds_its_style(desk: Desk, own: Path, tmp_path: Path) -> None:
    spec = JobSpec(str(CLIPS / "cfr.mp4"), str(tmp_path / "out.mp4"), Recipe(StyleSpec(str(own))), device="cpu")
    desk.exports.queue.jobs.append(ExportJob(spec))
    desk.window.inspector.own_styles.ask_remove(own)
    assert "An unfinished export uses given." in desk.window.messages.text
    assert desk.window.findChild(QMessageBox) is None
    desk.exports.queue.jobs.clear()


@pytest.mark.slow
def test_the_menu_is_that_of_own_styles(desk: Desk, own: Path) -> None:
    tile(desk, own)
    gallery = desk.window.inspector.gallery
    asked: list[Path] = []
    gallery.menu_asked.connect(lambda path, _: asked.append(path))
    for name in ("none", str(own)):
        item = gallery.tiles.item(gallery.names.index(name))
        gallery.tiles.customContextMenuRequested.emit(gallery.tiles.visualItemRect(item).center())
    assert asked == [own]
    menu = desk.window.findChildren(QMenu)[-1]
    assert [action.text() for action in menu.actions()] == ["Rename…", "Save as a file…", "Remove…"]
    menu.close()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mona Lisa", "Mona Lisa"),
        ("../../etc/passwd", "etc passwd"),
        ("a:0.5,b", "a 0.5,b"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),  # with any ending, and however many
        ("lpt¹ .a.b", "_lpt¹ .a.b"),
        ("Console", "Console"),
        ("  \n ", ""),
        ("...", ""),
        ("x" * 200, "x" * 60),
    ],
)
def test_names_are_names_of_files_everywhere(text: str, name: str) -> None:
    assert proper_name(text) == name


def test_a_folder_keeps_whole_files_only(tmp_path: Path) -> None:
    folder = StyleFolder(tmp_path / "styles")
    assert list(folder) == []
    with pytest.raises(OSError, match="nowhere"):
        folder.keep(tmp_path / "nowhere.onnx")
    assert list((tmp_path / "styles").iterdir()) == []
    (tmp_path / "a.onnx").write_bytes(b"1")
    assert folder.keep(tmp_path / "a.onnx") == folder.keep(tmp_path / "a.onnx") == tmp_path / "styles" / "a.onnx"
