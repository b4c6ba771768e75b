"""Generate docs/measured.md from the reports of `framebrush bench --report`.

python tools/measured.py
"""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.base.text import count_of, printable  # noqa: E402
from framebrush.machine.bench import Measurement  # noqa: E402
from framebrush.machine.bench_report import BenchReport  # noqa: E402

PAGE = ROOT / "docs" / "measured.md"
MAX_TEXT = 80

HEAD = """# Measured

Measurements by us and by others, each from one run of `framebrush bench --report FILE`. Nothing is sent: to add your
computer, attach the file to an issue ("A measurement"). It holds versions and figures, no names and no paths. Without
a video two drawn ones are measured, so decoding is nearly free.

Figures are frames a second: each stage alone, then a transcode, which is at best as fast as its slowest stage. Where
the CPU paints, the stages share its cores, and the last column compares the transcode with all that the cores can do.
`python tools/measured.py` generates this page.

Nothing was measured on a Mac. Support for macOS (Metal, cameras, VideoToolbox's encoders, the packages of Apple's
chips) was written from documentation and has never been run here; the workflow `macos` runs the tests there on
request.
"""


def plain(text: str) -> str:
    """Escape a text for Markdown and HTML."""
    short = printable(text)[:MAX_TEXT]
    return re.sub(r"([\\`*_{}\[\]|~])", r"\\\1", html.escape(short, quote=False))


def section(report: BenchReport, file: Path) -> str:
    card, reference = report.device, report.reference
    off = max((codes for _, codes in reference.differences), default=0)
    differs = f"differs from the reference by {count_of(off, 'code')} of 255 at most"
    facts = [
        *([f"driver {card.driver}"] if card.driver else []),
        *([] if card.kind == "cpu" else [report.processor]),
        count_of(report.processors, "processor"),
        report.system,
        f"Framebrush {report.version}",
        report.on,
        f"style {report.style} in {reference.precision}",
        differs if reference.right else f"PAINTS WRONGLY: {differs}",
        *(f"{engine}: {state}" for engine, state in reference.engines),
        *([report.note] if report.note else []),
    ]
    words = "; ".join(plain(fact) for fact in facts)
    return "\n".join(
        [
            f"## {plain(card.name)} ({plain(card.kind)})",
            "",
            f"{words} ([all of it]({file.parent.name}/{file.name})).",
            "",
            "| size | painted at | decode | paint | encode | transcode | of its slowest stage | of the cores |",
            "|---|---|---|---|---|---|---|---|",
            *(row(found, report.processors) for found in report.measured),
            "",
        ]
    )


def row(found: Measurement, processors: int) -> str:
    """Return a measurement as a table row."""
    decode, paint, encode, transcode = (f"{stage.fps:.{0 if stage.fps >= 100 else 2}f}" for stage in found.stages)
    cells = (
        "{}x{}".format(*found.target),
        "{}x{}".format(*found.working),
        decode,
        paint,
        f"{encode} ({plain(found.encoder)})",
        transcode,
        f"{found.of_slowest:.2f}",
        f"{found.of_cores(processors):.2f}",
    )
    return f"| {' | '.join(cells)} |"


def page(folder: Path) -> str:
    """Return the page for a folder of reports, fastest first. Raises JsonError."""
    reports = [(BenchReport.read(file), file) for file in sorted(folder.glob("*.json"))]
    reports.sort(key=lambda one: one[0].measured[0].transcode.frame_ms)
    return "\n".join([HEAD, *(section(report, file) for report, file in reports)])


def main() -> None:
    PAGE.write_text(page(PAGE.with_suffix("")), encoding="utf-8")


if __name__ == "__main__":
    main()
