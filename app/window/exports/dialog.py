"""The export dialog."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from collections.abc import Container as Collection
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import chain, count
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Qt, Signal
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
    QVBoxLayout,
    QWidget,
)

from framebrush.base.text import first_line
from framebrush.gpu.frame import FrameFormat, PlaneOrder, Transfer
from framebrush.jobs.keyframes import STYLE, convert_keyframes
from framebrush.jobs.output_format import output_frames, video_target
from framebrush.jobs.segments.folder import folder_of
from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import CONTAINERS, Container, usual_ending
from framebrush.media.encoding.encoders import CODECS
from framebrush.media.encoding.pixels import AUTO, CHROMA, OPAQUE_FORMATS, SOURCE, name_of, packing_of
from framebrush.media.output_file import part_of, remove_stale
from framebrush.media.reading.fields import as_read, range_as_read
from framebrush.media.video import OutputError, Position, TimeRange, VideoInfo
from framebrush.media.writing.plan import OutputOptions
from framebrush.playback import events
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles.names import PASSTHROUGH
from framebrush.styles.specs import SOURCE_SIZE
from framebrush.window.exports.file_size import MEGABYTE, FileSize
from framebrush.window.exports.losses import ExportLosses
from framebrush.window.exports.presets import PRESETS, Purposes
from framebrush.window.exports.quality import EncoderQuery, Quality
from framebrush.window.exports.queue import place_of
from framebrush.window.exports.trial import Trial, frames_of
from framebrush.window.look.summary import words_on
from framebrush.window.settings import Settings
from framebrush.window.styles.catalog import parts_of, words_of
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.controls import FileName, Sheet, choice, name_control, push_button, signals_blocked
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.numbers import percents
from framebrush.window.widgets.theme import SPACE

NAME_PX = 240
"""The maximum length of a file name on a button."""

LONGEST_STEM = 200
"""How many bytes of a video's name are reused: file systems limit names to 255, and more is added."""


def free_name(source: Path, taken: Collection[str] = (), folder: Path | None = None) -> Path:
    """Return a name that no file, unfinished job or queued export has.

    Args:
        taken: Results of `place_of`.
        folder: Default: the source's folder.
    """
    return free_like((folder or source.parent) / f"{_shortened(source.stem)}-painted{usual_ending(source)}", taken)


def free_like(target: Path, taken: Collection[str]) -> Path:
    """Return the name, numbered from 2 if it is taken."""
    stem = f"{target.stem}-" if target.stem[-1:].isdigit() else target.stem
    names = (target.with_name(f"{stem}{number}{target.suffix}") for number in count(2))
    return next(path for path in chain([target], names) if _is_free(path, taken))


def _is_free(path: Path, taken: Collection[str]) -> bool:
    return not (os.path.lexists(path) or _is_begun(path) or place_of(path) in taken)


def _is_begun(path: Path) -> bool:
    if part_of(path).exists():
        remove_stale(path.parent)  # a killed process has left it, perhaps
    return folder_of(path).exists() or part_of(path).exists()


def _is_same(path: Path, other: Path | None) -> bool:
    try:
        return other is not None and path.samefile(other)
    except OSError:
        return False


def file_stem(info: VideoInfo) -> str:
    """Return a video's name without extension."""
    if info.path is not None:
        return _shortened(info.path.stem)
    return re.sub(r"[^\w-]+", "-", info.name).strip("-")[:60]


def _shortened(stem: str) -> str:
    name = os.fsencode(stem)
    return stem if len(name) <= LONGEST_STEM else name[:LONGEST_STEM].decode(errors="ignore").rstrip()


def _why_not(target: Path) -> str:
    try:
        target.exists()
    except OSError as error:
        return first_line(error)
    return ""


def pixel_words(name: str) -> str:
    """Return a pixel format in words that suit every language, such as "4:2:2, 10 bits"."""
    kind = packing_of(name)
    chroma = "RGB" if kind.layout is PlaneOrder.GBR else CHROMA[kind.subsample]
    return QCoreApplication.translate("ExportDialog", "{chroma}, {bits} bits").format(chroma=chroma, bits=kind.bits)


LINES = (2160, 1440, 1080, 720, 480)


def sizes_for(form: FrameFormat) -> list[str]:
    """Return common sizes with the picture's aspect ratio, as "WxH"."""
    shorter = min(form.width, form.height)
    sides = [[max(16, 2 * round(side * lines / shorter / 2)) for side in (form.width, form.height)] for lines in LINES]
    own = [form.width, form.height]
    return [f"{width}x{height}" for width, height in sides if [width, height] != own and max(width, height) <= 16384]


def with_tilde(path: Path) -> str:
    """Return a path with `~` for the home folder, except on Windows."""
    home = Path.home()
    if os.name == "nt" or not path.is_relative_to(home):
        return str(path)
    return str("~" / path.relative_to(home))


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
        taken: Collection[str] = (),
        at_frame: int = 0,
        *,
        normalises: bool = False,
        reading: ReadingProcess | None = None,
    ) -> None:
        """Create the dialog.

        Args:
            spec: initial settings.
            settings: remembered qualities.
            taken: targets of queued exports.
            at_frame: start of a trial.
            normalises: whether the network uses instance normalisation.
            reading: process that reads the film; None for this process.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Export"))
        self.setMinimumWidth(520)
        self._info, self._spec, self._marks, self._settings = info, spec, marks, settings
        self._taken = taken
        content, around = QWidget(), (3 * SPACE, 3 * SPACE, 3 * SPACE, 2 * SPACE)
        layout = fill(QVBoxLayout(self), Sheet(content), around=around, between=2 * SPACE)
        form, path, self.purposes = QGridLayout(), QHBoxLayout(), Purposes()
        title = FileName(self.summary, self._info.name)
        column = fill(QVBoxLayout(content), title, self.purposes, form, around=0, between=2 * SPACE)
        self.name_field = QLineEdit(with_tilde(Path(spec.target)))
        browse = push_button(self.tr("Choose…"), self._browse)
        self.codec_box = choice({self.tr("Automatic"): "auto", **{title: name for name, title in CODECS.items()}})
        usual = {self.tr("Automatic"): AUTO, self.tr("Same as source"): SOURCE}
        self.pixels_box = choice({**usual, **{pixel_words(name): name for name in OPAQUE_FORMATS}})
        self._audio = choice({self.tr("Copy"): "copy", self.tr("Leave out"): "none"})
        fields = {
            self.tr("One frame from both fields"): "auto",
            self.tr("One frame per field, double frame rate"): "double",
            self.tr("Restore film frames (inverse telecine)"): "ivtc",
            self.tr("Leave interlaced"): "off",
        }
        self.fields_box = choice(fields)
        self.hdr_box = choice({self.tr("Convert to SDR"): "sdr", self.tr("Keep"): "keep"})
        self.statistics_box = choice({self.tr("Per frame"): "frame", self.tr("Per shot, steadier"): "shot"})
        self.statistics_box.setToolTip(
            self.tr(
                "This network normalises each frame as a whole. During playback, it always uses the statistics of each "
                "frame."
            )
        )
        self.size_box = choice(self._sizes())
        self._range = choice(self._ranges())
        if marks.first or marks.last:
            self._range.setCurrentIndex(1)
        self.quality, self.losses, self.file_size = Quality(settings.quality), ExportLosses(reading), FileSize(reading)
        form.setHorizontalSpacing(2 * SPACE)
        form.setVerticalSpacing(SPACE // 2)
        form.setColumnStretch(1, 1)
        save_as = QLabel(self.tr("Save as"))
        name_control(self.name_field, save_as.text(), save_as)
        form.addWidget(save_as, 0, 0)
        form.addLayout(path, 0, 1)
        path.addWidget(self.name_field, 1)
        path.addWidget(browse)
        path.setSpacing(SPACE)
        rows: dict[str, QWidget] = {
            self.tr("Range"): self._range,
            self.tr("Size"): self.size_box,
            self.tr("Codec"): self.codec_box,
            self.tr("Pixel format"): self.pixels_box,
            self.tr("Audio"): self._audio,
            self.tr("File size"): self.file_size,
        }
        if info.interlaced:
            rows[self.tr("Fields")] = self.fields_box
        if info.format.transfer is not Transfer.SDR:
            rows[self.tr("HDR")] = self.hdr_box
        if normalises:
            rows[self.tr("Statistics")] = self.statistics_box
        for at_times in (self.fields_box, self.hdr_box, self.statistics_box):
            at_times.setParent(content)  # also where it has no row, as each object of Qt needs an owner
            at_times.setVisible(at_times in rows.values())
        for row, (name, box) in enumerate(rows.items(), 1):
            label = QLabel(name)
            name_control(self.file_size.box if box is self.file_size else box, name, label)
            form.addWidget(label, row, 0)
            form.addWidget(box, row, 1)
        self.trial = Trial(info, reading)
        trial = QLabel(self.tr("Trial"))
        trial.setContentsMargins(0, SPACE - 2, 0, 0)
        form.addWidget(trial, len(rows) + 1, 0, alignment=Qt.AlignmentFlag.AlignTop)
        form.addWidget(self.trial, len(rows) + 1, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.add_button = buttons.addButton(self.tr("Add to exports"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add_button.setDefault(True)
        buttons.accepted.connect(partial(self._once_known, self._queue))
        buttons.rejected.connect(self.reject)
        column.addWidget(self.quality)
        column.addWidget(self.losses)
        self._at_frame = at_frame
        self._awaiting: Callable[[], None] | None = None  # what was asked for while the encoder was sought
        self.trial.asked.connect(partial(self._once_known, self._try))
        self.trial.wanted.connect(self._measure)
        self.finished.connect(self.trial.end)
        layout.addLayout(fill(QHBoxLayout(), self.trial.estimate, buttons, between=SPACE, grows=self.trial.estimate))
        self.purposes.asked.connect(self._use_preset)
        preset = [box.currentIndexChanged for box in (self.size_box, self.codec_box, self.pixels_box, self._audio)]
        preset += [self.quality.slider.moved, self.file_size.changed]
        others = [box.currentIndexChanged for box in (self._range, self.fields_box, self.hdr_box, self.statistics_box)]
        for signal in preset:
            signal.connect(lambda: self.purposes.show_chosen(""))
        for signal in (*preset, *others, self.name_field.textChanged):
            signal.connect(self._follow)
        self.quality.answered.connect(self._go_on)
        self._follow()

    def _follow(self) -> None:
        self._ask_encoder()
        self._ask_losses()
        self.trial.follow(self.spec)

    def _once_known(self, call: Callable[[], None]) -> None:
        """Call now, or when the encoder and thereby the scale of the quality is known."""
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
        """Estimate from a few frames. Without an encoder, the trial asks again later."""
        if problem := self._problem:
            self.trial.say_no_estimate(problem)
        elif not self.quality.is_sought:
            self.trial.measure(self.spec, self._at_frame)

    @property
    def _problem(self) -> str:
        if self._container is None:
            return self.tr("The name must end in {endings}.").format(endings=", ".join(CONTAINERS))
        return self.quality.problem or self.file_size.problem

    @property
    def _target(self) -> Path:
        """Return the file to write; relative names belong to the proposed folder."""
        path = Path(self.name_field.text())
        with suppress(RuntimeError):  # "~user" with an unknown user
            path = path.expanduser()
        return Path(self._spec.target).parent / path if path.name else path

    @property
    def spec(self) -> JobSpec:
        """The export with the current settings."""
        whole = self._range.currentData() == "whole"
        first, last = (None, None) if whole else (self._marks.first, self._marks.last)
        span = TimeRange(
            Position(Fraction(first.number), "frame") if first else None,
            Position(Fraction(last.number + 1), "frame") if last else None,
        )
        target_bytes, fields = self.file_size.target_bytes, self.fields_box.currentData()
        options = OutputOptions(
            codec=self.codec_box.currentData(),
            crf=self.quality.crf if target_bytes is None else None,
            pix_fmt=self.pixels_box.currentData(),
            audio=self._audio.currentData(),
            target_bytes=target_bytes,
            hdr=self.hdr_box.currentData(),
        )
        sizes = self._spec.sizes.sized(self.size_box.currentData())
        return replace(
            self._spec,
            target=str(self._target),
            recipe=replace(self._spec.recipe, sizes=sizes, keys=convert_keyframes(self._spec.keys, fields)),
            range=range_as_read(span, fields),
            decode=replace(self._spec.decode, deinterlace=fields),
            output=options,
            statistics=self.statistics_box.currentData(),
        )

    def _use_preset(self, name: str) -> None:
        """Apply a preset to everything except the range."""
        preset, form, target = PRESETS[name], self._info.format, self._target
        size = None
        if preset.lines is not None and preset.lines < min(form.width, form.height):
            size = next((size for size in sizes_for(form) if str(preset.lines) in size.split("x")), None)
        boxes = self.size_box, self.codec_box, self.pixels_box, self._audio, self.file_size
        with signals_blocked(*boxes):
            self.codec_box.setCurrentIndex(self.codec_box.findData(preset.codec))
            self.pixels_box.setCurrentIndex(self.pixels_box.findData(preset.pixels))
            self.size_box.setCurrentIndex(max(0, self.size_box.findData(size)))
            self._audio.setCurrentIndex(self._audio.findData("copy"))
            self.file_size.box.setValue(preset.size_mb or 0)
        self.quality.aim(preset.loss)
        suffix = preset.suffix or Path(self._spec.target).suffix
        if target.suffix.lower() != suffix and target.name:
            self.name_field.setText(with_tilde(free_like(target.with_suffix(suffix), self._taken)))
        self._follow()

    def use_former(self, former: JobSpec) -> None:
        """Apply an earlier export's settings, except name and range."""
        output, target_bytes = former.output, former.output.target_bytes
        chosen: dict[QComboBox, object] = {
            self.size_box: former.sizes.size,
            self.codec_box: output.codec,
            self.pixels_box: output.pix_fmt,
            self._audio: output.audio,
            self.hdr_box: output.hdr,
            self.fields_box: former.decode.deinterlace,
            self.statistics_box: former.statistics,
        }
        with signals_blocked(*chosen, self.file_size.box):
            for box, value in chosen.items():
                box.setCurrentIndex(max(0, box.findData(value)))
            self.file_size.box.setValue((target_bytes or 0) // MEGABYTE)
        if output.crf is not None:
            self.quality.use(output.crf)
        self._follow()

    @property
    def _container(self) -> Container | None:
        return CONTAINERS.get(self._target.suffix.lower())

    def _ask_encoder(self) -> None:
        container, frames = self._container, self._frames
        if container is not None:
            size = frames.width, frames.height
            sized = self.file_size.target_bytes is not None
            hdr = frames if self.hdr_box.currentData() == "keep" else None
            self.quality.ask(EncoderQuery(self.codec_box.currentData(), container, size, name_of(frames), sized, hdr))

    def _ask_losses(self) -> None:
        container, encoder, spec = self._container, self.quality.encoder, self.spec
        if container is not None and encoder is not None:
            info, frames, audio = as_read(self._info, spec.decode.deinterlace), self._frames, spec.output.audio
            woven = encoder.weaves(frames.height, container)
            self.losses.ask(info, container, encoder, audio, frames, spec.range, woven=woven)
            part = replace(info, frame_count=frames_of(info, spec.range))
            self.file_size.ask(part, container, audio, spec.range, frames.width * frames.height)

    @property
    def _frames(self) -> FrameFormat:
        """Return the encoder's input format; incompatible settings keep the source's samples."""
        asked = SOURCE_SIZE.sized(self.size_box.currentData()).target
        size = asked if isinstance(asked, tuple) else None
        form, container, output = self._info.format, self._container, self.spec.output
        if container is not None:
            with suppress(OutputError):
                return output_frames(output, container, form, size)[1]
        return video_target(form, size=size, hdr=output.hdr)

    def _queue(self) -> None:
        target = self._target
        problem = self._problem
        if not problem and (unusable := _why_not(target)):
            problem = self.tr("This name cannot be used ({reason}).").format(reason=unusable)
        elif not problem and not target.parent.is_dir():
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
        """Ask whether to use a similar name or replace the file."""
        if place_of(target) in self._taken:
            text, may_replace = self.tr("Another export is writing {name}."), False
        elif target.is_dir():
            text, may_replace = self.tr("{name} is a folder."), False
        elif _is_same(target, self._info.path):
            text, may_replace = self.tr("{name} is the video being painted."), False
        elif _is_begun(target):
            text, may_replace = self.tr("Another export of {name} is not finished; it is kept."), False
        else:
            text, may_replace = self.tr("{name} already exists."), True
        box = self._box(QMessageBox.Icon.Question, text.format(name=target.name))
        free = free_like(target, self._taken)
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
        """Queue the export. replaces: an existing file."""
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
        """Describe the video, style and look."""
        parts = [self._info.name, self._style_words(), *words_on(self._spec.recipe)]
        if self._spec.keys:
            parts.append(self.tr("changes over time"))
        return "   ·   ".join(parts)

    def _style_words(self) -> str:
        over_time = [key.value for track in self._spec.keys if track.of == STYLE for key in track.keys]
        if over_time:
            return " / ".join(self._named(style) for style in dict.fromkeys(map(str, over_time)))
        return self._named(self._spec.style.name)

    def _named(self, style: str) -> str:
        if style == PASSTHROUGH:
            return self.tr("no style")
        names, weights = zip(*parts_of(style).items(), strict=True)
        if len(names) == 1:
            return words_of(names[0])
        return " + ".join(f"{words_of(name)} {share}" for name, share in zip(names, percents(weights), strict=True))

    def _sizes(self) -> dict[str, str | None]:
        is_asked = self._spec.sizes.resizes  # on the command line
        usual = self.tr("As played") if is_asked else self.tr("Like the source")
        return {usual: None, **{size.replace("x", " × "): size for size in sizes_for(self._info.format)}}

    def _ranges(self) -> dict[str, object]:
        choices: dict[str, object] = {self.tr("Whole video"): "whole"}
        first, last = self._marks.first, self._marks.last
        if first or last:
            begin = clock(first.time_s) if first else self.tr("beginning")
            end = clock(last.time_s) if last else self.tr("end")
            choices[self.tr("Marked: {begin} to {end}").format(begin=begin, end=end)] = "marks"
        return choices
