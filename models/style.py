"""The contract of a style: what a device needs of a network, and what a person wants to know of it.

Whatever the file looked like, a loaded `Style` is canonical, so a device knows one kind of network only:

- input "frame": (1, 3, H, W), encoded R'G'B' 0..1; float32, or float16 where `card.precision` says so
- output "styled": (1, 3, H * scale, W * scale), the same type, nominally 0..1, not clipped; scale is `card.scale`
- optional input "mix": (1, N) float32, weights of the N paintings of the file, summing to 1
- H and W are free symbolic dimensions, multiples of `card.stride`, or the one size that `card.fixed_size` says
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from framebrush.models.text import printable

Precision = Literal["auto", "float32", "float16"]
"""What a network computes in. auto: float16 where the device prefers it and the card says what that changes;
float32: as the file has it."""

SCALES = (1, 2, 3, 4)
"""What `ModelCard.scale` may be."""


class StyleError(ValueError):
    """A style cannot be used: which one, why, and what to do, in one line of printable characters."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


@dataclass(frozen=True, slots=True)
class ModelCard:
    """What is known of a network.

    - paintings: names of the styles that one file holds; one for an ordinary file
    - stride, in input pixels: the multiple that H and W must have
    - radius_px, in input pixels: radius of the receptive field of the convolutions. The `scale` x `scale` output pixels
      of input pixel (x, y) depend on no input pixel farther than this from it, to each side. None: not known
    - frame_statistics: the network also normalises by statistics of the whole frame (instance normalisation), so tiles
      change its look
    - scale, output pixels for each input pixel and axis: 1, 2, 3 or 4; above 1 the network enlarges
    - fixed_size, (width, height) in input pixels: the only size that the network runs at; None: any multiple of stride
    - notes: what a person should know of how the file was read, such as a value range that was guessed
    - float16_codes, codes of 8 bits: root mean square by which a real frame differs where the network computes in
      float16. None: not measured
    """

    name: str
    title: str
    paintings: tuple[str, ...]
    stride: int = 1
    radius_px: int | None = None
    frame_statistics: bool = False
    precision: Literal["float32", "float16"] = "float32"
    scale: int = 1
    fixed_size: tuple[int, int] | None = None
    licence: str = ""
    source: str = ""
    speed: Literal["realtime", "quality", "slow", ""] = ""
    notes: tuple[str, ...] = ()
    float16_codes: float | None = None


@dataclass(frozen=True, slots=True)
class Style:
    """A network ready for any device. model: serialised ONNX with the interface above."""

    card: ModelCard
    model: bytes

    def as_float16(self) -> Style:
        """The style with float16 tensors and weights; itself where it has them already. Raises StyleError for a network
        that would lose too much."""
        from framebrush.models.float16 import as_float16

        if self.card.precision == "float16":
            return self
        try:
            return Style(replace(self.card, precision="float16"), as_float16(self.model))
        except ValueError as error:
            raise StyleError(f"{self.card.title}: {error}; use --precision float32") from None

    def fixed(self, width_px: int, height_px: int, mix: tuple[float, ...] = ()) -> bytes:
        """The model with H and W set, as DirectML wants it and every provider runs it faster; with a mix, the input of
        that name becomes this constant.

        width_px, height_px: of the input. Raises ValueError where a side is not a multiple of the stride, or the size
        is not `card.fixed_size`.
        """
        if self.card.fixed_size and self.card.fixed_size != (width_px, height_px):
            only = "{}x{}".format(*self.card.fixed_size)
            raise ValueError(f"{width_px}x{height_px} is not {only}, the only size that the style runs at")
        if min(width_px, height_px) < 1 or width_px % self.card.stride or height_px % self.card.stride:
            raise ValueError(f"{width_px}x{height_px} is not a multiple of {self.card.stride}, the style's stride")
        import onnx  # here, not above: a device imports this module for the types alone

        model = onnx.load_model_from_string(self.model)
        for value in (*model.graph.input, *model.graph.output):
            if value.name in ("frame", "styled"):
                scale = self.card.scale if value.name == "styled" else 1
                for dim, size in zip(value.type.tensor_type.shape.dim[2:], (height_px, width_px), strict=True):
                    dim.dim_value = size * scale
        if mix:
            model.graph.input.remove(next(value for value in model.graph.input if value.name == "mix"))
            shape = (1, len(self.card.paintings))
            model.graph.initializer.append(onnx.helper.make_tensor("mix", onnx.TensorProto.FLOAT, shape, mix))
        return bytes(model.SerializeToString(deterministic=True))
