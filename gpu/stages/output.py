"""Output picture and its planes as passes. Reference: `gpu.stages.tensor_to_planes`."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np

from framebrush.gpu.frame import FrameFormat, PlaneOrder
from framebrush.gpu.kernel_sources import Defines
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import (
    FLAG,
    Language,
    Pass,
    PerFrame,
    Resource,
    Step,
    Tensor,
    Texture,
    Work,
    element_define,
    packed_define,
)
from framebrush.gpu.stages.frame_passes import FramePasses, blocks, sample_define
from framebrush.gpu.stages.lighting import LIT
from framebrush.gpu.stages.tensor_to_planes import LIT_OUTPUT, SHOWN, output, output_variant


class Unlit(NamedTuple):
    """Relief that the output lights."""

    pictures: tuple[Texture, ...]
    brushed: bool
    record: Record


UNREAD = Tensor.of("unread", (1, 1))

Shown = tuple[Tensor | Texture, Tensor, Resource]
"""Inputs of an output: painting at the target's size, source, fine luma. Unread ones are the first, or the painting."""


class Output:
    """Output of a picture format. words: memory of planes, for WGSL."""

    def __init__(self, way: FramePasses, target: FrameFormat, language: Language, name: str = "output") -> None:
        self._way, self._target, self._language, self.name = way, target, language, name
        self.planes = tuple(PerFrame(f"{name} plane {number}") for number in range(len(target.plane_shapes)))
        self.words, self._lit = PerFrame(f"{name} words"), f"{name} of relief"
        self._work = cache(self._made)
        self._record = lru_cache(maxsize=8)(self._written)

    def shown(self, painted: Tensor, look: Look, drawn: Tensor | Texture | Unlit | None = None) -> Shown:
        """Return an output's inputs. drawn: result of strokes and relief."""
        first, stand_in = drawn or painted, painted
        if isinstance(first, Unlit):
            first, stand_in = first.pictures[0], UNREAD
        elif isinstance(first, Tensor):
            stand_in = first
        source = self._way.source(look) if look.shows_source else stand_in
        return first, source, self._way.fine if output_look(look).needs_detail else stand_in

    def lights(self, look: Look) -> bool:
        """Return whether `step` takes a look's relief unlit."""
        return look.raises and self._language != "cuda" and self._target.layout is not PlaneOrder.RGBA

    def step(self, slot: int, look: Look, painted: Tensor, drawn: Tensor | Texture | Unlit | None = None) -> Step:
        """Return the step that makes a slot's picture."""
        shown = self.shown(painted, look, drawn)
        record, work = self._record(shown[0].size_px, shown[1].size_px, look), self._work
        if isinstance(drawn, Unlit):
            brushed = (("BRUSHED", "1"),) if drawn.brushed else ()
            return Step(work(shown, brushed, drawn.pictures[1:]), slot, (), {self._lit: lit_record(record, drawn)})
        plain = self._language == "cuda" and not (look.shows_source or look.grades)
        return Step(work(shown, (("PLAIN", "1"),) if plain else ()), slot, (), {self.name: record})

    def _written(self, painted_size: tuple[int, int], source_size: tuple[int, int], look: Look) -> Record:
        target = self._target
        return output(target.size, painted_size, source_size, target, output_look(look))

    def _made(self, shown: Shown, defines: Defines, lit_by: tuple[Texture, ...] = ()) -> Work:
        target, is_cuda, kernel, count = self._target, self._language == "cuda", "tensor_to_rgba", 1
        threads, packed = target.size, packed_define(shown[0])
        defines = self._defines(shown[0], defines) if is_cuda else (*packed, *defines)
        if target.layout is not PlaneOrder.RGBA:
            kernel, count = "relief_to_yuv" if lit_by else "tensor_to_yuv", 3
            defines = (*defines, *output_variant(target))
            rows, columns = target.plane_shapes[1][:2]
            threads = blocks(threads, target.subsample[1]) if is_cuda else (columns, rows)
        # the first plane stands in for missing ones
        writes = (*self.planes, *[self.planes[0]] * (count - len(self.planes)), FLAG)
        clears = (self.words,) if self._language == "wgsl" and count > 1 else ()
        name = self._lit if lit_by else self.name
        made = Pass(kernel, (*shown, *lit_by), writes, threads, name, defines, shown[1], clears)
        return Work(self.name, (made,))

    def _defines(self, painted: Tensor | Texture, plain: Defines) -> Defines:
        kind = element_define(painted)[1] if isinstance(painted, Tensor) else "2"
        samples = () if self._target.layout is PlaneOrder.RGBA else (sample_define(self._target),)
        return (("PAINTED", kind), *plain, *samples)


def lit_record(shown: Record, unlit: Unlit) -> Record:
    record = np.zeros((), LIT_OUTPUT)
    for given, fields in ((shown, SHOWN), (unlit.record, LIT)):
        for name, *_ in fields:
            record[name] = given[name]
    return record


def output_look(look: Look) -> Look:
    """Return the look for the output: no detail after relief."""
    return look.undetailed if look.raises else look
