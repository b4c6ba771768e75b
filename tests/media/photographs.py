"""Photographs as phones write them, with an Exif orientation."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from fractions import Fraction

import av
import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]

_SHORT, _LONG = 3, 4
_ORIENTATION = 0x112


def exif(way: int) -> bytes:
    return _directory([(_ORIENTATION, _SHORT, 1, way)])


def _directory(entries: list[tuple[int, int, int, int]]) -> bytes:
    fields = b"".join(struct.pack("<HHII", *entry) for entry in entries)
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + fields + bytes(4)


def _encoded(picture: Picture, codec: str, pix_fmt: str, **options: str) -> bytes:
    frame = av.VideoFrame.from_ndarray(picture, "rgb24")
    encoder = av.CodecContext.create(codec, "w")
    encoder.width, encoder.height, encoder.pix_fmt, encoder.time_base = frame.width, frame.height, pix_fmt, Fraction(1)
    encoder.options = options
    return b"".join(bytes(packet) for packet in [*encoder.encode(frame.reformat(format=pix_fmt)), *encoder.encode()])


def jpeg(picture: Picture, way: int) -> bytes:
    """Write a JPEG with Exif in its first segment (Exif 2.3, 4.5.4)."""
    whole = _encoded(picture, "mjpeg", "yuvj444p", qmin="1", qmax="1", global_quality="1")
    body = b"Exif\0\0" + exif(way)
    return whole[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + whole[2:]


def png(picture: Picture, way: int) -> bytes:
    """Write a PNG with Exif before the samples (11.3.4.5)."""
    whole = _encoded(picture, "png", "rgb24")
    header_end = 8 + 12 + 13
    chunk = b"eXIf" + exif(way)
    chunk = struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return whole[:header_end] + chunk + whole[header_end:]


def deep_png(picture: npt.NDArray[np.uint16]) -> bytes:
    """Write a PNG with 16 bits per channel."""
    frame = av.VideoFrame.from_ndarray(picture, "rgb48le").reformat(format="rgb48be")
    encoder = av.CodecContext.create("png", "w")
    encoder.width, encoder.height, encoder.time_base = frame.width, frame.height, Fraction(1)
    encoder.pix_fmt = frame.format.name
    return b"".join(bytes(packet) for packet in [*encoder.encode(frame), *encoder.encode()])


def webp(picture: Picture, way: int) -> bytes:
    """Write a WebP with Exif in its last chunk (RFC 9649, 2.7)."""
    whole = _encoded(picture, "libwebp", "bgra", lossless="1")
    height, width = picture.shape[:2]
    sides = b"".join(struct.pack("<I", side - 1)[:3] for side in (width, height))
    head = b"VP8X" + struct.pack("<IB3x", 10, 0x08) + sides
    body = exif(way)
    chunk = b"EXIF" + struct.pack("<I", len(body)) + body
    content = b"WEBP" + head + whole[12:] + chunk
    return b"RIFF" + struct.pack("<I", len(content)) + content


def tiff(picture: Picture, way: int) -> bytes:
    """Write a TIFF of one strip (TIFF 6.0, 4)."""
    height, width = picture.shape[:2]
    count = 10
    bits_at = 8 + 2 + 12 * count + 4
    strip_at = bits_at + 6
    head = _directory(
        [
            (256, _LONG, 1, width),
            (257, _LONG, 1, height),
            (258, _SHORT, 3, bits_at),
            (259, _SHORT, 1, 1),
            (262, _SHORT, 1, 2),
            (273, _LONG, 1, strip_at),
            (_ORIENTATION, _SHORT, 1, way),
            (277, _SHORT, 1, 3),
            (278, _LONG, 1, height),
            (279, _LONG, 1, picture.nbytes),
        ]
    )
    return head + struct.pack("<3H", 8, 8, 8) + picture.tobytes()


# libavif's coding of each orientation: quarters counter-clockwise, then 0 to flip vertically or 1 horizontally.
_TURNS: dict[int, tuple[int | None, int | None]] = {
    1: (None, None),
    2: (None, 1),
    3: (2, None),
    4: (None, 0),
    5: (1, 0),
    6: (3, None),
    7: (3, 0),
    8: (1, None),
}
_TILE_WIDTH, _TILE_HEIGHT = 64, 48


def box(kind: bytes, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content), kind) + content


def heic(picture: Picture, way: int, *, clap: tuple[int, ...] = (), icc: bytes = b"") -> bytes:
    """Write a HEIC of one item (ISO/IEC 23008-12), with a wrong Exif orientation.

    clap: a clean aperture's eight numbers.
    """
    return heif([_hevc(picture)], 1, picture.shape[1], picture.shape[0], way, clap, icc)


def grid(picture: Picture, way: int) -> bytes:
    """Write a HEIC like a phone's, with tiles beyond the edges."""
    height, width = picture.shape[:2]
    rows, columns = -(-height // _TILE_HEIGHT), -(-width // _TILE_WIDTH)
    padding = ((0, rows * _TILE_HEIGHT - height), (0, columns * _TILE_WIDTH - width), (0, 0))
    whole = np.pad(picture, padding)
    tiles = [
        whole[row * _TILE_HEIGHT : (row + 1) * _TILE_HEIGHT, column * _TILE_WIDTH : (column + 1) * _TILE_WIDTH]
        for row in range(rows)
        for column in range(columns)
    ]
    return heif([_hevc(tile) for tile in tiles], columns, width, height, way)


def _hevc(picture: Picture) -> tuple[bytes, bytes, int, int]:
    """Encode a picture; return hvcC box, samples, width and height."""
    file = io.BytesIO()
    height, width = picture.shape[:2]
    with av.open(file, "w", format="mp4") as out:
        stream = out.add_stream(
            "libx265", rate=1, options={"x265-params": "lossless=1:keyint=1:bframes=0:log-level=none"}
        )
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), "rgb24")
        frame.pts = 0
        out.mux(stream.encode(frame))
        out.mux(stream.encode())
    whole = file.getvalue()
    at = whole.index(b"hvcC") - 4
    size = int.from_bytes(whole[at : at + 4], "big")
    data = whole.index(b"mdat") - 4
    return (
        whole[at : at + size],
        whole[data + 8 : data + int.from_bytes(whole[data : data + 4], "big")],
        width,
        height,
    )


def heif(
    tiles: list[tuple[bytes, bytes, int, int]],
    columns: int,
    width: int,
    height: int,
    way: int,
    clap: tuple[int, ...] = (),
    icc: bytes = b"",
) -> bytes:
    count, is_grid = len(tiles), len(tiles) > 1
    primary = count + 1 if is_grid else 1
    turn, mirror = _TURNS[way]
    hvcc, _, tile_width, tile_height = tiles[0]
    seen = [
        *([box(b"clap", struct.pack(">8i", *clap))] if clap else []),
        *([] if turn is None else [box(b"irot", bytes([turn]))]),
        *([] if mirror is None else [box(b"imir", bytes([mirror]))]),
        *([box(b"colr", b"prof", icc)] if icc else []),
    ]
    limited = box(b"colr", b"nclx", struct.pack(">3HB", 1, 13, 6, 0))
    sizes = [box(b"ispe", struct.pack(">3I", 0, *size)) for size in ((tile_width, tile_height), (width, height))]
    properties = [hvcc, sizes[0], limited, sizes[1], *seen]
    seen_places = list(range(5, 5 + len(seen)))
    uses = {item: [1, 2, 3] for item in range(1, count + 1)}
    uses[primary] = [4, *seen_places] if is_grid else [1, 2, 3, *seen_places]
    grid_data = struct.pack(">4B2H", 0, 0, count // columns - 1, columns - 1, width, height)
    camera = bytes(4) + exif(6 if way == 1 else 1)
    camera_id = primary + 1
    kinds = dict.fromkeys(range(1, count + 1), b"hvc1") | ({primary: b"grid"} if is_grid else {})
    kinds[camera_id] = b"Exif"
    infos = [box(b"infe", struct.pack(">B3xHH4sx", 2, item, 0, kind)) for item, kind in kinds.items()]
    references = [box(b"cdsc", struct.pack(">3H", camera_id, 1, primary))]
    if is_grid:
        references.append(box(b"dimg", struct.pack(f">HH{count}H", primary, count, *range(1, count + 1))))
    entries = [struct.pack(f">HB{len(used)}B", item, len(used), *used) for item, used in uses.items()]
    in_file = {item: tile[1] for item, tile in enumerate(tiles, 1)} | {camera_id: camera}

    def meta(data_at: int) -> bytes:
        places = [struct.pack(">4H2I", primary, 1, 0, 1, 0, len(grid_data))] if is_grid else []
        for item, data in in_file.items():
            places.append(struct.pack(">4H2I", item, 0, 0, 1, data_at, len(data)))
            data_at += len(data)
        return box(
            b"meta",
            bytes(4),
            box(b"hdlr", bytes(8), b"pict", bytes(13)),
            box(b"pitm", struct.pack(">IH", 0, primary)),
            box(b"iinf", struct.pack(">IH", 0, len(infos)), *infos),
            box(b"iref", bytes(4), *references),
            box(b"iprp", box(b"ipco", *properties), box(b"ipma", struct.pack(">II", 0, len(entries)), *entries)),
            box(b"idat", grid_data),
            box(b"iloc", struct.pack(">IBBH", 1 << 24, 0x44, 0, len(places)), *places),
        )

    head = box(b"ftyp", b"heic", bytes(4), b"mif1", b"heic")
    return head + meta(len(head) + len(meta(0)) + 8) + box(b"mdat", *in_file.values())


WRITERS: dict[str, Callable[[Picture, int], bytes]] = {
    "jpg": jpeg,
    "png": png,
    "webp": webp,
    "tiff": tiff,
    "heic": heic,
    "tiles.heic": grid,
}


class Bits:
    def __init__(self) -> None:
        self._text = ""

    def put(self, value: int, count: int) -> None:
        self._text += f"{value:0{count}b}"

    def golomb(self, value: int) -> None:
        self._text += f"{value + 1:b}".zfill(2 * (value + 1).bit_length() - 1)

    def align(self, bit: int) -> None:
        self._text += str(bit) * (-len(self._text) % 8)

    def content(self) -> bytes:
        """Return the bytes with stop bit and escapes (H.265, 7.4.2)."""
        text = self._text + "1"
        plain = int(text.ljust(-(-len(text) // 8) * 8, "0"), 2).to_bytes(-(-len(text) // 8), "big")
        out = bytearray()
        for byte in plain:
            if byte < 4 and out[-2:] == b"\0\0":
                out.append(3)
            out.append(byte)
        return bytes(out)


def dolby_vision(pictures: list[Picture], *, full_range: bool) -> bytes:
    """Return HEVC with Dolby Vision metadata (ETSI GS CCM 001) without effect."""
    bits = Bits()
    for value, count in ((25, 8), (2, 6), (18, 11), (0 if full_range else 1, 4), (0, 4), (1, 1), (0, 1), (0, 2)):
        bits.put(value, count)
    bits.golomb(23)  # denominator of the coefficients
    bits.put(1, 2)
    bits.put(int(full_range), 1)
    for depth in (10, 10, 12):
        bits.golomb(depth - 8)
    for value, count in ((0, 1), (0, 3), (0, 1), (1, 1), (0, 1), (0, 1)):  # no residual, no metadata, no reference back
        bits.put(value, count)
    for _ in range(3):
        bits.golomb(0)
    for _ in range(3):
        bits.golomb(0)
        bits.put(0, 10)
        bits.put(1023, 10)
    bits.golomb(0)
    bits.golomb(0)
    for _ in range(3):  # polynomial of order 1
        bits.golomb(0)
        bits.golomb(0)
        bits.put(0, 1)
        for coefficient in (0, 2):  # se(v): 0 and 1
            bits.golomb(coefficient)
            bits.put(0, 23)
    bits.align(0)
    bits.put(0, 32)  # unchecked checksum
    unit = b"\0\0\1\x7c\1" + bits.content()
    units = _annex_b(pictures, "yuv420p10le").split(b"\0\0\1")
    return b"\0\0\1".join(part + unit if part[:1] in (b"\x26", b"\x28", b"\x2a") else part for part in units)


def _annex_b(pictures: list[Picture], pix_fmt: str) -> bytes:
    height, width = pictures[0].shape[:2]
    file = io.BytesIO()
    with av.open(file, "w", format="hevc") as out:
        options = {"x265-params": "lossless=1:keyint=1:bframes=0:log-level=none"}
        stream = out.add_stream("libx265", rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = width, height, pix_fmt
        for number, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, "rgb24").reformat(format=pix_fmt)
            frame.pts = number
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return file.getvalue()


def multiview(pictures: list[Picture]) -> bytes:
    """Return MV-HEVC that lacks the second view (H.265, F.7.3.2.1)."""
    height, width = pictures[0].shape[:2]
    units = _annex_b(pictures, "yuv420p").split(b"\0\0\1")
    plain = next(unit for unit in units if unit[:1] == b"\x40")
    profile = plain.replace(b"\0\0\3", b"\0\0")[6:18]

    bits = Bits()
    for value, count in ((0, 4), (3, 2), (1, 6), (0, 3), (1, 1), (0xFFFF, 16)):  # two layers, one of them the base's
        bits.put(value, count)
    bits.put(int.from_bytes(profile, "big"), 96)
    bits.put(1, 1)
    for value in (4, 2, 0):  # maximum pictures buffered, reordered, delayed
        bits.golomb(value)
    bits.put(1, 6)  # highest layer id
    bits.golomb(1)  # two layer sets: the base alone, and both
    bits.put(0b11, 2)
    bits.put(0b01, 2)  # no timing; extension present
    bits.align(1)
    bits.put(profile[11], 8)  # level
    bits.put(0, 1)
    bits.put(1 << 14, 16)  # the layers differ in their view
    bits.put(0, 3)  # a view index of one bit
    bits.put(0, 1)
    bits.put(1, 1)  # equal to 1 in the second layer
    bits.put(1, 4)
    bits.put(0b01, 2)  # views 0 and 1
    bits.put(0b1000, 4)  # the second layer depends on the first
    bits.golomb(0)
    bits.golomb(0)
    bits.put(0, 2)
    bits.golomb(0)  # both have the same format
    for value, count in ((width, 16), (height, 16), (1, 1), (1, 2), (0, 4), (0, 4), (0, 1)):
        bits.put(value, count)
    bits.put(0b000, 3)
    for value in (4, 4, 2, 0):  # as above, for each layer
        bits.golomb(value)
    bits.golomb(0)
    bits.put(0b110, 3)  # all dependencies alike, on samples and motion
    bits.golomb(0)
    bits.put(0, 1)
    return b"\0\0\1".join(plain[:2] + bits.content() if unit == plain else unit for unit in units)
