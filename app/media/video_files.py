"""What counts as a video in a folder. A file that the user names is tried whatever it is called."""

from __future__ import annotations

from pathlib import PurePath

_NAMES = "3gp asf avi divx f4v flv gif m2ts m2v m4v mkv mov mp4 mpeg mpg mts mxf nut ogv ts vob webm wmv y4m"
ENDINGS = tuple(f".{name}" for name in _NAMES.split())


def is_video_name(path: PurePath) -> bool:
    """Whether a file is taken for a video by its name: by the ending, in any case, and not hidden."""
    return path.suffix.lower() in ENDINGS and not path.name.startswith(".")
