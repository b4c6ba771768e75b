"""Brush, relief, canvas and lamp: effects applied after the network."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.stages.look import LAMP_DEGREES, Look
from framebrush.window.widgets.controls import Disclosure, LabelledSlider
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.numbers import percent, whole
from framebrush.window.widgets.theme import SPACE


class StyleShare(LabelledSlider):
    """Slider for a share that defaults to the style's until it is moved.

    A double click resets it.
    """

    left = Signal()  # reset to the style's value

    _is_left = False

    def __init__(self, name: str, tip: str) -> None:
        super().__init__(name, 0, 100, 0, per_unit=100, to_text=self._words, tip=tip, inline=True)
        self._value.setToolTip(self.tr("Double-click to use the style's value"))

    def show_share(self, share: float, *, is_left: bool) -> None:
        """Show the current share. is_left: it is the style's."""
        self._is_left = is_left
        self.show_value(share)

    @property
    def value_px(self) -> int:
        """Width of the value label, including the "style" label."""
        return max(super().value_px, self._value.fontMetrics().horizontalAdvance(self._style_words(1.0)) + 2)

    def reset(self) -> None:
        """Return to the style's value."""
        self.left.emit()

    def _words(self, share: float) -> str:
        return self._style_words(share) if self._is_left else percent(share)

    def _style_words(self, share: float) -> str:
        return self.tr("Style: {share}").format(share=percent(share))


class Brushwork(QWidget):
    """Rows of a collapsible section. Stateless: the panel shows a look in it."""

    def __init__(self) -> None:
        super().__init__()
        self.shares = {
            "brush": StyleShare(self.tr("Brush"), self.tr("How far brush strokes replace what is below them")),
            "relief": StyleShare(self.tr("Relief"), self.tr("How thick the paint is, with marks of the bristles")),
            "canvas": StyleShare(self.tr("Canvas"), self.tr("Canvas weave, visible where the paint is thin")),
        }
        self.lamp = LabelledSlider(
            self.tr("Lamp"),
            0,
            360,
            round(LAMP_DEGREES),
            per_unit=1,
            to_text=lambda degrees: self.tr("{number}°").format(number=whole(round(degrees))),
            tip=self.tr(
                "Where the light on relief and canvas comes from: 0° from the right, 90° from above, 180° from the left"
            ),
            bipolar=True,
            inline=True,
        )
        self.title = Disclosure(self.tr("Brush and relief"), self)
        fill(QVBoxLayout(self), *self.shares.values(), self.lamp, around=0, between=SPACE // 2)

    def show_look(self, used: Look) -> None:
        """Show the look of the frame on the screen. used: complete, with the style's values."""
        self.lamp.setEnabled(used.raises)
