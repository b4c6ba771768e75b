"""Controls of the look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from framebrush.gpu.frame import Transfer
from framebrush.gpu.look import SECOND, Look
from framebrush.jobs.keyframes import OPTIONS, STYLE, most
from framebrush.jobs.recipe import Recipe
from framebrush.playback.events import Opened, Shown
from framebrush.styles.specs import OWN_COLOURS
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.look.colours import ColourControls
from framebrush.window.look.search import SettingSearch
from framebrush.window.look.stroke import StrokePanel
from framebrush.window.look.subject import Subject
from framebrush.window.state.actions import Actions
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.state.session import Session
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Disclosure, Slider, column_of, signals_blocked, tool_button
from framebrush.window.widgets.file_dialogs import Files
from framebrush.window.widgets.keyframe_button import KeyframeButton
from framebrush.window.widgets.numbers import percent
from framebrush.window.widgets.rows import StyleShare, fields_that_need
from framebrush.window.widgets.section import Section, named_boxes
from framebrush.window.widgets.theme import SPACE, TILE_MARGIN

DIVIDER_STEPS = 100  # per cent, as screen readers say the number


class LookPanel(QWidget):
    """Sections of the inspector. Sliders with keyframes show the current frame's value."""

    def __init__(
        self, actions: Actions, session: Session, keys: FilmKeyframes, files: Files, stroke: StrokePanel
    ) -> None:
        super().__init__()
        self._session, self.keys = session, keys
        self._of_style, self._of_hdr = fields_that_need("style"), fields_that_need("hdr")
        self.style_section, self.brushwork = Section("style", self.tr("Style")), Section("brush", self.tr("Brush"))
        self.subject, self.colour = Subject(actions), Section("colour", self.tr("Colour"))
        self.time, self.light = Section("time", self.tr("Over time")), Section("light", self.tr("Light"))
        self.sections = self.style_section, self.brushwork, self.subject, self.colour, self.time, self.light
        self.sliders = {name: slider for section in self.sections for name, slider in section.shares.items()}
        self.divider = Slider(Qt.Orientation.Horizontal)
        self.divider.setRange(0, DIVIDER_STEPS)
        self.divider.setPageStep(DIVIDER_STEPS // 10)
        self.divider.setValue(DIVIDER_STEPS // 2)
        self.divider.setProperty("bipolar", True)
        self.divider.setMinimumWidth(5 * SPACE)  # may be narrow, as it can also be dragged in the picture
        self.divider.setAccessibleName(self.tr("Divider"))
        self.divider.setToolTip(self.tr("Where the source ends and the painting begins"))
        self._split = QCheckBox(self.tr("Compare with the source"))
        self._split.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.colours = ColourControls(self, actions, session, files)
        self.search = SettingSearch()
        self.buttons = {name: KeyframeButton(slider.name.text()) for name, slider in self.sliders.items()}
        self._lay_out(actions, stroke)
        self.show_here()
        self._open(None)
        for name, button in self.buttons.items():
            slider = self.sliders[name]
            slider.add(button)
            button.clicked.connect(partial(self._toggle_key, name))
            slider.moved.connect(lambda value, name=name: self._change(**{name: value}))
            if isinstance(slider, StyleShare):
                slider.left.connect(lambda name=name: self._change(**{name: getattr(Look(), name)}))
        for section in self.sections:
            section.title.clicked.connect(lambda on, section=section: self._show_whole(section, on))
        self.search.found.connect(self.show_control)
        self.subject.kept.connect(lambda shares: self._change(**shares))
        self.subject.second_chosen.connect(self.use_second)
        session.changed.connect(self.show_here)
        session.loaded.connect(self.show_here)
        session.events.on(Shown, lambda _: self._show_place())
        session.film_changed.connect(self._open)
        self.divider.valueChanged.connect(lambda step: self._change(split=step / DIVIDER_STEPS))
        self._split.toggled.connect(self.compare)
        for name, box in self.light.boxes.items():
            box.currentIndexChanged.connect(lambda _, name=name, box=box: self._change(**{name: box.currentData()}))

    @property
    def titles(self) -> dict[str, str]:
        """Return the titles of values that can have keyframes."""
        return {STYLE: self.tr("Style")} | {name: slider.name.text() for name, slider in self.sliders.items()}

    @property
    def folds(self) -> dict[str, Disclosure]:
        """Buttons that unfold sections, by name in settings."""
        return {name: fold for section in self.sections for name, fold in section.folds.items()}

    def _show_place(self) -> None:
        if self._session.choice.keys and not any(slider.slider.isSliderDown() for slider in self.sliders.values()):
            self.show_here()

    def show_here(self) -> None:
        """Show the current frame's look without a signal."""
        look, card = self._session.at_current_frame.look, self._session.card
        used = look.of(card)
        for name, button in self.buttons.items():
            button.setEnabled(bool(self.keys.film))
            button.show_keys(has=self.keys.has(name), here=self.keys.is_here(name))
            slider, of_look = self.sliders[name], getattr(look, name)
            if isinstance(slider, StyleShare):
                slider.show_share(getattr(used, name), is_left=of_look is None and card.name != PASSTHROUGH)
            else:
                slider.show_value(of_look)
        self.brushwork.shares["lamp_degrees"].setEnabled(used.raises)
        self.subject.show_look(used, paints=self.paints)
        self.subject.show_mask(self._session.choice.sizes.mask)
        self.subject.show_second(self._session.choice.colours.second, fits=card.paints and card.scale == 1)
        self.divider.setEnabled(look.compares)
        for name, slider in (self.style_section.shares | self.time.shares).items():
            slider.setEnabled(card.name != PASSTHROUGH if name in self._of_style else self.paints)
        with signals_blocked(self._split, self.divider):
            if look.split is not None:
                self.divider.setValue(round(look.split * DIVIDER_STEPS))
            self._split.setChecked(look.compares)
        for name, box in self.light.boxes.items():
            with signals_blocked(box):
                box.setCurrentIndex(box.findData(getattr(look, name)))
        self.divider.setAccessibleDescription(percent(self.divider.value() / DIVIDER_STEPS))  # not a bare number

    def _open(self, opened: Opened | None) -> None:
        hdr = opened is not None and opened.info.format.transfer in (Transfer.PQ, Transfer.HLG)
        for widget in self._hdr:
            widget.setVisible(hdr)
        self.subject.offer_alpha(opened is not None and bool(opened.info.format.alpha))

    @property
    def _most(self) -> Look:
        return most(self._session.choice.look, self._session.keys).of(self._session.card)

    @property
    def paints(self) -> bool:
        """Whether a network, the brush or relief changes the film."""
        return self._session.card.name != PASSTHROUGH or self.brushes or self._most.raises

    @property
    def brushes(self) -> bool:
        """Whether the brush draws anything."""
        return self._most.draws

    def set_split(self, split: float | None) -> None:
        """Follow the divider, which was moved in the view."""
        self._session.use(split=split)

    def compare(self, on: bool) -> None:
        """Show the divider in its last position, or hide it."""
        self.set_split(self.divider.value() / DIVIDER_STEPS if on else None)

    def use_second(self, name: str | None) -> None:
        """Use a second style, by default inside the mask."""
        now = self._session.choice.recipe
        shares: dict[str, Any] = {}
        if name is None:
            shares = dict.fromkeys(SECOND, 0.0)
        elif not self._most.needs_second:
            shares = {SECOND[0]: 1.0}
        colours = replace(now.colours, second=name)
        self._session.use_recipe(replace(now, look=replace(now.look, **shares), colours=colours))

    def reset(self) -> None:
        """Restore default look, brush and colours; remove keyframes."""
        now = self._session.choice.recipe
        self._session.use_recipe(replace(now, look=Look(), sizes=now.sizes.plain, colours=OWN_COLOURS, keys=()))

    def _change(self, **values: object) -> None:
        keyed = [name for name in values if self.keys.has(name)]
        if keyed:
            self.set_keys(self._session.choice.recipe.having(**values), keyed)
        if others := {name: value for name, value in values.items() if name not in keyed}:
            self._session.use(**others)

    def _show_whole(self, section: QWidget, on: bool) -> None:
        column = column_of(self)
        if on and column is not None:
            QTimer.singleShot(0, self, partial(column.ensureWidgetVisible, section, 0, SPACE))

    def show_control(self, control: QWidget) -> None:
        """Unfold a control, scroll to it and focus it."""
        for fold in self.folds.values():
            fold.open_around(control)
        control.setFocus(Qt.FocusReason.TabFocusReason)
        column = column_of(self)
        if column is not None:
            QTimer.singleShot(0, control, partial(column.ensureWidgetVisible, control, 0, 4 * SPACE))

    def _toggle_key(self, name: str) -> None:
        self.keys.toggle(name, lambda: self.sliders[name].value)

    def set_keys(self, recipe: Recipe, names: Iterable[str] = OPTIONS) -> None:
        """Set keyframes here from a recipe, for values that have keyframes."""
        values = replace(recipe, look=recipe.look.of(self._session.card)).values
        for name in filter(self.keys.has, names):
            self.keys.set(name, values[name])

    def _lay_out(self, actions: Actions, stroke: StrokePanel) -> None:
        reset = tool_button(actions["reset-look"])
        self.top = QWidget()
        """Row above the gallery."""
        around = TILE_MARGIN, 0, TILE_MARGIN, 0
        fill(QHBoxLayout(self.top), self.search, reset, around=around, between=SPACE, grows=self.search)
        self._hdr = [widget for field in self._of_hdr for widget in (self.light.names[field], self.light.boxes[field])]
        self.brushwork.lay_out(stroke)
        self.colour.lay_out(named_boxes(self.colours.rows))
        self.time.lay_out()
        self.light.lay_out()
        rows = fill(QVBoxLayout(self), around=around, between=SPACE // 2)
        for section in self.sections[1:]:
            fill(rows, fill(QHBoxLayout(), section.title, None), section)
        rows.addLayout(fill(QHBoxLayout(), self._split, self.divider, between=SPACE, grows=self.divider))
