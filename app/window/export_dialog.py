"""The dialog for an export."""

from __future__ import annotations

import os
import re
from collections.abc import Container
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from framebrush.gpu.frame import FrameFormat
from framebrush.gpu.look import Look
from framebrush.jobs.spec import JobSpec, SizeSpec
from framebrush.media.containers import CONTAINERS
from framebrush.media.encoders import CODECS
from framebrush.media.plan import OutputOptions
from framebrush.media.video import Position, TimeRange, VideoInfo
from framebrush.models.text import first_line
from framebrush.palettes import FILM
from framebrush.pipeline import video_target
from framebrush.playback import events
from framebrush.styles import PLAIN
from framebrush.window.colours import words_of_colours
from framebrush.window.controls import FileName, Sheet, choice
from framebrush.window.export_losses import ExportLosses, LossQuery
from framebrush.window.numbers import decimal, percent, percents
from framebrush.window.quality import EncoderQuery, Quality
from framebrush.window.seekbar import clock
from framebrush.window.settings import Settings
from framebrush.window.style_catalog import parts_of, words_of
from framebrush.window.theme import SPACE
from framebrush.window.trial import Trial

NAME_PX = 240
"""Of a file's name on a button, at most."""

LONGEST_STEM = 200
"""Bytes of a video's name that are taken over: file systems end names at 255, and more is added."""


def free_name(source: Path, taken: Container[str] = (), folder: Path | None = None) -> Path:
    """A free name beside the source, or in a folder: of no file and of no export in `taken`."""
    suffix = source.suffix.lower() if source.suffix.lower() in CONTAINERS else ".mp4"
    wanted = (folder or source.parent) / f"{_shortened(source.stem)}-painted{suffix}"
    return wanted if _is_free(wanted, taken) else next_name(wanted, taken)


def next_name(target: Path, taken: Container[str] = ()) -> Path:
    """A free name like one that is not: with the next free number, from 2."""
    stem = f"{target.stem}-" if target.stem[-1:].isdigit() else target.stem
    names = (target.with_name(f"{stem}{number}{target.suffix}") for number in count(2))
    return next(path for path in names if _is_free(path, taken))


def _is_free(path: Path, taken: Container[str]) -> bool:
    return not path.exists() and str(path) not in taken


def file_stem(info: VideoInfo) -> str:
    """A video's name for the files that are made of it, without its ending."""
    if info.path is not None:
        return _shortened(info.path.stem)
    return re.sub(r"[^\w-]+", "-", info.name).strip("-")[:60]


def _shortened(stem: str) -> str:
    name = os.fsencode(stem)
    return stem if len(name) <= LONGEST_STEM else name[:LONGEST_STEM].decode(errors="ignore").rstrip()


def _why_not(target: Path) -> str:
    """Why no file can have a name; "" where one can."""
    try:
        target.exists()
    except OSError as error:
        return first_line(error)
    return ""


LINES = (2160, 1440, 1080, 720, 480)


def sizes_for(form: FrameFormat) -> list[str]:
    """Sizes of the result that people ask for, in the shape of the picture, as "WxH"."""
    shorter = min(form.width, form.height)
    sides = [[max(16, 2 * round(side * lines / shorter / 2)) for side in (form.width, form.height)] for lines in LINES]
    own = [form.width, form.height]
    return [f"{width}x{height}" for width, height in sides if [width, height] != own and max(width, height) <= 16384]


def with_tilde(path: Path) -> str:
    """A path with `~` for the home folder, except on Windows, which has no tilde."""
    home = Path.home()
    if os.name == "nt" or not path.is_relative_to(home):
        return str(path)
    return str("~" / path.relative_to(home))


class ExportDialog(QDialog):
    """Lets a person set up an export."""

    queued = Signal(object)  # a JobSpec

    def __init__(
        self,
        parent: QWidget,
        info: VideoInfo,
        spec: JobSpec,
        marks: events.Marked,
        settings: Settings,
        taken: Container[str] = (),
        at_frame: int = 0,
        *,
        normalises: bool = False,
    ) -> None:
        """spec: the export as it is offered at first. settings: for the qualities chosen before. taken: the targets of
        queued exports. at_frame: where a trial begins. normalises: whether the network does, by statistics."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self.setMinimumWidth(520)
        self._info, self._spec, self._marks, self._settings = info, spec, marks, settings
        self._taken = taken
        layout, content = QVBoxLayout(self), QWidget()
        layout.setContentsMargins(3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        layout.setSpacing(2 * SPACE)
        layout.addWidget(Sheet(content))
        column, form, path = QVBoxLayout(content), QGridLayout(), QHBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2 * SPACE)
        column.addWidget(FileName(self.summary, self._info.name))
        column.addLayout(form)
        self.name_field = QLineEdit(with_tilde(Path(spec.target)))
        browse = QPushButton(self.tr("Choose…"))
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        self.codec_box = choice({self.tr("Automatic"): "auto", **{title: name for name, title in CODECS.items()}})
        self.bits_box = choice({self.tr("As the source"): None, self.tr("8 bits"): 8, self.tr("10 bits"): 10})
        self._audio = choice({self.tr("Copy"): "copy", self.tr("Leave out"): "none"})
        self.statistics_box: QComboBox | None = None
        self.size_box = choice(self._sizes())
        self._range = choice(self._ranges())
        if marks.first or marks.last:
            self._range.setCurrentIndex(1)
        self.quality, self.losses = Quality(settings.quality), ExportLosses()
        form.setHorizontalSpacing(2 * SPACE)
        form.setVerticalSpacing(SPACE)
        form.setColumnStretch(1, 1)
        form.addWidget(QLabel(self.tr("Save as")), 0, 0)
        form.addLayout(path, 0, 1)
        path.addWidget(self.name_field, 1)
        path.addWidget(browse)
        path.setSpacing(SPACE)
        rows = {
            self.tr("Range"): self._range,
            self.tr("Size"): self.size_box,
            self.tr("Codec"): self.codec_box,
            self.tr("Depth"): self.bits_box,
            self.tr("Sound"): self._audio,
        }
        if normalises:
            choices = {self.tr("Of each frame"): "frame", self.tr("Of each shot, calmer"): "shot"}
            self.statistics_box = rows[self.tr("Statistics")] = choice(choices)
            self.statistics_box.setToolTip(
                self.tr("This network evens out the whole frame. While a video plays, it does so for each frame alone.")
            )
        for row, (name, box) in enumerate(rows.items(), 1):
            form.addWidget(QLabel(name), row, 0)
            form.addWidget(box, row, 1)
            box.setAccessibleName(name)
        self.trial = Trial(info)
        trial = QLabel(self.tr("Trial"))
        trial.setContentsMargins(0, SPACE - 2, 0, 0)
        form.addWidget(trial, len(rows) + 1, 0, alignment=Qt.AlignmentFlag.AlignTop)
        form.addWidget(self.trial, len(rows) + 1, 1)
        self.name_field.setAccessibleName(self.tr("Save as"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        start = buttons.addButton(self.tr("Add to exports"), QDialogButtonBox.ButtonRole.AcceptRole)
        start.setDefault(True)
        buttons.accepted.connect(self._queue)
        buttons.rejected.connect(self.reject)
        column.addWidget(self.quality)
        column.addWidget(self.losses)
        self.trial.asked.connect(lambda: self.trial.run(self.spec, at_frame))
        self.finished.connect(self.trial.end)
        layout.addWidget(buttons)
        self.size_box.currentIndexChanged.connect(self._ask_encoder)
        self.name_field.textChanged.connect(self._ask_encoder)
        self.codec_box.currentIndexChanged.connect(self._ask_encoder)
        self.bits_box.currentIndexChanged.connect(self._ask_encoder)
        self.quality.answered.connect(self._ask_losses)
        self._audio.currentIndexChanged.connect(self._ask_losses)
        self._range.currentIndexChanged.connect(self._ask_losses)
        self._ask_encoder()

    @property
    def _target(self) -> Path:
        """The file to be written."""
        path = Path(self.name_field.text())
        try:
            return path.expanduser()
        except RuntimeError:  # "~user" of an unknown user
            return path

    @property
    def spec(self) -> JobSpec:
        """The export as it is set now."""
        whole = self._range.currentData() == "whole"
        first, last = (None, None) if whole else (self._marks.first, self._marks.last)
        span = TimeRange(
            Position(Fraction(first.number), "frame") if first else None,
            Position(Fraction(last.number + 1), "frame") if last else None,
        )
        options = OutputOptions(
            codec=self.codec_box.currentData(),
            crf=self.quality.crf,
            bits=self.bits_box.currentData(),
            audio=self._audio.currentData(),
        )
        size = self.size_box.currentData()
        sizes = replace(self._spec.sizes, size=size, max_size=None) if size else self._spec.sizes
        return replace(
            self._spec,
            target=str(self._target),
            range=span,
            output=options,
            sizes=sizes,
            statistics=self.statistics_box.currentData() if self.statistics_box is not None else "frame",
        )

    def _ask_encoder(self) -> None:
        """Ask for the encoder, which depends on the file extension, the codec and the depth."""
        container, frames = CONTAINERS.get(self._target.suffix.lower()), self._frames
        if container is not None:
            size = frames.width, frames.height
            self.quality.ask(EncoderQuery(self.codec_box.currentData(), container, size, frames.bits))

    def _ask_losses(self) -> None:
        """Ask for what will be lost, once the encoder is known."""
        container, encoder, spec = CONTAINERS.get(self._target.suffix.lower()), self.quality.encoder, self.spec
        if container is not None and encoder is not None:
            query = LossQuery(self._info, container, encoder.codec, spec.output.audio, self._frames, spec.range)
            self.losses.ask(query)

    @property
    def _frames(self) -> FrameFormat:
        """What the encoder will get."""
        asked = SizeSpec(size=self.size_box.currentData()).target
        size = asked if isinstance(asked, tuple) else None
        return video_target(self._info.format, self.bits_box.currentData(), size)

    def _queue(self) -> None:
        target = self._target
        problem = self.quality.problem
        if target.suffix.lower() not in CONTAINERS:
            problem = self.tr("The name must end in {endings}.").format(endings=", ".join(CONTAINERS))
        elif unusable := _why_not(target):
            problem = self.tr("This name cannot be used ({reason}).").format(reason=unusable)
        elif not target.parent.is_dir():
            problem = self.tr("There is no folder {folder}.").format(folder=target.parent)
        if problem:
            box = self._box(QMessageBox.Icon.Warning, problem)
        elif not _is_free(target, self._taken):
            box = self._ask_name(target)
        else:
            self._add(target)
            return
        box.open()

    def _ask_name(self, target: Path) -> QMessageBox:
        """What is to become of a name that is taken: a free one like it, or the file itself is replaced."""
        if str(target) in self._taken:
            text, may_replace = self.tr("Another export writes {name}."), False
        elif target.is_dir():
            text, may_replace = self.tr("{name} is a folder."), False
        elif self._info.path is not None and target.samefile(self._info.path):
            text, may_replace = self.tr("{name} is the video being painted."), False
        else:
            text, may_replace = self.tr("{name} exists already."), True
        box = self._box(QMessageBox.Icon.Question, text.format(name=target.name))
        free = next_name(target, self._taken)
        shown = self.fontMetrics().elidedText(free.name, Qt.TextElideMode.ElideMiddle, NAME_PX).replace("&", "&&")
        other = box.addButton(self.tr("Save as {name}").format(name=shown), QMessageBox.ButtonRole.AcceptRole)
        other.clicked.connect(lambda: self._add(free))
        if may_replace:
            box.setInformativeText(self.tr("The old file stays until the new one is complete."))
            replacing = box.addButton(self.tr("Replace"), QMessageBox.ButtonRole.DestructiveRole)
            replacing.clicked.connect(lambda: self._add(target, replaces=True))
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(other)
        return box

    def _box(self, icon: QMessageBox.Icon, text: str) -> QMessageBox:
        box = QMessageBox(icon, self.tr("Export"), text, parent=self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setTextFormat(Qt.TextFormat.PlainText)
        return box

    def _add(self, target: Path, *, replaces: bool = False) -> None:
        """Queue the export under a name. replaces: a file that has it."""
        self._settings.quality = self.quality.kept
        spec = self.spec
        self.queued.emit(replace(spec, target=str(target), output=replace(spec.output, overwrite=replaces)))
        self.accept()

    def _browse(self) -> None:
        patterns = " ".join(f"*{ending}" for ending in CONTAINERS)
        options = QFileDialog.Option.DontConfirmOverwrite
        name, _ = QFileDialog.getSaveFileName(
            self,
            self.tr("Export"),
            str(self._target),
            self.tr("Videos ({patterns})").format(patterns=patterns),
            options=options,
        )
        if name:
            self.name_field.setText(with_tilde(Path(name)))

    @property
    def summary(self) -> str:
        """The video, style and look, in words."""
        look = self._spec.look
        parts = [self._info.name, self._style_words()]
        if look.strength < 1:
            parts.append(percent(look.strength))
        for name, words in (("brush", self.tr("Brush")), ("relief", self.tr("Relief")), ("canvas", self.tr("Canvas"))):
            if getattr(look, name) != getattr(Look(), name):
                parts.append(f"{words} {percent(getattr(look, name))}")
        colours = self._spec.colours
        if colours.palette == FILM:
            parts.append(self.tr("film's colours"))
        elif (of := words_of_colours(colours)) is not None:
            parts.append(self.tr("colours of {name}").format(name=of))
        if look.keep_colours:
            parts.append(self.tr("source's colours"))
        if look.exposure_ev:
            parts.append(self.tr("{number} stops").format(number=decimal(look.exposure_ev, signed=True)))
        return "   ·   ".join(parts)

    def _style_words(self) -> str:
        style = self._spec.style.name
        if style == PLAIN:
            return self.tr("no style")
        names, weights = zip(*parts_of(style).items(), strict=True)
        if len(names) == 1:
            return words_of(names[0])
        return " + ".join(f"{words_of(name)} {share}" for name, share in zip(names, percents(weights), strict=True))

    def _sizes(self) -> dict[str, str | None]:
        as_played = self.tr("As it is played")
        return {as_played: None, **{size.replace("x", " × "): size for size in sizes_for(self._info.format)}}

    def _ranges(self) -> dict[str, object]:
        choices: dict[str, object] = {self.tr("Whole video"): "whole"}
        first, last = self._marks.first, self._marks.last
        if first or last:
            begin = clock(first.time_s) if first else self.tr("beginning")
            end = clock(last.time_s) if last else self.tr("end")
            choices[self.tr("Marked: {begin} to {end}").format(begin=begin, end=end)] = "marks"
        return choices
