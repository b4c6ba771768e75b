"""Make the screenshots of README and guide: assets/screenshots/*.jpg.

    QT_QPA_PLATFORM=offscreen python tools/screenshots.py
    python tools/screenshots.py --screens out/screens      # the first window on several screens, in all themes

Every screenshot shows the real program on frames of the sample film.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import av
from PySide6.QtCore import QCoreApplication, QLocale, QSettings, QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QWidget

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from framebrush import sample  # noqa: E402
from framebrush.media.video import Position  # noqa: E402
from framebrush.playback.events import Notification  # noqa: E402
from framebrush.window.application import translate  # noqa: E402
from framebrush.window.exports.export_dialog import ExportDialog  # noqa: E402
from framebrush.window.exports.export_queue import ExportJob, ExportQueue  # noqa: E402
from framebrush.window.exports.export_runner import ExportRunner  # noqa: E402
from framebrush.window.layout import PreviewBadge  # noqa: E402
from framebrush.window.main_window import MainWindow  # noqa: E402
from framebrush.window.project.launch import Launch  # noqa: E402
from framebrush.window.state.window_settings import LANGUAGES, Settings  # noqa: E402
from framebrush.window.widgets.theme import Theme  # noqa: E402

SIZE = QSize(1280, 800)
QUALITY = 93  # a painted frame takes a megabyte as PNG
STILL_S, PREVIEW = 3.0, "Preview at full size"
FRAMES_IN = 10  # frames of the export that is captured while running
PERSON, BIRD, FRAMES = sample.SHOTS[0], sample.SHOTS[1] + 10, 24
"""First frames of the two excerpts from the sample film, and their length: short, so that it is soon cached."""


class Studio:
    """Window with its own settings."""

    def __init__(self, folder: Path, theme: Theme, size: QSize | None = SIZE) -> None:
        self.settings = Settings(QSettings(str(folder / f"{theme}.ini"), QSettings.Format.IniFormat), folder)
        self.settings.theme = theme
        self.settings.hinted = True
        self.exports = ExportRunner(ExportQueue(folder / f"{theme}.json"))
        self.window = MainWindow(self.settings, self.exports, Launch("cpu"))
        if size is not None:
            self.window.resize(size)
        self.window.show()

    def wait(self, until: Callable[[], bool], timeout_s: float = 300) -> None:
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
        self.window.opening.open(video, play=False)
        self.wait(lambda: self.window.view.painted.image is not None and bool(self.window.inspector.gallery.names))
        self.window.player.seek(Position(Fraction(second), "s"))
        self.rest(1.5)

    def paint(self, name: str) -> None:
        self.window.session.use_style(name)
        self.wait(lambda: not self.window.session.awaits_style)
        self.settle()

    def settle(self, words: str = "As exported") -> None:
        """Wait until the window shows these words and all frames are cached."""
        before, since = QImage(), 0.0

        words = QCoreApplication.translate("PreviewBadge", words)

        def is_still() -> bool:
            nonlocal before, since
            now = self.window.grab().toImage()
            if now != before or self.window.notes.busy or self.said != words:
                before, since = now, time.monotonic()
            return time.monotonic() - since > STILL_S

        self.wait(is_still)

    @property
    def said(self) -> str:
        """Return the window's words about the current frame."""
        (label,) = self.window.findChildren(PreviewBadge)
        return label.text()

    def close(self) -> None:
        gone: list[object] = []
        self.window.destroyed.connect(lambda: gone.append(True))
        self.window.quit()  # skips the question about a running export
        self.wait(lambda: bool(gone))


def cut(first: int, target: Path) -> Path:
    """Write some frames of the sample film."""
    with av.open(str(sample.PATH)) as source, av.open(str(target), "w") as container:
        film = source.streams.video[0]
        stream = container.add_stream("libx264", rate=film.average_rate, options={"crf": "12"})
        stream.width, stream.height, stream.pix_fmt = film.width, film.height, "yuv420p"
        for frame in islice(source.decode(film), first, first + FRAMES):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame.to_ndarray(), format="yuv420p")))
        container.mux(stream.encode())
    return target


def shoot(widget: QWidget, folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    widget.grab().save(str(folder / f"{name}.jpg"), quality=QUALITY)


SCREENS = ((1366, 768, 96), (1366, 768, 192), (1920, 1080, 144), (2560, 1440, 96))
"""Width, height and dots per inch: a small laptop, the same at 200 %, one at 150 %, a desktop."""
THEMES: tuple[Theme, ...] = ("dark", "light", "contrast")


def shoot_screens(out: Path, language: str) -> None:
    """Start this program per screen and theme: pixel density is fixed for a process."""
    out = out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for width, height, dots in SCREENS:
        screen = {"name": "one", "x": 0, "y": 0, "width": width, "height": height, "dpr": 1}
        screens = {"screens": [{**screen, "logicalDpi": dots, "logicalBaseDpi": 96}]}
        (out / "screens.json").write_text(json.dumps(screens))
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen:configfile=screens.json"}
        for theme in THEMES:
            command = [sys.executable, str(Path(__file__).resolve()), "--first", theme, "--language", language]
            subprocess.run([*command, "--out", str(out)], env=environment, cwd=out, check=True)
    (out / "screens.json").unlink()


def shoot_first(theme: Theme, at: str, out: Path) -> None:
    """Capture a first start on this screen."""
    with tempfile.TemporaryDirectory() as temporary:
        studio = Studio(Path(temporary), theme, None)
        window = studio.window
        size = window.screen().size() * window.devicePixelRatioF()
        name = f"{size.width()}x{size.height()}-{theme}"
        studio.rest()
        shoot(window, out, f"{name}-empty")
        studio.open(cut(PERSON, Path(temporary, "person.mp4")), at)
        studio.paint("great-wave")
        shoot(window, out, f"{name}-painting")
        window.actions_["side-by-side"].trigger()
        window.side.setCurrentIndex(1)
        window.messages.show_notification(Notification("A problem, with its details.", "x", "problem"))
        studio.rest(1.5)
        shoot(window, out, f"{name}-side-by-side")
        window.messages.hide()
        window.exporting.ask()
        studio.rest(1.0)
        for dialog in window.findChildren(QDialog):
            shoot(dialog, out, f"{name}-export")
            dialog.reject()
        studio.close()


def shoot_gallery(dark: Studio, video: Path, arguments: argparse.Namespace) -> None:
    dark.wait(lambda: bool(dark.window.inspector.gallery.names) and dark.window.session.style_in_use is not None)
    shoot(dark.window, arguments.out, "empty")
    dark.open(video, arguments.at)
    dark.paint("starry-night")
    dark.window.inspector.gallery.blend.button.setChecked(True)
    dark.window.inspector.gallery.blend.sliders[7].slider.setValue(60)
    dark.settle()
    shoot(dark.window, arguments.out, "blend")
    dark.window.inspector.gallery.blend.button.setChecked(False)


def shoot_over_time(dark: Studio, out: Path) -> None:
    keys, middle = dark.window.inspector.panel.keys, dark.window.session.shown_at.number
    for name, number, value in (
        ("style", 0, "starry-night"),
        ("style", middle, "scream:0.5,starry-night:0.5"),
        ("strength", middle, 1.0),
        ("strength", 2 * middle, 0.4),
    ):
        dark.window.player.seek(Position.of_frame(number))
        keys.set(name, value)  # once it is there
        dark.settle()
    dark.window.player.seek(Position.of_frame(middle))
    dark.settle()
    keys.ease(middle, "ease")
    dark.window.actions_["scopes"].setChecked(True)
    dark.settle()
    shoot(dark.window, out, "over-time")
    dark.window.actions_["scopes"].setChecked(False)
    keys.set_tracks(())


def shoot_comparisons(dark: Studio, out: Path) -> None:
    dark.paint("scream")
    dark.window.inspector.panel.set_split(0.45)
    dark.settle(PREVIEW)
    shoot(dark.window, out, "compare")
    dark.window.actions_["split"].setChecked(False)
    dark.window.actions_["side-by-side"].setChecked(True)
    dark.window.actions_["loupe"].setChecked(True)
    dark.settle(PREVIEW)
    shoot(dark.window, out, "side-by-side")
    dark.window.actions_["loupe"].setChecked(False)
    dark.window.actions_["side-by-side"].setChecked(False)


def shoot_exports(dark: Studio, videos: Path, out: Path) -> None:
    dark.window.actions_["help"].trigger()
    dark.rest()
    for dialog in dark.window.findChildren(QDialog):
        shoot(dialog, out, "keys")
        dialog.reject()
    dark.window.actions_["export"].trigger()
    (export,) = dark.window.findChildren(ExportDialog)
    dark.wait(lambda: export.quality.encoder is not None)
    shoot(export, out, "export")
    spec = export.spec
    export.reject()
    second = replace(spec, target=str(videos / "bird-painted2.mp4"))
    for job in (ExportJob(spec), ExportJob(second, name="second")):
        dark.exports.add(job)
    dark.window.side.setCurrentIndex(1)
    progress: list[tuple[str, int]] = []
    dark.exports.progressed.connect(lambda job, line: progress.append((job.name, line["frame"])))
    dark.wait(lambda: any(name == "second" and frame > FRAMES_IN for name, frame in progress))
    shoot(dark.window, out, "exports")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--at", default="0.4", help="second of the frame")
    parser.add_argument("--out", type=Path, default=ROOT / "assets" / "screenshots")
    parser.add_argument("--screens", type=Path, help="only pictures of the window on several screens, to here")
    parser.add_argument("--first", choices=THEMES, help="only pictures of this screen, in this theme")
    parser.add_argument("--language", choices=LANGUAGES, default="en")
    arguments = parser.parse_args()
    if arguments.screens is not None:
        shoot_screens(arguments.screens, arguments.language)
        return
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    QLocale.setDefault(QLocale(arguments.language))
    translate(app)
    if arguments.first is not None:
        shoot_first(arguments.first, arguments.at, arguments.out)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        os.environ["HOME"] = os.environ["USERPROFILE"] = str(folder)  # short paths without a user's name
        videos = folder / "Videos"
        videos.mkdir()
        dark = Studio(folder, "dark")
        shoot_gallery(dark, cut(PERSON, videos / "person.mp4"), arguments)
        shoot_over_time(dark, arguments.out)
        shoot_comparisons(dark, arguments.out)
        shoot_exports(dark, videos, arguments.out)
        dark.close()
        light = Studio(folder, "light")
        light.open(cut(BIRD, videos / "bird.mp4"), arguments.at)
        light.paint("udnie")
        shoot(light.window, arguments.out, "light")
        light.close()


if __name__ == "__main__":
    main()
