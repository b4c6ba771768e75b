"""The time-lapse of one painting: its order, its ranges, and its last frame."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageSequence

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.sizes import plan_sizes
from framebrush.gpu.stages.strokes import OIL, StrokeLayout
from framebrush.gpu.stages.strokes.drawn import DRAWN, shares_of
from framebrush.gpu.stages.strokes.laying import wash
from framebrush.jobs.reveal import CANVAS, FACE_LAYER, RevealSpec, Schedule
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import encoded
from framebrush.media.video import Position, RangeError, TimeRange
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.styles.passthrough import passthrough_style
from framebrush.subject.networks import SubjectError
from tests.app.jobs.test_film_strokes import HEIGHT, WIDTH, picture_of, write_film
from tests.gpu.webgpu.harness import needs_vulkan

pytestmark = pytest.mark.media

FRAMES = 12
PAINTING = ("--style", "none", "--brush", "1", "--relief", "0.6", "--device", "cpu")
SHORT = ("--seconds", "1.2", "--fps", "10", "--progress", "none")

Pictures = list[npt.NDArray[np.uint8]]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "film.mkv", 4)


def shown(path: Path, form: str = "rgb24") -> Pictures:
    """The pictures of a file, or of numbered ones."""
    options = {"start_number": "1"} if "%" in path.name else {}
    with av.open(str(path), options=options) as container:
        return [frame.to_ndarray(format=form).astype(np.uint8) for frame in container.decode(video=0)]


def revealed(film: Path, target: Path, *more: str) -> Path:
    assert run(["reveal", str(film), str(target), "--at", "2f", *PAINTING, *SHORT, *more]) == 0
    return target


@pytest.fixture(scope="module")
def whole(film: Path, tmp_path_factory: pytest.TempPathFactory) -> Pictures:
    """Every frame of a time-lapse."""
    found = shown(revealed(film, tmp_path_factory.mktemp("whole") / "%03d.png"))
    assert len(found) == FRAMES
    return found


def still(film: Path, folder: Path, *more: str) -> npt.NDArray[np.uint8]:
    """What `framebrush frame` paints."""
    target = folder / "still.png"
    assert run(["frame", str(film), str(target), "--at", "2f", *PAINTING, *more]) == 0
    return shown(target)[0]


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--strength", "0.6", "--detail", "0.5"), ("--brush", "0.5", "--canvas", "0.5")])
def test_it_ends_with_the_painted_frame_bit_for_bit(film: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    frames = shown(revealed(film, tmp_path / "%03d.png", "--start", "10f", *more))
    assert len(frames) == 2
    assert np.array_equal(frames[-1], still(film, tmp_path, *more))
    assert not np.array_equal(frames[0], frames[-1])


@pytest.mark.slow
def test_what_a_reveal_loses_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["reveal", str(CLIPS / "pq.mp4"), str(tmp_path / "out.mp4"), *PAINTING, "--max-size", "64"]
    assert run([*words, "--seconds", "0.1", "--progress", "none"]) == 0
    assert "lost: HDR and its metadata (tone-mapped to SDR; --hdr keep keeps it)" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("more", [(), ("--strength", "0.4"), ("--photo-outside", "1", "--faces", "0")])
def test_it_begins_with_a_bare_canvas(film: Path, tmp_path: Path, more: tuple[str, ...]) -> None:
    [bare] = shown(revealed(film, tmp_path / "%03d.png", "--frames", "1", "--relief", "0", "--no-dither", *more))
    assert (np.abs(bare - 255 * np.array(CANVAS)) <= 1).all()


@needs_vulkan
@pytest.mark.slow
def test_the_device_that_paints_draws_every_moment(film: Path, tmp_path: Path) -> None:
    """The last frame bit for bit, the others as the processor draws them, and their opacity."""
    more, form = ("--strength", "0.8", "--transparent"), "rgba"
    found = {}
    for device in ("webgpu", "cpu"):
        folder = tmp_path / device
        folder.mkdir()
        found[device] = shown(revealed(film, folder / "%03d.png", *more, "--device", device), form)
    whole = still(film, tmp_path, "--strength", "0.8", "--device", "webgpu")
    assert np.array_equal(found["webgpu"][-1][..., :3], whole)
    assert not np.array_equal(found["cpu"][-1][..., :3], whole)
    for ours, theirs in zip(found["webgpu"], found["cpu"], strict=True):
        assert (np.abs(ours.astype(float) - theirs) > 4).mean() < 0.02


@pytest.mark.slow
def test_letters_which_are_no_strokes_are_not_there_before_them(tmp_path: Path) -> None:
    letters, picture = np.full((HEIGHT, WIDTH, 3), 90, np.uint8), tmp_path / "letters.png"
    for x in (40, 80, 120):
        letters[40:52, x : x + 3] = letters[40:43, x : x + 9] = 250
    picture.write_bytes(encoded(letters, "png", "rgb24"))
    frames = shown(revealed(picture, tmp_path / "%03d.png", "--at", "0", "--relief", "0", "--no-dither"))
    assert (np.abs(frames[0] - 255 * np.array(CANVAS)) <= 1).all()
    sharp = [np.abs(np.diff(frame[36:56].astype(float), axis=1)).max() for frame in frames]
    assert sharp[-1] > 1.2 * max(sharp[2:9]), "letters are sharper than strokes"


@pytest.mark.slow
def test_the_painting_comes_nearer_with_every_frame(whole: Pictures) -> None:
    apart = [np.abs(frame.astype(float) - whole[-1]).mean() for frame in whole]
    assert apart == sorted(apart, reverse=True)
    assert len(set(apart)) == FRAMES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "expected"), [(("--start", "4f", "--end", "7f"), range(4, 7)), (("--end", "0.2"), range(2))]
)
def test_a_part_equals_the_whole(
    film: Path, tmp_path: Path, whole: Pictures, more: tuple[str, ...], expected: range
) -> None:
    frames = shown(revealed(film, tmp_path / "%03d.png", *more))
    assert len(frames) == len(expected)
    for frame, number in zip(frames, expected, strict=True):
        assert np.array_equal(frame, whole[number])


@pytest.mark.slow
def test_another_rate_shows_the_same_painting_at_the_same_share(film: Path, tmp_path: Path, whole: Pictures) -> None:
    """Of 23 frames each second one is one of twelve."""
    frames = shown(revealed(film, tmp_path / "%03d.png", "--seconds", "2.3", "--start", "6f", "--end", "9f"))
    assert np.array_equal(frames[0], whole[3])
    assert np.array_equal(frames[2], whole[4])


@pytest.mark.slow
def test_a_picture_is_revealed_at_the_usual_rate(tmp_path: Path) -> None:
    picture, target = tmp_path / "picture.png", tmp_path / "out.mp4"
    picture.write_bytes(encoded(picture_of(0), "png", "rgb24"))
    command = ["reveal", str(picture), str(target), *PAINTING, "--seconds", "0.4", "--size", "80x48"]
    assert run([*command, "--progress", "none"]) == 0
    with av.open(str(target)) as container:
        stream = container.streams.video[0]
        assert (float(stream.average_rate or 0), stream.width, stream.height) == (25.0, 80, 48)
        assert len([*container.decode(stream)]) == 10


@pytest.mark.slow
def test_a_gif_shows_it(film: Path, tmp_path: Path) -> None:
    frames = shown(revealed(film, tmp_path / "out.gif"))
    assert len(frames) == FRAMES
    assert np.abs(frames[-1].astype(float) - still(film, tmp_path)).mean() < 12, "256 colours"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.mov", "out.webp", "%03d.png"])
def test_the_canvas_can_be_transparent(film: Path, tmp_path: Path, name: str) -> None:
    target = revealed(film, tmp_path / name, "--transparent")
    if name == "out.webp":
        with Image.open(target) as film_of_pictures:
            frames = [np.asarray(each.convert("RGBA")) for each in ImageSequence.Iterator(film_of_pictures)]
    else:
        frames = shown(target, "rgba")
    assert len(frames) == FRAMES
    alpha = [frame[..., 3] for frame in frames]
    assert alpha[0].max() == 0
    assert alpha[-1].min() == 255
    part = alpha[1]
    assert 0 < (part == 255).mean() < 1, "the underpainting is laid on from above"
    assert part[0].min() == 255
    assert part[-1].max() == 0
    if name == "%03d.png":
        assert np.array_equal(frames[-1][..., :3], still(film, tmp_path))


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("out.mp4", ("--seconds", "0"), "is not above 0 and at most 3600 s long"),
        ("out.mp4", ("--seconds", "3601"), "is not above 0 and at most 3600 s long"),
        ("out.mp4", ("--seconds", "soon"), "--seconds soon: give a number"),
        ("out.mp4", ("--fps", "0"), "is not above 0 and at most 1000 frames a second"),
        ("out.mp4", ("--start", "12f"), "the reveal has 12 frames"),
        ("out.mp4", ("--start", "5f", "--end", "5f"), "holds none of them"),
        ("out.mp4", ("--at", "9"), "the range starts after the last frame"),
        ("out.mp4", ("--transparent",), "has no transparency; use .mov"),
        ("out.gif", ("--transparent",), "GIF in gbrp has no transparency; use .mov"),
        ("out.mkv", ("--codec", "ffv1", "--pix-fmt", "gray"), "the canvas has colours"),
        ("out.mp4", ("--brush", "0"), "this look has no strokes"),
        ("out.xyz", (), ".xyz"),
        ("there.mp4", (), "exists already"),
    ],
)
def test_errors_are_told_and_leave_nothing(
    film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, more: tuple[str, ...], says: str
) -> None:
    (tmp_path / "there.mp4").write_text("mine")
    assert run(["reveal", str(film), str(tmp_path / name), "--at", "2f", *PAINTING, *SHORT, *more]) != 0
    assert says in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["there.mp4"]
    assert (tmp_path / "there.mp4").read_text() == "mine"


def test_frames_of_a_reveal() -> None:
    spec = RevealSpec(job=JobSpec.from_values(plain_job()), seconds=Fraction(2))
    assert spec.frames(Fraction(25)) == (0, 50, 50)
    assert replace(spec, seconds=Fraction(1, 100)).frames(Fraction(25)) == (0, 2, 2), "bare and finished, at least"
    part = replace(spec, span=TimeRange(Position(Fraction(1, 2), "s"), Position(Fraction(90), "s")))
    assert part.frames(Fraction(25)) == (13, 50, 50)
    with pytest.raises(RangeError):
        replace(spec, span=TimeRange(Position(Fraction(50), "frame"))).frames(Fraction(25))


def plain_job() -> dict[str, Any]:
    return {"version": 1, "source": "a", "target": "b", "style": {"name": "none"}}


SIDE = 64
LEFT, MIDDLE, RIGHT = (8.0, 32.0), (32.0, 32.0), (56.0, 32.0)
LAYOUT = StrokeLayout.of(
    OIL, plan_sizes((SIDE, SIDE), passthrough_style().card, stroke="auto", size=None, max_size=None)
)


def shares(schedule: Schedule, progress: float, places: list[tuple[float, float]], layers: list[int]) -> list[float]:
    """Return the drawn shares of strokes at places (x, y) of layers; beginnings are not spread."""
    records = np.zeros(len(places), DRAWN)
    records["points"] = 3
    for axis, name in enumerate(("x", "y")):
        records[name][:, :3] = np.array(places)[:, axis, None]
    found: list[float] = shares_of(schedule.at(progress), records, np.array(layers, np.int32), (SIDE, SIDE)).tolist()
    return found


def order(schedule: Schedule, places: list[tuple[float, float]], layers: list[int]) -> list[int]:
    """The strokes in the order in which they are complete."""
    states = np.array([shares(schedule, step / 2000, places, layers) for step in range(2000)])
    ends = (states < 1).sum(axis=0)
    assert len(set(ends.tolist())) == len(places)
    return np.argsort(ends).tolist()


def mask(columns: slice) -> bytes:
    made = np.zeros((MASK_SIDE, MASK_SIDE), np.uint8)
    made[:, columns] = 255
    return made.tobytes()


def test_broad_strokes_come_before_fine_ones() -> None:
    last = len(LAYOUT.layers) - 1
    assert last >= FACE_LAYER
    assert order(Schedule(LAYOUT), [LEFT, RIGHT, LEFT, RIGHT], [1, 0, last, 1]) == [1, 0, 3, 2]


def test_the_background_comes_before_the_subject_and_faces_come_last() -> None:
    quarter = MASK_SIDE // 4
    masks = Masks(faces=mask(slice(3 * quarter, None)), area=mask(slice(quarter, None)), luma=bytes(MASK_SIDE**2))
    places, layers = [RIGHT, MIDDLE, LEFT] * 3, [0] * 3 + [1] * 3 + [FACE_LAYER] * 3
    # background, subject, face of each layer, and of the finest layer the face after all others
    assert order(Schedule(LAYOUT, masks), places, layers) == [2, 1, 0, 5, 4, 3, 8, 7, 6]


def test_strokes_grow_and_are_whole_at_the_end() -> None:
    places = [(float(x), float(y)) for x in range(-8, 72, 4) for y in range(-8, 72, 4)]
    schedule, half = Schedule(LAYOUT), len(places) // 2
    layers = [0] * half + [1] * (len(places) - half)
    states = np.array([shares(schedule, progress / 100, places, layers) for progress in range(100)])
    assert not states[0].any()
    assert (np.diff(states, axis=0) >= 0).all()
    assert any(((state > 0) & (state < 1)).sum() > 2 for state in states)
    assert (states[99] == 1).all()
    assert schedule.at(0.0).touches == 0
    assert 0.5 < schedule.at(0.99).touches < 1


def test_strokes_of_one_place_do_not_begin_together() -> None:
    records = np.zeros(100, DRAWN)
    records["points"], records["seed"] = 3, np.random.default_rng(1).integers(0, 1 << 32, 100, np.uint32)
    at = Schedule(LAYOUT).at
    begun = [
        (shares_of(at(step / 500), records, np.zeros(100, np.int32), (SIDE, SIDE)) > 0).sum() for step in range(500)
    ]
    assert max(np.diff(begun)) < 60 < begun[-1] == 100


@pytest.mark.parametrize("size", [(40, 30), (1, 1), (641, 361)])
def test_the_underpainting_is_laid_on_from_nothing(size: tuple[int, int]) -> None:
    fronts = [wash(front, size) for front in (0.0, 0.3, 0.6, 0.999)]
    assert fronts[0].max() == 0
    assert fronts[-1].mean() > 0.97
    for before, after in pairwise(fronts):
        assert (after >= before).all()


def test_without_networks_a_painting_is_revealed_all_the_same(
    film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def damaged(**_: object) -> None:
        raise SubjectError("faces and people cannot be found: a network is damaged")

    monkeypatch.setattr("framebrush.jobs.look_masks.Networks", damaged)
    frames = shown(revealed(film, tmp_path / "%03d.png", "--start", "11f"))
    assert np.array_equal(frames[-1], still(film, tmp_path))
    said = capsys.readouterr().err
    assert "a network is damaged; faces and people are painted like everything else; background and subject are" in said


def test_pictures_that_are_there_stay(film: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The source's pictures even with -y."""
    target = tmp_path / "%03d.png"
    pictures = [tmp_path / "001.png", tmp_path / "002.png"]
    for path in pictures:
        path.write_bytes(encoded(picture_of(0), "png", "rgb24"))
    assert run(["reveal", str(film), str(target), *PAINTING, *SHORT]) != 0
    assert "001.png exists already; overwrite such pictures with -y" in capsys.readouterr().err
    assert run(["reveal", str(target), str(target), "--rate", "10", *PAINTING, *SHORT, "-y"]) != 0
    assert "is the input itself; give the output another name" in capsys.readouterr().err
    assert sorted(tmp_path.iterdir()) == pictures
    assert {path.read_bytes() for path in pictures} == {encoded(picture_of(0), "png", "rgb24")}
