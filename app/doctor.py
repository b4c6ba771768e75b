"""Which parts of the program work on this computer, for troubleshooting and bug reports."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Callable

import av
from rich.console import Console

from framebrush.gpu.device import list_devices, open_device

PACKAGES = ("framebrush", "av", "numpy", "onnx", "onnxruntime", "onnxruntime-directml", "PySide6-Essentials")


def examine(console: Console) -> bool:
    """Print each finding; True where a video can be painted here."""
    console.print(f"Python {platform.python_version()} on {platform.platform()}")
    for package in PACKAGES:
        try:
            console.print(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    console.print("FFmpeg " + ", ".join(f"{name} {'.'.join(map(str, v))}" for name, v in av.library_versions.items()))
    checks: dict[str, Callable[[], str]] = {"encoders": _encoders, "devices": _devices, "styles": _styles}
    healthy = True
    for name, check in checks.items():
        try:
            console.print(f"[green]ok[/]   {name}: {check()}")
        except Exception as error:  # whatever it is, the person should read it
            healthy = False
            console.print(f"[red]FAIL[/] {name}: {error}")
    return healthy


def _encoders() -> str:
    from framebrush.media.encoders import working_encoders

    return ", ".join(working_encoders())


def _devices() -> str:
    opened = []
    for info in list_devices():
        with open_device(str(info.index)) as device:
            opened.append(f"{device.info.kind} {device.info.name}")
    return "; ".join(opened)


def _styles() -> str:
    from framebrush.models.library import bundled
    from framebrush.models.load import load_style

    return ", ".join(load_style(path).card.name for path in bundled().values())
