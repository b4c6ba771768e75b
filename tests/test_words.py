"""Docstrings name things: phrases in which a pronoun stands for a noun stay rare in each package."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

RIDDLE = re.compile(
    r"\b(what (?:is|a|an|the|of|it|they|becomes|was|does|has|stands|lies)|of which|of whom|whose|whom"
    r"|those (?:that|of|who)|that of|the one (?:that|who|for|of)|of (?:its|one's|ours|theirs|our)(?: own)?"
    r"|as (?:it is|they are)|so many|is (?:there|told|asked for)|that is to be|which is|all of (?:it|them))\b",
    re.IGNORECASE,
)

MOST_PER_100_WORDS = 0.2

MOST_WORDS = {"app": 44_500, "gpu": 19_500, "models": 6_500}


def docstrings(source: str) -> list[str]:
    """Return the docstrings of a module's text."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(ast.parse(source)) if isinstance(node, kinds))
    return [text for text in found if text]


def riddles(texts: list[str]) -> float:
    """Return the number of riddles per 100 words."""
    words = sum(len(text.split()) for text in texts)
    return 100 * sum(len(RIDDLE.findall(text)) for text in texts) / words


@pytest.mark.parametrize("package", ["app", "gpu", "models"])
def test_docstrings_name_things(package: str) -> None:
    texts = [text for path in (ROOT / package).rglob("*.py") for text in docstrings(path.read_text(encoding="utf-8"))]
    assert len(texts) > 100
    assert riddles(texts) <= MOST_PER_100_WORDS
    assert sum(len(text.split()) for text in texts) <= MOST_WORDS[package]


def test_a_riddle_is_found() -> None:
    assert docstrings('"""One."""\ndef f():\n    """What it reads alone, and those that it writes."""') == [
        "One.",
        "What it reads alone, and those that it writes.",
    ]
    assert riddles(["What it reads alone, and those that it writes."]) == pytest.approx(2 / 9 * 100)
    assert riddles(["The read-only and the written resources of a pass."]) == 0
