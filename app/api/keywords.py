"""Command-line options as keyword arguments."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, get_type_hints

import numpy as np

from framebrush.api.recipe_keywords import RecipeOptions
from framebrush.base.json_values import from_values, to_values
from framebrush.base.option import declared_in
from framebrush.gpu.device import Device
from framebrush.gpu.settings import EngineName
from framebrush.gpu.tiles import Tiling
from framebrush.jobs.keyframes import parse_keys
from framebrush.jobs.project import is_project, read_project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import read_look
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import OnMessage, ignore
from framebrush.media.reading.position import parse_position, position_text
from framebrush.media.video import Deinterlace
from framebrush.models.style import Precision
from framebrush.styles.specs import StyleSpec
from framebrush.styles.style_names import default_style


class PaintingOptions(RecipeOptions, total=False):
    """Painting options as in `framebrush frame`, with `_` for `-`."""

    look: str | os.PathLike[str]
    key: Sequence[str]
    tile: Tiling
    precision: Precision
    engine: EngineName


class FilmOptions(PaintingOptions, total=False):
    """Options of `framebrush transcode`, except its output options."""

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
    "keys": "key",
    "tiling": "tile",
    "playlists": "allow_playlists",
    "dolby_vision": "allow_dolby_vision",
}
"""Job fields whose command-line name differs, besides declared options."""

GroupT = TypeVar("GroupT")


_hints = cache(get_type_hints)  # a film may be many pictures


def job_of(
    source: str,
    style: str | os.PathLike[str] | None,
    options: PaintingOptions,
    known: frozenset[str],
    say: OnMessage = ignore,
) -> JobSpec:
    """Return the job of some options. known: allowed names.

    Raises: TypeError, ValueError, LookError for an unreadable look, ProjectError.
    """
    given: dict[str, Any] = {**options}
    if unknown := given.keys() - known:
        raise TypeError(f"there is no option {min(unknown)!r}; there are {', '.join(sorted(known))}")
    given = {name: _plain(value) for name, value in given.items()}
    if isinstance(given.get("size"), tuple | list):
        given["size"] = "x".join(map(str, given["size"]))
    if given.get("rate") is not None:
        given["rate"] = _rate(given["rate"])
    for name in ("start", "end"):
        if given.get(name) is not None:
            given[name] = parse_position(_place(given[name]))
    if "key" in given:
        given["key"] = parse_keys(_texts("key", given["key"]))
    file = given.pop("look", None)  # not a field of a job; a job's field of that name differs
    if is_project(source):
        base = read_project(Path(source), say).job_to("OUT", given.get("deinterlace"))
    else:
        base = JobSpec(source, "OUT", Recipe(StyleSpec(default_style())))
    saved = base.recipe
    if file is not None:
        look = read_look(Path(text_of("look", file)))
        saved = saved.in_look_of(look) if is_project(source) else look
    own = saved.style if style is None else StyleSpec(text_of("style", style))
    recipe = replace(
        saved,
        style=replace(own, preprocessing=_changed(own.preprocessing, given)),
        look=_changed(saved.look, given),
        sizes=_changed(saved.sizes, given),
        colours=_changed(saved.colours, given),
    )
    recipe = _changed(recipe, given)
    span, decode = _changed(base.range, given), _changed(base.decode, given)
    return _changed(replace(base, recipe=recipe, range=span, decode=decode), given)


def own_points(source: str, options: FilmOptions, spec: JobSpec) -> str:
    """Name a project's used points."""
    places = {"start": spec.range.start, "end": spec.range.end}
    own = [f"{name} is {position_text(at)}" for name, at in places.items() if at and name not in options]
    return f" ({' and '.join(own)}, as in the project)" if own and is_project(source) else ""


def _changed(group: GroupT, given: Mapping[str, Any]) -> GroupT:
    hints = _hints(type(group))  # type: ignore[arg-type]
    declared = {option.field: option for option in declared_in(type(group))}
    changes = {}
    for field in fields(group):  # type: ignore[arg-type]
        option = declared.get(field.name)
        keyword = option.name if option is not None else KEYWORDS.get(field.name, field.name)
        if keyword in given:
            value = given[keyword]
            if option is not None and option.option.parse is not None:
                value = option.option.parse(_texts(keyword, value))
            changes[field.name] = from_values(hints[field.name], to_values(value), keyword)
    return replace(group, **changes)  # type: ignore[type-var]


def _plain(value: object) -> object:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value.item() if isinstance(value, np.generic) else value


def text_of(name: str, value: object) -> str:
    """Return a text, or a path as text. Raises TypeError."""
    text = _plain(value)
    if not isinstance(text, str):
        raise TypeError(f"{name} is {text!r:.60}; it must be a text or a path")
    return text


def _texts(name: str, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Sequence):
        raise TypeError(f"{name} is {value!r:.60}; it must be a list of texts")
    return tuple(text_of(name, each) for each in value)


def check_device(device: object) -> None:
    """Raise TypeError for another type."""
    if not isinstance(device, str | Device):
        raise TypeError(f"device is {device!r:.60}; it must be a name, such as 'cuda' or '0', or an open device")


def _place(value: object) -> str:
    return format(Decimal(repr(value)), "f") if isinstance(value, float) else str(value)  # not 1e-07


def _rate(value: object) -> Fraction:
    try:
        return Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise ValueError(
            f"rate is {value!r:.60}; it must be frames per second, as a number or as a text such as '24000/1001'"
        ) from None
