"""Direct3D 12 tests, for Windows (also WARP) or the rig.

Elsewhere not collected, unless FRAMEBRUSH_REQUIRE_D3D12=1 promises a device.
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
    for name in (
        "awake",
        "brush",
        "failures",
        "live",
        "new_style",
        "painted_ahead",
        "queues",
        "screen",
        "view",
        "window",
    )
}
"""Files with tests that open windows: there is one desktop with one foreground window."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Distribute tests by file, and all with windows to one process."""
    from xdist.scheduler import LoadScopeScheduling

    class OneDesktop(LoadScopeScheduling):  # type: ignore[misc,unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            file = nodeid.partition("::")[0]
            windows = file.startswith("tests/windows/") and file.rpartition("/")[2] in WITH_WINDOWS
            return "windows" if windows else file

    return OneDesktop(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Fail if `WITH_WINDOWS` lacks a file."""
    for item in items:
        opens = {"application", "desk", "window"} & set(getattr(item, "fixturenames", ()))
        if opens and item.path.parent.name == "windows" and item.path.name not in WITH_WINDOWS:
            raise pytest.UsageError(f"{item.path.name} opens windows; name it in WITH_WINDOWS")


@pytest.fixture(scope="session", autouse=True)
def cache_of_shaders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Cache shader bytecode in this run's folder."""
    if "WINRIG" in os.environ:  # a private copy, but for shaders, which it keeps for the next run
        yield Path(os.environ["LOCALAPPDATA"])
        return
    spread = "PYTEST_XDIST_WORKER" in os.environ
    folder = tmp_path_factory.getbasetemp().parent / "local" if spread else tmp_path_factory.mktemp("local")
    folder.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCALAPPDATA", str(folder))
        yield folder


@pytest.fixture(scope="session")
def device(cache_of_shaders: Path) -> Iterator[D3D12Device]:
    from framebrush.gpu.d3d12 import adapters
    from framebrush.gpu.d3d12 import device as d3d12

    infos = adapters.list_adapters()
    assert infos, "no Direct3D 12 adapter"
    with d3d12.open_device(infos[0]) as opened:
        yield opened


@pytest.fixture
def window() -> Iterator[NativeWindow]:
    with native_window() as made:
        yield made


@pytest.fixture(scope="session")
def application(cache_of_shaders: Path) -> QApplication:
    from PySide6.QtWidgets import QApplication

    app = QApplication(["framebrush"])
    app.setQuitOnLastWindowClosed(False)
    return app


@pytest.fixture
def painted_ahead() -> bool:
    """Return whether `desk` uses the render cache."""
    return False


@pytest.fixture
def one_device(monkeypatch: pytest.MonkeyPatch, painted_ahead: bool) -> None:
    """Disable film tiles, and the render cache unless `painted_ahead`.

    Listing adapters while another thread releases a swap chain may deadlock libX11 and libxcb 1.15 below Wine.
    """
    from framebrush.window import main_window
    from framebrush.window.styles import film_tiles

    monkeypatch.setattr(film_tiles, "REST_MS", 2**31 - 1)
    if not painted_ahead:
        monkeypatch.setattr(main_window, "memory_budget", lambda: 0)


@pytest.fixture
def desk(application: QApplication, tmp_path: Path, one_device: None) -> Iterator[Desk]:
    from tests.windows.desk import Desk

    made = Desk(tmp_path)
    yield made
    made.close()
