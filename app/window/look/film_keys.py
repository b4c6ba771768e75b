"""The keys of the film that is open: values of the look at frames, which the others get by what lies between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from PySide6.QtCore import QObject, Signal

from framebrush.analysis.dissolves import Dissolve
from framebrush.jobs.look_keys import STROKE, STYLE, TRACKS, Ease, Key, Track
from framebrush.media.video import Position
from framebrush.playback.events import Opened
from framebrush.window.session import Session


@dataclass(frozen=True, slots=True)
class KeysAt:
    """The keys at one frame. values: by the fields of `Look`, paintings by STYLE, and strokes by STROKE. ease: of the
    way to the next keys, None where they differ in that."""

    number: int
    values: dict[str, float | str]
    ease: Ease | None

    @property
    def only_holds(self) -> bool:
        """Whether nothing here can go on to the next keys in another way."""
        return self.values.keys() == {STROKE}


class FilmKeys(QObject):
    """Edits those of the choice. Each film has its own, for as long as the window is open. Keys are at numbers of
    frames, which are exact."""

    changed = Signal()  # the film, its keys, or which of them count

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._of_films: dict[str, tuple[Track, ...]] = {}
        self._copied: dict[str, Key] = {}
        self._known = self._now
        session.changed.connect(self._follow)
        session.loaded.connect(self._follow)
        session.film_changed.connect(self._open)

    @property
    def film(self) -> str:
        """What is open; "" where that can have no keys."""
        return self._session.choice.film

    @property
    def number(self) -> int:
        """Of the frame on the screen."""
        return self._session.shown_at.number

    def _open(self, opened: Opened | None) -> None:
        """Another film is open, whose keys are there again."""
        now = self._session.choice
        film = opened.info.source if opened is not None and opened.can_seek and opened.info.rate else ""
        self._of_films[now.film] = now.keys
        keys = self._of_films.get(film, ()) if film else ()
        self._session.choose(replace(now, film=film, recipe=replace(now.recipe, keys=keys), painted=()))

    def bring(self, film: str, tracks: tuple[Track, ...]) -> None:
        """Have these keys of a film once it is open."""
        self._of_films[film] = tracks

    def take(self, tracks: tuple[Track, ...]) -> None:
        """Have these keys."""
        self._session.use_recipe(replace(self._session.choice.recipe, keys=tracks))

    @property
    def _now(self) -> tuple[object, ...]:
        return self.film, self._session.choice.keys, self._session.keys

    def _follow(self) -> None:
        if self._now != self._known:
            self._known = self._now
            self.changed.emit()

    def has(self, name: str) -> bool:
        """Whether a value changes with the film."""
        return any(track.of == name for track in self._session.keys)

    def is_here(self, name: str) -> bool:
        """Whether a value has a key at the frame on the screen."""
        return name in self._keys() and self.number in self._keys()[name]

    def set(self, name: str, value: float | str) -> None:
        """Set a key at the frame on the screen, or at the one that is being sought. One that is there keeps its way to
        the next."""
        self._session.when_there(partial(self._set, name, value), name)

    def _set(self, name: str, value: float | str) -> None:
        keys = self._keys()
        former = keys.setdefault(name, {}).get(self.number)
        ease = "hold" if name == STROKE else former.ease if former else self._ease_here(keys[name])
        keys[name][self.number] = Key(_at(self.number), value, ease)
        self._use(keys)

    def toggle(self, name: str, value: Callable[[], float | str]) -> None:
        """Set a key at the frame on the screen, or at the one that is being sought, or remove the one that is there.
        value: returns that of the frame."""
        self._session.when_there(partial(self._toggle, name, value))

    def _toggle(self, name: str, value: Callable[[], float | str]) -> None:
        if self.is_here(name):
            keys = self._keys()
            del keys[name][self.number]
            self._use(keys)
        else:
            self._set(name, value())

    @property
    def places(self) -> list[KeysAt]:
        """The frames that have keys, in order."""
        keys = self._keys()
        found = []
        for number in sorted({number for each in keys.values() for number in each}):
            here = {name: each[number] for name, each in keys.items() if number in each}
            eases = {key.ease for name, key in here.items() if name != STROKE or len(here) == 1}
            values = {name: key.value for name, key in here.items()}
            found.append(KeysAt(number, values, eases.pop() if len(eases) == 1 else None))
        return found

    def hold(self, begin: Dissolve, end: Dissolve | None, style: str, otherwise: str) -> None:
        """Paint a shot in a style, and what is around it as before; in a dissolve the styles dissolve, too. end: how
        the next shot begins, None where none does. otherwise: what is painted while the style has no keys."""
        keys = self._keys()
        former, first = keys.get(STYLE, {}), begin.first
        found = {at: key for at, key in former.items() if at < first or (end is not None and at >= end.end)}
        earlier = [at for at in found if at < first]
        if begin.frames and first > 0:
            found[first - 1] = Key(_at(first - 1), self._session.style_at(first - 1) or otherwise, "linear")
        elif first > 0 and not earlier:
            found[0] = Key(_at(0), self._session.style_at(0) or otherwise, "hold")
        elif earlier and found[max(earlier)].ease != "hold":  # what went on to keys that are replaced ends before them
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
        """Remove all keys of a value."""
        self._use({of: keys for of, keys in self._keys().items() if of != name})

    def remove(self, number: int) -> None:
        """Remove all keys at a frame."""
        self._use({name: {at: key for at, key in each.items() if at != number} for name, each in self._keys().items()})

    def move(self, number: int, to: int) -> None:
        """Move the keys of a frame to another one, in place of keys that are there."""
        keys = self._keys()
        for each in keys.values():
            if number in each:
                each[to] = replace(each.pop(number), at=_at(to))
        self._use(keys)

    def copy(self, number: int) -> None:
        """Remember the keys of a frame, for another one of this film or the next."""
        self._copied = {name: each[number] for name, each in self._keys().items() if number in each}

    def paste(self) -> None:
        """Set the copied keys at the frame on the screen, or at the one that is being sought, in place of keys that are
        there; without those of paintings that the style in use does not hold."""
        self._session.when_there(self._paste, "paste")

    def _paste(self) -> None:
        keys = self._keys()
        for name, key in self._copied.items():
            if name != STYLE or self._session.holds(key):
                keys.setdefault(name, {})[self.number] = replace(key, at=_at(self.number))
        self._use(keys)

    def ease(self, number: int, ease: Ease) -> None:
        """Choose how values go on from the keys at a frame to the next ones; strokes hold."""
        keys = self._keys()
        for name, each in keys.items():
            if number in each and name != STROKE:
                each[number] = replace(each[number], ease=ease)
        self._use(keys)

    def _ease_here(self, keys: dict[int, Key]) -> Ease:
        """That of the way which a new key cuts in two."""
        before = [number for number in keys if number < self.number]
        return keys[max(before)].ease if before else "linear"

    def _keys(self) -> dict[str, dict[int, Key]]:
        return {track.of: {int(key.at.value): key for key in track.keys} for track in self._session.keys}

    def _use(self, keys: dict[str, dict[int, Key]]) -> None:
        made = tuple(Track.of_any(name, tuple(keys[name].values())) for name in TRACKS if keys.get(name))
        waiting = [track for track in self._session.choice.keys if track not in self._session.keys]
        self.take((*made, *(track for track in waiting if STYLE not in keys)))


def _at(number: int) -> Position:
    return Position(Fraction(number), "frame")
