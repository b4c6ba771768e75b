"""A source that changes while it is painted: no result mixes two films, and what happened is said."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import pytest

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.jobs.identity import SPREAD_BYTES, SPREAD_SAMPLES, WHOLE_BYTES, SourceIdentity, settings_of
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.segments.job_folder import JobFolder
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Outcome, Progress, Status
from framebrush.media.streams.provenance import read_made_of
from framebrush.media.video import PLAIN_FILE, InputError, OpenOptions, OutputError, SourceChangedError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import SizeSpec, StyleSpec
from tests.app.jobs import jobs
from tests.app.jobs.footage import Job, interrupt, job, leftovers, paint_in_processes, shown, transcode

pytestmark = pytest.mark.media

LOSSLESS = OutputOptions(codec="libx264", crf=0, preset="ultrafast")
OTHER = CLIPS / "cfr.mp4"
CHANGED = "the source changed while it was painted"


def replaced(source: Path) -> None:
    """Another film takes its place."""
    other = source.with_name("other.mp4")
    shutil.copy(OTHER, other)
    other.replace(source)


def written_over(source: Path) -> None:
    """Another film is copied into the same file."""
    shutil.copyfile(OTHER, source)


def touched(source: Path) -> None:
    """Of a large file, nothing tells whether it was written to as well."""
    os.utime(source, (1, 1))


FATES = [
    pytest.param(
        replaced,
        id="replaced",
        marks=pytest.mark.skipif(sys.platform == "win32", reason="Windows replaces no file that is open"),
    ),
    written_over,
]


def made_of(film: Path, tmp_path: Path, **more: object) -> Job:
    (tmp_path / "in").mkdir()
    source = Path(shutil.copy(film, tmp_path / "in" / "film.mp4"))
    return job(source, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, **more)  # type: ignore[arg-type]


def source_of(made: Job) -> Path:
    return Path(made.spec.source)


def records(made: Job) -> list[Path]:
    return sorted(Path(made.spec.target + ".framebrush").glob("0*.json"))


def painted(made: Job, said: list[str], at: int, fate: Callable[[Path], None]) -> Outcome:
    """Paint, and change the source after `at` frames."""

    def change(state: Progress) -> None:
        if state.frames == at:
            fate(source_of(made))

    return transcode(made, Listener(said.append, change))


@pytest.mark.slow
@pytest.mark.parametrize("fate", FATES)
def test_in_one_piece_nothing_is_made(fate: Callable[[Path], None], film: Path, tmp_path: Path) -> None:
    made, said = made_of(film, tmp_path, segments="off"), list[str]()
    with pytest.raises(SourceChangedError, match=rf"film\.mp4: {CHANGED} \(.*run the same command again"):
        painted(made, said, 5, fate)
    assert leftovers(tmp_path) == ["in"]
    assert not any("cut off" in line or "kept" in line for line in said)


@pytest.mark.slow
@pytest.mark.parametrize("fate", FATES)
def test_segments_of_two_films_are_not_mixed(fate: Callable[[Path], None], film: Path, tmp_path: Path) -> None:
    made, said = made_of(film, tmp_path, segments=20), list[str]()
    with pytest.raises(SourceChangedError, match=CHANGED):
        painted(made, said, 70, fate)
    kept = len(records(made))
    assert 0 < kept < 6
    plural = "segments are" if kept > 1 else "segments is"
    assert said[-1] == (
        f"{kept} of 6 {plural} kept for the source before its change; to paint the changed one, add --restart to the "
        "same command"
    )
    assert not any("run the same command" in line or "cut off" in line for line in said)
    assert not Path(made.spec.target).exists()
    with pytest.raises(OutputError, match=r"since then the source changed.*--restart"):
        transcode(made)
    assert transcode(made, restart=True).status is Status.DONE


@pytest.mark.slow
@pytest.mark.parametrize("more_bytes", [0, WHOLE_BYTES])
def test_a_source_that_is_only_touched_is_the_same(more_bytes: int, film: Path, tmp_path: Path) -> None:
    """While it is painted, and between two runs."""
    made, said = made_of(film, tmp_path, segments=20), list[str]()
    with source_of(made).open("ab") as file:
        file.write(bytes(more_bytes))  # behind its boxes
    interrupt(made, 70)
    touched(source_of(made))
    assert painted(made, said, 90, touched).status is Status.DONE
    assert any(line.startswith("resuming out.mkv: ") for line in said)
    assert shown(Path(made.spec.target))[0] == list(range(jobs.FRAMES))


@pytest.mark.slow
def test_a_source_that_is_put_back_is_resumed(film: Path, tmp_path: Path) -> None:
    made, said = made_of(film, tmp_path, segments=20), list[str]()
    aside, source = tmp_path / "in" / "aside.mp4", source_of(made)
    shutil.copy2(source, aside)
    with pytest.raises(SourceChangedError):
        painted(made, said, 70, written_over)
    state = aside.stat()
    shutil.copyfile(aside, source)
    os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert transcode(made, Listener(said.append)).status is Status.DONE
    assert any(line.startswith("resuming out.mkv: ") for line in said)
    assert shown(Path(made.spec.target))[0] == list(range(jobs.FRAMES))


@pytest.mark.slow
def test_between_the_last_segment_and_the_sound(film: Path, tmp_path: Path) -> None:
    """All pictures are of one film, and the sound would be of another."""
    made, said = made_of(film, tmp_path, segments=20), list[str]()
    with pytest.raises(SourceChangedError, match=CHANGED):
        painted(made, said, jobs.FRAMES, written_over)
    assert leftovers(tmp_path) == ["in", "out.mkv.framebrush"]


@pytest.mark.slow
@pytest.mark.parametrize("fate", FATES[:2])
def test_two_seats(fate: Callable[[Path], None], film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, said = made_of(film, tmp_path, segments=10), list[str]()
    spec = replace(
        made.spec, recipe=replace(made.spec.recipe, style=replace(made.spec.style, name="none")), device="cpu,cpu"
    )
    swap_at_first_segment(source_of(made), fate, monkeypatch)
    with pytest.raises(SourceChangedError, match=rf"film\.mp4: {CHANGED}"):
        paint_in_processes(spec, Listener(said.append))
    assert any("of 12 segment" in line and "kept for the source before its change" in line for line in said)
    assert not any("Frame" in line for line in said)
    assert not Path(made.spec.target).exists()


def swap_at_first_segment(source: Path, fate: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch) -> None:
    read, swapped = JobFolder.read_segment, list[int]()

    def swapping(self: JobFolder, segment: Segment) -> Segment | None:
        damaged = read(self, segment)
        if not swapped and segment in self.complete_segments:
            fate(source)
            swapped.append(segment.number)
        return damaged

    monkeypatch.setattr(JobFolder, "read_segment", swapping)


def test_pictures_of_two_films_are_not_resumed(film: Path, tmp_path: Path) -> None:
    made, said = made_of(film, tmp_path), list[str]()
    made = replace(made, spec=replace(made.spec, target=str(tmp_path / "out%03d.png"), output=OutputOptions()))
    with pytest.raises(SourceChangedError, match=CHANGED):
        painted(made, said, 60, written_over)
    assert not any("kept" in line for line in said)
    assert not list(tmp_path.glob("*.framebrush"))


def test_the_command_says_it_with_its_status(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = made_of(film, tmp_path)
    grown = OpenedSource.has_only_grown

    def replaced_before(self: OpenedSource) -> bool:
        written_over(source_of(made))
        return grown(self)

    monkeypatch.setattr(OpenedSource, "has_only_grown", replaced_before)
    arguments = ["transcode", made.spec.source, str(tmp_path / "out.mp4"), "--style", "none", "--device", "cpu"]
    assert run([*arguments, "--progress", "none"]) == int(Status.UNREADABLE)
    assert CHANGED in capsys.readouterr().err
    assert leftovers(tmp_path) == ["in"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows removes no file that is open")
def test_a_source_that_is_removed_is_read_to_its_end(film: Path, tmp_path: Path) -> None:
    made = made_of(film, tmp_path, segments="off")
    assert painted(made, [], 5, Path.unlink).status is Status.DONE
    assert shown(Path(made.spec.target))[0] == list(range(jobs.FRAMES))


@pytest.fixture(scope="module")
def stream(film: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The film as a recorder writes it."""
    path = tmp_path_factory.mktemp("stream") / "film.ts"
    with av.open(str(film)) as source, av.open(str(path), "w") as out:
        streams = {stream.index: out.add_stream_from_template(stream) for stream in source.streams}
        for packet in source.demux():
            if packet.dts is not None:
                packet.stream = streams[packet.stream_index]
                out.mux(packet)
    return path.read_bytes()


@pytest.mark.parametrize("segments", ["off", 20])
@pytest.mark.parametrize("span", [TimeRange(), TimeRange(frames=30)])
def test_a_recording_that_goes_on_is_said(segments: object, span: TimeRange, stream: bytes, tmp_path: Path) -> None:
    """And its sound ends with its picture."""
    content = stream
    source = tmp_path / "film.ts"
    source.write_bytes(content[: len(content) * 3 // 4 // 188 * 188])

    def goes_on(path: Path) -> None:
        with path.open("ab") as file:
            file.write(content[path.stat().st_size :])

    made = job(source, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, span=span, segments=segments)  # type: ignore[arg-type]
    said: list[str] = []
    outcome = painted(made, said, 3, goes_on)
    words = "the source grew while it was painted: what was added at its end may be missing; paint it again"
    told = [loss.text for loss in outcome.losses if loss.text.startswith(words)]
    assert len(told) == (not span.frames)
    assert told == [line for line in said if "grew" in line]
    if not span.frames:
        assert outcome.status is Status.LOSSES
    record = read_made_of(Path(made.spec.target))
    assert record is not None
    lost = [loss.text for loss in record.lost]
    assert set(told) <= set(lost)
    assert not any("film.ts" in line for line in (record.text, *lost))  # results name nobody's files
    with av.open(made.spec.target) as whole:
        ends = {"video": Fraction(), "audio": Fraction()}
        for packet in whole.demux():
            if packet.pts is not None:
                end = (packet.pts + (packet.duration or 0)) * packet.time_base
                ends[packet.stream.type] = max(ends[packet.stream.type], end)
    assert abs(ends["video"] - ends["audio"]) < Fraction(1, 10)


@pytest.mark.slow
def test_a_seat_paints_a_recording_as_it_was_planned(tmp_path: Path) -> None:
    content = (CLIPS / "bframes.ts").read_bytes()
    source = tmp_path / "film.ts"
    source.write_bytes(content[: len(content) * 3 // 4 // 188 * 188])
    made = job(source, tmp_path / "out.mkv", open_device("cpu"), options=LOSSLESS, segments=4)
    spec = replace(
        made.spec, recipe=replace(made.spec.recipe, style=replace(made.spec.style, name="none")), device="cpu,cpu"
    )
    said: list[str] = []

    def begun(line: str) -> None:
        said.append(line)

    def before_painting(state: Progress) -> None:
        if state.losses is not None:  # the decisions are made, and nothing is planned yet
            with source.open("ab") as file:
                file.write(content[source.stat().st_size :])

    outcome = paint_in_processes(spec, Listener(begun, before_painting))
    assert outcome.status is Status.LOSSES
    assert any("grew" in loss.text for loss in outcome.losses)


# What `OpenedSource` compares


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A file with gaps between its samples."""
    path = tmp_path / "large.mp4"
    path.write_bytes(bytes(range(256)) * ((WHOLE_BYTES + 2 * SPREAD_SAMPLES * SPREAD_BYTES) // 256))
    return path


def changed_in_a_gap(path: Path) -> bytes:
    content = bytearray(path.read_bytes())
    content[len(content) // 2 - 1] ^= 1
    return bytes(content)


def test_a_folder_is_refused_with_advice(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder; name a video file in it"):
        OpenedSource(tmp_path, PLAIN_FILE)


def test_a_change_between_the_ends_is_seen(large: Path) -> None:
    former, content = SourceIdentity.of(large, PLAIN_FILE), bytearray(large.read_bytes())
    with OpenedSource(large, PLAIN_FILE) as held:
        touched(large)
        assert SourceIdentity.of(large, PLAIN_FILE) == former
        assert not held.has_only_grown()
        content[len(content) // 2] ^= 1
        large.write_bytes(content)
        assert SourceIdentity.of(large, PLAIN_FILE) != former
        with pytest.raises(SourceChangedError, match="it was written to"):
            held.has_only_grown()
        large.unlink()


def test_all_of_a_small_film_is_sampled(tmp_path: Path) -> None:
    """Up to the size at which samples begin to leave gaps."""
    path = tmp_path / "small.mp4"
    content = bytearray(WHOLE_BYTES + SPREAD_SAMPLES * SPREAD_BYTES)
    path.write_bytes(content)
    former = SourceIdentity.of(path, PLAIN_FILE)
    for place in range(0, len(content), 1_000_003):
        content[place] ^= 1
        path.write_bytes(content)
        assert SourceIdentity.of(path, PLAIN_FILE) != former
        content[place] ^= 1


def test_another_file_of_the_same_size_time_and_ends(large: Path) -> None:
    state, other = large.stat(), large.with_name("other.mp4")
    other.write_bytes(changed_in_a_gap(large))
    os.utime(other, ns=(state.st_atime_ns, state.st_mtime_ns))
    with OpenedSource(large, PLAIN_FILE) as held:
        assert not held.has_only_grown()
        if sys.platform == "win32":
            return
        other.replace(large)
        with pytest.raises(SourceChangedError, match="another file took its place"):
            held.has_only_grown()
        large.unlink()


@pytest.mark.parametrize("place", [0, -1])
def test_a_file_whose_time_was_set_back(place: int, large: Path) -> None:
    state = large.stat()
    with OpenedSource(large, PLAIN_FILE) as held:
        content = bytearray(large.read_bytes())
        content[place] ^= 1
        large.write_bytes(content)
        os.utime(large, ns=(state.st_atime_ns, state.st_mtime_ns))
        with pytest.raises(SourceChangedError, match="it was written to"):
            held.has_only_grown()
        os.truncate(large, state.st_size - 1)
        with pytest.raises(SourceChangedError, match="it was written to"):
            held.has_only_grown()


def test_what_has_only_grown(large: Path) -> None:
    with OpenedSource(large, PLAIN_FILE) as held:
        with large.open("ab") as file:
            file.write(b"more")
        assert held.has_only_grown()
        with OpenedSource(large, PLAIN_FILE, held.identity) as later:
            assert later.identity == held.identity
            assert later.has_only_grown()
        large.write_bytes(changed_in_a_gap(large)[1:] + b"12")
        with pytest.raises(SourceChangedError, match="it was written to"):
            held.has_only_grown()
        with OpenedSource(large, PLAIN_FILE, held.identity) as later:
            assert later.identity != held.identity


def test_numbered_pictures(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number:02}.png").write_bytes(b"picture")
    pattern, rate = tmp_path / "%02d.png", OpenOptions(rate=Fraction(25))
    with OpenedSource(pattern, rate) as held:
        assert held.has_only_grown() is False
        assert held.resumes
        (tmp_path / "03.png").write_bytes(b"picture")
        with pytest.raises(SourceChangedError, match="pictures were added, removed or written to"):
            held.has_only_grown()
        assert not held.resumes


def test_a_source_without_a_file_never_changes() -> None:
    with OpenedSource(None, PLAIN_FILE) as held:
        assert (held.identity, held.has_only_grown(), held.resumes) == (None, False, True)


def other_content(path: Path) -> None:
    """Other bytes of the same number, under the same name, with the same time."""
    state = path.stat()
    path.write_bytes(bytes(state.st_size))
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def test_numbered_pictures_are_known_by_content(tmp_path: Path) -> None:
    """One in the middle of another content is another film; copies with other names and times are the same one."""
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, name in ((first, "p{:03}.png"), (second, "copy-{}.png")):
        folder.mkdir()
        for number in range(20):
            (folder / name.format(number + 5)).write_bytes(b"picture %d" % number * 100)
    rate = OpenOptions(rate=Fraction(25))
    former = SourceIdentity.of(first / "p%03d.png", rate)
    os.utime(second / "copy-9.png", (1, 1))
    assert SourceIdentity.of(second / "copy-%d.png", rate) == former
    with OpenedSource(first / "p%03d.png", rate) as held:
        other_content(first / "p014.png")
        with pytest.raises(SourceChangedError, match="pictures were added, removed or written to"):
            held.has_only_grown()
    assert SourceIdentity.of(first / "p%03d.png", rate) != former


def test_a_job_with_another_picture_in_its_mask_is_another_job(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.png").write_bytes(b"picture %d" % number)
    spec = JobSpec("in.mp4", "out.mp4", Recipe(StyleSpec("none"), sizes=SizeSpec(mask=str(tmp_path / "%d.png"))))
    former = settings_of(spec)
    os.utime(tmp_path / "1.png", (1, 1))
    assert settings_of(spec) == former
    other_content(tmp_path / "2.png")
    assert settings_of(spec) != former


@pytest.mark.skipif(sys.platform == "win32", reason="pipes have no place in Windows' folders")
def test_a_pipe_among_numbered_pictures_is_refused(tmp_path: Path) -> None:
    (tmp_path / "0.png").write_bytes(b"picture")
    os.mkfifo(tmp_path / "1.png")
    with pytest.raises(InputError, match=r"%d\.png: cannot be read \(it is not a regular file\)"):
        SourceIdentity.of(tmp_path / "%d.png", OpenOptions(rate=Fraction(25)))


@pytest.mark.parametrize(
    ("error", "seen"),
    [(ValueError("a frame of another size"), SourceChangedError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_an_error_that_a_change_explains(error: BaseException, seen: type[BaseException], large: Path) -> None:
    def fail() -> None:
        with OpenedSource(large, PLAIN_FILE):
            os.truncate(large, 1)
            raise error

    with pytest.raises(seen):
        fail()


def test_an_error_without_a_change_is_its_own(large: Path) -> None:
    with pytest.raises(InputError, match="no video"), OpenedSource(large, PLAIN_FILE):
        raise InputError("no video")
