"""The keys of the film that is open: values of the look at frames, which the others get by what lies between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

from PySide6.QtCore import QObject, Signal

from framebrush.analysis.dissolves import Dissolve
from framebrush.gpu.stages.look import Look
from framebrush.jobs.look_keys import STROKE, STYLE, TRACKS, Ease, Key, LookOverTime, Stroke, Track, stroke_of
from framebrush.media.video import Position
from framebrush.window.styles.catalog import parts_of


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
    """Each film has its own, for as long as the window is open. Keys are at numbers of frames, which are exact."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tracks: tuple[Track, ...] = ()
        self.number = 0
        """Of the frame on the screen."""
        self.film = ""
        """What is open, as `open_frame_source` takes it; "" where that can have no keys."""
        self.when_there: Callable[[Callable[[], None], object], None] = lambda call, _: call()
        """Calls with the frame on the screen that was asked for, as in `Session`."""
        self._paintings: tuple[str, ...] = ()
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
        """A look with the values that the frame on the screen has, but with its own paintings."""
        tracks = tuple(track for track in self.tracks if track.of != STYLE)
        return LookOverTime(look, tracks).at(self.number, Fraction())

    @property
    def stroke(self) -> Stroke | None:
        """The stroke of the frame on the screen; None where strokes have no keys."""
        return stroke_of(self.tracks, self.number, Fraction())

    def style_at(self, number: int) -> str:
        """What a frame is painted in, as `--style` names it; "" where the style has no keys."""
        for track in self.used:
            if track.of == STYLE:
                former, following, share = track.between(Fraction(number))
                return blend(str(former.value), str(following.value), share)
        return ""

    @property
    def used(self) -> tuple[Track, ...]:
        """The keys, without those of paintings that the style in use does not hold: they wait for one that does."""
        return tuple(track for track in self.tracks if track not in self._waiting)

    def show_paintings(self, paintings: tuple[str, ...]) -> None:
        """Another style is in use. paintings: of its network."""
        before, self._paintings = self.used, paintings
        if self.used != before:
            self.changed.emit()

    @property
    def _waiting(self) -> tuple[Track, ...]:
        held = set(self._paintings)
        return tuple(
            track
            for track in self.tracks
            if track.of == STYLE and any(parts_of(str(key.value)).keys() - held for key in track.keys)
        )

    def has(self, name: str) -> bool:
        """Whether a value changes with the film."""
        return any(track.of == name for track in self.used)

    def is_here(self, name: str) -> bool:
        """Whether a value has a key at the frame on the screen."""
        return name in self._keys() and self.number in self._keys()[name]

    def set(self, name: str, value: float | str) -> None:
        """Set a key at the frame on the screen, or at the one that is being sought. One that is there keeps its way to
        the next."""
        self.when_there(partial(self._set, name, value), name)

    def _set(self, name: str, value: float | str) -> None:
        keys = self._keys()
        former = keys.setdefault(name, {}).get(self.number)
        ease = "hold" if name == STROKE else former.ease if former else self._ease_here(keys[name])
        keys[name][self.number] = Key(_at(self.number), value, ease)
        self._use(keys)

    def toggle(self, name: str, value: Callable[[], float | str]) -> None:
        """Set a key at the frame on the screen, or at the one that is being sought, or remove the one that is there.
        value: returns that of the frame."""
        self.when_there(partial(self._toggle, name, value), object())

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
            found[first - 1] = Key(_at(first - 1), self.style_at(first - 1) or otherwise, "linear")
        elif first > 0 and not earlier:
            found[0] = Key(_at(0), self.style_at(0) or otherwise, "hold")
        elif earlier and found[max(earlier)].ease != "hold":  # what went on to keys that are replaced ends before them
            found[first - 1] = Key(_at(first - 1), self.style_at(first - 1), "hold")
        found[begin.end] = Key(_at(begin.end), style, "hold")
        if end is not None and end.end not in found:
            before = [at for at in former if at < end.end]
            ease = former[max(before)].ease if before else "hold"
            found[end.end] = Key(_at(end.end), self.style_at(end.end) or otherwise, ease)
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
        return {track.of: {int(key.at.value): key for key in track.keys} for track in self.used}

    def _use(self, keys: dict[str, dict[int, Key]]) -> None:
        made = tuple(Track.of_any(name, tuple(keys[name].values())) for name in TRACKS if keys.get(name))
        self.take(made + tuple(track for track in self._waiting if STYLE not in keys))


def blend(one: str, other: str, share: float) -> str:
    """The style on the way from one to another. share: 0..1 of the other."""
    if share <= 0.0 or one == other:
        return one
    found: dict[str, float] = {}
    for style, weight in ((one, 1.0 - share), (other, share)):
        parts = parts_of(style)
        for painting, part in parts.items():
            found[painting] = found.get(painting, 0.0) + weight * part / sum(parts.values())
    return ",".join(f"{painting}:{weight:.3f}" for painting, weight in found.items())


def _at(number: int) -> Position:
    return Position(Fraction(number), "frame")
