"""The player: one thread that owns video, device and sound.

Neither the player nor the window waits for the other: commands go into a queue, events come out through a callback.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt

from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.stages.look import Look
from framebrush.gpu.surface import Viewport
from framebrush.jobs.keys import Track
from framebrush.jobs.spec import OWN_COLOURS, SOURCE_SIZE, ColourSpec, SizeSpec
from framebrush.media.video import InputError, Position, VideoFrame, VideoInfo
from framebrush.models.style import Precision
from framebrush.playback import events
from framebrush.playback.ahead.cache import RenderCache
from framebrush.playback.ahead.store import RenderStore
from framebrush.playback.command_queue import CommandQueue
from framebrush.playback.display.presenter import MakeSurface
from framebrush.playback.display.preview_quality import PreviewMode
from framebrush.playback.display.screen import Emit
from framebrush.playback.engine import Engine, SaveFrame
from framebrush.playback.events import QT_TRANSLATE_NOOP
from framebrush.styles.names import PLAIN

DEVICE_LOST = QT_TRANSLATE_NOOP("Player", "The GPU was lost. Playback continues on the CPU.")
STYLE_FAILED = QT_TRANSLATE_NOOP("Player", "The style failed, so the video is shown without one: {reason}")
NOT_SHOWN = QT_TRANSLATE_NOOP("Player", "The picture cannot be shown: {reason}")
OWN_FAULT = QT_TRANSLATE_NOOP("Player", "Internal error in Framebrush.")


class Player:
    """Commands may come from any thread and return at once."""

    def __init__(
        self,
        emit: Emit,
        make_surface: MakeSurface,
        save_frame: SaveFrame,
        *,
        sizes: SizeSpec = SOURCE_SIZE,
        renders: RenderCache | None = None,
        store: RenderStore | None = None,
    ) -> None:
        """emit: called with each event, in the player's thread or one of its own. save_frame: writes RGBA8 as a picture
        file of a name or one like it, and returns that name; may raise OSError. sizes: of what is opened. renders:
        where frames are kept that are painted ahead as an export has them; none are without it. store: where they are
        kept for longer."""
        self._emit = emit
        self._commands = CommandQueue()
        self.engine = Engine(
            emit, make_surface, save_frame, sizes=sizes, wake=self._commands.wake, renders=renders, store=store
        )
        self._quitting = False
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)

    # Commands

    def start(self, device: str, style: str, look: Look, colours: ColourSpec = OWN_COLOURS) -> None:
        """Start the thread and open device and style."""
        self._commands.post(lambda: self.engine.use_look(look))
        self._commands.post(lambda: self.engine.use_device(device))
        self._commands.post(lambda: self.engine.use_style(style, colours))
        self._thread.start()

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a file, or what else `open_frame_source` takes, and show its first frame."""
        self._commands.post(lambda: self.engine.open(str(source)), instead_of="open")
        if play:
            self._commands.post(lambda: self.engine.play_opened(str(source)))

    def close_video(self) -> None:
        """Close the video."""
        self._commands.post(self.engine.close_video)

    def play(self, on: bool) -> None:
        """Play or pause."""
        self._commands.post(lambda: self.engine.play(on))

    def seek(self, position: Position) -> None:
        """Go to a position, exactly. Of several that wait only the last is done."""
        self._commands.post(lambda: self.engine.seek(position), instead_of="seek")

    def skip(self, seconds: Fraction) -> None:
        """Go forward or back by seconds. Those that wait add up."""
        self._commands.post_sum("skip", seconds, self.engine.skip)

    def step(self, frames: int) -> None:
        """Go so many frames forward, or back (below 0), and pause there. Those that wait add up."""
        self._commands.post_sum("step", frames, self.engine.step)

    def set_speed(self, speed: float) -> None:
        """Play so many times as fast."""
        self._commands.post(lambda: self.engine.set_speed(speed), instead_of="speed")

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0..1."""
        self._commands.post(lambda: self.engine.time.set_volume(volume), instead_of="volume")

    def set_loop(self, on: bool) -> None:
        """Begin again at the in mark, or the beginning, after the out mark, or the end."""
        self._commands.post(lambda: self.engine.set_loop(on))

    def set_preview(self, mode: PreviewMode) -> None:
        """Choose how large frames are painted while playing."""
        self._commands.post(lambda: self.engine.set_preview(mode))

    def use_precision(self, precision: Precision) -> None:
        """What networks compute in on a graphics card."""
        self._commands.post(lambda: self.engine.use_precision(precision), instead_of="precision")

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Paint with other sizes."""
        self._commands.post(lambda: self.engine.use_sizes(sizes), instead_of="sizes")

    def use_track(self, track: int) -> None:
        """Hear another track of the sound."""
        self._commands.post(lambda: self.engine.use_track(track))

    def delay_sound(self, seconds: float) -> None:
        """Hear the sound of the video that is open so much later than its picture; below 0 earlier."""
        self._commands.post(lambda: self.engine.delay_sound(seconds), instead_of="delay")

    def mark(self, *, first: bool) -> None:
        """Set the in mark (first) or the out mark to the frame on the screen."""
        self._commands.post(lambda: self.engine.mark(first=first))

    def clear_marks(self) -> None:
        """Forget both marks."""
        self._commands.post(self.engine.clear_marks)

    def use_style(self, name: str, colours: ColourSpec | None = None) -> None:
        """Paint in another style; PLAIN for none. colours: with it; those in use without."""
        self._commands.post(lambda: self.engine.use_style(name, colours), instead_of="style")

    def try_style(self, name: str | None) -> None:
        """Show another style for a while; None: the one in use again. Nothing is chosen by that."""
        self._commands.post(lambda: self.engine.try_style(name), instead_of="trial")

    def use_colours(self, colours: ColourSpec) -> None:
        """Give the painting other colours, or its own again."""
        self._commands.post(lambda: self.engine.use_colours(colours), instead_of="colours")

    def save_colours(self, path: Path) -> None:
        """Write the table of colours in use as a `.cube` file, whatever is there."""
        self._commands.post(lambda: self.engine.save_colours(path))

    def use_look(self, look: Look) -> None:
        """Show frames with this look; a paused one is repainted."""
        self._commands.post(lambda: self.engine.use_look(look), instead_of="look")

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Values of the look that change with the film; a paused frame is repainted."""
        self._commands.post(lambda: self.engine.use_keys(tracks), instead_of="keys")

    def use_device(self, name: str) -> None:
        """Paint on another device."""
        self._commands.post(lambda: self.engine.use_device(name), instead_of="device")

    def attach(self) -> None:
        """The window that a GPU presents into is on the screen now."""
        self._commands.post(self.engine.attach)

    def renew_surface(self) -> None:
        """Make the surface anew, because its bits a colour have changed."""
        self._commands.post(self.engine.renew_surface, instead_of="surface")

    def list_devices(self) -> None:
        """Emit which devices there are."""
        self._commands.post(self.engine.list_devices)

    def look_at(self, viewport: Viewport) -> None:
        """Show another part of the picture."""
        self._commands.post(lambda: self.engine.look_at(viewport), instead_of="viewport")

    def resize(self, width_px: int, height_px: int) -> None:
        """The view's size in physical pixels."""
        self._commands.post(lambda: self.engine.resize(width_px, height_px), instead_of="resize")

    def screenshot(self, path: Path) -> None:
        """Write the frame on the screen, with its look, as a picture of this name or one like it that is free."""
        self._commands.post(lambda: self.engine.screenshot(path))

    def paint_ahead(self, on: bool) -> None:
        """Whether frames are painted ahead as an export has them. Those that are kept are shown in any case."""
        self._commands.post(lambda: self.engine.paint_ahead(on))

    def clear_renders(self) -> None:
        """Forget all frames that were painted ahead."""
        self._commands.post(self.engine.clear_renders)

    def limit_renders(self, limit_bytes: int) -> None:
        """Another budget for frames on the disk."""
        self._commands.post(lambda: self.engine.limit_renders(limit_bytes))

    def lend(self, take: Callable[[VideoFrame, VideoInfo], None]) -> None:
        """Call this, in the player's thread, with the frame on the screen as it was decoded, which stays valid."""
        self._commands.post(lambda: self.engine.lend(take), instead_of="lend")

    def lend_picture(self, take: Callable[[npt.NDArray[np.uint8], VideoInfo], None]) -> None:
        """Call this, in the player's thread, with the picture on the screen: (H, W, 4) RGBA, valid until it returns."""
        self._commands.post(lambda: self.engine.lend_picture(take), instead_of="lend picture")

    def record(self, target: Path | None) -> None:
        """Record what is painted of a live source to a new file; None ends that and completes the file."""
        self._commands.post(lambda: self.engine.record(target))

    def quit(self) -> None:
        """Close everything and end the thread; `Ended` is the last event."""
        self._commands.post(self._quit)

    def join(self, timeout_s: float) -> bool:
        """Wait for the end of the thread; whether it ended in time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    # The thread

    def _run(self) -> None:
        try:
            while not self._quitting:
                call = self._commands.take(self.engine.idle_s())
                self._guarded(call or self.engine.advance)
        finally:
            self.engine.close()
            self._emit(events.Ended())

    def _quit(self) -> None:
        self._quitting = True

    def _guarded(self, call: Callable[[], None]) -> None:
        """Run a call. After a failure of the device go on with the CPU, after one of the network without a style."""
        engine = self.engine
        try:
            call()
        except InputError as error:
            engine.stop()
            self._emit(events.Notification.of(str(error), error))
        except DeviceLostError as error:
            self._emit(events.Notification.of(DEVICE_LOST, error))
            self._fall_back(lambda: engine.use_device("cpu"))
        except DeviceError as error:
            if engine.is_trying:
                self._fall_back(lambda: engine.try_style(None))
            elif engine.style_name == PLAIN:
                self._give_up(error)
            else:
                self._emit(events.Notification.of(STYLE_FAILED, error, reason=str(error)))
                self._fall_back(lambda: engine.use_style(PLAIN))
        except Exception as error:  # the thread must go on: it takes the command to quit
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
        self._emit(events.Notification.of(NOT_SHOWN, error, reason=str(error)))
