"""Size and kind of brush strokes."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.sizes import STROKE_PX, Sizes
from framebrush.jobs.keyframes import STROKE, Stroke
from framebrush.playback import events
from framebrush.styles.specs import SizeSpec
from framebrush.window.look.brush_kinds import BrushKinds
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.state.session import Session
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import LabelledSlider, faint
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.keyframe_button import KeyframeButton
from framebrush.window.widgets.numbers import shortest
from framebrush.window.widgets.theme import SPACE

STEPS_PER_UNIT, LARGEST = 4, 8
AUTOMATIC = STEPS_PER_UNIT - 1
"""The step below the smallest stroke: automatic, from the size of the video."""

PAUSE_MS = 120
"""How long the slider must rest before the network is loaded for another size."""


class StrokePanel(QWidget):
    """Slider for stroke size, brush kinds, and resulting sizes."""

    def __init__(self, session: Session, keys: FilmKeyframes) -> None:
        super().__init__()
        self._session, self._keys = session, keys
        self._moved_to: Stroke = session.choice.sizes.stroke
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
        self.button = KeyframeButton(self.slider.name.text())
        self.slider.add(self.button)
        self.kinds = BrushKinds()
        self.figure = faint()
        self.debounce = Debounce(PAUSE_MS, self._come_to_rest, self)
        fill(QVBoxLayout(self), self.slider, self.kinds, self.figure, around=0, between=SPACE // 2)
        self.show_here()
        self._show_kind()
        self.show_painting(False, brushed=False)  # until a style is loaded
        self.slider.moved.connect(self._move)
        self.kinds.asked.connect(lambda kind: session.use(brush_kind=kind))
        self.kinds.mark_left.connect(lambda: session.use(brush_mark=None))
        self.kinds.dropped.connect(lambda path: session.use(brush_mark=str(path.absolute())))
        self.button.clicked.connect(lambda: keys.toggle(STROKE, lambda: session.at_current_frame.sizes.stroke))
        keys.changed.connect(self.show_here)
        session.changed.connect(self._follow)
        session.hurried.connect(self._hurry)
        session.events.on(events.Shown, lambda _: self.show_here())
        session.events.on(events.SizesInUse, self._show_whole)
        session.events.on(events.PicturesRefused, lambda refused: session.use(**refused.stay))
        session.loaded.connect(self._show_kind)
        session.loaded.connect(self._show_figures)

    def show_here(self) -> None:
        """Show the current frame's strokes without a signal."""
        self.button.setEnabled(bool(self._keys.film))
        self.button.show_keys(has=self._keys.has(STROKE), here=self._keys.is_here(STROKE))
        if not self.debounce.isActive() and not self.slider.slider.isSliderDown():
            stroke = self._moved_to = self._session.at_current_frame.sizes.stroke
            self._show_figures()
            self.slider.show_value(AUTOMATIC / STEPS_PER_UNIT if stroke == "auto" else max(1.0, stroke))

    @property
    def _sizes(self) -> SizeSpec:
        return self._session.choice.sizes

    def _follow(self, before: Choice, now: Choice) -> None:
        if now.sizes != before.sizes:
            self._show_kind()
            if not self.debounce.isActive() or now.sizes.stroke != self._moved_to:
                self.debounce.stop()
                self.show_here()
                self._session.tell_sizes()

    def show_painting(self, on: bool, *, brushed: bool) -> None:
        """Set whether there are strokes. brushed: by the brush."""
        self.kinds.setEnabled(brushed)
        self.slider.setEnabled(on)
        self.figure.setEnabled(on)

    def _show_whole(self, sizes: events.SizesInUse) -> None:
        self._whole = sizes.whole
        self._show_figures()

    def _show_kind(self) -> None:
        self.kinds.show_kind(self._sizes.brush_kind, self._session.card.brush_kind)
        self.kinds.show_mark(self._sizes.brush_mark)

    def _show_figures(self) -> None:
        if self._whole is None:
            return
        width, height = self._whole.working
        words = []
        if self._moved_to == "auto":
            planned = replace(self._sizes, stroke="auto").planned(self._whole.source, self._session.card)
            times = shortest(round(planned.stroke_px / STROKE_PX, 2))
            words.append(self.tr("Automatic: {number}×").format(number=times))
        words.append(self.tr("Painted at {width} × {height}").format(width=width, height=height))
        self.figure.setText("   ·   ".join(words))

    def _move(self, stroke: float) -> None:
        self._moved_to = "auto" if stroke < 1.0 else stroke
        self.debounce.start()
        if not self._keys.has(STROKE):
            self._session.use(stroke=self._moved_to)
        self._show_figures()

    def _hurry(self) -> None:
        if self.debounce.isActive():
            self.debounce.stop()
            self._come_to_rest()

    def _come_to_rest(self) -> None:
        if self._keys.has(STROKE):
            self._keys.set(STROKE, self._moved_to)
        else:
            self._session.tell_sizes()

    def _words(self, stroke: float) -> str:
        return self.tr("Automatic") if stroke < 1.0 else self.tr("{number}×").format(number=shortest(stroke))
