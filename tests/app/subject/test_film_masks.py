"""Masks of faces: found on real frames, carried between looks, and the same in a part of a film as in the whole.

people.mp4 holds 28 frames of walk.mkv of Intel's IoT DevKit sample videos (CC BY 4.0), scaled and encoded anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from assets.make_clips import CLIPS
from framebrush.gpu.frame import Frame, PlaneOrder, gbrp, rgba8
from framebrush.media.reading.reader import Reader
from framebrush.models.soft_masks import MASK_SIDE, NO_MASKS, Masks
from framebrush.subject import networks, small_pictures
from framebrush.subject.film_masks import HEADS_EVERY, LOOK_EVERY, SUBJECT_EVERY, FilmMasks, context_frames
from framebrush.subject.networks import FILES, PEOPLE_SIZE, Area, Networks, SubjectError, faces_size

pytestmark = pytest.mark.unit

PEOPLE = Path(__file__).with_name("people.mp4")
CONTEXT_FRAMES = context_frames(None)


def frames_of(path: Path) -> list[Frame]:
    with Reader(path) as reader:
        found = [frame.frame for frame in reader]
    assert all(isinstance(frame, Frame) for frame in found)
    return found  # type: ignore[return-value]


@pytest.fixture(scope="module")
def people() -> list[Frame]:
    return frames_of(PEOPLE)


@pytest.fixture(scope="module")
def both() -> Networks:
    return Networks()


def masks_of(both: Networks, frames: Iterable[Frame], first: int = 0, quarters: int = 0) -> list[Masks]:
    faces = FilmMasks(both, quarters)
    return [faces.of(frame, number) for number, frame in enumerate(frames, first)]


def plane(masks: Masks) -> npt.NDArray[np.uint8]:
    assert masks.faces is not None
    return np.frombuffer(masks.faces, np.uint8).reshape(MASK_SIDE, MASK_SIDE)


def test_a_face_is_found_in_each_frame_and_stays_where_it_is(both: Networks, people: list[Frame]) -> None:
    planes = [plane(masks) for masks in masks_of(both, people)]
    for mask in planes:
        rows, columns = np.nonzero(mask > 200)
        assert 0.15 < rows.mean() / MASK_SIDE < 0.45
        assert 0.4 < columns.mean() / MASK_SIDE < 0.6
        assert 0.005 < (mask > 200).mean() < 0.1
        assert not mask[-20:].any()  # what is far from the face is nobody's
    alike = [np.minimum(a, b).sum() / np.maximum(a, b).sum() for a, b in pairwise(planes)]
    assert np.mean(alike) > 0.96


def test_the_width_of_a_face_glides_and_ends_with_it(both: Networks, people: list[Frame]) -> None:
    found = masks_of(both, people)
    widths = [masks.face_width for masks in found]
    for masks in found:
        wide = (plane(masks) > 200).any(0).mean()
        assert 0.5 * wide < masks.face_width < wide
    assert all(abs(first - second) < 0.1 * first for first, second in pairwise(widths))
    assert masks_of(both, [black(people[0])])[0].face_width == 0


def test_hair_and_shoulders_count_at_a_share(both: Networks, people: list[Frame]) -> None:
    mask = plane(masks_of(both, people[:1])[0])
    assert 0.01 < ((mask > 60) & (mask < 90)).mean() < 0.3


def test_people_lie_in_a_mirrored_frame_as_in_a_mirror(both: Networks, people: list[Frame]) -> None:
    """Enlargement from a sample's corner shifts the mask by up to 7 of 256 pixels."""
    picture = np.ascontiguousarray(small_pictures.rgb_of(people[0], PEOPLE_SIZE))
    mirrored = both.people(np.ascontiguousarray(picture[..., ::-1]))[:, ::-1]
    assert np.abs(both.people(picture) - mirrored).mean() < 0.01


def test_a_wall_beside_a_head_has_no_share_of_the_face(both: Networks, people: list[Frame]) -> None:
    found = FilmMasks(both, area=Area.PEOPLE)
    for number, frame in enumerate(people):
        masks = found.of(frame, number)
        assert masks.area is not None
        nobody = np.frombuffer(masks.area, np.uint8).reshape(MASK_SIDE, MASK_SIDE) == 0
        beside = plane(masks)[nobody & (plane(masks) > 0)]
        assert beside.size < 0.05 * (plane(masks) > 200).sum()


@pytest.mark.parametrize("number", [12, 13, 15, 20, 22, 27])
def test_a_part_has_the_masks_of_the_whole(number: int, both: Networks, people: list[Frame]) -> None:
    whole = masks_of(both, people)
    first = number - CONTEXT_FRAMES
    assert masks_of(both, people[first:], first)[CONTEXT_FRAMES:] == whole[number:]


def test_heads_are_looked_for_half_as_often_and_again_for_a_new_face(
    both: Networks, people: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, find, number = list[int](), both.people, 0
    monkeypatch.setattr(both, "people", lambda picture: looks.append(number) or find(picture))  # type: ignore[func-returns-value]
    masks = FilmMasks(both)
    for number, frame in enumerate(people):
        masks.of(frame, number)
    assert looks == [0, 8, 16, 24]
    looks.clear()
    seen, find_faces = iter([False]), both.faces
    monkeypatch.setattr(both, "faces", lambda picture: find_faces(picture) if next(seen, True) else [])
    masks = FilmMasks(both)
    for number, frame in enumerate(people[:12]):
        masks.of(frame, number)
    assert looks == [4, 8]


@pytest.mark.slow
def test_a_part_has_the_masks_of_the_whole_beside_a_cut(both: Networks, people: list[Frame]) -> None:
    """At each distance of the cut from the looks, the cut within the context."""
    for cut in range(CONTEXT_FRAMES, CONTEXT_FRAMES + HEADS_EVERY):
        film = [*([black(people[0])] * cut), *people[:18]]
        whole = masks_of(both, film)
        for number in (cut + 1, cut + LOOK_EVERY, cut + CONTEXT_FRAMES - 1):
            first = number - CONTEXT_FRAMES
            assert masks_of(both, film[first:], first)[CONTEXT_FRAMES:] == whole[number:]


def test_a_part_has_the_masks_of_the_whole_after_another_face_has_gone(both: Networks, people: list[Frame]) -> None:
    """A face found elsewhere earlier does not change how a later one is advected."""

    def beside(first: Frame, second: Frame, shift: int) -> Frame:
        planes = (
            np.roll(np.hstack(pair), shift // (1 if n == 0 else 2), 1)
            for n, pair in enumerate(zip(first.planes, second.planes, strict=True))
        )
        return Frame(replace(first.format, width=2 * first.format.width), tuple(planes))

    film = [beside(people[n], people[n] if n < 6 else black(people[n]), 4 * n) for n in range(20)]
    whole = masks_of(both, film)
    assert plane(whole[4]).any(0).sum() > 1.5 * plane(whole[16]).any(0).sum()
    for number in range(CONTEXT_FRAMES + 3, len(film)):
        first = number - CONTEXT_FRAMES
        assert masks_of(both, film[first : number + 1], first)[-1] == whole[number], number


@pytest.mark.parametrize("step", [2, 3, 5])
def test_masks_are_carried_over_dropped_frames(
    step: int, both: Networks, people: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As playback and cameras drop them: the networks look as seldom as without."""
    whole, looks = [plane(masks) for masks in masks_of(both, people)], []
    find = both.faces
    monkeypatch.setattr(both, "faces", lambda picture: looks.append(1) or find(picture))
    film = FilmMasks(both)
    for number in range(0, len(people), step):
        mask = plane(film.of(people[number], number))
        assert np.minimum(mask, whole[number]).sum() > 0.9 * np.maximum(mask, whole[number]).sum()
    assert len(looks) == min(len(people) // LOOK_EVERY, -(-len(people) // step))


def black(like: Frame) -> Frame:
    return Frame(like.format, tuple(np.full_like(part, 16 if n == 0 else 128) for n, part in enumerate(like.planes)))


@pytest.fixture(scope="module")
def salient() -> Networks:
    return Networks(area=Area.SUBJECT)


def subjects_of(salient: Networks, frames: Iterable[Frame], first: int = 0, *, faces: bool = False) -> list[Masks]:
    film = FilmMasks(salient, faces=faces, area=Area.SUBJECT)
    return [film.of(frame, number) for number, frame in enumerate(frames, first)]


@pytest.mark.slow
def test_what_stands_out_is_found_and_follows_the_film(salient: Networks, people: list[Frame]) -> None:
    """The subject of this film is the person; the network of people finds the same area."""
    persons = FilmMasks(salient, faces=False, area=Area.PEOPLE)
    found = subjects_of(salient, people)
    for number, (frame, masks) in enumerate(zip(people, found, strict=True)):
        assert masks.faces is None
        assert masks.area is not None
        one, other = (
            np.frombuffer(each or b"", np.uint8) > 128 for each in (masks.area, persons.of(frame, number).area)
        )
        assert (one & other).sum() > 0.85 * (one | other).sum()


@pytest.mark.slow
@pytest.mark.parametrize("number", [24, 27])
def test_a_part_has_the_subject_of_the_whole(number: int, salient: Networks, people: list[Frame]) -> None:
    whole = subjects_of(salient, people, faces=True)
    first = number - context_frames(Area.SUBJECT)
    found = subjects_of(salient, people[first : number + 1], first, faces=True)
    assert found[-1] == whole[number]
    assert found[-1].faces is not None
    assert found[-1].area is not None


def test_the_subject_is_looked_for_seldom(
    salient: Networks, people: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, find = [], salient.subject
    monkeypatch.setattr(salient, "subject", lambda picture: (looks.append(1), find(picture))[1])
    subjects_of(salient, people[:SUBJECT_EVERY])
    assert len(looks) == 1


def test_a_cut_starts_anew(both: Networks, people: list[Frame]) -> None:
    empty = black(people[0])
    found = masks_of(both, [*people[:6], empty, empty, people[6]], first=1)
    assert found[6] == found[7] == NO_MASKS
    assert found[8] == masks_of(both, [people[6]], first=9)[0] != NO_MASKS


def test_a_frame_that_is_painted_again_has_its_masks(both: Networks, people: list[Frame]) -> None:
    faces = FilmMasks(both)
    found = [faces.of(people[n], n) for n in (0, 1, 2, 2, 2, 3)]
    assert found[2] is found[3] is found[4]
    assert found[5] == masks_of(both, people[:4])[3]


@pytest.fixture(scope="module")
def deep() -> Networks:
    return Networks(area=Area.FAR)


def far_of(deep: Networks, frames: Iterable[Frame], first: int = 0) -> list[npt.NDArray[np.uint8]]:
    film = FilmMasks(deep, faces=False, area=Area.FAR)
    areas = [film.of(frame, number).area for number, frame in enumerate(frames, first)]
    return [np.frombuffer(area or b"", np.uint8).reshape(MASK_SIDE, MASK_SIDE) for area in areas]


def test_what_is_behind_a_person_is_far(deep: Networks, people: list[Frame]) -> None:
    persons = FilmMasks(deep, faces=False, area=Area.PEOPLE)
    for number, (frame, far) in enumerate(zip(people, far_of(deep, people), strict=True)):
        person = np.frombuffer(persons.of(frame, number).area or b"", np.uint8).reshape(MASK_SIDE, MASK_SIDE) > 128
        assert far[person].mean() < 60 < 120 < far[~person].mean()


def test_a_part_has_the_distance_of_the_whole(deep: Networks, people: list[Frame]) -> None:
    whole = far_of(deep, people)
    for number in (13, 15, 20):
        first = number - context_frames(Area.FAR)
        np.testing.assert_array_equal(far_of(deep, people[first : number + 1], first)[-1], whole[number])


def test_distance_beside_people_is_that_of_the_mask_far(deep: Networks, people: list[Frame]) -> None:
    both = Networks(area=Area.PEOPLE, far=True)
    alone, film = far_of(deep, people), FilmMasks(both, area=Area.PEOPLE, far=True)
    for number, frame in enumerate(people):
        masks = film.of(frame, number)
        assert masks.faces is not None
        assert masks.area is not None
        assert masks.far == alone[number].tobytes()


def test_a_frame_without_depth_is_near(deep: Networks, people: list[Frame]) -> None:
    """Noise of a flat picture is not stretched to the whole range."""
    assert far_of(deep, [black(people[0])])[0].mean() < 160


def test_a_black_frame_has_no_subject(salient: Networks, people: list[Frame]) -> None:
    area = subjects_of(salient, [black(people[0])])[0].area
    assert area is None or max(area) < 128


@pytest.mark.parametrize("name", ["landscape.mp4", "cfr.mp4", "pq.mp4", "rgb.mkv", "grey.mkv"])
def test_nobody_is_found_where_nobody_is(name: str, both: Networks) -> None:
    assert set(masks_of(both, frames_of(CLIPS / name)[:12])) == {NO_MASKS}


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_film_that_lies_on_its_side_is_looked_at_upright(quarters: int, both: Networks, people: list[Frame]) -> None:
    upright = people[0]
    turned = tuple(np.ascontiguousarray(np.rot90(part, -quarters)) for part in upright.planes)
    form = replace(upright.format, width=turned[0].shape[1], height=turned[0].shape[0])
    here, there = masks_of(both, [Frame(form, turned)], quarters=quarters)[0], masks_of(both, [upright])[0]
    found, expected = plane(here), np.rot90(plane(there), -quarters)
    assert np.minimum(found, expected).sum() / np.maximum(found, expected).sum() > 0.95
    assert here.face_width * form.width == pytest.approx(there.face_width * upright.format.width, rel=0.05)


def test_every_layout_is_looked_at(both: Networks, people: list[Frame]) -> None:
    """The same picture as R'G'B' in one plane and in three, of bytes and of floats."""
    with Reader(PEOPLE) as reader:
        picture = next(reader)
    luma = np.asarray(picture.frame.planes[0])  # type: ignore[union-attr]
    height, width = luma.shape
    forms = (rgba8(width, height), (np.dstack([luma] * 4),)), (gbrp(width, height), (luma,) * 3)
    for form, planes in forms:
        assert masks_of(both, [Frame(form, planes)])[0].faces is not None
    floats = np.full((height, width), np.nan, np.float32)
    wild = replace(gbrp(width, height, bits=32, floating=True), layout=PlaneOrder.GBR)
    assert masks_of(both, [Frame(wild, (floats, floats, floats))]) == [NO_MASKS]


@pytest.mark.parametrize("size", [(2, 2), (16, 1000), (1000, 16), (33, 47)])
def test_any_size_is_looked_at(size: tuple[int, int], both: Networks) -> None:
    form = rgba8(*size)
    noise = np.random.default_rng(1).integers(0, 256, form.plane_shapes[0], np.uint8)
    assert masks_of(both, [Frame(form, (noise,))] * 5) == [NO_MASKS] * 5


def test_faces_are_bounded(both: Networks, people: list[Frame], monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a person twice in one picture, one face is kept."""
    luma = people[0].planes[0]
    two = np.hstack([luma, luma])
    grey = np.broadcast_to(two.astype(np.float32) / np.float32(255), (3, *two.shape))[:, :160, :480]
    assert len(both.faces(grey)) == 2
    monkeypatch.setattr(networks, "MOST_FACES", 1)
    assert len(both.faces(grey)) == 1


@pytest.mark.parametrize(
    ("name", "box"),
    [("brush-animation.jpg", (1898, 1106, 2258, 1322)), ("subject.jpg", (1171, 1165, 1531, 1525))],
    ids=["a bird of a cartoon", "a dog's muzzle"],
)
def test_a_doubtful_face_must_be_one_in_the_mirror_too(
    name: str, box: tuple[int, int, int, int], both: Networks, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Image.open(CLIPS.parent / name) as whole:
        part = whole.convert("RGB").crop(box)
    rgb = np.asarray(part.resize(faces_size(*part.size)), np.float32).transpose(2, 0, 1) / np.float32(255)
    assert both.faces(rgb) == []
    monkeypatch.setattr(networks, "SURE_SCORE", 0.0)
    assert len(both.faces(rgb)) == 1


def test_a_face_in_the_mirror_is_known_again(
    both: Networks, people: list[Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is at the left of the picture, so that places are mirrored back."""
    luma = people[0].planes[0].astype(np.float32) / np.float32(255)
    grey = np.full((3, 160, 480), 0.5, np.float32)
    grey[:, :, :240] = luma[:160]
    expected = both.faces(grey)
    assert len(expected) == 1
    monkeypatch.setattr(networks, "SURE_SCORE", 2.0)
    assert both.faces(grey) == expected


@pytest.mark.parametrize("name", FILES)
def test_a_damaged_network_is_said(name: str, tmp_path: Path) -> None:
    for each in FILES:
        (tmp_path / each).write_bytes((networks.FOLDER / each).read_bytes())
    (tmp_path / name).write_bytes(b"none")
    with pytest.raises(SubjectError, match="a network of Framebrush is damaged"):
        Networks(tmp_path)
    (tmp_path / name).unlink()
    with pytest.raises(SubjectError, match="install Framebrush again"):
        Networks(tmp_path)
