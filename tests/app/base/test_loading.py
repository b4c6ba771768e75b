"""Module loading with the garbage collector paused, and resumed afterwards."""

from __future__ import annotations

import gc

import pytest

from framebrush.base.loading import loading

pytestmark = pytest.mark.unit


def test_the_collector_rests_and_leaves_alone_what_was_loaded() -> None:
    before = gc.get_freeze_count()
    try:
        with loading():
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
