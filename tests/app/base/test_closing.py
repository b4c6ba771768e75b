"""Objects closed by `with`."""

from __future__ import annotations

import pytest

from framebrush.base.closing import Closing

pytestmark = pytest.mark.unit


class Door(Closing):
    is_open = True

    def close(self) -> None:
        self.is_open = False


def test_with_closes_after_an_error_too() -> None:
    with Door() as door:
        assert door.is_open
    assert not door.is_open
    door = Door()
    with pytest.raises(KeyError), door:
        raise KeyError
    assert not door.is_open
