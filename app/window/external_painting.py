"""Connects external painting, learning and the style."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QImage

from framebrush.base.worker_thread import JOIN_S
from framebrush.painted.painted_folder import PaintedFolder
from framebrush.playback.events import Notification, Opened, Shown
from framebrush.playback.reading.reading_process import ReadingProcess
from framebrush.styles.keys_folder import names_keys
from framebrush.styles.style_names import default_style
from framebrush.window.painted.learner import ShotLearner
from framebrush.window.painted.measuring import Line, Measuring, Unsearched, Wanted
from framebrush.window.painted.painted_frames import PaintedFrames
from framebrush.window.state.actions import Actions
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.styles.catalog import Entry
from framebrush.window.transport.bar import Transport


class Painting(QObject):
    """Learns saved pictures at once, and uses the style from its first preview on."""

    offered = Signal(list)  # pairs of an `Entry` of the gallery and a QImage: styles of painted frames
    styled = Signal()  # the style came or went with the film
    _measured = Signal(object, tuple)

    def __init__(
        self, session: Session, actions: Actions, transport: Transport, reading: ReadingProcess | None, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session, self._actions = session, actions
        self.strip, self.button = transport.painted, transport.learn
        self.keys, self.learner = PaintedFrames(reading, self), ShotLearner()
        self._measuring = Measuring(self._measured.emit, reading)
        self._wanted: Wanted | Unsearched | None = None
        self._due: list[int] = []  # frames whose shots are being learnt, latest first
        self._unrelated: frozenset[int] = frozenset()
        self._shows = False
        self._had_film = False  # a film was opened before
        keys, learner, strip = self.keys, self.learner, self.strip
        self._measured.connect(self._show_line)
        for arranged in (keys.found, keys.arranged):
            arranged.connect(lambda: session.choose(replace(session.choice, painted=keys.arrangement)))
        keys.changed.connect(self._show_keys)
        keys.saved.connect(self._learn)
        keys.written.connect(self._open)
        keys.notified.connect(session.notified)
        learner.changed.connect(self._show_learning)
        learner.learnt.connect(self._use)
        learner.unrelated.connect(self._tell_unrelated)
        learner.notified.connect(session.notified)
        strip.moved.connect(keys.move)
        strip.removed.connect(keys.take_away)
        strip.paint_asked.connect(self.open_in_program)
        strip.anew_asked.connect(lambda number: self.open_in_program(number, anew=True))
        strip.insisted.connect(keys.insist)
        strip.folder_asked.connect(self.show_folder)
        strip.style_asked.connect(self._use_style)
        self.button.clicked.connect(self.learn_or_stop)
        actions["paint-frame"].triggered.connect(self._paint_here)
        actions["learn"].triggered.connect(self.learn_or_stop)
        session.film_changed.connect(self._show_opened)
        session.changed.connect(self._follow)
        keys.found.connect(self._bring)
        session.events.on(Shown, lambda _: self._measure())
        self._show_keys()

    def _show_opened(self, opened: Opened | None) -> None:
        self.learner.end()
        self._due.clear()
        self._unrelated, self._shows = frozenset(), False
        self.keys.show_film(opened.info.path if opened is not None and self._session.choice.film else None)
        if opened is not None:
            self._leave()
            self._had_film = True
        self._actions["paint-frame"].setEnabled(self.keys.film is not None)

    @property
    def _style(self) -> str:
        return str(self.keys.folder.path) if self.keys.folder is not None else ""

    def _leave(self) -> None:
        chosen = self._session.choice.style.name
        if self._had_film and names_keys(chosen) and chosen != self._style:
            self._session.use_style(self._session.settings.style or default_style())
            self.styled.emit()

    def _bring(self) -> None:
        style, session = self._style, self._session
        if self.keys.is_learnt and style == session.settings.painted and style != session.choice.style.name:
            session.use_style(style)
            self.styled.emit()

    def _follow(self, before: Choice, now: Choice) -> None:
        settings = self._session.settings
        if now.style != before.style:
            if names_keys(now.style.name):
                settings.painted = now.style.name
            elif settings.painted == self._style and now.film == before.film:
                settings.painted = ""
        self._offer()

    def _offer(self) -> None:
        chosen, keys, tiles = self._session.choice.style.name, self.keys, []
        if self._style and (keys.is_learnt or chosen == self._style):
            picture = next((keys.keys[number].picture for number in keys.painted), QImage())
            tiles.append((Entry(self._style, self.tr("Painted frames"), self._style), picture))
        if names_keys(chosen) and chosen != self._style:
            tiles.append((Entry(chosen, Path(chosen).name, chosen), QImage()))
        self.offered.emit(tiles)

    def open_in_program(self, number: int, *, anew: bool = False) -> None:
        """Extract a frame and open it in the user's program.

        anew: move its painted picture to the trash.
        """
        self._session.player.play(False)
        self.keys.write(number, anew=anew)

    def learn_or_stop(self) -> None:
        """Learn from all painted frames, or stop."""
        if self.learner.learning:
            self.learner.stop()
        elif self.keys.film is not None and self.keys.painted:
            self._shows = True
            self._use_python()
            self.learner.learn(self.keys.film, None)

    def show_folder(self) -> None:
        if self.keys.folder is not None:
            self._open_or_tell(self.keys.folder.path, self.keys.folder.path)

    def close(self, *, wait: bool = False) -> None:
        """Stop. wait: for measurements too."""
        self.learner.end()
        self._measuring.close()
        if wait:
            self._measuring.join(JOIN_S)

    def _paint_here(self) -> None:
        self._session.player.play(False)
        self._session.seeks.when_there(lambda: self.open_in_program(self._session.shown_at.number), "paint")

    def _open(self, path: Path) -> None:
        text = self.tr("Paint over {name} in your program, and save it under its name: the shot follows.")
        if self._open_or_tell(path, path.parent):
            note = text.format(name=path.name)
            self._session.notified.emit(Notification(note, severity="hint", path=str(path.parent)))
        if self.keys.film is not None:
            self._use_python()
            self.learner.begin(self.keys.film)

    def _open_or_tell(self, path: Path, folder: Path) -> bool:
        if QDesktopServices.openUrl(QUrl.fromLocalFile(str(path))):
            return True
        text = self.tr("No program of this desktop opens {path}: paint over it in any program, and save it there.")
        note = Notification(text.format(path=path), severity="problem", path=str(folder) if path != folder else "")
        self._session.notified.emit(note)
        return False

    def _use_python(self) -> None:
        self.learner.python = self._session.settings.path("python") or sys.executable

    def _learn(self, numbers: Sequence[int]) -> None:
        film = self.keys.film
        for number in self._unrelated & frozenset(numbers):
            self._session.withdrawn.emit(self._unrelated_words(number))
        self._unrelated -= frozenset(numbers)
        self._show_keys()
        if film is None or not self.keys.painted:
            self.learner.stop()
            return
        self._due = list(dict.fromkeys([*numbers, *self._due]))
        self._shows = True
        self._use_python()
        self.learner.learn(film, self._due)

    def _use(self, style: str) -> None:
        folder, chosen = self.keys.folder, self._session.choice.style.name
        if folder is not None and style == str(folder.path) and (self._shows or chosen == style):
            self._shows = False
            self._session.use_style(style)

    def _use_style(self) -> None:
        if self.keys.folder is not None:
            self._session.use_style(str(self.keys.folder.path))

    def _tell_unrelated(self, number: int) -> None:
        self._unrelated |= {number}
        self._show_keys()
        self._session.notified.emit(Notification(self._unrelated_words(number), severity="problem"))

    def _unrelated_words(self, number: int) -> str:
        text = self.tr(
            "What was painted over frame {number} does not look like it: its edges are elsewhere. Paint it without "
            "moving things, or choose “Take it anyway” in its menu under the seek bar."
        )
        return text.format(number=number)

    def _show_learning(self) -> None:
        learner = self.learner
        if not learner.learning:
            self._due.clear()
        self.button.show_learning(on=learner.learning, share=learner.share, searched=learner.searched)
        self._enable()
        self._measure()

    def _show_keys(self) -> None:
        self.strip.show_keys(self.keys.keys, self._unrelated)
        self._offer()
        self._enable()
        self._measure()

    def _enable(self) -> None:
        can = bool(self.keys.painted) or self.learner.learning
        self.button.setVisible(can)
        self._actions["learn"].setEnabled(can)

    def _measure(self) -> None:
        manifest, film = self.keys.manifest, self.keys.film
        wanted: Wanted | Unsearched | None = None
        if manifest is not None and film is not None and not manifest.searched:
            wanted = Unsearched(film, PaintedFolder.beside(film).path) if not self.learner.learning else None
        elif manifest is not None and film is not None:
            shot = manifest.shot_of(self._session.shown_at.number)
            keys = tuple(number for number in self.keys.painted if manifest.shot_of(number) == shot)
            end = min((each.first for each in manifest.shots if each.first > shot.first), default=None)
            if keys:
                wanted = Wanted(film, manifest.film.sha256, keys, shot.first, end)
        if wanted != self._wanted:
            self._wanted = wanted
            self.strip.show_line(())
            self._measuring.request(wanted)

    def _show_line(self, wanted: Wanted, line: Line) -> None:
        if wanted == self._wanted:
            self.strip.show_line(line)
