"""Keyframes of the open film."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from framebrush.analysis.dissolves import Dissolve
from framebrush.jobs.keyframes import STROKE, STYLE, TRACKS, Ease, Key, Track
from framebrush.jobs.project import Marker
from framebrush.media.video import Position
from framebrush.playback.events import Opened
from framebrush.window.state.session import Session

_at = Position.of_frame


@dataclass(frozen=True, slots=True)
class KeysAt:
    """Keyframes at one frame.

    Attributes:
        values: by field of `Look`, paintings by STYLE, strokes by STROKE.
        ease: interpolation to the next keyframes, None if it differs between them.
    """

    number: int
    values: dict[str, float | str]
    ease: Ease | None

    @property
    def only_holds(self) -> bool:
        """Whether hold is the only interpolation allowed here."""
        return self.values.keys() == {STROKE}


class FilmKeyframes(QObject):
    """Edits the open film's keyframes, and remembers other films'."""

    changed = Signal()  # the film, its keyframes, or which apply

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._of_films: dict[str, tuple[tuple[Track, ...], tuple[Marker, ...]]] = {}
        self._copied: dict[str, Key] = {}
        self._known = self._now
        session.changed.connect(self._follow)
        session.loaded.connect(self._follow)
        session.film_changed.connect(self._open)

    @property
    def film(self) -> str:
        """The open film; "" if it cannot have keyframes."""
        return self._session.choice.film

    @property
    def number(self) -> int:
        return self._session.shown_at.number

    def _open(self, opened: Opened | None) -> None:
        now = self._session.choice
        film = opened.info.source if opened is not None and opened.can_seek and opened.info.rate else ""
        self._of_films[now.film] = now.keys, now.markers
        keys, markers = self._of_films.get(film, ((), ())) if film else ((), ())
        recipe = replace(now.recipe, keys=keys)
        self._session.choose(replace(now, film=film, recipe=recipe, painted=(), markers=markers))

    def bring(self, film: str, tracks: tuple[Track, ...], markers: tuple[Marker, ...] = ()) -> None:
        """Set the keyframes and markers of a film for its opening."""
        self._of_films[film] = tracks, markers

    def set_tracks(self, tracks: tuple[Track, ...]) -> None:
        self._session.use_recipe(replace(self._session.choice.recipe, keys=tracks))

    @property
    def _now(self) -> tuple[object, ...]:
        return self.film, self._session.choice.keys, self._session.keys

    def _follow(self) -> None:
        if self._now != self._known:
            self._known = self._now
            self.changed.emit()

    def has(self, name: str) -> bool:
        """Return whether a value has keyframes."""
        return any(track.of == name for track in self._session.keys)

    def is_here(self, name: str) -> bool:
        """Return whether a value has a keyframe at this frame."""
        return name in self._keys() and self.number in self._keys()[name]

    def set(self, name: str, value: float | str) -> None:
        """Set a keyframe at the playhead, or at the target of a pending seek.

        Keeps an existing one's interpolation. Does nothing if the value loses its keyframes before the seek ends.
        """
        had_keys = self.has(name)

        def set_there() -> None:
            if self.has(name) or not had_keys:
                self._set(name, value)

        self._session.seeks.when_there(set_there, name)

    def _set(self, name: str, value: float | str) -> None:
        keys = self._keys()
        former = keys.setdefault(name, {}).get(self.number)
        ease = "hold" if name == STROKE else former.ease if former else self._ease_here(keys[name])
        keys[name][self.number] = Key(_at(self.number), value, ease)
        self._use(keys)

    def toggle(self, name: str, value: Callable[[], float | str]) -> None:
        """Set or remove a keyframe at the playhead or seek target."""
        self._session.seeks.when_there(partial(self._toggle, name, value))

    def _toggle(self, name: str, value: Callable[[], float | str]) -> None:
        if self.is_here(name):
            keys = self._keys()
            del keys[name][self.number]
            self._use(keys)
        else:
            self._set(name, value())

    @property
    def places(self) -> list[KeysAt]:
        """Return the frames with keyframes, in order."""
        keys = self._keys()
        found = []
        for number in sorted({number for each in keys.values() for number in each}):
            here = {name: each[number] for name, each in keys.items() if number in each}
            eases = {key.ease for name, key in here.items() if name != STROKE or len(here) == 1}
            values = {name: key.value for name, key in here.items()}
            found.append(KeysAt(number, values, eases.pop() if len(eases) == 1 else None))
        return found

    def hold(self, begin: Dissolve, end: Dissolve | None, style: str, otherwise: str) -> None:
        """Paint one shot in a style; dissolves blend into the styles around.

        Args:
            end: start of the next shot, if any.
            otherwise: style while there are no style keyframes.
        """
        keys = self._keys()
        former, first = keys.get(STYLE, {}), begin.first
        found = {at: key for at, key in former.items() if at < first or (end is not None and at >= end.end)}
        earlier = [at for at in found if at < first]
        if begin.frames and first > 0:
            found[first - 1] = Key(_at(first - 1), self._session.style_at(first - 1) or otherwise, "linear")
        elif first > 0 and not earlier:
            found[0] = Key(_at(0), self._session.style_at(0) or otherwise, "hold")
        elif earlier and found[max(earlier)].ease != "hold":  # interpolation to replaced keyframes ends before them
            found[first - 1] = Key(_at(first - 1), self._session.style_at(first - 1), "hold")
        found[begin.end] = Key(_at(begin.end), style, "hold")
        if end is not None and end.end not in found:
            before = [at for at in former if at < end.end]
            ease = former[max(before)].ease if before else "hold"
            found[end.end] = Key(_at(end.end), self._session.style_at(end.end) or otherwise, ease)
        if end is not None and end.frames:
            last = max(begin.end, end.first - 1)
            found[last] = Key(_at(last), style, "linear")
        keys[STYLE] = found
        self._use(keys)

    def clear(self, name: str) -> None:
        """Remove all keyframes of a value."""
        self._use({of: keys for of, keys in self._keys().items() if of != name})

    def remove(self, number: int) -> None:
        """Remove all keyframes at a frame."""
        self._use({name: {at: key for at, key in each.items() if at != number} for name, each in self._keys().items()})

    def move(self, number: int, to: int) -> None:
        """Move a frame's keyframes to another frame, replacing others."""
        keys = self._keys()
        for each in keys.values():
            if number in each:
                each[to] = replace(each.pop(number), at=_at(to))
        self._use(keys)

    def copy(self, number: int) -> None:
        """Copy a frame's keyframes, to paste in any film."""
        self._copied = {name: each[number] for name, each in self._keys().items() if number in each}

    def paste(self) -> None:
        """Paste copied keyframes at the playhead, except unsupported paintings."""
        self._session.seeks.when_there(self._paste, "paste")

    def _paste(self) -> None:
        keys = self._keys()
        for name, key in self._copied.items():
            if name != STYLE or self._session.holds(key):
                keys.setdefault(name, {})[self.number] = replace(key, at=_at(self.number))
        self._use(keys)

    def ease(self, number: int, ease: Ease) -> None:
        """Set the interpolation after a frame's keyframes; strokes always hold."""
        keys = self._keys()
        for name, each in keys.items():
            if number in each and name != STROKE:
                each[number] = replace(each[number], ease=ease)
        self._use(keys)

    def _ease_here(self, keys: dict[int, Key]) -> Ease:
        before = [number for number in keys if number < self.number]
        return keys[max(before)].ease if before else "linear"

    def _keys(self) -> dict[str, dict[int, Key]]:
        return {track.of: {int(key.at.value): key for key in track.keys} for track in self._session.keys}

    def _use(self, keys: dict[str, dict[int, Key]]) -> None:
        made = tuple(Track.of_any(name, tuple(keys[name].values())) for name in TRACKS if keys.get(name))
        waiting = [track for track in self._session.choice.keys if track not in self._session.keys]
        self.set_tracks((*made, *(track for track in waiting if STYLE not in keys)))
