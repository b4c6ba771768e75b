"""`framebrush.paint` of a batch: as a film, or each picture alone."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush import sample
from framebrush.api import paint
from framebrush.api.array_frames import frame_of, range_notes
from framebrush.api.batch import plan_of
from framebrush.gpu.device import open_device
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.styles.style_names import open_style
from tests.app.api.test_paint import picture, saved

COUNT = 6


def batch(channels: int = 3) -> npt.NDArray[np.uint8]:
    """(COUNT, 96, 128, channels): `picture` moves two pixels to the right a frame, under grain."""
    grain = np.random.default_rng(4).integers(-12, 13, (COUNT, 96, 128, channels))
    moved = np.stack([np.roll(picture(4)[..., :channels], 2 * number, axis=1) for number in range(COUNT)])
    found = np.clip(moved + grain, 0, 255).astype(np.uint8)
    found[..., 3:] = moved[..., 3:]
    return found


@pytest.fixture(scope="module")
def painted() -> npt.NDArray[np.uint8]:
    """`batch` in strokes."""
    return framebrush.paint(batch(), "scream", brush=0.8, relief=0.4, device="cpu")


@pytest.mark.slow
def test_a_batch_is_painted_as_a_film_of_its_pictures_is(tmp_path: Path, painted: npt.NDArray[np.uint8]) -> None:
    for number, one in enumerate(batch()):
        saved(tmp_path / f"{number:03d}.png", one)
    numbered = tmp_path / "%03d.png"
    with framebrush.open(numbered, "scream", brush=0.8, relief=0.4, rate=25, device="cpu") as film:
        assert np.array_equal(painted, np.stack([frame.picture for frame in film]))
    style = saved(tmp_path / "style.png", np.dstack([picture()[..., 2], picture()[..., 0], picture()[..., 1]]))
    given = batch()
    blocks = np.random.default_rng(2).integers(0, 256, (6, 8, 3), np.uint8)
    given[3:] = np.kron(blocks, np.ones((16, 16, 1), np.uint8))  # another shot, of other colours
    for number, one in enumerate(given):
        saved(tmp_path / f"{number:03d}.png", one)
    with framebrush.open(numbered, style, rate=25, device="cpu", on_message=lambda _: None) as film:
        expected = np.stack([frame.picture for frame in film])
    assert np.array_equal(framebrush.paint(given, style, device="cpu"), expected)


def test_pictures_painted_alone_open_one_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        original = getattr(paint, name)

        def call(*args: object, **more: object) -> object:
            opened.append(name)
            return original(*args, **more)

        return call

    for name in ("open_job_style", "job_pipeline"):
        monkeypatch.setattr(paint, name, counted(name))
    framebrush.paint(batch(), "scream", sequence=False, device="cpu")
    assert opened == ["open_job_style", "job_pipeline"]


def test_masks_of_pictures_painted_alone_are_their_own() -> None:
    """A face is found in the second picture although the first one, with the same number, has none."""
    with av.open(str(sample.PATH)) as film:
        film.seek(round(sample.PEOPLE[0] / 25 * av.time_base))
        person = next(film.decode(video=0)).reformat(width=320, height=180).to_ndarray(format="rgb24")
    given = np.stack([np.full_like(person, 128), person])
    look: dict[str, Any] = {"film_inside": 1.0}
    alone = framebrush.paint(given, "scream", sequence=False, device="cpu", **look)
    for one, painted in zip(given, alone, strict=True):
        assert np.array_equal(painted, framebrush.paint(one, "scream", device="cpu", **look))
    plain = framebrush.paint(person, "scream", device="cpu")
    near, far = (np.abs(found.astype(int) - person).mean() for found in (alone[1], plain))
    assert near < 0.9 * far, "the person has her own colours"


@pytest.mark.slow
def test_strokes_move_with_a_sequence_alone(painted: npt.NDArray[np.uint8]) -> None:
    """Carried along the motion, the frame before is nearer to a frame of a sequence than of pictures painted alone."""
    with open_device("cpu") as device:
        alone = framebrush.paint(batch(), "scream", brush=0.8, relief=0.4, sequence=False, device=device)
        for number in (0, COUNT - 1):
            assert np.array_equal(
                alone[number], framebrush.paint(batch()[number], "scream", brush=0.8, relief=0.4, device=device)
            )

    def change(pictures: npt.NDArray[np.uint8]) -> float:
        codes = pictures[:, :, 16:-16].astype(int)
        carried = np.roll(pictures, 2, axis=2)[:, :, 16:-16].astype(int)
        return float(np.abs(codes[1:] - carried[:-1]).mean())

    assert change(painted) < 0.8 * change(alone)


@pytest.mark.parametrize(
    ("kind", "planes"), [(np.uint8, [(48, 64, 4)]), (np.uint16, [(48, 64)] * 3), (np.float16, [(48, 64)] * 3)]
)
def test_painted_pictures_of_8_bits_lie_together_and_others_in_planes(
    kind: type[np.generic], planes: list[tuple[int, ...]]
) -> None:
    """So do the results in GPU memory."""
    job = JobSpec("IN", "OUT", Recipe(StyleSpec("none"), sizes=SizeSpec(size="64x48")))
    form = frame_of(batch()[0].astype(kind)).format
    sizes, target = plan_of(job, open_style("none"), form, keeps_alpha=False)
    assert sizes.target == (target.width, target.height) == (64, 48)
    assert (np.dtype(target.dtype), target.plane_shapes) == (np.dtype(kind), tuple(planes))


@pytest.mark.parametrize(("kind", "tolerance"), [(np.float16, 1e-2), (np.float32, 5e-3)])
def test_floats_are_painted_alike(kind: type[np.floating[Any]], tolerance: float) -> None:
    given = (batch().astype(np.float32) / 255).astype(kind)
    found = framebrush.paint(given, "scream", dither=False, device="cpu")
    assert (found.dtype, found.shape) == (np.dtype(kind), given.shape)
    expected = framebrush.paint(batch(), "scream", dither=False, device="cpu")
    assert np.quantile(np.abs(found.astype(float) - expected / 255), 0.99) <= tolerance


def test_alpha_and_another_size() -> None:
    found = framebrush.paint(batch(4), "none", brush=0.5, device="cpu")
    assert np.array_equal(found[..., 3], batch(4)[..., 3])
    assert framebrush.paint(batch(), "none", size=(64, 48), device="cpu").shape == (COUNT, 48, 64, 3)
    with pytest.raises(ValueError, match="alpha is kept at the size"):
        framebrush.paint(batch(4), "none", size=(64, 48), device="cpu")


@pytest.mark.parametrize("sequence", [True, False])
def test_each_picture_has_its_mask(sequence: bool) -> None:
    """Outside it the film is left as the film."""
    masks = np.zeros((COUNT, 96, 128), np.float32)
    masks[0, :, :64] = masks[1, :, 64:] = 1
    masks[2:] = 1
    options: dict[str, Any] = {"film_outside": 1.0, "brush": 0.0, "relief": 0.0, "steady": 0.0, "dither": False}
    found = framebrush.paint(
        batch()[:3], "scream", mask=masks[:3], sequence=sequence, faces=0.0, device="cpu", **options
    ).astype(int)
    change = np.abs(found - batch()[:3]).mean(axis=3)
    assert change[0, :, 80:].mean() < 4 < 10 < change[0, :, :48].mean()
    assert change[1, :, :48].mean() < 4 < 10 < change[1, :, 80:].mean()
    assert change[2, :, :48].mean() > 10 < change[2, :, 80:].mean()
    with pytest.raises(ValueError, match="2 masks are given for 3 pictures; give one for each, or one for all"):
        framebrush.paint(batch()[:3], "scream", mask=masks[:2], sequence=sequence, device="cpu")
    with pytest.raises(ValueError, match=r"shape \(3, 96, 128\) cannot be used; give \(height, width\)$"):
        framebrush.paint(picture(), "scream", mask=masks[:3], device="cpu")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ((0.0, 1.0), None),
        ((-0.25, 1.25), None),
        ((-0.26, 1.0), "the samples of it go from -0.26 to 1: they are cut to 0 to 1 where they are painted"),
        ((0.0, 1.26), "go from 0 to 1.26: .*; divide a picture whose white is 255 by 255"),
        ((0.0, 255.0), "go from 0 to 255: .*; divide a picture whose white is 255 by 255"),
        ((0.0, 256.0), "go from 0 to 256: .*; divide a picture whose white is 65535 by 65535"),
        ((0.0, 65535.0), "; divide a picture whose white is 65535 by 65535"),
        ((0.0, 65540.0), "where they are painted$"),
        ((-1.0, 255.0), "where they are painted$"),
        ((np.nan, 0.5), "^1 sample of it is no finite number: painted as black, or white where infinite$"),
        ((np.nan, np.inf), "^2 samples of it are no finite numbers: painted as black, or white where infinite$"),
    ],
)
def test_samples_that_look_like_a_mistake_are_said(values: tuple[float, float], says: str | None) -> None:
    notes = range_notes([np.full((2, 2, 3), 0.5, np.float32), np.array([[[*values, 0.5]]], np.float32)], "it")
    assert len(notes) == (says is not None)
    assert says is None or re.search(says, notes[0])
    assert range_notes([np.full((2, 2, 3), 65535, np.uint16)]) == []


def test_the_caller_hears_of_each_picture_and_may_stop() -> None:
    heard: list[int] = []
    framebrush.paint(batch(), "none", brush=0.5, device="cpu", on_picture=heard.append)
    assert heard == [*range(1, COUNT + 1)]

    def stop(number: int) -> None:
        heard.append(number)
        raise KeyboardInterrupt

    for sequence in (True, False):
        heard.clear()
        with pytest.raises(KeyboardInterrupt):
            framebrush.paint(batch(), "none", brush=0.5, device="cpu", on_picture=stop, sequence=sequence)
        assert heard == [1]


def test_a_message_on_the_batch_is_given_once() -> None:
    given = batch().astype(np.float32)
    given[2, 0, 0, 0] = np.nan
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        framebrush.paint(given, "none", device="cpu")
    texts = [str(one.message) for one in said]
    assert texts[0] == "1 sample of the batch is no finite number: painted as black, or white where infinite"
    assert texts[1].startswith("the samples of the batch go from 0 to 255: they are cut to 0 to 1")
    assert len(texts) == 2


@pytest.mark.parametrize(
    ("wrong", "error", "reason"),
    [
        (np.zeros((2, 8, 8, 3)), TypeError, "float64 cannot be painted"),
        (np.zeros((2, 3, 8, 8), np.uint8), ValueError, r"\(2, 3, 8, 8\) .* or a batch \(pictures, height, width, 3 or"),
        (np.zeros((0, 8, 8, 3), np.uint8), ValueError, r"\(0, 8, 8, 3\)"),
        (np.zeros((1, 2, 8, 8, 3), np.uint8), ValueError, r"\(1, 2, 8, 8, 3\)"),
    ],
)
def test_what_is_no_batch(wrong: npt.NDArray[Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        framebrush.paint(wrong, device="cpu")


def test_keyframes_of_a_batch_go_by_frame() -> None:
    with pytest.raises(ValueError, match=r"keyframes are set by time, but these frames have no times; use numbers"):
        framebrush.paint(batch(), "scream", key=["strength@0=0", "strength@1=1"], device="cpu")
    keys = [f"strength@{at}f={value}" for at, value in ((0, 0), (COUNT - 1, 1))]
    found = framebrush.paint(batch(), "scream", key=keys, brush=0.0, relief=0.0, device="cpu").astype(int)
    change = np.abs(found - batch()).mean(axis=(1, 2, 3))
    assert change[0] < 4 < 10 < change[-1]


def test_a_tensor_of_torch_is_painted_to_a_tensor(painted: npt.NDArray[np.uint8]) -> None:
    torch = pytest.importorskip("torch")
    found = framebrush.paint(torch.from_numpy(batch()), "scream", brush=0.8, relief=0.4, device="cpu")
    assert isinstance(found, torch.Tensor)
    assert (found.dtype, found.device.type) == (torch.uint8, "cpu")
    assert np.array_equal(found.numpy(), painted)
    halves = framebrush.paint(torch.from_numpy(batch()[:2]).half() / 255, "none", brush=0.5, device="cpu")
    assert (halves.dtype, halves.shape) == (torch.float16, (2, 96, 128, 3))
    with pytest.raises(TypeError, match="bfloat16 cannot be painted"):
        framebrush.paint(torch.zeros(2, 8, 8, 3).bfloat16(), device="cpu")
