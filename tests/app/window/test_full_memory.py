"""Full memory is said with advice that a window can follow."""

from __future__ import annotations

import pytest

from framebrush.base.remedy import cause_of
from framebrush.gpu.errors import DeviceError, OutOfMemoryError
from framebrush.playback.events import Notification
from framebrush.playback.player import NOT_SHOWN
from framebrush.window.picture.picture_messages import in_words

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        (OutOfMemoryError, ". Close other programs, or make the strokes larger: they take less memory."),
        (DeviceError, ""),
    ],
)
def test_full_memory_comes_with_advice(kind: type[DeviceError], advice: str) -> None:
    error = kind("Ink needs 2 GiB more than the processor has free", do="try --tile")
    said = in_words(Notification.of(NOT_SHOWN, error, reason=cause_of(error)))
    assert said == f"The picture cannot be shown: {cause_of(error)}{advice}"
