"""Player events, frozen to cross threads."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from framebrush.base.remedy import cause_of
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import is_memory_full
from framebrush.gpu.sizes import Sizes
from framebrush.media.video import Position, TimeRange, VideoInfo
from framebrush.models.style import ModelCard, Precision
from framebrush.styles.blends import blend_of
from framebrush.styles.specs import OWN_COLOURS, ColourSpec

MEMORY_ADVICE = QT_TRANSLATE_NOOP("Player", "Close other programs, or make the strokes larger: they take less memory.")

Work = Literal["", "opening", "seeking", "style", "device"]


class Event:
    """Base of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class InOutPoint:
    """Frame that is marked or shown."""

    number: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Busy(Event):
    """A long operation has started; "" ends it."""

    what: Work


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A video is open.

    Attributes:
        sound: can be heard.
        live: can be recorded.
        tracks: names of audio tracks.
        lacks_output: no output device.
        picture: unpainted first frame, (H, W, 4) uint8 RGBA, as stored.
    """

    info: VideoInfo
    sound: bool
    can_seek: bool = True
    live: bool = False
    tracks: tuple[str, ...] = ()
    lacks_output: bool = False
    picture: npt.NDArray[np.uint8] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class SizesInUse(Event):
    """Sizes of painted frames. whole: an export's."""

    sizes: Sizes
    whole: Sizes
    precision: Precision = "auto"

    @property
    def reduced(self) -> bool:
        """Whether the sizes are a preview's."""
        return self.sizes != self.whole


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A video could not be opened, as another event explains."""

    source: str


@dataclass(frozen=True, slots=True)
class PicturesRefused(Event):
    """A brush picture cannot be used. stay: pictures in use."""

    stay: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class PlayedOut(Event):
    """Playback has reached the end."""


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """The video was closed."""


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """A frame is shown. exported: in export quality."""

    at: InOutPoint
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Veiled(Event):
    """Masks of the shown frame.

    mask: (H, W) uint8, upright; None without effect.
    """

    on: bool
    mask: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A move or mark is done. number: `Player.last_move`."""

    number: int


@dataclass(frozen=True, slots=True)
class Ready(Event):
    """Cached frames. spans: (start, end) in seconds."""

    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Playing(Event):
    """Playback has started or paused."""

    on: bool


@dataclass(frozen=True, slots=True)
class InOutChanged(Event):
    """Changed in and out points."""

    first: InOutPoint | None = None
    last: InOutPoint | None = None

    def having(self, point: InOutPoint, *, first: bool) -> InOutChanged:
        """Add an in (first) or out point, clearing one on its wrong side."""
        if first:
            return InOutChanged(point, self.last if self.last and self.last.number >= point.number else None)
        return InOutChanged(self.first if self.first and self.first.number <= point.number else None, point)

    @property
    def span(self) -> TimeRange:
        """Range between them."""
        return TimeRange(
            Position.of_frame(self.first.number) if self.first else None,
            Position.of_frame(self.last.number + 1) if self.last else None,
        )

    def is_last(self, number: int) -> bool:
        """Return whether this is the out point."""
        return self.last is not None and number == self.last.number

    @property
    def beginning(self) -> Position:
        """Position from which playback restarts."""
        return self.span.start or Position.of_frame(0)


@dataclass(frozen=True, slots=True)
class StyleInUse(Event):
    """Style on the screen. fitted: colours follow the film."""

    name: str
    card: ModelCard
    mix: tuple[float, ...]
    notes: tuple[str, ...] = ()
    colours: ColourSpec = OWN_COLOURS
    fitted: bool = False

    def full_name(self, mix: tuple[float, ...]) -> str:
        """Return the name with weights."""
        if not mix or mix == self.mix or len(mix) != len(self.card.paintings):
            return self.name
        return blend_of((name, weight) for name, weight in zip(self.card.paintings, mix, strict=True) if weight > 0)


@dataclass(frozen=True, slots=True)
class StyleAnswered(Event):
    """A requested style is in use or refused; overtaken requests have no answer.

    number: `Player.last_style`.
    """

    number: int


@dataclass(frozen=True, slots=True)
class LookAnswered(Event):
    """Requested look, keyframes or sizes are in use; overtaken requests have no answer.

    number: `Player.last_look`.
    """

    number: int
    playing: bool


@dataclass(frozen=True, slots=True)
class Tried(Event):
    """A request of `Player.try_style` is done."""

    name: str | None


@dataclass(frozen=True, slots=True)
class DeviceInUse(Event):
    """Device that paints from now on."""

    info: DeviceInfo
    note: str


@dataclass(frozen=True, slots=True)
class NotPresented(Event):
    """Pictures pass through the CPU: the device cannot present."""

    reason: str


@dataclass(frozen=True, slots=True)
class DevicesFound(Event):
    """Available devices."""

    devices: tuple[DeviceInfo, ...]


@dataclass(frozen=True, slots=True)
class Saved(Event):
    """A screenshot was saved."""

    path: str


@dataclass(frozen=True, slots=True)
class Recording(Event):
    """A recording is running, or ended after `seconds`."""

    on: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CameraFeeding(Event):
    """A virtual camera gets frames, or no longer."""

    on: bool


@dataclass(frozen=True, slots=True)
class Statistics(Event):
    """Playback statistics.

    shown, dropped: frames since playback started. latency_ms: a live frame's.
    """

    stages_ms: Mapping[str, float]
    fps: float
    shown: int
    dropped: int
    readbacks_per_frame: float
    cached: int
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Notification(Event):
    """Message for the user: note, hint or lasting problem.

    Attributes:
        details: for bug reports.
        template, values, advice: for translation.
        path: file to open.
    """

    text: str
    details: str = ""
    severity: Literal["note", "hint", "problem"] = "note"
    template: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    advice: str = ""
    path: str = ""

    @classmethod
    def of_text(cls, template: str) -> Self:
        """Return a note."""
        return cls(template, template=template)

    @classmethod
    def of(cls, template: str, error: BaseException, **values: str) -> Self:
        """Return a problem with its error. values: for the template."""
        text = template.format(**values) if values else template
        details = "".join(traceback.format_exception(error)).strip()
        return cls(text, details, "problem", template, values, advice_of(error))

    @classmethod
    def of_error(cls, error: BaseException) -> Self:
        """Return a problem that its error describes."""
        return replace(cls.of("", error), text=cause_of(error))


def advice_of(error: BaseException) -> str:
    """Return what helps against an error in a window, or ""."""
    return MEMORY_ADVICE if is_memory_full(error) else ""


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The player's thread has closed everything."""
