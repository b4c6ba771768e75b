"""Orders to the process of a training, and the place that a window returns to after a crash."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from framebrush.base import parent, supervision
from framebrush.base.json_values import to_values
from framebrush.cli.train import RecipeOptions
from framebrush.jobs.project import Marker
from framebrush.media.media_errors import InputError, OutputError
from framebrush.media.reading.reader import Reader
from framebrush.media.video import Position
from framebrush.playback import events
from framebrush.window.project.restore_point import RestorePoint, RestorePointReporter, former_restore_point
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.state.session import Session
from framebrush.window.training import training_worker
from framebrush.window.training.training_spec import TrainingSpec
from framebrush.window.widgets.debounce import Debounce
from tests.app.window.conftest import CLIPS

pytestmark = pytest.mark.unit


class Window:
    """Window that sends orders, and reads reports."""

    def __init__(self) -> None:
        self.reports, self.nice = list[dict[str, Any]](), list[int]()
        self.order: Callable[[object], None] = lambda _: None
        self.end: Callable[[], None] = lambda: None

    def listen(self, take: Callable[[object], None], end: Callable[[], None]) -> None:
        self.order, self.end = take, end

    def report(self, line: dict[str, Any]) -> None:
        self.reports.append(line)


@pytest.fixture
def window(monkeypatch: pytest.MonkeyPatch) -> Window:
    made = Window()
    monkeypatch.setattr(parent, "listen", made.listen)
    monkeypatch.setattr(parent, "report", made.report)
    monkeypatch.setattr(training_worker, "give_way", made.nice.append)
    return made


class EnoughError(Exception):
    """End of a training that writes its style."""


def test_a_training_ends_where_it_is_told_to(window: Window) -> None:
    control = training_worker.Control()
    control.check(EnoughError)
    window.order({"spec": 1})
    control.check(EnoughError)
    assert control.requests.get_nowait() == {"spec": 1}
    window.end()
    with pytest.raises(KeyboardInterrupt):
        control.check(EnoughError)
    assert control.requests.get_nowait() is None
    window.order("finish")
    with pytest.raises(EnoughError):
        control.check(EnoughError)
    assert control.requests.empty()


SPEC = TrainingSpec("mine", "painting.png")


def test_a_window_trains_as_the_command_line_does() -> None:
    """Unless the person chooses otherwise; the style is in the training's folder."""
    usual = RecipeOptions()
    same = ("size", "stroke_px", "steps", "batch")
    assert [getattr(SPEC, name) for name in same] == [getattr(usual, name) for name in same]
    assert SPEC.out(Path("training")) == Path("training/mine.onnx")


@pytest.mark.parametrize(
    ("failure", "status", "reports"),
    [
        (None, 0, []),
        (KeyboardInterrupt(), 4, []),
        (ValueError("too small"), 1, [{"problem": "too small"}]),
        (InputError("unreadable"), 1, [{"problem": "unreadable"}]),
        (OutputError("full"), 1, [{"problem": "full"}]),
    ],
)
def test_a_training_s_process_ends_with_the_status_of_the_command_line(
    window: Window, monkeypatch: pytest.MonkeyPatch, failure: BaseException | None, status: int, reports: list[object]
) -> None:
    learnt = list[tuple[TrainingSpec, Path]]()

    def learn(spec: TrainingSpec, folder: Path, _: object) -> None:
        learnt.append((spec, folder))
        if failure is not None:
            raise failure

    def listen(take: Callable[[object], None], _: object) -> None:
        take({"spec": to_values(SPEC), "folder": "training"})

    monkeypatch.setattr(parent, "listen", listen)
    monkeypatch.setattr(training_worker, "learn", learn)
    assert training_worker.main() == status
    assert (learnt, window.reports) == ([(SPEC, Path("training"))], reports)
    assert len(window.nice) == 1  # it gives way to the window


def test_a_training_that_nobody_ordered_ends(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parent, "listen", lambda _, end: end())
    assert training_worker.main() == 4
    assert window.reports == []


FILM = str(CLIPS / "cfr.mp4")
PLACE = RestorePoint("a.mp4", 7, Choice(FILM, markers=(Marker(4, "here"),), device="cuda"), "a.framebrush")


def test_a_window_reads_the_place_of_one_that_died(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[events.Notification]()
    session.notified.connect(told.append)
    reporter = RestorePointReporter(session)
    monkeypatch.setattr(supervision, "followed", None)
    assert former_restore_point() is None
    reporter.tell_former()
    assert told == []
    monkeypatch.setattr(supervision, "followed", supervision.Former("fell", json.dumps(to_values(PLACE))))
    assert former_restore_point() == PLACE
    reporter.tell_former()
    (notification,) = told
    assert (notification.severity, "fell" in notification.details) == ("problem", True)


@pytest.mark.parametrize(("can_seek", "number"), [(True, 9), (False, 0)])
def test_a_window_tells_its_place_while_a_film_is_open(
    session: Session, monkeypatch: pytest.MonkeyPatch, can_seek: bool, number: int
) -> None:
    told = list[str]()
    monkeypatch.setattr(supervision, "tell", told.append)
    reporter = RestorePointReporter(session)
    with Reader(CLIPS / "cfr.mp4") as reader:
        info = reader.info
    session.events.dispatch(events.Opened(info, sound=False, can_seek=can_seek))
    session.events.dispatch(events.Shown(events.InOutPoint(9, 0.36)))
    session.project = Path("a.framebrush")
    (rest,) = reporter.children()  # it waits for what else changes
    assert isinstance(rest, Debounce)
    changes: list[Callable[[], object]] = [
        lambda: session.use(strength=0.5),
        lambda: session.film_changed.emit(session.opened),
        lambda: session.events.dispatch(events.Shown(events.InOutPoint(9, 0.36))),
    ]
    for change in changes:
        rest.stop()
        change()
        assert rest.isActive()
    for _ in range(2):
        rest.timeout.emit()
    assert [json.loads(text)["project"] for text in told] == ["a.framebrush"]  # nothing is told twice
    assert told == [json.dumps(to_values(RestorePoint(info.source, number, session.choice, "a.framebrush")))]
    session.project = None
    rest.timeout.emit()
    assert json.loads(told[1])["project"] == ""
    reporter.close()
    assert told[2:] == [""]  # a window that is closed does not come back


@pytest.mark.parametrize(
    ("place", "opened", "expected"),
    [
        (PLACE, None, ["seek"]),
        (replace(PLACE, number=0), None, []),
        (replace(PLACE, source=FILM), FILM, ["seek"]),
        (PLACE, FILM, None),  # another film, opened meanwhile
    ],
)
def test_a_place_is_gone_to_in_its_own_film(
    session: Session,
    asked: list[tuple[object, ...]],
    place: RestorePoint,
    opened: str | None,
    expected: list[str] | None,
) -> None:
    keys = FilmKeyframes(session)
    with Reader(Path(FILM)) as reader:
        film = events.Opened(reader.info, sound=False)
    if opened is not None:
        session.events.dispatch(film)
    before = session.player.last_move
    place.restore(session, keys)
    sought = [at for name, at in (each for each in asked if each[0] == "seek")]
    assert sought == [Position(Fraction(7), "frame")] * (expected == ["seek"])
    assert session.player.last_move - before == (0 if expected is None else len(expected) + 1)  # and its marks
    if opened is None:
        session.events.dispatch(film)
        assert session.choice.markers == place.choice.markers
