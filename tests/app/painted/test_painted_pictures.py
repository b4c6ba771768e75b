"""Painted frames as they come from other programs: sizes, shapes, transparency, damage, pictures of other frames."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from framebrush.jobs.still import encoded
from framebrush.media.video import InputError
from framebrush.painted.painted_pictures import (
    CONTRADICTED,
    RELATED,
    colours,
    contradiction,
    fitted,
    read_painted,
    relation,
)
from tests.app.styles.shaded import RGB, shaded

pytestmark = pytest.mark.media

FRAME: RGB = shaded((190, 110, 50), 3, down=False).astype(np.uint8)
PAINTING: RGB = 255 - FRAME


def saved(path: Path, picture: RGB, codec: str = "png") -> Path:
    alpha = picture.shape[2] == 4
    kinds = {"png": "rgba" if alpha else "rgb24", "tiff": "rgba" if alpha else "rgb24", "mjpeg": "yuvj444p"}
    path.write_bytes(encoded(picture, codec, kinds[codec]))
    return path


@pytest.mark.parametrize(("name", "codec"), [("a.png", "png"), ("a.tif", "tiff"), ("a.jpg", "mjpeg")])
def test_a_picture_of_the_frames_size_is_taken_as_it_is(tmp_path: Path, name: str, codec: str) -> None:
    found = read_painted(saved(tmp_path / name, PAINTING, codec), FRAME)
    assert np.abs(found.astype(int) - PAINTING).mean() < (4 if codec == "mjpeg" else 1e-9)


def test_another_size_of_the_same_shape_is_fitted(tmp_path: Path) -> None:
    large = fitted(PAINTING, (193, 128))  # a program rounded
    found = read_painted(saved(tmp_path / "a.png", large), FRAME)
    assert found.shape == FRAME.shape
    assert np.abs(found.astype(int) - PAINTING).mean() < 3


def test_another_shape_is_refused_with_both_sizes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is 90x64, the film's frames are 96x64"):
        read_painted(saved(tmp_path / "a.png", PAINTING[:, :90]), FRAME)


def test_where_it_is_transparent_the_film_stays(tmp_path: Path) -> None:
    alpha = np.zeros((64, 96, 1), np.uint8)
    alpha[:, :48], alpha[:, 48:60] = 255, 102
    found = read_painted(saved(tmp_path / "a.png", np.dstack([PAINTING, alpha])), FRAME)
    assert np.array_equal(found[:, :48], PAINTING[:, :48])
    mixed = PAINTING[:, 48:60] * 0.4 + FRAME[:, 48:60] * 0.6
    assert np.abs(found[:, 48:60] - mixed).max() <= 1
    assert np.array_equal(found[:, 60:], FRAME[:, 60:])


@pytest.mark.parametrize(("name", "codec", "kind"), [("a.png", "png", "rgba64be"), ("a.webp", "libwebp", "yuva420p")])
def test_every_picture_that_has_transparency_leaves_the_film_there(
    tmp_path: Path, name: str, codec: str, kind: str
) -> None:
    alpha = np.where(np.arange(96) < 48, 255, 0).astype(np.uint8)[None].repeat(64, axis=0)[..., None]
    (tmp_path / name).write_bytes(encoded(np.dstack([PAINTING, alpha]), codec, kind))
    found = read_painted(tmp_path / name, FRAME).astype(int)
    assert np.abs(found[:, :48] - PAINTING[:, :48]).mean() < 4
    assert np.array_equal(found[:, 48:], FRAME[:, 48:])


def test_a_picture_in_which_nothing_is_painted_is_refused(tmp_path: Path) -> None:
    empty = np.dstack([PAINTING, np.zeros((64, 96, 1), np.uint8)])
    with pytest.raises(InputError, match="nothing is painted in it"):
        read_painted(saved(tmp_path / "a.png", empty), FRAME)


@pytest.mark.parametrize("share", [0.02, 0.5, 0.9])
@pytest.mark.parametrize(("name", "codec"), [("a.png", "png"), ("a.jpg", "mjpeg")])
def test_a_truncated_picture_is_refused(tmp_path: Path, name: str, codec: str, share: float) -> None:
    path = saved(tmp_path / name, np.random.default_rng(0).integers(0, 256, (64, 96, 3), np.uint8), codec)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises(InputError, match=rf"{name}: .*save it again"):
        read_painted(path, FRAME)


def test_the_flat_picture_of_openraster_is_read(tmp_path: Path) -> None:
    flat = saved(tmp_path / "a.png", PAINTING)
    path = tmp_path / "a.ora"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "image/openraster")
        archive.write(flat, "mergedimage.png")
    assert np.array_equal(read_painted(path, FRAME), PAINTING)


def test_archives_that_hold_no_flat_picture_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.ora"
    path.write_bytes(b"PK\3\4 nothing")
    with pytest.raises(InputError, match="no flat picture"):
        read_painted(path, FRAME)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mergedimage.png", bytes(1 << 20))
    path.write_bytes(content.getvalue())
    monkeypatch.setattr("framebrush.painted.painted_pictures.MOST_BYTES", 1 << 16)
    with pytest.raises(InputError, match="its flat picture has more than"):
        read_painted(path, FRAME)


def test_a_painting_of_another_frame_is_told_by_its_edges() -> None:
    dice = np.random.default_rng(0)
    sizes = (9, 16), (7, 11)
    frame, other = (fitted(dice.integers(0, 256, (*size, 3), dtype=np.uint8), (192, 108)) for size in sizes)
    garish = dice.permutation(256).astype(np.uint8)[frame // 64 * 64]
    assert relation(frame, 255 - frame) > 0.9
    assert relation(frame, garish) > RELATED
    assert relation(frame, other) < RELATED
    assert relation(frame, 255 - other) < RELATED
    assert relation(frame, np.full_like(frame, 90)) == 1.0


def test_what_shows_of_the_film_says_nothing_of_a_painting() -> None:
    dice = np.random.default_rng(0)
    frame, other = (
        fitted(dice.integers(0, 256, (*size, 3), dtype=np.uint8), (192, 108)) for size in ((9, 16), (7, 11))
    )

    def left(painting: RGB, columns: slice) -> RGB:
        found = frame.copy()
        found[:, columns] = painting[:, columns]
        return found

    third, sliver = slice(60, 130), slice(60, 70)
    assert relation(frame, left(255 - frame, third)) > 0.7
    assert relation(frame, left(255 - other, third)) < RELATED
    assert relation(frame, frame) == 1.0
    assert relation(frame, left(255 - other, sliver)) == 1.0
    plain = frame.copy()
    plain[:, third] = 90
    assert relation(plain, np.where(plain == 90, other, plain)) == 1.0


def test_keys_that_paint_the_same_thing_in_two_ways_contradict_each_other() -> None:
    moved = np.roll(FRAME, 12, axis=1)
    agreed = (FRAME, 255 - FRAME), (moved, 255 - moved)
    assert contradiction(*agreed) < CONTRADICTED
    red = moved.copy()
    red[..., 0] = 255 - red[..., 0]
    assert contradiction((FRAME, 255 - FRAME), (moved, red)) > CONTRADICTED
    assert contradiction((FRAME, 255 - FRAME), (np.zeros_like(FRAME), np.zeros_like(FRAME))) == 0.0


def test_colours_are_counted() -> None:
    counts = colours(np.dstack([np.full((4, 4), 255), np.zeros((4, 4)), np.full((4, 4), 64)]).astype(np.uint8))
    assert counts[16 * 3 + 1] == counts.sum() == 1.0
