"""ALSA's null device as sound output and microphone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

needs_alsa = pytest.mark.skipif(
    sys.platform != "linux" or not Path("/usr/share/alsa/alsa.conf").exists(), reason="needs ALSA's own configuration"
)


def run(script: str, folder: Path) -> str:
    """Run a script with the null device, and return its output."""
    configuration = folder / "asound.conf"
    configuration.write_text("</usr/share/alsa/alsa.conf>\npcm.!default { type null hint { show on } }\n")
    environment = {**os.environ, "ALSA_CONFIG_PATH": str(configuration)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
