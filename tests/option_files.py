"""Product files that an option appears in."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from framebrush.base.option import Declared, declared_in
from tools.options import KEYWORDS, RECORDS, ROOT

ROOMS = "app", "gpu", "models"

GENERATED = str(KEYWORDS)

PARTS = {
    "Look": {"look", "resolved", "used", "shown"},
    "SizeSpec": {"sizes", "asked"},
    "ColourSpec": {"colours", "asked"},
    "PreprocessingOverrides": {"preprocessing", "network"},
}
"""Names of variables and fields that hold a record, beside those that are annotated with it."""


def files_of(option: Declared) -> set[str]:
    """Return files, except generated, that would change with an option's name.

    They declare it, read or set it as a record's field, or spell it in a text; in app, a name of several words also
    counts as identifier or whole text.
    """
    record = next(each.__name__ for each in RECORDS if option in declared_in(each))
    names = {option.name, option.field}
    several = {name for name in names if "_" in name}
    found = set()
    for path in _nodes():
        spelled = f"--{option.spelling}"
        if (
            (path.startswith("app/") and _identifiers(path) & several)
            or (record, option.field) in _fields(path)
            or any(re.search(rf"{re.escape(spelled)}(?![\w-])", text) for text in _texts(path))
            or names & _declared(path, record)
        ):
            found.add(path)
    return found - {GENERATED}


@cache
def _nodes() -> dict[str, list[ast.AST]]:
    paths = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))] for path in paths}


@cache
def _identifiers(path: str) -> set[str]:
    return set(_named(_nodes()[path]))


def _named(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                yield name
            case ast.keyword(arg=str(name)) | ast.Constant(value=str(name)):
                yield name


@cache
def _texts(path: str) -> list[str]:
    nodes = _nodes()[path]
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    calls = (node for node in nodes if isinstance(node, ast.Call))
    alone |= {id(arg) for call in calls if _last(call.func) == "add_argument" for arg in call.args}
    constants = (node for node in nodes if isinstance(node, ast.Constant) and id(node) not in alone)
    return [node.value for node in constants if isinstance(node.value, str) and "--" in node.value]


@cache
def _fields(path: str) -> set[tuple[str, str]]:
    nodes, found = _nodes()[path], set()
    for record, parts in PARTS.items():
        holders = parts | _annotated(nodes, record)
        for node in nodes:
            match node:
                case ast.Attribute(value=held, attr=field) if _last(held) in holders:
                    found.add((record, field))
                case ast.Call(func=made, args=args, keywords=given) if _last(made) == record or (
                    _last(made) == "replace" and args and _last(args[0]) in holders
                ):
                    found |= {(record, each.arg) for each in given if each.arg is not None}
    return found


def _annotated(nodes: list[ast.AST], record: str) -> set[str]:
    found = set()
    for node in nodes:
        match node:
            case ast.arg(arg=name, annotation=ast.Name(id=kind)) if kind == record:
                found.add(name)
            case ast.AnnAssign(target=target, annotation=ast.Name(id=kind)) if kind == record:
                found.add(_last(target))
            case ast.FunctionDef(name=name, returns=ast.Name(id=kind)) if kind == record:
                found.add(name)
    return found


def _last(node: ast.expr) -> str:
    """Return an expression's last name: look of `spec.look`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=made):
            return _last(made)
    return ""


@cache
def _declared(path: str, record: str) -> set[str]:
    """Return the fields of a record that a file declares."""
    classes = (node for node in _nodes()[path] if isinstance(node, ast.ClassDef) and node.name == record)
    return {_last(line.target) for made in classes for line in made.body if isinstance(line, ast.AnnAssign)}
