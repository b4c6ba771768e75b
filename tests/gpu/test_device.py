"""Finding and opening devices."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from framebrush.gpu import device
from framebrush.gpu.device import DeviceInfo, list_devices, matching, open_device
from framebrush.gpu.errors import DeviceError

pytestmark = pytest.mark.unit


def test_the_cpu_is_last_in_the_list() -> None:
    found = list_devices()
    assert [info.index for info in found] == list(range(len(found)))
    assert [info.kind for info in found].count("cpu") == 1
    assert found[-1].kind == "cpu"
    assert found[-1].name
    assert found[-1].memory_bytes > 2**28


def test_the_cpu_opens_by_kind_index_and_name() -> None:
    info = list_devices()[-1]
    for wanted in ("cpu", "CPU", str(info.index), info.name[:4].upper(), info.name.lower()):
        with open_device(wanted) as opened:
            assert replace(opened.info, index=info.index) == info  # by its kind it is opened without being counted
            assert opened.note == ""


@pytest.mark.parametrize("wanted", ["riva tnt", "99", "", "-1"])
def test_an_unknown_device_is_refused_with_what_there_is(wanted: str) -> None:
    with pytest.raises(DeviceError, match=r"^there is no device .*\. Available devices: \[0\] .*\(cpu\)"):
        open_device(wanted)


def test_auto_gives_a_device() -> None:
    with open_device() as opened:
        assert opened.info in list_devices()


def test_where_cuda_is_complete_it_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows its extra has to be installed, and then DirectML has no ONNX Runtime."""
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(device.Backend, "devices", lambda self: [DeviceInfo(0, self.kind, f"Card of {self.kind}")])
    assert [info.kind for info in list_devices()] == ["cuda", "d3d12", "webgpu", "cpu"]


class Listing(device.Backend):
    """A backend that lists certain devices, or fails."""

    found: list[DeviceInfo] | DeviceError

    def devices(self) -> list[DeviceInfo]:
        if isinstance(self.found, DeviceError):
            raise self.found
        return self.found


def listing(monkeypatch: pytest.MonkeyPatch, **found: list[DeviceInfo] | DeviceError) -> None:
    """Let backends list these devices, before the CPU."""
    made = []
    for kind, infos in found.items():
        made.append(Listing(kind, f"framebrush.gpu.{kind}.device"))
        object.__setattr__(made[-1], "found", infos)
    cpu = next(backend for backend in device.BACKENDS if backend.kind == "cpu")
    monkeypatch.setattr(device, "BACKENDS", [*made, cpu] if "cpu" not in found else made)


def test_auto_falls_back_to_the_cpu_and_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """An adapter of no machine: Direct3D cannot open it on Windows, and is not there elsewhere."""
    absent = DeviceInfo(0, "d3d12", "Absent adapter", luid=0x7FFF_FFFF_FFFF)
    drawn = DeviceInfo(1, "d3d12", "Basic Render Driver", software=True)
    listing(monkeypatch, cuda=DeviceError("no driver"), d3d12=[absent, drawn])
    with open_device() as opened:
        assert opened.info.kind == "cpu"
        assert opened.note.startswith("no driver; Absent adapter: ")
        assert opened.note.endswith("; Basic Render Driver is a software adapter")


@pytest.mark.slow
@pytest.mark.parametrize(
    "module",
    [
        "framebrush.gpu",
        "framebrush.gpu.device",
        "framebrush.gpu.stages.tensor_to_planes",
        "framebrush.gpu.tiles",
        "framebrush.gpu.cpu.device",
    ],
)
def test_importing_loads_neither_qt_nor_pyav(module: str) -> None:
    native = ["onnxruntime", "onnx"] if module != "framebrush.gpu.cpu.device" else []
    code = f"import sys, {module}; print([n for n in {['PySide6', 'av', *native]} if n in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_an_unknown_kind_is_an_error_that_lists_what_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    listing(monkeypatch, cpu=[DeviceInfo(0, "voodoo", "Card")], d3d12=[])
    with pytest.raises(DeviceError, match=r"^there is no backend 'voodoo' for Card; there are cpu, d3d12$"):
        open_device("cpu")


def test_a_backend_of_another_platform_says_so() -> None:
    backend = device.Backend("metal", "framebrush.gpu.metal", platforms=("darwin",))
    with pytest.raises(DeviceError, match=r"^the backend metal runs on darwin only$"):
        backend.devices()


def test_a_backend_whose_library_is_missing_says_so() -> None:
    backend = device.Backend("none", "framebrush.gpu.no_such_backend")
    with pytest.raises(DeviceError, match=r"^the backend none cannot be loaded: No module named "):
        backend.load()


def test_the_reference_opens_by_its_kind_only() -> None:
    assert "reference" not in [info.kind for info in list_devices()]
    with open_device("reference") as opened:
        assert opened.info.kind == "reference"


def test_the_cpu_is_opened_without_asking_the_drivers_of_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that opened it while another one painted on a card waited for that card's driver for ever, in Wine."""
    asked: list[str] = []
    devices = device.Backend.devices

    def asks(self: device.Backend) -> list[DeviceInfo]:
        asked.append(self.kind)
        return devices(self)

    monkeypatch.setattr(device.Backend, "devices", asks)
    open_device("cpu").close()
    assert asked == ["cpu"]


def test_a_card_is_chosen_by_its_vendor_and_its_pci_id() -> None:
    found = [
        DeviceInfo(0, "d3d12", "Radeon RX 7900 XTX", vendor="AMD", pci="1002:744c"),
        DeviceInfo(1, "d3d12", "NVIDIA L4", vendor="NVIDIA", pci="10de:27b8", low_power=True),
        DeviceInfo(2, "cuda", "NVIDIA L4", vendor="NVIDIA", uuid="GPU-bbbb0000"),
        DeviceInfo(3, "cpu", "Processor"),
    ]
    for name, indices in {
        "amd": [0],
        "nvidia": [1, 2],
        "nvidia:1": [2],
        "nvidia:2": [],
        "intel": [],
        "1002:744c": [0],
        "10de:27b8": [1],
        "10de": [1],
        "1002:0": [],
        "low-power": [1],
    }.items():
        assert [info.index for info in matching(found, name)] == indices, name
