"""Media clock, with the sound that corrects it."""

from __future__ import annotations

from collections.abc import Callable

from framebrush.media.video import VideoInfo
from framebrush.playback.clock import Clock
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.playback.sound_playback import NoOutputError, Sound, open_sound


class Timekeeper:
    """Clock and sound in step."""

    def __init__(self, monotonic: Callable[[], float], reading: ReadingProcess | None = None) -> None:
        self._reading = reading
        self._clock = Clock(monotonic)
        self._sound: Sound | None = None
        self._volume = 1.0
        self.lacks_output = False
        """Whether the open video has audio, and there is nothing to play it on."""
        self.speed = 1.0
        """Media seconds per second."""
        self._back_s = 0.0

    def open(self, info: VideoInfo) -> bool:
        """Open a video's sound; return whether it plays."""
        self.lacks_output = False
        if info.path is not None:
            try:
                self._sound = open_sound(info.path, float(info.start_s), self._clock, reading=self._reading)
            except NoOutputError:
                self.lacks_output = True
        self.set_volume(self._volume)
        return self._sound is not None

    @property
    def tracks(self) -> tuple[str, ...]:
        """Names of the audio tracks."""
        return self._sound.tracks if self._sound is not None else ()

    def use_track(self, track: int, at_s: float | None) -> None:
        """Select a track. at_s: media time, None while paused."""
        if self._sound is not None and 0 <= track < len(self._sound.tracks):
            self._sound.stop()
            self._sound.track = track
            if at_s is not None:
                self._sound.start(at_s, self.speed)

    def delay(self, seconds: float, at_s: float | None) -> None:
        """Delay the sound. at_s: media time, None while paused."""
        if self._sound is not None:
            self._sound.delay_s = seconds
            if at_s is not None:
                self._sound.start(at_s, self.speed)

    def close(self) -> None:
        self.stop()
        self._sound = None

    def now(self) -> float:
        return self._clock.now()

    def left_s(self, due_s: float) -> float:
        """Return the seconds until a frame is due."""
        return (due_s + self._back_s - self.now()) / self.speed

    def turn(self, back_s: float) -> None:
        """Shift the clock back for another loop; sound continues until its first frame."""
        self._back_s += back_s

    def show(self, due_s: float) -> None:
        """Follow a shown frame's time."""
        if self._back_s:
            self.run(min(due_s, self.now() - self._back_s))

    def use_speed(self, speed: float, *, runs: bool) -> None:
        """Change the speed. runs: the clock."""
        self.speed = speed
        if runs:
            self._start(self.now())

    def run(self, at_s: float) -> None:
        """Run from a media time."""
        self._back_s = 0.0
        self._start(at_s)

    def _start(self, at_s: float) -> None:
        self._clock.start(at_s, self.speed)
        if self._sound is not None:
            self._sound.start(at_s, self.speed)

    def stop(self) -> None:
        """Pause."""
        self._back_s = 0.0
        self._clock.stop()
        if self._sound is not None:
            self._sound.stop()

    def set_volume(self, volume: float) -> None:
        """Set the volume, 0..1."""
        self._volume = volume
        if self._sound is not None:
            self._sound.volume = volume
