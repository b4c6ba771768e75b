"""Brush selection.

Buttons for all kinds, with pictures of strokes, and for a custom brush tip.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from framebrush.models.brushes import PRESETS, BrushKind
from framebrush.window.widgets.controls import accept_copy, tip_files
from framebrush.window.widgets.theme import SPACE

PICTURES = Path(__file__).with_name("brushes")
"""Made by assets/make_brush_pictures.py."""

SIZE = QSize(25, 27)
"""Minimum size of a button; buttons grow to the available width. Small screens have no room for more height."""

MOST_PX = 64
"""Width of a button."""

DISABLED = 0.4
"""Opacity of a disabled picture."""


def titles() -> dict[str, str]:
    """Return the translated title of each kind."""
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
    """Button with a picture of strokes.

    Framed in the accent colour if the user chose it, fainter if the style did.
    """

    def __init__(self, name: str, accessible: str) -> None:
        """Create a button. name: picture file. accessible: name for screen readers."""
        super().__init__()
        self._picture = QImage(str(PICTURES / f"{name}.jpg"))
        self._is_left = False
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(MOST_PX)
        self.setAccessibleName(accessible)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return SIZE

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return SIZE

    def show_chosen(self, on: bool, title: str, says: str, *, is_left: bool = False) -> None:
        """Show the selection.

        Args:
            title, says: Tooltip: the kind, and the effect of a click or who chose it.
            is_left: The style chose it, not the user.
        """
        self._is_left = is_left
        self.setChecked(on)
        self.setAccessibleDescription(says)
        self.setToolTip("\n".join(filter(None, (title, says))))
        self.update()

    def paintEvent(self, _: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        inside, outline = QRectF(self.rect()).adjusted(2.5, 2.5, -2.5, -2.5), QPainterPath()
        if inside.isEmpty():  # while a section above opens
            return
        painter, palette = QPainter(self), self.palette()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        outline.addRoundedRect(inside, 3, 3)
        scale = min(self._picture.width() / inside.width(), self._picture.height() / inside.height())
        painter.setClipPath(outline)
        painter.setOpacity(1.0 if self.isEnabled() else DISABLED)
        painter.drawImage(inside, self._picture, QRectF(0, 0, scale * inside.width(), scale * inside.height()))
        painter.setClipping(False)
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


class BrushKinds(QWidget):
    """Row of brush kinds. A picture dropped on it becomes the brush tip. Stateless."""

    asked = Signal(object)  # name of a kind; None for the style's
    mark_asked = Signal()
    mark_left = Signal()
    dropped = Signal(Path)

    def __init__(self) -> None:
        super().__init__()
        self._titles = titles()
        named = self.tr("Brush: {name}")
        self.buttons = {name: KindButton(name, named.format(name=title)) for name, title in self._titles.items()}
        self._chosen: str | None = None
        self._group = QButtonGroup(self)  # arrow keys move between its buttons
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        for name, button in self.buttons.items():
            self._group.addButton(button)
            layout.addWidget(button)
            button.clicked.connect(partial(self._ask, name))
        self.own = KindButton("own", self.tr("Brush: a tip of your own"))
        self._has_mark = False
        self.own.clicked.connect(self._ask_mark)
        layout.addWidget(self.own)
        self.setAcceptDrops(True)

    def show_kind(self, name: str | None, own: BrushKind) -> None:
        """Show a kind without emitting a signal.

        Args:
            name: None for the style's.
            own: the style's brush, possibly none of these.
        """
        self._chosen = name
        shown = name or next((each for each, preset in PRESETS.items() if preset.kind == own), None)
        self._group.setExclusive(False)
        for each, button in self.buttons.items():
            says = self.tr("The style's brush") if name is None else self.tr("Click again to use the style's brush")
            button.show_chosen(each == shown, self._titles[each], says if each == shown else "", is_left=name is None)
        self._group.setExclusive(True)

    def show_mark(self, path: str | None) -> None:
        """Show the picture of the brush tip, None for bristles, without emitting a signal."""
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

    def _ask_mark(self, _: bool = False) -> None:
        self.own.setChecked(self._has_mark)  # until the dialog is answered
        (self.mark_left if self._has_mark else self.mark_asked).emit()

    def _ask(self, name: str, _: bool = False) -> None:
        self.asked.emit(None if name == self._chosen else name)
