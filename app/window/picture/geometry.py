"""Rectangle of the picture in the view."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from framebrush.gpu.surface import Viewport
from framebrush.media.video import VideoInfo

WHOLE = Viewport()


@dataclass(frozen=True, slots=True)
class Place:
    """Rectangle of the upright picture in the view, and its orientation.

    Rotation counter-clockwise (0, 90, 180 or 270), after a horizontal flip if mirrored.
    """

    x: float
    y: float
    width: float
    height: float
    rotation: int = 0
    mirrored: bool = False

    @classmethod
    def of(cls, info: VideoInfo, view: tuple[float, float], viewport: Viewport = WHOLE, lines: int = 0) -> Self:
        """Return a video's rectangle in a view, in physical pixels.

        lines: height of the displayed picture before rotation; 0 for the source's.
        """
        rotation = 90 * info.orientation.quarters
        enlarged = lines / info.format.height if lines else 1.0
        picture = info.format.width * float(info.sample_aspect) * enlarged, info.format.height * enlarged
        if rotation in (90, 270):
            picture = picture[::-1]
        pane = max(1.0, viewport.pane(view[0])), view[1]
        return cls(*viewport.place(picture, pane), rotation, info.mirrored)

    def scaled(self, factor: float) -> Self:
        """Convert to another unit, such as logical pixels."""
        return replace(
            self, x=factor * self.x, y=factor * self.y, width=factor * self.width, height=factor * self.height
        )

    @property
    def upright_divider(self) -> bool:
        """Whether the divider appears vertical."""
        return self.rotation in (0, 180)

    def split_at(self, x: float, y: float) -> float:
        """Return a point's share, 0..1, of the stored picture's width."""
        across = (x - self.x) / self.width
        down = (y - self.y) / self.height
        share = {0: across, 90: 1 - down, 180: 1 - across, 270: down}[self.rotation]
        return min(1.0, max(0.0, 1 - share if self.mirrored else share))

    def divider(self, share: float) -> tuple[float, float, float, float]:
        """Return a divider's line (x1, y1, x2, y2) in the view. share: of the width."""
        if self.mirrored:
            share = 1 - share
        if self.upright_divider:
            x = self.x + self.width * (share if self.rotation == 0 else 1 - share)
            return x, self.y, x, self.y + self.height
        y = self.y + self.height * (share if self.rotation == 270 else 1 - share)
        return self.x, y, self.x + self.width, y
