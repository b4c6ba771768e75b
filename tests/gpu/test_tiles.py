"""The plan of tiles: covers once, keeps the stride, keeps the reach; and the estimate of a network's memory."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from framebrush.gpu import tiles
from framebrush.models.style import ModelCard
from tests import networks

pytestmark = pytest.mark.unit

CARD = ModelCard("test", "Test", ("test",))


def test_tiles_cover_every_pixel_once_and_keep_their_distance() -> None:
    sizes = [(1, 1), (64, 48), (853, 479), (1920, 1080), (513, 100)]
    for size, side, radius, stride in product(sizes, (1, 64, 200, 512), (0, 1, 17, 100), (1, 4, 8, 32)):
        plan = tiles.plan(*size, replace(CARD, stride=stride, radius_px=radius), side)
        case = f"{size=} {side=} {radius=} {stride=}"
        assert plan.padded_width % stride == plan.padded_height % stride == 0, case
        assert 0 <= plan.padded_width - max(size[0], 16) < stride, case
        assert plan.tile_width % stride == plan.tile_height % stride == 0, case
        covered = np.zeros((plan.padded_height, plan.padded_width), np.uint8)
        for tile in plan.tiles:
            assert tile.x % stride == tile.y % stride == 0, case
            assert 0 <= tile.x <= plan.padded_width - plan.tile_width, case
            assert 0 <= tile.y <= plan.padded_height - plan.tile_height, case
            assert tile.left < tile.right, case
            assert tile.top < tile.bottom, case
            covered[tile.y + tile.top : tile.y + tile.bottom, tile.x + tile.left : tile.x + tile.right] += 1
            assert tile.left >= radius or tile.x == 0, case
            assert tile.top >= radius or tile.y == 0, case
            assert plan.tile_width - tile.right >= radius or tile.x + plan.tile_width == plan.padded_width, case
            assert plan.tile_height - tile.bottom >= radius or tile.y + plan.tile_height == plan.padded_height, case
        assert np.all(covered == 1), case
        assert max(plan.tile_width, plan.tile_height) <= max(side + stride, 2 * (radius + stride) + 32 + stride), case


def test_tiles_are_as_small_as_their_number_allows() -> None:
    plan = tiles.plan(1000, 600, replace(CARD, radius_px=10), 512)
    assert (plan.tile_width, len(plan.tiles)) == (510, 4)  # two across: (1000 - 20) / 2 + 20
    assert plan.tile_height == 310


def test_off_is_the_whole_frame_and_its_padding() -> None:
    plan = tiles.plan(853, 479, replace(CARD, stride=4, radius_px=500), "off")
    assert plan.whole
    assert (plan.tile_width, plan.tile_height) == (plan.padded_width, plan.padded_height) == (856, 480)
    assert plan.notes == ()


def test_auto_tiles_only_what_does_not_fit() -> None:
    card = replace(CARD, radius_px=8, stride=4)
    assert tiles.plan(1920, 1080, card, "auto", bytes_per_pixel=100, budget_bytes=1920 * 1080 * 100).whole
    plan = tiles.plan(1920, 1080, card, "auto", bytes_per_pixel=100, budget_bytes=1920 * 1080 * 100 - 1)
    assert not plan.whole
    assert plan.tile_width * plan.tile_height * 100 < 1920 * 1080 * 100
    tight = tiles.plan(1920, 1080, card, "auto", bytes_per_pixel=100, budget_bytes=0)
    assert tight.tile_width <= 2 * 8 + 32  # and no smaller than keeps 32 pixels, or near it after balancing
    assert tight.tile_width >= 2 * 8 + 28


def test_notes_say_what_tiles_do_to_the_look() -> None:
    plain_card = replace(CARD, radius_px=4)
    plain = tiles.plan(640, 360, plain_card, 128)
    assert plain.notes == (f"tiles of {plain.tile_width}x{plain.tile_height} px",)
    assert "normalises by statistics" in tiles.plan(640, 360, replace(plain_card, frame_statistics=True), 128).notes[1]
    assert "receptive field" in tiles.plan(640, 360, CARD, 256).notes[1]
    assert tiles.plan(640, 360, CARD, 640).notes == ()


def test_a_network_gets_enough_pixels_to_pad_with() -> None:
    assert tiles.plan(1, 3, CARD, "auto").padded_size == (16, 16)
    assert tiles.plan(3, 40, replace(CARD, stride=12), "off").padded_size == (24, 48)
    assert tiles.plan(8, 8, replace(CARD, fixed_size=(8, 8)), "auto").padded_size == (8, 8)


def test_a_side_without_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match="tiles of 0 pixels have no pixels"):
        tiles.plan(640, 360, CARD, 0)


def test_memory_of_a_network_counts_what_lives_at_a_time() -> None:
    identity = tiles.activation_bytes_per_pixel(networks.identity().fixed(32, 16))
    assert identity == 2 * 3 * 4  # frame and styled
    assert tiles.activation_bytes_per_pixel(networks.identity(half=True).fixed(32, 16)) == 2 * 3 * 2
    net = networks.Net([1, 3, "H", "W"], name="frame")
    net.conv(np.zeros((32, 3, 1, 1), np.float32))
    net.add("Relu")
    net.conv(np.zeros((3, 32, 1, 1), np.float32))
    assert tiles.activation_bytes_per_pixel(networks.canonical(net).fixed(32, 16)) == 2 * 32 * 4  # frame is gone


def test_memory_of_a_result_is_held_to_the_end() -> None:
    """Also where other nodes read it, and need most after that."""
    net = networks.Net([1, 3, 16, 32], name="frame")
    result = net.conv(np.zeros((3, 3, 1, 1), np.float32))
    net.conv(np.zeros((32, 3, 1, 1), np.float32))
    net.add("Relu")
    net.last = result
    assert tiles.activation_bytes_per_pixel(net.model([1, 3, 16, 32]).SerializeToString()) == (3 + 2 * 32) * 4


def test_a_plan_suits_both_networks_of_a_frame() -> None:
    """The stride of both, the larger radius, and statistics that either takes of a frame."""

    def card(**facts: Any) -> ModelCard:  # noqa: ANN401
        return ModelCard("test", "Test", ("test",), **facts)

    both = tiles.shared([card(stride=4, radius_px=9), card(stride=6, radius_px=30)])
    assert (both.stride, both.radius_px, both.frame_statistics) == (12, 30, False)
    assert tiles.shared([card(radius_px=9), card(radius_px=None)]).radius_px is None
    assert tiles.shared([card(radius_px=9), card(frame_statistics=True)]).frame_statistics
    alone = card(stride=8, radius_px=0)
    assert tiles.shared([alone]) is alone
