"""Controls for an export's format and range."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QComboBox, QWidget

from framebrush.gpu.frame import FrameFormat, PlaneOrder, Transfer
from framebrush.jobs.keyframes import convert_keyframes
from framebrush.jobs.output_format import output_frames, video_target
from framebrush.jobs.spec import JobSpec
from framebrush.media.containers import Container
from framebrush.media.encoding.encoders import CODECS
from framebrush.media.encoding.pixels import AUTO, CHROMA, OPAQUE_FORMATS, SOURCE, packing_of
from framebrush.media.reading.fields import range_as_read
from framebrush.media.video import OutputError, TimeRange, VideoInfo
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.playback import events
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles.specs import SOURCE_SIZE
from framebrush.window.exports.file_size import MEGABYTE, FileSize
from framebrush.window.exports.presets import Preset
from framebrush.window.transport.seekbar import clock
from framebrush.window.widgets.controls import choice, signals_blocked

LINES = (2160, 1440, 1080, 720, 480)


def sizes_for(form: FrameFormat) -> list[str]:
    """Return common sizes with the picture's aspect ratio, as "WxH"."""
    shorter = min(form.width, form.height)
    sides = [[max(16, 2 * round(side * lines / shorter / 2)) for side in (form.width, form.height)] for lines in LINES]
    own = [form.width, form.height]
    return [f"{width}x{height}" for width, height in sides if [width, height] != own and max(width, height) <= 16384]


def pixel_words(name: str) -> str:
    """Describe a pixel format, as "4:2:2, 10 bits"."""
    kind = packing_of(name)
    chroma = "RGB" if kind.layout is PlaneOrder.GBR else CHROMA[kind.subsample]
    return QCoreApplication.translate("ExportDialog", "{chroma}, {bits} bits").format(chroma=chroma, bits=kind.bits)


class Row(NamedTuple):
    """Row of the export dialog. control: takes the focus."""

    title: str
    widget: QWidget
    control: QWidget


class ExportControls(QObject):
    """Controls with the settings of one export."""

    changed = Signal()
    adjusted = Signal()  # a setting that presets have, by hand; before `changed`

    def __init__(
        self,
        owner: QWidget,
        info: VideoInfo,
        spec: JobSpec,
        marks: events.InOutChanged,
        reading: ReadingProcess | None,
        *,
        normalises: bool,
    ) -> None:
        super().__init__(owner)
        self.info, self._spec, self._marks = info, spec, marks
        self._range = choice(self._ranges())
        if marks.first or marks.last:
            self._range.setCurrentIndex(1)
        self.size_box = choice(self.sizes())
        self.codec_box = choice({self.tr("Automatic"): "auto", **{title: name for name, title in CODECS.items()}})
        usual = {self.tr("Automatic"): AUTO, self.tr("Same as source"): SOURCE}
        self.pixels_box = choice({**usual, **{pixel_words(name): name for name in OPAQUE_FORMATS}})
        self.audio_box = choice({self.tr("Copy"): "copy", self.tr("Leave out"): "none"})
        self.file_size = FileSize(reading)
        self.fields_box = choice(self._fields())
        self.hdr_box = choice({self.tr("Convert to SDR"): "sdr", self.tr("Keep"): "keep"})
        self.statistics_box = choice({self.tr("Per frame"): "frame", self.tr("Per shot, steadier"): "shot"})
        self.statistics_box.setToolTip(
            self.tr(
                "This network normalises each frame as a whole. During playback, it always uses the statistics of each "
                "frame."
            )
        )
        needed = {
            self.fields_box: info.interlaced,
            self.hdr_box: info.format.transfer is not Transfer.SDR,
            self.statistics_box: normalises,
        }
        for box, is_needed in needed.items():
            box.setParent(owner)  # also where it has no row, as each object of Qt needs an owner
            box.setVisible(is_needed)
        self.rows = tuple(self._rows(box for box, is_needed in needed.items() if is_needed))
        boxes = self.size_box, self.codec_box, self.pixels_box, self.audio_box
        for signal in (*(box.currentIndexChanged for box in boxes), self.file_size.changed):
            signal.connect(self.adjusted)
            signal.connect(self.changed)
        for box in (self._range, *needed):
            box.currentIndexChanged.connect(self.changed)

    def _rows(self, needed: Iterable[QComboBox]) -> Iterable[Row]:
        titles: dict[QComboBox, str] = {
            self._range: self.tr("Range"),
            self.size_box: self.tr("Size"),
            self.codec_box: self.tr("Codec"),
            self.pixels_box: self.tr("Pixel format"),
            self.audio_box: self.tr("Audio"),
        }
        yield from (Row(title, box, box) for box, title in titles.items())
        yield Row(self.tr("File size"), self.file_size, self.file_size.box)
        titles = {
            self.fields_box: self.tr("Fields"),
            self.hdr_box: self.tr("HDR"),
            self.statistics_box: self.tr("Statistics"),
        }
        yield from (Row(titles[box], box, box) for box in needed)

    def spec(self, target: Path, crf: int | None) -> JobSpec:
        """Return the job with the current settings."""
        span = TimeRange() if self._range.currentData() == "whole" else self._marks.span
        target_bytes, fields = self.file_size.target_bytes, self.fields_box.currentData()
        options = OutputOptions(
            codec=self.codec_box.currentData(),
            crf=crf if target_bytes is None else None,
            pix_fmt=self.pixels_box.currentData(),
            audio=self.audio_box.currentData(),
            target_bytes=target_bytes,
            hdr=self.hdr_box.currentData(),
        )
        sizes = self._spec.sizes.sized(self.size_box.currentData())
        return replace(
            self._spec,
            target=str(target),
            recipe=replace(self._spec.recipe, sizes=sizes, keys=convert_keyframes(self._spec.keys, fields)),
            range=range_as_read(span, fields),
            decode=replace(self._spec.decode, deinterlace=fields),
            output=options,
            statistics=self.statistics_box.currentData(),
        )

    def frames(self, output: OutputOptions, container: Container | None) -> FrameFormat:
        """Return the encoder's input format; incompatible settings are ignored."""
        asked = SOURCE_SIZE.sized(self.size_box.currentData()).target
        size = asked if isinstance(asked, tuple) else None
        if container is not None:
            with suppress(OutputError):
                return output_frames(output, container, self.info.format, size)[1]
        return video_target(self.info.format, size=size, hdr=output.hdr)

    def use_preset(self, preset: Preset) -> None:
        """Apply a preset, except its quality."""
        form, size = self.info.format, None
        if preset.lines is not None and preset.lines < min(form.width, form.height):
            size = next((size for size in sizes_for(form) if str(preset.lines) in size.split("x")), None)
        with signals_blocked(self.size_box, self.codec_box, self.pixels_box, self.audio_box, self.file_size):
            self.codec_box.setCurrentIndex(self.codec_box.findData(preset.codec))
            self.pixels_box.setCurrentIndex(self.pixels_box.findData(preset.pixels))
            self.size_box.setCurrentIndex(max(0, self.size_box.findData(size)))
            self.audio_box.setCurrentIndex(self.audio_box.findData("copy"))
            self.file_size.box.setValue(preset.size_mb or 0)

    def use_former(self, former: JobSpec) -> None:
        """Apply an earlier export's settings, except the range."""
        output = former.output
        chosen: dict[QComboBox, object] = {
            self.size_box: former.sizes.size,
            self.codec_box: output.codec,
            self.pixels_box: output.pix_fmt,
            self.audio_box: output.audio,
            self.hdr_box: output.hdr,
            self.fields_box: former.decode.deinterlace,
            self.statistics_box: former.statistics,
        }
        with signals_blocked(*chosen, self.file_size.box):
            for box, value in chosen.items():
                box.setCurrentIndex(max(0, box.findData(value)))
            self.file_size.box.setValue((output.target_bytes or 0) // MEGABYTE)

    def sizes(self) -> dict[str, str | None]:
        """Size choices by text; None for the playback size."""
        is_asked = self._spec.sizes.resizes  # on the command line
        usual = self.tr("As played") if is_asked else self.tr("Like the source")
        return {usual: None, **{size.replace("x", " × "): size for size in sizes_for(self.info.format)}}

    def _fields(self) -> dict[str, object]:
        return {
            self.tr("One frame from both fields"): "auto",
            self.tr("One frame per field, double frame rate"): "double",
            self.tr("Restore film frames (inverse telecine)"): "ivtc",
            self.tr("Leave interlaced"): "off",
        }

    def _ranges(self) -> dict[str, object]:
        choices: dict[str, object] = {self.tr("Whole video"): "whole"}
        first, last = self._marks.first, self._marks.last
        if first or last:
            begin = clock(first.time_s) if first else self.tr("beginning")
            end = clock(last.time_s) if last else self.tr("end")
            choices[self.tr("Marked: {begin} to {end}").format(begin=begin, end=end)] = "marks"
        return choices
