"""Time to paint the gallery's tiles of a film, and delay until a hovered style is previewed.

    QT_QPA_PLATFORM=offscreen python benchmarks/tiles.py [VIDEO] [--device cpu] [--rounds 5]

First the painter alone: all tiles of the first frame, including loading networks, then of further frames. Goals: 0.2 s
per tile and 4 s for all on two processor cores, 0.3 s for all on a graphics card. On a busy machine, half of the
processor time is a lower bound for two cores. Then a window: from the mouse entering a tile to the first change in the
view (includes POINTING_MS), and to the painting at full size.
"""

from __future__ import annotations

import argparse
import queue
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from PySide6.QtCore import QCoreApplication, QPoint, QSettings  # noqa: E402
from PySide6.QtTest import QTest  # noqa: E402
from PySide6.QtWidgets import QApplication  # noqa: E402

from framebrush.gpu.device import open_device  # noqa: E402
from framebrush.jobs.recipe import Recipe  # noqa: E402
from framebrush.media.sources.frame_source import open_frame_source  # noqa: E402
from framebrush.playback.events import Tried  # noqa: E402
from framebrush.styles.specs import SOURCE_SIZE, StyleSpec  # noqa: E402
from framebrush.window.application import put_first  # noqa: E402
from framebrush.window.exports.export_queue import ExportQueue  # noqa: E402
from framebrush.window.exports.export_runner import ExportRunner  # noqa: E402
from framebrush.window.main_window import MainWindow  # noqa: E402
from framebrush.window.project.launch import Launch  # noqa: E402
from framebrush.window.state.window_settings import Settings  # noqa: E402
from framebrush.window.styles.catalog import catalog  # noqa: E402
from framebrush.window.styles.tile_painter import Painting, TilePainter  # noqa: E402

WAIT_S = 120.0


def paint(video: Path, device: str, rounds: int) -> None:
    """Print the painter's time for all tiles of a frame, and for the slowest tile."""
    names = tuple(entry.name for entry in catalog())
    came: queue.SimpleQueue[float] = queue.SimpleQueue()
    painter = TilePainter(lambda *_: came.put(time.perf_counter()))
    with open_device(device) as opened:
        painter.use_device(opened.info)
    looks = tuple(Recipe(StyleSpec(name)) for name in names)
    with open_frame_source(str(video)) as source:
        for number, frame in zip(range(rounds), source, strict=False):
            times, worked = [time.perf_counter()], time.process_time()
            painter.request(Painting(frame, source.info, looks, SOURCE_SIZE))
            times += [came.get(timeout=WAIT_S) for _ in names]
            worked = time.process_time() - worked
            each = [1e3 * (after - before) for before, after in pairwise(times)]
            print(
                f"{'again' if number else 'first':<28}{len(names)} tiles in {times[-1] - times[0]:.2f} s, "
                f"median {statistics.median(each):.0f} ms, slowest {max(each):.0f} ms; {worked:.2f} s of processor time"
            )
    painter.close()
    painter.join(WAIT_S)


def wait(until: Callable[[], object]) -> float:
    """Run the application until a condition holds; return the seconds."""
    begun = time.perf_counter()
    while not until():
        QCoreApplication.processEvents()
        time.sleep(0.0005)
        assert time.perf_counter() < begun + WAIT_S
    return time.perf_counter() - begun


def point(video: Path, device: str) -> None:
    """Print the delay from pointing at a tile to its preview."""
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat))
        window = MainWindow(settings, ExportRunner(ExportQueue(Path(folder) / "exports.json")), Launch(device))
        gone: list[bool] = []
        tried: list[str | None] = []
        window.destroyed.connect(lambda: gone.append(True))
        window.bridge.event_posted.connect(lambda event: tried.append(event.name) if type(event) is Tried else None)
        window.resize(1366, 768)
        window.show()
        gallery, view = window.inspector.gallery, window.view
        wait(lambda: gallery.names and window.session.style_in_use)
        window.opening.open(video, play=False)
        painted = wait(lambda: all(map(window.inspector.film_tiles.picture, gallery.names)))
        print(f"{'opened, all tiles':<28}{painted:8.2f} s")
        shown, whole = [], []
        for name in gallery.names[2:6]:
            item = gallery.tiles.item(gallery.names.index(name))
            image, count = view.grab().toImage(), len(tried)
            QTest.mouseMove(gallery.tiles.viewport(), gallery.tiles.visualItemRect(item).center())
            shown.append(wait(lambda image=image: view.grab().toImage() != image))  # type: ignore[misc]
            whole.append(shown[-1] + wait(lambda count=count: len(tried) > count))  # type: ignore[misc]
        print(f"{'pointed at, seen':<28}{statistics.median(shown):8.2f} s")
        print(f"{'in its whole size':<28}{statistics.median(whole):8.2f} s")
        image, count = view.grab().toImage(), len(tried)
        QTest.mouseMove(view, QPoint(9, 9))
        back = wait(lambda: view.grab().toImage() != image)
        print(f"{'left, as before':<28}{back:8.2f} s")
        window.close()
        wait(lambda: gone)


def main() -> None:
    """Run both benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("video", nargs="?", type=Path, default=ROOT / "assets" / "clips" / "landscape.mp4")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    put_first()
    paint(arguments.video, arguments.device, arguments.rounds)
    point(arguments.video, arguments.device)


if __name__ == "__main__":
    main()
