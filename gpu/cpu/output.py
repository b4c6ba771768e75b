"""Last stages of frames."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from framebrush.gpu.cpu.slot import CpuSlot
from framebrush.gpu.cpu.stages.corners import NOTHING_KEPT
from framebrush.gpu.cpu.stages.cpu_colour_table import Colours
from framebrush.gpu.cpu.stages.detail import Detail
from framebrush.gpu.cpu.stages.finishing import Finishing
from framebrush.gpu.cpu.stages.masks import Masking
from framebrush.gpu.cpu.stages.resize import Resizer
from framebrush.gpu.cpu.stages.strips import Floats, Tensor, Workers, is_finite
from framebrush.gpu.cpu.stages.tensor_to_planes import TensorToPlanes
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.onnx_session import native_errors
from framebrush.gpu.settings import Settings
from framebrush.gpu.stage_times import StageTimes
from framebrush.gpu.stages.detail import coarse_size
from framebrush.gpu.stages.resample import TO_TARGET
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stages.strokes.drawn import DrawnStrokes
from framebrush.gpu.stages.strokes.laying import laid
from framebrush.gpu.stylizer import Counters


@dataclass(frozen=True, slots=True, eq=False)
class FrameLayers:
    """Layers of a painted frame at the target's size.

    film: encoded R'G'B' (3, H, W). height_px: of paint at relief 1.
    """

    film: Floats
    height_px: Floats
    strokes: DrawnStrokes


class Output:
    """Stages from a painting to planes."""

    def __init__(
        self, settings: Settings, before: Colours | None, workers: Workers, counters: Counters, times: StageTimes
    ) -> None:
        self._settings, self._sizes, sizes = settings, settings.sizes, settings.sizes
        self._before, self._masking, self._counters, self._times = before, Masking(workers), counters, times
        resized = sizes.output != sizes.target
        self._to_target = Resizer(sizes.output, sizes.target, TO_TARGET, top=1.0) if resized else None
        # made when they are first needed
        self._to_planes: TensorToPlanes | None = None
        self._source_to_target: Resizer | None = None
        self._detail: Detail | None = None

    def make(self, slot: CpuSlot, into: Frame, look: Look, converter: TensorToPlanes | None = None) -> bool:
        """Make a frame; return whether it is finite. converter: None to the target."""
        size = self._sizes.target
        with self._times.measured("output"), native_errors("the frame could not be converted for output"):
            styled, source = slot.result, slot.source
            finite = None
            if self._to_target is not None:
                width, height = self._sizes.output
                finite = is_finite(styled[:, :height, :width])
                styled = self._to_target.run(styled)
                self._counters.dispatches += 1
            if look.shows_source:
                source = self._at_target(source)
            if self._before and look.shows_source:
                width, height = size
                coloured = np.array(source[:, :height, :width], np.float32)
                self._before.run(coloured, coloured)
                source = coloured
            photo = None
            if slot.masked:
                photo = slot.masked.photo(source, size, look, self._masking)
                self._counters.dispatches += photo is not None
            fine = None
            if look.needs_detail:
                self._detail = self._detail or Detail(size, coarse_size(self._sizes))
                fine = self._detail.run(source)
                self._counters.dispatches += 1
            if look.finishes or slot.colours:
                kept = slot.masked.kept(self._sizes.working) if slot.masked else NOTHING_KEPT
                styled, is_shown = self._finishing.run(
                    styled, slot.tensors.frame, look, fine, slot.strokes, slot.colours, slot.maps, kept
                )
                finite = is_shown if finite is None else finite
                look, fine = (look.undetailed, None) if look.raises else (look, fine)
                self._counters.dispatches += 1
            self._counters.dispatches += 1
            if look.part and look.shows_source:
                source = laid(source[:, : size[1], : size[0]].astype(np.float32, copy=False), look.part)
            if converter is None:
                converter = self._to_planes = self._to_planes or TensorToPlanes(self._settings.target)
            converted = converter.run(source, styled, look, into, fine, photo)
        return converted if finite is None else finite

    @cached_property
    def _finishing(self) -> Finishing:
        return Finishing(self._sizes, layout_of(self._settings), self._masking.workers)

    def read_strokes(self, slot: CpuSlot, look: Look) -> DrawnStrokes:
        styled = slot.result if self._to_target is None else self._to_target.run(slot.result)
        return self._finishing.read(styled, slot.tensors.frame, look, slot.strokes, slot.colours, slot.maps)

    def read_layers(self, slot: CpuSlot, look: Look) -> FrameLayers:
        width, height = self._sizes.target
        height_px = self._finishing.height_px if look.draws else np.zeros((height, width), np.float32)
        strokes = self.read_strokes(slot, look)
        film = np.array(self._at_target(slot.source)[:, :height, :width], np.float32)
        return FrameLayers(film, height_px, strokes)

    def _at_target(self, source: Tensor) -> Tensor:
        # valid until the next call
        if self._sizes.target == self._sizes.source:
            return source
        self._source_to_target = self._source_to_target or Resizer(
            self._sizes.source, self._sizes.target, TO_TARGET, top=self._settings.source_top
        )
        self._counters.dispatches += 1
        return self._source_to_target.run(source)
