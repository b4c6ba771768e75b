"""Words for people."""

from __future__ import annotations

import pytest

from framebrush.base.text import MAX_CHARS, first_line

pytestmark = pytest.mark.unit


def test_a_long_error_is_cut_between_words_and_says_so() -> None:
    whole = " ".join(["word"] * 32)
    assert len(whole) == MAX_CHARS - 1
    assert first_line(ValueError(whole)) == whole
    assert first_line(ValueError(f"{whole} word\nmore")) == " ".join(["word"] * 31) + " …"
    assert first_line(ValueError("x" * 200)) == "x" * (MAX_CHARS - 2) + " …"
    assert first_line(ValueError()) == "ValueError"
