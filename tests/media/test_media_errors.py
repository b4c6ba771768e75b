"""Sentences of errors about inputs and outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.media.media_errors import (
    BusyOutputError,
    InputError,
    NothingDecodedError,
    OverSizeError,
    RangeError,
    SourceChangedError,
)

pytestmark = pytest.mark.unit


def test_each_says_what_failed_and_what_to_do() -> None:
    changed = "a.mp4: the source changed while it was painted (it shrank), so the job was not finished"
    for restart, command in ((False, "the same command again"), (True, "the same command again, with --restart,")):
        error = SourceChangedError(Path("a.mp4"), "it shrank", restart=restart)
        assert (error.cause, str(error)) == (changed, f"{changed}; run {command} once nothing changes it")
    assert str(RangeError.behind("a.mp4", 29)) == "a.mp4: the range starts after the last frame (29)"
    assert str(RangeError.empty("a.mp4")).startswith("a.mp4: the requested range contains no frame; choose")
    assert str(NothingDecodedError("a.mp4")) == "a.mp4: no frame in the requested range can be decoded"
    assert "another job writes to out.mp4; wait" in str(BusyOutputError(Path("out.mp4")))
    too_large = OverSizeError("out.mp4", 12_345_678, 10_000_000)
    assert too_large.cause == "out.mp4 would take 12.35 MB and may take 10 MB"
    assert too_large.size_bytes == 12_345_678


def test_names_from_files_are_printable() -> None:
    error = InputError("a\x1b.mp4", "rename b\x07.mp4")
    assert str(error) == "a\ufffd.mp4; rename b\ufffd.mp4"
