"""Training input from users: arbitrary folders, downloaded weights; and an early end."""

from __future__ import annotations

import shutil
import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import ExifTags, Image

from framebrush.models.reading.load import load_style
from framebrush.models.training import cli, data, training_losses
from framebrush.models.training import trainer as trainer_module
from framebrush.models.training.data import read_photos, read_picture, to_jpeg
from framebrush.models.training.trainer import Report
from framebrush.models.training_needs import MOST_PHOTOS
from tests.models.test_training import SMALL, few_clips, files_of, material, trainer

__all__ = ["few_clips", "material"]  # fixtures

pytestmark = pytest.mark.unit

CONVOLUTIONS = (0, 2, 5, 7, 10, 12, 14)
"""Of torchvision's `vgg16().features`: after each comes a ReLU, after some of them a pooling."""


def torchvision_state(features: training_losses.Features) -> dict[str, torch.Tensor]:
    """The weights as torchvision writes them: for R'G'B', and without a classifier."""
    state = {"classifier.6.bias": torch.full((1000,), torch.nan)}
    for layer, conv in zip(CONVOLUTIONS, features.convs.values(), strict=True):
        weight = conv.weight.data
        state[f"features.{layer}.weight"] = weight.flip(1) if layer == 0 else weight
        state[f"features.{layer}.bias"] = conv.bias.data
    return state


def test_weights_may_be_those_of_torchvision(material: Path, tmp_path: Path) -> None:
    features = training_losses.Features.load(material / "random.npz")
    state = torchvision_state(features)
    torch.save(state, tmp_path / training_losses.TORCHVISION)
    read = training_losses.Features.load(tmp_path / training_losses.TORCHVISION)
    for name, value in features.state_dict().items():
        assert torch.equal(value, read.state_dict()[name])
    state["classifier.6.bias"] = torch.zeros(1000)
    torch.save(state, tmp_path / "vgg16.pth")
    with pytest.raises(
        ValueError, match=r"is not a file of VGG16 features; give torchvision's vgg16_features-amdegroot.*\.pth$"
    ):
        training_losses.Features.load(tmp_path / "vgg16.pth")
    (tmp_path / "text.pth").write_text("text")
    with pytest.raises(ValueError, match="is not a file of VGG16 features"):
        training_losses.Features.load(tmp_path / "text.pth")


def test_a_large_folder_is_sampled_and_what_is_damaged_left_out(tmp_path: Path) -> None:
    for number in range(2 * MOST_PHOTOS):
        Image.new("RGB", (20 + number, 20)).save(tmp_path / f"{number:03}.png")
    photos = read_photos(tmp_path)
    widths = [photo.shape[2] - 20 for photo in photos]
    assert widths == list(range(0, 2 * MOST_PHOTOS, 2))
    for number in (0, 2, 4):
        (tmp_path / f"{number:03}.png").write_bytes(b"\xff\xd8 no picture")
    widths = [photo.shape[2] - 20 for photo in read_photos(tmp_path)]
    assert len(set(widths)) == MOST_PHOTOS
    assert not {0, 2, 4} & set(widths)


def test_too_many_damaged_photographs_are_said(material: Path, tmp_path: Path) -> None:
    shutil.copytree(material / "photos", tmp_path / "photos")
    (tmp_path / "photos" / "a.png").write_bytes(b"no picture")
    with pytest.raises(ValueError, match=r"1 of its photographs cannot be read, such as .*a\.png: cannot be read"):
        read_photos(tmp_path / "photos")


@pytest.mark.slow
def test_a_style_is_taken_as_it_is(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After two of five steps the style is final, without a checkpoint."""
    monkeypatch.setattr(trainer_module, "REPORT_S", 0.0)
    steps: list[int] = []

    def report(state: Report) -> None:
        steps.append(state.step)

    def check() -> None:
        if len(steps) == 2:
            raise cli.EnoughError

    files = files_of(material, tmp_path / "mine.onnx")
    cli.train(cli.Training(*files, replace(SMALL, steps=5)), cli.Watcher(report, check=check))
    assert steps == [1, 2]
    assert {path.name for path in tmp_path.iterdir()} == {"mine.onnx", "mine.preview.png"}
    assert load_style(tmp_path / "mine.onnx").card.radius_px == 77
    assert data.CLIPS_A_PHOTO == 1


def test_few_photographs_of_many_folders_are_enough(material: Path) -> None:
    assert len(read_photos(material / "photos", most=3)) == 3


def test_photographs_of_16_bits_are_not_white(tmp_path: Path) -> None:
    codes = np.linspace(0, 65535, 40 * 30).reshape(40, 30).astype(np.uint16)
    Image.fromarray(codes).save(tmp_path / "grey.png")
    picture = read_picture(tmp_path / "grey.png")
    assert np.abs(picture.numpy() - codes / 257).max() <= 1


def test_a_photograph_with_odd_metadata_is_a_sentence(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation], exif[ExifTags.Base.XResolution] = 6, 72.0
    Image.new("RGB", (60, 40)).save(tmp_path / "odd.jpg", exif=exif)
    content = (tmp_path / "odd.jpg").read_bytes()
    rational, text = (struct.pack(">HH", ExifTags.Base.XResolution, kind) for kind in (5, 2))
    little = [struct.pack("<HH", ExifTags.Base.XResolution, kind) for kind in (5, 2)]
    odd = content.replace(rational, text).replace(*little)
    assert odd != content
    (tmp_path / "odd.jpg").write_bytes(odd)
    with pytest.raises(ValueError, match=r"odd\.jpg: cannot be read as a picture"):
        read_picture(tmp_path / "odd.jpg")


def test_photographs_without_room_for_the_network_are_left_out(material: Path, tmp_path: Path) -> None:
    shutil.copytree(material / "photos", tmp_path / "photos")
    Image.new("RGB", (19, 400)).save(tmp_path / "photos" / "0000.png")
    assert len(read_photos(tmp_path / "photos")) == 8
    for path in sorted((tmp_path / "photos").iterdir())[2:]:
        path.unlink()
    for number in range(7):
        Image.new("RGB", (4000, 40)).save(tmp_path / "photos" / f"flat{number}.png")
    with pytest.raises(ValueError, match=r"8 of its photographs cannot be read, such as .*0000\.png: 19x400 is too sm"):
        read_photos(tmp_path / "photos")


@pytest.mark.parametrize(
    "change",
    [
        {"step": -1},
        {"step": SMALL.steps + 1},
        {"step": "1"},
        {"painter": {}},
        {"adam": {}},
        {"dice": (3, (), None)},
        {"noise": torch.zeros(3)},
        {"balance": ()},
        {"photographs": 99 * [torch.zeros(1, dtype=torch.uint8)]},
        {"photographs": [to_jpeg(np.zeros((8, 1601, 3), np.uint8))]},
    ],
)
def test_a_checkpoint_of_anything_is_a_sentence(change: dict[str, object], material: Path, tmp_path: Path) -> None:
    trainer(material).save(tmp_path / "mine.checkpoint")
    whole = torch.load(tmp_path / "mine.checkpoint", weights_only=True)
    torch.save(whole | change, tmp_path / "mine.checkpoint")
    with pytest.raises(ValueError, match=r"mine\.checkpoint: is damaged, or not a checkpoint; remove it to start ag"):
        cli.train(cli.Training(*files_of(material, tmp_path / "mine.onnx"), SMALL, device="cpu"))


def test_a_checkpoint_of_another_device_keeps_the_options_of_this_one(material: Path, tmp_path: Path) -> None:
    one = trainer(material)
    one.save(tmp_path / "theirs")
    state = torch.load(tmp_path / "theirs", weights_only=True)
    state["adam"]["param_groups"] = [group | {"capturable": True} for group in state["adam"]["param_groups"]]
    one.resume(state)
    one.save(tmp_path / "own")
    (group,) = torch.load(tmp_path / "own", weights_only=True)["adam"]["param_groups"]
    assert not group["capturable"]
