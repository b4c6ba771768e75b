"""Findings of `framebrush doctor`, and information that it must not reveal."""

from __future__ import annotations

import io
import json
import os
import platform
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from rich.console import Console

from framebrush import window
from framebrush.cli.command_line import run
from framebrush.gpu.cpu import device as cpu
from framebrush.gpu.device import BACKENDS, Backend
from framebrush.gpu.errors import AbsentError, DeviceError
from framebrush.gpu.frame import DeviceFrame, Frame
from framebrush.gpu.look import Look
from framebrush.gpu.reference import device as reference
from framebrush.gpu.reference.device import ReferenceStylizer
from framebrush.gpu.settings import EngineName, Settings
from framebrush.gpu.stylizer import Ticket
from framebrush.gpu.webgpu import adapters
from framebrush.machine import doctor
from framebrush.machine.doctor import CHECKS, Answer, Report, State, examine
from framebrush.machine.window_needs import why_no_window
from framebrush.media.reading import source
from framebrush.media.reading.source import Source
from framebrush.models import library as models_library
from tests.app import crashing

pytestmark = pytest.mark.media

SINGLE = ("directml-no-metacommands", "directml-no-fusion", "directml-no-arena")


@pytest.mark.slow
def test_json_says_what_support_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == 0
    text = capsys.readouterr().out
    report = json.loads(text)
    assert report["format"] == doctor.FORMAT
    assert report["healthy"] is True
    assert report["bundled"] is False
    assert {"framebrush", "av", "numpy", "onnx"} <= report["packages"].keys()
    assert [check["name"] for check in report["checks"]] == list(CHECKS)
    found = {check["name"]: check for check in report["checks"]}
    assert {"name": "libsvtav1", "problem": None} in found["encoders"]["details"]
    assert any(one.get("kind") == "cpu" and "problem" not in one for one in found["devices"]["details"])
    painted = {one["kind"]: one for one in found["self-test"]["details"]}
    assert set(painted["cpu"]["largest_difference_codes"]) == {"painting", "steadying and detail"}
    assert max(painted["cpu"]["largest_difference_codes"].values()) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["doctor"], ["doctor", "--json"]])
def test_nothing_names_the_person_or_the_computer(arguments: list[str], tmp_path: Path) -> None:
    """The home folder has a telling name; the path of a damaged style in it is in a report."""
    home = tmp_path / "jane-doe-7"
    library = home / "library"
    shutil.copytree(Path(models_library.__file__).parent, library, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    (library / "ink.onnx").write_bytes(b"damaged")
    code = f"""
import sys
from pathlib import Path
import framebrush.models.library as library
library.FOLDER = Path({str(library)!r})
from framebrush.cli.command_line import run
sys.exit(run({arguments!r}))
"""
    names = dict.fromkeys(("HOME", "USERPROFILE"), str(home)) | dict.fromkeys(
        ("USER", "LOGNAME", "USERNAME"), home.name
    )
    environment = {**os.environ, **names, "COLUMNS": "200"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stderr
    said = done.stdout + done.stderr
    assert "library" in said.replace("\\\\", "/").replace("\\", "/").partition("~/")[2], said
    assert home.name not in said
    assert len(socket.gethostname()) < 6 or socket.gethostname() not in said


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["doctor"], ["doctor", "--json"]])
def test_a_driver_that_ends_the_process_leaves_a_sentence_and_the_checks_before(
    arguments: list[str], tmp_path: Path
) -> None:
    aborting = crashing.environment(tmp_path, "_hardware_decoders")
    command = [sys.executable, "-m", "framebrush", *arguments]
    done = subprocess.run(command, env=aborting, capture_output=True, encoding="utf-8", timeout=240, check=False)
    assert done.returncode == 1
    is_json = "--json" in arguments
    where = "one of the checks (without --json, see which)" if is_json else "the check after the last one above"
    *_, said = done.stderr.splitlines()
    assert said.startswith(f"framebrush: {where} could not be made: its process ")
    before = list(CHECKS)[: list(CHECKS).index("decoders")]
    printed = [line for line in done.stdout.splitlines() if line.startswith(("ok  ", "warn", "FAIL"))]
    assert [line.split()[1] for line in printed] == ([] if is_json else [f"{name}:" for name in before])


def test_a_home_folder_is_written_as_a_tilde() -> None:
    home = Path.home()
    said = Answer(f"{home / 'videos' / 'a.mp4'}: no", [{"problem": f"see {home}", "other": f"{home}-else"}])
    as_json = Report({}, {"x": said}).as_json()["checks"][0]
    assert as_json["says"] == f"{Path('~') / 'videos' / 'a.mp4'}: no"
    assert as_json["details"] == [{"problem": "see ~", "other": f"{home}-else"}]


def test_a_check_that_raises_has_failed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> Answer:
        raise OSError("libexample.so.1: cannot open shared object file")

    monkeypatch.setattr(doctor, "CHECKS", {"fine": lambda: Answer("[yes]"), "broken": broken})
    report = examine()
    assert not report.healthy
    assert report.answers["broken"].state is State.FAILED
    assert run(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "FAIL broken: libexample.so.1" in out
    assert "ok   fine: [yes]" in out


class TooBright(ReferenceStylizer):
    """A device that is wrong by ten codes."""

    def fetch(self, ticket: Ticket, into: Frame | None = None) -> Frame:
        made = super().fetch(ticket, into)
        for plane in made.planes:
            plane[:] = np.minimum(plane, 245) + 10
        return made


def with_backend(monkeypatch: pytest.MonkeyPatch, module: Any) -> None:  # noqa: ANN401
    """List the reference as a device of another kind before the CPU, from a module of tests."""

    class Listed(Backend):
        def load(self) -> Any:  # noqa: ANN401
            return module

    cpu = next(backend for backend in BACKENDS if backend.kind == "cpu")
    exact = next(backend for backend in BACKENDS if backend.kind == "reference")
    monkeypatch.setattr("framebrush.gpu.device.BACKENDS", [Listed("odd", "odd"), cpu, exact])
    monkeypatch.setattr(doctor, "BACKENDS", [Listed("odd", "odd"), cpu, exact])


def with_odd_device(
    monkeypatch: pytest.MonkeyPatch, stylizer: type[ReferenceStylizer], choices: tuple[EngineName, ...] = ("auto",)
) -> None:
    class Wrong(reference.ReferenceDevice):
        stylizer_class = stylizer
        engines = choices

    class Module:
        @staticmethod
        def list_devices() -> list[Any]:
            return [replace(reference.list_devices()[0], kind="odd", name="Odd One")]

        @staticmethod
        def open_device(info: Any, diagnosis: Any) -> Wrong:  # noqa: ANN401
            return Wrong(info)

    with_backend(monkeypatch, Module)
    monkeypatch.setattr(doctor, "TEST_SIZE", (32, 24))  # the reference takes its time


@pytest.mark.slow
def test_a_device_that_paints_wrongly_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with_odd_device(monkeypatch, TooBright)
    answer = CHECKS["self-test"]()
    assert answer.state is State.WARNING
    wrong = "Odd One is wrong in painting and steadying and detail, by 10 of 255 codes; update its driver"
    assert wrong in answer.says


@pytest.mark.slow
@pytest.mark.parametrize("part", ["steady", "detail"])
def test_a_device_that_is_wrong_in_one_part_is_told_from_one_that_cannot_paint(
    monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    class Without(ReferenceStylizer):
        def submit(
            self,
            frame: Frame | DeviceFrame,
            into: Frame | None = None,
            *,
            place: int | None = None,
            look: Look | None = None,
        ) -> Ticket:
            without = replace(look or self.look, **{part: 0.0})
            return super().submit(frame, into, place=place, look=without)

    with_odd_device(monkeypatch, Without)
    answer = CHECKS["self-test"]()
    assert answer.state is State.WARNING
    assert "Odd One is wrong in steadying and detail, by" in answer.says
    assert answer.details[0]["largest_difference_codes"]["painting"] == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("broken", "advice"),
    [
        (["directml"], "use --engine shader, and --engine directml-no-metacommands for styles that are not bundled"),
        (
            ["directml", "directml-no-metacommands", "directml-no-fusion"],
            "use --engine shader, and --engine directml-no-arena for styles that are not bundled",
        ),
        (
            ["directml", *SINGLE],
            "use --engine shader, and --engine directml-safe for styles that are not bundled",
        ),
        (
            ["directml", *SINGLE, "directml-safe"],
            "use --engine shader, and --device cpu for styles that are not bundled",
        ),
        (["shader"], "use --engine directml"),
        (["shader", "directml"], "use --engine directml-no-metacommands"),
    ],
)
def test_an_engine_that_fails_is_named_with_the_one_that_works(
    monkeypatch: pytest.MonkeyPatch, broken: list[str], advice: str
) -> None:
    class OneFails(ReferenceStylizer):
        def __init__(self, settings: Settings, *given: Any) -> None:  # noqa: ANN401
            if settings.engine in broken:
                raise DeviceError("it is not there")
            super().__init__(settings, *given)

    with_odd_device(monkeypatch, OneFails, get_args(EngineName))
    answer = CHECKS["self-test"]()
    assert answer.state is State.WARNING
    named = [engine for engine in broken if engine in ("shader", "directml")]
    assert answer.says == "; ".join(f"Odd One: {engine} cannot paint: it is not there; {advice}" for engine in named)
    tried = ["shader", "directml", *(SINGLE if "directml" in broken else ())]
    tried += ["directml-safe"] if {*SINGLE} <= {*broken} else []
    states = {engine: "cannot paint: it is not there" if engine in broken else "ok" for engine in tried}
    assert answer.details[0]["engines"] == states


def test_a_missing_driver_is_a_warning_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    class Module:
        @staticmethod
        def list_devices() -> list[Any]:
            raise DeviceError("there is no driver; install one")

    with_backend(monkeypatch, Module)
    answer = CHECKS["devices"]()
    assert answer.state is State.WARNING
    assert "there is no driver; install one" in answer.says
    assert {"kind": "odd", "problem": "there is no driver; install one"} in answer.details


def test_hardware_that_not_every_machine_has_is_no_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    class Module:
        @staticmethod
        def list_devices() -> list[Any]:
            raise AbsentError("no such card")

    with_backend(monkeypatch, Module)
    answer = CHECKS["devices"]()
    assert answer.state is State.OK
    assert answer.says.endswith("; for a graphics card: no such card")
    assert {"kind": "odd", "absent": "no such card"} in answer.details


@pytest.mark.parametrize(
    ("level", "vnni", "said"),
    [
        ("v3", True, "x86-64-v3 no float32 VNNI: twice as fast"),
        ("v2", False, "x86-64-v2 no float32 no VNNI: slower"),
        ("base", True, f"{platform.machine()} no float32 no"),
    ],
)
def test_a_table_says_what_each_device_computes_with(
    monkeypatch: pytest.MonkeyPatch, level: str, vnni: bool, said: str
) -> None:
    monkeypatch.setattr(cpu, "library", lambda: (None, level))
    monkeypatch.setattr(cpu, "has_dot_products", lambda: vnni)
    monkeypatch.setattr(doctor, "CHECKS", {"devices": CHECKS["devices"]})
    console = Console(width=200, file=io.StringIO())
    (answer,) = examine(console).answers.values()
    found = next(one for one in answer.details if one["kind"] == "cpu")
    lines = [" ".join(line.split()) for line in console.file.getvalue().splitlines()]
    assert "device kernels native 16 bits precision int8" in lines
    assert f"{' '.join(found['name'].split())} {said}" in lines
    assert found["arithmetic"]["precision"] == "float32"


@pytest.mark.parametrize("there", [[], ["d3d11va"], ["d3d12va", "cuda"]])
def test_the_hardware_that_decodes_is_said(there: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """As found by decoding with it. What opens here is the processor's own decoder under these names."""
    real = source.open_source

    def opened(path: Path, *, hardware: str) -> Source:
        return replace(real(path), hardware=hardware if hardware in there else None)

    monkeypatch.setattr(source, "open_source", opened)
    answer = CHECKS["decoders"]()
    assert answer.state is State.OK
    said = f"for --hwaccel: {', '.join(there)}" if there else "none for --hwaccel: the processor decodes"
    assert answer.says.endswith(f"; {said}")
    assert {"hwaccel": {kind: kind in there for kind in source.HARDWARE}} in answer.details


def test_without_a_card_it_is_said_what_one_needs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where this program runs on no card it may have nothing that would find one."""
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    monkeypatch.setattr(adapters, "CARDS", tmp_path)
    kept = [backend for backend in BACKENDS if backend.kind in ("webgpu", "cpu")]
    monkeypatch.setattr("framebrush.gpu.device.BACKENDS", kept)
    monkeypatch.setattr(doctor, "BACKENDS", kept)
    answer = CHECKS["devices"]()
    assert (answer.state, answer.says.count("cpu ")) == (State.OK, 1)
    assert answer.says.endswith(f"; for a graphics card: WebGPU needs the package wgpu; run: {adapters.INSTALL}")


def test_a_window_that_cannot_be_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PySide6", None)
    answer = CHECKS["window"]()
    assert answer.state is State.WARNING
    assert "pip install 'framebrush[gui]'" in answer.says
    said = why_no_window(ImportError("libGL.so.1: cannot open shared object file"))
    assert "libGL.so.1" in said
    assert ("apt install libgl1" in said) is (sys.platform == "linux")


def test_the_window_program_ends_with_that_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing(*_: object, **__: object) -> int:
        raise ModuleNotFoundError("No module named 'PySide6'")

    monkeypatch.setattr(window, "run", missing)
    monkeypatch.setattr(sys, "argv", ["framebrush-gui"])
    with pytest.raises(SystemExit, match="1"):
        window.work()
    assert capsys.readouterr().err.startswith("framebrush-gui: the window needs Qt")
