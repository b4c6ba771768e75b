"""Player: one thread that owns video, device and sound.

Commands are queued, events call back.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from functools import partial, wraps
from pathlib import Path
from typing import Concatenate, ParamSpec

from framebrush.base.remedy import cause_of
from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.look import Look
from framebrush.media.video import InputError
from framebrush.playback import events
from framebrush.playback.ahead.render_cache import RenderCache
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.command_queue import CommandQueue
from framebrush.playback.display.fitted_surface import MakeSurface
from framebrush.playback.display.screen import Emit
from framebrush.playback.engine import PlaybackEngine
from framebrush.playback.film_screen import SaveFrame
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles.specs import OWN_COLOURS, SOURCE_SIZE, ColourSpec, SizeSpec
from framebrush.styles.style_names import PASSTHROUGH

DEVICE_LOST = QT_TRANSLATE_NOOP("Player", "The GPU was lost. Playback continues on the CPU.")
STYLE_FAILED = QT_TRANSLATE_NOOP("Player", "The style failed, so the video is shown without one: {reason}")
NOT_SHOWN = QT_TRANSLATE_NOOP("Player", "The picture cannot be shown: {reason}")
OWN_FAULT = QT_TRANSLATE_NOOP("Player", "Internal error in Framebrush.")

Given = ParamSpec("Given")

Answer = tuple[str, Callable[[int, PlaybackEngine], events.Event]]
"""The attribute of `Player` that counts commands of a kind, and the event that tells which one is done."""

MOVED: Answer = "last_move", lambda number, _: events.Moved(number)
STYLED: Answer = "last_style", lambda number, _: events.StyleAnswered(number)
CHANGED: Answer = "last_look", lambda number, engine: events.LookAnswered(number, engine.playing)


def command(
    do: Callable[Concatenate[PlaybackEngine, Given], None],
    *,
    instead_of: str | None = None,
    answer: Answer | None = None,
    lasting: bool = False,
) -> Callable[Concatenate[Player, Given], None]:
    """Make a `Player` method that runs an engine's method in the thread.

    instead_of: kind; only its last pending call runs. answer: how calls are counted. lasting: run even while quitting.
    """

    @wraps(do)
    def post(player: Player, /, *given: Given.args, **named: Given.kwargs) -> None:
        player.post(partial(do, player.engine, *given, **named), instead_of=instead_of, answer=answer, lasting=lasting)

    return post


class Player:
    """Player with its own thread. Commands return at once."""

    def __init__(
        self,
        emit: Emit,
        make_surface: MakeSurface,
        save_frame: SaveFrame,
        *,
        sizes: SizeSpec = SOURCE_SIZE,
        renders: RenderCache | None = None,
        store: RenderStore | None = None,
        reading: ReadingProcess | None = None,
    ) -> None:
        """Create a player.

        emit: receives events, in other threads. save_frame: saves RGBA8, returns the file name; may raise OSError.
        reading: decodes files.
        """
        self._emit = emit
        self.commands = CommandQueue()
        self.engine = PlaybackEngine(
            emit,
            make_surface,
            save_frame,
            sizes=sizes,
            wake=self.commands.wake,
            renders=renders,
            store=store,
            reading=reading,
        )
        self.reading = reading
        self._quitting = False
        self.last_move = 0
        """Counts the commands that change the frame on the screen, or mark it; each is answered by `Moved`, except
        those that a later one replaces."""
        self.last_style = 0
        """Counts the requests for a style; the last one is answered by `StyleAnswered`."""
        self.last_look = 0
        """Counts the requests for another look, keys or sizes; the last one is answered by `LookAnswered`."""
        self.thread = threading.Thread(target=self._run, name="player", daemon=True)

    # Commands

    def start(self, device: str, style: str, look: Look, colours: ColourSpec = OWN_COLOURS) -> None:
        """Start the thread, and open device and style."""
        self.post(lambda: self.engine.use_look(look))
        self.post(lambda: self.engine.use_device(device))
        self.use_style(style, colours)
        self.thread.start()

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a source and show its first frame, unless overtaken."""

        def open_() -> None:
            try:
                self.engine.open(str(source))
            finally:  # the film may be open although its first frame could not be painted
                if play:
                    self.engine.play_opened(str(source))

        self.post(open_, instead_of="open")

    def skip(self, seconds: Fraction) -> None:
        """Seek by seconds. Pending calls add up."""
        self.commands.post_sum("skip", seconds, self._answered(self.engine.skip, MOVED))

    def step(self, frames: int) -> None:
        """Step and pause. Pending calls add up."""
        self.commands.post_sum("step", frames, self._answered(self.engine.step, MOVED))

    def use_style(self, name: str, colours: ColourSpec = OWN_COLOURS) -> None:
        """Paint in another style, PLAIN for none."""
        self.post(lambda: self.engine.use_style(name, colours), instead_of="style", answer=STYLED)

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0..1."""
        self.post(lambda: self.engine.time.set_volume(volume), instead_of="volume")

    close_video = command(PlaybackEngine.close_video)
    play = command(PlaybackEngine.play, answer=MOVED)
    seek = command(PlaybackEngine.seek, instead_of="seek", answer=MOVED)
    set_speed = command(PlaybackEngine.set_speed, instead_of="speed")
    set_loop = command(PlaybackEngine.set_loop)
    set_preview = command(PlaybackEngine.set_preview)
    use_precision = command(PlaybackEngine.use_precision, instead_of="precision")
    use_sizes = command(PlaybackEngine.use_sizes, instead_of="sizes", answer=CHANGED)
    use_track = command(PlaybackEngine.use_track)
    delay_sound = command(PlaybackEngine.delay_sound, instead_of="delay")
    mark = command(PlaybackEngine.mark, answer=MOVED)
    use_marks = command(PlaybackEngine.use_marks, answer=MOVED)
    clear_marks = command(PlaybackEngine.clear_marks, answer=MOVED)
    try_style = command(PlaybackEngine.try_style, instead_of="trial")
    save_colours = command(PlaybackEngine.save_colours, lasting=True)
    use_look = command(PlaybackEngine.use_look, instead_of="look", answer=CHANGED)
    use_keys = command(PlaybackEngine.use_keys, instead_of="keys", answer=CHANGED)
    use_veil = command(PlaybackEngine.use_veil, instead_of="veil")
    use_device = command(PlaybackEngine.use_device, instead_of="device")
    attach = command(PlaybackEngine.attach)
    renew_surface = command(PlaybackEngine.renew_surface, instead_of="surface")
    list_devices = command(PlaybackEngine.list_devices)
    look_at = command(PlaybackEngine.look_at, instead_of="viewport")
    resize = command(PlaybackEngine.resize, instead_of="resize")
    screenshot = command(PlaybackEngine.screenshot, lasting=True)
    lend_whole = command(PlaybackEngine.lend_whole, lasting=True)
    paint_ahead = command(PlaybackEngine.paint_ahead)
    clear_renders = command(PlaybackEngine.clear_renders, lasting=True)
    limit_renders = command(PlaybackEngine.limit_renders, lasting=True)
    lend = command(PlaybackEngine.lend, instead_of="lend")
    lend_for_strips = command(PlaybackEngine.lend, instead_of="lend for strips")  # and not in place of tiles
    lend_picture = command(PlaybackEngine.lend_picture, instead_of="lend picture")
    record = command(PlaybackEngine.record, lasting=True)
    feed_camera = command(PlaybackEngine.feed_camera)

    def post(
        self,
        call: Callable[[], None],
        *,
        instead_of: str | None = None,
        answer: Answer | None = None,
        lasting: bool = False,
    ) -> None:
        """Make a call in the thread."""
        answered = call if answer is None else self._answered(call, answer)
        self.commands.post(answered, instead_of=instead_of, lasting=lasting)

    def quit(self) -> None:
        """End the thread; `Ended` is the last event."""
        if self.engine.busy == "opening" and self.reading is not None:
            self.reading.end()  # a large film takes seconds
        self.commands.post_last(self._quit)

    def join(self, timeout_s: float) -> bool:
        """Wait for the thread; return whether it ended."""
        self.thread.join(timeout_s)
        return not self.thread.is_alive()

    def _answered(self, call: Callable[Given, None], answer: Answer) -> Callable[Given, None]:
        counter, event = answer
        number = getattr(self, counter) + 1
        setattr(self, counter, number)

        def make(*given: Given.args, **named: Given.kwargs) -> None:
            try:
                call(*given, **named)
            finally:
                self._emit(event(number, self.engine))

        return make

    # The thread

    def _run(self) -> None:
        try:
            while not self._quitting:
                call = self.commands.next_call(self.engine.idle_s())
                self._guarded(call or self.engine.advance)
        finally:
            self.engine.close()
            self._emit(events.Ended())

    def _quit(self) -> None:
        self._quitting = True

    def _guarded(self, call: Callable[[], None]) -> None:
        """Run a call; continue on the CPU after a lost device."""
        engine = self.engine
        try:
            call()
        except InputError as error:
            engine.stop()
            self._emit(events.Notification.of_error(error))
        except DeviceLostError as error:
            self._emit(events.Notification.of(DEVICE_LOST, error))
            self._fall_back(lambda: engine.use_device("cpu"))
        except DeviceError as error:
            if engine.is_trying:
                self._fall_back(lambda: engine.try_style(None))
            elif engine.style_name == PASSTHROUGH:
                self._give_up(error)
            else:
                self._emit(events.Notification.of(STYLE_FAILED, error, reason=cause_of(error)))
                self._fall_back(lambda: engine.use_style(PASSTHROUGH))
        except Exception as error:  # the thread must survive, to receive the command to quit
            engine.stop()
            self._emit(events.Notification.of(OWN_FAULT, error))
        finally:
            engine.be_idle()

    def _fall_back(self, call: Callable[[], None]) -> None:
        try:
            call()
        except Exception as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        self.engine.stop()
        self._emit(events.Notification.of(NOT_SHOWN, error, reason=cause_of(error)))
