"""Strokes that correct the open film's masks."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.sizes import Size
from framebrush.media.video import InputError, OutputError
from framebrush.playback.events import Notification, Opened
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.styles.mask_strokes import beside, follow, read, upright_size, write
from framebrush.subject.corrections import MOST_STROKES, Corrections, Stroke
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.widgets.background import Background


class MaskStrokes(QObject):
    """Strokes of the open film, with motions, which `Choice.corrections` lacks."""

    found = Signal()  # the strokes of the opened film were read, or there are none

    def __init__(self, session: Session, reading: ReadingProcess | None, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._reading = session, reading
        self.film: Path | None = None
        self.size: Size = (1, 1)
        """Of the film's upright frames, in which strokes have their pixels."""
        self._followed: dict[Stroke, Stroke] = {}
        self._lost: set[Stroke] = set()  # cannot be followed
        self.is_following = self._is_known = False  # motions are being found; the film's file was read
        self._given = session.choice.sizes.mask_corrections  # of the first film, from the command line
        session.film_changed.connect(self._show_opened)
        session.changed.connect(self._follow_choice)

    @property
    def can_paint(self) -> bool:
        """Whether the film can have strokes, and its file was read."""
        return self.film is not None and self._is_known

    def add(self, *strokes: Stroke) -> None:
        self._choose((*self._session.choice.corrections, *strokes)[-MOST_STROKES:])

    def remove(self, frame: int) -> None:
        """Remove a frame's strokes."""
        self._choose(tuple(stroke for stroke in self._session.choice.corrections if stroke.frame != frame))

    def clear(self) -> None:
        """Remove all strokes."""
        self._choose(())

    def keep(self, strokes: tuple[Stroke, ...]) -> bool:
        """Write strokes beside the film; return success."""
        if not self.can_paint or self.film is None:
            return not strokes
        whole = tuple(self._followed.get(stroke, stroke) for stroke in strokes)
        try:
            write(beside(self.film), Corrections(*self.size, whole))
        except OutputError as error:
            self._session.notified.emit(Notification(first_line(error), severity="problem"))
            return False
        return True

    def _choose(self, strokes: tuple[Stroke, ...]) -> None:
        if self.film is not None and self.keep(strokes):
            file = str(beside(self.film)) if strokes else None
            self._session.choose(self._session.choice.corrected(strokes, file))

    def _show_opened(self, opened: Opened | None) -> None:
        film = opened.info.path if opened is not None and self._session.choice.film else None
        self.film, self._is_known = film, False
        self._followed.clear()
        self._lost.clear()
        given = self._given if film is not None or opened is None else None
        self._session.choose(self._session.choice.corrected((), given))
        if opened is None or film is None:
            self.found.emit()
            return
        self.size, self._given = upright_size(opened.info), None
        Background(partial(_read, Path(given) if given else beside(film)), partial(self._take, film, given), self)

    def _take(self, film: Path, given: str | None, said: Corrections | str | None) -> None:
        if film is not self.film:
            return
        if isinstance(said, str):
            self._session.notified.emit(Notification(said, severity="problem"))
            self.found.emit()
            return
        self._is_known = True
        if said is not None:
            bare = tuple(stroke.bare for stroke in said.strokes)
            self._followed.update(
                (stroke, whole) for stroke, whole in zip(bare, said.strokes, strict=True) if whole.motions
            )
            self.size = said.width, said.height
            file = (given or str(beside(film))) if bare else None
            self._session.choose(self._session.choice.corrected(bare, file))
        self.found.emit()

    def _follow_choice(self, before: Choice, now: Choice) -> None:
        if now.corrections != before.corrections:
            if now.sizes == before.sizes:
                self._session.tell_sizes()
            self._go_on()

    def _go_on(self) -> None:
        strokes = [
            each for each in self._session.choice.corrections if each not in self._followed and each not in self._lost
        ]
        if self.is_following or self.film is None or not strokes:
            return
        self.is_following = True
        here = [each for each in strokes if each.frame == strokes[0].frame]
        work = partial(_followed, self._reading, self.film, self.size, here)
        Background(work, partial(self._take_followed, self.film, here), self)

    def _take_followed(self, film: Path, strokes: list[Stroke], said: list[Stroke] | str) -> None:
        self.is_following = False
        if film is self.film:
            if isinstance(said, str):
                self._lost.update(strokes)
                self._session.notified.emit(Notification(said, severity="problem"))
            else:
                self._followed.update(zip(strokes, said, strict=True))
                if self.keep(self._session.choice.corrections):
                    self._session.tell_sizes()
        self._go_on()


def _read(path: Path) -> Corrections | str | None:
    try:
        return read(path)
    except InputError as error:
        return first_line(error)


def _followed(reading: ReadingProcess | None, film: Path, size: Size, strokes: list[Stroke]) -> list[Stroke] | str:
    try:
        return call(reading, film, follow, film, size, strokes)
    except (InputError, DeviceError, OSError) as error:
        return first_line(error)
