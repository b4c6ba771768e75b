"""Time-lapse of the current frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QPoint, QRectF, QSize, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar

from framebrush.base.worker_thread import EndingWorkers
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import TimeRange
from framebrush.playback import events
from framebrush.styles.style_names import has_strokes
from framebrush.window.picture.bridge import PictureBox
from framebrush.window.picture.composing import Composed
from framebrush.window.picture.overlay import Cover, Overlay
from framebrush.window.picture.reveal_painter import RevealPainter
from framebrush.window.picture.view import VideoView
from framebrush.window.picture.viewport import ViewControls
from framebrush.window.state.actions import Actions
from framebrush.window.state.session import Session
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import plain, push_button
from framebrush.window.widgets.theme import SPACE

WIDEST_PX = 480


class RevealOverlay(Cover):
    """Draws the time-lapse in place of the painting."""

    def __init__(self, view: VideoView, above: Sequence[Overlay]) -> None:
        super().__init__(view, above)
        self._video = view
        self.picture: Composed | None = None

    def show_picture(self, picture: Composed | None) -> None:
        """Draw a picture; None to hide the overlay."""
        self.picture = picture
        self.setVisible(picture is not None)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = self.painter()
        place, pane = self._video.painted.place, self._video.painted.pane
        if place is None or self.picture is None:
            return
        left = 0.0 if pane is None else pane  # side by side, the painting is in the right half
        painter.setClipRect(QRectF(left, 0, self.width() - left, self.height()))
        painter.translate(left, 0)
        self.picture.draw(painter, place)


class RevealBar(Overlay):
    """Progress of the time-lapse, and its buttons."""

    def __init__(self, view: VideoView, actions: Actions, below: Overlay) -> None:
        super().__init__(view, takes_mouse=True)
        self.setObjectName("reveal")
        self._below = below
        below.installEventFilter(self)
        self._words = plain(self.tr("Painting the frame…"))
        self.progress = QProgressBar(textVisible=False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.save = push_button(self.tr("Save…"), actions["export-reveal"].trigger)
        self.stop = push_button(self.tr("Close"), actions["reveal"].toggle)
        parts = self._words, self.progress, self.save, self.stop
        fill(QHBoxLayout(self), *parts, around=SPACE, between=SPACE, grows=self.progress)

    def show_share(self, share: float | None) -> None:
        """Show the share of the time, 0..1; None at first."""
        self._words.setVisible(share is None)
        self.progress.setRange(0, 0 if share is None else 1000)
        self.progress.setValue(round(1000 * (share or 0.0)))
        self.show()

    def wanted_size(self) -> QSize:
        return QSize(min(WIDEST_PX, self._view.width() - 2 * SPACE), self.sizeHint().height())

    def corner(self) -> QPoint:
        size, view = self.wanted_size(), self._view
        below = self._below.wanted_size().height() + SPACE if self._below.isVisible() else 0
        return QPoint((view.width() - size.width()) // 2, view.height() - size.height() - SPACE - below)


class Watching(QObject):
    """Shows the frame's time-lapse while the action is checked.

    Another frame, look or device, and playback end it.
    """

    _came = Signal(object, object, float)  # a JobSpec, its picture, and the share of the time
    _failed = Signal(object, object)

    def __init__(
        self,
        overlay: RevealOverlay,
        bar: RevealBar,
        actions: Actions,
        session: Session,
        looking: ViewControls,
        view: VideoView,
        box: PictureBox,
    ) -> None:
        super().__init__(view)
        self.overlay, self.bar = overlay, bar
        self._session, self._box, self._action = session, box, actions["reveal"]
        self._spec: JobSpec | None = None  # of the frame that is shown
        self._number = 0
        self._device = "auto"
        self._painter: RevealPainter | None = None
        self._ending = EndingWorkers()
        self._came.connect(self._show)
        self._failed.connect(self._tell)
        self._action.toggled.connect(self._turn)
        looking.changed.connect(lambda _: self._follow_view())
        view.resized.connect(lambda *_: self._follow_view())
        session.film_changed.connect(lambda _: self.leave())
        session.changed.connect(lambda *_: self._leave_if_on())
        session.events.on(events.Shown, self._follow_shown)
        session.events.on(events.DeviceInUse, self._use_device)
        session.events.on(events.Playing, lambda playing: self._leave_if_on() if playing.on else None)

    @property
    def is_on(self) -> bool:
        """Whether a time-lapse is shown, or about to be."""
        return self._action.isChecked()

    def leave(self) -> None:
        """Show the film again."""
        self._action.setChecked(False)

    def close(self, *, wait: bool = False) -> None:
        """Stop. wait: for the thread."""
        self._ending.end(self._painter, wait=wait)
        self._painter = self._spec = None
        self.overlay.show_picture(None)
        self.bar.hide()

    def _turn(self, on: bool) -> None:
        self.close()
        if on:
            self.bar.show_share(None)
            self._session.player.play(False)
            self._session.seeks.when_there(self._begin, "reveal")

    def _begin(self) -> None:
        session, opened = self._session, self._session.opened
        if not self.is_on or opened is None:
            return
        spec = session.job(opened.info.source, "screen")
        self._number = session.shown_at.number
        span = TimeRange.of_frame(self._number)
        self._spec = spec = replace(spec, range=span, device=self._device)
        came, failed = partial(self._came.emit, spec), partial(self._failed.emit, spec)
        self._painter = RevealPainter(spec, opened.info, self._box, came, failed)

    def _show(self, spec: JobSpec, picture: Composed, share: float) -> None:
        if spec is self._spec:
            self.overlay.show_picture(picture)
            self.bar.show_share(share)

    def _tell(self, spec: JobSpec, error: Exception) -> None:
        if spec is self._spec:
            self.leave()
            said = events.Notification.of_error(error)
            if not has_strokes(self._session.card, spec.recipe.most_look):
                said = replace(said, text=self.tr("This look has no strokes. Raise Brush in the section Brush."))
            self._session.notified.emit(said)

    def _leave_if_on(self) -> None:
        if self._painter is not None:
            self.leave()

    def _use_device(self, used: events.DeviceInUse) -> None:
        self._device = used.info.address
        self._leave_if_on()

    def _follow_shown(self, shown: events.Shown) -> None:
        if shown.at.number != self._number:
            self._leave_if_on()

    def _follow_view(self) -> None:
        if self._painter is not None:
            self._painter.compose_again()
            self.overlay.update()
