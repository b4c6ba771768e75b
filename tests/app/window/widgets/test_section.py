"""Sections of the inspector: rows of options, advanced ones folded away."""

from __future__ import annotations

from typing import get_args

import pytest
import shiboken6
from PySide6.QtWidgets import QApplication, QLabel

from framebrush.base.option import Section as SectionName
from framebrush.window.widgets.rows import advanced_fields
from framebrush.window.widgets.section import Section

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", get_args(SectionName))
def test_a_section_has_each_row_once_behind_its_name(application: QApplication, name: SectionName) -> None:
    section, first, hidden = Section(name, "Here"), QLabel("first"), advanced_fields()
    section.lay_out(first)
    section.resize(400, 600)
    section.show()
    section.title.setChecked(True)
    application.processEvents()
    more = section.folds.get(f"{name}-advanced")
    advanced = {field for field in section.shares if field in hidden}
    assert section.folds[name] is section.title
    assert (more is not None) == bool(advanced)
    assert section.title.objectName() == "section"
    for is_open in (False, True):
        if more is not None:
            assert more.accessibleName() == "Here, advanced"
            more.setChecked(is_open)
            application.processEvents()
        seen = {field for field, slider in section.shares.items() if slider.isVisible()}
        assert seen == set(section.shares) - (set() if is_open else advanced)
    rows = [slider for field, slider in section.shares.items() if field not in hidden]
    assert [first.y(), *(row.y() for row in rows)] == sorted({first.y(), *(row.y() for row in rows)})
    lefts = set[int]()
    for field, box in section.boxes.items():
        label = section.names[field]
        assert label.buddy() is box
        assert label.x() + label.width() <= box.x()
        assert label.geometry().center().y() in range(box.y(), box.y() + box.height())
        lefts.add(box.x())
    assert len(lefts) == bool(section.boxes)
    shiboken6.delete(section)
