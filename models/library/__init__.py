"""Bundled styles, one .onnx file each."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from framebrush.base.files import FileState, file_state
from framebrush.base.text import first_line
from framebrush.models.model_card import read_card
from framebrush.models.onnx_metadata import read_metadata
from framebrush.models.style import ModelCard, StyleError

FOLDER = Path(__file__).parent
DEFAULT = "starry-night"
CARDS_KEPT = 64  # more than bundled files


def bundled() -> dict[str, Path]:
    """Return the bundled files by name, sorted."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.onnx"))}


def card_of(path: Path) -> ModelCard:
    """Return a bundled file's card. Raises StyleError."""
    try:
        state = file_state(path)
    except OSError as error:
        raise StyleError(f"{path}: cannot be read: {first_line(error)}") from error
    return _card(path, state)


@lru_cache(maxsize=CARDS_KEPT)
def _card(path: Path, _state: FileState) -> ModelCard:
    found = read_card(read_metadata(path), path.stem, str(path))
    if found is None:
        raise StyleError(f"{path}: it has no Framebrush card inside")
    return found[0]


def find(path_or_name: str | Path) -> Path:
    """Find a style's file by name or path. Raises StyleError with the nearest name."""
    return _found(str(path_or_name), _names())


def _found(text: str, known: Mapping[str, tuple[Path, str]]) -> Path:
    path = Path(text)
    if path.suffix.lower() == ".onnx" or _is_file(text) or len(path.parts) > 1:
        if _is_file(text):
            return path
        there = os.path.exists(text)  # noqa: PTH110 - as in _is_file
        raise StyleError(f"{path}: {'is not a file' if there else 'there is no such file'}")
    if text.lower() in known:
        return known[text.lower()][0]
    raise StyleError(_unknown(text, list(known)))


@dataclass(frozen=True, slots=True)
class Chosen:
    """Style chosen by a user.

    files: weights of each file's paintings by lower-case name, "" for the first; empty for whole files.
    """

    files: dict[Path, dict[str, float]]
    remark: str = ""

    def mix(self, cards: Sequence[ModelCard]) -> tuple[float, ...]:
        """Return the weights of all paintings; empty for whole files."""
        found: list[float] = []
        for card, weights in zip(cards, self.files.values(), strict=True):
            first = {card.paintings[0].lower(): weights[""]} if "" in weights else {}
            found += [(weights | first).get(painting.lower(), 0.0) for painting in card.paintings]
        return tuple(found) if len(found) > 1 and any(found) else ()


def parse_style(text: str, own: Mapping[str, Path] | None = None) -> Chosen:
    """Parse "ink", "file.onnx", a painting's name, or a blend. Raises StyleError.

    own: the user's styles.
    """
    mine = {name.lower(): path for name, path in (own or {}).items()}
    known = {name: (path, "") for name, path in mine.items()} | _names()
    if text.lower() in mine.keys() - _names().keys():  # names may contain commas
        return Chosen({mine[text.lower()]: {}})
    if _is_file(text) or ("," not in text and ":" not in text):
        path = _found(text, known)
        return Chosen(
            {path: {text.lower(): 1.0} if path == bundled().get(path.stem) and _is_painting(text, path) else {}}
        )
    weights: dict[str, float] = {}
    for part in text.split(","):
        # paths may contain colons
        whole = ":" not in part or part.strip().lower() in known or _is_file(part.strip())
        name, colon, number = (part.strip(), "", "") if whole else (piece.strip() for piece in part.rpartition(":"))
        key = name.lower()
        if key.endswith(".onnx"):  # a learnt style, checked later by its network
            key, mine[name] = name, _found(name, {})
            known[name] = mine[name], ""
        if key not in known:
            raise StyleError(_unknown(name, list(known)))
        try:
            weight = float(number) if colon else 1.0
        except ValueError:
            raise StyleError(f"style {text!r}: {number!r} is not a weight; write a:0.6,b:0.4") from None
        if not 0 <= weight < float("inf"):
            raise StyleError(f"style {text!r}: a weight of {number} cannot be painted; write a:0.6,b:0.4")
        weights[key] = weights.get(key, 0.0) + weight
    if len({known[name][0] for name in weights} & set(bundled().values())) > 1:
        names = ", ".join(name for name in weights if name not in mine)
        raise StyleError(f"style {text!r}: {names} are in different files; only paintings of one file blend")
    total = sum(weights.values())
    if total <= 0:
        raise StyleError(f"style {text!r}: all weights are 0; write a:0.6,b:0.4")
    files: dict[Path, dict[str, float]] = {}
    for name in sorted(weights, key=mine.__contains__):  # bundled file first
        path, painting = known[name]
        shares = files.setdefault(path, {})
        shares[painting] = shares.get(painting, 0.0) + weights[name] / total
    return Chosen(files, f"style weights sum to {total:g}; normalised to 1" if abs(total - 1) > 1e-6 else "")


def _is_file(text: str) -> bool:
    return os.path.isfile(text)  # noqa: PTH113 - unlike pathlib's it takes a name that is too long


def _is_painting(name: str, path: Path) -> bool:
    paintings = [painting.lower() for painting in card_of(path).paintings]
    return len(paintings) > 1 and name.lower() in paintings


def _names() -> dict[str, tuple[Path, str]]:
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
