"""The chapters of a film, for its seek bar."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from framebrush.base.text import printable
from framebrush.media.video import Chapter

if TYPE_CHECKING:
    from av.container import core  # its Chapter exists in the stub only

MOST = 1000  # a hostile file may name any number, and
LONGEST_TITLE = 200  # any text; the window shows them


def read_chapters(chapters: Iterable[core.Chapter], zero_s: Fraction) -> tuple[Chapter, ...]:
    """At most MOST of a file's chapters, with what can be shown of their titles. zero_s: the time of the first shown
    frame in the file."""
    found = []
    for each in islice(chapters, MOST):
        if base := each["time_base"]:
            title = " ".join(printable(each["metadata"].get("title", "")).split())
            found.append(Chapter(max(Fraction(0), each["start"] * base - zero_s), title[:LONGEST_TITLE]))
    return tuple(sorted(found, key=lambda each: each.start_s))
