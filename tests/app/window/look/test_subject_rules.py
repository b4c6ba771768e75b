"""Choices of the section Subject by themselves: the look that each asks for, and the look that it shows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QComboBox, QMainWindow

from framebrush.gpu.look import Look
from framebrush.window.look.subject import SECOND, SECONDS, Subject
from framebrush.window.state.actions import Actions

pytestmark = pytest.mark.unit


@pytest.fixture
def subject(application: QApplication) -> Iterator[Subject]:
    window = QMainWindow()
    made = Subject(Actions(window))
    made.setParent(window)
    yield made
    shiboken6.delete(window)


def choose(box: QComboBox, text: str) -> None:
    """Choose a row by hand."""
    row = box.findText(text)
    assert row >= 0, text
    box.setCurrentIndex(row)
    box.activated.emit(row)


def test_own_colours_are_kept_inside_and_outside(subject: Subject) -> None:
    kept = list[dict[str, float]]()
    subject.kept.connect(kept.append)
    for text, inside, outside in (
        ("Nothing", 0.0, 0.0),
        ("Inside", 1.0, 0.0),
        ("Around it", 0.0, 1.0),
        ("Everything", 1.0, 1.0),
    ):
        choose(subject.choices, text)
        assert kept[-1] == {"film_inside": inside, "film_outside": outside}
        subject.choices.setCurrentIndex(-1)
        subject.show_look(Look(film_inside=0.3 * inside, film_outside=0.3 * outside), paints=True)
        assert subject.choices.currentText() == text
    assert len(kept) == 4  # shown ones are not asked for
    for paints in (False, True):
        subject.show_look(Look(), paints=paints)
        assert subject.isEnabled() == paints


def test_an_area_is_asked_for_and_stays_until_another_one_is_in_use(subject: Subject) -> None:
    masked, asked = list[str | None](), list[bool]()
    subject.masked.connect(masked.append)
    subject.mask_asked.connect(lambda: asked.append(True))
    subject.show_mask(None)
    assert subject.areas.currentText() == "People"
    rows = [subject.areas.itemText(row) for row in range(subject.areas.count())]
    for text in rows[:-1]:
        choose(subject.areas, text)
        assert subject.areas.currentText() == "People"
        subject.show_mask(masked[-1])
        assert subject.areas.currentText() == text
        subject.show_mask(None)
    assert (masked[0], len(set(masked)), asked) == (None, len(rows) - 1, [])
    choose(subject.areas, "Picture or video…")
    assert (len(masked), asked) == (len(rows) - 1, [True])
    subject.show_mask("/somewhere/mask.png")
    assert subject.areas.currentText() == "mask.png"
    assert [subject.areas.itemText(row) for row in range(subject.areas.count())][:-1] == rows[:-1]
    subject.show_mask(masked[1])
    assert [subject.areas.itemText(row) for row in range(subject.areas.count())] == rows
    model = subject.areas.model()
    assert isinstance(model, QStandardItemModel)
    for on in (False, True):
        subject.offer_alpha(on)
        assert [model.item(row).isEnabled() for row in range(len(rows))] == [True] * (len(rows) - 2) + [on, True]


def test_a_second_style_is_asked_for_and_an_own_one_is_added_once(subject: Subject) -> None:
    chosen, count = list[str | None](), subject.second.count()
    subject.second_chosen.connect(chosen.append)
    assert count == 1 + len(SECONDS)
    for row, name in enumerate([None, *SECONDS]):
        subject.show_second(name, fits=True)
        assert (subject.second.currentIndex(), subject.second.count()) == (row, count)
        shown = {field: not slider.isHidden() for field, slider in subject.shares.items()}
        assert all(shown[field] == (name is not None) for field in shown if field in SECOND)
        assert all(shown[field] for field in shown if field not in SECOND)
        subject.second.activated.emit(row)
        assert chosen[-1] == name
    for _ in range(2):
        subject.show_second("/somewhere/own.onnx", fits=True)
        assert (subject.second.count(), subject.second.currentIndex()) == (count + 1, count)
    assert len(chosen) == count
    for fits in (False, True):
        subject.show_second(None, fits=fits)
        assert subject.second.isEnabled() == fits
        assert ("cannot share" in subject.second.toolTip()) != fits
