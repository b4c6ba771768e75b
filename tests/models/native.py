"""Comparison of loaded styles with their original networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import onnx
from onnx import ModelProto

from framebrush.models.preprocessing import PreprocessingOverrides
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import Style
from tests import networks
from tests.networks import Net

SIZE = (64, 64)


def run(model: bytes | ModelProto, picture: np.ndarray, **more: np.ndarray) -> np.ndarray:
    data = model if isinstance(model, bytes) else model.SerializeToString()
    session = networks.session(data)
    return np.asarray(session.run(None, {session.get_inputs()[0].name: picture, **more})[0])


def styled(style: Style, picture: np.ndarray) -> np.ndarray:
    dtype = np.float16 if style.card.precision == "float16" else np.float32
    return run(style.model, picture[None].astype(dtype))[0]


def tail(net: Net, value_range: str) -> None:
    """Append the usual output activation for a value range."""
    if value_range == "unbounded":
        net.add("Add", [net.add("Mul", [net.last, net.constant(40.0)]), net.constant(120.0)])
        return
    if value_range == "unit":
        net.add("Sigmoid")
        return
    net.add("Tanh")
    if value_range == "byte":
        net.add("Add", [net.add("Mul", [net.last, net.constant(127.5)]), net.constant(127.5)])


def unit(picture: np.ndarray) -> np.ndarray:
    return picture


def byte(picture: np.ndarray) -> np.ndarray:
    return picture * 255


def divided() -> Net:
    net = Net([1, 3, 64, 64])
    net.add("Div", [net.last, net.constant(255.0)])
    return net


def check(
    net: Net,
    encode: Callable[[np.ndarray], np.ndarray],
    decode: Callable[[np.ndarray], np.ndarray],
    overrides: PreprocessingOverrides | None = None,
    tolerance: float = 1e-4,
    **model: Any,  # noqa: ANN401
) -> Style:
    """Load a net, and compare with the original in ONNX Runtime."""
    original = net.model(**model)
    picture = sample_picture(*SIZE)
    numbers = np.ascontiguousarray(encode(picture)[None], np.float32)
    want = decode(run(original, numbers)[0])
    style = make_style(ModelProto.FromString(original.SerializeToString()), "net", overrides=overrides)
    onnx.checker.check_model(style.model, full_check=True)
    np.testing.assert_allclose(styled(style, picture), want, atol=tolerance, rtol=0)
    assert want.std() > 0.02, "a flat picture proves nothing"
    wide = styled(style, sample_picture(SIZE[0] + style.card.stride, SIZE[1] * 2))
    assert wide.shape == (3, SIZE[0] + style.card.stride, SIZE[1] * 2)
    return style
