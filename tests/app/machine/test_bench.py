"""`framebrush bench`, and the report that it writes for others."""

from __future__ import annotations

import io
import json
import os
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from assets.make_clips import CLIPS
from framebrush.base.json_values import JsonError, to_values
from framebrush.cli.command_line import run
from framebrush.gpu.device import Device, open_device
from framebrush.gpu.look import Look
from framebrush.jobs.still import encoded
from framebrush.machine.bench import Measurement, Stage, printed
from framebrush.machine.bench_report import OWN, BenchReport, Card, Reference, public_name, report_of
from framebrush.machine.doctor import Parity, SelfTest
from framebrush.models.library import bundled

CLIP = CLIPS / "cfr.mp4"
FAKE = Measurement(
    (160, 96),
    (80, 48),
    (160, 96),
    "yuv420p",
    Look(),
    "libx264",
    20,
    (Stage("decode", 1.0, 1.0), Stage("paint", 8.0, 12.0), Stage("encode", 2.0, 7.0), Stage("transcode", 16.0, 20.0)),
)


def test_how_near_the_whole_comes_to_its_parts() -> None:
    assert FAKE.slowest.name == "paint"
    assert FAKE.of_slowest == 0.5
    assert (FAKE.of_cores(2), FAKE.of_cores(4)) == (10 / 16, 8 / 16)
    assert FAKE.transcode.fps == 62.5


def test_a_measurement_is_printed_with_its_bounds() -> None:
    out = io.StringIO()
    timed = replace(FAKE, device_ms=(("paint", 1.234), ("steady", 0.5)))
    for found, cores in ((timed, 2), (FAKE, 1)):
        printed(found, cores, Console(file=out, width=120))
    lines = [" ".join(line.split()) for line in out.getvalue().splitlines()]
    table = [
        "160x96",
        "stage ms a frame fps processor ms a frame",
        "decode 1.00 1000.0 1.00",
        "paint 8.00 125.0 12.00",
        "encode 2.00 500.0 7.00",
        "transcode 16.00 62.5 20.00",
    ]
    slowest = "transcode against its slowest stage alone (paint): 0.50"
    assert lines == [
        *table,
        "on the device: paint 1.23 ms, steady 0.50 ms",
        slowest,
        "transcode against what 2 cores can do: 0.62",
        *table,
        slowest,
        "transcode against what 1 core can do: 1.25",
    ]


REPORT = BenchReport(
    1,
    "2026-11-23",
    "Linux",
    "x86_64",
    "a processor",
    1,
    "3.12",
    False,
    (("framebrush", "0.2.0"),),
    (),
    Card("cpu", "a processor", "", 0, True, ""),
    Reference("float32", (), True),
    "starry-night",
    (FAKE,),
)


def test_a_report_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(REPORT.to_json(), encoding="utf-8")
    assert BenchReport.read(path) == REPORT
    assert (REPORT.version, replace(REPORT, packages=()).version) == ("0.2.0", "?")
    with pytest.raises(ValueError, match="not JSON compliant"):
        replace(REPORT, measured=(replace(FAKE, device_ms=(("paint", float("nan")),)),)).to_json()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": 2}, "the report's format is 2, this program reads 1; update Framebrush"),
        ({"processors": 0}, "the report says of no processor, or of no measurement"),
        ({"measured": ()}, "the report says of no processor, or of no measurement"),
        ({"measured": (FAKE, replace(FAKE, stages=FAKE.stages[::-1]))}, "other stages than decode, paint, encode"),
        ({"measured": (replace(FAKE, stages=(Stage("decode", 0.0, 1.0), *FAKE.stages[1:])),)}, "that took no time"),
    ],
)
def test_a_report_that_cannot_be_is_refused(changes: dict[str, Any], says: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=says):
        replace(REPORT, **changes)
    path = tmp_path / "r.json"
    values = {name: to_values(value) for name, value in changes.items()}
    path.write_text(json.dumps(json.loads(REPORT.to_json()) | values), encoding="utf-8")
    with pytest.raises(JsonError, match=says):
        BenchReport.read(path)


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000])
def test_what_is_no_report_is_said(content: str, tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(JsonError, match=r"^r\.json is no report: "):
        BenchReport.read(path)


@pytest.mark.slow
@pytest.mark.media
def test_a_report_holds_what_was_measured_and_names_nobody(tmp_path: Path) -> None:
    """Home folder, film and style have telling names here."""
    home = tmp_path / "jane-doe-7"
    home.mkdir()
    shutil.copy(CLIP, home / "wedding.mp4")
    (home / "grandma.png").write_bytes(encoded(np.full((48, 64, 3), (200, 60, 30), np.uint8), "png", "rgb24"))
    names = dict.fromkeys(("HOME", "USERPROFILE"), str(home)) | dict.fromkeys(
        ("USER", "LOGNAME", "USERNAME"), home.name
    )
    options = ["--palette-from", str(home / "wedding.mp4@0"), "--style", str(home / "grandma.png"), "--device", "cpu"]
    command = ["bench", str(home / "wedding.mp4"), "--frames", "20", "--report", str(home / "r.json"), *options]
    code = f"import sys; from framebrush.cli.command_line import run; sys.exit(run({command!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **names}, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    text = (home / "r.json").read_text(encoding="utf-8")
    for secret in (home.name, "wedding", "grandma", str(tmp_path), os.environ.get("USER") or home.name):
        assert secret not in text
    assert len(socket.gethostname()) < 6 or socket.gethostname() not in text
    report = BenchReport.read(home / "r.json")
    assert (report.style, report.device.kind, report.reference.right) == (OWN, "cpu", True)
    assert dict(report.reference.differences).keys() == {"painting", "steadying and detail"}
    (found,) = report.measured
    assert (found.source, found.pix_fmt, found.frames) == ((160, 96), "yuv420p", 20)
    assert f"{found.of_slowest:.2f}" in done.stdout
    whole = (*found.stages[:-1], replace(found.transcode, frame_ms=0.0))
    for stages, why in ((found.stages[1:], "other stages than"), (whole, "a stage that took no time")):
        with pytest.raises(ValueError, match=why):
            replace(report, measured=(replace(found, stages=stages),))


@pytest.mark.parametrize(
    ("style", "name"),
    [
        ("starry-night", "starry-night"),
        ("scream:0.6,udnie:0.4", "scream:0.6,udnie:0.4"),
        ("none", "none"),
        ("mine", OWN),
        ("film.mp4@12.5", OWN),
        (str(bundled()["ink"]), OWN),
    ],
)
def test_names_of_styles_that_may_be_told(style: str, name: str) -> None:
    assert public_name(style) == name


@pytest.mark.slow
def test_a_device_that_paints_wrongly_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    parity = SelfTest.parity

    def wrong(test: SelfTest, device: Device) -> Parity:
        return replace(parity(test, device), differences={"painting": 9}, wrong=["painting"])

    monkeypatch.setattr(SelfTest, "parity", wrong)
    with open_device("cpu") as device:
        report = report_of(device, "starry-night", (FAKE,))
    assert (report.reference.right, report.reference.differences) == (False, (("painting", 9),))
    assert json.loads(report.to_json())["measured"] == to_values((FAKE,))


def test_a_report_that_cannot_be_written_is_known_before_the_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bench", str(CLIP), "--report", str(tmp_path / "nowhere" / "r.json"), "--device", "cpu"]) == 1
    said = capsys.readouterr()
    assert "there is no folder" in said.err
    assert "decode" not in said.out
