"""Make the pictures of the window that the README shows: assets/screenshots/*.jpg.

    QT_QPA_PLATFORM=offscreen python tools/screenshots.py

Every picture is of the running program on the bundled film: the same window, player and networks as anybody's.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from PySide6.QtCore import QSettings, QSize
from PySide6.QtWidgets import QApplication, QDialog, QWidget

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush.jobs.spec import JobSpec  # noqa: E402
from framebrush.media.video import Position  # noqa: E402
from framebrush.window.export_queue import ExportJob, ExportQueue  # noqa: E402
from framebrush.window.export_runner import ExportRunner  # noqa: E402
from framebrush.window.main_window import MainWindow  # noqa: E402
from framebrush.window.settings import Settings  # noqa: E402

SIZE = QSize(1280, 800)
QUALITY = 93  # a PNG of a painted frame takes a megabyte
FRAMES_IN = 30  # of the export that is shown running


class Studio:
    """A window on its own settings, and the patience to wait for it."""

    def __init__(self, folder: Path, theme: str) -> None:
        self.settings = Settings(QSettings(str(folder / f"{theme}.ini"), QSettings.Format.IniFormat), folder)
        self.settings.theme = "light" if theme == "light" else "dark"
        self.exports = ExportRunner(ExportQueue(folder / f"{theme}.json"))
        self.window = MainWindow(self.settings, self.exports, device="cpu")
        self.window.resize(SIZE)
        self.window.show()

    def wait(self, until: Callable[[], bool], timeout_s: float = 60) -> None:
        end = time.monotonic() + timeout_s
        while not until():
            QApplication.processEvents()
            time.sleep(0.01)
            if time.monotonic() > end:
                raise SystemExit("the window did not get there in time")

    def rest(self, seconds: float = 0.5) -> None:
        end = time.monotonic() + seconds
        self.wait(lambda: time.monotonic() > end)

    def open(self, video: Path, second: str) -> None:
        self.window.open(video, play=False)
        self.wait(lambda: self.window.view.painted.image is not None and bool(self.window.gallery.names))
        self.window.player.seek(Position(Fraction(second), "s"))
        self.rest(1.5)

    def paint(self, name: str) -> None:
        self.window.player.use_style(name)
        used: list[str] = []
        while used[-1:] != [name]:
            self.rest(0.2)
            used.append(self.window.style_in_use.name if self.window.style_in_use else "")
        self.rest(1)

    def close(self) -> None:
        gone: list[object] = []
        self.window.destroyed.connect(lambda: gone.append(True))
        self.window.close()
        self.wait(lambda: bool(gone))


def shoot(widget: QWidget, folder: Path, name: str) -> None:
    """Write a picture of a widget."""
    folder.mkdir(parents=True, exist_ok=True)
    widget.grab().save(str(folder / f"{name}.jpg"), quality=QUALITY)


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--video", type=Path, default=ROOT / "assets" / "clips" / "landscape.mp4")
    parser.add_argument("--at", default="1.2", help="second of the frame")
    parser.add_argument("--out", type=Path, default=ROOT / "assets" / "screenshots")
    arguments = parser.parse_args()
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        os.environ["HOME"] = os.environ["USERPROFILE"] = str(folder)  # whose paths are short, and nobody's
        videos = folder / "Videos"
        videos.mkdir()
        dark = Studio(folder, "dark")
        shoot(dark.window, arguments.out, "empty")
        video = shutil.copy(arguments.video, videos / arguments.video.name)
        dark.open(video, arguments.at)
        dark.paint("starry-night")
        dark.window.gallery.blend_button.setChecked(True)
        dark.window.gallery.sliders[7].slider.setValue(60)
        dark.rest(1.5)
        shoot(dark.window, arguments.out, "blend")
        dark.paint("scream")
        dark.window.gallery.blend_button.setChecked(False)
        dark.window.look_panel.set_split(0.45)
        dark.window.actions_["statistics"].setChecked(True)
        dark.window.player.play(True)
        dark.rest(1.5)
        dark.window.player.play(False)
        dark.rest()
        shoot(dark.window, arguments.out, "compare")
        dark.window.actions_["help"].trigger()
        dark.rest()
        for dialog in dark.window.findChildren(QDialog):
            shoot(dialog, arguments.out, "keys")
            dialog.reject()
        dark.window.actions_["export"].trigger()
        dark.rest()
        for dialog in dark.window.findChildren(QDialog):
            shoot(dialog, arguments.out, "export")
            spec: JobSpec = dialog.spec  # type: ignore[attr-defined]
            dialog.reject()
        second = replace(spec, target=str(videos / "landscape-painted2.mp4"))
        for job in (ExportJob(spec), ExportJob(second, name="second")):
            dark.exports.add(job)
        dark.window.side.setCurrentIndex(1)
        progress: list[tuple[str, int]] = []
        dark.exports.progressed.connect(lambda job, line: progress.append((job.name, line["frame"])))
        dark.wait(lambda: any(name == "second" and frame > FRAMES_IN for name, frame in progress))
        shoot(dark.window, arguments.out, "exports")
        dark.close()
        light = Studio(folder, "light")
        light.open(video, arguments.at)
        light.paint("udnie")
        shoot(light.window, arguments.out, "light")
        light.close()


if __name__ == "__main__":
    main()
