"""Numbers that JSON may hold."""

from __future__ import annotations

import math

import pytest

from framebrush.base.json_values import MAX_NUMBER, JsonError, from_values

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("kind", [int, float])
def test_a_number_is_read_up_to_its_limit(kind: type[int] | type[float], sign: int) -> None:
    assert from_values(kind, sign * MAX_NUMBER, "n") == sign * MAX_NUMBER
    for beyond in (sign * (MAX_NUMBER + 1), sign * math.inf, math.nan):
        with pytest.raises(JsonError):
            from_values(kind, beyond, "n")
