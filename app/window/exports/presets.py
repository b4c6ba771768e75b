"""Purposes of an export, with suitable file type, codec, pixel format, size and quality."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from framebrush.media.encoding.pixels import AUTO, SOURCE


@dataclass(frozen=True, slots=True)
class Preset:
    """suffix: of the file. codec, pixels: values of the dialog. lines: the maximum for the picture's shorter side; None
    for the size of playback. loss: of quality, as defined by `quality.loss`; 0 is the encoder's default. size_mb: of
    the file, in megabytes, if that determines the quality."""

    suffix: str
    codec: str
    pixels: str
    lines: int | None
    loss: float
    size_mb: int | None = None


PRESETS = {
    "small": Preset(".mp4", "auto", AUTO, 720, 0.25),
    "social": Preset(".mp4", "h264", AUTO, 1080, 0.0),
    "mail": Preset(".mp4", "h264", AUTO, 720, 0.0, 25),
    "archive": Preset(".mkv", "ffv1", SOURCE, None, 0.0),
    "editor": Preset(".mov", "prores", AUTO, None, 0.0),
}


def titles() -> dict[str, str]:
    """The presets by title; "" for none."""
    translate = QCoreApplication.translate
    return {
        translate("ExportDialog", "Custom"): "",
        translate("ExportDialog", "Small file"): "small",
        translate("ExportDialog", "Social media, 1080p"): "social",
        translate("ExportDialog", "Message, 25 MB"): "mail",
        translate("ExportDialog", "Lossless archive"): "archive",
        translate("ExportDialog", "Video editing"): "editor",
    }
