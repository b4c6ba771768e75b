"""Keeping and restoring the open film's settings."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from framebrush.base.remedy import cause_of
from framebrush.base.text import first_line
from framebrush.jobs.identity import SourceIdentity
from framebrush.jobs.project import TARGET, Project, ProjectFolder, read_project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import InputError
from framebrush.playback.events import Notification, Opened, Refused
from framebrush.window.project.conversion import choice_of, project_of
from framebrush.window.project.document import Document, Found, find
from framebrush.window.project.history import History
from framebrush.window.project.launch import Launch
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.session import Session
from framebrush.window.transport.delays import Delays
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.debounce import Debounce
from framebrush.window.widgets.file_dialogs import Files

ResultT = TypeVar("ResultT")

KEEP_MS = 1000
"""Rest after a change before it is written."""


class ProjectKeeper(QObject):
    """Keeps the film's settings in the user's folder or an opened project."""

    film_asked = Signal(str, bool)  # a source to open, and whether to play it
    began = Signal()  # the film's project was found, or there is none
    restored = Signal()
    file_changed = Signal()  # `Session.project`
    _wrote = Signal(object, object, object, object)  # document, project, the file then, and an OSError or None
    _saved = Signal(object, object, object, bool, object)  # with whether the file is the document's

    def __init__(
        self,
        session: Session,
        history: History,
        delays: Delays,
        files: Files,
        launch: Launch,
    ) -> None:
        super().__init__(session)
        self._session, self._history, self._delays, self._files = session, history, delays, files
        self._launch = launch  # until a film is open
        self._folder = ProjectFolder(session.settings.data_folder / "projects")
        self._opening: tuple[Path, Project] | None = None  # a file, until its film is open
        self._reading = 0  # counts opened files, so that a file that was read too late is not opened
        self._film: Path | None = None
        self._identity: SourceIdentity | None = None
        self.document: Document | None = None  # None until it is found
        self._blank = session.choice  # when the film was opened
        self._now: Project | None = None
        self._kept: Project | None = None  # as last written or restored
        self._failure = ""  # as told, while the project cannot be written
        self.export: JobSpec | None = None
        """Settings of the film's last export."""
        self._spare: Project | None = None  # copied before it is overwritten
        self._rest = Debounce(KEEP_MS, self._come_to_rest, self)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="project")  # Python waits for it when it ends
        self._wrote.connect(self._show_written)
        self._saved.connect(self._show_saved)
        session.changed.connect(self._follow)
        session.loaded.connect(self._look)
        session.refused.connect(self._take_refusal)
        session.film_changed.connect(self._show_opened)
        session.events.on(Refused, lambda _: self._forget())
        delays.changed.connect(self._look)

    # Opening

    def open(self, path: Path, *, play: bool = True) -> None:
        """Open a project and its film."""
        self.open_other()
        self.keep()  # the project may be open here
        told: list[str] = []
        reading = self._reading

        def read() -> tuple[Project | None, str]:
            try:
                return read_project(path, told.append), ""
            except InputError as error:
                return None, cause_of(error)

        def take(result: tuple[Project | None, str]) -> None:
            if reading != self._reading:
                return
            project, problem = result
            for text in filter(None, [problem, *told]):
                self._session.notified.emit(Notification(text, severity="problem"))
            if project is not None:
                self._opening = path.absolute(), project
                self.film_asked.emit(project.job.source, play)

        Background(self._once_written(read), take, self)

    def open_other(self) -> None:
        """Cancel reading a project."""
        self._reading += 1

    def _forget(self) -> None:
        self._opening = None

    def _show_opened(self, opened: Opened | None) -> None:
        self.keep()
        self._end()
        film = opened.info.path if opened is not None and opened.can_seek and not opened.live else None
        if opened is None or film is None:
            return
        self._film, self._blank = film.absolute(), self._session.choice
        opening, self._opening = self._opening, None
        place, project = opening if opening is not None and Path(opening[1].job.source) == self._film else (None, None)
        self._use_file(place)
        film = self._film
        search = partial(find, self._folder, film, place, project)
        Background(self._once_written(search), partial(self._take, film), self)

    def _once_written(self, work: Callable[[], ResultT]) -> Callable[[], ResultT]:
        written = self._writer.submit(lambda: None)  # what is written, and then released, may be wanted again

        def waiting() -> ResultT:
            written.result()
            return work()

        return waiting

    def _end(self) -> None:
        document, self.document = self.document, None
        if document is not None:
            self._writer.submit(document.close)
        self._film = self._identity = self._now = self._kept = self._spare = self.export = None
        self._failure = ""
        self._use_file(None)

    def _use_file(self, file: Path | None) -> None:
        if file != self._session.project:
            self._session.project = file
            self.file_changed.emit()

    def _take(self, film: Path, found: Found) -> None:
        if film != self._film or self.document is not None:  # another film was opened meanwhile
            found.document.close()
            return
        self.document, self._identity = found.document, found.film
        launch, self._launch = self._launch, Launch()
        if launch.source is None or Path(launch.source) not in (film, self._session.project):
            launch = Launch()  # of a film that could not be opened
        self._tell(found, (self._session.project or film).name)
        if not found.document.is_locked:
            self._use_file(None)
        self._kept = found.project or self._made(self._blank)
        if found.project is not None:
            self.export = found.project.job if found.project.job.target != TARGET else None
            self._delays.use({"sound": found.project.sound_ms, "subtitles": found.project.subtitles_ms})
            if launch.back_at is None or Path(launch.back_at.source) != film:
                self._restore(found.project, launch.over)
        self._look()
        self.began.emit()

    def _tell(self, found: Found, name: str) -> None:
        if found.elsewhere:
            text = self.tr(
                "{name} is open in another window, so this one works on a copy: File → Save project as… gives it a "
                "name."
            )
            self._session.notified.emit(Notification(text.format(name=name), severity="problem"))
        if found.problem and found.aside is not None:
            text = self.tr("The settings kept for {name} are damaged. They were put aside as {path}.")
            words = text.format(name=name, path=found.aside)
            self._session.notified.emit(Notification(words, found.problem, "problem", path=str(found.aside.parent)))
        elif found.problem:
            text = self.tr("The settings kept for {name} cannot be read, so they stay, and new ones are kept beside.")
            self._session.notified.emit(Notification(text.format(name=name), found.problem, "problem"))

    def _restore(self, project: Project, asked: Callable[[Recipe], Recipe]) -> None:
        session = self._session
        self._history.begin_at(session.choice)
        before = session.choice
        kept = choice_of(project, asked(project.job.recipe), before)
        session.choose(kept)  # the player follows; until then the film may be closed, and must keep its points
        if kept.range != before.range:
            session.player.use_marks(kept.range)
        if session.choice != before:
            self.restored.emit()

    # Keeping

    def take_export(self, spec: JobSpec) -> None:
        self.export = spec
        self._look()

    def _follow(self, _: Choice, now: Choice) -> None:
        if self._film is not None and now.film == str(self._film):
            self._look()

    def _look(self) -> None:
        now = self._session.choice
        if self.document is not None and now.film == str(self._film):
            self._now = self._made(now)
            if self._now != self._kept:
                self._rest.start()

    def _made(self, now: Choice) -> Project:
        assert self._film is not None
        active = self._session.keys
        return project_of(self._film, self._identity, now, active, self.export, self._delays.ms)

    def _take_refusal(self) -> None:
        """Keep the settings of an unusable style until another change."""
        former = self._kept
        self._look()
        if former is not None and self._now is not None and former.job.style != self._now.job.style:
            self._spare, self._kept = self._spare or former, self._now
            self._rest.stop()

    def _come_to_rest(self) -> None:
        if self._session.awaits_style:  # the style may be refused
            self._rest.start()
        else:
            self.keep()

    def keep(self) -> None:
        """Write a changed project now."""
        self._rest.stop()
        document, now, spare = self.document, self._now, self._spare
        if document is None or now is None or now == self._kept:
            return
        self._kept, self._spare = now, None
        self._writer.submit(self._write, document, now, spare)

    def _write(self, document: Document, project: Project, spare: Project | None) -> None:
        failure = None
        try:
            if spare is not None:
                self._folder.keep_copy(spare, Path(spare.job.source).stem)
            document.write(project)
        except OSError as error:
            failure = error
        self._wrote.emit(document, project, document.file, failure)

    def _show_written(self, document: Document, project: Project, file: Path | None, failure: OSError | None) -> None:
        is_open = document is self.document
        if failure is not None and not (is_open and self._failure):
            text = self.tr(
                "The settings of {name} cannot be kept: free some room on the disk, or save the project elsewhere."
            )
            words = text.format(name=Path(project.job.source).name)
            self._session.notified.emit(Notification(words, first_line(failure), "problem"))
            self._failure = words if is_open else self._failure
        if not is_open:
            return
        if failure is not None:
            self._kept = None  # written with the next change, or when the film is closed
            return
        self._withdraw_failure()
        former = self._session.project
        if file != former:
            if former is not None and file is not None:
                text = self.tr("{name} cannot be written. Its settings are kept as {path} from now on.")
                words = text.format(name=former.name, path=file)
                self._session.notified.emit(Notification(words, severity="problem", path=str(file.parent)))
            self._use_file(file)

    def _withdraw_failure(self) -> None:
        failure, self._failure = self._failure, ""
        if failure:
            self._session.withdrawn.emit(failure)

    # A file of the person's own

    def ask_name(self) -> None:
        """Ask for a file for the project."""
        if self._film is not None and self.document is not None:
            file = self._session.project
            former = file if file is not None else self._film
            path = self._files.new_project(former.stem, former.parent)
            if path is not None:
                self.save_as(path)

    def save_as(self, path: Path) -> None:
        """Save the project in another file."""
        self._session.flush_pending()
        self._look()
        path = path.absolute()
        document, now = self.document, self._now
        if document is not None and now is not None:
            self.keep()
            self._writer.submit(self._save, document, path, now)

    def _save(self, document: Document, path: Path, project: Project) -> None:
        moved, failure = False, None
        try:
            moved = document.move(project, path)
        except OSError as error:
            failure = error
        self._saved.emit(document, project, path, moved, failure)

    def _show_saved(
        self, document: Document, project: Project, path: Path, moved: bool, failure: OSError | None
    ) -> None:
        session = self._session
        if failure is not None:
            text = self.tr("{name} cannot be written. Choose another folder.")
            session.notified.emit(Notification(text.format(name=path.name), first_line(failure), "problem"))
        elif not moved:
            text = self.tr("{name} is open in another window. Choose another name.")
            session.notified.emit(Notification(text.format(name=path.name), severity="problem"))
        else:
            text = self.tr("Saved as {path}").format(path=path)
            session.notified.emit(Notification(text, path=str(path.parent)))
        if moved and document is self.document:
            self._kept = project
            self._withdraw_failure()
            self._use_file(path)
            self._look()

    def close(self, *, wait: bool = False) -> None:
        """Write the latest changes. wait: until written."""
        if not wait:
            self.keep()
            return
        self._end()
        self._writer.shutdown()
