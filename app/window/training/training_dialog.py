"""The dialog for a new style."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from framebrush.base.text import as_sentence
from framebrush.styles.style_folder import StyleFolder
from framebrush.window.state.window_settings import Settings
from framebrush.window.training.capabilities import TrainingCapabilities, about
from framebrush.window.training.form import NewStyleForm
from framebrush.window.training.training_runner import State, TrainingRunner
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Sheet, ask_whether, faint, heading, plain, push_button
from framebrush.window.widgets.images import fitted
from framebrush.window.widgets.numbers import whole
from framebrush.window.widgets.theme import SPACE, STAGE

PREVIEW_PX = 560, 340


class NewStyleDialog(QDialog):
    """Form, or progress of a training, which continues after closing."""

    def __init__(
        self, parent: QWidget, runner: TrainingRunner, settings: Settings, styles: StyleFolder, film: Callable[[], str]
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Train a style from a picture"))
        self._runner = runner
        self.pages, around = QStackedWidget(), (3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        layout = fill(QVBoxLayout(self), Sheet(self.pages), around=around, between=2 * SPACE)
        self.facts = TrainingCapabilities(settings.path("python"), self)
        self.form = NewStyleForm(settings, styles, self.facts, self.pages, film)
        self.going = QWidget(self.pages)
        self._name, self.words, self._more = heading(""), plain(), faint()
        self._picture = QLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self._picture.setFixedSize(*PREVIEW_PX)
        self._picture.setStyleSheet(f"background: {STAGE}; color: #a0a2a6; border-radius: 6px;")
        self._picture.setAccessibleName(self.tr("Preview"))
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.stop = push_button(self.tr("Stop"), runner.stop)
        self.finish = push_button(self.tr("Finish now"), runner.finish)
        self.resume = push_button(self.tr("Resume"), self._resume)
        self.discard = push_button(self.tr("Discard…"), self._ask_discard)
        self.start = push_button(self.tr("Start"), self._start)
        self.stop.setToolTip(self.tr("Progress is saved; you can resume later, even after a restart."))
        self.finish.setToolTip(self.tr("Keep the style as the preview shows it."))
        close = push_button(self.tr("Close"), self.close)
        parts = self._name, self._picture, self.bar, self.words, self._more, None
        fill(QVBoxLayout(self.going), *parts, around=0, between=SPACE)
        self.pages.addWidget(self.form)
        self.pages.addWidget(self.going)
        buttons = self.discard, None, self.finish, self.stop, self.resume, self.start, close
        layout.addLayout(fill(QHBoxLayout(), *buttons, between=SPACE))
        runner.changed.connect(self.refresh)
        runner.previewed.connect(self._preview)
        self.form.changed.connect(self.refresh)
        self._preview(runner.preview)
        QTimer.singleShot(0, self, self._ask)  # once it is shown, as starting a process takes time
        if runner.spec is not None:
            self.form.show_spec(runner.spec)
        self.refresh()

    @property
    def _is_free(self) -> bool:
        runner = self._runner
        return runner.state is State.NONE or (runner.state is State.STOPPED and not runner.step)

    def refresh(self) -> None:
        """Follow a change of training or form."""
        runner, free = self._runner, self._is_free
        state = runner.state
        if free and self.pages.currentWidget() is not self.form:
            self.facts.ask()
        self.pages.setCurrentWidget(self.form if free else self.going)
        running = state in (State.STARTING, State.RUNNING)
        shown = {
            self.start: free,
            self.stop: running,
            self.finish: state is State.RUNNING,
            self.resume: state is State.STOPPED and not free,
            self.discard: state is State.STOPPED and not free,
        }
        stops = shown[self.resume] and not self.resume.isVisible()
        for button, on in shown.items():
            button.setVisible(on)
        self.start.setEnabled(self.form.is_complete)
        self.start.setDefault(free)
        if stops:
            QTimer.singleShot(0, self.resume, self.resume.setFocus)  # once it is shown; Enter must not discard
        if free:
            self.form.show_problem(as_sentence(runner.message))
        else:
            self._show_progress()

    def _ask(self) -> None:
        if self._is_free and self.isVisible():
            self.facts.ask()

    def _show_progress(self) -> None:
        runner = self._runner
        if runner.spec is None:
            return
        self._name.setText(runner.spec.name)
        steps = runner.spec.steps
        busy = runner.state in (State.STARTING, State.STOPPING, State.TRAINED)
        if runner.state is State.STARTING and runner.prepared:
            self.bar.setRange(0, 100)
            self.bar.setValue(round(100 * runner.prepared))
        else:
            self.bar.setRange(0, 0 if busy else steps)
            self.bar.setValue(runner.step)
        done = self.tr("Step {step} of {steps}").format(step=whole(runner.step), steps=whole(steps))
        left = self.tr("{time} left").format(time=about(runner.left_s)) if runner.left_s else ""
        words = {
            State.STARTING: self.tr("Preparing the photographs…"),
            State.RUNNING: "   ".join(filter(None, (done, left))),
            State.STOPPING: self.tr("Finishing the step…"),
            State.STOPPED: "   ".join((self.tr("Stopped"), done)),
            State.TRAINED: self.tr("Adding it to the gallery…"),
        }
        self.words.setText(words.get(runner.state, ""))
        goes_on = self.tr("You can close this dialog; training continues.") if runner.state is not State.STOPPED else ""
        self._more.setText(as_sentence(runner.message) or goes_on)

    def _preview(self, image: QImage) -> None:
        if image.isNull():
            self._picture.setText(self.tr("The first preview appears after a few seconds of training."))
            return
        self._picture.setPixmap(fitted(image, self._picture.size(), self.devicePixelRatioF()))

    def _start(self) -> None:
        self.form.remember()
        self.facts.end()
        self._runner.python = self.facts.python
        self._preview(QImage())
        self._runner.start(self.form.spec)

    def _resume(self) -> None:
        self._runner.python = self.facts.python
        self._runner.resume()

    def _ask_discard(self) -> None:
        text = self.tr("Discard this training?")
        ask_whether(self, self.windowTitle(), text, self.tr("Discard"), self._runner.discard)

    def done(self, result: int) -> None:
        """Close the dialog and stop measuring."""
        self.facts.end()
        super().done(result)
