"""Every part is known with a licence and its text."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import av
import pytest

from framebrush import licences
from framebrush.cli.command_line import run
from framebrush.licences import PIECE_BYTES, said_in
from tools import source_archives
from tools.dev import ROOT

pytestmark = pytest.mark.unit

RUNTIME = "onnxruntime-directml" if sys.platform == "win32" else "onnxruntime"
TEXTS = Path(licences.__file__).with_name("texts")

components = cache(licences.components)
bill_of_materials = cache(licences.bill_of_materials)
said_in = cache(said_in)  # looks through hundreds of megabytes


@pytest.fixture(autouse=True)
def libraries_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """By those tests, too, that change something else."""
    monkeypatch.setattr(licences, "said_in", said_in)


@pytest.mark.slow
@pytest.mark.parametrize("bundled", [False, True])
def test_every_part_has_a_licence_a_source_and_a_text(bundled: bool) -> None:
    parts = components(bundled=bundled)
    assert parts[0].name == "framebrush"
    for part in parts[1:]:
        assert part.licence, part.name
        assert part.source.startswith("http"), part.name
        own_terms = part.licence.startswith("LicenseRef-Microsoft-Visual")
        assert own_terms or sum(map(len, part.texts)) > 200, part.name


def test_what_the_program_brings_along_is_where_the_list_says() -> None:
    """An installed wheel names its own parts by these files; kernels are built."""
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    files = {entry["name"]: entry["file"] for entry in entries if entry["inside"] == "framebrush"}
    packages = {"framebrush/gpu": "gpu", "framebrush/models": "models", "framebrush": "app"}
    for name, file in files.items():
        package = next(one for one in packages if file.startswith(f"{one}/"))
        assert "kernels" in file or (ROOT / packages[package] / file.removeprefix(f"{package}/")).is_file(), name
    assert any("VGG16" in name for name in files)


BESIDE = {
    "av": "avdevice avfilter avformat avutil swresample swscale libXau libhogweed libsharpyuv libgcc .load-order msvcp",
    "numpy": "libgcc .load-order msvcp",
    "pillow": "libfreetype libharfbuzz libavif libjpeg liblcms2 libopenjp2 libtiff libwebp libsharpyuv",
}
"""Of parts that are listed by another file."""


@pytest.mark.parametrize("package", BESIDE)
def test_every_library_in_a_wheel_is_known(package: str) -> None:
    """A new version of a wheel may bring a library that nobody looked at."""
    folder = Path(str(importlib.metadata.distribution(package).locate_file(f"{package}.libs")))
    if not folder.is_dir():
        pytest.skip("this wheel brings no libraries")
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    patterns = [entry["file"] for entry in entries if entry["inside"] == package]
    known = {path for pattern in patterns for path in folder.parent.glob(pattern)}
    unknown = [path.name for path in folder.iterdir() if path not in known]
    assert [name for name in unknown if not any(part in name for part in BESIDE[package].split())] == []


@pytest.mark.slow
def test_a_bundle_has_of_pillow_what_profiles_need() -> None:
    """The bundle's spec omits Pillow's format readers and their libraries."""
    apart = [
        {part.name for part in components(bundled=bundled) if part.inside == "pillow"} for bundled in (False, True)
    ]
    assert {"Little CMS", "LibTIFF", "libjpeg-turbo", "OpenJPEG"} <= apart[1]
    assert {"FreeType", "libwebp", "libpng"} & apart[1] == set()
    assert {"FreeType", "libwebp"} <= apart[0]


@pytest.mark.slow
def test_x264_and_x265_are_named_where_they_are() -> None:
    """Their licence is the bundle's licence, too (docs/licences.md)."""
    names = {part.name for part in components(bundled=False)}
    assert {"FFmpeg", "x264", "x265"} <= names
    bundled = {part.name for part in components(bundled=True)}
    assert ("x264" in bundled) is (sys.platform != "win32")
    assert {"Python", "OpenSSL"} <= bundled - names


def test_what_numpy_and_onnx_runtime_bring_along_is_named() -> None:
    """By the texts that their own licence files give it."""
    parts = {part.name: part for part in components(bundled=True)}
    assert {"OpenBLAS", "LAPACK", "libgfortran", "Abseil", "Eigen", "RE2"} <= parts.keys()
    assert ("libquadmath" in parts) is (sys.platform != "win32")
    for name in ("OpenBLAS", "libgfortran", "Abseil", *(["libquadmath"] if sys.platform != "win32" else [])):
        assert parts[name].version, name
    own = {
        package: "\n".join(" ".join(text.split()) for text in parts[package].texts) for package in ("numpy", RUNTIME)
    }
    for name, package in {"LAPACK": "numpy", "Eigen": RUNTIME}.items():
        assert all(" ".join(text.split())[:2000] in own[package] for text in parts[name].texts[1:]), name


@pytest.mark.slow
def test_another_onnxruntime_in_its_place_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = tmp_path / "onnxruntime_windowsml-1.30.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.4\nName: onnxruntime-windowsml\nVersion: 1.30.0\n")
    (facts / "top_level.txt").write_text("onnxruntime\n")
    library = tmp_path / "onnxruntime" / "capi" / "DirectML.dll"
    library.parent.mkdir(parents=True)
    library.write_bytes("\0Version\0\0".encode("utf-16-le") + "1.15.4\0".encode("utf-16-le"))
    monkeypatch.syspath_prepend(tmp_path)
    found = {(part.name, part.version): part.licence for part in licences.components()}
    assert found["onnxruntime-windowsml", "1.30.0"] == "MIT"
    assert found["DirectML", "1.15.4"] == "LicenseRef-Microsoft-DirectML"


def test_qt_has_the_free_licence_and_not_the_commercial_one() -> None:
    pytest.importorskip("PySide6")
    qt = next(part for part in components(bundled=False) if part.name.lower().startswith("pyside6"))
    text = "\n".join(qt.texts)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in text
    assert "commercial" not in text[:300].lower()


def test_no_text_lies_about_unused() -> None:
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    used = {name for entry in entries for name in entry["texts"]}
    assert {path.stem for path in TEXTS.iterdir()} == used


@pytest.mark.slow
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


@pytest.mark.slow
def test_what_is_native_has_a_version_and_an_address() -> None:
    bill = bill_of_materials(bundled=True)
    assert all(part["purl"].startswith(("pkg:pypi/", "pkg:generic/")) for part in bill["components"])
    beside = [part for part in bill["components"] if not part["bom-ref"].startswith("pillow/")]  # has some of them, too
    parts = {part["name"]: part for part in beside}
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


@pytest.mark.slow
def test_a_version_that_nobody_tells_is_said_to_be_unknown() -> None:
    bill = bill_of_materials(bundled=True)
    notes = licences.notices(bundled=True)
    unknown = [part for part in bill["components"] if "version" not in part]
    for part in unknown:
        said = {fact["name"]: fact["value"] for fact in part["properties"]}["framebrush:version"]
        assert said.startswith("version not reported by "), part
        assert f"{part['name']} ({said}): " in notes
    if sys.platform == "linux":  # the rest is of the system, or in Qt's libraries, which do not tell
        inside = {part["name"] for part in unknown if part["bom-ref"].startswith("PySide6")}
        assert inside == {"double-conversion", "MD4C"}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="only dpkg knows which package a file is of")
def test_libraries_of_the_system_are_named_by_their_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packages_of = runpy.run_path(str(ROOT / "packaging" / "debian_packages.py"))["packages_of"]
    found = [path for name in ("bz2.so.1.0", "lzma.so.5") for path in Path("/usr/lib").glob(f"*-linux-gnu/lib{name}")]
    assert len(found) == 2
    ours = tmp_path / "libffi.so.8"
    ours.write_bytes(b"built here")
    record = packages_of({path.name: str(path) for path in [*found, ours]})
    assert set(record) == {path.name for path in found}
    monkeypatch.setattr(licences, "SYSTEM", tmp_path / "system.json")
    licences.SYSTEM.write_text(json.dumps(record))
    parts = {part["name"]: part for part in licences.bill_of_materials(bundled=True)["components"]}
    for name, library in (("bzip2", "libbz2.so.1.0"), ("XZ Utils' liblzma", "liblzma.so.5")):
        installed = subprocess.run(
            ["dpkg-query", "-W", "-f", "${Version}", record[library]["package"]], capture_output=True, text=True
        )
        assert parts[name]["version"] == installed.stdout
        assert parts[name]["purl"] == record[library]["purl"]
        assert re.match(rf"pkg:deb/\w+/{record[library]['package']}@[0-9]", parts[name]["purl"])
    assert parts["libffi"]["purl"] == "pkg:generic/libffi"


@pytest.mark.slow
def test_several_packages_of_one_part_are_listed_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(licences, "SYSTEM", tmp_path / "system.json")
    facts = [
        {"package": package, "version": "0.1", "purl": f"pkg:deb/debian/{package}@0.1"}
        for package in ("libxcb-icccm4", "libxcb-cursor0", "libxcb-cursor0")
    ]
    files = ("libxcb-icccm.so.4", "libxcb-cursor.so.0", "libxcb-cursor-more.so.0")
    licences.SYSTEM.write_text(json.dumps(dict(zip(files, facts, strict=True))))
    parts = [part for part in licences.components(bundled=True) if part.name.startswith("XCB libraries")]
    assert [part.name for part in parts] == ["XCB libraries: libxcb-cursor0", "XCB libraries: libxcb-icccm4"]
    assert {part.purl for part in parts} == {fact["purl"] for fact in facts}


def test_versions_are_those_of_the_sources_of_a_release() -> None:
    entries = json.loads(Path(licences.__file__).with_name("components.json").read_text(encoding="utf-8"))
    listed = {part: source.version for source in reversed(source_archives.listed()) for part in source.parts}
    pinned = source_archives.pins()["av"]
    said = {
        entry["name"]: entry["versions"][pinned] for entry in entries if "versions" in entry and entry["inside"] == "av"
    }
    assert len(said) > 10
    assert {name: version for name, version in said.items() if name in listed} == {
        name: listed[name] for name in said if name in listed
    }


@pytest.mark.slow
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


@pytest.mark.parametrize("before", [0, 100, PIECE_BYTES - 9, PIECE_BYTES - 3, PIECE_BYTES, 2 * PIECE_BYTES - 8])
@pytest.mark.parametrize("behind", [0, 5, PIECE_BYTES])
def test_a_version_is_found_wherever_it_lies_in_a_file(before: int, behind: int, tmp_path: Path) -> None:
    (tmp_path / "library").write_bytes(b"x" * before + b"inflate 1.2.13" + b"\0" * (behind > 0) + b"y" * behind)
    assert said_in(tmp_path / "library", rb"inflate (1\.[0-9.]+)") == "1.2.13"
    assert said_in(tmp_path / "library", rb"deflate (1\.[0-9.]+)") == ""
