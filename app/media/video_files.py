"""Video files, recognised by name."""

from __future__ import annotations

from pathlib import PurePath

_NAMES = "3gp asf avi divx f4v flv gif m2ts m2v m4v mkv mov mp4 mpeg mpg mts mxf nut ogv ts vob webm wmv y4m"
ENDINGS = tuple(f".{name}" for name in _NAMES.split())


def is_video_name(path: PurePath) -> bool:
    """Return whether a name is a visible video's."""
    return path.suffix.lower() in ENDINGS and not path.name.startswith(".")
