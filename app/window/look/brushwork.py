"""Brush, relief, canvas and lamp: effects applied after the network."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from framebrush.gpu.stages.look import Look
from framebrush.window.look.rows import sliders
from framebrush.window.widgets.controls import Disclosure
from framebrush.window.widgets.layouts import fill
from framebrush.window.widgets.theme import SPACE


class Brushwork(QWidget):
    """Rows of a collapsible section. Stateless: the panel shows a look in it."""

    def __init__(self) -> None:
        super().__init__()
        self.shares = sliders("brush")
        self.title = Disclosure(self.tr("Brush and relief"), self)
        fill(QVBoxLayout(self), *self.shares.values(), around=0, between=SPACE // 2)

    def show_look(self, used: Look) -> None:
        """Show the look of the frame on the screen. used: complete, with the style's values."""
        self.shares["lamp_degrees"].setEnabled(used.raises)
