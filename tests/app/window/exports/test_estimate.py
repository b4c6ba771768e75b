"""The estimate of size and time in the export dialog, measured on a few frames before anything is queued."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from assets.make_clips import Clip, make, x264
from framebrush import sample
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position, TimeRange, VideoInfo
from framebrush.media.writing.expected_size import PartSize
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.window.exports import trial_export
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import ExportJob, State
from tests.app.window.conftest import CLIPS, Desk

pytestmark = [pytest.mark.media, pytest.mark.slow]

KNOWN = re.compile(r"Estimate: about [\d.]+ [kM]?B, in about (\d+):(\d\d)")
FRAMES = 300
FEW_FRAMES = 120  # of which 48 are measured


@pytest.fixture(autouse=True)
def it_is_estimated(nothing_is_estimated: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial_export, "REST_MS", 50)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film of FRAMES frames."""
    film = Clip("film.mp4", times=tuple(range(FRAMES)), time_base=Fraction(1, 25), codec_options=x264())
    return make(film, tmp_path_factory.mktemp("film"))


@pytest.fixture
def dialog(desk: Desk, film: Path, tmp_path: Path) -> Iterator[ExportDialog]:
    desk.open(shutil.copy(film, tmp_path))
    desk.window.exporting.ask()
    made = desk.window.findChild(ExportDialog)
    assert made is not None
    yield made
    if isValid(made) and made.isVisible():
        made.reject()


def known(desk: Desk, dialog: ExportDialog) -> tuple[str, int]:
    """The estimate once it is whole, and its seconds."""
    label = dialog.trial.estimate
    desk.wait(lambda: KNOWN.fullmatch(label.text()) is not None, f"an estimate, not {label.text()}")
    found = KNOWN.fullmatch(label.text())
    assert found is not None
    return label.text(), 60 * int(found[1]) + int(found[2])


def measured(dialog: ExportDialog) -> list[State]:
    return [job.state for job in dialog.trial.runner.queue]


def test_speed_is_that_of_a_loaded_job() -> None:
    """Loading takes as long for a few frames as for a whole film."""
    spec = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("none")))
    part, other = (trial_export.Part(ExportJob(spec)) for _ in range(2))
    attempt = trial_export.Attempt(spec, cast(VideoInfo, None), quiet=True, parts=[part, other])
    part.report(0, 0.0)
    assert attempt.fps == 0
    part.report(1, 10.0)
    assert attempt.fps == 0
    part.report(21, 12.0)
    assert attempt.fps == 10
    other.report(1, 3.0)
    other.report(41, 5.0)
    assert attempt.fps == 15


def test_of_an_unknown_length_size_and_speed_per_second_are_said(application: QApplication, film: Path) -> None:
    with Reader(film) as reader:
        info = replace(reader.info, frame_count=None, duration_s=None)
    spec, trial = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("none"))), trial_export.Trial(info)
    part = trial_export.Part(ExportJob(spec), size=PartSize(26_000, (10_000,), (1_000,) * 16))
    trial.attempt = trial_export.Attempt(spec, info, quiet=True, parts=[part])
    for frame, elapsed_s in ((1, 1.0), (21, 3.0)):
        trial.runner.progressed.emit(part.job, {"frame": frame, "elapsed_s": elapsed_s})
    trial._take_size(trial.attempt, part, part.size)
    assert trial.estimate.text() == "Estimate: 31.9 kB per second, 10.0 frames per second"
    trial.end()


def test_size_and_time_are_known_before_anything_is_queued(desk: Desk, dialog: ExportDialog) -> None:
    """The estimate runs by itself, blocks no control and leaves no file after the dialog."""
    part = dialog.trial
    assert part.estimate.text() == "Estimating size and time…"
    assert part.estimate.isVisible()
    known(desk, dialog)
    places = [job.spec.range for job in part.runner.queue]
    assert places == [TimeRange(Position(Fraction(begin), "frame"), None, 16) for begin in (42, 142, 242)]
    desk.wait(lambda: measured(dialog) == [State.DONE] * 3, "all of them")
    shown = [each.isVisible() for each in (part.button, part.stop, part.bar, part.play, part.result)]
    assert shown == [True, False, False, False, False]
    assert list(desk.exports.queue) == []
    folder = part.folder
    dialog.reject()
    desk.wait(lambda: not folder.exists(), "the end of its files")


def test_another_setting_is_measured_anew_and_the_same_is_not(desk: Desk, dialog: ExportDialog) -> None:
    desk.wait(lambda: measured(dialog) == [State.DONE] * 3, "the first measurement")
    desk.rest(0.3)
    first, _ = known(desk, dialog)
    dialog.target.name_field.setText(str(Path(dialog.target.name_field.text()).with_name("renamed.mp4")))
    desk.rest(0.3)
    assert (measured(dialog), dialog.trial.estimate.text()) == ([State.DONE] * 3, first)
    dialog.controls.file_size.box.setValue(3)
    assert dialog.trial.estimate.text() == "Estimating size and time…"
    estimate = dialog.trial.estimate
    desk.wait(lambda: re.fullmatch(r"Estimate: at most 3\.0 MB, in about \d+:\d\d", estimate.text()) is not None)
    desk.wait(lambda: measured(dialog) == [State.DONE] * 6, "the end of the measurement")


def test_a_measurement_ends_with_the_dialog(desk: Desk, dialog: ExportDialog) -> None:
    """And makes way for a trial that a person asks for, and for other settings."""
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("av1"))
    desk.wait(lambda: State.RUNNING in measured(dialog), "its process")
    dialog.trial.length.setCurrentIndex(0)
    QTest.mouseClick(dialog.trial.button, Qt.MouseButton.LeftButton)
    desk.wait(lambda: measured(dialog)[:3] == [State.CANCELLED] * 3, "its end")
    desk.wait(dialog.trial.play.isVisible, "the trial")
    known(desk, dialog)
    dialog.controls.codec_box.setCurrentIndex(dialog.controls.codec_box.findData("vp9"))
    desk.wait(lambda: State.RUNNING in measured(dialog)[4:], "its process")
    runner = dialog.trial.runner
    assert runner.process_id is not None
    folder = dialog.trial.folder
    dialog.reject()
    desk.wait(lambda: not folder.exists(), "its end")


def test_why_nothing_can_be_measured_is_said(desk: Desk, dialog: ExportDialog, tmp_path: Path) -> None:
    estimate = dialog.trial.estimate
    known(desk, dialog)
    (tmp_path / "film.mp4").unlink()
    dialog.controls.size_box.setCurrentIndex(dialog.controls.size_box.count() - 1)
    desk.wait(lambda: estimate.text().startswith("No estimate: "), "the reason")
    assert "film.mp4" in estimate.text()
    assert not dialog.trial.result.isVisible()
    dialog.target.name_field.setText(str(tmp_path / "out.txt"))
    desk.wait(lambda: "must end in" in estimate.text(), "the reason")


@dataclass(frozen=True)
class Case:
    """A film, its look, and a small result, as painting takes seconds."""

    film: Path
    style: str
    size: str
    codec: str


CASES = [
    Case(sample.PATH, "none", "320x180", "h264"),
    Case(sample.PATH, "oil", "160x90", "h264"),
    Case(CLIPS / "landscape.mp4", "starry-night", "160x90", "h264"),
]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.film.stem}-{case.style}-{case.codec}")
def test_the_size_is_right_within_a_quarter(desk: Desk, tmp_path: Path, case: Case) -> None:
    with Reader(case.film) as reader:
        info = reader.info
    whole = ExportJob(
        JobSpec(
            str(case.film),
            str(tmp_path / "whole.mkv"),
            Recipe(StyleSpec(case.style), Look(), SizeSpec(size=case.size)),
            range=TimeRange(end=Position(Fraction(FEW_FRAMES), "frame")),
            output=OutputOptions(case.codec),
            device="cpu",
        )
    )
    part = trial_export.Trial(info)
    part.measure(whole.spec, 0)
    for job in part.runner.queue.jobs:
        desk.wait(lambda job=job: job.is_over, "the measurement")
    attempt = part.attempt
    assert attempt is not None
    desk.wait(lambda: all(each.size is not None for each in attempt.parts), "the sizes")
    estimate = part.estimate.text()
    part.end()
    desk.exports.add(whole)
    desk.wait(lambda: whole.is_over, "the export")
    assert whole.state is State.DONE, whole.message
    found = re.match(r"Estimate: about ([\d.]+) ([kM])B", estimate)
    assert found is not None, estimate
    expected = float(found[1]) * {"k": 1e3, "M": 1e6}[found[2]]
    assert expected == pytest.approx(whole.size_bytes, rel=0.25), estimate
