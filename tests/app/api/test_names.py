"""Names of the package."""

from __future__ import annotations

import pytest

import framebrush
from framebrush.api import film, paint
from framebrush.jobs import stroke_array

pytestmark = pytest.mark.unit


def test_the_package_has_its_names_and_no_others() -> None:
    assert framebrush.open is film.open_film
    assert framebrush.paint is paint.paint
    assert framebrush.PaintingWarning is paint.PaintingWarning
    assert framebrush.draw is stroke_array.draw
    with pytest.raises(AttributeError, match="'framebrush' has no attribute 'close'"):
        framebrush.close  # type: ignore[attr-defined]  # noqa: B018
