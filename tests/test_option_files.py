"""An option is declared once: its name stands in few other files of the product."""

from __future__ import annotations

import pytest

from framebrush.base.option import Declared
from tests.option_files import files_of
from tools import options

pytestmark = [pytest.mark.unit, pytest.mark.slow]

MOST = 5


@pytest.mark.parametrize("option", list(options.declared()), ids=lambda each: each.name)
def test_an_option_is_named_in_few_files(option: Declared) -> None:
    """Where it is in more, derive from its declaration: `framebrush.base.option.declared_in`."""
    found = files_of(option)
    assert 0 < len(found) <= MOST, sorted(found)
