"""Start of the window: its command, options and remembered state."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from framebrush import window
from framebrush.base import signals, supervision
from framebrush.gpu.look import Look
from framebrush.jobs.recipe import Recipe
from framebrush.machine.window_needs import why_no_window
from framebrush.styles.specs import SOURCE_SIZE, ColourSpec, SizeSpec, StyleSpec
from framebrush.styles.style_names import default_style
from framebrush.window import application
from framebrush.window.project.launch import Launch
from framebrush.window.project.restore_point import RestorePoint
from framebrush.window.state.current_settings import Choice
from framebrush.window.state.window_settings import Settings

pytestmark = pytest.mark.unit

THICK, WARM = SizeSpec(4.0), ColourSpec(palette="film")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Launch, Path | None]]:
    """Note what windows would begin with; each ends with status 3."""
    begun = list[tuple[Launch, Path | None]]()

    def show(launch: Launch, look_file: Path | None) -> int:
        begun.append((launch, look_file))
        return 3

    monkeypatch.setattr(application, "show", show)
    return begun


def test_options_of_the_command_line_reach_the_window(shown: list[tuple[Launch, Path | None]]) -> None:
    look = Path("a.fblook")
    assert window.run("a.mp4", device="cpu", style="ink", sizes=THICK, colours=WARM, look_file=look) == 3
    assert window.run() == 3
    assert shown == [(Launch("cpu", "ink", THICK, WARM, "a.mp4"), look), (Launch(), None)]


@pytest.mark.parametrize(
    ("arguments", "source"),
    [([], None), (["a.mp4"], "a.mp4"), (["a.mp4", "b.mp4"], "a.mp4"), (["-psn_0_1", "a.mp4"], "a.mp4"), (["-x"], None)],
)
def test_the_window_s_process_opens_the_first_file(
    monkeypatch: pytest.MonkeyPatch, shown: list[tuple[Launch, Path | None]], arguments: list[str], source: str | None
) -> None:
    """macOS adds an option."""
    installed = list[bool]()
    monkeypatch.setattr(signals, "install", lambda: installed.append(True))
    monkeypatch.setattr(signals, "added_to_status", supervision.REGULAR)
    monkeypatch.setattr(sys, "argv", ["framebrush-gui", *arguments])
    with pytest.raises(SystemExit) as ended:
        window.work()
    assert ended.value.code == supervision.REGULAR + 3
    assert ([launch.source for launch, _ in shown], installed) == ([source], [True])


def test_a_window_without_qt_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing(_: object) -> int:
        raise ModuleNotFoundError("No module named 'PySide6'")

    monkeypatch.setattr(signals, "install", lambda: None)
    monkeypatch.setattr(window, "run", missing)
    monkeypatch.setattr(sys, "argv", ["framebrush-gui"])
    with pytest.raises(SystemExit) as ended:
        window.work()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith("framebrush-gui: the window needs Qt (No module named 'PySide6'); pip ")
    words = why_no_window(ImportError("libEGL.so.1"))
    assert words.startswith("the window needs a system library (libEGL.so.1)")
    assert ("apt install" in words) == (sys.platform == "linux")


@pytest.mark.parametrize(
    ("status", "said"), [(0, "0"), (4, "4"), (None, "framebrush-gui: the process of the window fell, which most")]
)
def test_the_command_ends_as_the_window_s_process_does(
    monkeypatch: pytest.MonkeyPatch, status: int | None, said: str
) -> None:
    asked = list[object]()

    def supervise(arguments: list[str], program: str) -> int | None:
        asked.extend([arguments, program])
        return status

    monkeypatch.setattr(supervision, "supervise", supervise)
    monkeypatch.setattr(supervision, "death", "fell")
    monkeypatch.setattr(sys, "argv", ["framebrush-gui", "a.mp4"])
    with pytest.raises(SystemExit) as ended:
        window.main()
    assert asked == [["a.mp4"], "framebrush.window.supervised_window"]
    assert str(ended.value.code).startswith(said)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat), tmp_path / "data")
    assert Launch().choice(made) == Choice(recipe=Recipe(StyleSpec(default_style())))
    made.style, made.look, made.strokes = "udnie", Look(relief=0.3), SizeSpec(2.0)
    made.colours, made.device = ColourSpec(second="oil"), "webgpu"
    return made


def test_a_start_has_its_options_and_else_what_is_remembered(settings: Settings) -> None:
    remembered = Recipe(StyleSpec("udnie"), Look(relief=0.3), SizeSpec(2.0), ColourSpec(second="oil"))
    assert Launch().choice(settings) == Choice(recipe=remembered, device="webgpu")
    chosen = replace(remembered, style=StyleSpec("ink"), sizes=THICK, colours=WARM)
    assert Launch("cpu", "ink", THICK, WARM).choice(settings) == Choice(recipe=chosen, device="cpu")
    project = Recipe(StyleSpec("scream"), Look(strength=0.5), SizeSpec(8.0), ColourSpec(lut="a.cube"))
    assert Launch().over(project) == project
    assert Launch("cpu", "ink", THICK, WARM).over(project) == replace(chosen, look=project.look)


@pytest.mark.parametrize(("project", "source"), [("", "a.mp4"), ("a.framebrush", "a.framebrush")])
def test_a_start_after_a_crash_is_on_the_cpu_with_the_former_settings(
    settings: Settings, project: str, source: str
) -> None:
    former = Recipe(StyleSpec("ink"), Look(strength=0.5), THICK, WARM)
    launch = Launch.after_crash(RestorePoint("a.mp4", 7, Choice(recipe=former, device="cuda"), project))
    assert launch.source == source
    assert launch.choice(settings) == Choice(recipe=former, device="cpu")


@pytest.mark.parametrize(
    ("source", "expected"), [(None, False), ("a.framebrush", True), ("A.FRAMEBRUSH", True), ("a.mp4", False)]
)
def test_a_start_knows_whether_it_is_with_a_project(source: str | None, expected: bool) -> None:
    assert Launch(source=source).begins_with((".framebrush",)) is expected
    assert Launch().sizes == SOURCE_SIZE
