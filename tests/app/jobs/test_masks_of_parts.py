"""User masks: their effect, and equality between a part and the whole film."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu.device import open_device
from framebrush.gpu.look import Look
from framebrush.gpu.settings import StylizerPlan
from framebrush.jobs import prepare
from framebrush.jobs.frame_pipeline import FramePipeline
from framebrush.jobs.identity import JobIdentity, subject_of
from framebrush.jobs.look_masks import LookMasks
from framebrush.jobs.prepare import job_identity, open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Orientation, TimeRange
from framebrush.styles.maps import BrushMaps
from framebrush.styles.specs import ALPHA, FAR, SUBJECT, SizeSpec, StyleSpec
from framebrush.subject import networks
from framebrush.subject.area import NOWHERE
from tests.app.jobs.test_faces_of_parts import PAINTING, PEOPLE, assert_same, painted
from tests.app.styles.test_map_films import encode
from tests.app.styles.test_picture_styles import png

pytestmark = [pytest.mark.media, pytest.mark.slow]

PLAIN = ("--brush", "0", "--relief", "0", "--steady", "0", "--faces", "0")


def halves(light: int, turned: bool = False) -> npt.NDArray[np.uint8]:
    """A mask with its right half inside, or its lower one."""
    codes = np.zeros((90, 160, 3), np.uint8)
    codes[45 if turned else 0 :, 0 if turned else 80 :] = light
    return codes


def test_a_look_without_masks_follows_no_frame() -> None:
    assert LookMasks(Look(), Orientation()).untracked_before(9, BrushMaps()) == 0


def test_a_part_has_the_moving_mask_of_the_whole(tmp_path: Path) -> None:
    film = encode(tmp_path / "mask.mkv", [halves(255 - 6 * n, n % 2 == 1) for n in range(12)], qp="0")
    given = (*PLAIN, "--film-inside", "1", "--mask", str(film), "--mask-soften", "4")
    whole = painted(tmp_path / "whole.mkv", *given, "--segments", "off", "--frames", "16")
    assert_same(painted(tmp_path / "part.mkv", *given, "--start", "7f", "--frames", "5"), whole[7:12])
    assert_same(painted(tmp_path / "joined.mkv", *given, "--segments", "5", "--frames", "16"), whole)


def test_what_is_inside_is_the_film_and_an_inverted_mask_is_the_rest(tmp_path: Path) -> None:
    still = png(tmp_path / "mask.png", halves(255))
    given = (*PLAIN, "--frames", "1", "--mask", str(still))
    source, painting, inside, outside, inverted = (
        painted(tmp_path / f"{number}.mkv", *more)[0].astype(int)
        for number, more in enumerate(
            (
                ("--frames", "1", *PLAIN, "--strength", "0"),
                ("--frames", "1", *PLAIN),
                (*given, "--film-inside", "1"),
                (*given, "--film-outside", "1"),
                (*given, "--film-inside", "1", "--mask-invert"),
            )
        )
    )
    rows, middle = 180, source.shape[1] // 2
    left, right = (slice(rows), slice(middle - 12)), (slice(rows), slice(middle + 12, None))
    np.testing.assert_array_equal(inside[left], painting[left])
    assert np.abs(inside[right] - source[right]).mean() < 0.1 < 2 < np.abs(painting[right] - source[right]).mean()
    np.testing.assert_array_equal(outside[right], painting[right])
    np.testing.assert_array_equal(outside, inverted)


def test_what_is_outside_stays_a_photograph_in_every_part(tmp_path: Path) -> None:
    given = (*PLAIN, "--photo-outside", "1", "--frames", "12")
    whole = painted(tmp_path / "whole.mkv", *given, "--segments", "off")
    assert_same(painted(tmp_path / "joined.mkv", *given, "--segments", "5"), whole)
    with av.open(str(PEOPLE)) as container:
        source = next(container.decode(video=0)).to_ndarray()
    corner = slice(20), slice(20)
    np.testing.assert_allclose(whole[0][corner].astype(int), source[corner], atol=1)
    assert np.abs(whole[0][:180].astype(int) - source[:180]).max() > 40


def test_a_mask_needs_no_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "faces.onnx").write_bytes(b"none")
    monkeypatch.setattr(networks.Networks.__init__, "__defaults__", (tmp_path,))
    still = png(tmp_path / "mask.png", halves(255))
    given = ("--frames", "1", "--mask", str(still), "--film-inside", "1", "--brush", "0", "--relief", "0")
    blind, without = (painted(tmp_path / f"{n}.mkv", *given, *more) for n, more in enumerate(((), ("--faces", "0"))))
    assert_same(blind, without)


def test_the_films_own_alpha_is_a_mask(tmp_path: Path) -> None:
    picture = np.full((60, 80, 4), (180, 90, 30, 255), np.uint8)
    picture[:, 40:, 3] = 0
    source = png(tmp_path / "cut.png", picture)
    found = []
    for more in ((), ("--mask", ALPHA, "--film-inside", "1")):
        target = tmp_path / f"made{len(found)}.png"
        assert run(["frame", str(source), str(target), "--style", "great-wave", *PLAIN, "--device", "cpu", *more]) == 0
        with av.open(str(target)) as container:
            found.append(next(container.decode(video=0)).to_ndarray(format="rgba").astype(int))
    assert np.abs(found[1] - picture)[:, :36].max() <= 2 < np.abs(found[0] - picture)[:, :36].max()
    np.testing.assert_array_equal(found[1][..., 3], picture[..., 3])


def test_what_is_far_is_painted_and_what_is_near_stays(tmp_path: Path) -> None:
    given = (*PLAIN, "--mask", FAR, "--photo-outside", "1", "--frames", "1")
    found, painting = (painted(tmp_path / f"{n}.mkv", *more)[0].astype(int) for n, more in enumerate((given, PLAIN)))
    with av.open(str(PEOPLE)) as container:
        source = next(container.decode(video=0)).to_ndarray().astype(int)
    person, corner = (slice(110, 160), slice(100, 150)), (slice(30, 60), slice(10, 60))
    apart = [[np.abs(found[where] - other[where]).mean() for other in (source, painting)] for where in (person, corner)]
    assert apart[0][0] < 0.3 * apart[0][1]
    assert apart[1][1] < 0.3 * apart[1][0]


def test_a_part_has_the_subject_of_the_whole(tmp_path: Path) -> None:
    given = (*PLAIN, "--mask", SUBJECT, "--film-inside", "1")
    whole = painted(tmp_path / "whole.mkv", *given)
    assert_same(painted(tmp_path / "part.mkv", *given, "--start", "25f", "--frames", "2"), whole[25:27])
    people = painted(tmp_path / "people.mkv", *PLAIN, "--film-inside", "1", "--frames", "1")[0]
    painting = painted(tmp_path / "painting.mkv", *PLAIN, "--frames", "1")[0]
    assert np.abs(whole[0].astype(int) - people).mean() < 0.3 * np.abs(painting.astype(int) - people).mean()


def test_the_identity_of_a_job_knows_the_network_of_its_area() -> None:
    def digest_of(mask: str | None, **look: float) -> str:
        recipe = Recipe(StyleSpec("none"), Look(**look), SizeSpec(mask=mask))
        spec = JobSpec(str(PEOPLE), "o.mkv", recipe)
        return subject_of(spec.recipe, open_job_style(spec, print))

    both = networks.digest(*networks.FILES)
    subject, far = (networks.digest(*networks.FILES, file) for file in ("subject.onnx", "far.onnx"))
    assert both
    assert digest_of(None, film_inside=1.0) == both
    assert digest_of(SUBJECT, film_inside=1.0) == subject != both
    assert digest_of(FAR, film_inside=1.0) == digest_of(FAR, focus=1.0) == far != both
    assert digest_of(None, focus=1.0) == far  # broader strokes are farther
    assert digest_of(SUBJECT, focus=1.0) == networks.digest(*networks.FILES, "subject.onnx", "far.onnx") != subject
    assert digest_of(SUBJECT) == digest_of(FAR) == ""


@pytest.mark.parametrize(
    ("more", "is_idle"),
    [((), True), (("--photo-outside", "0.5"), False), (("--key", "focus@3f=1"), False), (("--reveal", "0.1"), False)],
)
def test_a_mask_that_changes_nothing_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], is_idle: bool
) -> None:
    look = ["--style", "none", "--brush", "1", "--mask", str(png(tmp_path / "mask.png", halves(255))), *more]
    assert run(["transcode", str(PEOPLE), str(tmp_path / "out.mkv"), *look, *PAINTING, "--frames", "1"]) == 0
    assert ("--mask changes nothing without --focus, or a share" in capsys.readouterr().err) == is_idle


def test_a_film_without_alpha_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out.mkv"
    assert run(["transcode", str(PEOPLE), str(target), *PAINTING, "--mask", ALPHA, "--film-inside", "1"]) != 0
    assert "the film has no alpha that could be the mask; give a picture or a video" in capsys.readouterr().err
    assert not [*tmp_path.iterdir()]


def test_the_identity_of_a_job_knows_the_mask_and_not_the_networks(tmp_path: Path) -> None:
    identities = []
    for light in (255, 254):
        still = png(tmp_path / "mask.png", halves(light))
        look = Look(faces=0.0, film_inside=0.5)
        spec = JobSpec(
            str(PEOPLE), str(tmp_path / "o.mkv"), Recipe(StyleSpec("none"), look, sizes=SizeSpec(mask=str(still)))
        )
        identity = job_identity(spec, open_job_style(spec, print))
        assert isinstance(identity, JobIdentity)
        assert identity.subject_sha256 == ""
        identities.append(identity)
    assert identities[1].changes(identities[0]) == "the settings (sizes.mask)"


def test_frames_on_a_device_have_the_masks_of_those_in_memory() -> None:
    """Frames on a graphics card may come from users of `framebrush.paint`."""
    style = open_job_style(JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec("none"))), print).style
    with open_device("cpu") as device, Reader(PEOPLE, TimeRange(frames=6)) as reader:
        frames = [*reader]
        form = reader.info.format
        found = []
        for on_device in (False, True):
            given = [replace(one, frame=device.upload(one.host) if on_device else one.frame) for one in frames]
            with FramePipeline(device, StylizerPlan(style, form, form, look=Look(faces=1.0, brush=0.0))) as pipeline:
                found.append([pipeline.masks_of(one) for one in given])
    assert found[0] == found[1]
    assert all(masks.faces for masks in found[0])


def test_a_decoder_leaves_frames_on_a_device_only_where_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(prepare, "open_frame_source", lambda *_, device, **__: asked.append(device))
    with open_device("cpu") as device:
        for look in (Look(), Look(faces=0.0), Look(faces=0.0, photo_outside=0.5)):
            spec = JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec("great-wave"), look))
            open_job_source(spec, device, open_job_style(spec, print))
        assert asked == [None, device, None]


@pytest.mark.parametrize(("look", "counts"), [(Look(photo_outside=1.0), True), (Look(film_inside=1.0), False)])
def test_where_nobody_is_all_is_outside(look: Look, counts: bool) -> None:
    style = open_job_style(JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec("none"))), print).style
    with open_device("cpu") as device, Reader(CLIPS / "cfr.mp4", TimeRange(frames=1)) as reader:
        (frame,) = reader
        form = reader.info.format
        with FramePipeline(device, StylizerPlan(style, form, form, look=look)) as pipeline:
            assert pipeline.masks_of(frame).area == (NOWHERE if counts else None)


def test_people_are_narrower_beside_a_photograph_and_a_mask_of_ones_own_is_not(tmp_path: Path) -> None:
    style = open_job_style(JobSpec(str(PEOPLE), "o.mkv", Recipe(StyleSpec("none"))), print).style
    still = png(tmp_path / "mask.png", halves(255))
    found: list[list[float]] = []
    with open_device("cpu") as device, Reader(PEOPLE, TimeRange(frames=1)) as reader:
        (frame,) = reader
        form = reader.info.format
        for look in (Look(film_inside=1.0), Look(photo_inside=1.0)):
            found.append([])
            for asked in (SizeSpec(), SizeSpec(mask_invert=True), SizeSpec(mask=str(still))):
                plan = StylizerPlan(style, form, form, look=look)
                with FramePipeline(device, plan, maps=BrushMaps(asked)) as pipeline:
                    area = pipeline.masks_of(frame, time_s=Fraction()).area
                assert area is not None
                found[-1].append(sum(area) / 255 / len(area))
    people, others, own = zip(*found, strict=True)
    assert 0.8 * people[0] < people[1] < 0.98 * people[0]
    assert others[1] == pytest.approx(1 - people[1], abs=1e-6)
    assert own[0] == own[1]


def test_a_mask_of_a_turned_film_is_upright(tmp_path: Path) -> None:
    """As the film is shown: its upper part is left to the film."""
    codes = np.zeros((90, 60, 3), np.uint8)
    codes[:45] = 255
    options = {"mask": png(tmp_path / "mask.png", codes), "frames": 1, "device": "cpu", "film_inside": 1.0}
    found = []
    for strength in (1.0, 0.0):
        plain = {"brush": 0.0, "relief": 0.0, "steady": 0.0, "faces": 0.0, "strength": strength}
        with framebrush.open(CLIPS / "rotated.mp4", "great-wave", **options, **plain) as film:
            found.append(next(iter(film)).picture.astype(int))
    away, rows = np.abs(found[0] - found[1]), len(found[0])
    assert away[: rows // 2 - 12].mean() < 0.5 < 3 < away[rows // 2 + 12 :].mean()
