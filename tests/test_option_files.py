"""An option is declared once: its name stands in few other files of the product."""

from __future__ import annotations

import pytest

from tests.option_files import files_of
from tools import options

pytestmark = [pytest.mark.unit, pytest.mark.slow]

MOST = 5


def test_an_option_is_named_in_few_files() -> None:
    """Where it is in more, derive from its declaration: `framebrush.base.option.declared_in`."""
    found = {option.name: sorted(files_of(option)) for option in options.declared()}
    assert found
    assert {name: files for name, files in found.items() if not 0 < len(files) <= MOST} == {}
