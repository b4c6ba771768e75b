"""Lines of JSON that a training writes; PyTorch is not needed."""

from __future__ import annotations

import time
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from framebrush.styles.training import json_lines

if TYPE_CHECKING:
    from framebrush.models.training.trainer import Report

pytestmark = pytest.mark.unit


def report(step: int) -> Report:
    return cast("Report", SimpleNamespace(step=step, losses={"content": 1.23456789}))


def test_the_time_left_follows_from_the_steps_since_the_first_line() -> None:
    said: list[dict[str, Any]] = []
    with json_lines(10, said.append) as (_, on_progress, on_preview):
        on_progress(report(4))  # of a training that goes on
        time.sleep(0.2)
        on_progress(report(6))
        on_preview(Path("preview.png"))
    first, second, preview = said
    assert first == {"step": 4, "steps": 10, "losses": {"content": 1.234568}, "left_s": None}
    assert 0.4 <= second["left_s"] < 60  # two steps took 0.2 s, and four are left
    assert preview == {"preview": "preview.png"}


def test_each_hundredth_of_the_preparation_is_said_once() -> None:
    said: list[dict[str, Any]] = []
    with json_lines(10, said.append) as (on_prepared, _, _):
        for share in (0.0, 0.001, 0.0101, 0.0199, 0.5, 0.5, 1.0):
            on_prepared(share)
    assert said == [{"prepared": share} for share in (0.0, 0.01, 0.5, 1.0)]
