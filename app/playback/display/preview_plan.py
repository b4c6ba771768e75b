"""Sizes and precision of previews."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.gpu.device import Device
from framebrush.gpu.frame import rgba8
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.sizes import Sizes, reduced
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.keyframes import Stroke
from framebrush.jobs.prepare import at_target, job_sizes, stroke_sizes
from framebrush.media.video import VideoInfo
from framebrush.models.style import Precision, StyleError
from framebrush.playback.display.fitted_look import FittedLook
from framebrush.playback.display.guides import Guides
from framebrush.styles.brush_tips import brush_of

KEPT: dict[Precision, str] = {
    "float16": QT_TRANSLATE_NOOP(
        "Player", "This style is painted in 32 bits, because 16 bits would lose too much precision."
    ),
    "int8": QT_TRANSLATE_NOOP(
        "Player", "This style is painted in 32 bits: only bundled paintings can have 8, without a changing blend."
    ),
}
"""Notes on styles that cannot have the chosen precision."""


class PreviewPlan:
    """Sizes and precision, as requested and as in the latest pipeline."""

    def __init__(self) -> None:
        self.requested: Precision = "auto"
        self.precision: Precision = "auto"
        """Precision in effect, "auto" if device or style has no other."""
        self.stroke: Stroke | None = None  # of a frame, where strokes have keyframes
        self.divisor = 1.0
        """Of the working size."""
        self.sizes: Sizes | None = None
        self.whole: Sizes | None = None  # without a divisor
        self.aspect = 1.0
        """Sample aspect ratio of painted frames."""

    def pipeline(self, device: Device, info: VideoInfo, look: FittedLook, guides: Guides) -> FramePipeline | None:
        """Make a pipeline, None without a style."""
        style, source = look.style, info.format
        if style is None:
            return None
        self.whole = whole = job_sizes(guides.sizes, source, style)
        if self.stroke is not None:
            self.whole = whole = stroke_sizes(guides.sizes, self.stroke, source, style)
        self.sizes = sizes = reduced(whole, style.card, self.divisor)
        target = rgba8(*sizes.target)
        self.aspect = float(at_target(info, sizes).sample_aspect)
        plan = StylizerPlan(
            replace(style, mix=()),  # the pipeline serves all paintings of the file: the look has their weights
            source,
            target,
            working=sizes.working,
            stroke_px=sizes.stroke_px,
            kind=brush_of(guides.sizes, style.card, guides.mark),
            look=look.most,
            precision=self.requested if self.requested in device.info.precisions else "auto",
            window=look.window,
            carries=look.has_strokes,
            moving=look.moves,
        )
        make = partial(FramePipeline, device, orientation=info.orientation)
        self.precision = plan.precision
        try:
            return make(plan)
        except StyleError:
            if self.precision not in KEPT:
                raise
            self.precision = "auto"
            return make(replace(plan, precision="auto"))

    def kept_by(self, device: Device) -> tuple[str, ...]:
        """Return a note if the style cannot have the requested precision."""
        is_lost = self.requested in device.info.precisions and self.precision != self.requested
        return (KEPT[self.requested],) if is_lost else ()
