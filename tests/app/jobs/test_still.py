"""`framebrush frame` as users run it, with third-party networks."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest
from onnx import ModelProto
from PIL import Image

from assets.make_clips import CLIPS
from framebrush.cli.command_line import run
from framebrush.jobs.still import encoded
from tests import networks
from tests.networks import Net, random_weight

pytestmark = pytest.mark.media

CLIP = CLIPS / "cfr.mp4"


def frame(folder: Path, model: bytes, *more: str) -> tuple[int, int]:
    """Width and height of the still that a network makes of the clip."""
    path, target = folder / "net.onnx", folder / "still.png"
    path.write_bytes(model)
    assert run(["frame", str(CLIP), str(target), "--style", str(path), "--device", "cpu", *more]) == 0
    with av.open(str(target)) as container:
        picture = next(container.decode(video=0))
        return picture.width, picture.height


def clip_size() -> tuple[int, int]:
    with av.open(str(CLIP)) as container:
        stream = container.streams.video[0]
        return stream.width, stream.height


@pytest.mark.parametrize(("primaries", "said"), [(1, False), (9, True), (12, True)])
def test_a_still_of_wide_colours_says_so(tmp_path: Path, primaries: int, said: bool) -> None:
    """Without a profile, viewers show wide colours as sRGB."""
    source, target = tmp_path / "film.mkv", tmp_path / "still.png"
    with av.open(str(source), "w") as out:
        stream = out.add_stream("ffv1", rate=25)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        picture = av.VideoFrame(64, 48, "yuv420p")
        for tagged in (stream.codec_context, picture):
            tagged.color_primaries, tagged.color_trc, tagged.colorspace, tagged.color_range = primaries, 1, 1, 1
        out.mux(stream.encode(picture))
        out.mux(stream.encode())
    assert run(["frame", str(source), str(target), "--style", "none", "--device", "cpu"]) == 0
    assert (b"cICP" + bytes([primaries, 13, 0, 1]) in target.read_bytes()) == said


@pytest.mark.parametrize("name", ["f%03d.png", "f###.png", "f[001-002].png"])
def test_a_picture_of_its_numbered_source_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    pictures = [tmp_path / "f001.png", tmp_path / "f002.png"]
    for path in pictures:
        Image.new("RGB", (16, 16), "red").save(path)
    before = [path.read_bytes() for path in pictures]
    words = ["--rate", "10", "--style", "none", "--device", "cpu", "-y"]
    assert run(["frame", str(tmp_path / name), str(pictures[1]), *words]) != 0
    assert "f002.png is a picture of the input; give the output another name" in capsys.readouterr().err
    assert [path.read_bytes() for path in pictures] == before
    assert run(["frame", str(tmp_path / name), str(tmp_path / "f2b.png"), *words]) == 0
    assert run(["frame", str(tmp_path / "g%d%d.png"), str(pictures[1]), *words]) != 0
    assert "numbered pictures need one number in their name" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("--brush-kind oil", "--brush-kind changes nothing without strokes; give --brush a value above 0"),
        ("--few-strokes --brush-kind oil", "--brush-kind and --few-strokes change nothing without strokes; give"),
        ("--brush-kind oil --brush 1", ""),
        ("--brush-kind oil --key brush@9f=1", ""),
        ("--net-order bgr", "--net-order changes nothing without a network"),
        ("--net-order bgr --net-value a=1", "--net-order and --net-value change nothing without a network"),
        ("--net-order bgr --style ink", ""),
    ],
)
def test_options_without_effect_are_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: str, says: str
) -> None:
    given = ["--style", "none", *words.split(), "--device", "cpu", "--max-size", "64"]
    assert run(["frame", str(CLIPS / "cfr.mp4"), str(tmp_path / "out.png"), *given]) == 0
    said = capsys.readouterr().err
    assert says in said
    assert ("nothing" in said) == bool(says)


@pytest.mark.slow
def test_says_that_tiles_change_the_look(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame(tmp_path, networks.instance_norm().model, "--tile", "64") == clip_size()
    said = capsys.readouterr().err
    assert "tiles of " in said
    assert "tiles change its look" in said


@pytest.mark.slow
def test_an_enlarger_enlarges(tmp_path: Path) -> None:
    width, height = clip_size()
    assert frame(tmp_path, networks.enlarger(2).model) == (2 * width, 2 * height)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (3, 3), (2, 64)])
def test_a_picture_of_a_few_pixels_is_painted(tmp_path: Path, width: int, height: int) -> None:
    """The bundled networks pad by reflection, which takes more pixels than these have."""
    source, target = tmp_path / "small.png", tmp_path / "still.png"
    source.write_bytes(encoded(np.full((height, width, 3), 120, np.uint8), "png", "rgb24"))
    for style in ("ink", "great-wave"):
        assert run(["frame", str(source), str(target), "-y", "--style", style, "--device", "cpu"]) == 0
        with av.open(str(target)) as container:
            picture = next(container.decode(video=0))
            assert (picture.width, picture.height) == (width, height)


def fully_connected() -> ModelProto:
    net = Net([1, 3, 16, 24])
    net.add("Flatten")
    net.add("MatMul", [net.last, net.constant(random_weight((1152, 1152), 1))])
    net.add("Reshape", [net.last, net.constant([1, 3, 16, 24], np.int64)])
    return net.model()


@pytest.mark.slow
def test_a_network_of_one_size_paints_a_frame_of_any(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert frame(tmp_path, fully_connected().SerializeToString()) == clip_size()
    assert "it runs at 24x16 px only: frames are scaled to that size" in capsys.readouterr().err
