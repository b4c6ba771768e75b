"""`framebrush.paint`: one picture from Python."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import Any, Literal

import av
import numpy as np
import numpy.typing as npt
import pytest

import framebrush
from framebrush.analysis.to_rgb import opaque
from framebrush.api.paint import planes_of
from framebrush.cli.command_line import run
from framebrush.gpu import colour
from framebrush.gpu.device import open_device
from framebrush.gpu.frame import Frame, HostMemoryFrame, PlaneOrder, gbrp
from framebrush.gpu.look import ToneCurve
from framebrush.media.dlpack import CUDA, Described, Managed, described, exported, exported_rgb
from framebrush.models.style import StyleError
from tests import networks


def picture(channels: int = 3) -> npt.NDArray[np.uint8]:
    """(96, 128, channels): a ball before a slope, transparent at its left."""
    y, x = np.mgrid[0:96, 0:128]
    found = np.stack([x * 2, y * 2, np.hypot(x - 64, y - 48) * 3, (x > 32) * 255], -1).clip(0, 255).astype(np.uint8)
    return np.ascontiguousarray(found[..., :channels])


def saved(path: Path, rgb: npt.NDArray[np.uint8]) -> Path:
    """As a PNG file."""
    with av.open(str(path), "w", format="image2", options={"update": "1"}) as out:
        stream = out.add_stream("png", rate=1)
        stream.width, stream.height, stream.pix_fmt = rgb.shape[1], rgb.shape[0], "rgb24"
        out.mux(stream.encode(av.VideoFrame.from_ndarray(rgb, "rgb24")))
        out.mux(stream.encode(None))
    return path


def test_it_paints_what_the_command_paints(tmp_path: Path) -> None:
    source, target = saved(tmp_path / "in.png", picture()), tmp_path / "out.png"
    look = ("--relief", "0.6", "--lamp", "90")
    assert run(["frame", str(source), str(target), "--style", "scream", "--device", "cpu", *look]) == 0
    with av.open(str(target)) as written:
        expected = next(written.decode(video=0)).to_ndarray(format="rgb24")
    found = framebrush.paint(picture(), "scream", relief=0.6, lamp=90, device="cpu")
    assert found.shape == (96, 128, 3)
    assert np.array_equal(found, expected)


def test_a_picture_is_a_style_and_alpha_is_kept(tmp_path: Path) -> None:
    style = saved(tmp_path / "red.png", np.full((64, 64, 3), (200, 40, 30), np.uint8))
    with open_device("cpu") as device:
        found = framebrush.paint(picture(4), str(style), device=device)
        plain = framebrush.paint(picture(4), "none", device=device)
    assert np.array_equal(found[..., 3], picture(4)[..., 3])
    assert found[..., 0].mean() > found[..., 2].mean() + 40  # as red as the style
    assert np.abs(plain.astype(int) - picture(4)).max() <= 2


@pytest.mark.parametrize(
    ("wrong", "error", "reason"),
    [
        (np.zeros((8, 8, 3)), TypeError, "float64 cannot be painted; convert it to uint8, .* or float32, 0 to 1"),
        (np.zeros((8, 8, 3), ">f8"), TypeError, ">f8 cannot be painted; convert it to uint8"),
        (np.zeros((8, 8), np.uint8), ValueError, r"shape \(8, 8\) cannot be painted; give \(height, width, 3 or 4\)"),
        (np.zeros((8, 8, 2), np.uint8), ValueError, r"shape \(8, 8, 2\)"),
        (np.zeros((0, 8, 3), np.uint8), ValueError, r"shape \(0, 8, 3\)"),
    ],
)
def test_what_is_no_picture(wrong: npt.NDArray[np.uint8], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        framebrush.paint(wrong, device="cpu")


class Tensor:
    """What another library calls an array: it speaks DLPack and nothing else."""

    def __init__(self, samples: npt.NDArray[np.uint8]) -> None:
        self.samples = samples

    def __dlpack__(self, **wanted: Any) -> object:  # noqa: ANN401 - the protocol's
        return self.samples.__dlpack__(**wanted)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.samples.__dlpack_device__()


def test_a_tensor_is_painted_as_an_array_is() -> None:
    expected = framebrush.paint(picture(), "scream", device="cpu")
    assert np.array_equal(framebrush.paint(Tensor(picture()), "scream", device="cpu"), expected)


def test_a_tensor_of_torch_comes_and_goes() -> None:
    torch = pytest.importorskip("torch")
    painted = framebrush.paint(torch.from_numpy(picture()), "scream", device="cpu")
    seen = torch.from_dlpack(painted)
    assert seen.shape == (96, 128, 3)
    seen[0, 0, 0] = 255 - seen[0, 0, 0]
    assert painted[0, 0, 0] == seen[0, 0, 0]  # the same memory


class OnAnotherDevice(Tensor):
    """In the memory of OpenCL."""

    def __dlpack_device__(self) -> tuple[int, int]:
        return 4, 0


class OfBrainFloats(Tensor):
    """Of a type that NumPy has not: the code of float32 is changed where DLPack has it."""

    def __dlpack__(self, **_: Any) -> object:  # noqa: ANN401 - the protocol's
        frame = HostMemoryFrame(Frame(gbrp(8, 6, bits=16, floating=True), tuple(np.zeros((3, 6, 8), np.float16))), self)
        frame.pointers, frame.pitches = (0, 0, 0), (16,) * 3
        capsule = exported_rgb(frame, 0)
        content = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
            ("PyCapsule_GetPointer", ctypes.pythonapi)
        )
        tensor = Managed.from_address(content(capsule, b"dltensor")).tensor
        tensor.type_code = 4
        return capsule


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (OnAnotherDevice(picture()), "a device that does not paint; give an array in host memory"),
        (OfBrainFloats(picture()), "a picture of bfloat16 cannot be painted; convert it to uint8"),
    ],
)
def test_what_numpy_does_not_take_is_said_as_it_is(wrong: Any, reason: str) -> None:  # noqa: ANN401 - of any kind
    with pytest.raises(TypeError, match=reason) as caught:
        framebrush.paint(wrong, device="cpu")
    assert ("host memory" in str(caught.value)) == isinstance(wrong, OnAnotherDevice)


def test_a_tensor_of_torch_that_cannot_be_painted() -> None:
    torch = pytest.importorskip("torch")
    floats = torch.zeros(8, 8, 3)
    with pytest.raises(TypeError, match=r"Tensor cannot be painted: .*gradient, use tensor\.detach\(\)"):
        framebrush.paint(floats.clone().requires_grad_(), device="cpu")
    with pytest.raises(TypeError, match="a picture of bfloat16 cannot be painted; convert it"):
        framebrush.paint(floats.bfloat16(), device="cpu")


def test_what_the_command_reports_is_a_warning(tmp_path: Path) -> None:
    """At the line that paints."""
    file = tmp_path / "theirs.onnx"
    file.write_bytes(networks.denoiser().SerializeToString())
    plain = {"net_input": "unit", "net_output": "unit", "brush": 0.0, "relief": 0.0, "dither": False, "device": "cpu"}
    with pytest.warns(framebrush.PaintingWarning, match="^read as input unit as you said") as told:
        found = framebrush.paint(picture(), file, net_value=["sigma=0.25"], **plain)  # type: ignore[call-overload]
    assert told[0].filename == __file__
    darker = picture().astype(int) - 64
    assert np.abs(found[2:-2, 2:-2].astype(int) - darker.clip(0, 255)[2:-2, 2:-2]).max() <= 2


def test_planes_that_lie_behind_each_other_are_one_array() -> None:
    form = gbrp(8, 6, bits=32, floating=True)
    memory = np.arange(3 * 6 * 8, dtype=np.float32).reshape(3, 6, 8)
    card = HostMemoryFrame(form.allocate(), None)
    red, green, blue = (plane.ctypes.data for plane in memory)
    card.pointers, card.pitches = (green, blue, red), (32,) * 3
    found = described(exported_rgb(card, 0))
    assert (found.pointer, found.shape, found.strides, found.kind) == (red, (6, 8, 3), (8, 1, 48), "float32")


class OnACard(Tensor):
    """What says that its memory is a card's."""

    def __dlpack__(self, **wanted: Any) -> object:  # noqa: ANN401 - the protocol's
        frame = HostMemoryFrame(opaque(self.samples), self)
        frame.pointers, frame.pitches = (frame.content.planes[0].ctypes.data,), frame.content.planes[0].strides[:1]
        return exported(frame, 0)[0]

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, 0


def test_what_lies_on_a_card_is_painted_there_alone() -> None:
    with pytest.raises(TypeError, match="in the memory of CUDA's GPU 0 is painted there alone; give that device"):
        framebrush.paint(OnACard(picture()), device="cpu")
    with open_device("cpu") as cpu, pytest.raises(TypeError, match="painted there alone"):
        framebrush.paint(OnACard(picture()), device=cpu)


def test_a_capsule_says_what_was_exported() -> None:
    card = OnACard(picture())
    found = described(card.__dlpack__())
    assert (found.shape, found.strides, found.kind) == ((96, 128, 4), (512, 4, 1), "uint8")
    with pytest.raises(ValueError, match="PyCapsule"):
        described("no capsule")


@pytest.mark.parametrize(
    ("shape", "strides", "planes"),
    [
        ((96, 128, 4), (512, 4, 1), (PlaneOrder.RGBA, (1000,))),
        ((96, 128, 4), (640, 4, 1), (PlaneOrder.RGBA, (1000,))),  # a part of a wider picture
        ((96, 128, 3), (128, 1, 96 * 128), (PlaneOrder.GBR, (1000 + 96 * 128, 1000 + 2 * 96 * 128, 1000))),
        ((96, 128, 3), (384, 3, 1), None),
        ((96, 128, 4), (128, 1, 96 * 128), (PlaneOrder.GBR, (1000 + 96 * 128, 1000 + 2 * 96 * 128, 1000))),
        ((96, 128, 4), (4, 384, 1), None),  # turned
        ((96, 128, 4), (-512, 4, 1), None),
        ((96, 128, 3), (128, 1, -96 * 128), None),
        ((96, 128, 4), (0, 4, 1), None),
    ],
)
@pytest.mark.parametrize("kind", ["uint8", "float16", "float32"])
def test_where_samples_lie_on_a_card(
    shape: tuple[int, ...], strides: tuple[int, ...], planes: tuple[PlaneOrder, tuple[int, ...]] | None, kind: str
) -> None:
    array, sample = Described(1000, shape, strides, kind, None), np.dtype(kind)
    if planes is None or (planes[0] is PlaneOrder.RGBA and kind != "uint8"):
        with pytest.raises(ValueError, match="give four channels of uint8 that lie together, or three planes"):
            planes_of(array)
        return
    found, pointers = planes_of(array)
    assert (found.layout, found.dtype) == (planes[0], sample)
    assert pointers == tuple(1000 + (begin - 1000) * sample.itemsize for begin in planes[1])
    assert (found.width, found.height) == (128, 96)


@pytest.mark.parametrize("wrong", [[[1, 2, 3]], None])
def test_what_is_no_array(wrong: Any) -> None:  # noqa: ANN401
    with pytest.raises(
        TypeError, match=f"a picture of {type(wrong).__name__} is no array: give one of NumPy, or of a library that"
    ):
        framebrush.paint(wrong, device="cpu")


DEEP = [(np.uint16, 65535, 16 / 65535), (np.float16, 1, 1e-2), (np.float32, 1, 1e-4)]
"""Types of samples, their white, and how far a painting may lie from that of float32: of halves, whose sources are
coarser, some of their steps."""


@pytest.mark.parametrize("kind", [kind for kind, *_ in DEEP])
def test_samples_come_back_as_what_they_are(kind: type[np.generic]) -> None:
    """4,096 greys, too many for 8 bits, come back unchanged; so does alpha."""
    white = {one: white for one, white, _ in DEEP}[kind]
    ramp = (np.arange(4096).reshape(32, 128, 1) / 4096 * white).astype(kind)
    given = np.concatenate([ramp, ramp, ramp, ramp[::-1]], axis=2)
    for channels in (3, 4):
        found = framebrush.paint(given[..., :channels], "none", strength=0.0, device="cpu")
        assert found.dtype == kind
        assert np.array_equal(found, given[..., :channels])


@pytest.mark.parametrize(("kind", "white", "tolerance"), DEEP)
def test_every_type_of_samples_is_painted_alike(kind: type[np.generic], white: int, tolerance: float) -> None:
    given = picture().astype(np.float32) / 255
    expected = framebrush.paint(given, "scream", relief=0.5, device="cpu")
    bytes_ = framebrush.paint(picture(), "scream", relief=0.5, dither=False, device="cpu")
    assert np.abs(expected * 255 - bytes_).max() <= 0.51
    samples = (given * white).astype(kind) if white == 1 else np.rint(given * white).astype(kind)
    found = framebrush.paint(Tensor(samples), "scream", relief=0.5, dither=False, device="cpu")
    assert isinstance(found, np.ndarray)
    assert found.dtype == kind
    assert np.quantile(np.abs(found.astype(float) / white - expected), 0.99) <= tolerance


def test_floats_beyond_white_are_cut_and_what_is_no_number_is_black() -> None:
    given = np.full((16, 16, 3), 0.5, np.float32)
    given[0, :4, 0] = -0.5, 1.5, np.inf, np.nan
    cut = given.copy()
    cut[0, :4, 0] = 0, 1, 1, 0
    with pytest.warns(framebrush.PaintingWarning, match=r"^2 samples .* are no finite numbers: ") as said:
        found = framebrush.paint(given, "ink", device="cpu")
    with pytest.warns(framebrush.PaintingWarning, match=r"^2 samples "):
        unpainted = framebrush.paint(given, "none", device="cpu")
    assert np.array_equal(unpainted, given, equal_nan=True)
    assert np.array_equal(found, framebrush.paint(cut, "ink", device="cpu"))
    assert {str(one.message).partition(":")[0] for one in said} == {
        "2 samples of the picture are no finite numbers",
        "the samples of the picture go from -0.5 to 1.5",
    }


def paints_in_silence(given: npt.NDArray[Any]) -> bool:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        framebrush.paint(given, "none", strength=0.0, device="cpu")
    return not said


@pytest.mark.parametrize(
    ("kind", "scale", "words"),
    [
        (np.float32, 255, "go from 0 to 254: they are cut to 0 to 1 where they are painted; divide .* by 255"),
        (np.float16, 255, "go from 0 to 254: "),
        (np.float32, 65535, "go from 0 to 6.528e+04: .* by 65535"),
        (np.float32, 1.2, None),  # as a resampled picture overshoots
        (np.uint16, 65535, None),
    ],
)
def test_a_range_that_is_a_mistake_is_said(kind: type[np.generic], scale: float, words: str | None) -> None:
    given = (picture(4) / 255 * scale).astype(kind)
    if words is None:
        assert paints_in_silence(given)
        return
    with pytest.warns(framebrush.PaintingWarning, match=words.replace("+", r"\+")) as said:
        framebrush.paint(given, "none", strength=0.0, device="cpu")
    assert len(said) == 1
    given[..., :3] /= scale  # type: ignore[operator]
    assert paints_in_silence(given)  # whatever alpha holds


@pytest.mark.parametrize("kind", [">u2", ">f4", ">f2"])
def test_samples_of_the_other_byte_order(kind: str) -> None:
    given = picture().astype(np.float32) / 255
    given = given if kind[1] == "f" else np.rint(given * 65535)
    found = framebrush.paint(given.astype(kind), "scream", device="cpu")
    assert found.dtype == np.dtype(kind)
    native = np.dtype(kind).newbyteorder("=")
    assert np.array_equal(found, framebrush.paint(given.astype(native), "scream", device="cpu"))


@pytest.mark.parametrize("curve", ["clip", "reinhard", "hable"])
@pytest.mark.parametrize("stops", [0.0, 1.0])
def test_the_curve_counts_at_every_exposure(curve: Literal["clip", "reinhard", "hable"], stops: float) -> None:
    """Hable's curve changes the picture at 0 stops, too."""
    given = picture().astype(np.float32) / 255
    found = framebrush.paint(given, "none", exposure=stops, tone_curve=curve, dither=False, device="cpu")
    assert np.abs(found - colour.expose(given, stops, ToneCurve(curve))).max() < 2e-3
    assert (np.abs(found - given).max() > 0.02) == (stops > 0 or curve == "hable")


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.float16])
def test_alpha_hides_no_colours_that_are_painted(kind: type[np.generic]) -> None:
    top = 1 if kind is np.float16 else np.iinfo(kind).max
    full = np.empty((48, 64, 4), kind)
    full[...] = np.array([0.9, 0.7, 0.5, 1.0]) * top
    cut = full.copy()
    cut[:, 32:] = 0
    painted, expected = (framebrush.paint(given, "ink", device="cpu").astype(float) / top for given in (cut, full))
    np.testing.assert_array_equal(painted[..., 3], cut[..., 3].astype(float) / top)
    assert np.abs(painted - expected)[:, :32, :3].max() <= 3 / 255
    shown = framebrush.paint(cut, "none", device="cpu")
    np.testing.assert_array_equal(shown, cut)


def test_another_size() -> None:
    assert framebrush.paint(picture(), "none", size=(64, 48), device="cpu").shape == (48, 64, 3)
    assert framebrush.paint(picture(), "none", size="2x", device="cpu").shape == (192, 256, 3)
    with pytest.raises(ValueError, match="alpha is kept at the size of the picture alone"):
        framebrush.paint(picture(4), "none", size=(64, 48), device="cpu")


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        (
            {"strenght": 1.0},
            TypeError,
            "there is no option 'strenght'; there are brush, brush_directions, brush_kind, brush_mark",
        ),
        ({"start": 1.0}, TypeError, "there is no option 'start'"),
        ({"strength": 2.0}, ValueError, "strength 2 is not between 0 and 1"),
        ({"tone_curve": "s"}, ValueError, "tone_curve is 's'; it must be one of clip, "),
        ({"look": "nowhere.json"}, ValueError, "nowhere.json cannot be read"),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        framebrush.paint(picture(), device="cpu", **options)


@pytest.mark.parametrize("device", [0, None])
def test_a_device_that_is_none(device: Any) -> None:  # noqa: ANN401 - of any kind
    for paint in (partial(framebrush.paint, picture()), partial(framebrush.open, "film.mp4")):
        with pytest.raises(
            TypeError, match=f"device is {device}; it must be a name, such as 'cuda' or '0', or an open"
        ):
            paint(device=device)


def test_a_style_that_is_not_there() -> None:
    with pytest.raises(StyleError, match="nonsense"):
        framebrush.paint(picture(), "nonsense", device="cpu")


def test_importing_the_package_stays_quick() -> None:
    said = "import sys, framebrush; print([name for name in ('numpy', 'av', 'onnxruntime') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-P", "-c", said], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
