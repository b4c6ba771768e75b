"""Films that begin with the painting of their first frame: pictures, times, sound, parts and resuming."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from framebrush.cli.command_line import run
from framebrush.gpu.device import Device
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.reveal import CANVAS
from framebrush.jobs.segments.segment_plan import Segment
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import Listener, Progress
from framebrush.jobs.workers.run import run_job
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import StyleSpec
from tests import networks
from tests.app.jobs.test_film_strokes import HEIGHT, WIDTH, picture_of
from tests.app.jobs.test_segments import facts, pictures

pytestmark = pytest.mark.media

FRAMES, BEFORE = 10, 5
RATE = 25
CHAPTER_S = Fraction(1, 5)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten frames, a tone of their length, a chapter."""
    path = tmp_path_factory.mktemp("film") / "film.mkv"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("ffv1", rate=RATE)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        sound = out.add_stream("pcm_s16le", rate=8000, layout="mono")
        out.set_chapters(
            [{"id": 1, "start": 200, "end": 400, "time_base": Fraction(1, 1000), "metadata": {"title": "Later"}}]
        )
        for number in range(FRAMES):
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture_of(number), "rgb24")))
            tone = av.AudioFrame.from_ndarray(np.full((1, 320), 1000 + number, np.int16), "s16", "mono")
            tone.rate, tone.pts = 8000, 320 * number
            out.mux(sound.encode(tone))
        out.mux(stream.encode())
        out.mux(sound.encode())
    return path


def job(film: Path, target: Path, **more: Any) -> JobSpec:  # noqa: ANN401
    recipe = Recipe(StyleSpec("none"), Look(brush=1.0, relief=0.6))
    plain = JobSpec(str(film), str(target), recipe, output=OutputOptions(codec="ffv1"), reveal_s=Fraction(1, 5))
    return replace(plain, **more)


def times(path: Path, kind: str) -> list[Fraction]:
    with av.open(str(path)) as container:
        stream = container.streams.best(kind)
        assert stream is not None
        return [packet.pts * packet.time_base for packet in container.demux(stream) if packet.pts is not None]


@pytest.fixture(scope="module")
def plain(film: Path, device: Device, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("plain") / "out.mkv"
    run_job(job(film, target, reveal_s=None), device)
    return target


@pytest.fixture(scope="module")
def whole(film: Path, device: Device, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("whole") / "out.mkv"
    states: list[Progress] = []
    outcome = run_job(job(film, target), device, Listener(progress=states.append))
    assert (outcome.progress.frames, outcome.lost) == (BEFORE + FRAMES, 0)
    assert [state.frames for state in states] == [0, *range(1, BEFORE + FRAMES + 1)]
    return target


@pytest.mark.slow
def test_the_film_runs_on_bit_for_bit_when_its_first_frame_is_complete(plain: Path, whole: Path) -> None:
    before, after = pictures(whole)[:BEFORE], pictures(whole)[BEFORE:]
    assert len(before) == BEFORE
    for frame, same in zip(after, pictures(plain), strict=True):
        assert np.array_equal(frame, same)
    apart = [np.abs(frame.astype(float) - after[0]).mean() for frame in before]
    assert apart == sorted(apart, reverse=True)
    assert min(apart) > 0


@pytest.mark.slow
def test_the_canvas_is_bare_at_first(film: Path, device: Device, tmp_path: Path) -> None:
    run_job(job(film, target := tmp_path / "%03d.png", output=OutputOptions()), device)
    with av.open(str(target), options={"start_number": "1"}) as container:
        bare = next(container.decode(video=0)).to_ndarray(format="rgb24")
    assert np.abs(bare.reshape(-1, 3).mean(0) - 255 * np.array(CANVAS)).max() < 4


def test_sound_and_chapters_follow_the_film(plain: Path, whole: Path) -> None:
    later = Fraction(BEFORE, RATE)
    assert times(whole, "video") == [Fraction(number, RATE) for number in range(BEFORE + FRAMES)]
    assert times(whole, "audio") == [time + later for time in times(plain, "audio")]
    with av.open(str(whole)) as container:
        [chapter] = container.chapters()
        assert (chapter["start"] * chapter["time_base"], chapter["end"] * chapter["time_base"]) == (
            CHAPTER_S + later,
            2 * CHAPTER_S + later,
        )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.mp4", "out.mov"])
def test_players_of_mp4_begin_the_sound_with_the_film(film: Path, device: Device, tmp_path: Path, name: str) -> None:
    run_job(job(film, target := tmp_path / name, output=OutputOptions(codec="libx264", crf=0)), device)
    states: list[Progress] = []
    again = job(target, tmp_path / "again.mp4", output=OutputOptions(codec="libx264"))
    run_job(again, device, Listener(progress=states.append))
    assert {state.expected for state in states} == {2 * BEFORE + FRAMES}
    assert times(target, "video")[0] == 0
    assert abs(min(time for time in times(target, "audio") if time >= 0) - Fraction(BEFORE, RATE)) < Fraction(2, 100)


@pytest.mark.slow
def test_a_range_begins_with_its_own_first_frame(film: Path, device: Device, tmp_path: Path) -> None:
    span = TimeRange(Position(Fraction(4), "frame"), Position(Fraction(8), "frame"))
    run_job(job(film, part := tmp_path / "part.mkv", range=span), device)
    run_job(job(film, plain := tmp_path / "plain.mkv", range=span, reveal_s=None), device)
    assert len(pictures(part)) == BEFORE + 4
    assert np.array_equal(pictures(part)[BEFORE:], pictures(plain))
    later = Fraction(BEFORE, RATE)
    assert times(part, "audio") == [time + later for time in times(plain, "audio")], "no sound before the range"


@pytest.mark.slow
def test_a_part_of_a_number_of_frames_has_its_own_sound(film: Path, device: Device, tmp_path: Path) -> None:
    span = TimeRange(Position(Fraction(2), "frame"), None, 3)
    run_job(job(film, part := tmp_path / "part.mkv", range=span), device)
    run_job(job(film, plain := tmp_path / "plain.mkv", range=span, reveal_s=None), device)
    assert times(part, "audio") == [time + Fraction(BEFORE, RATE) for time in times(plain, "audio")]


@pytest.mark.slow
def test_segments_equal_one_piece(film: Path, device: Device, tmp_path: Path, whole: Path) -> None:
    run_job(job(film, target := tmp_path / "out.mkv", segments=3), device)
    assert np.array_equal(pictures(target), pictures(whole))
    assert facts(target)["packets"] == facts(whole)["packets"]


@pytest.mark.slow
@pytest.mark.parametrize("frames", [2, 9])
def test_an_interrupted_job_resumes(film: Path, device: Device, tmp_path: Path, whole: Path, frames: int) -> None:
    """Pictures are kept one by one, so the first time ends within the reveal."""

    def stop(state: Progress) -> None:
        if state.frames == frames:
            raise KeyboardInterrupt

    spec = job(film, tmp_path / "%03d.png", output=OutputOptions())
    with pytest.raises(KeyboardInterrupt):
        run_job(spec, device, Listener(progress=stop))
    assert len([*tmp_path.glob("*.png")]) == frames  # those that were still encoded, too
    said: list[str] = []
    run_job(spec, device, Listener(said.append))
    assert any(words.startswith("resuming") for words in said)
    (tmp_path / "other").mkdir()
    run_job(replace(spec, target=str(tmp_path / "other" / "%03d.png")), device)
    for number in range(1, BEFORE + FRAMES + 1):
        name = f"{number:03}.png"
        assert (tmp_path / name).read_bytes() == (tmp_path / "other" / name).read_bytes()
    assert len([*tmp_path.glob("*.png")]) == BEFORE + FRAMES


@pytest.mark.slow
def test_segments_resume(film: Path, device: Device, tmp_path: Path, whole: Path) -> None:
    def stop(state: Progress) -> None:
        if state.frames >= BEFORE + 5:
            raise KeyboardInterrupt

    spec = job(film, tmp_path / "out.mkv", segments=3)
    with pytest.raises(KeyboardInterrupt):
        run_job(spec, device, Listener(progress=stop))
    said: list[str] = []
    run_job(spec, device, Listener(said.append))
    assert any(words.startswith("resuming") for words in said)
    assert np.array_equal(pictures(tmp_path / "out.mkv"), pictures(whole))


def test_parts_of_the_first_segment_know_how_much_of_the_reveal_is_left() -> None:
    """The reveal's five frames last 200 ticks."""
    first = Segment(0, 10, 3, 400, 520).after(5, 200)
    assert (first.frames, first.start_pts, first.behind_last) == (8, 200, 13)
    within = first.behind(2, 280)
    assert (within.first, within.frames, within.before, within.behind_last) == (10, 6, 3, 13)
    film = first.behind(6, 440)
    assert (film.first, film.frames, film.before, film.behind_last) == (11, 2, 0, 13)
    assert Segment(0, 0, None, 400, None).after(5, 200).behind(7, 480) == Segment(0, 2, None, 480, None)


@pytest.mark.slow
def test_what_the_job_says_is_not_said_again(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "theirs.onnx").write_bytes(networks.instance_norm().model)
    words = ["--reveal", "0.1", "--frames", "1", "--brush", "1", "--device", "cpu", "--progress", "none"]
    style = ["--style", str(tmp_path / "theirs.onnx")]
    assert run(["transcode", str(film), str(tmp_path / "out.mkv"), *style, *words]) == 0
    assert capsys.readouterr().err.count("read as input") == 1


@pytest.mark.slow
def test_a_single_picture_and_a_reveal_longer_than_the_film(tmp_path: Path) -> None:
    from framebrush.jobs.still import encoded

    picture, target = tmp_path / "picture.png", tmp_path / "out.mp4"
    picture.write_bytes(encoded(picture_of(0), "png", "rgb24"))
    painting = ["--style", "none", "--brush", "1", "--device", "cpu", "--progress", "none"]
    assert run(["transcode", str(picture), str(target), *painting, "--reveal", "0.4"]) == 0
    assert len(pictures(target)) == 11


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("out.mp4", ("--reveal", "0"), "is not above 0 and at most 3600 s long"),
        ("out.mp4", ("--reveal", "3601"), "is not above 0 and at most 3600 s long"),
        ("out.mp4", ("--reveal", "soon"), "--reveal soon: give a number"),
        ("out.mp4", ("--reveal", "1", "--brush", "0"), "this look has no strokes"),
        ("out.mp4", ("--reveal", "1", "--key", "brush@0=0", "--key", "brush@1=1"), "frame 0 has no strokes, as its"),
        ("out.mkv", ("--reveal", "1", "--codec", "ffv1", "--pix-fmt", "gray"), "the canvas has colours"),
        ("out.mxf", ("--reveal", "1"), "begins its sound with its picture"),
    ],
)
def test_errors_are_told_and_leave_nothing(
    film: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    more: tuple[str, ...],
    says: str,
) -> None:
    painting = ["--style", "none", "--brush", "1", "--device", "cpu", "--progress", "none"]
    assert run(["transcode", str(film), str(tmp_path / name), *painting, *more]) != 0
    assert says in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]
