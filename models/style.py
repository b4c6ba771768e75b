"""The contract of a style: what a device needs of a network, and what a person wants to know of it.

Whatever the file looked like, a loaded `Style` is canonical, so a device knows one kind of network only:

- input "frame": (1, 3, H, W), encoded R'G'B' 0..1; float32, or float16 where `card.precision` says so
- output "styled": the same shape and type, nominally 0..1, not clipped
- optional input "mix": (1, N) float32, weights of the N paintings of the file, summing to 1
- H and W are free symbolic dimensions, multiples of `card.stride`
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Card:
    """What is known of a network.

    stride: the multiple that H and W must have. radius_px: how far an output pixel sees, in input pixels, to each
    side; None where it sees the whole frame or it could not be found out. frame_statistics: the network normalises by
    statistics of the frame (instance normalisation), so tiles change its look. paintings: names of the styles that
    one file holds, one for an ordinary file.
    """

    name: str
    title: str
    paintings: tuple[str, ...]
    stride: int = 1
    radius_px: int | None = None
    frame_statistics: bool = False
    precision: Literal["float32", "float16"] = "float32"
    licence: str = ""
    source: str = ""
    speed: Literal["realtime", "quality", "slow", ""] = ""


@dataclass(frozen=True, slots=True)
class Style:
    """A network ready for any device. model: serialised ONNX with the interface above."""

    card: Card
    model: bytes

    def fixed(self, width_px: int, height_px: int) -> bytes:
        """The model with H and W set, as DirectML wants it and every provider runs it faster.

        Raises ValueError where a side is not a multiple of the stride.
        """
        raise NotImplementedError
