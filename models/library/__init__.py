"""The bundled styles, one .onnx file each with its card inside, and how a person names a style."""

from __future__ import annotations

import difflib
import os
from pathlib import Path

from framebrush.models.model_card import read_card
from framebrush.models.read_onnx import read_model
from framebrush.models.style import ModelCard, StyleError

FOLDER = Path(__file__).parent
DEFAULT = "starry-night"


def bundled() -> dict[str, Path]:
    """The bundled files by name, in alphabetical order."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.onnx"))}


def card_of(path: Path) -> ModelCard:
    """The card of a file of ours. Raises StyleError where it has none."""
    found = read_card(read_model(path), path.stem, str(path))
    if found is None:
        raise StyleError(f"{path}: it has no card of Framebrush inside")
    return found[0]


def find(path_or_name: str | Path) -> Path:
    """The file of a style: a bundled name, a painting's name, or a path.

    Raises StyleError for an unknown name, with the nearest known one.
    """
    text = str(path_or_name)
    path = Path(text)
    if path.suffix.lower() == ".onnx" or _is_file(text) or len(path.parts) > 1:
        if _is_file(text):
            return path
        there = os.path.exists(text)  # noqa: PTH110 - as in _is_file
        raise StyleError(f"{path}: {'is not a file' if there else 'there is no such file'}")
    known = _names()
    if text.lower() in known:
        return known[text.lower()][0]
    raise StyleError(_unknown(text, list(known)))


def parse_style(text: str) -> tuple[Path, tuple[float, ...], str]:
    """What a person wrote as a style: "ink", "file.onnx", a painting's name, or a blend "vangogh:0.6,hokusai:0.4".

    Returns the file, the weights of its paintings (empty where it holds one), and a remark for the person, "" where
    there is none: weights that do not sum to 1 are normalised and the remark says so. Raises StyleError for unknown
    names, paintings of different files, and weights that are no numbers, negative, or all 0.
    """
    if _is_file(text) or ("," not in text and ":" not in text):
        path = find(text)
        return path, *_single(path, text)
    known = _names()
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, colon, number = (piece.strip() for piece in part.partition(":"))
        if name.lower().endswith(".onnx"):
            raise StyleError(f"style {text!r}: only bundled paintings of one file blend; {name} is a file of its own")
        if name.lower() not in known:
            raise StyleError(_unknown(name, list(known)))
        try:
            weight = float(number) if colon else 1.0
        except ValueError:
            raise StyleError(f"style {text!r}: {number!r} is not a weight; write a:0.6,b:0.4") from None
        if not 0 <= weight < float("inf"):
            raise StyleError(f"style {text!r}: a weight of {number} cannot be painted; write a:0.6,b:0.4")
        weights[name.lower()] = weights.get(name.lower(), 0.0) + weight
    files = {known[name][0] for name in weights}
    if len(files) > 1:
        names = ", ".join(weights)
        raise StyleError(f"style {text!r}: {names} are in different files; only paintings of one file blend")
    total = sum(weights.values())
    if total <= 0:
        raise StyleError(f"style {text!r}: all weights are 0; write a:0.6,b:0.4")
    path = files.pop()
    paintings = [painting.lower() for painting in card_of(path).paintings]
    if len(paintings) < 2:
        return path, (), ""
    mix = tuple(sum(w for name, w in weights.items() if known[name][1] == p) / total for p in paintings)
    remark = f"style weights sum to {total:g}; normalised to 1" if abs(total - 1) > 1e-6 else ""
    return path, mix, remark


def _is_file(text: str) -> bool:
    return os.path.isfile(text)  # noqa: PTH113 - unlike pathlib's it takes a name that is too long


def _single(path: Path, text: str) -> tuple[tuple[float, ...], str]:
    """The weights of one painting that was named by itself; () for a whole file, whose first painting is meant."""
    if path != bundled().get(path.stem):
        return (), ""
    paintings = [painting.lower() for painting in card_of(path).paintings]
    if len(paintings) < 2 or text.lower() not in paintings:
        return (), ""
    return tuple(float(painting == text.lower()) for painting in paintings), ""


def _names() -> dict[str, tuple[Path, str]]:
    """Every name that a person may write, in lower case: file and painting. A file's own name is its first painting."""
    names: dict[str, tuple[Path, str]] = {}
    files = bundled()
    for path in files.values():
        for painting in card_of(path).paintings:
            names.setdefault(painting.lower(), (path, painting.lower()))
    for name, path in files.items():
        names[name] = (path, card_of(path).paintings[0].lower())
    return names


def _unknown(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
    return f"style {name!r} is unknown; {hint}"
