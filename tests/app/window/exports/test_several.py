"""Several videos with one look, and sound that no control of the window touches."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from typing import Any

import av
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox

from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.widgets import file_dialogs
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand
from tests.app.window.transport.test_playlist import drop

pytestmark = [pytest.mark.media, pytest.mark.slow]

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
NAMES = ("cfr.mp4", "bframes.mp4", "extras.mkv")


@pytest.fixture
def films(tmp_path: Path) -> list[Path]:
    return [Path(shutil.copy(CLIPS / name, tmp_path)) for name in NAMES]


def wait_over(desk: Desk, count: int) -> None:
    jobs = desk.exports.queue.jobs
    desk.wait(lambda: len(jobs) == count, "the videos")
    desk.wait(lambda: all(made.is_over for made in jobs), "the exports")
    assert [(made.state, made.message) for made in jobs] == [(State.DONE, "")] * count


def test_several_chosen_videos_get_the_look_in_use(
    desk: Desk, films: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The File menu's key queues them, and the panel lists them."""
    window = desk.window
    desk.open(films[0])
    window.session.use_style("ink")
    desk.wait_style("ink")
    window.inspector.panel.sliders["strength"].slider.setFocus()
    window.inspector.panel.sliders["strength"].slider.setValue(40)
    monkeypatch.setattr(file_dialogs.QFileDialog, "getOpenFileNames", lambda *_: ([str(film) for film in films], ""))
    Hand(desk).key("e", CONTROL | SHIFT)
    desk.wait(lambda: window.side.currentWidget() is window.export_panel, "the exports")
    wait_over(desk, 3)
    specs = [made.spec for made in desk.exports.queue]
    assert [(spec.style.name, spec.look.strength) for spec in specs] == [("ink", pytest.approx(0.4))] * 3
    assert {spec.look for spec in specs} == {specs[0].look}
    assert [Path(spec.target).name for spec in specs] == [
        "cfr-painted.mp4",
        "bframes-painted.mp4",
        "extras-painted.mkv",
    ]
    assert all(Path(spec.target).exists() for spec in specs)


def test_a_folder_that_cannot_be_read_or_has_no_video_is_said_and_the_others_are_exported(
    desk: Desk, films: list[Path], tmp_path: Path
) -> None:
    told: list[str] = []
    desk.window.session.notified.connect(lambda notification: told.append(notification.text))
    desk.exports.stop()  # none is started: this is about what is queued
    (tmp_path / "empty").mkdir()
    desk.window.exporting.add([tmp_path / ("x" * 300), tmp_path / "empty", films[0]])
    desk.wait(lambda: bool(desk.exports.queue.jobs), "the video")
    assert [made.spec.source for made in desk.exports.queue] == [str(films[0])]
    assert told == [f"{'x' * 300} cannot be read.", "There is no video in the folder empty."]
    desk.exports.queue.jobs.clear()


def test_many_videos_are_queued_in_one_go(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred exports are written as one list, once, outside the window's thread."""
    written: list[threading.Thread] = []
    to_values = ExportJob.to_values

    def watched(job: ExportJob) -> dict[str, Any]:
        written.append(threading.current_thread())
        return to_values(job)

    monkeypatch.setattr(ExportJob, "to_values", watched)
    desk.exports.stop()
    videos = [tmp_path / folder / "film.mp4" for folder in map(str, range(20))]
    desk.window.settings.output_folder = tmp_path
    desk.window.exporting.add(videos)
    desk.wait(lambda: len(desk.exports.queue.jobs) == 20, "the videos")
    desk.exports.queue.flush()
    assert len(written) == 20
    assert threading.current_thread() not in written
    names = [Path(made.spec.target).name for made in desk.exports.queue]
    assert names[:3] == ["film-painted.mp4", "film-painted2.mp4", "film-painted3.mp4"]
    assert len(set(names)) == 20
    desk.exports.queue.jobs.clear()


def test_a_playlist_is_exported(desk: Desk, films: list[Path]) -> None:
    action = desk.window.actions_["export-list"]
    assert not action.isEnabled()
    desk.open(films[0])
    assert not action.isEnabled()
    drop(desk, films)
    desk.wait(action.isEnabled, "the list")
    action.trigger()
    wait_over(desk, 3)
    assert {Path(made.spec.source) for made in desk.exports.queue} == set(films)
    desk.open(CLIPS / "vfr.mp4")  # which is in no list
    assert not action.isEnabled()


def sound(path: Path) -> list[tuple[float, bytes]]:
    with av.open(str(path)) as container:
        stream = container.streams.audio[0]
        return [
            (float(packet.pts * packet.time_base), bytes(packet)) for packet in container.demux(stream) if packet.size
        ]  # type: ignore[operator]


def test_volume_and_delay_change_nothing_of_the_sound_of_an_export(
    desk: Desk, films: list[Path], tmp_path: Path
) -> None:
    """Playback is turned down, muted and late; exported sound equals the source's exactly."""
    window, target = desk.window, tmp_path / "out.mkv"
    desk.open(films[2])
    window.player.set_volume(0.1)
    window.actions_["mute"].trigger()
    for _ in range(3):
        window.actions_["sound-later"].trigger()
    window.actions_["export"].trigger()
    dialog = window.findChildren(ExportDialog)[-1]
    dialog.target.name_field.setText(str(target))
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.accepted.emit()
    wait_over(desk, 1)
    heard = sound(films[2])
    assert len(heard) > 10
    assert sound(target) == heard
