"""Rules of segments: length, boundaries, and reuse of an earlier run's segments."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from queue import SimpleQueue
from types import SimpleNamespace
from typing import Any

import pytest

from assets.make_clips import CLIPS
from framebrush.base import signals
from framebrush.base.json_values import MAX_NUMBER
from framebrush.base.signals import Ending
from framebrush.gpu.device import open_device
from framebrush.gpu.look import Look
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.prepare import PreparedJob, open_job_source, open_job_style, prepare
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments import segment_writer, segmented
from framebrush.jobs.segments.job_folder import JOURNAL, MOST_BYTES, JobFolder, folder_of
from framebrush.jobs.segments.leftovers import NOTHING, remove_leftovers
from framebrush.jobs.segments.segment_plan import Segment, consecutive, is_short, plan_segments, segment_frames
from framebrush.jobs.segments.segment_writer import SegmentWriter
from framebrush.jobs.segments.segmented import SegmentedJob, job_folder, plan_folder
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.jobs.transcode import Listener, Outcome, Progress, Status
from framebrush.jobs.workers.devices import DeviceWorker
from framebrush.jobs.workers.dispatch import Report
from framebrush.jobs.workers.doing import SegmentPainter, do_job
from framebrush.jobs.workers.run import run_job
from framebrush.media.containers import SEGMENTS
from framebrush.media.encoding.encoders import CODECS
from framebrush.media.output_file import part_of
from framebrush.media.reading.index import FrameIndex
from framebrush.media.video import DiskFullError, FrameSource, OutputError, Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec
from tests import networks

NEEDS_PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders")
LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="ultrafast")


# Lengths


@pytest.mark.unit
def test_a_segment_is_as_long_as_its_pixels_allow() -> None:
    for on_cpu, working, frames in (
        (False, (1000, 1000), 3000),
        (False, (3840, 2160), 361),
        (False, (1, 1), 6000),
        (False, (8000, 4000), 250),
        (True, (500, 600), 500),
        (True, (500, 601), 499),
        (True, (100, 100), 6000),
        (True, (1280, 720), 250),
    ):
        assert segment_frames(working, on_cpu=on_cpu) == frames


@pytest.mark.unit
def test_a_tenth_of_a_segment_is_short() -> None:
    for on_cpu, frames in ((True, 15), (False, 300)):
        assert is_short(frames, (500, 2000), on_cpu=on_cpu)
        assert not is_short(frames, (500, 2001), on_cpu=on_cpu)
        assert not is_short(frames + 1, (500, 2000), on_cpu=on_cpu)


@pytest.mark.unit
@pytest.mark.parametrize(("frames", "pts"), [(0, 40), (10, 40), (4, 0), (4, 100), (4, 101)])
def test_nothing_is_left_behind_what_is_none_of_a_segment(frames: int, pts: int) -> None:
    with pytest.raises(ValueError, match=rf"^segment 3 does not continue after frame {frames} at {pts}$"):
        Segment(3, 20, 10, 0, 100).behind(frames, pts)


@pytest.mark.unit
def test_what_is_left_behind_a_part() -> None:
    assert Segment(3, 20, 10, 0, 100).behind(9, 99) == Segment(3, 29, 1, 99, 100)
    assert Segment(3, 20, 10, 0, None).behind(1, 1) == Segment(3, 21, 9, 1, None)


@pytest.mark.unit
def test_a_segment_can_hold_every_codec_of_a_file() -> None:
    assert {codec for container in SEGMENTS for codec in container.codecs} == CODECS.keys()


# Cuts


def bounds(count: int, keys: list[int], length: int, numbers: range | None = None) -> list[int]:
    """Return the first frame of each segment, and the end of the last; frames last three ticks."""
    index = FrameIndex([3 * n for n in range(count)], [3 * key for key in keys])
    plan = plan_segments(index, numbers or range(count), length)
    assert [segment.number for segment in plan] == list(range(len(plan)))
    return [*(segment.first for segment in plan), plan[-1].first + plan[-1].frames]


@pytest.mark.unit
def test_up_to_one_and_a_half_lengths_are_one_segment() -> None:
    assert bounds(150, [0], 100) == [0, 150]
    assert bounds(151, [0], 100) == [0, 100, 151]
    assert bounds(4, [0], 3) == [0, 4]
    assert bounds(5, [0], 3) == [0, 3, 5]
    assert bounds(400, [0], 100, range(100, 251)) == [100, 200, 251]


@pytest.mark.unit
def test_a_cut_moves_by_up_to_a_quarter_of_a_length_to_a_key_frame() -> None:
    for key, cut in ((75, 75), (125, 125), (74, 100), (126, 100), (99, 99)):
        assert bounds(200, [0, key], 100) == [0, cut, 200]
    assert bounds(200, [0, 98, 196], 100) == [0, 98, 200]
    assert bounds(200, [0, 45, 90, 105, 150, 195], 100) == [0, 105, 200]
    assert bounds(200, [0, 80, 110, 160], 100) == [0, 110, 200]
    assert bounds(200, [0, 45, 95, 115, 160], 100) == [0, 115, 200]  # an irregular one, where the film is cut


@pytest.mark.unit
def test_the_last_segment_of_a_range_ends_before_the_next_frame_and_that_of_a_film_never() -> None:
    index = FrameIndex([3 * n for n in range(20)], [0])
    inside, to_the_end = (plan_segments(index, range(5, end), 10)[-1] for end in (15, 20))
    assert inside == Segment(0, 5, 10, 15, 45)
    assert to_the_end == Segment(0, 5, 15, 15, None)


@pytest.mark.unit
def test_a_segment_is_named_by_its_frames() -> None:
    assert Segment(3, 20, 10, 0, 100).words == "frames 20 to 29"
    assert Segment(0, 20, None, 0, None).words == "the frames from 20 on"


@pytest.mark.unit
def test_runs_without_a_gap() -> None:
    parts = [Segment(number, number, 1, number, None) for number in (0, 1, 3, 6, 7)]
    assert [[part.number for part in run] for run in consecutive(parts)] == [[0, 1], [3], [6, 7]]


# Whether a job is done in segments


@pytest.fixture
def spec(tmp_path: Path) -> JobSpec:
    """30 frames in segments of 10."""
    still = Look(steady=0.0)
    return JobSpec(
        str(CLIPS / "cfr.mp4"),
        str(tmp_path / "out.mkv"),
        Recipe(StyleSpec("none"), still),
        output=LOSSLESS,
        segments=10,
    )


def prepared(spec: JobSpec, do: Callable[[PreparedJob, FrameSource], Any]) -> Any:  # noqa: ANN401
    """Do something with a prepared job and its source."""
    with OpenedSource.of(spec) as held_open, open_job_source(spec) as source:
        return do(prepare(spec, open_job_style(spec, print), source, held_open), source)


def lengths(spec: JobSpec, *, on_cpu: bool = True, say: Callable[[str], None] = print) -> list[int]:
    """Return the lengths of a job's planned segments; empty for one piece."""
    folder = prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=on_cpu, say=say))
    found = [] if folder is None else [segment.frames for segment in folder.journal.segments]
    for path in folder_of(Path(spec.target)).glob("*"):
        path.unlink()
    return found


@pytest.mark.media
@pytest.mark.parametrize("name", ["cfr.mp4", "bframes.ts"])  # the number of frames is known, and reckoned
def test_a_job_of_one_and_a_half_segments_is_done_in_one_piece(name: str, spec: JobSpec) -> None:
    spec = replace(spec, source=str(CLIPS / name))
    assert lengths(replace(spec, segments=20)) == []
    assert lengths(replace(spec, segments=19)) == [20, 10]


@pytest.mark.media
def test_what_counts_is_the_range(spec: JobSpec) -> None:
    span = TimeRange(Position(Fraction(3), "frame"), frames=15)
    assert lengths(replace(spec, range=span)) == []
    assert sum(lengths(replace(spec, range=replace(span, frames=16)))) == 16


@pytest.mark.media
def test_a_short_job_is_done_in_one_piece_unless_a_length_was_asked_for(spec: JobSpec) -> None:
    """30 frames of 160x96 are nothing."""
    for on_cpu in (True, False):
        assert lengths(replace(spec, segments="auto"), on_cpu=on_cpu) == []
        assert lengths(replace(spec, segments="off"), on_cpu=on_cpu) == []
        assert len(lengths(spec, on_cpu=on_cpu)) == 3


@pytest.mark.media
def test_the_times_of_a_short_film_are_not_read(spec: JobSpec) -> None:
    """Its header says how long it is."""

    def planned(job: PreparedJob, source: FrameSource) -> JobFolder | None:
        source.indexed_range = lambda: pytest.fail("they were read")  # type: ignore[attr-defined]
        return plan_folder(job, source, on_cpu=True, say=print)

    for segments in ("auto", 20):
        assert prepared(replace(spec, segments=segments), planned) is None  # type: ignore[arg-type]


@pytest.mark.media
def test_a_network_of_unknown_speed_is_short_by_its_frames_too(
    spec: JobSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = tmp_path / "identity.onnx"
    network.write_bytes(networks.identity().model)
    spec = replace(spec, recipe=replace(spec.recipe, style=StyleSpec(str(network))), segments="auto")
    monkeypatch.setattr(segmented, "SLOW_FRAMES", 30)
    assert lengths(spec) == []
    monkeypatch.setattr(segmented, "SLOW_FRAMES", 29)
    assert sum(lengths(spec)) == 30


@pytest.mark.media
def test_what_cannot_be_cut_is_done_in_one_piece(spec: JobSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    assert lengths(replace(spec, decode=DecodeOptions(playlists=True))) == []
    assert lengths(replace(spec, source=str(CLIPS / "bframes.avi"))) == []

    def with_late_header(job: PreparedJob, source: FrameSource) -> JobFolder | None:
        late = replace(job.plan.choice.encoder, kind="mf")
        job = replace(job, plan=replace(job.plan, choice=replace(job.plan.choice, encoder=late)))
        return plan_folder(job, source, on_cpu=True, say=print)

    assert prepared(spec, with_late_header) is None


@pytest.mark.media
def test_a_source_without_times_is_one_segment(spec: JobSpec) -> None:
    """How many frames it has is known at its end."""
    spec = replace(spec, source=str(CLIPS / "raw.h264"))
    found: list[JobFolder | None] = []
    held(spec, found.append)
    assert found[0] is not None
    assert [(one.number, one.first, one.frames) for one in found[0].journal.segments] == [(0, 0, None)]
    states: list[Progress] = []
    with open_device("cpu") as device:
        outcome = run_job(spec, device, Listener(progress=states.append))
    assert (outcome.status, outcome.progress.frames) == (Status.DONE, 30)
    assert {state.expected for state in states} == {None}


@pytest.mark.media
@pytest.mark.parametrize("first", [0, 1, -31])
def test_times_that_a_journal_cannot_hold_are_not_cut(first: int, spec: JobSpec) -> None:
    """The last of 30 frames lies on the largest number, or one behind it, or the first before the smallest."""
    times = [MAX_NUMBER - 29 + first + n if first >= 0 else -MAX_NUMBER + first + 30 + n for n in range(30)]

    def planned(job: PreparedJob, source: FrameSource) -> JobFolder | None:
        source.indexed_range = lambda: (FrameIndex(times, [times[0]]), range(30))  # type: ignore[attr-defined]
        return plan_folder(job, source, on_cpu=True, say=print)

    assert (prepared(spec, planned) is None) is bool(first)


# What an earlier run has left


def interrupted(spec: JobSpec, frames: int = 25, ending: Ending | None = None) -> JobFolder:
    """Interrupt a job after a number of painted frames; return its folder.

    Args:
        ending: passed to the job.
    """

    def stop(state: Progress) -> None:
        if state.frames >= frames:
            raise KeyboardInterrupt

    with open_device("cpu") as device, pytest.raises(KeyboardInterrupt):
        run_job(spec, device, Listener(progress=stop, ending=ending))
    folder = JobFolder.read(folder_of(Path(spec.target)))
    folder.find_whole()
    return folder


@pytest.mark.media
def test_an_interrupted_job_goes_on_and_says_so(spec: JobSpec) -> None:
    ending = Ending()
    kept = len(interrupted(spec, ending=ending).complete_segments)
    assert 1 <= kept <= 2
    assert (
        ending.kept == f"{kept} of 3 segments {'is' if kept == 1 else 'are'} kept; run the same command again to resume"
    )
    part = part_of(Path(spec.target))
    part.write_bytes(b"of a process that died")
    assert remove_leftovers(spec.target) == ending.kept
    assert not part.exists()
    said: list[str] = []
    states: list[Progress] = []
    with open_device("cpu") as device:
        outcome = run_job(spec, device, Listener(said.append, states.append, ending=ending))
    assert f"resuming out.mkv: {kept} of 3 segments {'is' if kept == 1 else 'are'} done" in said
    assert not any("damaged" in line for line in said)
    assert (outcome.status, outcome.lost, outcome.progress.frames, outcome.progress.resumed) == (
        Status.DONE,
        0,
        30,
        10 * kept,
    )
    painted = next(state for state in states if state.frames)
    assert (painted.frames, painted.expected) == (10 * kept + 1, 30)
    assert states[-1].size_bytes == outcome.path.stat().st_size
    assert not folder_of(Path(spec.target)).exists()
    assert ending.kept == ""
    assert remove_leftovers(spec.target) == NOTHING == "nothing was written"
    assert remove_leftovers("-") == "the video on standard output is incomplete"


@pytest.mark.media
def test_a_worker_reports_its_progress_and_each_whole_segment(spec: JobSpec) -> None:
    folder = prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    reports: SimpleQueue[Report] = SimpleQueue()
    worker = DeviceWorker("cpu", folder.path, reports)
    try:
        assert reports.get(timeout=60).kind == "ready"
        worker.give(list(folder.journal.segments[1:]))
        said = list(iter(lambda: reports.get(timeout=60), Report(worker, "ready")))
    finally:
        worker.close()
    assert (said[0].kind, said[0].frames) == ("progress", 1)
    assert [each.number for each in said if each.kind == "whole"] == [1, 2]
    folder.find_whole()
    assert [segment.number for segment in folder.complete_segments] == [1, 2]


@pytest.mark.media
def test_an_interrupted_job_goes_on_with_its_plan_whatever_length_is_asked_for(spec: JobSpec) -> None:
    kept = len(interrupted(spec).complete_segments)
    for segments in ("off", "auto", 15):
        other: Any = replace(spec, segments=segments)
        folder = prepared(other, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
        assert [segment.frames for segment in folder.journal.segments] == [10, 10, 10]
        assert len(folder.complete_segments) == kept
        found: list[JobFolder | None] = []
        with pytest.raises(KeyError):
            held(other, lambda folder: found.append(folder) or {}[0])  # noqa: B023 - called at once
        assert found[0] is not None
        assert len(found[0].complete_segments) == kept


@pytest.mark.media
@pytest.mark.parametrize(
    ("frames", "seconds", "parts"), [(8, 19.9, 1), (8, 20.0, 2), (7, 20.0, 1), (7, 49.9, 1), (1, 50.0, 2)]
)
def test_a_segment_goes_on_in_another_file_when_it_takes_long(
    spec: JobSpec, monkeypatch: pytest.MonkeyPatch, frames: int, seconds: float, parts: int
) -> None:
    """With 8 frames after 20 s, with fewer after 50 s; the clock starts with the first frame."""
    now = [-99.0]
    monkeypatch.setattr(segment_writer, "time", SimpleNamespace(monotonic=lambda: now[0]))

    def written(job: PreparedJob, source: FrameSource) -> int:
        folder = plan_folder(job, source, on_cpu=True, say=print)
        assert folder is not None
        with SegmentWriter(folder, job.plan, folder.journal.segments, source) as output:
            for number, frame in zip(range(frames + 1), source, strict=False):
                now[0] = 0.0 if number < frames else seconds
                output.write(output.allocate(), frame.pts, frame.duration)
            output.finish()
        return len(folder.parts_of(folder.journal.segments[0]))

    assert prepared(spec, written) == parts


@pytest.mark.media
def test_damaged_segments_are_made_again(spec: JobSpec) -> None:
    folder = interrupted(spec)
    count = len(folder.complete_segments)
    for segment in folder.complete_segments:
        folder.media(segment).write_bytes(b"damaged")
    said: list[str] = []
    again = prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=True, say=said.append))
    assert said == [f"{count} segment{'s' if count > 1 else ''} of out.mkv damaged: painting again"]
    assert [segment.number for segment in again.missing] == [0, 1, 2]


def outsized(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(MOST_BYTES + 1)


@pytest.mark.media
def test_a_plan_of_any_size_is_not_read(spec: JobSpec) -> None:
    folder = interrupted(spec)
    outsized(folder.path / JOURNAL)
    said: list[str] = []
    again = prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=True, say=said.append))
    assert said[0] == (
        "the plan of an unfinished job cannot be used (journal.json: it has more than 67.1 MB, the most for such a "
        "file): planning again"
    )
    assert len(again.complete_segments) == len(folder.complete_segments)  # whose names are those of the new plan


@pytest.mark.media
@pytest.mark.parametrize("kind", ["outsized", pytest.param("pipe", marks=NEEDS_PIPES)])
def test_a_record_that_is_none_is_made_again(kind: str, spec: JobSpec) -> None:
    """The file of a record may be larger than memory, or one that never ends."""
    folder = interrupted(spec)
    first = folder.complete_segments[0]
    record = folder.record_file(first)
    if kind == "pipe":
        record.unlink()
        os.mkfifo(record)
    else:
        outsized(record)
    again = prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    assert first.number in [segment.number for segment in again.missing]
    assert not record.exists()


@pytest.mark.media
def test_segments_of_another_job_are_neither_used_nor_lost(spec: JobSpec) -> None:
    folder = interrupted(spec)
    other = replace(spec, recipe=replace(spec.recipe, look=replace(spec.look, strength=0.5)))
    kept = len(folder.complete_segments)
    said = rf"contains {kept} segments? of an unfinished job, and since then .*strength.* changed; .* with --restart$"
    with pytest.raises(OutputError, match=said):
        prepared(other, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    assert folder.find_whole() == []
    assert len(folder.complete_segments) == kept


@pytest.mark.media
def test_the_plan_of_another_job_without_segments_is_dropped(spec: JobSpec) -> None:
    prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    other = replace(spec, recipe=replace(spec.recipe, look=replace(spec.look, strength=0.5)), segments=15)
    folder = prepared(other, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    assert folder.journal.job.look.strength == 0.5
    prepared(replace(other, segments=10), lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    assert folder.journal.segments == JobFolder.read(folder.path).journal.segments  # the plan that was made


@pytest.mark.media
def test_a_job_in_one_piece_drops_the_plan_of_another(spec: JobSpec) -> None:
    prepared(spec, lambda job, source: plan_folder(job, source, on_cpu=True, say=print))
    found: list[JobFolder | None] = []
    held(
        replace(spec, recipe=replace(spec.recipe, look=replace(spec.look, strength=0.5)), segments="off"), found.append
    )
    assert found == [None]
    assert not folder_of(Path(spec.target)).exists()


@pytest.mark.media
def test_a_restart_drops_what_is_there(spec: JobSpec) -> None:
    interrupted(spec)
    said: list[str] = []
    with open_device("cpu") as device:
        outcome = run_job(spec, device, Listener(said.append), restart=True)
    assert outcome.progress.resumed == 0
    assert not any("resuming" in line for line in said)


def held(
    spec: JobSpec,
    do: Callable[[JobFolder | None], object],
    say: Callable[[str], None] = print,
    ending: Ending | None = None,
) -> None:
    """Hold the folder of a job and do something meanwhile."""

    def hold(job: PreparedJob, source: FrameSource) -> None:
        job = job if ending is None else replace(job, plan=replace(job.plan, ending=ending))
        with job_folder(job, source, on_cpu=True, restart=False, say=say) as folder:
            do(folder)

    prepared(spec, hold)


def fail(error: BaseException) -> Callable[[object], None]:
    """A function that raises."""

    def raising(_: object) -> None:
        raise error

    return raising


class Doing(SegmentPainter):
    """Painter that does something else."""

    on_cpu = True

    def __init__(self, do: Callable[[object], None]) -> None:
        self.paint_missing = do  # type: ignore[method-assign]

    def paint_missing(self, segmented: SegmentedJob) -> None:
        raise NotImplementedError

    def in_one_piece(self, job: PreparedJob, source: FrameSource, listener: Listener, *, restart: bool) -> Outcome:
        self.paint_missing(job)  # type: ignore[arg-type]
        return Outcome(Status.DONE, Progress(0, 0, 0.0, 0), 0, job.plan.target)


@pytest.mark.media
@pytest.mark.parametrize(("segments", "part"), [(10, "the segments of"), ("off", "writing")])
def test_a_full_disk_and_other_failures_of_it_are_named(segments: Any, part: str, spec: JobSpec) -> None:  # noqa: ANN401
    spec = replace(spec, segments=segments)
    with pytest.raises(DiskFullError, match=r"^the disk of .* is full"):
        do_job(spec, Doing(fail(OSError(errno.ENOSPC, "No space left on device"))))
    with pytest.raises(OutputError, match=rf"^{part} out\.mkv failed: .*Input/output error"):
        do_job(spec, Doing(fail(OSError(errno.EIO, "Input/output error"))))
    assert not folder_of(Path(spec.target)).exists()  # there was nothing to keep


@pytest.mark.media
def test_a_failure_says_what_is_kept_and_an_interruption_leaves_that_to_others(spec: JobSpec) -> None:
    kept = interrupted(spec).kept_words
    for error, words in ((RuntimeError("broken"), [kept]), (KeyboardInterrupt(), [])):
        said: list[str] = []
        ending = Ending()
        with pytest.raises(type(error)):
            held(spec, fail(error), said.append, ending)
        assert said[1:] == words  # behind what it goes on with
        assert ending.kept == kept


@pytest.mark.media
def test_what_the_job_before_has_left_is_not_that_of_the_next(spec: JobSpec) -> None:
    ending = Ending("3 of 4 segments are kept", whole=True)
    do_job(replace(spec, segments="off"), Doing(lambda _: None), Listener(ending=ending))
    assert (ending.kept, ending.whole) == ("", False)


@pytest.mark.media
def test_two_jobs_of_one_process_do_not_know_each_other(spec: JobSpec, monkeypatch: pytest.MonkeyPatch) -> None:
    """One fails while the other is at work, in another thread, and ends well."""
    monkeypatch.setattr(signals, "ending", Ending())
    other = replace(spec, target=str(Path(spec.target).with_name("other.mkv")))
    endings, failed, works = (Ending(), Ending()), threading.Event(), threading.Event()

    def wait(state: Progress) -> None:
        if state.frames == 15:
            works.set()
            assert failed.wait(30)

    def stop(state: Progress) -> None:
        if state.frames == 25:
            assert works.wait(30)
            raise OutputError("now")

    def fail_it() -> None:
        with open_device("cpu") as device, pytest.raises(OutputError, match="now"):
            run_job(spec, device, Listener(progress=stop, ending=endings[0]))
        failed.set()

    with open_device("cpu") as device, ThreadPoolExecutor() as pool:
        failing = pool.submit(fail_it)
        assert run_job(other, device, Listener(progress=wait, ending=endings[1])).status is Status.DONE
        failing.result()
    assert "of 3 segments" in endings[0].kept
    assert (endings[0].whole, endings[1].kept, endings[1].whole) == (False, "", True)
    assert (signals.ending.kept, signals.ending.whole) == ("", False)


@pytest.mark.media
def test_a_target_that_appears_meanwhile_stays(spec: JobSpec) -> None:
    def late(job: PreparedJob, source: FrameSource) -> None:
        Path(spec.target).write_text("precious")
        with job_folder(job, source, on_cpu=True, restart=False, say=print):
            pytest.fail("it was not looked for once more")

    with pytest.raises(OutputError, match="exists already"):
        prepared(spec, late)
    assert Path(spec.target).read_text() == "precious"


@pytest.mark.media
def test_frames_that_are_lost_are_counted_over_all_segments(spec: JobSpec, tmp_path: Path) -> None:
    whole = (CLIPS / "bframes.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) * 6 // 10])
    said: list[str] = []
    with open_device("cpu") as device:
        outcome = run_job(replace(spec, source=str(tmp_path / "cut.mp4"), segments=4), device, Listener(said.append))
    assert outcome.status is Status.LOSSES
    assert outcome.lost == 30 - outcome.progress.frames > 0
    assert len([line for line in said if "is cut off" in line]) == 1
