"""Devices: what they are, how they are listed and opened, and the base class with the rules of making a stylizer.

`import framebrush.gpu.device` loads no native library; a backend's package is imported when it is listed or opened.
"""

from __future__ import annotations

import importlib
import sys
from abc import abstractmethod
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol, cast

from framebrush.base.closing import Closing
from framebrush.gpu import tiles
from framebrush.gpu.errors import AbsentError, DeviceError, OutOfMemoryError
from framebrush.gpu.frame import (
    DeviceFrame,
    Frame,
    FrameFormat,
    PlaneAddresses,
    SharedPlanes,
    check_light,
    check_target,
)
from framebrush.gpu.sizes import Size, Sizes, frame_bytes
from framebrush.gpu.stages.look import Look
from framebrush.gpu.stages.masks import masks_bytes
from framebrush.gpu.stages.steady import NO_WINDOW, TemporalWindow
from framebrush.gpu.stages.strokes import Layout, carriage_bytes
from framebrush.gpu.stylizer import EngineName, Settings, Stylizer, check_mix
from framebrush.gpu.surface import CallbackSurface, NativeWindow, Surface, View, WindowSystem
from framebrush.models.brushes import BrushKind
from framebrush.models.style import Precision, Style

UNSEEN_CODES = 1.0
"""A network whose output float16 changes by no more than this may run in it by default. In codes of 8 bits, root mean
square. Painters move by two to five between two frames of a still picture."""

PROBE_PX = 256
"""Side of the frame that a network's memory is estimated with."""


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """One device that could be opened.

    kind: the backend. luid: Windows' locally unique id of an adapter; on WebGPU its place among all of them; 0
    elsewhere. uuid: of an NVIDIA GPU, as nvidia-smi reports it, '' elsewhere. pci: ids of an adapter's vendor and
    model, such as "10de:2330", '' elsewhere. software: the device computes on the processor. windows: what those belong
    to that it presents to without a readback. low_power: the operating system expects it to need the least power of its
    kind.
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

    @property
    def address(self) -> str:
        """What `open_device` opens it by. The CPU is opened without a look at what else there is, and then has another
        index than in a list."""
        return self.kind if self.kind == "cpu" else str(self.index)

    def shows_in(self, window: NativeWindow | None) -> bool:
        """Whether `Device.surface` presents to such a window."""
        return window is not None and window.system in self.windows

    @property
    def on_processor(self) -> bool:
        """Whether it shares the processor with decoder and encoder, and is as slow."""
        return self.software or self.kind == "cpu"

    @property
    def has_precision(self) -> bool:
        """Whether networks may compute in float16 there."""
        return self.kind != "cpu"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What to watch on a device; it costs speed.

    debug: the native debug layer, where it is installed; its messages join the errors. timing: the time of each stage.
    dump_shaders: a folder for every kernel's source and bytecode. markers: name the stages for profilers, in command
    lists on Direct3D 12, elsewhere by `gpu.ranges`.
    """

    debug: bool = False
    timing: bool = False
    dump_shaders: Path | None = None
    markers: bool = False


NO_DIAGNOSIS = Diagnosis()


class Device(Closing):
    """An opened device. For one thread at a time.

    note: why this device was opened instead of the first choice, else ''.
    """

    _names_lists = False
    """Whether stages are named in what the GPU executes."""

    def __init__(self, info: DeviceInfo, diagnosis: Diagnosis = NO_DIAGNOSIS) -> None:
        self.info, self.diagnosis = info, diagnosis
        self.note = ""
        self._children: list[Stylizer[Any] | Surface] = []
        self._closed = False

    @property
    def identity(self) -> object:
        """What the device's frames and surfaces name it by."""
        return self

    @property
    def driver(self) -> str:
        """The version of its driver, as its maker counts; '' where there is none, or it is not said."""
        return ""

    def stylizer(
        self,
        style: Style,
        source: FrameFormat,
        target: FrameFormat,
        *,
        working: Size | None = None,
        stroke_px: float | None = None,
        look: Look | None = None,
        tiling: tiles.Tiling = "auto",
        precision: Precision = "auto",
        slots: int = 3,
        window: TemporalWindow = NO_WINDOW,
        engine: EngineName = "auto",
        moving: bool = False,
        carries: bool = False,
        kind: BrushKind | None = None,
    ) -> Stylizer[Any]:
        """Make a stylizer for one style and format.

        target: what `frame.check_target` lets pass, of any size. working: the network's input size; the
        source's size if left out. stroke_px: how wide strokes of the brush are in the target; those of a network that
        paints at the working size if left out. tiling: "auto" uses tiles where the whole frame does not fit into the
        memory, "off" never, a number makes tiles of about that side. precision: what the network computes in. window:
        the neighbours that `Look.steady` mixes in; without one a look is never steadied. engine: what runs the network,
        where `engines` has it. moving: whether weights of paintings change with the film, and a frame must not depend
        on how long they stood still before it. carries: whether strokes are carried with the film, also where the brush
        of a look is 0 for a while, for which the window needs a frame before. kind: of the strokes that the brush
        draws; the style's own if left out. Raises OutOfMemoryError, DeviceError where the device cannot run the
        network, StyleError for a network that float16 would spoil, ValueError for impossible arguments.
        """
        self._check_open()
        style = self._in_precision(style, precision)
        look = look or Look()
        check_target(target)
        check_light(source, target)
        check_mix(look, style)
        if engine not in self.engines:
            raise DeviceError(f"{self.info.name} ({self.info.kind}) has no choice of engines; leave out --engine")
        if slots < 1:
            raise ValueError(f"{slots} slots hold no frame")
        if carries and not window.before:
            raise ValueError("strokes are carried from the frame before, and the window has none")
        card = style.card
        kind = kind or card.brush_kind
        source_size, target_size = (source.width, source.height), (target.width, target.height)
        sizes = Sizes.of(source_size, working, target_size, card.scale, stroke_px)
        if card.fixed_size not in (None, sizes.working):
            raise ValueError(f"{card.title} runs at {card.fixed_size} only, not at {sizes.working}")
        probe = -(-PROBE_PX // card.stride) * card.stride
        need = tiles.activation_bytes_per_pixel(style.fixed(*(card.fixed_size or (probe, probe))))
        frames = window.frames(slots)
        frame_size = frame_bytes(source, target, sizes, card.precision, steadied=not window.alone)
        shown = look.of(card)
        if carries or shown.brush:
            frame_size += carriage_bytes(Layout.of(kind, sizes), sizes)
        free = self._free_bytes() - frames * frame_size
        if shown.brush or shown.raises:
            free -= self._finishing_bytes(sizes, Layout.of(kind, sizes))
        free -= self._masks_bytes(sizes, shown)
        if free < 0:
            width, height = source_size
            helps = ["--stroke or --max-size"]
            if not window.alone:
                helps.append("--steady 0")
            if shown.brush or shown.raises:
                helps.append("--brush 0 --relief 0")
            raise OutOfMemoryError(
                f"{frames} frames of {width}x{height} need {-free / 2**30:.1f} GiB more than {self.info.name} has "
                f"free; try {', '.join(helps)}"
            )

        def plan_within(budget_bytes: float) -> tiles.Plan:
            return tiles.plan(*sizes.working, card, tiling, bytes_per_pixel=need, budget_bytes=int(budget_bytes))

        plan = plan_within(free * self._network_share())
        while True:
            settings = Settings(
                style,
                source,
                target,
                sizes,
                plan,
                look,
                slots,
                self.diagnosis.timing,
                window,
                engine=engine,
                moving=moving,
                markers=self.diagnosis.markers and not self._names_lists,
                carries=carries,
                kind=kind,
            )
            try:
                self._check_room(settings, need, free)
                made = self._make_stylizer(settings)
            except OutOfMemoryError:
                # What a driver adds to a network's tensors is only known by trying: half the side, while that helps.
                smaller = plan_within(plan.tile_width * plan.tile_height * need / 4) if tiling == "auto" else plan
                if smaller == plan:
                    raise
                plan = smaller
                continue
            self._children.append(made)
            return made

    def surface(self, view: View) -> Surface:
        """Make what `Stylizer.show` draws on. Raises DeviceError for a view that this device cannot show on, or for a
        bit depth that it lacks, NoWindowError where it cannot present to the window, but has the callback."""
        self._check_open()
        made = self._make_surface(view)
        self._children.append(made)
        return made

    @property
    def decoder(self) -> tuple[str, int] | None:
        """FFmpeg's kind of hardware decoder that leaves its frames in this device's memory, and the number that FFmpeg
        knows this device by; None where there is none."""
        return None

    @property
    def dxgi_number(self) -> int | None:
        """The number of this adapter in DXGI's own order, by which FFmpeg's d3d12va and d3d11va know it; None for a
        device that is no adapter of DXGI's, or has gone."""
        return None

    def adopt(self, picture: FrameFormat, planes: PlaneAddresses | SharedPlanes) -> DeviceFrame:
        """A frame that this device's decoder or another program made, without a copy. May be called by the thread that
        decodes.

        planes: addresses on CUDA, resources on Direct3D 12, which are read when the frame is submitted; a program that
        never signals its fence holds up this device, at its end for ten seconds. Raises ValueError where the planes do
        not hold such a picture, DeviceError where the device cannot have them.
        """
        raise DeviceError(f"{self.info.name} ({self.info.kind}) takes no {type(planes).__name__}")

    def allocate(self, picture: FrameFormat, *, packed: bool = False) -> DeviceFrame:
        """A frame of undefined content in this device's memory, for `Stylizer.store`, laid out for an encoder that
        shares the memory, or packed: its rows follow each other. Raises OutOfMemoryError, or DeviceError where no
        encoder shares it."""
        raise DeviceError(f"{self.info.name} has no frames for an encoder")

    def upload(self, frame: Frame) -> DeviceFrame:
        """A frame in this device's memory, for stylizers of this device. Raises OutOfMemoryError."""
        self._check_open()
        return self._upload(frame)

    def close(self) -> None:
        """Free the device and everything made on it, the newest first. Idempotent."""
        if self._closed:
            return
        self._closed = True
        with ExitStack() as stack:  # which continues where one of them raises
            stack.callback(self._close)
            for child in self._children:
                stack.callback(child.close)

    # What a backend implements

    @abstractmethod
    def _make_stylizer(self, settings: Settings) -> Stylizer[Any]:
        """A stylizer for settings that were checked. Raises OutOfMemoryError, or DeviceError where the device cannot
        run the network."""

    @abstractmethod
    def _upload(self, frame: Frame) -> DeviceFrame:
        """Copy a frame to the device."""

    @abstractmethod
    def _free_bytes(self) -> int:
        """Memory that stylizers may still take."""

    def _make_surface(self, view: View) -> Surface:
        """See `surface`. Here of a device that presents to no window."""
        if view.paint is None:
            raise DeviceError(f"{self.info.name} hands pictures to a callback, and this view has none")
        return CallbackSurface(self.identity, view.paint)

    @property
    def engines(self) -> tuple[EngineName, ...]:
        """What may run a network here."""
        return ("auto",)

    @property
    def prefers_float16(self) -> bool:
        """Whether networks run measurably faster here in float16."""
        return False

    def _network_share(self) -> float:
        """The share of the free memory that a network may take before `tiling="auto"` uses tiles."""
        return 0.8

    @abstractmethod
    def _finishing_bytes(self, sizes: Sizes, layout: Layout) -> int:
        """Memory that strokes and relief take, once for all frames in flight."""

    def _masks_bytes(self, sizes: Sizes, look: Look) -> int:
        """Memory that masks take with a look, once for all frames in flight."""
        return masks_bytes(sizes, look, in_place=False)

    @abstractmethod
    def _close(self) -> None:
        """Wait for the device and free its own objects; everything made on it is closed."""

    # Rules

    def _check_open(self) -> None:
        if self._closed:
            raise RuntimeError(f"the device {self.info.name} is closed")

    def _in_precision(self, style: Style, precision: Precision) -> Style:
        codes = style.card.float16_codes
        unseen = codes is not None and codes <= UNSEEN_CODES
        by_default = precision == "auto" and self.prefers_float16 and unseen
        return style.as_float16() if by_default or precision == "float16" else style

    def _check_room(self, settings: Settings, bytes_per_pixel: float, free_bytes: float) -> None:
        """Raise OutOfMemoryError where the network cannot fit: some systems end the process instead."""
        plan = settings.plan
        lacking = plan.tile_width * plan.tile_height * bytes_per_pixel - free_bytes
        if lacking > 0:
            raise OutOfMemoryError(
                f"{settings.style.card.title} at {plan.tile_width}x{plan.tile_height} needs about "
                f"{lacking / 2**30:.1f} GiB more than {self.info.name} has free; try --tile or --stroke"
            )

    def _forget(self, child: Stylizer[Any] | Surface) -> None:
        """A stylizer or surface has closed itself."""
        if child in self._children:
            self._children.remove(child)


# Backends


class BackendModule(Protocol):
    """What the module of a backend has."""

    def list_devices(self) -> list[DeviceInfo]:
        """Its devices, the preferred one first; indices count from 0. Raises DeviceError saying why there is none."""

    def open_device(self, info: DeviceInfo, diagnosis: Diagnosis) -> Device:
        """Open one. Raises DeviceError."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A kind of device. module: imported when it is asked for. platforms: of `sys.platform`, all where empty.
    listed: whether it is offered; others are opened by their kind only."""

    kind: str
    module: str
    platforms: tuple[str, ...] = ()
    listed: bool = True

    def load(self) -> BackendModule:
        """Import the module. Raises DeviceError where a library is missing."""
        try:
            return cast(BackendModule, importlib.import_module(self.module))
        except (ImportError, OSError) as error:
            raise DeviceError(f"the backend {self.kind} cannot be loaded: {error}") from error

    def devices(self) -> list[DeviceInfo]:
        """Its devices here. Raises DeviceError saying why there is none."""
        if self.platforms and sys.platform not in self.platforms:
            raise DeviceError(f"the backend {self.kind} runs on {', '.join(self.platforms)} only")
        return self.load().list_devices()


BACKENDS = [
    # Before Direct3D 12: it is only there with its extra, whose ONNX Runtime takes the place of the one with DirectML.
    Backend("cuda", "framebrush.gpu.cuda.device", platforms=("linux", "win32")),
    Backend("d3d12", "framebrush.gpu.d3d12.device", platforms=("win32",)),
    # Behind those that are made for one maker or one system, and on the same cards.
    Backend("webgpu", "framebrush.gpu.webgpu.device"),
    Backend("cpu", "framebrush.gpu.cpu.device"),
    Backend("tensorrt", "framebrush.gpu.cuda.networks.tensorrt", platforms=("linux", "win32"), listed=False),
    Backend("reference", "framebrush.gpu.reference.device", listed=False),
]
"""In the order of preference. The CPU is the last that is listed: it is always there."""


def list_devices() -> list[DeviceInfo]:
    """Every device that can be opened here, the preferred one first, the CPU last."""
    return _find()[0]


def open_device(wanted: str = "auto", diagnosis: Diagnosis = NO_DIAGNOSIS) -> Device:
    """Open a device by kind ("d3d12", "cuda", "tensorrt", "cpu") or vendor ("amd", "intel", "nvidia"), by either and a
    number ("cuda:1"), by index, by PCI id ("10de:2330"), or by the beginning of its name or UUID; "auto" takes the
    best, "low-power" the card that needs the least power.

    Raises DeviceError where there is no such device, listing what there is. "auto" falls back to the CPU and says so in
    `note`.
    """
    name = wanted.lower()
    if name == "cpu":  # without asking the drivers of cards: threads open it while another one paints on a card
        (info,) = next(backend for backend in BACKENDS if backend.kind == name).devices()
        return _open(info, diagnosis)
    found, missing = _find()
    if name == "auto":
        reasons = [str(reason) for reason in missing if not isinstance(reason, AbsentError)]
        return _open_best(found, reasons, diagnosis)
    backend = next((backend for backend in BACKENDS if backend.kind == name.partition(":")[0]), None)
    unlisted = backend is not None and all(info.kind != backend.kind for info in found)
    matches = _matches(backend.devices() if backend and unlisted else found, name)
    if not matches:
        there = ", ".join(f"[{info.index}] {info.name} ({info.kind})" for info in found)
        why = "".join(f"; {reason}" for reason in missing)
        raise DeviceError(f"there is no device {wanted!r}. Available devices: {there}{why}")
    return _open(matches[0], diagnosis)


def _matches(found: list[DeviceInfo], name: str) -> list[DeviceInfo]:
    """The devices that a lower-case name stands for."""
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
    """Why kinds of devices that this system may have were not found, a sentence each."""
    return [str(reason) for reason in _find()[1]]


def _find() -> tuple[list[DeviceInfo], list[DeviceError]]:
    """The devices, numbered, and why those are missing that this system may have."""
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
    """The first that opens and does not compute on the processor, else the CPU with a note of the reasons."""
    reasons = list(reasons)
    for info in found[:-1]:
        if info.software:
            if info.kind != "webgpu":  # which lists Mesa's on every desktop, where no card is missing
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
