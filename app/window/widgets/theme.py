"""Themes: colours, palette and style sheet."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
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
    folder = Path(__file__).parent.as_posix()
    return f"""
* {{ outline: none; }}
QMainWindow, QDialog {{ background: {c.window}; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
QToolTip {{ background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; padding: 4px 6px; }}
QMenuBar {{ background: {c.window}; padding: 2px 4px; }}
QMenuBar::item {{ padding: 4px 10px; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {c.hover}; }}
QMenu {{ background: {c.raised}; border: 1px solid {c.line}; padding: 4px; menu-scrollable: 1; }}
QMenu::item {{ padding: 5px 28px 5px 24px; border-radius: 4px; }}
QMenu::item:selected {{ background: {c.accent}; color: {c.on_accent}; }}
QMenu::item:disabled {{ color: {c.faint}; }}
QMenu::separator {{ height: 1px; background: {c.line}; margin: 4px 8px; }}
QStatusBar {{ background: {c.window}; color: {c.faint}; }}
QStatusBar::item {{ border: none; }}
QStatusBar QLabel {{ color: {c.faint}; }}
#stage {{ background: {STAGE}; }}
#over {{ background: rgba(13, 13, 14, 225); border-radius: 10px; }}
#panel, #panel QScrollArea, #panel QScrollArea > QWidget > QWidget {{ background: {c.panel}; border: none; }}
#playhead {{ background: {c.text}; }}
#transport {{ background: {c.window}; }}
#heading {{ font-weight: 600; }}
#faint {{ color: {c.faint}; }}
#problem {{ color: {c.problem}; }}
#messages, #reveal, #note {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 6px; }}
#popup {{ background: {c.raised}; border: 1px solid {c.line}; }}
#figures {{ background: rgba(12, 12, 13, 215); border-radius: 6px; }}
#figures QLabel {{ color: #f0f0ee; }}
#live {{ background: {c.accent}; color: {c.on_accent}; border-radius: 4px; padding: 1px 6px; font-weight: 600; }}
#card {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 6px; }}
QFrame#rule {{ background: {c.line}; border: none; max-height: 1px; min-height: 1px; }}
QTabWidget::pane {{ border: none; border-top: 1px solid {c.line}; }}
QTabBar {{ background: {c.panel}; }}
QTabBar::tab {{ background: transparent; color: {c.faint}; padding: 8px 16px; border-bottom: 2px solid transparent; }}
QTabBar::tab:selected {{ color: {c.text}; border-bottom-color: {c.accent}; }}
QTabBar::tab:focus {{ color: {c.accent}; }}
QPushButton, QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox {{
  background: {c.raised}; color: {c.text}; border: 1px solid {c.line}; border-radius: 5px; padding: 4px 10px;
  min-height: 18px;
}}
QLineEdit, QSpinBox, QDoubleSpinBox {{ padding: 4px 6px; selection-background-color: {c.accent}; }}
QPushButton:hover, QComboBox:hover {{ background: {c.hover}; }}
QPushButton:pressed {{ background: {c.line}; }}
QPushButton:default {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; }}
QPushButton:checked {{ border: 2px solid {c.accent}; padding: 3px 9px; }}
QPushButton:checked:focus {{ border-color: {c.text}; }}
QPushButton:disabled, QComboBox:disabled, QLineEdit:disabled {{ color: {c.faint}; }}
QPushButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {{
  border: 1px solid {c.accent};
}}
QPushButton:default:disabled {{ background: {c.raised}; color: {c.faint}; border-color: {c.line}; }}
QPushButton:default:focus {{ border: 2px solid {c.text}; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{ width: 0; border: none; }}
QComboBox::drop-down {{ border: none; width: 22px; }}
QComboBox::down-arrow {{ image: url("{folder}/chevron.svg"); width: 12px; height: 12px; }}
QComboBox QAbstractItemView {{
  background: {c.raised}; border: 1px solid {c.line}; selection-background-color: {c.accent};
  selection-color: {c.on_accent}; padding: 4px;
}}
QToolButton {{ background: transparent; border: 1px solid transparent; border-radius: 5px; padding: 5px; }}
QToolButton#disclosure, QToolButton#section {{ padding: 5px 5px 5px 0; margin-left: -4px; }}
QToolButton#section {{ font-weight: 600; }}
QToolButton#place, QToolButton#faint {{ padding: 2px 3px; }}
QToolButton#recent {{ color: #c9cacc; }}
QToolButton#recent:hover {{ background: #26272a; }}
QToolButton:disabled {{ color: {c.faint}; }}
QToolButton:hover {{ background: {c.hover}; }}
QToolButton:pressed {{ background: {c.line}; }}
QToolButton:focus {{ border-color: {c.accent}; }}
QToolButton#export {{ background: {c.accent}; color: {c.on_accent}; font-weight: 600; padding: 5px 10px; }}
QToolButton#export:hover {{ border-color: {c.text}; }}
QToolButton#export:focus {{ border: 2px solid {c.text}; padding: 4px 9px; }}
QToolButton#export:disabled {{ background: transparent; color: {c.faint}; border-color: {c.line}; }}
QToolButton#another {{ background: {c.raised}; border: 1px solid {c.accent}; padding: 0; }}
QToolButton#another:hover {{ background: {c.hover}; }}
QToolButton#another:focus {{ border: 2px solid {c.text}; }}
#livebar QToolButton {{ padding: 2px 5px; }}
QToolButton#learning {{ padding: 2px 3px; }}
QToolButton::menu-indicator {{ image: none; }}
QSlider {{ min-height: 22px; border: 1px solid transparent; border-radius: 4px; }}
QSlider:focus {{ border-color: {c.accent}; }}
QSlider::groove:horizontal {{ height: 4px; background: {c.line}; border-radius: 2px; margin: 0 4px; }}
QSlider::sub-page:horizontal {{ background: {c.accent}; border-radius: 2px; margin: 0 4px; }}
QSlider[bipolar="true"]::sub-page:horizontal, QSlider::sub-page:horizontal:disabled {{ background: {c.line}; }}
QSlider::handle:horizontal {{
  width: 12px; height: 12px; margin: -4px 0; border-radius: 6px; background: {c.text};
}}
QSlider::handle:horizontal:disabled {{ background: {c.faint}; }}
QSlider::handle:horizontal:hover {{ background: {c.accent}; }}
QCheckBox {{ spacing: 8px; border: 1px solid transparent; border-radius: 4px; padding: 2px; margin-left: -3px; }}
QCheckBox::indicator {{
  width: 14px; height: 14px; border: 1px solid {c.faint}; border-radius: 3px; background: {c.raised};
}}
QCheckBox::indicator:checked {{
  background: {c.accent}; border-color: {c.accent}; image: url("{folder}/{c.check}");
}}
QCheckBox:focus, QRadioButton:focus {{ border-color: {c.accent}; }}
QRadioButton {{ border: 1px solid transparent; border-radius: 4px; padding: 2px; }}
QListView {{ background: transparent; border: 1px solid transparent; border-radius: 6px; }}
QListView:focus {{ border-color: {c.accent}; }}
QListView::item {{ border: 2px solid transparent; border-radius: 6px; padding: 2px 0; color: {c.text}; }}
QListView::item:hover {{ background: {c.raised}; }}
QListView::item:selected {{ background: {c.raised}; border-color: {c.accent}; color: {c.text}; }}
QProgressBar {{ background: {c.line}; border: none; border-radius: 2px; max-height: 4px; min-height: 4px; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 2px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar::handle:vertical {{ background: {c.line}; border-radius: 4px; min-height: 32px; margin: 1px; }}
QScrollBar::handle:vertical:hover {{ background: {c.faint}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QScrollBar:horizontal {{ background: transparent; height: 9px; margin: 0; }}
QScrollBar::handle:horizontal {{ background: {c.line}; border-radius: 3px; min-width: 32px; margin: 1px 8px; }}
QScrollBar::handle:horizontal:hover {{ background: {c.faint}; }}
QSplitter::handle {{ background: {c.panel}; }}
QSplitter::handle:hover {{ background: {c.line}; }}
QPlainTextEdit {{ background: {c.raised}; border: 1px solid {c.line}; border-radius: 5px; }}
"""
