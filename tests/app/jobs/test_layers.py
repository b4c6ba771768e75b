"""Layers for compositors, written by one library and read back by another."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

import framebrush
from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.gpu import colour
from framebrush.gpu.stages.strokes.drawn import SLOT_BITS
from framebrush.jobs.layers import normals
from tests.app.api.test_paint import picture, saved

pytest.importorskip("OpenEXR")
oiio = pytest.importorskip("OpenImageIO")
pytestmark = pytest.mark.media

FILM = CLIPS / "cfr.mp4"
BLENDER = os.environ.get("FRAMEBRUSH_BLENDER") or shutil.which("blender")
RELIGHT = Path(__file__).parents[3] / "docs" / "relight.py"
PEOPLE = Path(__file__).parents[1] / "subject" / "people.mp4"
LOOK: dict[str, Any] = {"brush": 0.9, "relief": 0.5, "steady": 0.0}
OPTIONS = ["--style", "scream", "--brush", "0.9", "--relief", "0.5", "--steady", "0"]

CHANNELS = {
    "painted": ("R", "G", "B"),
    "film": ("film.R", "film.G", "film.B"),
    "network": ("network.R", "network.G", "network.B"),
    "underpainting": ("underpainting.R", "underpainting.G", "underpainting.B"),
    "height": ("height.Z",),
    "N": ("N.X", "N.Y", "N.Z"),
    "masks": ("masks.faces", "masks.subject"),
    "backward": ("backward.u", "backward.v"),
    "strokes": ("strokes.birth", "strokes.slot"),
}
Layers = dict[str, npt.NDArray[Any]]


def read(path: Path) -> Layers:
    """The parts of a file, (H, W, channels), as OpenImageIO reads them."""
    found, file = {}, oiio.ImageInput.open(str(path))
    while file.seek_subimage(len(found), 0):
        spec = file.spec()
        name, kind = spec.getattribute("name"), "uint" if spec.getattribute("name") == "strokes" else "half"
        assert tuple(spec.channelnames) == CHANNELS[name]
        assert str(spec.format) == kind
        found[name] = file.read_image(len(found), 0, 0, spec.nchannels, kind)
    assert tuple(found) == tuple(CHANNELS)
    return found


def written(target: Path, *more: str, film: Path = FILM) -> list[Path]:
    assert run(["layers", str(film), str(target / "shot.####.exr"), *OPTIONS, *more]) == 0
    return sorted(target.iterdir())


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Of frames 3 to 6."""
    return written(tmp_path_factory.mktemp("layers"), "--start", "3f", "--frames", "4")


@pytest.fixture(scope="module")
def layers(files: list[Path]) -> Layers:
    """Of frame 6."""
    return read(files[-1])


def codes(light: npt.NDArray[np.float16]) -> npt.NDArray[np.float64]:
    return np.asarray(255 * colour.linear_to_srgb(light.astype(np.float64)))


@pytest.mark.slow
def test_files_are_numbered_as_the_film_and_each_is_whole_alone(files: list[Path], tmp_path: Path) -> None:
    assert [file.name for file in files] == [f"shot.000{number}.exr" for number in (3, 4, 5, 6)]
    (again,) = written(tmp_path, "--start", "6f", "--frames", "1")
    for name, expected in read(files[-1]).items():
        np.testing.assert_array_equal(read(again)[name], expected, name)


@pytest.mark.slow
def test_it_is_what_the_film_and_its_painting_are(layers: Layers) -> None:
    span: dict[str, Any] = {"start": "6f", "frames": 1, "device": "cpu", "dither": False}
    with framebrush.open(FILM, "scream", **span, **LOOK) as film:
        assert np.abs(codes(layers["painted"]) - next(film).picture).max() <= 1
    with framebrush.open(FILM, "none", **span, strength=0.0) as film:
        assert np.abs(codes(layers["film"]) - next(film).picture).max() <= 1.5
    with framebrush.open(FILM, "scream", **span, **(LOOK | {"brush": 0.0, "relief": 0.0})) as film:
        assert np.abs(codes(layers["network"]) - next(film).picture).max() <= 1.5
    ground, network = codes(layers["underpainting"]), codes(layers["network"])
    assert 0 < np.abs(ground - network).mean() < 20
    assert np.abs(np.diff(ground, axis=1)).mean() < 0.7 * np.abs(np.diff(network, axis=1)).mean()  # softer


def test_the_paint_has_a_surface(layers: Layers) -> None:
    height = layers["height"][..., 0].astype(np.float32)
    assert 0 <= height.min() < 0.1 < height.max()
    facing = layers["N"].astype(np.float32)
    assert np.abs(np.linalg.norm(facing, axis=-1) - 1).max() < 2e-3
    assert np.abs(facing - normals(height).transpose(1, 2, 0)).max() < 5e-3
    slope = np.zeros((8, 8), np.float32) + np.arange(8)  # higher to the right: it faces left
    right, up, towards = normals(slope)[:, 4, 4]
    assert right < 0 == up < towards
    assert normals(np.ascontiguousarray(slope.T))[1, 4, 4] > 0  # higher to the bottom: it faces up


def test_a_pixel_knows_its_stroke(files: list[Path], layers: Layers) -> None:
    with framebrush.open(FILM, "scream", start="6f", frames=1, device="cpu", **LOOK) as film:
        drawn = film.strokes(6)
    birth, slot = (layers["strokes"][..., index].astype(np.uint64) for index in (0, 1))
    covered = slot > 0
    assert covered.mean() > 0.8
    ids = ((birth << np.uint64(SLOT_BITS)) | (slot - 1))[covered]
    known = {int(stroke["id"]) for stroke in drawn}
    seen = {int(each) for each in ids}
    assert seen <= known
    assert len(seen) > len(known) / 8
    before = read(files[-2])["strokes"].astype(np.uint64)
    assert len(seen & {int(b << np.uint64(SLOT_BITS) | s - 1) for b, s in before[before[..., 1] > 0]}) > len(seen) / 2
    painted, network = codes(layers["painted"]), codes(layers["network"])
    assert np.abs(painted - network)[~covered].mean() < np.abs(painted - network)[covered].mean() + 20


needs_blender = pytest.mark.skipif(
    BLENDER is None,
    reason="no Blender 4.5 or newer in FRAMEBRUSH_BLENDER: the program, or the Python of an environment with bpy",
)


def blender(script: Path, *arguments: str | Path) -> str:
    """Run a script in Blender; return its output."""
    assert BLENDER is not None
    options = ["--background", "--python-exit-code", "1", "--python"] if "blender" in Path(BLENDER).name else []
    command = [BLENDER, *options, script, "--", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@needs_blender
@pytest.mark.slow
def test_blender_lights_a_shot_anew(files: list[Path], tmp_path: Path) -> None:
    blender(RELIGHT, files[1], "2", tmp_path / "lit.####.png")
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["lit.0004.png", "lit.0005.png"]
    lamp = np.array([-0.6, 0.5, 0.3])
    for file in files[1:3]:
        layers = read(file)
        shade = np.maximum(0, layers["N"].astype(float) @ lamp) / lamp[2]
        expected = codes(np.clip(layers["painted"] * shade[..., None], 0, 1))
        with Image.open(tmp_path / f"lit.{file.stem[-4:]}.png") as picture:
            lit = np.asarray(picture.convert("RGB"), float)
        assert np.abs(lit - expected).mean() < 1
        assert np.abs(lit - codes(layers["painted"])).mean() > 2, "the light changes the picture"


@needs_blender
@pytest.mark.slow
def test_blender_shows_each_part(files: list[Path], tmp_path: Path) -> None:
    script = tmp_path / "outputs.py"
    script.write_text(
        "import bpy, json, sys\n"
        "tree = bpy.data.node_groups.new('a', 'CompositorNodeTree')\n"
        "node = tree.nodes.new('CompositorNodeImage')\n"
        "node.image = bpy.data.images.load(sys.argv[-1])\n"
        "print(json.dumps({each.name: each.type for each in node.outputs}))\n"
    )
    printed = blender(script, files[0]).splitlines()
    kinds = {1: "VALUE", 2: "VECTOR", 3: "RGBA"}
    expected = {part: kinds[len(channels)] for part, channels in CHANNELS.items()} | {"N": "VECTOR"}
    assert json.loads(next(line for line in printed if line.startswith("{"))) == expected


@pytest.mark.slow
def test_motion_is_where_pixels_were(tmp_path: Path) -> None:
    """A picture that moves five pixels to the right and two up, from frame to frame."""
    grain = np.random.default_rng(1).integers(0, 256, (24, 32, 3), np.uint8)
    wide = np.asarray(Image.fromarray(grain).resize((256, 192), Image.Resampling.BICUBIC))
    for number in range(3):
        saved(tmp_path / f"in{number}.png", np.ascontiguousarray(wide[40 + 2 * number :, 30 - 5 * number :][:96, :128]))
    (tmp_path / "out").mkdir()
    files = written(tmp_path / "out", "--rate", "25", film=tmp_path / "in%d.png")
    assert not read(files[0])["backward"].any()
    for file in files[1:]:
        u, v = np.moveaxis(read(file)["backward"][24:-24, 24:-24].astype(float), -1, 0)
        assert np.median(u) == pytest.approx(-5, abs=0.2)
        assert np.median(v) == pytest.approx(-2, abs=0.2)


@pytest.mark.slow
def test_frames_without_strokes_have_no_paint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Frames of the range with strokes have the layers of a film without the fade."""
    fade = ["--key", "brush@4f=0", "--key", "brush@5f=0.9", "--relief", "0", "--canvas", "0", "--detail", "0"]
    keyed, always, none = (tmp_path / name for name in ("keyed", "always", "none"))
    for folder in (keyed, always, none):
        folder.mkdir()
    span = ["--start", "3f", "--frames", "3", "--max-size", "160"]
    bare, other, drawn = map(read, written(keyed, *span, *fade))
    assert not bare["strokes"].any()
    assert not other["strokes"].any()
    assert not bare["height"].any()
    assert (bare["N"] == [0, 0, 1]).all()
    assert np.abs(codes(bare["painted"]) - codes(bare["network"])).max() <= 1
    assert bare["underpainting"].any()
    (whole,) = written(always, *span[:1], "5f", "--frames", "1", *span[4:], *fade[4:])
    for name, expected in read(whole).items():
        np.testing.assert_array_equal(drawn[name], expected, name)
    assert run(["layers", str(FILM), str(none / "shot.####.exr"), *OPTIONS, "--start", "3f", "--end", "5f", *fade]) != 0
    assert "frames 3 to 4 have no strokes" in capsys.readouterr().err
    assert not [*none.iterdir()]


@pytest.mark.slow
def test_masks_show_faces_and_the_subject(tmp_path: Path) -> None:
    (file,) = written(tmp_path, "--frames", "1", "--max-size", "320", film=PEOPLE)
    faces, subject = np.moveaxis(read(file)["masks"].astype(float), -1, 0)
    assert 0.01 < (faces > 0.5).mean() < 0.5
    assert 0.05 < (subject > 0.5).mean() < 0.9


@pytest.fixture
def little_disk() -> Iterator[None]:
    """Files cannot grow beyond 100 kB."""
    import resource  # which Windows has not

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no limits of files")
@pytest.mark.usefixtures("little_disk")
def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "out"
    target.mkdir()
    assert run(["layers", str(FILM), str(target / "a.####.exr"), "--frames", "1", *OPTIONS]) != 0
    said = "".join(capsys.readouterr().err.split())
    assert "a.0000.exrfailed:" in said
    assert "Filetoolarge" in said  # the system's reason, which OpenEXR leaves out
    assert [*target.iterdir()] == []


@pytest.mark.slow
def test_what_cannot_be_written_is_said_before_it_is_painted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(name: str, *more: str) -> str:
        assert run(["layers", str(FILM), str(tmp_path / name), "--frames", "1", *OPTIONS, *more]) != 0
        return " ".join(capsys.readouterr().err.split())

    assert "give a name such as shot.####.exr" in refused("a.exr")
    assert "give a name such as shot.####.exr" in refused("a.####.png")
    assert "has no strokes" in refused("a.####.exr", "--brush", "0")
    (tmp_path / "a.0000.exr").write_bytes(b"mine")
    assert "a.0000.exr" in refused("a.####.exr")
    assert (tmp_path / "a.0000.exr").read_bytes() == b"mine"
    monkeypatch.setitem(sys.modules, "OpenEXR", None)
    assert "pip install 'framebrush[layers]'" in refused("b.####.exr")


@pytest.mark.slow
def test_a_file_amid_the_numbers_is_said_before_the_first_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "a.0005.exr"
    mine.write_bytes(b"mine")
    words = ["layers", str(FILM), str(tmp_path / "a.####.exr"), "--start", "3f", *OPTIONS]
    for span in (["--frames", "4"], ["--end", "0.6"]):
        assert run([*words, *span]) != 0
        assert "a.0005.exr exists already" in " ".join(capsys.readouterr().err.split())
    assert [*tmp_path.iterdir()] == [mine]
    assert run([*words, "--frames", "2"]) == 0  # files of other frames of the film stay
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.0003.exr", "a.0004.exr", "a.0005.exr"]
    assert mine.read_bytes() == b"mine"
    assert run([*words, "--frames", "4", "-y"]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(1, 1), (1, 4), (4, 1)])
def test_a_side_of_one_pixel_is_flat(shape: tuple[int, int]) -> None:
    surface = normals(np.arange(4, dtype=np.float32)[: max(shape)].reshape(shape))
    assert surface.shape == (3, *shape)
    steep = [float(np.abs(surface[axis]).max()) > 0 for axis in (0, 1)]
    assert steep == [shape[1] > 1, shape[0] > 1]


@pytest.mark.slow
def test_a_picture_is_one_frame(tmp_path: Path) -> None:
    source = saved(tmp_path / "in.png", picture())
    (tmp_path / "out").mkdir()
    (file,) = written(tmp_path / "out", film=source)
    assert read(file)["painted"].shape == (96, 128, 3)


def test_pictures_of_the_film_itself_stay(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "f%04d.exr"
    plain = ["--style", "none", "--device", "cpu", "--progress", "none", "--frames", "2"]
    assert run(["transcode", str(FILM), str(film), *plain]) == 0
    before = (tmp_path / "f0001.exr").read_bytes()
    for name in ("f%04d.exr", "f####.exr"):
        words = ["layers", str(film), str(tmp_path / name), "--rate", "10", "--brush", "1", "-y", *plain]
        assert run(words) != 0
        assert "is the input itself; give the output another name" in capsys.readouterr().err
    assert (tmp_path / "f0001.exr").read_bytes() == before
