"""The window by screen reader alone: text of each control, and the path to an export."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.app.window.conftest import CLIPS
from tests.screen_reader import ENABLED, Node, needs_atspi, reading

pytestmark = [pytest.mark.media, pytest.mark.slow, needs_atspi]

CONTROLS = frozenset(
    {
        *("push button", "button menu", "check box", "radio button", "toggle button", "slider", "spin button", "text"),
        *("combo box", "list", "list item", "page tab", "page tab list", "progress bar", "menu item"),
    }
)
WORDS = re.compile(r"\d+\s?%|\d+[°×]|\d:\d\d|Auto|CRF \d|^0$|\.$")
"""A value as a person says it: with its unit, as a time, or as a sentence that says why there is none."""


def unclear(tree: Node) -> list[str]:
    """Return the controls that a screen reader leaves unnamed, or names by a bare number."""
    found = []
    for node in tree:
        names = node.labels if node.role == "combo box" else [node.name]
        if node.role in CONTROLS and not any(
            name.strip() and (name != node.name or names == [node.name]) for name in names
        ):
            found.append(f"no name: {node.role} {node.name!r} {node.description!r}")
        if (
            node.role == "slider"
            and node.is_(ENABLED)
            and (not WORDS.search(node.description) or node.description == node.name)
        ):
            found.append(f"no words: {node.name!r} {node.description!r}, {node.value}")
    return found


@pytest.mark.parametrize("language", ["en", "de"])
def test_everything_says_what_it_is(tmp_path: Path, language: str) -> None:
    film = tmp_path / "film.mkv"
    film.write_bytes((CLIPS / "extras.mkv").read_bytes())
    settings, compare, exports, start, quality = {
        "en": ("Brush, advanced", "Compare with the source", "Exports", "Export", "Quality"),
        "de": ("Pinsel, erweitert", "Mit Original vergleichen", "Exporte", "Exportieren", "Qualität"),
    }[language]
    with reading(tmp_path, str(film), language=language) as reader:
        reader.wait(lambda node: node.role == "list item", "the gallery")
        tree = reader.tree()
        assert sum(node.role in CONTROLS for node in tree) > 20
        assert unclear(tree) == []
        reader.find("check box", settings).do("Toggle")
        reader.find("check box", compare).do("Toggle")
        assert unclear(reader.tree()) == []
        reader.find("page tab", exports).do("Press")
        assert unclear(reader.tree()) == []
        reader.find("push button", start).do("Press")
        reader.find("slider", quality)
        assert unclear(reader.tree()) == []


def test_from_opening_to_an_export_by_the_tree_alone(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    with reading(tmp_path) as reader:
        reader.find("push button", "Open video…").do("Press")
        reader.find("text", "File name:").write(str(film))
        reader.find("push button", "Open").do("Press")
        reader.wait(lambda node: node.name == "film.mp4 – Framebrush", "the film")
        reader.find("list item", "Great wave").do("Toggle")
        reader.find("push button", "Export").do("Press")
        reader.wait(lambda node: node.role == "dialog" and node.name == "Export", "the dialog")
        reader.find("check box", "Small file").do("Toggle")
        reader.find("text", "Save as").write(str(tmp_path / "heard.mp4"))
        reader.find("push button", "Add to exports").do("Press")
        reader.find("page tab", "Exports").do("Press")
        reader.wait(lambda node: node.name == "heard.mp4", "the card")
        done = reader.wait(lambda node: node.name.startswith("Done"), "the end of the export")
        assert re.fullmatch(r"Done: \d+\.\d kB, in 0:\d\d", done.name)
    (queue,) = tmp_path.rglob("exports*.json")
    (job,) = json.loads(queue.read_text())
    assert job["spec"]["style"]["name"] == "great-wave"
    assert (tmp_path / "heard.mp4").stat().st_size > 0


def test_short_messages_are_said(tmp_path: Path) -> None:
    film = tmp_path / "film.mp4"
    film.write_bytes((CLIPS / "cfr.mp4").read_bytes())
    with reading(tmp_path, str(film)) as reader:
        shot = reader.find("push button", "Screenshot")
        with reader.hearing() as next_heard:
            reader.wait(lambda node: node.name.startswith("film.mp4"), "the film")
            shot.do("Press")
            while not (said := next_heard()).startswith("Saved as"):
                pass
        assert re.search(r"film-\d{6}\.png$", said)
