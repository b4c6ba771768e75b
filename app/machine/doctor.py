"""Self-tests of the program. Reports name no person or computer."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import av
from rich.console import Console
from rich.table import Table
from rich.text import Text

from framebrush.base.child import DiedError, ask_once
from framebrush.base.text import printable
from framebrush.gpu.device import BACKENDS, Device, list_devices, open_device
from framebrush.gpu.errors import AbsentError
from framebrush.gpu.settings import EngineName

PACKAGES = (
    "framebrush",
    "av",
    "numpy",
    "onnx",
    "onnxruntime",
    "onnxruntime-directml",
    "onnxruntime-gpu",
    "onnxruntime-windowsml",
    "cuda-core",
    "wgpu",
    "onnxruntime-ep-webgpu",
    "PySide6-Essentials",
)
FORMAT = 1
"""Format of the JSON report."""

TEST_SIZE = (96, 64)
TOLERANCE_CODES = {False: 2, True: 4}
"""Largest difference from the reference in codes of 8 bits: float32; float16."""

EDGES = 0.01
"""Share of samples that may differ more: ends of strokes change with tiny differences."""

WINDOW_S = 60
"""Longest wait for a display, such as one over a dead network."""

DECODERS = ("h264", "hevc", "av1", "vp9", "vp8", "mpeg2video", "mpeg4", "prores", "ffv1")


class State(StrEnum):
    """State of a check. WARNING: painting works."""

    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Answer:
    """Result of a check. says: for users. details: for support."""

    says: str
    details: list[dict[str, Any]] = field(default_factory=list)
    state: State = State.OK


Check = Callable[[], Answer]


@dataclass(frozen=True, slots=True)
class Report:
    """Facts of computer and program, and all answers by name."""

    facts: dict[str, Any]
    answers: dict[str, Answer]

    @property
    def healthy(self) -> bool:
        """Return whether videos can be painted here."""
        return all(answer.state is not State.FAILED for answer in self.answers.values())

    def as_json(self) -> dict[str, Any]:
        checks = [
            {"name": name, "state": answer.state.value, "says": answer.says, "details": answer.details}
            for name, answer in self.answers.items()
        ]
        found: dict[str, Any] = impersonal({"format": FORMAT, "healthy": self.healthy, **self.facts, "checks": checks})
        return found


def examine(console: Console | None = None) -> Report:
    """Run every check. console: prints answers at once."""
    report = Report(facts(), {})
    if console is not None:
        _print_facts(report.facts, console)
    for name, check in CHECKS.items():
        report.answers[name] = answer = _answer(check)
        if console is not None:
            _print_answer(name, answer, console)
    return report


def _print_facts(facts: dict[str, Any], console: Console) -> None:
    known = impersonal(facts)
    console.print(f"Python {known['python']} on {known['system']}" + (", bundled" if known["bundled"] else ""))
    for name, version in known["packages"].items():
        console.print(f"{name} {version}", highlight=False)
    console.print("FFmpeg " + ", ".join(f"{name} {version}" for name, version in known["ffmpeg"].items()))


def _print_answer(name: str, answer: Answer, console: Console) -> None:
    marks = {State.OK: "[green]ok[/]  ", State.WARNING: "[yellow]warn[/]", State.FAILED: "[red]FAIL[/]"}
    console.print(f"{marks[answer.state]} {name}:", end=" ")
    console.print(printable(str(impersonal(answer.says))), markup=False, highlight=False)
    devices = [one for one in answer.details if "arithmetic" in one]
    if devices:
        table = Table("device", "kernels", "native 16 bits", "precision", "int8", box=None, padding=(0, 0, 0, 2))
        for one in devices:
            kernels, native, precision, int8 = one["arithmetic"].values()
            table.add_row(Text(printable(one["name"])), kernels, "yes" if native else "no", precision, int8 or "no")
        console.print(table)


def facts() -> dict[str, Any]:
    packages = {}
    for name in PACKAGES:
        try:
            packages[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return {
        "system": _system(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "python": platform.python_version(),
        "bundled": bool(getattr(sys, "frozen", False)),
        "packages": packages,
        "ffmpeg": {name: ".".join(map(str, version)) for name, version in av.library_versions.items()},
    }


def _system() -> str:
    if platform.system() != "Linux":
        return platform.platform()
    release = re.match(r"[\d.]*\d", platform.release())
    return " ".join(["Linux", release[0] if release else "", *platform.libc_ver()]).strip()


def _answer(check: Check) -> Answer:
    try:
        return check()
    except Exception as error:  # shown to the user, whatever it is
        return Answer(str(error) or type(error).__name__, state=State.FAILED)


def impersonal(value: Any) -> Any:  # noqa: ANN401 - what JSON holds
    """Replace the user's home folder in texts by ~."""
    if isinstance(value, dict):
        return {key: impersonal(one) for key, one in value.items()}
    if isinstance(value, list):
        return [impersonal(one) for one in value]
    if not isinstance(value, str):
        return value
    for home in {str(Path.home()), Path.home().as_posix()}:
        if len(home) > 1:
            value = re.sub(re.escape(home) + r"(?![\w.-])", "~", value, flags=re.IGNORECASE)
    return value


def _encoders() -> Answer:
    from framebrush.media.encoding.encoders import ENCODERS, Choice, unavailable_reason

    details = []
    for encoder in ENCODERS:
        choice = Choice(encoder, encoder.formats[0], 640, 360, encoder.usual_crf, None, ())
        details.append({"name": encoder.name, "problem": unavailable_reason(choice)})
    working = [str(one["name"]) for one in details if one["problem"] is None]
    if not working:
        raise RuntimeError("no encoder works, so no video can be written")
    return Answer(", ".join(dict.fromkeys(working)), details)  # some write several kinds of file


def _decoders() -> Answer:
    found = [name for name in DECODERS if name in av.codecs_available]
    missing = [name for name in DECODERS if name not in found]
    hardware = _hardware_decoders()
    works = [kind for kind, decodes in hardware.items() if decodes]
    said = f"for --hwaccel: {', '.join(works)}" if works else "none for --hwaccel: the processor decodes"
    details: list[dict[str, Any]] = [{"missing": missing}, {"hwaccel": hardware}]
    return Answer("; ".join([", ".join(found), said]), details, State.WARNING if missing else State.OK)


def _hardware_decoders() -> dict[str, bool]:
    from framebrush.media.reading.source import HARDWARE, open_source

    with TemporaryDirectory() as folder:
        path = Path(folder) / "film.mp4"
        with av.open(str(path), "w") as out:
            stream = out.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
            stream.width, stream.height, stream.pix_fmt = 320, 192, "yuv420p"
            for _ in range(2):
                picture = av.VideoFrame(320, 192, "yuv420p")
                for plane in picture.planes:
                    plane.update(bytes([128]) * plane.buffer_size)
                out.mux(stream.encode(picture))
            out.mux(stream.encode(None))
        decodes = {}
        for kind in HARDWARE:
            source = open_source(path, hardware=kind)
            try:
                frames = [frame for packet in (*source.packets(), None) for frame in source.decode(packet)]
            finally:
                source.close()
            decodes[kind] = source.hardware == kind and len(frames) == 2
    return decodes


def _devices() -> Answer:
    details: list[dict[str, Any]] = []
    problems, absent = [], []
    for backend in BACKENDS:
        if not backend.listed or (backend.platforms and sys.platform not in backend.platforms):
            continue
        try:
            backend.devices()
        except AbsentError as error:  # hardware that not every machine has
            absent.append(str(error))
            details.append({"kind": backend.kind, "absent": str(error)})
        except Exception as error:  # a driver's library may raise anything
            problems.append(str(error))
            details.append({"kind": backend.kind, "problem": str(error)})
    opened, has_card = [], False
    for info in list_devices():
        found = {"index": info.index, "kind": info.kind, "name": info.name, "vendor": info.vendor, "pci": info.pci}
        found |= {"memory_bytes": info.memory_bytes, "software": info.software}
        try:
            with open_device(str(info.index)) as device:
                found["arithmetic"] = device.arithmetic._asdict()
                opened.append(f"{device.info.kind} {device.info.name}")
                has_card |= not info.on_processor
        except Exception as error:
            problems.append(f"{info.name}: {error}")
            found["problem"] = str(error)
        details.append(found)
    if not opened:
        raise RuntimeError("; ".join(problems))
    state = State.WARNING if problems else State.OK
    optional = [_tensorrt()] if any(found["kind"] == "cuda" and "index" in found for found in details) else []
    details += optional
    hints = [] if has_card or not absent else [f"for a graphics card: {'; '.join(absent)}"]
    return Answer(
        "; ".join([*opened, *problems, *hints, *(one["says"] for one in optional)]),
        details,
        state,
    )


def _tensorrt() -> dict[str, Any]:
    backend = next(backend for backend in BACKENDS if backend.kind == "tensorrt")
    try:
        backend.devices()
    except Exception as error:
        return {"kind": backend.kind, "says": f"not installed, and not needed: {error}"}
    return {"kind": backend.kind, "says": "TensorRT can be had with --device tensorrt"}


def _styles() -> Answer:
    from framebrush.models.library import bundled
    from framebrush.models.reading.load import load_style

    names = [load_style(path).card.name for path in bundled().values()]
    return Answer(", ".join(names))


@dataclass(frozen=True, slots=True)
class Parity:
    """Comparison with the reference. differences: 8-bit codes by look."""

    precision: str
    differences: dict[str, int]
    wrong: list[str]

    def as_json(self) -> dict[str, Any]:
        return {"precision": self.precision, "largest_difference_codes": self.differences}


class SelfTest:
    """Comparison with the reference: the default style, steadied and detailed."""

    def __init__(self) -> None:
        import numpy as np

        from framebrush.gpu.frame import Frame, rgba8, yuv420p
        from framebrush.gpu.look import Look
        from framebrush.models.library import DEFAULT
        from framebrush.styles.style_names import open_style

        self._style = open_style(DEFAULT).style
        width, height = TEST_SIZE
        across, down = np.linspace(16, 235, width), np.linspace(40, 200, height)
        luma = (0.5 * across[None, :] + 0.5 * down[:, None]).astype(np.uint8)
        luma[height // 4 : height // 2, width // 4 : width // 2] = 200
        chroma = np.linspace(64, 192, width * height // 4).reshape(height // 2, width // 2).astype(np.uint8)
        planes = (luma, chroma, np.ascontiguousarray(chroma[::-1]))
        self._still = Frame(yuv420p(width, height), planes)
        self._moved = Frame(self._still.format, (np.roll(luma, 4, axis=1), *planes[1:]))
        self._target = rgba8(width, height)
        look = Look(dither=False)
        self._looks = {"painting": look.alone, "steadying and detail": replace(look, detail=0.5)}
        with open_device("reference") as reference:
            self._expected, _ = self._painted(reference)

    def engines(self, device: Device) -> dict[str, str]:
        """Test each engine: "ok", or the problem. Switches failing DirectML optimisations off."""
        states: dict[str, str] = {}
        for engine in device.engines:
            right = {tried for tried, state in states.items() if state == "ok"}
            settled = "directml" in right or (engine == "directml-safe" and any(map(_without, right)))
            if engine == "auto" or (_without(engine) and settled):
                continue
            try:
                found = self.parity(device, engine)
                states[engine] = f"wrong by {max(found.differences.values())} of 255 codes" if found.wrong else "ok"
            except Exception as error:
                states[engine] = f"cannot paint: {error}"
        return states

    def parity(self, device: Device, engine: EngineName = "auto") -> Parity:
        """Compare a device with the reference. engine: for the first look."""
        pictures, precision = self._painted(device, engine)
        off = {name: _apart(picture, self._expected[name]) for name, picture in pictures.items()}
        return Parity(precision, off, [name for name in off if off[name] > TOLERANCE_CODES[precision == "float16"]])

    def _painted(self, device: Device, engine: EngineName = "auto") -> tuple[dict[str, Any], str]:
        import numpy as np

        from framebrush.gpu.temporal_window import window_of

        pictures: dict[str, Any] = {}
        precision = ""
        for name, look in self._looks.items():
            settings: dict[str, Any] = {"look": look, "slots": 1, "window": window_of(look, live=True)}
            with device.stylizer(self._style, self._still.format, self._target, engine=engine, **settings) as stylizer:
                for frame in (self._moved, self._still) if look.needs_neighbours else (self._still,):
                    (picture,) = stylizer.fetch(stylizer.submit(frame)).planes
                    pictures[name] = picture.astype(np.int16)
                precision = stylizer.settings.style.card.precision
            if engine != "auto":
                break
        return pictures, precision


def _apart(picture: Any, expected: Any) -> int:  # noqa: ANN401
    import numpy as np

    return int(np.quantile(abs(picture - expected), 1.0 - EDGES))


def _self_test() -> Answer:
    test = SelfTest()
    details: list[dict[str, Any]] = []
    wrong: list[str] = []
    advice: list[str] = []
    for info in list_devices():
        if info.software and info.kind == "webgpu":
            continue  # every Linux desktop has it, it compiles slowly, and no job uses it by default
        found: dict[str, Any] = {"device": info.name, "kind": info.kind}
        try:
            with open_device(str(info.index)) as device:
                engines = test.engines(device)
                found |= {"engines": engines} if engines else {}
                advice += _other_engines(info.name, engines)
                parity = test.parity(device)
            found |= parity.as_json()
            if parity.wrong:
                off = max(parity.differences.values())
                wrong.append(
                    f"{info.name} is wrong in {' and '.join(parity.wrong)}, by {off} of 255 codes; update its driver "
                    "or use --device cpu"
                )
        except Exception as error:
            found["problem"] = str(error)
            wrong.append(f"{info.name} cannot paint: {error}")
        details.append(found)
    if len(wrong) == len(details):
        return Answer("; ".join(wrong), details, State.FAILED)
    right = [str(found["device"]) for found in details if "largest_difference_codes" in found]
    says = "; ".join(wrong + advice)
    says = says or f"{', '.join(right)} {'paints' if len(right) == 1 else 'paint'} as the reference does"
    return Answer(says, details, State.WARNING if wrong or advice else State.OK)


def _other_engines(name: str, engines: dict[str, str]) -> list[str]:
    working = [engine for engine, state in engines.items() if state == "ok"]
    if not working:  # reported by the device's own test
        return []
    helping = next((f"--engine {engine}" for engine in working if _without(engine)), "--device cpu")
    others = f", and {helping} for styles that are not bundled"
    return [
        f"{name}: {engine} {'is ' if state.startswith('wrong') else ''}{state}; use --engine {working[0]}"
        + (others if engine == "directml" and working[0] == "shader" else "")
        for engine, state in engines.items()
        if state != "ok" and not _without(engine)
    ]


def _without(engine: str) -> bool:
    return engine.startswith("directml-")


def _window() -> Answer:
    from framebrush.machine.window_needs import why_no_window

    try:
        import PySide6.QtWidgets  # noqa: F401 - the libraries of the system that it needs
    except ImportError as error:
        return Answer(why_no_window(error), state=State.WARNING)
    try:
        said, _ = ask_once("framebrush.window.display", None, WINDOW_S)
    except DiedError as error:
        lines = error.ended.errors.splitlines() or ["the window could not be opened"]
        return Answer(lines[-1].removeprefix("framebrush-gui: "), [{"status": error.ended.status}], State.WARNING)
    return Answer(said["platform"])


CHECKS: dict[str, Check] = {
    "encoders": _encoders,
    "decoders": _decoders,
    "devices": _devices,
    "styles": _styles,
    "self-test": _self_test,
    "window": _window,
}
"""Checks in order; they raise any exception on failure."""
