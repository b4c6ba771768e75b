"""`framebrush train` as a process: machine-readable output, and stopping without loss."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
Image = pytest.importorskip("PIL.Image")

import torch  # noqa: E402

from framebrush.cli.command_line import run  # noqa: E402
from framebrush.gpu.device import open_device  # noqa: E402
from framebrush.gpu.look import Look  # noqa: E402
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF  # noqa: E402
from framebrush.models.training import cli as training  # noqa: E402
from framebrush.models.training import training_losses  # noqa: E402
from framebrush.models.training.trainer import Recipe  # noqa: E402
from framebrush.painted import photographs  # noqa: E402
from framebrush.styles.training import as_shown  # noqa: E402
from framebrush.window.training.training_spec import TrainingSpec  # noqa: E402
from framebrush.window.training.training_worker import learn  # noqa: E402
from tests import networks  # noqa: E402
from tests.gpu.pictures import scene  # noqa: E402
from tests.media.writing.test_writer_refusals import small_disk  # noqa: E402
from tests.untrained import narrow, save_features  # noqa: E402

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[3]
FEW_CLIPS = str(ROOT / "tests" / "few_clips.py")
STEPS = 200
LIMIT_S = 90.0


@pytest.fixture(autouse=True)
def narrow_features(monkeypatch: pytest.MonkeyPatch) -> None:
    """Narrow the features in this process; `few_clips.py` does it in training processes."""
    narrow(monkeypatch)


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("material")
    (folder / "photos").mkdir()
    dice = np.random.default_rng(0)
    for name, size in [("painting.png", (300, 256)), *((f"photos/{n}.png", (200, 160)) for n in range(8))]:
        small = Image.fromarray(dice.integers(0, 256, (12, 15, 3), dtype=np.uint8))
        small.resize(size, Image.Resampling.BICUBIC).save(folder / name)
    save_features(folder / "random.npz")
    return folder


def command(material: Path, out: Path, *more: str) -> list[str]:
    arguments = {"style": "painting.png", "photos": "photos", "features": "random.npz"}
    named = [f"--{name}={material / path}" for name, path in arguments.items()]
    options = [f"--steps={STEPS}", "--batch=1", "--stroke-px=4", "--torch-device=cpu", *more]
    return ["train", *named, f"--out={out}", *options]


def start(material: Path, out: Path) -> subprocess.Popen[str]:
    python = material / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P "{FEW_CLIPS}" "$@"\n')
    python.chmod(0o755)
    return subprocess.Popen(
        [python, "-m", "framebrush", *command(material, out, "--progress=json")],
        env={**os.environ, "FEW_CLIPS": str(python)},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def first_report(child: subprocess.Popen[str]) -> dict[str, object]:
    assert child.stdout is not None
    end_s = time.monotonic() + LIMIT_S
    while time.monotonic() < end_s:
        line = json.loads(child.stdout.readline())
        if "step" in line:
            return dict(line)
    raise AssertionError("no step was reported")


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_stopped_training_is_gone_on_with(material: Path, tmp_path: Path) -> None:
    """Stopped by a signal, then by a line."""
    kept = [0]
    for line in (None, "cancel\n"):
        child = start(material, tmp_path / "mine.onnx")
        state = first_report(child)
        assert (state["steps"], set(state)) == (STEPS, {"step", "steps", "losses", "left_s"})
        if line is None:
            child.send_signal(signal.SIGTERM)
        _, errors = child.communicate(line, timeout=LIMIT_S)
        assert child.returncode == 4
        assert errors.splitlines()[-1] == "framebrush: interrupted; run the same command again to resume"
        preview = {"mine.preview.png"}  # there after 20 seconds
        assert {path.name for path in tmp_path.iterdir()} - preview == {"mine.checkpoint"}
        assert state["step"] == kept[-1] + 1
        assert (f"resuming at step {kept[-1]}\n" in errors) == (kept != [0])
        kept.append(torch.load(tmp_path / "mine.checkpoint", weights_only=True)["step"])
        assert kept[-1] > kept[-2]


def test_the_preview_is_painted_as_the_program_paints() -> None:
    frame = scene(96, 64)
    with open_device("cpu") as device:
        look = Look(brush=PAINTED_BRUSH, relief=PAINTED_RELIEF, dither=False)
        with device.stylizer(networks.identity(), frame.format, frame.format, look=look) as stylizer:
            expected = stylizer.fetch(stylizer.submit(frame)).planes[0][..., :3]
    shown = as_shown(frame.planes[0][..., :3], frame.planes[0][..., :3])
    assert (shown.shape, shown.dtype) == ((64, 96, 3), np.uint8)
    assert np.abs(shown.astype(int) - expected.astype(int)).max() <= 1
    assert not np.array_equal(shown, frame.planes[0][..., :3])


def test_both_ways_to_train_show_it_so(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[training.Watcher] = []
    monkeypatch.setattr(training, "train", lambda _, watcher: asked.append(watcher))
    assert run(command(material, tmp_path / "mine.onnx", "--progress=none")) == 0

    def finish(enough: Callable[[], Exception]) -> None:
        raise enough()

    learn(TrainingSpec("mine", "painting.png", "photos", "random.npz"), tmp_path, finish)
    assert [one.finish for one in asked] == [as_shown, as_shown]


def test_a_picture_is_enough(material: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By command and window: bundled weights, and frames of the open film or of the bundled one."""
    asked: list[training.Training] = []
    chosen: list[list[Path]] = []
    monkeypatch.setattr(training, "train", lambda one, _: asked.append(one))
    monkeypatch.setattr(photographs, "photographs", lambda sources, *_: chosen.append(list(sources)))
    style, out = material / "painting.png", tmp_path / "mine.onnx"
    assert run(["train", f"--style={style}", f"--out={out}", "--progress=none"]) == 0
    films = ["--photos=a.mp4", f"--photos={material / 'photos'}"]
    assert run(["train", f"--style={style}", f"--out={out}", "--progress=none", *films]) == 0

    def check(_: object) -> None:
        """Go on."""

    for spec in (
        TrainingSpec("mine", str(style)),
        TrainingSpec("mine", str(style), film="open.mp4"),
        TrainingSpec("mine", str(style), "photos", film="open.mp4"),
    ):
        learn(spec, tmp_path, check)
    for given in asked:
        assert (given.recipe, given.features) == (Recipe(), training_losses.SHIPPED)
        given.photos()
    assert chosen == [[], [Path("a.mp4"), material / "photos"], [], [Path("open.mp4")], [Path("photos")]]


@pytest.mark.slow
def test_a_full_disk_has_a_status(material: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also for the checkpoint, the first file that a training writes."""
    with small_disk(tmp_path / "disk", "64k") as disk:
        assert run([*command(material, disk / "mine.onnx", "--progress=none")]) == 5
        assert f"the disk of {disk} is full" in capsys.readouterr().err
        assert {path.name for path in disk.iterdir()} <= {"mine.preview.png"}


def test_a_film_that_is_not_there_is_one_line(
    material: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "mine.onnx"
    no_file = "is not a file, and this command reads nothing else"
    names = [(300 * "x", "cannot be opened"), ("none.mp4", "none.mp4: no such file"), ("-", no_file)]
    for name, says in names:
        assert run([*command(material, out, "--progress=none"), f"--photos={name}"]) == 2
        errors = capsys.readouterr().err
        assert says in errors
        assert errors.splitlines()[-1].startswith("framebrush: ")
        assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--photos=.", ".: holds 0 photographs"),
        (f"--out={300 * 'x'}.onnx", "the name is too long"),
        (f"--out={240 * 'x'}.onnx", "the name is too long"),
        ("--out=nowhere/a.onnx", "framebrush: there is no folder nowhere to write a.onnx to; make it first\n"),
        ("--torch-device=voodoo", "voodoo: PyTorch cannot use this device"),
        ("--torch-device=cuda:99", "cuda:99: PyTorch cannot use this device"),
        ("--torch-device=meta", "meta: PyTorch cannot use this device"),
        ("--content=nan", "a content loss of nan cannot be kept"),
        ("--batch=100000", "'--batch': Input should be less than or equal to 256"),
        ("--steps=9999999999", "'--steps': Input should be less than or equal to 1000000"),
        ("--seed=99999999999999999999", "'--seed': Input should be less than"),
    ],
    ids=lambda text: text[:25],
)
def test_bad_input_is_one_line(
    material: Path,
    tmp_path: Path,
    option: str,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*command(material, Path("mine.onnx"), "--progress=none"), option]) == 1
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.startswith("framebrush: ")
    assert says in errors
    assert errors.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
