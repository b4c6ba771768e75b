"""Losses of an export against its source."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Literal

from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.frame import FrameFormat
from framebrush.media.containers import Container
from framebrush.media.encoding.encoders import Encoder
from framebrush.media.encoding.result_losses import Loss, sentence
from framebrush.media.video import TimeRange, VideoInfo
from framebrush.media.writing.output_plan import expected_losses
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.window.widgets.background import Latest
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import faint


class ExportLosses(QWidget):
    """Line that names the losses, with details as tooltip."""

    def __init__(self, reading: ReadingProcess | None) -> None:
        super().__init__()
        self._reading = reading
        self._latest = Latest(self._show, self)
        self.note = faint(self._words(()))
        fill(QVBoxLayout(self), self.note, around=0)

    def ask(
        self,
        info: VideoInfo,
        container: Container,
        encoder: Encoder,
        audio: Literal["copy", "none"],
        frames: FrameFormat,
        span: TimeRange,
        *,
        woven: bool,
    ) -> None:
        """Find the losses in the background. Arguments: see `expected_losses`."""
        given = info, container, encoder, audio, frames, span
        find = partial(call, self._reading, info.path or Path(), expected_losses, *given, woven=woven)
        self._latest.ask((given, woven), find)

    def _show(self, losses: tuple[Loss, ...]) -> None:
        self.note.setText(self._words(losses))
        self.note.setToolTip(sentence(losses))

    def _words(self, losses: tuple[Loss, ...]) -> str:
        names = {
            "chroma": self.tr("chroma resolution"),
            "bits": self.tr("bit depth"),
            "fields": self.tr("fields"),
            "hdr": self.tr("HDR"),
            "alpha": self.tr("alpha channel"),
            "aspect": self.tr("pixel aspect ratio"),
            "timecode": self.tr("timecode"),
            "metadata": self.tr("some metadata"),
            "stream": self.tr("streams"),
            "sound": self.tr("original audio encoding"),
            "subtitles": self.tr("subtitle format"),
            "priming": self.tr("the first 10 ms of the audio"),
        }
        lost = ", ".join(dict.fromkeys(names[loss.key] for loss in losses))
        if not lost:
            return self.tr("Subtitles, chapters and metadata are kept where the file can hold them.")
        return self.tr("Lost: {what}.").format(what=lost)
