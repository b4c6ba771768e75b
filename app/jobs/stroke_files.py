"""Stroke files: SVG, JSON, or JSON lines."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from framebrush.base.status import Status
from framebrush.base.text import count_of, data_size
from framebrush.gpu.stages.strokes import StrokeLayout
from framebrush.jobs.film_strokes import PaintedStrokes, film_strokes
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import encoded, seen_size
from framebrush.jobs.transcode import OnLosses, OnMessage, PictureLosses
from framebrush.media.disk import disk_errors
from framebrush.media.output_file import OutputFile
from framebrush.media.sources.frame_source import local_path
from framebrush.media.video import OutputError
from framebrush.media.writing.output_plan import check_folder, check_target

FORMAT, VERSION = "framebrush-strokes", 1
"""Name and version of the JSON, as in docs/strokes.schema.json."""

LINES = ".jsonl"
ONE_FRAME = (".svg", ".json")

_SOFT_RIM = 1.2
"""Widths of a hair by which the even part of a stroke is narrower than the stroke: its rim is soft."""

_CAP = 0.14
"""Widths by which round ends reach too far: the ends of hairs reach about half as far as round ones."""

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
)


def check_name(target: Path, *, one_frame: bool) -> None:
    """Raise OutputError for a name unfit for strokes."""
    ending = target.suffix.lower()
    if ending not in (*ONE_FRAME, LINES):
        raise OutputError(f"{target}: strokes are written as .svg or .json, or as {LINES} for a range")
    if ending != LINES and not one_frame:
        raise OutputError(
            f"{target} holds one frame", do=f"leave out --frames and --end, or give a name that ends in {LINES}"
        )


def write_strokes(spec: JobSpec, say: OnMessage) -> Status:
    """Write a range's strokes. Raises as `film_strokes`, and OutputError."""
    found = list[PictureLosses]()
    target = Path(spec.target)
    check_name(target, one_frame=spec.range.frames == 1)
    check_target(local_path(spec.source), target, overwrite=spec.output.overwrite)
    check_folder(target)
    place = Path(os.path.realpath(target)) if target.is_symlink() else target
    with closing(_texts(spec, target, say, found.append)) as texts:
        first = next(texts)
        with disk_errors(target.parent, f"writing {target} failed"), OutputFile(place) as file:
            file.write(first)
            for text in texts:
                file.write(text)
            file.deliver(overwrite=spec.output.overwrite)
    (losses,) = found
    return losses.status


def _texts(spec: JobSpec, target: Path, say: OnMessage, on_losses: OnLosses) -> Generator[bytes]:
    lines, before, is_told = target.suffix.lower() == LINES, None, False
    for painted in film_strokes(spec, say, on_losses):
        if target.suffix.lower() == ".svg":
            text = svg_of(painted)
        else:
            text = json_of(painted, before if lines else None, with_changes=lines)
        made = f"{text}\n".encode()
        if not is_told and len(painted.strokes):  # leading lines may be empty
            is_told = True
            count = count_of(len(painted.strokes), "stroke")
            frames = painted.info.frame_count
            total = f" a frame, about {data_size(frames * len(made))} in all" if lines and frames else ""
            say(f"{target}: {count}, {data_size(len(made))}{total}")
        before = painted.strokes["id"].copy()
        yield made


def json_of(painted: PaintedStrokes, before: npt.NDArray[np.uint64] | None, *, with_changes: bool) -> str:
    """Return a frame's strokes as JSON.

    before: preceding ids. with_changes: list appearing and vanishing ids.
    """
    strokes, info, layout = painted.strokes, painted.info, _layout(painted)
    head: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "frame": painted.number,
        "time_s": round(painted.time_s, 6),
        "size": list(layout.size),
        "rotation_degrees": info.rotation_degrees,
        "mirrored": info.mirrored,
        "layers": [{"width": round(layer.width_px, 3)} for layer in layout.layers],
    }
    if with_changes:
        ids, known = strokes["id"], np.zeros(0, np.uint64) if before is None else before
        head["born"] = np.setdiff1d(ids, known).tolist()
        head["died"] = np.setdiff1d(known, ids).tolist()
    columns = {
        name: np.round(strokes[name].astype(np.float64), digits).tolist()
        for name, digits in (
            ("birth_s", 4),
            ("death_s", 4),
            ("path", 2),
            ("width", 3),
            ("length", 2),
            ("angle", 1),
            ("colour", 4),
            ("opacity", 4),
            ("height", 3),
        )
    }
    points, ids, layers = (strokes[name].tolist() for name in ("points", "id", "layer"))
    head["strokes"] = [
        {"id": ids[k], "layer": layers[k]}
        | {name: column[k][: points[k]] if name == "path" else column[k] for name, column in columns.items()}
        for k in range(len(ids))
    ]
    return json.dumps(head, separators=(",", ":"), allow_nan=False)


def svg_of(painted: PaintedStrokes) -> str:
    """Return a frame's strokes as SVG, a layer per width."""
    strokes, canvas, layout = painted.strokes, painted.strokes.canvas, _layout(painted)
    assert canvas is not None
    width, height = seen_size(painted.info, painted.sizes)
    turn = _turned(painted)
    parts = [
        f'<?xml version="1.0" encoding="UTF-8"?>\n{_SVG}'
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<desc>Frame {painted.number}, {painted.time_s:.3f} s; lengths in pixels</desc>",
    ]

    def layer(number: int, label: str, content: str, style: str = "") -> None:
        parts.append(
            f'<g id="layer-{number}" inkscape:groupmode="layer" inkscape:label="{label}"{turn}{style}>\n{content}\n</g>'
        )

    level = layout.ground_level
    stretched = tuple(side << level for side in canvas.ground.shape[:0:-1])
    layer(0, "Underpainting", _image(canvas.ground, *stretched))
    for each in layout.layers:
        chosen = strokes[strokes["layer"] == each.index]
        label = f"Strokes of {each.width_px:.1f} px"
        style = ' fill="none" stroke-linecap="round" stroke-linejoin="round"'
        layer(each.index + 1, label, "\n".join(_paths(chosen, _SOFT_RIM * layout.hair_px)), style)
    if layout.kind.wet:
        mixed = f' opacity="{layout.kind.wet:.3g}"'
        layer(len(layout.layers) + 1, "Wet in wet", _image(canvas.painting, *layout.size), mixed)
    return "\n".join([*parts, "</svg>"])


def _layout(painted: PaintedStrokes) -> StrokeLayout:
    assert painted.strokes.canvas is not None
    return painted.strokes.canvas.layout


def _paths(strokes: npt.NDArray[np.void], rim_px: float) -> Iterator[str]:
    codes = np.rint(255 * strokes["colour"].clip(0, 1)).astype(int).tolist()
    wide = np.maximum(strokes["width"] - rim_px, 0.25 * strokes["width"])
    facts = (
        wide,
        _inset(strokes, (_CAP * wide).astype(np.float32)),
        *(strokes[name] for name in ("id", "points", "opacity")),
    )
    for (red, green, blue), width, path, number, points, opacity in zip(
        codes, *(fact.tolist() for fact in facts), strict=True
    ):
        line = "L".join(f"{x:.1f} {y:.1f}" for x, y in path[:points])
        faint = f' stroke-opacity="{opacity:.2f}"' if opacity < 0.995 else ""
        colour = f"#{red:02x}{green:02x}{blue:02x}"
        yield f'<path id="s{number}" d="M{line}" stroke="{colour}" stroke-width="{width:.2f}"{faint}/>'


def _inset(strokes: npt.NDArray[np.void], by_px: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    path, row = strokes["path"].copy(), np.arange(len(strokes))
    last = strokes["points"] - 1
    for end, beside in ((0 * last, 0 * last + 1), (last, last - 1)):
        way = path[row, beside] - path[row, end]
        share = np.minimum(by_px / np.maximum(np.hypot(*way.T), np.float32(1e-6)), np.float32(0.45))
        path[row, end] += share[:, None] * way
    return path


def _image(planes: npt.NDArray[np.float32], width: int, height: int) -> str:
    picture = np.rint(255 * np.moveaxis(planes, 0, -1).clip(0, 1)).astype(np.uint8)
    content = base64.b64encode(encoded(picture, "png", "rgb24")).decode()
    place = f'width="{width}" height="{height}" preserveAspectRatio="none"'
    return f'<image {place} xlink:href="data:image/png;base64,{content}"/>'


def _turned(painted: PaintedStrokes) -> str:
    info, (width, height) = painted.info, seen_size(painted.info, painted.sizes)
    quarters = info.orientation.quarters
    if quarters % 2:
        width, height = height, width
    matrix = np.array([[width / painted.sizes.target[0], 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    if info.mirrored:
        matrix = np.array([[-1.0, 0.0, width], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) @ matrix
    for _ in range(quarters):
        matrix = np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, width], [0.0, 0.0, 1.0]]) @ matrix
        width, height = height, width
    if np.allclose(matrix, np.eye(3)):
        return ""
    return ' transform="matrix({})"'.format(" ".join(f"{value:.6g}" for value in matrix[:2].T.flat))
