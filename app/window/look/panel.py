"""The controls of the look. They take effect at once, without running the network again."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from framebrush.gpu.frame import Transfer
from framebrush.gpu.stages.look import Look, ToneCurve, ToneMap
from framebrush.jobs.look_keys import STYLE, most
from framebrush.models.style import ModelCard
from framebrush.styles.names import PLAIN
from framebrush.styles.specs import OWN_COLOURS
from framebrush.window.actions import Actions
from framebrush.window.look.brushwork import Brushwork
from framebrush.window.look.colours import ColourControls
from framebrush.window.look.film_keys import FilmKeys
from framebrush.window.look.key_button import KeyButton
from framebrush.window.widgets.controls import Disclosure, LabelledSlider, RowName, Slider, choice, signals_blocked
from framebrush.window.widgets.numbers import decimal, percent
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

DIVIDER_STEPS = 100  # per cent, as screen readers say the number

NO_STYLE = ModelCard(PLAIN, "", (PLAIN,))
"""Used until a style is loaded."""


def _share(name: str, start: int, tip: str) -> LabelledSlider:
    """A slider from 0 to 100 %. start: the default, in per cent."""
    return LabelledSlider(name, 0, 100, start, per_unit=100, to_text=percent, tip=tip, inline=True)


class LookPanel(QWidget):
    """Holds the look, except for weights, which belong to the style. Sliders with keys show the values at the frame on
    the screen, and moving one sets a key there."""

    changed = Signal(object)
    brush_left = Signal()  # to the style

    def __init__(self, actions: Actions, look: Look) -> None:
        super().__init__()
        self._look, self._card = look, NO_STYLE
        self.keys = FilmKeys(self)
        self.strength = _share(
            self.tr("Strength"), 100, self.tr("Blends the painting with the source; 100% shows only the painting")
        )
        self._steady = _share(
            self.tr("Steadiness"),
            round(100 * Look().steady),
            self.tr("Less flicker from frame to frame"),
        )
        self.detail = _share(
            self.tr("Detail"),
            0,
            self.tr("Fine detail of the source over broad strokes: faces stay recognisable"),
        )
        self.brushwork = Brushwork()
        self._exposure = LabelledSlider(
            self.tr("Exposure"),
            -40,
            40,
            0,
            per_unit=10,
            to_text=lambda value: (
                self.tr("{number} stops").format(number=decimal(value, signed=True)) if value else "0"
            ),
            tip=self.tr("Brighter or darker: one stop doubles or halves the light"),
            bipolar=True,
            inline=True,
        )
        self.divider = Slider(Qt.Orientation.Horizontal)
        self.divider.setRange(0, DIVIDER_STEPS)
        self.divider.setPageStep(DIVIDER_STEPS // 10)
        self.divider.setValue(DIVIDER_STEPS // 2)
        self.divider.setProperty("bipolar", True)
        self.divider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.divider.setMinimumWidth(5 * SPACE)  # may be narrow, as it can also be dragged in the picture
        self.divider.setAccessibleName(self.tr("Divider"))
        self.divider.setToolTip(self.tr("Where the source ends and the painting begins"))
        self._split = QCheckBox(self.tr("Compare with the source"))
        self._split.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        curves = {self.tr("Clip"): ToneCurve.CLIP, "Reinhard": ToneCurve.REINHARD, "Hable": ToneCurve.HABLE}
        self._curve = choice(curves)
        self._curve.setAccessibleName(self.tr("Highlights"))
        self.colours = ColourControls(self)
        self._map = choice({"BT.2390": ToneMap.BT2390, "Hable": ToneMap.HABLE})
        self._map.setAccessibleName(self.tr("HDR to SDR"))
        self._map_label = RowName(self.tr("HDR to SDR"))
        self._sliders = {
            "strength": self.strength,
            "steady": self._steady,
            "detail": self.detail,
            **self.brushwork.shares,
            "lamp_degrees": self.brushwork.lamp,
            "exposure_ev": self._exposure,
        }
        self._buttons = {name: KeyButton(slider.name.text()) for name, slider in self._sliders.items()}
        self._lay_out(actions)
        self.show_look(look)
        self.show_transfer(None)
        for name, button in self._buttons.items():
            slider = self._sliders[name]
            slider.add(button)
            button.clicked.connect(partial(self._toggle_key, name))
        self.keys.changed.connect(self._take_keys)
        self.strength.moved.connect(lambda value: self._change(strength=value))
        self._steady.moved.connect(lambda value: self._change(steady=value))
        self.detail.moved.connect(lambda value: self._change(detail=value))
        self.brushwork.asked.connect(lambda name, value: self._change(**{name: value}))
        self._exposure.moved.connect(lambda value: self._change(exposure_ev=value))
        self.divider.valueChanged.connect(lambda step: self._change(split=step / DIVIDER_STEPS))
        self.colours.kept.connect(self.keep_colours)
        self._split.toggled.connect(self.compare)
        self._curve.currentIndexChanged.connect(lambda _: self._change(tone_curve=self._curve.currentData()))
        self._map.currentIndexChanged.connect(lambda _: self._change(tone_map=self._map.currentData()))

    @property
    def look(self) -> Look:
        """The look as currently set, without keys."""
        return self._look

    @property
    def seen(self) -> Look:
        """The look of the frame on the screen."""
        return self.keys.look(self._look)

    @property
    def titles(self) -> dict[str, str]:
        """What the values that can have keys are called here."""
        return {STYLE: self.tr("Style")} | {name: slider.name.text() for name, slider in self._sliders.items()}

    def show_place(self, number: int) -> None:
        """Show the values of the frame that is on the screen now."""
        self.keys.number = number
        if self.keys.tracks and not any(slider.slider.isSliderDown() for slider in self._sliders.values()):
            self.show_look(self._look)

    def show_look(self, look: Look) -> None:
        """Show a look without a signal."""
        self._look = look
        look = self.seen
        for name, button in self._buttons.items():
            button.setEnabled(bool(self.keys.film))
            button.show_keys(has=self.keys.has(name), here=self.keys.is_here(name))
        self.strength.show_value(look.strength)
        self._steady.show_value(look.steady)
        self.detail.show_value(look.detail)
        self.brushwork.show_look(look, self._card)
        self._exposure.show_value(look.exposure_ev)
        self.divider.setEnabled(look.split is not None)
        self._steady.setEnabled(self._card.name != PLAIN)
        for control in (self.strength, self.detail):
            control.setEnabled(self.paints)
        self.colours.show_kept(look.keep_colours)
        with signals_blocked(self._split, self.divider, self._curve, self._map):
            if look.split is not None:
                self.divider.setValue(round(look.split * DIVIDER_STEPS))
            self._split.setChecked(look.split is not None)
            self._curve.setCurrentIndex(self._curve.findData(look.tone_curve))
            self._map.setCurrentIndex(self._map.findData(look.tone_map))

    def show_transfer(self, transfer: Transfer | None) -> None:
        """Show the control for tone mapping only for HDR."""
        hdr = transfer in (Transfer.PQ, Transfer.HLG)
        self._map.setVisible(hdr)
        self._map_label.setVisible(hdr)

    def show_style(self, card: ModelCard) -> None:
        """Show the current style's values where the look leaves them open."""
        self._card = card
        self.show_look(self._look)

    @property
    def paints(self) -> bool:
        """Whether a network, the brush or relief changes the source: otherwise there is nothing to mix."""
        used = most(self._look, self.keys.used).of(self._card)
        return self._card.name != PLAIN or bool(used.brush) or used.raises

    @property
    def brushes(self) -> bool:
        """Whether the brush draws anything."""
        return bool(most(self._look, self.keys.used).of(self._card).brush)

    def set_split(self, split: float | None) -> None:
        """Follow the divider, which was moved in the view."""
        self._take(replace(self._look, split=split))

    def compare(self, on: bool) -> None:
        """Show the divider in its last position, or hide it."""
        self.set_split(self.divider.value() / DIVIDER_STEPS if on else None)

    def keep_colours(self, on: bool) -> None:
        """Let each pixel keep the film's colour."""
        self._take(replace(self._look, keep_colours=on))

    def reset(self) -> None:
        """Restore the default look, the style's own brush and the painting's own colours, and remove all keys."""
        self.keys.take(())
        self._take(Look())
        self.brush_left.emit()
        self.colours.take(OWN_COLOURS)

    def _change(self, **values: object) -> None:
        look = replace(self._look, **values)  # type: ignore[arg-type]
        keyed = [name for name in values if self.keys.has(name)]
        for name in keyed:
            self.keys.set(name, getattr(look.of(self._card), name))  # the style's own where it is left to that
        if not keyed:
            self._take(look)

    def _toggle_key(self, name: str, _: bool = False) -> None:
        self.keys.toggle(name, lambda: self._sliders[name].value)

    def _take_keys(self) -> None:
        self.show_look(self._look)
        self.changed.emit(self._look)

    def take(self, look: Look) -> None:
        """Apply another look, but keep the divider. Values with keys get one at the frame on the screen."""
        for name in filter(self.keys.has, self._sliders):
            self.keys.set(name, getattr(look.of(self._card), name))
        self.restore(look)

    def restore(self, look: Look) -> None:
        """Apply another look beside the keys that exist; the divider stays."""
        self._take(replace(look, split=self._look.split))

    def _take(self, look: Look) -> None:
        if look != self._look:
            self.show_look(look)
            self.changed.emit(look)

    def _lay_out(self, actions: Actions) -> None:
        reset = QToolButton()
        reset.setDefaultAction(actions["reset-look"])
        reset.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        inside, top = QWidget(), QHBoxLayout()
        self.expert = Disclosure(self.tr("All settings"), inside)
        self.expert.toggled.connect(reset.setVisible)
        reset.hide()
        top.addWidget(self.expert)
        top.addStretch()
        top.addWidget(reset)
        choices = QGridLayout()
        choices.setColumnStretch(1, 1)
        choices.setHorizontalSpacing(SPACE // 2)
        for row, (name, box) in enumerate(
            (
                *self.colours.rows,
                (RowName(self.tr("Highlights")), self._curve),
                (self._map_label, self._map),
            )
        ):
            name.setBuddy(box)
            choices.addWidget(name, row, 0)
            choices.addWidget(box, row, 1)
        compared = QHBoxLayout()
        compared.setSpacing(SPACE)
        compared.addWidget(self._split)
        compared.addWidget(self.divider, 1)
        outside, layout = QVBoxLayout(self), QVBoxLayout(inside)
        outside.setContentsMargins(TILE_MARGIN, 0, TILE_MARGIN, 0)
        outside.setSpacing(SPACE // 2)
        outside.addLayout(top)
        outside.addWidget(inside)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE // 2)
        layout.addWidget(self.strength)
        layout.addWidget(self._steady)
        layout.addWidget(self.detail)
        layout.addWidget(self.brushwork)
        layout.addWidget(self._exposure)
        layout.addLayout(choices)
        layout.addLayout(compared)
