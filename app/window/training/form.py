"""Form for a new style."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.base.file_names import proper_name
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.media.video import InputError
from framebrush.models.training_needs import (
    ENOUGH_PHOTOS,
    FEWEST_PHOTOS,
    GOOD_PAINTING_PX,
    MOST_PHOTOS,
    PICTURE_SUFFIXES,
    SMALLEST_PAINTING_PX,
)
from framebrush.styles.reference_pictures import decoded
from framebrush.styles.style_folder import StyleFolder
from framebrush.window.state.window_settings import Settings
from framebrush.window.training.capabilities import IN_BUNDLE, Facts, TrainingCapabilities, about
from framebrush.window.training.training_spec import TrainingSpec
from framebrush.window.widgets.background import Latest
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import LabelledSlider, choice, faint, name_control, plain, push_button
from framebrush.window.widgets.file_dialogs import Location, own_folder
from framebrush.window.widgets.images import fitted, image_of_rgb
from framebrush.window.widgets.numbers import whole
from framebrush.window.widgets.theme import SPACE, STAGE

PICTURE_PX = 132
PICTURES = " ".join(f"*{suffix}" for suffix in PICTURE_SUFFIXES)


class NewStyleForm(QWidget):
    """Form that needs only a picture, prefilled with previous choices."""

    changed = Signal()

    def __init__(
        self,
        settings: Settings,
        styles: StyleFolder,
        facts: TrainingCapabilities,
        parent: QWidget,
        film: Callable[[], str] = lambda: "",
    ) -> None:
        super().__init__(parent)
        self._settings, self._styles, self._facts, self._film = settings, styles, facts, film
        self._picture_path, self._is_usable = "", False
        self._read, self._counted = Latest(self._show_small, self), Latest(self._show_count, self)
        self.recipe = TrainingSpec("", "")
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._picture.setFixedSize(PICTURE_PX, PICTURE_PX)
        self._picture.setStyleSheet(f"background: {STAGE}; border-radius: 6px;")
        self._picture.setAccessibleName(self.tr("Picture"))
        self.size_line = faint()
        self.name_field = QLineEdit(maxLength=60)
        self.stroke = LabelledSlider(
            self.tr("Width of the strokes"),
            4,
            32,
            10,
            per_unit=1,
            to_text=self._in_pixels,
            tip=self.tr("How broad the painting's strokes will be in a video"),
        )
        self.speed = choice({self.tr("Fast"): "realtime", self.tr("Finer and slower"): "quality"})
        self.photos_field, self.features_field = QLineEdit(), QLineEdit()
        self.photos_field.setPlaceholderText(self.tr("Optional: frames of the open film and of the sample film"))
        self.features_field.setPlaceholderText(self.tr("Optional: part of Framebrush"))
        self.count_line = faint()
        self.estimate, self.missing = plain(wraps=True), plain(wraps=True)
        for label in (self.estimate, self.missing):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.copy = push_button(self.tr("Copy the command"), lambda: QApplication.clipboard().setText(self.command))
        self.look_again = push_button(self.tr("Look again"), facts.ask)
        self.other_python = push_button(self.tr("Another Python…"), self._ask_python)
        line_px = self.fontMetrics().lineSpacing()
        for label, lines in ((self.count_line, 2), (self.estimate, 2), (self.missing, 4)):
            label.setMinimumHeight(lines * line_px)  # a page of a stack only asks for the height of one line
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.problem = plain(wraps=True)
        self.problem.setObjectName("problem")
        self._lay_out()
        self.name_field.textChanged.connect(self.changed)
        self.photos_field.textChanged.connect(self._count_photos)
        facts.found.connect(self._show_facts)
        self.photos_field.setText(str(settings.folder("photos") or ""))
        self._count_photos()
        self.features_field.setText(settings.path("features"))
        self.show_problem("")
        self._show_facts(facts.facts)

    @property
    def is_complete(self) -> bool:
        """Whether training can be started."""
        facts = self._facts.facts
        named = bool(proper_name(self.name_field.text()))
        return self._is_usable and named and facts is not None and not facts.missing

    @property
    def spec(self) -> TrainingSpec:
        return TrainingSpec(
            self._styles.free_name(self.name_field.text()),
            self._picture_path,
            *self._material,
            self.speed.currentData(),
            self.stroke.value,
            self.recipe.steps,
            self.recipe.batch,
            self._film(),
        )

    def remember(self) -> None:
        """Remember photographs and weights for next time."""
        photos, features = self._material
        self._settings.set_folder("photos", Path(photos) if photos else None)
        self._settings.set_path("features", features)

    @property
    def _material(self) -> tuple[str, str]:
        texts = self.photos_field.text(), self.features_field.text()
        photos, features = (str(Path(text).absolute()) if text else "" for text in texts)
        return photos, features

    def show_spec(self, spec: TrainingSpec) -> None:
        """Fill in an earlier attempt's settings."""
        self.recipe = spec
        self.name_field.setText(spec.name)
        self.photos_field.setText(spec.photos)
        self.features_field.setText(spec.features)
        self.stroke.slider.setValue(round(spec.stroke_px))
        self.speed.setCurrentIndex(self.speed.findData(spec.size))
        self.show_picture(Path(spec.picture))

    def show_picture(self, path: Path) -> None:
        self._picture_path, self._is_usable = str(path), False
        if not self.name_field.text():
            self.name_field.setText(proper_name(re.sub("[-_]+", " ", path.stem).capitalize()))
        self._read.ask(object(), partial(_small, path))  # always: the file may be another one than before
        self.changed.emit()

    def show_problem(self, text: str) -> None:
        """Show why the last attempt failed, or ""."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def _show_small(self, found: tuple[QImage, Size]) -> None:
        image, size = found
        self._picture.clear()
        if not image.isNull():
            self._picture.setPixmap(fitted(image, self._picture.size(), self.devicePixelRatioF()))
        shorter_px = min(size)
        self._is_usable = shorter_px >= SMALLEST_PAINTING_PX
        if image.isNull():
            words = self.tr("This file is not a readable picture.")
        elif not self._is_usable:
            words = self.tr("{size} pixels: too small to train on; at least {least} per side are needed.")
        elif shorter_px < GOOD_PAINTING_PX:
            words = self.tr("{size} pixels: low resolution for brush strokes.")
        else:
            words = self.tr("{size} pixels")
        self.size_line.setText(words.format(size=f"{size[0]} × {size[1]}", least=SMALLEST_PAINTING_PX))
        self.changed.emit()

    def _count_photos(self) -> None:
        text = self.photos_field.text()
        self.count_line.setText(self.tr("Looking for photographs…") if text else "")
        self._counted.ask(text, partial(_photographs, text))
        self.changed.emit()

    def _show_count(self, count: int | None) -> None:
        if count is None:
            film = bool(self.photos_field.text())
            self.count_line.setText(self.tr("Frames from all over this film are used.") if film else "")
            return
        if count < FEWEST_PHOTOS:
            number = FEWEST_PHOTOS
            verdict = self.tr("At least {number} are needed: places, people and rooms, as in your films.")
        elif count < ENOUGH_PHOTOS:
            number = ENOUGH_PHOTOS
            verdict = self.tr("{number} or more would be better.")
        else:
            number = MOST_PHOTOS
            verdict = self.tr("Up to {number} of them are used; none leaves this computer.")
        counted = self.tr("%n photograph(s) in this folder.", "", count)
        self.count_line.setText(f"{counted} {verdict.format(number=number)}")

    def _show_facts(self, facts: Facts | None) -> None:
        lacks = facts is not None and bool(facts.missing)
        for part in (self.missing, self.copy, self.look_again, self.other_python):
            part.setVisible(lacks)
        self.estimate.setVisible(not lacks)
        if facts is None:
            self.estimate.setText(self.tr("Checking what this computer can train with…"))
        elif facts.missing:
            first = self.tr("Training a style needs PyTorch and Pillow. {reason}").format(reason=facts.missing)
            if IN_BUNDLE:
                then = self.tr("Install Python and run this command, then choose that Python:")
            else:
                then = self.tr("Install it with this command, then look again:")
            self.missing.setText(f"{first} {then}\n{self.command}")
        else:
            self.estimate.setText(self._estimate(facts))
        self.changed.emit()

    @property
    def command(self) -> str:
        """Command that installs PyTorch for the Python that will train."""
        if IN_BUNDLE:
            return 'python -m pip install "framebrush[train]"'
        python = self._facts.python
        quoted = f'"{python}"' if " " in python else python
        return f"{quoted} -m pip install torch pillow"

    def _estimate(self, facts: Facts) -> str:
        time = self.tr("The time is being measured…")
        if facts.crop_s is not None:
            time = about(facts.crop_s * self.recipe.batch * self.recipe.steps)
            time = self.tr("Training takes {time}, as just measured.").format(time=time)
        if facts.gpu:
            return f"{facts.device}. {time}"
        slow = self.tr("PyTorch finds no usable GPU; training works on the CPU, but slowly.")
        return f"{slow} {time}"

    def _ask_picture(self) -> None:
        start = self._settings.folder("painting") or own_folder(Location.PicturesLocation)
        patterns = self.tr("Pictures ({patterns})").format(patterns=PICTURES)
        name, _ = QFileDialog.getOpenFileName(self, self.tr("Picture of a painting"), str(start), patterns)
        if name:
            self._settings.set_folder("painting", Path(name).parent)
            self.show_picture(Path(name))

    def _ask_photos(self) -> None:
        name = QFileDialog.getExistingDirectory(self, self.tr("Folder of photographs"), self.photos_field.text())
        if name:
            self.photos_field.setText(str(Path(name)))

    def _ask_features(self) -> None:
        start = str(own_folder(Location.DownloadLocation))
        name, _ = QFileDialog.getOpenFileName(self, self.tr("VGG16 weights"), start, "VGG16 (*.pth *.npz)")
        if name:
            self.features_field.setText(str(Path(name)))

    def _ask_python(self) -> None:
        pattern = "python.exe pythonw.exe" if os.name == "nt" else "*"
        name, _ = QFileDialog.getOpenFileName(self, self.tr("A Python with PyTorch"), "", f"Python ({pattern})")
        if name:
            self._settings.set_path("python", name)
            self._facts.use(name)
            self._show_facts(None)

    def _in_pixels(self, value: float) -> str:
        return self.tr("{number} pixels").format(number=whole(round(value)))

    def _lay_out(self) -> None:
        hint = self.tr("A painting, a drawing, a fabric: without frame or border, at least {number} pixels per side.")
        choose = fill(QHBoxLayout(), push_button(self.tr("Choose a picture…"), self._ask_picture), None)
        words = fill(QVBoxLayout(), choose, self.size_line, faint(hint.format(number=GOOD_PAINTING_PX)), None)
        top = fill(QHBoxLayout(), self._picture, words, between=2 * SPACE, grows=words)
        grid = QGridLayout()
        grid.setHorizontalSpacing(2 * SPACE)
        grid.setVerticalSpacing(SPACE)
        grid.setColumnStretch(1, 1)
        rows: list[tuple[str, QWidget, QPushButton | None, QLabel | None]] = [
            (self.tr("Name"), self.name_field, None, None),
            (self.tr("Painter"), self.speed, None, None),
            (
                self.tr("Photographs"),
                self.photos_field,
                push_button(self.tr("Choose…"), self._ask_photos),
                self.count_line,
            ),
            (
                self.tr("VGG16 weights"),
                self.features_field,
                push_button(self.tr("Choose…"), self._ask_features),
                None,
            ),
        ]
        line = 0
        for name, field, button, note in rows:
            label = QLabel(name)
            name_control(field, name, label)
            grid.addWidget(label, line, 0)
            grid.addWidget(field, line, 1, 1, 1 if button else 2)
            if button:
                grid.addWidget(button, line, 2)
            if note:
                line += 1
                grid.addWidget(note, line, 1, 1, 2)
            line += 1
        buttons = fill(QHBoxLayout(), self.copy, self.look_again, self.other_python, None)
        parts = (top, grid, self.stroke, self.estimate, self.missing, buttons, self.problem, None)
        fill(QVBoxLayout(self), *parts, around=0, between=2 * SPACE)


def _small(path: Path) -> tuple[QImage, Size]:
    try:
        found = decoded(str(path), None)
    except (InputError, DeviceError):
        return QImage(), (0, 0)
    return image_of_rgb(found.rgb), found.size


def _photographs(folder: str) -> int | None:
    if not folder or os.path.isfile(folder):  # noqa: PTH113 - Path raises for invalid paths
        return None
    names = (name for _, _, names in os.walk(folder) for name in names)
    return sum(os.path.splitext(name)[1].lower() in PICTURE_SUFFIXES for name in names)  # noqa: PTH122 - a Path is slow
