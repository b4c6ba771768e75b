"""Continuous clock for joined recordings, wrapped counters and gaps.

Corrections follow the picture's packets, as in FFmpeg's ts_discontinuity_detect.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from av.container import InputContainer
from av.format import Flags
from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.media.video import USUAL_RATE

FORWARD_S = Fraction(10)  # FFmpeg's dts_delta_threshold, for formats whose clock may be reset
BACKWARD_S = Fraction(1, 10)  # FFmpeg's AV_TIME_BASE / 10, for the same formats
LONGEST_GAP_S = Fraction(30 * 3600)  # FFmpeg's dts_error_threshold, for all others
LONGEST_GAP_TICKS = 1 << 30  # MP4 stores frame durations in 31 bits
MOST_HELD = 16
"""Maximum frames that a decoder holds back (max_dec_frame_buffering, ITU-T H.264, A.3.1)."""
SYNC_S = Fraction(2)
"""Maximum distance in seconds from the picture's time at which another stream's time is trusted."""


def may_jump(container: InputContainer) -> bool:
    """Return whether a format's clock may restart."""
    return bool(container.format.flags & cast(int, Flags.ts_discont.value))


@dataclass(slots=True)
class _Clock:
    """Clock of a stream, in seconds. last, expected: corrected decode times."""

    offset: Fraction = Fraction(0)
    last: Fraction | None = None
    expected: Fraction = Fraction(0)


class Timeline:
    """Map from packet times to a continuous clock."""

    def __init__(self, picture: int, frame_s: Fraction, *, jumps_allowed: bool) -> None:
        """Prepare. picture: stream index. frame_s: default duration."""
        self._picture, self._frame_s, self._jumps_allowed = picture, frame_s, jumps_allowed
        self._clocks: dict[int, _Clock] = {picture: _Clock()}
        self._former = Fraction(0)  # the picture's correction before its last jump
        self.jumps = 0
        """Number of the picture clock's jumps so far."""

    @classmethod
    def of(cls, container: InputContainer, picture: VideoStream) -> Timeline:
        """Return an open file's timeline."""
        rate = picture.guessed_rate or picture.average_rate or USUAL_RATE
        return cls(picture.index, 1 / rate, jumps_allowed=may_jump(container))

    def restart(self) -> None:
        """Reset after a seek."""
        self._clocks = {self._picture: _Clock()}

    def place(self, packet: Packet[Any]) -> None:
        """Correct a packet's times in place."""
        index = packet.stream_index
        clock = self._clocks.setdefault(index, _Clock())
        stamp = packet.dts if packet.dts is not None else packet.pts
        if stamp is None:
            return
        base = packet.time_base
        raw = stamp * base
        if index == self._picture:
            offset = clock.offset
            if clock.last is not None and self._is_jump(raw + offset, clock, base):
                self._former, offset = offset, clock.expected - raw
                self.jumps += 1
        elif not self._jumps_allowed:
            jumped = clock.last is not None and self._is_jump(raw + clock.offset, clock, base)
            offset = clock.expected - raw if jumped else clock.offset
        else:
            offset = self._beside_picture(raw, clock, is_sound=packet.stream.type == "audio")
        step_s = Fraction(0) if clock.last is None else raw + offset - clock.last
        clock.offset, clock.last = offset, raw + offset
        lasts = packet.duration * base if packet.duration else self._frame_s if index == self._picture else 0
        clock.expected = clock.last + lasts
        held_s = max(self._longest_gap_s(base), MOST_HELD * max(self._frame_s, step_s))
        if packet.pts is not None and abs(packet.pts * base - raw) > held_s:
            packet.pts = round((clock.expected - offset) / base)  # no decoder holds a frame that long
        if offset:
            shift = round(offset / base)
            packet.pts = None if packet.pts is None else packet.pts + shift
            packet.dts = None if packet.dts is None else packet.dts + shift

    def _is_jump(self, time: Fraction, clock: _Clock, base: Fraction) -> bool:
        assert clock.last is not None
        backwards = self._jumps_allowed and time + BACKWARD_S < clock.last
        return backwards or abs(time - clock.expected) > self._longest_gap_s(base)

    def _longest_gap_s(self, base: Fraction) -> Fraction:
        return FORWARD_S if self._jumps_allowed else min(LONGEST_GAP_S, LONGEST_GAP_TICKS * base)

    def _beside_picture(self, raw: Fraction, clock: _Clock, *, is_sound: bool) -> Fraction:
        picture = self._clocks[self._picture]
        if picture.last is None:
            return clock.offset
        shown = picture.last
        common = min((picture.offset, self._former), key=lambda offset: abs(raw + offset - shown))
        if not is_sound or clock.last is None or abs(raw + common - shown) <= SYNC_S:
            return common
        for offset in (common, clock.offset):
            if -BACKWARD_S <= raw + offset - clock.expected <= SYNC_S:
                return offset
        return clock.expected - raw
