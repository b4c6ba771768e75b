"""The keys of the film that is open: values of the look at frames, which the others get by what lies between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from PySide6.QtCore import QObject, Signal

from framebrush.gpu.stages.look import Look
from framebrush.jobs.keys import NUMBERS, Ease, Key, LookOverTime, Track
from framebrush.media.video import Position


@dataclass(frozen=True, slots=True)
class KeysAt:
    """The keys at one frame. values: by the fields of `Look`. ease: of the way to the next keys, None where they
    differ in that."""

    number: int
    values: dict[str, float]
    ease: Ease | None


class FilmKeys(QObject):
    """Each film has its own, for as long as the window is open. Keys are at numbers of frames, which are exact."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tracks: tuple[Track, ...] = ()
        self.number = 0
        """Of the frame on the screen."""
        self.film = ""
        """What is open, as `open_frame_source` takes it; "" where that can have no keys."""
        self._of_films: dict[str, tuple[Track, ...]] = {}

    def show_film(self, film: str) -> None:
        """Another film is open, whose keys are there again."""
        self._of_films[self.film] = self.tracks
        self.film, self.number = film, 0
        self.take(self._of_films.get(film, ()) if film else ())

    def take(self, tracks: tuple[Track, ...]) -> None:
        """Have these keys."""
        if tracks != self.tracks:
            self.tracks = tracks
            self.changed.emit()

    def look(self, look: Look) -> Look:
        """A look with the values that the frame on the screen has."""
        return LookOverTime(look, self.tracks).at(self.number, Fraction())

    def has(self, name: str) -> bool:
        """Whether a value changes with the film."""
        return any(track.of == name for track in self.tracks)

    def is_here(self, name: str) -> bool:
        """Whether a value has a key at the frame on the screen."""
        return name in self._keys() and self.number in self._keys()[name]

    def set(self, name: str, value: float) -> None:
        """Set a key at the frame on the screen. One that is there keeps its way to the next."""
        keys = self._keys()
        former = keys.setdefault(name, {}).get(self.number)
        keys[name][self.number] = Key(_at(self.number), value, former.ease if former else self._ease_here(keys[name]))
        self._use(keys)

    def toggle(self, name: str, value: float) -> None:
        """Set a key at the frame on the screen, or remove the one that is there."""
        if self.is_here(name):
            keys = self._keys()
            del keys[name][self.number]
            self._use(keys)
        else:
            self.set(name, value)

    @property
    def places(self) -> list[KeysAt]:
        """The frames that have keys, in order."""
        keys = self._keys()
        found = []
        for number in sorted({number for each in keys.values() for number in each}):
            here = {name: each[number] for name, each in keys.items() if number in each}
            eases = {key.ease for key in here.values()}
            values = {name: float(key.value) for name, key in here.items()}
            found.append(KeysAt(number, values, eases.pop() if len(eases) == 1 else None))
        return found

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

    def ease(self, number: int, ease: Ease) -> None:
        """Choose how values go on from the keys at a frame to the next ones."""
        keys = self._keys()
        for each in keys.values():
            if number in each:
                each[number] = replace(each[number], ease=ease)
        self._use(keys)

    def _ease_here(self, keys: dict[int, Key]) -> Ease:
        """That of the way which a new key cuts in two."""
        before = [number for number in keys if number < self.number]
        return keys[max(before)].ease if before else "linear"

    def _keys(self) -> dict[str, dict[int, Key]]:
        return {track.of: {int(key.at.value): key for key in track.keys} for track in self.tracks}

    def _use(self, keys: dict[str, dict[int, Key]]) -> None:
        self.take(tuple(Track.of_any(name, tuple(keys[name].values())) for name in NUMBERS if keys.get(name)))


def _at(number: int) -> Position:
    return Position(Fraction(number), "frame")
