"""The size of the brush strokes, and the resulting working size."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.sizes import STROKE_PX, Sizes, plan_sizes
from framebrush.jobs.spec import SizeSpec
from framebrush.models.style import ModelCard
from framebrush.window.look.panel import NO_STYLE
from framebrush.window.widgets.controls import LabelledSlider, faint
from framebrush.window.widgets.numbers import shortest
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

STEPS_PER_UNIT, LARGEST = 4, 8
AUTOMATIC = STEPS_PER_UNIT - 1
"""The step below the smallest stroke: automatic, from the size of the video."""

PAUSE_MS = 120
"""How long the slider must rest before the network is loaded for another size."""


class StrokePanel(QWidget):
    """A slider for the stroke, with the resulting sizes. Holds the sizes for playback and export."""

    changed = Signal(object)  # a SizeSpec

    def __init__(self, sizes: SizeSpec) -> None:
        super().__init__()
        self.sizes = sizes
        self._card = NO_STYLE
        self._whole: Sizes | None = None
        self.slider = LabelledSlider(
            self.tr("Stroke size"),
            AUTOMATIC,
            STEPS_PER_UNIT * LARGEST,
            AUTOMATIC,
            per_unit=STEPS_PER_UNIT,
            to_text=self._words,
            tip=self.tr("Larger strokes are painted faster, and with less detail"),
            inline=True,
        )
        self.figure = faint()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(PAUSE_MS)
        self._rest.timeout.connect(self._announce)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(TILE_MARGIN, 0, TILE_MARGIN, 0)
        layout.setSpacing(SPACE // 2)
        for widget in (self.slider, self.figure):
            layout.addWidget(widget)
        self.show_sizes(sizes)
        self.slider.moved.connect(self._move)

    def show_sizes(self, sizes: SizeSpec) -> None:
        """Show the current sizes, without a signal."""
        self.sizes = sizes
        self._show_figures()
        self.slider.show_value(AUTOMATIC / STEPS_PER_UNIT if sizes.stroke == "auto" else max(1.0, sizes.stroke))

    def take(self, stroke: float | Literal["auto"]) -> None:
        """Use another stroke."""
        self.show_sizes(replace(self.sizes, stroke=stroke))
        self._announce()

    def show_painting(self, on: bool) -> None:
        """Set whether a style or the brush paints strokes."""
        self.slider.setEnabled(on)
        self.figure.setEnabled(on)

    def show_style(self, card: ModelCard) -> None:
        """Set the current style, which has its own stroke width."""
        self._card = card
        self._show_figures()

    def show_whole(self, sizes: Sizes) -> None:
        """Show the working size of an export."""
        self._whole = sizes
        self._show_figures()

    def _show_figures(self) -> None:
        """Show the resulting figures for this video and style."""
        if self._whole is None:
            return
        width, height = self._whole.working
        words = []
        if self.sizes.stroke == "auto":
            target, longest = self.sizes.target, self.sizes.max_size
            planned = plan_sizes(self._whole.source, self._card, size=target, max_size=longest)
            times = shortest(round(planned.stroke_px / STROKE_PX, 2))
            words.append(self.tr("Automatic: {number}×").format(number=times))
        words.append(self.tr("Painted at {width} × {height}").format(width=width, height=height))
        self.figure.setText("   ·   ".join(words))

    def _move(self, stroke: float) -> None:
        self.sizes = replace(self.sizes, stroke="auto" if stroke < 1.0 else stroke)
        self._show_figures()
        self._rest.start()

    def _announce(self) -> None:
        self.changed.emit(self.sizes)

    def _words(self, stroke: float) -> str:
        return self.tr("Automatic") if stroke < 1.0 else self.tr("{number}×").format(number=shortest(stroke))
