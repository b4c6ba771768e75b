"""Copies between planes in host memory."""

from __future__ import annotations

import threading
import time
from contextlib import closing

import numpy as np
import pytest

from framebrush.gpu import copier as module
from framebrush.gpu.copier import Copier
from framebrush.gpu.frame import yuv420p
from tests.gpu.pictures import noise


@pytest.mark.slow
@pytest.mark.parametrize("size", [(64, 48), (1922, 1082)])
def test_planes_are_copied_band_by_band_by_whoever_is_awake(size: tuple[int, int]) -> None:
    """Frames of one band and of many, rows with gaps, and helpers that come too late."""
    copier = Copier()
    try:
        for number in range(40):
            frame, into = noise(yuv420p(*size), number), yuv420p(size[0] + 64, size[1]).allocate()
            planes = [plane[:, : own.shape[1]] for plane, own in zip(into.planes, frame.planes, strict=True)]
            copier.copy(planes, frame.planes)
            for plane, own in zip(planes, frame.planes, strict=True):
                np.testing.assert_array_equal(plane, own)
    finally:
        copier.close()
    copier.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "framebrush-copy"]


def test_a_copy_that_fails_in_a_helper_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    caller = threading.current_thread()
    real = module.copy_band

    def failing(band: module.Band) -> None:
        if threading.current_thread() is not caller:
            raise MemoryError("no room")
        time.sleep(0.01)  # helpers get their share
        real(band)

    monkeypatch.setattr(module, "copy_band", failing)
    copier = Copier()
    try:
        frame = noise(yuv420p(1920, 1080))
        with pytest.raises(MemoryError, match="no room"):
            copier.copy(frame.format.allocate().planes, frame.planes)
    finally:
        copier.close()


def test_planes_of_one_band_are_copied_by_the_caller_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """To wake another thread takes longer than to copy them."""
    real, copying = module.copy_band, set[threading.Thread]()

    def noted(band: module.Band) -> None:
        copying.add(threading.current_thread())
        time.sleep(0.01)  # helpers get their share
        real(band)

    monkeypatch.setattr(module, "copy_band", noted)
    frame = noise(yuv420p(1280, 720))
    for band_bytes, alone in ((1 << 20, True), (1 << 19, False)):
        copying.clear()
        with closing(Copier(band_bytes)) as copier:
            copier.copy(frame.format.allocate().planes, frame.planes)
        assert (copying == {threading.current_thread()}) == alone
