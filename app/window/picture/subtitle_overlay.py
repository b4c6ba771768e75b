"""Subtitles over the picture, and their track."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QTextLayout,
    QTextOption,
)

from framebrush.media.reading.subtitle_tracks import Cue, SubtitlePicture
from framebrush.window.picture.overlay import Cover, Overlay
from framebrush.window.picture.view import VideoView
from framebrush.window.widgets.images import image_of_rgb

TEXT_SHARE, LEAST_PX = 0.05, 13
"""The font height as a share of the picture's, and its minimum in Qt's pixels."""

OUTLINE = 0.16
"""The width of the dark outline relative to the font height; only the outline makes white on white readable."""

LINE_SHARE = 1.12
"""The line spacing: the outline of one line must not touch the letters of the next."""

MARGIN_SHARE, WIDTH_SHARE, HEIGHT_SHARE, WIDEST_EM = 0.04, 0.92, 0.5, 34
"""The distance from the picture's lower edge; the most that the text may take of the view, and its maximum width in
ems."""


class SubtitleOverlay(Cover):
    """Draws current cues in the whole picture's place, regardless of zoom."""

    def __init__(self, view: VideoView, above: Sequence[Overlay]) -> None:
        super().__init__(view, above)
        self._video = view
        self.setObjectName("subtitles")
        self.shown: tuple[Cue, ...] = ()
        self._drawn_for: tuple[object, ...] = ()
        self._image, self._at = QImage(), QPoint()

    @property
    def text(self) -> str:
        return "\n".join(cue.text for cue in reversed(self.shown) if cue.text)

    def show_cues(self, cues: tuple[Cue, ...]) -> None:
        """Show only these cues, the first one lowest."""
        if cues == self.shown:
            return
        self.shown = cues
        self.setAccessibleName(self.text)
        self.follow()

    def follow(self) -> None:
        """Redraw after the picture appeared or disappeared."""
        self.place()
        self._appear()

    def place(self) -> None:
        key = self.shown, self._video.size(), self._video.devicePixelRatioF(), self._video.whole
        if key != self._drawn_for:
            self._drawn_for = key
            self._draw()
        super().place()
        self.update()

    def corner(self) -> QPoint:
        return self._at

    def wanted_size(self) -> QSize:
        return self._image.deviceIndependentSize().toSize().expandedTo(QSize(1, 1))

    def _appear(self) -> None:
        self.setVisible(not self._image.isNull() and not self._video.window().isMinimized())

    def _go_with_window(self) -> None:
        self._appear()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = self.painter()
        painter.drawImage(QPoint(), self._image)

    def _draw(self) -> None:
        self._image = QImage()
        whole = self._video.whole
        if whole is None or not self.shown:
            return
        picture = QRectF(whole.x, whole.y, whole.width, whole.height)
        view = QRectF(self._video.rect())
        pictures = [(_within(part, picture), part) for cue in self.shown for part in cue.pictures]
        text = _Text(self.text, picture, view) if self.text else None
        areas = [area for area, _ in pictures] + ([text.area] if text is not None else [])
        together = QRectF()
        for area in areas:
            together |= area
        bounds = together.intersected(view).toAlignedRect() & QRect(QPoint(), self._video.size())
        if bounds.isEmpty():
            return
        ratio = self._video.devicePixelRatioF()
        image = QImage(bounds.size() * ratio, QImage.Format.Format_ARGB32_Premultiplied)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.translate(-bounds.topLeft())
        for area, part in pictures:
            painter.drawImage(area, image_of_rgb(part.rgba))
        if text is not None:
            text.draw(painter)
        painter.end()
        self._image, self._at = image, bounds.topLeft()


def _within(part: SubtitlePicture, picture: QRectF) -> QRectF:
    return QRectF(
        picture.x() + part.x * picture.width(),
        picture.y() + part.y * picture.height(),
        part.width * picture.width(),
        part.height * picture.height(),
    )


class _Text:
    """Wrapped lines at the lower edge of a picture."""

    def __init__(self, text: str, picture: QRectF, view: QRectF) -> None:
        self._font = QFont()
        pixels = max(LEAST_PX, round(TEXT_SHARE * min(picture.height(), view.height())))
        self._font.setPixelSize(pixels)
        self._font.setWeight(QFont.Weight.DemiBold)
        metrics = QFontMetricsF(self._font)
        self._outline = OUTLINE * pixels
        widest = min(WIDTH_SHARE * view.width(), WIDEST_EM * pixels) - 2 * self._outline
        lines = [line for paragraph in text.split("\n") for line in self._broken(paragraph, widest)]
        spacing = LINE_SHARE * metrics.lineSpacing()
        most = max(1, int(HEIGHT_SHARE * view.height() / spacing))
        if len(lines) > most:
            lines = [*lines[: most - 1], lines[most - 1] + "…"]
        self._path = QPainterPath()
        middle, bottom = picture.center().x(), picture.bottom() - MARGIN_SHARE * picture.height()
        bottom = min(bottom, view.bottom() - self._outline - metrics.descent())
        for row, line in enumerate(reversed(lines)):
            left = middle - metrics.horizontalAdvance(line) / 2
            self._path.addText(QPointF(left, bottom - metrics.descent() - row * spacing), self._font, line)
        around = self._path.boundingRect()
        self.area = around.adjusted(-self._outline, -self._outline, self._outline, self._outline)

    def _broken(self, paragraph: str, widest: float) -> list[str]:
        layout = QTextLayout(paragraph, self._font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        units = paragraph.encode("utf-16-le", "replace")  # Qt counts in them
        layout.beginLayout()
        lines: list[str] = []
        while (line := layout.createLine()).isValid():
            line.setLineWidth(widest)
            part = units[2 * line.textStart() : 2 * (line.textStart() + line.textLength())]
            lines.append(part.decode("utf-16-le", "replace").strip())
        layout.endLayout()
        return lines

    def draw(self, painter: QPainter) -> None:
        pen = QPen(QColor(0, 0, 0, 235), 2 * self._outline)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(self._path, pen)
        painter.fillPath(self._path, QColor(255, 255, 255))
