"""Functions and classes stay short enough to be held in mind."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
MOST_LINES = {ast.FunctionDef: 60, ast.ClassDef: 300}
LONG = {"gpu/look.py Look"}
"""Declarations of options, which groups would only repeat."""


def test_functions_and_classes_are_short() -> None:
    found, long = 0, set()
    for path in (path for folder in ("app", "gpu", "models") for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found += 1
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MOST_LINES[type(node)]:
                    long.add(f"{path.relative_to(ROOT).as_posix()} {node.name}")
    assert found > 5000
    assert long == LONG
