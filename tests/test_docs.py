"""All commands, Python examples and notebooks in README.md and docs/ are run, and every link leads somewhere."""

from __future__ import annotations

import ast
import asyncio
import importlib.util
import inspect
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
import typer.main

from assets import make_sample
from assets.make_clips import CLIPS, Clip, make, x264
from framebrush.cli.command_line import COMMANDS, app, load, run
from framebrush.jobs.project import TARGET, Project, write_project
from framebrush.jobs.recipe import Recipe
from framebrush.jobs.spec import JobSpec
from framebrush.jobs.still import encoded
from framebrush.media.encoding.encoders import ENCODERS
from framebrush.media.encoding.result_losses import Key
from framebrush.models.library import bundled
from framebrush.styles.specs import StyleSpec
from tests import networks

pytestmark = pytest.mark.media

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FOR_ENGINEERS = [
    ROOT / "CONTRIBUTING.md",
    ROOT / "docs" / "glossary.md",
    ROOT / "docs" / "how-it-works.md",
    ROOT / "gpu" / "README.md",
    ROOT / "packaging" / "README.md",
    ROOT / "tools" / "winrig" / "README.md",
]
FOLDERS = ("app", "assets", "benchmarks", "docs", "gpu", "models", "packaging", "tests", "tools")
WINDOW = """
from PySide6.QtCore import QTimer
from framebrush.window import application
from {module} import work
show = application.MainWindow.show
application.MainWindow.show = lambda self: (show(self), QTimer.singleShot(1500, self.close))
work()
"""

ELSEWHERE = (
    "blender --background",  # tests/app/jobs/test_layers.py
    "dask scheduler",
    "ffmpeg",  # whose pipes to and from this program are tested in tests/app/jobs/test_pipes.py
    "mpv --vf",
    "openjd run",
    "pip install",
    "pipx install",
    "python -m pip",
    "python tools/dev.py",
    "python tools/package.py",
    "vapoursynth config",
    "vspipe",
)
"""Beginnings of lines that other tests run, or that need a network or a release."""

PARSED = ("train", "learn", "worker", "--cluster", "demo", "doctor")
"""What takes PyTorch, other machines, or long: other tests run it, here its options are checked."""


def shown(page: Path) -> str:
    """Return a page's path from the project's root, as a test's name."""
    return page.relative_to(ROOT).as_posix()


def blocks(page: Path, language: str) -> Iterator[str]:
    """The contents of a page's fenced blocks in a language."""
    for number, part in enumerate(re.split(r"^```", page.read_text(encoding="utf-8"), flags=re.MULTILINE)):
        head, _, content = part.partition("\n")
        if number % 2 and head == language:
            yield content


def new_commands() -> Iterator[Any]:
    """Cases of a test: for each block, its lines without comments that no earlier page has."""
    known: set[str] = set()
    for page in PAGES:
        found: set[str] = set()
        for number, block in enumerate(blocks(page, "")):
            lines = [re.sub(r"\s+#.*", "", line) for line in block.splitlines() if line.strip()]
            found.update(lines)
            yield pytest.param(page, [line for line in lines if line not in known], id=f"{page.name}-{number}")
        known |= found


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty small frames."""
    return make(Clip("film.mp4", size=(96, 64), codec_options=x264(bf="0")), tmp_path_factory.mktemp("film"))


@pytest.fixture
def folder(film: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the commands run: the files that they name are there."""
    for name in ("holiday.mov", "in.mp4", "in.mkv", "uhd.mp4", "depth.mp4"):
        shutil.copy(film, tmp_path / name)
    shutil.copy(CLIPS / "pq.mp4", tmp_path / "hdr.mp4")
    (tmp_path / "theirs.onnx").write_bytes(networks.instance_norm().model)
    (tmp_path / "low-light.onnx").write_bytes(networks.low_light().SerializeToString())
    (tmp_path / "denoiser.onnx").write_bytes(networks.denoiser().SerializeToString())
    shutil.copy(bundled()["ink"], tmp_path / "mine.onnx")
    for name in ("mark.png", "mask.png", "fine-here.png", "wind-map.png", "flow-0001.png", "flow-0002.png"):
        shutil.copy(CLIPS.parent / "marks" / "chalk.png", tmp_path / name)
    for name, colour in (("photo.jpg", (180, 90, 40)), ("other.jpg", (40, 90, 160))):
        shades = np.arange(64, dtype=np.float32)[:, None] / 40 * np.array(colour, np.float32)
        picture = np.tile(shades.clip(0, 255).astype(np.uint8), (48, 1, 1))
        (tmp_path / name).write_bytes(encoded(picture, "mjpeg", "yuvj420p"))
    for name in ("holiday", "other"):
        job = JobSpec(str(tmp_path / "in.mp4"), TARGET, Recipe(StyleSpec("ink")))
        write_project(Project(job), tmp_path / f"{name}.framebrush")
    for name in ("holiday.keys", "sample.keys"):  # as if learnt from
        (tmp_path / name).mkdir()
        shutil.copy(bundled()["ink"], tmp_path / name / "film.onnx")
    monkeypatch.setattr(make_sample, "SIZE", (160, 96))
    monkeypatch.setattr(make_sample, "SHOTS", (8, 6))
    (tmp_path / "folder").mkdir()
    shutil.copy(film, tmp_path / "folder" / "one.mp4")
    (tmp_path / "frames").mkdir()
    for number in range(1, 6):
        picture = np.full((48, 64, 3), 40 * number, np.uint8)
        (tmp_path / "frames" / f"{number:05d}.png").write_bytes(encoded(picture, "png", "rgb24"))
    for variable in ("XDG_DATA_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(("page", "lines"), [*new_commands()])
def test_commands(page: Path, lines: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for line in lines:
        program, *arguments = shlex.split(line)
        if program == "framebrush-gui" or arguments[:1] == ["play"]:
            shows_a_window(program, arguments, line)
        elif program == "framebrush" and not set(arguments).isdisjoint(PARSED):
            parsed(load(arguments[0]), arguments)
        elif arguments[:1] == ["assets/make_sample.py"]:
            make_sample.main(arguments[1:])
        elif program == "framebrush":
            assert run(arguments) == 0, f"{line}: {capsys.readouterr().err}"
        else:
            assert line.startswith(ELSEWHERE), f"{page.name} has a command that no test runs: {line}"


def parsed(command: Any, arguments: list[str]) -> None:  # noqa: ANN401 - typer's
    """Check the options of a command, and of the one in a group."""
    context = command.make_context(arguments[0], arguments[1:])
    if hasattr(command, "resolve_command"):
        name, inner, rest = command.resolve_command(context, [*context._protected_args, *context.args])
        inner.make_context(name, rest, parent=context)


def shows_a_window(program: str, arguments: list[str], line: str) -> None:
    """Run the window on no screen, and close it."""
    pytest.importorskip("PySide6")
    module = "framebrush.window" if program == "framebrush-gui" else "framebrush.__main__"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-c", WINDOW.format(module=module), *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, f"{line}: {done.stderr}"


def test_every_command_and_option_is_explained() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    words = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))
    missing = []

    def look(command: Any, path: str) -> None:  # noqa: ANN401 - typer's
        for parameter in command.params:
            names = {name for name in (*parameter.opts, *parameter.secondary_opts) if name.startswith("-")}
            if names and "completion" not in parameter.name and not names & words:
                missing.append(f"{path} {parameter.opts[0]}")
        for name, inner in getattr(command, "commands", {}).items():
            look_at(name, inner, path)

    def look_at(name: str, command: Any, path: str) -> None:  # noqa: ANN401
        argument = r"(\S+ )?" if " " in path else ""  # of the group
        if not re.search(f"{path} {argument}{name}", text):
            missing.append(f"{path} {name}")
        look(command, f"{path} {name}")

    look(typer.main.get_command(app), "framebrush")
    for name in COMMANDS:
        look_at(name, load(name), "framebrush")
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_examples(page: Path, folder: Path) -> None:
    for code in blocks(page, "python"):
        names: dict[str, object] = {}
        exec(compile(code, page.name, "exec"), names)
        painted = names.get("painted")
        if painted is not None:
            assert isinstance(painted, np.ndarray)
            assert (painted != names["picture"]).any()
        else:
            assert names["outcome"].status == 0  # type: ignore[attr-defined]


@pytest.mark.slow
@pytest.mark.parametrize("notebook", sorted((ROOT / "docs").glob("*.ipynb")), ids=lambda path: path.name)
def test_notebooks(notebook: Path, folder: Path) -> None:
    found = json.loads(notebook.read_text(encoding="utf-8"))
    assert (found["nbformat"], found["metadata"]["kernelspec"]["name"]) == (4, "python3")
    cells = [cell for cell in found["cells"] if cell["cell_type"] == "code"]
    assert [cell for cell in cells if cell["outputs"] or cell["execution_count"]] == []  # what runs, not what ran
    names: dict[str, object] = {}
    for cell in cells:
        needs = cell["metadata"].get("tags", [])
        if all(importlib.util.find_spec(module) for module in needs):
            code = compile("".join(cell["source"]), notebook.name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            result = eval(code, names)
            if inspect.iscoroutine(result):
                asyncio.run(result)
    assert np.asarray(names["pictures"]).shape == (5, 96, 144, 3)
    assert len(names["times"]) == 3  # type: ignore[arg-type]


@pytest.mark.parametrize("page", dict.fromkeys((*PAGES, *FOR_ENGINEERS)), ids=shown)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = target.partition("#")
        if "://" in path:
            continue
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{page.name} links to {target}"
        if heading:
            titles = re.findall(r"^#+ (.*)", file.read_text(encoding="utf-8"), re.MULTILINE)
            anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in anchors, f"{page.name} links to {target}"


def paths_in(text: str) -> set[str]:
    """Return the files and folders of the project that a page names in backticks, by their paths from its root."""
    named = re.findall(r"`([\w./-]+)`", text)
    return {name for name in named if name.partition("/")[0] in FOLDERS and "/" in name and "NAME" not in name}


@pytest.mark.parametrize("page", FOR_ENGINEERS, ids=shown)
def test_files_that_a_page_names_exist(page: Path) -> None:
    assert [name for name in sorted(paths_in(page.read_text(encoding="utf-8"))) if not (ROOT / name).exists()] == []


def test_pages_for_engineers_name_files() -> None:
    assert paths_in("`app/jobs/run.py`, `run.py`, `gpu/d3d12/shaders/NAME.hlsl`, `a/b`") == {"app/jobs/run.py"}
    assert sum(len(paths_in(page.read_text(encoding="utf-8"))) for page in FOR_ENGINEERS) > 80


def placed_names(text: str) -> list[tuple[str, str]]:
    """Return (name, file) for each `name` in, of or under a `file`, and each `name` with a (`file`) after it."""
    return re.findall(r"`([A-Za-z_]\w*)`(?: in| of|,? under)?\s\(?`((?:[\w-]+/)+[\w-]+\.py)`", text)


@pytest.mark.parametrize("page", FOR_ENGINEERS, ids=shown)
def test_names_are_in_the_files_that_a_page_says(page: Path) -> None:
    missing = []
    for name, file in placed_names(page.read_text(encoding="utf-8")):
        if not re.search(rf"\b{name}\b", (ROOT / file).read_text(encoding="utf-8")):
            missing.append(f"{name} in {file}")
    assert missing == []


def test_placed_names() -> None:
    text = "`Look` (`gpu/look.py`), `CASES` of `tests/a.py`; the `app/b.py` and `do_job` runs"
    assert placed_names(text) == [("Look", "gpu/look.py"), ("CASES", "tests/a.py")]
    assert sum(len(placed_names(page.read_text(encoding="utf-8"))) for page in FOR_ENGINEERS) > 20


def test_every_page_is_linked_from_the_readme() -> None:
    text = PAGES[0].read_text(encoding="utf-8")
    assert [page.name for page in PAGES[1:] if f"(docs/{page.name})" not in text] == []


def test_every_encoder_is_listed() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [encoder.name for encoder in ENCODERS if f"`{encoder.name}`" not in text] == []


def test_every_key_of_a_loss_is_listed() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [key for key in get_args(Key) if f"`{key}`" not in text] == []
