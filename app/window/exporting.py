"""What a window exports: the video that is open, files that are dropped or added, and what a quit does to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox

from framebrush.jobs.spec import JobSpec, StyleSpec
from framebrush.media.video_files import is_video_name
from framebrush.window.background import Background
from framebrush.window.export_dialog import ExportDialog, file_stem, free_name
from framebrush.window.export_queue import ExportJob, State
from framebrush.window.files import Location, own_folder

if TYPE_CHECKING:
    from framebrush.window.main_window import MainWindow


def videos_in(paths: list[Path]) -> list[Path]:
    """Files as they are, and in place of each folder the videos in it, by name. Not for the window's thread."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            found += sorted(each for each in path.iterdir() if is_video_name(each) and each.is_file())
        else:
            found.append(path)
    return found


class Exporting(QObject):
    """Makes jobs of what the window shows, and asks before one is lost."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._question: QMessageBox | None = None

    def spec(self, source: str, target: str) -> JobSpec:
        """An export of a whole video in the style and look in use."""
        window = self._window
        look = replace(window.look_panel.look, split=None)
        style, device = StyleSpec(window.style_name), window.menus.export_devices or window.settings.device
        return JobSpec(
            source,
            target,
            style,
            look,
            sizes=window.stroke.sizes,
            device=device,
            precision=window.precision,
            colours=window.look_panel.colours.asked,
        )

    def add(self, paths: Iterable[Path]) -> None:
        """Queue videos, and those in folders, each whole, in the style and look in use."""
        Background(partial(videos_in, list(paths)), self._add, self._window)

    def _add(self, paths: list[Path]) -> None:
        exports, folder = self._window.exports, self._window.settings.output_folder
        for path in paths:
            target = free_name(path, exports.queue.targets, folder)
            exports.add(ExportJob(self.spec(str(path), str(target))))

    def add_files(self) -> None:
        """Let the person choose videos."""
        self.add(self._window.files.videos())

    def add_folder(self) -> None:
        """Let the person choose a folder whose videos are all exported."""
        folder = self._window.files.folder(self.tr("Add a folder of videos"))
        if folder is not None:
            self.add([folder])

    def choose_folder(self) -> None:
        """Let the person choose where results go."""
        folder = self._window.files.folder(self.tr("Folder for the results"))
        if folder is not None:
            self._window.settings.output_folder = folder
            self._window.export_panel.show_folder(folder)

    def beside_the_videos(self) -> None:
        """Let results go where their videos are."""
        self._window.settings.output_folder = None
        self._window.export_panel.show_folder(None)

    def ask(self) -> None:
        """Let the person choose how to export what is open, and queue it."""
        window = self._window
        if window.opened is None:
            return
        info, taken = window.opened.info, window.exports.queue.targets
        source = info.path or own_folder(Location.MoviesLocation) / f"{file_stem(info)}.mp4"
        spec = self.spec(info.source, str(free_name(source, taken, window.settings.output_folder)))
        at_frame = window.shown_at.number
        normalises = window.style_in_use is not None and window.style_in_use.card.frame_statistics
        dialog = ExportDialog(window, info, spec, window.marks, window.settings, taken, at_frame, normalises=normalises)
        dialog.queued.connect(self._queue)
        dialog.open()

    def _queue(self, spec: JobSpec) -> None:
        self._window.exports.add(ExportJob(spec))
        self._window.side.setCurrentWidget(self._window.export_panel)

    @property
    def is_running(self) -> bool:
        """Whether a quit would end an export."""
        return any(job.state in (State.RUNNING, State.PAUSED) for job in self._window.exports.queue)

    def ask_quit(self, quit_: Callable[[], None]) -> None:
        """Ask what is to become of the exports, and quit, now or after the last one."""
        if self._question is not None:
            self._question.raise_()
            return
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Quit"), self.tr("An export is running."))
        box.setParent(self._window, box.windowFlags())
        box.setInformativeText(self.tr("If it is stopped, it can go on under Exports next time."))
        later = box.addButton(self.tr("Quit when it is done"), QMessageBox.ButtonRole.AcceptRole)
        now = box.addButton(self.tr("Stop it and quit"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(later)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def answered() -> None:
            self._question = None
            if box.clickedButton() is now:
                quit_()
            elif box.clickedButton() is later:
                self._window.exports.idle.connect(quit_, Qt.ConnectionType.QueuedConnection)
                if self._window.exports.is_idle:
                    quit_()

        box.finished.connect(answered)
        self._question = box
        box.open()
