"""What people export for, and what that means for file, codec, pixels, size and quality."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from framebrush.media.writing.pixels import AUTO, SOURCE


@dataclass(frozen=True, slots=True)
class Preset:
    """suffix: of the file. codec, pixels: as the dialog has them. lines: of the picture's shorter side at most; None
    for as it is played. loss: what the quality gives up, as `quality.loss` counts; 0 is the encoder's usual number.
    size_mb: of the file, in megabytes, where that decides on the quality."""

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
    """What each is called; "" for none."""
    translate = QCoreApplication.translate
    return {
        translate("ExportDialog", "As set below"): "",
        translate("ExportDialog", "A small file"): "small",
        translate("ExportDialog", "Social media, 1080p"): "social",
        translate("ExportDialog", "A message, 25 MB"): "mail",
        translate("ExportDialog", "An archive, without loss"): "archive",
        translate("ExportDialog", "An editing program"): "editor",
    }
