"""Works of every frame: planes to network, results and source to the target."""

from __future__ import annotations

from functools import cache

import numpy as np

from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.passes import Language, Pass, PerFrame, Tensor, Work
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import detail, planes_to_tensor
from framebrush.gpu.stages.resample import TO_TARGET, TO_WORKING, Filter, Resampling
from framebrush.gpu.stages.table import APART, Colours

CONVERT, ORIGINAL = "convert", "original"
"""Names of the works that read planes, and of their records."""

PLANES = PerFrame("planes")
"""Addresses of the source's planes, for CUDA kernels."""

PLANE = tuple(PerFrame(f"plane {number}") for number in range(3))
"""The source's planes, as textures for HLSL kernels, as packed samples for WGSL."""


class FramePasses:
    """Tensors and works that a stylizer's slots share.

    Attributes:
        frame: padded network input, after the first table.
        second: the second style's output, shared by all slots.
        steadied: the temporal filter's mean.
        original, fine: the source at the target's size, without roll-off, and its fine luma.
        convert, remake, detail: make `frame`, `original` (None if equal), `fine`.
        painted, resize, recoloured: a result at the target's size, its work, and the colour table's.
    """

    def __init__(self, settings: Settings, language: Language) -> None:
        self._settings, self._language = settings, language
        self._is_cuda = language == "cuda"
        sizes, plan, style = settings.sizes, settings.plan, settings.style
        precision, hlsl = style.card.precision, not self._is_cuda
        self.frame = Tensor.of("frame", plan.padded_size, precision, kept=True)
        self.styled = Tensor.of("styled", plan.output_size, precision, kept=True)
        self.second = Tensor.of("second painting", plan.output_size, precision)
        self.steadied = Tensor.of("steadied", plan.output_size if hlsl else sizes.output, kept=True)
        same = sizes.source == sizes.working == sizes.target and not settings.rolls_off
        self.original = self.frame if same else Tensor.of("original", sizes.target, kept=True)
        self.fine = detail.fine_luma(sizes)
        self.painting = Tensor.of("painting in other colours", sizes.target)
        self._before = Colours.of(style.before, "table ahead of the network") if style.before else None
        self.after = Colours.of(style.after, "table behind the network") if style.after else None
        self.own = Colours.of(style.after, "table behind the network", kept=True) if style.after else None
        self._to_target = _filter(sizes.output, sizes.target, TO_TARGET, "output to target size")
        self._tensors = {CONVERT: self.frame, ORIGINAL: self.original}
        self._filters = {
            CONVERT: _filter(sizes.source, sizes.working, TO_WORKING, "source to working size"),
            ORIGINAL: _filter(sizes.source, sizes.target, TO_TARGET, "source to target size", settings.source_top),
        }
        self.convert = self._of_planes(CONVERT)
        self.remake = None if same else self._of_planes(ORIGINAL)
        self.detail = detail.work(sizes, self.original)
        self.laid = Tensor.of("source on its canvas", self.original.size_px, self.original.element)
        self.painted = cache(self._painted)
        self.resize = cache(self._resize)
        self.recoloured = cache(self._recoloured)
        self._records = cache(self._made_records)

    def source(self, look: Look) -> Tensor:
        """Return the source that a look shows, at the target's size."""
        return self.laid if look.part else self.original

    def records(self, look: Look) -> dict[str, Record]:
        """Return the records of works that read planes."""
        return self._records(look.tone_map)

    def _made_records(self, tone_map: ToneMap) -> dict[str, Record]:
        made = {}
        for name, target in self._tensors.items():
            scaling = self._filters[name]
            size = scaling.between.size_px if scaling and self._is_cuda else target.size_px
            taps = scaling.taps_x if scaling else 0
            made[name] = planes_to_tensor.convert(
                self._settings.source,
                size,
                tone_map,
                taps,
                normalised=not self._is_cuda,
                textures=self._language == "hlsl",
                rolls_off=name == CONVERT,
            )
            if scaling:
                made[name]["made"] = scaling.resized
                made[name]["taps_rows"], made[name]["top"] = scaling.taps_y, scaling.top
        return made

    def _painted(self, result: Tensor) -> Tensor:
        if not self._is_cuda:
            if self._to_target or self.after:
                size = self._settings.sizes.target if self._to_target else result.size_px
                if self._language == "wgsl" and self._to_target and self._to_target.enlarges and not self.after:
                    return Tensor.packed("painted", size, kept=True)
                return Tensor.of("painted", size, "unorm16", kept=True)
            return result
        return Tensor.of("painted", self._settings.sizes.target, kept=True) if self._to_target else result

    def _of_planes(self, name: str) -> Work:
        scaling, target = self._filters[name], self._tensors[name]
        made, size = target, target.size_px
        if self._before and not self._is_cuda:  # if no kernel reads its own output
            made = Tensor.of(f"{size[0]}x{size[1]} ahead of the table", size)
        apart = scaling if self._is_cuda else None
        passes = [self._converted(name, scaling, apart.between if apart else made)]
        if apart:
            passes.append(apart.along_columns(made))
        if self._before:
            passes.append(self._before.taken(made, target, size))
        return Work(name, tuple(passes))

    def _converted(self, name: str, scaling: Resampling | None, into: Tensor) -> Pass:
        source = self._settings.source
        defines = planes_to_tensor.convert_variant(source, resized=bool(scaling), keeps_hdr=self._settings.keeps_hdr)
        if not self._is_cuda:
            if self._language == "wgsl":
                defines = (*defines, ("BITS", str(8 * np.dtype(source.dtype).itemsize)))
            # older GPUs need every descriptor filled: the first plane stands in for missing ones
            planes = [PLANE[number if number < len(source.plane_shapes) else 0] for number in range(len(PLANE))]
            filters = (scaling.columns, scaling.rows) if scaling else (PLANE[0], PLANE[0])
            return Pass("planes_to_tensor", (*planes, *filters), (into,), into.size_px, name, defines)
        threads, defines = into.size_px, (*defines, sample_define(source))
        if scaling is None and source.subsample == (1, 1):
            threads, defines = blocks(threads), (*defines, ("CHROMA_420", "1"))
        reads = PLANES, scaling.columns if scaling else into  # a stand-in that is not read
        return Pass("planes_to_tensor", reads, (into,), threads, name, defines, element_of=into)

    def _resize(self, result: Tensor, *, own: bool = False) -> Work | None:
        painted, size = self.painted(result), self._settings.sizes.target
        if painted == result:
            return None
        table = None if self._is_cuda else self.own if own else self.after
        passes = []
        if self._to_target:
            into = Tensor.of("painting ahead of the table", size) if table else painted
            scaling = self._to_target
            apart = scaling.along_rows(result), scaling.along_columns(into)
            passes = [*apart] if self._is_cuda else [*scaling.at_once(result, into)]
            result = into
        if table:
            passes.append(table.taken(result, painted, size))
        return Work("resize", tuple(passes))

    def _recoloured(self, result: Tensor, *, own: bool = False) -> Work | None:
        table = self.own if own else self.after
        if table is None:
            return None
        picture = self.painted(result)
        return Work("colours", (table.taken(picture, self.painting, self._settings.sizes.target, APART),))


def _filter(size: Size, resized: Size, shape: Filter, label: str, top: float = 1.0) -> Resampling | None:
    return None if size == resized else Resampling.of(size, resized, shape, label, top)


def sample_define(picture: FrameFormat) -> tuple[str, str]:
    """Return the define of CUDA kernels for samples."""
    return ("SAMPLE", {np.uint8: "uint8", np.float32: "float"}.get(picture.dtype, "uint16"))


def blocks(size: Size, down: int = 1) -> Size:
    """Return threads for 4x2 or 4x1 samples. down: log2 of rows."""
    return -(-size[0] // 4), -(-size[1] // (1 << down))
