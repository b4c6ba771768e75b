"""Colours of a painting: palette, reference and colour table (LUT)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QComboBox

from framebrush.base.file_names import proper_name
from framebrush.playback.events import Notification
from framebrush.styles.blends import parts_of
from framebrush.styles.specs import FILM, ColourSpec
from framebrush.window.state.actions import Actions
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.styles.catalog import words_of
from framebrush.window.widgets.controls import RowName, WheelToColumn, signals_blocked
from framebrush.window.widgets.file_dialogs import Files


@dataclass(frozen=True, slots=True)
class _Option:
    """Entry of an `OptionBox`. use: called on selection."""

    text: str
    use: Callable[[], None]
    in_use: bool = False


def words_of_colours(colours: ColourSpec) -> str | None:
    """Return the name of the picture or table with the colours."""
    if colours.palette not in (None, FILM):
        return words_of(colours.palette)
    return Path(colours.lut).stem if colours.lut is not None else None


class OptionBox(QComboBox):
    """Combo box that shows a selected option once in use."""

    def __init__(self, tip: str) -> None:
        super().__init__()
        WheelToColumn(self)
        self._options: Sequence[_Option] = ()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setToolTip(tip)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)  # names are long
        self.activated.connect(self._choose)

    def show_options(self, options: Sequence[_Option]) -> None:
        """Show options without a signal. An unchanged open list stays open."""
        former, texts = [option.text for option in self._options], [option.text for option in options]
        self._options = options
        with signals_blocked(self):
            if texts != former:
                self.clear()
                self.addItems(texts)
            self._show_used()

    def _show_used(self) -> None:
        self.setCurrentIndex([option.in_use for option in self._options].index(True))

    def _choose(self, index: int) -> None:
        option = self._options[index]
        self._show_used()
        option.use()


class ColourControls(QObject):
    """Rows for palette, reference and colour table."""

    def __init__(self, parent: QObject, actions: Actions, session: Session, files: Files) -> None:
        super().__init__(parent)
        self._actions, self._files = actions, files
        self._session = session
        self.palette = OptionBox(self.tr("Where the painting's colours come from"))
        self.sample = OptionBox(self.tr("What the colours are fitted to: each shot, or a representative picture"))
        self.table = OptionBox(
            self.tr("A colour table (.cube), applied to the film before painting, or to the painting"),
        )
        self.rows = (
            (RowName(self.tr("Colours")), self.palette),
            (RowName(self.tr("Fitted to")), self.sample),
            (RowName(self.tr("Table")), self.table),
        )
        self._show()
        session.changed.connect(self._follow)
        session.loaded.connect(self._show)
        session.loaded.connect(self._show_loaded)
        calls = {"palette": self._ask_picture, "fit-colours": self._fit, "open-table": self._ask_table}
        actions.connect_triggers({**calls, "save-colours": self._save})
        actions["fit-colours"].setEnabled(False)

    @property
    def _asked(self) -> ColourSpec:
        return self._session.choice.colours

    @property
    def _keeps(self) -> bool:
        return self._session.choice.look.keep_colours

    def set_colours(self, colours: ColourSpec, *, keeps: bool | None = None) -> None:
        """Choose colours. keeps: whether pixels keep the film's; None: unchanged."""
        now = self._session.choice.recipe
        look = now.look if keeps is None else now.look.with_values(keep_colours=keeps)
        self._session.use_recipe(replace(now, colours=colours, look=look))

    def _follow(self, before: Choice, now: Choice) -> None:
        if (now.colours, now.look.keep_colours) != (before.colours, before.look.keep_colours):
            self._show()

    def follow(self, path: Path, now: Path | None) -> None:
        """Follow a renamed or removed (None) picture or table."""
        there = None if now is None else str(now)
        if str(path) in self._asked.names:
            self.set_colours(self._asked.with_names(lambda name: there if name == str(path) else name))

    def use_palette(self, palette: str | None) -> None:
        """Use a palette, as in `ColourSpec`, for the whole painting."""
        self.set_colours(replace(self._asked, palette=palette), keeps=False)

    def use_sample(self, sample: str | None) -> None:
        """Let a picture represent the film's colours; None for each shot's own."""
        self.set_colours(replace(self._asked, palette_from=sample))

    def use_table(self, table: str | None, *, first: bool = False) -> None:
        """Use a `.cube` file, or none. first: before painting."""
        self.set_colours(replace(self._asked, lut=table, lut_first=first))

    def _keep(self) -> None:
        self.set_colours(replace(self._asked, palette=None), keeps=True)

    def _show(self) -> None:
        self.palette.show_options(self._palettes())
        self.sample.show_options(self._samples())
        self.table.show_options(self._tables())
        used = self._session.style_in_use
        shown = used is not None and used.fitted and not self._keeps, self._asked.lut is not None
        for row, is_shown in zip(self.rows[1:], shown, strict=True):
            for part in row:
                part.setVisible(is_shown)

    def _palettes(self) -> list[_Option]:
        palette = None if self._keeps else self._asked.palette
        options = [
            _Option(
                self.tr("The painting's own"), partial(self.use_palette, None), not self._keeps and palette is None
            ),
            _Option(self.tr("The film's palette"), partial(self.use_palette, FILM), palette == FILM),
            _Option(self.tr("The film's, pixel by pixel"), self._keep, self._keeps),
        ]
        if palette not in (None, FILM):
            options.append(_Option(words_of(palette), partial(self.use_palette, palette), in_use=True))
        options.append(_Option(self.tr("From a picture…"), self._ask_picture))
        return [*options, _Option(self.tr("From a .cube file…"), self._ask_table)]

    def _samples(self) -> list[_Option]:
        sample = self._asked.palette_from
        options = [
            _Option(self.tr("Each shot"), partial(self.use_sample, None), sample is None),
            _Option(self.tr("The current frame"), self._fit),
        ]
        if sample is not None:
            options.append(_Option(words_of(sample), partial(self.use_sample, sample), in_use=True))
        return [*options, _Option(self.tr("A picture…"), self._ask_sample)]

    def _tables(self) -> list[_Option]:
        table, first = self._asked.lut, self._asked.lut_first
        options = [_Option(self.tr("None"), partial(self.use_table, None), table is None)]
        if table is not None:
            for text, is_first in (
                (self.tr("Painting: {name}"), False),
                (self.tr("Film: {name}"), True),
            ):
                use = partial(self.use_table, table, first=is_first)
                options.append(_Option(text.format(name=Path(table).stem), use, first == is_first))
        return [*options, _Option(self.tr("Another .cube file…"), self._ask_table)]

    def _show_loaded(self) -> None:
        session = self._session
        if session.style_in_use is not None and session.uses_chosen:
            self._actions["fit-colours"].setEnabled(session.style_in_use.fitted)
            session.settings.colours = session.choice.colours

    def open_table(self, path: Path) -> None:
        """Use a `.cube` file where the previous table was used."""
        self.use_table(str(path.absolute()), first=self._asked.lut_first)

    def _ask_picture(self) -> None:
        if path := self._files.picture(self.tr("Colours from a picture")):
            self.use_palette(str(path))

    def _ask_sample(self) -> None:
        if path := self._files.picture(self.tr("A picture that represents the film")):
            self.use_sample(str(path))

    def _ask_table(self) -> None:
        if path := self._files.cube():
            self.open_table(path)

    def _fit(self) -> None:
        opened = self._session.opened
        if opened is not None and opened.info.path is not None:
            film, session = opened.info.path.absolute(), self._session
            session.seeks.when_there(lambda: self.use_sample(f"{film}@{session.shown_at.number}f"))
        else:
            text = self.tr("Open a video first: one of its frames will represent the film.")
            self._session.notified.emit(Notification(text, severity="problem"))

    def _save(self) -> None:
        now = self._session.choice
        words = words_of_colours(now.colours) or " ".join(map(words_of, parts_of(now.style.name)))
        if path := self._files.new_cube(proper_name(words) or "colours"):
            self._session.player.save_colours(path)
