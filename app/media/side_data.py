"""FFmpeg's side data of frames."""

from __future__ import annotations

from fractions import Fraction

import av
from av.sidedata.sidedata import Type
from av.video.frame import VideoFrame

from framebrush.media.filters import picture_filters, through


def _member(kind: type[Type], number: int) -> Type:
    member = object.__new__(kind)
    member._name_ = f"UNKNOWN_{number}"
    member._value_ = number  # type: ignore[assignment]  # PyAV's stubs give the members no values
    return member


# PyAV creates an enumeration member for each side data of a frame before returning any, and FFmpeg knows more kinds
# than PyAV: Exif of every camera photograph, views of stereo films, future ones.
Type._missing_ = classmethod(_member)  # type: ignore[assignment, method-assign]

_ICC_PROFILE = 15
"""AV_FRAME_DATA_ICC_PROFILE. PyAV 18 frees the name of a PNG's profile twice, which crashes the process."""


def side_data(frame: VideoFrame, name: str) -> bytes | None:
    """Return a frame's side data. name: without "AV_FRAME_DATA_"."""
    return whole_side_data(_without_profile(frame), name)


def whole_side_data(frame: VideoFrame, name: str) -> bytes | None:
    """Return side data, except PNG's, where PyAV crashes."""
    found = frame.side_data.get(name)
    return None if found is None else bytes(found)  # type: ignore[call-overload]  # PyAV's stubs say object


def _without_profile(frame: VideoFrame) -> VideoFrame:
    delete = ("sidedata", {"mode": "delete", "type": str(_ICC_PROFILE)})
    try:  # one thread; otherwise PyAV starts one per processor and keeps Python's lock while waiting
        return next(through(picture_filters(frame, Fraction(1), delete, threads=1), frame))
    except (av.error.FFmpegError, ValueError):
        return frame
