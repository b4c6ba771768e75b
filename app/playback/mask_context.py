"""Masks after a jump."""

from __future__ import annotations

from contextlib import suppress

from framebrush.media.video import InputError, VideoFrame
from framebrush.playback.display.presenter import Presenter
from framebrush.playback.video_source import VideoSource


class MaskContext:
    """Tracks masks through skipped frames, as an export does."""

    def __init__(self, presenter: Presenter) -> None:
        self._presenter = presenter
        self._completed: VideoFrame | None = None  # a still frame

    def lead_to(self, frame: VideoFrame, video: VideoSource) -> None:
        """Track masks up to the frame of a jump.

        These frames are decoded anyway, unless a video keyframe is nearer.
        """
        pipeline, maps = self._presenter.pipeline, self._presenter.guides.maps
        if pipeline is None:
            return
        count = pipeline.masks.untracked_before(frame.number, maps)
        if count:
            with suppress(InputError):  # some films cannot be decoded there
                for each in video.before(frame.number, count):
                    pipeline.masks.follow(each, maps)

    def lacks(self, frame: VideoFrame, video: VideoSource) -> bool:
        """Return whether a still preview's masks depend on skipped frames."""
        return self._completed is not frame and video.can_seek and bool(self._lacking(frame))

    def complete(self, frame: VideoFrame, video: VideoSource) -> bool:
        """Complete the masks of a still preview once; return whether they changed."""
        presenter, pipeline, shown = self._presenter, self._presenter.pipeline, self._presenter.shown
        if not self.lacks(frame, video) or pipeline is None or shown is None:
            return False
        self._completed = frame
        before = video.before(frame.number, self._lacking(frame))
        with suppress(InputError):
            return pipeline.masks_behind(before, frame, presenter.guides.maps, shown.place[1]) != shown.masks
        return False

    def _lacking(self, frame: VideoFrame) -> int:
        shown, pipeline = self._presenter.shown, self._presenter.pipeline
        if shown is None or pipeline is None or shown.place[0] != frame.number or self._presenter.shows_painted:
            return 0
        return pipeline.masks.lacking
