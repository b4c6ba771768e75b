"""The player: one thread that owns video, device and sound.

Neither the player nor the window waits for the other: commands go into a queue, events come out through a callback.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import ParamSpec

import numpy as np
import numpy.typing as npt

from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.stages.look import Look
from framebrush.gpu.surface import Viewport
from framebrush.jobs.look_keys import Track
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
from framebrush.playback.reading.process import ReadingProcess
from framebrush.styles.names import PLAIN
from framebrush.styles.specs import OWN_COLOURS, SOURCE_SIZE, ColourSpec, SizeSpec

DEVICE_LOST = QT_TRANSLATE_NOOP("Player", "The GPU was lost. Playback continues on the CPU.")
STYLE_FAILED = QT_TRANSLATE_NOOP("Player", "The style failed, so the video is shown without one: {reason}")
NOT_SHOWN = QT_TRANSLATE_NOOP("Player", "The picture cannot be shown: {reason}")
Amount = ParamSpec("Amount")
OWN_FAULT = QT_TRANSLATE_NOOP("Player", "Internal error in Framebrush.")


class Player:
    """Commands may be given from any thread and return at once."""

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
        """emit: called with each event, in the player's thread or one that it started. save_frame: saves RGBA8 as a
        picture file under a name or a similar one, and returns the name used; may raise OSError. sizes: of what is
        opened. renders: the cache for frames painted ahead in export quality; without it, none are. store: keeps them
        on disk. reading: decodes files; without it, this process does."""
        self._emit = emit
        self._commands = CommandQueue()
        self.engine = Engine(
            emit,
            make_surface,
            save_frame,
            sizes=sizes,
            wake=self._commands.wake,
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
        self._thread = threading.Thread(target=self._run, name="player", daemon=True)

    # Commands

    def start(self, device: str, style: str, look: Look, colours: ColourSpec = OWN_COLOURS) -> None:
        """Start the thread, and open device and style: after a film that was opened before, which is seen meanwhile."""
        self._commands.post(lambda: self.engine.use_look(look))
        self._commands.post(lambda: self.engine.use_device(device))
        self.use_style(style, colours)
        self._thread.start()

    def open(self, source: str | Path, *, play: bool = True) -> None:
        """Open a file, or anything else that `open_frame_source` takes, and show its first frame: unpainted, until it
        is painted. Only then it plays. Of several pending calls, only the last is carried out."""

        def open_() -> None:
            try:
                self.engine.open(str(source))
            finally:  # it may be open although its first frame could not be painted
                if play:
                    self.engine.play_opened(str(source))

        self._commands.post(open_, instead_of="open")

    def close_video(self) -> None:
        """Close the video."""
        self._commands.post(self.engine.close_video)

    def play(self, on: bool) -> None:
        """Play or pause."""
        self._commands.post(lambda: self.engine.play(on))

    def seek(self, position: Position, *, on_screen: bool = False) -> None:
        """Seek to an exact position. Of several pending calls, only the last is carried out. on_screen: at a time
        between two frames, to the earlier one, which is on the screen then."""
        self._commands.post(self._moving(lambda: self.engine.seek(position, on_screen=on_screen)), instead_of="seek")

    def skip(self, seconds: Fraction) -> None:
        """Seek forwards or backwards by seconds. Pending calls add up."""
        self._commands.post_sum("skip", seconds, self._moving(self.engine.skip))

    def step(self, frames: int) -> None:
        """Step forwards, or backwards if negative, and pause there. Pending calls add up."""
        self._commands.post_sum("step", frames, self._moving(self.engine.step))

    def set_speed(self, speed: float) -> None:
        """Set the playback speed as a factor."""
        self._commands.post(lambda: self.engine.set_speed(speed), instead_of="speed")

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0..1."""
        self._commands.post(lambda: self.engine.time.set_volume(volume), instead_of="volume")

    def set_loop(self, on: bool) -> None:
        """Loop from the out mark, or the end, to the in mark, or the beginning."""
        self._commands.post(lambda: self.engine.set_loop(on))

    def set_preview(self, mode: PreviewMode) -> None:
        """Choose the preview quality."""
        self._commands.post(lambda: self.engine.set_preview(mode))

    def use_precision(self, precision: Precision) -> None:
        """Set the precision of networks on GPUs."""
        self._commands.post(lambda: self.engine.use_precision(precision), instead_of="precision")

    def use_sizes(self, sizes: SizeSpec) -> None:
        """Paint with other sizes."""
        self._commands.post(self._changing(lambda: self.engine.use_sizes(sizes)), instead_of="sizes")

    def use_track(self, track: int) -> None:
        """Select another audio track."""
        self._commands.post(lambda: self.engine.use_track(track))

    def delay_sound(self, seconds: float) -> None:
        """Delay the audio of the open video relative to its picture; negative values advance it."""
        self._commands.post(lambda: self.engine.delay_sound(seconds), instead_of="delay")

    def mark(self, *, first: bool) -> None:
        """Set the in mark (first) or the out mark to the frame on the screen."""
        self._commands.post(self._moving(lambda: self.engine.mark(first=first)))

    def use_marks(self, marked: events.Marked) -> None:
        """Have these marks of the video that is open, or will be."""
        self._commands.post(self._moving(lambda: self.engine.use_marks(marked)))

    def clear_marks(self) -> None:
        """Clear both marks."""
        self._commands.post(self._moving(self.engine.clear_marks))

    def use_style(self, name: str, colours: ColourSpec = OWN_COLOURS) -> None:
        """Paint in another style, in these colours; PLAIN for none."""
        self.last_style += 1
        number = self.last_style

        def use() -> None:
            try:
                self.engine.use_style(name, colours)
            finally:
                self._emit(events.StyleAnswered(number))

        self._commands.post(use, instead_of="style")

    def try_style(self, name: str | None) -> None:
        """Show another style without choosing it; None: the current one again."""
        self._commands.post(lambda: self.engine.try_style(name), instead_of="trial")

    def save_colours(self, path: Path) -> None:
        """Write the current colour table as a `.cube` file, overwriting an existing one."""
        self._commands.post(lambda: self.engine.save_colours(path))

    def use_look(self, look: Look) -> None:
        """Show frames with this look; a paused one is repainted."""
        self._commands.post(self._changing(lambda: self.engine.use_look(look)), instead_of="look")

    def use_keys(self, tracks: tuple[Track, ...]) -> None:
        """Values of the look, and paintings, that change with the film; a paused frame is repainted."""
        self._commands.post(self._changing(lambda: self.engine.use_keys(tracks)), instead_of="keys")

    def use_device(self, name: str) -> None:
        """Paint on another device."""
        self._commands.post(lambda: self.engine.use_device(name), instead_of="device")

    def attach(self) -> None:
        """To be called when the window that a GPU presents to is on the screen."""
        self._commands.post(self.engine.attach)

    def renew_surface(self) -> None:
        """Create a new surface, because its bit depth has changed."""
        self._commands.post(self.engine.renew_surface, instead_of="surface")

    def list_devices(self) -> None:
        """Emit the list of devices."""
        self._commands.post(self.engine.list_devices)

    def look_at(self, viewport: Viewport) -> None:
        """Show another part of the picture."""
        self._commands.post(lambda: self.engine.look_at(viewport), instead_of="viewport")

    def resize(self, width_px: int, height_px: int) -> None:
        """Set the view's size in physical pixels."""
        self._commands.post(lambda: self.engine.resize(width_px, height_px), instead_of="resize")

    def screenshot(self, name: Callable[[VideoInfo, int], Path]) -> None:
        """Save the frame on the screen, with its look. name: returns the path for a frame of a film by its number, or
        for a similar one that is free; called in the player's thread."""
        self._commands.post(lambda: self.engine.screenshot(name))

    def paint_ahead(self, on: bool) -> None:
        """Switch painting ahead on or off. Cached frames are shown in any case."""
        self._commands.post(lambda: self.engine.paint_ahead(on))

    def clear_renders(self) -> None:
        """Delete all frames that were painted ahead."""
        self._commands.post(self.engine.clear_renders)

    def limit_renders(self, limit_bytes: int) -> None:
        """Change the limit for frames on the disk."""
        self._commands.post(lambda: self.engine.limit_renders(limit_bytes))

    def lend(self, take: Callable[[VideoFrame, VideoInfo], None]) -> None:
        """Call `take`, in the player's thread, with the decoded frame that is on the screen, which stays valid."""
        self._commands.post(lambda: self.engine.lend(take), instead_of="lend")

    def lend_picture(self, take: Callable[[npt.NDArray[np.uint8], VideoInfo], None]) -> None:
        """Call `take`, in the player's thread, with the picture on the screen: (H, W, 4) RGBA, valid until it
        returns."""
        self._commands.post(lambda: self.engine.lend_picture(take), instead_of="lend picture")

    def record(self, target: Path | None) -> None:
        """Record the painted live source to a new file; None ends the recording and completes the file."""
        self._commands.post(lambda: self.engine.record(target))

    def feed_camera(self, on: bool) -> None:
        """Send the painted live source to a virtual camera, or no longer."""
        self._commands.post(lambda: self.engine.feed_camera(on))

    def quit(self) -> None:
        """Close everything and end the thread; `Ended` is the last event."""
        self._commands.post(self._quit)

    def join(self, timeout_s: float) -> bool:
        """Wait for the thread to end; whether it did in time."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _moving(self, call: Callable[Amount, None]) -> Callable[Amount, None]:
        """Count a call, which is answered when it is done."""
        self.last_move += 1
        number = self.last_move

        def move(*amount: Amount.args, **_: Amount.kwargs) -> None:
            try:
                call(*amount, **_)
            finally:
                self._emit(events.Moved(number))

        return move

    def _changing(self, call: Callable[[], None]) -> Callable[[], None]:
        """Count a call that changes how frames are painted, which is answered when it is done."""
        self.last_look += 1
        number = self.last_look

        def change() -> None:
            try:
                call()
            finally:
                self._emit(events.LookAnswered(number, self.engine.playing))

        return change

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
        """Run a call. If the device fails, continue on the CPU; if the network fails, without a style."""
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
        self._emit(events.Notification.of(NOT_SHOWN, error, reason=str(error)))
