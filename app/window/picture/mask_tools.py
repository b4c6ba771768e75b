"""Controls of the brush that corrects masks."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QWidget

from framebrush.window.state.actions import Actions
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import LabelledSlider, RowName, tool_button
from framebrush.window.widgets.numbers import percent
from framebrush.window.widgets.theme import SPACE

SMALLEST, LARGEST, USUAL = 1, 50, 10
"""Diameters of the brush, in percent of the frame's shorter side."""

STEP = 1.3
"""Factor of one press of the keys for the size."""


class MaskTools(QWidget):
    """Row of the brush's size and its buttons."""

    def __init__(self, actions: Actions) -> None:
        super().__init__()
        self._actions = actions
        self.diameter = LabelledSlider(
            self.tr("Brush size"),
            SMALLEST,
            LARGEST,
            USUAL,
            per_unit=100,
            to_text=percent,
            tip=self.tr("Width of the brush that corrects the mask, of the picture's shorter side"),
            inline=True,
            alone=True,
        )
        name = RowName(self.tr("Mask brush"))
        name.setToolTip(self.tr("Paint on the picture what belongs to the mask, or does not"))
        buttons = [tool_button(actions[action]) for action in ("mask-brush", "mask-remove")]
        fill(QHBoxLayout(self), name, *buttons, self.diameter, around=0, between=SPACE // 2, grows=self.diameter)
        actions["mask-larger"].triggered.connect(lambda: self._scale(STEP))
        actions["mask-smaller"].triggered.connect(lambda: self._scale(1 / STEP))
        actions["mask-brush"].toggled.connect(lambda _: self._enable())
        actions["mask-brush"].enabledChanged.connect(lambda _: self._enable())
        self._enable()

    def _scale(self, factor: float) -> None:
        slider = self.diameter.slider
        wanted = round(slider.value() * factor)
        slider.setValue(wanted if wanted != slider.value() else slider.value() + (1 if factor > 1 else -1))

    def _enable(self) -> None:
        on = self._actions["mask-brush"].isChecked() and self._actions["mask-brush"].isEnabled()
        self.diameter.setEnabled(on)
        for name in ("mask-remove", "mask-larger", "mask-smaller"):
            self._actions[name].setEnabled(on)
