"""Quality of an export, on the encoder's scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from framebrush.gpu.frame import FrameFormat
from framebrush.media.containers import Container
from framebrush.media.encoding.encoder_worker import find_encoder
from framebrush.media.encoding.encoders import CODECS, ENCODERS, Encoder
from framebrush.media.encoding.hdr_metadata import check_hdr
from framebrush.media.video import OutputError
from framebrush.window.widgets.background import Latest
from framebrush.window.widgets.controls import LabelledSlider, faint
from framebrush.window.widgets.theme import SPACE


@dataclass(frozen=True, slots=True)
class EncoderQuery:
    """Settings that determine the encoder.

    Attributes:
        sized: whether a file size determines the quality.
        hdr: format of HDR frames, else None.
    """

    codec: str
    container: Container
    size: tuple[int, int]
    pix_fmt: str
    sized: bool = False
    hdr: FrameFormat | None = None


def _found(query: EncoderQuery) -> Encoder | OutputError:
    try:
        encoder = find_encoder(query.codec, query.container, query.size, query.pix_fmt, query.sized)
        if query.hdr is not None:
            check_hdr(query.hdr, encoder, query.container)
    except OutputError as error:
        return error
    return encoder


def loss(encoder: Encoder, crf: float) -> float:
    """Return a CRF's quality loss on a scale that all encoders share.

    0 at the encoder's default, 1 at its worst. Raises ValueError for encoders without CRF.
    """
    if encoder.crf is None:
        raise ValueError(f"{encoder.name} has no quality scale")
    _, worst, usual = encoder.crf
    return (crf - usual) / (worst - usual)


class Quality(QWidget):
    """Slider on an encoder's CRF scale, with a remembered choice per encoder."""

    answered = Signal()

    def __init__(self, kept: Mapping[str, int]) -> None:
        super().__init__()
        self.kept = dict(kept)
        self._latest = Latest(self._take, self)
        self._query: EncoderQuery | None = None
        self.encoder: Encoder | None = None
        self._aimed: float | None = None
        self._chosen: float | None = None
        self.problem = ""
        self.slider = LabelledSlider(
            self.tr("Quality"),
            -1,
            0,
            0,
            per_unit=1,
            to_text=self._words,
            tip=self.tr("A better picture makes a larger file"),
        )
        self.note = faint()
        smaller, better = faint(self.tr("Smaller file")), faint(self.tr("Better picture"))
        better.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(SPACE // 2)
        layout.addWidget(self.slider, 0, 0, 1, 2)
        layout.addWidget(smaller, 1, 0)
        layout.addWidget(better, 1, 1)
        layout.addWidget(self.note, 2, 0, 1, 2)
        self.slider.setEnabled(False)
        self.slider.moved.connect(self._keep)

    @property
    def crf(self) -> int | None:
        """CRF value; None for the encoder's default."""
        return -round(self.slider.value) if self.encoder is not None and self.encoder.crf is not None else None

    def aim(self, given_up: float | None) -> None:
        """Use a `loss` until the slider moves; None for remembered values."""
        self._aimed = given_up
        self._show_number()

    def use(self, crf: float) -> None:
        """Use a CRF with the next encoder until the slider moves."""
        self._chosen = crf

    def ask(self, query: EncoderQuery) -> None:
        """Look for the encoder in the background."""
        if self._latest.ask(query, partial(_found, query)):
            self._query, self.encoder, self.problem = query, None, ""
            self.slider.setEnabled(False)

    @property
    def is_sought(self) -> bool:
        """Whether the encoder is still unknown."""
        return self._latest.is_waiting

    def _take(self, found: Encoder | OutputError) -> None:
        query, encoder = self._query, None if isinstance(found, OutputError) else found
        assert query is not None
        self.encoder = encoder
        self.slider.setEnabled(encoder is not None and encoder.crf is not None and not query.sized)
        if encoder is not None and encoder.crf is not None:
            best, worst, usual = (round(number) for number in encoder.crf)
            self.slider.set_scale(-worst, -best, -usual)
            if self._chosen is not None:
                self.kept[encoder.name], self._chosen = round(self._chosen), None
            self._show_number()
        self.slider.show_text()
        if encoder is not None:
            text = self.tr("{codec} by {encoder}").format(codec=CODECS[encoder.codec], encoder=encoder.name)
        else:
            text = self.problem = self._problem(query)
        self.note.setText(text)
        self.note.setToolTip(str(found) if encoder is None else "")
        self.answered.emit()

    def _show_number(self) -> None:
        encoder = self.encoder
        if encoder is None or encoder.crf is None:
            return
        best, worst, usual = (round(number) for number in encoder.crf)
        number = self.kept.get(encoder.name, usual)
        if self._aimed is not None:
            number = round(usual + self._aimed * (worst - usual))
        self.slider.show_value(-min(worst, max(best, number)))

    def _problem(self, query: EncoderQuery) -> str:
        codec, container, is_named = CODECS.get(query.codec, query.codec), query.container.name, query.codec in CODECS
        if is_named and query.codec not in query.container.codecs:
            text = self.tr("{container} cannot hold {codec}. Choose another codec or another file extension.")
            return text.format(container=container, codec=codec)
        takes_size = any(each.takes_bit_rate for each in ENCODERS if each.codec == query.codec)
        if is_named and query.sized and not takes_size:
            text = self.tr("{codec} cannot aim at a file size. Choose another codec, or no file size.")
            return text.format(codec=codec)
        if query.hdr is not None:
            return self.tr("HDR cannot be kept: choose another codec, or a pixel format of 10 bits or more.")
        text = self.tr(
            "No encoder on this computer writes {codec} in {format} to {container}. Choose another codec or another "
            "pixel format."
        )
        return text.format(container=container, codec=codec, format=query.pix_fmt)

    def _keep(self, value: float) -> None:
        self._aimed = None
        if self.encoder is not None:
            self.kept[self.encoder.name] = -round(value)

    def _words(self, value: float) -> str:
        encoder = self.encoder
        if encoder is None:
            return ""
        if encoder.crf is None:
            return self.tr("fixed by the codec")
        if self._query is not None and self._query.sized:
            return self.tr("as the size of the file allows")
        given_up = loss(encoder, -value)
        if given_up <= -0.25:
            words = self.tr("beyond visually lossless, very large")
        elif given_up <= 0.05:
            words = self.tr("visually lossless")
        elif given_up <= 0.16:
            words = self.tr("high")
        elif given_up <= 0.34:
            words = self.tr("medium, small")
        else:
            words = self.tr("low, very small")
        return self.tr("CRF {number}: {words}").format(number=-round(value), words=words)
