"""Full memory is said with advice that a window can follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from framebrush.base.remedy import cause_of
from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError, OutOfMemoryError, error_report, reported_error
from framebrush.gpu.host_memory import available_bytes
from framebrush.gpu.look import Look
from framebrush.jobs.prepare import open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore
from framebrush.media.video import InputError, TimeRange
from framebrush.playback.ahead.ahead_process import PaintingProcess
from framebrush.playback.ahead.ahead_worker import Order
from framebrush.playback.ahead.cache_keys import render_format
from framebrush.playback.events import Notification
from framebrush.playback.player import NOT_SHOWN
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.picture_messages import in_words
from framebrush.window.picture.reveal_painter import RevealPainter
from tests.app.window.conftest import Desk

ADVICE = " Close other programs, or make the strokes larger: they take less memory."

HUGE = "lavfi:testsrc2=size=16384x8192:rate=1:duration=2"  # with small strokes it needs 100 GiB
lacks_room = pytest.mark.skipif(available_bytes() > 100 << 30, reason="this machine has memory for the largest film")


def huge_job(target: str) -> JobSpec:
    return JobSpec(HUGE, target, Recipe(StyleSpec("scream"), sizes=SizeSpec(stroke=1.0)), device="cpu")


@pytest.mark.unit
@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        (OutOfMemoryError, f".{ADVICE}"),
        (DeviceError, ""),
    ],
)
def test_full_memory_comes_with_advice(kind: type[DeviceError], advice: str) -> None:
    error = kind("Ink needs 2 GiB more than the processor has free", do="try --tile")
    said = in_words(Notification.of(NOT_SHOWN, error, reason=cause_of(error)))
    assert said == f"The picture cannot be shown: {cause_of(error)}{advice}"


@pytest.mark.unit
def test_a_process_reports_full_memory_wherever_it_began() -> None:
    wrapped = InputError("film.mp4: it cannot be read", do="convert it")
    wrapped.__cause__ = MemoryError()
    errors = {
        MemoryError(): "Out of memory",
        MemoryError("Unable to allocate 24 GiB"): "Unable to allocate 24 GiB",
        OutOfMemoryError("needs 2 GiB more", do="try --tile"): "Needs 2 GiB more",
        wrapped: "film.mp4: it cannot be read",
    }
    for error, words in errors.items():
        assert in_words(Notification.of_error(reported_error(error_report(error)))) == f"{words}.{ADVICE}"
    other = reported_error(error_report(ValueError("no such frame")))
    assert in_words(Notification.of_error(other)) == "No such frame"


@lacks_room
@pytest.mark.media
@pytest.mark.slow
def test_an_export_that_memory_has_no_room_for_says_what_helps(desk: Desk, tmp_path: Path) -> None:
    made = ExportJob(huge_job(str(tmp_path / "out.mp4")))
    desk.exports.add(made)
    desk.wait(lambda: made.is_over, "the end")
    assert made.state is State.FAILED
    assert "GiB more than" in made.message
    assert made.message.endswith(f"has free.{ADVICE}")
    assert desk.window.messages.text == f"Exporting out.mp4 failed: {made.message}"
    assert desk.window.export_panel.cards[made.name].state_line.text() == f"Failed: {made.message}"
    assert not list(tmp_path.glob("*out*"))


@lacks_room
@pytest.mark.media
@pytest.mark.slow
def test_painting_ahead_and_a_time_lapse_that_memory_has_no_room_for_say_so(desk: Desk) -> None:
    spec, errors = huge_job("screen"), list[Exception]()
    with open_job_source(spec) as source, open_device("cpu") as device:
        info = source.info
        order = Order(spec, render_format(spec, info, open_job_style(spec, ignore)), 1, "cpu", "cpu", device.info.name)
    painting = PaintingProcess()
    try:
        with pytest.raises(OutOfMemoryError, match=r"GiB more than .* has free$"):
            painting.open(order, lambda: True)
    finally:
        painting.close()
    frame = replace(spec, range=TimeRange.of_frame(0), recipe=replace(spec.recipe, look=Look(brush=1.0)))
    painter = RevealPainter(frame, info, PictureBox(desk.window), lambda *_: None, errors.append)
    desk.wait(lambda: bool(errors), "the reason")
    painter.close()
    assert in_words(Notification.of_error(errors[0])).endswith(f"has free.{ADVICE}")
