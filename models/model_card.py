"""The card inside a style file: ONNX metadata under "framebrush.*", written by our own tools and trusted on reading."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from framebrush.base.json_values import from_values, to_values
from framebrush.base.text import printable
from framebrush.models.brushes import OIL, BrushKind
from framebrush.models.preprocessing import LAYOUTS, ORDERS, RANGES, Preprocessing, Triple
from framebrush.models.style import PAINTED_BRUSH, PAINTED_RELIEF, SCALES, ModelCard, PaintedShot, StyleError

if TYPE_CHECKING:
    from onnx import ModelProto

PREFIX = "framebrush."

MOST_DISSOLVE = 1000
"""Frames of a dissolve: far beyond any film's."""


def write_card(model: ModelProto, card: ModelCard, preprocessing: Preprocessing | None = None) -> None:
    """Put the card, and how pictures are written where that is not the canonical way, into a model's metadata."""
    values: dict[str, Any] = {
        "title": card.title,
        "paintings": list(card.paintings),
        "stride": card.stride,
        "radius_px": card.radius_px,
        "frame_statistics": card.frame_statistics,
        "scale": card.scale if card.scale != 1 else None,
        "float16_codes": card.float16_codes,
        "brush": card.brush,
        "relief": card.relief,
        "canvas": card.canvas or None,
        "brush_kind": to_values(card.brush_kind) if card.brush_kind != OIL else None,
        "paints": None if card.paints else False,
        "shots": to_values(card.shots) or None,
        "film": card.film or None,
        "licence": card.licence,
        "source": card.source,
        "speed": card.speed,
    }
    if preprocessing:
        for key in ("layout", "order", "input_range", "output_range", "mean", "std"):
            values[key] = getattr(preprocessing, key)
    kept = [entry for entry in model.metadata_props if not entry.key.startswith(PREFIX)]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    for key, value in values.items():
        if value is not None:
            entry = model.metadata_props.add()
            entry.key, entry.value = PREFIX + key, value if isinstance(value, str) else json.dumps(value)


def read_card(metadata: Mapping[str, str], name: str, label: str) -> tuple[ModelCard, Preprocessing] | None:
    """The card in the metadata of a file of ours; None for a third-party file. Raises StyleError where a value makes no
    sense."""
    said = {key.removeprefix(PREFIX): printable(value) for key, value in metadata.items() if key.startswith(PREFIX)}
    if "title" not in said:
        return None
    try:
        paintings = tuple(printable(str(painting)) for painting in json.loads(said.get("paintings", "[]"))) or (name,)
        card = ModelCard(
            name=name,
            title=said["title"],
            paintings=paintings,
            stride=_whole(said.get("stride", "1"), 1),
            radius_px=_whole(said["radius_px"], 0) if "radius_px" in said else None,
            frame_statistics=json.loads(said.get("frame_statistics", "false")) is True,
            float16_codes=_codes(said.get("float16_codes")),
            scale=_one_of(int(said.get("scale", "1")), SCALES),
            brush=_share(said.get("brush", str(PAINTED_BRUSH))),
            relief=_share(said.get("relief", str(PAINTED_RELIEF))),
            canvas=_share(said.get("canvas", "0")),
            brush_kind=_kind(json.loads(said["brush_kind"])) if "brush_kind" in said else OIL,
            paints=json.loads(said.get("paints", "true")) is not False,
            shots=_shots(json.loads(said.get("shots", "[]")), paintings),
            film=said.get("film", ""),
            licence=said.get("licence", ""),
            source=said.get("source", ""),
            speed=_one_of(said.get("speed", ""), _SPEEDS),
        )
        preprocessing = Preprocessing(
            layout=_one_of(said.get("layout", "nchw"), LAYOUTS),
            order=_one_of(said.get("order", "rgb"), ORDERS),
            input_range=_one_of(said.get("input_range", "unit"), RANGES),
            output_range=_one_of(said.get("output_range", "unit"), RANGES),
            mean=_triple(said.get("mean")),
            std=_triple(said.get("std")),
            method="by its card",
        )
    except (ValueError, TypeError, KeyError) as error:
        raise StyleError(f"{label}: its card is damaged ({error})") from error
    return card, preprocessing


def card_to_json(card: ModelCard) -> dict[str, Any]:
    """A card as values of JSON."""
    return asdict(card)


def card_from_json(values: dict[str, Any]) -> ModelCard:
    """A card that `card_to_json` wrote. Raises TypeError or ValueError for anything else."""
    fixed_size = values["fixed_size"]
    return ModelCard(
        **{
            **values,
            "paintings": tuple(values["paintings"]),
            "notes": tuple(values["notes"]),
            "fixed_size": fixed_size and (int(fixed_size[0]), int(fixed_size[1])),
            "brush_kind": _kind(values["brush_kind"]),
            "shots": _shots(values["shots"], values["paintings"]),
        }
    )


_SPEEDS = ("realtime", "quality", "slow", "")


def _one_of(value: str | int, allowed: tuple[Any, ...]) -> Any:  # noqa: ANN401 - one of the literals
    if value not in allowed:
        raise ValueError(f"{value!r} is not one of {', '.join(map(repr, allowed))}")
    return value


def _whole(value: str, least: int) -> int:
    number = int(value)
    if not least <= number <= 4096:
        raise ValueError(f"{number} is not between {least} and 4096")
    return number


def _share(value: str) -> float:
    number = float(value)
    if not 0 <= number <= 1:
        raise ValueError(f"{number} is not between 0 and 1")
    return number


def _kind(values: object) -> BrushKind:
    return from_values(BrushKind, values, "brush_kind")


def _shots(values: object, paintings: Sequence[str]) -> tuple[PaintedShot, ...]:
    shots = from_values(tuple[PaintedShot, ...], values, "shots")
    if shots and shots[0].first != 0:
        raise ValueError(f"its first shot begins at frame {shots[0].first}")
    if any(later.first <= earlier.first for earlier, later in pairwise(shots)):
        raise ValueError("its shots are not in order")
    if any(not 0 <= shot.dissolve <= MOST_DISSOLVE for shot in shots):
        raise ValueError(f"a dissolve has more than {MOST_DISSOLVE} frames, or fewer than none")
    missing = {shot.painting for shot in shots} - {*paintings, ""}
    if missing:
        raise ValueError(f"{min(missing)!r} is none of its paintings")
    return shots


def _codes(value: str | None) -> float | None:
    if value is None:
        return None
    number = float(value)
    if not 0 <= number <= 255:
        raise ValueError(f"{number} is not between 0 and 255 codes")
    return number


def _triple(value: str | None) -> Triple | None:
    if value is None:
        return None
    red, green, blue = (float(number) for number in json.loads(value))
    return red, green, blue
