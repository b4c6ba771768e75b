"""Sections of the inspector, folded by their titles."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QGridLayout, QLayout, QVBoxLayout, QWidget

from framebrush.base.option import Section as SectionName
from framebrush.window.widgets.box_layouts import fill
from framebrush.window.widgets.controls import Disclosure, RowName, name_control
from framebrush.window.widgets.rows import advanced_fields, choices, sliders
from framebrush.window.widgets.theme import SPACE


class Section(QWidget):
    """Rows of one section's options, advanced ones folded away. Stateless."""

    def __init__(self, name: SectionName, text: str) -> None:
        super().__init__()
        self.shares, self.boxes = sliders(name), choices(name)
        self.names = {field: RowName(box.accessibleName()) for field, box in self.boxes.items()}
        self.title = Disclosure(text, self)
        self.title.setObjectName("section")
        self.folds = {str(name): self.title}
        """Buttons that open the section and its advanced rows, by name in settings."""
        hidden = advanced_fields()
        advanced = [slider for field, slider in self.shares.items() if field in hidden]
        self.rows: list[QWidget | QLayout] = [slider for field, slider in self.shares.items() if field not in hidden]
        if self.boxes:
            self.rows.append(named_boxes(zip(self.names.values(), self.boxes.values(), strict=True)))
        if advanced:
            box = QWidget()
            fill(QVBoxLayout(box), *advanced, around=0, between=SPACE // 2)
            more = Disclosure(QCoreApplication.translate("Section", "Advanced"), box)
            more.setAccessibleName(QCoreApplication.translate("Section", "{section}, advanced").format(section=text))
            self.folds[f"{name}-advanced"] = more
            self.rows += [more, box]

    def lay_out(self, *first: QWidget | QLayout) -> None:
        """Place other parts above the rows of options."""
        fill(QVBoxLayout(self), *first, *self.rows, around=0, between=SPACE // 2)


def named_boxes(rows: Iterable[tuple[RowName, QComboBox]]) -> QGridLayout:
    """Lay out combo boxes behind their names."""
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    grid.setHorizontalSpacing(SPACE // 2)
    for row, (name, box) in enumerate(rows):
        name_control(box, name.text(), name)
        grid.addWidget(name, row, 0)
        grid.addWidget(box, row, 1)
    return grid
