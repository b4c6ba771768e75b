"""Corrected masks: parts of a film, previews and whole exports have the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import framebrush
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.gpu.look import Look
from framebrush.gpu.settings import StylizerPlan
from framebrush.gpu.stages.strokes.drawn import DrawnStrokes
from framebrush.gpu.surface import View
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.prepare import job_identity, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.reveal import Schedule
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.media.video import InputError
from framebrush.models.soft_masks import MASK_SIDE, Masks
from framebrush.playback.display.presenter import Presenter
from framebrush.styles.keys_folder import MASK
from framebrush.styles.maps import BrushMaps
from framebrush.styles.mask_strokes import beside, follow, read, upright_size, write
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.styles.style_names import open_style, passthrough_style
from framebrush.subject.corrections import Corrections, Kind, Stroke
from tests.app.jobs.test_faces_of_parts import PEOPLE, assert_same, painted
from tests.app.styles.test_map_films import encode
from tests.inside import shown_by

pytestmark = pytest.mark.media

SIZE = 240, 180
PLAIN = ("--brush", "0", "--relief", "0", "--steady", "0", "--film-inside", "1")


@pytest.fixture(scope="module")
def strokes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Corrections of the film with people: an addition in frame 10, and a removal in frame 14, followed."""
    file = tmp_path_factory.mktemp("strokes") / MASK
    added = follow(PEOPLE, SIZE, [Stroke(10, "area", 14.0, ((20.0, 30.0), (60.0, 30.0)))])
    removed = follow(PEOPLE, SIZE, [Stroke(14, "remove", 20.0, ((125.0, 90.0),))])
    write(file, Corrections(*SIZE, (*added, *removed)))
    return file


def masks_of(sizes: SizeSpec, look: Look, film: Path = PEOPLE, first: int = 0) -> list[Masks]:
    """The masks of a film's frames from one on, as exports have them."""
    style = open_job_style(JobSpec(str(film), "o.mkv", Recipe(StyleSpec("none"))), print).style
    with open_device("cpu") as device, Reader(film) as reader:
        form, orientation, frames = reader.info.format, reader.info.orientation, [*reader][first:]
        plan = StylizerPlan(style, form, form, look=look)
        with FramePipeline(device, plan, maps=BrushMaps(sizes), orientation=orientation) as pipeline:
            return [pipeline.masks_of(frame, time_s=Fraction()) for frame in frames]


def codes(mask: bytes | None) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    assert mask is not None
    return np.frombuffer(mask, np.uint8).reshape(MASK_SIDE, MASK_SIDE)


def test_strokes_add_and_remove_in_frames_around_their_own(strokes: Path) -> None:
    corrections = read(strokes)
    assert corrections is not None
    assert [(each.first, len(each.motions)) for each in corrections.strokes] == [(0, 28), (0, 28)]
    plain, found = (
        [codes(each.area) for each in masks_of(sizes, Look(film_inside=1.0))]
        for sizes in (SizeSpec(), SizeSpec(mask_corrections=str(strokes)))
    )
    left = slice(20, 33), slice(14, 38)
    for number in (0, 10, 27):
        assert plain[number][left].max() < 60
        assert found[number][left].mean() > 200, number
        assert found[number].astype(int).min() >= 0
    assert plain[14][80, 83] > 200
    assert found[14][80, 83] == 0
    assert (found[14][120:] == plain[14][120:]).all()


@pytest.mark.slow
def test_a_part_has_the_corrections_of_the_whole(strokes: Path, tmp_path: Path) -> None:
    given = (*PLAIN, "--mask-corrections", str(strokes))
    whole = painted(tmp_path / "whole.mkv", *given, "--segments", "off")
    assert_same(painted(tmp_path / "part.mkv", *given, "--start", "12f", "--frames", "4"), whole[12:16])
    assert_same(painted(tmp_path / "joined.mkv", *given, "--segments", "5"), whole)
    without = painted(tmp_path / "without.mkv", *PLAIN, "--frames", "1")
    assert np.abs(whole[0].astype(int) - without[0])[20:40, 20:60].mean() > 5


@pytest.mark.parametrize("look", [Look(film_inside=1.0), Look(faces=1.0), Look(photo_outside=1.0)])
def test_the_preview_has_the_masks_of_an_export(strokes: Path, look: Look) -> None:
    sizes = SizeSpec(mask_corrections=str(strokes))
    expected = masks_of(sizes, replace(look, brush=0.0, relief=0.0))
    presenter = Presenter(lambda device: device.surface(View(64, 48, paint=lambda _: None)))
    presenter.use_device("cpu")
    presenter.use_style(passthrough_style() if not look.faces else open_style("ink").style)
    presenter.use_look(replace(look, steady=0.0, brush=0.0, relief=0.0, faces=look.faces or 0.0))
    with Reader(PEOPLE) as reader:
        presenter.use_video(reader.info)
        presenter.use_sizes(sizes)
        found = []
        for frame in [*reader][:8]:
            presenter.prepare(frame)
            presenter.present()
            found.append(shown_by(presenter).masks)
    presenter.close()
    assert [each.area for each in found] == [each.area for each in expected[:8]]
    if look.faces:
        assert [each.faces for each in found] == [each.faces for each in expected[:8]]


@pytest.mark.slow
def test_other_corrections_show_at_once_in_the_same_pipeline(strokes: Path, tmp_path: Path) -> None:
    presenter = Presenter(lambda device: device.surface(View(64, 48, paint=lambda _: None)))
    presenter.use_device("cpu")
    presenter.use_style(passthrough_style())
    presenter.use_look(Look(film_inside=1.0, brush=0.5, faces=0.0))
    with Reader(PEOPLE) as reader:
        presenter.use_video(reader.info)
        frame, found = next(reader), []
        for path in (None, str(strokes)):
            presenter.use_sizes(SizeSpec(mask_corrections=path))
            pipeline = presenter.pipeline
            presenter.prepare(frame)
            presenter.present()
            found.append(shown_by(presenter).masks.area)
        presenter.use_sizes(SizeSpec(3.0, mask_corrections=str(strokes)))
        assert presenter.pipeline is not pipeline
    presenter.close()
    assert found[0] != found[1]


@pytest.mark.parametrize("kind", ["area", "faces"])
def test_a_turned_film_has_strokes_where_they_were_painted(kind: Kind, tmp_path: Path) -> None:
    film = CLIPS / "rotated.mp4"
    with Reader(film) as reader:
        width, height = upright_size(reader.info)
        stored = reader.info.format
    assert (width < height) != (stored.width < stored.height)
    file = tmp_path / MASK
    write(file, Corrections(width, height, (Stroke(0, kind, width / 8, ((width / 2, 0.0),)),)))
    (masks, *_) = masks_of(SizeSpec(mask_corrections=str(file)), Look(film_inside=1.0, faces=1.0), film)
    found = codes(masks.area if kind == "area" else masks.faces)
    assert found.max() == 255
    outer = [found[:8].max(), found[-8:].max(), found[:, :8].max(), found[:, -8:].max()]
    assert sorted(outer) == [0, 0, 0, 255]
    assert max(outer[2:]) == 255  # of the rows that are stored, the upper edge is a column


def test_strokes_end_at_a_cut(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scenes = [np.kron(rng.integers(0, 256, (9, 16, 3), np.uint8), np.ones((10, 10, 1), np.uint8)) for _ in range(3)]
    film = encode(tmp_path / "film.mkv", [scene for scene in scenes for _ in range(5)], qp="0")
    (found,) = follow(film, (160, 90), [Stroke(7, "area", 10.0, ((80.0, 45.0),))])
    assert (found.first, len(found.motions)) == (5, 5)
    with pytest.raises(InputError, match="frame 99 cannot be decoded"):
        follow(film, (160, 90), [Stroke(99, "area", 10.0, ((80.0, 45.0),))])


def test_the_identity_of_a_job_knows_the_corrections(strokes: Path, tmp_path: Path) -> None:
    found = []
    other, same = tmp_path / "other.json", tmp_path / "same.json"
    corrections = read(strokes)
    assert corrections is not None
    write(other, replace(corrections, strokes=corrections.strokes[:1]))
    write(same, corrections)
    for path in (strokes, same, other):
        recipe = Recipe(StyleSpec("none"), Look(film_inside=1.0), SizeSpec(mask_corrections=str(path)))
        spec = JobSpec(str(PEOPLE), str(tmp_path / "o.mkv"), recipe)
        identity = job_identity(spec, open_job_style(spec, print))
        assert identity is not None
        found.append(identity)
    assert found[0].key == found[1].key
    assert found[2].changes(found[0]) == "the settings (sizes.mask_corrections)"


STROKES = ("--style", "none", "--brush", "1", "--relief", "0", "--steady", "0", "--device", "cpu", "--progress", "none")


def test_layers_have_the_masks_of_an_export(strokes: Path, tmp_path: Path) -> None:
    pytest.importorskip("OpenEXR")
    oiio = pytest.importorskip("OpenImageIO")
    expected = masks_of(SizeSpec(mask_corrections=str(strokes)), Look(film_inside=1.0, faces=1.0))[12]
    given = ("--film-inside", "1", "--mask-corrections", str(strokes), "--start", "12f", "--frames", "1")
    assert run(["layers", str(PEOPLE), str(tmp_path / "####.exr"), *STROKES, *given]) == 0
    file = oiio.ImageInput.open(str(tmp_path / "0012.exr"))
    part = next(n for n in range(99) if file.seek_subimage(n, 0) and file.spec().getattribute("name") == "masks")
    found = file.read_image(part, 0, 0, 2, "half")
    size: tuple[int, int] = found.shape[1::-1]
    for each, mask in zip(np.moveaxis(found, -1, 0), (expected.faces, expected.area), strict=True):
        shares = Image.fromarray(codes(mask).astype(np.float32) / np.float32(255))
        np.testing.assert_array_equal(each, np.float16(shares.resize(size, Image.Resampling.BILINEAR)))


@pytest.mark.parametrize(
    ("sizes", "look", "options"),
    [
        (SizeSpec(), Look(film_inside=1.0, faces=1.0), ("--film-inside", "1")),
        (SizeSpec(mask="subject"), Look(film_inside=1.0, faces=1.0), ()),
    ],
    ids=["the area of the job", "no area"],
)
def test_a_time_lapse_has_the_masks_of_an_export(
    strokes: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    sizes: SizeSpec,
    look: Look,
    options: tuple[str, ...],
) -> None:
    expected = masks_of(replace(sizes, mask_corrections=str(strokes)), look)[13]
    found = list[Masks]()

    class Noted(Schedule):
        def __init__(self, drawn: DrawnStrokes, masks: Masks) -> None:
            found.append(masks)
            super().__init__(drawn, masks)

    monkeypatch.setattr("framebrush.jobs.reveal.Schedule", Noted)
    given = ("--mask-corrections", str(strokes), "--at", "13f", "--seconds", "1", "--fps", "2", *options)
    assert run(["reveal", str(PEOPLE), str(tmp_path / "out.mkv"), *STROKES, *given]) == 0
    assert found == [expected]


@pytest.mark.slow
def test_strokes_and_still_frames_are_painted_by_the_corrections(strokes: Path, tmp_path: Path) -> None:
    look: dict[str, Any] = {"brush": 1.0, "relief": 0.0, "steady": 0.0, "focus": 1.0, "device": "cpu"}
    span: dict[str, Any] = {"start": "12f", "frames": 1}
    drawn = []
    corrected: dict[str, Any] = {"mask_corrections": str(strokes)}
    for given in (dict[str, Any](), corrected):
        with framebrush.open(PEOPLE, "none", **look, **span, **given) as film:
            picture = next(film).picture
        with framebrush.open(PEOPLE, "none", **look, **span, **given) as film:
            drawn.append(len(film.strokes(12)))
    assert drawn[0] != drawn[1]
    target = tmp_path / "still.png"
    still = ("--focus", "1", "--at", "12f", "--mask-corrections", str(strokes))
    assert run(["frame", str(PEOPLE), str(target), *STROKES[:-2], *still]) == 0
    with Image.open(target) as shown:
        np.testing.assert_array_equal(np.asarray(shown), picture)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"width": 240}', "corrections has no field 'height'"),
        *((content, "it is not JSON; give a mask.json") for content in (b"", b"\x89PNG", b"[" * 100_000)),
    ],
)
def test_damaged_corrections_are_refused_before_anything_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, reason: str
) -> None:
    file = tmp_path / MASK
    file.write_bytes(content)
    target = tmp_path / "out.mkv"
    assert run(["transcode", str(PEOPLE), str(target), "--style", "none", "--mask-corrections", str(file)]) != 0
    said = capsys.readouterr().err
    assert f"mask.json cannot be corrections of masks: {reason}" in said
    assert [*tmp_path.iterdir()] == [file]


def test_the_file_is_beside_the_film_and_goes_with_its_last_stroke(tmp_path: Path) -> None:
    file = beside(tmp_path / "film.mp4")
    assert file == tmp_path / "film.keys" / "mask.json"
    assert read(file) is None
    corrections = Corrections(*SIZE, (Stroke(0, "area", 1.0, ((0.0, 0.0),)),))
    write(file, corrections)
    assert read(file) == corrections
    (file.parent / "frame-000001.png").touch()
    write(file, Corrections(*SIZE))
    assert [*file.parent.iterdir()] == [file.parent / "frame-000001.png"]
    (file.parent / "frame-000001.png").unlink()
    write(file, corrections)
    write(file, Corrections(*SIZE))
    assert not file.parent.exists()
