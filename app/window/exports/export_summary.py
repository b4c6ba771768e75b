"""Summary of an export: video, style and look."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from framebrush.jobs.keyframes import STYLE
from framebrush.jobs.spec import JobSpec
from framebrush.styles.style_names import PASSTHROUGH
from framebrush.window.look.look_summary import words_on
from framebrush.window.styles.catalog import words_of_blend


def summary_of(video: str, spec: JobSpec) -> str:
    """Describe an export. video: its name."""
    parts = [video, _style_words(spec), *words_on(spec.recipe)]
    if spec.keys:
        parts.append(QCoreApplication.translate("ExportDialog", "changes over time"))
    return "   ·   ".join(parts)


def _style_words(spec: JobSpec) -> str:
    over_time = [key.value for track in spec.keys if track.of == STYLE for key in track.keys]
    if over_time:
        return " / ".join(_named(style) for style in dict.fromkeys(map(str, over_time)))
    return _named(spec.style.name)


def _named(style: str) -> str:
    if style == PASSTHROUGH:
        return QCoreApplication.translate("ExportDialog", "no style")
    return words_of_blend(style)
