"""The player's events. Frozen, so that they may cross threads."""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Self

import numpy as np
import numpy.typing as npt

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.sizes import Sizes
from framebrush.media.video import VideoInfo
from framebrush.models.style import ModelCard, Precision
from framebrush.styles.specs import OWN_COLOURS, ColourSpec

Work = Literal["", "opening", "seeking", "style", "device"]


class Event:
    """Base of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class InOutPoint:
    """A frame that is marked or shown."""

    number: int
    time_s: float


@dataclass(frozen=True, slots=True)
class Busy(Event):
    """A long operation has started; `what` is empty when it is over."""

    what: Work


@dataclass(frozen=True, slots=True)
class Opened(Event):
    """A video is open.

    Attributes:
        sound: there is audible sound.
        live: a recordable live source.
        tracks: names of the audio tracks.
        lacks_output: there is sound but no output device.
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
    """Sizes of painted frames, and the precision. whole: sizes of an export."""

    sizes: Sizes
    whole: Sizes
    precision: Precision = "auto"

    @property
    def reduced(self) -> bool:
        """Return whether the sizes are a preview's."""
        return self.sizes != self.whole


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A video could not be opened. Another event has the reason."""

    source: str


@dataclass(frozen=True, slots=True)
class PicturesRefused(Event):
    """A brush picture cannot be used. stay: `SizeSpec.brush_pictures` in use instead."""

    stay: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class PlayedOut(Event):
    """Playback has reached the end of the video."""


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """The video was closed."""


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """A frame is on the screen. exported: in the quality of an export."""

    at: InOutPoint
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Veiled(Event):
    """Masks of the frame on the screen, while requested.

    Args:
        mask: (H, W) uint8, upright, 255 inside; None if no mask has an effect.
    """

    on: bool
    mask: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A command that moves or sets points is done. number: as in `Player.last_move`."""

    number: int


@dataclass(frozen=True, slots=True)
class Ready(Event):
    """Cached frames. spans: start and end times in seconds, in order."""

    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Playing(Event):
    """Playback has started or paused."""

    on: bool


@dataclass(frozen=True, slots=True)
class InOutChanged(Event):
    """The in and out points have changed."""

    first: InOutPoint | None
    last: InOutPoint | None


@dataclass(frozen=True, slots=True)
class StyleInUse(Event):
    """The style on the screen.

    Attributes:
        name: as for `open_style`.
        fitted: colours are fitted to the film.
    """

    name: str
    card: ModelCard
    mix: tuple[float, ...]
    notes: tuple[str, ...] = ()
    colours: ColourSpec = OWN_COLOURS
    fitted: bool = False

    def full_name(self, mix: tuple[float, ...]) -> str:
        """Return the name with other weights, such as "starry-night:0.6,great-wave:0.4"."""
        if not mix or mix == self.mix or len(mix) != len(self.card.paintings):
            return self.name
        parts = zip(self.card.paintings, mix, strict=True)
        return ",".join(f"{painting}:{weight:.3f}" for painting, weight in parts if weight > 0)


@dataclass(frozen=True, slots=True)
class StyleAnswered(Event):
    """A requested style is in use or refused. number: as in `Player.last_style`.

    A request overtaken by a later one has no answer.
    """

    number: int


@dataclass(frozen=True, slots=True)
class LookAnswered(Event):
    """A requested look, keyframes or sizes are done. number: as in `Player.last_look`.

    A request overtaken by a later one has no answer.
    """

    number: int
    playing: bool


@dataclass(frozen=True, slots=True)
class Tried(Event):
    """A request of `Player.try_style` is done."""

    name: str | None


@dataclass(frozen=True, slots=True)
class DeviceInUse(Event):
    """The device that paints from now on; its view must be shown."""

    info: DeviceInfo
    note: str


@dataclass(frozen=True, slots=True)
class NotPresented(Event):
    """The device cannot present, so pictures are copied through the CPU."""

    reason: str


@dataclass(frozen=True, slots=True)
class DevicesFound(Event):
    """The available devices."""

    devices: tuple[DeviceInfo, ...]


@dataclass(frozen=True, slots=True)
class Saved(Event):
    """A screenshot was saved."""

    path: str


@dataclass(frozen=True, slots=True)
class Recording(Event):
    """A recording is running, or has ended after `seconds`."""

    on: bool
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class CameraFeeding(Event):
    """Painted frames go to a virtual camera, or no longer do."""

    on: bool


@dataclass(frozen=True, slots=True)
class Statistics(Event):
    """Figures of playback.

    Attributes:
        stages_ms: mean per frame.
        shown, dropped: frames since playback started.
        latency_ms: from a live frame to the screen, None for a file.
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
    """Message for the user: a transient note, or a lasting hint or problem.

    Attributes:
        details: for a bug report.
        template, values: of the text, for its translation.
        path: file that can be opened.
    """

    text: str
    details: str = ""
    severity: Literal["note", "hint", "problem"] = "note"
    template: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    path: str = ""

    @classmethod
    def of_text(cls, template: str) -> Self:
        """Return a note without an error; `template` is translated."""
        return cls(template, template=template)

    @classmethod
    def of(cls, template: str, error: BaseException, **values: str) -> Self:
        """Return a problem with its full error. values: for the template's placeholders."""
        text = template.format(**values) if values else template
        return cls(text, "".join(traceback.format_exception(error)).strip(), "problem", template, values)


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The player's thread has closed everything and is ending."""
