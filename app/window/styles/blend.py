"""Blends of paintings or pictures."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.playback.events import StyleInUse
from framebrush.styles.blends import blend_of, parts_of
from framebrush.window.styles.catalog import words_of
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Disclosure, LabelledSlider, in_columns
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.numbers import percent, percents

PAUSE_MS = 150
"""How long the sliders rest before pictures are blended, which needs a new table."""


class Blend(QWidget):
    """A slider for each painting's or own picture's weight."""

    changed = Signal()  # the weights
    mixed = Signal(tuple)  # weights of the network's paintings
    asked = Signal(str)  # a blend of pictures, as for `--style`

    def __init__(self) -> None:
        super().__init__()
        self.sliders: list[LabelledSlider] = []
        self.paintings: tuple[str, ...] = ()
        self._shares: dict[str, str] = {}  # shares of the picture, of paintings with a weight
        self._of_pictures = False  # whether pictures are blended
        self._asked: list[str] = []  # requested blends of pictures, and the one last used
        self._coming = ""  # the chosen style, while it is not in use and its weights have no sliders
        self._rest = Debounce(PAUSE_MS, self._ask_pictures, self)
        self.button = Disclosure(self.tr("Blend paintings"), self)
        self.button.toggled.connect(self._show)
        self._rows = fill(QVBoxLayout(self), around=0, between=0)
        self._show(False)

    @property
    def weights(self) -> dict[str, float]:
        """The weights, of sum 1."""
        pairs = zip(self.paintings, (slider.value for slider in self.sliders), strict=True)
        parts = parts_of(self._coming) if self._coming else dict(pairs)
        total = sum(parts.values())
        return {painting: weight / total for painting, weight in parts.items() if weight > 0} if total else {}

    def show_style(self, used: StyleInUse, pictures: tuple[str, ...]) -> None:
        """Show the current style. pictures: own ones to blend."""
        self._coming = ""
        paintings, weights = _to_blend(used, pictures)
        if paintings != self.paintings:
            self._build(paintings)
        self._of_pictures = paintings != used.card.paintings and bool(paintings)
        if used.name in self._asked:  # the sliders already show it, and may have been moved since
            del self._asked[: self._asked.index(used.name)]
            return
        self._asked.clear()
        self._rest.stop()
        for slider, weight in zip(self.sliders, weights, strict=False):
            slider.show_value(weight)

    def follow_pictures(self, used: StyleInUse, pictures: tuple[str, ...]) -> None:
        """Follow an added or removed picture."""
        if _to_blend(used, pictures)[0] != self.paintings:
            coming = self._coming
            self.show_style(used, pictures)
            self._coming = coming

    def show_chosen(self, style: str) -> None:
        """Show a chosen style before it is in use."""
        parts = parts_of(style)
        self._coming = "" if parts.keys() <= set(self.paintings) else style
        if not self._coming and style not in self._asked:  # the sliders show a blend that was chosen here
            total = sum(parts.values()) or 1.0
            self.show_weights(tuple(parts.get(painting, 0.0) / total for painting in self.paintings))

    def show_weights(self, weights: tuple[float, ...]) -> None:
        """Show weights, unless a slider is held or another network is chosen."""
        if self._coming or any(slider.slider.isSliderDown() for slider in self.sliders):
            return
        for slider, weight in zip(self.sliders, weights, strict=False):
            slider.show_value(weight)
        self.changed.emit()

    def show_shares(self) -> None:
        """Show shares of the picture."""
        weights = self.weights
        self._shares = dict(zip(weights, percents(list(weights.values())), strict=True))
        for slider in self.sliders:
            slider.show_text()

    def _build(self, paintings: tuple[str, ...]) -> None:
        while (entry := self._rows.takeAt(0)) is not None:
            widget = entry.widget()
            if widget is not None:
                widget.deleteLater()
        self.paintings = paintings
        self._shares = {}
        self.sliders = []
        for painting in paintings:
            slider = LabelledSlider(
                words_of(painting),
                0,
                100,
                0,
                per_unit=100,
                to_text=partial(self._share, painting),
                tip=self.tr("Weight of {painting}, relative to the other paintings").format(
                    painting=words_of(painting)
                ),
                inline=True,
            )
            slider.moved.connect(partial(self._mix, slider))
            self.sliders.append(slider)
            self._rows.addWidget(slider)
        in_columns(self.sliders, [slider.name for slider in self.sliders])
        self._show(self.button.isChecked())

    def _show(self, on: bool) -> None:
        self.button.setVisible(bool(self.paintings))
        self.setVisible(on and bool(self.paintings))

    def _share(self, painting: str, weight: float) -> str:
        return self._shares.get(painting, percent(weight))

    def _mix(self, moved: LabelledSlider, _: float) -> None:
        self._coming = ""  # the sliders' blend is chosen now
        if not self.weights:
            moved.show_value(0.01)  # all zeros would give no picture, so the last painting stays
        self.changed.emit()
        if self._of_pictures:
            self._rest.start()
            return
        weights = self.weights
        self.mixed.emit(tuple(weights.get(painting, 0.0) for painting in self.paintings))

    def _ask_pictures(self) -> None:
        weights = self.weights
        self._asked.append(blend_of(weights.items()) if len(weights) > 1 else next(iter(weights)))
        self.asked.emit(self._asked[-1])


def _to_blend(used: StyleInUse, pictures: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[float, ...]]:
    parts = parts_of(used.name)
    if len(pictures) > 1 and parts.keys() <= set(pictures):
        return pictures, tuple(parts.get(picture, 0.0) for picture in pictures)
    paintings = used.card.mixed
    return paintings, used.mix or (1.0, *(0.0,) * (len(paintings) - 1))
