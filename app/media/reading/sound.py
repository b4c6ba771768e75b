"""The sound of a file decoded, its channels in FFmpeg's order, whatever their order in the file.

MOV and CAF list the channels of 6.1 and 7.1 in an order of their own. PyAV 18 frees such a list once for the stream and
once for each object that shows its layout, decoded frames among them, which ends the process. So layouts of streams are
read here only, and their sound is decoded here.
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
"""Where each channel comes in FFmpeg's order."""

_AMBISONIC = ["AMBI0", "AMBI1"]
_TO_THE_SIDES = {"args": "stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0-0.5*c1"}
"""Two cardioids, one to each side: of ambisonic channels the first is all around, the second left less right."""


def layout_of(sound: AudioCodecContext) -> AudioLayout:
    """The layout in which `SoundDecoder` gives a sound; one of no channels where the file does not tell.

    sound: of the stream, not yet opened.
    """
    names, layout = _channels(sound)
    if names[:2] == _AMBISONIC:
        return AudioLayout("stereo")
    return AudioLayout(_name(_in_order(names))) if names else layout


def is_in_order(sound: AudioCodecContext) -> bool:
    """Whether the channels come in FFmpeg's order, which files take for granted that do not tell theirs. sound: of the
    stream, not yet opened."""
    names, _ = _channels(sound)
    return names == _in_order(names)


class SoundDecoder:
    """The decoder of a stream of sound. Ambisonic sound becomes stereo."""

    def __init__(self, sound: AudioCodecContext) -> None:
        """sound: of the stream, not yet opened."""
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
            sound.options = {**sound.options, "ch_layout": plain}  # has no list, and so has no frame

    def decode(self, packet: Packet[Any] | None) -> list[AudioFrame]:
        """The frames that are complete after this packet, or at the end where it is None. Raises av.FFmpegError."""
        frames = self._sound.decode(packet)
        if self._filter is None or not frames:
            return frames
        if self._graph is None:
            first = frames[0]
            self._graph = sound_filter(first.sample_rate, first.format, first.layout, first.time_base, self._filter)
        return [filtered for frame in frames for filtered in through(self._graph, frame)]


def _channels(sound: AudioCodecContext) -> tuple[list[str], AudioLayout]:
    """The names of a stream's channels as the file has them, and its layout."""
    layout = sound.layout
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(layout))  # never freed, as that would free the stream's list
    return [channel.name for channel in layout.channels], layout


def _in_order(names: list[str]) -> list[str]:
    """The same channels in FFmpeg's order; as they are where any has no place in it."""
    return sorted(names, key=_ORDER.__getitem__) if _are_known(names) else names


def _name(ordered: list[str]) -> str:
    """FFmpeg's name of a layout of channels in its order; they are only numbered where any has no place in it."""
    return "+".join(ordered) if _are_known(ordered) else f"{len(ordered)} channels"


def _are_known(names: list[str]) -> bool:
    return len(_ORDER.keys() & names) == len(names)
