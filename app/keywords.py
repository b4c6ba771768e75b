"""The options of the command line as keyword arguments of `framebrush.open` and `framebrush.paint`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar

from framebrush.gpu.stages.look import ToneCurve, ToneMap
from framebrush.gpu.stylizer import EngineName
from framebrush.gpu.tiles import Tiling
from framebrush.jobs.keys import OPTIONS, parse_keys
from framebrush.jobs.saved_look import SavedLook
from framebrush.jobs.spec import DecodeOptions, JobSpec, SizeSpec, StyleSpec
from framebrush.media.position import parse_position
from framebrush.media.video import Deinterlace, TimeRange
from framebrush.models.preprocessing import Layout, Order, ValueRange, parse_values
from framebrush.models.style import Precision
from framebrush.styles.names import default_style


class PaintingOptions(TypedDict, total=False):
    """How pictures are painted: the names, values and defaults are those of `framebrush frame`, with `_` for `-`."""

    look: str | os.PathLike[str]
    net_layout: Layout | None
    net_order: Order | None
    net_input: ValueRange | None
    net_output: ValueRange | None
    net_result: str | None
    net_value: Sequence[str]
    strength: float
    steady: float
    brush: float | None
    detail: float
    relief: float | None
    canvas: float | None
    lamp: float
    keep_colours: bool
    exposure: float
    tone_curve: ToneCurve | Literal["clip", "reinhard", "hable"]
    tone_map: ToneMap | Literal["bt2390", "hable"]
    split: float | None
    dither: bool
    key: Sequence[str]
    palette: str | os.PathLike[str] | None
    palette_from: str | os.PathLike[str] | None
    lut: str | os.PathLike[str] | None
    lut_first: bool
    stroke: float | Literal["auto"]
    size: tuple[int, int] | str | None
    max_size: int | None
    tile: Tiling
    precision: Precision
    engine: EngineName


class FilmOptions(PaintingOptions, total=False):
    """How a film is read and painted: those of `framebrush transcode`, without what concerns its result."""

    start: float | str | None
    end: float | str | None
    frames: int | None
    statistics: Literal["frame", "shot"]
    deinterlace: Deinterlace
    hwaccel: Literal["auto", "d3d12va", "d3d11va", "cuda"] | None
    rate: Fraction | float | str | None
    allow_playlists: bool
    allow_dolby_vision: bool


KEYWORDS = {
    **OPTIONS,
    "keys": "key",
    "tiling": "tile",
    "playlists": "allow_playlists",
    "dolby_vision": "allow_dolby_vision",
    "layout": "net_layout",
    "order": "net_order",
    "input_range": "net_input",
    "output_range": "net_output",
    "result": "net_result",
    "values": "net_value",
}
"""Fields of a job that the command line calls otherwise."""

TEXTS = ("palette", "palette_from", "lut")

GroupT = TypeVar("GroupT")


def job_of(
    source: str, style: str | os.PathLike[str] | None, options: PaintingOptions, known: frozenset[str]
) -> JobSpec:
    """The job that the options describe; its target is never written. known: the options that there are.

    Raises TypeError for another one, ValueError for a value that cannot be, LookError for a saved look that cannot be
    read.
    """
    given: dict[str, Any] = {**options}
    if unknown := given.keys() - known:
        raise TypeError(f"there is no option {min(unknown)!r}; there are {', '.join(sorted(known))}")
    given |= {name: os.fspath(given[name]) for name in TEXTS if given.get(name) is not None}
    for name, kind in (("tone_curve", ToneCurve), ("tone_map", ToneMap)):
        if name in given:
            given[name] = kind(given[name])
    if isinstance(given.get("size"), tuple):
        given["size"] = "{}x{}".format(*given["size"])
    if given.get("rate") is not None:
        given["rate"] = Fraction(str(given["rate"]))
    for name in ("start", "end"):
        if given.get(name) is not None:
            given[name] = parse_position(str(given[name]))
    if "net_value" in given:
        given["net_value"] = parse_values(given["net_value"])
    if "key" in given:
        given["key"] = parse_keys(tuple(given["key"]))
    file = given.pop("look", None)  # no field of a job, which has its own of that name
    saved = SavedLook(StyleSpec(default_style())) if file is None else SavedLook.read(Path(file))
    name = saved.style.name if style is None else os.fspath(style)
    job = JobSpec(
        source,
        "OUT",
        StyleSpec(name, _changed(saved.style.preprocessing, given)),
        _changed(saved.look, given),
        range=_changed(TimeRange(), given),
        sizes=_changed(SizeSpec(saved.stroke), given),
        decode=_changed(DecodeOptions(), given),
        colours=_changed(saved.colours, given),
    )
    return _changed(job, given)


def _changed(group: GroupT, given: Mapping[str, Any]) -> GroupT:
    """A job, or a group of one, with the values that are given for its fields."""
    keywords = {field.name: KEYWORDS.get(field.name, field.name) for field in fields(group)}  # type: ignore[arg-type]
    changes = {field: given[keyword] for field, keyword in keywords.items() if keyword in given}
    return replace(group, **changes)  # type: ignore[type-var]
