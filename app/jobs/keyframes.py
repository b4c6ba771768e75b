"""Keyframes of a look, by frame number or time."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Literal, Self, get_args

from framebrush.base.option import declared_in
from framebrush.gpu.look import Look
from framebrush.media.reading.fields import CADENCES
from framebrush.media.reading.position import parse_position, position_text
from framebrush.media.video import Deinterlace, Position, VideoFrame
from framebrush.models.style import ModelCard, PaintedShot
from framebrush.styles.specs import SizeSpec

Ease = Literal["linear", "ease", "hold"]
"""Easing to the next keyframe: linear; slow at both ends; constant with a jump."""

STYLE = "style"
"""Track of paintings, single or blended, of the job's network."""

Stroke = float | Literal["auto"]
"""Size of strokes, as `SizeSpec.stroke`."""

STROKE = "stroke"
"""Track of stroke sizes, constant until the next keyframe: each size is another network input, so values between would
be another painting in each frame."""

_DECLARED = {each.field: each for record in (Look, SizeSpec) for each in declared_in(record) if each.option.keyframes}

OPTIONS = tuple(_DECLARED)
"""Options with tracks, by field."""

NUMBERS = tuple(name for name in OPTIONS if name != STROKE)
"""Fields of a look with tracks; all are numbers."""

TRACKS = (*NUMBERS, STROKE, STYLE)
"""All tracks."""

TimeOf = Callable[[VideoFrame], Fraction]
"""Function from a frame to its time in seconds from the first shown frame."""

_KEY = re.compile(r"([a-z-]+)@([^=@]+)=(.+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Key:
    """Keyframe. value: number, stroke, or paintings as for `--style`."""

    at: Position
    value: float | str
    ease: Ease = "linear"


@dataclass(frozen=True, slots=True)
class Track:
    """Keyframes of one value, all by frame or by time. Raises ValueError.

    of: one of TRACKS.
    """

    of: str
    keys: tuple[Key, ...]

    def __post_init__(self) -> None:
        name = option_of(self.of)
        if self.of not in TRACKS:
            known = ", ".join(map(option_of, TRACKS))
            raise ValueError(f"'{self.of[:40]}' cannot have keyframes; give one of {known}")
        if not self.keys:
            raise ValueError(f"{name} has no keyframes")
        if len({key.at.unit for key in self.keys}) > 1:
            raise ValueError(f"the keyframes of {name} mix frame numbers and times; use only one kind")
        for key in self.keys:
            if key.at.value < 0 or (key.at.unit == "frame" and key.at.value.denominator != 1):
                raise ValueError(f"{key.at.value} is not a position in a video ({key.at.unit})")
            if isinstance(key.value, str) != (self.of == STYLE) and (self.of, key.value) != (STROKE, "auto"):
                raise ValueError(f"'{key.value}' is not a valid value for {name}")
            if self.of == STROKE:
                _check_stroke(key)
            elif not isinstance(key.value, str):
                _DECLARED[self.of].check(key.value)
            elif not key.value or re.search(r"[/\\]|\.onnx\b", key.value, re.IGNORECASE):
                raise ValueError(
                    f"'{key.value[:40]}' is not a painting; keyframes of a style name paintings, not files"
                )
        places = [key.at.value for key in self.keys]
        if any(later <= earlier for earlier, later in pairwise(places)):
            raise ValueError(f"two keyframes of {name} are at the same position or out of order")

    @classmethod
    def of_any(cls, of: str, keys: tuple[Key, ...]) -> Self:
        return cls(of, tuple(sorted(keys, key=lambda key: key.at.value)))

    @property
    def in_seconds(self) -> bool:
        return self.keys[0].at.unit == "s"

    @property
    def numbers(self) -> list[float]:
        """Numeric values of the keyframes."""
        return [key.value for key in self.keys if not isinstance(key.value, str)]

    def surrounding(self, place: Fraction) -> tuple[Key, Key, float]:
        """Return the keyframes around a place, and the second's share, 0..1."""
        count = bisect_right(self.keys, place, key=lambda key: key.at.value)
        former = self.keys[max(0, count - 1)]
        if count in (0, len(self.keys)) or former.ease == "hold":
            return former, former, 0.0
        following = self.keys[count]
        share = float((place - former.at.value) / (following.at.value - former.at.value))
        return former, following, eased(share, former.ease)

    def last_value(self, place: Fraction) -> float | str:
        """Return the last keyframe's value so far."""
        return self.surrounding(place)[0].value

    def number(self, place: Fraction) -> float:
        """Return the number at a place."""
        former, following, share = self.surrounding(place)
        assert not isinstance(former.value, str)
        assert not isinstance(following.value, str)
        return between(former.value, following.value, share)


def eased(share: float, ease: Ease) -> float:
    """Ease a share between keyframes."""
    if ease == "hold":
        return 0.0
    return share * share * (3.0 - 2.0 * share) if ease == "ease" else share


def range_of(name: str) -> tuple[float, float]:
    """Return a numeric track's range."""
    found = _DECLARED[name].option.range
    assert found is not None
    return found


def between(a: float, b: float, share: float) -> float:
    """Interpolate between a and b, within their range."""
    return min(max(a + (b - a) * share, min(a, b)), max(a, b))


def option_of(name: str) -> str:
    """Return a track's command-line name."""
    return _DECLARED[name].spelling if name in _DECLARED else name


def most(look: Look, tracks: tuple[Track, ...]) -> Look:
    """Return a look with tracks' maxima, for planning."""
    largest = {track.of: max(track.numbers) for track in tracks if track.of in NUMBERS}
    return look.with_values(**largest) if largest else look


def convert_keyframes(tracks: tuple[Track, ...], mode: Deinterlace) -> tuple[Track, ...]:
    """Convert frame numbers from "auto" to another mode."""

    def moved(key: Key) -> Key:
        return replace(key, at=Position.of_frame(CADENCES[mode].first_shown(int(key.at.value))))

    found = []
    for track in tracks:
        keys = track.keys if track.in_seconds else map(moved, track.keys)
        found.append(Track(track.of, tuple({key.at: key for key in keys}.values())))
    return tuple(found)


def stroke_of(tracks: tuple[Track, ...], number: int, time_s: Fraction) -> Stroke | None:
    """Return a frame's stroke by keyframes."""
    for track in tracks:
        if track.of == STROKE:
            value = track.last_value(time_s if track.in_seconds else Fraction(number))
            return "auto" if isinstance(value, str) else value
    return None


def _check_stroke(key: Key) -> None:
    _DECLARED[STROKE].check(key.value)
    if key.ease != "hold":
        raise ValueError(f"a stroke holds until its next keyframe; leave out '{key.ease}'")


@dataclass(frozen=True, slots=True)
class ShotsOfCard:
    """Paintings of a network by shot."""

    shots: tuple[PaintedShot, ...]
    paintings: tuple[str, ...]

    @classmethod
    def of(cls, card: ModelCard, mode: Deinterlace = "auto") -> Self | None:
        """Return a card's shots, if any."""
        shots = [replace(shot, first=CADENCES[mode].first_shown(shot.first)) for shot in card.shots]
        return cls(tuple(shots), card.paintings) if shots else None

    def at(self, number: int) -> tuple[tuple[float, ...], float]:
        """Return a frame's weights of paintings (sum 1) and painted share."""
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
    """Look of each frame. weights: of paintings, by keyframe."""

    look: Look
    tracks: tuple[Track, ...]
    weights: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    shots: ShotsOfCard | None = None

    @property
    def changes(self) -> bool:
        """Whether frames have different looks."""
        return bool(self.tracks) or self.shots is not None

    @property
    def moves(self) -> bool:
        """Whether weights of paintings change."""
        return self.shots is not None or any(track.of == STYLE for track in self.tracks)

    def at(self, number: int, time_s: Fraction) -> Look:
        """Return a frame's look."""
        changes: dict[str, float | tuple[float, ...]] = {}
        for track in self.tracks:
            place = time_s if track.in_seconds else Fraction(number)
            if track.of == STROKE:
                continue
            if track.of != STYLE:
                changes[track.of] = track.number(place)
                continue
            former, following, share = track.surrounding(place)
            a, b = (self.weights[str(key.value)] for key in (former, following))
            changes["mix"] = tuple(between(x, y, share) for x, y in zip(a, b, strict=True))
        look = self.look.with_values(**changes) if changes else self.look
        if self.shots is None:
            return look
        mix, painted = self.shots.at(number)
        return look.faded(painted).with_values(mix=mix if len(mix) > 1 else ())


def parse_keys(texts: tuple[str, ...]) -> tuple[Track, ...]:
    """Parse `--key`: NAME@PLACE=VALUE, with optional ",ease" or ",hold". Raises ValueError."""
    named = {option_of(name): name for name in TRACKS}
    found: dict[str, list[Key]] = {}
    for text in texts:
        match = _KEY.fullmatch(text)
        if match is None:
            raise ValueError(f"--key {text[:60]}: give NAME@PLACE=VALUE, such as strength@2.5=0.4 or relief@48f=1,ease")
        name, place, value = match.groups()
        if name not in named:
            raise ValueError(f"--key {text[:60]}: {name} cannot have keyframes; give one of {', '.join(named)}")
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


def key_texts(tracks: tuple[Track, ...]) -> list[str]:
    """Return the texts for `parse_keys`."""
    return [
        f"{option_of(track.of)}@{position_text(key.at)}={key.value},{key.ease}"
        for track in tracks
        for key in track.keys
    ]
