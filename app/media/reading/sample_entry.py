"""MP4 sample entries, which FFmpeg hides."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from framebrush.media.boxes import Rectangle, aperture, boxes, top_box

_ENTRY_FIELDS_BYTES = 78  # VisualSampleEntry fields before its boxes (ISO/IEC 14496-12, 12.1.3)


@dataclass(frozen=True, slots=True)
class SampleEntry:
    """Sample entry.

    clean_aperture: (left, top, width, height) if cropped. dolby_vision: profile.
    """

    clean_aperture: Rectangle | None = None
    dolby_vision: int | None = None
    dolby_vision_only: bool = False


def read_sample_entry(path: Path, track: int, width: int, height: int) -> SampleEntry:
    """Read a track's first sample entry, empty if damaged."""
    tracks = _tracks(path)
    if not 0 <= track < len(tracks):
        return SampleEntry()
    inside = _entry_boxes(tracks[track])
    configuration = inside.get(b"dvcC") or inside.get(b"dvvC") or b""
    clean_aperture = aperture(inside.get(b"clap", b""), width, height)
    if len(configuration) < 5:
        return SampleEntry(clean_aperture)
    profile, compatible_with = configuration[2] >> 1, configuration[4] >> 4
    return SampleEntry(clean_aperture, profile, _is_dolby_vision_only(profile, compatible_with))


def auxiliary_tracks(path: Path) -> set[int]:
    """Return auxiliary tracks' IDs, such as animated AVIF's alpha."""
    found = set()
    for track in _tracks(path):
        header, handler = _inside(track, b"tkhd"), _inside(track, b"mdia", b"hdlr")
        if handler[8:12] == b"auxv" or b"auxi" in _entry_boxes(track):
            place = 20 if header[:1] == b"\1" else 12
            found.add(int.from_bytes(header[place : place + 4], "big"))
    return found


def _tracks(path: Path) -> list[bytes]:
    return [body for kind, body in boxes(top_box(path, b"moov") or b"") if kind == b"trak"]


def _inside(body: bytes, *names: bytes) -> bytes:
    for name in names:
        body = next((inner for kind, inner in boxes(body) if kind == name), b"")
    return body


def _entry_boxes(track: bytes) -> dict[bytes, bytes]:
    description = _inside(track, b"mdia", b"minf", b"stbl", b"stsd")
    entry = next((inner for _, inner in boxes(description[8:])), b"")
    return dict(boxes(entry[_ENTRY_FIELDS_BYTES:]))


def _is_dolby_vision_only(profile: int, compatible_with: int) -> bool:
    """Return whether the base layer is unusable: profile 5, some AV1, MV-HEVC."""
    return profile == 5 or (profile in (10, 20) and compatible_with == 0)
