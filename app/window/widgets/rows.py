"""Rows of the inspector, made from declared options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QComboBox

from framebrush.base.option import Declared, Row, Section, declared_in
from framebrush.gpu.look import Look
from framebrush.window.widgets.controls import LabelledSlider, choice
from framebrush.window.widgets.numbers import decimal, percent, whole


class StyleShare(LabelledSlider):
    """Slider for a share that defaults to the style's."""

    left = Signal()  # reset to the style's value

    _is_left = False

    def __init__(self, name: str, tip: str) -> None:
        super().__init__(name, 0, 100, 0, per_unit=100, to_text=self._words, tip=tip, inline=True)
        self.value_label.setToolTip(self.tr("Double-click to use the style's value"))

    def show_share(self, share: float, *, is_left: bool) -> None:
        """Show a share. is_left: the style's, not the user's."""
        self._is_left = is_left
        self.show_value(share)

    @property
    def value_px(self) -> int:
        return max(super().value_px, self.value_label.fontMetrics().horizontalAdvance(self._style_words(1.0)) + 2)

    def reset(self) -> None:
        self.left.emit()

    def _words(self, share: float) -> str:
        return self._style_words(share) if self._is_left else percent(share)

    def _style_words(self, share: float) -> str:
        return self.tr("Style: {share}").format(share=percent(share))


def _stops(value: float) -> str:
    words = QCoreApplication.translate("Options", "{number} stops")
    return words.format(number=decimal(value, signed=True)) if value else "0"


def _degrees(value: float) -> str:
    return QCoreApplication.translate("Options", "{number}°").format(number=whole(round(value)))


@dataclass(frozen=True, slots=True)
class _Scale:
    per_unit: int
    to_text: Callable[[float], str]
    bipolar: bool = False


_SCALES = {
    "": _Scale(100, percent),
    "stops": _Scale(10, _stops, bipolar=True),
    "degrees": _Scale(1, _degrees, bipolar=True),
}
"""Scales by unit; "" for shares."""


def sliders(section: Section) -> dict[str, LabelledSlider]:
    """Create a section's sliders by field."""
    return {option.field: _slider(option, row) for option, row in _rows(section) if option.number}


def choices(section: Section) -> dict[str, QComboBox]:
    """Create a section's combo boxes by field."""
    return {option.field: _choice(option, row) for option, row in _rows(section) if not option.number}


def advanced_fields() -> set[str]:
    """Return the fields of rows that are folded away."""
    return {field for field, row in _all_rows() if row.advanced}


def fields_that_need(what: Literal["style", "hdr"]) -> set[str]:
    """Return the fields that only some styles or HDR films use."""
    return {field for field, row in _all_rows() if row.needs == what}


def _all_rows() -> list[tuple[str, Row]]:
    declared = ((option.field, option.option.row) for option in declared_in(Look))
    return [(field, row) for field, row in declared if row is not None]


def _rows(section: Section) -> list[tuple[Declared, Row]]:
    declared = ((option, option.option.row) for option in declared_in(Look))
    found = [(option, row) for option, row in declared if row is not None and row.section == section]
    return sorted(found, key=lambda each: each[1].last)


def _slider(option: Declared, row: Row) -> LabelledSlider:
    name, tip = translated(row.title), translated(row.tip)
    if option.default is None:  # the style's
        return StyleShare(name, tip)
    assert option.option.range is not None
    scale = _SCALES[option.option.unit]
    low, high, start = (round(scale.per_unit * value) for value in (*option.option.range, option.default))
    return LabelledSlider(
        name,
        low,
        high,
        start,
        per_unit=scale.per_unit,
        to_text=scale.to_text,
        tip=tip,
        bipolar=scale.bipolar,
        inline=True,
    )


def _choice(option: Declared, row: Row) -> QComboBox:
    words = map(translated, row.words)
    box = choice(dict(zip(words, option.kind, strict=True)))
    box.setAccessibleName(translated(row.title))
    box.setToolTip(translated(row.tip))
    return box


def translated(text: str) -> str:
    """Translate a text of an option."""
    return QCoreApplication.translate("Options", text)
