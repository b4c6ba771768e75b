"""Segments into the file of a job, without encoding again."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from av.packet import Packet
from av.video.stream import VideoStream

from framebrush.jobs.segments.folder import JobFolder, Part, SegmentRecord
from framebrush.jobs.segments.plan import Segment
from framebrush.media.reading.open import open_media, packets
from framebrush.media.video import InputError, OutputError
from framebrush.media.writing.plan import OutputPlan
from framebrush.media.writing.writer import Writer, WriteResult


def join(folder: JobFolder, plan: OutputPlan) -> tuple[WriteResult, list[str]]:
    """Write the file of a plan from the segments of its job, all of which are whole. Gives also a sentence for each
    loss that was found meanwhile.

    Sound, subtitles, chapters and tags come from the source, as in `Writer`. Raises OutputError, InputError.
    """
    parts = [(segment, record) for segment, record in folder.parts if record.pts]
    if not parts:
        raise InputError(f"{plan.info.name}: no frame in the range asked for can be decoded")
    times = _decode_times(parts)
    with Writer(plan) as writer:
        writer.begin(parts[0][0].start_pts + min(parts[0][1].pts))
        header = writer.header.hex()
        for segment, record in parts:
            if record.header != header:
                raise OutputError(
                    f"segment {segment.number} was encoded by another version or build of "
                    f"{plan.choice.encoder.name}; use --restart"
                )
            for packet in _pictures(folder, segment, record, plan.info.time_base):
                packet.dts = next(times)
                writer.copy(packet)
        return writer.finish(), writer.damage


def _decode_times(parts: list[Part]) -> Iterator[int]:
    """The decoding time of every picture: the presentation times in order, as many pictures late as the deepest
    reordering needs, for the first ones before the first time.

    Those of the encoder started anew in every segment. Source: x264's own rule, encoder/encoder.c.
    """
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
    """The encoded pictures of a segment with times of the source. Raises OutputError where they are not those of its
    record."""
    with open_media(folder.media(segment)) as media:
        stream = media.streams.video[0]
        found = iter(packets(media, [stream]))
        for pts, duration in zip(record.pts, record.durations, strict=True):
            packet = next(found, None)
            if packet is None or packet.pts is None or packet.pts * packet.time_base != pts * base:
                raise OutputError(f"{folder.media(segment)} does not fit its record; delete it and start again")
            packet.pts, packet.duration = segment.start_pts + pts, duration
            yield packet
