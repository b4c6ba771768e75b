"""Bench report without personal data, read by `tools/measured.py`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Self

from framebrush.base.json_values import JsonError, from_values, indented, to_values
from framebrush.gpu.device import Device, open_device
from framebrush.machine.bench import Measurement
from framebrush.machine.doctor import SelfTest, facts, impersonal
from framebrush.models.library import bundled, parse_style
from framebrush.models.style import StyleError
from framebrush.styles.passthrough import PASSTHROUGH

FORMAT = 1
"""Format of the report."""

OWN = "a style of one's own"


@dataclass(frozen=True, slots=True)
class Card:
    """Painting device. driver: version, or ""."""

    kind: str
    name: str
    vendor: str
    memory_bytes: int
    software: bool
    driver: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Comparison with the reference. differences: by look, in 8-bit codes."""

    precision: str
    differences: tuple[tuple[str, int], ...]
    right: bool
    engines: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class BenchReport:
    """Bench report. on: date, 2026-11-23. style: bundled name, or OWN."""

    format: int
    on: str
    system: str
    machine: str
    processor: str
    processors: int
    python: str
    bundled: bool
    packages: tuple[tuple[str, str], ...]
    ffmpeg: tuple[tuple[str, str], ...]
    device: Card
    reference: Reference
    style: str
    measured: tuple[Measurement, ...]
    note: str = ""

    def __post_init__(self) -> None:
        if self.format != FORMAT:
            raise ValueError(f"the report's format is {self.format}, this program reads {FORMAT}; update Framebrush")
        if self.processors < 1 or not self.measured:
            raise ValueError("the report says of no processor, or of no measurement")
        for found in self.measured:
            if [stage.name for stage in found.stages] != ["decode", "paint", "encode", "transcode"]:
                raise ValueError("the report has other stages than decode, paint, encode and transcode")
            if min(stage.frame_ms for stage in found.stages) <= 0:
                raise ValueError("the report has a stage that took no time")

    @property
    def version(self) -> str:
        return dict(self.packages).get("framebrush", "?")

    def to_json(self) -> str:
        """Return the content of a report file."""
        return indented(impersonal(to_values(self)))

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read a report. Raises JsonError, OSError."""
        try:
            values: Any = json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError) as error:
            raise JsonError(f"{path.name} is no report: {type(error).__name__}") from None
        return from_values(cls, values, path.name)


def report_of(device: Device, style: str, measured: tuple[Measurement, ...]) -> BenchReport:
    """Make a report of a device. Raises DeviceError."""
    info, known, test = device.info, facts(), SelfTest()
    parity = test.parity(device)
    with open_device("cpu") as processor:
        name = processor.info.name
    return BenchReport(
        FORMAT,
        date.today().isoformat(),
        known["system"],
        known["machine"],
        name,
        known["processors"],
        known["python"],
        known["bundled"],
        tuple(known["packages"].items()),
        tuple(known["ffmpeg"].items()),
        Card(info.kind, info.name, info.vendor, info.memory_bytes, info.software, device.driver),
        Reference(
            parity.precision,
            tuple(parity.differences.items()),
            not parity.wrong,
            tuple(test.engines(device).items()),
        ),
        public_name(style),
        measured,
    )


def public_name(style: str) -> str:
    """Return a bundled style's name, else OWN."""
    if style == PASSTHROUGH:
        return style
    try:
        chosen = parse_style(style, {})
    except StyleError:
        return OWN
    ours = set(bundled().values()) >= set(chosen.files)
    return style if ours and not {"/", "\\"} & set(style) else OWN
