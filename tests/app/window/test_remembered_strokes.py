"""Settings of strokes: kept under the spelling of their options, as before these were declared."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from framebrush.styles.specs import SizeSpec
from framebrush.window.project.launch import Launch
from framebrush.window.state.window_settings import Settings

pytestmark = pytest.mark.unit


def store(folder: Path, **values: str) -> QSettings:
    made = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    for name, value in values.items():
        made.setValue(name.replace("_", "-"), value)
    return made


def test_strokes_of_former_settings_are_read(tmp_path: Path) -> None:
    former = store(tmp_path, stroke="2.5", brush_kind="gouache", brush_mark="/a/mark.png", few_strokes="true")
    assert Settings(former, tmp_path).strokes == SizeSpec(2.5, None, None, "gouache", "/a/mark.png", True)
    unset = store(tmp_path, stroke="auto", brush_kind="None", brush_mark="", few_strokes="false")
    assert Settings(unset, tmp_path).strokes == SizeSpec()


def test_strokes_are_remembered(tmp_path: Path) -> None:
    settings = Settings(store(tmp_path), tmp_path)
    assert settings.strokes == SizeSpec()
    for sizes in (SizeSpec(3.0, brush_kind="oil", few_strokes=True), SizeSpec(brush_mark="/a/mark.png"), SizeSpec()):
        settings.strokes = sizes
        assert settings.strokes == sizes
    settings.strokes = SizeSpec(2.0, "2x", 640, brush_sizes="/a/map.png", mask="alpha")
    assert settings.strokes == SizeSpec(2.0)  # the others belong to a film


def test_strokes_of_the_command_line_come_before_remembered_ones(tmp_path: Path) -> None:
    settings = Settings(store(tmp_path, stroke="2.5"), tmp_path)
    assert Launch().choice(settings).sizes == SizeSpec(2.5)
    assert Launch(sizes=SizeSpec(4.0)).choice(settings).sizes == SizeSpec(4.0)


def test_a_damaged_value_is_the_default_alone(tmp_path: Path) -> None:
    damaged = store(tmp_path, stroke="nan", brush_kind="hammer", few_strokes="perhaps", brush_mark="/a/mark.png")
    assert Settings(damaged, tmp_path).strokes == SizeSpec(brush_mark="/a/mark.png")
    assert Settings(store(tmp_path, stroke="thick"), tmp_path).strokes.stroke == "auto"
