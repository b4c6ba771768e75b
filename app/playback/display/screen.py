"""What frames are painted with and shown on: the device, the style, the look and the view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from framebrush.gpu.device import list_devices
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.stages.look import Look
from framebrush.gpu.surface import Viewport
from framebrush.jobs.keys import Track
from framebrush.jobs.spec import OWN_COLOURS, ColourSpec, SizeSpec
from framebrush.media.cube import CubeError, write_cube
from framebrush.media.video import VideoFrame
from framebrush.models.style import Precision, Style, StyleError
from framebrush.playback import events
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.display.preview_quality import PreviewMode, PreviewQuality
from framebrush.playback.display.seen_colours import SeenColours
from framebrush.playback.events import QT_TRANSLATE_NOOP
from framebrush.styles.names import PLAIN, OpenedStyle, coloured_by, default_style, open_style

Emit = Callable[[events.Event], None]

SEEN = QT_TRANSLATE_NOOP(
    "Player", "its colours are fitted to the frames of a shot that were shown; an export looks at each whole shot"
)

STYLE_REFUSED = QT_TRANSLATE_NOOP("Player", "This style cannot be used: {reason}")
COLOURS_REFUSED = QT_TRANSLATE_NOOP("Player", "These colours cannot be used: {reason}")
NO_TABLE = QT_TRANSLATE_NOOP("Player", "There are no colours to save: choose a picture as the style, or other colours.")
DEVICE_REFUSED = QT_TRANSLATE_NOOP("Player", "This device cannot be used, so the CPU paints: {reason}")


class Screen(ABC):
    """The commands that need no video. For one thread."""

    def __init__(self, emit: Emit, presenter: Presenter, wake: Callable[[], None]) -> None:
        """wake: called in another thread when `recolour` has something to do."""
        self._emit, self.presenter = emit, presenter
        self._colours = SeenColours(wake)
        self._look = Look()
        self._tracks: tuple[Track, ...] = ()
        self.style_name = PLAIN
        self._in_use: events.StyleInUse | None = None
        self._opened: OpenedStyle | None = None
        self._aside: Style | None = None  # that in use, while another one is tried
        self._colour_spec = OWN_COLOURS
        self._sizes: events.SizesInUse | None = None
        self._quality = PreviewQuality()
        self._busy = False

    @abstractmethod
    def _repaint(self) -> None:
        """After a change of style or device: what is coming is painted anew, or what is on the screen."""

    @abstractmethod
    def _on_show(self) -> VideoFrame | None:
        """The frame on the screen."""

    @abstractmethod
    def _present_again(self, *, paint: bool = False) -> None:
        """Present what stands still on the screen once more; paint: after painting it anew."""

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Paint in another style: PLAIN for none, "" for the default. One that cannot be used leaves the one before.

        colours: with it; those in use where none are given. Colours that cannot be used leave those before, too."""
        self._be_busy("style")
        name = name or default_style()
        aside, self._aside = self._aside, None  # a trial is over, whatever becomes of this
        try:
            opened, used = self._open_style(name, self._colour_spec if colours is None else colours)
            self.presenter.use_style(self._colours.begin(opened, self._on_show()))
        except DeviceLostError:
            raise
        except (DeviceError, StyleError) as error:  # the device refuses it, or the file is no style
            if name == PLAIN:
                raise
            self._emit(events.Notification.of(STYLE_REFUSED, error, reason=str(error)))
            if aside is not None:
                self.presenter.use_style(aside)
                self.presenter.use_look(self._look)
            if self._opened is not None:
                self._colours.begin(self._opened, None)
            if self._in_use is not None:
                self._emit(self._in_use)  # the window may show the other as chosen already
                self._repaint()
            else:  # at the start: the one remembered is gone
                self.use_style(PLAIN, colours)
            return
        self.style_name, self._opened, self._colour_spec = name, opened, used
        self._look = replace(self._look, mix=opened.style.mix)
        self.presenter.use_look(self._look)
        card = opened.style.card
        guessed = (SEEN,) if opened.palette else ()
        notes = (*card.notes, *guessed, *self.presenter.notes)
        fitted = opened.palette is not None or used.palette_from is not None
        self._in_use = events.StyleInUse(name, card, opened.style.mix, notes, used, fitted)
        self._emit(self._in_use)
        self._repaint()

    @property
    def is_trying(self) -> bool:
        """Whether a style is shown that is not the one in use."""
        return self._aside is not None

    def try_style(self, name: str | None) -> None:
        """Show another style, in the colours in use, until another call: nothing is chosen by that. None, or one that
        cannot be used: the style in use again."""
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
            self._aside = self._aside or self.presenter.style
            self.presenter.use_style(style)
        except DeviceLostError:
            raise
        except (DeviceError, StyleError):
            self._end_trial()
            return
        self.presenter.use_look(self._seen_look)
        self._repaint()

    def _end_trial(self) -> None:
        aside, self._aside = self._aside, None
        if aside is not None:
            self.presenter.use_style(aside)
            self.presenter.use_look(self._look)
            self._repaint()

    @property
    def _seen_look(self) -> Look:
        """The look, with the weights of the style that is shown."""
        style = self.presenter.style
        return self._look if self._aside is None or style is None else replace(self._look, mix=style.mix)

    def _open_style(self, name: str, asked: ColourSpec) -> tuple[OpenedStyle, ColourSpec]:
        """The style, and the colours that it has: those asked for, without what it has no use for; where they cannot be
        had those in use, or its own. Raises StyleError."""
        try:
            if asked.palette_from is not None:
                by_shot = replace(asked, palette_from=None)
                if open_style(name, colours=by_shot).palette is None:
                    asked = by_shot  # there is no palette that anything is fitted to
            return open_style(name, colours=asked), asked
        except StyleError as error:
            if asked == OWN_COLOURS:
                raise
            open_style(name)  # raises where it is the style that cannot be used
            self._emit(events.Notification.of(COLOURS_REFUSED, error, reason=str(error)))
            return self._open_style(name, OWN_COLOURS if asked == self._colour_spec else self._colour_spec)

    def use_colours(self, colours: ColourSpec) -> None:
        """Paint in other colours."""
        self.use_style(self.style_name, colours)

    def save_colours(self, path: Path) -> None:
        """Write the table of colours in use as a `.cube` file, whatever is there."""
        from framebrush.jobs.still import table_of  # here, not above: playback needs no stills for anything else

        style = self._aside or self.presenter.style
        if style is None or not (style.before or style.after):
            self._emit(events.Notification.of_text(NO_TABLE))
            return
        try:
            write_cube(table_of(style, self.presenter.look), path, overwrite=True)
        except CubeError as error:
            self._emit(events.Notification.of(str(error), error))
        else:
            self._emit(events.Saved(str(path)))

    def _use_film(self) -> None:
        """Give the style of a picture the table for another film."""
        if self._opened is not None and self._opened.palette is not None:
            self.presenter.use_style(self._colours.begin(self._opened, self._on_show()))

    def recolour(self) -> bool:
        """Show the film in the colours that were fitted to it meanwhile; whether there are new ones."""
        style = self._colours.take()
        if style is None:
            return False
        if self._aside is not None:
            self._aside = style
        elif self.presenter.recolour(style):
            self._present_again()
        else:
            self._repaint()
        return True

    def use_look(self, look: Look) -> None:
        """Show frames with this look; a paused one is repainted."""
        repaints = look.mix != self._look.mix or look.tone_map != self._look.tone_map
        self._look = look
        self.presenter.use_look(self._seen_look)
        self._present_again(paint=repaints)

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Values of the look that change with the film; a paused frame is repainted."""
        if tracks != self._tracks:
            self._tracks = tracks
            self.presenter.use_keys(tracks)
            self._present_again()

    def use_device(self, name: str) -> None:
        """Paint on another device, or on the CPU if it cannot be opened."""
        self._be_busy("device")
        try:
            self.presenter.use_device(name)
        except DeviceError as error:
            if name == "cpu":
                raise
            self._emit(events.Notification.of(DEVICE_REFUSED, error, reason=str(error)))
            self.presenter.use_device("cpu")
        self._emit(events.DeviceInUse(self.presenter.device.info, self.presenter.device.note))
        self._repaint()

    def list_devices(self) -> None:
        """Emit which devices there are. In this thread, so that no driver is asked twice at the same time."""
        self._emit(events.DevicesFound(tuple(list_devices())))

    def renew_surface(self) -> None:
        """Make the surface anew, because its bits a colour have changed."""
        self.presenter.renew_surface()
        self._repaint()

    def set_preview(self, mode: PreviewMode) -> None:
        """Choose how large frames are painted while playing, from the next figures on."""
        self._quality.mode = mode

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Paint with other sizes."""
        self.presenter.use_sizes(sizes)
        self._quality.begun()
        self._repaint()

    def use_precision(self, precision: Precision) -> None:
        """What the network computes in on a graphics card; a style that does not work in 16 bits stays with 32."""
        self.presenter.use_precision(precision)
        self._repaint()

    def _tell_sizes(self) -> None:
        """Emit the sizes in use where they are others than before."""
        presenter = self.presenter
        if presenter.sizes is None or presenter.whole is None:
            return
        in_use = events.SizesInUse(presenter.sizes, presenter.whole, presenter.precision)
        if in_use != self._sizes:
            self._sizes = in_use
            self._emit(in_use)

    def _use_divisor(self, divisor: float) -> None:
        """Divide the working size, for a preview. Without a style there is nothing to paint, and the source is shown as
        it is."""
        is_plain = self.style_name == PLAIN and not self.is_trying
        if self.presenter.reduce(1.0 if is_plain else divisor):
            self._quality.begun()
            self._repaint()

    def look_at(self, viewport: Viewport) -> None:
        """Show another part of the picture."""
        self.presenter.look_at(viewport)
        self._present_again()

    def resize(self, width_px: int, height_px: int) -> None:
        """The view's size in physical pixels."""
        self.presenter.resize(width_px, height_px)
        self._present_again()

    def _be_busy(self, what: events.Work) -> None:
        self._busy = True
        self._emit(events.Busy(what))

    def be_idle(self) -> None:
        """Emit that a long operation is over."""
        if self._busy:
            self._busy = False
            self._emit(events.Busy(""))
