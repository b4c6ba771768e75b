"""The rectangle of the picture in the view (upright, square pixels, as large as fits), and its divider."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from framebrush.media.video import VideoInfo


@dataclass(frozen=True, slots=True)
class Place:
    """The rectangle of the picture in the view, in the view's own unit, and how the picture is
    turned: rotation counter-clockwise (0, 90, 180 or 270), after it was flipped left to right where mirrored."""

    x: float
    y: float
    width: float
    height: float
    rotation: int = 0
    mirrored: bool = False

    @classmethod
    def of(cls, info: VideoInfo, view_width: float, view_height: float) -> Self:
        """Centre a video in a view."""
        rotation = info.rotation_degrees // 90 * 90 % 360
        wide, high = info.format.width * float(info.sample_aspect), float(info.format.height)
        if rotation in (90, 270):
            wide, high = high, wide
        scale = min(view_width / wide, view_height / high)
        width, height = wide * scale, high * scale
        return cls((view_width - width) / 2, (view_height - height) / 2, width, height, rotation, info.mirrored)

    @property
    def upright_divider(self) -> bool:
        """Whether the divider is vertical: it is so in the stored picture, which may be shown rotated."""
        return self.rotation in (0, 180)

    def split_at(self, x: float, y: float) -> float:
        """The share of the stored picture's width at a point of the view, 0..1."""
        across = (x - self.x) / self.width
        down = (y - self.y) / self.height
        share = {0: across, 90: 1 - down, 180: 1 - across, 270: down}[self.rotation]
        return min(1.0, max(0.0, 1 - share if self.mirrored else share))

    def divider(self, share: float) -> tuple[float, float, float, float]:
        """The line (x1, y1, x2, y2) that a share of the stored picture's width is shown as."""
        if self.mirrored:
            share = 1 - share
        if self.upright_divider:
            x = self.x + self.width * (share if self.rotation == 0 else 1 - share)
            return x, self.y, x, self.y + self.height
        y = self.y + self.height * (share if self.rotation == 270 else 1 - share)
        return self.x, y, self.x + self.width, y
