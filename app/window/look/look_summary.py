"""Summary of a recipe's changed options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from framebrush.base.option import Declared
from framebrush.jobs.recipe import PARTS, Recipe
from framebrush.styles.blends import parts_of
from framebrush.window.look.brush_kinds import titles
from framebrush.window.styles.catalog import words_of
from framebrush.window.widgets.numbers import decimal, percent
from framebrush.window.widgets.rows import translated

PLACEHOLDERS: dict[str, Callable[[Any], str]] = {
    "{percent}": percent,
    "{number}": lambda number: decimal(number, signed=True),
    "{name}": lambda path: Path(path).stem,
    "{picture}": words_of,
    "{styles}": lambda name: " + ".join(map(words_of, parts_of(name))),
    "{brush}": lambda kind: titles()[kind],
}
"""Words on a value in an option's `summary`; {title} is the title of its row."""


def words_on(recipe: Recipe) -> list[str]:
    """Describe the changed options that have an effect, without keyframes."""
    look = recipe.look
    values = replace(recipe, sizes=recipe.sizes.used_by(look), colours=recipe.colours.used_by(look)).values
    keyed = {track.of for track in recipe.keys}
    return [
        _words(option, values[option.field])
        for options in PARTS.values()
        for option in options
        if option.option.summary and values[option.field] != option.default and option.field not in keyed
    ]


def _words(option: Declared, value: Any) -> str:  # noqa: ANN401
    says = option.option
    text = translated(dict(says.summary_of).get(value, says.summary))
    if says.row is not None:
        text = text.replace("{title}", translated(says.row.title))
    for placeholder, words in PLACEHOLDERS.items():
        if placeholder in text:
            text = text.replace(placeholder, words(value))
    return text
