"""A frame's way through the stages that every frame takes, as work for GPUs: from its planes to the network, and from
the network to the target's size; and the source at that size, which a look may show.

Where two sizes are the same there is no filter between them, and where a style has no table no colours.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.layouts import Record
from framebrush.gpu.passes import Given, Language, Pass, Tensor, Work
from framebrush.gpu.sizes import Size
from framebrush.gpu.stages import detail, planes_to_tensor
from framebrush.gpu.stages.look import ToneMap
from framebrush.gpu.stages.resample import TO_TARGET, TO_WORKING, Filter, Resampling
from framebrush.gpu.stages.table import APART, Colours
from framebrush.gpu.stylizer import Settings

CONVERT, ORIGINAL = "convert", "original"
"""The works that begin with planes, and their records."""

PLANES = Given("planes")
"""Of the source: their addresses, for kernels of CUDA."""

PLANE = tuple(Given(f"plane {number}") for number in range(3))
"""The same for kernels of HLSL, as textures, and of WGSL, as samples put into words."""


class Way:
    """What the slots of a stylizer share.

    frame: the network's input, padded, in the colours of the table ahead of it. styled: its output. steadied: what a
    temporal window makes of several outputs. original: the source at the target's size; the network's input where all
    sizes are the same. fine: its fine luma. convert: makes `frame` of the planes. remake: makes `original`, None where
    that is the frame. detail: makes `fine`. painted, resize, recoloured: of a result, what it is at the target's size,
    what makes that, and what gives it other colours, `painting`. own: a slot's own table behind the painting, in place
    of the style's.
    """

    def __init__(self, settings: Settings, language: Language) -> None:
        self._settings, self._language = settings, language
        self._is_cuda = language == "cuda"
        sizes, plan, style = settings.sizes, settings.plan, settings.style
        precision, hlsl = style.card.precision, not self._is_cuda
        self.frame = Tensor.of("frame", plan.padded_size, precision, kept=True)
        self.styled = Tensor.of("styled", plan.output_size, precision, kept=True)
        self.steadied = Tensor.of("steadied", plan.output_size if hlsl else sizes.output, kept=True)
        same = sizes.source == sizes.working == sizes.target
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
            ORIGINAL: _filter(sizes.source, sizes.target, TO_TARGET, "source to target size"),
        }
        self.convert = self._of_planes(CONVERT)
        self.remake = None if same else self._of_planes(ORIGINAL)
        self.detail = detail.work(sizes, self.original)
        self.painted = cache(self._painted)
        self.resize = cache(self._resize)
        self.recoloured = cache(self._recoloured)

    def records(self, tone_map: ToneMap) -> dict[str, Record]:
        """Of the works that begin with planes."""
        made, normalised = {}, not self._is_cuda
        for name, target in self._tensors.items():
            scaling = self._filters[name]
            size = scaling.between.size_px if scaling else target.size_px
            taps = scaling.taps_x if scaling else 0
            made[name] = planes_to_tensor.convert(self._settings.source, size, tone_map, taps, normalised=normalised)
        return made

    def _painted(self, result: Tensor) -> Tensor:
        """A result of the network, or of a temporal window, at the target's size. But on CUDA it is in the colours
        of the table, too: its values are within 0 and 1, and 16 bits hold them, which is half the traffic of all that
        reads it."""
        if not self._is_cuda:
            if self._to_target or self.after:
                size = self._settings.sizes.target if self._to_target else result.size_px
                return Tensor.of("painted", size, "unorm16", kept=True)
            return result
        return Tensor.of("painted", self._settings.sizes.target, kept=True) if self._to_target else result

    def _of_planes(self, name: str) -> Work:
        scaling, target = self._filters[name], self._tensors[name]
        made, size = target, target.size_px
        if self._before and not self._is_cuda:  # where no kernel reads what it writes
            made = Tensor.of(f"{size[0]}x{size[1]} ahead of the table", size)
        passes = [self._converted(name, scaling, scaling.between if scaling else made)]
        if scaling:
            passes.append(scaling.along_columns(made))
        if self._before:
            passes.append(self._before.taken(made, target, size))
        return Work(name, tuple(passes))

    def _converted(self, name: str, scaling: Resampling | None, into: Tensor) -> Pass:
        """The kernel that makes a tensor of the planes."""
        source = self._settings.source
        defines = planes_to_tensor.convert_variant(source, resized=bool(scaling), keeps_hdr=self._settings.keeps_hdr)
        if not self._is_cuda:
            if self._language == "wgsl":
                defines = (*defines, ("BITS", str(8 * np.dtype(source.dtype).itemsize)))
            # Older GPUs want every descriptor of a table filled: the first plane stands in for what is not there.
            planes = [PLANE[number if number < len(source.plane_shapes) else 0] for number in range(len(PLANE))]
            planes_and_filter = (*planes, scaling.columns if scaling else PLANE[0])
            return Pass("planes_to_tensor", planes_and_filter, (into,), into.size_px, name, defines)
        threads, defines = into.size_px, (*defines, sample_define(source))
        if scaling is None and source.subsample == (1, 1):
            threads, defines = blocks(threads), (*defines, ("CHROMA_420", "1"))
        reads = PLANES, scaling.columns if scaling else into  # nothing is read of the stand-in
        return Pass("planes_to_tensor", reads, (into,), threads, name, defines, element_of=into)

    def _resize(self, result: Tensor, *, own: bool = False) -> Work | None:
        """What makes `painted` of a result; None where that is the result. own: in the colours of a slot's own
        table."""
        painted, size = self.painted(result), self._settings.sizes.target
        if painted == result:
            return None
        table = None if self._is_cuda else self.own if own else self.after
        passes = []
        if self._to_target:
            into = Tensor.of("painting ahead of the table", size) if table else painted
            passes = [self._to_target.along_rows(result), self._to_target.along_columns(into)]
            result = into
        if table:
            passes.append(table.taken(result, painted, size))
        return Work("resize", tuple(passes))

    def _recoloured(self, result: Tensor, *, own: bool = False) -> Work | None:
        """On CUDA, what makes `painting` of a painting at the target's size; None where the style has no table. The
        painting stays, as it is shown again with other looks."""
        table = self.own if own else self.after
        if table is None:
            return None
        picture = self.painted(result)
        return Work("colours", (table.taken(picture, self.painting, self._settings.sizes.target, APART),))


def _filter(size: Size, resized: Size, shape: Filter, label: str) -> Resampling | None:
    return None if size == resized else Resampling.of(size, resized, shape, label)


def sample_define(picture: FrameFormat) -> tuple[str, str]:
    """What kernels of CUDA that read or write planes are compiled with. Floats of 16 bits are read as their bits."""
    return ("SAMPLE", {np.uint8: "uint8", np.float32: "float"}.get(picture.dtype, "uint16"))


def blocks(size: Size, down: int = 1) -> Size:
    """Threads of a kernel of CUDA that makes 4x2 samples in each, or 4x1. down: log2 of the rows."""
    return -(-size[0] // 4), -(-size[1] // (1 << down))
