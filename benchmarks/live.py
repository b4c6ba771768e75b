"""Latency of a live picture in frame times: python benchmarks/live.py [DEVICE]

A real-time test source plays as in the window, without a style and with each style, on a device that shows frames in a
callback. Latency runs from capture to the end of presentation. Goal: below two frame times where the device keeps up
(no dropped frames).
"""

from __future__ import annotations

import queue
import sys
import time
from pathlib import Path

from framebrush.gpu.device import Device
from framebrush.gpu.frame import Frame
from framebrush.gpu.look import Look
from framebrush.gpu.surface import Surface, View
from framebrush.media.video import VideoInfo
from framebrush.playback import events
from framebrush.playback.player import Player

STYLES = ("none", "ink", "great-wave")
SIZES = ("320x180", "640x360", "1280x720")
RATE = 25
SECONDS = 5.0


def measured(device: str, style: str, size: str) -> events.Statistics:
    """Play for SECONDS and return the last statistics."""
    told: queue.Queue[events.Event] = queue.Queue()

    def surface(on: Device) -> Surface:
        return on.surface(View(1, 1, paint=lambda _: None))

    def save(frame: Frame, info: VideoInfo, path: Path) -> Path:
        raise OSError("nothing is saved here")

    player = Player(told.put, surface, save)
    player.start(device, style, Look())
    player.open(f"live:testsrc2=size={size}:rate={RATE}")
    last: events.Statistics | None = None
    end = time.monotonic() + SECONDS
    while last is None or time.monotonic() < end:
        event = told.get(timeout=60)
        if isinstance(event, events.Notification):
            raise SystemExit(event.text)
        if isinstance(event, events.Statistics):
            last = event
    player.quit()
    player.join(60)
    return last


def main() -> None:
    """Print one line per style and size."""
    device = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    for style in STYLES:
        for size in SIZES:
            found = measured(device, style, size)
            latency_ms = found.latency_ms or 0.0
            times = latency_ms * RATE / 1e3
            line = f"{style:<12}{size:>9}  latency {latency_ms:6.1f} ms, {times:4.2f} frame times"
            print(f"{line};  shown {found.fps:4.1f} fps, dropped {found.dropped}")


if __name__ == "__main__":
    main()
