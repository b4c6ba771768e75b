"""Value ranges of networks without a declaration, found by trying; doubts are reported."""

from __future__ import annotations

import numpy as np
import pytest

from framebrush.models.preprocessing import Coding, PreprocessingOverrides, ValueRange
from framebrush.models.reading.style_conversion import make_style
from framebrush.models.sample_picture import sample_picture
from framebrush.models.style import Style
from tests import networks
from tests.networks import Net, random_weight

pytestmark = pytest.mark.unit


def enhancer(input_range: ValueRange, output_range: ValueRange, *, clip: bool = False, bias: bool = True) -> Net:
    """Three convolutions that mix the picture with features of it. Both ranges are folded into the convolutions, as
    training leaves them: no operator tells."""
    net = Net([1, 3, "H", "W"])
    random = np.random.default_rng(5)
    first = random_weight((16, 3, 3, 3), 1) * 0.5
    first[:3] = 0
    first[range(3), range(3), 1, 1] = 1
    shift = random.normal(0, 0.05, 16) * bias
    scale, offset = (np.array(numbers) for numbers in (Coding.of(input_range).scale, Coding.of(input_range).offset))
    shift[3:] -= (first.sum((2, 3)) @ (offset / scale))[3:]
    shift[:3] = -(offset / scale)
    net.conv((first / scale.reshape(1, 3, 1, 1)).astype(np.float32), shift.astype(np.float32), pads=[1] * 4)
    net.add("Relu")
    second = random_weight((16, 16, 3, 3), 2) * 0.3
    second[:3] *= 0.2
    second[range(3), range(3), 1, 1] += 1
    net.conv(second, (random.normal(0, 0.03, 16) * bias).astype(np.float32), pads=[1] * 4)
    net.add("Relu")
    third = random_weight((3, 16, 3, 3), 3) * 0.15
    third[range(3), range(3), 1, 1] += 0.9
    scale, offset = (np.array(numbers) for numbers in (Coding.of(output_range).scale, Coding.of(output_range).offset))
    net.conv((third * scale.reshape(3, 1, 1, 1)).astype(np.float32), offset.astype(np.float32), pads=[1] * 4)
    if clip:
        net.add("Clip", [net.last, net.constant(0.0), net.constant(255.0 if output_range == "byte" else 1.0)])
    return net


def psnr(net: Net, style: Style, input_range: ValueRange, output_range: ValueRange) -> float:
    """The style against the network run on numbers prepared here, in dB."""
    picture = sample_picture(96, 96)

    def run(model: bytes, numbers: np.ndarray) -> np.ndarray:
        session = networks.session(model)
        return np.asarray(session.run(None, {session.get_inputs()[0].name: numbers[None].astype(np.float32)})[0][0])

    def column(numbers: tuple[float, ...]) -> np.ndarray:
        return np.reshape(numbers, (3, 1, 1))

    into, out = Coding.of(input_range), Coding.of(output_range)
    raw = run(net.model().SerializeToString(), picture * column(into.scale) + column(into.offset))
    want = (raw - column(out.offset)) / column(out.scale)
    return float(-10 * np.log10(np.mean((run(style.model, picture) - want) ** 2) + 1e-12))


@pytest.mark.parametrize("clip", [False, True])
@pytest.mark.parametrize(
    ("input_range", "output_range"),
    [
        ("unit", "unit"),
        ("byte", "byte"),
        ("unit", "byte"),
        ("byte", "unit"),
        ("imagenet", "byte"),
        ("imagenet", "unit"),
        ("caffe", "byte"),
    ],
)
def test_networks_without_normalisation(input_range: ValueRange, output_range: ValueRange, clip: bool) -> None:
    net = enhancer(input_range, output_range, clip=clip)
    style = make_style(net.model(), "net")
    assert f"read as input {input_range} by trying it; output {output_range} by" in style.card.notes[0]
    assert psnr(net, style, input_range, output_range) > 60


def test_signed_both_ways() -> None:
    net = enhancer("signed", "signed")
    assert psnr(net, make_style(net.model(), "net"), "signed", "signed") > 60


def test_without_biases_any_scale_serves_and_unit_is_taken() -> None:
    net = enhancer("unit", "unit", bias=False)
    style = make_style(net.model(), "net")
    assert "read as input unit by trying it; output unit by trying it" in style.card.notes[0]
    assert psnr(net, style, "unit", "unit") > 60


def test_doubt_is_said() -> None:
    """With an input of -1..1 and an output of 0..1, an input of 0..1 fits as well."""
    net = enhancer("signed", "unit", clip=True)
    note = make_style(net.model(), "net").card.notes[0]
    assert "; uncertain, " in note
    assert "signed input" in note
    said = PreprocessingOverrides(input_range="signed")
    style = make_style(net.model(), "net", overrides=said)
    assert "uncertain" not in style.card.notes[0]
    assert psnr(net, style, "signed", "unit") > 60
