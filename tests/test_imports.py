"""Imports point one way, from room to room, and no modules import each other in a circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[1]
FOLDERS = {"framebrush": "app", "framebrush.gpu": "gpu", "framebrush.models": "models"}


def modules() -> dict[str, Path]:
    """Every module of the package by its name."""
    found = {}
    for package, folder in FOLDERS.items():
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            found[".".join((package, *(part for part in parts if part != "__init__")))] = path
    return found


def imports(tree: ast.AST) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(module, names) of every import, those for the type checker included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, tuple(alias.name for alias in node.names)


@cache
def graph() -> dict[str, set[str]]:
    """What each module imports of the package's own modules."""
    known = modules()
    edges: dict[str, set[str]] = {}
    for name, path in known.items():
        found = edges.setdefault(name, set())
        for module, names in imports(ast.parse(path.read_text(encoding="utf-8"))):
            inner = {f"{module}.{one}" for one in names} & known.keys()
            found |= inner or ({module} & known.keys())
        found.discard(name)
    return edges


def test_no_module_imports_private_names_of_another() -> None:
    known = modules()
    found = [
        f"{importer}: {module}.{name}"
        for importer, path in known.items()
        for module, names in imports(ast.parse(path.read_text(encoding="utf-8")))
        for name in names
        if module in known and name.startswith("_") and not name.startswith("__")
    ]
    assert found == []


def test_there_is_no_circle() -> None:
    edges = graph()
    assert len(edges) > 100
    try:
        list(TopologicalSorter(edges).static_order())
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_folders_import_each_other_in_one_direction() -> None:
    folders = {name: path.parent.relative_to(ROOT).as_posix() for name, path in modules().items()}
    pairs = {(folders[name], folders[target]) for name, targets in graph().items() for target in targets}
    assert {pair for pair in pairs if pair[0] != pair[1] and pair[::-1] in pairs} == set()


def test_file_names_are_unique() -> None:
    """Only backends and stages share file names, each for the same part of a folder."""
    found: dict[str, list[str]] = {}
    for path in (
        *(path for folder in FOLDERS.values() for path in (ROOT / folder).rglob("*.py")),
        *(ROOT / "tools").glob("*.py"),
    ):
        if path.name != "__init__.py":
            found.setdefault(path.name, []).append(path.relative_to(ROOT).parts[0])
    shared = {name: folders for name, folders in found.items() if len(folders) > 1}
    assert {name for name, folders in shared.items() if set(folders) != {"gpu"}} == set()


FOUNDATIONS = {"base", "gpu", "models"}

BELOW = {
    "base": {"base"},
    "gpu": {"base", "gpu", "models.brushes", "models.soft_masks", "models.style", "models.colours.colour_table"},
    "models": {"base", "models"},
    "media": FOUNDATIONS - {"models"} | {"media"},
    "analysis": FOUNDATIONS | {"analysis", "media.video"},
    "subject": FOUNDATIONS | {"subject"},
    "styles": FOUNDATIONS | {"media", "analysis", "subject", "styles"},
    "jobs": FOUNDATIONS | {"media", "analysis", "subject", "styles", "jobs"},
    "painted": FOUNDATIONS | {"media", "analysis", "sample", "styles", "jobs", "painted"},
    "playback": FOUNDATIONS | {"media", "analysis", "subject", "styles", "jobs", "playback"},
    "machine": FOUNDATIONS | {"media", "styles", "jobs", "machine"},
    "api": FOUNDATIONS | {"media", "analysis", "styles", "jobs", "api"},
    "sample": set[str](),
    "licences": {"base", "licences"},
}
BELOW["window"] = BELOW.keys() - {"api"} | {"window"}
BELOW["cli"] = BELOW["window"] | {"cli"}
"""What each room may import."""


def test_rooms_import_only_what_is_below_them() -> None:
    edges = graph()
    rooms = {name.split(".")[1] for name in edges if "." in name}
    assert rooms == BELOW.keys() | {"__main__", "comfyui", "vapoursynth"}, "a room that no rule knows"
    for name, targets in edges.items():
        room = name.removeprefix("framebrush.").split(".")[0]
        for target in targets if room in BELOW else ():
            inner = target.removeprefix("framebrush.")
            assert any(inner == one or inner.startswith(f"{one}.") for one in BELOW[room]), f"{name} -> {target}"


def test_stages_know_no_backend() -> None:
    backends = {f"framebrush.gpu.{one}" for one in ("cpu", "cuda", "d3d12", "reference", "webgpu")}
    for name, targets in graph().items():
        if name.startswith("framebrush.gpu.stages"):
            for target in targets:
                assert ".".join(target.split(".")[:3]) not in backends, f"{name} -> {target}"
