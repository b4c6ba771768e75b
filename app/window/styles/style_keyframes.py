"""Keyframes of styles, at frames or shots."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import partial
from threading import Event

from PySide6.QtCore import QObject

from framebrush.analysis.dissolves import Dissolve
from framebrush.analysis.shot_around import shot_around
from framebrush.jobs.keyframes import STYLE
from framebrush.media.video import InputError
from framebrush.playback.events import Notification, Shown
from framebrush.playback.reading.reading_process import ReadingProcess, open_film
from framebrush.styles.blends import blend_of, parts_of
from framebrush.window.picture.notes import Notes
from framebrush.window.state.actions import Actions
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.state.session import Session
from framebrush.window.styles.gallery import Gallery
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.keyframe_button import KeyframeButton

Shot = tuple[Dissolve, Dissolve | None]
"""How a shot begins, and how the next one does."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Style for the shot of a frame."""

    film: str
    number: int
    style: str

    def is_alone_in(self, film: str, shot: Shot) -> bool:
        """Return whether the frame lies in this shot, outside dissolves."""
        begin, end = shot
        return film == self.film and begin.end <= self.number and (end is None or self.number < end.first)


class StyleKeyframes(QObject):
    """Uses a style as a keyframe, for a shot, or for the film."""

    def __init__(self, session: Session, gallery: Gallery, keys: FilmKeyframes, actions: Actions, notes: Notes) -> None:
        super().__init__(gallery)
        self._session, self._gallery, self._keys, self._actions, self._notes = session, gallery, keys, actions, notes
        self._stopped = Event()
        self._wanted: deque[Wanted] = deque()  # the first one's shot is being looked for
        self.button = KeyframeButton(self.tr("Style"))
        self.button.clicked.connect(lambda: keys.toggle(STYLE, lambda: self._here))
        gallery.add(self.button)
        gallery.chosen.connect(self.choose)
        gallery.blend.mixed.connect(self._blend)
        keys.changed.connect(self.show)
        session.loaded.connect(self.show)
        session.events.on(Shown, lambda _: self.show() if keys.has(STYLE) else None)
        actions["style-everywhere"].triggered.connect(self._use_everywhere)
        self.show()

    def choose(self, style: str) -> None:
        """Use a style for this shot, from here on, or everywhere."""
        by_shot = self._actions["shot-styles"].isChecked() and bool(self._keys.film)
        was_painting = self._is_painting(style)
        if not was_painting or not (by_shot or self._keys.has(STYLE)):
            self._session.use_style(style)  # waiting keyframes of the film would hide this style
        if by_shot and (was_painting or self._keys.has(STYLE)):
            self._session.seeks.when_there(partial(self._want, style))
        elif by_shot:
            self._notes.say(self.tr("Shots can differ in paintings of one file only"))
        elif self._keys.has(STYLE):
            self._keys.set(STYLE, style)

    def show(self) -> None:
        """Show the style of the current frame."""
        keys, paintings = self._keys, self._session.paintings
        can = bool(keys.film) and len(paintings) > 1
        self.button.setEnabled(can)
        self.button.show_keys(has=keys.has(STYLE), here=keys.is_here(STYLE))
        self._actions["style-everywhere"].setEnabled(keys.has(STYLE))
        if can:
            parts = parts_of(self._here)
            self._gallery.blend.show_weights(tuple(parts.get(painting, 0.0) for painting in paintings))

    def close(self) -> None:
        self._stopped.set()

    @property
    def _here(self) -> str:
        return self._session.style_at(self._keys.number) or self._session.choice.style.name

    def _is_painting(self, style: str) -> bool:
        paintings = self._session.paintings
        return len(paintings) > 1 and parts_of(style).keys() <= set(paintings)

    def _stop(self) -> None:
        self._stopped.set()
        self._stopped = Event()
        self._wanted.clear()

    def _want(self, style: str) -> None:
        self._wanted.append(Wanted(self._keys.film, self._keys.number, style))
        if len(self._wanted) == 1:
            self._look()

    def _look(self) -> None:
        first, stopped = self._wanted[0], self._stopped
        self._notes.say(self.tr("Looking for the shot…"), stays=True)
        find = partial(_find, first.film, first.number, stopped, self._session.player.reading)
        Background(find, partial(self._found, stopped), self)

    def _found(self, stopped: Event, shot: Shot | InputError) -> None:
        if stopped.is_set():
            return
        if isinstance(shot, InputError):
            text = self.tr("The shot cannot be found, because the film cannot be read there.")
            self._session.notified.emit(Notification.of(text, shot))
            self._wanted.popleft()
        else:
            first = self._wanted.popleft()
            self._hold(first, shot)
            while self._wanted and self._wanted[0].is_alone_in(first.film, shot):
                self._hold(self._wanted.popleft(), shot)
        if self._wanted:
            self._look()
        else:
            self._notes.fade()

    def _hold(self, wanted: Wanted, shot: Shot) -> None:
        if wanted.film == self._keys.film and self._is_painting(wanted.style):
            self._keys.hold(*shot, wanted.style, self._session.choice.style.name)
            self._notes.say(self.tr("This shot has its own style"))

    def _use_everywhere(self) -> None:
        style = self._here
        self._stop()
        self._keys.clear(STYLE)
        self._session.use_style(style)

    def _blend(self, weights: tuple[float, ...]) -> None:
        used = self._session.style_in_use
        pairs = zip(used.card.paintings, weights, strict=True) if used is not None else ()
        style = blend_of((painting, weight) for painting, weight in pairs if weight > 0)
        if self._keys.has(STYLE) and self._is_painting(style):
            self._keys.set(STYLE, style)
        else:
            self._session.blend(weights)


def _find(film: str, number: int, stopped: Event, reading: ReadingProcess | None) -> Shot | InputError:
    try:
        with open_film(film, reading) as source:
            return shot_around(source, number, stopped.is_set)
    except InputError as error:
        return error
