"""Check of painters in 16 bits, and the errors of drivers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from framebrush.gpu.errors import DeviceError, DeviceLostError, RefusedKernelError, WrongResultError
from framebrush.gpu.hlsl.half_check import CHECKED_SIZE, check_halves, opened_in_halves
from framebrush.gpu.hlsl.painter_dispatches import NATIVE_TILES, Dispatch, plan_dispatches
from framebrush.gpu.painter import FRAME, Painter, read_painter
from framebrush.gpu.painter_reference import Picture, computed
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style


@pytest.fixture(scope="module")
def painter() -> Painter:
    found = read_painter(load_style(bundled()["realtime"]).model)
    assert found is not None
    return found


@pytest.mark.parametrize("off", [0.0, 0.02, np.nan])
@pytest.mark.parametrize("tile", NATIVE_TILES)
def test_a_wrong_picture_is_an_error(painter: Painter, tile: str, off: float) -> None:
    dispatches = plan_dispatches(painter, (640, 360), NATIVE_TILES[tile])
    assert dispatches is not None
    painted: list[tuple[int, int]] = []

    def paint(painter: Painter, planned: Sequence[Dispatch], frame: Picture, mix: Sequence[float]) -> Picture:
        assert [one.tile for one in planned] == [one.tile for one in dispatches]
        painted.append((frame.shape[2], frame.shape[1]))
        return computed(painter, frame, mix) + np.where(frame > 0.999, off, 0.0)

    if off == 0.0:
        check_halves("card", painter, dispatches, paint)
    else:
        with pytest.raises(WrongResultError, match="the driver of card computes wrong in 16 bits, by"):
            check_halves("card", painter, dispatches, paint)
    assert painted == [CHECKED_SIZE]


@pytest.mark.parametrize("tile", NATIVE_TILES)
def test_the_layer_that_reads_the_frame_keeps_32_bits(painter: Painter, tile: str) -> None:
    planned = plan_dispatches(painter, (640, 360), NATIVE_TILES[tile])
    assert planned is not None
    assert [one.tile.native for one in planned] == [one.layer.a != FRAME for one in planned]


def test_a_refusal_is_told_from_other_errors() -> None:
    def fail(error: Exception) -> int:
        raise error

    assert opened_in_halves(lambda: 3) == 3
    with pytest.raises(RefusedKernelError, match="no 16 bits"):
        opened_in_halves(lambda: fail(DeviceError("no 16 bits")))
    with pytest.raises(DeviceLostError):
        opened_in_halves(lambda: fail(DeviceLostError("gone")))
