"""The size and the kind of the brush strokes, and the resulting working size."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.sizes import STROKE_PX, Sizes, plan_sizes
from framebrush.jobs.look_keys import STROKE, Stroke
from framebrush.models.style import ModelCard
from framebrush.styles.specs import SizeSpec
from framebrush.window.look.brush_kinds import BrushKinds
from framebrush.window.look.film_keys import FilmKeys
from framebrush.window.look.key_button import KeyButton
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
    """A slider for the stroke, the kinds of brush, and the resulting sizes. Holds the sizes and the kind for playback
    and export. Where strokes have keys, the slider shows that of the frame on the screen, and moving it sets a key
    there."""

    changed = Signal(object)  # a SizeSpec

    def __init__(self, sizes: SizeSpec, keys: FilmKeys) -> None:
        """keys: of the film that is open."""
        super().__init__()
        self.sizes, self._keys = sizes, keys
        self._moved_to: Stroke = sizes.stroke
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
        self.button = KeyButton(self.slider.name.text())
        self.slider.add(self.button)
        self.kinds = BrushKinds()
        self.figure = faint()
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(PAUSE_MS)
        self._rest.timeout.connect(self._announce)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(TILE_MARGIN, 0, TILE_MARGIN, 0)
        layout.setSpacing(SPACE // 2)
        for widget in (self.slider, self.kinds, self.figure):
            layout.addWidget(widget)
        self.show_here()
        self._show_kind()
        self.show_painting(False, brushed=False)  # until a style is loaded
        self.slider.moved.connect(self._move)
        self.kinds.asked.connect(self.use_kind)
        self.kinds.mark_left.connect(lambda: self.use_mark(None))
        self.kinds.dropped.connect(lambda path: self.use_mark(str(path.absolute())))
        self.button.clicked.connect(lambda _=False: keys.toggle(STROKE, lambda: self.seen.stroke))
        keys.changed.connect(self.show_here)

    @property
    def seen(self) -> SizeSpec:
        """The sizes of the frame on the screen."""
        stroke = self._keys.stroke
        return self.sizes if stroke is None else replace(self.sizes, stroke=stroke)

    def show_here(self) -> None:
        """Show the stroke of the frame on the screen, without a signal."""
        self.button.setEnabled(bool(self._keys.film))
        self.button.show_keys(has=self._keys.has(STROKE), here=self._keys.is_here(STROKE))
        if not self._rest.isActive() and not self.slider.slider.isSliderDown():
            stroke = self._moved_to = self.seen.stroke
            self._show_figures()
            self.slider.show_value(AUTOMATIC / STEPS_PER_UNIT if stroke == "auto" else max(1.0, stroke))

    def use_kind(self, kind: str | None) -> None:
        """Use another kind of brush; None for that of the style."""
        self.restore(replace(self.sizes, brush_kind=kind))

    def use_mark(self, mark: str | None) -> None:
        """Use a picture as the mark of the brush; None for hairs."""
        self.restore(replace(self.sizes, brush_mark=mark))

    def use_few(self, few: bool) -> None:
        """Leave the finest strokes out, or not."""
        self.restore(replace(self.sizes, few_strokes=few))

    def leave_brush(self) -> None:
        """Use the brush of the style, with hairs."""
        self.restore(replace(self.sizes, brush_kind=None, brush_mark=None))

    def take(self, wanted: SizeSpec) -> None:
        """Use another stroke and brush; where strokes have keys, from the frame on the screen on. The size of the
        result stays."""
        if self._keys.has(STROKE):
            self._keys.set(STROKE, wanted.stroke)
        self.restore(wanted)

    def restore(self, wanted: SizeSpec) -> None:
        """Use another stroke and brush beside the keys that exist. The size of the result stays."""
        wanted = replace(wanted, size=self.sizes.size, max_size=self.sizes.max_size)
        if wanted != self.sizes:
            self._rest.stop()
            self.sizes = wanted
            self._show_kind()
            self.show_here()
            self.changed.emit(self.sizes)

    def show_painting(self, on: bool, *, brushed: bool) -> None:
        """Set whether a style or the brush paints strokes. brushed: the brush does."""
        self.kinds.setEnabled(brushed)
        self.slider.setEnabled(on)
        self.figure.setEnabled(on)

    def show_style(self, card: ModelCard) -> None:
        """Set the current style, which has a stroke width and a brush of its own."""
        self._card = card
        self._show_kind()
        self._show_figures()

    def show_whole(self, sizes: Sizes) -> None:
        """Show the working size of an export."""
        self._whole = sizes
        self._show_figures()

    def _show_kind(self) -> None:
        self.kinds.show_kind(self.sizes.brush_kind, self._card.brush_kind)
        self.kinds.show_mark(self.sizes.brush_mark)

    def _show_figures(self) -> None:
        """Show the resulting figures for this video and style."""
        if self._whole is None:
            return
        width, height = self._whole.working
        words = []
        if self._moved_to == "auto":
            target, longest = self.sizes.target, self.sizes.max_size
            planned = plan_sizes(self._whole.source, self._card, size=target, max_size=longest)
            times = shortest(round(planned.stroke_px / STROKE_PX, 2))
            words.append(self.tr("Automatic: {number}×").format(number=times))
        words.append(self.tr("Painted at {width} × {height}").format(width=width, height=height))
        self.figure.setText("   ·   ".join(words))

    def _move(self, stroke: float) -> None:
        self._moved_to = "auto" if stroke < 1.0 else stroke
        if not self._keys.has(STROKE):
            self.sizes = replace(self.sizes, stroke=self._moved_to)
        self._show_figures()
        self._rest.start()

    def _announce(self) -> None:
        if self._keys.has(STROKE):
            self._keys.set(STROKE, self._moved_to)
        else:
            self.changed.emit(self.sizes)

    def _words(self, stroke: float) -> str:
        return self.tr("Automatic") if stroke < 1.0 else self.tr("{number}×").format(number=shortest(stroke))
