"""Styles that change with the film: keys of paintings, and a style for each shot from window to export."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from framebrush.analysis.dissolves import Dissolve
from framebrush.jobs.keyframes import STYLE
from framebrush.media.video import Position
from framebrush.playback.events import InOutPoint
from framebrush.window.exports.export_dialog import ExportDialog
from tests.app.window.conftest import Desk, weight_of
from tests.app.window.hand import Hand
from tests.app.window.transport.test_key_strip import go, step

pytestmark = pytest.mark.media

SIZE, SHOTS = (96, 64), (0, 20, 40)
COUNT = 60
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three shots of moving stripes: across, down, across and narrow."""
    path = tmp_path_factory.mktemp("shots") / "three.mp4"
    rows, columns = np.mgrid[: SIZE[1], : SIZE[0]]
    with av.open(str(path), "w") as container:
        stream = container.add_stream("libx264", rate=25, options={"crf": "6", "g": "10", "preset": "veryfast"})
        assert isinstance(stream, av.VideoStream)
        stream.width, stream.height, stream.pix_fmt = *SIZE, "yuv420p"
        for number in range(COUNT):
            across = (rows / 9, columns / 7, rows / 3)[number // 20]
            picture = (110 + 60 * np.sin(across + number / 20)).astype(np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(np.stack([picture] * 3, -1), format="rgb24")))
        container.mux(stream.encode())
    return path


@pytest.fixture
def hand(application: QApplication, tmp_path: Path, film: Path) -> Iterator[Hand]:
    desk = Desk(tmp_path, style="udnie", size=(1100, 700))
    desk.wait_style("udnie")
    desk.open(film)
    yield Hand(desk)
    desk.close()


def styles(desk: Desk) -> dict[int, tuple[str, str]]:
    """Keys of the style in an export: painting and way to the next by frame."""
    opened = desk.window.session.opened
    assert opened is not None
    spec = desk.window.exporting.spec(opened.info.source, "out.mp4")
    found = {track.of: track.keys for track in spec.keys}.get(STYLE, ())
    return {int(key.at.value): (str(key.value), key.ease) for key in found}


def choose(desk: Desk, name: str) -> None:
    """Take a tile."""
    desk.window.inspector.gallery.tiles.taken.emit(desk.window.inspector.gallery.names.index(name))


def marked(desk: Desk) -> str:
    gallery = desk.window.inspector.gallery
    row = gallery.tiles.currentRow()
    return gallery.names[row] if row >= 0 else ""


def alike(one: npt.NDArray[np.uint8], other: npt.NDArray[np.uint8]) -> bool:
    """But for rounding: weights that move are an input of the network, others are in it."""
    return bool(np.abs(one.astype(int) - other).max() <= 1)


@pytest.mark.slow
def test_keys_of_the_style_turn_one_painting_into_another(hand: Hand) -> None:
    desk, keys = hand.desk, hand.desk.window.inspector.panel.keys
    button = desk.window.inspector.style_keys.button
    first = desk.wait_still()
    hand.click(button)
    assert styles(desk) == {0: ("udnie", "linear")}
    go(desk, 16)
    choose(desk, "scream")
    assert styles(desk) == {0: ("udnie", "linear"), 16: ("scream", "linear")}
    desk.settle()
    assert marked(desk) == "scream"
    keyed = desk.wait_still()
    go(desk, 8)
    assert desk.window.session.style_at(8) == "udnie:0.500,scream:0.500"
    assert [slider.value for slider in desk.window.inspector.gallery.blend.sliders if slider.value] == [0.5, 0.5]
    between = desk.wait_still()
    go(desk, 0)
    assert alike(desk.wait_still(), first)
    strip = desk.window.transport.strip
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    assert strip.accessibleDescription() == "0:00:00.000\nStyle Udnie"
    keys.clear(STYLE)
    desk.window.session.use_style("scream")
    desk.wait_style("scream")
    go(desk, 16)
    assert alike(desk.wait_still(), keyed)
    desk.window.session.use_style("udnie:0.5,scream:0.5")
    desk.wait_style("udnie:0.5,scream:0.5")
    go(desk, 8)
    assert alike(desk.wait_still(), between)


@pytest.mark.slow
def test_a_slider_of_the_blend_sets_a_key(hand: Hand) -> None:
    desk = hand.desk
    hand.click(desk.window.inspector.style_keys.button)
    go(desk, 5)
    scream = weight_of(desk, "Scream")
    scream.slider.setValue(100)
    assert styles(desk)[5][0].split(",")[0].rpartition(":")[2] == "0.500"
    sliders = desk.window.inspector.gallery.blend.sliders
    assert desk.window.session.mix[sliders.index(scream)] == 0.0  # the film's own style stays


@pytest.mark.slow
def test_a_style_for_a_shot_and_for_all(hand: Hand) -> None:
    desk = hand.desk
    hand.key("k", CTRL)
    go(desk, 27)
    choose(desk, "scream")
    desk.wait(lambda: bool(styles(desk)), "the shot")
    assert styles(desk) == {0: ("udnie", "hold"), 20: ("scream", "hold"), 40: ("udnie", "hold")}
    step(desk)
    go(desk, 59)
    choose(desk, "starry-night")
    desk.wait(lambda: styles(desk).get(40) == ("starry-night", "hold"), "the last shot")
    assert list(styles(desk)) == [0, 20, 40]
    step(desk)
    hand.key("z", CTRL)
    assert styles(desk)[40] == ("udnie", "hold")
    go(desk, 30)
    desk.window.actions_["style-everywhere"].trigger()
    desk.wait_style("scream")
    assert styles(desk) == {}


@pytest.mark.slow
def test_a_shot_cuts_a_transition_in_two(hand: Hand) -> None:
    keys = hand.desk.window.inspector.panel.keys
    keys.set(STYLE, "udnie")
    hand.desk.window.session.shown_at = InOutPoint(58, 2.32)
    keys.set(STYLE, "scream")
    keys.hold(Dissolve(20, 20), Dissolve(40, 40), "starry-night", "udnie")
    found = styles(hand.desk)
    assert list(found) == [0, 19, 20, 40, 58]
    assert found[19] == ("udnie:0.672,scream:0.328", "hold")
    assert found[20] == ("starry-night", "hold")
    assert found[40] == ("udnie:0.310,scream:0.690", "linear")


@pytest.mark.slow
def test_styles_dissolve_with_their_shots(hand: Hand) -> None:
    """A shot between two dissolves, and then the one behind it, which goes on to the end."""
    keys = hand.desk.window.inspector.panel.keys
    before, behind = Dissolve(10, 14), Dissolve(40, 50)
    keys.hold(before, behind, "scream", "udnie")
    between = {9: ("udnie", "linear"), 14: ("scream", "hold"), 39: ("scream", "linear")}
    assert styles(hand.desk) == {**between, 50: ("udnie", "hold")}
    assert hand.desk.window.session.style_at(11) == "udnie:0.600,scream:0.400"
    keys.hold(behind, None, "starry-night", "udnie")
    assert styles(hand.desk) == {**between, 50: ("starry-night", "hold")}
    keys.hold(before, behind, "dusk", "udnie")
    assert styles(hand.desk) == {
        **{at: (name.replace("scream", "dusk"), ease) for at, (name, ease) in between.items()},
        50: ("starry-night", "hold"),
    }
    keys.hold(Dissolve(0, 0), before, "scream", "udnie")
    assert styles(hand.desk)[9] == ("scream", "linear")
    assert styles(hand.desk)[14] == ("dusk", "hold")


@pytest.mark.slow
def test_keys_wait_while_another_network_is_in_use(hand: Hand) -> None:
    desk = hand.desk
    hand.click(desk.window.inspector.style_keys.button)
    choose(desk, "ink")
    desk.wait_style("ink")
    assert styles(desk) == {}
    assert not desk.window.transport.strip.places
    assert not desk.window.inspector.style_keys.button.isEnabled()
    desk.window.inspector.panel.keys.set("strength", 0.5)
    go(desk, 16)
    choose(desk, "scream")
    desk.wait_style("scream")
    assert styles(desk) == {0: ("udnie", "linear"), 16: ("scream", "linear")}


@pytest.mark.slow
def test_a_tile_after_no_style_is_what_is_seen(hand: Hand) -> None:
    """Though keys of the style are there again: they have one more. Where each shot has its own, that shot has it."""
    desk = hand.desk
    hand.click(desk.window.inspector.style_keys.button)
    hand.key("0")
    desk.wait_style("none")
    plain = desk.wait_still()
    choose(desk, "scream")
    desk.wait_style("scream")
    assert styles(desk) == {0: ("scream", "linear")}
    assert not alike(desk.wait_still(), plain)
    assert desk.window.session.choice.style.name == "scream"
    assert marked(desk) == "scream"
    hand.key("0")
    desk.wait_style("none")
    hand.key("k", CTRL)
    go(desk, 27)
    choose(desk, "dusk")
    desk.wait(lambda: styles(desk).get(20) == ("dusk", "hold"), "the shot")


@pytest.mark.slow
def test_shots_chosen_one_after_the_other_all_get_their_style(hand: Hand) -> None:
    """The second while the first is still looked for, and a third one for the same shot."""
    desk = hand.desk
    hand.key("k", CTRL)
    go(desk, 27)
    choose(desk, "scream")
    assert desk.window.notes.word == "Looking for the shot…"
    with desk.held():
        desk.window.player.seek(Position(Fraction(59), "frame"))
        choose(desk, "starry-night")
        choose(desk, "dusk")
    desk.wait(lambda: styles(desk).get(40) == ("dusk", "hold"), "the last shot")
    assert styles(desk) == {0: ("udnie", "hold"), 20: ("scream", "hold"), 40: ("dusk", "hold")}
    desk.wait(lambda: desk.window.notes.word == "", "the end of the search")
    go(desk, 27)
    choose(desk, "night-cafe")
    desk.window.actions_["style-everywhere"].trigger()  # while its shot is looked for
    assert styles(desk) == {}
    choose(desk, "tahiti")
    desk.wait(lambda: styles(desk).get(20) == ("tahiti", "hold"), "the next choice")
    assert "night-cafe" not in str(styles(desk))


@pytest.mark.slow
def test_copied_keys_of_a_style_wait_for_one_that_has_the_painting(hand: Hand) -> None:
    desk = hand.desk
    window, strip = desk.window, desk.window.transport.strip
    hand.click(window.inspector.style_keys.button)
    before = styles(desk)
    assert list(before) == [0]
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key("c", CTRL)
    go(desk, 20)
    hand.key("v", CTRL)
    assert styles(desk) == before | {20: before[0]}
    step(desk)
    window.session.use_style("ink")
    desk.wait_style("ink")
    go(desk, 30)
    window.inspector.panel.keys.paste()
    assert styles(desk) == {}
    window.session.use_style("udnie")
    desk.wait_style("udnie")
    assert styles(desk) == before | {20: before[0]}


@pytest.mark.slow
def test_films_that_are_added_are_painted_as_the_frame_on_the_screen(hand: Hand) -> None:
    desk = hand.desk
    hand.click(desk.window.inspector.style_keys.button)
    go(desk, 16)
    choose(desk, "scream")
    desk.settle()
    added = desk.window.exporting.spec("another.mp4", "out.mp4")
    assert (added.style.name, added.keys) == ("scream", ())
    go(desk, 8)
    added = desk.window.exporting.spec("another.mp4", "out.mp4")
    assert (added.style.name, added.keys) == ("udnie:0.500,scream:0.500", ())
    desk.window.exporting.ask()
    dialog = desk.window.findChild(ExportDialog)
    assert dialog is not None
    assert "Udnie / Scream" in dialog.summary
    dialog.close()
