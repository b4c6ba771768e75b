"""Random mutations of networks; each must load or be refused.

`python -m tests.fuzz.networks SEED SECONDS` runs it alone; `case(SEED, NUMBER)` recreates one file.
"""

from __future__ import annotations

import math
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import onnxruntime as ort
from onnx import AttributeProto, ModelProto, NodeProto, TensorProto, helper, numpy_helper

from framebrush.models.reading import load
from framebrush.models.reading.operators import ALLOWED
from framebrush.models.style import Style, StyleError
from tests import networks
from tests.networks import Net, johnson, random_weight

NO_END = sys.maxsize
MOST_FACTOR = 1.5
"""Time limit of a load as a multiple of `load.PROCESSOR_S`, with start and end of a process on a busy machine."""


@dataclass(slots=True)
class Counts:
    """Numbers of files by result. refused: by reason's beginning."""

    accepted: int = 0
    refused: int = 0
    reasons: Counter[str] = field(default_factory=Counter)


def _painter(opset: int, up: str, *, norm: bool = True) -> ModelProto:
    net = Net([1, 3, 64, 64] if up == "sizes" else [1, 3, "H", "W"])
    net.add("Div", [net.last, net.constant(255.0)])
    johnson(net, channels=2, opset=opset, up=up, norm=norm)
    net.add("Tanh")
    return net.model(opset=opset)


def _nhwc() -> ModelProto:
    net = Net([1, 32, 32, 3], kind=TensorProto.UINT8)
    net.add("Cast", to=TensorProto.FLOAT)
    net.add("Transpose", perm=[0, 3, 1, 2])
    net.add("Conv", [net.last, net.constant(random_weight((3, 3, 3, 3), 1))], auto_pad="SAME_UPPER")
    net.add("Transpose", perm=[0, 2, 3, 1])
    net.add("Cast", to=TensorProto.UINT8)
    return net.model()


def _luma() -> ModelProto:
    net = Net([1, 1, 32, 32])
    net.conv(random_weight((9, 1, 5, 5), 1), pads=[2] * 4)
    net.add("Reshape", [net.last, net.constant([1, 1, 3, 3, 32, 32], np.int64)])
    net.add("Transpose", perm=[0, 1, 4, 2, 5, 3])
    net.add("Reshape", [net.last, net.constant([1, 1, 96, 96], np.int64)])
    return net.model()


def _computed_sizes() -> ModelProto:
    net = Net([1, 3, "H", "W"])
    net.add("AveragePool", kernel_shape=[2, 2], strides=[2, 2])
    small = net.last
    sides = net.add("Slice", [net.add("Shape", ["input"]), *(net.constant([n], np.int64) for n in (2, 4, 0))])
    net.add("Resize", [small, "", "", net.add("Concat", [net.constant([1, 3], np.int64), sides], axis=0)])
    pads = net.add("Concat", [net.constant([0, 0, 1, 1], np.int64)] * 2, axis=0)
    net.add("Pad", ["t4", pads], mode="edge")
    net.conv(random_weight((3, 3, 3, 3), 1))
    return net.model()


def _of_2018() -> ModelProto:
    net = Net([1, 3, 32, 32])
    net.add("ImageScaler", scale=1.0, bias=[-103.939, -116.779, -123.68])
    net.add("Pad", mode="reflect", pads=[0, 0, 4, 4, 0, 0, 4, 4])
    net.conv(random_weight((4, 3, 3, 3), 1), strides=[2, 2], pads=[1] * 4)
    weight = net.constant(random_weight((4, 3, 3, 3), 3))
    net.add("ConvTranspose", [net.last, weight], strides=[2, 2], auto_pad="VALID", output_shape=[40, 40])
    net.add("Crop", border=[4] * 4)
    net.add("Affine", alpha=150.0, beta=0.0)
    return net.model(opset=None, ir_version=3)


def _parsed(make: Callable[[], Style]) -> Callable[[], ModelProto]:
    return lambda: ModelProto.FromString(make().model)


FAMILIES: tuple[Callable[[], ModelProto], ...] = (
    lambda: _painter(7, "resize"),
    lambda: _painter(11, "sizes"),
    lambda: _painter(17, "transposed"),
    lambda: _painter(21, "resize", norm=False),
    _nhwc,
    _luma,
    _computed_sizes,
    _of_2018,
    _parsed(networks.blend),
    _parsed(lambda: networks.strided_identity(6)),
    _parsed(lambda: networks.enlarger(3, radius_px=1)),
    _parsed(lambda: networks.identity(half=True)),
)

_NUMBERS = (0, 1, -1, 2, 3, 7, 64, 255, 65536, 2**31 - 1, -(2**31), 2**40, 2**63 - 1, -(2**63))
_NAMES = ("", "input", "frame", "styled", "mix", "t0", "t1", "c0", "no\x1b[2Jsuch\n", "é" * 300)


def _attribute(rng: random.Random, model: ModelProto) -> None:
    node = rng.choice(model.graph.node)
    if not node.attribute or rng.random() < 0.2:
        key = rng.choice(("axis", "axes", "group", "strides", "pads", "mode", "blocksize", "to", "perm", "dilations"))
        value = rng.choice([rng.choice(_NUMBERS), [rng.choice(_NUMBERS) for _ in range(rng.randint(0, 5))]])
        node.attribute.append(helper.make_attribute(key, value, attr_type=None if value != [] else AttributeProto.INTS))
        return
    attribute = rng.choice(node.attribute)
    if attribute.ints:
        attribute.ints[rng.randrange(len(attribute.ints))] = rng.choice(_NUMBERS)
    elif attribute.type == AttributeProto.INT:
        attribute.i = rng.choice(_NUMBERS)
    elif attribute.type == AttributeProto.FLOAT:
        attribute.f = rng.choice((0.0, -1.0, 1e38, float("nan"), float("inf")))
    elif attribute.type == AttributeProto.STRING:
        attribute.s = rng.choice((b"", b"edge", b"linear", b"SAME_UPPER", b"\xff\xfe", b"x" * 999))
    else:
        attribute.type = rng.randint(0, 14)  # type: ignore[assignment]


def _operator(rng: random.Random, model: ModelProto) -> None:
    rng.choice(model.graph.node).op_type = rng.choice((*sorted(ALLOWED), "Loop", "NonZero", "\x1b]0;x\x07"))


def _wiring(rng: random.Random, model: ModelProto) -> None:
    node = rng.choice(model.graph.node)
    names = rng.choice((node.input, node.output))
    known = [name for other in model.graph.node for name in (*other.input, *other.output)]
    if names and rng.random() < 0.8:
        names[rng.randrange(len(names))] = rng.choice((*known, *_NAMES))
    else:
        node.input.append(rng.choice(known))


def _nodes(rng: random.Random, model: ModelProto) -> None:
    nodes = list(model.graph.node)
    at = rng.randrange(len(nodes))
    match rng.randrange(4):
        case 0:
            del nodes[at]
        case 1:
            nodes.insert(rng.randrange(len(nodes)), nodes[at])
        case 2:
            rng.shuffle(nodes)
        case _:
            nodes[at:at] = [nodes[at]] * rng.choice((2, 300))
    del model.graph.node[:]
    model.graph.node.extend(nodes)


def _growth(rng: random.Random, model: ModelProto) -> None:
    graph, node = model.graph, rng.choice(model.graph.node)
    op = rng.choice(("Tile", "Expand", "Resize", "Pad", "ConstantOfShape", "Range", "Cos", "CumSum"))
    kind = np.float32 if op == "Resize" else np.int64
    numbers = np.array([rng.choice(_NUMBERS) for _ in range(8 if op == "Pad" else 4)]).astype(kind)
    if rng.random() < 0.5:
        numbers = np.clip(np.abs(numbers), 1, 4096 if rng.random() < 0.5 else 8).astype(kind)
    graph.initializer.append(numpy_helper.from_array(numbers, "fuzz.numbers"))
    inputs = {"ConstantOfShape": ["fuzz.numbers"], "Range": ["fuzz.numbers"] * 3, "Cos": [node.input[0]]}
    source = [node.input[0], "", "fuzz.numbers"] if op == "Resize" else [node.input[0], "fuzz.numbers"]
    made = helper.make_node(op, inputs.get(op, source), ["fuzz.grown"])
    nodes: list[NodeProto] = []
    for other in graph.node:
        if other is node or other == node:
            nodes.append(made)
        nodes.append(other)
    node.input[0] = "fuzz.grown"
    del graph.node[:]
    graph.node.extend(nodes)


def _weights(rng: random.Random, model: ModelProto) -> None:
    if not model.graph.initializer:
        return
    tensor = rng.choice(model.graph.initializer)
    match rng.randrange(5):
        case 0 if tensor.dims:
            tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(_NUMBERS)
        case 1:
            tensor.data_type = rng.randint(0, 24)
        case 2:
            tensor.raw_data = tensor.raw_data[: rng.randint(0, len(tensor.raw_data))]
        case 3:
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value=rng.choice(("net.onnx", "../x", "/dev/zero", "", "nul")))
        case _:
            try:
                array = numpy_helper.to_array(tensor).copy()
            except (ValueError, TypeError, KeyError):  # an earlier mutation broke the tensor itself
                return
            if array.size:
                array.flat[rng.randrange(array.size)] = np.array(rng.choice(_NUMBERS)).astype(array.dtype)
            tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def _ends(rng: random.Random, model: ModelProto) -> None:
    value = rng.choice((*model.graph.input, *model.graph.output))
    tensor = value.type.tensor_type
    if rng.random() < 0.3:
        tensor.elem_type = rng.randint(0, 24)
    elif tensor.shape.dim and rng.random() < 0.7:
        rng.choice(tensor.shape.dim).dim_value = rng.choice(_NUMBERS)
    elif rng.random() < 0.5:
        tensor.ClearField("shape")
    else:
        model.graph.input.append(value)


def _versions(rng: random.Random, model: ModelProto) -> None:
    if rng.random() < 0.2:
        del model.opset_import[:]
    elif model.opset_import:
        model.opset_import[0].version = rng.choice((0, 1, 6, 7, 9, 11, 13, 18, 21, 23, 99, -1, 2**62))
        model.ir_version = rng.choice((0, 3, 8, 10, 99))


def _metadata(rng: random.Random, model: ModelProto) -> None:
    for _ in range(3):
        keys = ("title", "stride", "radius_px", "scale", "layout", "mean", "std", "paintings", "input_range")
        value = rng.choice(("", "0", "1", "-1", "nhwc", "byte", "[1,2,3]", "[1e999,0,0]", "{", "\x1b[2J", "9" * 400))
        model.metadata_props.add(key=f"framebrush.{rng.choice(keys)}", value=value)


_MUTATIONS = (
    *(_attribute, _attribute, _operator, _operator, _wiring, _wiring, _nodes, _growth, _growth),
    *(_weights, _weights, _ends, _versions, _metadata),
)


def case(seed: int, number: int) -> bytes:
    """Return a file. A seed's first is not mutated."""
    rng = random.Random(f"{seed} {number}")
    model = rng.choice(FAMILIES)()
    if number == 0:
        return model.SerializeToString()
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 5))):
        if model.graph.node:
            rng.choice(_MUTATIONS)(rng, model)
    data = bytearray(model.SerializeToString())
    if rng.random() < 0.1:
        for _ in range(rng.randint(1, 8)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        del data[rng.randint(len(data) // 2, len(data) * 2) :]
    return bytes(data)


def check(seed: int, number: int) -> str:
    """Load a file as the program does; return "" or the reason for refusal.

    Raises AssertionError for a crash, timeout, or unusable style.
    """
    start_s = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "net.onnx"
        path.write_bytes(case(seed, number))
        try:
            style = load.load_style(path)
            reason = ""
        except StyleError as error:
            reason = str(error).removeprefix(f"{path}: ")
    about = f"case({seed}, {number}): {reason}"
    assert time.monotonic() - start_s < MOST_FACTOR * load.PROCESSOR_S, about
    assert reason.isprintable(), about
    assert not reason.startswith("reading it failed"), about
    if not reason:
        _paint(style, about)
    return reason


def _paint(style: Style, about: str) -> None:
    card = style.card
    assert "".join((card.title, card.licence, card.source, *card.paintings, *card.notes)).isprintable(), about
    width, height = card.fixed_size or (card.stride * -(-200 // card.stride), card.stride * -(-150 // card.stride))
    options = ort.SessionOptions()
    options.log_severity_level = 4
    session = ort.InferenceSession(style.fixed(width, height), options, providers=["CPUExecutionProvider"])
    feeds = {"frame": np.full((1, 3, height, width), 0.5, card.precision)}
    if len(card.paintings) > 1:
        feeds["mix"] = np.eye(len(card.paintings), dtype=np.float32)[:1]
    shape = session.run(None, feeds)[0].shape
    assert shape == (1, 3, height * card.scale, width * card.scale), about


def run(seed: int, *, files: int = NO_END, seconds: float = math.inf) -> Counts:
    """Load some mutated networks, or for some seconds. Raises as `check`."""
    counts = Counts()
    end_s = time.monotonic() + seconds
    numbers = iter(range(files))

    def work() -> list[str]:
        reasons = []
        while time.monotonic() < end_s and (number := next(numbers, None)) is not None:
            reasons.append(check(seed, number))
        return reasons

    workers = os.cpu_count() or 1
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(work) for _ in range(workers)]:
            for reason in done.result():
                if reason:
                    counts.refused += 1
                    counts.reasons[" ".join(reason.split()[:3])] += 1
                else:
                    counts.accepted += 1
    return counts


if __name__ == "__main__":
    outcome = run(int(sys.argv[1]), seconds=float(sys.argv[2]))
    print(f"{outcome.accepted} accepted, {outcome.refused} refused")
    for words, times in outcome.reasons.most_common():
        print(f"{times:6} {words}")
