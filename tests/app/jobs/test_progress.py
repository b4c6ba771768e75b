"""Progress of a job as people and programs see it."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest
from rich.console import Console

from framebrush.jobs.progress import ProgressStyle, json_lines, print_line, shown
from framebrush.jobs.transcode import Progress
from framebrush.media.encoding.result_losses import Loss

pytestmark = pytest.mark.unit


def on_terminal(*states: Progress) -> str:
    """Return the last line of a bar."""
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, color_system=None, width=120)
    with shown(ProgressStyle.AUTO, console, io.StringIO()) as on_progress:
        for state in states:
            on_progress(state)
    return next(line for line in reversed(re.split(r"[\r\n]", out.getvalue())) if "frame" in line)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (Progress(0, None, 0.0, 0), ["0 frames", "0.0 fps", "0 bytes"]),
        (Progress(1, None, 2.0, 1), ["1 frame ", "0.5 fps", "1 byte"]),
        (Progress(30, 90, 2.0, 1500), ["30/90 frames", "33%", "15.0 fps", "0:04 left", "1.5 kB"]),
        (Progress(30, 90, 60.0, 0), ["2:00 left"]),
        (Progress(1, 3601, 1.0, 0), ["1:00:00 left"]),
        (Progress(1, 60, 1.0, 0), ["0:59 left"]),
        (Progress(1, 3726, 1.0, 0), ["1:02:05 left"]),
    ],
)
def test_a_bar_says_how_far_it_is(state: Progress, words: list[str]) -> None:
    line = on_terminal(state)
    for each in words:
        assert each in line
    assert ("left" in line) is (state.remaining_s is not None)


def test_lines_are_for_programs() -> None:
    lines, states = io.StringIO(), [Progress(3, 9, 2.0, 5), Progress(6, 9, 4.0, 7)]
    console = Console(file=io.StringIO())
    for style, count in ((ProgressStyle.AUTO, 2), (ProgressStyle.JSON, 4), (ProgressStyle.NONE, 4)):
        with shown(style, console, lines) as on_progress:
            for state in states:
                on_progress(state)
        assert len(lines.getvalue().splitlines()) == count


def test_a_line_has_rounded_numbers() -> None:
    said = list[dict[str, Any]]()
    with json_lines(said.append) as on_progress:
        on_progress(Progress(2, None, 0.7777, 5))
    with json_lines(said.append) as on_progress:
        on_progress(Progress(4, 11, 2.34567, 5, resumed=1, losses=(Loss("sound", "a channel"),)))
    assert json.loads(json.dumps(said)) == [
        {"frame": 2, "frames": None, "fps": 2.57, "elapsed_s": 0.778, "left_s": None, "size_bytes": 5},
        {"frame": 4, "frames": 11, "fps": 1.28, "elapsed_s": 2.346, "left_s": 5.5, "size_bytes": 5}
        | {"losses": [{"key": "sound", "text": "a channel", "incomplete": False}]},
    ]


def test_the_first_frame_the_last_state_and_one_in_each_half_second_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said, now = list[int](), [0.0]
    monkeypatch.setattr("framebrush.jobs.progress.time.monotonic", lambda: now[0])
    with json_lines(lambda line: said.append(line["frame"])) as on_progress:
        for frames, at in ((0, 0.0), (0, 0.125), (1, 0.25), (2, 0.3), (3, 0.74), (4, 0.75), (5, 0.8)):
            now[0] = at
            on_progress(Progress(frames, 9, 1.0, 0))
        assert said == [0, 1, 4]
    assert said == [0, 1, 4, 5]
    with json_lines(lambda line: said.append(line["frame"])) as on_progress:
        on_progress(Progress(7, 9, 1.0, 0))
    assert said == [0, 1, 4, 5, 7]


def test_a_line_arrives_at_once() -> None:
    arrived = io.BytesIO()
    out = io.TextIOWrapper(arrived)
    print_line(out, {"frame": 1})
    assert arrived.getvalue() == b'{"frame": 1}\n'
    out.close()
