"""Joining of segments; only animations are encoded again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain

import numpy as np
from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.gpu.frame import Frame
from framebrush.jobs.segments.job_folder import JobFolder, Part, SegmentRecord
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.media.encoding.hdr_metadata import brighter
from framebrush.media.encoding.pixels import planar
from framebrush.media.reading.open import open_media, packets
from framebrush.media.video import KeptOutputError, NothingDecodedError, OutputError
from framebrush.media.writing.file_writer import Writer, WriteResult
from framebrush.media.writing.output_plan import OutputPlan


def join(folder: JobFolder, plan: OutputPlan, lost: Iterable[str]) -> tuple[WriteResult, list[str]]:
    """Write a plan's file; return result and losses. Raises OutputError, InputError."""
    parts = [(segment, record) for segment, record in folder.parts if record.pts]
    if not parts:
        raise NothingDecodedError(plan.info.name)
    times = _decode_times(parts)
    with Writer(plan) as writer:
        writer.begin(parts[0][0].start_pts + min(parts[0][1].pts))
        header = writer.header.hex()
        for segment, record in parts:
            if record.header != header and not plan.container.is_animation:
                raise KeptOutputError(
                    f"segment {segment.number} was encoded by another version or build of {plan.choice.encoder.name}",
                    do="use --restart",
                )
            if record.light is not None:
                writer.light = brighter(record.light, writer.light or record.light)
            if plan.container.is_animation:
                _write_frames(folder, segment, record, writer)
                continue
            for packet in _pictures(folder, segment, record, plan.info.time_base):
                packet.dts = next(times)
                writer.copy(packet)
        return writer.finish(lost), writer.damage


def _decode_times(parts: list[Part]) -> Iterator[int]:
    """Yield decode times: presentation times, delayed by reordering."""
    shown: list[int] = []
    delay = 0
    for segment, record in parts:
        order = sorted(record.pts)
        place = {pts: number for number, pts in enumerate(order)}
        delay = max(delay, *(number - place[pts] for number, pts in enumerate(record.pts)))
        shown += [segment.start_pts + pts for pts in order]
    delay = min(delay, len(shown) - 1)
    before = shown[delay] - shown[0]
    yield from (time - before for time in shown[:delay])
    yield from shown[: len(shown) - delay]


def _pictures(
    folder: JobFolder, segment: Segment, record: SegmentRecord, base: Fraction
) -> Iterator[Packet[VideoStream]]:
    with open_media(folder.media(segment)) as media:
        (stream,) = media.streams.video
        found = iter(packets(media, [stream]))
        for pts, duration in zip(record.pts, record.durations, strict=True):
            packet = next(found, None)
            if packet is None or packet.pts is None or packet.pts * packet.time_base != pts * base:
                raise _unlike_its_record(folder, segment)
            packet.pts, packet.duration = segment.start_pts + pts, duration
            yield packet


def _write_frames(folder: JobFolder, segment: Segment, record: SegmentRecord, writer: Writer) -> None:
    with open_media(folder.media(segment)) as media:
        (stream,) = media.streams.video
        found = (frame for packet in chain(packets(media, [stream]), [None]) for frame in stream.decode(packet))
        for pts, duration in zip(record.pts, record.durations, strict=True):
            frame, picture = writer.allocate(), next(found, None)
            assert isinstance(frame, Frame)
            if picture is None or (picture.width, picture.height) != frame.format.size:
                raise _unlike_its_record(folder, segment)
            planes = picture.reformat(format=planar(picture.format.name)).planes
            parts = frame.components if frame.alpha is None else (*frame.components, frame.alpha)
            for into, plane in zip(parts, planes, strict=True):
                rows = np.frombuffer(plane, np.uint8).reshape(plane.height, -1)  # type: ignore[call-overload]
                into[...] = rows[:, : plane.width]
            writer.write(frame, segment.start_pts + pts, duration)


def _unlike_its_record(folder: JobFolder, part: Segment) -> OutputError:
    folder.remove(part)
    return OutputError(f"segment {part.number} does not match its record, and was removed")
