"""The list of exports."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QPixmap
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from framebrush.window import icons
from framebrush.window.controls import Column, FileName, accept_copy, faint, local_files
from framebrush.window.export_queue import ExportJob, State
from framebrush.window.export_runner import ExportRunner
from framebrush.window.numbers import decimal
from framebrush.window.seekbar import clock
from framebrush.window.theme import SPACE, STAGE

PREVIEW = QSize(80, 48)


class JobCard(QFrame):
    """One export: what, how far, and what can be done with it."""

    def __init__(self, job: ExportJob, runner: ExportRunner) -> None:
        super().__init__()
        self.setObjectName("card")
        self._job, self._runner, self._progress = job, runner, ""
        target = Path(job.spec.target)
        self.setAccessibleName(target.name)
        self._picture, self._name, self._state = QLabel(), FileName(target.name, job.spec.target), faint()
        self._picture.setFixedSize(PREVIEW)
        self._picture.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.setStyleSheet(f"background: {STAGE}; border-radius: 3px;")
        self._picture.setPixmap(icons.picture("film", "#77797e", 24, thin=True))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress"))
        self._pause = self._button(self.tr("Pause"), self._toggle)
        self._cancel = self._button(self.tr("Cancel"), lambda: runner.cancel(job))
        self.again = self._button(self.tr("Start again"), lambda: runner.again(job))
        self._show = self._button(self.tr("Show"), self._open_folder)
        self._remove = self._button(self.tr("Remove"), lambda: runner.remove(job))
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._name)
        words.addWidget(self._state)
        words.addStretch()
        top = QHBoxLayout()
        top.setSpacing(SPACE)
        top.addWidget(self._picture, alignment=Qt.AlignmentFlag.AlignTop)
        top.addLayout(words, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(SPACE // 2)
        buttons.addStretch()
        for button in (self._pause, self._cancel, self.again, self._show, self._remove):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE, SPACE, SPACE, SPACE)
        layout.setSpacing(SPACE)
        layout.addLayout(top)
        layout.addWidget(self._bar)
        layout.addLayout(buttons)
        self.refresh()

    def refresh(self) -> None:
        """The job has another state."""
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
        text = ": ".join(filter(None, (words[state], "" if state is State.PAUSED else self._job.message)))
        if state is State.PAUSED and self._progress:
            text = "\n".join((self._progress, text))
        elif state is State.RUNNING and self._progress:
            text = f"{self._progress}\n"  # until the next figures, in the same room
        self._state.setText(text)
        running = state in (State.RUNNING, State.PAUSED)
        self._bar.setVisible(running)
        self._pause.setVisible(running)
        self._pause.setText(self.tr("Resume") if state is State.PAUSED else self.tr("Pause"))
        self._cancel.setVisible(running or state is State.WAITING)
        self.again.setVisible(state in (State.FAILED, State.CANCELLED, State.INTERRUPTED))
        self._show.setVisible(state is State.DONE)
        self._remove.setVisible(self._job.is_over)
        if state is State.RUNNING and not self._progress:
            self._bar.setRange(0, 0)
        elif not running:
            self._progress = ""

    def progress(self, line: dict[str, Any]) -> None:
        """How far it is."""
        frames = line["frames"]
        self._bar.setRange(0, frames or 0)
        self._bar.setValue(line["frame"])
        if self._job.state is State.PAUSED:
            return
        of = f"{line['frame']} / {frames}" if frames else f"{line['frame']}"
        left = self.tr("{time} left").format(time=clock(line["left_s"], precise=False)) if line["left_s"] else ""
        speed = self.tr("{number} fps").format(number=decimal(line["fps"]))
        self._progress = self.tr("Frame {of}").format(of=of)
        self._state.setText("\n".join([self._progress, "   ".join(filter(None, (speed, left)))]))

    def preview(self, image: QImage) -> None:
        """The frame painted last."""
        ratio = self.devicePixelRatioF()
        keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
        pixmap = QPixmap.fromImage(image.scaled(PREVIEW * ratio, keep, smooth))
        pixmap.setDevicePixelRatio(ratio)
        self._picture.setPixmap(pixmap)

    def _button(self, text: str, call: Any) -> QPushButton:  # noqa: ANN401 - any callable
        button = QPushButton(text)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _=False: call())
        return button

    def _toggle(self) -> None:
        self._runner.pause(self._job, self._job.state is State.RUNNING)

    def _open_folder(self) -> None:
        self._runner.open_file(Path(self._job.spec.target).parent)


class ExportPanel(Column):
    """All cards, the newest below; videos dropped here are exported."""

    dropped = Signal(list)  # of paths

    def __init__(self, runner: ExportRunner) -> None:
        inside = QWidget()
        super().__init__(inside)
        self.setAcceptDrops(True)
        self._runner = runner
        self.cards: dict[str, JobCard] = {}
        how = self.tr(
            "Open a video and choose File, Export. Videos dropped here are painted with the current settings."
        )
        self._empty = faint("\n".join((self.tr("Nothing to export yet."), how)))
        self._empty.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(2 * SPACE, 2 * SPACE, 2 * SPACE, 2 * SPACE)
        self._column.setSpacing(SPACE)
        self._column.addWidget(self._empty)
        self._column.addStretch(1)
        runner.changed.connect(self._refresh)
        runner.removed.connect(self._remove)
        runner.progressed.connect(self._progress)  # methods: they are disconnected with the panel, the runner stays
        runner.previewed.connect(self._preview)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802 - Qt's name
        accept_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802 - Qt's name
        if accept_copy(event):
            self.dropped.emit(local_files(event.mimeData()))

    def _refresh(self, job: ExportJob) -> None:
        card = self.cards.get(job.name)
        if card is not None:
            card.refresh()
            return
        self.cards[job.name] = card = JobCard(job, self._runner)
        self._column.insertWidget(self._column.count() - 1, card)
        self._empty.hide()

    def _progress(self, job: ExportJob, line: dict[str, Any]) -> None:
        self.cards[job.name].progress(line)

    def _preview(self, job: ExportJob, image: QImage) -> None:
        self.cards[job.name].preview(image)

    def _remove(self, job: ExportJob) -> None:
        card = self.cards.pop(job.name)
        card.hide()
        card.deleteLater()
        self._empty.setVisible(not self.cards)
