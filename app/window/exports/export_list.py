"""The list of exports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QContextMenuEvent, QDrag, QDragEnterEvent, QDropEvent, QImage, QMouseEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from framebrush.jobs.segments.job_folder import KeptWork, kept_work
from framebrush.window.exports.export_queue import ENDED_EARLY, ExportJob, State
from framebrush.window.exports.export_runner import ExportRunner, picture_of
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets import icons
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import (
    Column,
    FileName,
    accept_copy,
    ask_whether,
    faint,
    local_files,
    look_files,
    push_button,
)
from framebrush.window.widgets.images import fitted
from framebrush.window.widgets.numbers import data_size, decimal
from framebrush.window.widgets.theme import SPACE, STAGE

PREVIEW = QSize(80, 48)
ROUNDS = 3
"""Passes of the event loop until the layout is stable, as parts with wrapped text ask each other for room."""

CARD = "application/x-framebrush-export"


def _button(text: str, call: Callable[[], object]) -> QPushButton:
    made = push_button(text, call)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made


class JobCard(QFrame):
    """Description, progress and buttons of one export."""

    def __init__(self, job: ExportJob, runner: ExportRunner) -> None:
        super().__init__()
        self.setObjectName("card")
        self._job, self._runner, self._progress = job, runner, ""
        self._looks_for_kept = False
        target = Path(job.spec.target)
        self.setAccessibleName(target.name)
        self.picture, self._name, self.state_line = QLabel(), FileName(target.name, job.spec.target), faint()
        self.picture.setFixedSize(PREVIEW)
        self.picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.picture.setStyleSheet(f"background: {STAGE}; border-radius: 3px;")
        self.picture.setPixmap(icons.picture("film", "#77797e", 24, thin=True))
        if not (picture := picture_of(job)).isNull():
            self.preview(picture)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self._pause = _button(self.tr("Pause"), lambda: runner.pause(job, job.state is State.RUNNING))
        self.cancel_button = _button(self.tr("Cancel"), lambda: runner.cancel(job))
        self.again = _button(self.tr("Start again"), lambda: runner.again(job))
        self.start_over = _button(self.tr("Start over…"), self._ask_start_over)
        self.open_button = _button(self.tr("Open"), lambda: runner.open_file(target))
        self.show_button = _button(self.tr("Show in folder"), lambda: runner.open_file(target.parent))
        self.remove = _button(self.tr("Remove"), self._ask_remove)
        words = fill(QVBoxLayout(), self._name, self.state_line, None, between=2)
        top = fill(QHBoxLayout(), self.picture, words, between=SPACE, grows=words)
        top.setAlignment(self.picture, Qt.AlignmentFlag.AlignTop)
        opening = self.open_button, self.show_button
        parts = self._pause, self.cancel_button, self.again, self.start_over, *opening, self.remove
        buttons = fill(QHBoxLayout(), None, *parts, between=SPACE // 2)
        fill(QVBoxLayout(self), top, self.bar, buttons, around=SPACE, between=SPACE)
        self.refresh()

    def refresh(self) -> None:
        """Show the job's new state."""
        state = self._job.state
        words = {
            State.WAITING: self.tr("Waiting"),
            State.RUNNING: self.tr("Starting…"),
            State.PAUSED: self.tr("Paused"),
            State.DONE: self.tr("Done"),
            State.FAILED: self.tr("Failed"),
            State.CANCELLED: self.tr("Cancelled"),
            State.INTERRUPTED: self.tr("Interrupted"),
        }
        facts = "" if state is State.PAUSED else "   ".join(filter(None, (self._size_and_time(), self._job.message)))
        text = ": ".join(filter(None, (words[state], facts)))
        if state is State.PAUSED and self._progress:
            text = "\n".join((self._progress, text))
        elif state is State.RUNNING and self._progress:
            text = f"{self._progress}\n"  # keeps its height until the next figures
        elif self._job.has_kept and self._job.kept is not None:
            kept = self.tr("Painted and kept: {length} of the film. Resume goes on from there.")
            text = "\n".join((text, kept.format(length=self._length(self._job.kept))))
        self.state_line.setText(text)
        running = state in (State.RUNNING, State.PAUSED)
        self.bar.setVisible(running)
        self._pause.setVisible(running)
        self._pause.setText(self.tr("Resume") if state is State.PAUSED else self.tr("Pause"))
        self.cancel_button.setVisible(running or state is State.WAITING)
        self.again.setVisible(state in ENDED_EARLY)
        self.again.setText(self.tr("Resume") if self._job.has_kept else self.tr("Start again"))
        self.start_over.setVisible(state in ENDED_EARLY and self._job.kept is not None)
        self.open_button.setVisible(state is State.DONE)
        self.show_button.setVisible(state is State.DONE)
        self.remove.setVisible(self._job.is_over)
        self.remove.setText(self.tr("Delete…") if self._job.has_kept else self.tr("Remove"))
        if state is State.RUNNING and not self._progress:
            self.bar.setRange(0, 0)
        elif not running:
            self._progress = ""

    def _size_and_time(self) -> str:
        job = self._job
        if job.state is not State.DONE or not job.size_bytes:
            return ""
        size, time = data_size(job.size_bytes), clock(ceil(job.took_s), precise=False)
        return self.tr("{size}, in {time}").format(size=size, time=time)

    def progress(self, line: dict[str, Any]) -> None:
        """Show the job's progress."""
        frames = line["frames"]
        self.bar.setRange(0, frames or 0)
        self.bar.setValue(line["frame"])
        if self._job.state is State.PAUSED:
            return
        of = f"{line['frame']} / {frames}" if frames else f"{line['frame']}"
        left = self.tr("{time} left").format(time=clock(line["left_s"], precise=False)) if line["left_s"] else ""
        speed = self.tr("{number} fps").format(number=decimal(line["fps"]))
        self._progress = self.tr("Frame {of}").format(of=of)
        self.state_line.setText("\n".join([self._progress, "   ".join(filter(None, (speed, left)))]))

    def preview(self, image: QImage) -> None:
        """Show the last painted frame."""
        self.picture.setPixmap(fitted(image, PREVIEW, self.devicePixelRatioF()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.buttons() & Qt.MouseButton.LeftButton:
            data, action = QMimeData(), Qt.DropAction.MoveAction
            data.setData(CARD, self._job.name.encode())
            if self._job.state is State.DONE:
                data.setUrls([QUrl.fromLocalFile(self._job.spec.target)])
                action = Qt.DropAction.CopyAction
            drag = QDrag(self)
            drag.setMimeData(data)
            drag.setPixmap(self.grab())
            drag.exec(action)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        jobs = self._runner.queue.jobs
        here = jobs.index(self._job)
        menu = QMenu(self)
        menu.setAccessibleName(self.accessibleName())
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        up, down = menu.addAction(self.tr("Move up")), menu.addAction(self.tr("Move down"))
        up.setEnabled(here > 0)
        down.setEnabled(here < len(jobs) - 1)
        up.triggered.connect(lambda: self._runner.move(self._job, jobs[here - 1]))
        after = jobs[here + 2] if here + 2 < len(jobs) else None
        down.triggered.connect(lambda: self._runner.move(self._job, after))
        menu.popup(event.globalPos())

    def _ask_start_over(self) -> None:
        text, do = self.tr("Start {name} over?"), self.tr("Start over")
        self._ask_whether(text, do, lambda: self._runner.start_over(self._job), self._job.kept)

    def _ask_remove(self) -> None:
        if not self._looks_for_kept:  # a second press asks nothing more
            self._looks_for_kept = True
            Background(partial(kept_work, Path(self._job.spec.target)), self._remove, self)

    def _remove(self, kept: KeptWork | None) -> None:
        self._looks_for_kept = False

        def remove() -> None:
            self._runner.remove(self._job)

        if kept is not None and kept.owner == self._job.name and self._job.state in ENDED_EARLY:
            text, do = self.tr("Delete what is painted of {name}?"), self.tr("Delete")
            self._ask_whether(text, do, remove, kept)
        elif self._job.is_over:
            remove()

    def _ask_whether(self, text: str, do: str, then: Callable[[], None], kept: KeptWork | None) -> None:
        more = (
            "" if kept is None else self.tr("Painted so far: {length} of the film.").format(length=self._length(kept))
        )
        text = text.format(name=Path(self._job.spec.target).name)
        ask_whether(self.window(), self.tr("Export"), text, do, then, more)

    def _length(self, kept: KeptWork) -> str:
        if kept.length_s is None:
            return self.tr("%n frame(s)", "", kept.frames)
        return clock(ceil(kept.length_s), precise=False)


class ExportPanel(Column):
    """Cards of all exports; dropped videos are exported."""

    dropped = Signal(list)  # of paths
    files_asked = Signal()
    folder_asked = Signal()
    target_asked = Signal()
    beside_asked = Signal()

    def __init__(self, runner: ExportRunner, folder: Path | None) -> None:
        inside = QWidget()
        super().__init__(inside)
        self.setAcceptDrops(True)
        self._runner = runner
        self.cards: dict[str, JobCard] = {}
        self._new: list[JobCard] = []  # until they are shown
        self.folder_line = FileName("", "")
        self.folder_line.setObjectName("faint")
        self.clear_button = _button(self.tr("Clear finished"), runner.clear)
        files = _button(self.tr("Add files…"), self.files_asked.emit)
        folders = _button(self.tr("Add folder…"), self.folder_asked.emit)
        top = fill(QHBoxLayout(), files, folders, None, between=SPACE // 2)
        where = QToolButton(popupMode=QToolButton.ToolButtonPopupMode.InstantPopup)
        where.setText(self.tr("Change"))
        where.setAccessibleName(self.tr("Where results are saved"))
        where.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        menu = QMenu(where)
        menu.addAction(self.tr("Folder for the results…")).triggered.connect(self.target_asked)
        menu.addAction(self.tr("Next to each video")).triggered.connect(self.beside_asked)
        where.setMenu(menu)
        line = fill(QHBoxLayout(), self.folder_line, where, grows=self.folder_line)
        how = self.tr("Videos added or dropped here are painted with the current settings.")
        self._empty = faint("\n".join((self.tr("Nothing to export yet."), how)))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._column = fill(QVBoxLayout(inside), top, line, self._empty, around=2 * SPACE, between=SPACE)
        self._column.addWidget(self.clear_button, alignment=Qt.AlignmentFlag.AlignRight)
        self._column.addStretch(1)
        runner.changed.connect(self._refresh)
        runner.removed.connect(self._remove)
        runner.ordered.connect(self._order)
        self.show_folder(folder)
        self._show_clear()
        runner.progressed.connect(self._progress)  # methods, so that they disconnect with the panel: the runner stays
        runner.previewed.connect(self._preview)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        if event.mimeData().hasFormat(CARD):
            event.acceptProposedAction()
        elif not look_files(event.mimeData()):  # looks are the main window's
            accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        if event.mimeData().hasFormat(CARD):
            event.acceptProposedAction()
            self._drop_card(bytes(event.mimeData().data(CARD).data()).decode(), event.position().toPoint())
        elif accept_copy(event):
            self.dropped.emit(local_files(event.mimeData()))

    def show_folder(self, folder: Path | None) -> None:
        place = str(folder) if folder is not None else self.tr("next to each video")
        self.folder_line.setText(self.tr("Results: {place}").format(place=place))
        self.folder_line.setToolTip(place)

    def _drop_card(self, name: str, where: QPoint) -> None:
        jobs = {job.name: job for job in self._runner.queue}
        inside = where.y() + self.verticalScrollBar().value()
        below = (job for job in jobs.values() if self.cards[job.name].geometry().center().y() > inside)
        if name in jobs:
            self._runner.move(jobs[name], next(below, None))

    def _order(self) -> None:
        for job in self._runner.queue:
            self._column.removeWidget(self.cards[job.name])
            self._column.insertWidget(self._column.count() - 2, self.cards[job.name])

    def _show_clear(self) -> None:
        self.clear_button.setVisible(any(not job.can_go_on for job in self._runner.queue))

    def _refresh(self, job: ExportJob) -> None:
        self._show_clear()
        card = self.cards.get(job.name)
        if card is not None:
            card.refresh()
            return
        self.cards[job.name] = card = JobCard(job, self._runner)
        self._column.insertWidget(self._column.count() - 2, card)
        self._empty.hide()
        if not self._new:
            QTimer.singleShot(0, self, self._show_new)
        self._new.append(card)

    def _show_new(self, rounds: int = ROUNDS) -> None:
        for card in (self._new[-1], self._new[0]):
            if isValid(card):
                self.ensureWidgetVisible(card, 0, SPACE)
        if rounds:
            QTimer.singleShot(0, self, lambda: self._show_new(rounds - 1))
        else:
            self._new.clear()

    def _progress(self, job: ExportJob, line: dict[str, Any]) -> None:
        self.cards[job.name].progress(line)

    def _preview(self, job: ExportJob, image: QImage) -> None:
        self.cards[job.name].preview(image)

    def _remove(self, job: ExportJob) -> None:
        card = self.cards.pop(job.name)
        card.hide()
        card.deleteLater()
        self._empty.setVisible(not self.cards)
        self._show_clear()
