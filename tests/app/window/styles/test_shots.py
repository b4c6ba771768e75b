"""A folder of painted keys as the style in the window: every shot in its own painting, and no weights to mix."""

from __future__ import annotations

from pathlib import Path

import pytest

from framebrush.models.style import PaintedShot
from tests.app.painted.films import SHOT_FRAMES, folder_with_network, two_shots
from tests.app.window.conftest import Desk

pytestmark = pytest.mark.media


@pytest.mark.slow
def test_the_window_paints_with_it_where_it_is(desk: Desk, tmp_path: Path) -> None:
    film = two_shots(tmp_path / "film.mp4")
    keys = folder_with_network(
        tmp_path / "film.keys", film, (PaintedShot(0, "negative"), PaintedShot(SHOT_FRAMES, "copy"))
    )
    window = desk.window
    desk.open(film)
    window.session.use_style(str(keys))
    desk.wait_style(str(keys))
    blue, _, red = desk.wait_still()[..., :3].reshape(-1, 3).mean(0)
    assert blue > red + 20  # the negative of orange
    assert window.inspector.gallery.blend.sliders == []
    assert window.session.paintings == ()
    assert window.session.choice.style.name == str(keys)
    assert list(window.inspector.own_styles.folder) == []
