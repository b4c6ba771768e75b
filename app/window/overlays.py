"""Overlays and views of the picture."""

from __future__ import annotations

from PySide6.QtCore import QObject

from framebrush.window.look.compare import Comparison
from framebrush.window.look.saved import Looks
from framebrush.window.painted.mask_corrections import MaskStrokes
from framebrush.window.picture.frame_reveal import RevealBar, RevealOverlay, Watching
from framebrush.window.picture.mask_brush import MaskBrush
from framebrush.window.picture.mask_tools import MaskTools
from framebrush.window.picture.scopes import Scopes
from framebrush.window.picture.statistics import StatisticsOverlay
from framebrush.window.picture.subtitle_overlay import SubtitleOverlay
from framebrush.window.picture.veil import Veil, VeilOverlay
from framebrush.window.picture.viewport import ViewControls
from framebrush.window.shared import Shared
from framebrush.window.tour import Tour


class Overlays(QObject):
    """Zoom, comparison, time-lapse, masks, subtitles and bars."""

    def __init__(self, shared: Shared, looks: Looks, strokes: MaskStrokes, tools: MaskTools) -> None:
        super().__init__(shared.view)
        view, actions, session = shared.view, shared.actions, shared.session
        messages, notes, box = shared.messages, shared.notes, shared.bridge.box
        self._view, self._session = view, session
        self.looking = ViewControls(view, actions, notes)
        self.comparison = Comparison(view, actions, session, looks)
        self.statistics = StatisticsOverlay(view)
        self.tour = Tour(view)
        self.scopes = Scopes(view, actions, session, box, self.statistics)
        bar = RevealBar(view, actions, messages)
        notes.lie_above(messages, bar)
        above = self.statistics, self.scopes.overlay, notes, bar, messages, self.tour
        self.subtitles = SubtitleOverlay(view, above)
        below = self.subtitles, *above
        self.veil = Veil(VeilOverlay(view, below), session, self.looking, notes)
        self.watching = Watching(RevealOverlay(view, below), bar, actions, session, self.looking, view, box)
        self.mask_brush = MaskBrush(view, actions, session, strokes, tools, self.veil, notes)
        self.looking.changed.connect(session.player.look_at)
        self.looking.held.connect(session.hold)
        self.comparison.turned.connect(self.subtitles.follow)
        self.comparison.turned.connect(lambda on: self.watching.leave() if on else None)
        actions["reveal"].toggled.connect(lambda on: self.comparison.leave() if on else None)
        actions["side-by-side"].toggled.connect(lambda _: self.show_split())
        actions["statistics"].toggled.connect(self.statistics.setVisible)
        session.changed.connect(self.show_split)
        session.loaded.connect(self.show_split)

    def show_split(self) -> None:
        """Show the divider, unless the view is side by side."""
        split = self._session.choice.look.split
        self._view.set_split(None if self.looking.viewport.side_by_side else split)

    def float_over(self, on: bool) -> None:
        """Float above a swap chain, or not."""
        for overlay in (self.watching.overlay, self.veil.overlay, self.subtitles, *self.subtitles.above):
            overlay.float_over(on)
        self.scopes.show_device(on_gpu=on)

    def leave(self) -> bool:
        """End the current mode; return whether there was one."""
        if self.tour.isVisible():
            self.tour.end()
        elif self.mask_brush.is_on:
            self.mask_brush.leave()
        elif self.comparison.is_on:
            self.comparison.leave()
        elif self.watching.is_on:
            self.watching.leave()
        else:
            return False
        return True

    def close(self, *, wait: bool = False) -> None:
        for part in (self.comparison, self.scopes, self.watching):
            part.close(wait=wait)
