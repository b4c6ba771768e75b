"""Rules of page-locked memory, tested without a GPU: regions, lifetime, and references."""

from __future__ import annotations

import gc
import weakref
from dataclasses import dataclass, field
from typing import cast

import numpy as np
import pytest

from framebrush.gpu.cuda import page_locks
from framebrush.gpu.cuda.native import Native
from framebrush.gpu.cuda.page_locks import PageLocks
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.frame import Frame, nv12

pytestmark = pytest.mark.unit

PICTURE = nv12(64, 48)


@dataclass
class Driver:
    """The driver's part: ranges of addresses that are locked, and how many may be."""

    locked: dict[int, int] = field(default_factory=dict)
    most: int = 100


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    made = Driver()

    class Lock:
        def __init__(self, _: Native, pointer: int, size_bytes: int, label: str) -> None:
            if len(made.locked) == made.most:
                raise DeviceError(f"cuMemHostRegister of {label}: out of memory")
            assert pointer not in made.locked, "the driver refuses to lock memory twice"
            made.locked[pointer], self._pointer = size_bytes, pointer

        def close(self) -> None:
            del made.locked[self._pointer]

    monkeypatch.setattr(page_locks, "PageLock", Lock)
    return made


@pytest.fixture
def locks(driver: Driver) -> PageLocks:
    return PageLocks(cast("Native", None))


def rows_of(frame: Frame) -> tuple[tuple[int, int], ...]:
    return tuple((plane.ctypes.data, plane.strides[0]) for plane in frame.planes)


def test_a_frame_that_comes_again_is_locked_once_until_the_end(driver: Driver, locks: PageLocks) -> None:
    frame = PICTURE.allocate()
    assert locks.rows(frame) is None  # it may come once only
    assert driver.locked == {}
    for _ in range(3):
        assert locks.rows(frame) == rows_of(frame)
    assert driver.locked == {plane.ctypes.data: plane.nbytes for plane in frame.planes}
    locks.close()
    locks.close()
    assert driver.locked == {}


def test_no_byte_behind_the_last_row_is_locked(driver: Driver, locks: PageLocks) -> None:
    """Rows may lie apart, and memory may end with the last one."""
    memory = [
        np.zeros((plane.shape[0], plane.shape[1] + 32, *plane.shape[2:]), np.uint8)
        for plane in PICTURE.allocate().planes
    ]
    frame = Frame(PICTURE, tuple(wide[:, : wide.shape[1] - 32] for wide in memory))
    locks.rows(frame)
    assert locks.rows(frame) == rows_of(frame)
    for wide, plane in zip(memory, frame.planes, strict=True):
        assert driver.locked[plane.ctypes.data] == wide.nbytes - 32 * plane[0, 0].nbytes


@pytest.mark.slow
def test_what_is_locked_is_held(driver: Driver, locks: PageLocks) -> None:
    """Memory freed and reused in the meantime would be overwritten by the GPU."""
    frame = PICTURE.allocate()
    locks.rows(frame)
    locks.rows(frame)
    alive = weakref.ref(frame)
    del frame
    gc.collect()
    assert alive() is not None
    assert driver.locked
    locks.close()
    gc.collect()
    assert alive() is None


def test_another_frame_in_the_place_of_one_that_is_gone_is_not_taken_for_it(driver: Driver, locks: PageLocks) -> None:
    for _ in range(20):
        assert locks.rows(PICTURE.allocate()) is None
    assert driver.locked == {}


def test_a_frame_that_cannot_be_locked_is_copied_and_nothing_of_it_stays_locked(
    driver: Driver, locks: PageLocks
) -> None:
    frame = PICTURE.allocate()
    driver.most = 1  # its second plane
    for _ in range(3):
        assert locks.rows(frame) is None
    assert driver.locked == {}


def test_rows_that_the_gpu_cannot_write_are_copied(driver: Driver, locks: PageLocks) -> None:
    whole = PICTURE.allocate()
    upside_down = Frame(PICTURE, tuple(plane[::-1] for plane in whole.planes))
    wide = np.zeros((48, 128), np.uint8)
    apart = Frame(PICTURE, (wide[:, ::2], whole.planes[1]))
    for frame in (upside_down, apart):
        for _ in range(3):
            assert locks.rows(frame) is None
    assert driver.locked == {}
