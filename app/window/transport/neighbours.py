"""Next and previous video of a folder."""

from __future__ import annotations

import re
from pathlib import Path

from framebrush.media.video_files import is_video_name


def in_order(path: Path) -> tuple[object, ...]:
    """Return a key for natural sorting: clip 9 before clip 10."""
    parts = re.split(r"(\d+)", path.name.casefold())
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def neighbour(path: Path, by: int) -> Path | None:
    """Return the video `by` places further in the folder, if any. Slow."""
    films = {each for each in path.parent.iterdir() if is_video_name(each) and each.is_file()}
    order = sorted(films | {path}, key=in_order)
    index = order.index(path) + by
    return order[index] if 0 <= index < len(order) else None
