"""Networks of shots as a style: each frame uses its shot's network in every kind of job."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush.base.json_values import to_values
from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import rgba8
from framebrush.gpu.look import Look
from framebrush.jobs.identity import JobIdentity
from framebrush.jobs.keyframes import LookOverTime, ShotsOfCard
from framebrush.jobs.prepare import film_notes, job_identity, job_pipeline, job_sizes, open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import Position, TimeRange
from framebrush.models.model_card import read_card
from framebrush.models.style import ModelCard, PaintedShot, StyleError
from framebrush.playback.display.fitted_look import FittedLook
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import OpenedStyle, open_style
from framebrush.styles.style_paths import absolute
from tests.app.jobs.test_cluster import made
from tests.app.painted.films import SHOT_FRAMES, folder_with_network, two_shots

pytestmark = pytest.mark.media

SHOTS = PaintedShot(0, "negative"), PaintedShot(SHOT_FRAMES, "copy")
BARE = Look(brush=0.0, relief=0.0, canvas=0.0, steady=0.0, dither=False)
Pictures = dict[int, npt.NDArray[np.uint8]]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_shots(tmp_path_factory.mktemp("film") / "film.mp4")


@pytest.fixture
def keys(film: Path, tmp_path: Path) -> Path:
    return folder_with_network(tmp_path / "film.keys", film, SHOTS)


def spec_of(film: Path, style: object, look: Look = BARE, span: TimeRange | None = None) -> JobSpec:
    return JobSpec(str(film), "out.mp4", Recipe(StyleSpec(str(style)), look), range=span or TimeRange())


def painted(spec: JobSpec) -> Pictures:
    said: list[str] = []
    style = open_job_style(spec, said.append)
    with open_device("cpu") as device, open_job_source(spec, style=style) as source:
        form = source.info.format
        sizes = job_sizes(spec.sizes, form, style.style)
        target = rgba8(*sizes.target)
        with job_pipeline(spec, style, device, form, target, sizes, time_of=source.info.time_s) as pipeline:
            return {frame.number: frame.host.planes[0][..., :3].copy() for frame in pipeline.frames(source)}


def off(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> float:
    return float(np.abs(one.astype(int) - other).mean())


def test_each_shot_is_painted_by_its_own_network(film: Path, keys: Path) -> None:
    plain, found = painted(spec_of(film, "none")), painted(spec_of(film, keys))
    assert len(found) == 2 * SHOT_FRAMES
    for number, picture in found.items():
        expected = plain[number] if number >= SHOT_FRAMES else 255 - plain[number]
        assert off(picture, expected) < 1.5, number


@pytest.mark.parametrize("look", [BARE, Look(dither=False)], ids=["bare", "with strokes and steadying"])
def test_a_range_is_that_of_the_whole_film(film: Path, keys: Path, look: Look) -> None:
    whole = painted(spec_of(film, keys, look))
    part = painted(spec_of(film, keys, look, TimeRange(Position(Fraction(SHOT_FRAMES - 2), "frame"), frames=4)))
    assert sorted(part) == list(range(SHOT_FRAMES - 2, SHOT_FRAMES + 2))
    assert all(np.array_equal(part[number], whole[number]) for number in part)


def test_a_shot_without_a_painting_stays_as_the_film_is(film: Path, tmp_path: Path) -> None:
    shots = PaintedShot(0, "negative"), PaintedShot(SHOT_FRAMES)
    keys = folder_with_network(tmp_path / "film.keys", film, shots)
    plain, found = painted(spec_of(film, "none")), painted(spec_of(film, keys))
    assert off(found[0], 255 - plain[0]) < 1.5
    assert off(found[SHOT_FRAMES], plain[SHOT_FRAMES]) < 0.5


def test_a_dissolve_passes_from_one_painting_to_the_next() -> None:
    shots = PaintedShot(0, "a"), PaintedShot(4, "b", 3), PaintedShot(10, "", 1)
    found = [ShotsOfCard(shots, ("a", "b")).at(number) for number in (0, 3, 4, 5, 6, 7, 9, 10, 11, 99)]
    mixes = [mix for mix, _ in found]
    assert mixes[:7] == [(1, 0), (1, 0), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0, 1), (0, 1)]
    assert [share for _, share in found] == [1, 1, 1, 1, 1, 1, 1, 0.5, 0, 0]
    assert all(sum(mix) == 1 for mix in mixes)


def test_the_strength_that_is_asked_for_stays_where_a_shot_is_painted() -> None:
    shots = ShotsOfCard((PaintedShot(0, "a"), PaintedShot(4)), ("a",))
    over_time = LookOverTime(Look(strength=0.5), (), shots=shots)
    assert over_time.at(3, Fraction()) == Look(strength=0.5)
    assert over_time.at(4, Fraction()) == Look(strength=0.0)
    assert over_time.changes


def test_shots_are_counted_as_the_frames_are_when_fields_are_read_in_another_way() -> None:
    card = ModelCard("a", "a", ("a", "b"), shots=(PaintedShot(0, "a"), PaintedShot(4, "b")))
    found = ShotsOfCard.of(card, "double")
    assert found is not None
    assert [found.at(number)[0] for number in (7, 8)] == [(1, 0), (0, 1)]
    assert ShotsOfCard.of(ModelCard("a", "a", ("a",))) is None


def test_every_way_of_painting_takes_the_folder(film: Path, keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = painted(spec_of(film, "none"))
    bare = ["--brush=0", "--relief=0", "--steady=0", "--no-dither", "--device=cpu"]
    monkeypatch.chdir(keys.parent)
    style = ["--style", "film.keys"]
    assert run(["frame", str(film), "still.png", "--at", f"{SHOT_FRAMES - 1}f", *style, *bare]) == 0
    with framebrush.open("still.png", "none", device="cpu") as still:
        assert off(next(iter(still)).picture, 255 - plain[SHOT_FRAMES - 1]) < 1.5
    assert run(["transcode", str(film), "out.mkv", "--codec=ffv1", *style, *bare, "--progress=none"]) == 0
    coded = painted(spec_of(Path("out.mkv"), "none"))
    with framebrush.open(film, "film.keys", device="cpu", brush=0, relief=0, steady=0, dither=False) as frames:
        for number, frame in enumerate(frames):
            expected = plain[number] if number >= SHOT_FRAMES else 255 - plain[number]
            assert off(frame.picture, expected) < 1.5
            assert off(coded[number], expected) < 3.0


BARE_OPTIONS = ["--brush=0", "--relief=0", "--steady=0", "--no-dither", "--codec=ffv1", "--progress=none"]


def of_each_shot(film: Path, result: Path) -> None:
    """The first shot is the negative, the second the film."""
    plain, found = painted(spec_of(film, "none")), painted(spec_of(result, "none"))
    assert len(found) == len(plain) == 2 * SHOT_FRAMES
    for number, picture in found.items():
        expected = plain[number] if number >= SHOT_FRAMES else 255 - plain[number]
        assert off(picture, expected) < 3.0, number


@pytest.mark.slow
def test_a_batch_takes_the_folder_for_each_of_its_films(
    film: Path, keys: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.mp4"
    other.write_bytes(film.read_bytes() + b"\0\0\0\x08free")
    options = ["--out", str(tmp_path / "out"), "--name={stem}.mkv", "--style", str(keys), "--device=cpu"]
    assert run(["batch", str(film), str(other), *options, *BARE_OPTIONS]) == 0
    said = " ".join(capfd.readouterr().err.split())
    assert said.count("was learnt for another film, or") == 1
    assert f"{other} has changed since" in said
    for name in ("film.mkv", "other.mkv"):
        of_each_shot(film, tmp_path / "out" / name)


@pytest.mark.slow
def test_several_devices_paint_the_shots_of_the_whole(film: Path, keys: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.mkv"
    options = ["--style", str(keys), "--device=cpu,cpu", "--segments=5", *BARE_OPTIONS]
    assert run(["transcode", str(film), str(target), *options]) == 0
    of_each_shot(film, target)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are watched by signals")
def test_a_cluster_paints_the_shots_of_the_whole(film: Path, keys: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.mkv"
    with made(tmp_path, 1) as cluster:
        options = ["--style", str(keys), "--cluster", cluster.address, "--segments=5", *BARE_OPTIONS]
        assert run(["transcode", str(film), str(target), *options]) == 0
    of_each_shot(film, target)


def test_playback_takes_the_shot_of_each_frame(keys: Path) -> None:
    look = FittedLook()
    look.use_style(open_style(str(keys)).style)
    looks = [look.at((number, Fraction())) for number in (0, SHOT_FRAMES - 1, SHOT_FRAMES)]
    assert [look.mix for look in looks] == [(0, 1), (0, 1), (1, 0)]


@pytest.mark.slow
def test_what_was_learnt_is_part_of_a_jobs_identity_but_not_where(film: Path, keys: Path, tmp_path: Path) -> None:
    def identity(style: Path) -> JobIdentity:
        spec = replace(spec_of(film, style), target=str(tmp_path / "out.mp4"))
        found = job_identity(spec, open_job_style(spec, lambda _: None))
        assert found is not None
        return found

    before = identity(keys)
    assert str(tmp_path) not in before.to_text()
    assert identity(keys.rename(tmp_path / "other.keys")) == before
    moved = folder_with_network(tmp_path / "third.keys", film, (PaintedShot(0, "negative"), PaintedShot(3, "copy")))
    assert identity(moved).changed(before) == {"style_sha256"}


def test_the_name_stays_the_same_in_another_folder(keys: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(keys.parent)
    assert absolute("film.keys") == str(keys)


def test_another_film_or_one_that_changed_is_said(film: Path, keys: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.mp4"
    changed.write_bytes(film.read_bytes() + b"\0" * 8)
    style = OpenedStyle(open_style(str(keys)).style)
    assert film_notes(spec_of(film, keys), style) == ()
    for other in (changed, Path("lavfi:testsrc2")):
        (note,) = film_notes(spec_of(other, keys), style)
        assert "was learnt for another film, or" in note


def test_a_picture_and_a_measurement_ask_nothing_of_the_film(film: Path, keys: Path) -> None:
    picture = np.full((48, 64, 3), 100, np.uint8)
    assert framebrush.paint(picture, keys, device="cpu").shape == picture.shape
    assert run(["bench", str(film), "--frames=10", "--style", str(keys), "--device=cpu"]) == 0


def test_keys_of_the_look_name_no_other_paintings(film: Path, keys: Path) -> None:
    assert run(["frame", str(film), "a.png", "--style", str(keys), "--key", "style@0f=ink"]) != 0


def test_a_folder_from_which_nothing_was_learnt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "film.keys").mkdir()
    with pytest.raises(StyleError, match="nothing was learnt from its pictures yet"):
        open_style(str(tmp_path / "film.keys"))


@pytest.mark.parametrize(
    ("shots", "match"),
    [
        ([{"first": 1, "painting": "a"}], "begins at frame 1"),
        ([{"first": 0}, {"first": 0}], "not in order"),
        ([{"first": 0, "painting": "other"}], "'other' is none of its paintings"),
        ([{"first": 0, "dissolve": -1}], "a dissolve"),
        ([{"first": "0"}], "first"),
        ({"first": 0}, "shots"),
    ],
)
def test_shots_of_a_hostile_file_are_refused(shots: object, match: str) -> None:
    said = {"framebrush.title": "t", "framebrush.paintings": '["a"]', "framebrush.shots": json.dumps(shots)}
    with pytest.raises(StyleError, match=match):
        read_card(said, "a", "a.onnx")
    good = said | {"framebrush.shots": json.dumps(to_values((PaintedShot(0, "a"), PaintedShot(9, "", 4))))}
    found = read_card(good, "a", "a.onnx")
    assert found is not None
    assert found[0].shots == (PaintedShot(0, "a"), PaintedShot(9, "", 4))
