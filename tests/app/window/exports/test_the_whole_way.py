"""From the start page to a queued export: in a few clicks, and by keys alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget

from framebrush.window.exports.export_dialog import ExportDialog
from framebrush.window.exports.export_queue import State
from tests.app.window.conftest import CLIPS, Desk
from tests.app.window.hand import Hand

pytestmark = pytest.mark.media

MOST_CLICKS = 5


class Counting(Hand):
    """Counts its clicks."""

    clicks = 0

    def click(
        self, widget: QWidget, at: QPoint | None = None, button: Qt.MouseButton = Qt.MouseButton.LeftButton
    ) -> None:
        self.clicks += 1
        super().click(widget, at, button)


@pytest.fixture
def desk(application: QApplication, tmp_path: Path) -> Iterator[Desk]:
    """A window in which films were opened before; of a person who has never exported one."""
    (tmp_path / "film.mp4").write_bytes((CLIPS / "cfr.mp4").read_bytes())
    made = Desk(tmp_path, size=(1280, 800))
    made.open(tmp_path / "film.mp4")
    made.window.player.close_video()
    made.wait(lambda: made.window.session.opened is None, "the end of the film")
    made.wait(lambda: len(made.window.inspector.gallery.names) > 5, "the gallery")
    made.wait(lambda: any(each.isVisible() for each in made.window.view.invitation.recent), "what was opened last")
    yield made
    made.close()
    made.wait(lambda: made.exports.is_idle, "the exports' process")


def dialog_of(desk: Desk) -> ExportDialog:
    desk.wait(lambda: bool(desk.window.findChildren(ExportDialog)), "the dialog")
    (dialog,) = desk.window.findChildren(ExportDialog)
    desk.wait(lambda: dialog.isActiveWindow() and dialog.quality.encoder is not None, "its encoder")
    return dialog


def check(desk: Desk) -> None:
    """Check one export for a message in the chosen style, and its card with size and time."""
    (job,) = desk.exports.queue.jobs
    assert (job.spec.style.name, job.spec.output.target_bytes) == ("ink", 25_000_000)
    card = desk.window.export_panel.cards[job.name]
    assert card.visibleRegion().boundingRect().width() > 0
    desk.wait(lambda: job.is_over, "the export")
    assert job.state is State.DONE, job.message
    assert Path(job.spec.target).stat().st_size == job.size_bytes
    assert re.fullmatch(r"Done: \d+\.\d kB, in 0:\d\d", card.state_line.text())
    assert card.show_button.isVisible()


def test_five_clicks(desk: Desk) -> None:
    """On a film, a look, Export, a purpose, and Add."""
    window, hand = desk.window, Counting(desk)
    hand.click(window.view.invitation.recent[0])
    desk.wait(lambda: window.session.opened is not None, "the film")
    tiles = window.inspector.gallery.tiles
    item = tiles.item(window.inspector.gallery.names.index("ink"))
    tiles.scrollToItem(item)
    hand.click(tiles.viewport(), tiles.visualItemRect(item).center())
    assert window.session.choice.style.name == "ink"
    hand.click(hand.button("export"))
    dialog = dialog_of(desk)
    hand.click(dialog.purposes.buttons["message"])
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    hand.click(dialog.add_button)
    assert hand.clicks <= MOST_CLICKS
    check(desk)


@pytest.mark.slow
def test_by_keys_alone(desk: Desk) -> None:
    """Tab, arrows, Space and Return, and no key that somebody must have read about."""
    window, hand = desk.window, Hand(desk)

    def tab_to(widget: QWidget) -> None:
        for _ in range(80):
            if QApplication.focusWidget() is widget:
                return
            hand.key(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not come to {widget.accessibleName() or widget}")

    tab_to(window.view.invitation.recent[0])
    hand.key(Qt.Key.Key_Space)
    desk.wait(lambda: window.session.opened is not None, "the film")
    desk.settle()
    tiles = window.inspector.gallery.tiles
    tab_to(tiles)
    wanted = window.inspector.gallery.names.index("ink")
    for _ in range(2 * tiles.count()):
        if tiles.currentRow() == wanted:
            break
        hand.key(Qt.Key.Key_Right if tiles.currentRow() < wanted else Qt.Key.Key_Left)
    hand.key(Qt.Key.Key_Return)
    desk.wait(lambda: window.session.choice.style.name == "ink", "the style")
    tab_to(hand.button("export"))
    hand.key(Qt.Key.Key_Space)
    dialog = dialog_of(desk)
    tab_to(dialog.purposes.buttons["source"])
    hand.key(Qt.Key.Key_Right)
    assert dialog.purposes.chosen == "message"
    desk.wait(lambda: dialog.quality.encoder is not None, "the encoder")
    hand.key(Qt.Key.Key_Return)
    check(desk)
