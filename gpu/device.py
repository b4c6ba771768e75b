"""Discovery, opening and base class of devices."""

from __future__ import annotations

import importlib
import sys
from abc import abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, cast

from framebrush.base.closing import Closing
from framebrush.base.text import count_of
from framebrush.gpu import tiles
from framebrush.gpu.errors import TRY_TILES_OR_STROKES, AbsentError, DeviceError, OutOfMemoryError, less_memory
from framebrush.gpu.frame import (
    DeviceFrame,
    Frame,
    FrameFormat,
    PlaneAddresses,
    SharedPlanes,
    check_light,
    check_target,
)
from framebrush.gpu.look import Look
from framebrush.gpu.settings import EngineName, Settings, StylizerPlan, check_mix
from framebrush.gpu.sizes import Sizes, StageBytes, frame_bytes
from framebrush.gpu.stylizer import Stylizer
from framebrush.gpu.surface import CallbackSurface, NativeWindow, Surface, View, WindowSystem
from framebrush.models.style import Precision, Style

Arguments = ParamSpec("Arguments")

UNSEEN_CODES = 1.0
"""Largest RMS change of a network's output by float16 that is accepted by default, in codes of 8 bits."""

PROBE_PX = 256
"""Side of the frame for estimates of a network's memory, in pixels."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """Device that can be opened.

    Attributes:
        luid: of an adapter on Windows; on WebGPU its position; else 0.
        uuid: of an NVIDIA GPU, as in nvidia-smi.
        pci: vendor and model, "10de:2330"; "" if unknown.
        software: the processor computes.
        windows: window systems that it presents to without a readback.
    """

    index: int
    kind: str
    name: str
    vendor: str = ""
    memory_bytes: int = 0
    luid: int = 0
    software: bool = False
    windows: tuple[WindowSystem, ...] = ()
    uuid: str = ""
    pci: str = ""
    low_power: bool = False
    halves: bool = True

    @property
    def address(self) -> str:
        """Name for `open_device`."""
        return self.kind if self.kind == "cpu" else str(self.index)

    def shows_in(self, window: NativeWindow | None) -> bool:
        return window is not None and window.system in self.windows

    @property
    def on_processor(self) -> bool:
        """Whether decoder and encoder compete for the same processor."""
        return self.software or self.kind == "cpu"

    @property
    def precisions(self) -> tuple[Precision, ...]:
        if self.kind == "cpu":
            return "auto", "float32", "int8"
        return ("auto", "float32", "float16") if self.halves else ("auto", "float32")


class Arithmetic(NamedTuple):
    """Number formats of paintings. native: kernels compute in 16 bits."""

    kernels: str = ""
    native: bool = False
    precision: str = "float32"
    int8: str = ""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Diagnostics that cost speed. markers: name stages for profilers."""

    debug: bool = False
    timing: bool = False
    dump_shaders: Path | None = None
    markers: bool = False


NO_DIAGNOSIS = Diagnosis()


def _by_arguments_of(
    plan: Callable[Arguments, StylizerPlan],
) -> Callable[Concatenate[Device, Arguments], Stylizer[Any]]:
    def stylizer(device: Device, /, *arguments: Arguments.args, **named: Arguments.kwargs) -> Stylizer[Any]:
        """Make a stylizer; arguments: see `StylizerPlan`. Raises as `stylizer_of`."""
        return device.stylizer_of(plan(*arguments, **named))

    return stylizer


class Device(Closing):
    """Opened device, for one thread. note: why it is not the preferred one."""

    _names_lists = False
    """Whether stage names go to the GPU's command lists."""

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> None:
        self.info, self.diagnosis = info, diagnosis
        self.note = ""
        self._children: list[Stylizer[Any] | Surface] = []
        self.closed = False

    @property
    def identity(self) -> object:
        """Key that the device's frames and surfaces share."""
        return self

    @property
    def driver(self) -> str:
        """Driver's version, "" if unknown."""
        return ""

    stylizer = _by_arguments_of(StylizerPlan)

    def stylizer_of(self, plan: StylizerPlan) -> Stylizer[Any]:
        """Make a stylizer.

        Raises OutOfMemoryError, DeviceError, ValueError, StyleError if the network lacks the precision.
        """
        self._check_open()
        look = plan.look or Look()
        style = self._runnable(plan.style if look.needs_second else replace(plan.style, second=None), plan)
        check_target(plan.target)
        check_light(plan.source, plan.target)
        check_mix(look, style)
        card, source, target = style.card, plan.source, plan.target
        sizes = Sizes.of(source.size, plan.working, target.size, card.scale, plan.stroke_px)
        networks = [style, *filter(None, (style.second,))]
        for each in networks:
            if each.card.fixed_size not in (None, sizes.working):
                raise ValueError(f"{each.card.title} runs at {each.card.fixed_size} only, not at {sizes.working}")
        settings = Settings(
            style,
            source,
            target,
            sizes,
            tiles.plan(*sizes.working, card, "off"),
            look,
            plan.slots,
            self.diagnosis.timing,
            plan.window,
            engine=plan.engine,
            moving=plan.moving,
            markers=self.diagnosis.markers and not self._names_lists,
            carries=plan.carries,
            kind=plan.kind or card.brush_kind,
            precision=plan.precision,
        )
        made = self._in_tiles(settings, networks, plan.tiling)
        self._children.append(made)
        return made

    def surface(self, view: View) -> Surface:
        """Make a target for `Stylizer.show`.

        Raises DeviceError; NoWindowError if only callbacks work.
        """
        self._check_open()
        made = self._make_surface(view)
        self._children.append(made)
        return made

    @property
    def decoder(self) -> tuple[str, int] | None:
        """FFmpeg's hardware decoder for this device, and FFmpeg's number."""
        return None

    @property
    def dxgi_number(self) -> int | None:
        """Adapter's number in DXGI's order, for FFmpeg."""
        return None

    def adopt(self, picture: FrameFormat, planes: PlaneAddresses | SharedPlanes) -> DeviceFrame:
        """Wrap planes of a decoder or another program without a copy. Thread-safe.

        A fence that is never signalled blocks this device for ten seconds. Raises ValueError for planes that do not fit
        the picture, DeviceError for inaccessible ones.
        """
        raise DeviceError(f"{self.info.name} ({self.info.kind}) takes no {type(planes).__name__}")

    def allocate(self, picture: FrameFormat, *, packed: bool = False) -> DeviceFrame:
        """Allocate an undefined frame for `Stylizer.store`, in an encoder's layout.

        packed: unpadded rows. Raises OutOfMemoryError, DeviceError if no encoder shares memory.
        """
        raise DeviceError(f"{self.info.name} has no frames for an encoder")

    def upload(self, frame: Frame) -> DeviceFrame:
        """Upload a frame for stylizers. Raises OutOfMemoryError."""
        self._check_open()
        return self._upload(frame)

    def close(self) -> None:
        """Free the device and everything made on it. Idempotent."""
        if self.closed:
            return
        self.closed = True
        with ExitStack() as stack:  # closes all even if one raises
            stack.callback(self._close)
            for child in self._children:
                stack.callback(child.close)

    # Implemented by backends

    @abstractmethod
    def _make_stylizer(self, settings: Settings) -> Stylizer[Any]:
        """Make a stylizer. Raises OutOfMemoryError, DeviceError."""

    @abstractmethod
    def _upload(self, frame: Frame) -> DeviceFrame: ...

    @abstractmethod
    def _free_bytes(self) -> int: ...

    def _make_surface(self, view: View) -> Surface:
        """Make a surface that presents nowhere."""
        if view.paint is None:
            raise DeviceError(f"{self.info.name} hands pictures to a callback, and this view has none")
        return CallbackSurface(self.identity, view.paint)

    @property
    def engines(self) -> tuple[EngineName, ...]:
        """Engines that can run networks."""
        return ("auto",)

    @property
    def arithmetic(self) -> Arithmetic:
        """Default number formats."""
        return Arithmetic()

    @property
    def prefers_float16(self) -> bool:
        """Whether float16 is measurably faster."""
        return False

    def _network_share(self) -> float:
        """Return the memory share above which "auto" uses tiles."""
        return 0.8

    @abstractmethod
    def _stage_bytes(self, settings: Settings) -> StageBytes:
        """Return the memory of stages."""

    @abstractmethod
    def _close(self) -> None:
        """Wait for the device and free its objects."""

    # Rules

    def _check_open(self) -> None:
        if self.closed:
            raise RuntimeError(f"the device {self.info.name} is closed")

    def _runnable(self, style: Style, plan: StylizerPlan) -> Style:
        if plan.precision == "int8" and "int8" not in self.info.precisions:
            raise DeviceError(f"{self.info.name} ({self.info.kind}) does not paint in int8", do="use --device cpu")
        if plan.precision == "float16" and not self.info.halves:
            raise DeviceError(f"{self.info.name} ({self.info.kind}) has no 16 bits", do="leave out --precision")
        if plan.engine not in self.engines:
            raise DeviceError(f"{self.info.name} ({self.info.kind}) has no choice of engines", do="leave out --engine")
        return self._in_precision(style, plan.precision)

    def _in_precision(self, style: Style, precision: Precision) -> Style:
        cards = [each.card for each in (style, style.second) if each is not None]
        unseen = all(card.float16_codes is not None and card.float16_codes <= UNSEEN_CODES for card in cards)
        by_default = precision == "auto" and self.prefers_float16 and unseen
        halves = any(card.precision == "float16" for card in cards)  # both networks read one tensor
        return style.as_float16() if by_default or halves or precision == "float16" else style

    def _in_tiles(self, settings: Settings, networks: Sequence[Style], tiling: tiles.Tiling) -> Stylizer[Any]:
        card = tiles.shared(each.card for each in networks)
        need = sum(map(_bytes_per_pixel, networks))
        free = self._free_for_networks(settings)

        def plan_within(budget_bytes: float) -> tiles.Plan:
            working = settings.sizes.working
            return tiles.plan(*working, card, tiling, bytes_per_pixel=need, budget_bytes=int(budget_bytes))

        plan = plan_within(free * self._network_share())
        while True:
            try:
                planned = replace(settings, plan=plan)
                self._check_room(planned, need, free)
                return self._make_stylizer(planned)
            except OutOfMemoryError:
                # A driver's own memory is only known by trying: halve the tiles while that helps.
                smaller = plan_within(plan.tile_width * plan.tile_height * need / 4) if tiling == "auto" else plan
                if smaller == plan:
                    raise
                plan = smaller

    def _free_for_networks(self, settings: Settings) -> float:
        style, sizes, window = settings.style, settings.sizes, settings.window
        frames, steadies = window.frames(settings.slots), not window.alone
        frame = frame_bytes(settings.source, settings.target, sizes, style.card.precision, steadied=steadies)
        of_stages = self._stage_bytes(settings)
        free = self._free_bytes() - frames * (frame + of_stages.frame) - of_stages.shared
        if free < 0:
            width, height = sizes.source
            remedy = less_memory(steadies=steadies, finishes=settings.shown.finishes, second=bool(style.second))
            raise OutOfMemoryError(
                f"painting {count_of(frames, 'frame')} of {width}x{height} needs {-free / 2**30:.1f} GiB more than "
                f"{self.info.name} has free",
                do=remedy,
            )
        return free

    def _check_room(self, settings: Settings, bytes_per_pixel: float, free_bytes: float) -> None:
        plan = settings.plan
        lacking = plan.tile_width * plan.tile_height * bytes_per_pixel - free_bytes
        if lacking > 0:
            raise OutOfMemoryError(
                f"{settings.style.card.title} at {plan.tile_width}x{plan.tile_height} needs about "
                f"{lacking / 2**30:.1f} GiB more than {self.info.name} has free",
                do=TRY_TILES_OR_STROKES,
            )

    def _forget(self, child: Stylizer[Any] | Surface) -> None:
        if child in self._children:
            self._children.remove(child)


def _bytes_per_pixel(style: Style) -> float:
    card = style.card
    probe = -(-PROBE_PX // card.stride) * card.stride
    return tiles.activation_bytes_per_pixel(style.fixed(*(card.fixed_size or (probe, probe))))


# Backends


class BackendModule(Protocol):
    """Interface of a backend's module."""

    def list_devices(self) -> list[DeviceInfo]:
        """List devices, preferred first, or raise DeviceError."""

    def open_device(self, info: DeviceInfo, diagnosis: Diagnosis) -> Device: ...


@dataclass(frozen=True, slots=True)
class Backend:
    """Kind of device. platforms: of `sys.platform`.

    listed: False for devices opened by name only.
    """

    kind: str
    module: str
    platforms: tuple[str, ...] = ()
    listed: bool = True

    def load(self) -> BackendModule:
        """Import the module. Raises DeviceError without its libraries."""
        try:
            return cast(BackendModule, importlib.import_module(self.module))
        except (ImportError, OSError) as error:
            raise DeviceError(f"the backend {self.kind} cannot be loaded: {error}") from error

    def devices(self) -> list[DeviceInfo]:
        """List this machine's devices. Raises DeviceError without any."""
        if self.platforms and sys.platform not in self.platforms:
            raise DeviceError(f"the backend {self.kind} runs on {', '.join(self.platforms)} only")
        return self.load().list_devices()


BACKENDS = [
    # Before Direct3D 12: present only with its extra; that extra's ONNX Runtime replaces DirectML's.
    Backend("cuda", "framebrush.gpu.cuda.device", platforms=("linux", "win32")),
    Backend("d3d12", "framebrush.gpu.d3d12.device", platforms=("win32",)),
    # After vendor and system backends that use the same cards.
    Backend("webgpu", "framebrush.gpu.webgpu.device"),
    Backend("cpu", "framebrush.gpu.cpu.device"),
    Backend("tensorrt", "framebrush.gpu.cuda.tensorrt", platforms=("linux", "win32"), listed=False),
    Backend("reference", "framebrush.gpu.reference.device", listed=False),
]
"""Backends in order of preference. The CPU is always present and listed last."""


def list_devices() -> list[DeviceInfo]:
    """List devices, preferred first, the CPU last."""
    return _find()[0]


def open_device(wanted: str = "auto", diagnosis: Diagnosis = NO_DIAGNOSIS) -> Device:
    """Open a device. Raises DeviceError if none matches.

    wanted: kind ("d3d12", "cuda", "tensorrt", "cpu") or vendor ("amd", "intel", "nvidia"), perhaps with a number
    ("cuda:1"); index; PCI id ("10de:2330"); beginning of a name or UUID; "low-power"; "auto", which falls back to the
    CPU with a `note`.
    """
    name = wanted.lower()
    if name == "cpu":  # without asking drivers: called by threads while another paints on a card
        (info,) = next(backend for backend in BACKENDS if backend.kind == name).devices()
        return _open(info, diagnosis)
    found, missing = _find()
    if name == "auto":
        reasons = [str(reason) for reason in missing if not isinstance(reason, AbsentError)]
        return _open_best(found, reasons, diagnosis)
    backend = next((backend for backend in BACKENDS if backend.kind == name.partition(":")[0]), None)
    unlisted = backend is not None and all(info.kind != backend.kind for info in found)
    matches = matching(backend.devices() if backend and unlisted else found, name)
    if not matches:
        there = ", ".join(f"[{info.index}] {info.name} ({info.kind})" for info in found)
        why = "".join(f"; {reason}" for reason in missing)
        raise DeviceError(f"there is no device {wanted!r}. Available devices: {there}{why}")
    return _open(matches[0], diagnosis)


def matching(found: list[DeviceInfo], name: str) -> list[DeviceInfo]:
    """Return the devices that match a lower-case name."""
    if name == "low-power":
        return [info for info in found if info.low_power]
    group, _, number = name.partition(":")
    of_group = [info for info in found if group in (info.kind, info.vendor.lower())] if group else []
    if of_group and number.isdigit():
        return of_group[int(number) : int(number) + 1]
    if of_group and name == group:
        return of_group
    if name.isdigit():
        return [info for info in found if info.index == int(name)]
    names = ((info, (info.name.lower(), info.uuid.lower(), info.pci)) for info in found)
    return [info for info, known in names if name and any(one.startswith(name) for one in known)]


def missing_devices() -> list[str]:
    """Return a sentence for each expected kind that is missing."""
    return [str(reason) for reason in _find()[1]]


def _find() -> tuple[list[DeviceInfo], list[DeviceError]]:
    found: list[DeviceInfo] = []
    missing: list[DeviceError] = []
    for backend in BACKENDS:
        if not backend.listed or (backend.platforms and sys.platform not in backend.platforms):
            continue
        try:
            infos = backend.devices()
        except DeviceError as error:
            missing.append(error)
            continue
        for info in infos:
            found.append(replace(info, index=len(found)))
    return found, missing


def _open_best(found: list[DeviceInfo], reasons: list[str], diagnosis: Diagnosis) -> Device:
    reasons = list(reasons)
    for info in found[:-1]:
        if info.software:
            if info.kind != "webgpu":  # WebGPU lists Mesa's software adapter on every desktop: no card is missing there
                reasons.append(f"{info.name} is a software adapter")
            continue
        try:
            return _open(info, diagnosis)
        except DeviceError as error:
            reasons.append(f"{info.name}: {error}")
    device = _open(found[-1], diagnosis)
    device.note = "; ".join(reasons)
    return device


def _open(info: DeviceInfo, diagnosis: Diagnosis) -> Device:
    backend = next((backend for backend in BACKENDS if backend.kind == info.kind), None)
    if backend is None:
        kinds = ", ".join(backend.kind for backend in BACKENDS)
        raise DeviceError(f"there is no backend {info.kind!r} for {info.name}; there are {kinds}")
    return backend.load().open_device(info, diagnosis)
