"""The section *Subject*: changes are shown, undone, keyframed, remembered and exported."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from framebrush.base.option import declared_in
from framebrush.gpu.look import FACES, Look
from framebrush.jobs.saved_look import read_look, write_look
from framebrush.media.video import Position
from framebrush.styles.specs import ALPHA, SUBJECT
from framebrush.window.look.subject import Subject
from tests.app.styles.test_picture_styles import png
from tests.app.window.conftest import Desk
from tests.app.window.hand import Hand, farthest

pytestmark = pytest.mark.media

PEOPLE = Path(__file__).parents[2] / "subject" / "people.mp4"
HISTORY_S = 0.5
"""After which a change is a step for undo."""


@pytest.fixture
def subject(desk: Desk) -> Subject:
    """The section, open, over a film with people, painted."""
    desk.window.resize(1280, 1000)
    desk.open(PEOPLE)
    desk.window.session.use_style("starry-night")
    desk.wait_style("starry-night")
    desk.wait(desk.window.inspector.panel.subject.choices.isVisible, "the section")
    desk.wait_still()
    return desk.window.inspector.panel.subject


def choose(desk: Desk, text: str) -> None:
    box = desk.window.inspector.panel.subject.choices
    box.setCurrentText(text)
    box.activated.emit(box.currentIndex())
    desk.rest(HISTORY_S)


def look(desk: Desk) -> Look:
    return desk.window.session.choice.look


def test_every_slider_has_the_range_and_the_default_of_its_option(desk: Desk) -> None:
    options = {each.field: each for each in declared_in(Look)}
    for field, slider in desk.window.inspector.panel.subject.shares.items():
        ends = slider.slider.minimum() / 100, slider.slider.maximum() / 100
        assert ends == options[field].option.range
        assert options[field].option.group == "subject"
    assert set(desk.window.inspector.panel.subject.shares) <= set(desk.window.inspector.panel.titles)  # of keyframes


@pytest.mark.slow
def test_a_choice_and_a_slider_are_seen_undone_and_exported(subject: Subject, desk: Desk, tmp_path: Path) -> None:
    window, first = desk.window, desk.wait_still()
    assert subject.choices.currentText() == "Nothing"
    assert subject.shares["faces"].value_label.text() == f"Style: {FACES:.0%}"
    choose(desk, "Inside")
    assert (look(desk).film_inside, look(desk).film_outside) == (1.0, 0.0)
    people = desk.wait_still()
    assert farthest(people, first) > 20
    subject.shares["film_inside"].slider.setValue(30)
    desk.rest(HISTORY_S)
    assert subject.choices.currentText() == "Inside"
    assert look(desk).film_inside == 0.3
    subject.shares["film_outside"].slider.setValue(20)
    desk.rest(HISTORY_S)
    assert subject.choices.currentText() == "Everything"
    subject.shares["faces"].slider.setValue(0)
    desk.rest(HISTORY_S)
    spec = window.session.job(str(PEOPLE), str(tmp_path / "out.mkv"))
    assert (spec.look.film_inside, spec.look.film_outside, spec.look.faces) == (0.3, 0.2, 0.0)
    write_look(window.session.choice.recipe, tmp_path / "look.json")
    assert read_look(tmp_path / "look.json").look == look(desk)
    Hand(desk).double_click(subject.shares["faces"].value_label, QPoint(5, 5))
    Hand(desk).double_click(subject.shares["film_outside"].value_label, QPoint(5, 5))
    desk.rest(HISTORY_S)
    assert (look(desk).faces, look(desk).film_outside) == (None, 0.0)
    while look(desk) != Look():
        assert window.actions_["undo"].isEnabled()
        window.actions_["undo"].trigger()
        desk.rest(0.05)
    assert farthest(desk.wait_still(), first) == 0
    window.actions_["redo"].trigger()
    desk.rest(0.1)
    assert farthest(desk.wait_still(), people) == 0


@pytest.mark.slow
def test_a_style_that_cannot_share_a_frame_offers_no_second_one(subject: Subject, desk: Desk) -> None:
    assert subject.second.isEnabledTo(subject)
    desk.key("0")
    desk.wait_style("none")
    assert not subject.second.isEnabledTo(subject)
    assert subject.second.toolTip() == "The style in use cannot share a frame with another one"


@pytest.mark.slow
def test_a_second_style_is_chosen_seen_undone_and_exported(subject: Subject, desk: Desk, tmp_path: Path) -> None:
    window, first, shares = desk.window, desk.wait_still(), subject.shares

    def choose_second(name: str | None) -> None:
        subject.second.setCurrentIndex(subject.second.findData(name))
        subject.second.activated.emit(subject.second.currentIndex())
        desk.rest(HISTORY_S)

    assert not shares["second_inside"].isVisible()
    choose_second("dusk")
    assert shares["second_inside"].isVisible()
    assert (look(desk).second_inside, look(desk).second_outside) == (1.0, 0.0)
    two = desk.wait_still()
    assert farthest(two, first) > 20
    job = window.session.job(str(PEOPLE), str(tmp_path / "out.mkv"))
    assert (job.colours.second, job.look.second_inside) == ("dusk", 1.0)
    window.session.use_style("oil")  # which cannot share a frame
    desk.wait_style("oil")
    assert (window.session.choice.colours.second, subject.second.currentData()) == (None, None)
    for _ in range(2):
        window.actions_["undo"].trigger()
        desk.rest(HISTORY_S)
    assert farthest(desk.wait_still(), first) == 0
    assert subject.second.currentData() is None
    window.actions_["redo"].trigger()
    desk.rest(HISTORY_S)
    assert farthest(desk.wait_still(), two) == 0
    choose_second(None)
    assert not look(desk).needs_second


def choose_area(desk: Desk, index: int) -> None:
    box = desk.window.inspector.panel.subject.areas
    box.setCurrentIndex(index)
    box.activated.emit(index)
    desk.rest(HISTORY_S)


@pytest.mark.slow
def test_the_area_is_chosen_seen_undone_and_exported(
    subject: Subject, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, areas = desk.window, subject.areas
    choose(desk, "Inside")
    people = desk.wait_still()
    choose_area(desk, areas.findData(SUBJECT))
    assert window.session.choice.sizes.mask == SUBJECT
    desk.wait_still()
    codes = np.zeros((60, 80, 3), np.uint8)
    codes[:, :20] = 255
    mask = png(tmp_path / "left.png", codes)
    answers: list[Path | None] = [None, mask]
    monkeypatch.setattr(window.files, "map", lambda title: answers.pop(0))
    choose_area(desk, areas.count() - 1)  # cancelled
    assert (window.session.choice.sizes.mask, areas.currentData()) == (SUBJECT, SUBJECT)
    choose_area(desk, areas.count() - 1)
    assert (window.session.choice.sizes.mask, areas.currentText()) == (str(mask), "left.png")
    left = desk.wait_still()
    assert farthest(left[:, : left.shape[1] // 8], people[:, : left.shape[1] // 8]) > 20
    assert window.session.job(str(PEOPLE), str(tmp_path / "out.mkv")).sizes.mask == str(mask)
    window.actions_["undo"].trigger()
    desk.rest(0.1)
    assert (window.session.choice.sizes.mask, areas.currentData()) == (SUBJECT, SUBJECT)
    choose_area(desk, areas.findData(None))
    assert window.session.choice.sizes.mask is None


def test_alpha_is_offered_where_the_film_has_any(desk: Desk, tmp_path: Path) -> None:
    model, areas = desk.window.inspector.panel.subject.areas.model(), desk.window.inspector.panel.subject.areas
    assert isinstance(model, QStandardItemModel)
    item = model.item(areas.findData(ALPHA))
    assert not item.isEnabled()
    picture = np.full((60, 80, 4), (180, 90, 30, 128), np.uint8)
    desk.open(png(tmp_path / "see-through.png", picture))
    desk.wait(item.isEnabled, "the choice")
    desk.open(PEOPLE)
    desk.wait(lambda: not item.isEnabled(), "the end of the choice")


@pytest.mark.slow
def test_keys_take_a_choice_and_what_has_no_key_takes_it_too(subject: Subject, desk: Desk) -> None:
    session = desk.window.session
    button = desk.window.inspector.panel.buttons["film_inside"]
    assert button.isEnabled()
    Hand(desk).click(button)
    choose(desk, "Everything")
    (track,) = session.keys
    assert (track.of, track.numbers) == ("film_inside", [1.0])
    assert (look(desk).film_inside, look(desk).film_outside) == (0.0, 1.0)
    assert session.at_current_frame.look.film_inside == 1.0


def redness(desk: Desk) -> float:
    """Return how much redder than green the picture is on average, overlays included."""
    picture = desk.picture().astype(float)
    return float((picture[..., 2] - picture[..., 1]).mean())


@pytest.mark.slow
def test_the_mask_is_a_red_veil_while_the_key_is_held(subject: Subject, desk: Desk, tmp_path: Path) -> None:
    window = desk.window
    overlay, before = window.overlays.veil.overlay, desk.wait_still()
    plain = redness(desk)
    QTest.keyPress(window, Qt.Key.Key_V)
    desk.wait(overlay.isVisible, "the veil")
    faces = desk.wait_still()
    assert redness(desk) > plain + 1
    assert farthest(faces[:, : faces.shape[1] // 5], before[:, : faces.shape[1] // 5]) <= 8  # nobody is there
    choose(desk, "Inside")
    desk.wait(lambda: redness(desk) > plain + 5, "the veil of people")
    window.player.seek(Position(Fraction(9), "frame"))
    desk.wait(lambda: window.session.shown_at.number == 9, "the frame")
    desk.settle()
    assert overlay.isVisible()
    QTest.keyRelease(window, Qt.Key.Key_V)
    desk.wait(lambda: not overlay.isVisible(), "the end of the veil")
    choose(desk, "Nothing")
    subject.shares["faces"].slider.setValue(0)
    desk.settle()
    QTest.keyPress(window, Qt.Key.Key_V)
    desk.wait(lambda: window.notes.word != "", "what is missing")
    assert not overlay.isVisible()
    QTest.keyRelease(window, Qt.Key.Key_V)


def test_nothing_is_asked_where_nothing_is_painted(desk: Desk) -> None:
    subject = desk.window.inspector.panel.subject
    desk.open(PEOPLE)
    desk.wait_style("none")
    assert not subject.choices.isEnabled()
    desk.window.inspector.panel.brushwork.shares["brush"].moved.emit(0.5)
    desk.rest(0.1)
    assert subject.choices.isEnabled()


@pytest.mark.slow
@pytest.mark.parametrize("size", [QSize(1008, 552), QSize(667, 296)])
def test_tab_shows_every_row_on_a_small_screen(desk: Desk, size: QSize) -> None:
    """The panel scrolls to each focused row, at 1024x600 and at the smallest size."""
    window, subject = desk.window, desk.window.inspector.panel.subject
    desk.open(PEOPLE)
    desk.wait(lambda: len(window.inspector.gallery.names) > 5, "the gallery")
    desk.window.session.use_recipe(replace(window.session.choice.recipe, look=Look(brush=0.5)))
    window.resize(size)
    subject.title.setChecked(True)
    desk.rest(0.2)
    shown = (each.slider for each in subject.shares.values() if each.isVisible())
    wanted = {subject.title, subject.areas, subject.choices, *shown}
    for _ in range(80):
        QTest.keyClick(QApplication.focusWidget() or window, Qt.Key.Key_Tab)
        desk.rest(0.02)
        focused = QApplication.focusWidget()
        if focused in wanted:
            assert focused.visibleRegion().boundingRect() == focused.rect(), focused.accessibleName()
            wanted.remove(focused)
    assert not wanted
