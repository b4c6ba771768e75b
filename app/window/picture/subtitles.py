"""Subtitles over the picture, and the selection of the track."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
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

from framebrush.base.worker_thread import Ending
from framebrush.media.reading.subtitles import Cue, Line, SubtitlePicture, SubtitleTrack, find_tracks
from framebrush.media.video import VideoInfo
from framebrush.playback.events import Opened, Shown
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.playback.subtitles import SubtitleLines, Subtitles
from framebrush.window.menus import Menus
from framebrush.window.picture.overlay import Cover, Overlay
from framebrush.window.picture.view import VideoView
from framebrush.window.session import Session
from framebrush.window.transport.subtitle_lane import SubtitleLane
from framebrush.window.widgets.background import Background

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
    """Draws the current cues where the whole picture would be in the view.

    Zoom, pan and split do not move them.
    """

    def __init__(self, view: VideoView, above: Sequence[Overlay]) -> None:
        super().__init__(view, above)
        self._video = view
        self.setObjectName("subtitles")
        self.shown: tuple[Cue, ...] = ()
        self._drawn_for: tuple[object, ...] = ()
        self._image, self._at = QImage(), QPoint()

    @property
    def text(self) -> str:
        """The text that is shown."""
        return "\n".join(cue.text for cue in reversed(self.shown) if cue.text)

    def show_cues(self, cues: tuple[Cue, ...]) -> None:
        """Show only these cues, the first one lowest."""
        if cues == self.shown:
            return
        self.shown = cues
        self.setAccessibleName(self.text)
        self.follow()

    def follow(self) -> None:
        """Follow the picture: it appeared, or disappeared."""
        self.place()
        self._appear()

    def place(self) -> None:
        """Redraw for the size of the view."""
        key = self.shown, self._video.size(), self._video.devicePixelRatioF(), self._video.whole
        if key != self._drawn_for:
            self._drawn_for = key
            self._draw()
        super().place()
        self.update()

    def corner(self) -> QPoint:
        """Return the corner of the drawn subtitles."""
        return self._at

    def wanted_size(self) -> QSize:
        """Return the size of the drawn subtitles."""
        return self._image.deviceIndependentSize().toSize().expandedTo(QSize(1, 1))

    def _appear(self) -> None:
        self.setVisible(not self._image.isNull() and not self._video.window().isMinimized())

    def _go_with_window(self) -> None:
        """Hide while the window is minimised, since playback continues then."""
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
            rgba = part.rgba
            height, width = rgba.shape[:2]
            painter.drawImage(area, QImage(rgba.data, width, height, 4 * width, QImage.Format.Format_RGBA8888))
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


class SubtitleControl(QObject):
    """Finds the subtitle tracks of the open video, and shows the selected one.

    None is selected at first; later videos use a track with the same name as the last one selected.
    """

    came = Signal()  # more cues were read at the current position
    found = Signal(object, object)  # a track and its lines

    def __init__(
        self,
        overlay: SubtitleOverlay,
        lane: SubtitleLane,
        menus: Menus,
        session: Session,
        reading: ReadingProcess | None = None,
    ) -> None:
        """reading: as for `Subtitles`."""
        super().__init__(session)
        self.overlay, self._lane, self._menus, self._reading = overlay, lane, menus, reading
        self._info: VideoInfo | None = None
        self.tracks: tuple[SubtitleTrack, ...] = ()
        self._track: SubtitleTrack | None = None
        self._reader: Subtitles | None = None
        self._lines: SubtitleLines | None = None
        self._ending = Ending()
        self._wanted = ""  # a track's name
        self._at_s = self.delay_s = 0.0
        self.came.connect(self._refresh)
        self.found.connect(self._show_lines)
        menus.subtitles_chosen.connect(self.choose)
        session.film_changed.connect(self._open)
        session.events.on(Shown, lambda shown: self._show_at(shown.at.time_s))

    def _open(self, opened: Opened | None) -> None:
        info = opened.info if opened is not None else None
        self._info, self.tracks, self._at_s, self.delay_s = info, (), 0.0, 0.0
        self._use(None)
        self._menus.show_subtitles((), None)
        path = info.path if info is not None else None
        if info is not None and path is not None:
            find = partial(call, self._reading, path, find_tracks, path, info.opening)
            Background(lambda: (info, find()), self._found, self)

    def _show_at(self, time_s: float) -> None:
        self._at_s = time_s
        self._refresh()

    def delay(self, seconds: float) -> None:
        """Delay the subtitles of this video; negative values advance them."""
        self.delay_s = seconds
        self._lane.show_delay(seconds)
        self._refresh()

    def choose(self, number: int | None) -> None:
        """Show the track with this number; None: no subtitles."""
        track = self.tracks[number] if number is not None and number < len(self.tracks) else None
        self._wanted = track.name if track is not None else ""
        self._use(track)

    def close(self, *, wait: bool = False) -> None:
        """Stop reading. wait: for all threads, before this object is deleted."""
        for worker in (self._reader, self._lines):
            self._ending.end(worker, wait=wait)
        self._reader = self._lines = None

    def _found(self, found: tuple[VideoInfo, tuple[SubtitleTrack, ...]]) -> None:
        info, tracks = found
        if info is not self._info:
            return  # another video has been opened since
        self.tracks = tracks
        names = [track.name if track.shown else "" for track in tracks]
        number = names.index(self._wanted) if self._wanted in names and self._wanted else None
        self._menus.show_subtitles(tracks, number)
        if number is not None:
            self._use(tracks[number])

    def _use(self, track: SubtitleTrack | None) -> None:
        self.close()
        self._track = track
        self._lane.show_lines(())
        if track is not None and self._info is not None:
            self._reader = Subtitles(track, self._origin_s, self.came.emit, self._reading)
            self._lines = SubtitleLines(track, partial(self.found.emit, track), self._reading)
        self._refresh()

    @property
    def _origin_s(self) -> float:
        assert self._info is not None
        return float(self._info.start_pts * self._info.time_base)

    def _show_lines(self, track: SubtitleTrack, lines: Sequence[Line]) -> None:
        if track is self._track:
            origin_s = self._origin_s
            self._lane.show_lines([Line(start - origin_s, end - origin_s, text) for start, end, text in lines])

    def _refresh(self) -> None:
        self.overlay.show_cues(self._reader.at(self._at_s - self.delay_s) if self._reader is not None else ())


class _Text:
    """Lines of text at the lower edge of a picture, wrapped to fit the view."""

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
