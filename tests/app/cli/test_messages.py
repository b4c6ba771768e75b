"""Messages on standard error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from rich.text import Text

from framebrush.cli.messages import cell, print_message

pytestmark = pytest.mark.unit

FOREIGN = "[red]film[/red] \x1b[31m1:2 " + "long " * 60


def test_a_message_is_printed_as_it_is_on_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_message(FOREIGN)
    assert capsys.readouterr() == ("", FOREIGN.replace("\x1b", "\ufffd") + "\n")
    assert cell("[b]\x1b") == Text("[b]\ufffd")


def test_a_closed_stream_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "stderr").open("w") as closed:
        monkeypatch.setattr(sys, "stderr", closed)
    print_message("nobody reads this")
