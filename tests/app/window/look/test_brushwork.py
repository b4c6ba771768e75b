"""Brush, relief, canvas and lamp: changes are shown, undone, remembered and exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QApplication

from framebrush.cli.command_line import run
from framebrush.jobs.saved_look import LookFolder, read_look
from framebrush.media.reading.reader import Reader
from framebrush.media.video import TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import ExportJob, State
from framebrush.window.look.stroke import StrokePanel
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.film_keyframes import FilmKeyframes
from framebrush.window.state.session import Session
from framebrush.window.state.window_settings import Settings
from framebrush.window.widgets.controls import LabelledSlider
from tests.app.playback.conftest import Watched
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand, Pixels, farthest

pytestmark = pytest.mark.media

CONTROL = Qt.KeyboardModifier.ControlModifier
HISTORY_S = 0.5
"""After which a change is a step for undo."""


@pytest.fixture
def hand(desk: Desk) -> Hand:
    """A paused video without a style."""
    desk.window.resize(1280, 1000)
    desk.open("cfr.mp4")
    desk.wait(lambda: len(desk.window.inspector.gallery.names) > 5, "the gallery")
    desk.wait_style("none")
    return Hand(desk)


def test_there_are_no_strokes_until_a_style_is_loaded(application: QApplication, tmp_path: Path) -> None:
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat), tmp_path)
    session = Session(Watched().player, settings, Choice(), application)
    panel = StrokePanel(session, FilmKeyframes(session))
    assert not panel.slider.isEnabled()
    assert not any(button.isEnabled() for button in panel.kinds.buttons.values())
    panel.show_painting(True, brushed=True)
    assert panel.slider.isEnabled()
    assert all(button.isEnabled() for button in panel.kinds.buttons.values())
    assert not panel.button.isEnabled()  # no film has keys


def sliders(desk: Desk) -> dict[str, LabelledSlider]:
    work = desk.window.inspector.panel.brushwork
    return dict(work.shares)


def words(desk: Desk) -> list[str]:
    """Return the texts beside the sliders."""
    return [each.value_label.text() for each in sliders(desk).values()]


def paint(hand: Hand, name: str) -> Pixels:
    """Choose a style by its key, and wait until it is seen."""
    desk, before = hand.desk, hand.desk.picture()
    hand.key(str(desk.window.inspector.gallery.names.index(name)))
    desk.wait_style(name)
    desk.wait(lambda: farthest(desk.picture(), before) > 20, "the painting")
    desk.rest(HISTORY_S)
    return desk.picture()


def lumas(path: Path) -> list[Pixels]:
    """The frames of a file, in luma."""
    with Reader(path) as reader:
        return [frame.frame.planes[0].copy() for frame in reader]


def move(hand: Hand, slider: LabelledSlider, share: float) -> Pixels:
    """Click at a share of the slider's length, and wait until the picture is another one."""
    before = hand.desk.picture()
    hand.click(slider.slider, QPoint(round(share * slider.slider.width()), slider.slider.height() // 2))
    hand.desk.wait(lambda: farthest(hand.desk.picture(), before) > 0, f"{slider.name.text()} in the picture")
    hand.desk.rest(0.1)
    return hand.desk.picture()


@pytest.mark.slow
def test_a_paused_picture_follows_the_hand_without_the_network(hand: Hand) -> None:
    desk, session = hand.desk, hand.desk.window.session
    desk.open("landscape.mp4")
    first = paint(hand, "starry-night")
    assert words(desk) == ["Style: 100%", "Style: 50%", "Style: 0%", "135°"]
    runs = desk.window.player.engine.presenter.counters.runs
    seen = [first]
    for name, share in (("relief", 0.9), ("canvas", 0.8), ("lamp_degrees", 0.9), ("brush", 0.2)):
        seen.append(move(hand, sliders(desk)[name], share))
        assert getattr(session.choice.look, name) == sliders(desk)[name].value
    assert [text.startswith("Style") for text in words(desk)] == [False] * 4
    for name, wanted in zip(("brush", "lamp_degrees", "canvas"), seen[-2::-1], strict=False):
        hand.double_click(sliders(desk)[name].value_label, QPoint(5, 5))
        desk.wait(lambda wanted=wanted: farthest(desk.picture(), wanted) == 0, f"{name} as before")  # type: ignore[misc]
    hand.click(hand.button("reset-look"))
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the style's own look")
    assert words(desk) == ["Style: 100%", "Style: 50%", "Style: 0%", "135°"]
    assert (session.choice.look.brush, session.choice.look.relief) == (None, None)
    assert desk.window.player.engine.presenter.counters.runs == runs


@pytest.mark.slow
def test_without_a_style_the_brush_works_and_what_needs_it_waits(hand: Hand) -> None:
    desk, window, panel = hand.desk, hand.desk.window, hand.desk.window.inspector.panel
    source = desk.picture()

    def waiting() -> list[bool]:
        needing = (
            panel.sliders["strength"],
            panel.sliders["detail"],
            window.inspector.stroke.slider,
            panel.sliders["steady"],
        )
        return [not each.isEnabled() for each in (*needing, panel.brushwork.shares["lamp_degrees"])]

    assert words(desk) == ["0%", "0%", "0%", "135°"]
    assert waiting() == [True] * 5
    painted = move(hand, sliders(desk)["brush"], 0.99)
    assert waiting() == [False] * 3 + [True] * 2
    assert farthest(move(hand, panel.sliders["strength"], 0.01), source) == 0
    assert farthest(move(hand, panel.sliders["strength"], 0.99), painted) == 0
    move(hand, sliders(desk)["relief"], 0.99)
    assert waiting() == [False] * 3 + [True, False]
    for name in ("brush", "relief"):
        hand.double_click(sliders(desk)[name].value_label, QPoint(5, 5))
    desk.wait(lambda: farthest(desk.picture(), source) == 0, "the source")
    assert waiting() == [True] * 5


@pytest.mark.slow
def test_a_share_stays_as_it_was_set_from_style_to_style(hand: Hand) -> None:
    desk = hand.desk
    paint(hand, "starry-night")
    move(hand, sliders(desk)["relief"], 0.99)
    assert words(desk)[:2] == ["Style: 100%", "100%"]
    hand.key("0")
    desk.wait_style("none")
    assert words(desk)[:2] == ["0%", "100%"]
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    assert words(desk)[:2] == ["Style: 0%", "100%"]


@pytest.mark.slow
def test_undo_saved_looks_and_the_next_start_have_them(hand: Hand, tmp_path: Path) -> None:
    desk, window = hand.desk, hand.desk.window
    window.inspector.looks.folder = LookFolder(tmp_path / "looks")
    first = paint(hand, "starry-night")
    moved = move(hand, sliders(desk)["brush"], 0.3)
    desk.rest(HISTORY_S)
    hand.key("z", CONTROL)
    desk.wait(lambda: farthest(desk.picture(), first) == 0, "the style's brush")
    assert words(desk)[0] == "Style: 100%"
    window.inspector.looks.save("style")
    hand.key("y", CONTROL)
    desk.wait(lambda: farthest(desk.picture(), moved) == 0, "the brush that was set")
    window.inspector.looks.save("own")
    files, brush = window.inspector.looks.saved, window.session.choice.look.brush
    assert [read_look(files[name]).look.brush for name in ("style", "own")] == [None, brush]
    for name, picture in (("style", first), ("own", moved)):
        window.inspector.looks.open(files[name])
        desk.wait(lambda picture=picture: farthest(desk.picture(), picture) == 0, name)  # type: ignore[misc]
    desk.close()
    again = Desk(tmp_path)
    assert again.window.session.choice.look.brush == brush
    again.close()


@pytest.mark.slow
def test_an_export_is_what_the_command_line_makes(hand: Hand, tmp_path: Path) -> None:
    desk, exports = hand.desk, hand.desk.exports
    desk.window.session.use_style("ink")
    desk.wait_style("ink")
    for name, share in (("brush", 0.6), ("relief", 0.9), ("lamp_degrees", 0.1)):
        move(hand, sliders(desk)[name], share)
    sliders(desk)["canvas"].slider.setValue(40)
    look = desk.window.session.choice.look
    hand.key("e", CONTROL)
    dialog = desk.window.findChildren(ExportDialog)[-1]
    assert f"Brush {words(desk)[0]}   ·   Relief {words(desk)[1]}   ·   Canvas {words(desk)[2]}" in dialog.summary
    dialog.reject()
    targets = [tmp_path / f"{name}.mkv" for name in ("window", "command", "plain")]
    spec = desk.window.exporting.spec(str(CLIPS / "cfr.mp4"), str(targets[0]))
    lossless = OutputOptions("libx264", 0, "ultrafast")
    exports.add(ExportJob(replace(spec, range=TimeRange(frames=5), output=lossless)))
    options = ["--brush", look.brush, "--relief", look.relief, "--canvas", look.canvas, "--lamp", look.lamp_degrees]
    for target, more in zip(targets[1:], (map(str, options), ()), strict=True):
        command = ["transcode", str(CLIPS / "cfr.mp4"), str(target), "--style", "ink", "--progress", "none", *more]
        settings = ["--device", "cpu", "--frames", "5", "--codec", "libx264", "--crf", "0", "--preset", "ultrafast"]
        assert run([*command, *settings]) == 0
    desk.wait(lambda: exports.queue.jobs[0].is_over, "the export")
    assert exports.queue.jobs[0].state is State.DONE, exports.queue.jobs[0].message
    window, command, plain = (lumas(target) for target in targets)
    assert len(window) == len(command) == 5
    assert max(farthest(*pair) for pair in zip(window, command, strict=True)) == 0
    assert np.mean(np.abs(window[0].astype(int) - plain[0])) > 2
