"""Whose colours a painting gets, beside the style that it is painted in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QComboBox

from framebrush.file_names import proper_name
from framebrush.jobs.spec import OWN_COLOURS, ColourSpec
from framebrush.palettes import FILM
from framebrush.window.controls import signals_blocked
from framebrush.window.style_catalog import parts_of, words_of

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class _Option:
    """spec: None for a picture that is yet to be chosen."""

    text: str
    spec: ColourSpec | None


def words_of_colours(colours: ColourSpec) -> str | None:
    """The picture or the table that colours are of, by its name; None where there is none."""
    if colours.palette not in (None, FILM):
        return words_of(colours.palette)
    return Path(colours.lut).stem if colours.lut is not None else None


class ColourChoice(QComboBox):
    """The painting's own colours, the film's own, or those of a picture."""

    changed = Signal(object)  # a ColourSpec
    picture_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.asked = OWN_COLOURS
        self._options: list[_Option] = []
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Colours"))
        self.setToolTip(self.tr("Whose colours the painting gets"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)  # names are long
        self.show_colours(OWN_COLOURS)
        self.activated.connect(self._choose)

    def show_colours(self, colours: ColourSpec) -> None:
        """Show what is in use, without a signal."""
        self.asked = colours
        self._options = [
            _Option(self.tr("The painting's own"), OWN_COLOURS),
            _Option(self.tr("The film's own"), ColourSpec(FILM)),
            _Option(self.tr("Of a picture…"), None),
        ]
        if all(option.spec != colours for option in self._options):
            self._options.insert(2, _Option(words_of_colours(colours) or self.tr("The film's own"), colours))
        with signals_blocked(self):
            self.clear()
            self.addItems([option.text for option in self._options])
            self.setCurrentIndex([option.spec for option in self._options].index(colours))

    def take(self, colours: ColourSpec) -> None:
        """Use other colours."""
        if colours != self.asked:
            self.show_colours(colours)
            self.changed.emit(colours)

    def _choose(self, index: int) -> None:
        chosen = self._options[index].spec
        if chosen is None:
            self.show_colours(self.asked)  # until there is a picture
            self.picture_asked.emit()
        else:
            self.take(chosen)


class Colouring(QObject):
    """What a window does with the choice, and with the table of colours that comes of it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._choice = window, window.look_panel.colours
        self._choice.show_colours(window.settings.colours)
        self._choice.changed.connect(self._use)
        self._choice.picture_asked.connect(self._ask_picture)
        window.actions_["save-colours"].triggered.connect(lambda _=False: self._save())

    def show(self, colours: ColourSpec) -> None:
        """These are in use now."""
        self._choice.show_colours(colours)
        self._window.settings.colours = colours

    def _use(self, colours: ColourSpec) -> None:
        self._window.player.use_colours(colours)
        self._window.looks.history.touch()

    def _ask_picture(self) -> None:
        path = self._window.files.picture()
        if path is not None:
            self._choice.take(ColourSpec(str(path)))

    def _save(self) -> None:
        """Let the person choose where the table of colours in use goes."""
        words = words_of_colours(self._choice.asked) or " ".join(map(words_of, parts_of(self._window.style_name)))
        path = self._window.files.new_cube(proper_name(words) or "colours")
        if path is not None:
            self._window.player.save_colours(path if path.suffix.lower() == ".cube" else Path(f"{path}.cube"))
