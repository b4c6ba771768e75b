"""Correcting a mask with a brush on the picture: seen, undone, kept beside the film, followed and exported."""

from __future__ import annotations

import shutil
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from framebrush.gpu.look import Look
from framebrush.media.video import Position
from framebrush.models.soft_masks import Masks
from framebrush.styles.mask_strokes import beside, read
from framebrush.subject.corrections import MOST_POINTS
from tests.app.window.conftest import Desk
from tests.app.window.hand import LEFT, NONE, Hand
from tests.inside import shown_by

pytestmark = pytest.mark.media

PEOPLE = Path(__file__).parents[2] / "subject" / "people.mp4"
HISTORY_S = 0.5
"""After which a change is a step for undo."""


@pytest.fixture
def film(tmp_path: Path) -> Path:
    return Path(shutil.copy(PEOPLE, tmp_path / "people.mp4"))


@pytest.fixture
def painter(desk: Desk, film: Path) -> Desk:
    """A window with people in the film's own colours, and the brush on."""
    desk.window.resize(1280, 900)
    desk.open(film)
    desk.window.session.use_recipe(
        replace(desk.window.session.choice.recipe, look=Look(film_inside=1.0, brush=0.5, relief=0.0))
    )
    desk.wait(lambda: desk.window.actions_["mask-brush"].isEnabled(), "the film's strokes")
    desk.rest(HISTORY_S)
    desk.key(Qt.Key.Key_V, Qt.KeyboardModifier.ShiftModifier)
    desk.wait(desk.window.overlays.veil.overlay.isVisible, "the veil")
    return desk


def spot(desk: Desk, across: float, down: float) -> QPoint:
    """Return a point of the page, given in shares of the picture."""
    place = desk.window.view.painted.place
    assert place is not None
    return QPoint(round(place.x + across * place.width), round(place.y + down * place.height))


def paint(desk: Desk, *points: tuple[float, float], modifier: Qt.KeyboardModifier = NONE) -> None:
    page = desk.window.view.page
    window = desk.window.windowHandle()
    assert window is not None
    places = [page.mapTo(desk.window, spot(desk, *point)) for point in points]
    QTest.mousePress(window, LEFT, modifier, places[0])
    for place in places[1:]:
        QTest.mouseMove(window, place)
    QTest.mouseRelease(window, LEFT, modifier, places[-1])


def masks(desk: Desk) -> Masks:
    """The masks of the preview on the screen, once everything is followed."""
    desk.wait(lambda: not desk.window.mask_strokes.is_following, "the motions")
    desk.rest(0.1)
    desk.settle()
    return shown_by(desk.window.player.engine.presenter).masks


def reds(desk: Desk) -> float:
    """How much redder than green the left upper corner of the picture is, where nobody is."""
    picture = desk.picture().astype(float)
    rows, columns = picture.shape[0] // 4, picture.shape[1] // 5
    return float((picture[:rows, :columns, 2] - picture[:rows, :columns, 1]).mean())


def area_at(desk: Desk, across: float, down: float) -> int:
    area = masks(desk).area
    return 0 if area is None else area[int(160 * down) * 160 + int(160 * across)]


@pytest.mark.slow
def test_a_stroke_is_seen_kept_followed_undone_and_exported(painter: Desk, film: Path, tmp_path: Path) -> None:
    window, session = painter.window, painter.window.session
    painter.settle()
    before = reds(painter)
    assert area_at(painter, 0.1, 0.1) < 30
    paint(painter, (0.05, 0.1), (0.1, 0.1), (0.18, 0.12))
    (stroke,) = session.choice.corrections
    assert (stroke.frame, stroke.kind) == (0, "area")
    assert stroke.points[0] == pytest.approx((12, 18), abs=2)
    assert area_at(painter, 0.1, 0.1) == 255
    assert reds(painter) > before + 5
    kept = read(beside(film))
    assert kept is not None
    assert (kept.strokes[0].bare, len(kept.strokes[0].motions)) == (stroke, 28)
    window.player.seek(Position(Fraction(12), "frame"))
    painter.wait(lambda: session.shown_at.number == 12, "the frame")
    assert area_at(painter, 0.1, 0.1) == 255
    painter.rest(HISTORY_S)
    paint(painter, (0.1, 0.1), modifier=Qt.KeyboardModifier.ControlModifier)
    assert [(each.frame, each.kind) for each in session.choice.corrections] == [(0, "area"), (12, "remove")]
    assert area_at(painter, 0.1, 0.1) == 0
    spec = session.job(str(film), str(tmp_path / "out.mkv"))
    assert spec.sizes.mask_corrections == str(beside(film))
    painter.rest(HISTORY_S)
    painter.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert area_at(painter, 0.1, 0.1) == 255
    painter.key(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert area_at(painter, 0.1, 0.1) < 30
    assert not beside(film).parent.exists()
    assert session.choice.sizes.mask_corrections is None
    assert session.choice.look.film_inside == 1.0
    painter.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    painter.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ControlModifier)
    assert area_at(painter, 0.1, 0.1) == 0
    assert len(session.choice.corrections) == 2


@pytest.mark.slow
def test_a_long_scribble_is_one_stroke(painter: Desk) -> None:
    """Every second point goes when there are too many; both ends stay."""
    scribble = [(0.1 + 0.8 * (number % 2), 0.05 + 0.001 * number) for number in range(MOST_POINTS + 40)]
    painter.window.setUpdatesEnabled(False)  # else each point is drawn with all before it
    paint(painter, *scribble)
    (stroke,) = painter.window.session.choice.corrections
    assert MOST_POINTS // 2 < len(stroke.points) <= MOST_POINTS
    assert [stroke.points[0][1], stroke.points[-1][1]] == pytest.approx([9, 0.05 * 180 + 0.18 * len(scribble)], abs=3)
    window = painter.window
    window.actions_["mask-clear"].trigger()
    assert window.session.choice.corrections == ()
    words = "Nothing is painted apart yet: choose it under Subject"
    for look, said in ((Look(film_inside=1.0), False), (Look(), True)):
        window.session.use_recipe(replace(window.session.choice.recipe, look=look))
        for _ in range(2):
            window.actions_["mask-brush"].trigger()
        assert (window.notes.word == words) == said


@pytest.mark.slow
def test_strokes_come_again_with_their_film_and_no_other_has_them(painter: Desk, film: Path) -> None:
    window, session = painter.window, painter.window.session
    paint(painter, (0.1, 0.1))
    masks(painter)
    painter.rest(HISTORY_S)
    strokes, steps = session.choice.corrections, window.history.steps.copy()
    painter.open("cfr.mp4")
    painter.wait(lambda: window.actions_["mask-brush"].isEnabled(), "the other film")
    assert (session.choice.corrections, session.choice.sizes.mask_corrections) == ((), None)
    assert not window.overlays.mask_brush.is_on
    painter.open(film)
    painter.wait(lambda: bool(session.choice.corrections), "the strokes")
    assert session.choice.corrections == strokes
    painter.rest(HISTORY_S)
    assert area_at(painter, 0.1, 0.1) == 255
    assert window.history.steps == steps  # strokes come and go with a film, which is no step
    window.inspector.panel.reset()
    assert session.choice.sizes.mask_corrections == str(beside(film))
    window.actions_["mask-clear"].trigger()
    assert (session.choice.corrections, beside(film).exists()) == ((), False)
    painter.rest(HISTORY_S)
    window.actions_["undo"].trigger()
    assert session.choice.corrections == strokes
    assert beside(film).exists()


@pytest.mark.slow
def test_without_an_area_faces_are_painted_and_without_both_nothing(painter: Desk) -> None:
    window, session = painter.window, painter.window.session
    session.use_recipe(replace(session.choice.recipe, look=Look(faces=0.5, brush=0.5)))
    paint(painter, (0.1, 0.1))
    assert [each.kind for each in session.choice.corrections] == ["faces"]
    faces = masks(painter).faces
    assert faces is not None
    assert faces[16 * 160 + 16] == 255
    session.use_recipe(replace(session.choice.recipe, look=Look(faces=0.0, brush=0.5)))
    paint(painter, (0.5, 0.1))
    assert len(session.choice.corrections) == 1
    assert "painted apart" in window.notes.word


@pytest.mark.slow
def test_keys_turn_the_brush(painter: Desk) -> None:
    window = painter.window
    tools = window.inspector.panel.subject.tools
    painter.key(Qt.Key.Key_X)
    paint(painter, (0.5, 0.5))
    assert window.session.choice.corrections[0].kind == "remove"
    first = window.session.choice.corrections[0].radius
    painter.key(Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    assert tools.diameter.value == pytest.approx(0.13)
    paint(painter, (0.5, 0.5))
    assert window.session.choice.corrections[1].radius == pytest.approx(1.3 * first)
    Hand(painter).double_click(window.view.page, spot(painter, 0.3, 0.5))  # two dots, and no full screen
    assert len(window.session.choice.corrections) == 4
    painter.key(Qt.Key.Key_Escape)
    assert not window.overlays.mask_brush.is_on
    painter.settle()
    painter.wait(lambda: not window.overlays.veil.overlay.isVisible(), "the end of the veil")
    paint(painter, (0.5, 0.5))
    assert len(window.session.choice.corrections) == 4
    assert not tools.diameter.isEnabled()


@pytest.mark.slow
def test_a_stroke_in_play_pauses(painter: Desk) -> None:
    window = painter.window
    window.player.play(True)
    painter.wait(window.actions_["play"].isChecked, "playback")
    paint(painter, (0.1, 0.1))
    painter.wait(lambda: not window.actions_["play"].isChecked(), "the pause")
    assert window.session.choice.corrections == ()


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_is_said(painter: Desk, film: Path) -> None:
    beside(film).parent.touch()  # a file where the folder is to be
    paint(painter, (0.1, 0.1))
    painter.wait(painter.window.messages.isVisible, "the message")
    assert "mask.json: cannot be written" in painter.window.messages.text
    assert painter.window.session.choice.corrections == ()


def test_a_damaged_file_is_said_and_stays(desk: Desk, film: Path) -> None:
    beside(film).parent.mkdir()
    beside(film).write_text("{")
    desk.open(film)
    desk.wait(desk.window.messages.isVisible, "the message")
    assert "mask.json: cannot be read" in desk.window.messages.text
    assert not desk.window.actions_["mask-brush"].isEnabled()
    assert beside(film).read_text() == "{"


@pytest.mark.slow
def test_the_brush_and_its_stroke_are_drawn(painter: Desk) -> None:
    window = painter.window
    painter.settle()
    painter.rest(0.2)
    before = painter.picture()
    Hand(painter).move(window.view.page, spot(painter, 0.15, 0.15))
    painter.rest(0.1)
    around = painter.picture().astype(int) - before
    rows, columns = np.nonzero(np.abs(around).max(axis=2) > 40)
    height, width = before.shape[:2]
    assert 0.08 * height < np.ptp(rows) < 0.14 * height
    assert (columns.mean() / width, rows.mean() / height) == pytest.approx((0.15, 0.15), abs=0.01)
