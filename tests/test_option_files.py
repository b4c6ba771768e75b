"""An option is declared once: its name stands in few other files of the product."""

from __future__ import annotations

import pytest

from framebrush.base.option import Declared
from tests.option_files import files_of
from tools import options

pytestmark = [pytest.mark.unit, pytest.mark.slow]

MOST = 5

ABOVE = {
    "strength": 9,
    "keep_colours": 9,
    "exposure": 6,
    "tone_map": 23,
    "split": 13,
    "dither": 7,
    "steady": 14,
    "detail": 17,
    "brush": 20,
    "relief": 7,
    "faces": 10,
    "film_inside": 6,
    "stroke": 12,
    "size": 11,
    "max_size": 19,
    "brush_kind": 9,
    "brush_mark": 6,
    "few_strokes": 8,
    "mask": 8,
    "palette": 8,
    "palette_from": 9,
    "lut": 6,
}
"""Options in more files, with their numbers of files. These shrink; an option with few enough files leaves."""


@pytest.mark.parametrize("option", list(options.declared()), ids=lambda each: each.name)
def test_an_option_is_named_in_few_files(option: Declared) -> None:
    """Where it is in more, derive from its declaration: `framebrush.base.option.declared_in`."""
    found = files_of(option)
    assert len(found) <= ABOVE.get(option.name, MOST), sorted(found)
    assert option.name not in ABOVE or len(found) > MOST, "it may leave the list"


def test_the_list_has_only_options() -> None:
    assert ABOVE.keys() <= {option.name for option in options.declared()}
