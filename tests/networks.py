"""Small networks for tests: foreign files, and styles for a device."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import onnxruntime as ort
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

from framebrush.models.analysis_session import session_options
from framebrush.models.style import ModelCard, Style

Array = npt.NDArray[np.float32]


def session(model: bytes | ModelProto) -> ort.InferenceSession:
    """Open a network on the CPU, with threads that do not spin."""
    content = model if isinstance(model, bytes) else model.SerializeToString()
    return ort.InferenceSession(content, session_options(), providers=["CPUExecutionProvider"])


class Net:
    """ONNX graph builder: `add` appends a node and returns its output's name."""

    def __init__(self, shape: Sequence[int | str], *, name: str = "input", kind: int = TensorProto.FLOAT) -> None:
        self.nodes: list[NodeProto] = []
        self.weights: list[TensorProto] = []
        self.inputs = [helper.make_tensor_value_info(name, kind, list(shape))]
        self.kind = kind
        self.last = name

    def constant(self, value: object, kind: type = np.float32) -> str:
        name = f"c{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.asarray(value, kind), name))
        return name

    def add(self, op: str, inputs: Sequence[str] | None = None, **attributes: object) -> str:
        """Append a node; default input: the last output."""
        self.last = self._append(op, [self.last] if inputs is None else list(inputs), attributes)
        return self.last

    def _append(self, op: str, inputs: list[str], attributes: dict[str, object]) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name

    def conv(self, weight: Array, bias: Array | None = None, **attributes: object) -> str:
        dtype = helper.tensor_dtype_to_np_dtype(self.kind).type
        inputs = [self.last, self.constant(weight, dtype)] + ([] if bias is None else [self.constant(bias, dtype)])
        return self.add("Conv", inputs, **attributes)

    def model(
        self, shape: Sequence[int | str] | None = None, *, opset: int | None = 17, ir_version: int = 8
    ) -> ModelProto:
        """Return the network, ending at the last tensor. opset None omits the opset."""
        output = helper.make_tensor_value_info(self.last, self.kind, shape)
        graph = helper.make_graph(self.nodes, "net", self.inputs, [output], initializer=self.weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset or 17)], ir_version=ir_version)
        if opset is None:
            del model.opset_import[:]
        return model


def random_weight(shape: tuple[int, ...], seed: int) -> Array:
    """Return variance-preserving weights (He et al. 2015)."""
    scale = np.sqrt(2.0 / np.prod(shape[1:]))
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


def johnson(
    net: Net, *, channels: int = 6, opset: int = 17, norm: bool = True, up: str = "transposed", seed: int = 1
) -> None:
    """Append a tiny network like Johnson et al. 2016.

    up: "transposed", "resize" (nearest), or "sizes" (Resize to constants for 64x64).
    """
    stage = iter(range(seed * 100, seed * 100 + 50))

    def pad(size: int) -> None:
        pads = [0, 0, size, size, 0, 0, size, size]
        if opset < 11:
            net.add("Pad", mode="reflect", pads=pads)
        else:
            net.add("Pad", [net.last, net.constant(pads, np.int64)], mode="reflect")

    def conv(out: int, into: int, size: int, stride: int = 1) -> None:
        pad(size // 2)
        net.conv(random_weight((out, into, size, size), next(stage)), np.zeros(out, np.float32), strides=[stride] * 2)

    def normalise(count: int) -> None:
        if norm:
            scale, shift = random_weight((count, 1), next(stage)).ravel() + 1, random_weight((count, 1), next(stage))
            net.add("InstanceNormalization", [net.last, net.constant(scale), net.constant(shift.ravel())])

    conv(channels, 3, 9)
    normalise(channels)
    net.add("Relu")
    for factor in (1, 2):
        conv(2 * factor * channels, factor * channels, 3, 2)
        normalise(2 * factor * channels)
        net.add("Relu")
    before = net.last
    conv(4 * channels, 4 * channels, 3)
    net.add("Add", [net.last, before])
    for index, factor in enumerate((4, 2)):
        if up == "transposed":
            weight = random_weight((factor * channels, factor * channels // 2, 3, 3), next(stage)) * 2
            net.add(
                "ConvTranspose",
                [net.last, net.constant(weight)],
                strides=[2, 2],
                pads=[1, 1, 1, 1],
                output_padding=[1, 1],
            )
        else:
            size = 32 * 2**index
            if up == "sizes":
                sizes = net.constant([1, factor * channels, size, size], np.int64)
                net.add(
                    "Resize", [net.last, "", "", sizes], mode="nearest", coordinate_transformation_mode="asymmetric"
                )
            elif opset < 9:
                net.add("Upsample", mode="nearest", scales=[1.0, 1.0, 2.0, 2.0])
            else:
                scales = net.constant([1, 1, 2, 2])
                region = net.constant([]) if opset < 13 else ""  # unused, and optional since opset 13
                inputs = [net.last, scales] if opset < 11 else [net.last, region, scales]
                net.add("Resize" if opset > 9 else "Upsample", inputs, mode="nearest")
            conv(factor * channels // 2, factor * channels, 3)
        normalise(factor * channels // 2)
        net.add("Relu")
    conv(3, channels, 9)


def canonical(
    net: Net, *, stride: int = 1, radius_px: int | None = 0, frame_statistics: bool = False, scale: int = 1
) -> Style:
    """Wrap a canonical net (input "frame") as a style, unloaded."""
    model = net.model([1, 3, "H", "W"] if scale == 1 else [1, 3, f"{scale}*H", f"{scale}*W"])
    for node in model.graph.node:
        for index, name in enumerate(node.output):
            if name == net.last:
                node.output[index] = "styled"
    model.graph.output[0].name = "styled"
    precision = "float16" if net.kind == TensorProto.FLOAT16 else "float32"
    card = ModelCard("test", "Test", ("test",), stride, radius_px, frame_statistics, precision, scale)
    return Style(card, model.SerializeToString(deterministic=True))


def _frame(kind: int = TensorProto.FLOAT) -> Net:
    return Net([1, 3, "H", "W"], name="frame", kind=kind)


def identity(*, half: bool = False) -> Style:
    net = _frame(TensorProto.FLOAT16 if half else TensorProto.FLOAT)
    net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1))
    return canonical(net)


def contrast(gain: float) -> Style:
    net = _frame()
    weight = gain * np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1)
    net.conv(weight, bias=np.full(3, 0.5 - 0.5 * gain, np.float32))
    return canonical(net)


def strided_identity(stride: int = 4) -> Style:
    net = _frame()
    net.add("SpaceToDepth", blocksize=stride)
    net.add("DepthToSpace", blocksize=stride)
    return canonical(net, stride=stride, radius_px=stride - 1)


def enlarger(scale: int, *, radius_px: int = 0) -> Style:
    """Enlarge pixels to the mean of the surrounding box, 0 outside."""
    net = _frame()
    side = 2 * radius_px + 1
    weight = np.zeros((3 * scale**2, 3, side, side), np.float32)
    for channel in range(3):
        weight[channel * scale**2 : (channel + 1) * scale**2, channel] = 1 / side**2
    net.conv(weight, pads=[radius_px] * 4)
    net.add("DepthToSpace", blocksize=scale, mode="CRD")
    return canonical(net, radius_px=radius_px, scale=scale)


def box_blur(radius_px: int = 2) -> Style:
    """Blur over (2 * radius_px + 1)^2 pixels, reflecting the border."""
    net = _frame()
    side = 2 * radius_px + 1
    net.add("Pad", [net.last, net.constant([0, 0, radius_px, radius_px] * 2, np.int64)], mode="reflect")
    net.conv(np.full((3, 1, side, side), 1 / side**2, np.float32), group=3)
    return canonical(net, radius_px=radius_px)


def reflected_conv(radius: int, seed: int) -> Style:
    """Return a network with a large receptive field and reflection padding."""
    net = _frame()
    for step in range(2):
        side = 2 * radius + 1
        net.add("Pad", [net.last, net.constant([0, 0, radius, radius] * 2, np.int64)], mode="reflect")
        net.conv(random_weight((3, 3, side, side), seed + step))
        net.add("Sigmoid")
    return canonical(net, radius_px=2 * radius)


def instance_norm() -> Style:
    """Normalise channels to mean 0.5, deviation 0.2 by frame."""
    net = _frame()
    net.add("InstanceNormalization", [net.last, net.constant([0.2] * 3), net.constant([0.5] * 3)])
    return canonical(net, frame_statistics=True)


def not_finite() -> Style:
    """Return log(frame - 0.1): NaN in dark areas."""
    net = _frame()
    net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1), np.full(3, -0.1, np.float32))
    net.add("Log")
    return canonical(net)


def amplified() -> Style:
    """Return the frame plus and minus 1000, lost in float16."""
    net = _frame()
    for offset in (1000, -1000):
        net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1), np.full(3, offset, np.float32))
    return canonical(net)


def blend() -> Style:
    """Return frame and negative as paintings, by "mix"."""
    net = _frame()
    net.inputs.append(helper.make_tensor_value_info("mix", TensorProto.FLOAT, [1, 2]))
    weight = net.add("MatMul", ["mix", net.constant([np.eye(3).ravel(), -np.eye(3).ravel()])])
    kernel = net.add("Reshape", [weight, net.constant([3, 3, 1, 1], np.int64)])
    offset = net.add("MatMul", ["mix", net.constant([[0, 0, 0], [1, 1, 1]])])
    bias = net.add("Reshape", [offset, net.constant([3], np.int64)])
    net.add("Conv", ["frame", kernel, bias])
    style = canonical(net)
    return Style(ModelCard("test", "Test", ("plain", "negative")), style.model)


def low_light() -> ModelProto:
    """Return a foreign network with outputs "light", an addend, and "enhanced", the sum."""
    net = Net([1, 3, "H", "W"])
    light = net.conv(np.eye(3, dtype=np.float32).reshape(3, 3, 1, 1) / 4)
    enhanced = net.add("Add", ["input", light])
    for name, made in (("light", light), ("enhanced", enhanced)):
        net.nodes.append(helper.make_node("Identity", [made], [name]))
    model = net.model()
    del model.graph.output[:]
    model.graph.output.extend(
        helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in ("light", "enhanced")
    )
    return model


def denoiser() -> ModelProto:
    """Return a foreign network: picture minus scalar input "sigma"."""
    net = Net([1, 3, "H", "W"])
    net.inputs.append(helper.make_tensor_value_info("sigma", TensorProto.FLOAT, [1]))
    net.add("Sub", ["input", "sigma"])
    return net.model()
