"""Exit statuses, as the guide lists them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from framebrush.base.status import Status
from framebrush.gpu.errors import DeviceError
from framebrush.media.media_errors import DiskFullError, InputError, OutputError, RangeError, SourceChangedError
from framebrush.models.style import StyleError

pytestmark = pytest.mark.unit

GUIDE = Path(__file__).parents[3] / "docs" / "guide.md"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ValueError(), 1),
        (RangeError("empty"), 1),
        (DeviceError("lost"), 1),
        (StyleError("none"), 1),
        (OutputError("refused"), 1),
        (InputError("unreadable"), 2),
        (SourceChangedError(Path("film.mp4"), "it was written to", restart=False), 2),
        (KeyboardInterrupt(), 4),
        (DiskFullError("full"), 5),
    ],
)
def test_an_error_has_its_status(error: BaseException, status: int) -> None:
    assert Status.of(error) == status


def test_the_guide_lists_every_status() -> None:
    section = GUIDE.read_text(encoding="utf-8").partition("## Exit status")[2].partition("\n## ")[0]
    rows = dict(re.findall(r"^\| (\d) \| ([^|]+) \|$", section, re.MULTILINE))
    begins = {status: rows[str(int(status))].split(maxsplit=1)[0] for status in Status}
    assert len(rows) == len(begins)
    assert begins == {
        Status.DONE: "done",
        Status.USAGE: "wrong",
        Status.UNREADABLE: "the",
        Status.LOSSES: "finished",
        Status.INTERRUPTED: "interrupted",
        Status.DISK_FULL: "the",
    }
