"""The export dialog."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Container as Collection
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoding.pixels import name_of
from framebrush.media.reading.fields import as_read
from framebrush.media.video import VideoInfo
from framebrush.playback import events
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.window.exports.export_losses import ExportLosses
from framebrush.window.exports.export_summary import summary_of
from framebrush.window.exports.format_controls import ExportControls, Row
from framebrush.window.exports.presets import PRESETS, Purposes
from framebrush.window.exports.quality import EncoderQuery, Quality
from framebrush.window.exports.target_check import TargetCheck
from framebrush.window.exports.target_field import TargetField
from framebrush.window.exports.trial_export import Trial, frames_of
from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import FileName, Sheet, name_control
from framebrush.window.widgets.theme import SPACE


class ExportDialog(QDialog):
    """Dialog for setting up an export."""

    queued = Signal(object)  # a JobSpec

    def __init__(
        self,
        parent: QWidget,
        info: VideoInfo,
        spec: JobSpec,
        marks: events.InOutChanged,
        settings: Settings,
        taken: Callable[[], Collection[str]] = tuple,
        at_frame: int = 0,
        *,
        normalises: bool = False,
        reading: ReadingProcess | None = None,
    ) -> None:
        """Create the dialog.

        Args:
            taken: returns queued targets.
            at_frame: start of a trial.
            normalises: whether the network uses instance normalisation.
            reading: process that reads the film; None for this process.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self.setMinimumWidth(520)
        self._settings, self._taken, self._at_frame = settings, taken, at_frame
        self._awaiting: Callable[[], None] | None = None  # action that waits for the encoder
        self.summary = summary_of(info.name, spec)
        content, self._form = QWidget(), QGridLayout()
        around = 3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE
        layout = fill(QVBoxLayout(self), Sheet(content), around=around, between=2 * SPACE)
        self._form.setHorizontalSpacing(2 * SPACE)
        self._form.setVerticalSpacing(SPACE // 2)
        self._form.setColumnStretch(1, 1)
        self.purposes, self.target = Purposes(), TargetField(Path(spec.target))
        title = FileName(self.summary, info.name)
        column = fill(QVBoxLayout(content), title, self.purposes, self._form, around=0, between=2 * SPACE)
        self._add_row(Row(self.tr("Save as"), self.target, self.target.name_field))
        self.controls = ExportControls(content, info, spec, marks, reading, normalises=normalises)
        for row in self.controls.rows:
            self._add_row(row)
        self.trial, self.quality, self.losses = Trial(info, reading), Quality(settings.quality), ExportLosses(reading)
        label, at = QLabel(self.tr("Trial")), self._form.rowCount()
        label.setContentsMargins(0, SPACE - 2, 0, 0)
        self._form.addWidget(label, at, 0, alignment=Qt.AlignmentFlag.AlignTop)
        self._form.addWidget(self.trial, at, 1)
        column.addWidget(self.quality)
        column.addWidget(self.losses)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add_button = buttons.addButton(self.tr("Add to exports"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add_button.setDefault(True)
        layout.addLayout(fill(QHBoxLayout(), self.trial.estimate, buttons, between=SPACE, grows=self.trial.estimate))
        self._check = TargetCheck(self, info.path, taken)
        buttons.accepted.connect(partial(self._once_known, self._queue))
        buttons.rejected.connect(self.reject)
        self._connect()
        self._follow()

    def _add_row(self, row: Row) -> None:
        label, at = QLabel(row.title), self._form.rowCount()
        name_control(row.control, row.title, label)
        self._form.addWidget(label, at, 0)
        self._form.addWidget(row.widget, at, 1)

    def _connect(self) -> None:
        self._check.accepted.connect(self._add)
        self.trial.asked.connect(partial(self._once_known, self._try))
        self.trial.wanted.connect(self._measure)
        self.finished.connect(self.trial.end)
        self.purposes.asked.connect(self._use_preset)
        for adjusted in (self.controls.adjusted, self.quality.slider.moved):
            adjusted.connect(lambda: self.purposes.show_chosen(""))
        for changed in (self.controls.changed, self.quality.slider.moved, self.target.name_field.textChanged):
            changed.connect(self._follow)
        self.quality.answered.connect(self._go_on)

    def _follow(self) -> None:
        self._ask_encoder()
        self._ask_losses()
        self.trial.follow(self.spec)

    def _once_known(self, call: Callable[[], None]) -> None:
        if self.quality.is_sought:
            self._awaiting = call
        else:
            call()

    def _go_on(self) -> None:
        self._follow()
        call, self._awaiting = self._awaiting, None
        if call is not None:
            call()

    def _try(self) -> None:
        if problem := self._problem:
            self.trial.refuse(problem)
        else:
            self.trial.run(self.spec, self._at_frame)

    def _measure(self) -> None:
        if problem := self._problem:
            self.trial.say_no_estimate(problem)
        elif not self.quality.is_sought:
            self.trial.measure(self.spec, self._at_frame)

    @property
    def _problem(self) -> str:
        if self.target.container is None:
            return self.tr("The name must end in {endings}.").format(endings=", ".join(CONTAINERS))
        return self.quality.problem or self.controls.file_size.problem

    @property
    def spec(self) -> JobSpec:
        """Return the job with the current settings."""
        return self.controls.spec(self.target.path, self.quality.crf)

    def _use_preset(self, name: str) -> None:
        preset = PRESETS[name]
        self.controls.use_preset(preset)
        self.quality.aim(preset.loss)
        self.target.use_suffix(preset.suffix, self._taken())
        self._follow()

    def use_former(self, former: JobSpec) -> None:
        """Apply an earlier export's settings, except name and range."""
        self.controls.use_former(former)
        if former.output.crf is not None:
            self.quality.use(former.output.crf)
        self._follow()

    def _ask_encoder(self) -> None:
        container, output = self.target.container, self.spec.output
        if container is not None:
            frames = self.controls.frames(output, container)
            size, is_sized = frames.size, output.target_bytes is not None
            hdr = frames if output.hdr == "keep" else None
            self.quality.ask(EncoderQuery(output.codec, container, size, name_of(frames), is_sized, hdr))

    def _ask_losses(self) -> None:
        container, encoder, spec = self.target.container, self.quality.encoder, self.spec
        if container is not None and encoder is not None:
            info, audio = as_read(self.controls.info, spec.decode.deinterlace), spec.output.audio
            frames = self.controls.frames(spec.output, container)
            woven = encoder.weaves(frames.height, container)
            self.losses.ask(info, container, encoder, audio, frames, spec.range, woven=woven)
            part = replace(info, frame_count=frames_of(info, spec.range))
            self.controls.file_size.ask(part, container, audio, spec.range, frames.width * frames.height)

    def _queue(self) -> None:
        self._check.check(self.target.path, self._problem)

    def _add(self, target: Path, replaces: bool) -> None:
        self._settings.quality = self.quality.kept
        spec = self.spec
        self.queued.emit(replace(spec, target=str(target), output=replace(spec.output, overwrite=replaces)))
        self.accept()
