"""Strips of the frame on the screen in each brush."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, QSize
from PySide6.QtGui import QImage

from framebrush.analysis.to_rgb import opaque
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame
from framebrush.gpu.sizes import Sizes
from framebrush.jobs.recipe import Recipe
from framebrush.media.reading.orientation import upright
from framebrush.media.video import InputError, VideoFrame, VideoInfo
from framebrush.models.brushes import PRESETS, Maps
from framebrush.models.style import StyleError
from framebrush.styles.brush_tips import brush_of
from framebrush.styles.passthrough import passthrough_style
from framebrush.window.look.brush_kinds import BrushKinds
from framebrush.window.picture.composing import image_of
from framebrush.window.state.session import Session
from framebrush.window.styles.film_tiles import StillTiles, values_of_tiles
from framebrush.window.styles.tile_painter import Painting, TilePainter, reduced_frame

LINES, STRIP_PX, SHAPE = 540, 60, 4
"""Heights of painted frame and strip, and the strip's width in heights."""

KEPT = 8
"""Frames, styles and looks whose strips are kept."""


class StripPainter(TilePainter):
    """Runs the network once on the CPU, and draws a strip in each brush."""

    def _paint(self, painting: Painting) -> None:
        first = painting.looks[0]
        try:
            frame = reduced_frame(replace(painting, lines=LINES), first.look)
            bare = replace(first, look=first.look.unfinished)
            painted, sizes = self._styled(painting, bare, frame), self._sizes(painting, first, frame)
        except (StyleError, DeviceError, InputError, OSError, ValueError):
            return
        strip = _strip(painted, painting.info)
        for wanted in painting.looks:
            if not self._is_latest(painting):
                return
            self._on_tile(painting, wanted, self._drawn(strip, wanted, sizes.stroke_px))

    def _drawn(self, strip: Frame, wanted: Recipe, stroke_px: float) -> QImage:
        card, size = self._opened(wanted).style.card, strip.format.size
        kind, shown = brush_of(wanted.sizes, card, None), wanted.look.of(card)
        sizes = Sizes.of(size, size, size, 1, stroke_px)
        drawn = self._painted(passthrough_style(), strip, sizes, kind, Maps(), shown.stroked)
        (rgba,) = drawn.planes
        return image_of(rgba.astype(np.uint8, copy=False), QSize(*size))


def _strip(painted: Frame, info: VideoInfo) -> Frame:
    (rgba,) = painted.planes
    whole = upright(rgba[..., :3], info.orientation)
    rows, columns = whole.shape[:2]
    height = max(1, min(STRIP_PX, rows, columns // SHAPE))
    width, top = min(columns, SHAPE * height), (rows - height) // 2
    left = (columns - width) // 2
    return opaque(np.ascontiguousarray(whole[top : top + height, left : left + width]).astype(np.uint8, copy=False))


class BrushStrips(StillTiles):
    """Shows strips in place of the brushes' bundled pictures."""

    def __init__(self, session: Session, kinds: BrushKinds, parent: QObject) -> None:
        self._kinds = kinds
        self._kept: deque[tuple[tuple[object, ...], dict[str, QImage]]] = deque(maxlen=KEPT)
        super().__init__(session, kinds, StripPainter, parent)

    @property
    def _wanted(self) -> tuple[object, ...]:
        return _values_of_strips(self._session.shown_at.number, self._session.at_current_frame.recipe)

    def _strips(self) -> dict[str, QImage]:
        return next((strips for key, strips in self._kept if key == self._shown), {})

    def _begin(self) -> None:
        if all(key != self._shown for key, _ in self._kept):
            self._kept.append((self._shown, {}))
        self._kinds.show_strips(self._strips())

    def _missing(self) -> tuple[Recipe, ...]:
        there, seen = self._strips(), self._session.at_current_frame.recipe
        recipe = replace(seen, sizes=replace(seen.sizes, brush_mark=None), look=seen.look.undivided, keys=())
        names = [name for name in PRESETS if name not in there] if self._kinds.isEnabled() else []
        return tuple(replace(recipe, sizes=replace(recipe.sizes, brush_kind=name)) for name in names)

    def _lend(self, take: Callable[[VideoFrame, VideoInfo], None]) -> None:
        self._session.player.lend_for_strips(take)

    def _forget(self) -> None:
        self._kept.clear()
        self._kinds.show_strips(None)

    def _take(self, painting: Painting, wanted: Recipe, tile: QImage) -> None:
        name, made_for = wanted.sizes.brush_kind, _values_of_strips(painting.frame.number, wanted)
        if name is not None and self._is_open(painting) and made_for == self._shown:
            self._strips()[name] = tile
            self._kinds.show_strips(self._strips())


def _values_of_strips(number: int, recipe: Recipe) -> tuple[object, ...]:
    without_kind = replace(recipe, sizes=replace(recipe.sizes, brush_kind=None, brush_mark=None), keys=())
    return recipe.style, *values_of_tiles(number, without_kind)
