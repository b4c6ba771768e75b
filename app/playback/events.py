"""The player's events. Frozen, so that they may cross threads."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Self

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.spec import OWN_COLOURS, ColourSpec
from framebrush.media.video import VideoInfo
from framebrush.models.style import ModelCard, Precision


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name that Qt's lupdate looks for
    """The text itself, which is listed for translators: nothing here needs Qt."""
    return text


Work = Literal["", "opening", "seeking", "style", "device"]


@dataclass(frozen=True, slots=True)
class Mark:
    """A frame that a person marked, or that is shown."""

    number: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Busy:
    """A long operation began; `what` is empty when it is over."""

    what: Work


@dataclass(frozen=True, slots=True)
class Opened:
    """A video is open and its first frame shown. sound: whether it is heard. can_seek: whether
    `Player.seek` works. live: whether it is a camera or the like, and can be recorded. tracks: names of those of the
    sound."""

    info: VideoInfo
    sound: bool
    can_seek: bool = True
    live: bool = False
    tracks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SizesInUse:
    """The sizes of the frames that are painted from now on, and the precision. whole: those of an export, whose network
    has a larger input where these are a preview's."""

    sizes: Sizes
    whole: Sizes
    precision: Precision = "auto"

    @property
    def reduced(self) -> bool:
        """Whether they are a preview's."""
        return self.sizes != self.whole


@dataclass(frozen=True, slots=True)
class Refused:
    """A video could not be opened. source: as it was asked for; a notification says why."""

    source: str


@dataclass(frozen=True, slots=True)
class PlayedOut:
    """Playing came to the end of the video, and pauses there."""


@dataclass(frozen=True, slots=True)
class Closed:
    """No video is open any more."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A frame is on the screen. exported: it is what an export has, and not a preview."""

    at: Mark
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Ready:
    """What is painted ahead as an export has it. spans: from when to when, in seconds, in order."""

    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Playing:
    """Playback began, or paused."""

    on: bool


@dataclass(frozen=True, slots=True)
class Marked:
    """The marks have changed."""

    first: Mark | None
    last: Mark | None


@dataclass(frozen=True, slots=True)
class StyleInUse:
    """The style on the screen. name: as a person names it, which `open_style` takes again. mix: its weights. colours:
    that are asked of it. fitted: whether they are fitted to the film, as those of a palette are."""

    name: str
    card: ModelCard
    mix: tuple[float, ...]
    notes: tuple[str, ...] = ()
    colours: ColourSpec = OWN_COLOURS
    fitted: bool = False

    def full_name(self, mix: tuple[float, ...]) -> str:
        """The name with other weights, as the command line takes it: "starry-night:0.6,great-wave:0.4"."""
        if not mix or mix == self.mix or len(mix) != len(self.card.paintings):
            return self.name
        parts = zip(self.card.paintings, mix, strict=True)
        return ",".join(f"{painting}:{weight:.3f}" for painting, weight in parts if weight > 0)


@dataclass(frozen=True, slots=True)
class Tried:
    """What `Player.try_style` was asked for is done: a paused picture shows it, a playing one soon will."""

    name: str | None


@dataclass(frozen=True, slots=True)
class DeviceInUse:
    """The device that paints from now on; the view that fits it must be on the screen."""

    info: DeviceInfo
    note: str


@dataclass(frozen=True, slots=True)
class DevicesFound:
    """The devices that can paint here."""

    devices: tuple[DeviceInfo, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """A screenshot was written."""

    path: str


@dataclass(frozen=True, slots=True)
class Recording:
    """What is painted is being recorded, or is not any more. seconds: so far."""

    on: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    """Figures of playback. stages_ms: mean milliseconds a frame. shown, dropped: frames since it last began to play.
    latency_ms: from a live source's frame to its picture on the screen, None for a file."""

    stages_ms: Mapping[str, float]
    fps: float
    shown: int
    dropped: int
    readbacks_per_frame: float
    cached: int
    latency_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    """A message for the person. A note disappears after a while; a hint stays until it is dismissed or something else
    follows, a problem until it is dismissed. text: plain words; details: for a bug report. template, values: what the
    text is made of, for its translation. path: a file that the message is about, and that can be opened."""

    text: str
    details: str = ""
    severity: Literal["note", "hint", "problem"] = "note"
    template: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    path: str = ""

    @classmethod
    def of_text(cls, template: str) -> Self:
        """A note without an error; `template` is translated."""
        return cls(template, template=template)

    @classmethod
    def of(cls, template: str, error: BaseException, **values: str) -> Self:
        """A problem with the error that made it, in full. values: for the names in braces of the template; without
        any, the text is not a template."""
        text = template.format(**values) if values else template
        return cls(text, "".join(traceback.format_exception(error)).strip(), "problem", template, values)


@dataclass(frozen=True, slots=True)
class Ended:
    """The player's thread has closed everything and ends."""


Event = (
    Busy
    | Opened
    | SizesInUse
    | Refused
    | PlayedOut
    | Closed
    | Shown
    | Ready
    | Playing
    | Marked
    | StyleInUse
    | Tried
    | DeviceInUse
    | DevicesFound
    | Saved
    | Recording
    | Statistics
    | Notification
    | Ended
)
