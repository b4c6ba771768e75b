"""A window whose process dies in a film is there again, where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.app.window.test_comes_back import lived

pytestmark = pytest.mark.media


def test_the_window_is_open_again_where_it_was(tmp_path: Path) -> None:
    status, death, (before, after) = lived(tmp_path, "abort", 1, "cpu")
    assert (status, death) == (0, "")
    assert (before["number"], before["choice"]) == (after["number"], after["choice"])
    assert after["message"].startswith("The window ended unexpectedly")
    assert after["former"] == "ended with status 3"
