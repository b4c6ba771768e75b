"""The inspector and its actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QWidget

from framebrush.jobs.keyframes import STROKE
from framebrush.jobs.spec import JobSpec
from framebrush.playback.events import StyleInUse
from framebrush.window.look.brush_strips import BrushStrips
from framebrush.window.look.look_panel import LookPanel
from framebrush.window.look.saved import Looks, looks_folder
from framebrush.window.look.stroke import StrokePanel
from framebrush.window.picture.view import VideoView
from framebrush.window.shared import Shared
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.styles.film_tiles import FilmTiles
from framebrush.window.styles.gallery import Gallery
from framebrush.window.styles.own_styles import OwnStyles
from framebrush.window.styles.style_keyframes import StyleKeyframes
from framebrush.window.styles.style_preview import Trial


class Inspector(QObject):
    """Gallery, look panel, own styles and saved looks."""

    restyled = Signal()  # another style was requested

    def __init__(self, window: QWidget, shared: Shared, unfinished: Callable[[], list[JobSpec]]) -> None:
        """window: parent of dialogs. unfinished: as for `OwnStyles`."""
        super().__init__(window)
        actions, session, files, view = shared.actions, shared.session, shared.files, shared.view
        self._actions, self._session, self._files = actions, session, files
        self.keys = FilmKeyframes(session)
        self.stroke = StrokePanel(session, self.keys)
        self.panel = LookPanel(actions, session, self.keys, files, self.stroke)
        self.looks = Looks(window, actions, session, files, self.panel, looks_folder())
        self.gallery = Gallery(actions, self.panel.style_section, [self.looks.button])
        self.film_tiles = FilmTiles(session, self.gallery, window)
        self.brush_strips = BrushStrips(session, self.stroke.kinds, window)
        self.trial = Trial(session, self.gallery, self.film_tiles, view)
        self.own_styles = OwnStyles(window, session, self.gallery, unfinished, files)
        self.style_keys = StyleKeyframes(session, self.gallery, self.keys, actions, shared.notes)
        session.changed.connect(self._follow_choice)
        session.loaded.connect(self.show_choice)
        session.refused.connect(self._show_refused)
        session.events.on(StyleInUse, self._show_style)
        view.style_dropped.connect(self.own_styles.add_files)
        hint = QCoreApplication.translate("OwnStyles", "Hold Ctrl to use it as the style")
        view.style_offered.connect(lambda: shared.notes.say(hint))
        view.split_moved.connect(self.panel.set_split)
        self._connect_panel(view)
        self._connect_actions()

    @property
    def titles(self) -> dict[str, str]:
        """Translated titles of values that can have keyframes."""
        return {**self.panel.titles, STROKE: self.stroke.slider.name.text()}

    def _connect_panel(self, view: VideoView) -> None:
        panel, session, settings = self.panel, self._session, self._session.settings
        self.own_styles.moved.connect(panel.colours.follow)
        ask = self._ask_picture
        self.stroke.kinds.mark_asked.connect(partial(ask, "brush_mark", self.tr("A picture of a brush tip")))
        panel.subject.masked.connect(lambda mask: session.use(mask=mask))
        panel.subject.mask_asked.connect(partial(ask, "mask", self.tr("A mask")))
        panel.search.parts = panel.style_section, panel
        panel.search.left.connect(view.setFocus)
        for name, title in panel.folds.items():
            title.setChecked(name in settings.sections)
            title.toggled.connect(partial(settings.unfold, name))

    def _connect_actions(self) -> None:
        actions, session = self._actions, self._session
        own = self.own_styles
        actions.connect_triggers({"new-style": own.make, "open-style": own.ask, "reset-look": self.panel.reset})
        actions["split"].triggered.connect(self.panel.compare)
        sizes, directions = self.tr("A map of the brush's sizes"), self.tr("A map of the brush's directions")
        actions["map-sizes"].triggered.connect(lambda on: self._use_map("brush_sizes", sizes, on))
        actions["map-directions"].triggered.connect(lambda on: self._use_map("brush_directions", directions, on))
        for name, field in actions.options.items():
            actions[name].triggered.connect(lambda on, field=field: session.use(**{field: on}))

    def _ask_picture(self, name: str, title: str) -> None:
        path = self._files.brush(title) if name == "brush_mark" else self._files.map(title)
        if path is None:
            self.show_choice()
        else:
            self._session.use(**{name: str(path.absolute())})

    def _use_map(self, name: str, title: str, on: bool) -> None:
        if on:
            self._ask_picture(name, title)
        else:
            self._session.use(**{name: None})

    def _follow_choice(self, before: Choice, now: Choice) -> None:
        is_other = (now.style, now.colours) != (before.style, before.colours) or now == before
        if is_other and self._session.awaits_style:
            self.gallery.show_chosen(now.style.name)
            self.style_keys.show()
            self.restyled.emit()
        self.show_choice()

    def show_choice(self) -> None:
        """Show the settings in actions and brush picture."""
        recipe = self._session.choice.recipe
        chosen = {
            "split": recipe.look.compares,
            **{name: recipe.values[field] for name, field in self._actions.options.items()},
            "map-sizes": recipe.sizes.brush_sizes is not None,
            "map-directions": recipe.sizes.brush_directions is not None,
        }
        for name, on in chosen.items():
            self._actions[name].setChecked(on)
        self.stroke.show_painting(self.panel.paints, brushed=self.panel.brushes)

    def _show_style(self, used: StyleInUse) -> None:
        if self._session.uses_chosen:
            self.gallery.show_style(used)
            self.style_keys.show()

    def _show_refused(self) -> None:
        if self._session.style_in_use is not None:
            self.gallery.show_style(self._session.style_in_use)
            self.gallery.blend.show_weights(self._session.mix)
            self.style_keys.show()
