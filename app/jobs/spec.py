"""Job as data, in versioned JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NoReturn, Self

from framebrush.base.json_values import INLINE, JsonError, from_values, to_values
from framebrush.gpu.settings import EngineName
from framebrush.gpu.tiles import Tiling
from framebrush.jobs.recipe import HoldsRecipe, Recipe
from framebrush.media.encoding.pixels import AUTO
from framebrush.media.video import MAX_RATE, Deinterlace, OpenOptions, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.models.style import Precision
from framebrush.styles.specs import MAX_SIDE_PX

VERSION = 1
"""Version of the JSON. Increase it when adding a field that older programs would misread."""

MIN_TILE_PX = 64
MAX_SEGMENT_FRAMES = 1_000_000  # eleven hours at 25 fps
MAX_REVEAL_S = 3600


@dataclass(frozen=True, slots=True)
class DecodeOptions:
    """Decoding options.

    deinterlace: ranges count its frames. hwaccel: "d3d12va", "d3d11va", "cuda" or "auto".
    """

    deinterlace: Deinterlace = "auto"
    hwaccel: str | None = None
    playlists: bool = False
    rate: Fraction | None = None
    dolby_vision: bool = False

    def __post_init__(self) -> None:
        if self.rate is not None and not 0 < self.rate <= MAX_RATE:
            raise ValueError(f"a rate of {float(self.rate):g} is not above 0 and at most {MAX_RATE} frames a second")

    @property
    def opening(self) -> OpenOptions:
        """Permissions beyond plain files."""
        return OpenOptions(self.playlists, self.rate, self.dolby_vision)


@dataclass(frozen=True, slots=True)
class JobSpec(HoldsRecipe):
    """Source, recipe and target. Raises ValueError.

    Args:
        source: for `open_frame_source`.
        segments: approximate frames each; "off" for one piece.
        device: as for `--device`.
        statistics: of instance normalisation.
        reveal_s: length of the reveal before the film.
        owner: may discard kept work.
    """

    source: str
    target: str
    recipe: Recipe = field(metadata=INLINE)
    range: TimeRange = field(default_factory=TimeRange)
    tiling: Tiling = "auto"
    decode: DecodeOptions = field(default_factory=DecodeOptions)
    output: OutputOptions = field(default_factory=OutputOptions)
    device: str = "auto"
    precision: Precision = "auto"
    segments: Literal["auto", "off"] | int = "auto"
    statistics: Literal["frame", "shot"] = "frame"
    engine: EngineName = "auto"
    reveal_s: Fraction | None = None
    owner: str = ""

    def __post_init__(self) -> None:
        if not self.source:
            raise ValueError("the job has no source")
        if not self.target:
            raise ValueError("the job has no target")
        if isinstance(self.tiling, int) and not MIN_TILE_PX <= self.tiling <= MAX_SIDE_PX:
            raise ValueError(f"tiles of {self.tiling} px are not between {MIN_TILE_PX} and {MAX_SIDE_PX}")
        if isinstance(self.segments, int) and not 1 <= self.segments <= MAX_SEGMENT_FRAMES:
            raise ValueError(f"segments of {self.segments} frames are not between 1 and {MAX_SEGMENT_FRAMES}")
        for place in (self.range.start, self.range.end):
            if place is not None and (place.value < 0 or (place.unit == "frame" and place.value.denominator != 1)):
                raise ValueError(f"{place.value} is not a position in a video ({place.unit})")
        if self.reveal_s is not None:
            check_reveal_length(self.reveal_s)
        if self.range.frames is not None and self.range.frames < 1:
            raise ValueError(f"{self.range.frames} frames are not a range")

    @property
    def devices(self) -> tuple[str, ...]:
        """Names in `device`. Raises ValueError."""
        names = tuple(name.strip() for name in self.device.split(","))
        if not all(names):
            raise ValueError(f"--device {self.device}: a name is missing")
        return names

    def to_values(self) -> dict[str, Any]:
        """Convert to JSON values with version."""
        return {"version": VERSION, **to_values(self)}

    def to_json(self) -> str:
        return json.dumps(self.to_values(), allow_nan=False)

    @classmethod
    def from_values(cls, values: object) -> Self:
        """Parse values, adding defaults. Raises JsonError."""
        if not isinstance(values, dict):
            raise JsonError("a job must be a JSON object")
        version = values.get("version")
        if type(version) is not int or version < 1:
            raise JsonError("a job must have a version, a whole number from 1")
        if version > VERSION:
            raise JsonError(
                f"the job was written by a newer Framebrush (format {str(version)[:9]}, this one reads {VERSION}); "
                "update Framebrush"
            )
        current = {key: value for key, value in values.items() if key != "version"}
        if isinstance(output := current.get("output"), dict) and "bits" in output:
            current["output"] = _with_pixel_format(output)
        if isinstance(decode := current.get("decode"), dict) and isinstance(whether := decode.get("deinterlace"), bool):
            current["decode"] = {**decode, "deinterlace": "auto" if whether else "off"}  # format of version 0.2
        return from_values(cls, current, "job")

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Parse JSON. Raises JsonError."""
        try:
            values = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_unique)
        except JsonError:
            raise
        except (ValueError, RecursionError) as error:  # numbers of thousands of digits are ValueErrors, too
            raise JsonError(f"the job is not JSON ({str(error)[:80] or type(error).__name__})") from None
        return cls.from_values(values)


def check_reveal_length(seconds: Fraction) -> None:
    """Raise ValueError for an impossible length."""
    if not 0 < seconds <= MAX_REVEAL_S:
        raise ValueError(f"a reveal of {float(seconds):g} s is not above 0 and at most {MAX_REVEAL_S} s long")


def _with_pixel_format(output: dict[str, Any]) -> dict[str, Any]:
    known = {None: AUTO, 8: "yuv420p", 10: "yuv420p10le"}
    bits = output["bits"]
    if not (bits is None or isinstance(bits, int)) or bits not in known:
        raise JsonError("job.output.bits must be 8 or 10, or null")
    return {**{key: value for key, value in output.items() if key != "bits"}, "pix_fmt": known[bits]}


def _refuse_constant(name: str) -> NoReturn:
    raise JsonError(f"the job contains {name}; JSON allows finite numbers only")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise JsonError("the job has a field twice")
    return values
