"""The wheel: exact contents, and use in an empty environment."""

import ast
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import dev, frozen, package, source_archives

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[2]
SYSTEM = "windows-x86_64"

needs_uv = pytest.mark.skipif(not (dev.SCRIPTS / "uv").exists(), reason="needs uv in .venv, as `dev.py test` has it")
needs_git = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone")


@pytest.mark.long
@pytest.mark.slow
@needs_uv
@needs_git
def test_the_wheel_works_in_an_empty_environment_outside_the_clone() -> None:
    package.try_wheel("newest")


def test_an_environment_of_newer_versions_is_noticed() -> None:
    with pytest.raises(dev.SetupError, match=r"lowest versions are not installed: .*numpy \d"):
        package.check_lowest(package.installed(Path(sys.executable).parent), package.direct(*package.LOWEST))


@pytest.mark.slow
@needs_uv
def test_the_lowest_versions_for_cuda_are_there() -> None:
    wishes = package.direct(*package.CUDA)
    package.check_lowest(package.resolved(wishes), wishes)
    with pytest.raises(dev.SetupError, match=r"onnxruntime-gpu 1\.31\.\d, not 1\.30\.5"):
        package.check_lowest(package.resolved(wishes), ["onnxruntime-gpu[cuda,cudnn]>=1.30.5"])
    with pytest.raises(dev.SetupError, match="cannot be resolved"):
        package.resolved(["cuda-bindings>=13,<13"])


@needs_git
@pytest.mark.parametrize("name", ["framebrush/gpu/d3d12/shaders/resize.hlsl", "framebrush/models/library/ink.onnx"])
def test_a_file_too_few_or_too_many_is_noticed(tmp_path: Path, name: str) -> None:
    wanted = package.wanted_in_wheel(SYSTEM)
    few, many = wanted - {next(one for one in wanted if Path(one).suffix == Path(name).suffix)}, wanted | {"tests/x.py"}
    for files, says in ((few, "lacks"), (many, "has tests/x.py")):
        wheel = tmp_path / "framebrush-0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for file in files:
                archive.writestr(file, b"")
        with pytest.raises(dev.SetupError, match=says):
            package.check_wheel(wheel, SYSTEM)


@needs_git
def test_every_folder_is_a_package_of_the_wheel() -> None:
    """A new one is easily forgotten, and missed only where there is no clone."""
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["packages"]
    modules = [Path(file) for file in package.wanted_in_wheel(SYSTEM) if file.endswith(".py")]
    assert set(listed) == {".".join(module.parent.parts) for module in modules}


def pinned(file: Path) -> dict[str, list[str]]:
    """The packages of a lock file with their versions, which may differ from system to system."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==([^ ;\\]+)", file.read_text(encoding="utf-8"), re.MULTILINE):
        found.setdefault(name, []).append(version)
    return found


@pytest.mark.parametrize("name", package.LOCKS)
def test_a_lock_file_fits_pyproject_and_pins_everything_by_hash(name: str) -> None:
    file, kind = package.PACKAGING / name, package.LOCKS[name]
    head, *lines = file.read_text(encoding="utf-8").splitlines()
    assert f"[{','.join(kind.extras)}], {package.wishes()}." in head, "run `python tools/package.py lock`"
    assert not [line for line in lines if "://" in line]
    pins = [at for at, line in enumerate(lines) if line and not line.startswith((" ", "#"))]
    assert all("==" in lines[at] and "--hash=sha256:" in lines[at + 1] for at in pins)

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [wish for extra in kind.extras for wish in project["optional-dependencies"][extra]]
    versions = pinned(file)
    for wish in map(Requirement, [*project["dependencies"], *extras]):
        found = versions.get(canonicalize_name(wish.name), [])
        assert bool(found) is (wish.name not in kind.absent), wish.name
        assert all(wish.specifier.contains(one) for one in found), f"{wish} and {found}"


def test_a_wish_more_makes_a_lock_file_stale(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    text, before = (ROOT / "pyproject.toml").read_text(encoding="utf-8"), package.wishes()
    monkeypatch.setattr(package, "ROOT", tmp_path)
    (tmp_path / "pyproject.toml").write_text(text.replace('"rich>=13.9"', '"rich>=14"'))
    assert package.wishes() != before
    (tmp_path / "pyproject.toml").write_text(f"{text}\n# other words\n")
    assert package.wishes() == before


@pytest.mark.parametrize("module", [package, frozen, source_archives])
def test_any_python_3_8_gets_far_enough_to_be_told_that_it_is_too_old(module: object) -> None:
    ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"), feature_version=(3, 8))  # type: ignore[attr-defined]


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("gcc") is None, reason="needs Linux and gcc")
def test_portaudio_works_with_the_double_of_jack(tmp_path: Path) -> None:
    """Every imported name exists, and JACK seems not to run."""
    pytest.importorskip("sounddevice")
    (tmp_path / "libjack.so.0").write_bytes(b"")
    frozen.leave_out(tmp_path, "linux")
    code = f"""
import sounddevice
assert {str(tmp_path)!r} in open("/proc/self/maps").read()
print([one["name"] for one in sounddevice.query_hostapis()])
"""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(tmp_path), "LD_BIND_NOW": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "ALSA" in done.stdout
    assert "JACK" not in done.stdout


def test_a_library_that_is_to_be_left_out_and_is_not_there_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(dev.SetupError, match="no libjack"):
        frozen.leave_out(tmp_path, "linux")


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "lacks"),
    [
        ("framebrush.models.reading.network_worker", "KeyError: 'path'"),
        ("framebrush.window.exports.export_worker", "version"),
    ],
)
def test_the_frozen_program_starts_its_own_modules_as_python_does(module: str, lacks: str) -> None:
    """The launcher's part, run by Python."""
    launcher = ROOT / "packaging" / "launcher.py"
    command = [sys.executable, str(launcher), "-P", "-m", module]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("{}\n")  # an order that lacks everything
        process.stdin.flush()
        said = process.stderr.read() + process.stdout.read()
        assert process.wait() == 1
    assert lacks in said


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
    (tmp_path / "CHANGELOG.md").write_text(f"{changelog}\n\n- All.\n")
    with pytest.raises(dev.SetupError, match=says):
        package.check_tag(tag)
    (tmp_path / "CHANGELOG.md").write_text("## [0.2.0]\n\n## [0.1.0]\n\n- All.\n")
    with pytest.raises(dev.SetupError, match="CHANGELOG"):
        package.check_tag("v0.2.0")
    (tmp_path / "CHANGELOG.md").write_text("## [0.2.0] - today\n\n- All.\n")
    package.check_tag("v0.2.0")


def test_a_release_says_what_is_new_and_where_sources_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(frozen, "version", lambda: "0.2.0")
    monkeypatch.setattr(package, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## [0.2.0] - today\n\n- New.\n\n## [0.1.0]\n\n- Old.\n")
    text = package.notes()
    assert text.startswith("- New.\n\n### Sources")
    assert "Old" not in text
    assert "`framebrush-0.2.0-sources.tar`" in text


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


def test_the_uninstaller_knows_every_cache() -> None:
    sources = [
        path.read_text(encoding="utf-8") for folder in package.PACKAGES for path in (ROOT / folder).rglob("*.py")
    ]
    named = {name for source in sources for name in re.findall(r'\bcache_folder\("(\w+)"\)', source)}
    installer = (ROOT / "packaging" / "installer.nsi").read_text(encoding="utf-8")
    assert {"kernels", "recent"} <= named
    removed = set(re.findall(r'RMDir /r "\$LOCALAPPDATA\\framebrush\\(\w+)"', installer))
    assert removed == named | {"numba"}  # earlier versions left that
