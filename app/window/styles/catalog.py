"""Entries of the style gallery."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QLinearGradient, QPainter, QPainterPath, QPen

from framebrush.base.translators import QT_TRANSLATE_NOOP
from framebrush.media.reading.position import frame_named
from framebrush.models.style import ModelCard
from framebrush.styles.blends import is_file, parts_of
from framebrush.styles.style_folder import OwnStyle
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.widgets.numbers import percents

THUMBNAIL = QSize(80, 46)
FOLDER = Path(__file__).with_name("thumbnails")
FINER = "-fine"
SPEEDS = ("realtime", "", "quality", "slow")

TITLES = {
    "starry-night": QT_TRANSLATE_NOOP("Styles", "Starry night"),
    "great-wave": QT_TRANSLATE_NOOP("Styles", "Great wave"),
    "scream": QT_TRANSLATE_NOOP("Styles", "Scream"),
    "composition-vii": QT_TRANSLATE_NOOP("Styles", "Composition VII"),
    "udnie": QT_TRANSLATE_NOOP("Styles", "Udnie"),
    "wheat-field": QT_TRANSLATE_NOOP("Styles", "Wheat field"),
    "dusk": QT_TRANSLATE_NOOP("Styles", "Dusk"),
    "tahiti": QT_TRANSLATE_NOOP("Styles", "Tahiti"),
    "charing-cross": QT_TRANSLATE_NOOP("Styles", "Charing Cross"),
    "rhone": QT_TRANSLATE_NOOP("Styles", "Rhone"),
    "night-cafe": QT_TRANSLATE_NOOP("Styles", "Night café"),
    "olive-trees": QT_TRANSLATE_NOOP("Styles", "Olive trees"),
    "self-portrait": QT_TRANSLATE_NOOP("Styles", "Self-portrait"),
    "cottages": QT_TRANSLATE_NOOP("Styles", "Cottages"),
    "te-fare": QT_TRANSLATE_NOOP("Styles", "Te fare"),
    "in-bed": QT_TRANSLATE_NOOP("Styles", "In bed"),
    "ink": QT_TRANSLATE_NOOP("Styles", "Ink"),
    "oil": QT_TRANSLATE_NOOP("Styles", "Oil"),
    "realtime": QT_TRANSLATE_NOOP("Styles", "Sixteen paintings, for real time"),
    "quality": QT_TRANSLATE_NOOP("Styles", "Sixteen paintings, finer"),
}
"""Of the bundled paintings, and of networks of several."""

ORIGINS = {
    "starry-night": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1889"),
    "great-wave": QT_TRANSLATE_NOOP("Styles", "Katsushika Hokusai, 1831"),
    "scream": QT_TRANSLATE_NOOP("Styles", "Edvard Munch, 1893"),
    "composition-vii": QT_TRANSLATE_NOOP("Styles", "Wassily Kandinsky, 1913"),
    "udnie": QT_TRANSLATE_NOOP("Styles", "Francis Picabia, 1913"),
    "wheat-field": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1889"),
    "dusk": QT_TRANSLATE_NOOP("Styles", "Claude Monet, 1908"),
    "tahiti": QT_TRANSLATE_NOOP("Styles", "Paul Gauguin, 1890s"),
    "charing-cross": QT_TRANSLATE_NOOP("Styles", "Claude Monet, 1903"),
    "rhone": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1888"),
    "night-cafe": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1888"),
    "olive-trees": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1889"),
    "self-portrait": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1887"),
    "cottages": QT_TRANSLATE_NOOP("Styles", "Vincent van Gogh, 1890"),
    "te-fare": QT_TRANSLATE_NOOP("Styles", "Paul Gauguin, 1892"),
    "in-bed": QT_TRANSLATE_NOOP("Styles", "Henri de Toulouse-Lautrec, 1893"),
    PASSTHROUGH: QT_TRANSLATE_NOOP("Styles", "The film itself"),
    "ink": QT_TRANSLATE_NOOP("Styles", "A drawing of the film's lines"),
    "oil": QT_TRANSLATE_NOOP("Styles", "The film itself in brush strokes"),
}
"""Of bundled styles: painter and year."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Tile of the gallery.

    name: as for `open_style`. finer: the same painting by a slower network. networks: paintings of each bundled
    network.
    """

    name: str
    title: str
    hint: str = ""
    finer: str = ""
    picture: Path | None = None
    own: OwnStyle | None = None
    networks: tuple[tuple[str, ...], ...] = ()

    @property
    def blends(self) -> bool:
        """Whether this is a picture that can be blended."""
        return self.own is not None and self.own.is_picture and "," not in self.name


def catalog(own: Iterable[OwnStyle] = ()) -> list[Entry]:
    """Return the tiles: no style, bundled paintings, own styles. Slow."""
    from framebrush.models.library import bundled, card_of

    def rank(card: ModelCard) -> tuple[int, int]:
        return SPEEDS.index(card.speed), -len(card.paintings)

    cards = sorted((card_of(path) for path in bundled().values()), key=rank)
    networks = {painting: card.paintings for card in cards for painting in card.paintings}
    found = [Entry(PASSTHROUGH, "", picture=picture_of(PASSTHROUGH))]
    for card in cards:
        for painting in card.paintings:
            if painting.removesuffix(FINER) in networks.keys() - {painting}:
                continue
            finer = painting + FINER if painting + FINER in networks else ""
            hint = "\n".join(filter(None, (title(painting), origin(painting))))
            both = tuple(networks[name] for name in (painting, finer) if name)
            found.append(Entry(painting, title(painting), hint, finer, picture_of(painting), networks=both))
    return found + [Entry(str(each.path), each.name, each.name, picture=each.picture, own=each) for each in own]


def title(painting: str) -> str:
    """Return a painting's translated title, or its capitalised name."""
    name = painting.removesuffix(FINER)
    if name in TITLES:
        return QCoreApplication.translate("Styles", TITLES[name])
    words = re.sub("[-_]", " ", name)
    return words[:1].upper() + words[1:]


def origin(style: str) -> str:
    """Return painter and year of a bundled style, or ""."""
    name = style.removesuffix(FINER)
    return QCoreApplication.translate("Styles", ORIGINS[name]) if name in ORIGINS else ""


def words_of(name: str) -> str:
    """Return a style's displayed name without weights."""
    if named := frame_named(name):
        return f"{Path(named[0]).stem}@{named[1]}"
    return Path(name).stem if is_file(name) else title(name)


def words_of_blend(style: str) -> str:
    """Return a style's displayed name with shares."""
    parts = parts_of(style)
    if len(parts) == 1:
        return words_of(*parts)
    shares = percents(list(parts.values()))
    return " + ".join(f"{words_of(name)} {share}" for name, share in zip(parts, shares, strict=True))


def thumbnail(entry: Entry, size: QSize, ratio: float, film: QImage | None = None) -> QImage:
    """Return a tile's picture: of the film, else the file, else strokes.

    size: in points. ratio: device pixels per point.
    """
    size = size * ratio
    image = QImage(_still(entry.name, _stored(entry.picture), size.toTuple()) if film is None else filling(film, size))
    image.setDevicePixelRatio(ratio)
    return image


def _stored(picture: Path | None) -> tuple[str, int] | None:
    try:
        return None if picture is None else (str(picture), picture.stat().st_mtime_ns)
    except OSError:
        return None


@lru_cache(256)
def _still(name: str, stored: tuple[str, int] | None, size: tuple[int, int]) -> QImage:
    image = QImage(stored[0]) if stored else QImage()
    return filling(_strokes(name, QSize(*size)) if image.isNull() else image, QSize(*size))


def filling(image: QImage, size: QSize) -> QImage:
    """Return an image's centre, scaled to fill a size."""
    expanding = Qt.AspectRatioMode.KeepAspectRatioByExpanding
    image = image.scaled(size, expanding, Qt.TransformationMode.SmoothTransformation)
    left, top = (image.width() - size.width()) // 2, (image.height() - size.height()) // 2
    return image.copy(left, top, size.width(), size.height())


def picture_of(painting: str) -> Path | None:
    """Return a bundled painting's thumbnail file, if any."""
    path = FOLDER / f"{painting}.jpg"
    return path if path.is_file() else None


def _strokes(name: str, size: QSize) -> QImage:
    seed = zlib.crc32(name.encode())
    image = QImage(size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    hue = seed % 360
    ground = QLinearGradient(0, 0, size.width(), size.height())
    ground.setColorAt(0, QColor.fromHsv(hue, 70, 78))
    ground.setColorAt(1, QColor.fromHsv((hue + 40) % 360, 90, 52))
    painter.fillRect(image.rect(), ground)
    for stroke in range(5):
        seed = zlib.crc32(seed.to_bytes(4, "little"))
        y = size.height() * (0.15 + 0.17 * stroke)
        rise = ((seed >> 8 & 255) / 255 - 0.5) * size.height()
        path = QPainterPath(QPointF(-size.width() * 0.1, y))
        path.cubicTo(
            QPointF(size.width() * 0.3, y + rise), QPointF(size.width() * 0.7, y - rise), QPointF(size.width() * 1.1, y)
        )
        colour = QColor.fromHsv((hue + (seed >> 16) % 70) % 360, 110 + seed % 60, 150 + (seed >> 4) % 80, 215)
        painter.setPen(QPen(colour, size.height() * 0.12, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawPath(path)
    painter.end()
    return image
