"""Commands on device, style, look and view, without video."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from framebrush.base.remedy import cause_of
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.device import list_devices
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.look import BY_MASKS, Look
from framebrush.gpu.surface import Viewport
from framebrush.jobs.keyframes import STROKE, STYLE, Track
from framebrush.media.video import OutputError, VideoFrame
from framebrush.models.style import Precision, Style, StyleError
from framebrush.playback import events
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.preview_quality import PreviewMode, PreviewQuality
from framebrush.playback.display.shot_palette import ShotPalette
from framebrush.styles.cube import CubeError, write_cube
from framebrush.styles.specs import OWN_COLOURS, ColourSpec, SizeSpec
from framebrush.styles.style_names import (
    PASSTHROUGH,
    OpenedStyle,
    coloured_by,
    default_style,
    fitting,
    in_colours,
    open_style,
)

Emit = Callable[[events.Event], None]

SEEN = QT_TRANSLATE_NOOP(
    "Player", "its colours are fitted to the frames shown so far; an export analyses each whole shot"
)

STYLE_REFUSED = QT_TRANSLATE_NOOP("Player", "This style cannot be used: {reason}")
MARK_REFUSED = QT_TRANSLATE_NOOP("Player", "This brush cannot be used: {reason}")
COLOURS_REFUSED = QT_TRANSLATE_NOOP("Player", "These colours cannot be used: {reason}")
NO_TABLE = QT_TRANSLATE_NOOP(
    "Player", "There is no colour table to save: choose a picture as the style, or set colours."
)
DEVICE_REFUSED = QT_TRANSLATE_NOOP("Player", "This device cannot be used; painting on the CPU: {reason}")


class Screen(ABC):
    """Commands that need no video. Not thread-safe."""

    def __init__(self, emit: Emit, presenter: Presenter, wake: Callable[[], None]) -> None:
        """wake: called in another thread."""
        self._emit, self.presenter = emit, presenter
        self._colours = ShotPalette(wake)
        self._look = Look()
        self._mix: tuple[float, ...] = ()  # weights of the chosen style's paintings
        self._tracks: tuple[Track, ...] = ()
        self.style_name = PASSTHROUGH
        self._in_use: events.StyleInUse | None = None
        self._opened: OpenedStyle | None = None
        self._aside: Style | None = None  # the chosen style, while another one is tried
        self._colour_spec = OWN_COLOURS
        self._sizes: events.SizesInUse | None = None
        self._quality = PreviewQuality()
        self.busy: events.Work = ""

    @abstractmethod
    def _repaint(self) -> None: ...

    @abstractmethod
    def _on_show(self) -> VideoFrame | None: ...

    @abstractmethod
    def _present_again(self, *, paint: bool = False) -> None: ...

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Use a style, PLAIN for none; keep the old one if unusable."""
        self._be_busy("style")
        name = name or default_style()
        aside, self._aside = self._aside, None  # this ends a trial, even if it fails
        try:
            opened, used = self._open_style(name, self._colour_spec if colours is None else colours)
            self.presenter.use_style(self._colours.begin(opened, self._on_show()))
        except DeviceLostError:
            raise
        except (DeviceError, StyleError) as error:  # the device refuses it, or the file is not a style
            if name == PASSTHROUGH:
                raise
            self._emit(events.Notification.of(STYLE_REFUSED, error, reason=cause_of(error)))
            if aside is not None:
                self.presenter.use_style(aside)
                self._use_seen()
            if self._opened is not None:
                self._colours.begin(self._opened, None)
            if self._in_use is not None:
                self._emit(self._in_use)  # the window may already show the other one as selected
                self._repaint()
            else:  # at start-up: the remembered style no longer exists
                self.use_style(PASSTHROUGH, colours)
            return
        self.style_name, self._opened, self._colour_spec = name, opened, used
        self._mix = opened.style.mix
        self._use_seen()
        card = opened.style.card
        guessed = (SEEN,) if opened.palette else ()
        notes = (*card.notes, *guessed, *self.presenter.notes)
        fitted = opened.palette is not None or used.palette_from is not None
        self._in_use = events.StyleInUse(name, card, opened.style.mix, notes, used, fitted)
        self._emit(self._in_use)
        self._repaint()

    @property
    def is_trying(self) -> bool:
        """Whether a style is only tried."""
        return self._aside is not None

    def try_style(self, name: str | None) -> None:
        """Preview another style; None ends it."""
        try:
            self._try(name)
        finally:
            self._emit(events.Tried(name))

    def _try(self, name: str | None) -> None:
        frame = self._on_show()
        if name is None or frame is None:
            self._end_trial()
            return
        try:
            opened, _ = self._open_style(name, self._colour_spec)
            style = coloured_by(opened, frame.frame)
            self._aside = self._aside or self.presenter.fitted.style
            self.presenter.use_style(style)
        except DeviceLostError:
            raise
        except (DeviceError, StyleError):
            self._end_trial()
            return
        self._use_seen()
        self._repaint()

    def _end_trial(self) -> None:
        aside, self._aside = self._aside, None
        if aside is not None:
            self.presenter.use_style(aside)
            self._use_seen()
            self._repaint()

    def _use_seen(self) -> None:
        self.presenter.use_keys(self._seen_tracks)
        self.presenter.use_look(self._look, self._seen_mix)

    @property
    def _seen_mix(self) -> tuple[float, ...]:
        style = self.presenter.fitted.style
        return self._mix if self._aside is None or style is None else style.mix

    @property
    def _seen_tracks(self) -> tuple[Track, ...]:
        return self._tracks if self._aside is None else tuple(each for each in self._tracks if each.of != STYLE)

    def _open_style(self, name: str, asked: ColourSpec) -> tuple[OpenedStyle, ColourSpec]:
        """Return the style, and its colours without useless settings."""
        opened = open_style(name)
        try:
            if self._in_use is None or asked.has_second_of(self._colour_spec):
                asked = fitting(opened, asked)  # another style, or one given at the start, may not share frames with it
            if asked.palette_from is not None:
                by_shot = replace(asked, palette_from=None)
                if in_colours(opened, by_shot).palette is None:
                    asked = by_shot  # without a palette nothing is fitted
            return in_colours(opened, asked), asked
        except StyleError as error:
            self._emit(events.Notification.of(COLOURS_REFUSED, error, reason=cause_of(error)))
            return self._open_style(name, OWN_COLOURS if asked == self._colour_spec else self._colour_spec)

    def save_colours(self, path: Path) -> None:
        """Write the current colour table as `.cube`."""
        from framebrush.jobs.still import table_of  # imported here because playback does not need it otherwise

        style = self._aside or self.presenter.fitted.style
        if style is None or not (style.before or style.after):
            self._emit(events.Notification.of_text(NO_TABLE))
            return
        try:
            write_cube(table_of(style, self.presenter.fitted.now), path, overwrite=True)
        except (CubeError, OutputError) as error:
            self._emit(events.Notification.of_error(error))
        else:
            self._emit(events.Saved(str(path)))

    def _use_film(self) -> None:
        if self._opened is not None and self._opened.palette is not None:
            self.presenter.use_style(self._colours.begin(self._opened, self._on_show()))

    def recolour(self) -> bool:
        """Use newly fitted colours, if any."""
        style = self._colours.new_style()
        if style is None:
            return False
        if self._aside is not None:
            self._aside = style
        elif self.presenter.recolour(style):
            self._present_again()
        else:
            self._repaint()
        return True

    def use_look(self, look: Look, mix: tuple[float, ...] = ()) -> None:
        """Use another look. mix: weights of paintings."""
        mix = mix or self._mix
        repaints = (look.at_submit, mix) != (self._look.at_submit, self._mix)
        self._look, self._mix = look, mix
        self.presenter.use_look(look, self._seen_mix)
        self._present_again(paint=repaints)

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Use other keyframes."""
        if tracks != self._tracks:
            turned = [
                [track for track in each if track.of in (STROKE, STYLE, *BY_MASKS)] for each in (self._tracks, tracks)
            ]
            self._tracks = tracks
            self.presenter.use_keys(self._seen_tracks)
            self._present_again(paint=turned[0] != turned[1])

    def use_device(self, name: str) -> None:
        """Use another device, else the CPU."""
        self._be_busy("device")
        try:
            self.presenter.use_device(name)
        except DeviceError as error:
            if name == "cpu":
                raise
            self._emit(events.Notification.of(DEVICE_REFUSED, error, reason=cause_of(error)))
            self.presenter.use_device("cpu")
        self._emit(events.DeviceInUse(self.presenter.device.info, self.presenter.device.note))
        self._repaint()

    def list_devices(self) -> None:
        """Emit the devices, queried here because drivers must not overlap."""
        self._emit(events.DevicesFound(tuple(list_devices())))

    def attach(self) -> None:
        """Attach to the visible window."""
        if self.presenter.attach():
            self._repaint()

    def renew_surface(self) -> None:
        """Renew the surface for another bit depth."""
        self.presenter.renew_surface()
        self._repaint()

    def set_preview(self, mode: PreviewMode) -> None:
        """Choose the preview size."""
        self._quality.mode = mode

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Use other sizes, unless a brush picture is unusable."""
        try:
            self.presenter.use_sizes(sizes)
        except StyleError as error:
            if not any(sizes.brush_pictures.values()):
                raise
            self._emit(events.Notification.of(MARK_REFUSED, error, reason=cause_of(error)))
            former = self.presenter.guides.sizes.brush_pictures
            if former == sizes.brush_pictures:  # the pictures' files may have been deleted since
                former = dict.fromkeys(former)
            self._emit(events.PicturesRefused(former))
            self.use_sizes(replace(sizes, **former))
            return
        self._quality.begun()
        self._repaint()

    def use_veil(self, on: bool) -> None:
        """Start or stop reporting shown masks."""
        self.presenter.veils = on
        self._present_again()
        if not on:
            self._emit(events.Veiled(False))

    def _tell_veil(self, frame: VideoFrame) -> None:
        if self.presenter.veils:
            self._emit(events.Veiled(True, self.presenter.veil_of(frame)))

    def use_precision(self, precision: Precision) -> None:
        """Use another precision, where the style has it."""
        self.presenter.use_precision(precision)
        for note in self.presenter.kept:
            self._emit(events.Notification.of_text(note))
        self._repaint()

    def _tell_sizes(self) -> None:
        presenter = self.presenter
        if presenter.plan.sizes is None or presenter.plan.whole is None:
            return
        in_use = events.SizesInUse(presenter.plan.sizes, presenter.plan.whole, presenter.plan.precision)
        if in_use != self._sizes:
            self._sizes = in_use
            self._emit(in_use)

    def _use_divisor(self, divisor: float) -> None:
        is_plain = self.style_name == PASSTHROUGH and not self.is_trying
        if self.presenter.reduce(1.0 if is_plain else divisor):
            self._quality.begun()
            self._repaint()

    def look_at(self, viewport: Viewport) -> None:
        self.presenter.window.look_at(viewport)
        self._present_again()

    def resize(self, width_px: int, height_px: int) -> None:
        self.presenter.window.resize(width_px, height_px)
        self._present_again()

    def _be_busy(self, what: events.Work) -> None:
        self.busy = what
        self._emit(events.Busy(what))

    def be_idle(self) -> None:
        """Emit a long operation's end."""
        if self.busy:
            self.busy = ""
            self._emit(events.Busy(""))
