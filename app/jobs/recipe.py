"""Recipe: how a film is painted; with source and target, a job."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import PureWindowsPath
from typing import Any, Self

from framebrush.base.json_values import to_values
from framebrush.base.option import Declared, declared_in
from framebrush.gpu.look import Look
from framebrush.jobs.keyframes import STYLE, LookOverTime, Track, most, stroke_of
from framebrush.styles.specs import OWN_COLOURS, SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_paths import files_in, with_files

_FILE = "file"
"""The name of every file in a recipe that is known by contents."""


PARTS: dict[str, tuple[Declared, ...]] = {
    "look": declared_in(Look),
    "sizes": declared_in(SizeSpec),
    "colours": declared_in(ColourSpec),
}
"""Options of a recipe by the record that holds them."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Recipe of a film. Raises ValueError.

    style: name with paintings' weights. sizes: also stroke, brush and maps. keys: of look, stroke and style.
    """

    style: StyleSpec
    look: Look = field(default_factory=Look)
    sizes: SizeSpec = SOURCE_SIZE
    colours: ColourSpec = OWN_COLOURS
    keys: tuple[Track, ...] = ()

    def __post_init__(self) -> None:
        if self.look.mix:
            raise ValueError("the look has weights of paintings; they belong in the style's name, as in a:0.6,b:0.4")
        if len({track.of for track in self.keys}) < len(self.keys):
            raise ValueError("a value of the look has keyframes twice")

    @property
    def most_look(self) -> Look:
        """Look with each track's maximum, for planning."""
        return most(self.look, self.keys)

    @property
    def of_any_film(self) -> Self:
        """Recipe without film-specific parts, such as keyframes."""
        return replace(self, look=self.look.undivided, sizes=self.sizes.of_any_film, keys=())

    @property
    def alone(self) -> Self:
        """Recipe for a single picture."""
        found = self.at(0)
        return replace(found, look=found.look.alone, keys=tuple(track for track in self.keys if track.of == STYLE))

    def in_look_of(self, other: Recipe) -> Self:
        """Return another's look with this film's parts."""
        sizes, look = other.sizes.in_film_of(self.sizes), other.look.divided_as(self.look)
        return replace(self, style=other.style, look=look, sizes=sizes, colours=other.colours)

    def having(self, **values: object) -> Self:
        """Return the recipe with other values."""
        changed: dict[str, Any] = {}
        for part, options in PARTS.items():
            own = {each.field: values.pop(each.field) for each in options if each.field in values}
            changed[part] = replace(getattr(self, part), **own)
        if values:
            raise TypeError(f"a recipe has no value named {', '.join(values)}")
        return replace(self, **changed)

    @property
    def values(self) -> dict[str, Any]:
        """Option values, by field."""
        return {each.field: getattr(getattr(self, part), each.field) for part in PARTS for each in PARTS[part]}

    def at(self, number: int) -> Self:
        """Return the recipe with keyframes evaluated at a frame."""
        numbers = tuple(track for track in self.keys if track.of != STYLE)
        look, stroke = LookOverTime(self.look, numbers).at(number, Fraction()), stroke_of(self.keys, number, Fraction())
        return replace(self, look=look, sizes=self.sizes if stroke is None else replace(self.sizes, stroke=stroke))

    # The files that it names

    def with_files(self, moved: Callable[[str], str], frame: Callable[[str], str] | None = None) -> Self:
        """Return the recipe with paths mapped. frame: for "film.mp4@12.5"."""

        def named(text: str) -> str:
            return with_files(text, moved, frame)

        style, colours = replace(self.style, name=named(self.style.name)), self.colours.with_names(named)
        return replace(self, style=style, sizes=self.sizes.with_pictures(moved), colours=colours)

    @property
    def files(self) -> list[str]:
        """Paths of all named files."""
        found: list[str] = []

        def note(path: str) -> str:
            found.append(path)
            return path

        self.sizes.with_pictures(note)
        for name in (self.style.name, *self.colours.names):
            found += files_in(name)
        return found

    def by_content(self, content_of: Callable[[str], str]) -> Self:
        """Return the recipe with digests for file names.

        content_of: digests a picture or map; the style's digest covers other files.
        """

        def nameless(name: str) -> str:
            return _FILE if len(PureWindowsPath(name).parts) > 1 else name  # Windows paths accept both kinds of slash

        bare = self.with_files(lambda _: _FILE)
        style, colours = replace(bare.style, name=nameless(bare.style.name)), bare.colours.with_names(nameless)
        return replace(bare, style=style, colours=colours, sizes=self.sizes.with_pictures(content_of))

    @property
    def digest(self) -> str:
        """SHA-256 of all values, in hexadecimal."""
        return hashlib.sha256(json.dumps(to_values(self), sort_keys=True).encode()).hexdigest()


class HoldsRecipe:
    """Base of records with a recipe."""

    __slots__ = ()

    recipe: Recipe

    @property
    def style(self) -> StyleSpec:
        """See `Recipe`."""
        return self.recipe.style

    @property
    def look(self) -> Look:
        """See `Recipe`."""
        return self.recipe.look

    @property
    def sizes(self) -> SizeSpec:
        """See `Recipe`."""
        return self.recipe.sizes

    @property
    def colours(self) -> ColourSpec:
        """See `Recipe`."""
        return self.recipe.colours

    @property
    def keys(self) -> tuple[Track, ...]:
        """See `Recipe`."""
        return self.recipe.keys
