"""Every part is known with a licence and its text."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import av
import pytest

from framebrush import licences
from framebrush.cli import run
from tools import sources

pytestmark = pytest.mark.unit

TEXTS = Path(licences.__file__).with_name("texts")


@pytest.mark.parametrize("bundled", [False, True])
def test_every_part_has_a_licence_a_source_and_a_text(bundled: bool) -> None:
    parts = licences.components(bundled)
    assert parts[0].name == "framebrush"
    for part in parts[1:]:
        assert part.licence, part.name
        assert part.source.startswith("http"), part.name
        own_terms = part.licence.startswith("LicenseRef-Microsoft-Visual")
        assert own_terms or sum(map(len, part.texts)) > 200, part.name


def test_every_library_in_pyav_is_known() -> None:
    """A new version of a wheel may bring a library that nobody looked at."""
    folder = Path(str(importlib.metadata.distribution("av").locate_file("av.libs")))
    if not folder.is_dir():
        pytest.skip("this PyAV brings no libraries")
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    patterns = [entry["file"] for entry in entries if entry["inside"] == "av"]
    family = ("avdevice", "avfilter", "avformat", "avutil", "swresample", "swscale")  # FFmpeg's own
    beside = ("libXau", "libhogweed", "libsharpyuv", "libgcc", ".load-order")  # of the parts that are listed
    known = {path for pattern in patterns for path in folder.parent.glob(pattern)}
    unknown = [path.name for path in folder.iterdir() if path not in known]
    assert [name for name in unknown if not any(part in name for part in (*family, *beside))] == []


def test_x264_and_x265_are_named_where_they_are() -> None:
    """They decide the licence of what they are bundled with (docs/licences.md)."""
    names = {part.name for part in licences.components()}
    assert {"FFmpeg", "x264", "x265"} <= names
    bundled = {part.name for part in licences.components(bundled=True)}
    assert ("x264" in bundled) is (sys.platform != "win32")
    assert {"Python", "OpenSSL"} <= bundled - names


def test_what_compiles_for_the_processor_is_named() -> None:
    parts = {part.name: part for part in licences.components()}
    assert {"numba", "llvmlite"} <= parts.keys()
    assert parts["numba"].licence == "BSD-2-Clause"
    assert parts["LLVM"].licence == "Apache-2.0 WITH LLVM-exception"
    assert "LLVM Exceptions to the Apache 2.0 License" in "\n".join(parts["LLVM"].texts)


def test_qt_has_the_free_licence_and_not_the_commercial_one() -> None:
    pytest.importorskip("PySide6")
    qt = next(part for part in licences.components() if part.name.lower().startswith("pyside6"))
    text = "\n".join(qt.texts)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "commercial" not in text[:300].lower()


def test_no_text_lies_about_unused() -> None:
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    used = {name for entry in entries for name in entry["texts"]}
    assert {path.stem for path in TEXTS.iterdir()} == used


def test_the_bill_of_materials_is_cyclonedx(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["licences", "--sbom"]) == 0
    bill = json.loads(capsys.readouterr().out)
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    references = [part["bom-ref"] for part in bill["components"]]
    assert len(references) == len(set(references)) > 25
    assert set(bill["dependencies"][0]["dependsOn"]) == set(references)
    assert bill["dependencies"][0]["ref"] == bill["metadata"]["component"]["bom-ref"]
    numpy = next(part for part in bill["components"] if part["name"] == "numpy")
    assert numpy["purl"] == f"pkg:pypi/numpy@{importlib.metadata.version('numpy')}"


def test_what_is_native_has_a_version_and_an_address() -> None:
    bill = licences.bill_of_materials(bundled=True)
    parts = {part["name"]: part for part in bill["components"]}
    assert all(part["purl"].startswith(("pkg:pypi/", "pkg:generic/")) for part in parts.values())
    for name in ("FFmpeg", "libvpx", "Opus", "dav1d", "SVT-AV1", "GnuTLS", "Python", "OpenSSL", "Expat"):
        if name in parts:
            assert parts[name]["purl"].endswith(f"@{parts[name]['version']}"), name
    if sys.platform == "linux":  # where all wheels tell, or were looked up
        inside = (
            "HarfBuzz",
            "libdrm",
            "libxcb",
            "libXau",
            "Intel VPL",
            "OpenCORE AMR",
            "libpng",
            "libjpeg-turbo",
            "PCRE2",
            "ICU",
        )
        for name in inside:
            assert re.fullmatch(r"[0-9][0-9.]*(-[0-9].*)?", parts[name]["version"]), parts[name]
    assert parts["FFmpeg"]["purl"] == f"pkg:generic/ffmpeg@{av.ffmpeg_version_info}"
    assert parts["Python"]["version"] == platform.python_version()
    if "Qt" in parts:
        assert parts["Qt"]["version"] == importlib.metadata.version("PySide6-Essentials")


def test_versions_are_those_of_the_sources_of_a_release() -> None:
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    listed = {part: source.version for source in reversed(sources.listed()) for part in source.parts}
    pinned = sources.pins()["av"]
    said = {
        entry["name"]: entry["versions"][pinned] for entry in entries if "versions" in entry and entry["inside"] == "av"
    }
    assert len(said) > 10
    assert {name: version for name, version in said.items() if name in listed} == {
        name: listed[name] for name in said if name in listed
    }


def test_the_licences_are_printed_each_text_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["licences"]) == 0
    out = capsys.readouterr().out
    assert out.count("GNU LESSER GENERAL PUBLIC LICENSE\n                       Version 3") == 1
    assert f"FFmpeg {av.ffmpeg_version_info}: LGPL-3.0-or-later" in out


@pytest.mark.slow
def test_letters_that_a_pipe_does_not_have_lose_nothing_else() -> None:
    command = [sys.executable, "-m", "framebrush", "licences"]
    environment = {**os.environ, "PYTHONIOENCODING": "cp1251", "PYTHONUTF8": "0"}
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60)
    assert done.returncode == 0
    text = done.stdout.decode("cp1251")
    assert "Niels M?ller" in text
    assert len(text) > 100_000
