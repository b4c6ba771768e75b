"""Previews on a device."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from framebrush.gpu.frame import Frame
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.surface import Surface
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.media.video import InputError, VideoFrame
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import Masks
from framebrush.playback.display.fitted_look import FittedLook
from framebrush.playback.display.guides import Guides

NEIGHBOURS = range(1, 9)
"""Distances at which a frame counts as its predecessor's neighbour, since playback drops frames."""


class Prepared(NamedTuple):
    """Frame that is painted or being painted. table: its colours. place: its number and time."""

    ticket: Ticket
    table: ColourTable | None
    place: tuple[int, Fraction]
    masks: Masks


class PreviewFrames:
    """Frames of one pipeline: at most one in preparation and one shown."""

    def __init__(self, pipeline: FramePipeline, look: FittedLook) -> None:
        self.pipeline, self._look = pipeline, look
        self._coming: Prepared | None = None
        self.shown: Prepared | None = None
        """On the screen, or behind a cached frame."""
        self._last: int | None = None  # number of the frame prepared last

    def shows(self, frame: VideoFrame) -> bool:
        """Return whether a frame is shown, in today's colours."""
        shown = self.shown
        return shown is not None and shown.place[0] == frame.number and shown.table is self.pipeline.stylizer.table

    def begin_anew(self) -> None:
        """Treat the next frame as the first."""
        self._last = None

    def prepare(self, frame: VideoFrame, time_s: Fraction, guides: Guides) -> None:
        """Start painting a frame.

        Raises InputError once for an unreadable map; later frames ignore that map.
        """
        stylizer, at = self.pipeline.stylizer, (frame.number, time_s)
        if self._last is None or frame.number - self._last not in NEIGHBOURS:
            stylizer.flush()
        self._last = frame.number
        stylizer.look = self._look.at(at)
        try:
            self.pipeline.guide(frame, guides.maps, time_s)
        except InputError:
            guides.drop_maps()
            raise
        self._coming = Prepared(stylizer.submit(frame.frame, place=frame.number), stylizer.table, at, stylizer.masks)

    def present(self, surface: Surface) -> bool:
        """Present the prepared or shown frame anew; return whether there was one."""
        prepared, stylizer = self._coming or self.shown, self.pipeline.stylizer
        if prepared is None:
            return False
        stylizer.look = self._look.at(prepared.place)
        stylizer.show(prepared.ticket, surface)
        self.keep_coming()
        return True

    def keep_coming(self) -> None:
        """Let the prepared frame replace the shown one."""
        if self._coming is not None:
            if self.shown is not None:
                self.pipeline.stylizer.release(self.shown.ticket)
            self.shown, self._coming = self._coming, None

    def drop(self) -> None:
        if self._coming is not None:
            self.pipeline.stylizer.release(self._coming.ticket)
        self._coming = None

    def fetch(self) -> Frame:
        """Read back the prepared frame as RGBA8."""
        assert self._coming is not None
        coming, self._coming = self._coming, None
        return self.pipeline.stylizer.fetch(coming.ticket)

    def fetch_shown(self) -> Frame | None:
        """Read back the shown frame as RGBA8, without the divider, if any.

        Prepare it again before presenting it again.
        """
        stylizer, shown, self.shown = self.pipeline.stylizer, self.shown, None
        if shown is None:
            return None
        look, stylizer.look = stylizer.look, self._look.at(shown.place).undivided
        try:
            return stylizer.fetch(shown.ticket)
        finally:
            stylizer.look = look

    def close(self) -> None:
        self._coming = self.shown = None
        self.pipeline.close()
