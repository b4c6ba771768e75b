"""Export presets and their buttons."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QPushButton, QSizePolicy, QWidget

from framebrush.media.encoding.pixels import AUTO, SOURCE
from framebrush.window.widgets.controls import faint
from framebrush.window.widgets.theme import SPACE


@dataclass(frozen=True, slots=True)
class Preset:
    """File type, codec, pixel format, size and quality of an export.

    Attributes:
        suffix: "" to keep the source's if possible.
        lines: maximum of the picture's shorter side; None for the playback size.
        loss: as in `quality.loss`; None for the last used.
    """

    suffix: str
    codec: str
    pixels: str
    lines: int | None
    loss: float | None
    size_mb: int | None = None


LIKE_SOURCE = "source"

PRESETS = {
    LIKE_SOURCE: Preset("", "auto", AUTO, None, None),
    "message": Preset(".mp4", "h264", AUTO, 720, 0.0, 25),
    "social": Preset(".mp4", "h264", AUTO, 1080, 0.0),
    "small": Preset(".mp4", "auto", AUTO, 720, 0.25),
    "editor": Preset(".mov", "prores", AUTO, None, 0.0),
    "archive": Preset(".mkv", "ffv1", SOURCE, None, 0.0),
}

ACROSS = 3
"""How many buttons stand beside each other."""


def titles() -> dict[str, tuple[str, str]]:
    """Return each preset's title and description."""
    translate = QCoreApplication.translate
    return {
        LIKE_SOURCE: (
            translate("ExportDialog", "Like the source"),
            translate("ExportDialog", "The size and, where possible, the kind of file of the source."),
        ),
        "message": (
            translate("ExportDialog", "Phone or message"),
            translate("ExportDialog", "MP4 with H.264, at most 720 lines and 25 MB."),
        ),
        "social": (
            translate("ExportDialog", "Social media"),
            translate("ExportDialog", "MP4 with H.264, at most 1080 lines."),
        ),
        "small": (
            translate("ExportDialog", "Small file"),
            translate("ExportDialog", "MP4 of at most 720 lines, in medium quality."),
        ),
        "editor": (
            translate("ExportDialog", "Video editing"),
            translate("ExportDialog", "MOV with ProRes, for editing programs."),
        ),
        "archive": (
            translate("ExportDialog", "Lossless archive"),
            translate("ExportDialog", "MKV with FFV1, with all that the source has. Very large."),
        ),
    }


class Purposes(QWidget):
    """A button per preset, with a description."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.chosen = ""
        self.buttons: dict[str, QPushButton] = {}
        self.note = faint()
        self._group = QButtonGroup(self)  # arrow keys go from one button of a group to the next
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        for index, (name, (title, says)) in enumerate(titles().items()):
            button = self.buttons[name] = QPushButton(title)
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setAccessibleDescription(says)
            button.setToolTip(says)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(partial(self._ask, name))
            self._group.addButton(button)
            layout.addWidget(button, *divmod(index, ACROSS))
        layout.addWidget(self.note, layout.rowCount(), 0, 1, ACROSS)
        self.show_chosen(LIKE_SOURCE)

    def show_chosen(self, name: str) -> None:
        """Select a preset; "" for none."""
        self.chosen = name
        self._group.setExclusive(False)
        for each, button in self.buttons.items():
            button.setChecked(each == name)
        self._group.setExclusive(True)
        own = QCoreApplication.translate("ExportDialog", "Own settings, as below.")
        self.note.setText(titles()[name][1] if name else own)

    def _ask(self, name: str) -> None:
        self.show_chosen(name)
        self.asked.emit(name)
