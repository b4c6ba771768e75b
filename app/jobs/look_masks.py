"""Masks of frames for a look."""

from __future__ import annotations

from fractions import Fraction

from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.media.video import Orientation, VideoFrame, on_host
from framebrush.models.soft_masks import NO_MASKS, Masks
from framebrush.styles.maps import BrushMaps, as_it_lies
from framebrush.styles.style_names import area_of, needs_far
from framebrush.subject.area import BESIDE_PHOTOGRAPH, NOWHERE, of_alpha, shaped
from framebrush.subject.corrections import corrected, width_of
from framebrush.subject.film_masks import FilmMasks
from framebrush.subject.networks import Networks, SubjectError


class LookMasks:
    """Masks of consecutive frames, tracked.

    look: with keyframes' maxima. problem: why faces and people are missing.
    """

    def __init__(self, look: Look, orientation: Orientation) -> None:
        self.look, self.problem = look, ""
        self._orientation = orientation
        self._film_masks: FilmMasks | None = None

    def of(self, frame: VideoFrame, maps: BrushMaps, time_s: Fraction | None) -> Masks:
        """Return a frame's masks. time_s: from the first frame."""
        tracked = self.tracked(maps)
        if tracked is None:
            return NO_MASKS
        source = on_host(frame.frame)
        found = tracked.of(source, frame.number)
        layers = tuple(
            layer._replace(samples=as_it_lies(layer.samples, self._orientation))
            for layer in maps.corrections_at(frame.number)
        )
        area = self._area(found.area, source, frame, maps, time_s, is_added=any(each.kind == "area" for each in layers))
        if not layers and area is None:
            return found
        faces, inverted = found.faces, maps.asked.mask_invert
        if layers:
            faces, area = corrected(faces, area, layers, inverted=inverted, finds_faces=tracked.faces)
        width = (found.face_width or width_of(faces)) if faces else 0.0
        return Masks(faces, area, tracked.luma, width, found.far) if faces or area else NO_MASKS

    def _area(
        self,
        found: bytes | None,
        source: Frame,
        frame: VideoFrame,
        maps: BrushMaps,
        time_s: Fraction | None,
        *,
        is_added: bool,
    ) -> bytes | None:
        asked, look, area = maps.asked, self.look, found
        if not look.needs_area:
            return None
        if asked.by_alpha:
            area = of_alpha(source)
        elif (given := maps.mask_at(frame.number, time_s)) is not None:
            area = as_it_lies(given, self._orientation)
        if area is None:
            if not (look.outside or asked.mask_invert or is_added):
                return None
            area = NOWHERE
        invert, grow, soften = asked.mask_shape
        if asked.by_figures and look.leaves_photograph:
            grow += BESIDE_PHOTOGRAPH if not invert else -BESIDE_PHOTOGRAPH
        if invert or grow or soften:
            area = shaped(area, source.format.size, invert, grow, soften)
        return area

    @property
    def lacking(self) -> int:
        """Number of earlier frames that masks lack."""
        return self._film_masks.lacking if self._film_masks is not None else 0

    def untracked_before(self, number: int, maps: BrushMaps) -> int:
        """Return how many frames to follow before a frame."""
        tracked = self.tracked(maps)
        return tracked.untracked_before(number) if tracked is not None else 0

    def begin_anew(self) -> None:
        """Drop former frames; keep the networks."""
        if self._film_masks is not None:
            self._film_masks.begin_anew()

    def follow(self, frame: VideoFrame, maps: BrushMaps) -> None:
        """Track masks through an unpainted frame."""
        if (tracked := self.tracked(maps)) is not None:
            tracked.of(on_host(frame.frame), frame.number)

    def tracked(self, maps: BrushMaps) -> FilmMasks | None:
        """Return the tracked masks, loading networks; None if frames have none."""
        look = self.look
        faces, area, far = look.needs_faces, area_of(maps.asked, look), needs_far(maps.asked, look)
        given = look.needs_area and area is None
        if self.problem:
            faces, area, far = False, None, False
        if not (faces or area or given):
            return None
        known = self._film_masks
        if known is None or (known.faces, known.area, known.far) != (faces, area, far):
            try:
                networks = Networks(area=area, far=far) if faces or area or far else None
            except SubjectError as error:
                self.problem = f"{error}; faces and people are painted like everything else"
                return self.tracked(maps)
            quarters = self._orientation.quarters
            self._film_masks = FilmMasks(networks, quarters, faces=faces, area=area, far=far)
        return self._film_masks
