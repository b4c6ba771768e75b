"""Folders in place of files, files that are gone, and frames that cannot be decoded: one sentence names each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

import framebrush
from assets.make_clips import CLIPS
from framebrush.base.status import Status
from framebrush.cli.command_line import run
from framebrush.cli.job_settings import read_spec
from framebrush.jobs.identity import SourceIdentity, recipe_key
from framebrush.jobs.look_file import SUFFIX
from framebrush.jobs.opened_source import OpenedSource
from framebrush.jobs.project import read_project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import read_look
from framebrush.jobs.segments.job_folder import FolderLock
from framebrush.jobs.still import encoded
from framebrush.media.reading.open import first_picture
from framebrush.media.reading.webp import film_of
from framebrush.media.video import PLAIN_FILE, InputError
from framebrush.painted.painted_folder import MANIFEST, PaintedFolder, digest
from framebrush.styles import mask_strokes
from framebrush.styles.cube import read_cube
from framebrush.styles.specs import SizeSpec, StyleSpec
from framebrush.styles.style_names import open_style
from framebrush.subject.corrections import Stroke

pytestmark = pytest.mark.media


def key_of_map(path: Path) -> str:
    return recipe_key(Recipe(StyleSpec("none"), sizes=SizeSpec(brush_sizes=str(path))), open_style("none"))


def painted_in(manifest: Path) -> object:
    manifest.rename(manifest.with_name(MANIFEST))
    return PaintedFolder(manifest.parent).read()


READ = [
    read_spec,
    read_look,
    lambda path: read_look(path.rename(path.with_suffix(SUFFIX))),
    read_project,
    read_cube,
    mask_strokes.read,
    digest,
    painted_in,
    key_of_map,
    lambda path: SourceIdentity.of(path, PLAIN_FILE),
    lambda path: OpenedSource(path, PLAIN_FILE),
]


@pytest.mark.parametrize("read", READ, ids=range(len(READ)))
def test_a_folder_is_no_file(read: Callable[[Path], Any], tmp_path: Path) -> None:
    (folder := tmp_path / "thing").mkdir()
    with pytest.raises((InputError, ValueError), match=r"cannot be read \((?!None)|is a folder") as said:
        read(folder)
    assert str(tmp_path) in str(said.value)


def follow(film: Path) -> object:
    return mask_strokes.follow(film, (64, 48), [Stroke(0, "add", 4.0, ((1.0, 1.0), (5.0, 5.0)))])


GONE = [film_of, follow, digest, key_of_map, lambda path: first_picture(path / "%d.png")]


@pytest.mark.parametrize("read", GONE, ids=range(len(GONE)))
def test_a_file_that_is_gone_is_named(read: Callable[[Path], Any], tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone: cannot be read \(No such file or directory\)"):
        read(tmp_path / "gone")


def test_a_folder_that_became_a_file_while_a_source_was_open(tmp_path: Path) -> None:
    (folder := tmp_path / "films").mkdir()
    (film := folder / "film").write_bytes(b"content")
    with OpenedSource(film, PLAIN_FILE) as source:
        assert not source.has_only_grown()
        folder.rename(tmp_path / "moved")
        assert not source.has_only_grown(), "it is read on"
        folder.touch()
        with pytest.raises(InputError, match=r"film: cannot be read \(Not a directory\)"):
            source.has_only_grown()
        assert not source.resumes


@pytest.fixture(scope="module")
def cut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film with 30 frames in its index, without its end."""
    whole = (CLIPS / "bframes.mp4").read_bytes()
    path = tmp_path_factory.mktemp("cut") / "cut.mp4"
    path.write_bytes(whole[: len(whole) * 9 // 10])
    return path


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A film with overwritten frames from 0.5 s on."""
    content = bytearray((CLIPS / "cfr.mp4").read_bytes())
    with av.open(CLIPS / "cfr.mp4") as whole:
        for packet in whole.demux(whole.streams.video[0]):
            if packet.pos is not None and packet.pts is not None and packet.pts * packet.time_base >= 0.5:
                content[packet.pos : packet.pos + packet.size] = b"\xff" * packet.size
    path = tmp_path_factory.mktemp("damaged") / "damaged.mp4"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["frame", "IN", "out.png", "--at", "21f", "--style", "none"], "there is no frame at that position"),
        (["frame", str(CLIPS / "cfr.mp4"), "out.png", "--palette", "IN@21f"], "there is no frame at that position"),
        (["strokes", "IN", "out.svg", "--at", "21f"], "there is no frame at that position"),
        (["keys", "IN", "extract", "--at", "21f"], "there is no frame at 21f"),
        (
            ["transcode", "IN", "out.mkv", "--start", "21f", "--palette", "film"],
            "no frame in the requested range can be decoded",
        ),
        (
            ["transcode", "IN", "out.mkv", "--start", "21f", "--style", "none", "--segments", "5"],
            "no frame in the requested range can be decoded",
        ),
        (
            ["transcode", "IN", "out%03d.png", "--start", "21f", "--style", "none"],
            "no frame in the requested range can be decoded",
        ),
    ],
)
def test_a_frame_that_cannot_be_decoded_is_not_there(
    words: list[str],
    says: str,
    cut: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([word.replace("IN", str(cut)) for word in words]) in (1, 2)
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("framebrush: ")
    assert said[-1].endswith(f"cut.mp4: {says}")
    assert not [line for line in said if "kept" in line]
    assert not list(tmp_path.iterdir())


@pytest.fixture
def planned(damaged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder of a job of three segments without a frame that can be decoded."""
    monkeypatch.chdir(tmp_path)
    span = ["--start", "0.6", "--end", "0.96"]
    plan = ["job", "export", str(damaged), "out.mkv", "job.json", *span, "--style", "none", "--segments", "3"]
    assert run(plan) == 0
    return Path("out.mkv.framebrush")


def test_a_farm_says_what_cannot_be_decoded_and_leaves_nothing(
    planned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(3):
        assert run(["job", "paint", str(planned), str(number), "--device", "cpu"]) == 0
    capsys.readouterr()
    assert run(["job", "join", str(planned), "--device", "cpu"]) == Status.UNREADABLE
    said = capsys.readouterr().err
    assert "damaged.mp4: no frame in the requested range can be decoded" in said
    assert "kept" not in said
    assert "resuming" not in said
    assert list(Path().iterdir()) == [Path("job.json")]


def test_an_interruption_before_any_frame_could_be_decoded_leaves_nothing(planned: Path) -> None:
    assert run(["job", "paint", str(planned), "0", "--device", "cpu"]) == 0
    assert list(planned.glob("00000*"))
    with FolderLock(Path("out.mkv")) as lock:
        lock.leave()  # as when the process ends at once
    assert list(Path().iterdir()) == [Path("job.json")]


def test_a_film_opened_where_no_frame_can_be_decoded_has_none(cut: Path) -> None:
    with (
        framebrush.open(cut, "none", start="21f", device="cpu") as film,
        pytest.raises(InputError, match=r"cut\.mp4: no frame in the requested range can be decoded"),
    ):
        next(film)


@pytest.mark.parametrize("option", ["--brush-mark", "--brush-sizes"])
def test_a_damaged_picture_is_no_brush_and_no_map(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    content = encoded(picture, "mjpeg", "yuvj444p")
    (damaged := tmp_path / "half.jpg").write_bytes(content[: len(content) // 2])
    words = ["frame", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.png"), "--device", "cpu", option, str(damaged)]
    assert run(words) == 1
    assert capsys.readouterr().err.endswith("the file is damaged; give one that is whole\n")
