"""A job that ends before its time goes on where it was, to the very file that it would have made at once."""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from framebrush.base import signals
from framebrush.base.signals import Ending
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.errors import DeviceError, DeviceLostError
from framebrush.jobs.segments.job_folder import JobFolder, folder_of, remove_empty
from framebrush.jobs.spec import DecodeOptions
from framebrush.jobs.transcode import Listener, Progress, Status
from framebrush.media.video import DiskFullError, OutputError
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec
from tests.app.jobs import jobs
from tests.app.jobs.footage import Job, job, leftovers, transcode
from tests.app.jobs.jobs import COUNT, SEGMENT
from tests.app.styles.test_map_films import encode, grey
from tests.app.styles.test_picture_styles import png
from tests.media.writing.test_writer_refusals import small_disk

pytestmark = pytest.mark.media

LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="ultrafast")
KILLS = jobs.FULL or 3


@pytest.mark.parametrize("segments", ["off", 20])
def test_what_another_job_has_finished_meanwhile_is_not_painted_again(
    segments: Literal["off"] | int, film: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.mp4"
    painted: list[Progress] = []
    with open_device("cpu") as device:
        made = job(film, target, device, options=LOSSLESS, segments=segments)
        with pytest.raises(OutputError, match="exists already"):  # it is there when the decisions have been said
            transcode(
                made, Listener(lambda _: None if target.exists() else target.write_text("theirs"), painted.append)
            )
    assert [state.frames for state in painted] in ([], [0])  # nothing, or what was decided
    assert target.read_text() == "theirs"
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
def test_files_of_others_in_the_folder_of_a_job_stay(film: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out.mp4.framebrush"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    jobs.finish(film, tmp_path / "out.mp4")
    assert leftovers(tmp_path) == ["out.mp4", folder.name]
    assert leftovers(folder) == ["notes.txt"]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_at_a_random_moment(seed: int, film: Path, at_once: bytes, tmp_path: Path) -> None:
    dice, target = random.Random(seed), tmp_path / "out.mp4"
    for _ in range(dice.randint(1, 3)):
        child = jobs.start(film, target)
        jobs.wait_for_segments(child, target, len(jobs.records(target)) + dice.randint(0, 4))
        time.sleep(dice.uniform(0, 0.15))
        jobs.kill(child)
    whole = jobs.records(target)
    if target.exists():  # it had been quicker
        assert target.read_bytes() == at_once
        return
    said = jobs.finish(film, target)
    if whole:
        assert f"resuming out.mp4: {jobs.segments_done(len(whole))}" in said
    assert target.read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("ask", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_says_what_is_kept(ask: signal.Signals, film: Path, at_once: bytes, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    child = jobs.start(film, target)
    jobs.wait_for_segments(child, target, 3)
    child.send_signal(ask)
    _, errors = child.communicate(timeout=60)
    if target.exists():  # it had been quicker
        assert target.read_bytes() == at_once
        assert leftovers(tmp_path) == [target.name]
        return
    kept = len(jobs.records(target))
    last = errors.splitlines()[-1]
    said = [
        f"{number} of {COUNT} segments are kept; run the same command again to resume" for number in (kept, kept - 1)
    ]
    assert child.returncode == 4
    assert last in [f"framebrush: interrupted; {words}" for words in said]
    assert leftovers(tmp_path) == ["out.mp4.framebrush"]
    assert jobs.segments_done(kept) in jobs.finish(film, target)
    assert target.read_bytes() == at_once


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_process_whose_parent_is_killed_ends_and_keeps_its_segments(film: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    parent = jobs.start(film, target)
    jobs.wait_for_segments(parent, target, 2)
    parent.kill()
    _, errors = parent.communicate(timeout=60)  # the child has the other end of this pipe
    kept = f"{len(jobs.records(target))} of {COUNT} segments are kept; run the same command again to resume"
    assert errors.splitlines()[-1] == f"framebrush: interrupted; {kept}"
    assert leftovers(tmp_path) == ["out.mp4.framebrush"]


def interrupted(made: Job, frame: int, error: type[BaseException] = KeyboardInterrupt) -> list[str]:
    """Run a job until a number of frames are written; return the messages."""
    said: list[str] = []

    def stop(state: Progress) -> None:
        if state.frames == frame:
            raise error("now")

    with pytest.raises(error, match="now"):
        transcode(made, Listener(said.append, stop))
    return said


def begun(film: Path, folder: Path, **more: Any) -> Job:  # noqa: ANN401
    """Begin a job on the identity network, and leave some segments finished."""
    device = open_device("cpu")
    made = job(film, folder / "out.mkv", device, options=LOSSLESS, segments=SEGMENT, **more)
    interrupted(made, 3 * SEGMENT + 5)
    return made


@pytest.mark.slow
def test_an_interruption_of_the_last_steps_leaves_a_whole_file(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unlink, calls = Path.unlink, itertools.count()

    def interrupt(path: Path, *, missing_ok: bool = False) -> None:
        if path.parent.name.endswith(".framebrush") and path.suffix == ".json" and next(calls) == 2:
            raise KeyboardInterrupt
        unlink(path, missing_ok=missing_ok)

    made = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT)
    monkeypatch.setattr(Path, "unlink", interrupt)
    monkeypatch.setattr(signals, "ending", Ending())
    with pytest.raises(KeyboardInterrupt):
        transcode(made, Listener(ending=signals.ending))
    assert signals.interrupted_words() == "interrupted; out.mkv is complete"
    assert leftovers(tmp_path) == ["out.mkv"]
    assert list(jobs.numbers(tmp_path / "out.mkv")) == list(range(jobs.FRAMES))


def done(made: Job, *, restart: bool = False) -> list[str]:
    """Finish a job, check all its frames, and return the messages."""
    said: list[str] = []
    transcode(made, Listener(said.append), restart=restart)
    target = Path(made.spec.target)
    assert list(jobs.numbers(target)) == list(range(jobs.FRAMES))
    assert not target.with_name("out.mkv.framebrush").exists()
    return said


def segments_of(made: Job) -> list[Path]:
    return sorted(Path(made.spec.target + ".framebrush").glob("0*.nut"))


@pytest.mark.slow
def test_a_failure_says_what_is_kept(film: Path, tmp_path: Path) -> None:
    made = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT)
    said = interrupted(made, 3 * SEGMENT + 5, OutputError)
    kept = len(segments_of(made))
    assert f"{kept} of {COUNT} segments are kept; run the same command again to resume" in said
    assert any(line.startswith(f"resuming out.mkv: {kept} of {COUNT}") for line in done(made))


def test_what_a_killed_job_leaves_is_kept_only_with_a_segment(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    folder = folder_of(Path(made.spec.target))
    kept = leftovers(folder)
    remove_empty(Path(made.spec.target))
    assert leftovers(folder) == kept
    for path in folder.glob("[0-9]*"):
        path.unlink()
    assert leftovers(folder)  # its journal
    remove_empty(Path(made.spec.target))
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_a_damaged_segment_is_made_again(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    with segments_of(made)[1].open("r+b") as file:
        file.seek(-100, os.SEEK_END)
        byte = file.read(1)
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte[0] ^ 1]))
    assert "1 segment of out.mkv damaged: painting again" in done(made)


def damage(path: Path, before: str, after: str) -> None:
    """Replace one text in a record or journal, as a bad disk does."""
    text = path.read_text()
    assert text.count(before) == 1
    path.write_text(text.replace(before, after))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"), [('"pts": [0, ', '"pts": [1, '), ('"lost": 0', '"lost": 1'), ('"content"', '"contend"')]
)
def test_a_damaged_record_costs_its_segment(before: str, after: str, film: Path, tmp_path: Path) -> None:
    """Its times and its losses are not believed."""
    made = begun(film, tmp_path)
    kept = segments_of(made)
    damage(kept[1].with_suffix(".json"), before, after)
    said: list[str] = []
    outcome = transcode(made, Listener(said.append))
    assert (outcome.status, outcome.lost) == (Status.DONE, 0)
    assert list(jobs.numbers(Path(made.spec.target))) == list(range(jobs.FRAMES))
    assert "1 segment of out.mkv damaged: painting again" in said
    assert f"resuming out.mkv: {jobs.segments_done(len(kept) - 1)}" in said


@pytest.mark.slow
def test_segments_whose_names_were_exchanged_with_their_records_are_made_again(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    first, second, *_ = segments_of(made)
    for ending in (".json", ".nut"):
        aside = tmp_path / "aside"
        first.with_suffix(ending).rename(aside)
        second.with_suffix(ending).rename(first.with_suffix(ending))
        aside.rename(second.with_suffix(ending))
    assert "2 segments of out.mkv damaged: painting again" in done(made)


@pytest.mark.slow
def test_segments_of_another_job_under_the_names_of_ours_are_made_again(film: Path, tmp_path: Path) -> None:
    reverse, other = tmp_path / "reverse.mp4", tmp_path / "other"
    reverse.write_bytes(film.read_bytes() + bytes(8))  # another source, of as many frames
    other.mkdir()
    theirs, ours = segments_of(begun(reverse, other)), segments_of(made := begun(film, tmp_path))
    for their, our in zip(theirs, ours, strict=False):
        assert their.name != our.name
        for ending in (".json", ".nut"):
            their.with_suffix(ending).replace(our.with_suffix(ending))
    assert f"{min(len(theirs), len(ours))} segments of out.mkv damaged: painting again" in done(made)


@pytest.mark.slow
def test_a_damaged_journal_is_planned_again(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    kept = len(segments_of(made))
    damage(Path(made.spec.target + ".framebrush") / "journal.json", '"style_sha256": "', '"style_sha256": "0')
    said = done(made)
    assert any("journal.json does not match its checksum): planning again" in line for line in said)
    assert f"resuming out.mkv: {jobs.segments_done(kept)}" in said


@pytest.mark.slow
def test_what_a_version_without_checksums_left_is_painted_again(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    kept = segments_of(made)
    for path in kept[0].parent.glob("*.json"):
        path.write_text(json.dumps(json.loads(path.read_text())["content"]))
    said = done(made)
    assert any("has no checksum" in line and line.endswith("planning again") for line in said)
    assert f"{len(kept)} segments of out.mkv damaged: painting again" in said
    assert not any("resuming" in line for line in said)


@pytest.mark.slow
def test_a_segment_unlike_its_record_is_removed_and_not_for_ever_in_the_way(film: Path, tmp_path: Path) -> None:
    """Whatever wrote it: the same command, once more, ends well."""
    made = begun(film, tmp_path)
    folder = JobFolder.read(Path(made.spec.target + ".framebrush"))
    part = folder.journal.segments[1]
    record = folder.recorded(part)
    folder.record(part, replace(record, pts=(1, *record.pts[1:])))
    said: list[str] = []
    with pytest.raises(OutputError, match=r"segment 1 does not match its record, and was removed"):
        transcode(made, Listener(said.append))
    assert f"{COUNT - 1} of {COUNT} segments are kept; run the same command again to resume" in said
    assert f"resuming out.mkv: {jobs.segments_done(COUNT - 1)}" in done(made)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no folder with an open file")
def test_what_somebody_has_removed_is_not_called_kept(film: Path, tmp_path: Path) -> None:
    target = tmp_path / "out" / "out.mkv"
    target.parent.mkdir()
    made, said = job(film, target, open_device("cpu"), options=LOSSLESS, segments=SEGMENT), list[str]()

    def remove(state: Progress) -> None:
        if state.frames == 4 * SEGMENT:  # at once, as a thread of the job's writes into it
            target.parent.rename(tmp_path / "elsewhere")

    ending = Ending()
    with pytest.raises(OutputError) as caught:
        transcode(made, Listener(said.append, remove, ending=ending))
    assert not any("kept" in line for line in [*said, str(caught.value)])
    assert "the finished file is" not in str(caught.value)
    assert ending.kept == ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no folder with an open file")
def test_without_the_folder_of_the_job_the_same_command_begins_again(film: Path, tmp_path: Path) -> None:
    made = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT)

    def remove(state: Progress) -> None:
        if state.frames == 4 * SEGMENT:
            shutil.rmtree(tmp_path / "out.mkv.framebrush", ignore_errors=True)

    said: list[str] = []
    removed = r"was removed (while its job ran|meanwhile); run the same command again$"  # meanwhile: a segment's name
    with pytest.raises(OutputError, match=removed):
        transcode(made, Listener(said.append, remove))
    assert not any("kept" in line for line in said)
    done(made)


@pytest.mark.slow
def test_a_target_that_appears_while_a_job_paints_is_not_lost_and_the_advice_works(film: Path, tmp_path: Path) -> None:
    made, said = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT), list[str]()
    target = Path(made.spec.target)

    def appear(state: Progress) -> None:
        if state.frames == 3 * SEGMENT + 5:
            target.write_text("theirs")
            raise OutputError("now")

    with pytest.raises(OutputError, match="now"):
        transcode(made, Listener(said.append, appear))
    assert said[-1].endswith("kept; run the same command again with -y to resume and overwrite the existing file")
    said.clear()
    with pytest.raises(OutputError, match="exists already; overwrite it with -y"):
        transcode(made)
    over = replace(made, spec=replace(made.spec, output=replace(LOSSLESS, overwrite=True)))
    assert any(line.startswith("resuming out.mkv") for line in done(over))


@pytest.mark.slow
def test_a_result_that_got_another_name_is_finished(film: Path, tmp_path: Path) -> None:
    made, said = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT), list[str]()

    def appear(state: Progress) -> None:
        if state.frames == jobs.FRAMES:
            Path(made.spec.target).write_text("theirs")

    with pytest.raises(OutputError, match=r"the finished file is .*out\.1\.mkv$"):
        transcode(made, Listener(said.append, appear))
    assert not any("kept" in line for line in said)
    assert leftovers(tmp_path) == ["out.1.mkv", "out.mkv"]
    assert list(jobs.numbers(tmp_path / "out.1.mkv")) == list(range(jobs.FRAMES))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no file that is open")
def test_a_record_whose_segment_somebody_has_removed_is_not_called_kept(film: Path, tmp_path: Path) -> None:
    made, said = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT), list[str]()

    def remove(state: Progress) -> None:
        if state.frames == 3 * SEGMENT + 5:
            segments_of(made)[0].unlink()
            raise OutputError("now")

    with pytest.raises(OutputError, match="now"):
        transcode(made, Listener(said.append, remove))
    kept = [segment for segment in segments_of(made) if segment.with_suffix(".json").is_file()]
    assert f"{len(kept)} of {COUNT} segments" in said[-1]
    assert "kept" in said[-1]


@pytest.mark.slow
def test_a_vanished_segment_is_made_again(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    segments_of(made)[0].unlink()
    assert "1 segment of out.mkv damaged: painting again" in done(made)


@pytest.mark.slow
@pytest.mark.parametrize("content", [None, b"", b"{", b'{"version": 1}', b"\xff\x00"])
def test_without_its_journal_the_segments_are_found_by_name(content: bytes | None, film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    journal = Path(made.spec.target + ".framebrush") / "journal.json"
    journal.unlink()
    if content is not None:
        journal.write_bytes(content)
    kept = len(segments_of(made))
    assert kept > 1
    assert f"resuming out.mkv: {jobs.segments_done(kept)}" in done(made)


@pytest.mark.slow
def test_a_changed_source_is_noticed(film: Path, tmp_path: Path) -> None:
    source = tmp_path / "film.mp4"
    source.write_bytes(film.read_bytes())
    made = begun(source, tmp_path)
    with source.open("ab") as file:
        file.write(bytes(1))
    with pytest.raises(OutputError, match=r"contains \d segments .* since then the source changed.*--restart"):
        done(made)
    assert segments_of(made)
    said = done(made, restart=True)
    assert not any("resuming" in line for line in said)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sizes.nut", "size-%02d.png"])
def test_a_changed_map_of_the_brush_is_noticed(name: str, film: Path, tmp_path: Path) -> None:
    """In its middle, too, by as many bytes; but not one that was only touched."""
    path, codes = tmp_path / name, [grey(10 * number) for number in range(20)]
    if path.suffix == ".nut":
        encode(path, codes, codec="rawvideo")
    else:
        for number, picture in enumerate(codes):
            png(tmp_path / (name % number), picture)
    made = begun(film, tmp_path, sizes=SizeSpec(brush_sizes=str(path)))
    if path.suffix == ".nut":
        os.utime(path, (1, 1))
        interrupted(made, 4 * SEGMENT + 5)
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 255
        path.write_bytes(content)
    else:
        png(tmp_path / (name % 7), grey(99))
    with pytest.raises(OutputError, match=r"since then the settings \(sizes\.brush_sizes\) changed.*--restart"):
        done(made)
    assert not any("resuming" in line for line in done(made, restart=True))


@pytest.mark.slow
def test_a_test_source_in_its_place_is_noticed(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    other = job("lavfi:testsrc2=size=160x96:duration=1", tmp_path / "out.mkv", made.device, options=LOSSLESS)
    with pytest.raises(OutputError, match="since then the source changed"):
        transcode(other)
    done(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"options": OutputOptions(codec="libx264", crf=1, preset="ultrafast")}, r"encoder \(crf\).*output.crf"),
        ({"options": OutputOptions(codec="libx265")}, "the encoder"),
    ],
)
def test_a_changed_setting_is_noticed(change: dict[str, Any], words: str, film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    other = job(film, tmp_path / "out.mkv", made.device, **{"options": LOSSLESS, "segments": SEGMENT, **change})
    with pytest.raises(OutputError, match=words):
        transcode(other)
    done(made)


@pytest.mark.slow
def test_another_length_of_segments_goes_on_with_the_plan_that_was_made(film: Path, tmp_path: Path) -> None:
    made = begun(film, tmp_path)
    other = job(film, tmp_path / "out.mkv", made.device, options=LOSSLESS, segments=2 * SEGMENT)
    assert any(re.search(rf"of {COUNT} segments (is|are) done$", line) for line in done(other))


@pytest.mark.slow
def test_a_lost_device_keeps_what_is_whole(film: Path, tmp_path: Path) -> None:
    made = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT)
    interrupted(made, 3 * SEGMENT + 5, DeviceLostError)
    assert len(segments_of(made)) in (2, 3)
    done(made)


@pytest.mark.slow
@pytest.mark.parametrize("segments", [SEGMENT, "off"])
@pytest.mark.parametrize("hwaccel", [None, "auto"])
def test_a_device_lost_with_the_frames_of_its_decoder(
    segments: Literal["off"] | int, hwaccel: str | None, film: Path, tmp_path: Path
) -> None:
    """The job begins again elsewhere, with the segments that are whole; other losses are not for it to mend."""
    others: list[Device] = []

    def another() -> Device:
        others.append(open_device("cpu"))
        return others[-1]

    made = job(
        film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=segments, another_device=another
    )
    made = replace(made, spec=replace(made.spec, decode=DecodeOptions(hwaccel=hwaccel)))
    said: list[str] = []
    lost: list[int] = []

    def lose_once(state: Progress) -> None:
        if state.frames == 3 * SEGMENT + 5 and not lost:
            lost.append(state.frames)
            raise DeviceLostError("the GPU was lost")

    if hwaccel is None:
        if segments == "off":
            assert transcode(made, Listener(said.append, lose_once)).status is Status.LOSSES
        else:
            with pytest.raises(DeviceLostError):
                transcode(made, Listener(said.append, lose_once))
        assert not others
        return
    outcome = transcode(made, Listener(said.append, lose_once))
    assert outcome.status is Status.DONE
    assert len(others) == 1
    assert others[0].closed
    assert f"the GPU was lost; continuing on {others[0].info.name}" in said
    assert (segments != "off") == any(line.startswith("resuming out.mkv: ") for line in said)
    assert list(jobs.numbers(tmp_path / "out.mkv")) == list(range(jobs.FRAMES))
    assert leftovers(tmp_path) == ["out.mkv"]


def test_a_device_lost_with_the_frames_of_its_decoder_and_no_other(film: Path, tmp_path: Path) -> None:
    """Painted frames are kept, as after any failure."""

    def none_left() -> Device:
        raise DeviceError("no other")

    made = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments="off")
    made = replace(made, spec=replace(made.spec, decode=DecodeOptions(hwaccel="auto")), another_device=none_left)

    def lose(state: Progress) -> None:
        if state.frames:
            raise DeviceLostError("the GPU was lost")

    outcome = transcode(made, Listener(progress=lose))
    assert (outcome.status, outcome.progress.frames) == (Status.LOSSES, 1)


@pytest.mark.slow
def test_a_full_disk_keeps_what_is_whole(film: Path, tmp_path: Path) -> None:
    whole = job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT)
    done(whole)
    size = Path(whole.spec.target).stat().st_size
    with small_disk(tmp_path / "disk", f"{size // 1024}k") as disk:
        made = job(film, disk / "out.mkv", whole.device, options=LOSSLESS, segments=SEGMENT)
        said: list[str] = []
        with pytest.raises(DiskFullError, match=rf"^the disk of {disk} is full \([^)]+\); free some space"):
            transcode(made, Listener(said.append))
        assert leftovers(disk) == ["out.mkv.framebrush"]
        kept = len(list((disk / "out.mkv.framebrush").glob("[0-9]*.json")))  # the last may lack its record
        assert f"{kept} of {COUNT} segments are kept; run the same command again to resume" in said
        subprocess.run(["mount", "-o", f"remount,size={3 * size // 1024 + 500}k", str(disk)], check=True)
        assert f"resuming out.mkv: {jobs.segments_done(kept)}" in done(made)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_second_job_on_the_same_target_is_refused(film: Path, at_once: bytes, tmp_path: Path) -> None:
    target = tmp_path / "out.mp4"
    first = jobs.start(film, target)
    jobs.wait_for_segments(first, target, 1)
    worker = jobs.at_work(first)
    worker.suspend()
    second = subprocess.run(jobs.command(film, target), cwd=jobs.ROOT, capture_output=True, text=True, timeout=60)
    assert second.returncode == 1
    assert "another job writes to" in second.stderr
    worker.resume()
    first.communicate(timeout=120)
    assert target.read_bytes() == at_once
    assert leftovers(tmp_path) == ["out.mp4"]


def test_where_the_folder_cannot_be_made(film: Path, tmp_path: Path) -> None:
    (tmp_path / "out.mkv.framebrush").write_text("a file")
    with pytest.raises(OutputError, match="cannot write to the folder"):
        transcode(job(film, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=SEGMENT))
    assert leftovers(tmp_path) == ["out.mkv.framebrush"]
