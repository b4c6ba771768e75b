"""The render-cache process: answers and ways to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from framebrush.gpu.device import open_device
from framebrush.gpu.errors import DeviceError
from framebrush.gpu.look import Look
from framebrush.jobs.prepare import open_job_source, open_job_style
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.transcode import ignore
from framebrush.playback import events
from framebrush.playback.ahead import ahead_process, renderer
from framebrush.playback.ahead.ahead_process import PaintingProcess
from framebrush.playback.ahead.ahead_worker import Order, StoppedError
from framebrush.playback.ahead.cache_keys import render_format
from framebrush.playback.ahead.render_cache import RenderCache
from framebrush.styles.specs import ColourSpec, StyleSpec
from tests.app.playback.conftest import CLIPS, Watched

pytestmark = [pytest.mark.media, pytest.mark.slow]

LOOK = Look(brush=0.8)
LONG_S = 60.0
MOST_NICE = 19  # of Linux: the tests themselves may be nice


def order_of(clip: str, look: Look = LOOK, colours: ColourSpec | None = None) -> Order:
    spec = JobSpec(str(CLIPS / clip), "screen", Recipe(StyleSpec("ink"), look, colours=colours or ColourSpec()))
    with open_job_source(spec) as source, open_device("cpu") as device:
        form = render_format(spec, source.info, open_job_style(spec, ignore))
        return Order(spec, form, 1, device.info.address, device.info.kind, device.info.name)


def always() -> bool:
    return True


@pytest.fixture
def painting(monkeypatch: pytest.MonkeyPatch) -> Iterator[PaintingProcess]:
    monkeypatch.setattr(ahead_process, "NICENESS", 0)
    made = PaintingProcess()
    yield made
    made.end()
    made.close()


def is_there(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return b") Z " not in Path(f"/proc/{process_id}/stat").read_bytes()


def test_what_is_asked_is_answered(painting: PaintingProcess, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Output of a library in the meantime is no answer."""
    (tmp_path / "sitecustomize.py").write_text(
        "import json, os, threading\n"
        "read = json.loads\n"
        "def loads(text):\n"
        "    if threading.current_thread().name == 'requests': os.write(1, b'noise\\n'), print('noise', flush=True)\n"
        "    return read(text)\n"
        "json.loads = loads\n"
    )
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")])))
    order = order_of("cfr.mp4")
    assert painting.open(order, always) == "onnxruntime"
    for number in (0, 1, 17, 18, 2):
        painted = painting.frame(number, order.form, always)
        assert painted is not None
        assert painted.number == number
        assert painted.frame.planes[0].std() > 1
    assert painting.frame(30, order.form, always) is None
    painting.rest()
    painting.open(order, always)
    painted = painting.frame(29, order.form, always)
    assert painted is not None
    assert painted.number == 29


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_window_without_a_standard_error_hands_on_none(
    painting: PaintingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows starts windows without stderr; a library may still write to it."""
    monkeypatch.setattr(sys, "stderr", None)
    painting.rest()
    painting.start()
    assert painting.child is not None
    assert str(Path(f"/proc/{painting.child.pid}/fd/2").readlink()) == os.devnull
    painting.rest()


def test_what_cannot_be_painted_is_a_problem_and_the_next_order_is_none(painting: PaintingProcess) -> None:
    order = order_of("cfr.mp4")
    with pytest.raises(DeviceError, match=r"cfr\.mp4 has changed since it was opened"):
        painting.open(replace(order, form=replace(order.form, width=320)), always)
    with pytest.raises(DeviceError, match="a GPU cannot be opened a second time"):
        painting.open(replace(order, name="a GPU"), always)
    with pytest.raises(DeviceError, match=r"absent\.mp4"):
        painting.open(replace(order, spec=replace(order.spec, source="absent.mp4")), always)
    painting.open(order, always)
    assert painting.frame(3, order.form, always) is not None


def test_tiles_are_another_method(painting: PaintingProcess) -> None:
    order = order_of("cfr.mp4")
    order = replace(order, spec=replace(order.spec, tiling=64))
    assert painting.open(order, always).startswith("onnxruntime in tiles of ")
    assert painting.frame(3, order.form, always) is not None


def test_a_request_is_given_up_while_shots_are_searched_for_and_while_frames_lead_in(painting: PaintingProcess) -> None:
    order = order_of("cfr.mp4", colours=ColourSpec(palette="film"))
    with pytest.raises(StoppedError):
        painting.open(order, lambda: False)
    painting.open(order, always)
    with pytest.raises(StoppedError):
        painting.frame(20, order.form, lambda: False)
    painting.stop()  # of nothing
    painting.open(order, always)
    assert painting.frame(20, order.form, always) is not None


def test_a_process_that_died_is_reported_and_started_again(painting: PaintingProcess) -> None:
    order = order_of("cfr.mp4")
    painting.open(order, always)
    assert painting.child is not None
    os.kill(painting.child.pid, signal.SIGKILL)
    with pytest.raises(RuntimeError, match="the process that paints ahead was ended by SIGKILL"):
        painting.frame(0, order.form, always)
    painting.open(order, always)
    assert painting.frame(0, order.form, always) is not None


def kill_between_requests(painting: PaintingProcess) -> None:
    assert painting.child is not None
    os.kill(painting.child.pid, signal.SIGKILL)
    painting.child.wait()


def test_a_process_that_died_between_two_films_costs_neither(painting: PaintingProcess) -> None:
    order = order_of("cfr.mp4")
    painting.start()
    kill_between_requests(painting)
    painting.open(order, always)
    assert painting.frame(0, order.form, always) is not None
    kill_between_requests(painting)
    painting.open(order, always)
    assert painting.frame(0, order.form, always) is not None


def test_a_process_that_died_when_all_was_painted_has_nothing_to_close(painting: PaintingProcess) -> None:
    painting.open(order_of("cfr.mp4"), always)
    kill_between_requests(painting)
    painting.rest()


def test_it_gives_way_to_others() -> None:
    made = PaintingProcess()
    made.start()
    made.send({"rest": True})
    assert "problem" not in made.answer()
    assert made.child is not None
    pid = made.child.pid
    nice = os.getpriority(os.PRIO_PROCESS, 0) + ahead_process.NICENESS
    assert os.getpriority(os.PRIO_PROCESS, pid) == min(nice, MOST_NICE)
    made.end()
    made.close()
    assert not is_there(pid)


def test_it_ends_with_a_window_that_is_killed() -> None:
    lines = (
        "import os, signal, sys",
        "from framebrush.playback.ahead.ahead_process import PaintingProcess",
        "made = PaintingProcess()",
        "made.rest()",
        "made.start()",
        "print(made.child.pid, flush=True)",
        "os.kill(os.getpid(), signal.SIGKILL)",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, check=False)
    child, end_s = int(done.stdout), time.monotonic() + LONG_S
    while is_there(child):
        assert time.monotonic() < end_s
        time.sleep(0.05)


def test_a_crash_is_told_and_costs_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_process, "NICENESS", 0)
    watched = Watched(RenderCache(64 << 20))
    real, crashed = PaintingProcess.frame, list[int]()

    def dies(self: PaintingProcess, number: int, *rest: object) -> object:
        if not crashed:
            assert self.child is not None
            crashed.append(self.child.pid)
            os.kill(self.child.pid, signal.SIGSEGV)
        return real(self, number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(PaintingProcess, "frame", dies)
    try:
        watched.player.start("cpu", "ink", LOOK)
        watched.player.open(CLIPS / "cfr.mp4", play=False)
        said = watched.wait(events.Notification)
        assert said.text == renderer.NOT_AHEAD
        assert "SIGSEGV" in said.details
        watched.player.use_look(replace(LOOK, strength=0.5))
        assert watched.wait(events.Shown, lambda event: event.exported)
    finally:
        watched.player.quit()
        assert watched.player.join(60)


def test_a_window_that_closes_does_not_wait_for_a_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead_process, "NICENESS", 0)
    watched = Watched(RenderCache(64 << 20))
    asked = list[int]()
    real = PaintingProcess.frame

    def waits(self: PaintingProcess, number: int, *rest: object) -> object:
        assert self.child is not None
        os.kill(self.child.pid, signal.SIGSTOP)  # this frame never comes
        asked.append(self.child.pid)
        return real(self, number, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(PaintingProcess, "frame", waits)
    watched.player.start("cpu", "ink", LOOK)
    watched.open("cfr.mp4")
    end_s = time.monotonic() + LONG_S
    while not asked:
        assert time.monotonic() < end_s
        time.sleep(0.01)
    watched.player.quit()
    assert watched.player.join(60)
    assert not is_there(asked[0])
    while not watched.events.empty():
        assert not isinstance(watched.events.get(), events.Notification)
