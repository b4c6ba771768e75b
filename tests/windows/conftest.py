"""These tests need Direct3D 12: Windows, where WARP is enough, or the rig; a missing device fails them. Elsewhere they
are not collected, unless FRAMEBRUSH_REQUIRE_D3D12=1 promises a device."""

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
    from tests.windows.desk import Desk

PROMISED = sys.platform == "win32" or os.environ.get("FRAMEBRUSH_REQUIRE_D3D12") == "1"
collect_ignore_glob = [] if PROMISED else ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def cache_of_shaders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Bytecode goes to a folder of this run, so that the compiler really runs."""
    folder = tmp_path_factory.mktemp("local")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOCALAPPDATA", str(folder))
        yield folder


@pytest.fixture(scope="session")
def device(cache_of_shaders: Path) -> Iterator[D3D12Device]:
    """The first adapter, open for the whole run."""
    from framebrush.gpu.d3d12 import adapters
    from framebrush.gpu.d3d12 import device as d3d12

    infos = adapters.list_adapters()
    assert infos, "no Direct3D 12 adapter"
    with d3d12.open_device(infos[0]) as opened:
        yield opened


@pytest.fixture
def window() -> Iterator[int]:
    """A plain window's handle."""
    with native_window() as handle:
        yield handle


@pytest.fixture(scope="session")
def application(cache_of_shaders: Path) -> QApplication:
    """Qt's application, for the whole run."""
    from PySide6.QtWidgets import QApplication

    app = QApplication(["framebrush"])
    app.setQuitOnLastWindowClosed(False)
    return app


@pytest.fixture
def desk(application: QApplication, tmp_path: Path) -> Iterator[Desk]:
    """The assembled window, in front on the desktop."""
    from tests.windows.desk import Desk

    made = Desk(tmp_path)
    yield made
    made.close()
