"""Standard streams of the command line."""

from __future__ import annotations

import os
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from framebrush.cli.work import Lenient, open_standard_streams

pytestmark = pytest.mark.unit


def test_no_file_takes_the_number_of_a_missing_stream(tmp_path: Path) -> None:
    kept = os.dup(0)
    os.close(0)
    try:
        open_standard_streams()
        with (tmp_path / "file").open("wb") as file:
            number = file.fileno()
    finally:
        os.dup2(kept, 0)
        os.close(kept)
    assert number > 2


def test_words_arrive_at_a_flush() -> None:
    arrived = BytesIO()
    stream = Lenient(TextIOWrapper(arrived))
    stream.write("words")
    stream.flush()
    assert arrived.getvalue() == b"words"
