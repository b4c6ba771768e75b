"""Structure of HEIF pictures from tiles (ISO/IEC 23008-12).

FFmpeg exposes tiles as streams with the item's ID.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from av.video.frame import VideoFrame

from framebrush.media.boxes import Rectangle, aperture, boxes, top_box
from framebrush.media.reading.open import is_too_large
from framebrush.media.reading.weaving import rows_of
from framebrush.media.tags import FULL_RANGE, LIMITED_RANGE, UNSPECIFIED, tags_of
from framebrush.media.video import ColourTags, Orientation

CODED = (b"hvc1", b"av01")
MOST_GRID_BYTES = 12  # version, flags, rows, columns, two 32-bit sizes (ISO/IEC 23008-12, 6.6.2.3)


@dataclass(frozen=True, slots=True)
class HeifPicture:
    """Layout of a picture.

    Attributes:
        tiles: item IDs, row by row.
        width, height: without margins.
        part: crop rectangle.
        tags, full_range: override the tiles'.
    """

    tiles: tuple[int, ...]
    columns: int
    width: int
    height: int
    part: Rectangle
    orientation: Orientation
    tags: ColourTags | None
    full_range: bool
    profile: bytes | None = None


def read_heif(path: Path) -> HeifPicture | None:
    """Return the primary picture's layout, if any. Raises ValueError."""
    meta = top_box(path, b"meta")
    if meta is None or b"pitm" not in (inside := dict(boxes(meta[4:]))) or top_box(path, b"moov") is not None:
        return None
    primary = _Fields(inside[b"pitm"])
    item = primary.number(4 if primary.version else 2)
    kind = _kinds(inside.get(b"iinf", b"")).get(item, b"")
    properties = _properties(inside.get(b"iprp", b""), item)
    if kind in CODED:
        extents = _Fields(next((content for name, content in properties if name == b"ispe"), b""))
        return _seen((item,), 1, extents.number(4), extents.number(4), properties)
    if kind != b"grid":
        raise ValueError(f"its picture is of the kind {kind.decode('ascii', 'replace')}")
    grid = _Fields(_content(path, inside, item), full=False)
    grid.number(1)
    size = 4 if grid.number(1) & 1 else 2
    rows, columns = grid.number(1) + 1, grid.number(1) + 1
    width, height = grid.number(size), grid.number(size)
    tiles = _parts(inside.get(b"iref", b""), item)
    if len(tiles) != rows * columns:
        raise ValueError(f"its picture names {len(tiles)} tiles for {columns}x{rows}")
    colours = [entry for entry in _properties(inside.get(b"iprp", b""), tiles[0]) if entry[0] == b"colr"]
    return _seen(tiles, columns, width, height, [*colours, *properties])


class _Fields:
    def __init__(self, data: bytes, *, full: bool = True) -> None:
        self._data, self._at = data, 0
        self.version, self.flags = (self.number(1), self.number(3)) if full else (0, 0)

    def bytes(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._data):
            raise ValueError("its boxes are damaged")
        return self._data[self._at - count : self._at]

    def number(self, count: int) -> int:
        return int.from_bytes(self.bytes(count), "big")


def _kinds(iinf: bytes) -> dict[int, bytes]:
    found = {}
    version = _Fields(iinf).version
    for _, content in boxes(iinf[8 if version else 6 :]):
        entry = _Fields(content)
        if entry.version >= 2:
            item = entry.number(4 if entry.version > 2 else 2)
            entry.number(2)
            found[item] = entry.bytes(4)
    return found


def _parts(iref: bytes, item: int) -> tuple[int, ...]:
    size = 4 if _Fields(iref).version else 2
    for kind, content in boxes(iref[4:]):
        fields = _Fields(content, full=False)
        if kind == b"dimg" and fields.number(size) == item:
            return tuple(fields.number(size) for _ in range(fields.number(2)))
    return ()


def _properties(iprp: bytes, item: int) -> list[tuple[bytes, bytes]]:
    known: list[tuple[bytes, bytes]] = []
    places: list[int] = []
    for kind, content in boxes(iprp):
        if kind == b"ipco":
            known = list(boxes(content))
        elif kind == b"ipma":
            fields = _Fields(content)
            for _ in range(fields.number(4)):
                own = fields.number(4 if fields.version else 2) == item
                size = 2 if fields.flags & 1 else 1
                named = [fields.number(size) & ((1 << 8 * size - 1) - 1) for _ in range(fields.number(1))]
                places += named if own else []
    return [known[place - 1] for place in places if 0 < place <= len(known)]


def _content(path: Path, inside: dict[bytes, bytes], item: int) -> bytes:
    fields = _Fields(inside.get(b"iloc", b""))
    sizes = fields.number(2)
    offset_size, length_size, base_size, index_size = (sizes >> shift & 15 for shift in (12, 8, 4, 0))
    for _ in range(fields.number(2 if fields.version < 2 else 4)):
        number = fields.number(2 if fields.version < 2 else 4)
        place = fields.number(2) & 15 if fields.version else 0
        fields.number(2)
        base = fields.number(base_size)
        index_bytes = index_size if fields.version else 0
        count = fields.number(2)
        extents = _Fields(fields.bytes(count * (index_bytes + offset_size + length_size)), full=False)
        if number != item or not count:
            continue
        extents.number(index_bytes)
        offset, length = base + extents.number(offset_size), extents.number(length_size)
        count = min(length or MOST_GRID_BYTES, MOST_GRID_BYTES)
        if place == 1:
            return inside.get(b"idat", b"")[offset : offset + count]
        if place == 0:
            with path.open("rb") as file:
                file.seek(offset)
                return file.read(count)
    raise ValueError("its boxes are damaged")


def _seen(
    tiles: tuple[int, ...], columns: int, width: int, height: int, properties: list[tuple[bytes, bytes]]
) -> HeifPicture:
    """Apply properties; mirroring inverts a later rotation."""
    part = (0, 0, width, height)
    degrees, mirrored = 0, False
    tags, full_range, profile = None, False, None
    for kind, content in properties:
        if kind == b"clap":
            if degrees or mirrored:
                raise ValueError("its picture is cropped after it is turned")
            part = aperture(content, width, height) or part
        elif kind == b"irot":
            degrees += 90 * (content[0] & 3 if content else 0)
        elif kind == b"imir":  # 0: vertical flip; 1: horizontal flip
            degrees = (0 if content and content[0] & 1 else 180) - degrees
            mirrored = not mirrored
        elif kind == b"colr" and content[:4] == b"nclx":
            fields = _Fields(content[4:], full=False)
            tags = ColourTags(fields.number(2), fields.number(2), fields.number(2))
            full_range = fields.number(1) >= 0x80
        elif kind == b"colr" and content[:4] in (b"prof", b"rICC"):
            profile = content[4:]
    return HeifPicture(
        tiles, columns, width, height, part, Orientation(degrees % 360, mirrored), tags, full_range, profile
    )


def assembled(picture: HeifPicture, tiles: list[VideoFrame]) -> VideoFrame | None:
    """Assemble the tiles, None if inconsistent or too many.

    Unspecified colours are sRGB, BT.601, full range (ISO/IEC 23000-22).
    """
    first = tiles[0]
    columns, rows = picture.columns, len(tiles) // picture.columns
    if is_too_large(first.width * columns, first.height * rows):  # one tile may be repeated any number of times
        return None
    name = first.format.name.replace("yuvj", "yuv")  # range is a separate field
    whole = VideoFrame(first.width * columns, first.height * rows, name)
    kinds = {(tile.width, tile.height, tile.format.name) for tile in tiles}
    if len(kinds) > 1 or whole.width < picture.width or whole.height < picture.height:
        return None
    for place, tile in enumerate(tiles):
        row, column = divmod(place, columns)
        for source, goal in zip(rows_of(tile), rows_of(whole), strict=True):
            height, width = source.shape
            if goal.shape != (height * rows, width * columns):  # chroma of odd-sized tiles
                return None
            goal[row * height : (row + 1) * height, column * width : (column + 1) * width] = source
    whole.pts, whole.dts, whole.duration = first.pts, first.dts, first.duration
    tags = picture.tags or tags_of(first)
    whole.color_primaries = 1 if tags.primaries == UNSPECIFIED else tags.primaries
    whole.color_trc = 13 if tags.transfer == UNSPECIFIED else tags.transfer
    whole.colorspace = 6 if tags.matrix == UNSPECIFIED else tags.matrix
    whole.color_range = first.color_range or FULL_RANGE
    if picture.tags is not None:
        whole.color_range = FULL_RANGE if picture.full_range else LIMITED_RANGE
    return whole
