"""The WGSL stroke kernels, run one after another, against the CPU's C kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

import numpy as np
import pytest

from framebrush.gpu.cpu.stages.strips import Workers
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.layouts import Record
from framebrush.gpu.look import Look
from framebrush.gpu.passes import NO_RECORDS, Buffer, Tensor, Texture, Work
from framebrush.gpu.stages.strokes import OIL, BrushKind, layout_of
from framebrush.gpu.stages.strokes import passes as strokes
from framebrush.gpu.stages.strokes.brush_maps import MAP_PLANES, planes
from framebrush.gpu.stages.strokes.laying import times_of
from framebrush.gpu.unfinished import Times
from framebrush.gpu.webgpu.kernels import Shader
from framebrush.models.brushes import NO_MAPS, Maps
from tests.gpu.easel import (
    KINDS,
    LIMITS,
    SIZES,
    Easel,
    Floats,
    Painted,
    Values,
    assert_carried,
    assert_drawn,
    assert_finest_left_out,
    assert_revealed,
)
from tests.gpu.webgpu import harness
from tests.gpu.webgpu.harness import Gpu, needs_vulkan
from tests.gpu.webgpu.passes import Playing

pytestmark = [pytest.mark.parity, needs_vulkan]

TOLERANCE = {
    "stroke_first_level": 1e-5,  # float32 arithmetic
    "stroke_need": 1e-5,
    "stroke_direction": 1e-5,
    "stroke_trace": 1e-4,  # sizes and colours, in pixels and 0..1; of 2 % paths may turn another way
    "stroke_cut": 0.02,  # of the pixels: the same, and hairs of the underpainting's front
    "stroke_draw": 0.015,  # of the pixels: one may lie nearer to one piece of a path or to the next; a line has 600
}

CARRYING = {
    Variant("stroke_film"),
    Variant("stroke_motion"),
    Variant("stroke_camera"),
    Variant("stroke_settle"),
    Variant("stroke_agree"),
    Variant("stroke_carry"),
    Variant("stroke_fill"),
}
LOOKING = {
    Variant("stroke_first_level"),
    Variant("stroke_next_level"),
    Variant("stroke_need"),
    Variant("stroke_tensor"),
    Variant("stroke_direction"),
    Variant("stroke_look"),
}
DRAWING = {
    Variant("corner_cells"),
    Variant("corner_share"),
    Variant("stroke_pick"),
    Variant("stroke_trace"),
    Variant("stroke_offsets"),
    Variant("stroke_list"),
    Variant("stroke_draw"),
    Variant("stroke_draw", (("RAISED", "1"),)),
}


class WebEasel(Easel):
    """Of WGSL."""

    language = "wgsl"

    def __init__(self, gpu: Gpu, name: str, workers: Workers, kind: BrushKind = OIL, maps: Maps = NO_MAPS) -> None:
        super().__init__(name, workers, kind, maps)
        self.picture, self.picture_step = Texture("picture", "unorm16x4", self.picture.size_px), 2**-11
        self.playing = Playing(gpu)
        for slot in range(2):
            self.playing.array(MAP_PLANES, slot)[:] = planes(maps)

    def fill(self, tensor: Tensor, slot: int, values: Floats) -> None:
        columns, rows = tensor.size_px
        whole = np.pad(values, ((0, 0), (0, rows - values.shape[1]), (0, columns - values.shape[2])), "edge")
        if tensor.element == "uint32":
            codes = np.rint(65535.0 * np.pad(whole, ((0, 0), (0, 0), (0, columns % 2)))).astype(np.uint32)
            whole = codes[..., 0::2] | codes[..., 1::2] << 16
        self.playing.array(tensor, slot)[:] = whole.ravel()

    def use_times(self, slot: int, times: Times) -> None:
        self.playing.array(times_of(layout_of(self.settings)), slot)[:] = times.table

    def content(self, buffer: Buffer, slot: int = 0) -> Values:
        return self.playing.array(buffer, slot).copy()

    def pixels(self, texture: Texture) -> Floats:
        return self.playing.array(texture, 0).copy()

    def run(
        self, work: Work, slot: int, others: Sequence[int] = (), records: Mapping[str, Record] = NO_RECORDS
    ) -> None:
        self.playing.run(work, slot, others, records)


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    """Of the CPU's kernels."""
    with closing(Workers()) as made:
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
def test_strokes_are_carried_to_the_same_places(gpu: Gpu, workers: Workers, name: str) -> None:
    made = WebEasel(gpu, name, workers)
    assert_carried(made)
    assert made.playing.ran >= CARRYING


@pytest.mark.slow
@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_strokes_are_drawn_as_on_the_processor(gpu: Gpu, workers: Workers, name: str, kind: str) -> None:
    made = WebEasel(gpu, name, workers, *KINDS[kind])
    assert_drawn(Painted(made), TOLERANCE)
    if name == "broad":  # with a pyramid of many levels
        assert made.playing.ran == CARRYING | LOOKING | DRAWING


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_parts_of_strokes_are_drawn_as_on_the_processor(gpu: Gpu, workers: Workers, name: str, kind: str) -> None:
    made = WebEasel(gpu, name, workers, *KINDS[kind])
    assert_revealed(Painted(made), TOLERANCE)
    assert made.playing.ran >= {Variant("stroke_cut")}


def test_fine_luma_is_added_to_strokes_under_relief(gpu: Gpu, workers: Workers) -> None:
    easel = WebEasel(gpu, "half", workers)
    made, fine = Painted(easel), easel.way.fine
    plain, _ = made.draw()
    luma = 0.1 * np.random.default_rng(2).standard_normal(fine.count).astype(np.float32)
    easel.playing.array(fine, made.place % 2)[:] = luma
    detailed, _ = made.draw(Look(brush=1.0, relief=1.0, detail=0.5), fine)
    want = np.clip(plain + 0.5 * luma.reshape(plain.shape[1:]), 0.0, 1.0)
    np.testing.assert_allclose(detailed, want, rtol=0, atol=2 * easel.picture_step)


@pytest.mark.slow
def test_a_picture_does_not_depend_on_the_order_of_threads(gpu: Gpu, workers: Workers) -> None:
    made = Painted(WebEasel(gpu, "half", workers))
    first = made.draw()
    for _ in range(3):
        for ours, theirs in zip(made.draw(), first, strict=True):
            np.testing.assert_array_equal(ours, theirs)


@pytest.mark.slow
def test_a_tile_may_have_more_strokes_than_are_put_in_order_at_once(
    gpu: Gpu, workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, known = Painted(WebEasel(gpu, "half", workers)), harness.shader
    picture, _ = made.draw()

    def few(variant: Variant, options: dict[str, int] | None = None) -> Shader:
        found = known(variant, options)
        return Shader(found.text.replace("736", "48"), found.group, found.bindings, found.constants)

    monkeypatch.setattr(harness, "shader", few)
    monkeypatch.setattr(gpu, "_pipelines", {})
    np.testing.assert_array_equal(made.draw()[0], picture)
    assert made.easel.listed().max() > 96


@pytest.mark.parametrize("limit", LIMITS)
def test_what_there_is_no_room_for_is_left_out_from_the_finest_layer_on(
    gpu: Gpu, workers: Workers, monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(strokes, limit, LIMITS[limit])
    assert_finest_left_out(Painted(WebEasel(gpu, "half", workers)))
