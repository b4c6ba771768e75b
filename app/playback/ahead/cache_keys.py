"""Keys of cached frames, and use by exports."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

from framebrush.base.json_values import to_values
from framebrush.gpu.device import Device, DeviceInfo
from framebrush.gpu.frame import Frame, FrameFormat
from framebrush.jobs.identity import SourceIdentity, Versions, recipe_key
from framebrush.jobs.output_format import video_target
from framebrush.jobs.prepare import PreparedJob, job_sizes
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import TimeRange, VideoFrame, VideoInfo
from framebrush.playback.ahead.store import Stored, frame_file, frames_in, read_frame
from framebrush.styles.style_names import OpenedStyle

WHOLE = TimeRange()

KEY_DIGITS = 40
"""Of a hash: a folder is named after two of them, and Windows' paths may have 260 characters."""


def render_key(spec: JobSpec, info: VideoInfo, style: OpenedStyle, device: DeviceInfo) -> str:
    """Return a digest of film, recipe and device. Raises InputError."""
    source = to_values(SourceIdentity.of(info.path, spec.decode.opening)) if info.path is not None else info.description
    decode = to_values(replace(spec.decode, hwaccel=None))
    work = decode, spec.tiling, spec.precision, spec.statistics, device.kind, device.name
    parts = [source, recipe_key(spec.recipe, style), to_values(Versions.here()), work]
    return _short_hash(json.dumps(parts, sort_keys=True))


def frames_key(key: str, method: str) -> str:
    """Return a key from a `render_key` and `Stylizer.method`."""
    return f"{key}-{_short_hash(method)}"


def _short_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:KEY_DIGITS]


def render_format(spec: JobSpec, info: VideoInfo, style: OpenedStyle) -> FrameFormat:
    """Return the format of cached frames. Raises ValueError."""
    return video_target(info.format, size=job_sizes(spec.sizes, info.format, style.style).target, full_range=True)


class DiskCachedFrames:
    """`CachedFrames` of one key on disk."""

    def __init__(self, folder: Path, form: FrameFormat) -> None:
        self._folder, self._form = folder, form

    def find(self, frame: VideoFrame) -> Frame | None:
        """See `CachedFrames`."""
        try:
            return read_frame(self._folder / frame_file(frame.number, Stored(frame.pts, frame.duration)), self._form)
        except OSError:
            return None

    def numbers(self) -> frozenset[int]:
        """See `CachedFrames`."""
        try:
            return frozenset(frames_in(self._folder))
        except OSError:
            return frozenset()


def disk_cached_frames(folder: Path, job: PreparedJob, device: Device, method: str) -> DiskCachedFrames | None:
    """Return cached frames equal to a job's, if usable. Raises InputError.

    Unusable for other encoder samples, or a part's shots.
    """
    form = render_format(job.spec, job.info, job.style)
    if job.plan.frames != form or job.info.path is None or (job.shots and job.spec.range != WHOLE):
        return None
    key = render_key(job.spec, job.info, job.style, device.info)
    return DiskCachedFrames(folder / frames_key(key, method), form)
