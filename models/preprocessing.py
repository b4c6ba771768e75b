"""Encoding of pictures as numbers for a network."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, nan
from typing import Annotated, Literal, get_args

from framebrush.base.option import Option
from framebrush.models.style import StyleError

Layout = Literal["nchw", "nhwc"]
Order = Literal["rgb", "bgr"]
ValueRange = Literal["unit", "signed", "byte", "imagenet", "caffe"]
Triple = tuple[float, float, float]

LAYOUTS: tuple[Layout, ...] = get_args(Layout)
RANGES: tuple[ValueRange, ...] = get_args(ValueRange)


@dataclass(frozen=True, slots=True)
class Coding:
    """Linear coding of R, G, B: scale * frame + offset, with frame 0..1."""

    scale: Triple
    offset: Triple

    @classmethod
    def of(cls, value_range: ValueRange, mean: Triple | None = None, std: Triple | None = None) -> Coding:
        """Return the coding of a range, or (frame * peak - mean) / std.

        mean, std: of R, G, B, in 0..1; for byte and caffe 0..255.
        """
        peak = 255.0 if value_range in ("byte", "caffe") else 1.0
        usual_mean, usual_std = {
            "unit": ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
            "byte": ((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
            "signed": ((0.5, 0.5, 0.5), (0.5, 0.5, 0.5)),
            "imagenet": ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
            "caffe": ((123.68, 116.779, 103.939), (1.0, 1.0, 1.0)),
        }[value_range]
        means, deviations = mean or usual_mean, std or usual_std
        if min(deviations) <= 0:
            raise StyleError(f"a standard deviation of {min(deviations):g} is not above 0")
        red, green, blue = ((peak / d, -m / d) for m, d in zip(means, deviations, strict=True))
        return cls((red[0], green[0], blue[0]), (red[1], green[1], blue[1]))


@dataclass(frozen=True, slots=True)
class Preprocessing:
    """Preprocessing of a network's input and result."""

    layout: Layout = "nchw"
    order: Order = "rgb"
    input_range: ValueRange = "unit"
    output_range: ValueRange = "unit"
    mean: Triple | None = None
    std: Triple | None = None

    @property
    def input(self) -> Coding:
        return Coding.of(self.input_range, self.mean, self.std)

    @property
    def output(self) -> Coding:
        return Coding.of(self.output_range)


def parse_values(texts: Iterable[str]) -> tuple[tuple[str, float], ...]:
    """Parse NAME=NUMBER; names may contain "=". Raises ValueError."""
    return tuple(_parsed_value(text) for text in texts)


def _parsed_value(text: str) -> tuple[str, float]:
    name, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = nan
    if not name or not isfinite(value):
        raise ValueError(f"{text[:60]!r} is no value of an input: write NAME=NUMBER, such as sigma=0.5")
    return name, value


MAX_VALUES, MAX_NAME_CHARS = 64, 1000


@dataclass(frozen=True, slots=True)
class PreprocessingOverrides:
    """User's facts about a third-party file; None if unknown. Raises ValueError.

    result: name of the picture output. values: other inputs, by name.
    """

    layout: Annotated[
        Layout | None,
        Option(
            "Axis order of a third-party network, if the guess is wrong.",
            "network",
            "network",
            "0.2",
            name="net_layout",
        ),
    ] = None
    order: Annotated[
        Order | None, Option("Channel order of a third-party network.", "network", "network", "0.2", name="net_order")
    ] = None
    input_range: Annotated[
        ValueRange | None,
        Option("Input range of a third-party network.", "network", "network", "0.2", name="net_input"),
    ] = None
    output_range: Annotated[
        ValueRange | None,
        Option("Output range of a third-party network.", "network", "network", "0.2", name="net_output"),
    ] = None
    mean: Triple | None = None
    std: Triple | None = None
    title: str | None = None
    result: Annotated[
        str | None,
        Option(
            "Name of a third-party network's output to use as the picture.",
            "network",
            "network",
            "0.3",
            name="net_result",
            metavar="NAME",
        ),
    ] = None
    values: Annotated[
        tuple[tuple[str, float], ...],
        Option(
            "Value of a third-party network's other input; repeat for each input.",
            "network",
            "network",
            "0.3",
            name="net_value",
            metavar="NAME=0.5",
            parse=parse_values,
        ),
    ] = ()

    def __post_init__(self) -> None:
        names = [name for name, _ in self.values]
        if len(names) > MAX_VALUES or any(len(name) > MAX_NAME_CHARS for name in (*names, self.result or "")):
            raise ValueError("more is said about the network than it can have inputs, or longer names")
        if len({*names}) < len(names):
            raise ValueError("the value of an input of the network is given twice")
        if not all(isfinite(value) for _, value in self.values):
            raise ValueError("the value of an input of the network is not a finite number")
