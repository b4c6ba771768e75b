"""`framebrush keys FILM learn`: results, interrupted training, and refusals."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from framebrush.base.json_values import to_values
from framebrush.cli.command_line import run
from framebrush.jobs.still import encoded
from framebrush.media.video import InputError
from framebrush.models.style import PaintedShot
from framebrush.models.training import shot
from framebrush.painted.extract import extract
from framebrush.painted.learn import ENOUGH_STEPS, Course, Report, learn
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.painted.painted_pictures import read_painted
from framebrush.styles.reference_pictures import decode
from framebrush.styles.style_names import open_style
from framebrush.window.training.training_spec import TrainingSpec
from tests.app.painted.films import SHOT_FRAMES, paint_over, two_shots

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[3]
LIMIT_S = 240.0


@pytest.fixture(autouse=True)
def few_patches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(shot.PATCHES_PX, "cpu", (2, 96))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    film = two_shots(tmp_path_factory.mktemp("film") / "film.mp4")
    extract(film, PaintedFolder.beside(film))
    return film


@pytest.fixture
def film(source: Path, tmp_path: Path) -> Path:
    shutil.copytree(source.with_suffix(".keys"), tmp_path / "film.keys")
    return Path(shutil.copy2(source, tmp_path))


@pytest.fixture
def folder(film: Path) -> PaintedFolder:
    return PaintedFolder.beside(film)


def pictures(folder: PaintedFolder) -> list[Path]:
    return [folder.picture(shot.telling) for shot in folder.read().shots]


def few(steps: int = 2, **more: object) -> Course:
    return Course(steps=steps, device="cpu", **more)  # type: ignore[arg-type]


def test_a_course_ends_by_its_time_or_where_more_steps_would_learn_by_heart() -> None:
    assert Course(time_s=60.0).done(100, 30.0, 1) == 0.5
    assert Course(time_s=60.0).done(ENOUGH_STEPS, 6.0, 1) == 1.0
    assert Course(time_s=60.0).done(ENOUGH_STEPS, 6.0, 2) == 0.5  # each painted frame has something to say
    assert Course(steps=20_000).done(10_000, 600.0, 1) == 0.5  # asked for


def learnt(folder: PaintedFolder) -> tuple[PaintedShot, ...]:
    return open_style(str(folder.path)).style.card.shots


def off(picture: Path, painting: np.ndarray) -> float:
    return float(np.abs(decode(str(picture), None).rgb.astype(int) - painting).mean())


def test_the_command_learns_shows_and_says_where_it_is(
    film: Path, folder: PaintedFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    painting = paint_over(pictures(folder)[0])
    assert run(["keys", str(film), "learn", "--steps=12", "--torch-device=cpu", "--progress=none"]) == 0
    assert f"paint with --style {folder.path}" in capsys.readouterr().err
    frame = decode(str(folder.preview(folder.read().shots[0])), None).rgb
    assert frame.shape == painting.shape
    assert learnt(folder) == (PaintedShot(0, "shot-0"), PaintedShot(SHOT_FRAMES, "shot-0"))
    card = open_style(str(folder.path)).style.card
    assert (card.title, card.paints, card.brush > 0, card.float16_codes is not None) == ("film", True, True, True)
    assert run(["frame", str(film), str(film.with_suffix(".png")), "--style", str(folder.path), "--device=cpu"]) == 0


@pytest.mark.slow
def test_it_comes_nearer_to_what_was_painted_and_goes_on_from_there(film: Path, folder: PaintedFolder) -> None:
    painting = paint_over(pictures(folder)[0])
    preview = folder.preview(folder.read().shots[0])
    reports: list[Report] = []
    learn(film, folder, few(1), on_progress=reports.append)
    first = off(preview, painting)
    learn(film, folder, few(25), on_progress=reports.append)
    second = off(preview, painting)
    learn(film, folder, few(1), on_progress=reports.append)
    assert second < 0.7 * first
    assert off(preview, painting) < 1.2 * second
    assert reports[-1].loss < 0.7 * reports[0].loss
    learn(film, folder, few(1, restart=True))
    assert off(preview, painting) > 0.9 * first


@pytest.mark.slow
def test_the_same_keys_steps_and_seed_give_the_same_style(film: Path, folder: PaintedFolder) -> None:
    paint_over(pictures(folder)[0])
    found = []
    for seed in (0, 0, 1):
        learn(film, folder, few(2, seed=seed, restart=True))
        found.append(folder.network.read_bytes())
    assert found[0] == found[1] != found[2]


@pytest.mark.slow
def test_each_shot_with_keys_has_a_network_of_its_own(film: Path, folder: PaintedFolder) -> None:
    first, second = pictures(folder)
    paint_over(first)
    red = decode(str(second), None).rgb[..., [2, 0, 1]]
    second.with_suffix(".jpg").write_bytes(encoded(red, "mjpeg", "yuvj444p"))
    second.unlink()
    seen: list[Report] = []
    shown: list[Path] = []
    learn(film, folder, few(2), on_progress=seen.append, on_preview=shown.append)
    assert learnt(folder) == (PaintedShot(0, "shot-0"), PaintedShot(SHOT_FRAMES, f"shot-{SHOT_FRAMES}"))
    assert {(report.shot, report.shots) for report in seen} == {(0, 2), (1, 2)}
    assert set(shown) == {folder.preview(each) for each in folder.read().shots}


def test_only_the_shots_that_are_asked_for_are_learnt_in_that_order(film: Path, folder: PaintedFolder) -> None:
    for picture in pictures(folder):
        paint_over(picture)
    first, second = folder.read().shots
    seen: list[Path] = []
    learn(film, folder, few(1), only=[second.telling], on_preview=seen.append)
    assert seen == [folder.preview(second)]
    assert learnt(folder)[1] == PaintedShot(SHOT_FRAMES, f"shot-{SHOT_FRAMES}")
    state = folder.state(second).read_bytes()
    learn(film, folder, few(1), only=[first.telling], on_preview=seen.append)
    assert folder.state(second).read_bytes() == state
    assert learnt(folder) == (PaintedShot(0, "shot-0"), PaintedShot(SHOT_FRAMES, f"shot-{SHOT_FRAMES}"))
    seen.clear()
    learn(film, folder, few(1), only=[second.telling, first.telling], on_preview=seen.append)
    assert seen == [folder.preview(second), folder.preview(first)]
    folder.picture(first.telling).unlink()
    learn(film, folder, few(1), only=[first.telling])  # which has none any more
    assert learnt(folder) == tuple(PaintedShot(at, f"shot-{SHOT_FRAMES}") for at in (0, SHOT_FRAMES))


@pytest.mark.parametrize(("others", "painting"), [("nearest", f"shot-{SHOT_FRAMES}"), ("film", "")])
def test_shots_without_a_key(film: Path, folder: PaintedFolder, others: str, painting: str) -> None:
    paint_over(pictures(folder)[1])
    learn(film, folder, few(1), others=others)  # type: ignore[arg-type]
    assert learnt(folder) == (PaintedShot(0, painting), PaintedShot(SHOT_FRAMES, f"shot-{SHOT_FRAMES}"))


def ends_after(steps: int) -> Callable[[], None]:
    """A `check` that a person's Ctrl-C comes to."""
    left = [steps]

    def check() -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return check


def test_what_was_learnt_stays_when_it_is_stopped(film: Path, folder: PaintedFolder) -> None:
    first, second = pictures(folder)
    paint_over(first)
    paint_over(second)
    with pytest.raises(KeyboardInterrupt):
        learn(film, folder, few(5), check=ends_after(3))
    assert learnt(folder) == (PaintedShot(0, "shot-0"), PaintedShot(SHOT_FRAMES, ""))
    with pytest.raises(KeyboardInterrupt):
        learn(film, folder, few(2), check=ends_after(3))
    assert [each.painting for each in learnt(folder)] == ["shot-0", f"shot-{SHOT_FRAMES}"]
    assert not list(folder.path.glob("*.part"))


def test_a_damaged_network_is_learnt_anew(film: Path, folder: PaintedFolder) -> None:
    paint_over(pictures(folder)[0])
    learn(film, folder, few(1))
    state = folder.state(folder.read().shots[0])
    for content in (state.read_bytes()[:1000], b"", b"PK\3\4"):
        state.write_bytes(content)
        said: list[str] = []
        learn(film, folder, few(1), say=said.append)
        assert any("cannot be resumed from" in line for line in said)
    np.savez(state, other=np.zeros(3))
    said = []
    learn(film, folder, few(1), say=said.append)
    assert any("cannot be resumed from" in line for line in said)


def test_a_painting_of_another_frame_keeps_no_other_from_being_learnt(film: Path, folder: PaintedFolder) -> None:
    first, second = pictures(folder)
    paint_over(first)
    shutil.copy(first, second)
    refused: list[int] = []
    learn(film, folder, few(1), on_unrelated=lambda error: refused.append(error.number))
    assert refused == [folder.read().shots[1].telling]
    assert learnt(folder) == (PaintedShot(0, "shot-0"), PaintedShot(SHOT_FRAMES, "shot-0"))


def test_a_painting_of_another_frame_is_refused_unless_insisted(
    film: Path, folder: PaintedFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = pictures(folder)
    shutil.copy(second, first)
    command = ["keys", str(film), "learn", "--steps=1", "--torch-device=cpu", "--progress=none"]
    assert run(command) != 0
    assert "does not look like a painting of frame" in capsys.readouterr().err
    assert not folder.network.exists()
    assert run([*command, "--insist"]) == 0
    assert run(command) == 0  # the picture is known as one that is meant


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (["framebrush", "keys", "FILM", "learn"], ""),
        (["framebrush", "train", "--style=a.jpg", "--photos=photos", "--features=f.npz", "--out=a.onnx"], ""),
        (["framebrush.window.painted.learning_worker"], '{"film": "FILM"}'),
        (["framebrush.window.training.training_worker"], '{"spec": SPEC, "folder": "."}'),
    ],
    ids=["keys", "train", "the window's keys", "the window's training"],
)
def test_pytorch_that_cannot_be_loaded_is_said(film: Path, tmp_path: Path, command: list[str], line: str) -> None:
    """As on Windows where a DLL is missing."""
    (tmp_path / "torch.py").write_text("raise OSError('shm.dll or one of its dependencies')")
    spec = to_values(TrainingSpec("a", "a.jpg", "photos", "f.npz"))
    done = subprocess.run(
        [sys.executable, "-P", "-m", *(part.replace("FILM", str(film)) for part in command)],
        input=line.replace("FILM", film.as_posix()).replace("SPEC", json.dumps(spec)) + "\n",
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode not in (0, -1)
    assert "shm.dll or one of its dependencies" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr  # nor of the thread that has met the end of the orders already


def test_a_photograph_that_a_phone_has_turned_is_upright(folder: PaintedFolder, tmp_path: Path) -> None:
    frame = decode(str(pictures(folder)[0]), None).rgb
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise
    Image.fromarray(np.rot90(255 - frame)).save(tmp_path / "phone.jpg", exif=exif, quality=95, subsampling=0)
    found = read_painted(tmp_path / "phone.jpg", frame)
    assert np.abs(found.astype(int) - (255 - frame)).mean() < 3


def test_keys_that_contradict_each_other_are_said(film: Path, folder: PaintedFolder) -> None:
    telling = folder.read().shots[0].telling
    other = folder.picture((telling + 1) % SHOT_FRAMES)
    shutil.copy(folder.picture(telling), other)  # as if painted: the film itself
    paint_over(folder.picture(telling))
    said: list[str] = []
    learn(film, folder, few(1), say=said.append, insist=True)
    assert any("contradict each other" in line for line in said)


def test_a_film_that_changed_since_is_said(film: Path, folder: PaintedFolder) -> None:
    paint_over(pictures(folder)[0])
    with film.open("ab") as file:
        file.write(b"\0" * 4 + b"\10free")
    said: list[str] = []
    learn(film, folder, few(1), say=said.append)
    assert any("has changed since its frames were extracted" in line for line in said)


def test_nothing_is_learnt_from_unpainted_frames_or_from_none(film: Path, folder: PaintedFolder) -> None:
    with pytest.raises(InputError, match="no frame is painted yet"):
        learn(film, folder, few(1))
    shutil.rmtree(folder.path)
    with pytest.raises(InputError, match="there are no frames to paint yet"):
        learn(film, folder, few(1))


@pytest.mark.parametrize("text", ["0s", "soon", "-3", "nan", "s", "2000h", "1441m"])
def test_a_time_that_cannot_be_is_refused(film: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["keys", str(film), "learn", f"--time={text}", "--progress=none"]) != 0
    assert f"--time {text}" in capsys.readouterr().err


def test_without_pytorch_a_sentence_names_the_extra(
    film: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "framebrush.painted.learn")
    assert run(["keys", str(film), "learn", "--progress=none"]) != 0
    assert "pip install 'framebrush[train]'" in capsys.readouterr().err


@pytest.mark.parametrize(("given", "expected"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_do_not_spin_unless_asked(
    film: Path, monkeypatch: pytest.MonkeyPatch, given: str | None, expected: str
) -> None:
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    if given:
        monkeypatch.setenv("OMP_WAIT_POLICY", given)
    assert run(["keys", str(film), "learn", "--progress=none"]) != 0  # nothing is painted
    assert os.environ["OMP_WAIT_POLICY"] == expected


def learning(film: Path) -> subprocess.Popen[str]:
    options = ["--time=10m", "--torch-device=cpu", "--progress=json"]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "framebrush", "keys", str(film), "learn", *options],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.slow
@pytest.mark.parametrize("end", ["cancel", "kill"])
def test_a_process_that_ends_leaves_its_last_network(film: Path, folder: PaintedFolder, end: str) -> None:
    paint_over(pictures(folder)[0])
    process = learning(film)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if "preview" in json.loads(line):
                break
        if end == "kill":
            process.kill()
        else:
            process.stdin.write("cancel\n")
            process.stdin.flush()
        _, errors = process.communicate(timeout=LIMIT_S)
    finally:
        process.kill()
        process.wait()
    if end == "cancel":
        assert "progress is saved" in errors
    assert learnt(folder)[0] == PaintedShot(0, "shot-0")


DIES_AT_A_MOVE = """
import os, sys
from framebrush.base.json_values import to_values
from framebrush.cli.command_line import run
from framebrush.painted import learn

learn.FIRST_S = learn.KEPT_S = 0.0
left = int(sys.argv[2])

def hook(event, given):
    global left
    if event == "os.rename" and os.fspath(given[1]).startswith(sys.argv[3]):
        left -= 1
        if left == 0:
            os._exit(9)

sys.addaudithook(hook)
run(["keys", sys.argv[1], "learn", "--steps=3", "--torch-device=cpu", "--progress=none"])
"""


@pytest.mark.parametrize("move", [1, 2, 5])
def test_a_process_that_dies_while_it_writes_leaves_the_network_before(
    film: Path, folder: PaintedFolder, move: int
) -> None:
    """The process dies before it renames a file: first network, first style, or second style."""
    paint_over(pictures(folder)[0])
    script = [sys.executable, "-P", "-c", DIES_AT_A_MOVE, str(film), str(move), str(folder.path)]
    assert subprocess.run(script, cwd=ROOT, timeout=LIMIT_S).returncode == 9
    assert folder.state(folder.read().shots[0]).exists() == (move > 1)
    if move > 2:
        assert learnt(folder)[0] == PaintedShot(0, "shot-0")
    else:
        assert not folder.network.exists()
    said: list[str] = []
    learn(film, folder, few(1), say=said.append)
    assert not said
    assert learnt(folder)[0] == PaintedShot(0, "shot-0")
