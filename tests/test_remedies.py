"""Words of the command line in errors: a window leaves them out."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from framebrush.base.remedy import RemediedError, cause_of
from framebrush.base.text import first_line
from framebrush.media.media_errors import OutputError
from framebrush.models.style import StyleError

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
OF_COMMANDS = re.compile(r"(?<![\w-])--[a-z]|same command|\b(?:TRY|SMALLER)_[A-Z]|framebrush (?:keys|transcode)")
MODULES = [path for room in ("app", "gpu", "models") for path in sorted((ROOT / room).rglob("*.py"))]
WINDOWLESS = [ROOT / "app" / room for room in ("cli", "machine")]


def kinds(trees: list[ast.Module]) -> set[str]:
    """Return the names of all errors with a remedy."""
    found, before = {RemediedError.__name__}, 0
    while before < len(found):
        before = len(found)
        for tree in trees:
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and found & {
                    base.id for base in node.bases if isinstance(base, ast.Name)
                }:
                    found.add(node.name)
    return found


def test_no_cause_has_words_of_the_command_line() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in MODULES}
    errors, wrong = kinds([*trees.values()]), []
    assert len(errors) > 20
    for path, tree in trees.items():
        if path.is_relative_to(WINDOWLESS[0]) or path.is_relative_to(WINDOWLESS[1]):
            continue
        for call in ast.walk(tree):
            match call:
                case ast.Call(func=ast.Name(name), args=[first, *_]) if name in errors:
                    cause = ast.unparse(first)
                    wrong += [f"{path.name}:{call.lineno}: {cause}"] * bool(OF_COMMANDS.search(cause))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", [OutputError, StyleError])
def test_a_window_says_the_cause_and_the_command_line_both(kind: type[RemediedError]) -> None:
    error = kind("no such\nfile", do="add --rate 24")
    assert str(error) == "no such file; add --rate 24"
    assert cause_of(error) == first_line(error) == "no such file"
    assert str(kind("no such file")) == cause_of(ValueError("no such file")) == "no such file"
