"""Themes: colours, palette and style sheet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template
from typing import Literal

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

Theme = Literal["system", "dark", "light", "contrast"]

SPACE = 8
"""Every distance in the window is a multiple of half this."""

SETTLING_PASSES = 3
"""How often requests for a new layout are handled after a change of the style sheet: each goes up through the nested
layouts, and two passes were enough in every order in which Qt visited the widgets."""

TILE_MARGIN = SPACE + 1
"""The distance between the edge of a tile and its picture; tiles extend this far beyond the panel's left edge."""

STAGE = "#0d0d0e"
"""The colour around the picture, in both themes: neutral and dark, so as not to influence the perception of colours."""


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours by purpose. Text contrasts at least 4.5 to 1 with its background."""

    window: str
    panel: str
    raised: str
    hover: str
    line: str
    text: str
    faint: str
    accent: str
    on_accent: str
    problem: str
    check: str


DARK = Colours(
    window="#1b1c1e",
    panel="#212225",
    raised="#2b2d31",
    hover="#35373c",
    line="#3a3c42",
    text="#e4e4e2",
    faint="#a0a2a6",
    accent="#d29a4a",
    on_accent="#1b1408",
    problem="#e8836b",
    check="check-dark.svg",
)
LIGHT = Colours(
    window="#f1f1ef",
    panel="#f8f8f6",
    raised="#ffffff",
    hover="#e6e6e3",
    line="#cfcfcb",
    text="#1d1e20",
    faint="#5d6066",
    accent="#97600f",
    on_accent="#ffffff",
    problem="#b03a1f",
    check="check-light.svg",
)


CONTRAST = Colours(
    window="#000000",
    panel="#000000",
    raised="#000000",
    hover="#2a2a2a",
    line="#707070",
    text="#ffffff",
    faint="#dcdcdc",
    accent="#ffd400",
    on_accent="#000000",
    problem="#ff9c8a",
    check="check-dark.svg",
)
"""Text on its ground has a contrast of at least 7 to 1, and the lines of a control one of 3 to 1 (WCAG 2.2, AAA)."""


def colours(theme: Theme) -> Colours:
    """Return a theme's colours; "system" follows the desktop."""
    if theme == "contrast" or (theme == "system" and _wants_contrast()):
        return CONTRAST
    light = QApplication.styleHints().colorScheme() == Qt.ColorScheme.Light if theme == "system" else theme == "light"
    return LIGHT if light else DARK


def _wants_contrast() -> bool:
    accessibility = getattr(QApplication.styleHints(), "accessibility", None)
    return accessibility is not None and accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


def prepare(app: QApplication, theme: Theme) -> Colours:
    """Apply a theme's colours without the style sheet until `finish`.

    Qt would restyle each part whenever it is put into another.
    """
    chosen = colours(theme)
    if not app.property("fusion"):  # only once, as this visits every widget, and so does each style sheet
        app.setStyle(QStyleFactory.create("Fusion"))
        app.setProperty("fusion", True)
    app.setStyleSheet("")  # replacing a style sheet takes Qt several times as long as clearing and setting it
    app.setPalette(_palette(chosen))
    return chosen


def apply(app: QApplication, theme: Theme) -> Colours:
    """Apply a theme to the whole application."""
    chosen = prepare(app, theme)
    finish(app, chosen)
    return chosen


def finish(app: QApplication, chosen: Colours) -> None:
    """Apply the prepared style sheet and update all sizes."""
    app.setStyleSheet(_sheet(chosen))
    for _ in range(SETTLING_PASSES):  # or a frame may be painted with the sizes of the moment without a style sheet
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def _palette(c: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for where, colour in [
        (role.Window, c.window),
        (role.WindowText, c.text),
        (role.Base, c.raised),
        (role.AlternateBase, c.panel),
        (role.Text, c.text),
        (role.PlaceholderText, c.faint),
        (role.Button, c.raised),
        (role.ButtonText, c.text),
        (role.ToolTipBase, c.raised),
        (role.ToolTipText, c.text),
        (role.Highlight, c.accent),
        (role.HighlightedText, c.on_accent),
        (role.Link, c.accent),
        (role.Light, c.hover),
        (role.Midlight, c.hover),
        (role.Mid, c.line),
        (role.Dark, c.line),
    ]:
        palette.setColor(where, QColor(colour))
    for where in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, where, QColor(c.faint))  # still readable
    return palette


def _sheet(c: Colours) -> str:
    folder = Path(__file__).parent
    text = (folder / "theme.qss").read_text(encoding="utf-8")
    return Template(text).substitute(asdict(c), stage=STAGE, folder=folder.as_posix())
