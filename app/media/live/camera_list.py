"""Process that lists cameras and microphones, since drivers may hang."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import av
import av.logging

from framebrush.base import parent
from framebrush.base.child import DiedError, ask_once
from framebrush.base.text import first_line, printable

KINDS = {"linux": "v4l2", "win32": "dshow", "darwin": "avfoundation"}
"""FFmpeg's camera input device by platform."""

LIMIT_S = 20.0  # a driver may hang, and a person waits
_DSHOW = re.compile(r'"([^"\n]+)" \(([a-z, ]+)\)\s+Alternative name "([^"\n]+)"')
_AVFOUNDATION = re.compile(r"^\[(\d+)\] (.+)$", re.M)


@dataclass(frozen=True, slots=True)
class Camera:
    """Camera. name: for users. device: for the system."""

    name: str
    device: str


@dataclass(frozen=True, slots=True)
class Devices:
    """Cameras and microphones. problem: why some are missing."""

    cameras: tuple[Camera, ...] = ()
    microphones: tuple[str, ...] = ()
    problem: str = ""


def find_devices() -> Devices:
    """List cameras and microphones, within a second."""
    try:
        answer, _ = ask_once("framebrush.media.live.camera_list", None, LIMIT_S)
    except (OSError, DiedError) as error:
        if isinstance(error, DiedError) and error.ended.killed:
            return Devices(problem=f"a driver did not answer within {LIMIT_S:g} s; unplug cameras and look again")
        return Devices(problem="looking for cameras crashed in a driver; unplug cameras and look again")
    cameras = tuple(Camera(printable(name), device) for name, device in answer["cameras"])
    return Devices(cameras, tuple(map(printable, answer["microphones"])), printable(answer["problem"]))


def _cameras() -> tuple[list[tuple[str, str]], str]:
    match KINDS.get(sys.platform):
        case "v4l2":
            found = [(device.description or device.name, device.name) for device in av.enumerate_input_devices("v4l2")]
            denied = [str(path) for path in Path("/dev").glob("video*") if not os.access(path, os.R_OK | os.W_OK)]
            problem = f"no permission to use {', '.join(denied)}; join the group 'video', then log in again"
            return found, problem if denied else ""
        case "dshow":
            return parse_dshow(_listed("dshow")), ""
        case "avfoundation":
            return parse_avfoundation(_listed("avfoundation")), ""
        case _:
            return [], "cameras can be opened on Windows, Linux and macOS"


def _listed(kind: str) -> str:
    av.logging.set_level(av.logging.INFO)
    with av.logging.Capture() as log, suppress(av.error.FFmpegError, OSError):
        av.open("dummy", format=kind, container_options={"list_devices": "true"})
    return "".join(message for _, _, message in log)


def parse_dshow(log: str) -> list[tuple[str, str]]:
    """Return cameras (name, device) in DirectShow's list."""
    return [(name, device) for name, kinds, device in _DSHOW.findall(log) if "video" in kinds.split(", ")]


def parse_avfoundation(log: str) -> list[tuple[str, str]]:
    """Return cameras (name, device) in AVFoundation's list."""
    cameras = log.partition("AVFoundation audio devices")[0]
    return [(name, number) for number, name in _AVFOUNDATION.findall(cameras) if not name.startswith("Capture screen")]


def _microphones() -> list[str]:
    with suppress(Exception):  # PortAudio raises many kinds of errors
        import sounddevice

        return list(
            dict.fromkeys(facts["name"] for facts in sounddevice.query_devices() if facts["max_input_channels"])
        )
    return []


def main() -> None:
    """Report this computer's cameras."""
    parent.listen(lambda _: None)
    try:
        cameras, problem = _cameras()
    except (av.error.FFmpegError, OSError, ValueError) as error:
        cameras, problem = [], f"the system's list of cameras cannot be read ({first_line(error)})"
    parent.report({"cameras": cameras, "microphones": _microphones(), "problem": problem})


if __name__ == "__main__":
    main()
