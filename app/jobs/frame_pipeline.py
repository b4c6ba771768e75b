"""Pipeline of single frames with look, maps and masks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from typing import Any

from framebrush.base.closing import Closing
from framebrush.gpu.device import Device
from framebrush.gpu.frame import DeviceFrame, Frame, FrameFormat, PlaneOrder
from framebrush.gpu.look import Look
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.sizes import Sizes
from framebrush.gpu.stages.strokes import layout_of
from framebrush.gpu.stylizer import Stylizer, Ticket
from framebrush.jobs.above_peak import AbovePeak
from framebrush.jobs.keyframes import TimeOf
from framebrush.jobs.look_masks import LookMasks
from framebrush.media.video import Orientation, VideoFrame
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import Masks
from framebrush.models.style import Style
from framebrush.styles.maps import BrushMaps, maps_as_they_lie
from framebrush.subject.composition import composed

UPRIGHT = Orientation()

LookOf = Callable[[VideoFrame], Look]
"""Returns the look of a frame."""


def planes_of(target: FrameFormat) -> FrameFormat:
    """Return a target's format for devices, which lack grey."""
    if target.layout is not PlaneOrder.GREY:
        return target
    return replace(target, layout=PlaneOrder.PLANAR, subsample=(1, 1))


class FramePipeline(Closing):
    """Stylizer that is fed frame by frame."""

    def __init__(
        self,
        device: Device,
        plan: StylizerPlan,
        *,
        maps: BrushMaps | None = None,
        look_of: LookOf | None = None,
        time_of: TimeOf | None = None,
        orientation: Orientation = UPRIGHT,
    ) -> None:
        """Create the stylizer on a device, which stays open.

        maps: closed here. look_of: by default the stylizer's. orientation: masks are upright.
        """
        self.device, self.plan, self.look_of = device, plan, look_of
        self._maps, self._time_of, self._orientation = maps or BrushMaps(), time_of, orientation
        self._above_peak = AbovePeak(plan.source)
        try:
            self.stylizer = self._opened()
            self.masks = LookMasks(self.stylizer.look, orientation)
            self.masks.tracked(self._maps)  # loads networks, and sets `problem`
        except BaseException:
            self._maps.close()
            raise

    @property
    def notes(self) -> tuple[str, ...]:
        """Messages about this style on this device."""
        return (*self.stylizer.notes, *((self.masks.problem,) if self.masks.problem else ()))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Messages about painted frames."""
        return self._above_peak.warnings

    def use(self, style: Style, sizes: Sizes | None) -> None:
        """Switch to another style or working size."""
        former, made_for = self.plan, self.stylizer.sizes
        self.plan = replace(former, style=style)
        if sizes is not None:
            self.plan = replace(self.plan, working=sizes.working, stroke_px=sizes.stroke_px)
        if sizes is None or (sizes.working, sizes.stroke_px) == (made_for.working, made_for.stroke_px):
            if style is former.style:
                return
            if replace(style, after=former.style.after) == former.style and self.stylizer.use_table(style.after):
                return
        self._renew()

    def use_table(self, table: ColourTable | None) -> None:
        """Switch to a colour table of equal size."""
        if table is not self.plan.style.after:
            self.plan = replace(self.plan, style=replace(self.plan.style, after=table))
            changes = self.stylizer.use_table(table)
            assert changes

    def move_to(self, device: Device) -> None:
        """Continue on another device, if necessary by its own engine."""
        self.device = device
        if self.plan.engine not in device.engines:
            self.plan = replace(self.plan, engine="auto")
        self._renew()

    def _opened(self) -> Stylizer[Any]:
        return self.device.stylizer_of(replace(self.plan, target=planes_of(self.plan.target)))

    def _renew(self) -> None:
        look = self.stylizer.look
        self.stylizer.close()
        self.plan = replace(self.plan, look=look)
        self.stylizer = self._opened()

    def guide(self, frame: VideoFrame, maps: BrushMaps, time_s: Fraction | None, look: Look | None = None) -> None:
        """Set a frame's masks and maps, in order, as masks are tracked.

        time_s: from the first frame. Raises InputError for an unreadable map.
        """
        stylizer = self.stylizer
        given = maps_as_they_lie(maps.at(frame.number, time_s), self._orientation)
        masks = self.masks_of(frame, maps, time_s)
        resolved = stylizer.settings.resolved(look or stylizer.look)
        layout = layout_of(stylizer.settings) if resolved.draws else None
        stylizer.maps, stylizer.masks = composed(given, masks, resolved, layout), masks

    def masks_of(self, frame: VideoFrame, maps: BrushMaps | None = None, time_s: Fraction | None = None) -> Masks:
        """Return a frame's masks. time_s: see `guide`."""
        return self.masks.of(frame, maps or self._maps, time_s)

    def masks_behind(self, before: Iterable[VideoFrame], frame: VideoFrame, maps: BrushMaps, time_s: Fraction) -> Masks:
        """Return a frame's masks after following earlier ones."""
        for each in before:
            self.masks.follow(each, maps)
        return self.masks_of(frame, maps, time_s)

    def submit(self, frame: VideoFrame, into: Frame | None = None) -> Ticket:
        """Submit a frame with its look. Raises as `guide`."""
        look = None if self.look_of is None else self.look_of(frame)
        time_s = self._time_of(frame) if self._time_of else None
        self.guide(frame, self._maps, time_s, look)
        settings = self.stylizer.settings
        if settings.keeps_hdr and not settings.resolved(look or self.stylizer.look).hides_painting:
            self._above_peak.see(frame.frame)
        return self.stylizer.submit(frame.frame, into, place=frame.number, look=look)

    def follow(self, frame: VideoFrame) -> None:
        """Follow a frame with strokes and masks."""
        self.masks.follow(frame, self._maps)
        self.stylizer.follow(frame.frame, place=frame.number)

    def skip(self, frame: VideoFrame) -> None:
        """Follow a frame with masks only."""
        self.masks.follow(frame, self._maps)
        if isinstance(frame.frame, DeviceFrame):
            frame.frame.release()

    def close(self) -> None:
        """Free everything."""
        with ExitStack() as stack:
            stack.callback(self._maps.close)
            self.stylizer.close()
