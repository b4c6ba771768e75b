"""Chapters of a film."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from framebrush.base.text import printable
from framebrush.media.video import Chapter

if TYPE_CHECKING:
    from av.container import core  # av.container.core.Chapter exists only in the type stub

MOST = 1000  # limit for hostile files
LONGEST_TITLE = 200  # limit for titles shown in the window


def read_chapters(chapters: Iterable[core.Chapter], zero_s: Fraction) -> tuple[Chapter, ...]:
    """Return at most MOST chapters. zero_s: first shown frame's file time."""
    found = []
    for each in islice(chapters, MOST):
        if base := each["time_base"]:
            title = " ".join(printable(each["metadata"].get("title", "")).split())
            found.append(Chapter(max(Fraction(0), each["start"] * base - zero_s), title[:LONGEST_TITLE]))
    return tuple(sorted(found, key=lambda each: each.start_s))
