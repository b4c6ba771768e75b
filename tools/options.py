"""Generate app/api/options.py and docs/options.md from the option declarations. A test fails if they are stale.

python tools/options.py
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.base.option import Declared, Group, declared_in  # noqa: E402
from framebrush.gpu.stages.look import Look  # noqa: E402
from framebrush.models.preprocessing import PreprocessingOverrides  # noqa: E402
from framebrush.styles.specs import ColourSpec, SizeSpec  # noqa: E402

RECORDS = Look, SizeSpec, ColourSpec, PreprocessingOverrides

KEYWORDS, PAGE = Path("app/api/options.py"), Path("docs/options.md")

HEAD = '''"""The options of a recipe as keywords.

`python tools/options.py` makes this file of their declarations.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, TypedDict

import numpy.typing as npt

{imports}


class RecipeOptions(TypedDict, total=False):
    """Keywords of a recipe; each option's help and range are in docs/options.md."""

'''

INTRODUCTION = """# Options of a painting

Every option of how a film is painted: on the command line for `transcode`, `frame`, `live`, `batch` and `bench`, in
Python for `framebrush.open` and `framebrush.paint` (with `_` for `-`), in job files and saved looks, and most in the
window. *Over time* marks those that can have keyframes (`--key NAME@PLACE=VALUE`). *Changes* is the first stage of a
frame that an option changes; the stages after it are computed anew, too: sizes, network, strokes (and all else between
the network and them), finishing. "Nothing" leaves the painting as it is. `python tools/options.py` makes this page.
"""

TITLES: dict[Group, str] = {
    "look": "Look",
    "brush": "Brush",
    "subject": "Subject",
    "colours": "Colours",
    "size": "Size",
    "network": "Networks of others",
}


def declared() -> Iterator[Declared]:
    """Yield all options of a recipe."""
    for record in RECORDS:
        yield from declared_in(record)


def keywords() -> str:
    """Return the source of the module with Python's keyword arguments."""
    enums = {kind for option in declared() for kind in option.kinds if _is_enum(kind)}
    names: dict[str, list[str]] = {}
    for kind in sorted(enums, key=lambda kind: kind.__name__):
        names.setdefault(kind.__module__, []).append(kind.__name__)
    imports = "\n".join(f"from {module} import {', '.join(names[module])}" for module in sorted(names))
    lines = (f"    {option.name}: {_type_of(option)}\n" for option in declared())
    return HEAD.format(imports=imports) + "".join(lines)


def page() -> str:
    """Return the options page of the docs."""
    parts = [INTRODUCTION]
    for group, title in TITLES.items():
        rows = [_row(option) for option in declared() if option.option.group == group]
        head = "| option | values | default | over time | changes | since | |\n|---|---|---|---|---|---|---|\n"
        parts.append(f"\n## {title}\n\n{head}" + "\n".join(rows) + "\n")
    return "".join(parts)


def _row(option: Declared) -> str:
    says = option.option
    name = f"`--{option.spelling}`" + (f", `--{option.off}`" if option.kind is bool else "")
    keys = "yes" if says.keyframes else ""
    cells = name, _values(option), _default(option), keys, says.changes, says.since, says.help
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"


def _values(option: Declared) -> str:
    says, words = option.option, option.words
    if says.range is not None:
        low, high = says.range
        unit = f" {says.unit}" if says.unit else ""
        return ", ".join((*words, f"{low:g} to {high:g}{unit}"))
    kind = option.kinds[0]
    if _is_enum(kind):
        return ", ".join(kind)
    return ", ".join(words) or says.metavar or ("on or off" if kind is bool else "")


def _default(option: Declared) -> str:
    if option.kind is bool:
        return "on" if option.default else "off"
    if option.default in (None, ()):
        return option.option.default
    return f"{option.default:g}" if isinstance(option.default, float) else str(option.default)


def _type_of(option: Declared) -> str:
    if option.option.parse is not None:
        return "Sequence[str]"
    names = [_name(kind) for kind in option.kinds]
    names += ["os.PathLike[str]"] * option.option.file + [option.option.accepts] * bool(option.option.accepts)
    if type(None) in get_args(option.kind):
        names.append("None")
    return " | ".join(names)


def _name(kind: Any) -> str:  # noqa: ANN401 - any type
    if get_origin(kind) is Literal:
        return f"Literal[{', '.join(_quoted(value) for value in get_args(kind))}]"
    if _is_enum(kind):
        return f"{kind.__name__} | Literal[{', '.join(_quoted(value) for value in kind)}]"
    return str(kind.__name__)


def _is_enum(kind: Any) -> bool:  # noqa: ANN401
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _quoted(text: str) -> str:
    return f'"{text}"'


if __name__ == "__main__":
    for path, text in ((KEYWORDS, keywords()), (PAGE, page())):
        (ROOT / path).write_text(text, encoding="utf-8")
