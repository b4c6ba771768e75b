"""The bytes of a frame as `benchmarks/traffic.py` counts them."""

from __future__ import annotations

import math
from typing import get_args

import pytest

from benchmarks.traffic import NETWORK, Traffic, settings_for
from framebrush.gpu.passes import Language
from framebrush.gpu.stages.strokes import layout_of

pytestmark = pytest.mark.unit

SIZE = 640, 360


@pytest.mark.parametrize("language", ["hlsl", "wgsl"])
def test_a_frame_moves_half_a_gigabyte_at_most(language: Language) -> None:
    """At 1080p, for cards without large caches."""
    assert Traffic(settings_for((1920, 1080), "starry-night"), language).bytes <= 500e6


@pytest.mark.parametrize("language", get_args(Language))
def test_a_frame_moves_every_part(language: Language) -> None:
    moved = Traffic(settings_for(SIZE, "starry-night"), language).moved
    strokes = "strokes" if language == "cuda" else "brush"
    assert {work for work, _ in moved} >= {"convert", NETWORK, "steady", "carry", strokes, "relief", "output"}
    assert all(one.bytes for one in moved.values())


def test_planes_and_tensors_have_their_sizes() -> None:
    settings = settings_for(SIZE, "starry-night")
    moved = Traffic(settings, "wgsl").moved
    pixels = math.prod(SIZE)
    assert moved["convert", "planes_to_tensor"].read >= 1.5 * pixels
    assert moved["output", "relief_to_yuv"].written == 2 * 1.5 * pixels + 4  # cleared first, as words are shared
    width, height = settings.plan.padded_size
    assert moved["steady", "steady_levels"].read == 2 * 3 * 4 * width * height


def test_neighbours_are_counted_each() -> None:
    """CUDA's kernels read all neighbours in one pass."""
    moved = Traffic(settings_for(SIZE, "starry-night"), "cuda").moved
    assert moved["steady", "steady_mix"].read > 4 * moved["steady", "steady_source"].written


def test_the_filter_reads_each_frame_once() -> None:
    settings = settings_for(SIZE, "starry-night")
    mixed = Traffic(settings, "hlsl").moved["steady", "steady_mix"]
    pixels = math.prod(settings.sizes.working)
    assert mixed.written == 3 * 4 * math.prod(settings.plan.output_size)
    assert 0 < mixed.read - 5 * 12 * pixels < 12 * pixels  # and the motion of blocks


def test_a_pass_reads_the_part_of_a_buffer_that_it_sees() -> None:
    settings = settings_for(SIZE, "starry-night")
    moved, layout = Traffic(settings, "hlsl").moved, layout_of(settings)
    columns, rows = layout.level_size(layout.tensor_level)
    assert moved["brush", "stroke_tensor"].read == 16 * columns * rows


def test_numbers_in_buffers_have_32_bits_on_webgpu() -> None:
    hlsl, wgsl = (Traffic(settings_for(SIZE, "starry-night"), language).moved for language in ("hlsl", "wgsl"))
    assert wgsl["carry", "stroke_film"].written > hlsl["carry", "stroke_film"].written
    assert wgsl["output", "relief_to_yuv"].read == hlsl["output", "relief_to_yuv"].read
    assert wgsl["brush", "stroke_list"].read == hlsl["brush", "stroke_list"].read
