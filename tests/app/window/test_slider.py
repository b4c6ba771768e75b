"""The way of a slider: from the panel to the repainted frame."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from framebrush.gpu.look import Look
from framebrush.jobs.recipe import HoldsRecipe, Recipe
from framebrush.window.look.look_panel import LookPanel
from tests.app.window.conftest import Desk
from tests.hops import Hops

pytestmark = pytest.mark.media

SLIDERS = pytest.mark.parametrize(("style", "name"), [("starry-night", "relief"), ("ink", "strength")])
MOST_LOOKS, MOST_HOPS = 3, 12


def opened(folder: Path, style: str) -> Desk:
    desk = Desk(folder, style=style)
    desk.open("cfr.mp4")
    desk.wait_style(style)
    desk.rest(1.0)
    desk.settle()
    return desk


def move(desk: Desk, name: str) -> None:
    panel = desk.window.findChild(LookPanel)
    assert isinstance(panel, LookPanel)
    slider = panel.sliders[name].slider
    slider.setValue(slider.value() - 7)


@pytest.mark.slow
@SLIDERS
def test_a_move_builds_three_looks_at_most(
    style: str, name: str, tmp_path: Path, application: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = opened(tmp_path, style)
    built: list[str] = []
    check = Look.__post_init__

    def note(look: Look) -> None:
        built.append("".join(traceback.format_stack(limit=8)))
        check(look)

    monkeypatch.setattr(Look, "__post_init__", note)
    move(desk, name)
    desk.settle()
    desk.rest(1.0)  # with whatever waits for a moment of rest
    assert 1 <= len(built) <= MOST_LOOKS, "\n".join(built)
    desk.close()


@pytest.mark.slow
@SLIDERS
def test_a_move_takes_few_hops_to_the_repainted_frame(
    style: str, name: str, tmp_path: Path, application: QApplication
) -> None:
    desk = opened(tmp_path, style)
    sent, painted = (Hops(Look, Recipe, HoldsRecipe, until=end) for end in ("post", "_show"))
    desk.window.player.commands.post(painted.watch)
    sent.watch()
    sent.on = painted.on = True
    move(desk, name)
    sys.setprofile(None)
    desk.wait(lambda: not painted.on, "the frame")
    desk.window.player.commands.post(lambda: sys.setprofile(None))
    desk.settle()
    hops = sent.found | painted.found
    assert 8 <= len(hops) <= MOST_HOPS, "\n".join(hops)
    desk.close()
