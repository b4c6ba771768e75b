"""Card of a style file: trusted ONNX metadata under "framebrush.*"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import printable
from framebrush.models.brushes import OIL
from framebrush.models.preprocessing import Preprocessing
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, SCALES, ModelCard, StyleError

if TYPE_CHECKING:
    from onnx import ModelProto

PREFIX = "framebrush."

MOST_DISSOLVE = 1000
"""Most frames of a dissolve."""

_CARD: dict[str, object] = {
    "title": None,
    "paintings": None,
    "stride": None,
    "radius_px": None,
    "frame_statistics": None,
    "scale": 1,
    "float16_codes": None,
    "brush": None,
    "relief": None,
    "canvas": 0.0,
    "brush_kind": OIL,
    "paints": True,
    "shots": (),
    "film": "",
    "licence": None,
    "source": None,
    "speed": None,
}
"""Fields of a card in order, with the value besides None that is left out."""

_PREPROCESSING = tuple(field.name for field in fields(Preprocessing))

_TEXTS = frozenset(("title", "film", "licence", "source", "speed", "layout", "order", "input_range", "output_range"))
"""Fields that are written as text; others as JSON."""

_RANGES = {
    "stride": (1, 4096),
    "radius_px": (0, 4096),
    "float16_codes": (0, 255),
    "brush": (0, 1),
    "relief": (0, 1),
    "canvas": (0, 1),
}


def write_card(model: ModelProto, card: ModelCard, preprocessing: Preprocessing | None = None) -> None:
    """Write card and non-canonical preprocessing to a model."""
    values: dict[str, Any] = {key: getattr(card, key) for key, usual in _CARD.items() if getattr(card, key) != usual}
    if preprocessing:
        values |= {key: getattr(preprocessing, key) for key in _PREPROCESSING}
    kept = [entry for entry in model.metadata_props if not entry.key.startswith(PREFIX)]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    for key, value in values.items():
        if value is not None:
            entry = model.metadata_props.add()
            entry.key, entry.value = PREFIX + key, value if key in _TEXTS else json.dumps(to_values(value))


def read_card(metadata: Mapping[str, str], name: str, label: str) -> tuple[ModelCard, Preprocessing] | None:
    """Read the card from metadata, if any. Raises StyleError."""
    said = {key.removeprefix(PREFIX): printable(value) for key, value in metadata.items() if key.startswith(PREFIX)}
    if "title" not in said:
        return None
    usual = {"name": name, "paintings": [], "brush": PAINTED_BRUSH, "relief": PAINTED_RELIEF}
    try:
        of_card, of_pictures = (
            {key: said[key] if key in _TEXTS else json.loads(said[key]) for key in keys if key in said}
            for keys in (_CARD, _PREPROCESSING)
        )
        card = from_values(ModelCard, usual | of_card, "card")
        card = replace(card, paintings=tuple(map(printable, card.paintings)) or (name,))
        _check(card)
        return card, from_values(Preprocessing, of_pictures, "card")
    except (ValueError, RecursionError) as error:
        raise StyleError(f"{label}: its card is damaged ({error})") from error


def _check(card: ModelCard) -> None:
    for name, (least, most) in _RANGES.items():
        value = getattr(card, name)
        if value is not None and not least <= value <= most:
            raise ValueError(f"its {name} of {value:g} is not between {least} and {most}")
    if card.scale not in SCALES:
        raise ValueError(f"its scale of {card.scale} is not one of {', '.join(map(str, SCALES))}")
    if card.shots and card.shots[0].first != 0:
        raise ValueError(f"its first shot begins at frame {card.shots[0].first}")
    if any(later.first <= earlier.first for earlier, later in pairwise(card.shots)):
        raise ValueError("its shots are not in order")
    if any(not 0 <= shot.dissolve <= MOST_DISSOLVE for shot in card.shots):
        raise ValueError(f"a dissolve has more than {MOST_DISSOLVE} frames, or fewer than none")
    missing = {shot.painting for shot in card.shots} - {*card.paintings, ""}
    if missing:
        raise ValueError(f"{min(missing)!r} is none of its paintings")
