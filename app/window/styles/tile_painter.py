"""Thread that paints one frame in several looks."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtGui import QImage

from framebrush.analysis.to_rgb import ToRgb, opaque, small
from framebrush.base.worker_thread import LatestWorker
from framebrush.gpu.device import Device, DeviceInfo, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.sizes import STROKE_PX, Sizes
from framebrush.gpu.stylizer import Stylizer
from framebrush.jobs.keyframes import LookOverTime, ShotsOfCard
from framebrush.jobs.prepare import job_sizes, states_of
from framebrush.jobs.recipe import Recipe
from framebrush.media.video import InputError, VideoFrame, VideoInfo
from framebrush.models.brushes import BrushKind, Maps
from framebrush.models.style import ModelCard, Style, StyleError
from framebrush.styles.brush_tips import brush_of, brush_tip_of
from framebrush.styles.maps import maps_at, state_of
from framebrush.styles.passthrough import passthrough_style
from framebrush.styles.specs import SizeSpec
from framebrush.styles.style_names import OpenedStyle, coloured_by, fitting, in_colours, open_style
from framebrush.window.picture.composing import in_square_pixels

LINES = 270
"""Maximum height of the pictures: at 540 lines, strokes would be too narrow to be visible in a tile."""

KEPT_STYLES, KEPT_STYLIZERS = 32, 4
"""Cached because reading a style's file, and loading a network, takes as long as painting a tile."""


@dataclass(frozen=True, eq=False, slots=True)
class Painting:
    """Request for thumbnails. lines: maximum height of the pictures."""

    frame: VideoFrame
    info: VideoInfo
    looks: tuple[Recipe, ...]
    sizes: SizeSpec
    lines: int = LINES


CPU = "cpu"

OnTile = Callable[[Painting, Recipe, QImage], None]


class TilePainter(LatestWorker[Painting]):
    """Paints the latest request, on the CPU or a graphics card.

    An unusable look gives a null image.
    """

    def __init__(self, on_tile: OnTile) -> None:
        """Start. on_tile: called in its thread with upright tiles."""
        self._on_tile = on_tile
        self._stale = False
        self._wanted_device = self._opened_as = CPU
        self._device: Device | None = None  # opened for the first tile
        self._styles: OrderedDict[tuple[object, ...], OpenedStyle] = OrderedDict()  # by names and states of files
        self._stylizers: list[tuple[Style, Stylizer[Any]]] = []  # the most recently used one last
        super().__init__("tiles")

    def forget(self) -> None:
        """Discard cached styles: their files may have changed."""
        self._stale = True

    def use_device(self, info: DeviceInfo) -> None:
        """Use a graphics card from the next tile on, or the CPU."""
        self._wanted_device = CPU if info.on_processor else info.address

    # The thread

    def _run(self) -> None:
        try:
            for painting in self._requests():
                with suppress(DeviceError):  # a frame that cannot be converted
                    self._paint(painting)
        finally:
            if self._device is not None:
                self._device.close()

    def _paint(self, painting: Painting) -> None:
        reduced: dict[object, Frame] = {}
        for look in painting.looks:
            if not self._is_latest(painting):
                return
            converted = look.look.at_convert
            reduced[converted] = reduced.get(converted) or reduced_frame(painting, look.look)
            try:
                tile = self._tile(painting, look, reduced[converted])
            except (StyleError, DeviceError, InputError, OSError, ValueError):
                tile = QImage()
            if not self._ended:
                self._on_tile(painting, look, tile)

    def _tile(self, painting: Painting, wanted: Recipe, frame: Frame) -> QImage:
        (rgba,) = self._styled(painting, wanted, frame).planes
        return in_square_pixels(rgba.astype(np.uint8, copy=False), painting.info)

    def _styled(self, painting: Painting, wanted: Recipe, frame: Frame) -> Frame:
        opened = self._opened(wanted)
        strokes = wanted.sizes.sized_as(painting.sizes)
        brush = brush_of(strokes, opened.style.card, brush_tip_of(strokes))
        at = painting.frame.number, painting.info.time_s(painting.frame)
        maps = maps_at(strokes, state_of(strokes), *at)
        sizes = self._sizes(painting, wanted, frame)
        still = replace(wanted.look.alone, mix=opened.style.mix)
        look = LookOverTime(still, (), shots=ShotsOfCard.of(opened.style.card)).at(*at)
        style = coloured_by(opened, frame)
        try:
            return self._painted(style, frame, sizes, brush, maps, look)
        except (DeviceLostError, OutOfMemoryError):  # other errors are the style's fault
            if self._opened_as == CPU:
                raise
            self._wanted_device = CPU
            return self._painted(style, frame, sizes, brush, maps, look)

    def _sizes(self, painting: Painting, wanted: Recipe, frame: Frame) -> Sizes:
        style = self._opened(wanted).style
        film = job_sizes(wanted.sizes.sized_as(painting.sizes), painting.info.format, style)
        return tile_sizes(film, style.card, frame.format.size)

    def _opened(self, recipe: Recipe) -> OpenedStyle:
        if self._stale:
            self._stale = False
            self._styles.clear()
        key = recipe.style.name, recipe.colours, states_of(recipe)
        if key not in self._styles:
            opened = open_style(recipe.style.name)
            try:
                self._styles[key] = in_colours(opened, fitting(opened, recipe.colours))
            except StyleError:
                self._styles[key] = opened
            while len(self._styles) > KEPT_STYLES:
                self._styles.popitem(last=False)
        self._styles.move_to_end(key)
        return self._styles[key]

    def _painted(self, style: Style, frame: Frame, sizes: Sizes, kind: BrushKind, maps: Maps, look: Look) -> Frame:
        stylizer = self._stylizer(style, frame, sizes, kind, look)
        stylizer.maps = maps
        return stylizer.fetch(stylizer.submit(frame))

    def _in_use(self) -> Device:
        wanted = self._wanted_device
        if self._device is not None and self._opened_as != wanted:
            device, self._device = self._device, None
            self._stylizers.clear()
            with suppress(DeviceError):
                device.close()
        if self._device is None:
            try:
                self._device, self._opened_as = open_device(wanted), wanted
            except DeviceError:
                self._device, self._opened_as = open_device(CPU), CPU
                self._wanted_device = CPU
        return self._device

    def _stylizer(self, style: Style, frame: Frame, sizes: Sizes, kind: BrushKind, look: Look) -> Stylizer[Any]:
        device = self._in_use()
        bare = replace(style, mix=())
        for index, (former, stylizer) in enumerate(self._stylizers):
            made_for = stylizer.sizes, stylizer.settings.kind
            fits = made_for == (sizes, kind) and replace(bare, after=former.after) == former
            if fits and stylizer.use_table(bare.after):
                stylizer.look = look
                self._stylizers.append(self._stylizers.pop(index))
                return stylizer
        while len(self._stylizers) >= KEPT_STYLIZERS:
            self._stylizers.pop(0)[1].close()
        stylizer = device.stylizer(
            bare,
            frame.format,
            frame.format,
            working=sizes.working,
            stroke_px=sizes.stroke_px,
            kind=kind,
            look=look,
            slots=1,
            moving=True,
        )
        self._stylizers.append((bare, stylizer))
        return stylizer


def tile_sizes(film: Sizes, card: ModelCard, size: tuple[int, int]) -> Sizes:
    """Return the sizes for painting a tile, with strokes as in the film."""
    stroke_px = max(STROKE_PX, film.stroke_px * min(size) / min(film.target))
    working = size
    if card.fixed_size is not None:
        working = card.fixed_size
    elif card.paints:
        working = max(1, round(size[0] * STROKE_PX / stroke_px)), max(1, round(size[1] * STROKE_PX / stroke_px))
    return Sizes.of(size, working, size, card.scale, stroke_px)


def reduced_frame(painting: Painting, look: Look) -> Frame:
    """Return the reduced frame in R'G'B'. Raises DeviceError."""
    frame, picture = painting.frame.frame, painting.info.format
    size = small(picture.size, painting.lines)
    with ExitStack() as stack:
        return opaque(ToRgb(stack, picture, size, passthrough_style(), look)(frame))
