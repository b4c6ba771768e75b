"""Exports of the open video and other files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from framebrush import sample
from framebrush.base.files import place_of
from framebrush.base.remedy import cause_of
from framebrush.jobs.project import Project, is_project, read_project
from framebrush.jobs.spec import JobSpec
from framebrush.media.video import InputError, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.playback.events import Notification
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_list import ExportPanel
from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.exports.export_runner import ExportRunner
from framebrush.window.exports.targets import file_stem, free_like, free_name
from framebrush.window.picture.reveal_painter import SECONDS
from framebrush.window.project.keeper import ProjectKeeper
from framebrush.window.state.menus import Menus
from framebrush.window.state.session import Session
from framebrush.window.transport.neighbours import videos_in
from framebrush.window.widgets.background import Background
from framebrush.window.widgets.file_dialogs import Files, Location, own_folder

Looked = list[tuple[Path, list[Path] | Project | Notification]]


def _looked(paths: Iterable[Path]) -> Looked:
    found: Looked = []
    for path in paths:
        try:
            found.append((path, read_project(path) if is_project(path) else videos_in(path)))
        except InputError as error:
            found.append((path, Notification(cause_of(error), severity="problem")))
    return found


class Exporting(QObject):
    """Makes jobs from the window's settings, and protects running ones."""

    queued = Signal()

    def __init__(
        self,
        window: QWidget,
        session: Session,
        exports: ExportRunner,
        panel: ExportPanel,
        files: Files,
        project: ProjectKeeper,
        menus: Menus,
    ) -> None:
        super().__init__(window)
        self._window, self._session, self._exports, self._panel, self._files = window, session, exports, panel, files
        self._project, self._menus = project, menus
        self.question: QMessageBox | None = None
        panel.dropped.connect(self.add)
        panel.files_asked.connect(self.add_files)
        panel.folder_asked.connect(self.add_folder)
        panel.target_asked.connect(self.choose_folder)
        panel.beside_asked.connect(self.beside_the_videos)

    def spec(self, source: str, target: str) -> JobSpec:
        """Return an export of a whole video with current settings."""
        spec = self._session.job(source, target)
        return replace(spec, device=self._menus.export_devices or spec.device)

    def add(self, paths: Iterable[Path]) -> None:
        """Queue whole videos, folders or projects."""
        Background(partial(_looked, list(paths)), self._add, self._window)

    def _add(self, found: Looked) -> None:
        taken, folder = self._exports.queue.targets(), self._session.settings.output_folder
        jobs: list[ExportJob] = []
        for path, videos in found:
            if isinstance(videos, Notification):
                self._session.notified.emit(videos)
                continue
            project, films = (videos, [path]) if isinstance(videos, Project) else (None, videos)
            for video in films:
                target = str(free_name(video, taken, folder))
                taken.add(place_of(target))
                spec = self.spec(str(video), target)
                jobs.append(ExportJob(spec if project is None else project.job_on(spec, target)))
        if jobs:
            self._queue(*jobs)

    def add_files(self) -> None:
        """Ask for videos to export."""
        self.add(self._files.videos(self.tr("Add videos")))

    def add_folder(self) -> None:
        """Ask for a folder of videos to export."""
        if folder := self._files.folder(self.tr("Add a folder of videos")):
            self.add([folder])

    def choose_folder(self) -> None:
        """Ask where results go."""
        if folder := self._files.folder(self.tr("Folder for the results")):
            self._session.settings.output_folder = folder
            self._panel.show_folder(folder)

    def beside_the_videos(self) -> None:
        """Save results next to their videos."""
        self._session.settings.output_folder = None
        self._panel.show_folder(None)

    def ask(self) -> None:
        """Show the export dialog after any pending seek."""
        self._session.seeks.when_there(self._ask)

    def _ask(self) -> None:
        session, queue = self._session, self._exports.queue
        if session.opened is None:
            return
        info, settings = session.opened.info, session.settings
        source = info.path
        if source is None or source == sample.PATH:  # the sample lies in the program's own folder
            source = own_folder(Location.MoviesLocation) / f"{file_stem(info)}.mp4"
        former = self._project.export
        if former is not None and Path(former.target).parent.is_dir():
            target = free_like(Path(former.target), queue.targets())
        else:
            target = free_name(source, queue.targets(), settings.output_folder)
        spec = self.spec(info.source, str(target))
        at_frame = session.shown_at.number
        known = session.style_in_use if not session.awaits_style else None
        normalises = known is not None and known.card.frame_statistics
        facts = info, spec, session.choice.range, settings, queue.targets, at_frame
        dialog = ExportDialog(self._window, *facts, normalises=normalises, reading=session.player.reading)
        if former is not None:
            dialog.use_former(former)
        dialog.queued.connect(lambda spec: self._queue(ExportJob(spec)))
        dialog.queued.connect(self._project.take_export)
        dialog.open()

    def ask_reveal(self) -> None:
        """Ask for a file, and queue the current frame's time-lapse."""
        self._session.seeks.when_there(self._ask_reveal)

    def _ask_reveal(self) -> None:
        session, number = self._session, self._session.shown_at.number
        if session.opened is None:
            return
        info = session.opened.info
        if path := self._files.new_reveal(f"{file_stem(info)}-{number}"):
            span = TimeRange.of_frame(number)
            output = OutputOptions(audio="none", overwrite=True)  # the dialog has asked
            spec = self.spec(info.source, str(path))
            self._queue(ExportJob(replace(spec, range=span, output=output, reveal_s=Fraction(SECONDS))))

    def _queue(self, *jobs: ExportJob) -> None:
        self._exports.add(*jobs)
        self.queued.emit()

    @property
    def is_running(self) -> bool:
        """Whether quitting would end an export."""
        return any(job.state in (State.RUNNING, State.PAUSED) for job in self._exports.queue)

    def ask_quit(self, quit_: Callable[[], None]) -> None:
        """Ask about running exports, then quit now or later."""
        if self.question is not None:
            self.question.raise_()
            return
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Quit"), self.tr("An export is running."))
        box.setParent(self._window, box.windowFlags())
        box.setInformativeText(self.tr("If you stop it, you can resume it under Exports next time."))
        later = box.addButton(self.tr("Quit when it is done"), QMessageBox.ButtonRole.AcceptRole)
        now = box.addButton(self.tr("Stop it and quit"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(later)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answered() -> None:
            self.question = None
            if box.clickedButton() is now:
                quit_()
            elif box.clickedButton() is later:
                self._exports.idle.connect(quit_, Qt.ConnectionType.QueuedConnection)
                if self._exports.is_idle:
                    quit_()

        box.finished.connect(answered)
        self.question = box
        box.open()
