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


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name that Qt's lupdate looks for
    """Mark a text for translators, and return it unchanged.

    This module thus does not need Qt.
    """
    return text


Work = Literal["", "opening", "seeking", "style", "device"]


class Event:
    """Base of all events."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Mark:
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
        sound: Whether there is audible sound.
        can_seek: Whether `Player.seek` works.
        live: Whether it is a live source, such as a camera, and can be recorded.
        tracks: Names of the audio tracks.
        lacks_output: Whether there is sound but no output device.
        picture: Unpainted first frame, (H, W, 4) uint8 RGBA, in the file's orientation and possibly smaller, to
            show until it is painted.
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
    """Current sizes of painted frames, and the precision.

    Attributes:
        whole: sizes of an export; its working size exceeds a preview's.
    """

    sizes: Sizes
    whole: Sizes
    precision: Precision = "auto"

    @property
    def reduced(self) -> bool:
        """Whether they are a preview's."""
        return self.sizes != self.whole


@dataclass(frozen=True, slots=True)
class Refused(Event):
    """A video could not be opened.

    Attributes:
        source: as requested; a separate notification gives the reason.
    """

    source: str


@dataclass(frozen=True, slots=True)
class PicturesRefused(Event):
    """A brush picture cannot be used; a separate notification gives the reason.

    Attributes:
        stay: the pictures kept instead, as in `SizeSpec.brush_pictures`.
    """

    stay: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class PlayedOut(Event):
    """Playback has reached the end of the video, and is paused there."""


@dataclass(frozen=True, slots=True)
class Closed(Event):
    """The video was closed."""


@dataclass(frozen=True, slots=True)
class Shown(Event):
    """A frame is on the screen. exported: it has the quality of an export and is not a preview."""

    at: Mark
    exported: bool = False


@dataclass(frozen=True, slots=True)
class Veiled(Event):
    """Masks of the frame on the screen, while requested.

    Args:
        on: Whether they are requested.
        mask: (H, W) uint8, upright, 255 inside; None if no mask has an effect.
    """

    on: bool
    mask: npt.NDArray[np.uint8] | None = None


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A command that changes the frame on the screen, or marks it, is done.

    Attributes:
        number: of the command, as in `Player.last_move`.
    """

    number: int


@dataclass(frozen=True, slots=True)
class Ready(Event):
    """Cached frames of export quality. spans: start and end times in seconds, in order."""

    spans: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Playing(Event):
    """Playback has started or paused."""

    on: bool


@dataclass(frozen=True, slots=True)
class Marked(Event):
    """The in and out points have changed."""

    first: Mark | None
    last: Mark | None


@dataclass(frozen=True, slots=True)
class StyleInUse(Event):
    """The style on the screen.

    Attributes:
        name: As for `open_style`.
        mix: Its weights.
        colours: As requested.
        fitted: Whether they are fitted to the film, as a palette's are.
    """

    name: str
    card: ModelCard
    mix: tuple[float, ...]
    notes: tuple[str, ...] = ()
    colours: ColourSpec = OWN_COLOURS
    fitted: bool = False

    def full_name(self, mix: tuple[float, ...]) -> str:
        """The name with other weights, as for the command line: "starry-night:0.6,great-wave:0.4"."""
        if not mix or mix == self.mix or len(mix) != len(self.card.paintings):
            return self.name
        parts = zip(self.card.paintings, mix, strict=True)
        return ",".join(f"{painting}:{weight:.3f}" for painting, weight in parts if weight > 0)


@dataclass(frozen=True, slots=True)
class StyleAnswered(Event):
    """A request of `Player.use_style` is done: the style is in use, or was refused.

    A request that a later one overtook has no answer.

    Attributes:
        number: of the request, as in `Player.last_style`.
    """

    number: int


@dataclass(frozen=True, slots=True)
class LookAnswered(Event):
    """A request for another look, keyframes or sizes is done.

    A paused picture shows it, a playing one with its next frame. One that a later one overtook has no answer.

    Attributes:
        number: of the request, as in `Player.last_look`.
    """

    number: int
    playing: bool


@dataclass(frozen=True, slots=True)
class Tried(Event):
    """A request of `Player.try_style` is done.

    A paused picture shows it, a playing one soon will.
    """

    name: str | None


@dataclass(frozen=True, slots=True)
class DeviceInUse(Event):
    """The device that paints from now on; the matching view must be shown."""

    info: DeviceInfo
    note: str


@dataclass(frozen=True, slots=True)
class NotPresented(Event):
    """The device in use cannot present to the window.

    Its pictures come through the CPU.

    Attributes:
        reason: what it says.
    """

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
    """A recording is running, or has ended. seconds: recorded so far."""

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
        stages_ms: mean milliseconds per frame.
        shown, dropped: frames since playback last started.
        latency_ms: from a live source's frame to its picture on the screen, None for a file.
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
    """A message for the user.

    A note disappears after a while; a hint stays until it is dismissed or followed by another message, a problem until
    it is dismissed.

    Attributes:
        text: plain words;
        details: for a bug report.
        template, values: from which the text is made, for its translation.
        path: a file that the message is about, and that can be opened.
    """

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
        """A problem with the full error that caused it.

        Args:
            values: for the placeholders of the template; without any, the text is not a template.
        """
        text = template.format(**values) if values else template
        return cls(text, "".join(traceback.format_exception(error)).strip(), "problem", template, values)


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The player's thread has closed everything and is ending."""
