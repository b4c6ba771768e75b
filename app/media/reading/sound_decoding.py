"""Sound decoding, with channels in FFmpeg's order.

Layouts are read only here: PyAV 18 may crash if one is exposed twice.
"""

from __future__ import annotations

import ctypes
from typing import Any

from av.audio.codeccontext import AudioCodecContext
from av.audio.frame import AudioFrame
from av.audio.layout import AudioLayout
from av.filter import Graph
from av.packet import Packet

from framebrush.media.filters import Filter, sound_filter, through

_ORDER = {channel.name: place for place, channel in enumerate(AudioLayout(hex((1 << 64) - 1)).channels)}
"""Position of each channel in FFmpeg's order."""

_AMBISONIC = ["AMBI0", "AMBI1"]
_TO_THE_SIDES = {"args": "stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0-0.5*c1"}
"""Stereo from ambisonics by two sideways cardioids: channel 0 is omnidirectional, channel 1 is left minus right."""


def layout_of(sound: AudioCodecContext) -> AudioLayout:
    """Return `SoundDecoder`'s output layout. sound: unopened."""
    names, layout = _channels(sound)
    if names[:2] == _AMBISONIC:
        return AudioLayout("stereo")
    return AudioLayout(_name(_in_order(names))) if names else layout


def is_in_order(sound: AudioCodecContext) -> bool:
    """Return whether channels are in FFmpeg's order. sound: unopened."""
    names, _ = _channels(sound)
    return names == _in_order(names)


class SoundDecoder:
    """Decoder of a sound stream; ambisonics become stereo."""

    def __init__(self, sound: AudioCodecContext) -> None:
        self._sound = sound
        self._graph: Graph | None = None
        self._filter: Filter | None = None
        names, _ = _channels(sound)
        plain = f"{len(names)} channels"
        ordered = _in_order(names)
        if names[:2] == _AMBISONIC:
            self._filter = ("pan", _TO_THE_SIDES)
        elif ordered != names:
            places = "|".join(str(names.index(name)) for name in ordered)
            self._filter = ("channelmap", {"map": places, "channel_layout": "+".join(ordered)})
        else:
            plain = _name(names)
        if names:
            sound.options = {**sound.options, "ch_layout": plain}  # without a list, so frames have none either

    def decode(self, packet: Packet[Any] | None) -> list[AudioFrame]:
        """Decode a packet; None drains. Raises FFmpegError."""
        frames = self._sound.decode(packet)
        if self._filter is None or not frames:
            return frames
        if self._graph is None:
            first = frames[0]
            self._graph = sound_filter(first.sample_rate, first.format, first.layout, first.time_base, self._filter)
        return [filtered for frame in frames for filtered in through(self._graph, frame)]


def _channels(sound: AudioCodecContext) -> tuple[list[str], AudioLayout]:
    layout = sound.layout
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(layout))  # never freed: that would free the stream's list
    return [channel.name for channel in layout.channels], layout


def _in_order(names: list[str]) -> list[str]:
    return sorted(names, key=_ORDER.__getitem__) if _are_known(names) else names


def _name(ordered: list[str]) -> str:
    return "+".join(ordered) if _are_known(ordered) else f"{len(ordered)} channels"


def _are_known(names: list[str]) -> bool:
    return len(_ORDER.keys() & names) == len(names)
