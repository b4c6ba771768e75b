"""Defaults and bounds of all options, by hand: another one changes what users get."""

from __future__ import annotations

import json
import subprocess
import sys

TOLD = """
import json
from framebrush.cli.command_line import COMMANDS, load

def tell(name, command):
    for inner, each in getattr(command, "commands", {}).items():
        tell(f"{name} {inner}", each)
    told[name] = [(each.name, each.default, [vars(each).get("min"), vars(each).get("max")]) for each in command.params]

told = {}
for name in COMMANDS:
    tell(name, load(name))
print(json.dumps(told))
"""
"""Run in a process of its own, which imports all that it tells of."""

LOOK = {
    "strength": 1.0,
    "exposure": 0.0,
    "tone_curve": "clip",
    "tone_map": "bt2390",
    "saturation": 1.0,
    "dither": True,
    "steady": 0.5,
    "detail": 0.0,
    "lamp": 135.0,
    "focus": 0.0,
    "film_inside": 0.0,
    "film_outside": 0.0,
    "photo_inside": 0.0,
    "photo_outside": 0.0,
    "second_inside": 0.0,
    "second_outside": 0.0,
}
SIZES = {"stroke": "auto", "mask_grow": 0.0, "mask_soften": 0.0}
DEVICE = {"device": "auto"}
PAINTING = {"style": "starry-night", **DEVICE, **LOOK, **SIZES, "tile": "auto", "precision": "auto", "engine": "auto"}
ENCODED = {"codec": "auto", "pix_fmt": "auto", "hdr": "sdr"}
BAR = {"progress": "auto"}
MADE = {**PAINTING, **ENCODED, "statistics": "frame", "audio": "copy", "deinterlace": "auto", "segments": "auto"}
FILM = {**MADE, **BAR}
PLACE = {"at": "0"}

DEFAULTS: dict[str, dict[str, object]] = {
    "transcode": FILM,
    "batch": FILM | {"name": "{stem}{suffix}"},
    "worker": DEVICE,
    "job": {},
    "job export": MADE | {"kind": "openjd"},
    "job paint": DEVICE,
    "job join": DEVICE,
    "frame": PAINTING | PLACE,
    "strokes": PAINTING | PLACE,
    "reveal": PAINTING | ENCODED | PLACE | BAR | {"seconds": "20"},
    "layers": PAINTING | BAR,
    "live": PAINTING | {"to": "virtual"},
    "play": {"style": "", "device": "", **SIZES},
    "styles": {},
    "brushes": {},
    "devices": {},
    "cameras": {},
    "doctor": {},
    "licences": {},
    "bench": PAINTING | {"frames": 100, "codec": "auto"},
    "train": BAR
    | {"size": "realtime", "stroke_px": 10.0, "content": 1.2, "steps": 6000, "batch": 4, "seed": 0}
    | {"title": "", "licence": "", "torch_device": ""},
    "keys": {},
    "keys extract": BAR,
    "keys learn": BAR | {"time_": "60s", "others": "nearest", "torch_device": "", "seed": 0},
    "demo": DEVICE | BAR | {"target": "framebrush-demo.mp4"},
}
"""Whatever is not here is off or has no value."""

BOUNDS = {
    **dict.fromkeys(("strength", "split", "steady", "detail", "brush", "relief", "canvas", "faces", "focus"), (0, 1)),
    **dict.fromkeys(("film_inside", "film_outside", "photo_inside", "photo_outside"), (0, 1)),
    **dict.fromkeys(("second_inside", "second_outside"), (0, 1)),
    "exposure": (-4, 4),
    "saturation": (0, 2),
    "lamp": (0, 360),
    "mask_grow": (-20, 20),
    "mask_soften": (0, 20),
    "max_size": (16, 16384),
    "frames": (1, None),
    "segment": (0, None),
    "steps": (1, 1_000_000),
    "batch": (1, 256),
    "seed": (0, 2**32 - 1),
}


def test_each_option_has_its_default_and_its_bounds() -> None:
    told = json.loads(subprocess.run([sys.executable, "-c", TOLD], capture_output=True, check=True).stdout)
    given = {
        command: {name: default for name, default, _ in options if default is not None and default is not False}
        for command, options in told.items()
    }
    assert given == DEFAULTS
    for command, options in told.items():
        for name, _, bounds in options:
            expected = (10, None) if (command, name) == ("bench", "frames") else BOUNDS.get(name, (None, None))
            assert tuple(bounds) == expected, (command, name)
