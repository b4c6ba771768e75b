"""Capabilities and numbers of containers, by hand: another one loses something of users' films, silently."""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

import pytest

from framebrush.media.containers import CONTAINERS, PICTURES, SEGMENTS, STREAMS, Container

pytestmark = pytest.mark.unit

ALL = CONTAINERS | PICTURES | STREAMS | {f"parts in {container.name}": container for container in SEGMENTS}

BOXES, RAW, PARTS = {".mp4", ".mov"}, {"y4m", "raw"}, {"parts in NUT", "parts in MOV"}
ANIMATIONS, PACKETS = {".gif", ".webp"}, {".ts", ".m2ts"}

WITH = {
    "attachments": {".mkv", "mkv"},
    "starts_below_zero": BOXES | PACKETS,
    "pictures": {*PICTURES},
    "alone": {*PICTURES, *ANIMATIONS, *RAW, "nut"},
    "piped": {*STREAMS},
    "constant_rate": {".avi", ".mxf", *RAW},
    "covers": {".mp4"},
    "own_channel_order": {".mov", "parts in MOV"},
    "mac_languages": {".mov", "parts in MOV"},
    "writes_late": {".mxf"},
    "blends": {".webp"},
    "holds_segments": PARTS,
}
WITHOUT = {
    "records_colours": {".avi", *RAW, "nut"},
    "records_range": {".avi", "nut", "parts in NUT"},
    "records_channels": {".mxf"},
    "interlaced": {".mxf"},
    "shows_chapters": {".webm"},
    "display_units": {".webm"},
}


def test_what_each_container_can_do() -> None:
    def having(name: str, *, value: bool) -> set[str]:
        return {ending for ending, container in ALL.items() if getattr(container, name) is value}

    assert {field.name for field in fields(Container) if field.type == "bool"} == WITH.keys() | WITHOUT.keys()
    assert {name: having(name, value=True) for name in WITH} == WITH
    assert {name: having(name, value=False) for name in WITHOUT} == WITHOUT


def test_the_numbers_of_each_container() -> None:
    given = {ending: container.tick_s for ending, container in ALL.items() if container.tick_s}
    assert given == {".gif": Fraction(1, 100), ".webp": Fraction(1, 1000)}
    assert {ending: each.palette for ending, each in ALL.items() if each.palette} == {".gif": 256}
    assert {ending for ending, each in ALL.items() if each.rates} == {".mxf"}
    rates = [f"{float(rate):.6g}" for rate in CONTAINERS[".mxf"].rates or ()]
    assert rates == ["23.976", "29.97", "59.9401", "24", "25", "30", "48", "50", "60", "100", "120"]
    assert {ending: each.packet_bytes for ending, each in ALL.items() if each.packet_bytes != 16} == dict.fromkeys(
        PACKETS, 260
    )
    payload = {ending: each.payload for ending, each in ALL.items() if each.payload != 1}
    assert payload == {".ts": Fraction(184, 188), ".m2ts": Fraction(184, 192)}
