"""The open film's painted frames."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Signal
from PySide6.QtGui import QImage

from framebrush.base.files import FileState, file_state
from framebrush.base.text import first_line
from framebrush.gpu.errors import DeviceError
from framebrush.media.video import InputError, OutputError, Position
from framebrush.painted.extract import extract
from framebrush.painted.painted_folder import Manifest, PaintedFolder, digest
from framebrush.painted.painted_pictures import thumbnail
from framebrush.painted.trash import move_to_trash, new_name, restore_from_trash
from framebrush.playback.events import Notification
from framebrush.playback.reading.reading_process import ReadingProcess, call
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.controls import application
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.images import image_of_rgb

SETTLING_MS = 300
"""Milliseconds without changes before files are read: programs save in several steps."""

AGAIN_MS = 1500
"""Milliseconds before an unreadable picture is read again: it may be half written."""

LINES = 64
"""Lines of a thumbnail: twice the strip's height, for dense screens."""


@dataclass(frozen=True, slots=True)
class KeyPicture:
    """Picture of an extracted or painted frame. picture: thumbnail, null if unreadable."""

    number: int
    path: Path
    is_painted: bool
    sha256: str
    picture: QImage = field(compare=False)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Scan:
    """Content of a folder of painted frames.

    manifest: None if empty. problem: why it cannot be used.
    """

    manifest: Manifest | None = None
    is_learnt: bool = False
    keys: dict[int, KeyPicture] = field(default_factory=dict)
    problem: str = ""


class Scanner:
    """Reads a folder, caching unchanged files. For one thread at a time."""

    def __init__(self, folder: PaintedFolder, reading: ReadingProcess | None) -> None:
        self._folder, self._reading = folder, reading
        self._known: dict[Path, tuple[FileState, str, QImage, str]] = {}

    def scan(self) -> Scan:
        folder = self._folder
        if not folder.path.is_dir():
            return Scan()
        is_learnt = folder.network.is_file()
        try:
            manifest = folder.read()
            written = {one.number: one.sha256 for one in manifest.extracted}
            found: dict[int, list[KeyPicture]] = {}
            for number, paths in folder.pictures().items():
                found[number] = [self._key(number, path, written.get(number)) for path in paths]
        except (InputError, OSError) as error:
            return Scan(is_learnt=is_learnt, problem=first_line(error))
        return Scan(manifest, is_learnt, {number: _one_of(keys) for number, keys in found.items()})

    def _key(self, number: int, path: Path, written: str | None) -> KeyPicture:
        now = file_state(path)
        if path not in self._known or self._known[path][0] != now:
            self._known[path] = now, digest(path), *self._thumbnail(path)
        _, sha256, picture, problem = self._known[path]
        return KeyPicture(number, path, sha256 != written, sha256, picture, problem)

    def _thumbnail(self, path: Path) -> tuple[QImage, str]:
        try:
            small = call(self._reading, path, thumbnail, path, LINES)
        except (InputError, DeviceError) as error:
            return QImage(), first_line(error)
        return image_of_rgb(small), ""


def _one_of(keys: list[KeyPicture]) -> KeyPicture:
    painted = [key for key in keys if key.is_painted]
    return (painted or keys)[0]


class PaintedFrames(QObject):
    """Painted frames of the open film, and the user's actions on them.

    Files are read and moved in the background; `arrangement` follows the user at once, for undo. Painted pictures are
    never deleted but move to the trash.
    """

    changed = Signal()  # the painted frames
    found = Signal()  # the opened film's folder was read
    arranged = Signal()  # frames that are, or will be, painted
    saved = Signal(list)  # frames whose paintings have changed
    written = Signal(object)  # path of a frame that is ready to be painted
    notified = Signal(object)  # a Notification

    def __init__(self, reading: ReadingProcess | None, parent: QObject) -> None:
        super().__init__(parent)
        self._reading = reading
        self.film: Path | None = None
        self.folder: PaintedFolder | None = None
        self.manifest: Manifest | None = None
        self.is_learnt = False
        self.keys: dict[int, KeyPicture] = {}
        self._names: dict[int, str] = {}  # trash names of the painted frames, stable across moves
        self._scanner: Scanner | None = None
        self._is_known = False  # whether the folder was read since the film was opened
        self._jobs: deque[Callable[[], Path | None]] = deque()
        self._running = False
        self._stale = False  # something changed since the last scan began
        self._doubted: set[KeyPicture] = set()  # unreadable, maybe still being written
        self._told: set[KeyPicture] = set()
        self._insisted: list[int] = []  # frames whose current paintings are accepted despite low similarity
        self._watcher = QFileSystemWatcher(self)
        self._settling = Debounce(SETTLING_MS, self.look, self)
        for signal in (self._watcher.directoryChanged, self._watcher.fileChanged):
            signal.connect(lambda _: self._settling.start(SETTLING_MS))
        application().applicationStateChanged.connect(self._come_back)

    @property
    def painted(self) -> list[int]:
        """Numbers of frames with readable paintings, in order."""
        return sorted(number for number, key in self.keys.items() if key.is_painted and not key.problem)

    @property
    def arrangement(self) -> tuple[tuple[int, str], ...]:
        """Painted frames with their pictures' names."""
        return tuple(sorted(self._names.items()))

    def show_film(self, film: Path | None) -> None:
        """Follow another film, or none."""
        self.film = film
        self.folder = PaintedFolder.beside(film) if film is not None else None
        self._scanner = Scanner(self.folder, self._reading) if self.folder is not None else None
        self.manifest, self.keys, self.is_learnt, self._is_known = None, {}, False, False
        self._names.clear()
        self._jobs.clear()
        self._insisted.clear()
        self._doubted.clear()
        self._watch(())
        self.changed.emit()
        self.look()

    def look(self) -> None:
        """Read the folder again."""
        self._stale = True
        self._go_on()

    def write(self, number: int, *, anew: bool = False, is_asked: bool = True) -> None:
        """Extract a frame for painting, or find its existing picture.

        anew: move its painted picture to the trash first. is_asked: open it afterwards.
        """
        if anew:
            self.take_away(number)
        film, folder, reading = self.film, self.folder, self._reading
        if film is None or folder is None:
            return

        def job() -> Path | None:
            places = [Position.of_frame(number)]
            (path,) = call(reading, film, extract, film, folder, places, search=False)
            return path if is_asked else None

        self._do(job)

    def take_away(self, number: int) -> None:
        """Move a painted frame to the trash; delete an unpainted one."""
        key = self.keys.get(number)
        if number in self._names:
            self.arrange(pair for pair in self.arrangement if pair[0] != number)
        elif key is not None:
            self._do(partial(key.path.unlink, missing_ok=True))

    def move(self, number: int, to: int) -> None:
        """Assign a picture to another frame, or extract that frame if unpainted."""
        if number in self._names:
            others = dict(pair for pair in self.arrangement if pair[0] not in (number, to))
            self.arrange((others | {to: self._names[number]}).items())
        elif number in self.keys:
            self.take_away(number)
            self.write(to, is_asked=False)

    def insist(self, number: int) -> None:
        """Accept a frame's painting despite low similarity."""
        folder, key = self.folder, self.keys.get(number)
        if folder is not None and key is not None:
            self._insisted.append(number)
            self._do(partial(folder.insist, key.path))

    def arrange(self, wanted: Iterable[tuple[int, str]]) -> None:
        """Restore an arrangement of painted frames."""
        folder, now, then = self.folder, self._names, dict(wanted)
        if folder is None or then == now:
            return
        steps: list[Callable[[], None]] = []
        steps += [partial(move_to_trash, folder, n, name) for n, name in now.items() if then.get(n) != name]
        steps += [partial(restore_from_trash, folder, name, n) for n, name in then.items() if now.get(n) != name]
        self._names = then
        self._do(partial(_all, steps))
        self.arranged.emit()

    def _do(self, job: Callable[[], Path | None]) -> None:
        self._jobs.append(job)
        self._go_on()

    def _go_on(self) -> None:
        if self._running or self._scanner is None or not (self._jobs or self._stale):
            return
        job = self._jobs.popleft() if self._jobs else None
        self._running, self._stale = True, bool(self._jobs)
        Background(partial(_done, job, self._scanner), partial(self._take, self._scanner), self)

    def _take(self, scanner: Scanner, done: tuple[Path | None, str, Scan]) -> None:
        self._running = False
        path, problem, scan = done
        if scanner is self._scanner:
            if problem:
                self.notified.emit(Notification(problem, severity="problem"))
            if not self._jobs:
                self._show(scan)
            if path is not None:
                self.written.emit(path)
        self._go_on()

    def _show(self, scan: Scan) -> None:
        former = {number: key.sha256 for number, key in self.keys.items() if key.is_painted}
        self.manifest, self.keys, self.is_learnt = scan.manifest, scan.keys, scan.is_learnt
        self._watch(key.path for key in scan.keys.values())
        self._doubt({key for key in scan.keys.values() if key.problem})
        now = {number: key.sha256 for number, key in scan.keys.items() if key.is_painted}
        names = {number: self._names.get(number) or new_name() for number in now}
        are_others, self._names = names != self._names, names
        saved = [number for number in now if self.keys[number].problem == "" and now[number] != former.get(number)]
        saved += [number for number in former if number not in now]
        saved += [number for number in self._insisted if number in now]
        self._insisted.clear()
        was_known, self._is_known = self._is_known, True
        self.changed.emit()
        if not was_known:
            self.found.emit()
            return
        if are_others:
            self.arranged.emit()
        if saved:
            self.saved.emit(saved)

    def _doubt(self, unread: set[KeyPicture]) -> None:
        for key in (unread & self._doubted) - self._told:
            text = self.tr("{name} cannot be read as a picture: save it again.").format(name=key.path.name)
            self.notified.emit(Notification(text, key.problem, "problem"))
            self._told.add(key)
        if unread - self._doubted:
            self._settling.start(AGAIN_MS)
        self._doubted = unread

    def _watch(self, pictures: Iterable[Path]) -> None:
        """Watch folder and files: some programs replace files, others write in place."""
        folder = self.folder.path if self.folder is not None else None
        wanted = {str(path) for path in pictures}
        if folder is not None and self.manifest is not None:
            wanted.add(str(folder))
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))

    def _come_back(self) -> None:
        """Scan when the user returns, as watching may fail."""
        if self.manifest is not None:
            self.look()


def _done(job: Callable[[], Path | None] | None, scanner: Scanner) -> tuple[Path | None, str, Scan]:
    path, problem = None, ""
    try:
        path = job() if job is not None else None
    except (InputError, OutputError, DeviceError, OSError) as error:
        problem = first_line(error)
    return path, problem, scanner.scan()


def _all(steps: list[Callable[[], None]]) -> None:
    for step in steps:
        step()
