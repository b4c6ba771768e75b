"""Controls of the look, which take effect immediately, without running the network again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from framebrush.gpu.frame import Transfer
from framebrush.gpu.stages.look import Look, ToneCurve, ToneMap
from framebrush.jobs.look_keys import NUMBERS, STYLE, most
from framebrush.playback.events import Opened, Shown
from framebrush.styles.names import PLAIN
from framebrush.styles.specs import OWN_COLOURS, SizeSpec
from framebrush.window.actions import Actions
from framebrush.window.look.brushwork import Brushwork, StyleShare
from framebrush.window.look.colours import ColourControls
from framebrush.window.look.film_keys import FilmKeys
from framebrush.window.look.key_button import KeyButton
from framebrush.window.look.subject import Subject
from framebrush.window.session import Session
from framebrush.window.widgets.controls import Disclosure, LabelledSlider, RowName, Slider, choice, signals_blocked
from framebrush.window.widgets.files import Files
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.numbers import decimal, percent
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

DIVIDER_STEPS = 100  # per cent, as screen readers say the number


def _share(name: str, start: int, tip: str) -> LabelledSlider:
    """Create a slider from 0 to 100 %. start: default in per cent."""
    return LabelledSlider(name, 0, 100, start, per_unit=100, to_text=percent, tip=tip, inline=True)


class LookPanel(QWidget):
    """Shows and changes the look of the current choice.

    Sliders with keyframes show the value at the current frame; moving one sets a keyframe.
    """

    def __init__(self, actions: Actions, session: Session, keys: FilmKeys, files: Files) -> None:
        super().__init__()
        self._session, self.keys = session, keys
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
        self.brushwork, self.subject = Brushwork(), Subject()
        self.sections = {"brushwork": self.brushwork.title, "subject": self.subject.title}
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
        self._curve.setToolTip(self.tr("What becomes of parts that are brighter than white: cut off, or compressed"))
        self.colours = ColourControls(self, actions, session, files)
        self._map = choice({"BT.2390": ToneMap.BT2390, "Hable": ToneMap.HABLE})
        self._map.setAccessibleName(self.tr("HDR to SDR"))
        self._map.setToolTip(self.tr("How the brightness of an HDR film is fitted to the screen"))
        self._map_label = RowName(self.tr("HDR to SDR"))
        self._sliders = {
            "strength": self.strength,
            "steady": self._steady,
            "detail": self.detail,
            **self.brushwork.shares,
            "lamp_degrees": self.brushwork.lamp,
            **self.subject.shares,
            "exposure_ev": self._exposure,
        }
        self._buttons = {name: KeyButton(slider.name.text()) for name, slider in self._sliders.items()}
        self._lay_out(actions)
        self.show_here()
        self._open(None)
        for name, button in self._buttons.items():
            slider = self._sliders[name]
            slider.add(button)
            button.clicked.connect(partial(self._toggle_key, name))
            slider.moved.connect(lambda value, name=name: self._change(**{name: value}))
            if isinstance(slider, StyleShare):
                slider.left.connect(lambda name=name: self._change(**{name: getattr(Look(), name)}))
        for title in self.sections.values():
            title.toggled.connect(partial(self._fold_others, title))
        self.subject.kept.connect(lambda inside, outside: self._change(film_inside=inside, film_outside=outside))
        session.changed.connect(self.show_here)
        session.loaded.connect(self.show_here)
        session.on(Shown, lambda _: self._show_place())
        session.film_changed.connect(self._open)
        self.divider.valueChanged.connect(lambda step: self._change(split=step / DIVIDER_STEPS))
        self._split.toggled.connect(self.compare)
        self._curve.currentIndexChanged.connect(lambda _: self._change(tone_curve=self._curve.currentData()))
        self._map.currentIndexChanged.connect(lambda _: self._change(tone_map=self._map.currentData()))

    @property
    def titles(self) -> dict[str, str]:
        """Return the translated titles of values that can have keyframes."""
        return {STYLE: self.tr("Style")} | {name: slider.name.text() for name, slider in self._sliders.items()}

    def _show_place(self) -> None:
        if self._session.choice.keys and not any(slider.slider.isSliderDown() for slider in self._sliders.values()):
            self.show_here()

    def show_here(self) -> None:
        """Show the look of the frame on the screen, without a signal."""
        look, card = self._session.seen.look, self._session.card
        used = look.of(card)
        for name, button in self._buttons.items():
            button.setEnabled(bool(self.keys.film))
            button.show_keys(has=self.keys.has(name), here=self.keys.is_here(name))
            slider, of_look = self._sliders[name], getattr(look, name)
            if isinstance(slider, StyleShare):
                slider.show_share(getattr(used, name), is_left=of_look is None and card.name != PLAIN)
            else:
                slider.show_value(of_look)
        self.brushwork.show_look(used)
        self.subject.show_look(used, paints=self.paints)
        self.subject.show_mask(self._session.choice.sizes.mask)
        self.divider.setEnabled(look.split is not None)
        self._steady.setEnabled(card.name != PLAIN)
        for control in (self.strength, self.detail):
            control.setEnabled(self.paints)
        with signals_blocked(self._split, self.divider, self._curve, self._map):
            if look.split is not None:
                self.divider.setValue(round(look.split * DIVIDER_STEPS))
            self._split.setChecked(look.split is not None)
            self._curve.setCurrentIndex(self._curve.findData(look.tone_curve))
            self._map.setCurrentIndex(self._map.findData(look.tone_map))
        self.divider.setAccessibleDescription(percent(self.divider.value() / DIVIDER_STEPS))  # not a bare number

    def _open(self, opened: Opened | None) -> None:
        """Show the control for tone mapping only for HDR.

        Alpha is offered as a mask only where there is any.
        """
        hdr = opened is not None and opened.info.format.transfer in (Transfer.PQ, Transfer.HLG)
        self._map.setVisible(hdr)
        self.subject.offer_alpha(opened is not None and bool(opened.info.format.alpha))
        self._map_label.setVisible(hdr)

    @property
    def _most(self) -> Look:
        return most(self._session.choice.look, self._session.keys).of(self._session.card)

    @property
    def paints(self) -> bool:
        """Return whether a network, the brush or relief changes the source.

        Only then there is something to mix.
        """
        return self._session.card.name != PLAIN or self.brushes or self._most.raises

    @property
    def brushes(self) -> bool:
        """Whether the brush draws anything."""
        return bool(self._most.brush)

    def set_split(self, split: float | None) -> None:
        """Follow the divider, which was moved in the view."""
        self._take(split=split)

    def compare(self, on: bool) -> None:
        """Show the divider in its last position, or hide it."""
        self.set_split(self.divider.value() / DIVIDER_STEPS if on else None)

    def keep_colours(self, on: bool) -> None:
        """Let each pixel keep the film's colour."""
        self._take(keep_colours=on)

    def reset(self) -> None:
        """Restore the default look, the style's own brush and the painting's own colours.

        Remove all keyframes.
        """
        now = self._session.choice.recipe
        sizes = SizeSpec(now.sizes.stroke, now.sizes.size, now.sizes.max_size, few_strokes=now.sizes.few_strokes)
        self._session.use_recipe(replace(now, look=Look(), sizes=sizes, colours=OWN_COLOURS, keys=()))

    def _change(self, **values: object) -> None:
        keyed = [name for name in values if self.keys.has(name)]
        if keyed:
            self.set_keys(replace(self._session.choice.look, **values), keyed)  # type: ignore[arg-type]
        if others := {name: value for name, value in values.items() if name not in keyed}:
            self._take(**others)

    def _fold_others(self, title: Disclosure, on: bool) -> None:
        """Collapse other sections, because small screens have room for one."""
        for other in self.sections.values():
            if on and other is not title:
                other.setChecked(False)

    def _toggle_key(self, name: str, _: bool = False) -> None:
        self.keys.toggle(name, lambda: self._sliders[name].value)

    def set_keys(self, look: Look, names: Iterable[str] = NUMBERS) -> None:
        """Set keyframes at the current frame for values that have any.

        Args:
            look: their values; the style's own for unset ones.
        """
        for name in filter(self.keys.has, names):
            self.keys.set(name, getattr(look.of(self._session.card), name))

    def _take(self, **values: object) -> None:
        now = self._session.choice.recipe
        self._session.use_recipe(replace(now, look=replace(now.look, **values)))  # type: ignore[arg-type]

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
        compared = fill(QHBoxLayout(), self._split, self.divider, between=SPACE, grows=self.divider)
        fill(QVBoxLayout(self), top, inside, around=(TILE_MARGIN, 0, TILE_MARGIN, 0), between=SPACE // 2)
        titles = QHBoxLayout()
        for title in self.sections.values():
            titles.addWidget(title)
        titles.addStretch()
        folded = titles, self.brushwork, self.subject
        parts = self.strength, self._steady, self.detail, *folded, self._exposure, choices, compared
        fill(QVBoxLayout(inside), *parts, around=0, between=SPACE // 2)
