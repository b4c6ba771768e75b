"""The command that makes the bundled styles anew, with a few steps on a CPU."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from framebrush.models import library
from framebrush.models.library import card_of
from framebrush.models.training import bundle
from framebrush.models.training.export import stored
from framebrush.models.training.painter_network import SHAPES
from framebrush.models.training.recipes import PAINTINGS
from tests.models.test_training import SMALL, few_clips, material

__all__ = ["few_clips", "material"]  # fixtures

pytestmark = pytest.mark.unit

KEYS = [painting.key for painting in PAINTINGS]
SCREAM = PAINTINGS[KEYS.index("scream")]


@pytest.fixture
def paintings(material: Path, tmp_path: Path) -> Path:
    """A folder with a picture in the place of The Scream."""
    folder = tmp_path / "paintings"
    folder.mkdir()
    Image.open(material / "painting.png").convert("RGB").resize((340, 290)).save(folder / SCREAM.file)
    return folder


def command(monkeypatch: pytest.MonkeyPatch, **said: object) -> None:
    """Run it, with the recipe of the tests of training but for its steps."""
    words = [word for name, value in said.items() for word in (f"--{name}", str(value))]
    monkeypatch.setattr(sys, "argv", ["bundle", *words])
    small = tuple(replace(painting, stroke_px=SMALL.stroke_px) for painting in PAINTINGS)
    monkeypatch.setattr(bundle, "PAINTINGS", small)
    monkeypatch.setattr(bundle, "Recipe", lambda steps: replace(SMALL, steps=steps))
    bundle.main()


@pytest.mark.slow
def test_one_painting_is_learnt_and_the_others_stay(
    material: Path,
    paintings: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = tmp_path / "library"
    out.mkdir()
    files = {"paintings": paintings, "photos": material / "photos", "features": material / "random.npz", "out": out}
    command(monkeypatch, **files, size="realtime", painting="scream", steps=2)
    *steps, path = capsys.readouterr().out.splitlines()
    assert steps[-1].startswith("realtime scream 2/2  ")
    assert list(out.iterdir()) == [Path(path)]
    assert card_of(Path(path)) == card_of(library.FOLDER / "realtime.onnx")
    made, bundled = (stored(folder / "realtime.onnx", SHAPES["realtime"]) for folder in (out, library.FOLDER))
    changed = [
        key
        for key, ours, theirs in zip(KEYS, made, bundled, strict=True)
        if any(not np.array_equal(ours[name][part], theirs[name][part]) for name in ours for part in (0, 1))
    ]
    assert changed == ["scream"]


def test_each_size_is_learnt_as_it_was_chosen() -> None:
    wave, dusk = (PAINTINGS[KEYS.index(key)] for key in ("great-wave", "dusk"))
    assert [(each.content, each.stroke_px) for each in (wave.at("realtime"), wave.at("quality"))] == [
        (1.1, 7),
        (1.2, 10),
    ]
    assert dusk.at("quality").stroke_px == dusk.stroke_px
    finer = {painting.key for painting in PAINTINGS if painting.at("quality").content == 1.25}
    assert finer == {"composition-vii", "udnie", "te-fare", "in-bed"}


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("out", "nowhere", "nowhere: there is no such folder to write to"),
        ("painting", "dusk", "does not hold monet_san_giorgio_maggiore_dusk.jpg"),
        ("photos", "nowhere", "nowhere: there is no such folder of photographs"),
        ("features", "nowhere", "nowhere: cannot be read: No such file"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_learnt(
    material: Path,
    paintings: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
    reason: str,
) -> None:
    files = {"paintings": paintings, "photos": material / "photos", "features": material / "random.npz"}
    with pytest.raises(SystemExit) as ended:
        command(monkeypatch, **{**files, "out": tmp_path, "painting": "scream", "steps": 1, name: value})
    assert ended.value.code == 2
    said = capsys.readouterr()
    assert reason in said.err
    assert not said.out
