"""Options of the command line about the input and the program itself."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import Annotated

import typer

from framebrush.jobs.spec import MAX_RATE, DecodeOptions

Playlists = Annotated[bool, typer.Option("--allow-playlists", help="IN may be a playlist of files in its folder.")]
DolbyVision = Annotated[
    bool, typer.Option("--allow-dolby-vision", help="IN may have Dolby Vision colours only, which come out wrong.")
]
Rate = Annotated[
    str | None,
    typer.Option(metavar="FPS", help="IN is numbered pictures (frames/%05d.png) at this rate.", show_default=False),
]


class HwAccel(StrEnum):
    """The values of `--hwaccel`."""

    AUTO = "auto"
    D3D12VA = "d3d12va"
    D3D11VA = "d3d11va"
    CUDA = "cuda"


def decode_options(playlists: bool, rate: str | None, dolby_vision: bool = False) -> DecodeOptions:
    """The decode options that these values describe. rate: frames a second, such as 24, 23.976 or 24000/1001.

    Raises ValueError.
    """
    try:
        value = None if rate is None else Fraction(rate)
        return DecodeOptions(playlists=playlists, rate=value, dolby_vision=dolby_vision)
    except (ValueError, ZeroDivisionError):
        says = f"--rate {rate}: give frames a second above 0 and up to {MAX_RATE}, such as 24 or 24000/1001"
        raise ValueError(says) from None
