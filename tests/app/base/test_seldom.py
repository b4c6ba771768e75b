"""The timer for reports, at most one a period."""

from __future__ import annotations

import pytest

from framebrush.base import seldom

pytestmark = pytest.mark.unit


def test_it_is_due_at_once_and_then_once_a_period(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 0.1, 1.9, 2.0, 2.1, 3.9, 7.0, 8.0, 9.0])
    monkeypatch.setattr(seldom, "monotonic", lambda: next(times))
    timer = seldom.Seldom(2.0)
    assert [timer.due() for _ in range(9)] == [True, False, False, True, False, False, True, False, True]
