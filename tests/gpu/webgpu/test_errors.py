"""wgpu's errors as messages with a remedy, and missing libraries."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from framebrush.gpu.errors import AbsentError, DeviceError, DeviceLostError, OutOfMemoryError
from framebrush.gpu.webgpu import adapters
from framebrush.gpu.webgpu.errors import failure, too_large
from tests.gpu.webgpu.harness import needs_vulkan

pytestmark = pytest.mark.unit


def test_a_message_becomes_an_error_that_says_what_to_do() -> None:
    said = "Validation Error\n\nCaused by:\n  In wgpuCommandEncoderFinish\n    Parent device is lost\n"
    lost = failure(said, "slot 1 source")
    assert isinstance(lost, DeviceLostError)
    assert str(lost).startswith("slot 1 source: the GPU was lost (Parent device is lost); restart the program")
    full = failure("Out of Memory Error\n\nCaused by:\n  Not enough memory left.", "layers")
    assert isinstance(full, OutOfMemoryError)
    assert str(full) == "layers: out of memory; try --tile, --stroke or --max-size"
    other = failure("Validation Error\n\nCaused by:\n  expected identifier\x1b[31m", "compiling 'conv'")
    assert type(other) is DeviceError
    assert "\x1b" not in str(other)
    assert str(failure("", "opening it")) == "opening it: no reason was given"


def test_what_an_adapter_cannot_bind_is_refused_with_numbers() -> None:
    assert str(too_large("slot 0 frame", 199 << 20, 128 << 20)) == (
        "slot 0 frame needs 199.0 MiB in one piece, and this adapter takes 128.0 MiB at most; try --tile, --stroke or "
        "--max-size"
    )


@pytest.mark.parametrize(("vendor", "kind"), [("0x1002", DeviceError), ("0x10de", AbsentError), (None, AbsentError)])
def test_without_the_package_only_who_needs_it_is_troubled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, vendor: str | None, kind: type[DeviceError]
) -> None:
    """An NVIDIA card has CUDA."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(adapters, "CARDS", tmp_path)
    if vendor:
        (tmp_path / "renderD128" / "device").mkdir(parents=True)
        (tmp_path / "renderD128" / "device" / "vendor").write_text(f"{vendor}\n")
    with pytest.raises(
        DeviceError, match=r"^WebGPU needs the package wgpu; run: .* install 'framebrush\[webgpu\]'$"
    ) as e:
        adapters.list_adapters()
    assert type(e.value) is kind


@needs_vulkan
def test_without_vulkan_the_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(adapters.LOADERS, "linux", "libvulkan.so.99")
    with pytest.raises(AbsentError, match=r"no Vulkan \(libvulkan.so.99\);.*libvulkan1 and mesa-vulkan-drivers"):
        adapters.list_adapters()


@pytest.mark.slow
@needs_vulkan
def test_without_a_driver_the_packages_are_named(tmp_path: Path) -> None:
    """Vulkan looks for drivers once a process, so the test starts another one."""
    code = "from framebrush.gpu.webgpu.adapters import list_adapters; list_adapters()"
    environment = {"VK_DRIVER_FILES": str(tmp_path / "none.json"), "VK_ICD_FILENAMES": str(tmp_path / "none.json")}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert run.stderr.splitlines()[-1].startswith(
        "framebrush.gpu.errors.AbsentError: WebGPU found no adapter of Vulkan; if this computer has a GPU, install"
    )
