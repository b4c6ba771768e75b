"""Colour tables as `.cube` files (Adobe, "Cube LUT Specification" 1.0, 2013)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from framebrush.base.files import read_bounded
from framebrush.base.text import count_of, first_line, printable
from framebrush.media.disk import disk_errors
from framebrush.media.output_file import OutputFile
from framebrush.models.colours.colour_table import COMMON_GRID, MAX_CURVE, MAX_GRID, Array, ColourTable, Floats, Triple

MAX_BYTES = 128 << 20
"""Size limit of a file. The largest grid with ten digits per number takes 80 MB."""

MAX_TITLE_CHARS = 120

LARGEST = 65504.0
"""Maximum value in a file: the largest half float, above any light encoding."""

LEAST_RANGE = 1e-6  # minimum width of a domain; the width is a divisor

VIDEO_RANGE = (64 / 1023, 940 / 1023)
"""Black and white of video range (BT.709)."""

NUMBER_CHARS = frozenset("+-.0123456789")
"""First characters of a table row; keywords begin with a letter."""


CURVES, GRID, _DOMAIN = "LUT_1D_SIZE", "LUT_3D_SIZE", "DOMAIN"
"""Size keywords, and the key of a domain declared for neither."""


class CubeError(ValueError):
    """Unusable `.cube` file. The message is one printable line."""

    def __init__(self, message: str) -> None:
        super().__init__(printable(message))


def read_cube(path: Path) -> ColourTable:
    """Read a colour table. Raises CubeError with the line number."""
    try:
        content = read_bounded(path, MAX_BYTES)
    except (OSError, ValueError) as error:
        raise CubeError(f"{path} cannot be read ({first_line(error)}); check the name and the folder") from None
    try:
        if b"\0" in content:
            raise ValueError("it is not plain text; where it is text in UTF-16, save it as UTF-8")
        return _table(content.decode("utf-8-sig", errors="replace").splitlines(), path.stem)
    except ValueError as error:
        raise CubeError(f"{path} is not a .cube file that can be used: {error}") from None


def write_cube(table: ColourTable, path: Path, *, overwrite: bool = False) -> None:
    """Write a colour table, resampled to the domain 0..1. Raises CubeError, OutputError."""
    if path.exists() and not overwrite:
        raise CubeError(f"{path} exists; choose another name, or allow it to be replaced")
    with disk_errors(path.parent, f"writing {path} failed"), OutputFile(path) as file:
        file.write(_text(table).encode())
        file.deliver(overwrite=overwrite)


class _Header:
    def __init__(self) -> None:
        self.title = ""
        self.size: dict[str, int] = {}
        self.low: dict[str, Triple] = {}
        self.high: dict[str, Triple] = {}
        self.video_in = self.video_out = False

    def read(self, line: str) -> None:
        keyword, value = (*line.split(None, 1), "")[:2]
        match keyword:
            case "TITLE":
                self.title = printable(value.strip('"'))[:MAX_TITLE_CHARS]
            case "LUT_1D_SIZE" | "LUT_3D_SIZE":
                self._set_size(keyword, value)
            case "DOMAIN_MIN" | "DOMAIN_MAX":
                red, green, blue = _numbers(value, 3)
                (self.low if keyword == "DOMAIN_MIN" else self.high)[_DOMAIN] = (red, green, blue)
            case "LUT_1D_INPUT_RANGE" | "LUT_3D_INPUT_RANGE":
                low, high = _numbers(value, 2)
                of = CURVES if keyword == "LUT_1D_INPUT_RANGE" else GRID
                self.low[of], self.high[of] = (low, low, low), (high, high, high)
            case "LUT_IN_VIDEO_RANGE":
                self.video_in = True
            case "LUT_OUT_VIDEO_RANGE":
                self.video_out = True
            case _:
                raise ValueError(f'"{keyword[:40]}" is neither a keyword of the format nor a number')

    def domain(self, of: str) -> tuple[Triple, Triple]:
        first = CURVES if CURVES in self.size else GRID
        names = (of, _DOMAIN) if of == first else (of,)
        return (
            next((self.low[name] for name in names if name in self.low), (0.0, 0.0, 0.0)),
            next((self.high[name] for name in names if name in self.high), (1.0, 1.0, 1.0)),
        )

    def _set_size(self, keyword: str, value: str) -> None:
        most = MAX_GRID if keyword == GRID else MAX_CURVE
        if keyword in self.size:
            raise ValueError(f"there is already a {keyword}")
        if not value.isdecimal() or len(value) > 9 or not 2 <= int(value) <= most:
            raise ValueError(f'{keyword} "{value[:40]}" is not between 2 and {most}')
        self.size[keyword] = int(value)


def _table(lines: list[str], name: str) -> ColourTable:
    header, start = _Header(), len(lines)
    for number, line in enumerate(lines):
        text = line.strip()
        if text[:1] in NUMBER_CHARS and text:
            start = number
            break
        if text and not text.startswith("#"):
            try:
                header.read(text)
            except ValueError as error:
                raise ValueError(f"line {number + 1}: {error}") from None
    if not header.size:
        raise ValueError("there is neither LUT_1D_SIZE nor LUT_3D_SIZE before the numbers")
    entries, side = header.size.get(CURVES, 0), header.size.get(GRID, 0)
    rows = _rows(lines, start, entries + side**3)
    curves: Array | None = rows[:entries].T if entries else None
    grid: Array = rows[entries:].reshape(side, side, side, 3).transpose(2, 1, 0, 3) if side else _unchanged()
    low, high = (np.array(ends) for ends in header.domain(CURVES if entries else GRID))
    if curves is not None and side:  # curves interpolate linearly, so they can map to the grid's domain themselves
        begin, end = (np.array(ends) for ends in header.domain(GRID))
        if not (end - begin > LEAST_RANGE).all():
            raise ValueError("the input range of its grid is empty")
        curves = (curves - begin[:, None]) / (end - begin)[:, None]
    if header.video_in:
        low, high = _from_video(low), _from_video(high)
    if header.video_out and side:
        grid = _from_video(grid)
    elif header.video_out and curves is not None:
        curves = _from_video(curves)
    title = header.title or printable(name)[:MAX_TITLE_CHARS]
    return ColourTable(_single(grid), None if curves is None else _single(curves), _triple(low), _triple(high), title)


def _unchanged() -> Array:
    return ColourTable.identity().grid.astype(np.float64)


def _from_video(values: Array) -> Array:
    black, white = VIDEO_RANGE
    return (values - black) / (white - black)


def _single(values: Array) -> Floats:
    return values.astype(np.float32)


def _triple(values: Array) -> Triple:
    red, green, blue = (float(value) for value in values)
    return red, green, blue


def _rows(lines: list[str], start: int, count: int) -> Array:
    numbered = [(number, text) for number, text in enumerate(lines) if number >= start and _holds_numbers(text)]
    try:
        rows = np.loadtxt([text for _, text in numbered], ndmin=2)
    except ValueError:
        rows = np.empty((0, 0))
    if rows.shape == (count, 3) and (np.abs(rows) <= LARGEST).all():
        return rows
    for found, (number, text) in enumerate(numbered):  # one by one, to know the line number of an error
        try:
            if found == count:
                raise ValueError(f"there are more than the {count} colours of its size")
            _numbers(text.partition("#")[0], 3)
        except ValueError as error:
            raise ValueError(f"line {number + 1}: {error}") from None
    raise ValueError(
        f"it has {count_of(len(numbered), 'colour')} where its size needs {count}; it may have been cut short"
    )


def _holds_numbers(line: str) -> bool:
    text = line.strip()
    return bool(text) and not text.startswith("#")


def _numbers(text: str, count: int) -> list[float]:
    words = text.split()
    try:
        values = [float(word) for word in words]
    except ValueError:
        values = []
    if len(values) != count or not np.isfinite(values).all():
        raise ValueError(f'"{text.strip()[:40]}" is not {count} numbers')
    if max(map(abs, values)) > LARGEST:
        raise ValueError(f'"{text.strip()[:40]}" has a number that no colour has; it may be damaged')
    return values


def _text(table: ColourTable) -> str:
    title = printable(table.title).replace('"', "'")[:MAX_TITLE_CHARS]
    head = f'TITLE "{title}"\n' if title else ""
    if table.domain_is_unit and table.curves is not None and ColourTable(table.grid).is_identity:
        head, rows = f"{head}LUT_1D_SIZE {table.curves.shape[1]}\n", table.curves.T
    else:
        grid = table.grid if table.is_plain else table.on_grid(max(COMMON_GRID, table.size)).astype(np.float32)
        head, rows = f"{head}LUT_3D_SIZE {len(grid)}\n", grid.transpose(2, 1, 0, 3).reshape(-1, 3)
    return head + "".join(map("%.9g %.9g %.9g\n".__mod__, map(tuple, rows.tolist())))
