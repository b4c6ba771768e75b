"""Requests to a GPU for 10-bit output, and the fallback on refusal."""

from __future__ import annotations

import pytest

from framebrush.gpu.device import DeviceInfo
from framebrush.gpu.errors import DeviceError, DeviceLostError, NoWindowError
from framebrush.gpu.surface import NativeWindow, View
from framebrush.playback.events import Notification, NotPresented
from framebrush.window.picture.bridge import Bridge


class FakeDevice:
    """GPU with a driver that refuses some swap chains; real ones here refuse none."""

    info = DeviceInfo(0, "d3d12", "Card", windows=("windows",))

    def __init__(self, error: DeviceError | None = None) -> None:
        self._error, self.asked = error, []

    def surface(self, view: View) -> int:
        handle = view.window.handle if view.window else None
        self.asked.append((handle, view.width, view.height, view.bits))
        if (view.bits == 10 or isinstance(self._error, NoWindowError)) and view.window and self._error:
            raise self._error
        return view.bits


def bridge(*, ten_bits: bool) -> tuple[Bridge, list[object]]:
    made, told = Bridge(NativeWindow("windows", 7)), []
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
    assert isinstance(told[0], Notification)
    assert "8 bits" in told[0].text
    assert "CreateSwapChainForHwnd" in told[0].details


def test_a_lost_card_is_lost() -> None:
    made, told = bridge(ten_bits=True)
    with pytest.raises(DeviceLostError, match="removed"):
        made.make_surface(FakeDevice(DeviceLostError("removed")))
    assert not told


def test_a_card_that_cannot_present_hands_its_pictures_over() -> None:
    """It is asked once, whatever bits are wanted, and said once."""
    for ten_bits in (False, True):
        made, told = bridge(ten_bits=ten_bits)
        card = FakeDevice(NoWindowError("Card cannot present to this window"))
        assert made.presents(card.info)
        assert made.make_surface(card) == 8
        assert not made.presents(card.info)
        assert made.make_surface(card) == 8
        assert card.asked == [(7, 640, 360, 10 if ten_bits else 8), *[(None, 640, 360, 8)] * 2]
        assert told == [NotPresented("Card cannot present to this window")]
