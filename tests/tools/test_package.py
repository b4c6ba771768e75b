"""The wheel holds what it needs and nothing else, and works where there is nothing but it."""

import ast
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools import dev, frozen, package

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[2]

needs_uv = pytest.mark.skipif(not (dev.SCRIPTS / "uv").exists(), reason="needs uv in .venv, as `dev.py test` has it")
needs_git = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone")


@needs_uv
@needs_git
def test_the_wheel_works_in_an_empty_environment_outside_the_clone() -> None:
    package.try_wheel("newest")


@needs_git
@pytest.mark.parametrize("name", ["framebrush/gpu/d3d12/shaders/resize.hlsl", "framebrush/models/library/ink.onnx"])
def test_a_file_too_few_or_too_many_is_noticed(tmp_path: Path, name: str) -> None:
    wanted = package.wanted_in_wheel()
    few, many = wanted - {next(one for one in wanted if Path(one).suffix == Path(name).suffix)}, wanted | {"tests/x.py"}
    for files, says in ((few, "lacks"), (many, "has tests/x.py")):
        wheel = tmp_path / "framebrush-0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for file in files:
                archive.writestr(file, b"")
        with pytest.raises(dev.SetupError, match=says):
            package.check_wheel(wheel)


def test_the_lock_file_pins_everything_by_hash() -> None:
    lines = package.LOCK.read_text(encoding="utf-8").splitlines()
    pinned = {line.split("==")[0] for line in lines if line and not line.startswith((" ", "#"))}
    assert {"av", "numpy", "onnx", "onnxruntime", "onnxruntime-directml", "pyinstaller", "pyside6-essentials"} <= pinned
    hashes = [line for line in lines if "--hash=sha256:" in line]
    assert len(hashes) > len(pinned)
    assert not [line for line in lines if "://" in line]


@pytest.mark.parametrize("module", [package, frozen])
def test_any_python_3_8_gets_far_enough_to_be_told_that_it_is_too_old(module: object) -> None:
    ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"), feature_version=(3, 8))  # type: ignore[attr-defined]


def test_what_the_uninstaller_deletes_is_what_is_installed(tmp_path: Path) -> None:
    for name in ("framebrush.exe", "_internal/a/b.dll", "_internal/c.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert frozen.removal_list(tmp_path).splitlines() == [
        'Delete "$INSTDIR\\_internal\\a\\b.dll"',
        'Delete "$INSTDIR\\_internal\\c.txt"',
        'Delete "$INSTDIR\\framebrush.exe"',
        'RMDir "$INSTDIR\\_internal\\a"',
        'RMDir "$INSTDIR\\_internal"',
    ]


def test_a_zip_is_the_same_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "framebrush"
    folder.mkdir()
    for name in ("b", "a"):
        (folder / name).write_text(name)
    frozen.zip_folder(folder, tmp_path / "1.zip")
    os.utime(folder / "a", (1e9, 1e9))
    frozen.zip_folder(folder, tmp_path / "2.zip")
    assert (tmp_path / "1.zip").read_bytes() == (tmp_path / "2.zip").read_bytes()


@pytest.mark.parametrize(
    ("text", "numbers"), [("0.2.0", (0, 2, 0, 0)), ("1.4", (1, 4, 0, 0)), ("2.0.1rc1", (2, 0, 0, 0))]
)
def test_versions_as_windows_counts_them(
    monkeypatch: pytest.MonkeyPatch, text: str, numbers: tuple[int, int, int, int]
) -> None:
    monkeypatch.setattr(frozen, "version", lambda: text)
    assert frozen.four_numbers() == numbers
    assert repr(numbers) in frozen.version_resource()


@pytest.mark.parametrize("module", ["framebrush.models.worker", "framebrush.window.export_worker"])
def test_the_frozen_program_starts_its_own_modules_as_python_does(module: str) -> None:
    """The launcher's part, run by Python."""
    launcher = ROOT / "packaging" / "launcher.py"
    command = [sys.executable, str(launcher), "-P", "-m", module]
    done = subprocess.run(command, input="{", capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert "JSON" in done.stderr + done.stdout


def test_the_frozen_program_starts_no_other_modules() -> None:
    launcher = ROOT / "packaging" / "launcher.py"
    command = [sys.executable, str(launcher), "-P", "-m", "this"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert "Zen" not in done.stdout


@pytest.mark.skipif(shutil.which("makensis") is None, reason="needs makensis")
def test_the_installer_script_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "framebrush.exe").write_bytes(b"")
    (tmp_path / "files.nsh").write_text(frozen.removal_list(tmp_path / "folder"))
    frozen.pack(tmp_path / "folder", tmp_path / "files.nsh", tmp_path / "setup.exe")
    assert (tmp_path / "setup.exe").read_bytes()[:2] == b"MZ"


def test_the_manifest_for_winget_names_this_installer(tmp_path: Path) -> None:
    setup = tmp_path / "framebrush-1.2.3-windows-x64-setup.exe"
    setup.write_bytes(b"setup")
    frozen.winget_manifest(setup, "https://example.org/download/", tmp_path / "winget")
    text = (tmp_path / "winget" / "Framebrush.Framebrush.installer.yaml").read_text()
    assert f"InstallerUrl: https://example.org/download/{setup.name}\n" in text
    assert f"InstallerSha256: {hashlib.sha256(b'setup').hexdigest().upper()}\n" in text
    for file in (tmp_path / "winget").iterdir():
        assert f"PackageVersion: {frozen.version()}\n" in file.read_text()
        assert "@" not in file.read_text()


@pytest.mark.parametrize(
    ("tag", "changelog", "says"),
    [("v0.3.0", "## [0.2.0]", "tagged v0.2.0"), ("0.2.0", "## [0.2.0]", "tagged v0.2.0"), ("v0.2.0", "", "CHANGELOG")],
)
def test_a_tag_that_fits_nothing_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tag: str, changelog: str, says: str
) -> None:
    monkeypatch.setattr(frozen, "version", lambda: "0.2.0")
    monkeypatch.setattr(package, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(changelog)
    with pytest.raises(dev.SetupError, match=says):
        package.check_tag(tag)
    (tmp_path / "CHANGELOG.md").write_text("## [0.2.0]")
    package.check_tag("v0.2.0")


def test_what_is_signed_is_what_the_command_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "program.exe"
    program.write_bytes(b"")
    frozen.sign(program)
    assert program.read_bytes() == b""
    signer = tmp_path / "signer.py"
    signer.write_text("import sys; open(sys.argv[1], 'wb').write(b'signed')")
    monkeypatch.setenv("FRAMEBRUSH_SIGN", f"'{Path(sys.executable).as_posix()}' '{signer.as_posix()}'")
    frozen.sign(program)
    assert program.read_bytes() == b"signed"


def test_sums_are_those_of_the_files(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(package, "DIST", tmp_path)
    with pytest.raises(dev.SetupError, match="holds nothing"):
        package.sums()
    (tmp_path / "a.zip").write_bytes(b"a")
    package.sums()
    package.sums()
    assert (tmp_path / "SHA256SUMS").read_text() == f"{hashlib.sha256(b'a').hexdigest()}  a.zip\n"
