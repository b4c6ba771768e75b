"""Choice of a brush kind or brush tip."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QGridLayout, QSizePolicy, QWidget

from framebrush.models.brushes import PRESETS, BrushKind
from framebrush.window.widgets.controls import accept_copy, tip_files
from framebrush.window.widgets.theme import SPACE

PICTURES = Path(__file__).with_name("brushes")
"""Made by assets/make_brush_pictures.py."""

SIZE, COLUMNS = QSize(80, 32), 2
"""Minimum size of a button: small screens have no room for more height."""

BAND, WORDS = QColor(12, 12, 13, 200), QColor("#f0f0ee")
"""Colours of a name on a picture."""

DISABLED = 0.4
"""Opacity of a disabled picture."""


def titles() -> dict[str, str]:
    """Return the kinds' translated titles."""
    translate = QCoreApplication.translate
    return {
        "oil": translate("BrushKinds", "Oil"),
        "bristle": translate("BrushKinds", "Bristle"),
        "palette-knife": translate("BrushKinds", "Palette knife"),
        "impressionist": translate("BrushKinds", "Impressionist"),
        "pointillist": translate("BrushKinds", "Pointillist"),
        "gouache": translate("BrushKinds", "Gouache"),
        "fine": translate("BrushKinds", "Fine"),
    }


class KindButton(QAbstractButton):
    """Button with a picture of strokes."""

    def __init__(self, name: str, accessible: str) -> None:
        super().__init__(checkable=True)
        self.picture = self._bundled = QImage(str(PICTURES / f"{name}.jpg"))
        self._is_left = False
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(accessible)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return SIZE

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return SIZE

    def show_chosen(self, on: bool, title: str, says: str, *, is_left: bool = False) -> None:
        """Show whether this kind is in use. is_left: the style chose it."""
        self._is_left = is_left
        self.setText(title)
        self.setChecked(on)
        self.setAccessibleDescription(says)
        self.setToolTip("\n".join(filter(None, (title, says))))
        self.update()

    def show_picture(self, picture: QImage | None) -> None:
        """Show a picture; None: the bundled one."""
        self.picture = picture or self._bundled
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        inside, outline = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5), QPainterPath()
        if inside.isEmpty():  # while a section above opens
            return
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        outline.addRoundedRect(inside, 3, 3)
        scale = min(self.picture.width() / inside.width(), self.picture.height() / inside.height())
        painter.setClipPath(outline)
        painter.setOpacity(1.0 if self.isEnabled() else DISABLED)
        part = QRectF(0, 0, scale * inside.width(), scale * inside.height())
        part.moveCenter(QRectF(self.picture.rect()).center())
        painter.drawImage(inside, self.picture, part)
        self._draw_name(painter, inside)
        painter.setClipping(False)
        painter.setOpacity(1.0)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        accent, line = palette.highlight().color(), palette.placeholderText().color()
        if self.isChecked():
            painter.setPen(QPen(line if self._is_left else accent, 2))
            painter.drawRoundedRect(frame, 5, 5)
        if self.hasFocus():
            painter.setPen(QPen(palette.text().color(), 1))
            painter.drawRoundedRect(frame, 5, 5)
        elif self.underMouse() and self.isEnabled() and not self.isChecked():
            painter.setPen(QPen(line, 1))
            painter.drawRoundedRect(frame, 5, 5)

    def _draw_name(self, painter: QPainter, inside: QRectF) -> None:
        metrics = painter.fontMetrics()
        name = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, round(inside.width()) - SPACE)
        size = metrics.size(Qt.TextFlag.TextSingleLine, name)
        height = size.height() + SPACE // 2  # capitals with dots, and descenders, fill the font's height
        band = QRectF(inside.left(), inside.bottom() - height, size.width() + SPACE, height)
        painter.fillRect(band, BAND)
        painter.setPen(WORDS)
        painter.drawText(band, Qt.AlignmentFlag.AlignCenter, name)


class BrushKinds(QWidget):
    """Row of brush kinds. A dropped picture becomes the brush tip."""

    asked = Signal(object)  # name of a kind; None for the style's
    mark_asked = Signal()
    mark_left = Signal()
    dropped = Signal(Path)

    def __init__(self) -> None:
        super().__init__(acceptDrops=True)
        self._titles = titles()
        named = self.tr("Brush: {name}")
        self.buttons = {name: KindButton(name, named.format(name=title)) for name, title in self._titles.items()}
        self._chosen: str | None = None
        self._group = QButtonGroup(self)  # arrow keys move between its buttons
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        for place, (name, button) in enumerate(self.buttons.items()):
            self._group.addButton(button)
            layout.addWidget(button, *divmod(place, COLUMNS))
            button.clicked.connect(partial(self._ask, name))
        self.own = KindButton("own", self.tr("Brush: a tip of your own"))
        self._has_mark = False
        self.own.clicked.connect(self._ask_mark)
        layout.addWidget(self.own, *divmod(len(self.buttons), COLUMNS))

    def show_kind(self, name: str | None, own: BrushKind) -> None:
        """Show a kind without a signal; None for the style's own."""
        self._chosen = name
        shown = name or next((each for each, preset in PRESETS.items() if preset.kind == own), None)
        self._group.setExclusive(False)
        for each, button in self.buttons.items():
            says = self.tr("The style's brush") if name is None else self.tr("Click again to use the style's brush")
            button.show_chosen(each == shown, self._titles[each], says if each == shown else "", is_left=name is None)
        self._group.setExclusive(True)

    def show_strips(self, strips: Mapping[str, QImage] | None) -> None:
        """Show pictures of some kinds; None: the bundled ones."""
        for name, button in self.buttons.items():
            if strips is None or name in strips:
                button.show_picture(None if strips is None else strips[name])

    def show_mark(self, path: str | None) -> None:
        """Show the brush tip's picture without a signal; None for bristles."""
        self._has_mark = path is not None
        if path is None:
            says = self.tr("Choose a picture of a brush tip, or drop one here")
            self.own.show_chosen(False, self.tr("Your own…"), says)
        else:
            self.own.show_chosen(True, Path(path).name, self.tr("Click again for a brush with hairs"))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if tip_files(event.mimeData()):
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        files = tip_files(event.mimeData())
        if files and accept_copy(event):
            self.dropped.emit(files[0])

    def _ask_mark(self) -> None:
        self.own.setChecked(self._has_mark)  # until the dialog is answered
        (self.mark_left if self._has_mark else self.mark_asked).emit()

    def _ask(self, name: str) -> None:
        self.asked.emit(None if name == self._chosen else name)
