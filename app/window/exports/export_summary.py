"""Summary of an export: video, style and the look's changed options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication

from framebrush.base.option import Declared
from framebrush.jobs.keyframes import STYLE
from framebrush.jobs.recipe import PARTS, Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.styles.blends import parts_of
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.look.brush_kinds import titles
from framebrush.window.styles.catalog import words_of, words_of_blend
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


def summary_of(video: str, spec: JobSpec) -> str:
    """Describe an export. video: its name."""
    parts = [video, _style_words(spec), *words_on(spec.recipe)]
    if spec.keys:
        parts.append(QCoreApplication.translate("ExportDialog", "changes over time"))
    return "   ·   ".join(parts)


def _style_words(spec: JobSpec) -> str:
    over_time = [key.value for track in spec.keys if track.of == STYLE for key in track.keys]
    if over_time:
        return " / ".join(_named(style) for style in dict.fromkeys(map(str, over_time)))
    return _named(spec.style.name)


def _named(style: str) -> str:
    if style == PASSTHROUGH:
        return QCoreApplication.translate("ExportDialog", "no style")
    return words_of_blend(style)


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
