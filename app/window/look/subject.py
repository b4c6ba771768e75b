"""Section *Subject*: how people and faces are painted, and which areas keep the film's own colours."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from framebrush.base.option import declared_in
from framebrush.gpu.stages.look import Look
from framebrush.window.look.brushwork import StyleShare
from framebrush.window.widgets.controls import (
    Disclosure,
    LabelledSlider,
    RowName,
    choice,
    name_control,
    signals_blocked,
)
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.numbers import percent
from framebrush.window.widgets.theme import SPACE

_OPTIONS = {each.field: each for each in declared_in(Look)}

Kept = tuple[bool, bool]
"""Whether the area of the mask, and everything outside it, keep the film's own colours."""


def share_slider(field: str, name: str, tip: str) -> LabelledSlider:
    """Create the slider for a share of the look; its default is the style's if the option's is None."""
    option = _OPTIONS[field]
    if option.default is None:
        return StyleShare(name, tip)
    assert option.option.range is not None
    low, high = (round(100 * end) for end in option.option.range)
    return LabelledSlider(
        name, low, high, round(100 * option.default), per_unit=100, to_text=percent, tip=tip, inline=True
    )


class Subject(QWidget):
    """Rows of a collapsible section. Stateless: the panel shows a look in it.

    The box sets both shares of the film's colours; the sliders set each.
    """

    kept = Signal(float, float)  # film_inside, film_outside

    def __init__(self) -> None:
        super().__init__()
        rows = {  # one row per field of `Look`
            "film_inside": (self.tr("People"), self.tr("How far people keep their own colours, painted")),
            "film_outside": (
                self.tr("Around them"),
                self.tr("How far everything but people keeps its own colours, painted"),
            ),
            "faces": (self.tr("Faces"), self.tr("How much of a face comes through the painting")),
        }
        self.shares = {field: share_slider(field, *texts) for field, texts in rows.items()}
        kept: dict[str, Kept] = {
            self.tr("Nothing"): (False, False),
            self.tr("People"): (True, False),
            self.tr("All but people"): (False, True),
            self.tr("Everything"): (True, True),
        }
        self._kept, self.choices = tuple(kept.values()), choice({text: text for text in kept})
        name = RowName(self.tr("Own colours"))
        name_control(self.choices, name.text(), name)
        self.choices.setToolTip(self.tr("What keeps the film's own colours under the strokes"))
        self.choices.activated.connect(lambda index: self.kept.emit(*map(float, self._kept[index])))
        self.title = Disclosure(self.tr("Subject"), self)
        row = QGridLayout()
        row.setColumnStretch(1, 1)
        row.setHorizontalSpacing(SPACE // 2)
        row.addWidget(name, 0, 0)
        row.addWidget(self.choices, 0, 1)
        fill(QVBoxLayout(self), row, *self.shares.values(), around=0, between=SPACE // 2)

    def show_look(self, used: Look, *, paints: bool) -> None:
        """Follow the look of the frame on the screen.

        Args:
            used: Complete, with the style's values.
            paints: Whether anything changes the film at all.
        """
        self.setEnabled(paints)
        with signals_blocked(self.choices):
            self.choices.setCurrentIndex(self._kept.index((used.film_inside > 0, used.film_outside > 0)))
