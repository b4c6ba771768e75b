"""What a GPU is asked for when 10 bits are wanted, and what happens where it refuses."""

from __future__ import annotations

import pytest

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.gpu.surface import View
from framebrush.playback.events import Notification
from framebrush.window.picture.bridge import Bridge


class FakeDevice:
    """A GPU whose driver takes no swap chain of some kinds; the real ones here take all."""

    info = DeviceInfo(0, "d3d12", "Card", shows_in_window=True)

    def __init__(self, error: DeviceError | None = None) -> None:
        self._error, self.asked = error, []

    def surface(self, view: View) -> int:
        self.asked.append((view.window, view.width, view.height, view.bits))
        if view.bits == 10 and self._error:
            raise self._error
        return view.bits


def bridge(*, ten_bits: bool) -> tuple[Bridge, list[Notification]]:
    made, told = Bridge(7), []
    made.window_shown, made.ten_bits, made.box.size_px = True, ten_bits, (640, 360)
    made.event_posted.connect(told.append)
    return made, told


def test_eight_bits_unless_asked() -> None:
    card = FakeDevice()
    assert bridge(ten_bits=False)[0].make_surface(card) == 8
    assert bridge(ten_bits=True)[0].make_surface(card) == 10
    assert card.asked == [(7, 640, 360, 8), (7, 640, 360, 10)]


def test_a_card_that_refuses_ten_bits_gets_eight() -> None:
    made, told = bridge(ten_bits=True)
    assert made.make_surface(FakeDevice(DeviceError("CreateSwapChainForHwnd failed"))) == 8
    assert "8 bits" in told[0].text
    assert "CreateSwapChainForHwnd" in told[0].details


def test_a_lost_card_is_lost() -> None:
    made, told = bridge(ten_bits=True)
    with pytest.raises(DeviceLostError, match="removed"):
        made.make_surface(FakeDevice(DeviceLostError("removed")))
    assert not told
