"""What FFmpeg attaches to a frame besides its samples, read by name; what PyAV does not know is absent, not an
error."""

from __future__ import annotations

from fractions import Fraction

import av
from av.sidedata.sidedata import Type
from av.video.frame import VideoFrame

from framebrush.media.filters import picture_filters, through


def _member(kind: type[Type], number: int) -> Type:
    """A member for a number that PyAV's list lacks."""
    member = object.__new__(kind)
    member._name_ = f"UNKNOWN_{number}"
    member._value_ = number  # type: ignore[assignment]  # PyAV's stubs give the members no values
    return member


# PyAV makes a member of this enumeration for all that a frame carries before it gives any of it, and FFmpeg knows more
# kinds than PyAV lists: Exif, which every photograph of a camera has, the view of a stereo film, whatever comes next.
Type._missing_ = classmethod(_member)  # type: ignore[assignment, method-assign]

_ICC_PROFILE = 15
"""AV_FRAME_DATA_ICC_PROFILE. PyAV 18 frees its name, which a PNG has, a second time, and the process crashes."""


def side_data(frame: VideoFrame, name: str) -> bytes | None:
    """The bytes of one kind of side data, None where the frame has none of it. name: FFmpeg's, without
    "AV_FRAME_DATA_"."""
    return whole_side_data(_without_profile(frame), name)


def whole_side_data(frame: VideoFrame, name: str) -> bytes | None:
    """As `side_data`, of a frame whose profile has no name: of no PNG."""
    found = frame.side_data.get(name)
    return None if found is None else bytes(found)  # type: ignore[call-overload]  # PyAV's stubs say object


def _without_profile(frame: VideoFrame) -> VideoFrame:
    """A frame of the same memory without the profile of its colours; itself where it is in a GPU's memory, which no
    picture with a profile is decoded to."""
    delete = ("sidedata", {"mode": "delete", "type": str(_ICC_PROFILE)})
    try:  # by one thread, or it waits for as many new ones as there are processors, and keeps Python's lock meanwhile
        return next(through(picture_filters(frame, Fraction(1), delete, threads=1), frame))
    except (av.error.FFmpegError, ValueError):
        return frame
