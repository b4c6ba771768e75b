"""Direct3D 12 tests, for Windows (WARP is enough) or the rig; a missing device fails them.

Elsewhere they are not collected, unless FRAMEBRUSH_REQUIRE_D3D12=1 promises a device.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.windows.native_window import native_window

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from framebrush.gpu.d3d12.device import D3D12Device
    from framebrush.gpu.surface import NativeWindow
    from tests.windows.desk import Desk

PROMISED = sys.platform == "win32" or os.environ.get("FRAMEBRUSH_REQUIRE_D3D12") == "1"
collect_ignore_glob = [] if PROMISED else ["test_*.py"]


WITH_WINDOWS = {
    f"test_{name}.py"
    for name in ("awake", "brush", "live", "new_style", "painted_ahead", "queues", "screen", "view", "window")
}
"""Files with tests that open windows: there is one desktop with one foreground window."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Distribute tests by file, and all files with windows to one process."""
    from xdist.scheduler import LoadScopeScheduling

    class OneDesktop(LoadScopeScheduling):  # type: ignore[misc,unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            windows = file.startswith("tests/windows/") and file.rpartition("/")[2] in WITH_WINDOWS
            return "windows" if windows else file

    return OneDesktop(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fail if a file with windows is missing from `WITH_WINDOWS`."""
    for item in items:
        opens = {"application", "desk", "window"} & set(getattr(item, "fixturenames", ()))
        if opens and item.path.parent.name == "windows" and item.path.name not in WITH_WINDOWS:
            raise pytest.UsageError(f"{item.path.name} opens windows; name it in WITH_WINDOWS")


@pytest.fixture(scope="session", autouse=True)
def cache_of_shaders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Cache shader bytecode in a folder of this run, so that each shader is compiled once per run."""
    spread = "PYTEST_XDIST_WORKER" in os.environ
    folder = tmp_path_factory.getbasetemp().parent / "local" if spread else tmp_path_factory.mktemp("local")
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCALAPPDATA", str(folder))
        yield folder


@pytest.fixture(scope="session")
def device(cache_of_shaders: Path) -> Iterator[D3D12Device]:
    """Open the first adapter for the whole run."""
    from framebrush.gpu.d3d12 import adapters
    from framebrush.gpu.d3d12 import device as d3d12

    infos = adapters.list_adapters()
    assert infos, "no Direct3D 12 adapter"
    with d3d12.open_device(infos[0]) as opened:
        yield opened


@pytest.fixture
def window() -> Iterator[NativeWindow]:
    """Open a plain window."""
    with native_window() as made:
        yield made


@pytest.fixture(scope="session")
def application(cache_of_shaders: Path) -> QApplication:
    """Return Qt's application, for the whole run."""
    from PySide6.QtWidgets import QApplication

    app = QApplication(["framebrush"])
    app.setQuitOnLastWindowClosed(False)
    return app


@pytest.fixture
def painted_ahead() -> bool:
    """Return whether `desk` uses the render cache on a second device; overridden in `test_painted_ahead.py`.

    Off by default: it may replace a preview at any time.
    """
    return False


@pytest.fixture
def one_device(monkeypatch: pytest.MonkeyPatch, painted_ahead: bool) -> None:
    """Disable film tiles, and the render cache unless `painted_ahead`.

    They keep the rig's processors busy. Also, if one thread lists adapters while another releases a swap chain, libX11
    and libxcb 1.15 below Wine may deadlock.
    """
    from framebrush.window import main_window
    from framebrush.window.styles import film_tiles

    monkeypatch.setattr(film_tiles, "REST_MS", 2**31 - 1)
    if not painted_ahead:
        monkeypatch.setattr(main_window, "memory_budget", lambda: 0)


@pytest.fixture
def desk(application: QApplication, tmp_path: Path, one_device: None) -> Iterator[Desk]:
    """Open the assembled window in the desktop's foreground."""
    from tests.windows.desk import Desk

    made = Desk(tmp_path)
    yield made
    made.close()
