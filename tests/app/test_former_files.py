"""Files of former versions, in `former`, as those wrote them: version 0.2.0, and for the look the first format."""

from __future__ import annotations

import json
import shutil
import zipfile
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from framebrush.gpu.look import Look
from framebrush.jobs.batch.result_names import NAMES, Names
from framebrush.jobs.look_file import SUFFIX
from framebrush.jobs.project import Project, write_project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.saved_look import read_look, write_look
from framebrush.jobs.spec import DecodeOptions, JobSpec
from framebrush.media.video import Position, TimeRange
from framebrush.media.writing.output_plan import OutputOptions
from framebrush.styles.specs import ColourSpec, SizeSpec, StyleSpec
from framebrush.window.exports.export_queue import ExportQueue, State
from framebrush.window.state.window_settings import Settings

pytestmark = pytest.mark.unit

FORMER = Path(__file__).parent / "former"

LOOK = Look(strength=0.75, keep_colours=True, exposure_ev=-0.5, steady=0.0)

JOB = JobSpec(
    "film.mp4",
    "painted.mkv",
    Recipe(StyleSpec("scream:0.6,udnie:0.4"), LOOK, SizeSpec(2.0, "2x", 4096)),
    TimeRange(Position(Fraction(5, 2), "s"), Position(Fraction(100), "frame")),
    512,
    DecodeOptions("off", "auto", playlists=True, rate=Fraction(24000, 1001)),
    OutputOptions("libx264", 18.0, "slow"),
    "cpu",
    "float32",
    60,
)


def test_a_job() -> None:
    assert JobSpec.from_json((FORMER / "job.json").read_text()) == JOB


def test_formats_that_are_written(tmp_path: Path) -> None:
    """Another number makes files that released versions refuse."""
    look = Recipe(StyleSpec("scream"), LOOK)
    write_look(look, tmp_path / "a.look")
    write_look(look, tmp_path / f"a{SUFFIX}")
    write_project(Project(JOB), tmp_path / "a.project")
    names = Names(tmp_path, "{number}{suffix}", "none")
    names.assign([(tmp_path / "film.mp4", Path())])
    names.save()
    with zipfile.ZipFile(tmp_path / f"a{SUFFIX}") as packed:
        content = json.loads(packed.read("look.json"))
    found = {
        "job": JOB.to_values()["version"],
        "look": json.loads((tmp_path / "a.look").read_text())["framebrush_look"],
        "look in a look file": content["look"]["framebrush_look"],
        "look file": content["framebrush_look_file"],
        "project": json.loads((tmp_path / "a.project").read_text())["framebrush_project"],
        "names of a batch": json.loads((tmp_path / NAMES).read_text())["version"],
    }
    newest = {"job": 1, "look": 2, "look in a look file": 2, "look file": 1, "project": 2, "names of a batch": 1}
    assert found == newest


def test_an_export_list(tmp_path: Path) -> None:
    shutil.copy(FORMER / "exports.json", tmp_path)
    done, running = ExportQueue(tmp_path / "exports.json")
    assert (done.spec, done.state, done.message) == (JOB, State.DONE, "3 frames were lost")
    assert (running.spec.target, running.spec.recipe, running.state) == ("other.mp4", JOB.recipe, State.INTERRUPTED)


def test_settings(tmp_path: Path) -> None:
    shutil.copy(FORMER / "settings.ini", tmp_path)
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat), tmp_path / "data")
    assert (settings.look, settings.style, settings.device) == (LOOK, "scream:0.6,udnie:0.4", "cpu")
    assert (settings.theme, settings.volume, settings.muted, settings.ten_bits) == ("dark", 0.5, True, True)
    assert settings.quality == {"libx264": 21}
    assert (settings.strokes, settings.colours) == (SizeSpec(), ColourSpec())


def test_a_look(tmp_path: Path) -> None:
    shutil.copy(FORMER / "look.json", tmp_path)
    look = read_look(tmp_path / "look.json")
    own, mark, sizes, lut = (str(tmp_path / name) for name in ("own.onnx", "mark.png", "sizes.mp4", "warm.cube"))
    assert look == Recipe(
        StyleSpec(f"scream:0.6,{own}:0.4"),
        Look(strength=0.75, exposure_ev=-0.5, relief=0.25, lamp_degrees=60),
        SizeSpec(2.0, brush_kind="gouache", brush_mark=mark, few_strokes=True, brush_sizes=sizes),
        ColourSpec("film", lut=lut, lut_first=True),
    )
    write_look(look, tmp_path / "again.json")
    assert read_look(tmp_path / "again.json") == look
