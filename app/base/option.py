"""Declarations of options: fields with type, default and an `Option`.

    @dataclass(frozen=True)
    class Look:
        strength: Annotated[
            float, Option("0 is the source, 1 the painting.", "look", "finishing", "0.2", range=(0, 1), keyframes=True)
        ] = 1.0

Command line, Python keywords, keyframes and docs/options.md follow from it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

Group = Literal["look", "brush", "subject", "colours", "size", "network"]

Changes = Literal["network", "sizes", "strokes", "finishing", "nothing"]
"""First stage that an option changes; later stages follow. "nothing": the painting is the same."""


Section = Literal["style", "brush", "subject", "colour", "time", "light"]
"""Section of the window's inspector, in its order."""


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """Row of an option in the inspector.

    Args:
        title, tip: for translators, in the context "Options".
        last: behind the section's other rows.
        advanced: hidden until *Advanced* is opened.
        needs: a style that paints, or an HDR film.
        words: names of a choice's values.
    """

    section: Section
    title: str
    tip: str
    _: dataclasses.KW_ONLY
    last: bool = False
    advanced: bool = False
    needs: Literal["", "style", "hdr"] = ""
    words: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Option:
    """Properties of an option besides its field's type and default.

    Args:
        since: first version.
        keyframes: it can change with the film.
        name: Python keyword, and with "-" for "_" the option; "" for the field's name.
        off: switch that turns it off; "" for the name after "no-".
        metavar: placeholder in help.
        default: words for a default of None.
        accepts: further type of the keyword, as source text.
        parse: converts texts of a repeated option.
        remembered: the window keeps it for the next film.
        summary: words on a changed value in an export's summary (`framebrush.window.exports.export_summary`).
        summary_of: other words, by value.
    """

    help: str
    group: Group
    changes: Changes
    since: str
    _: dataclasses.KW_ONLY
    range: tuple[float, float] | None = None
    unit: str = ""
    keyframes: bool = False
    name: str = ""
    off: str = ""
    metavar: str = ""
    default: str = ""
    file: bool = False
    accepts: str = ""
    parse: Callable[[Sequence[str]], Any] | None = None
    row: Row | None = None
    remembered: bool = False
    summary: str = ""
    summary_of: tuple[tuple[str, str], ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Declared:
    """Option's field. kind: its type. default: its default value."""

    field: str
    kind: Any
    default: Any
    option: Option

    @property
    def name(self) -> str:
        return self.option.name or self.field

    @property
    def spelling(self) -> str:
        return self.name.replace("_", "-")

    @property
    def off(self) -> str:
        """Return the switch that turns the option off."""
        return self.option.off or f"no-{self.spelling}"

    @property
    def kinds(self) -> tuple[Any, ...]:
        parts = tuple(part for part in get_args(self.kind) if part is not NoneType)
        return (self.kind,) if get_origin(self.kind) in (None, Literal, tuple) else parts

    @property
    def words(self) -> tuple[str, ...]:
        """Return texts that stand for numbers: "auto"."""
        literals = (get_args(part) for part in self.kinds if get_origin(part) is Literal)
        return tuple(word for words in literals for word in words)

    @property
    def number(self) -> type[float] | type[int] | None:
        """Return float or int if the option is a number."""
        return next((part for part in self.kinds if part in (float, int)), None)

    def text_of(self, value: object) -> str:
        """Format a value as `read` parses it."""
        return "" if value is None else str(value).lower() if self.kind is bool else str(value)

    def read(self, text: str) -> Any:  # noqa: ANN401
        """Parse a value. Raises ValueError."""
        if self.kind is bool:
            return {"true": True, "false": False}.get(text, self.default)
        if text in ("", "None"):
            return self.default
        return text if text in self.words or self.number is None else self.number(text)

    def check(self, value: object) -> None:
        """Raise ValueError for a number beyond the range."""
        if self.option.range is None or not isinstance(value, float | int):
            return
        low, high = self.option.range
        if not low <= value <= high:  # NaN, too
            unit = f" {self.option.unit}" if self.option.unit else ""
            says = f"{self.name.replace('_', ' ')} {value:g} is not between {low:g} and {high:g}{unit}"
            raise ValueError(says)


def declared_in(record: Any) -> tuple[Declared, ...]:  # noqa: ANN401 - a dataclass
    return _declared_in(record)


@cache
def _declared_in(record: Any) -> tuple[Declared, ...]:  # noqa: ANN401 - mypy takes a class for unhashable
    found, hints = [], get_type_hints(record, include_extras=True)
    for field in dataclasses.fields(record):
        hint = hints[field.name]
        option = next((part for part in get_args(hint)[1:] if isinstance(part, Option)), None)
        if get_origin(hint) is Annotated and option is not None:
            found.append(Declared(field.name, get_args(hint)[0], field.default, option))
    return tuple(found)


def check_ranges(record: object) -> None:
    """Raise ValueError for a field beyond its range."""
    for declared in declared_in(type(record)):
        declared.check(getattr(record, declared.field))
