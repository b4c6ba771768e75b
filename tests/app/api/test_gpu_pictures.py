"""Pictures on a GPU, described without one."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.api.paint import planes_of
from framebrush.gpu.frame import rgba8
from framebrush.media.dlpack import Described

pytestmark = pytest.mark.unit


def described(shape: tuple[int, ...], strides: tuple[int, ...], kind: str) -> Described:
    return Described(4096, shape, strides, kind, None)


def test_four_channels_lie_together() -> None:
    assert planes_of(described((4, 6, 4), (24, 4, 1), "uint8")) == (rgba8(6, 4), (4096,))
    assert planes_of(described((4, 6, 4), (32, 4, 1), "uint8")) == (rgba8(6, 4), (4096,))


@pytest.mark.parametrize(("kind", "size"), [("uint8", 1), ("uint16", 2), ("float32", 4)])
def test_three_planes_are_green_blue_red(kind: str, size: int) -> None:
    form, planes = planes_of(described((4, 6, 3), (8, 1, 100), kind))
    assert (form.size, np.dtype(form.dtype)) == ((6, 4), kind)
    assert planes == (4096 + 100 * size, 4096 + 200 * size, 4096)


@pytest.mark.parametrize(
    ("shape", "strides", "kind"),
    [
        ((4, 6, 4), (23, 4, 1), "uint8"),  # overlapping rows
        ((4, 6, 4), (24, 4, 1), "float32"),
        ((4, 6, 4), (48, 8, 2), "uint8"),
        ((4, 6, 3), (18, 3, 1), "uint8"),  # colours beside each other
        ((4, 6, 3), (6, 1, 0), "uint8"),  # one plane for all colours
        ((4, 6, 3), (6, 1, -24), "uint8"),
        ((4, 6, 3), (5, 1, 24), "uint8"),
    ],
)
def test_others_are_refused(shape: tuple[int, ...], strides: tuple[int, ...], kind: str) -> None:
    with pytest.raises(ValueError, match="on a GPU cannot be painted; give four channels of uint8"):
        planes_of(described(shape, strides, kind))
