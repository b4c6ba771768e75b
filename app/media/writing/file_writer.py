"""Writer of an encoded file with its streams."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Self, TypeAlias, cast

import av
from av.codec.context import Flags
from av.codec.hwaccel import HWAccel
from av.packet import Packet
from av.stream import Disposition, Stream
from av.video.stream import VideoStream

from framebrush.base.text import count_of, data_size, first_line
from framebrush.gpu.device import Device
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.media.disk import disk_error, disk_errors
from framebrush.media.encoding.encoder_frames import DeviceEncoderFrames, DevicePicture, EncoderFrame, EncoderFrames
from framebrush.media.encoding.hdr_metadata import LightMeter, write_light
from framebrush.media.encoding.pixels import PACKED_RGB
from framebrush.media.encoding.result_losses import damage_of
from framebrush.media.encoding.scheduling import kept_scheduling
from framebrush.media.live.live_sound import SoundTrack
from framebrush.media.output_file import OutputFile
from framebrush.media.reading.open import open_media, packets
from framebrush.media.streams import matroska
from framebrush.media.streams.provenance import TAG, Provenance, with_room, write_made_of
from framebrush.media.streams.remux import StreamCopier
from framebrush.media.streams.stream_metadata import carried
from framebrush.media.streams.stream_timing import Durations, chapters_within, expected_end, later
from framebrush.media.video import ClosedPipeError, LightLevel, OutputError, OverSizeError
from framebrush.media.writing.animation import AnimationPictures, show_alone
from framebrush.media.writing.output_plan import GROWN, OutputPlan
from framebrush.media.writing.standard_output import PipeFile

OnPacket: TypeAlias = "Callable[[Packet[VideoStream]], None]"

HARDWARE = {"nvenc": "cuda"}
"""FFmpeg's device for encoders that take frames of a GPU."""

# bytes that FFmpeg buffers
_BUFFER_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class WriteResult:
    """Finished file."""

    path: Path
    frames: int
    bytes: int


def encoder_frames(plan: OutputPlan, device: Device | None = None) -> EncoderFrames:
    """Return an encoder's frames, on the painting device if possible."""
    choice = plan.choice
    own = device is not None and device.decoder is not None and device.decoder[0] == HARDWARE.get(choice.encoder.kind)
    if device is not None and own and (choice.width, choice.height) == (plan.frames.width, plan.frames.height):
        return DeviceEncoderFrames(device, plan.frames, choice.pix_fmt, plan.tags)
    size = choice.width, choice.height
    if plan.container.is_animation:
        size = plan.frames.width, plan.frames.height  # turned while encoding
    return EncoderFrames(plan.frames, choice.frame_pixel_format, *size, plan.tags, reuse=not choice.encoder.is_hardware)


class Writer:
    """Writer of a planned file under a temporary name. Not thread-safe.

    Without `finish`, the `with` block leaves nothing. MP4 and MOV keep exact times.
    """

    resumable = False

    def __init__(
        self, plan: OutputPlan, *, pictures: EncoderFrames | None = None, on_packet: OnPacket = lambda _: None
    ) -> None:
        """Open the file. on_packet: receives encoded pictures. Raises OutputError."""
        self._plan = plan
        self._pictures = pictures or encoder_frames(plan)
        self._on_packet = on_packet
        self._begun: _Run | None = None
        self._closed = self._grown = False
        measured = plan.light is not None and plan.light.measured
        self._meter = LightMeter(self._pictures.format) if measured else None
        self.light: LightLevel | None = None
        """Light level of written frames, if measured; `copy` does not add to it."""
        self._file: OutputFile | PipeFile
        if plan.container.piped:
            self._file = PipeFile()
            return
        with disk_errors(plan.result.parent, f"cannot write to the folder {plan.result.parent}"):
            self._file = OutputFile(plan.target)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.abort()

    @property
    def bytes_written(self) -> int:
        """File size so far."""
        return self._file.size

    def allocate(self) -> Frame | DeviceFrame:
        """Return a frame in encoder memory. Thread-safe."""
        return self._pictures.allocate()

    @property
    def incomplete(self) -> bool:
        """Whether streams that the file could hold are missing."""
        return self._plan.incomplete or bool(self.damage)

    @property
    def damage(self) -> list[str]:
        """Sentences about losses while writing."""
        grown = [GROWN] if self._grown else []
        return [*grown, *([] if self._begun is None else self._begun.losses)]

    @property
    def header(self) -> bytes:
        """Encoder's extradata; empty at first."""
        return b"" if self._begun is None else self._begun.header

    def write(self, frame: Frame | DeviceFrame, pts: int, duration: int) -> None:
        """Write the next frame in display order. Raises OutputError, ValueError.

        pts, duration: in the source's time base, 0 if unknown.
        """
        with self._writing():
            begun = self._begin(pts)
            filled = self._pictures.filled(frame)
            if self._meter is not None and isinstance(filled, EncoderFrame):
                self._meter.add(filled)
                self.light = self._meter.level
            begun.write(filled, pts, duration)
            self._pictures.recycle(filled)

    def begin(self, first_pts: int) -> None:
        """Write the header first. Raises OutputError."""
        with self._writing():
            self._begin(first_pts)

    def copy(self, packet: Packet[VideoStream]) -> None:
        """Write an encoded picture in decoding order, without `write`. Raises OutputError."""
        with self._writing():
            assert self._begun is not None
            self._begun.copy(packet)

    def _begin(self, first_pts: int) -> _Run:
        if self._begun is None:
            self._begun = _Run(self._plan, self._file, first_pts, self._on_packet, self._pictures.accelerator)
        return self._begun

    def finish(self, lost: Iterable[str] = ()) -> WriteResult:
        """Complete and rename the file. lost: sentences to record.

        Raises: OutputError, OverSizeError, InputError if the source changed; leaves nothing behind.
        """
        with self._writing(last=True):
            if self._begun is None:
                raise OutputError(f"no frame came, so {self._plan.target.name} was not written")
            self._grown = self._plan.source_grown() and self._plan.to_the_end
            frames = self._begun.finish(cut=self._grown, light=self.light)
            self._plan.source_grown()  # after the whole source was read
            if self._plan.made_of and self._plan.container.keeps_films and isinstance(self._file, OutputFile):
                made = Provenance(self._plan.made_of, (*self._plan.losses, *damage_of([*lost, *self.damage])))
                write_made_of(self._file, made, in_box=self._plan.container.is_isobmff)
            told = None if self._plan.container.holds_segments else self._plan.light
            if told is not None and isinstance(self._file, OutputFile):
                write_light(self._file, told, self._plan.choice.encoder.codec, self.light)
            if self._plan.container.blends and self._plan.frames.alpha and isinstance(self._file, OutputFile):
                show_alone(self._file)
            size, most = self._file.size, self._plan.most_bytes
            if most is not None and size > most:
                raise OverSizeError(self._plan.target.name, size, most)
            self._plan.ending.whole = not self._plan.container.holds_segments
            path = self._file.deliver(overwrite=self._plan.overwrite)
            self._closed = True
        return WriteResult(path, frames, size)

    def abort(self) -> None:
        """Remove the temporary file, unless finished."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as stack:
            stack.callback(self._file.discard)
            if self._begun is not None:
                stack.callback(self._begun.close)
            # with the file closed first, the muxer skips its trailer and second pass
            self._file.close()

    @contextmanager
    def _writing(self, *, last: bool = False) -> Iterator[None]:
        if self._closed:
            raise OutputError(f"{self._plan.target.name} is closed already")
        try:
            yield
        except (av.FFmpegError, OSError) as error:
            raise self._said(error) from error
        finally:
            if last:
                self._plan.ending.whole &= self._closed
                self.abort()

    def _said(self, error: av.FFmpegError | OSError) -> OutputError:
        if isinstance(self._file, PipeFile):
            if self._file.reader_is_gone:
                return ClosedPipeError("standard output was closed")
            return OutputError(f"writing to standard output failed: {first_line(error)}")
        result = self._plan.result
        written = f" after {data_size(self.bytes_written)} of {result.name}" if result == self._plan.target else ""
        return disk_error(error, result.parent, f"writing {result.name} failed", written)


def _options(plan: OutputPlan) -> dict[str, str]:
    options, units = dict(plan.container.options), plan.info.time_base.denominator
    if plan.light is not None and plan.light.measured and plan.container.is_matroska:
        options["write_crc32"] = "0"  # the file is changed when it is complete
    if plan.container.is_isobmff and units < 1 << 31:
        options["movie_timescale"] = str(units)  # unit of edit lists
    return options


class _Run:
    def __init__(
        self,
        plan: OutputPlan,
        file: OutputFile | PipeFile,
        first_pts: int,
        on_packet: OnPacket,
        accelerator: HWAccel | None,
    ) -> None:
        info, base = plan.info, plan.info.time_base
        self._base = base
        self._cut_end = plan.span.end is not None or plan.span.frames is not None or plan.sound is not None
        before = plan.ticks_of(plan.before)
        zero_s = (first_pts + before) * base if plan.zero_s is None else plan.zero_s
        self._zero, self._first, self._before_s = round(zero_s / base) - before, first_pts, before * base
        self._end = 0  # on the output's clock
        self._on_packet = on_packet
        self._encodes = False
        self._frames = self._refused = self._muxed = 0
        self._doubted = False
        self._end_s = expected_end(info, plan.span, zero_s)
        self._durations = Durations(round(1 / info.usual_rate / base))
        self._file = file
        with ExitStack() as opened:
            self._source = None if info.path is None else opened.enter_context(open_media(info.path, info.opening))
            self._out = av.open(
                file, "w", format=plan.container.muxer, container_options=_options(plan), buffer_size=_BUFFER_BYTES
            )
            opened.callback(self._out.close)
            opened.callback(file.close)  # before the muxer, which then skips its trailer
            self._add_picture(plan, accelerator)
            self._add_other_streams(plan, zero_s)
            self._add_elements(plan)
            with kept_scheduling():
                self._out.start_encoding()
            opened.pop_all()  # `close` does it from here on

    def _add_picture(self, plan: OutputPlan, accelerator: HWAccel | None) -> None:
        info, rate = plan.info, plan.info.usual_rate
        self._stream = cast(VideoStream, self._out.add_stream(plan.choice.encoder.name, rate=rate, hwaccel=accelerator))
        context = self._stream.codec_context
        plan.choice.configure(context, self._base, rate)
        plan.tags.apply(context)
        if plan.light is not None:
            plan.light.apply(context, plan.choice.encoder)
        context.sample_aspect_ratio = info.sample_aspect
        self._packing = plan.choice.pix_fmt if plan.choice.pix_fmt in PACKED_RGB else None
        self._animation: AnimationPictures | None = None
        self._tick_s, self._next_tick = plan.container.tick_s, 0
        if plan.container.is_animation:
            self._animation = AnimationPictures(info, plan.choice, plan.frames.width, plan.frames.height, self._base)
        context.flags |= Flags.global_header  # as segments, whatever the container needs
        if plan.container.is_isobmff and plan.choice.encoder.codec == "hevc":
            context.codec_tag = "hvc1"  # QuickTime and Windows do not play hev1, the muxer's default
        self._counted = 1 / rate if plan.container.constant_rate else None
        self._stream.time_base = self._base if self._counted is None else self._counted
        self._fills, self._before = plan.container.is_counted, b""
        self._closes_track = plan.container.is_isobmff
        self._held: Packet[VideoStream] | None = None
        self._first_dts: int | None = None
        turns = plan.container.keeps_films or plan.container.holds_segments
        if turns and info.mirrored:  # PyAV mirrors after rotating
            self._stream.set_display_rotation(-info.rotation_degrees, hflip=True)
        elif turns and info.rotation_degrees:
            self._stream.set_display_rotation(info.rotation_degrees)

    def _add_other_streams(self, plan: OutputPlan, zero_s: Fraction) -> None:
        self._carrier: StreamCopier | SoundTrack | None = None
        if plan.sound is not None:
            self._carrier = SoundTrack(plan.sound, plan.container.audio_encoder, zero_s)
            self._carrier.add_streams(self._out)
        if self._source is not None:
            picture = self._source.streams[plan.info.stream_index]
            self._stream.metadata.update(carried(picture.metadata, plan.container))
            self._stream.disposition = picture.disposition & ~Disposition.attached_pic
            if (timecode := plan.timecode_at(self._first)) is not None:
                self._stream.metadata["timecode"] = timecode
            self._out.metadata.update(carried(self._source.metadata, plan.container))
            chapters = chapters_within(self._source.chapters(), zero_s, self._end_s)
            self._out.set_chapters(later(chapters, self._before_s))
            self._carrier = StreamCopier(self._source, plan.items, plan.container, zero_s, plan.info, plan.span)
            self._carrier.add_streams(self._out)

    def _add_elements(self, plan: OutputPlan) -> None:
        aspect, context = plan.info.sample_aspect, self._stream.codec_context
        self._name, self._shape = self._stream.metadata.get("title", ""), b""
        by_header = plan.container.is_matroska and plan.light is not None and plan.light.by == "element"
        self._lit = plan.light if by_header else None
        if plan.container.is_matroska and (aspect != 1 or self._lit is not None):
            if aspect != 1:
                webm = not plan.container.display_units
                self._shape = matroska.display(context.width, context.height, aspect, webm=webm)
            self._stream.metadata["title"] = matroska.with_room(self._name)
            if isinstance(self._file, PipeFile):
                self._file.completing = self._completed
        if plan.made_of and plan.container.keeps_films and not plan.container.is_isobmff:
            self._out.metadata[TAG] = with_room(plan.made_of)

    @property
    def header(self) -> bytes:
        return self._stream.codec_context.extradata or b""

    def write(self, frame: EncoderFrame | DevicePicture, pts: int, duration: int) -> None:
        pts -= self._zero
        self._durations.add(pts, duration)
        self._end = self._durations.end
        picture = frame.picture
        picture.pts, picture.time_base = pts, self._base
        # sound goes first; the encoder delays the picture
        self._carry_until(pts)
        self._encodes = True
        for prepared in self._prepared(picture):
            self._encode(prepared)
        self._frames += 1

    def copy(self, packet: Packet[VideoStream]) -> None:
        assert packet.pts is not None
        assert packet.dts is not None
        packet.pts, packet.dts = packet.pts - self._zero, packet.dts - self._zero
        packet.time_base, packet.stream = self._base, self._stream
        self._end = max(self._end, packet.pts + (packet.duration or 0))
        self._carry_until(packet.pts)
        self._mux_picture(packet)
        self._frames += 1

    def finish(self, *, cut: bool, light: LightLevel | None) -> int:
        """Return the number of frames. cut: streams end with the picture."""
        if self._encodes:
            for prepared in self._prepared(None):
                self._encode(prepared)
            self._encode(None)
        self._close_track()
        end_s = self._end * self._base
        if isinstance(self._carrier, StreamCopier):
            film_s = end_s - self._before_s
            for packet in self._carrier.rest(film_s if self._cut_end or cut else None, film_s):
                self._mux_beside(packet)
        elif self._carrier is not None:
            for packet in self._carrier.rest(end_s):
                self._mux_beside(packet)
        try:
            self._out.close()
        except av.FFmpegError as error:
            self._blame_sound(error)
        self.close()
        if (self._shape or self._lit) and isinstance(self._file, OutputFile):
            with Path(self._file.name).open("rb") as whole:
                place, tracks = matroska.completed(whole, self._name, self._shape, self._colour(light))
            self._file.seek(place)
            self._file.write(tracks)
        if self._doubted and isinstance(self._file, OutputFile):
            self._check_frames()
        return self._frames

    def close(self) -> None:
        with ExitStack() as stack:
            stack.callback(self._out.close)
            if self._source is not None:
                stack.callback(self._source.close)

    def _completed(self, head: bytes) -> bytes:
        place, tracks = matroska.completed(io.BytesIO(head), self._name, self._shape, self._colour(None))
        return head[:place] + tracks + head[place + len(tracks) :]

    def _colour(self, light: LightLevel | None) -> bytes:
        return b"" if self._lit is None else matroska.lit(self._lit.mastering, light or self._lit.light)

    @property
    def losses(self) -> list[str]:
        refused = [f"{count_of(self._refused, 'packet')} of sound left out: they are damaged"] if self._refused else []
        return [*(self._carrier.losses if self._carrier is not None else ()), *refused]

    def _carry_until(self, pts: int) -> None:
        if self._carrier is not None:
            for packet in self._carrier.until(pts * self._base - self._before_s, self._end_s):
                self._mux_beside(packet)

    def _mux_beside(self, packet: Packet[Stream]) -> None:
        if self._before_s and not packet.stream.disposition & Disposition.attached_pic:
            shift = round(self._before_s / packet.time_base)
            packet.pts = None if packet.pts is None else packet.pts + shift
            packet.dts = None if packet.dts is None else packet.dts + shift
        try:
            self._out.mux_one(packet)
        except (av.FFmpegError, ValueError) as error:
            self._blame_sound(error)

    def _blame_sound(self, error: Exception) -> None:
        if self._file.failed is not None or self._carrier is None or not self._carrier.active:
            raise error
        self._refused += 1

    def _check_frames(self) -> None:
        with open_media(Path(self._file.name)) as written:
            found = sum(1 for _ in packets(written, [written.streams.video[0]]))
        want = self._muxed if self._fills else self._frames
        if found != want:
            raise OutputError(
                f"{count_of(want - found, 'frame')} could not be written beside the damaged sound",
                do="use --audio none",
            )

    def _prepared(self, picture: av.VideoFrame | None) -> Iterable[av.VideoFrame]:
        if self._animation is not None:
            return self._animation.pictures(picture)
        if picture is not None and self._packing is not None:
            picture = picture.reformat(format=self._packing)
        return () if picture is None else (picture,)

    def _encode(self, picture: av.VideoFrame | None) -> None:
        try:
            packets = self._stream.encode(picture)
        except av.FFmpegError as error:
            raise OutputError(f"{self._stream.codec_context.name} failed at frame {self._frames}: {error}") from error
        for packet in packets:
            if packet.pts is not None:
                packet.duration = self._durations.pop(packet.pts)
                if not self._durations.earliest_dts <= (packet.dts or 0) <= packet.pts:
                    # x265 takes decoding times from uninitialised memory if a film is shorter than its reordering
                    packet.dts = packet.pts
            self._on_packet(packet)
            self._mux_picture(packet)

    def _fill_to(self, packet: Packet[VideoStream]) -> None:
        assert packet.pts is not None
        assert self._counted is not None
        place = round(packet.pts * self._base / self._counted)
        if place < self._muxed:
            raise OutputError(
                f"frame {self._frames} is too early for {count_of(float(1 / self._counted), 'frame')} a second at "
                "an even pace; use .mkv, .mov or .mp4, which keep the time of each frame"
            )
        while self._before and self._muxed < place:
            again: Packet[Stream] = Packet(self._before)
            again.stream, again.pts, again.dts, again.duration = self._stream, self._muxed, self._muxed, 1
            again.time_base, again.is_keyframe = self._counted, True
            self._out.mux_one(again)
            self._muxed += 1
        self._before = bytes(packet)

    def _mux_picture(self, packet: Packet[VideoStream]) -> None:
        if self._counted is not None:
            if self._fills:
                self._fill_to(packet)
            packet.pts = packet.dts = self._muxed
            packet.duration, packet.time_base = 1, self._counted
            self._muxed += 1
        if self._tick_s is not None and packet.pts is not None:
            begins = max(round(packet.pts * self._base / self._tick_s), self._next_tick)
            ends = max(round((packet.pts + (packet.duration or 0)) * self._base / self._tick_s), begins + 1)
            packet.pts = packet.dts = begins
            packet.duration, packet.time_base = ends - begins, self._tick_s
            self._next_tick = begins + 1
        if self._closes_track:
            held, self._held = self._held, packet
            if held is None:
                self._first_dts = packet.dts
                return
            packet = held
        self._mux(packet)

    def _close_track(self) -> None:
        last, self._held = self._held, None
        if last is None:
            return
        if last.dts is not None and self._first_dts is not None:
            last.duration = max(1, self._end - (self._first - self._zero) - (last.dts - self._first_dts))
        self._mux(last)

    def _mux(self, packet: Packet[VideoStream]) -> None:
        try:
            self._out.mux_one(packet)
        except av.FFmpegError as error:  # a muxer may reject an earlier packet of sound only now
            self._blame_sound(error)
            self._doubted = True
