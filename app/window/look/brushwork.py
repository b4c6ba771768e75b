"""Brush, relief, canvas and lamp: what is done to a painting behind its network."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.stages.look import LAMP_DEGREES, Look
from framebrush.models.style import ModelCard
from framebrush.styles.names import PLAIN
from framebrush.window.widgets.controls import Disclosure, LabelledSlider
from framebrush.window.widgets.numbers import percent, whole
from framebrush.window.widgets.theme import SPACE


class StyleShare(LabelledSlider):
    """A share that the style says until the slider is moved; a double click leaves it to the style again."""

    left = Signal()  # to the style

    _is_left = False

    def __init__(self, name: str, tip: str) -> None:
        super().__init__(name, 0, 100, 0, per_unit=100, to_text=self._words, tip=tip, inline=True)
        self._value.setToolTip(self.tr("Double-click to leave it to the style"))

    def show_share(self, share: float, *, is_left: bool) -> None:
        """Show the share that is in use; is_left: it is what the style says."""
        self._is_left = is_left
        self.show_value(share)

    @property
    def value_px(self) -> int:
        """The width that the value needs, also as the style's."""
        return max(super().value_px, self._value.fontMetrics().horizontalAdvance(self._style_words(1.0)) + 2)

    def reset(self) -> None:
        """Leave it to the style."""
        self.left.emit()

    def _words(self, share: float) -> str:
        return self._style_words(share) if self._is_left else percent(share)

    def _style_words(self, share: float) -> str:
        return self.tr("Style: {share}").format(share=percent(share))


class Brushwork(QWidget):
    """Sliders that a click on their title shows. Holds nothing: it shows a look, and asks for other values of it."""

    asked = Signal(str, object)  # a field of `Look`, and its value

    def __init__(self) -> None:
        super().__init__()
        self.shares = {
            "brush": StyleShare(self.tr("Brush"), self.tr("Draws the painting out to strokes")),
            "relief": StyleShare(self.tr("Relief"), self.tr("How high the paint lies, with the marks of its bristles")),
            "canvas": StyleShare(self.tr("Canvas"), self.tr("A weave that is seen where the paint is thin")),
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
        rows = QWidget()
        self.title = Disclosure(self.tr("Brush and relief"), rows)
        inside, layout = QVBoxLayout(rows), QVBoxLayout(self)
        for each in (inside, layout):
            each.setContentsMargins(0, 0, 0, 0)
            each.setSpacing(SPACE // 2)
        layout.addWidget(self.title)
        layout.addWidget(rows)
        for slider in (*self.shares.values(), self.lamp):
            inside.addWidget(slider)
        for name, share in self.shares.items():
            share.moved.connect(partial(self.asked.emit, name))
            share.left.connect(partial(self.asked.emit, name, getattr(Look(), name)))
        self.lamp.moved.connect(partial(self.asked.emit, "lamp_degrees"))

    def show_look(self, look: Look, card: ModelCard) -> None:
        """Show what is in use, without a signal. card: of the style, which says what the look leaves open."""
        used = look.of(card)
        for name, share in self.shares.items():
            is_left = getattr(look, name) is None and card.name != PLAIN
            share.show_share(getattr(used, name), is_left=is_left)
        self.lamp.show_value(look.lamp_degrees)
        self.lamp.setEnabled(used.raises)
