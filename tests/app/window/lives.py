"""Window that goes to a place in its film and dies; the next prints the restored state.

python -m tests.app.window.lives LIFELINE MEMORY WAY COUNT DEVICE FILM, as a child of `supervision.supervise`. WAY: of
dying. COUNT: windows that die.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSettings, QTimer

from framebrush.base import signals, supervision
from framebrush.base.json_values import to_values
from framebrush.jobs.segments.job_folder import folder_of
from framebrush.media.video import Position
from framebrush.window import application, run
from tests.app.window.conftest import Desk

told: list[str] = []


class OwnDesk(Desk):
    def __init__(self, window: application.MainWindow) -> None:
        self.window = window

    def seek(self, number: int) -> None:
        self.window.player.seek(Position(Fraction(number), "frame"))
        self.settle()
        self.wait_number(number)


def tell(place: str) -> None:
    """Send a place to the parent, and record it."""
    real_tell(place)
    told.append(place)


real_tell, supervision.tell = supervision.tell, tell


def die(desk: OwnDesk, way: str) -> None:
    """Kill or crash this process, or end its parent."""
    if way in ("kill", "ask parent", "kill parent"):
        process = os.getpid() if way == "kill" else os.getppid()
        by_force = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL
        os.kill(process, signal.SIGTERM if way == "ask parent" else by_force)
        return
    if way == "abort when closed":
        desk.window.close()
    if way != "a lost GPU":
        os.abort()
    from framebrush.gpu.webgpu.native import Native

    submit = Native.submit

    def lose_and_submit(native: Native, *given: Any) -> int:  # noqa: ANN401
        native.device.destroy()
        return submit(native, *given)

    Native.submit = lose_and_submit  # type: ignore[method-assign] # wgpu ends the process in its next frame
    desk.window.player.step(1)
    desk.wait(lambda: False)


def go_somewhere(desk: OwnDesk) -> None:
    """Set a frame, in and out points, a keyframe and a look."""
    window, session = desk.window, desk.window.session
    desk.wait(lambda: session.style_in_use is not None and not session.awaits_style, "the style")
    desk.wait(lambda: desk.number is not None, "a frame")
    window.player.play(False)
    for number, first in ((3, True), (14, False)):
        desk.seek(number)
        window.player.mark(first=first)
        desk.settle()
    desk.seek(9)
    window.inspector.panel.keys.set("strength", 0.4)
    session.choose(
        replace(
            session.choice,
            recipe=replace(session.choice.recipe, look=replace(session.choice.look, relief=0.3, split=0.25)),
        )
    )


def is_told(desk: OwnDesk) -> bool:
    choice = json.loads(json.dumps(to_values(desk.window.session.choice)))
    return bool(told and told[-1]) and json.loads(told[-1])["choice"] == choice and json.loads(told[-1])["number"] == 9


def act(window: application.MainWindow, way: str, count: int) -> None:
    desk, session = OwnDesk(window), window.session
    former, message = supervision.followed, ""
    if former is None:
        go_somewhere(desk)
    else:
        desk.wait(lambda: session.style_in_use is not None and not session.awaits_style, "the style")
        desk.wait(window.messages.isVisible, "the message")
        message = window.messages.text
        window.messages.hide()  # it may cover the number
        desk.wait_number(9)
    desk.wait(lambda: is_told(desk), "that it is told")
    for job in window.exports.queue:
        if former is None:
            window.exports.again(job)
        kept = folder_of(Path(job.spec.target))
        desk.wait(lambda job=job, kept=kept: job.is_over or (former is None and len([*kept.glob("0*.json")]) > 1))
    now = session.choice
    seen = {
        "number": desk.number,
        "device": now.device,
        "choice": to_values(replace(now, device="")),
        "plays": window.actions_["play"].isChecked(),
        "message": message,
        "former": former.death if former else "",
        "exports": [job.state for job in window.exports.queue],
    }
    print(json.dumps(seen), flush=True)
    with Path("lives").open("a") as lives:
        lives.write("*")
        goes_on = lives.tell() <= count
    if goes_on:
        die(desk, way)
    else:
        window.close()


def main() -> None:
    supervision.obey(sys.argv.pop(1), sys.argv.pop(1))
    way, count, device, film = sys.argv[1:]
    signals.install()
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    QSettings.setPath(QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(Path.cwd()))

    class Window(application.MainWindow):
        def __init__(self, *given: Any, **named: Any) -> None:  # noqa: ANN401
            super().__init__(*given, **named)
            QTimer.singleShot(0, self.run_life)

        def run_life(self) -> None:
            try:
                act(self, way, int(count))
            except BaseException:
                traceback.print_exc()
                os._exit(1 + signals.added_to_status)

    application.MainWindow = Window  # type: ignore[misc]
    sys.exit(run(film, device=device, style="none") + signals.added_to_status)


if __name__ == "__main__":
    main()
