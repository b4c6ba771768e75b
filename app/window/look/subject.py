"""Section *Subject*: masks, faces and second style."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QStandardItemModel

from framebrush.gpu.look import SECOND, Look
from framebrush.styles.specs import ALPHA, FAR, NAMED_MASKS, SUBJECT
from framebrush.window.picture.mask_tools import MaskTools
from framebrush.window.state.actions import Actions
from framebrush.window.styles.catalog import TITLES, title, words_of
from framebrush.window.widgets.controls import RowName, choice, signals_blocked
from framebrush.window.widgets.section import Section, named_boxes

ASK = ""
"""Value of the row that asks for a file with a mask."""

Kept = tuple[bool, bool]
"""Whether the area of the mask, and everything outside it, keep the film's own colours."""

KEPT = "film_inside", "film_outside"
"""Their fields of a look."""


SECONDS = [name for name in TITLES if name not in ("oil", "realtime", "quality")]
"""Bundled styles that are offered as a second style: each paints by a network."""


class Subject(Section):
    """Controls for masks and a second style. Stateless."""

    kept = Signal(dict)  # shares of the look
    masked = Signal(object)  # one of NAMED_MASKS, None for people
    mask_asked = Signal()
    second_chosen = Signal(object)  # name of a style, None for no second one

    def __init__(self, actions: Actions) -> None:
        super().__init__("subject", QCoreApplication.translate("Subject", "Subject"))
        self.tools = MaskTools(actions)
        kept: dict[str, Kept] = {
            self.tr("Nothing"): (False, False),
            self.tr("Inside"): (True, False),
            self.tr("Around it"): (False, True),
            self.tr("Everything"): (True, True),
        }
        self._kept, self.choices = tuple(kept.values()), choice({text: text for text in kept})
        name = RowName(self.tr("Own colours"))
        self.choices.setToolTip(self.tr("What keeps the film's own colours under the strokes"))
        self.choices.activated.connect(
            lambda index: self.kept.emit(dict(zip(KEPT, map(float, self._kept[index]), strict=True)))
        )
        areas: dict[str, str | None] = {
            self.tr("People"): None,
            self.tr("Whatever stands out"): SUBJECT,
            self.tr("What is far away"): FAR,
            self.tr("The film's alpha"): ALPHA,
            self.tr("Picture or video…"): ASK,
        }
        self._mask: str | None = None
        self.areas = choice(areas)
        area_name = RowName(self.tr("Area"))
        self.areas.setToolTip(self.tr("What is painted in a way of its own; hold V to see it in red"))
        self.areas.activated.connect(self._choose_area)
        seconds: dict[str, str | None] = {self.tr("None"): None} | {title(name): name for name in SECONDS}
        self.second = choice(seconds)
        second_name = RowName(self.tr("Second style"))
        self.second.activated.connect(lambda index: self.second_chosen.emit(self.second.itemData(index)))
        rows = (area_name, self.areas), (name, self.choices), (second_name, self.second)
        self.lay_out(named_boxes(rows), self.tools)

    def _choose_area(self, index: int) -> None:
        chosen = self.areas.itemData(index)
        self.show_mask(self._mask)  # until another one is in use
        if chosen == ASK:
            self.mask_asked.emit()
        else:
            self.masked.emit(chosen)

    def show_mask(self, mask: str | None) -> None:
        """Show the mask in use, as in `SizeSpec`."""
        self._mask = mask
        is_file = mask is not None and mask not in NAMED_MASKS
        last = self.areas.count() - 1
        with signals_blocked(self.areas):
            self.areas.setItemText(last, Path(mask or "").name if is_file else self.tr("Picture or video…"))
            self.areas.setCurrentIndex(last if is_file else self.areas.findData(mask))

    def show_second(self, name: str | None, *, fits: bool) -> None:
        """Show the second style with its shares. fits: beside the first."""
        text = self.tr("Another style, in which the area or everything around it is painted")
        self.second.setToolTip(text if fits else self.tr("The style in use cannot share a frame with another one"))
        self.second.setEnabled(fits)
        with signals_blocked(self.second):
            if self.second.findData(name) < 0:
                self.second.addItem(words_of(name or ""), name)
            self.second.setCurrentIndex(self.second.findData(name))
        for field, slider in self.shares.items():
            slider.setVisible(name is not None or field not in SECOND)

    def offer_alpha(self, on: bool) -> None:
        """Set whether the film's alpha can be the mask."""
        model = self.areas.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.areas.findData(ALPHA)).setEnabled(on)

    def show_look(self, used: Look, *, paints: bool) -> None:
        """Show a complete look. paints: whether anything changes the film."""
        self.setEnabled(paints)
        with signals_blocked(self.choices):
            self.choices.setCurrentIndex(self._kept.index((used.film_inside > 0, used.film_outside > 0)))
