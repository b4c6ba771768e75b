"""The contract of a device: list, open, Device, Stylizer, errors.

`import framebrush.gpu.device` loads no native library; a device's own room is imported when it is listed or opened.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NewType, Protocol, Self

from framebrush.gpu.frame import Frame, FrameFormat
from framebrush.gpu.look import Look
from framebrush.models.style import Style

Ticket = NewType("Ticket", int)
"""A frame in flight: what `submit` gives and `show`, `fetch` and `release` take."""

Tiling = Literal["auto", "off"] | int
"""auto: tiles only where the whole frame does not fit; off: never; N: tiles of about N pixels a side."""


class DeviceError(RuntimeError):
    """A device could not do its work: what failed, on what, and what to do."""


class OutOfMemoryError(DeviceError):
    """The device has no room for a frame, a tensor or the network's own memory."""


class DeviceLostError(DeviceError):
    """The device went away (removed, reset, driver crash); everything that it held is gone."""


class NonFiniteError(DeviceError):
    """The network gave NaN or infinity for a frame."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """One device that could be opened. luid: Windows' locally unique id of an adapter, 0 elsewhere."""

    index: int
    kind: Literal["d3d12", "cuda", "cpu"]
    name: str
    vendor: str = ""
    memory_bytes: int = 0
    luid: int = 0
    software: bool = False


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What to watch on a GPU; it costs speed. debug: the native debug layer, where it is installed; its messages join
    the errors. timing: the GPU's own time of each stage. dump_shaders: a folder for every kernel's source and
    bytecode. The CPU device has no use for any of them."""

    debug: bool = False
    timing: bool = False
    dump_shaders: Path | None = None


NO_DIAGNOSIS = Diagnosis()


@dataclass(slots=True)
class Counters:
    """What a stylizer has done so far. A readback is a copy from the device that the CPU reads; a CPU wait is a call
    that blocked until the device had finished something."""

    uploads: int = 0
    dispatches: int = 0
    runs: int = 0
    presents: int = 0
    readbacks: int = 0
    cpu_waits: int = 0


class Surface(Protocol):
    """Where `show` puts a frame: a swap chain of the device's own kind, or the CPU device's picture callback.

    sample_aspect: width of a sample divided by its height; rotation_degrees: counter-clockwise turn to upright, a
    multiple of 90. A swap chain draws pictures so; a callback gets them as they are stored.
    """

    sample_aspect: float
    rotation_degrees: int

    def resize(self, width: int, height: int) -> None:
        """Follow the window, in physical pixels."""

    def close(self) -> None:
        """Release it; the window may go away after this."""


class Stylizer(Protocol):
    """One style on one frame format, made once and fed with frames. Not thread-safe: one thread at a time.

    A slot is taken by `submit` and given back by `fetch`, or by `release` after any number of `show`. With every slot
    taken, `submit` raises RuntimeError; it waits (and counts it) only where a slot was given back before the device
    had finished with it.
    """

    source: FrameFormat
    target: FrameFormat
    slots: int
    counters: Counters
    notes: tuple[str, ...]  # what a person should know: "tiles of 512 px", "tiling changes this style's look"

    @property
    def look(self) -> Look:
        """The look of the frames submitted, shown and fetched from now on."""

    @look.setter
    def look(self, look: Look) -> None: ...

    @property
    def stage_ms(self) -> Mapping[str, float]:
        """Mean milliseconds a frame of each stage (upload, convert, network, tone-map, fetch) where measured."""

    def submit(self, frame: Frame) -> Ticket:
        """Start painting a frame; its planes are free for reuse when this returns."""

    def show(self, ticket: Ticket, surface: Surface) -> None:
        """Present a frame, with the look of this moment, without reading anything back."""

    def fetch(self, ticket: Ticket) -> Frame:
        """Wait for a frame and give it in the target format; valid until the next fetch. Gives the slot back.

        Raises NonFiniteError where the network's output holds NaN or infinity.
        """

    def release(self, ticket: Ticket) -> None:
        """Give a slot back without fetching."""

    def close(self) -> None:
        """Wait for the device and free everything. Idempotent."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


class Device(Protocol):
    """An opened device. `note` says why it is this one where the first choice could not be had, else ''."""

    info: DeviceInfo
    note: str

    def stylizer(
        self,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        look: Look | None = None,
        tiling: Tiling = "auto",
        slots: int = 3,
    ) -> Stylizer:
        """Make a session for one style and format.

        target: NV12, P010 or RGBA8 of the source's size. Raises OutOfMemoryError, or DeviceError naming what the device
        lacks.
        """

    def close(self) -> None:
        """Free the device and everything made on it. Idempotent."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *exception: object) -> None: ...


def list_devices() -> list[DeviceInfo]:
    """Every device that can be opened here, the preferred one first, the CPU last."""
    return _find()[0]


def open_device(wanted: str = "auto", diagnosis: Diagnosis = NO_DIAGNOSIS) -> Device:
    """Open a device by kind ("d3d12", "cpu"), by index, or by the beginning of its name; "auto" takes the best.

    Raises DeviceError where it cannot be had, listing what there is. "auto" falls back to the CPU and says so in
    `note`.
    """
    found, reasons = _find()
    if wanted == "auto":
        return _open_best(found, reasons, diagnosis)
    name = wanted.lower()
    matches = [info for info in found if name == str(info.index)]
    matches = matches or [info for info in found if name == info.kind]
    matches = matches or [info for info in found if name and info.name.lower().startswith(name)]
    if not matches:
        there = "; ".join([f"{info.index}: {info.name} ({info.kind})" for info in found] + reasons)
        raise DeviceError(f"no device is called {wanted!r}; there are {there}")
    return _open(matches[0], diagnosis)


def _find() -> tuple[list[DeviceInfo], list[str]]:
    """The devices, and why those are missing that this system should have."""
    found: list[DeviceInfo] = []
    reasons: list[str] = []
    if sys.platform == "win32":
        try:
            from framebrush.gpu.d3d12 import adapters

            found += adapters.list_adapters()
        except (DeviceError, ImportError, OSError) as error:
            reasons.append(f"Direct3D 12 is not there: {error}")
    from framebrush.gpu.cpu import device as cpu

    return [*found, cpu.info(index=len(found))], reasons


def _open_best(found: list[DeviceInfo], reasons: list[str], diagnosis: Diagnosis) -> Device:
    """The first that opens and does not draw by software, else the CPU with a note of the reasons."""
    reasons = list(reasons)
    for info in found[:-1]:
        if info.software:
            reasons.append(f"{info.name} draws by software")
            continue
        try:
            return _open(info, diagnosis)
        except DeviceError as error:
            reasons.append(f"{info.name}: {error}")
    device = _open(found[-1], diagnosis)
    device.note = "; ".join(reasons)
    return device


def _open(info: DeviceInfo, diagnosis: Diagnosis) -> Device:
    if info.kind == "d3d12":
        try:
            from framebrush.gpu.d3d12 import device as d3d12
        except (ImportError, OSError) as error:
            raise DeviceError(f"Direct3D 12 cannot be loaded: {error}") from error
        opened: Device = d3d12.open(
            info, debug=diagnosis.debug, timing=diagnosis.timing, dump_shaders=diagnosis.dump_shaders
        )
        return opened
    from framebrush.gpu.cpu import device as cpu

    return cpu.open(info)
