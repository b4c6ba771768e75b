"""Reference backend: stages in float64, networks by ONNX Runtime on the CPU."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import onnxruntime as ort

from framebrush.gpu import colour, host_memory
from framebrush.gpu.colour import Array
from framebrush.gpu.device import NO_DIAGNOSIS, Device, DeviceInfo, Diagnosis
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame, HostMemoryFrame, rgba8
from framebrush.gpu.look import Look
from framebrush.gpu.settings import Settings
from framebrush.gpu.sizes import StageBytes
from framebrush.gpu.stages import detail, masks, planes_to_tensor, resample, tensor_to_planes
from framebrush.gpu.stages.cells import Cells
from framebrush.gpu.stages.corners import at_target, corners
from framebrush.gpu.stages.detail import coarse_size
from framebrush.gpu.stages.relief.reference import lit
from framebrush.gpu.stages.resample import TO_WORKING
from framebrush.gpu.stages.steady.reference import Painted, steadied
from framebrush.gpu.stages.strokes import carriage_bytes, coverage, layout_of
from framebrush.gpu.stages.strokes.advection import Carriage, carried, search_plane, strokes_at_home
from framebrush.gpu.stages.strokes.laying import laid
from framebrush.gpu.stages.strokes.reference import drawn, sample_painting
from framebrush.gpu.stages.strokes.stroke_samples import looks_at
from framebrush.gpu.stages.table import coloured
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.surface import CallbackSurface, Surface
from framebrush.models.brushes import NO_MAPS, Maps
from framebrush.models.colours.colour_table import ColourTable
from framebrush.models.soft_masks import NO_MASKS, Masks


@dataclass(slots=True)
class ReferenceSlot:
    """Frame in flight; arrays are R'G'B' (3, H, W), without padding.

    source: at the source's size. result: network's output or filtered mean. strokes: None without advection. samples:
    of masks.
    """

    source: Array
    working: Array
    styled: Array
    result: Array
    table: ColourTable | None = None
    strokes: Carriage | None = None
    maps: Maps = NO_MAPS
    masks: Masks = NO_MASKS
    samples: Array = field(default_factory=lambda: np.empty((0, 0, 0)))


class Network:
    """ONNX Runtime's session, for whole frames or tiles."""

    def __init__(self, settings: Settings) -> None:
        self._settings, plan = settings, settings.plan
        self.mix = settings.mix(settings.look)
        try:
            model = settings.style.fixed(plan.tile_width, plan.tile_height)
            options = ort.SessionOptions()
            options.intra_op_num_threads = 1  # more threads would spin between frames, on cores that others need
            self._session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime's exception types share no other base
            raise DeviceError(f"the network could not be loaded: {error}") from error

    def painted(self, working: Array, mix: tuple[float, ...]) -> Array:
        """Return the painting of a frame at the working size."""
        plan, sizes = self._settings.plan, self._settings.sizes
        across, down = (padded - side for padded, side in zip(plan.padded_size, sizes.working, strict=True))
        padded = np.pad(working, ((0, 0), (0, down), (0, across)), "edge")
        styled = np.empty((3, plan.output_size[1], plan.output_size[0]))
        for tile in plan.tiles:
            part = padded[:, tile.y : tile.y + plan.tile_height, tile.x : tile.x + plan.tile_width]
            kept = self._run(part, mix)[:, plan.scale * tile.top : plan.scale * tile.bottom]
            kept = kept[:, :, plan.scale * tile.left : plan.scale * tile.right]
            y, x = plan.scale * (tile.y + tile.top), plan.scale * (tile.x + tile.left)
            styled[:, y : y + kept.shape[1], x : x + kept.shape[2]] = kept
        return styled[:, : sizes.output[1], : sizes.output[0]]

    def _run(self, tensor: Array, mix: tuple[float, ...]) -> Array:
        inputs = {"frame": tensor[None].astype(self._settings.style.card.precision)}
        if mix:
            inputs["mix"] = np.array([mix], np.float32)
        try:
            outputs = self._session.run(["styled"], inputs)
        except Exception as error:
            raise DeviceError(f"the network failed: {error}") from error
        return cast(Array, outputs[0][0].astype(np.float64))


class ReferenceStylizer(Stylizer[ReferenceSlot]):
    """Stylizer that computes a frame in `submit`."""

    def _make_slots(self, count: int) -> list[ReferenceSlot]:
        second = self.settings.second
        self._network, self._second = Network(self.settings), second and Network(second)
        empty = np.empty((3, 0, 0))
        return [ReferenceSlot(empty, empty, empty, empty) for _ in range(count)]

    @property
    def _engine_name(self) -> str:
        return "onnxruntime"

    def _upload(self, slot: ReferenceSlot, frame: Frame, look: Look) -> None:
        slot.source = planes_to_tensor.planes_to_rgb(frame, look.tone_map, keeps_hdr=self.settings.keeps_hdr)

    def _import(self, slot: ReferenceSlot, frame: DeviceFrame, look: Look) -> None:
        assert isinstance(frame, HostMemoryFrame)
        slot.source = planes_to_tensor.planes_to_rgb(frame.content, look.tone_map, keeps_hdr=self.settings.keeps_hdr)
        frame.release()

    def _convert(self, slot: ReferenceSlot) -> None:
        source, settings = slot.source, self.settings
        if settings.rolls_off:
            source = colour.rolled_off(source, colour.roll_off(settings.source))
        slot.working = resample.resample(source, self.sizes.working, TO_WORKING)
        if self.settings.style.before:
            slot.working = coloured(slot.working, self.settings.style.before)

    def _run(self, slot: ReferenceSlot, look: Look) -> None:
        self._convert(slot)
        styled = self._painted(self._network, slot.working, self.settings.mix(look))
        self.counters.dispatches += 1
        slot.masks = self.masks
        if slot.masks != NO_MASKS:
            faces = masks.film_shares(slot.masks, look).faces
            slot.samples = masks.samples(slot.masks, faces, self.settings.style.before)
        shares = masks.second_shares(slot.masks, look)
        if self._second and any(shares):
            other = self._painted(self._second, slot.working, self._second.mix)
            styled = masks.mixed(other, styled, masks.share(slot.samples, slot.working, shares))
            self.counters.dispatches += 1
        shares = masks.film_shares(slot.masks, look)
        if any(shares):
            styled = masks.mixed(slot.working, styled, masks.share(slot.samples, slot.working, shares))
            self.counters.dispatches += 1
        slot.styled = slot.result = styled
        slot.table, slot.maps = self.table, self.maps

    def _painted(self, network: Network, working: Array, mix: tuple[float, ...]) -> Array:
        with self.times.measured("network"):
            painted = network.painted(working, mix)
        self.counters.runs += len(self.settings.plan.tiles)
        return painted

    def _follow(self, slot: ReferenceSlot, last: ReferenceSlot | None, look: Look, place: int) -> None:
        self._convert(slot)
        self._carry(slot, last, place)

    def _carry(self, slot: ReferenceSlot, last: ReferenceSlot | None, place: int) -> None:
        before = None if last is None else last.strokes
        slot.strokes = carried(before, search_plane(slot.working), place, layout_of(self.settings), self.sizes)
        self.counters.dispatches += 1

    def _combine(
        self,
        slot: ReferenceSlot,
        before: Sequence[ReferenceSlot],
        after: Sequence[ReferenceSlot],
        last: ReferenceSlot | None,
        look: Look,
        place: int,
    ) -> None:
        if self.settings.carries:
            self._carry(slot, last, place)
            if looks_at(place):
                assert slot.strokes
                painting = self._coloured(slot, slot.styled)
                slot.strokes = sample_painting(
                    painting, slot.working, slot.strokes, layout_of(self.settings), slot.maps
                )
        own = Painted(slot.working, slot.styled)
        past, future = ([Painted(near.working, near.styled) for near in side] for side in (before, after))
        slot.result = steadied(own, past, future, look.steady)
        self.counters.dispatches += 1

    def _picture(self, slot: ReferenceSlot, look: Look) -> Array:
        size = self.sizes.target
        source = resample.to_target(slot.source, size, self.settings.source_top)
        if self.settings.style.before:
            source = coloured(source, self.settings.style.before)
        fine: Array | float = 0.0
        if look.needs_detail:
            fine = detail.detail(source, coarse_size(self.sizes))
            self.counters.dispatches += 1
        shares = masks.photo_shares(slot.masks, look)
        photo: Array | float = 0.0
        if any(shares):
            photo = masks.share(slot.samples, source, shares)
            self.counters.dispatches += 1
        self.counters.dispatches += 1
        if look.part:
            source = laid(source, look.part)
        return tensor_to_planes.look(source, self._painting(slot, look, fine), look, photo=photo)

    def _painting(self, slot: ReferenceSlot, look: Look, fine: Array | float) -> Array:
        if slot.table or look.finishes:
            painting = self._coloured(slot, slot.result)
        else:
            painting = resample.to_target(slot.result, self.sizes.target)
        raised: Array | float = 0.0
        covered: Array | float = 0.0
        if look.draws:
            layout = layout_of(self.settings)
            carriage = slot.strokes or strokes_at_home(search_plane(slot.working), 0, layout)
            kept = masks.kept(slot.samples, self.sizes.working) if slot.masks.faces else 0.0
            left = corners(slot.working, kept) * (look.part.touches if look.part else 1.0)
            covered = coverage(look) * (1.0 - at_target(left, self.sizes.working, self.sizes.target))
            strokes, height = drawn(painting, slot.working, carriage, layout, slot.maps, look.part)
            painting = np.clip(painting + covered * (strokes - painting), 0.0, 1.0)
            raised = layout.raised_px * covered * height
            self.counters.dispatches += 1
        painting = np.clip(painting + look.detail * fine, 0.0, 1.0)
        if look.raises:
            painting = lit(painting, Cells.of(self.sizes), look, raised=raised, covered=covered)
            self.counters.dispatches += 1
        return painting

    def _coloured(self, slot: ReferenceSlot, styled: Array) -> Array:
        painting = np.nan_to_num(resample.to_target(styled, self.sizes.target), nan=0.0)
        if slot.table:
            painting = coloured(painting, slot.table)
            self.counters.dispatches += 1
        return painting

    def _show(self, slot: ReferenceSlot, surface: Surface, look: Look) -> None:
        assert isinstance(surface, CallbackSurface)
        picture = np.nan_to_num(self._picture(slot, look), nan=0.0)
        shown = tensor_to_planes.rgb_to_output(picture, rgba8(*self.sizes.target), look.dither)
        surface.put(shown.planes[0].astype(np.uint8))

    def _fetch(self, slot: ReferenceSlot, into: Frame, look: Look) -> bool:
        finite = bool(np.isfinite(slot.result).all())
        picture = np.nan_to_num(self._picture(slot, look), nan=0.0)
        tensor_to_planes.rgb_to_output(picture, self.target, look.dither).copy_to(into)
        return finite

    def _abandon(self, slot: ReferenceSlot) -> None: ...

    def _close(self) -> None: ...


class ReferenceDevice(Device):
    """Reference implementation as a device. stylizer_class: for tests."""

    stylizer_class: type[ReferenceStylizer] = ReferenceStylizer

    def _make_stylizer(self, settings: Settings) -> ReferenceStylizer:
        return self.stylizer_class(settings, self.identity, self._forget)

    def _upload(self, frame: Frame) -> DeviceFrame:
        return HostMemoryFrame(frame, self.identity)

    def _free_bytes(self) -> int:
        return host_memory.available_bytes()

    def _stage_bytes(self, settings: Settings) -> StageBytes:
        sizes, look = settings.sizes, settings.shown
        finishing = 40 * 8 * math.prod(sizes.target) if look.finishes else 0  # measured: float64 planes at a time
        return StageBytes(carriage_bytes(settings), finishing + masks.masks_bytes(sizes, look, in_place=False))

    def _close(self) -> None: ...


def list_devices() -> list[DeviceInfo]:
    return [DeviceInfo(0, "reference", "Reference (float64)", software=True)]


def open_device(info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> ReferenceDevice:
    return ReferenceDevice(info, diagnosis)
