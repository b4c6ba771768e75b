"""The CUDA backend without a GPU: kernels compile and agree with their HLSL twins, plans, errors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnx
import pytest

from framebrush.gpu import layouts
from framebrush.gpu.cuda import cuda_records, diagnose, errors, kernels, onnx_runtime
from framebrush.gpu.cuda.ink_recognition import read_ink
from framebrush.gpu.cuda.painter_launches import Launch, packed, plan_launches
from framebrush.gpu.cuda.planes import PlaneLayout
from framebrush.gpu.device import DeviceInfo, list_devices, matching, missing_devices, open_device
from framebrush.gpu.errors import AbsentError, DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.frame import Siting, nv12
from framebrush.gpu.kernel_sources import Variant
from framebrush.gpu.look import Look, ToneMap
from framebrush.gpu.painter import FRAME, PIECE, Painter, changes_nothing, read_painter
from framebrush.gpu.stages import planes_to_tensor, tensor_to_planes
from framebrush.models.ink import PAPER
from framebrush.models.library import bundled
from framebrush.models.reading.load import load_style
from framebrush.models.style import Style
from framebrush.styles.passthrough import passthrough_style
from tests import networks
from tests.cuda import why_no_cuda
from tests.gpu.cuda.variants import variants
from tests.gpu.pictures import FORMATS, noise

pytestmark = pytest.mark.unit

CUDA = Path(kernels.__file__).parent / "kernels"
HLSL = Path(kernels.__file__).parents[1] / "d3d12" / "shaders"


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels are compiled, not found."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))


# Kernels


def test_every_file_is_a_kernel_that_is_compiled_and_says_what_it_is() -> None:
    assert {path.stem for path in CUDA.glob("*.cu")} == {variant.name for variant in variants()}
    for path in CUDA.glob("*.cu"):
        first = path.read_text(encoding="utf-8").splitlines()[0]
        for word in ("In:", "Out:", "Group", "Reference:", "Tolerance:", "CUDA's own:"):
            assert word in first, f"{path.name} does not say its {word}"


def test_code_comes_from_the_cache_and_damage_is_noticed(tmp_path: Path) -> None:
    variant = Variant("copy_window", (("ELEMENT", "0"),))
    code = kernels.machine_code(variant, 90)
    (kept,) = (tmp_path / "framebrush" / "kernels").iterdir()
    kept.write_bytes(kept.read_bytes()[:-40])
    assert kernels.machine_code(variant, 90) == code


def test_a_kernel_that_does_not_compile_is_named() -> None:
    with pytest.raises(DeviceError, match=r"^NVRTC 'copy_window ELEMENT=0 from=0' for sm_90: "):
        kernels.machine_code(Variant("copy_window", (("ELEMENT", "0"), ("from", "0"))), 90)


STRUCTS = (
    "CONVERT",
    "RESAMPLE",
    "OUTPUT",
    "DETAIL",
    "CORNERS",
    "LAYING",
    "MASKS",
    "TABLE",
    "WINDOW",
    "BLEND",
    "CONV",
    "INK",
    "STEADY",
    "LAYERS",
    "DRAWING",
    "RELIEF",
)


@pytest.mark.parametrize("name", STRUCTS)
def test_records_lie_as_the_compiler_lays_their_structs_out(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = cuda_records.LAYOUTS[name]
    # __INTADDR__, as NVRTC 13.0 has neither offsetof nor __builtin_offsetof.
    claims = [f"static_assert(__INTADDR__(&((S*)0)->{field}) == {record.fields[field][1]});" for field in record.names]
    text = "\n".join(
        ["typedef unsigned int uint;", layouts.cuda("S", record), *claims, 'extern "C" __global__ void layout(S c) {}']
    )
    monkeypatch.setattr(kernels, "source", lambda _: text)
    assert kernels.machine_code(Variant("layout"), 90)


def test_every_kernel_takes_its_constants_from_a_record() -> None:
    taken = [one for path in CUDA.iterdir() for one in layouts.DECLARATION.findall(path.read_text(encoding="utf-8"))]
    assert sorted(taken) == sorted(STRUCTS)


@pytest.mark.parametrize("siting", list(Siting))
def test_chroma_lies_where_the_kernels_of_blocks_expect_it(siting: Siting) -> None:
    picture = replace(nv12(64, 48), siting=siting)
    offset = planes_to_tensor.convert(picture, (64, 48), ToneMap.BT2390)["chroma_offset"]
    assert (offset >= -0.5).all()
    assert (offset <= 0).all()
    assert tensor_to_planes.output((64, 48), (64, 48), (64, 48), picture, Look())["taps_x"][3] == 0


@pytest.mark.parametrize("name", FORMATS)
def test_planes_lie_aligned_in_one_piece_of_memory(name: str) -> None:
    frame = noise(FORMATS[name])
    layout = PlaneLayout(frame.format)
    memory = np.zeros(layout.size_bytes, np.uint8)
    views = layout.views(memory)
    for view, plane in zip(views, frame.planes, strict=True):
        view[:] = plane
    for view, plane in zip(views, frame.planes, strict=True):
        np.testing.assert_array_equal(view, plane)  # no plane lies over another
    assert all(offset % 256 == 0 for offset in layout.offsets)


# The painter


def bundled_painter(name: str) -> Style:
    return load_style(bundled()[name])


def product_of(layer: Launch, inputs: npt.NDArray[np.float64], weights: npt.NDArray[np.float16]) -> npt.NDArray:
    """Return the kernel's sum, by the packed weights: (H, W, outputs)."""
    side, stride, (before, after) = layer.layer.side, layer.layer.stride, layer.layer.pad
    padded = np.pad(inputs, ((before, after), (before, after), (0, 0)), "edge")
    (width, height), channels = layer.out_size, inputs.shape[2]
    pieces = [
        padded[y : y + stride * height : stride, x : x + stride * width : stride, c : c + PIECE]
        for y in range(side)
        for x in range(side)
        for c in range(0, channels, PIECE)
    ]
    shape = layer.groups_of_outputs, layer.pieces, layer.group_outputs, PIECE
    kernel = weights.reshape(shape).astype(np.float64).transpose(1, 3, 0, 2).reshape(layer.pieces, PIECE, -1)
    return sum(piece @ weight for piece, weight in zip(pieces, kernel, strict=True))


def emulated(painter: Painter, frame: npt.NDArray[np.float64], mix: npt.NDArray[np.float64]) -> npt.NDArray:
    """Compute the launches in float64."""
    launches = plan_launches(painter, (frame.shape[2], frame.shape[1]), 80 << 10)
    assert launches is not None
    rows, offsets, bias_offsets = packed(painter, launches)
    row = mix @ rows.astype(np.float64)
    biases = row[len(row) - sum(layer.outputs for layer in launches) :]
    made: list[npt.NDArray] = []
    for number, layer in enumerate(launches):
        if layer.layer.a == FRAME:
            inputs = np.pad(np.moveaxis(frame, 0, -1), ((0, 0), (0, 0), (0, PIECE - 3)))
        else:
            inputs = made[layer.layer.a]
        if layer.layer.b is not None:
            inputs = np.concatenate([inputs, made[layer.layer.b][layer.layer.crop :, layer.layer.crop :]], 2)
        count = layer.layer.side**2 * inputs.shape[2] * layer.outputs
        total = product_of(layer, inputs, row[offsets[number] : offsets[number] + count])
        total = total + biases[bias_offsets[number] :][: layer.outputs]
        total = np.maximum(total, 0) if layer.layer.relu else total
        height, width = total.shape[:2]
        if number == len(launches) - 1:
            corners = total[:, :, :12].reshape(height, width, 3, 2, 2)
            return corners.transpose(2, 0, 3, 1, 4).reshape(3, 2 * height, 2 * width)
        if layer.layer.shuffle:
            corners = total.reshape(height, width, 2, 2, -1)
            total = corners.transpose(0, 2, 1, 3, 4).reshape(2 * height, 2 * width, -1)
        made.append(total)
    raise AssertionError


@pytest.mark.slow
@pytest.mark.parametrize("name", ["realtime", "quality"])
@pytest.mark.parametrize("half", [False, True])
@pytest.mark.parametrize("size", [(64, 48), (72, 40)])
def test_the_plan_of_a_painter_is_its_network(name: str, half: bool, size: tuple[int, int]) -> None:
    style = bundled_painter(name)
    painter = read_painter((style.as_float16() if half else style).fixed(*size))
    assert painter is not None
    assert painter.mixed
    frame = np.random.default_rng(1).random((3, size[1], size[0]))
    mix = np.eye(1, len(style.card.paintings))[0] * 0.75
    mix[-1] = 0.25
    session = networks.session(style.fixed(*size))
    inputs = {"frame": frame[None].astype(np.float32), "mix": mix[None].astype(np.float32)}
    expected = session.run(["styled"], inputs)[0][0]
    np.testing.assert_allclose(emulated(painter, frame, mix), expected, atol=2e-3)


@pytest.mark.parametrize(
    "style",
    [
        networks.identity(),
        networks.strided_identity(),
        networks.box_blur(),
        networks.blend(),
        networks.enlarger(2),
        networks.instance_norm(),
        bundled_painter("ink"),
    ],
    ids=lambda style: style.card.title,
)
def test_other_networks_are_onnx_runtimes(style: Style) -> None:
    assert read_painter(style.model) is None


@pytest.mark.slow
def test_a_painter_that_differs_anywhere_is_onnx_runtimes() -> None:
    import onnx

    model = onnx.load_from_string(bundled_painter("realtime").model)
    changes = 0
    for index, node in enumerate(model.graph.node):
        other = onnx.ModelProto()
        other.CopyFrom(model)
        changed = other.graph.node[index]
        if node.op_type == "Relu":
            changed.op_type = "Sigmoid"
        elif node.op_type == "Pad":
            changed.attribute[0].s = b"reflect"
        elif node.op_type == "DepthToSpace":
            next(one for one in changed.attribute if one.name == "mode").s = b"DCR"
        elif node.op_type == "Conv":
            changed.attribute.append(onnx.helper.make_attribute("dilations", [2, 2]))
        elif node.op_type == "Concat":
            changed.input[0], changed.input[1] = changed.input[1], changed.input[0]
        else:
            continue
        changes += 1
        assert read_painter(other.SerializeToString()) is None, node.op_type
    assert changes > 30


def test_a_painter_that_asks_for_too_much_shared_memory_is_onnx_runtimes() -> None:
    painter = read_painter(bundled_painter("quality").model)
    assert painter is not None
    assert plan_launches(painter, (640, 360), 8 << 10) is None
    for limit in (48 << 10, 64 << 10, 99 << 10):
        launches = plan_launches(painter, (640, 360), limit)
        assert launches is None or max(layer.shared_bytes for layer in launches) <= limit


# Words


def test_codes_become_errors_that_say_what_to_do() -> None:
    assert isinstance(errors.failure(2, "call", "label"), OutOfMemoryError)
    assert str(errors.failure(2, "call", "x")) == "call x: out of memory; try --tile, --stroke or --max-size"
    for code in errors.LOST:
        lost = errors.failure(code, "call")
        assert isinstance(lost, DeviceLostError)
        assert errors.code_name(code) in str(lost)
    assert str(errors.failure(801, "call", "y")) == "call y: CUDA_ERROR_NOT_SUPPORTED"
    assert type(errors.failure(12345, "call")) is DeviceError


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("CUDA failure 2: out of memory ; GPU=0", OutOfMemoryError),
        ("BFCArena::AllocateRawInternal Failed to allocate memory for requested buffer of size 1", OutOfMemoryError),
        ("CUDA failure 719: unspecified launch failure", DeviceLostError),
        ("CUDNN failure 4", DeviceError),
    ],
)
def test_what_onnx_runtime_says_becomes_an_error(text: str, kind: type[DeviceError]) -> None:
    assert type(errors.network_failure(text, "the network")) is kind


def test_what_is_missing_is_named_with_the_command_that_mends_it() -> None:
    assert diagnose.runtime_problem(["CUDAExecutionProvider"], ["onnxruntime-gpu", "onnxruntime"]) == ""
    assert "onnxruntime-gpu is missing; run: " in diagnose.runtime_problem(["CPUExecutionProvider"], ["onnxruntime"])
    both = diagnose.runtime_problem(["CPUExecutionProvider"], ["onnxruntime", "onnxruntime-gpu"])
    assert both.startswith("onnxruntime and onnxruntime-gpu share a folder")
    assert "uninstall -y onnxruntime onnxruntime-directml onnxruntime-windowsml onnxruntime-gpu && " in both
    assert diagnose.library_problem(lambda _: True) == ""
    assert diagnose.tensorrt_problem(lambda _: True) == ""
    assert ' install "tensorrt-cu13<11", or ' in diagnose.tensorrt_problem(lambda _: False)
    lacking = diagnose.library_problem(lambda name: "cudnn" not in name)
    assert "nvidia-cudnn-cu13" in lacking
    assert "cublas" not in lacking
    diagnose.check_driver(13000)
    with pytest.raises(DeviceError, match=r"knows CUDA 12\.4 and 13\.0 is needed; install driver 580 or newer$"):
        diagnose.check_driver(12040)


def test_the_style_that_does_not_paint_needs_no_network() -> None:
    assert changes_nothing(passthrough_style().fixed(64, 48))
    for low, high in ((0.1, 1.0), (0.0, 2.0)):
        limits = networks.Net([1, 3, "H", "W"], name="frame")
        limits.add("Clip", ["frame", limits.constant(np.float32(low)), limits.constant(np.float32(high))])
        assert not changes_nothing(networks.canonical(limits).fixed(64, 48))
    assert not changes_nothing(networks.identity().fixed(64, 48))


def test_the_ink_drawing_is_known_by_what_it_does() -> None:
    ink = load_style(bundled()["ink"])
    numbers = read_ink(ink.fixed(64, 48))
    assert numbers is not None
    assert numbers.shape == (80,)
    np.testing.assert_array_equal(numbers[-3:], np.array(PAPER, np.float32))
    for style in (networks.identity(), passthrough_style(), load_style(bundled()["realtime"])):
        assert read_ink(style.fixed(64, 48)) is None
    model = onnx.load_model_from_string(ink.fixed(64, 48))
    model.graph.node[1].attribute[0].s = b"edge"
    assert read_ink(model.SerializeToString()) is None


def test_a_network_that_needs_onnx_runtime_for_cuda_says_what_else_paints(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise DeviceError("the package onnxruntime-gpu is missing; run: pip")

    monkeypatch.setattr(onnx_runtime, "require_networks", missing)
    says = (
        r"^the network 'box' at 8x8 is none of our painters.* onnxruntime-gpu is missing; run: pip; or .*--device cpu$"
    )
    with pytest.raises(DeviceError, match=says):
        onnx_runtime.open_cuda(None, b"", "float32", "'box' at 8x8")  # type: ignore[arg-type]


@pytest.mark.skipif(not why_no_cuda(), reason="there is a GPU")
def test_a_machine_without_a_gpu_says_so_and_nothing_breaks() -> None:
    with pytest.raises(AbsentError):
        diagnose.require()
    assert any("NVIDIA" in reason for reason in missing_devices())
    with pytest.raises(DeviceError, match="NVIDIA"):
        open_device("cuda")
    assert "cuda" not in [info.kind for info in list_devices()]
    with open_device() as device:
        assert "NVIDIA" not in device.note  # an absent GPU is no loss


def test_devices_are_chosen_by_kind_and_number_name_and_uuid() -> None:
    found = [
        DeviceInfo(0, "cuda", "NVIDIA H200", uuid="GPU-aaaa0000"),
        DeviceInfo(1, "cuda", "NVIDIA L4", uuid="GPU-bbbb0000"),
        DeviceInfo(2, "cpu", "Processor"),
    ]
    for name, index in {
        "cuda:0": 0,
        "cuda:1": 1,
        "1": 1,
        "nvidia l": 1,
        "gpu-bbbb": 1,
        "gpu-aaaa0000": 0,
        "cpu:0": 2,
        "proc": 2,
    }.items():
        assert [info.index for info in matching(found, name)] == [index]
    for name in ("cuda:2", "cuda:", "voodoo:0", "gpu-cccc", "", "3"):
        assert matching(found, name) == []
