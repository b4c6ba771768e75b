"""The page on backends names each file of each, and each file that must name a backend does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from framebrush.gpu.device import BACKENDS

pytestmark = pytest.mark.unit

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "gpu" / "README.md").read_text(encoding="utf-8").partition("## Add a stage")[0]
FOLDERS = [backend.kind for backend in BACKENDS if (ROOT / "gpu" / backend.kind).is_dir()]
NAMED_BY = ("gpu/device.py", "pyproject.toml", "docs/devices.md", "app/cli/option_groups.py")


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_file_of_a_backend_is_on_the_page(kind: str) -> None:
    rows = [line.split("|") for line in PAGE.splitlines() if line.startswith("| `")]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9_]+(?:\.py|/))`", row[1])}
    folder = ROOT / "gpu" / kind
    files = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    files |= {f"{path.name}/" for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert len(named) > 20
    assert files - named == set()
    of_all = {name for row in rows if row[3].strip() == "all" for name in re.findall(r"`([a-z_]+\.py)`", row[1])}
    assert of_all <= files


@pytest.mark.parametrize("file", NAMED_BY)
def test_a_file_that_the_page_lists_names_every_backend(file: str) -> None:
    assert f"`{file}`" in PAGE
    text = (ROOT / file).read_text(encoding="utf-8")
    public = [backend.kind for backend in BACKENDS if backend.listed]
    assert [kind for kind in public if kind not in text] == []
