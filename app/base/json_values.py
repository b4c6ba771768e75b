"""Strict conversion of frozen dataclasses to JSON values and back, by type hints.

Fields are dataclasses, scalars, None, Literal, StrEnum, Fraction ("3/25"), tuples and unions. A record with the
metadata INLINE shares its parent's object.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from framebrush.base.text import count_of

T = TypeVar("T")

MAX_NUMBER = 1 << 53
"""Largest integer that is exact in every JSON reader (RFC 8259, section 6)."""

MAX_TEXT = 1 << 16  # characters: twice Windows' longest path

INLINE: Mapping[str, bool] = {"inline": True}
"""Metadata of a field with a record that shares its parent's JSON object."""

_FRACTION = re.compile(r"-?[0-9]{1,30}(/[0-9]{1,30})?", re.ASCII)


class JsonError(ValueError):
    """Unsuitable JSON value, in one sentence with the field's name."""


def to_values(item: object) -> Any:  # noqa: ANN401 - anything that JSON holds
    if dataclasses.is_dataclass(item) and not isinstance(item, type):
        values: dict[str, Any] = {}
        for field in dataclasses.fields(item):
            inner = to_values(getattr(item, field.name))
            values |= inner if _is_inline(field) else {field.name: inner}
        return values
    if isinstance(item, tuple):
        return [to_values(part) for part in item]
    if isinstance(item, Fraction | StrEnum):
        return str(item)
    return item


def to_text(item: object, *, indent: int | None = None) -> str:
    r"""Convert an item to JSON, escaping lone surrogates once more: "\udcff"."""
    return json.dumps(_as_unicode(to_values(item)), indent=indent, allow_nan=False)


def indented(values: object) -> str:
    """Format JSON values readably."""
    return json.dumps(values, indent=1, allow_nan=False)


def _as_unicode(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    match value:
        case str():
            return value.encode(errors="backslashreplace").decode()
        case list():
            return [_as_unicode(part) for part in value]
        case dict():
            return {key: _as_unicode(part) for key, part in value.items()}
    return value


def from_values(kind: type[T], values: object, name: str) -> T:
    """Convert `to_values`'s result to a dataclass. Raises JsonError with `name`."""
    return _read(kind, values, name)  # type: ignore[no-any-return]


def _read(kind: Any, value: object, name: str) -> Any:  # noqa: ANN401 - any type hint, and its value
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _read_union(get_args(kind), value, name)
    if origin is Literal:
        if any(type(value) is type(option) and value == option for option in get_args(kind)):
            return value
        raise JsonError(f"{name} is {_shown(value)}; it must be one of {', '.join(map(str, get_args(kind)))}")
    if origin is tuple:
        return _read_tuple(get_args(kind), value, name)
    if kind is float:
        return _read_float(value, name)
    if kind is int:
        return _read_int(value, name)
    if kind is Fraction:
        return _read_fraction(value, name)
    if dataclasses.is_dataclass(kind):
        return _read_dataclass(kind, value, name)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        if isinstance(value, str) and value in set(kind):
            return kind(value)
        raise JsonError(f"{name} is {_shown(value)}; it must be one of {', '.join(kind)}")
    if type(value) is not kind:
        raise JsonError(f"{name} is {_shown(value)}; it must be {_type_name(kind)}")
    if isinstance(value, str) and len(value) > MAX_TEXT:
        raise JsonError(f"{name} has {len(value)} characters; at most {MAX_TEXT} are allowed")
    return value


def _read_dataclass(kind: Any, value: object, name: str) -> Any:  # noqa: ANN401
    if not isinstance(value, dict):
        raise JsonError(f"{name} is {_shown(value)}; it must be an object")
    known = _keys(kind)
    for key in value:
        if key not in known:
            raise JsonError(f"{name} has an unknown field {_shown(key)}")
    hints, parts = _hints(kind), dict[str, Any]()
    for field in dataclasses.fields(kind):
        has_default = field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING
        if _is_inline(field):
            inner = {key: value[key] for key in _keys(hints[field.name]) if key in value}
            parts[field.name] = _read(hints[field.name], inner, name)
        elif field.name in value:
            parts[field.name] = _read(hints[field.name], value[field.name], f"{name}.{field.name}")
        elif not has_default:
            raise JsonError(f"{name} has no field '{field.name}'")
    try:
        return kind(**parts)
    except JsonError:
        raise
    except ValueError as error:
        raise JsonError(f"{name}: {error}") from None


def _read_union(kinds: tuple[Any, ...], value: object, name: str) -> Any:  # noqa: ANN401
    errors = []
    for kind in kinds:
        try:
            return _read(kind, value, name)
        except JsonError as error:
            if kind is not NoneType:
                errors.append(error)
    raise errors[0]


def _read_tuple(kinds: tuple[Any, ...], value: object, name: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise JsonError(f"{name} is {_shown(value)}; it must be a list")
    if kinds[-1] is Ellipsis:
        kinds = (kinds[0],) * len(value)
    if len(kinds) != len(value):
        raise JsonError(f"{name} has {count_of(len(value), 'value')}; it must have {len(kinds)}")
    pairs = zip(kinds, value, strict=True)
    return tuple(_read(kind, part, f"{name}[{index}]") for index, (kind, part) in enumerate(pairs))


def _read_float(value: object, name: str) -> float:
    if type(value) not in (int, float):
        raise JsonError(f"{name} is {_shown(value)}; it must be a number")
    assert isinstance(value, int | float)
    if not abs(value) <= MAX_NUMBER:  # NaN, too
        raise JsonError(f"{name} is {_shown(value)}; it must be a finite number of at most {MAX_NUMBER}")
    return float(value)


def _read_int(value: object, name: str) -> int:
    if type(value) is not int:
        raise JsonError(f"{name} is {_shown(value)}; it must be a whole number")
    if abs(value) > MAX_NUMBER:
        raise JsonError(f"{name} is {_shown(value)}; it must be at most {MAX_NUMBER}")
    return value


def _read_fraction(value: object, name: str) -> Fraction:
    if not isinstance(value, str) or not _FRACTION.fullmatch(value):
        raise JsonError(f"{name} is {_shown(value)}; it must be a text such as '5' or '3/25'")
    try:
        return Fraction(value)
    except ZeroDivisionError:
        raise JsonError(f"{name} is {value}; its denominator must not be 0") from None


def _is_inline(field: dataclasses.Field[Any]) -> bool:
    return "inline" in field.metadata


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


@cache
def _keys(kind: Any) -> tuple[str, ...]:  # noqa: ANN401 - mypy takes a class for unhashable
    found: list[str] = []
    for field in dataclasses.fields(kind):
        found += _keys(_hints(kind)[field.name]) if _is_inline(field) else [field.name]
    return tuple(found)


def _shown(value: object) -> str:
    if isinstance(value, int) and abs(value) > MAX_NUMBER:
        return f"a number of {value.bit_length()} bits"
    text = repr(value) if not isinstance(value, dict | list) else {dict: "an object", list: "a list"}[type(value)]
    return text if len(text) <= 60 else f"{text[:57]}…"


def _type_name(kind: object) -> str:
    return {str: "a text", bool: "true or false", NoneType: "null"}.get(kind, str(kind))  # type: ignore[call-overload, no-any-return]
