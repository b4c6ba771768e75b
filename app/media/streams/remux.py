"""Copying and conversion of streams beside the picture."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction

import av
from av.container import InputContainer, OutputContainer
from av.packet import Packet
from av.stream import AttachmentStream, Discard, Disposition, Stream
from av.subtitles.stream import SubtitleStream
from av.video.stream import VideoStream

from framebrush.base.files import open_regular
from framebrush.base.text import count_of
from framebrush.media.containers import Container
from framebrush.media.reading.continuous_clock import Timeline, may_jump
from framebrush.media.reading.open import Problems, open_media, packets
from framebrush.media.streams.matroska import time_before_zero
from framebrush.media.streams.stream_conversion import AudioConverter, Copier, TextConverter
from framebrush.media.streams.stream_metadata import carried
from framebrush.media.streams.stream_plan import PRIMING_S, Item, first_sounds, is_priming, is_unknown
from framebrush.media.video import TimeRange, VideoInfo

# a subtitle may begin before the range and still be visible
_LEAD_S = 10
# limit of interleaving at the end of a range
_TAIL_S = 2


class StreamCopier:
    """Second reader of the source, in step with the picture.

    Packets before 0 are dropped in cut or counted files. zero: source time, seconds.
    """

    def __init__(
        self,
        source: InputContainer,
        items: tuple[Item, ...],
        container: Container,
        zero: Fraction,
        info: VideoInfo,
        span: TimeRange,
    ) -> None:
        self._source = source
        self._items = items
        self._container = container
        self._zero = zero
        self._info = info
        self._begins_later = span.start is not None
        self._cut = self._begins_later or container.is_counted
        self._converters: dict[int, Copier] = {}
        self._last_dts: dict[int, int] = {}
        self._kinds = {stream.index: stream.type for stream in source.streams}
        self._dropped: dict[int, int] = {}
        self._problems = Problems()
        self._held: Packet[Stream] | None = None
        self._packets: Iterator[Packet[Stream]] = iter(())
        self._has_audio = any(source.streams[item.index].type == "audio" for item in items)
        self._covers: list[Packet[Stream]] = []
        texts = (item.index for item in items if self._kinds[item.index] == "subtitle")
        self._early = set(texts) if "matroska" in source.format.name else set()

    @property
    def active(self) -> bool:
        """Whether any stream is carried over."""
        return bool(self._converters)

    @property
    def losses(self) -> list[str]:
        """Sentences about dropped packets and damage."""
        lines = [
            f"{self._kinds[index]} stream {index}: {count_of(count, 'packet')} left out, whose times "
            "are wrong or which are damaged"
            for index, count in self._dropped.items()
        ]
        lines += [
            f"{self._kinds[index]} stream {index}: {count_of(converter.failed, 'packet')} could not be decoded"
            for index, converter in self._converters.items()
            if converter.failed
        ]
        return lines + [f"in the other streams: {problem}" for problem in dict.fromkeys(self._problems)]

    def add_streams(self, out: OutputContainer) -> None:
        """Add output streams, and seek to the range."""
        for item in self._items:
            stream = self._source.streams[item.index]
            match item.treatment:
                case "attach":
                    self._attach(out, stream)
                    continue
                case "cover":
                    self._cover(out, stream)
                    continue
                case "copy" if isinstance(stream, AttachmentStream):
                    target: Stream = out.add_stream_from_template(stream)
                case "copy":
                    target = self._start(stream, self._copier(out, stream))
                case "convert" if isinstance(stream, SubtitleStream):
                    target = self._start(stream, TextConverter(out, stream, self._container.text_codec))
                case _:
                    target = self._start(stream, AudioConverter(out, stream, item.encoder))
            target.metadata.update(carried(stream.metadata, self._container))
            target.disposition = stream.disposition
        picture = self._source.streams[self._info.stream_index]
        jumps = may_jump(self._source)  # the picture's clock decides, from the file's beginning
        if self._converters and self._begins_later and picture.time_base and not jumps:
            # formats without index stay at the beginning; earlier packets are dropped
            place = int((self._zero - _LEAD_S) / picture.time_base)
            if place > (picture.start_time or 0):  # else at its beginning, to which FFmpeg fails to seek before 0
                try:
                    self._source.seek(place, stream=picture)
                except (av.FFmpegError, OSError):
                    with contextlib.suppress(av.FFmpegError, OSError):
                        self._source.seek(0)
        wanted = {*self._converters, *([picture.index] if jumps else [])}
        for stream in self._source.streams:
            stream.discard = Discard.default if stream.index in wanted else Discard.all
        if self._converters:
            chosen = [self._source.streams[index] for index in wanted]
            assert isinstance(picture, VideoStream)
            timeline = Timeline.of(self._source, picture)
            self._packets = self._placed(packets(self._source, chosen, self._problems), timeline)

    def _start(self, stream: Stream, converter: Copier) -> Stream:
        self._converters[stream.index] = converter
        return converter.target

    def _copier(self, out: OutputContainer, stream: Stream) -> Copier:
        if not is_unknown(stream):
            return Copier(out.add_stream_from_template(stream, opaque=True))
        with self._reopened() as source:
            first_sounds(source)
            return Copier(out.add_stream_from_template(source.streams[stream.index], opaque=True))

    def _attach(self, out: OutputContainer, stream: Stream) -> None:
        kind = "png" if stream.name == "png" else "jpeg"
        packet = self._first_packet(stream)
        if packet is not None:
            out.add_attachment(f"cover.{'jpg' if kind == 'jpeg' else kind}", f"image/{kind}", bytes(packet))

    def _cover(self, out: OutputContainer, stream: Stream) -> None:
        packet = self._first_packet(stream)
        if packet is not None:
            target = out.add_stream_from_template(stream, opaque=True)
            target.disposition = Disposition.attached_pic
            packet.stream, packet.pts, packet.dts = target, 0, 0
            self._covers.append(packet)

    def _reopened(self) -> InputContainer:
        assert self._info.path is not None  # streams to copy imply a file
        return open_media(self._info.path, self._info.opening)

    def _first_packet(self, stream: Stream) -> Packet[Stream] | None:
        with self._reopened() as source:
            return next(packets(source, [source.streams[stream.index]]), None)

    def until(self, time: Fraction | None, end: Fraction | None) -> Iterator[Packet[Stream]]:
        """Yield packets before `time` and `end`, in output time."""
        while self._covers:
            yield self._covers.pop()
        while (packet := self._held or next(self._packets, None)) is not None:
            begins = self._begins(packet)
            if time is not None and begins > time and self._sets_pace(packet):
                self._held = packet
                return
            self._held = None
            if end is None or begins < end:
                if end is not None and packet.stream.type == "subtitle":
                    packet.duration = min(packet.duration or 0, round((end - begins) / packet.time_base))
                yield from self._converters[packet.stream_index].convert(packet)

    def rest(self, end: Fraction | None, film_s: Fraction) -> Iterator[Packet[Stream]]:
        """Yield the last packets, and drain converters."""
        yield from self.until(None if end is None else end + _TAIL_S, end)
        for converter in self._converters.values():
            if isinstance(converter, AudioConverter):
                converter.film_s = film_s
            yield from converter.flush()

    def _placed(self, packets: Iterator[Packet[Stream]], timeline: Timeline) -> Iterator[Packet[Stream]]:
        open_ended: dict[int, Packet[Stream]] = {}  # last subtitle before 0 of each stream without durations
        for packet in packets:
            if packet.stream_index in self._early:
                self._give_early_time(packet)
            timeline.place(packet)
            if packet.stream_index not in self._converters:
                continue  # the picture
            if packet.pts is None:
                packet.pts = packet.dts
            if packet.pts is None:
                self._drop(packet)
                continue
            shift = round(self._zero / packet.time_base)
            packet.pts -= shift
            packet.dts = packet.pts if packet.dts is None else min(packet.dts - shift, packet.pts)
            if packet.pts < 0 and packet.stream.type == "subtitle" and not packet.duration:
                open_ended[packet.stream_index] = packet
                continue
            if packet.pts >= 0:
                yield from self._still_shown(open_ended)
            if self._keep(packet):
                yield packet
        yield from self._still_shown(open_ended)

    def _give_early_time(self, packet: Packet[Stream]) -> None:
        time = None
        if self._info.path is not None and packet.pos is not None:
            with open_regular(self._info.path) as file:
                time = time_before_zero(file, packet.pos)
        if time is None:
            self._early.discard(packet.stream_index)
        else:
            packet.pts = packet.dts = time

    def _still_shown(self, open_ended: dict[int, Packet[Stream]]) -> Iterator[Packet[Stream]]:
        for packet in open_ended.values():
            packet.pts = packet.dts = 0
            if self._keep(packet):
                yield packet
        open_ended.clear()

    def _drop(self, packet: Packet[Stream]) -> None:
        if packet.is_discard:
            return  # hidden by an edit list: never audible
        self._dropped[packet.stream_index] = self._dropped.get(packet.stream_index, 0) + 1

    def _keep(self, packet: Packet[Stream]) -> bool:
        stream = packet.stream
        assert packet.pts is not None
        assert packet.dts is not None
        begins = self._begins(packet)
        if begins < 0:
            if stream.type == "subtitle" and packet.pts + (packet.duration or 0) > 0:
                packet.duration = packet.pts + (packet.duration or 0)  # visible when the range begins
                packet.pts = packet.dts = 0
            elif isinstance(self._converters[packet.stream_index], AudioConverter) and (
                begins >= -PRIMING_S or packet.pts + (packet.duration or 0) > 0
            ):
                pass  # the stream's decoder needs the packets before
            elif self._cut or not (self._container.starts_below_zero or is_priming(stream, begins)):
                if not self._cut and packet.stream_index in self._last_dts:  # others are before the film
                    self._drop(packet)
                return False
        last = self._last_dts.get(packet.stream_index)
        if last is not None and (packet.dts < last or (packet.dts == last and stream.type == "audio")):
            self._drop(packet)  # muxers refuse equal and decreasing times
            return False
        self._last_dts[packet.stream_index] = packet.dts
        return True

    def _sets_pace(self, packet: Packet[Stream]) -> bool:
        # subtitles may come long before they are shown
        return packet.stream.type == "audio" or not self._has_audio

    @staticmethod
    def _begins(packet: Packet[Stream]) -> Fraction:
        assert packet.pts is not None
        return packet.pts * packet.time_base
