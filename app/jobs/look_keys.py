"""A look that changes with the film: keys, which are values at places of it, and what lies between them.

What a frame is painted with depends on its own number, or time, and on nothing else. So a range that is painted alone,
segments, and what several devices paint are the same frames as those of the whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal, Self, get_args

from framebrush.base.option import declared_in
from framebrush.gpu.stages.look import Look
from framebrush.media.position import parse_position
from framebrush.media.reading.fields import CADENCES
from framebrush.media.video import Deinterlace, Position, VideoFrame
from framebrush.models.style import ModelCard, PaintedShot
from framebrush.styles.specs import SizeSpec

Ease = Literal["linear", "ease", "hold"]
"""How a value goes on to that of the next key: evenly; slowly at both ends; or not at all, until it jumps there."""

STYLE = "style"
"""The track whose values are paintings, alone or blended, of the network that the job paints with."""

Stroke = float | Literal["auto"]
"""A size of strokes, as `SizeSpec.stroke`."""

STROKE = "stroke"
"""The track whose values are sizes of strokes. They hold, each until the next key: another size is
another network input, and everything between two would be another painting in each frame."""

_DECLARED = {each.field: each for record in (Look, SizeSpec) for each in declared_in(record) if each.option.keyframes}

NUMBERS = tuple(name for name in _DECLARED if name != STROKE)
"""The fields of a look that can have a track: all are numbers."""

TRACKS = (*NUMBERS, STROKE, STYLE)
"""All that can have keys."""

TimeOf = Callable[[VideoFrame], Fraction]
"""Gives the time of a frame in seconds from the first shown frame of its film."""

_KEY = re.compile(r"([a-z-]+)@([^=@]+)=(.+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """at: a place in the film. value: a number, paintings as `--style` names them, or a stroke. ease: of the way to the
    next."""

    at: Position
    value: float | str
    ease: Ease = "linear"


@dataclass(frozen=True, slots=True)
class Track:
    """The keys of one value of the look, in their order. of: one of TRACKS. All keys are at frames, or all are at
    times. Before the first key its value holds, and after the last that one's.

    Raises ValueError, one sentence, for what cannot be.
    """

    of: str
    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        name = option_of(self.of)
        if self.of not in TRACKS:
            known = ", ".join(map(option_of, TRACKS))
            raise ValueError(f"'{self.of[:40]}' does not change over time; give one of {known}")
        if not self.keys:
            raise ValueError(f"{name} has no keys")
        if len({key.at.unit for key in self.keys}) > 1:
            raise ValueError(f"the keys of {name} are at frames and at times; give all in one way")
        for key in self.keys:
            if key.at.value < 0 or (key.at.unit == "frame" and key.at.value.denominator != 1):
                raise ValueError(f"{key.at.value} is not a place in a video ({key.at.unit})")
            if isinstance(key.value, str) != (self.of == STYLE) and (self.of, key.value) != (STROKE, "auto"):
                raise ValueError(f"'{key.value}' is no value for {name}")
            if self.of == STROKE:
                _check_stroke(key)
            elif not isinstance(key.value, str):
                _DECLARED[self.of].check(key.value)
            elif not key.value or re.search(r"[/\\]|\.onnx\b", key.value, re.IGNORECASE):
                raise ValueError(f"'{key.value[:40]}' is no painting; keys of a style name paintings, not files")
        places = [key.at.value for key in self.keys]
        if any(later <= earlier for earlier, later in pairwise(places)):
            raise ValueError(f"two keys of {name} are at the same place, or not in order")

    @classmethod
    def of_any(cls, of: str, keys: tuple[Key, ...]) -> Self:
        """From keys in any order."""
        return cls(of, tuple(sorted(keys, key=lambda key: key.at.value)))

    @property
    def in_seconds(self) -> bool:
        """Whether its keys are at times."""
        return self.keys[0].at.unit == "s"

    @property
    def numbers(self) -> list[float]:
        """The values of its keys, of a track of numbers."""
        return [key.value for key in self.keys if not isinstance(key.value, str)]

    def between(self, place: Fraction) -> tuple[Key, Key, float]:
        """The keys around a place, in the unit of its own, and the share 0..1 of the second one there."""
        count = bisect_right(self.keys, place, key=lambda key: key.at.value)
        former = self.keys[max(0, count - 1)]
        if count in (0, len(self.keys)) or former.ease == "hold":
            return former, former, 0.0
        following = self.keys[count]
        share = float((place - former.at.value) / (following.at.value - former.at.value))
        return former, following, share * share * (3.0 - 2.0 * share) if former.ease == "ease" else share

    def held(self, place: Fraction) -> float | str:
        """The value of the last key before a place, or at it; ahead of all keys that of the first."""
        return self.between(place)[0].value

    def number(self, place: Fraction) -> float:
        """The value at a place, of a track of numbers; never beyond those of the keys around it."""
        former, following, share = self.between(place)
        assert not isinstance(former.value, str)
        assert not isinstance(following.value, str)
        return between(former.value, following.value, share)


def between(a: float, b: float, share: float) -> float:
    """A value on the way from a to b, which rounding does not lead beyond either."""
    return min(max(a + (b - a) * share, min(a, b)), max(a, b))


def option_of(name: str) -> str:
    """The name of a track on the command line."""
    return _DECLARED[name].spelling if name in _DECLARED else name


def most(look: Look, tracks: tuple[Track, ...]) -> Look:
    """A look with the largest value that each of its keys has: memory and neighbours are planned with that."""
    largest = {track.of: max(track.numbers) for track in tracks if track.of in NUMBERS}
    return replace(look, **largest)  # type: ignore[arg-type]


def keys_as_read(tracks: tuple[Track, ...], mode: Deinterlace) -> tuple[Track, ...]:
    """Keys that count frames as "auto" gives them, as they are where fields are treated in another way. Of keys that
    come to one frame the last stays."""

    def moved(key: Key) -> Key:
        return replace(key, at=Position(Fraction(CADENCES[mode].first_shown(int(key.at.value))), "frame"))

    found = []
    for track in tracks:
        keys = track.keys if track.in_seconds else map(moved, track.keys)
        found.append(Track(track.of, tuple({key.at: key for key in keys}.values())))
    return tuple(found)


def stroke_of(tracks: tuple[Track, ...], number: int, time_s: Fraction) -> Stroke | None:
    """The stroke of the frame with that number, at that time; None where strokes have no keys."""
    for track in tracks:
        if track.of == STROKE:
            value = track.held(time_s if track.in_seconds else Fraction(number))
            return "auto" if isinstance(value, str) else value
    return None


def _check_stroke(key: Key) -> None:
    _DECLARED[STROKE].check(key.value)
    if key.ease != "hold":
        raise ValueError(f"a stroke holds until its next key; leave out '{key.ease}'")


@dataclass(frozen=True, slots=True)
class ShotsOfCard:
    """Which painting of a network is that of a frame, where each shot of the film has one: see `ModelCard.shots`."""

    shots: tuple[PaintedShot, ...]
    paintings: tuple[str, ...]

    @classmethod
    def of(cls, card: ModelCard, mode: Deinterlace = "auto") -> Self | None:
        """Those of a card, None where it knows no shots. mode: how fields are treated; its frames are counted then."""
        shots = [replace(shot, first=CADENCES[mode].first_shown(shot.first)) for shot in card.shots]
        return cls(tuple(shots), card.paintings) if shots else None

    def at(self, number: int) -> tuple[tuple[float, ...], float]:
        """The weights of the paintings at a frame, which sum to 1, and the share of it that is painted."""
        place = max(0, bisect_right(self.shots, number, key=lambda shot: shot.first) - 1)
        own, former = self.shots[place], self.shots[max(0, place - 1)]
        inside = number - own.first
        share = 1.0 if inside >= own.dissolve else (inside + 1) / (own.dissolve + 1)
        weights = dict.fromkeys(self.paintings, 0.0)
        for shot, part in ((former, 1.0 - share), (own, share)):
            if shot.painting:
                weights[shot.painting] += part
        painted = sum(weights.values())
        if not painted:
            weights[self.paintings[0]] = 1.0
        return tuple(weight / (painted or 1.0) for weight in weights.values()), painted


@dataclass(frozen=True, slots=True)
class LookOverTime:
    """The look of each frame. weights: of the values of the style's track, one for each painting of the network. shots:
    those that the network knows, whose paintings come before the look's own weights."""

    look: Look
    tracks: tuple[Track, ...]
    weights: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    shots: ShotsOfCard | None = None

    @property
    def changes(self) -> bool:
        """Whether frames have looks of their own."""
        return bool(self.tracks) or self.shots is not None

    @property
    def moves(self) -> bool:
        """Whether weights of paintings are among what changes."""
        return self.shots is not None or any(track.of == STYLE for track in self.tracks)

    def at(self, number: int, time_s: Fraction) -> Look:
        """The look of the frame with that number, at that time in seconds from the first shown frame."""
        changes: dict[str, float | tuple[float, ...]] = {}
        for track in self.tracks:
            place = time_s if track.in_seconds else Fraction(number)
            if track.of == STROKE:
                continue
            if track.of != STYLE:
                changes[track.of] = track.number(place)
                continue
            former, following, share = track.between(place)
            a, b = (self.weights[str(key.value)] for key in (former, following))
            changes["mix"] = tuple(between(x, y, share) for x, y in zip(a, b, strict=True))
        look = replace(self.look, **changes)  # type: ignore[arg-type]
        if self.shots is None:
            return look
        mix, painted = self.shots.at(number)
        return replace(look, mix=mix if len(mix) > 1 else (), strength=look.strength * painted)


def parse_keys(texts: tuple[str, ...]) -> tuple[Track, ...]:
    """`--key`, given so many times: NAME@PLACE=VALUE, and ",ease" or ",hold" after it for the way to the next key. The
    name is that of an option, the place as for `--start`. Raises ValueError saying what is allowed."""
    named = {option_of(name): name for name in TRACKS}
    found: dict[str, list[Key]] = {}
    for text in texts:
        match = _KEY.fullmatch(text)
        if match is None:
            raise ValueError(f"--key {text[:60]}: give NAME@PLACE=VALUE, such as strength@2.5=0.4 or relief@48f=1,ease")
        name, place, value = match.groups()
        if name not in named:
            raise ValueError(f"--key {text[:60]}: there is no {name} over time; give one of {', '.join(named)}")
        rest, _, last = value.rpartition(",")
        ease: Ease = "hold" if name == STROKE else "linear"
        for way in get_args(Ease):
            if rest and last == way:
                value, ease = rest, way
        try:
            as_text = name == STYLE or (name, value) == (STROKE, "auto")
            key = Key(parse_position(place), value if as_text else float(value), ease)
            Track(named[name], (key,))
        except ValueError as error:
            words = f"'{value}' is not a number" if "could not convert" in str(error) else error
            raise ValueError(f"--key {text[:60]}: {words}") from None
        found.setdefault(named[name], []).append(key)
    return tuple(Track.of_any(name, tuple(found[name])) for name in named.values() if name in found)
